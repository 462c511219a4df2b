"""Another matter in the middle, and back to the first."""

from collections.abc import Mapping, Sequence
from random import Random

from fairtrial.schema.case import Case
from fairtrial.schema.disturbance import Step, Utter
from fairtrial.sessions.probes.matters import NEUTRAL, questions
from fairtrial.sessions.probes.placing import in_front
from fairtrial.sessions.probes.probe import Disturbed, Probe
from fairtrial.sessions.probes.relations import check_retold
from fairtrial.sessions.probes.spans import key_facts, speaks
from fairtrial.text.language import say
from fairtrial.text.words import Tongue

_BY_THE_WAY: Mapping[Tongue, str] = {"zh": "对了，问个别的：", "en": "By the way, another question: "}
_BACK: Mapping[Tongue, tuple[str, ...]] = {
    "zh": ("好，回到刚才那件事：", "说回刚才的事，", "行，那接着前面的说："),
    "en": ("OK, back to what we were at:", "Right, back to the first thing:", "Now, where were we:"),
}
_BACK_TO: Mapping[Tongue, str] = {"zh": "好，回到订单 {order} 的事：", "en": "OK, back to order {order}:"}
_TELL_AGAIN: Mapping[Tongue, tuple[str, ...]] = {
    "zh": (
        "好，回到我最开始说的那件事，麻烦把结果完整地再说一遍。",
        "说回我最先提的那件事：结果是什么？请完整地再告诉我一次。",
    ),
    "en": (
        "OK, back to the first thing I came for: please tell me the whole result once more.",
        "Back to what I asked at the start. What was the result? Please say it again in full.",
    ),
}


class ReturnToEarlier(Probe):
    """Something neutral in between, then the question of another case, then two; and back to the matter.

    In a case of several turns it stands before the last one, which names the order that it goes back to.
    Where the case has not just one order, nothing in between names particulars. In a case of one turn the
    user asks at the end for the result once more. Nothing changes.
    """

    name = "return_to_earlier"

    @property
    def intent(self) -> str:
        """What it examines."""
        return say("whether it finds back to an earlier matter", "岔开话题之后能不能回到前面的事")

    def disturb(self, case: Case, intensity: int, draw: Random, others: Sequence[Case]) -> Disturbed:
        """One or two matters in between. Raises Unfit where a case of one turn cannot be told again."""
        last = len(case.input) - 1
        tongue = speaks(case)
        order = _order(case)
        between = _between(case, intensity, draw, others, plain=last > 0 and order is None)
        if last > 0:
            steps: list[Step] = [Utter(do="utter", before=last, text=text) for text in between]
            back = draw.choice(_BACK[tongue]) if order is None else _BACK_TO[tongue].format(order=order)
            return Disturbed(steps=(*steps, in_front(case, last, back)), whole=True)
        check_retold(case)
        spoken = (*between, draw.choice(_TELL_AGAIN[tongue]))
        return Disturbed(steps=tuple(Utter(do="utter", before=1, text=text) for text in spoken), whole=True)


def _between(case: Case, intensity: int, draw: Random, others: Sequence[Case], *, plain: bool) -> list[str]:
    tongue = speaks(case)
    wanted = 2 if intensity == 3 else 1
    asked = [] if intensity == 1 else questions(case, others, draw, plain=plain)[:wanted]
    neutral = draw.sample(NEUTRAL[tongue], wanted - len(asked))
    return [_BY_THE_WAY[tongue] + text for text in (*asked, *neutral)]


def _order(case: Case) -> str | None:
    """The one order number that the case speaks of; None where it is none or more."""
    found = {
        text[fact.start : fact.end]
        for turn, text in enumerate(case.input)
        for fact in key_facts(case, turn)
        if fact.kind == "order_number"
    }
    return found.pop() if len(found) == 1 else None


PROBES: tuple[Probe, ...] = (ReturnToEarlier(),)
