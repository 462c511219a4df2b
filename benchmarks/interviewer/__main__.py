"""The interviewer beside a full grid and beside chance, on made-up agents of which every rate is known.

    python -m benchmarks.interviewer [--seeds 40] [--alarms 300] [--shrinks 200]

A world is 24 groups × 12 probes × 3 intensities (worlds.py). All ways are run on the same worlds. The grid
and chance are asked until they have the recall that is the target, and until they have the interviewer's.
"""

import argparse
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from benchmarks.interviewer.baselines import at_random, grid
from benchmarks.interviewer.shrinking import NEEDED, RATES, STEPS, shrunk
from benchmarks.interviewer.worlds import WORLDS, World, edge, none
from benchmarks.measuring import machine, met, table
from numpy.typing import NDArray

from fairtrial.schema.weakness import CellState
from fairtrial.sessions.interviewer import Finding, Interviewer
from fairtrial.stats.intervals import clopper_pearson, wilson

BUDGET = 20_000
ROUNDS = 150
"""Of the grid (of chance: half of that times two), after which it is given up."""
KINDS = ("weak and found (as a list)", "weak and missed", "healthy and run", "all that ran")
Held = dict[str, list[tuple[bool, bool]]]


@dataclass(frozen=True, kw_only=True)
class Interview:
    """What came of one interview."""

    recall: float
    false: float
    sessions: int
    never: float
    headline: tuple[bool, float, float]


def interviewed(world: World, seed: int, held: Held) -> tuple[Interview, list[Finding]]:
    """One interview to its own stop; which intervals (anytime, Wilson's) held goes to `held`."""
    draw = np.random.default_rng([seed, 1])
    interviewer = Interviewer(
        *world.rate.shape,
        runnable=np.ones(world.rate.shape, dtype=bool),
        seed=seed,
        budget=BUDGET,
        p0=world.p0,
        p1=world.p1,
    )
    sessions = failures = 0
    while batch := interviewer.batch():
        for cell in batch:
            failed = bool(draw.random() < world.rate[cell])
            interviewer.tell(cell, failed)
            failures += failed
        sessions += len(batch)
    findings = interviewer.findings()
    found = [finding for finding in findings if finding.found]
    hits = sum(bool(world.weak[finding.cell]) for finding in found)
    for finding in findings:
        _hold(finding, float(world.rate[finding.cell]), bool(world.weak[finding.cell]), held)
    low, high = clopper_pearson(*interviewer.headline())
    truth = float(world.rate.mean())
    interview = Interview(
        recall=hits / max(1, int(world.weak.sum())),
        false=(len(found) - hits) / max(1, len(found)),
        sessions=sessions,
        never=float(np.mean([finding.state is CellState.not_run for finding in findings])),
        headline=(low <= truth <= high, failures / sessions, truth),
    )
    return interview, found


def _hold(finding: Finding, rate: float, weak: bool, held: Held) -> None:
    if finding.sessions:
        low, high = wilson(finding.failures, finding.sessions)
        pair = (finding.low <= rate <= finding.high, low <= rate <= high)
        held[KINDS[(0 if finding.found else 1) if weak else 2]].append(pair)
        held[KINDS[3]].append(pair)


def until(
    way: Callable[[World, np.random.Generator], Iterator[tuple[int, float]]],
    worlds: Sequence[World],
    recalls: tuple[float, float],
) -> list[float | None]:
    """Mean sessions of the first round at which the mean recall over all worlds is each of `recalls`."""
    runs = [way(world, np.random.default_rng([seed, 2])) for seed, world in enumerate(worlds)]
    reached: list[float | None] = [None, None]
    for _ in range(ROUNDS):
        sessions, recall = np.mean([next(run) for run in runs], axis=0)
        reached = [
            before if before is not None or recall < wanted else float(sessions)
            for before, wanted in zip(reached, recalls, strict=True)
        ]
        if None not in reached:
            break
    return reached


def row(name: str, seeds: int, held: Held, all_runs: list[Interview]) -> list[str]:
    """One kind of world of the table; its runs go to `all_runs`."""
    worlds = [WORLDS[name](np.random.default_rng([seed, 0])) for seed in range(seeds)]
    runs = [interviewed(world, seed, held)[0] for seed, world in enumerate(worlds)]
    all_runs += runs
    recall, false = np.mean([run.recall for run in runs]), np.mean([run.false for run in runs])
    sessions = float(np.mean([run.sessions for run in runs]))
    wanted, of_grid, of_chance = (0.92, 0.4, None) if name == "isolated" else (0.95, 0.3, 0.25)
    by_grid = until(grid, worlds, (wanted, float(recall)))
    by_chance = until(at_random, worlds, (wanted, float(recall)))
    holds = [recall >= wanted, _share(sessions, by_grid[0]) <= of_grid, false <= 0.05]
    if of_chance:
        holds.append(_share(sessions, by_chance[0]) <= of_chance)
    print(f"  {name}: {recall:.3f} in {sessions:.0f} sessions", flush=True)
    return [
        name,
        f"{recall:.3f} (≥ {wanted})",
        f"{sessions:,.0f}",
        f"{_percent(sessions, by_grid[0])} (≤ {of_grid:.0%})",
        _percent(sessions, by_grid[1]),
        _percent(sessions, by_chance[0]) + (f" (≤ {of_chance:.0%})" if of_chance else ""),
        _percent(sessions, by_chance[1]),
        f"{false:.3f} (≤ 0.05)",
        f"{np.mean([run.never for run in runs]):.0%}",
        met(all(holds)),
    ]


def _share(sessions: float, other: float | None) -> float:
    return 0.0 if other is None else sessions / other


def _percent(sessions: float, other: float | None) -> str:
    return f"{sessions / other:.0%}" if other is not None else f"not reached in {ROUNDS} rounds"


def alarms(make: Callable[[np.random.Generator], World], runs: int, held: Held) -> list[str]:
    """How often something is found where no cell is weak."""
    rung, sessions = 0, []
    for seed in range(runs):
        interview, found = interviewed(make(np.random.default_rng([seed, 0])), seed, held)
        rung += bool(found)
        sessions.append(interview.sessions)
    low, high = wilson(rung, runs)
    print(f"  {make.__name__}: {rung} of {runs}", flush=True)
    share = f"{rung} of {runs} [{low:.3f}, {high:.3f}]"
    return [make.__name__, share, f"{np.mean(sessions):,.0f}", "≤ 5 %", met(rung / runs <= 0.05)]


def headlines(runs: Sequence[Interview]) -> str:
    """The uniform part beside the pooled rate of all sessions."""
    covered, pooled, truth = np.mean([run.headline for run in runs], axis=0)
    return (
        "The rate over uniformly drawn cells (the first 96 sessions, Clopper-Pearson) held the true one in "
        f"{covered:.1%} of {len(runs)} interviews. The pooled rate of all sessions, which is never shown, "
        f"was {pooled:.3f} on average where the truth was {truth:.3f}."
    )


def coverage(held: Held) -> list[list[str]]:
    """How often intervals of cells held, by what became of the cell."""
    rows = []
    for kind, pairs in held.items():
        each: NDArray[np.float64] = np.array(pairs, dtype=float).reshape(-1, 2)
        ours, naive = each.mean(axis=0) if len(each) else (np.nan, np.nan)
        rows.append(
            [kind, f"{len(each):,}", f"{ours:.1%}", f"{naive:.1%}", "≥ 95 %", met(bool(ours >= 0.95))]
        )
    return rows


def shrinking(seeds: int) -> list[list[str]]:
    """A row a failure rate and number of steps, over how many of them it takes and how often others fail."""
    rows = []
    for rate in RATES:
        for steps in STEPS:
            runs = [shrunk(rate, other, steps, needed, seeds) for needed in NEEDED for other in (0.03, 0.1)]
            exact, sessions = np.mean([[run.exact, run.sessions] for run in runs], axis=0)
            worst = max(runs, key=lambda run: run.sessions)
            theirs = np.mean([[run.exact_of_one_run, run.sessions_of_one_run] for run in runs], axis=0)
            rows.append(
                [
                    f"{rate}",
                    f"{steps}",
                    f"{exact:.1%} ({min(run.exact for run in runs):.1%})",
                    f"{sessions:.0f} ({worst.sessions:.0f})",
                    f"{theirs[0]:.1%}",
                    f"{theirs[1]:.0f}",
                    "≥ 95 %, ≤ 130",
                    met(bool(exact >= 0.95 and sessions <= 130)),
                ]
            )
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    for name, value in (("seeds", 40), ("alarms", 300), ("shrinks", 200)):
        parser.add_argument(f"--{name}", type=int, default=value)
    asked = parser.parse_args()
    held: Held = {kind: [] for kind in KINDS}
    runs: list[Interview] = []
    worlds = [row(name, asked.seeds, held, runs) for name in WORLDS]
    quiet = [alarms(make, asked.alarms, held) for make in (none, edge)]
    shrinks = shrinking(asked.shrinks)
    print(f"{machine()}; means over {asked.seeds} worlds of each kind, targets in brackets.\n")
    head = ["world", "recall", "sessions", "of the grid's for the target", "at equal recall"]
    head += ["of chance's for the target", "at equal recall", "false discoveries", "cells never run", ""]
    print(table(head, worlds))
    print("\nNo cell weak: how often one is found.\n")
    print(table(["world", "runs with an alarm", "sessions", "target", ""], quiet))
    print("\nHow often the interval of a cell holds its rate, over all these runs.\n")
    print(table(["cells", "number", "anytime-valid", "Wilson's", "target", ""], coverage(held)))
    print(f"\n{headlines(runs)}\n")
    print(
        "Shrinking: runs that kept just the steps it takes (of the worst kind), mean sessions (likewise).\n"
    )
    head = ["rate", "steps", "exact", "sessions", "one-run delta debugging: exact", "sessions", "target", ""]
    print(table(head, shrinks))


if __name__ == "__main__":
    main()
