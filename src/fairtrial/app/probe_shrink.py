"""After the interview: found cells asked afresh, and one case for each made as small as still fails."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import msgspec

from fairtrial.app.probe_grid import Grid
from fairtrial.app.probe_sittings import Seen, Sittings, Wanted
from fairtrial.cases.write import written
from fairtrial.schema.case import Case
from fairtrial.schema.record import Probed
from fairtrial.schema.weakness import Shrunk
from fairtrial.sessions.interviewer import Cell
from fairtrial.sessions.probes.apply import keep
from fairtrial.sessions.shrink import Shrinker, ShrinkResult, Why
from fairtrial.stats.intervals import clopper_pearson
from fairtrial.stats.stratified import hypergeometric, upper_tail
from fairtrial.text.language import say

FRESH = 20
_AT_ONCE = 100
"""Sessions that must be left for each case that is shrunk at the same time as others."""
_LEVEL = 0.05
_CANDIDATES = 3
_ASIDE = 5
"""Sessions in a row that do not count, after which shrinking gives up."""


@dataclass(kw_only=True)
class Shrinking:
    """One found cell on its way to its smallest failing case; `why` says how it ended where there is none."""

    cell: Cell
    failed: Sequence[Seen]
    """Its failed sessions; the case of one that fails again is made smaller."""
    seen: list[Seen] = field(default_factory=list)
    shrunk: Shrunk | None = None
    why: str = ""


async def ask_afresh(grid: Grid, sittings: Sittings, cell: Cell) -> tuple[list[Seen], list[Seen]]:
    """New sessions of a found cell, and as many of the same cases without the disturbance."""
    block = [wanted(grid, cell, sittings.seed(place), "fresh") for place in range(FRESH)]
    plain = [
        Wanted(base=one.base, case=one.base, probed=Probed(probes=(), seed=one.probed.seed, phase="control"))
        for one in block
    ]
    seen = await sittings.hold([*block, *plain])
    return seen[:FRESH], seen[FRESH:]


def wanted(grid: Grid, cell: Cell, seed: int, phase: str) -> Wanted:
    """A session of a cell, its case and disturbance drawn under `seed`; the examiner asks at its end."""
    base, case, under = grid.draw(cell, seed)
    probed = Probed(probes=(str(grid.use(cell)),), seed=under, phase=phase)
    return Wanted(base=base, case=case, probed=probed, asides=True)


async def shrink_all(grid: Grid, sittings: Sittings, all_of_them: Sequence[Shrinking], *, seed: int) -> None:
    """Shrink a case of each, several side by side while the budget lasts for all of them."""
    waiting = [_Attempt(grid, one, seed=seed) for one in all_of_them]
    under_way: list[_Attempt] = []
    while (waiting or under_way) and sittings.left:
        while waiting and len(under_way) < max(1, sittings.left // _AT_ONCE):
            under_way.append(waiting.pop(0))
        for one in [one for one in under_way if one.over()]:
            under_way.remove(one)
            await one.check(sittings)
        now = under_way[: sittings.left]
        for one, seen in zip(now, await sittings.hold([one.next() for one in now]), strict=True):
            one.tell(seen)
    for one in (*under_way, *waiting):
        if not one.over():
            one.give_up(say("the budget ended before", "预算先用完了"))


class _Attempt:
    """Shrinks the case of one failed session after another, until one is confirmed."""

    def __init__(self, grid: Grid, found: Shrinking, *, seed: int) -> None:
        self._grid, self._found, self._seed = grid, found, seed
        self._left = _different(found.failed)[:_CANDIDATES]
        self._spent = self._aside = 0
        self._ended = False
        self._begin()

    def over(self) -> bool:
        """Whether there is nothing more to ask; `shrunk` or `why` is then set."""
        if not self._ended and self._shrinker.ask() is None:
            self._conclude(self._shrinker.result)
        return self._ended

    def next(self) -> Wanted:
        """The session to hold next."""
        kept = self._steps(self._shrinker.ask() or ())
        whole = len(kept) == len(self._case.disturb)
        case = self._case if whole else keep(self._case, self._base, kept)
        return Wanted(
            base=self._base,
            case=case,
            probed=Probed(probes=self._from.probes, seed=self._from.seed, phase="shrink", kept=kept),
            asides=True,
        )

    def tell(self, seen: Seen) -> None:
        """How it ended; one that does not count is asked again."""
        self._found.seen.append(seen)
        self._spent += 1
        if seen.failed is not None:
            self._aside = 0
            self._shrinker.tell(seen.failed)
            return
        self._aside += 1
        if self._aside == _ASIDE:
            self.give_up(say("its sessions do not complete", "它的会话无法完成"))

    def give_up(self, why: str) -> None:
        """End without a smaller case."""
        self._found.why, self._ended = why, True

    async def check(self, sittings: Sittings) -> None:
        """Ask the case undisturbed: one that fails as often by itself is none of the probe's."""
        small = self._found.shrunk
        if small is None or sittings.left < FRESH:
            return
        plain = Probed(probes=(), seed=self._from.seed, phase="control")
        seen = await sittings.hold([Wanted(base=self._base, case=self._base, probed=plain)] * FRESH)
        failed = [one.failed for one in seen if one.failed is not None]
        if failed and not _clearly(small.failures, small.sessions, sum(failed), len(failed)):
            self._found.shrunk = None
            self.give_up(
                say(
                    f"{self._base.id} fails {sum(failed)} of {len(failed)} times without the disturbance too",
                    f"{self._base.id} 不加扰动时 {len(failed)} 次中也失败 {sum(failed)} 次",
                )
            )
        else:
            self._found.shrunk = msgspec.structs.replace(
                small, control=(sum(failed), len(failed)), spent=small.spent + len(seen)
            )

    def _begin(self) -> None:
        first = self._left.pop(0)
        self._from, self._base = first.probed, self._grid.cases[first.case]
        self._case = self._grid.disturbed(self._base, self._found.cell, first.probed.seed)
        self._parts = self._grid.parts(self._base, self._found.cell, first.probed.seed)
        self._shrinker = Shrinker(len(self._parts), seed=self._seed)

    def _steps(self, kept: Sequence[int]) -> tuple[int, ...]:
        """The steps of the parts that are kept."""
        return tuple(number for part in kept for number in self._parts[part])

    def _conclude(self, result: ShrinkResult) -> None:
        if result.why is Why.shrunk and result.kept:
            self._ended = True
            small = keep(self._case, self._base, self._steps(result.kept))
            self._found.shrunk = _shrunk(small, len(self._case.disturb), result, self._spent)
        elif result.why is Why.not_confirmed and self._left:
            self._begin()
        else:
            self.give_up(_why(result.why))


def _clearly(failures: int, sessions: int, plain_failures: int, plain_sessions: int) -> bool:
    """Whether it fails more often disturbed than not (Fisher's exact test, one-sided, 5 %)."""
    law = hypergeometric(sessions + plain_sessions, failures + plain_failures, sessions)
    return upper_tail([law], failures) <= _LEVEL


def _different(failed: Sequence[Seen]) -> list[Seen]:
    """One session of each case and disturbance."""
    return list({(seen.case, seen.probed.seed): seen for seen in reversed(failed)}.values())[::-1]


def _shrunk(case: Case, of: int, result: ShrinkResult, spent: int) -> Shrunk:
    low, high = clopper_pearson(result.failures, result.sessions)
    return Shrunk(
        case=written(case),
        steps=len(case.disturb),
        of=of,
        failures=result.failures,
        sessions=result.sessions,
        low=low,
        high=high,
        spent=spent,
    )


def _why(why: Why) -> str:
    return {
        Why.bare: say("it fails as often without the disturbance", "没有扰动时它同样会失败"),
        Why.not_confirmed: say("no single case of it failed often enough", "没有单个用例足够经常地失败"),
        Why.not_shrunk: say("what was left did not keep failing", "缩小后没有稳定地失败"),
    }.get(why, str(why))
