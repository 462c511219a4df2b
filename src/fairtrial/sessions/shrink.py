"""The smallest part of a disturbance that still makes an agent fail, where it fails only now and then."""

from collections.abc import Generator
from dataclasses import dataclass
from enum import StrEnum
from math import log
from random import Random
from typing import NamedTuple

Kept = tuple[int, ...]

_WEAK, _FINE = 0.5, 0.1
_ALPHA, _BETA = 0.01, 0.02
_LONGEST = 30
_FRESH, _ENOUGH = 20, 8
_ATTEMPTS = 3


class Why(StrEnum):
    """How shrinking came out."""

    shrunk = "shrunk"
    bare = "fails without any step"
    not_confirmed = "does not fail often enough with all steps"
    not_shrunk = "not shrunk"
    unfinished = "unfinished"


@dataclass(frozen=True, kw_only=True)
class ShrinkResult:
    """The steps kept, by number, and how often fresh sessions with just these failed.

    `kept` is None unless `why` is `shrunk` or `bare` (then it is empty: the disturbance is not to blame).
    `failures` of `sessions` are those of the verification alone, none of which took part in choosing the
    steps; `spent` counts every session. The rate is that of the shrunk case, and says nothing of a cause.
    """

    kept: Kept | None
    failures: int
    sessions: int
    spent: int
    why: Why


class _Outcome(NamedTuple):
    kept: Kept | None
    failures: int
    sessions: int
    why: Why


class Shrinker:
    """Drops steps of a disturbance, session by session, as long as sessions keep failing without them.

    Each question (does it still fail with these steps?) is a sequential probability ratio test of a failure
    rate of 0.5 against 0.1 (Wald 1945; errors 0.01 and 0.02, at most 30 sessions); what stays undecided
    keeps the step. Steps of which more passed already are not asked for. What is left is run 20 times afresh
    and must fail 8 times, else all begins again, with the steps in another order, three times at most.
    Raises ValueError for fewer than 0 steps.
    """

    def __init__(self, steps: int, *, seed: int) -> None:
        if steps < 0:
            raise ValueError(f"no number of steps: {steps}")
        self._spent = 0
        self._asking = _shrink(steps, Random(seed))
        self._outcome = _Outcome(None, 0, 0, Why.unfinished)
        self._next: Kept | None = next(self._asking)

    def ask(self) -> Kept | None:
        """The numbers of the steps to keep in the next session, the same until it is told; None when done."""
        return self._next

    def tell(self, failed: bool) -> None:
        """How the session that was asked for ended. Raises ValueError where none was."""
        if self._next is None:
            raise ValueError("no session was asked for")
        self._spent += 1
        try:
            self._next = self._asking.send(failed)
        except StopIteration as end:
            self._next, self._outcome = None, end.value

    @property
    def result(self) -> ShrinkResult:
        """How it came out so far."""
        kept, failures, sessions, why = self._outcome
        return ShrinkResult(kept=kept, failures=failures, sessions=sessions, spent=self._spent, why=why)


def _shrink(steps: int, draw: Random) -> Generator[Kept, bool, _Outcome]:
    every = tuple(range(steps))
    if not (yield from _fails(every)):
        return _Outcome(None, 0, 0, Why.not_confirmed)
    if not steps or (yield from _fails(())):
        failures = yield from _verify(())
        if failures >= _ENOUGH:
            return _Outcome((), failures, _FRESH, Why.bare)
    for attempt in range(_ATTEMPTS if steps else 0):
        order = list(every) if attempt == 0 else draw.sample(every, steps)
        kept = yield from _dropped(order)
        failures = yield from _verify(kept)
        if failures >= _ENOUGH:
            return _Outcome(kept, failures, _FRESH, Why.shrunk)
    return _Outcome(None, 0, 0, Why.not_shrunk)


def _dropped(order: list[int]) -> Generator[Kept, bool, Kept]:
    """What is left of the steps after dropping blocks of a half, a quarter … one of them."""
    passing: list[frozenset[int]] = [frozenset()]
    size = len(order) // 2
    while size:
        for block in [order[at : at + size] for at in range(0, len(order), size)]:
            rest = [step for step in order if step not in block]
            if any(passing_steps.issuperset(rest) for passing_steps in passing):
                continue  # fewer steps than ones that passed already
            if (yield from _fails(tuple(sorted(rest)))):
                order = rest
            else:
                passing.append(frozenset(rest))
        size //= 2
    return tuple(sorted(order))


def _fails(kept: Kept) -> Generator[Kept, bool, bool]:
    """Whether sessions with these steps fail often; False, too, where that stays undecided."""
    evidence = 0.0
    for _ in range(_LONGEST):
        failed = yield kept
        evidence += log(_WEAK / _FINE) if failed else log((1 - _WEAK) / (1 - _FINE))
        if evidence >= log((1 - _BETA) / _ALPHA):
            return True
        if evidence <= log(_BETA / (1 - _ALPHA)):
            return False
    return False


def _verify(kept: Kept) -> Generator[Kept, bool, int]:
    """Failures of fresh sessions with these steps; given up where they can not be enough any more."""
    failures = 0
    for left in reversed(range(_FRESH)):
        failures += yield kept
        if failures + left < _ENOUGH:
            break
    return failures
