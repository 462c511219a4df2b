"""Two logs of 1,000,000 case results of 2 KB compared: CPU, wall and peak memory of the whole command.

    python -m benchmarks.compare [--rows 1000000] [--rounds 1]

The logs are written here, row by row as a round writes them, with the header of a real small round, so that
the environment can be compared as ever. About 4 GB of disk are needed while it runs.
"""

import argparse
import json
import random
import shutil
import sys
from pathlib import Path

import msgspec
from benchmarks.measuring import FAIRTRIAL, OUT, machine, met, middle, spend, spend_well, spread, table

from fairtrial.records.log import latest, read_header, read_rows
from fairtrial.schema.evidence import Header
from fairtrial.schema.score import Row
from fairtrial.text.json import encode

CPU, MEMORY = 120.0, 2048.0
"""Targets: CPU seconds, MiB."""
ROW_BYTES = 2048
_SLOT = "case-0000000"


def seed_round(folder: Path) -> tuple[Header, Row]:
    """A small real round: its header, and one of its rows."""
    cases = folder / "cases.jsonl"
    cases.write_text(
        "".join(
            json.dumps({"id": f"case-{i:07d}", "input": f"Where is order {i}?", "expect": ["order"]}) + "\n"
            for i in range(30)
        ),
        encoding="utf-8",
    )
    spend_well([FAIRTRIAL, "run", str(cases), "--agent", "null:echo", "--trials", "1", "--out", str(folder)])
    log = latest(folder)
    if log is None:
        raise SystemExit("the small round left no log")
    header = msgspec.structs.replace(read_header(log), summary=None, status="reliable", mark=None, doubts=())
    return header, next(iter(read_rows(log)))


def write(file: Path, name: str, header: Header, row: Row, rows: int, rate: float) -> None:
    """A log of `rows` rows of about 2 KB; each passes with chance `rate`."""
    lines = [_line(row, value) for value in (0.0, 1.0)]
    draw = random.Random(name)
    with file.open("wb") as out:
        out.write(encode(msgspec.structs.replace(header, run=name)) + b"\n")
        for i in range(rows):
            line = lines[draw.random() < rate]
            out.write(line.replace(_SLOT.encode(), b"case-%07d" % i))


def _line(row: Row, value: float) -> bytes:
    turn = row.record.turns[0]
    score = msgspec.structs.replace(
        row.score,
        value=value,
        hits=tuple(msgspec.structs.replace(hit, met=value > 0) for hit in row.score.hits),
    )

    def padded(reply: str) -> bytes:
        record = msgspec.structs.replace(
            row.record, case=_SLOT, turns=(msgspec.structs.replace(turn, reply=reply),)
        )
        return encode(msgspec.structs.replace(row, record=record, score=score)) + b"\n"

    return padded("word " * ((ROW_BYTES - len(padded(""))) // 5))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=1)
    wanted = parser.parse_args()
    folder = OUT / "compare"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    header, row = seed_round(folder)
    logs = []
    for name, rate in (("base", 0.60), ("candidate", 0.602)):
        logs.append(folder / f"{name}.jsonl")
        write(logs[-1], name, header, row, wanted.rows, rate)
    spent = [
        spend([FAIRTRIAL, "compare", *map(str, logs), "--json"], timeout=900) for _ in range(wanted.rounds)
    ]
    if any(run.code not in (0, 1, 3) for run in spent):
        sys.exit(spent[0].output[-1000:])
    shutil.rmtree(folder)
    cpu, peak = [run.cpu for run in spent], max(run.peak_mib for run in spent)
    print(f"{machine()}; two logs of {wanted.rows:,} rows of {ROW_BYTES} bytes, median (least-most).\n")
    print(
        table(
            ["command", "CPU s", "wall s", "peak MiB"],
            [["fairtrial compare", spread(cpu, 1), spread([run.wall for run in spent], 1), f"{peak:.0f}"]],
        )
        + "\n"
    )
    print(
        f"At most {CPU:g} CPU seconds: {met(middle(cpu) <= CPU)}. Under {MEMORY:g} MiB: {met(peak < MEMORY)}."
    )


if __name__ == "__main__":
    main()
