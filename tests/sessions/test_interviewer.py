"""The interviewer against made-up agents of which every failure rate is known."""

from collections import Counter
from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

from fairtrial.schema.weakness import CellState
from fairtrial.sessions.interviewer import Cell, Finding, Interviewer, Stop

Rates = NDArray[np.float64]


def _interviewer(rates: Rates, *, seed: int = 1, budget: int = 5000, **more: float) -> Interviewer:
    return Interviewer(*rates.shape, runnable=~np.isnan(rates), seed=seed, budget=budget, **more)  # type: ignore[arg-type]


def _interview(rates: Rates, *, seed: int = 1, budget: int = 5000, **more: float) -> Interviewer:
    interviewer, draw = _interviewer(rates, seed=seed, budget=budget, **more), np.random.default_rng(seed)
    while batch := interviewer.batch():
        for cell in batch:
            interviewer.tell(cell, bool(draw.random() < rates[cell]))
    return interviewer


def _found(interviewer: Interviewer) -> set[Cell]:
    return {finding.cell for finding in interviewer.findings() if finding.found}


def _weak_probe(groups: int = 8, probes: int = 5) -> Rates:
    """A probe that fails most sessions from the second intensity on; all else fails 3 %."""
    rates = np.full((groups, probes, 3), 0.03)
    rates[:, 2, 1:] = 0.85
    return rates


def test_a_weak_probe_is_found_in_a_part_of_what_a_grid_takes() -> None:
    rates = _weak_probe()
    interviewer = _interview(rates)
    assert _found(interviewer) == {(g, 2, i) for g in range(8) for i in (1, 2)}
    assert interviewer.stopped is Stop.unlikely
    assert sum(finding.sessions for finding in interviewer.findings()) < 5 * rates.size


def test_an_agent_without_weakness_has_none_found() -> None:
    interviewer = _interview(np.full((8, 5, 3), 0.03))
    assert not _found(interviewer)
    assert interviewer.stopped is Stop.unlikely


def test_the_first_sessions_are_uniform_and_give_the_headline() -> None:
    rates = np.full((4, 3, 3), 0.0)
    rates[0] = 1.0
    drawn: Counter[Cell] = Counter()
    for seed in range(50):
        interviewer = _interviewer(rates, seed=seed, budget=600)
        first = interviewer.batch()
        assert len(first) == 96
        drawn.update(first)
        for cell in first:
            interviewer.tell(cell, rates[cell] == 1)
        second = interviewer.batch()
        assert 0 < len(second) <= 8
        assert len(set(second)) == len(second)
        failed = sum(cell[0] == 0 for cell in first)
        assert interviewer.headline() == (failed, 96)
        for cell in second:
            interviewer.tell(cell, failed=True)
        interviewer.batch()
        assert interviewer.headline() == (failed, 96)
    # 4800 draws over 36 cells: 133 each, with a standard deviation of 11.4.
    assert len(drawn) == 36
    assert all(133 - 5 * 11.4 < times < 133 + 5 * 11.4 for times in drawn.values())


def test_a_small_world_keeps_within_its_budget_and_explores_a_third_of_it() -> None:
    rates = np.full((2, 3, 3), 0.0)
    rates[1, 0] = 1.0
    interviewer = _interviewer(rates, budget=40)
    batches = []
    while batch := interviewer.batch():
        batches.append(batch)
        for cell in batch:
            interviewer.tell(cell, rates[cell] == 1)
    assert len(batches[0]) == 13
    assert sum(map(len, batches)) <= 40
    assert _found(interviewer) == {(1, 0, 0), (1, 0, 1), (1, 0, 2)}


@pytest.mark.parametrize("budget", [0, 1, 2, 5, 97])
def test_no_budget_is_overdrawn(budget: int) -> None:
    interviewer = _interviewer(_weak_probe(), budget=budget)
    asked = 0
    while batch := interviewer.batch():
        asked += len(batch)
        for cell in batch:
            interviewer.tell(cell, failed=True)
    assert asked == budget
    assert interviewer.stopped is Stop.budget


def test_what_cannot_be_run_is_never_asked_nor_listed() -> None:
    rates = _weak_probe()
    rates[3], rates[:, 4], rates[:, 0, 2] = np.nan, np.nan, np.nan
    interviewer, asked = _interviewer(rates), set()
    while batch := interviewer.batch():
        asked.update(batch)
        for cell in batch:
            interviewer.tell(cell, rates[cell] > 0.5)
    assert not any(np.isnan(rates[cell]) for cell in asked)
    listed = [finding.cell for finding in interviewer.findings()]
    assert listed == [tuple(cell) for cell in np.argwhere(~np.isnan(rates)).tolist()]


def test_nothing_to_run_stops_at_once() -> None:
    interviewer = _interviewer(np.full((2, 2, 3), np.nan))
    assert interviewer.batch() == []
    assert interviewer.stopped is Stop.nothing_left
    assert interviewer.findings() == []
    assert interviewer.headline() == (0, 0)


@pytest.mark.parametrize("intensities", [1, 2, 4])
def test_any_number_of_intensities(intensities: int) -> None:
    rates = np.full((6, 4, intensities), 0.0)
    rates[:, 1, -1] = 1.0
    assert _found(_interview(rates)) == {(g, 1, intensities - 1) for g in range(6)}


def _story(
    interviewer: Interviewer, order: Callable[[list[Cell]], list[Cell]], aside: int
) -> list[list[Cell]]:
    """The batches, with answers that depend on the session alone, told in some order; some are lost."""
    batches, asked = [], 0
    while batch := interviewer.batch():
        batches.append(batch)
        answers = {}
        for number, cell in enumerate(batch):
            asked += 1
            if asked % aside:
                answers[number] = (cell, (asked * 7919) % 100 < (80 if cell[1] == 2 else 4))
        for number in order(list(answers)):  # type: ignore[arg-type]
            interviewer.tell(*answers[number])  # type: ignore[index]
    return batches


def test_the_same_answers_lead_the_same_way_whatever_order_they_come_in() -> None:
    """So a run is resumed by going through it again, and a slow answer weighs as much as a quick one."""
    rates = _weak_probe()
    forward, backward = _interviewer(rates), _interviewer(rates)
    assert _story(forward, list, 11) == _story(backward, lambda cells: cells[::-1], 11)
    assert forward.findings() == backward.findings()


def test_another_seed_asks_elsewhere() -> None:
    assert _interviewer(_weak_probe(), seed=1).batch() != _interviewer(_weak_probe(), seed=2).batch()


def test_what_is_not_told_is_set_aside_and_counts_nowhere() -> None:
    interviewer = _interviewer(_weak_probe())
    first = interviewer.batch()
    interviewer.tell(first[5], failed=True)
    assert all(finding.sessions == 0 for finding in interviewer.findings())
    interviewer.batch()
    assert sum(finding.sessions for finding in interviewer.findings()) == 1
    assert interviewer.headline() == (1, 1)
    with pytest.raises(ValueError, match="is waited for"):
        interviewer.tell(first[0], failed=True)


def test_a_cell_that_never_ends_well_is_asked_a_few_times_and_left() -> None:
    interviewer, asked = _interviewer(np.full((1, 1, 1), 0.0), budget=500), 0
    while batch := interviewer.batch():
        asked += len(batch)
    assert interviewer.stopped is Stop.nothing_left
    assert asked < 120
    (finding,) = interviewer.findings()
    assert finding.state is CellState.not_run
    assert (finding.low, finding.high) == (0, 1)


def test_a_found_cell_is_frozen() -> None:
    rates, draw = _weak_probe(), np.random.default_rng(5)
    interviewer = _interviewer(rates, budget=2000)
    seen: dict[Cell, Finding] = {}
    while batch := interviewer.batch():
        for finding in interviewer.findings():
            if finding.found:
                before = seen.setdefault(finding.cell, finding)
                assert (finding.failures, finding.sessions) == (before.failures, before.sessions)
        assert not seen.keys() & set(batch)
        for cell in batch:
            interviewer.tell(cell, bool(draw.random() < rates[cell]))
    assert seen.keys() == _found(interviewer)


def test_states_say_what_is_shown_and_what_is_only_believed() -> None:
    interviewer = _interview(_weak_probe(), seed=3)
    for finding in interviewer.findings():
        assert 0 <= finding.low <= finding.high <= 1
        assert 0 <= finding.weak <= 1
        assert (finding.state is CellState.weak) == finding.found
        assert (finding.state is CellState.not_run) == (finding.sessions == 0)
        if finding.state is CellState.cleared:
            assert finding.high < 0.5
        if finding.state is CellState.unlikely:
            assert finding.high >= 0.5
            assert finding.weak < 0.05


def test_the_interval_of_a_found_cell_pays_for_the_list() -> None:
    """At 0.05 · k/m it is wider than 95 % alone."""
    from fairtrial.sessions.evalues import interval

    interviewer = _interview(_weak_probe())
    findings = interviewer.findings()
    for finding in findings:
        level = 0.05 * len(_found(interviewer)) / len(findings) if finding.found else 0.05
        low, high = interval(finding.failures, finding.sessions, level=level)
        assert (finding.low, finding.high) == pytest.approx((float(low), float(high)))


def test_a_milder_weakness_is_found_by_looking_for_it() -> None:
    rates = np.full((8, 5, 3), 0.05)
    rates[:, 1] = 0.35
    found = _found(_interview(rates, p1=0.35))
    assert len(found & {(g, 1, i) for g in range(8) for i in range(3)}) >= 22


def test_a_shape_that_is_not_the_worlds_is_refused() -> None:
    with pytest.raises(ValueError, match="runnable"):
        Interviewer(2, 3, 3, runnable=np.ones((3, 2, 3), dtype=bool), seed=1, budget=10)


@pytest.mark.slow
def test_false_discoveries_and_false_alarms_stay_below_their_level() -> None:
    """Healthy cells at the very rate that is acceptable, 200 small worlds with weak cells and 200 without."""
    rates = np.full((6, 5, 3), 0.1)
    alarms = [bool(_found(_interview(rates, seed=seed, budget=1500))) for seed in range(200)]
    assert np.mean(alarms) <= 0.05
    rates[:, 1] = 0.7
    weak = {(g, 1, i) for g in range(6) for i in range(3)}
    false = [
        len(found - weak) / max(1, len(found))
        for found in (_found(_interview(rates, seed=seed, budget=1500)) for seed in range(200))
    ]
    assert np.mean(false) <= 0.05
