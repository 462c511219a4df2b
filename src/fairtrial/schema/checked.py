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


class Group(Frozen, frozen=True, kw_only=True):
    """Cases of one `set` or tag: of so many `cases` a null agent passes `passed`."""

    group: str
    passed: int
    cases: int


class Nothing(Frozen, frozen=True, kw_only=True):
    """What an agent gets that does nothing: the share of cases it passes, and its ret_ratio (None: unscored).

    `where` names the groups with a larger share than the whole, the largest first, three at most.
    """

    share: float
    ret_ratio: float | None
    where: tuple[Group, ...] = ()


class Checked(Frozen, frozen=True, kw_only=True):
    """All remarks, how many golden samples were checked, and what each null agent passes (None: not run).

    `references` counts the cases that have a reference answer; `nothing` has the figures of each null agent.
    """

    cases: int
    remarks: tuple[Remark, ...]
    golden: int = 0
    references: int = 0
    null_agents: dict[str, tuple[str, ...]] | None = None
    nothing: dict[str, Nothing] | None = None

    @property
    def good(self) -> bool:
        """Whether a run may begin."""
        return all(remark.severity != "error" for remark in self.remarks)
