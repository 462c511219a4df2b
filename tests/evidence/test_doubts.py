import random
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from fairtrial.evidence.around import Around
from fairtrial.evidence.doubts import judge, status_of
from fairtrial.evidence.thresholds import LINES, DoubtConfig, Thresholds
from fairtrial.schema.evidence import Counts, Doubt, Estimate, Round, Summary
from fairtrial.schema.record import Status
from fairtrial.schema.score import Row

MakeRow = Callable[..., Row]
Summarise = Callable[..., Summary]

FULL = DoubtConfig().resolve(None, "full")
QUICK = DoubtConfig().resolve(None, "quick")
REGRESSION = DoubtConfig.model_validate({"preset": "regression"}).resolve(None, "full")
DOCS = Path(__file__).resolve().parents[2] / "docs"


def lit(doubts: Sequence[Doubt]) -> set[str]:
    return {doubt.name for doubt in doubts if doubt.lit}


def line(name: str, doubts: Sequence[Doubt]) -> Doubt:
    return next(doubt for doubt in doubts if doubt.name == name)


def round_(ret_ratio: float, useful: float | None = 0.5, run: str = "earlier") -> Round:
    def estimate(mean: float | None) -> Estimate:
        return Estimate(mean=mean, low=None, high=None, n=60, method="undetermined")

    return Round(
        run=run,
        started="2026-01-01T00:00:00Z",
        mode="full",
        set_digest="s",
        scorer_digest="c",
        thresholds_digest="t",
        log="l.jsonl",
        counts=Counts(planned=180, scored=180, errored=0),
        total=estimate(ret_ratio),
        ret_ratio=estimate(ret_ratio),
        ret_ratio_all=estimate(ret_ratio),
        useful=estimate(useful),
    )


@pytest.fixture
def healthy(row: MakeRow) -> list[Row]:
    return [row(f"c{i}", i % 4 / 3, trial=t, useful=0.4 + i % 3 / 10) for i in range(60) for t in range(3)]


def test_a_healthy_round_lights_nothing(healthy: list[Row], summary_of: Summarise) -> None:
    doubts = judge(summary_of(healthy), FULL)
    assert lit(doubts) == set()
    assert status_of("full", doubts) == "reliable"
    assert [doubt.name for doubt in doubts] == list(LINES)


def test_six_cases_of_the_article(row: MakeRow, summary_of: Summarise) -> None:
    """Six cases, all but perfect, that follow the expected values with |r| = 0.997."""
    pairs = [(0.95, 0.90), (0.96, 0.92), (0.97, 0.943), (0.98, 0.96), (0.99, 0.979), (1.0, 1.0)]
    rows = [
        row(f"c{i}", score, trial=t, useful=0.6, expected_score=expected)
        for i, (score, expected) in enumerate(pairs)
        for t in range(3)
    ]
    doubts = judge(summary_of(rows), FULL)
    assert lit(doubts) == {"few_cases", "too_good", "too_uniform", "correlation"}
    assert all(doubt.forbids for doubt in doubts if doubt.lit)
    assert status_of("full", doubts) == "unreliable"
    found = line("correlation", doubts)
    assert isinstance(found.value, float)
    assert found.value > 0.99
    for shown in ("n = 6", "95 % interval [", "first differences r ="):
        assert shown in found.meaning


def test_every_line_speaks_both_languages_and_points_into_the_page(
    healthy: list[Row], summary_of: Summarise, monkeypatch: pytest.MonkeyPatch
) -> None:
    english = judge(summary_of(healthy), FULL)
    monkeypatch.setenv("FAIRTRIAL_LANG", "zh")
    chinese = judge(summary_of(healthy), FULL)
    pages = [(DOCS / name).read_text(encoding="utf-8").splitlines() for name in ("doubts.md", "doubts.zh.md")]
    for en, zh in zip(english, chinese, strict=True):
        assert en.advice.endswith(f"docs/doubts.md#{en.name}")
        assert zh.advice.endswith(f"docs/doubts.zh.md#{zh.name}")
        assert en.meaning != zh.meaning
        assert all(f"## {en.name}" in page for page in pages)


def test_few_cases_counts_cases_not_trials(row: MakeRow, summary_of: Summarise) -> None:
    rows = [row(f"c{i}", i % 2, trial=t) for i in range(19) for t in range(10)]
    found = line("few_cases", judge(summary_of(rows), FULL))
    assert (found.value, found.lit, found.forbids) == (19, True, True)
    more = [*rows, row("c19", 0.0)]
    assert line("few_cases", judge(summary_of(more), FULL)).lit is False


def test_few_cases_in_quick_mode(row: MakeRow, summary_of: Summarise) -> None:
    doubts = judge(summary_of([row("a", 1.0), row("b", 0.0)]), QUICK)
    found = line("few_cases", doubts)
    assert found.lit
    assert not found.forbids
    assert "cannot show improvement" in found.meaning
    assert not line("few_trials", doubts).lit
    assert status_of("quick", doubts) == "quick"


def test_a_regression_set_is_saturated_not_broken(row: MakeRow, summary_of: Summarise) -> None:
    rows = [row(f"c{i}", 1.0, trial=t, useful=0.5) for i in range(200) for t in range(3)]
    doubts = judge(summary_of(rows), REGRESSION)
    assert lit(doubts) == {"too_good", "too_uniform"}
    assert all("cannot show improvement" in d.meaning and not d.forbids for d in doubts if d.lit)
    assert status_of("full", doubts) == "reliable"
    assert status_of("full", judge(summary_of(rows), FULL)) == "unreliable"


def test_the_preset_excuses_only_saturation(row: MakeRow, summary_of: Summarise) -> None:
    alike = judge(summary_of([row(f"c{i}", 0.5) for i in range(40)]), REGRESSION)
    assert line("too_uniform", alike).forbids
    rows = [row(f"c{i}", i % 2, useful=0.99) for i in range(40)]
    assert line("too_good", judge(summary_of(rows), REGRESSION)).forbids


def test_useful_can_be_too_good_or_too_low(row: MakeRow, summary_of: Summarise) -> None:
    high = judge(summary_of([row(f"c{i}", i % 2, useful=0.97) for i in range(40)]), FULL)
    assert "too_good" in lit(high)
    low = judge(summary_of([row(f"c{i}", i % 2, useful=0.01) for i in range(40)]), FULL)
    assert "too_low" in lit(low)


def test_one_case_has_no_variance_to_judge(row: MakeRow, summary_of: Summarise) -> None:
    assert line("too_uniform", judge(summary_of([row("a", 1.0)]), FULL)).lit is None


class TestErrors:
    def test_crashing_on_hard_cases_forbids(
        self, healthy: list[Row], row: MakeRow, summary_of: Summarise
    ) -> None:
        crashed = [row(f"h{i}", status=Status.agent_error) for i in range(10)]
        doubts = judge(summary_of([*healthy, *crashed]), FULL)
        found = line("errors", doubts)
        assert (found.lit, found.forbids) == (True, True)
        assert found.value == pytest.approx(10 / 190)
        assert status_of("full", doubts) == "unreliable"

    def test_sessions_that_were_never_held_do_not_count_either(
        self, healthy: list[Row], summary_of: Summarise
    ) -> None:
        found = line("errors", judge(summary_of(healthy, planned=200), FULL))
        assert found.lit
        assert "20 not held" in found.meaning

    def test_nothing_planned_is_not_judged(self, summary_of: Summarise) -> None:
        assert line("errors", judge(summary_of([]), FULL)).lit is None


class TestCorrelation:
    @pytest.mark.parametrize(
        ("n", "noise", "expected"), [(29, 0.5, True), (30, 0.5, False), (60, 0.001, True)]
    )
    def test_near_one_or_any_on_few(
        self, row: MakeRow, summary_of: Summarise, n: int, noise: float, expected: bool
    ) -> None:
        draw = random.Random(4)
        truth = [draw.random() for _ in range(n)]
        rows = [
            row(f"c{i}", min(1.0, t * (1 - noise) + noise * draw.random()), expected_score=t)
            for i, t in enumerate(truth)
        ]
        assert line("correlation", judge(summary_of(rows), FULL)).lit is expected

    def test_near_minus_one_is_near_one(self, healthy: list[Row], summary_of: Summarise) -> None:
        rising = [float(i) for i in range(40)]
        around = Around(series=(rising, [-v + 0.1 * (i % 2) for i, v in enumerate(rising)]))
        assert line("correlation", judge(summary_of(healthy), FULL, around)).lit

    def test_two_series(self, healthy: list[Row], summary_of: Summarise) -> None:
        series = ([1.0, 2.0, 3.0, 4.0, 5.0, 6.0], [1.1, 2.0, 3.05, 4.0, 5.02, 6.1])
        found = line("correlation", judge(summary_of(healthy), FULL, Around(series=series)))
        assert found.lit
        assert "two series" in found.meaning

    def test_none_to_judge(self, healthy: list[Row], summary_of: Summarise) -> None:
        assert line("correlation", judge(summary_of(healthy), FULL)).lit is None
        flat = Around(series=([1.0] * 6, [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]))
        assert line("correlation", judge(summary_of(healthy), FULL, flat)).lit is None


@pytest.mark.parametrize(("share", "expected"), [(None, None), (0.05, False), (0.38, True)])
def test_null_agent(
    healthy: list[Row], summary_of: Summarise, share: float | None, expected: bool | None
) -> None:
    assert line("null_agent", judge(summary_of(healthy), FULL, Around(null_agent=share))).lit is expected


def test_few_trials(row: MakeRow, summary_of: Summarise) -> None:
    rows = [row(f"c{i}", i % 2, trial=t) for i in range(40) for t in range(2)]
    found = line("few_trials", judge(summary_of(rows), FULL))
    assert (found.lit, found.value, found.forbids) == (True, 2, False)


def test_useful_unchecked(row: MakeRow, summary_of: Summarise) -> None:
    rows = [row(f"c{i}", i % 2, useful=0.5, unchecked=i % 3 > 0) for i in range(40)]
    assert line("useful_unchecked", judge(summary_of(rows), FULL)).lit


def test_useful_unscored_and_its_weight(row: MakeRow, summary_of: Summarise) -> None:
    doubts = judge(summary_of([row(f"c{i}", i % 2) for i in range(40)], useful_weight=0.2), FULL)
    assert {"useful_unscored", "useful_weight"} <= lit(doubts)
    assert line("useful_unchecked", doubts).lit is None


class TestHistory:
    @pytest.mark.parametrize(
        ("before", "expected"), [(0.5, False), (0.69, False), (0.71, True), (0.29, True)]
    )
    def test_jump(self, healthy: list[Row], summary_of: Summarise, before: float, expected: bool) -> None:
        around = Around(history=[round_(0.5), round_(before, run="last")])
        found = line("jump", judge(summary_of(healthy), FULL, around))
        assert found.lit is expected
        assert "against last)" in found.meaning

    def test_a_jump_says_what_else_changed(
        self, healthy: list[Row], summary_of: Summarise, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def said(**digests: str) -> str:
            return line(
                "jump", judge(summary_of(healthy), FULL, Around(history=[round_(0.9)], **digests))
            ).meaning

        assert "changed since" not in said(set_digest="s", scorer_digest="c")
        assert "; changed since: the scorer)" in said(set_digest="s", scorer_digest="new")
        monkeypatch.setenv("FAIRTRIAL_LANG", "zh")
        assert "（ret_ratio -0.400，对比 earlier；其间改动了：评分器）" in said(scorer_digest="new")

    def test_nothing_to_jump_from(self, healthy: list[Row], summary_of: Summarise) -> None:
        doubts = judge(summary_of(healthy), FULL)
        assert line("jump", doubts).lit is None
        assert line("useful_falls", doubts).lit is None

    @pytest.mark.parametrize(
        ("ratio", "useful", "expected"),
        [
            (0.45, 0.55, True),
            (0.55, 0.55, False),
            (0.45, 0.45, False),
            (0.49, 0.51, False),
            (0.49, 0.55, False),
            (0.4, None, None),
        ],
    )
    def test_useful_falls_while_ratio_rises(
        self,
        healthy: list[Row],
        summary_of: Summarise,
        ratio: float,
        useful: float | None,
        expected: bool | None,
    ) -> None:
        around = Around(history=[round_(ratio, useful)])
        assert line("useful_falls", judge(summary_of(healthy), FULL, around)).lit is expected

    @pytest.mark.parametrize(("rounds", "expected"), [(8, None), (9, True)])
    def test_useful_high_over_a_long_history(
        self, row: MakeRow, summary_of: Summarise, rounds: int, expected: bool | None
    ) -> None:
        summary = summary_of([row(f"c{i}", i % 2, useful=0.93) for i in range(40)])
        around = Around(history=[round_(0.5, 0.92)] * rounds)
        assert line("useful_high", judge(summary, FULL, around)).lit is expected

    def test_lines_that_light_in_most_rounds(self, healthy: list[Row], summary_of: Summarise) -> None:
        def often(recent: list[set[str]], thresholds: Thresholds = FULL) -> Doubt:
            return line("often_lit", judge(summary_of(healthy), thresholds, Around(recent=recent)))

        assert often([{"jump"}] * 3).lit is None
        found = often([{"jump"}, {"jump", "errors"}, {"jump", "often_lit"}, {"often_lit"}])
        assert (found.lit, found.value) == (True, 0.6)
        assert "jump 3/5" in found.meaning
        assert "often_lit" not in found.meaning
        assert often([{"jump"}, set(), {"errors"}, {"jump"}]).lit is False
        assert often([{"too_good"}] * 9, REGRESSION).lit is False
        assert often([{"few_cases"}] * 9, QUICK).lit is False
        assert often([{"useful_unscored"}] * 9).lit is False
        assert often([{"jump"}] * 20 + [set()] * 9).value == 0
        assert often([{"jump"}] * 20 + [set()] * 8).value == 0.1


def test_a_line_made_forbidding_forbids(healthy: list[Row], summary_of: Summarise) -> None:
    strict = DoubtConfig.model_validate({"jump": {"forbids": True}}).resolve(None, "full")
    doubts = judge(summary_of(healthy), strict, Around(history=[round_(0.9)]))
    assert status_of("full", doubts) == "unreliable"
