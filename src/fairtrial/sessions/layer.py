"""Where a session went wrong first: in what it understood, in a tool call, in a tool's result, in its words.

Decided by code, from what the record shows, and therefore only as sharp as that: an agent that shows neither
calls nor state can be seen to go wrong in its words alone, or in asking for what it was told.
"""

import json
from typing import Any

from fairtrial.schema.record import Call, Record, Turn
from fairtrial.schema.score import Score
from fairtrial.schema.weakness import Layer
from fairtrial.text.asks import asks
from fairtrial.text.kinds import find
from fairtrial.text.normalise import fold

_DEEDS = frozenset({"tool_called", "tool_not_called", "tools_in_order", "state", "claim"})
"""Rules on what was done; the others look at words."""
_TOLD = ("order_number", "phone")
"""What a user names a matter by: an agent that works on it has it somewhere."""
_ASKED = (*_TOLD, "date", "amount", "place")
_TRUE = "slow"
"""The fault that leaves a result as it is."""


def layer_of(record: Record, score: Score) -> Layer | None:
    """The layer at which a session failed; None for one that did not complete or missed no rule.

    The first that fits: *tool result*, a call failed or was spoilt on purpose, and no sound call of that tool
    came after it; *understanding*, the agent asked for what it had been told and did not repeat, did what was
    forbidden, did nothing where a deed was due, or has what the user named last (an order number, a phone
    number) neither in a call, nor in its state, nor in an answer to the examiner's question; *tool call*, a
    deed is missing or wrong although it was understood; *answer*, only words are wrong.
    """
    missed = {hit.rule for hit in score.hits if hit.met is False}
    if not record.status.counts or not missed:
        return None
    turns = [turn for turn in record.turns if not turn.aside]
    if _unrecovered(turns):
        return Layer.tool_result
    deeds = missed & _DEEDS
    calls = [step for turn in turns for step in turn.steps if isinstance(step, Call)]
    idle = bool(deeds - {"claim"}) and not calls
    if idle or "tool_not_called" in deeds or _asked_again(turns) or _lost(record, turns, calls):
        return Layer.understanding
    return Layer.tool_call if deeds else Layer.answer


def _unrecovered(turns: list[Turn]) -> bool:
    """Whether some tool's last word was a failure or a spoilt result."""
    sound: dict[str, bool] = {}
    for turn in turns:
        spoilt = {
            one.call for one in turn.disturbed if one.do == "fault" and one.detail.get("fault") != _TRUE
        }
        calls = [step for step in turn.steps if isinstance(step, Call)]
        sound |= {call.name: call.error is None and at not in spoilt for at, call in enumerate(calls)}
    return not all(sound.values())


def _asked_again(turns: list[Turn]) -> bool:
    """Whether a reply asks for a kind of information that the user has given, and says nothing of it."""
    heard: dict[str, set[str]] = {kind: set() for kind in _ASKED}
    for turn in turns:
        reply = turn.reply or ""
        for kind, known in heard.items():
            known |= set(find(kind, turn.user))
            if known and asks(kind, reply) and not any(_has(reply, one) for one in known):
                return True
    return False


def _lost(record: Record, turns: list[Turn], calls: list[Call]) -> bool:
    """Whether what the user named last is nowhere in what the agent did, holds, or says that it holds."""
    last = next((named for turn in reversed(turns) if (named := _named(turn.user))), None)
    if last is None or (record.state is None and not calls):
        return False
    state = next((turn.state for turn in reversed(turns) if turn.state is not None), None)
    held = [_text(value) for value in (state, *(call.arguments for call in calls))]
    held += [turn.reply or "" for turn in record.turns if turn.aside]
    return not any(_has(text, last) for text in held)


def _named(said: str) -> str | None:
    """The last order number or, without one, phone number of a turn."""
    return next((found[-1] for kind in _TOLD if (found := find(kind, said))), None)


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)


def _has(text: str, named: str) -> bool:
    """Whether a text repeats a thing: by its digits, which a label, capitals or blanks leave as they are."""
    digits = _digits(named)
    return digits in _digits(text) if digits else fold(named) in fold(text)


def _digits(text: str) -> str:
    return "".join(filter(str.isdigit, fold(text)))
