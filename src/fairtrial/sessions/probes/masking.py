"""Key facts deep inside long talk, and at last in a turn of their own."""

from collections.abc import Sequence
from random import Random

from fairtrial.schema.case import Case
from fairtrial.schema.disturbance import Edit, Split, Step, Utter
from fairtrial.sessions.probes.phrases import phrases, sentence
from fairtrial.sessions.probes.placing import behind, in_front, unsaid
from fairtrial.sessions.probes.probe import Disturbed, Probe, Unfit
from fairtrial.sessions.probes.spans import Fact, key_facts, key_spans, key_turn, tongue_of
from fairtrial.text.language import say

_BEFORE = {1: 2, 2: 4, 3: 6}
_AFTER = {1: 1, 2: 3, 3: 3}
_BETWEEN = 2


class Masking(Probe):
    """2 sentences before the turn, a search for the fact, 1 after; then 4 and 3; then 6 and 3, with the turn
    parted before the fact and 2 sentences of other talk between.
    """

    name = "masking"

    @property
    def intent(self) -> str:
        """What it examines."""
        return say("whether it finds a key fact inside long talk", "关键信息藏在长段废话里能不能找到")

    def disturb(self, case: Case, intensity: int, draw: Random, others: Sequence[Case]) -> Disturbed:
        """Long talk around the first turn with a key fact, which itself stays as it is."""
        turn = key_turn(case)
        facts = key_facts(case, turn)
        if not facts:
            raise Unfit(say("no key fact that could be hidden", "没有可以藏起来的关键信息"))
        start = _start(case, turn, facts[0])
        tongue = tongue_of(case, turn)
        count = _BEFORE[intensity] + _AFTER[intensity] + _BETWEEN
        talk = iter(draw.sample(unsaid(case, "ramble", tongue) + unsaid(case, "small talk", tongue), count))
        steps: list[Step] = [in_front(case, turn, next(talk)) for _ in range(_BEFORE[intensity])]
        if intensity == max(_BEFORE):
            steps += _late(case, turn, start, [next(talk) for _ in range(_BETWEEN)])
        search = sentence(draw.choice(phrases("hesitation", tongue)), tongue)
        steps.append(Edit(do="edit", turn=turn, start=start, end=start, text=search))
        steps += [behind(case, turn, next(talk)) for _ in range(_AFTER[intensity])]
        return Disturbed(steps=tuple(steps))


def _start(case: Case, turn: int, fact: Fact) -> int:
    """Where the search goes: before the fact, and all that is one with it."""
    return next(start for start, end in key_spans(case, turn) if start <= fact.start < end)


def _late(case: Case, turn: int, at: int, talk: Sequence[str]) -> list[Step]:
    """Parts a turn before the fact, or, where it begins with it, puts turns of other talk before it."""
    if not case.input[turn][:at].strip():
        return [Utter(do="utter", before=turn, text=text) for text in talk]
    tongue = tongue_of(case, turn)
    talked = (Edit(do="edit", turn=turn, start=at, end=at, text=sentence(text, tongue)) for text in talk)
    return [Split(do="split", turn=turn, at=at), *talked]


PROBES: tuple[Probe, ...] = (Masking(),)
