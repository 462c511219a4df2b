"""Variants of a case where there is no model: the probes of wording, made part of what the user says."""

from collections.abc import Iterator, Sequence
from math import ceil
from random import Random

from fairtrial.schema.case import Case
from fairtrial.schema.disturbance import Edit
from fairtrial.schema.variants import VariantType
from fairtrial.sessions.probes.apply import Use, apply, known
from fairtrial.sessions.probes.phrases import pairs
from fairtrial.sessions.probes.placing import behind, in_front, unsaid
from fairtrial.sessions.probes.probe import Disturbed, Probe
from fairtrial.sessions.probes.sites import sites
from fairtrial.sessions.probes.spans import key_turn, tongue_of
from fairtrial.sessions.said import said
from fairtrial.text.words import Tongue

_TRIES = 12
"""Drawings of one probe, of which each may give another wording."""
_TONGUES: tuple[Tongue, ...] = ("zh", "en")
_OPENINGS: dict[Tongue, tuple[str, ...]] = {
    "zh": ("哎，", "那啥，", "诶，", "哈喽，", "哎哟，", "嗨，"),
    "en": ("hey, ", "hiya, ", "yo, ", "ok so ", "hey guys, ", "yeah hi, "),
}
_ENDINGS: dict[Tongue, tuple[str, ...]] = {
    "zh": ("谢啦！", "麻烦啦！", "辛苦啦哈！"),
    "en": ("thx!", "cheers!", "tysm!"),
}


class _Colloquial(Probe):
    """An opening, spoken forms of typos.txt, and sometimes an ending."""

    name = "colloquial"
    intent = "spoken words"

    def disturb(self, case: Case, intensity: int, draw: Random, others: Sequence[Case]) -> Disturbed:
        """Two thirds of the words that have a spoken form, at least two."""
        tables = {tongue: pairs("typos.txt", f"colloquial {tongue}") for tongue in _TONGUES}
        found = sites(case, tables)
        chosen = draw.sample(found, min(len(found), max(2, ceil(len(found) * 2 / 3))))
        steps = [site.edit(draw.choice(tables[site.tongue][site.word])) for site in chosen]
        turn = key_turn(case)
        tongue = tongue_of(case, turn)
        steps.append(Edit(do="edit", turn=turn, start=0, end=0, text=draw.choice(_OPENINGS[tongue])))
        if draw.random() < 0.5:
            steps.append(behind(case, turn, draw.choice(_ENDINGS[tongue])))
        return Disturbed(steps=tuple(steps))


class _Complaint(Probe):
    """Anger before the wish, that holds no fact and no wish."""

    name = "complaint"
    intent = "a complaint beside the matter"

    def disturb(self, case: Case, intensity: int, draw: Random, others: Sequence[Case]) -> Disturbed:
        """One outburst."""
        turn = key_turn(case)
        text = draw.choice(unsaid(case, "anger", tongue_of(case, turn)))
        return Disturbed(steps=(in_front(case, turn, text),))


_OWN: dict[VariantType, type[Probe]] = {"colloquial": _Colloquial, "complaint": _Complaint}
_KNOWN: dict[VariantType, str] = {"typos": "typos", "chatter": "pollution", "mixed": "code_switching"}


def rewritings(case: Case, kind: VariantType, *, seed: int) -> Iterator[tuple[str, ...]]:
    """Wordings of the turns of a case, of one kind, as many as a few drawings give; each of as many turns.

    The same seed gives the same. `case` has no edits and is not parted. Raises Unfit where it offers nothing
    to reword.
    """
    use = Use(_OWN[kind]()) if kind in _OWN else Use(known()[_KNOWN[kind]], 1)
    given = {case.input}
    for attempt in range(_TRIES):
        texts = said(apply(case, (use,), seed=seed + attempt))
        if texts not in given:
            given.add(texts)
            yield texts
