"""Words of the other language in the middle of a sentence."""

from collections.abc import Mapping, Sequence
from math import ceil
from random import Random

from fairtrial.schema.case import Case
from fairtrial.sessions.probes.phrases import pairs
from fairtrial.sessions.probes.probe import Disturbed, Probe, Unfit
from fairtrial.sessions.probes.sites import Site, sites
from fairtrial.sessions.probes.spans import key_spans, tongue_of
from fairtrial.text.language import say
from fairtrial.text.words import Tongue, tongue

_TONGUES: tuple[Tongue, ...] = ("zh", "en")


class CodeSwitching(Probe):
    """English words in a Chinese sentence, Chinese ones in an English: a third of those that it knows, two
    thirds, all.

    Fewer where a turn would else be in the other language: the agent is to answer in that of the case.
    """

    name = "code_switching"

    @property
    def intent(self) -> str:
        """What it examines."""
        return say("whether it follows two languages in one sentence", "中英夹杂时能不能听懂")

    def disturb(self, case: Case, intensity: int, draw: Random, others: Sequence[Case]) -> Disturbed:
        """Words of switches.txt, wherever they stand in the input."""
        tables = {tongue: pairs("switches.txt", tongue) for tongue in _TONGUES}
        found = sites(case, tables)
        words: dict[Site, str] = {}
        for site in draw.sample(found, len(found)):
            word = draw.choice(tables[site.tongue][site.word])
            more = len(words) < ceil(len(found) * intensity / 3)
            if more and _goes_on(case, site.turn, words | {site: word}):
                words[site] = word
        if not words:
            raise Unfit(say("no word that it could say in the other language", "没有可以换成另一种语言的词"))
        chosen = sorted(words, key=lambda site: (site.turn, site.start))
        starts = {(site.turn, site.start) for site in words}
        return Disturbed(steps=tuple(site.edit(_apart(case, site, words[site], starts)) for site in chosen))


def _goes_on(case: Case, turn: int, words: Mapping[Site, str]) -> bool:
    """Whether a turn, its key facts aside, is still in its language once these words are switched."""
    letters = list(case.input[turn])
    for start, end in key_spans(case, turn):
        letters[start:end] = " " * (end - start)
    for site, word in words.items():
        if site.turn == turn:
            letters[site.start : site.end] = [f" {word} ", *[""] * (site.end - site.start - 1)]
    return tongue("".join(letters)) == tongue_of(case, turn)


def _apart(case: Case, site: Site, text: str, starts: set[tuple[int, int]]) -> str:
    """What is English with the space that parts it from the words beside it."""
    turn = case.input[site.turn]
    before, after = turn[: site.start][-1:], turn[site.end :][:1]
    left = " " if text[0].isascii() and before.isalnum() else ""
    alone = (site.turn, site.end) not in starts  # else the next one brings the space
    right = " " if text[-1].isascii() and after.isalnum() and alone else ""
    return f"{left}{text}{right}"


PROBES: tuple[Probe, ...] = (CodeSwitching(),)
