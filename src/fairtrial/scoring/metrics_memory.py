"""Whether what the user once said is still known so many turns later."""

from typing import NamedTuple

from fairtrial.schema.metrics import NotJudged
from fairtrial.schema.record import Record, Turn
from fairtrial.scoring.metrics_measure import Measure
from fairtrial.scoring.metrics_values import Values, values_of
from fairtrial.scoring.results import calls_of, value_of
from fairtrial.text.asks import asks
from fairtrial.text.facts import prepare
from fairtrial.text.kinds import find
from fairtrial.text.language import say

KINDS = ("order_number", "phone", "date", "amount", "place")
"""Kinds of information by which a matter is known."""


class _Told(NamedTuple):
    """Something the user said: what it is, where, and its kind; None for a key fact of the case."""

    kind: str | None
    text: str
    values: Values
    turn: int


class _Seen(NamedTuple):
    """What the agent did in a turn, and all that anybody had told it by the end of it."""

    number: int
    reply: str
    shown: tuple[Values, ...]
    spoken: tuple[str, ...]
    state: Values
    given: Values


def retention(record: Record, key_facts: tuple[str, ...]) -> Measure:
    """For each turn and each thing that the user said before and not since: is it used or held, or lost?"""
    found = Measure()
    told: list[_Told] = []
    given = values_of(None)
    for number, turn in enumerate(record.turns):
        said = values_of(turn.user)
        given = given.joined(said, *(values_of(value_of(call.result)) for call in calls_of(turn)))
        new = _told(turn, said, number, key_facts)
        # Another value of the kind may replace the first or stand beside it: from there on nobody can tell.
        named = {one.kind for one in new if one.kind is not None}
        told = [one for one in told if one.kind not in named and not one.values.given_in(said)]
        if told and (turn.reply is not None or turn.steps):
            seen = _seen(turn, number, given)
            for one in told:
                _judge(one, seen, found)
        told += new
    if not found.of and not found.skipped:
        found.skip(NotJudged.no_fact)
    return found


def _told(turn: Turn, said: Values, number: int, key_facts: tuple[str, ...]) -> list[_Told]:
    text = prepare(turn.user)
    found = [_Told(kind, one, values_of(one), number) for kind in KINDS for one in find(kind, text)]
    found += [_Told(None, one, values_of(one), number) for one in key_facts if values_of(one).given_in(said)]
    kept: dict[Values, _Told] = {}
    for one in found:
        if one.values.facts or one.values.texts:
            kept.setdefault(one.values, one)
    return list(kept.values())


def _seen(turn: Turn, number: int, given: Values) -> _Seen:
    reply = turn.reply or ""
    asked = [values_of(value_of(call.arguments)) for call in calls_of(turn)]
    return _Seen(
        number=number,
        reply=reply,
        shown=(*asked, values_of(reply)),
        spoken=(prepare(reply), *(one.whole for one in asked)),
        state=values_of(turn.state),
        given=given,
    )


def _judge(one: _Told, seen: _Seen, found: Measure) -> None:
    distance = str(seen.number - one.turn)
    told = one.values.given_in(seen.shown[-1])  # a reply that says it asks for another
    if one.kind is not None and asks(one.kind, seen.reply) and not told:
        lost = say(f"asked again for “{one.text}”", f"又问“{one.text}”")
    elif any(one.values.given_in(said) for said in seen.shown):
        return found.add(1, part=distance)
    elif other := _another(one, seen):
        lost = say(f"has “{other}” for “{one.text}”", f"把“{one.text}”当成“{other}”")
    elif one.values.given_in(seen.state):
        return found.add(1, part=distance)
    else:
        return found.skip(NotJudged.neither)
    where = say(f"turn {seen.number + 1} {lost}", f"第 {seen.number + 1} 轮{lost}")
    return found.add(0, where, distance)


def _another(one: _Told, seen: _Seen) -> str | None:
    """A value of the same kind in a call or the reply that neither the user nor a tool had given.

    Dates and amounts are reckoned with, and places have other sources: another one contradicts nothing.
    """
    if one.kind not in ("order_number", "phone"):
        return None
    others = (other for text in seen.spoken for other in find(one.kind, text))
    return next((other for other in others if not values_of(other).used_in(seen.given)), None)
