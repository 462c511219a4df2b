"""A wish that is given up before anything could be done, and then the one that counts."""

from collections.abc import Mapping, Sequence
from random import Random

from fairtrial.schema.case import Case
from fairtrial.schema.disturbance import Step, Utter
from fairtrial.sessions.probes.matters import wishes
from fairtrial.sessions.probes.placing import in_front
from fairtrial.sessions.probes.probe import Disturbed, Probe, Unfit
from fairtrial.sessions.probes.relations import never_calls
from fairtrial.sessions.probes.spans import speaks
from fairtrial.text.language import say
from fairtrial.text.words import Tongue

_AT_ONCE: Mapping[Tongue, tuple[str, ...]] = {
    "zh": (
        "……算了，这个不用了，还是说另一件事：",
        "……哎不对，这个先不办了，换成这件事：",
        "……算了算了，不要了，我要说的是：",
    ),
    "en": (
        "... no, never mind that. What I need instead:",
        "... actually, forget it. Something else:",
        "... on second thoughts, leave that. This is what I want:",
    ),
}
_GIVES_UP: Mapping[Tongue, tuple[str, ...]] = {
    "zh": (
        "算了，这个不用了，还是换件事吧。",
        "我改主意了，刚才那个不要办了。",
        "还是算了，刚才说的当我没说。",
    ),
    "en": (
        "No, never mind that, I don't want it any more.",
        "I've changed my mind, please don't do that.",
        "Actually, forget what I just said.",
    ),
}


class ChangeOfMind(Probe):
    """The user first wishes for something else, without the particulars, and then does not want it.

    The wish is that of another case. It is given up in the same message, then in a turn of its own after the
    agent has answered, then two wishes are. The case's rules hold, and the tool that would have done the old
    thing is never called.
    """

    name = "change_of_mind"

    @property
    def intent(self) -> str:
        """What it examines."""
        return say("whether it leaves undone what the user gave up", "用户改口之后会不会还去办旧的事")

    def disturb(self, case: Case, intensity: int, draw: Random, others: Sequence[Case]) -> Disturbed:
        """One or two wishes given up before the first turn. Raises Unfit where no other case has one."""
        tongue = speaks(case)
        wanted = 2 if intensity == 3 else 1
        given_up = wishes(case, others, draw)[:wanted]
        if len(given_up) < wanted:
            raise Unfit(
                say(
                    f"too few other cases that want something else: {len(given_up)} of {wanted}",
                    f"要办别的事的其他用例太少：需要 {wanted} 个，只有 {len(given_up)} 个",
                )
            )
        steps: list[Step] = []
        for (wish, _), words in zip(given_up, draw.sample(_GIVES_UP[tongue], wanted), strict=True):
            if intensity == 1:
                steps.append(in_front(case, 0, wish + draw.choice(_AT_ONCE[tongue])))
            else:
                steps.append(Utter(do="utter", before=0, text=wish + ("。" if tongue == "zh" else ".")))
                steps.append(Utter(do="utter", before=0, text=words))
        return Disturbed(
            steps=tuple(steps), rules=(*case.rules, *(never_calls(tool) for _, tool in given_up))
        )


PROBES: tuple[Probe, ...] = (ChangeOfMind(),)
