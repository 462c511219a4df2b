"""Sentences put before and after what a turn says."""

import re

from fairtrial.schema.case import Case
from fairtrial.schema.disturbance import Edit, Utter
from fairtrial.sessions.probes.phrases import phrases, sentence
from fairtrial.sessions.probes.spans import key_spans, tongue_of
from fairtrial.text.words import Tongue

_ENDED = re.compile(r"[。！？!?.…～~]\s*$")


def in_front(case: Case, turn: int, text: str) -> Edit | Utter:
    """The step that says a sentence before a turn, in the same message.

    It is a turn of its own where an earlier probe put something at the very place of a key fact that the turn
    begins with: nothing may come between the two.
    """
    begins = any(start == 0 for start, _ in key_spans(case, turn))
    if begins and any(isinstance(s, Edit) and s.turn == turn and s.start == 0 for s in case.disturb):
        return Utter(do="utter", before=turn, text=text)
    return Edit(do="edit", turn=turn, start=0, end=0, text=sentence(text, tongue_of(case, turn)))


def behind(case: Case, turn: int, text: str) -> Edit:
    """The step that says a sentence after a turn, in the same message; in a line of its own where the turn
    ends without a sign.
    """
    said = case.input[turn]
    space = "" if tongue_of(case, turn) == "zh" else " "
    gap = space if _ENDED.search(said) else "\n"
    return Edit(do="edit", turn=turn, start=len(said), end=len(said), text=f"{gap}{text}")


def unsaid(case: Case, name: str, tongue: Tongue) -> tuple[str, ...]:
    """The lines of a table of phrases.txt that no step of the case says yet."""
    said = "\n".join(step.text for step in case.disturb if isinstance(step, Edit | Utter))
    return tuple(text for text in phrases(name, tongue) if text not in said)
