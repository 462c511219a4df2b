"""How the tools were used: calls that brought something, and results that nothing was made of."""

from collections.abc import Iterator
from typing import Any

from fairtrial.schema.metrics import NotJudged
from fairtrial.schema.record import Call, Record, Say, Turn
from fairtrial.scoring.metrics_measure import Measure
from fairtrial.scoring.metrics_values import Values, values_of
from fairtrial.scoring.results import calls_of, failure, is_empty, value_of
from fairtrial.scoring.values import same
from fairtrial.text.language import say

_MOVED = ("pause", "new_session")
"""What the user's side does after which asking again is no repetition."""


def effectiveness(record: Record) -> Measure:
    """Calls that were answered without error, with something, and were not asked just so before."""
    found = Measure()
    before: list[Call] = []
    state: Any = None
    for turn in record.turns:
        if any(done.do in _MOVED for done in turn.disturbed):
            before.clear()
        for call in calls_of(turn):
            _judge(call, before, found)
            before.append(call)
        if turn.state is not None:
            if state is not None and not same(turn.state, state):
                before.clear()
            state = turn.state
    if not found.of and not found.skipped:
        found.skip(NotJudged.no_call)
    return found


def _judge(call: Call, before: list[Call], found: Measure) -> None:
    if failure(call) is not None:
        _count_against(call, "failed", say("failed", "失败"), found)
    elif call.result is None:
        found.skip(NotJudged.no_result)
    elif is_empty(call.result):
        _count_against(call, "empty", say("brought nothing", "结果为空"), found)
    elif any(_is_repeated(call, earlier) for earlier in before):
        _count_against(call, "repeated", say("was repeated", "重复调用"), found)
    else:
        found.add(1)


def _count_against(call: Call, kind: str, what: str, found: Measure) -> None:
    found.add(0, f"{call.name} {what}")
    found.details[kind] += 1


def _is_repeated(call: Call, earlier: Call) -> bool:
    """The same call with the same result: whatever happened between changed nothing that could be seen."""
    return (
        call.name == earlier.name
        and same(value_of(call.arguments), value_of(earlier.arguments))
        and same(value_of(call.result), value_of(earlier.result))
    )


def uselessness(record: Record) -> Measure:
    """Calls of whose result nothing appears afterwards."""
    found = Measure()
    steps = list(_said(record))
    final, held = values_of(record.state), values_of(None)
    later_held: list[Values] = []
    for turn in record.turns:
        later_held.append(final.without(held))
        held = held if turn.state is None else values_of(turn.state)
    for at, (number, call, _) in enumerate(steps):
        if call is not None:
            _follow(call, [said for _, _, said in steps[at + 1 :]], later_held[number], found)
    if not found.of and not found.skipped:
        found.skip(NotJudged.no_call)
    return found


def _follow(call: Call, later: list[Values], final: Values, found: Measure) -> None:
    if failure(call) is not None:
        found.skip(NotJudged.failed)
    elif call.result is None:
        found.skip(NotJudged.no_result)
    elif not (new := values_of(value_of(call.result)).without(values_of(value_of(call.arguments)))):
        found.skip(NotJudged.nothing_to_use)
    else:
        used = any(new.used_in(said) for said in later) or new.used_in(final)
        what = say(f"{call.name}: its result was not used", f"{call.name}：结果没有用到")
        found.add(0 if used else 1, "" if used else what)


def _said(record: Record) -> Iterator[tuple[int, Call | None, Values]]:
    """All that the agent said and asked tools for, in order, with the number of the turn."""
    for number, turn in enumerate(record.turns):
        for step in turn.steps:
            match step:
                case Call():
                    yield number, step, values_of(value_of(step.arguments))
                case Say(text=text):
                    yield number, None, values_of(text)
        yield number, None, values_of(turn.reply)


def hit_calls(turn: Turn) -> bool:
    """Whether a call of the turn failed, or was disturbed on purpose."""
    disturbed = any(done.call is not None for done in turn.disturbed)
    return disturbed or any(failure(call) is not None for call in calls_of(turn))
