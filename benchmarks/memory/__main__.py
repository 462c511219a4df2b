"""By how much the peak memory of a run grows with its cases, beyond the case set itself.

    python -m benchmarks.memory [--rounds 3] [--sizes 5000,20000,50000]

For each size the reference cases are run once (one trial) and, in another process, only loaded. The slope
of the peak resident set over the number of cases is told for both; their difference is what a run adds.
Because what loading leaves behind can hide growth that comes after it, two more things are measured: the
smallest set with more trials, where the slope is what one more session costs, and what Python itself has
allocated (`tracemalloc`) at most while running, above what it held when the case set had been loaded. The
sizes begin above the number of cases whose rules stay compiled, which is a constant (16 MB).
"""

import argparse
import shutil
import statistics
from collections.abc import Sequence
from pathlib import Path

from benchmarks.measuring import (
    OUT,
    PYTHON,
    Endpoint,
    fairtrial_run,
    machine,
    met,
    middle,
    mock,
    spend_well,
    table,
)
from benchmarks.run import reference_cases

WORK = OUT / "memory"
TARGET = 300
LOAD = """
import sys
from pathlib import Path
from fairtrial.cases.load import load_or_refuse
load_or_refuse([Path(sys.argv[1])])
"""

TRACED = """
import gc, sys, tracemalloc
tracemalloc.start()
from fairtrial.app import prepare
load, held = prepare.load_or_refuse, []
def traced(*args, **rest):
    case_set = load(*args, **rest)
    gc.collect()
    held.append(tracemalloc.get_traced_memory()[0])
    tracemalloc.reset_peak()
    return case_set
prepare.load_or_refuse = traced
from fairtrial.cli.main import app
try:
    app(sys.argv[1:])
finally:
    print("beyond", tracemalloc.get_traced_memory()[1] - held[0])
"""


def loaded(cases: Path) -> float:
    """Peak MiB of a process that only loads the cases."""
    return spend_well([PYTHON, "-c", LOAD, str(cases)]).peak_mib


def ran(cases: Path, endpoint: Endpoint, trials: int) -> float:
    """Peak MiB of a run."""
    out = WORK / "logs"
    shutil.rmtree(out, ignore_errors=True)
    command = fairtrial_run(cases, endpoint.url, out, trials=trials)
    return spend_well(command, env={"OPENAI_API_KEY": "none"}, cwd=WORK).peak_mib


def beyond(cases: Path, endpoint: Endpoint) -> float:
    """MiB that Python allocates at most in a run, above the loaded case set."""
    out = WORK / "traced"
    shutil.rmtree(out, ignore_errors=True)
    command = [PYTHON, "-c", TRACED, *fairtrial_run(cases, endpoint.url, out)[1:]]
    spent = spend_well(command, env={"OPENAI_API_KEY": "none"}, cwd=WORK)
    return int(spent.output.rsplit("beyond", 1)[1]) / 2**20


def slope(sizes: Sequence[int], peaks: Sequence[float]) -> float:
    """Bytes a case, by least squares."""
    return statistics.linear_regression(sizes, peaks).slope * 2**20


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--sizes", default="5000,20000,50000")
    asked = parser.parse_args()
    sizes = [int(size) for size in asked.sizes.split(",")]
    shutil.rmtree(WORK, ignore_errors=True)
    WORK.mkdir(parents=True)
    files = {size: WORK / f"cases-{size}.jsonl" for size in sizes}
    for size, file in files.items():
        reference_cases.write(size, file)
    with mock() as endpoint:
        load = [middle(loaded(files[size]) for _ in range(asked.rounds)) for size in sizes]
        run = [middle(ran(files[size], endpoint, 1) for _ in range(asked.rounds)) for size in sizes]
        trials = [size // sizes[0] for size in sizes]
        traced = [beyond(files[size], endpoint) for size in sizes]
        again = [
            middle(ran(files[sizes[0]], endpoint, number) for _ in range(asked.rounds)) for number in trials
        ]
    more = [whole - part for whole, part in zip(run, load, strict=True)]
    session = slope([number * sizes[0] for number in trials], again)
    print(f"{machine()}; {asked.rounds} rounds, medians.\n")
    rows = [
        _row("load the case set", load, slope(sizes, load), ""),
        _row("run it, one trial", run, slope(sizes, run), ""),
        _row("a run beyond its case set", more, slope(sizes, more), f"< {TARGET}"),
        _row("allocated beyond it (tracemalloc)", traced, slope(sizes, traced), f"< {TARGET}"),
        _row(f"{sizes[0]:,} cases with {', '.join(map(str, trials))} trials", again, session, f"< {TARGET}"),
    ]
    print(
        table(["peak MiB", *[f"{size:,}" for size in sizes], "bytes a case or session", "target", ""], rows)
    )


def _row(name: str, peaks: Sequence[float], steep: float, target: str) -> list[str]:
    judged = met(steep < TARGET) if target else ""
    return [name, *[f"{peak:.0f}" for peak in peaks], f"{steep:.0f}", target, judged]


if __name__ == "__main__":
    main()
