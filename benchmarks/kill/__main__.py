"""Kill -9 at random moments of a run of 2,000 sessions: is anything finished lost, does resume agree?

    python -m benchmarks.kill [--kills 20] [--cases 2000] [--seed 1]

A run is left alone first: its scores and its time are what the others are measured by. Each further run is
killed at a moment drawn from that time, then resumed. Nothing finished is lost if the part file holds every
session that the endpoint had answered but for those in flight, and if the resumed run asks for exactly the
sessions that have no row. The numbers are the same if every case's score and every figure of the header is.
"""

import argparse
import os
import random
import shutil
import signal
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

import msgspec
from benchmarks.measuring import (
    FAIRTRIAL,
    OUT,
    Endpoint,
    fairtrial_run,
    machine,
    met,
    mock,
    spend_well,
    table,
)
from benchmarks.run import reference_cases

from fairtrial.records.log import latest_part, read_header, read_rows

WORK = OUT / "kill"
CONCURRENCY = 8
KEY = {"OPENAI_API_KEY": "none"}


@dataclass(frozen=True, kw_only=True)
class Found:
    """One kill: how many sessions had been answered and were in the file, and what came of resuming."""

    moment: float
    answered: int
    kept: int
    asked_again: int
    same: bool


def command(cases: Path, out: Path, endpoint: Endpoint) -> list[str]:
    """The run that is killed, or left alone."""
    return fairtrial_run(cases, endpoint.url, out, concurrency=CONCURRENCY)


def numbers(out: Path) -> tuple[object, object]:
    """What must agree: the figures of the header, and each session's score."""
    log = next(path for path in out.glob("*.jsonl") if path.name != "history.jsonl")
    header = read_header(log)
    scores = [(row.record.case, row.record.trial, msgspec.to_builtins(row.score)) for row in read_rows(log)]
    figures = msgspec.to_builtins(header.summary)
    figures.pop("usage", None)  # holds measured times
    return (figures, [(doubt.name, doubt.lit) for doubt in header.doubts]), scores


def kill_and_resume(
    cases: Path, out: Path, endpoint: Endpoint, moment: float, right: tuple[object, object]
) -> Found | None:
    """One kill; None where the run was over before its moment came."""
    shutil.rmtree(out, ignore_errors=True)
    endpoint.served()
    child = subprocess.Popen(
        command(cases, out, endpoint),
        cwd=WORK,
        env={**os.environ, **KEY},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    time.sleep(moment)
    child.send_signal(signal.SIGKILL)
    if child.wait() != -signal.SIGKILL:
        return None
    time.sleep(0.2)  # the endpoint answers what had been sent
    answered = endpoint.served()
    part = latest_part(out) if out.is_dir() else None
    kept = sum(1 for _ in read_rows(part)) if part else 0
    again = [FAIRTRIAL, "run", "--resume", str(part)] if part else command(cases, out, endpoint)
    spend_well(again, env=KEY, cwd=WORK)
    return Found(
        moment=moment,
        answered=answered,
        kept=kept,
        asked_again=endpoint.served(),
        same=numbers(out) == right,
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--cases", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    shutil.rmtree(WORK, ignore_errors=True)
    WORK.mkdir(parents=True)
    cases, drawn = WORK / "cases.jsonl", random.Random(asked.seed)
    reference_cases.write(asked.cases, cases)
    found: list[Found] = []
    with mock() as endpoint:
        whole = spend_well(command(cases, WORK / "whole", endpoint), env=KEY, cwd=WORK).wall
        right = numbers(WORK / "whole")
        while len(found) < asked.kills:
            moment = drawn.uniform(0, whole)
            if one := kill_and_resume(cases, WORK / "killed", endpoint, moment, right):
                found.append(one)
                print(f"  {one}", flush=True)
    _report(found, asked.cases)


def _report(found: list[Found], size: int) -> None:
    kept = sum(one.answered - CONCURRENCY <= one.kept <= one.answered for one in found)
    missing = sum(one.kept + one.asked_again == size for one in found)
    same = sum(one.same for one in found)
    part_way = sum(0 < one.kept < size for one in found)
    rows = [
        [
            "all answered sessions kept but those in flight",
            f"{kept} of {len(found)}",
            met(kept == len(found)),
        ],
        ["resume asked only for what was missing", f"{missing} of {len(found)}", met(missing == len(found))],
        ["same score of every session, same figures", f"{same} of {len(found)}", met(same == len(found))],
    ]
    print(f"\n{machine()}; {len(found)} kills, {part_way} of them with some but not all sessions done.\n")
    print(table([f"kill -9 in a run of {size:,}", "kills", ""], rows))


if __name__ == "__main__":
    main()
