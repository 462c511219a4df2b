"""Talk that has nothing to do with the matter, before the key question."""

from collections.abc import Sequence
from random import Random

from fairtrial.schema.case import Case
from fairtrial.schema.disturbance import Utter
from fairtrial.sessions.probes.placing import in_front, unsaid
from fairtrial.sessions.probes.probe import Disturbed, Probe
from fairtrial.sessions.probes.spans import key_turn, tongue_of
from fairtrial.text.language import say

_SENTENCES = {1: 3, 2: 5, 3: 5}


class Pollution(Probe):
    """3 sentences in the same message, then 5, then 5 turns of their own; each is one step."""

    name = "pollution"

    @property
    def intent(self) -> str:
        """What it examines."""
        return say("whether idle talk before the question distracts it", "问题之前的闲聊会不会带偏它")

    def disturb(self, case: Case, intensity: int, draw: Random, others: Sequence[Case]) -> Disturbed:
        """Idle talk before the turn on which most depends."""
        turn = key_turn(case)
        tongue = tongue_of(case, turn)
        chosen = draw.sample(unsaid(case, "small talk", tongue), _SENTENCES[intensity])
        if intensity == max(_SENTENCES):
            return Disturbed(steps=tuple(Utter(do="utter", before=turn, text=text) for text in chosen))
        return Disturbed(steps=tuple(in_front(case, turn, text) for text in chosen))


PROBES: tuple[Probe, ...] = (Pollution(),)
