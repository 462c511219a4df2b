"""A round run again: whether its figures came out as before."""

from enum import StrEnum

from fairtrial.schema.comparison import Difference
from fairtrial.schema.fingerprint import PartDifference
from fairtrial.schema.record import Frozen


class Agreement(StrEnum):
    """All that may be said of it. `unclear`: no difference shown, and none ruled out."""

    agrees = "agrees"
    differs = "differs"
    unclear = "cannot tell"


class Again(Frozen, frozen=True, kw_only=True):
    """A case that did not score as before: its mean score then and now, None where no trial gave one."""

    case: str
    base: float | None
    again: float | None


class Reproduction(Frozen, frozen=True, kw_only=True):
    """The round `run` beside the round `base` that it ran again, with its log.

    `difference` is now less before, paired by case; `margin`, in the same scale, is what counts as noise.
    `differs` are the parts of the fingerprints that changed, `changed` the cases, largest change first.
    """

    status: Agreement
    meaning: str
    base: str
    run: str
    log: str
    margin: float
    difference: Difference
    differs: tuple[PartDifference, ...] = ()
    changed: tuple[Again, ...] = ()
