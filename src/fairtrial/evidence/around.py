"""What the lines know of a round besides its figures, and what one of them finds."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from fairtrial.evidence.drift import Drift
from fairtrial.evidence.since import Since
from fairtrial.evidence.thresholds import Thresholds
from fairtrial.schema.evidence import Round, Summary
from fairtrial.schema.fingerprint import Fingerprint
from fairtrial.text.language import say

Series = tuple[Sequence[float], Sequence[float]]


@dataclass(frozen=True, kw_only=True)
class Around:
    """What the lines know of a round besides its figures.

    `history`: earlier reliable rounds of the same set, oldest first. `recent`: the names lit in
    earlier rounds of that set and mode, refused ones included, oldest first. `null_agent`: the largest
    share of cases that a null agent passes, None if none was run. `series`: two series whose
    correlation someone means to rely on. The digests are this round's, "" where they are not known, as is
    the fingerprint. `since`: its cases beside those of the last of `history`, where the set was edited in
    between; None where it was not, or that is not known. `drift`: its canaries against the latest earlier
    ones, None if there are none.
    """

    history: Sequence[Round] = ()
    recent: Sequence[Collection[str]] = ()
    null_agent: float | None = None
    series: Series | None = None
    set_digest: str = ""
    scorer_digest: str = ""
    fingerprint: Fingerprint | None = None
    since: Since | None = None
    drift: Drift | None = None


@dataclass(frozen=True, kw_only=True)
class Finding:
    """A line's value; `lit` is None where side and threshold decide. `detail` is for people."""

    value: float | None
    lit: bool | None = None
    detail: str = ""


Measure = Callable[[Summary, Around, Thresholds], Finding]


def aside(text: str) -> str:
    """A detail in brackets; "" where there is none."""
    return say(f"({text})", f"（{text}）") if text else ""
