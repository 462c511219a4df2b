"""A question whose answer was fetched before."""

from collections.abc import Mapping, Sequence
from random import Random

from fairtrial.schema.case import Case
from fairtrial.schema.disturbance import Utter
from fairtrial.sessions.probes.probe import Disturbed, Probe, Unfit
from fairtrial.sessions.probes.relations import check_retold, never_again
from fairtrial.sessions.probes.spans import speaks
from fairtrial.text.language import say
from fairtrial.text.words import Tongue

_AGAIN: Mapping[Tongue, Mapping[int, tuple[str, ...]]] = {
    "zh": {
        1: ("麻烦把刚才的结果完整地再说一遍，不用重新查，也不用再办一次。",),
        2: ("刚才那件事的结果是什么？请完整地再说一遍。", "我没看清，刚才的结果能完整地再说一遍吗？"),
        3: ("谢谢。", "好的，我记一下。"),
    },
    "en": {
        1: ("Please tell me that result again in full. There is no need to look it up or do it again.",),
        2: (
            "What was the result just now? Please say it again in full.",
            "I missed that. Could you repeat the full result?",
        ),
        3: ("Thanks.", "OK, let me write that down."),
    },
}


class Reuse(Probe):
    """The user asks for the result once more, says that it need not be fetched again, then does not say so,
    then asks only after having thanked.

    The case's rules hold, and no call that they ask for is made again (`relations.never_again`).
    """

    name = "reuse"

    @property
    def intent(self) -> str:
        """What it examines."""
        return say("whether it uses what it has fetched before", "已经查到的结果会不会直接拿来用")

    def disturb(self, case: Case, intensity: int, draw: Random, others: Sequence[Case]) -> Disturbed:
        """The question after the turn. Raises Unfit for several turns, or no rule on a call's arguments."""
        check_retold(case)
        if len(case.input) > 1:
            raise Unfit(
                say(
                    "over several turns a call made again may be care: what it told may have changed",
                    "多轮之间再次调用可能是出于谨慎：先前的结果可能已变",
                )
            )
        rules = never_again(case)
        after = len(case.input)
        words = _AGAIN[speaks(case)]
        spoken = [draw.choice(words[min(intensity, 2)])]
        if intensity == 3:
            spoken.insert(0, draw.choice(words[3]))
        steps = tuple(Utter(do="utter", before=after, text=text) for text in spoken)
        return Disturbed(steps=steps, rules=rules)


PROBES: tuple[Probe, ...] = (Reuse(),)
