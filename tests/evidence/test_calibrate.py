"""Thresholds and noise floor from the spread of rounds."""

from collections.abc import Sequence

import numpy as np
import pytest
from round_samples import draw, sample

from fairtrial.evidence.alignment import alignment
from fairtrial.evidence.calibrate import Sample, calibrate, cases_of, noise_floor
from fairtrial.evidence.redrawn import changes, levels
from fairtrial.evidence.thresholds import DoubtConfig
from fairtrial.schema.planning import Calibrated

CHANCES = [0.3 + 0.65 * i / 119 for i in range(120)]
NOW = DoubtConfig().resolve("问题集", "full")


def rounds(number: int = 5, **settings: object) -> list[Sample]:
    return [sample(draw(CHANCES, seed=n, **settings), n + 1) for n in range(number)]  # type: ignore[arg-type]


def proposed(samples: Sequence[Sample]) -> Calibrated:
    return calibrate("问题集", samples, NOW, gap=0.1)


def threshold(found: Calibrated, line: str) -> float:
    return next(entry.threshold for entry in found.lines if entry.line == line)


def test_the_lines_lie_just_outside_the_usual_range() -> None:
    samples = rounds()
    found = proposed(samples)
    means = [sample.scores.values.mean() for sample in samples]
    assert max(means) < threshold(found, "too_good") < max(means) + 0.1
    use = [sample.useful.values.mean() for sample in samples]
    assert min(use) - 0.1 < threshold(found, "too_low") < min(use)
    assert 0 < threshold(found, "too_uniform") < min(np.var(s.scores.values, ddof=1) for s in samples)
    # This line looks at the mean of many rounds.
    assert np.mean(use) < threshold(found, "useful_high") < max(use)
    moved = np.abs(np.diff(means)).max()
    assert moved < threshold(found, "jump") < 0.15
    assert {entry.line for entry in found.lines if entry.follows == "power"} == {"few_cases"}
    assert (found.rounds, found.refused, found.cases) == (5, 0, 120)


def test_refused_rounds_take_part_or_the_lines_would_close_in() -> None:
    usual = [sample(draw(CHANCES, seed=n), n + 1) for n in range(4)]
    splendid = sample(draw([0.97] * 120, seed=9), 9, status="unreliable")
    without, with_it = proposed(usual), proposed([*usual, splendid])
    assert with_it.refused == 1
    assert threshold(with_it, "too_good") > threshold(without, "too_good") + 0.2
    assert threshold(with_it, "too_uniform") < threshold(without, "too_uniform")
    assert threshold(with_it, "jump") > threshold(without, "jump")


def test_the_same_rounds_give_the_same_lines() -> None:
    assert proposed(rounds()) == proposed(rounds())


def test_a_threshold_stays_where_its_line_can_light() -> None:
    nearly = [sample(draw([1.0] * 119 + [0.0], seed=n), n + 1) for n in range(3)]
    found = proposed(nearly)
    assert threshold(found, "too_good") == 0.999
    assert threshold(found, "too_uniform") == 1e-6
    assert "jump" not in {entry.line for entry in found.lines}, "every round was alike: nothing to follow"


def test_looser_is_said() -> None:
    lines = {entry.line: entry.looser for entry in proposed(rounds()).lines}
    assert lines["too_good"] is False
    assert lines["useful_falls"] is True, "0.02 is less than 120 cases of this scatter can hold"
    strict = DoubtConfig.model_validate({"too_good": 0.5}).resolve("问题集", "full")
    again = calibrate("问题集", rounds(), strict, gap=0.1)
    assert {entry.line: entry.looser for entry in again.lines}["too_good"] is True


def test_the_reason_is_in_the_readers_language(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAIRTRIAL_LANG", "zh")
    assert all("含被拒" in e.why for e in proposed(rounds()).lines if e.follows == "spread")


def test_redrawn_rounds_scatter_as_the_clustered_error_says() -> None:
    # CR0 of y = 111000110100 in clusters of 3 is 0.1863 (statsmodels 0.15, clustered, no correction).
    scores = [1.0, 1, 1, 0, 0, 0, 1, 1, 0, 1, 0, 0]
    one = sample(draw(scores, seed=0, trials=1, cluster=3), 1)
    redrawn = levels([one.scores], seed=0)
    assert redrawn is not None
    assert redrawn.strata.std() == pytest.approx(0.1863, abs=0.005)
    assert redrawn.strata.mean() == pytest.approx(0.5, abs=0.01)


class TestNoiseFloor:
    """Between rounds of an unchanged agent."""

    def test_it_is_the_error_of_a_difference_that_trials_alone_make(self) -> None:
        found = noise_floor(rounds(6))
        assert found is not None
        assert (found.pairs, found.cases) == (5, 120)
        # Var of a paired mean without a difference is 2·σ²/(K·n), σ² = mean p(1 − p) (Miller 2024, eq. 9).
        sigma2 = np.mean([p * (1 - p) for p in CHANCES])
        assert found.floor == pytest.approx(1.96 * np.sqrt(2 * sigma2 / 3 / 120), rel=0.12)
        assert found.seen < 2 * found.floor

    def test_only_rounds_of_one_fingerprint_count_but_for_seeds(self) -> None:
        a, b, c = (draw(CHANCES, seed=n) for n in range(3))
        assert noise_floor([sample(a, 1, agent="a"), sample(b, 2, agent="b")]) is None
        assert noise_floor([sample(a, 1, agent=None), sample(b, 2, agent=None)]) is None
        found = noise_floor([sample(a, 1, agent="a"), sample(b, 2, agent="b"), sample(c, 3, agent="a")])
        assert found is not None
        assert found.pairs == 1

    def test_drift_shows_above_it(self) -> None:
        worse = [max(0.0, chance - 0.2) for chance in CHANCES]
        found = noise_floor([sample(draw(CHANCES, seed=1), 1), sample(draw(worse, seed=2), 2)])
        assert found is not None
        assert found.seen > 2 * found.floor

    def test_an_agent_that_never_errs_differently_has_none(self) -> None:
        found = noise_floor([sample(draw([1.0, 0.0] * 60, seed=n), n + 1) for n in range(3)])
        assert found is not None
        assert found.floor == found.seen == 0.0


def test_rounds_of_other_cases_are_compared_on_the_shared_ones() -> None:
    one, other = draw(CHANCES[:100], seed=1), draw(CHANCES, seed=2)
    samples = [sample(one, 1), sample(other, 2)]
    assert cases_of(samples) == 120
    moved = changes([s.scores for s in samples], seed=0)
    assert moved is not None
    shared = samples[1].scores.values[:100].mean() - samples[0].scores.values.mean()
    assert moved.strata.mean() == pytest.approx(shared, abs=0.005)


class TestAlignment:
    """|r| beside its history, and twice the sample."""

    def rounds(self, sizes: Sequence[int], slopes: Sequence[float]) -> list[list[tuple[float, float]]]:
        rng = np.random.default_rng(5)
        return [
            [(slope * x + rng.normal(0, 0.3), x) for x in rng.uniform(size=n)]
            for n, slope in zip(sizes, slopes, strict=True)
        ]

    def test_below_thirty_pairs_there_is_nothing_to_say(self) -> None:
        assert alignment(self.rounds([29], [1]), seed=0) is None
        found = alignment(self.rounds([30], [1]), seed=0)
        assert found is not None
        assert (found.n, found.rounds, found.unusual, found.kept) == (30, 0, None, None)

    def test_an_unusual_r_is_told_from_a_usual_one(self) -> None:
        usual = alignment(self.rounds([100] * 5, [1] * 5), seed=0)
        assert usual is not None
        assert usual.unusual is False
        assert usual.usual_low is not None
        assert usual.usual_low < usual.r
        odd = alignment(self.rounds([100] * 5, [1, 1, 1, 1, 9]), seed=0)
        assert odd is not None
        assert odd.unusual is True

    def test_twice_the_sample(self) -> None:
        found = alignment(self.rounds([200], [1]), seed=0)
        assert found is not None
        assert found.kept is True
        assert found.half is not None
        # One pair far off undoes r: wherever the half was drawn without it, r does not last.
        rng = np.random.default_rng(1)
        pairs = [(x / 79 + rng.normal(0, 0.05), x / 79) for x in range(79)] + [(-50.0, 0.9)]
        drawn = [alignment([pairs], seed=seed) for seed in range(8)]
        assert {(one.half or 0) > 0.9 for one in drawn if one and one.kept is False} == {True}

    def test_the_line_follows_its_history(self) -> None:
        expected = [0.2 + 0.6 * i / 119 for i in range(120)]
        found = proposed([sample(draw(expected, seed=n, expected=expected), n + 1) for n in range(4)])
        entry = next(entry for entry in found.lines if entry.line == "correlation")
        assert entry.low is not None
        assert entry.low < found.alignment.r < entry.threshold < 1  # type: ignore[union-attr]
