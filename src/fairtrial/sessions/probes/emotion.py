"""Anger, haste and pleading around the wish."""

from collections.abc import Sequence
from random import Random

from fairtrial.schema.case import Case
from fairtrial.schema.disturbance import Step
from fairtrial.sessions.probes.placing import behind, in_front, unsaid
from fairtrial.sessions.probes.probe import Disturbed, Probe
from fairtrial.sessions.probes.spans import key_turn, tongue_of
from fairtrial.text.language import say

_MOODS = ("anger", "haste", "pleading")
_OUTBURSTS = {1: 1, 2: 2, 3: 4}


class Emotion(Probe):
    """One mood: an outburst before the wish, another after it, then two before and two after. None holds a
    fact, a threat or a wish.
    """

    name = "emotion"

    @property
    def intent(self) -> str:
        """What it examines."""
        return say("whether feelings around the wish lead it astray", "情绪会不会让它偏离诉求")

    def disturb(self, case: Case, intensity: int, draw: Random, others: Sequence[Case]) -> Disturbed:
        """Outbursts around the turn on which most depends."""
        turn = key_turn(case)
        mood = unsaid(case, draw.choice(_MOODS), tongue_of(case, turn))
        chosen = draw.sample(mood, _OUTBURSTS[intensity])
        steps: list[Step] = []
        for number, text in enumerate(chosen):
            place = in_front if number % 2 == 0 else behind
            steps.append(place(case, turn, text))
        return Disturbed(steps=tuple(steps))


PROBES: tuple[Probe, ...] = (Emotion(),)
