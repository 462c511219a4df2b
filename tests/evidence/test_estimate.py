import csv
import random
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from statistics import mean, variance

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.evidence.estimate import summarise
from fairtrial.schema.evidence import Estimate, Summary
from fairtrial.schema.record import Failure, Record, Status, Turn, Usage
from fairtrial.schema.score import About, Row, Score, Unscored, Useful

MakeRow = Callable[..., Row]
Summarise = Callable[..., Summary]


def test_ratio_is_weighted_over_cases_and_averaged_over_trials(row: MakeRow, summary_of: Summarise) -> None:
    rows = [row("core", s, trial=t, weight=3.0) for t, s in enumerate((1.0, 0.0, 0.5))]
    found = summary_of([*rows, row("edge", 1.0, weight=1.0)])
    assert found.ret_ratio.mean == pytest.approx((3 * 0.5 + 1) / 4)
    assert found.ret_ratio.n == 2
    assert found.counts.scored == 4


def test_a_case_without_a_trial_that_counts_leaves_both_sums(row: MakeRow, summary_of: Summarise) -> None:
    rows = [row("a", 1.0, weight=3.0), row("b", weight=1.0, status=Status.timeout)]
    found = summary_of(rows)
    assert found.ret_ratio.mean == 1
    assert found.ret_ratio.n == 1
    assert found.ret_ratio_all.mean == pytest.approx(3 / 4)
    assert found.ret_ratio_all.n == 2
    assert (found.counts.planned, found.counts.scored, found.counts.errored) == (2, 1, 1)
    assert found.counts.by_status == {"completed": 1, "timeout": 1}


def test_an_error_is_no_wrong_answer_within_a_case(row: MakeRow, summary_of: Summarise) -> None:
    found = summary_of([row("a", 1.0), row("a", trial=1, status=Status.rate_limited)])
    assert found.ret_ratio.mean == found.ret_ratio_all.mean == 1


def test_cases_without_rules_are_in_neither_ratio(row: MakeRow, summary_of: Summarise) -> None:
    rows = [
        row("a", 1.0),
        row("judge only", None, hits=False, useful=0.5),
        row("judge only, failed", status=Status.timeout, scorable=False),
    ]
    found = summary_of(rows)
    assert found.ret_ratio_all.n == 1
    assert found.facts["unscorable"] == 2
    assert found.facts["share_without_score"] == 0
    assert found.useful.n == 1


def test_a_rule_that_could_not_be_applied_is_a_missing_score(row: MakeRow, summary_of: Summarise) -> None:
    found = summary_of([row("a", 1.0), row("b", None, hits=True)])
    assert found.facts["unscored"] == 1
    assert found.ret_ratio_all.mean == 0.5
    assert found.facts["share_without_score"] == 0.5


def test_nothing_at_all(summary_of: Summarise) -> None:
    found = summary_of([])
    for estimate in (found.ret_ratio, found.ret_ratio_all, found.useful, found.total):
        assert (estimate.mean, estimate.low, estimate.high, estimate.n) == (None, None, None, 0)
        assert estimate.method.startswith("undetermined")
    assert found.pass_hat_k == {}
    assert found.facts["variance"] is None
    assert found.usage["cost"] == 0 or found.usage["cost"] is None


class TestIntervals:
    def test_wilson_for_unweighted_hits_and_misses(self, row: MakeRow, summary_of: Summarise) -> None:
        found = summary_of([row(f"c{i}", float(i < 19)) for i in range(20)]).ret_ratio
        assert found.method == "wilson"
        assert (found.low, found.high) == pytest.approx((0.7639, 0.9911), abs=5e-5)  # SciPy 1.17

    def test_one_case_has_none(self, row: MakeRow, summary_of: Summarise) -> None:
        found = summary_of([row("a", 1.0, trial=t) for t in range(5)]).ret_ratio
        assert (found.low, found.high) == (None, None)
        assert found.method.startswith("undetermined")

    @pytest.mark.parametrize(
        "change",
        [{"weight": 3.0}, {"cluster": "shared"}],
    )
    def test_not_wilson(self, row: MakeRow, summary_of: Summarise, change: dict[str, object]) -> None:
        rows = [row(f"c{i}", 1.0) for i in range(18)]
        rows += [row(f"d{i}", 0.0, **change) for i in range(2)]
        found = summary_of(rows).ret_ratio
        assert found.method == f"clustered ({19 if 'cluster' in change else 20} clusters)"
        assert found.low is not None

    def test_graded_scores_by_hand(self, row: MakeRow, summary_of: Summarise) -> None:
        found = summary_of([row(f"c{i}", i % 2 * 0.5) for i in range(30)]).ret_ratio
        assert found.method == "clustered (30 clusters)"
        # A 1 and a 0 among them: 32 scores, their variance with n − 1, t of 31 degrees (SciPy 1.17).
        scores = [0.0] * 15 + [0.5] * 15 + [1.0, 0.0]
        half = 2.039513 * (variance(scores) / 32) ** 0.5
        assert (found.low, found.high) == pytest.approx((mean(scores) - half, mean(scores) + half), abs=1e-6)

    def test_cases_of_one_cluster_are_one(self, row: MakeRow, summary_of: Summarise) -> None:
        found = summary_of([row(f"c{i}", i % 3 / 2, cluster=f"t{i // 4}") for i in range(116)]).ret_ratio
        assert found.method == "clustered (29 clusters)"
        assert found.n == 116
        few = summary_of([row(f"c{i}", i % 3 / 2, cluster=f"t{i % 2}") for i in range(116)]).ret_ratio
        assert few.method == "undetermined (2 clusters, 3 needed)"
        assert few.low is None

    def test_no_spread_is_no_certainty(self, row: MakeRow, summary_of: Summarise) -> None:
        found = summary_of([row(f"c{i}", 0.7) for i in range(40)]).ret_ratio
        assert found.low is not None
        assert found.high is not None
        assert found.high - found.low > 0.05


class TestTotal:
    def test_share_of_useful(self, row: MakeRow, summary_of: Summarise) -> None:
        rows = [row(f"c{i}", i % 2, useful=0.5 + i % 3 / 10) for i in range(60)]
        found = summary_of(rows)
        useful = found.useful.mean or 0
        assert found.total.mean == pytest.approx(0.7 * 0.5 + 0.3 * useful)
        assert found.total.method == "clustered (60 clusters; 0.7 ret_ratio + 0.3 useful)"
        assert found.total.n == 60

    def test_influence_of_both_by_hand(self, row: MakeRow, summary_of: Summarise) -> None:
        scores = [(i % 2, 0.5 + i % 3 / 10) for i in range(60)]
        found = summary_of([row(f"c{i}", s, useful=u) for i, (s, u) in enumerate(scores)]).total
        mixed = [0.7 * s + 0.3 * u for s, u in scores] + [1.0, 0.0]
        low = mean(mixed) - 1.999624 * (variance(mixed) / 62) ** 0.5  # t of 61 degrees, SciPy 1.17
        assert found.low == pytest.approx(low, abs=1e-6)

    def test_ratio_alone_where_useful_is_unscored(self, row: MakeRow, summary_of: Summarise) -> None:
        found = summary_of([row(f"c{i}", i % 2) for i in range(40)])
        assert found.total.mean == found.ret_ratio.mean
        assert found.total.low == found.ret_ratio.low
        assert found.total.method == "wilson; ret_ratio alone, useful Unscored for all"

    def test_no_total_without_a_ratio(self, row: MakeRow, summary_of: Summarise) -> None:
        found = summary_of([row("a", None, hits=False, useful=0.9)])
        assert found.total.mean is None
        assert found.useful.mean == 0.9


def test_useful_is_weighted_over_the_cases_that_have_it(row: MakeRow, summary_of: Summarise) -> None:
    rows = [row("a", 1, useful=0.2, weight=3.0), row("b", 1, useful=0.6, unchecked=True), row("c", 1)]
    found = summary_of(rows)
    assert found.useful.mean == pytest.approx((3 * 0.2 + 0.6) / 4)
    assert found.useful.n == 2
    assert found.facts["useful_unchecked"] == 0.5
    assert (found.facts["useful_supported"], found.facts["useful_unsupported"]) == (4, 2)


def test_figures_by_tag(row: MakeRow, summary_of: Summarise) -> None:
    rows = [row("a", 1.0, tags=("记忆", "多轮", "记忆")), row("b", 0.0, tags=("记忆",)), row("c", 1.0)]
    found = summary_of(rows).tags
    assert {tag: (e.mean, e.n) for tag, e in found.items()} == {"记忆": (0.5, 2), "多轮": (1.0, 1)}


def test_pass_hat_k_of_real_runs(shared_data: Path, row: MakeRow, summary_of: Summarise) -> None:
    with (shared_data / "tau_bench_airline_gpt4o" / "outcomes.csv").open() as file:
        outcomes = list(csv.DictReader(file))
    rows = [row(o["task_id"], float(o["reward"]), trial=int(o["trial"])) for o in outcomes]
    found = summary_of(rows)
    # The README of the data's repository prints 0.420, 0.273, 0.220, 0.200.
    assert [found.pass_hat_k[k] for k in "1234"] == pytest.approx([0.420, 0.27333, 0.220, 0.200], abs=5e-6)
    assert found.ret_ratio.mean == pytest.approx(0.42)
    assert found.ret_ratio.n == 50


def test_pass_hat_k_takes_the_cases_with_enough_trials(row: MakeRow, summary_of: Summarise) -> None:
    rows = [row("a", s, trial=t) for t, s in enumerate((1.0, 1.0, 0.5))]
    rows += [row("b", 0.0), row("b", trial=1, status=Status.agent_error)]
    found = summary_of(rows)
    assert found.pass_hat_k == {"1": pytest.approx(1 / 3), "2": pytest.approx(1 / 3), "3": 0}
    assert summary_of(rows, pass_at=0.5).pass_hat_k["3"] == 1


def test_expected_scores(row: MakeRow, summary_of: Summarise) -> None:
    rows = [row(f"c{i}", i / 12, expected_score=i / 10) for i in range(11)] + [row("z", 1.0)]
    facts = summary_of(rows).facts
    assert facts["r_n"] == 11
    assert facts["r"] == pytest.approx(1)
    assert summary_of(rows[:2]).facts["r"] is None


def test_usage_says_what_was_not_told(row: MakeRow, summary_of: Summarise) -> None:
    told = Usage(input_tokens=10, output_tokens=5, cost=0.1)
    rows = [row("a", usage=told, seconds=1.0), row("b", usage=told, seconds=3.0)]
    usage = summary_of(rows).usage
    assert (usage["input_tokens"], usage["input_tokens_unknown"]) == (20, 0)
    assert usage["reasoning_tokens"] is None
    assert usage["cost"] == pytest.approx(0.2)
    assert usage["seconds_median"] == pytest.approx(2.0)
    waited = msgspec.structs.replace(rows[0].record, ended=200.0, waited=180.0)
    waiting = summary_of([msgspec.structs.replace(rows[0], record=waited)]).usage
    assert (waiting["seconds_median"], waiting["waited_seconds"]) == (pytest.approx(10.0), 180.0)
    partly = summary_of([*rows, row("c")]).usage
    assert (partly["input_tokens"], partly["input_tokens_unknown"]) == (20, 1)
    assert partly["cost"] is None
    assert partly["cost_known"] == pytest.approx(0.2)


def test_a_failed_session_has_an_unknown_price(row: MakeRow, summary_of: Summarise) -> None:
    rows = [row("a", usage=Usage(cost=0.1)), row("b", usage=Usage(cost=0.1), status=Status.timeout)]
    assert summary_of(rows).usage["cost"] is None


_some_rows = st.lists(
    st.tuples(
        st.integers(0, 45),
        st.one_of(st.none(), st.sampled_from([0.0, 0.1, 1 / 3, 0.7, 1.0])),
        st.one_of(st.none(), st.floats(0, 1)),
        st.sampled_from([Status.completed, Status.completed, Status.timeout]),
    ),
    max_size=120,
)


def _rows(drawn: list[tuple[int, float | None, float | None, Status]]) -> list[Row]:
    def useful(value: float | None) -> Useful | Unscored:
        if value is None:
            return Unscored(why="-")
        return Useful(value=value, concrete=0, context=0, next_step=0, no_repetition=1)

    return [
        Row(
            record=Record(case=f"c{i}", trial=n, status=status, turns=(Turn(user="u", reply="r"),)),
            score=Score(
                value=score if score is not None and status.counts else Unscored(why="-"),
                useful=useful(help_ if status.counts else None),
            ),
            about=About(
                weight=1.0 + i % 3,
                cluster=None if i % 5 else f"k{i % 2}",
                tags=("even",) if i % 2 == 0 else (),
                expected_score=i / 45,
            ),
        )
        for n, (i, score, help_, status) in enumerate(drawn)
    ]


def _estimates(found: Summary) -> list[Estimate]:
    return [found.total, found.ret_ratio, found.ret_ratio_all, found.useful, *found.tags.values()]


@given(_some_rows)
def test_intervals_hold_their_mean_within_the_scale(drawn: list[tuple[int, float, float, Status]]) -> None:
    for found in _estimates(summarise(_rows(drawn), planned=len(drawn), pass_at=1.0, useful_weight=0.3)):
        assert found.method.split()[0].rstrip(";") in ("wilson", "clustered", "undetermined")
        assert (found.low is None) == (found.high is None) == found.method.startswith("undetermined")
        if found.mean is not None:
            assert 0 <= found.mean <= 1
        if found.low is not None and found.mean is not None and found.high is not None:
            assert 0 <= found.low <= found.mean <= found.high <= 1


@given(_some_rows, st.randoms(use_true_random=False))
def test_order_does_not_matter_to_the_last_bit(
    drawn: list[tuple[int, float, float, Status]], draw: random.Random
) -> None:
    rows = _rows(drawn)
    shuffled = rows[:]
    draw.shuffle(shuffled)
    settings = {"planned": len(rows), "pass_at": 0.7, "useful_weight": 0.3}
    assert summarise(rows, **settings) == summarise(shuffled, **settings)


@given(_some_rows, st.integers(2, 4))
def test_more_of_the_same_trials_never_narrows(
    drawn: list[tuple[int, float, float, Status]], times: int
) -> None:
    once = summarise(_rows(drawn), planned=len(drawn), pass_at=1.0, useful_weight=0.3)
    often = summarise(_rows(drawn * times), planned=len(drawn) * times, pass_at=1.0, useful_weight=0.3)
    for one, many in zip(_estimates(once), _estimates(often), strict=True):
        assert (one.n, one.method) == (many.n, many.method)
        assert (one.mean, one.low, one.high) == pytest.approx((many.mean, many.low, many.high), abs=1e-12)


def test_memory_stays_small_in_a_long_round() -> None:
    def rows(cases: int) -> "list[Row] | object":
        return (
            Row(
                record=Record(case=f"case-{i:06d}", trial=0, status=Status.completed),
                score=Score(value=i % 3 / 2, useful=Unscored(why="-")),
                about=About(tags=("a",)),
            )
            for i in range(cases)
        )

    summarise(rows(40), planned=40, pass_at=1.0, useful_weight=0.3)  # type: ignore[arg-type]
    tracemalloc.start()
    summarise(rows(5000), planned=5000, pass_at=1.0, useful_weight=0.3)  # type: ignore[arg-type]
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak / 5000 < 300


def test_a_case_that_always_fails_does_not_hide_in_a_mean(row: MakeRow, summary_of: Summarise) -> None:
    rows = [row("sure", 1.0, trial=t) for t in range(3)] + [row("never", 0.0, trial=t) for t in range(3)]
    rows += [row("some", float(t > 0), trial=t) for t in range(3)] + [row("silent", None)]
    assert summary_of(rows).pass_rates == {"0/3": 1, "2/3": 1, "3/3": 1}


def test_what_failed_most_is_told(row: MakeRow, summary_of: Summarise) -> None:
    def failed(case: str, message: str) -> Row:
        made = row(case, None, status=Status.infra_error)
        failure = Failure(kind="connection", message=message)
        return msgspec.structs.replace(made, record=msgspec.structs.replace(made.record, failure=failure))

    rows = [row("fine"), failed("a", "refused"), failed("b", "refused"), failed("c", "超时" * 100)]
    assert summary_of(rows).counts.causes == {"refused": 2, "超时" * 80: 1}
    assert summary_of([row("fine")]).counts.causes == {}
