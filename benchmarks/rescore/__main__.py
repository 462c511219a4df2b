"""Microseconds of CPU a record takes to be scored anew: five rules and useful, on the reference cases.

    python -m benchmarks.rescore [--rounds 7] [--records 4000]

Scoring alone is measured in this process on records that are in memory; the whole command, `fairtrial
rescore LOG`, by the difference of two logs of unlike size (it reads, scores, summarises, writes).
"""

import argparse
import shutil
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from benchmarks.measuring import (
    FAIRTRIAL,
    OUT,
    Spent,
    fairtrial_run,
    machine,
    met,
    middle,
    mock,
    spend_well,
    table,
)
from benchmarks.run import reference_cases

from fairtrial.cases.load import load_or_refuse
from fairtrial.schema.record import Record, Status, Turn
from fairtrial.scoring.score import Scorer

WORK = OUT / "rescore"
TARGET = 300
FEW = 100


def records(cases: Path, number: int) -> tuple[Scorer, list[Record]]:
    """A scorer for the reference cases and a record of each with the mock's answer."""
    reference_cases.write(number, cases)
    case_set = load_or_refuse([cases])
    made = [
        Record(
            case=case.id,
            trial=0,
            status=Status.completed,
            started=0.0,
            ended=0.0,
            turns=(Turn(user=case.input[0], reply=reference_cases.reply(index)),),
        )
        for index, case in enumerate(case_set.cases)
    ]
    return Scorer(case_set), made


def cost(do: Callable[[Record], object], of: Sequence[Record]) -> float:
    """CPU microseconds a record."""
    begun = time.process_time()
    for record in of:
        do(record)
    return (time.process_time() - begun) / len(of) * 1e6


def scoring(number: int, rounds: int) -> list[list[str]]:
    """Rows for scoring alone: all, and each language."""
    scorer, made = records(WORK / "cases.jsonl", number)
    groups = {"all": made, "English": made[0::2], "Chinese": made[1::2]}
    cost(scorer.score, made[: min(number, 200)])
    rows = []
    for name, group in groups.items():
        found = middle(cost(scorer.score, group) for _ in range(rounds))
        target = (f"≤ {TARGET}", met(found <= TARGET)) if name == "all" else ("", "")
        rows.append([f"scoring, {name}", f"{found:.0f}", *target])
    return rows


def whole_command(number: int, rounds: int) -> list[str]:
    """A row for `fairtrial rescore`, start-up excluded by difference."""
    logs = []
    with mock() as endpoint:
        for size in (FEW, number):
            cases, out = WORK / f"cases-{size}.jsonl", WORK / f"logs-{size}"
            reference_cases.write(size, cases)
            spend_well(fairtrial_run(cases, endpoint.url, out), env={"OPENAI_API_KEY": "none"}, cwd=WORK)
            logs.append(next(out.glob("2*.jsonl")))
    gaps = []
    for _ in range(rounds):
        few, many = (_rescored(log) for log in logs)
        gaps.append((many.cpu - few.cpu) / (number - FEW) * 1e6)
    return ["`fairtrial rescore`, all of it", f"{middle(gaps):.0f}", "", ""]


def _rescored(log: Path) -> Spent:
    output = WORK / "again.jsonl"
    output.unlink(missing_ok=True)  # a log replaces nothing
    spent = spend_well([FAIRTRIAL, "rescore", str(log), "--output", str(output)], cwd=WORK)
    if count(output) != count(log):
        raise SystemExit(f"{count(log)} lines in {log}, {count(output)} when rescored")
    return spent


def count(log: Path) -> int:
    """Lines of a log: its header and its sessions."""
    return log.read_bytes().count(b"\n")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--records", type=int, default=4000)
    asked = parser.parse_args()
    shutil.rmtree(WORK, ignore_errors=True)
    WORK.mkdir(parents=True)
    rows = [*scoring(asked.records, asked.rounds), whole_command(asked.records, asked.rounds)]
    print(f"{machine()}; {asked.records} records, {asked.rounds} rounds, medians.\n")
    print(table(["", "CPU µs a record", "target", ""], rows))


if __name__ == "__main__":
    main()
