"""The user vanishes in the middle, and returns."""

from collections.abc import Mapping, Sequence
from random import Random

from fairtrial.schema.case import Case
from fairtrial.schema.disturbance import Pause, Step, Utter
from fairtrial.sessions.probes.placing import in_front
from fairtrial.sessions.probes.probe import Disturbed, Probe
from fairtrial.sessions.probes.spans import speaks
from fairtrial.text.language import say
from fairtrial.text.words import Tongue

_AWAY = {1: 600.0, 2: 3 * 3600.0, 3: 86_400.0}
_HELLO: Mapping[Tongue, tuple[str, ...]] = {
    "zh": ("你好", "在吗？", "有人吗？"),
    "en": ("Hi", "Hello?", "Hello there"),
}
_RETURNS: Mapping[Tongue, tuple[str, ...]] = {
    "zh": ("你好，我又来了。", "不好意思，我回来了。"),
    "en": ("Hello, it's me again.", "Hi, I'm back."),
}
_GOES_ON: Mapping[Tongue, tuple[str, ...]] = {"zh": ("接着刚才的说，", "继续，"), "en": ("To go on:", "So:")}


class Silence(Probe):
    """The user is away for ten minutes, three hours, a day, and goes on, with a greeting or without.

    The clock is moved, nobody waits. In a case of one turn the user says hello first and vanishes then.
    Nothing changes, so where the right answer depends on the day of asking, intensity 3 is not fair, nor is 2
    where the clock stands late in the day.
    """

    name = "silence"

    @property
    def intent(self) -> str:
        """What it examines."""
        return say(
            "whether it still knows where they were when the user returns",
            "用户离开一段时间再回来，能否接上",
        )

    def disturb(self, case: Case, intensity: int, draw: Random, others: Sequence[Case]) -> Disturbed:
        """The pause stands before a drawn turn but the first, and the words of the return in that turn."""
        steps: list[Step] = []
        turn = draw.randrange(1, len(case.input)) if len(case.input) > 1 else 0
        tongue = speaks(case)
        words = _RETURNS[tongue] + (_GOES_ON[tongue] if turn else ())
        if turn == 0:
            steps.append(Utter(do="utter", before=0, text=draw.choice(_HELLO[tongue])))
        steps.append(Pause(do="pause", before=turn, seconds=_AWAY[intensity]))
        return Disturbed(steps=(*steps, in_front(case, turn, draw.choice(words))))


PROBES: tuple[Probe, ...] = (Silence(),)
