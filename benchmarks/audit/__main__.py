"""200,000 paired rows audited: two tables of 200,000 cases each, beside peers that audit or compare tables.

python -m benchmarks.audit [--rows 200000] [--rounds 3] [--limit 300]
"""

import argparse
import csv
import random
from pathlib import Path

from benchmarks.measuring import ENVS, FAIRTRIAL, OUT, Spent, machine, met, middle, spend, spread, table

TARGET = 3.0
"""CPU seconds."""


def pair(rows: int) -> list[str]:
    """Two tables of the same ids, independent pass or fail with means of 0.60 and 0.62."""
    folder = OUT / "audit"
    folder.mkdir(parents=True, exist_ok=True)
    draw = random.Random(1)
    files = []
    for name, rate in (("base", 0.60), ("candidate", 0.62)):
        file = folder / f"{name}.csv"
        with file.open("w", newline="", encoding="utf-8") as out:
            writer = csv.writer(out)
            writer.writerow(["id", "score"])
            writer.writerows([f"q{i:06d}", int(draw.random() < rate)] for i in range(rows))
        files.append(str(file))
    return files


def told(spent: list[Spent]) -> list[str]:
    """CPU, wall and memory of the runs that ended, or that none did."""
    done = [run for run in spent if not run.killed]
    if not done:
        return ["not finished", f"> {spent[0].wall:.0f}", f"{spent[0].peak_mib:.0f}"]
    return [
        spread([run.cpu for run in done]),
        spread([run.wall for run in done]),
        f"{max(run.peak_mib for run in done):.0f}",
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--rows", type=int, default=200_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--limit", type=float, default=300, help="seconds a peer may take")
    wanted = parser.parse_args()
    files = pair(wanted.rows)
    tools = {"fairtrial audit": [FAIRTRIAL, "audit", *files, "--json"]}
    for name, command in (("evaltrust", "audit"), ("holdline", "compare")):
        program = ENVS / name / "bin" / name
        if program.exists():
            tools[f"{name} {command}"] = [str(program), command, *files, "--json"]
        else:
            print(f"skipped {name}: not installed under {Path(ENVS).name}")
    spent: dict[str, list[Spent]] = {}
    for name, command in tools.items():
        times = wanted.rounds if name.startswith("fairtrial") else 1
        spent[name] = [spend(command, timeout=wanted.limit) for _ in range(times)]
        print(f"  {name}: {[round(run.cpu, 2) for run in spent[name]]}", flush=True)
    print(f"{machine()}; {wanted.rows:,} paired rows, CPU seconds with start-up, median (least-most).\n")
    head = ["command", "CPU s", "wall s", "peak MiB"]
    print(table(head, [[name, *told(runs)] for name, runs in spent.items()]) + "\n")
    ours = middle(run.cpu for run in spent["fairtrial audit"])
    print(f"At most {TARGET:g} CPU seconds: {met(ours <= TARGET)}.")


if __name__ == "__main__":
    main()
