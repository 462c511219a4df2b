"""A whole small run, to be killed from outside or at a step of its own: no test itself.

    run_scripted.py FOLDER SESSIONS [--die STEP NTH before|after] [--room BYTES]

Begins a run in FOLDER, or goes on with the one that is there. Writes one byte to stdout for each row
that the log has taken. STEP names a function of the log's code, which kills the process at its NTH call.
"""

import argparse
import asyncio
import os
import resource
import signal
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import msgspec

from fairtrial.agents.protocol import Busy, Opening, SessionFailed
from fairtrial.errors import FairtrialError
from fairtrial.execution.contract import Limits, StopSwitch
from fairtrial.execution.local import run_sessions
from fairtrial.execution.plan import Plan
from fairtrial.records import part, whole
from fairtrial.records.log import LogWriter, latest_part, open_resumed, run_name
from fairtrial.schema.case import Case
from fairtrial.schema.record import Record, Status
from fairtrial.schema.score import Row, Score, Unscored
from fakes.log_samples import FINAL, RUNNING
from fakes.scripted import ScriptedAgent

STEPS = {
    "append": (part.Part, "append"),
    "read": (part.Part, "read"),
    "fsync": (whole.os, "fsync"),
    "replace": (whole.os, "replace"),
    "sync_folder": (whole, "sync_folder"),
    "discard": (part.Part, "discard"),
}


async def answer(opening: Opening, texts: list[str]) -> str:
    await asyncio.sleep(0)
    if opening.seed % 17 == 0:
        raise SessionFailed(Status.agent_error, "broken", "坏了")
    return (
        f"{texts[-1]} → {opening.seed} \ud83d" if opening.seed % 13 == 0 else f"{texts[-1]} → {opening.seed}"
    )


class Hesitant(ScriptedAgent):
    """Is busy at every eleventh opening, once."""

    async def open(self, opening: Opening) -> Any:
        self.asked = getattr(self, "asked", set())
        if opening.seed % 11 == 0 and opening.session not in self.asked:
            self.asked.add(opening.session)
            raise Busy("429", retry_after=0)
        return await super().open(opening)


def writer_for(folder: Path, plan: Plan) -> LogWriter:
    if found := latest_part(folder):
        return open_resumed(found, plan)
    return LogWriter(folder / f"{run_name(datetime.now(UTC))}.jsonl", RUNNING, plan)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("sessions", type=int)
    parser.add_argument("--die", nargs=3)
    parser.add_argument("--room", type=int)
    options = parser.parse_args()
    if options.room:
        resource.setrlimit(resource.RLIMIT_FSIZE, (options.room, options.room))
    if options.die:
        die_at(*options.die)
    cases = [
        Case(id=f"用例-{n}", input=("你好", "退款")[: 1 + n % 2], rules=())
        for n in range(options.sessions // 2)
    ]
    plan = Plan(cases, trials=2, run_seed=11)
    with writer_for(options.folder, plan) as writer:

        def on_record(record: Record) -> None:
            value = len(record.reply) / 100
            writer.append(Row(record=record, score=Score(value=value, useful=Unscored(why="none"))))
            os.write(1, b".")

        limits = Limits(concurrency=8)
        asyncio.run(
            run_sessions(plan.sessions(writer.is_done), Hesitant(answer), limits, on_record, StopSwitch())
        )
        assert writer.done == len(plan)
        writer.finish(msgspec.structs.replace(FINAL, notes=(str(sum(r.score.value for r in writer.rows())),)))


def die_at(step: str, nth: str, when: str) -> None:
    owner, name = STEPS[step]
    real, left = getattr(owner, name), [int(nth)]

    def dying(*arguments: Any) -> Any:
        left[0] -= 1
        if left[0] == 0 and when == "before":
            os.kill(os.getpid(), signal.SIGKILL)
        result = real(*arguments)
        if left[0] == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return result

    setattr(owner, name, dying)


if __name__ == "__main__":
    try:
        main()
    except FairtrialError as error:
        sys.stderr.write(f"{error}\n")
        sys.exit(error.exit_code)
