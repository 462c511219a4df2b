"""Did a reply help the next step? Four mechanical signals, and a count of what no source bears out.

concrete     facts and nouns that are new to the user and that a source bears out; a finding of "none"
context      what the reply shares with its sources and with the user's words
next_step    something to do, to decide or to answer
no_repetition  how far it is from what was said before

`value` = f · no_repetition · (0.60 · concrete + 0.15 · context · max(concrete, next_step) + 0.25 · next_step)
with f = 0.1 for keyword stuffing, else 1. Invented detail earns nothing and lowers `concrete`. The whole
definition, its accuracy on real replies and what it cannot see are in docs/useful.md.
"""

import json
from collections.abc import Sequence
from math import exp
from typing import Any

from fairtrial.schema.record import Call, Record, Turn
from fairtrial.schema.score import Unscored, Useful
from fairtrial.scoring.useful_facts import Background, Reading, background
from fairtrial.scoring.useful_reading import read
from fairtrial.scoring.useful_repeat import novelty
from fairtrial.scoring.useful_tasks import why_unscored
from fairtrial.text.words import tongue

CONCRETE, CONTEXT, NEXT_STEP = 0.60, 0.15, 0.25
STUFFED = 0.1
_FACT, _SAID_SHARE, _OWN_FACT, _NOUN, _FINDING = 1.0, 0.5, 0.15, 0.5, 1.0
_LOOSE_FACT, _LOOSE_NOUN = 0.5, 0.175  # what nothing can be held against
_SATURATION = 1.25
_LAST_REPLIES, _LAST_TURNS = 8, 3


def useful(
    reply: str,
    *,
    user_turns: Sequence[str],
    earlier_replies: Sequence[str],
    sources: Sequence[str],
    required: Sequence[str] = (),
) -> Useful | Unscored:
    """How useful a reply is to the last of `user_turns`, in [0, 1], or why that has no meaning here.

    `sources` are the texts that the reply may draw on beside the user's words: tool results, key facts,
    context. `required` are values that the case's rules ask for: they bear a fact out, but where there is
    nothing else, a fact that is not among them is not unsupported, only loose. The value is `unchecked`
    with loose facts, or with nothing to hold any fact against. An empty reply is worth 0: it was an
    answer, and it helped nobody.
    """
    known, asked_for = _said(sources), _said(required)
    asked, language = user_turns[-1] if user_turns else "", tongue(reply)
    if why := why_unscored(reply, asked, language=language, has_sources=bool(known or asked_for)):
        return Unscored(why=why)
    around = background(known, asked_for, tuple(user_turns), tuple(earlier_replies[-_LAST_REPLIES:]))
    reading = read(reply, language, around) if language else None
    if reading is None:
        return Useful(
            value=0, concrete=0, context=0, next_step=0, no_repetition=1, unchecked=not (known or asked_for)
        )
    repeated = novelty(reading.bare, (*earlier_replies[-_LAST_REPLIES:], *user_turns[-_LAST_TURNS:]))
    concrete, context = _concrete(reading, around), 1 - exp(-reading.shared)
    value = CONCRETE * concrete + CONTEXT * context * max(concrete, reading.step) + NEXT_STEP * reading.step
    return Useful(
        value=(STUFFED if reading.stuffed else 1) * repeated * value,
        concrete=concrete,
        context=context,
        next_step=reading.step,
        no_repetition=repeated,
        supported=reading.supported,
        unsupported=reading.unsupported,
        unchecked=not known and (not asked_for or reading.loose_facts > 0),
    )


def _said(texts: Sequence[str]) -> tuple[str, ...]:
    return tuple(text for text in texts if text and not text.isspace())


def _concrete(reading: Reading, around: Background) -> float:
    """1 - e^(-I / 1.25) for what the reply adds (I), lowered by what no source bears out."""
    fact, noun = (_FACT, _NOUN) if around.checked else (_LOOSE_FACT, _LOOSE_NOUN)
    facts = _FACT * reading.new_facts + _LOOSE_FACT * reading.loose_facts
    facts += fact * _SAID_SHARE * reading.said_facts + _OWN_FACT * reading.own_facts
    added = facts + noun * reading.new_nouns + _FINDING * reading.finding
    share = 1 - exp(-added / _SATURATION)
    if not reading.doubtful:
        return share
    borne = reading.supported + 0.5
    return share * borne / (borne + 2 * reading.doubtful)


def useful_of(
    record: Record, *, context: str | None, key_facts: Sequence[str], required: Sequence[str]
) -> Useful | Unscored:
    """The mean over a session's turns that can be scored, each with what had been said and found till then.

    Counts of facts are summed; `unchecked` only if every scored turn is. Unscored, with the first
    turn's reason, if none can be scored.
    """
    given = [text for text in (context, *key_facts) if text]
    users: list[str] = []
    replies: list[str] = []
    scored: list[Useful] = []
    why = "no turn"
    for turn in record.turns:
        users.append(turn.user)
        given += _results(turn)
        if turn.reply is None:
            continue
        one = useful(turn.reply, user_turns=users, earlier_replies=replies, sources=given, required=required)
        replies.append(turn.reply)
        if isinstance(one, Useful):
            scored.append(one)
        elif why == "no turn":
            why = one.why
    return _mean(scored) if scored else Unscored(why=why)


def _results(turn: Turn) -> list[str]:
    return [_text(step.result) for step in turn.steps if isinstance(step, Call) and step.result is not None]


def _text(result: Any) -> str:
    return result if isinstance(result, str) else json.dumps(result, ensure_ascii=False, default=str)


def _mean(scored: Sequence[Useful]) -> Useful:
    if len(scored) == 1:
        return scored[0]
    n = len(scored)
    return Useful(
        value=sum(one.value for one in scored) / n,
        concrete=sum(one.concrete for one in scored) / n,
        context=sum(one.context for one in scored) / n,
        next_step=sum(one.next_step for one in scored) / n,
        no_repetition=sum(one.no_repetition for one in scored) / n,
        supported=sum(one.supported for one in scored),
        unsupported=sum(one.unsupported for one in scored),
        unchecked=all(one.unchecked for one in scored),
    )
