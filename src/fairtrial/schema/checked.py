"""What a check found before anyone was asked."""

from typing import Literal

from fairtrial.schema.record import Frozen


class Remark(Frozen, frozen=True, kw_only=True):
    """One thing about a case set: `where` is `file:line`; an `error` forbids a run, a `hint` does not."""

    where: str
    severity: Literal["error", "hint"]
    what: str
    how: str = ""
    case: str | None = None


class Checked(Frozen, frozen=True, kw_only=True):
    """All remarks, how many golden samples were checked, and what each null agent passes (None: not run)."""

    cases: int
    remarks: tuple[Remark, ...]
    golden: int = 0
    null_agents: dict[str, tuple[str, ...]] | None = None

    @property
    def good(self) -> bool:
        """Whether a run may begin."""
        return all(remark.severity != "error" for remark in self.remarks)
