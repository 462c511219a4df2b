"""Words of the other language in the middle of a sentence."""

from collections.abc import Sequence
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

    A turn that would have no word of its language left stays as it is: the agent is to answer in that one.
    """

    name = "code_switching"

    @property
    def intent(self) -> str:
        """What it examines."""
        return say("whether it follows two languages in one sentence", "中英夹杂时能不能听懂")

    def disturb(self, case: Case, intensity: int, draw: Random, others: Sequence[Case]) -> Disturbed:
        """Words of switches.txt, wherever they stand in the input."""
        tables = {tongue: pairs("switches.txt", tongue) for tongue in _TONGUES}
        known = sites(case, tables)
        found = [site for site in known if _goes_on(case, site.turn, known)]
        if not found:
            raise Unfit(say("no word that it could say in the other language", "没有可以换成另一种语言的词"))
        chosen = draw.sample(found, ceil(len(found) * intensity / 3))
        chosen.sort(key=lambda site: (site.turn, site.start))
        starts = {(site.turn, site.start) for site in found}
        texts = (draw.choice(tables[site.tongue][site.word]) for site in chosen)
        edits = (
            site.edit(_apart(case, site, text, starts)) for site, text in zip(chosen, texts, strict=True)
        )
        return Disturbed(steps=tuple(edits))


def _goes_on(case: Case, turn: int, found: Sequence[Site]) -> bool:
    """Whether a turn has words of its language beside its key facts and all that could be switched."""
    letters = list(case.input[turn])
    mine = [(site.start, site.end) for site in found if site.turn == turn]
    for start, end in (*key_spans(case, turn), *mine):
        letters[start:end] = " " * (end - start)
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
