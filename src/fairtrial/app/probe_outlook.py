"""What an examination is going to do: said before it does it."""

from collections.abc import Sequence
from dataclasses import dataclass

from fairtrial.app.outlook import Outlook, outlook_of
from fairtrial.app.prepare import Prepared
from fairtrial.app.probe_grid import Grid
from fairtrial.report.probe import not_tried
from fairtrial.sessions.probes.probe import INTENSITIES
from fairtrial.text.language import say


@dataclass(frozen=True, kw_only=True)
class ProbeOutlook(Outlook):
    """As of a round, with the cells there are and the probes that are not tried."""

    budget: int
    cells: Sequence[str]

    @property
    def sessions(self) -> int:
        """All sessions that it may take, done ones too."""
        return self.budget

    def text(self) -> str:
        """The plan: sessions, time and cost; then the cells; then a line for each probe that is not tried."""
        head = say(
            f"at most {self.budget} sessions"
            + (f", {self.done} of them done" if self.done else "")
            + f"; {self.agent}, {self.concurrency} at a time; at most {self.longest}; cost {self.cost}",
            f"最多 {self.budget} 个会话"
            + (f"，其中 {self.done} 个已完成" if self.done else "")
            + f"；{self.agent}，并发 {self.concurrency}；最长 {self.longest}；费用{self.cost}",
        )
        return "\n".join((head, *self.cells))


def probe_outlook(prepared: Prepared, grid: Grid, *, budget: int, done: int) -> ProbeOutlook:
    """Of an examination that may begin, or of which `done` sessions are done."""
    n, groups, probes, levels = len(grid.cases), len(grid.groups), len(grid.probes), len(INTENSITIES)
    runnable = int(grid.runnable.sum())
    lines = [
        say(
            f"{n} cases undisturbed, twice or more, then {groups} groups × {probes} probes × {levels} "
            f"intensities, {runnable} cells of which can be run",
            f"先不加扰动地问 {n} 个用例（两次以上），再是 {groups} 组 × {probes} 个探针 × {levels} 档强度，"
            f"其中 {runnable} 格可运行",
        )
    ]
    lines += not_tried(grid.inapplicable)
    return ProbeOutlook(**vars(outlook_of(prepared, done=done)), budget=budget, cells=lines)
