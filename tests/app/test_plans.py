"""Plans: what a difference needs, and what a planned run can show and costs."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from round_samples import draw, log

from fairtrial.app.power import Asked, power
from fairtrial.errors import BadInput

CHANCES = [(i + 0.5) / 400 for i in range(400)]


@pytest.fixture
def empty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder without a project."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def written(folder: Path, chances: Sequence[float] = CHANCES, **settings: object) -> Path:
    return log(folder / "logs", draw(chances, seed=1, **settings), 1)  # type: ignore[arg-type]


def test_without_a_log_by_the_figures_of_the_literature(empty: Path) -> None:
    found = power(None, Asked(cases=969))
    # Miller 2024, arXiv:2411.00640, section 5: ω² = 1/9, σ² = 1/6, 3 points.
    assert {row.trials: row.cases for row in found.table} == {1: 3876, 3: 1938, 5: 1551, 10: 1260, None: 969}
    assert found.table[-1].detectable == pytest.approx(0.03, abs=1e-4)
    assert found.variances.log is None
    assert "assumed" in found.variances.method
    assert (found.seconds, found.cost) == (None, None)
    assert (found.trials, found.sessions) == (3, 2907)


def test_a_log_is_measured(empty: Path) -> None:
    found = power(written(empty, trials=5), Asked())
    # Chances uniform between cases: E p(1 − p) = 1/6, Var p = 1/12, and ω² = 2 (1 − 1/3)/12 = 1/9.
    assert found.variances.sigma2 == pytest.approx(1 / 6, rel=0.1)
    assert found.variances.omega2 == pytest.approx(1 / 9, rel=0.15)
    assert found.variances.design_effect == pytest.approx(1, abs=0.01)
    assert found.cases == 400
    assert found.variances.log == "2026-11-01T00-00-00Z-00000000"


def test_two_versions_on_the_same_cases_are_measured_as_a_pair(empty: Path) -> None:
    before = written(empty, trials=5)
    after = log(empty / "logs", draw(CHANCES, seed=2, trials=5), 2)
    alone, pair = power(before, Asked()), power(before, Asked(), other=after)
    # The same chances on both sides: nothing differs but the draw of the trials.
    assert pair.variances.omega2 == pytest.approx(0, abs=0.01)
    assert pair.variances.sigma2 == pytest.approx(1 / 6, rel=0.1)
    assert pair.detectable < alone.detectable
    assert "pair" in pair.variances.method


def test_a_pair_that_differs_by_its_trials_alone_says_so(empty: Path) -> None:
    before = log(empty / "logs", draw([0.5] * 200, seed=1, trials=3), 1)
    after = log(empty / "logs", draw([0.5] * 200, seed=4, trials=3), 2)
    found = power(before, Asked(), other=after).variances
    assert found.omega2 == 0
    assert "do not differ" in found.method


def test_a_pair_of_other_cases_is_refused(empty: Path) -> None:
    before = written(empty)
    table = empty / "other.csv"
    table.write_text("id,score\nelsewhere,1\n", encoding="utf-8")
    with pytest.raises(BadInput, match="share no case"):
        power(before, Asked(), other=table)


def test_the_latest_log_is_the_one_that_is_read(empty: Path) -> None:
    written(empty, CHANCES[:100])
    later = log(empty / "logs", draw(CHANCES[:120], seed=2), 2)
    assert power(None, Asked()).cases == 120
    assert power(None, Asked()).variances.log == later.stem


def test_cases_in_clusters_count_less(empty: Path) -> None:
    alike = [chance for chance in (0.0, 1.0) * 30 for _ in range(3)]
    rows = draw(alike, seed=1, cluster=3)
    found = power(log(empty / "logs", rows, 1), Asked(difference=0.1))
    assert found.variances.design_effect == pytest.approx(3, abs=0.05)
    apart = power(log(empty / "logs", draw(alike, seed=1), 2), Asked(difference=0.1))
    assert found.table[0].cases == pytest.approx(3 * apart.table[0].cases, abs=3)
    assert found.detectable == pytest.approx(3**0.5 * apart.detectable)


def test_time_and_money_are_those_of_the_log_and_unknown_stays_unknown(empty: Path) -> None:
    told = power(log(empty / "logs", draw(CHANCES, seed=1, cost=0.02), 1), Asked(cases=100, trials=2))
    assert told.sessions == 200
    assert told.seconds == pytest.approx(200 * 2.0 / 2), "two at a time, two seconds each"
    assert told.cost == pytest.approx(4.0)
    assert power(log(empty / "logs", draw(CHANCES, seed=2), 2), Asked()).cost is None


def test_a_log_of_one_trial_cannot_tell_noise_from_cases(empty: Path) -> None:
    found = power(written(empty, trials=1), Asked())
    assert found.variances.log is None
    assert found.variances.sigma2 == pytest.approx(1 / 6)


def test_the_project_says_what_is_planned(empty: Path) -> None:
    (empty / "cases.json").write_text(
        json.dumps([{"id": f"例{i}", "input": "?", "expect": "x"} for i in range(40)])
    )
    (empty / "fairtrial.toml").write_text('[run]\ncases = ["cases.json"]\ntrials = 5\n')
    found = power(None, Asked())
    assert (found.cases, found.trials, found.sessions) == (40, 5, 200)
    assert power(None, Asked(cases=7, trials=1)).sessions == 7
    assert "40 cases × 5 trials on each side show a difference of 18." in found.meaning


def test_more_trials_and_more_cases_show_smaller_differences(empty: Path) -> None:
    detectable = [row.detectable for row in power(None, Asked(cases=200)).table]
    assert detectable == sorted(detectable, reverse=True)
    assert power(None, Asked(cases=400)).detectable < power(None, Asked(cases=200)).detectable
    few = power(None, Asked(cases=1))
    assert few.detectable > 1
    assert "no difference at all" in few.meaning


@pytest.mark.parametrize(
    "asked",
    [
        *(Asked(difference=wrong) for wrong in (0, 3, 1e-200, float("nan"))),
        *(Asked(power=wrong) for wrong in (1.0, 80, 0.01)),
    ],
)
def test_shares_are_shares(empty: Path, asked: Asked) -> None:
    with pytest.raises(BadInput, match=r"does not lie between 0\.\S+ and 1"):
        power(None, asked)


def test_nothing_to_plan_by(empty: Path) -> None:
    with pytest.raises(BadInput, match="--cases: no case set and no log"):
        power(None, Asked())
