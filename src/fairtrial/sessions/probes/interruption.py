"""A task half said, broken off, and taken up again."""

import re
from collections.abc import Mapping, Sequence
from itertools import accumulate
from random import Random

from fairtrial.schema.case import Case
from fairtrial.schema.disturbance import Pause, Step, Utter
from fairtrial.sessions.probes.placing import in_front
from fairtrial.sessions.probes.probe import Disturbed, Probe, Unfit
from fairtrial.sessions.probes.spans import key_spans, key_turn, speaks
from fairtrial.text.language import say
from fairtrial.text.words import Tongue, chinese

_CLAUSE = re.compile(r"[，。！？；,.!?;\n]\s*")
_BREAKS_OFF: Mapping[Tongue, tuple[str, ...]] = {
    "zh": ("……等一下，我接个电话。", "……稍等，有人敲门。", "……哎等等，孩子哭了，我去看看。"),
    "en": (
        "... hold on, my phone is ringing.",
        "... wait, somebody is at the door.",
        "... one moment, the baby is crying.",
    ),
}
_TO_OTHERS: Mapping[Tongue, tuple[str, ...]] = {
    "zh": (
        "妈，快进来，外面冷。……不好意思，发错了，不是跟你说的。",
        "好的好的，会上再聊。……抱歉，这句是回同事的，发错窗口了。",
    ),
    "en": (
        "Mum, come in, it's cold out there. Sorry, wrong chat, that was not for you.",
        "Sure, let's talk about it in the meeting. Oops, that was for a colleague, ignore it.",
    ),
}
_TAKES_UP: Mapping[Tongue, tuple[str, ...]] = {
    "zh": ("好了，我回来了，刚才没说完：", "久等了，接着说：", "不好意思，刚被打断了，重新说："),
    "en": ("I'm back. What I was going to say:", "Sorry about that. As I was saying:", "Right, where was I:"),
}
_AWAY = 1800.0


class Interruption(Probe):
    """The user breaks off in the middle of the key turn, then also writes something meant for others, then is
    away for half an hour and is interrupted once more; each time the whole turn follows.

    Nothing changes: what was half said cannot be done yet. It ends before the first key fact, or with one
    that the turn begins with, so that the whole turn is no confirmation of it.
    """

    name = "interruption"

    @property
    def intent(self) -> str:
        """What it examines."""
        return say("whether it takes up a task that was broken off", "任务说到一半被打断，回来之后能否继续")

    def disturb(self, case: Case, intensity: int, draw: Random, others: Sequence[Case]) -> Disturbed:
        """Half of a turn before the turn. Raises Unfit where no turn has two words to part."""
        turn, half = _half(case)
        tongue = speaks(case)
        space = "" if tongue == "zh" else " "
        first, second = draw.sample(_BREAKS_OFF[tongue], 2)
        steps: list[Step] = [Utter(do="utter", before=turn, text=half + first)]
        if intensity > 1:
            steps.append(Utter(do="utter", before=turn, text=draw.choice(_TO_OTHERS[tongue])))
        back, again = draw.sample(_TAKES_UP[tongue], 2)
        if intensity > 2:
            steps.append(Pause(do="pause", before=turn, seconds=_AWAY))
            steps.append(Utter(do="utter", before=turn, text=f"{back}{space}{half}{second}"))
        return Disturbed(steps=(*steps, in_front(case, turn, again)))


def _half(case: Case) -> tuple[int, str]:
    """The turn to break off in, the key turn if it can be, and what is said of it by then."""
    for turn in sorted(range(len(case.input)), key=lambda turn: (turn != key_turn(case), turn)):
        if half := _begun(case, turn):
            return turn, half
    raise Unfit(say("no turn is long enough to break off in", "没有一轮长到可以说一半"))


def _begun(case: Case, turn: int) -> str:
    """About half of the first clause of two words or more, cut between words; "" where there is none."""
    text, limit = case.input[turn], len(case.input[turn])
    for start, end in key_spans(case, turn)[:1]:
        limit = start if text[:start].strip() else end
    ends = [*(match.start() for match in _CLAUSE.finditer(text)), len(text)]
    for end in ends:
        cuts = [
            at for at in _words(text[:end], speaks(case)) if at <= limit and not _cuts_fact(case, turn, at)
        ]
        if cuts:
            return text[: min(cuts, key=lambda at: abs(2 * at - end))].rstrip()
    return ""


def _words(text: str, tongue: Tongue) -> list[int]:
    """The places between the words of a text."""
    if tongue == "zh":
        places = list(accumulate(len(word) for word, _ in chinese(text)))
    else:
        places = [match.start() for match in re.finditer(r"(?<=\S)\s+", text)]
    return [at for at in places if len(text[:at].strip()) > 1 and text[at:].strip()]


def _cuts_fact(case: Case, turn: int, at: int) -> bool:
    return any(start < at < end for start, end in key_spans(case, turn))


PROBES: tuple[Probe, ...] = (Interruption(),)
