"""Canaries: a few fixed prompts asked before a round, so that a silent change of the model shows."""

import asyncio
from collections.abc import Sequence

from fairtrial.app.prepare import Prepared
from fairtrial.execution.contract import Limits, StopSwitch, plan_session
from fairtrial.execution.local import run_sessions
from fairtrial.schema.fingerprint import Canary
from fairtrial.schema.record import Record
from fairtrial.text.language import say


def canary_count(prepared: Prepared) -> int:
    """How many sessions the canaries take: none for an agent without a model, which cannot change unseen."""
    return len(_prompts(prepared)) * prepared.project.canaries.times


def _prompts(prepared: Prepared) -> tuple[str, ...]:
    asks = prepared.agent_config.tells_cost is not None
    return tuple(dict.fromkeys(prepared.project.canaries.prompts)) if asks else ()


def ask_canaries(prepared: Prepared, limits: Limits) -> tuple[Canary, ...]:
    """Ask every prompt `times` times, each in a session of its own; None where no answer came."""
    prompts, times = _prompts(prepared), prepared.project.canaries.times
    if not prompts:
        return ()
    found: dict[tuple[str, int], Record] = {}
    plan = [
        # No case can have such an id, so no session is mixed up with one of a case.
        plan_session(prepared.run.seed, f"\0canary\0{prompt}", trial, [prompt])
        for trial in range(times)
        for prompt in prompts
    ]

    def keep(record: Record) -> None:
        found[record.turns[0].user if record.turns else "", record.trial] = record

    async def go() -> None:
        try:
            await run_sessions(plan, prepared.agent, limits, keep, StopSwitch())
        finally:
            await prepared.agent.close()

    asyncio.run(go())
    return tuple(
        Canary(prompt=prompt, answers=tuple(_answer(found.get((prompt, trial))) for trial in range(times)))
        for prompt in prompts
    )


def note_on(canaries: Sequence[Canary]) -> tuple[str, ...]:
    """What a reader must know of the canaries: a watch that nobody answered watched nothing."""
    answers = [answer for canary in canaries for answer in canary.answers]
    if None not in answers:
        return ()
    left = f"{answers.count(None)}/{len(answers)}"
    return (say(f"canary sessions without an answer: {left}", f"没有回答的金丝雀会话：{left}"),)


def _answer(record: Record | None) -> str | None:
    return record.reply if record is not None and record.status.counts else None
