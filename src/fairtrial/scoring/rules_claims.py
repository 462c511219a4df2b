"""The rule on what an agent says it has done: held against its tool calls and its state, turn by turn."""

import re
import unicodedata
from collections.abc import Iterator
from typing import Any

from fairtrial.schema.record import Turn
from fairtrial.schema.rule import CallPattern, Claim, State
from fairtrial.scoring.claims import asserted
from fairtrial.scoring.reading import Reading, composed, narrow, shown
from fairtrial.scoring.results import calls_of, failure
from fairtrial.scoring.rules_json import in_state
from fairtrial.scoring.rules_texts import MET, Check, Finding
from fairtrial.scoring.rules_tools import matches, named
from fairtrial.text.language import say
from fairtrial.text.normalise import fold_signs
from fairtrial.text.patterns import compile_pattern


def claim(rule: Claim) -> Check:
    """Wherever a reply claims it, it was done by then and holds then."""
    sought = tuple(_sought(rule))
    wanted = CallPattern(tool=rule.tool, args=rule.args) if rule.tool is not None else None
    holds = None
    if rule.path is not None:
        at = {"equals": rule.equals} if rule.compares else {}
        holds = in_state(State.model_validate({"rule": "state", "path": rule.path} | at))

    def check(reading: Reading) -> Finding:
        turns = reading.record.turns
        answered = [number for number, turn in enumerate(turns) if turn.reply is not None]
        for number in answered if rule.over == "all" else answered[-1:]:
            words = _claimed(turns[number].reply or "", sought)
            if words is None:
                continue
            so_far = turns[: number + 1]
            why = _undone(so_far, wanted) if wanted is not None else ""
            if not why and holds is not None:
                why = holds(next((t.state for t in reversed(so_far) if t.state is not None), None))[1]
            if why:
                return False, say(
                    f"turn {number + 1} claims “{shown(words, 40)}”: {why}",
                    f"第 {number + 1} 轮声称“{shown(words, 40)}”：{why}",
                )
        return MET

    return check


def _sought(rule: Claim) -> Iterator[Any]:
    for text in rule.texts:
        plain = narrow(composed(text))
        yield compile_pattern(re.escape(plain), case_sensitive=rule.case_sensitive)
    for pattern in rule.patterns:
        nfc = unicodedata.normalize("NFC", pattern)
        yield compile_pattern(nfc, case_sensitive=rule.case_sensitive)


def _claimed(reply: str, sought: tuple[Any, ...]) -> str | None:
    """The first words of a reply that claim it; None where none do."""
    whole = composed(reply).strip()
    text = fold_signs(whole)  # sign by sign, so that places in one are places in the other
    for pattern in sought:
        for match in [*pattern.finditer(text)] or pattern.finditer(whole):
            if match.group() and asserted(text, *match.span()):
                return str(match.group())
    return None


def _undone(turns: tuple[Turn, ...], wanted: CallPattern) -> str:
    """Why the tool was not called with success by then; "" where it was."""
    errors = [failure(call) for turn in turns for call in calls_of(turn) if matches(call, wanted)]
    if None in errors:
        return ""
    what = named(wanted)
    if errors:
        failed = shown(errors[-1], 60)
        return say(f"{what} was called and failed: {failed}", f"调用了 {what}，但失败：{failed}")
    return say(f"{what} was not called by then", f"此前没有调用 {what}")
