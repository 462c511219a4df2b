"""Comparisons of made runs, and of published ones whose figures are known."""

import gzip
import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from fairtrial.evidence.columns import Columns
from fairtrial.evidence.compare import compare
from fairtrial.schema.comparison import Comparison, Verdict
from fairtrial.schema.fingerprint import PartDifference
from fairtrial.schema.record import Record, Status, Turn
from fairtrial.schema.score import About, Row, Score, Unscored

MakeRow = Callable[..., Row]
NONE = Unscored(why="-")


def run(scores: Mapping[str, float | Sequence[float | None] | None], **about: Any) -> Columns:
    """One case an entry: the scores of its trials, None where no answer came."""
    return Columns.of(
        (
            made(case, trial, value, **about)
            for case, values in scores.items()
            for trial, value in enumerate(values if isinstance(values, Sequence) else [values])
        ),
        pass_at=1.0,
    )


def made(
    case: str, trial: int, value: float | None, *, user: str = "", model: str | None = None, **about: Any
) -> Row:
    status = Status.timeout if value is None else Status.completed
    turns = (Turn(user=user, reply="", model=model),) if user or model else ()
    return Row(
        record=Record(case=case, trial=trial, status=status, turns=turns),
        score=Score(value=NONE if value is None else value, useful=NONE),
        about=About(**about),
    )


def said(base: Columns, candidate: Columns, **more: Any) -> Comparison:
    return compare(base, candidate, base_name="old", candidate_name="新", **more)


def lit(found: Comparison) -> set[str]:
    return {doubt.name for doubt in found.doubts if doubt.lit}


def numbered(values: Sequence[float | Sequence[float | None] | None]) -> dict[str, Any]:
    return {f"用例-{n}": value for n, value in enumerate(values)}


@pytest.fixture(scope="module")
def swebench(shared_data: Path) -> Callable[[str], Columns]:
    def read(name: str) -> Columns:
        path = shared_data / "swebench_pro" / f"{name}.eval_results.json.gz"
        return run(
            {case: float(passed) for case, passed in json.loads(gzip.decompress(path.read_bytes())).items()}
        )

    return read


def test_published_runs_compare_as_their_readme_says(
    swebench: Callable[[str], Columns], shared_data: Path
) -> None:
    expected = json.loads((shared_data / "swebench_pro" / "expected.json").read_text())
    assert len(expected["pairs"]) == 10
    for pair in expected["pairs"]:
        found = said(swebench(pair["B"]), swebench(pair["A"]))
        assert found.shared == pair["common"]
        assert (found.mcnemar.b, found.mcnemar.c) == (pair["n10_A_only"], pair["n01_B_only"])
        assert found.mcnemar.p == pytest.approx(pair["mcnemar_exact_two_sided_p"], rel=1e-9)
        assert len(found.gained) == pair["n10_A_only"]
        assert len(found.lost) == pair["n01_B_only"]


def test_claude_against_gpt_5(swebench: Callable[[str], Columns]) -> None:
    found = said(swebench("gpt-5-250-turns-10132025"), swebench("claude-45sonnet-10132025"))
    assert (found.shared, found.only_base, found.only_candidate) == (729, 0, 1)
    assert found.mcnemar.p == pytest.approx(4.7e-5, rel=0.02)
    assert found.verdict is Verdict.better
    assert found.difference.mean == pytest.approx(54 / 729)
    assert found.difference.low == pytest.approx(0.0388, abs=5e-4)
    assert found.candidate_ratios.n_all == 730


def test_many_left_out_turn_the_sign_and_forbid(swebench: Callable[[str], Columns]) -> None:
    # 42.7 % of 562 beats 36.3 % of 729, and 167 of these were never tried.
    found = said(swebench("gpt-5-250-turns-10132025"), swebench("claude-4sonnet-10132025"))
    assert found.difference.mean is not None
    assert found.difference_all.mean is not None
    assert found.difference.mean > 0 > found.difference_all.mean
    assert found.verdict is Verdict.not_shown
    assert {"dropped", "denominators"} <= lit(found)
    assert "denominators" in found.meaning
    assert len(found.dropped) == found.only_base == 167


def test_better_worse_and_not_shown() -> None:
    base = run(numbered([0.0] * 50 + [1.0] * 50))
    up = run(numbered([1.0] * 20 + [0.0] * 30 + [1.0] * 50))
    assert said(base, up).verdict is Verdict.better
    assert said(up, base).verdict is Verdict.worse
    same = said(base, base)
    assert same.verdict is Verdict.not_shown
    assert (same.difference.mean, same.mcnemar.p, same.wilcoxon.p, same.sign_flip.p) == (0.0, 1.0, 1.0, 1.0)
    assert same.smallest_detectable is None
    assert said(base, up).gained == tuple(f"用例-{n}" for n in range(20))
    assert said(up, base).lost == tuple(f"用例-{n}" for n in range(20))


def test_a_case_passes_where_most_of_its_trials_do() -> None:
    base = run({**numbered([1.0] * 20), "多数": [1.0, 1.0, 0.0], "平手": [1.0, 0.0]})
    candidate = run({**numbered([1.0] * 20), "多数": [0.0, 0.0, 1.0], "平手": [1.0, 1.0]})
    found = said(base, candidate)
    assert (found.gained, found.lost) == (("平手",), ("多数",))
    assert (found.trials_base, found.trials_candidate) == (3, 3)


def test_wilcoxon_against_the_mean() -> None:
    # 300 × +1/3 with 101 × −1 has mean −0.0025, and Wilcoxon says better, p = 0.027.
    base = run(numbered([2 / 3] * 300 + [1.0] * 101))
    candidate = run(numbered([1.0] * 300 + [0.0] * 101))
    found = said(base, candidate)
    assert found.difference.mean == pytest.approx(-0.0025, abs=5e-5)
    assert found.wilcoxon.p == pytest.approx(0.027, abs=5e-4)
    assert found.verdict is Verdict.not_shown
    assert "test_against_mean" in lit(found)


def test_a_missing_or_unanswered_case_counts_against_its_side() -> None:
    base = run({**numbered([1.0] * 30), "缺": 1.0, "未答": 1.0, "基准未答": None})
    candidate = run({**numbered([1.0] * 30), "未答": None, "基准未答": 1.0, "新增": 1.0})
    found = said(base, candidate)
    assert (found.shared, found.only_base, found.only_candidate, found.unanswered) == (30, 1, 1, 2)
    assert (found.dropped, found.added) == (("缺",), ("新增",))
    assert found.difference.mean == 0.0
    assert found.difference_all.mean == pytest.approx(-1 / 33)
    assert found.difference_all.n == 33
    assert (found.base_ratios.n, found.base_ratios.n_all) == (32, 33)
    assert found.base_ratios.mean_all == pytest.approx(32 / 33)


def test_a_gain_that_unanswered_cases_take_away_is_not_shown() -> None:
    base = run(numbered([[0.1] * 3] * 30 + [[0.9] * 3] * 20))
    found = said(base, run(numbered([[0.2] * 3] * 30 + [[1.0] * 3] * 15 + [[None] * 3] * 5)))
    assert found.difference.low is not None
    assert found.difference.low > 0
    assert "denominators" in lit(found)
    assert found.verdict is Verdict.not_shown
    whole = said(base, run(numbered([[0.2] * 3] * 30 + [[1.0] * 3] * 20)))
    assert whole.verdict is Verdict.better


def test_weights_and_clusters_count() -> None:
    about = [{"weight": 3.0, "cluster": "模板"}, {"weight": 1.0}]
    rows = [made(f"c{n}", 0, float(side), **about[n % 2]) for side in (0, 1) for n in range(40)]
    base, candidate = (Columns.of(rows[:40], pass_at=1.0), Columns.of(rows[40:], pass_at=1.0))
    found = said(base, candidate)
    assert found.difference.clusters == 21
    assert found.difference.n == 40
    # One cluster has three quarters of the weight: 1/(0.75² + 20 × 0.0125²) = 1.77 effective ones.
    assert found.difference.low is None
    assert found.verdict is Verdict.not_shown


def test_clusters_that_one_side_alone_tells_of_count_whichever_it_is() -> None:
    plain = run(numbered([0.0] * 40))
    told = Columns.of(
        (made(f"用例-{n}", 0, float(n < 20), cluster=f"模板-{n // 8}") for n in range(40)), pass_at=1.0
    )
    one, other = said(plain, told).difference, said(told, plain).difference
    assert (one.clusters, other.clusters) == (5, 5)
    assert (one.low, one.high) == pytest.approx((-(other.high or 0.0), -(other.low or 0.0)))


def test_what_may_not_be_believed_forbids() -> None:
    base, up = run(numbered([0.0] * 50)), run(numbered([1.0] * 50))
    for more, name in (
        ({"unreliable": ["新: unreliable"]}, "unreliable_side"),
        ({"forced": ["prompt"]}, "forced"),
    ):
        found = said(base, up, **more)
        assert found.verdict is Verdict.not_shown
        assert name in lit(found)
        assert name in found.meaning
    assert "no_fingerprint" in lit(said(base, up, fingerprinted=False))
    assert said(base, up, fingerprinted=False).verdict is Verdict.better
    differs = (PartDifference(part="prompt", base="a", candidate="b"),)
    assert said(base, up, differs=differs).differs == differs


def test_few_shared_cases() -> None:
    few = said(run(numbered([0.0] * 19)), run(numbered([1.0] * 19)))
    assert few.verdict is Verdict.not_shown
    assert "few_cases" in lit(few)
    none = said(run({"甲": 1.0}), run({"乙": 1.0}))
    assert (none.shared, none.verdict, none.difference.mean) == (0, Verdict.not_shown, None)
    assert none.mcnemar.p is none.wilcoxon.p is none.sign_flip.p is None


def test_what_a_single_run_is_worth() -> None:
    base = run(numbered([0.0] * 25 + [1.0] * 75))
    up = run(numbered([1.0] * 9 + [0.0] * 16 + [0.0] * 2 + [1.0] * 73))
    found = said(base, up)
    doubt = next(doubt for doubt in found.doubts if doubt.name == "single_trial")
    # 9 gained, 2 lost: exact McNemar 0.06543 (statistics of the field), and √11 of 100 cases is 3.3 points.
    assert doubt.lit
    assert "up to 3.3 points" in doubt.meaning
    assert "chance of 0.0654" in doubt.meaning
    thrice = {name: [value] * 3 for name, value in numbered([0.0] * 50 + [1.0] * 50).items()}
    assert "single_trial" not in lit(said(run(thrice), run(thrice)))
    mostly_once = run({case: trials if case == "用例-0" else trials[:1] for case, trials in thrice.items()})
    assert "single_trial" in lit(said(mostly_once, run(thrice))), "one repeated case tells of no other"


def test_changed_questions_and_simulated_users() -> None:
    def asked(words: str, trials: int = 1) -> Columns:
        rows = [
            made(f"c{n}", trial, 1.0, user=f"{words} {n}" + (f" {trial}" if trials > 1 else ""))
            for n in range(30)
            for trial in range(trials)
        ]
        return Columns.of(rows, pass_at=1.0)

    found = said(asked("退款"), asked("换货"))
    assert "changed_questions" in lit(found)
    assert found.verdict is Verdict.not_shown
    assert "changed_questions" not in lit(said(asked("退款"), asked("退款")))
    varied = said(asked("退款", trials=2), asked("换货", trials=2))
    assert next(d for d in varied.doubts if d.name == "changed_questions").lit is None


def test_mixed_models_and_many_errors() -> None:
    one = Columns.of([made(f"c{n}", 0, 1.0, model="m-1") for n in range(40)], pass_at=1.0)
    two = Columns.of([made(f"c{n}", 0, 1.0, model=f"m-{n % 2}") for n in range(40)], pass_at=1.0)
    assert "mixed_models" in lit(said(one, two))
    assert "mixed_models" not in lit(said(one, one))
    crashed = run(numbered([1.0] * 36 + [None] * 4))
    found = said(run(numbered([1.0] * 40)), crashed)
    assert {"errors"} <= lit(found)
    assert found.verdict is Verdict.not_shown


def test_the_order_of_rows_changes_nothing() -> None:
    values = numbered([[0.1, 0.7, 0.3], [1 / 3, 1.0, 0.9]] * 20)
    rows = [made(case, trial, value) for case, trials in values.items() for trial, value in enumerate(trials)]
    base, again = Columns.of(rows, pass_at=1.0), Columns.of(rows[::-1], pass_at=1.0)
    found = said(base, again)
    assert found.difference.mean == 0.0
    assert found.wilcoxon.p == found.sign_flip.p == 1.0


@pytest.mark.slow
def test_two_runs_of_one_agent_are_seldom_told_apart() -> None:
    """Each verdict at most 2.5 %, and three standard errors of 500 pairs, where nothing changed."""
    rng = np.random.default_rng(7)
    told = Counter[Verdict]()
    for _ in range(500):
        ability = rng.beta(1.5, 1.0, 200)

        def drawn(ability: "np.ndarray[Any, Any]" = ability) -> Columns:
            trials = rng.random((200, 3)) < ability[:, None]
            return Columns.of(
                (
                    made(f"c{n}", k, float(trials[n, k]), tags=(f"t{n % 8}",))
                    for n in range(200)
                    for k in range(3)
                ),
                pass_at=1.0,
            )

        told[said(drawn(), drawn()).verdict] += 1
    assert told[Verdict.better] / 500 < 0.045
    assert told[Verdict.worse] / 500 < 0.045
    assert told[Verdict.mixed] / 500 < 0.045


def test_in_chinese(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAIRTRIAL_LANG", "zh")
    found = said(run(numbered([0.0] * 50)), run(numbered([1.0] * 50)))
    assert found.meaning.startswith("更好：在 50 个共有用例上 +100.0 个百分点 [")
    assert all("详见 docs/doubts.zh.md#" in doubt.advice for doubt in found.doubts)
