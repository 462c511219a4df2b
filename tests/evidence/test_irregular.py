"""Names, numbers and grouping: each irregularity is seen, and what only looks like one is not."""

import random
from collections.abc import Sequence
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.evidence import identity, irregular
from fairtrial.evidence.side import Side, contradicts, same_text, says_error
from fairtrial.schema.record import Record, Status, Turn
from fairtrial.schema.score import About, Hit, Row, Score, Unscored

NONE = Unscored(why="not measured")


def row(
    case: str,
    value: float | None = 1.0,
    *,
    trial: int = 0,
    asked: str = "",
    reply: str = "",
    status: Status = Status.completed,
    model: str | None = None,
    hits: tuple[Hit, ...] = (),
    **about: Any,
) -> Row:
    turns = (Turn(user=asked, reply=reply, model=model),) if asked or reply or model else ()
    return Row(
        record=Record(case=case, trial=trial, status=status, turns=turns),
        score=Score(value=NONE if value is None else value, hits=hits, useful=NONE),
        about=About(**about),
    )


def side(rows: Sequence[Row], name: str = "file", *, ours: bool = False) -> Side:
    return Side.of(rows, name=name, ours=ours)


def of_ids(*ids: str) -> Side:
    return side([row(name) for name in ids])


def test_a_side_keeps_each_case_once_with_the_mean_of_its_scored_sessions() -> None:
    found = side([row("a", 1.0), row("b", 0.0), row("a", 0.0, trial=1), row("c", None)])
    assert found.ids == ("a", "b", "c")
    mean, scored = found.means()
    assert mean[:2].tolist() == [0.5, 0.0]
    assert mean[2] != mean[2]
    assert scored.tolist() == [2, 1, 0]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("1", "1.0"),
        ("1", "01"),
        ("q1", "q1 "),
        ("1", "１"),
        ("Q1", "q1"),
        ("问题１", "问题1"),
        ("7", "007.00"),
        ("q1", "\ufeffq1"),
        ("退款1", "退款\u200b1"),
    ],
)
def test_two_spellings_of_one_id(one: str, other: str) -> None:
    found = identity.alike_ids([one, "zz", other])
    assert (found.lit, found.value) == (True, 1)
    assert repr(one) in found.detail
    assert repr(other) in found.detail


def test_ids_that_are_different_stay_so() -> None:
    names = ["1", "10", "100", "1.5", "q1", "q01", "q-1", "a1", "1a", "v1.0", "v1", "问题1", "问题10"]
    assert identity.alike_ids(names).lit is False


@given(st.sets(st.integers(min_value=0), max_size=50))
def test_plain_numbers_are_never_two_spellings(numbers: set[int]) -> None:
    assert identity.alike_ids(str(number) for number in numbers).lit is False


def test_a_case_that_stands_twice_in_one_trial() -> None:
    rows = [row(f"q{i}", trial=t) for i in range(20) for t in range(3)]
    assert identity.duplicate_ids(side(rows), True).lit is False
    found = identity.duplicate_ids(side([*rows, row("q3", 1.0, trial=1), row("q4", 0.0)]), True)
    assert (found.lit, found.value) == (True, 2)
    assert "2: q3, q4; 1 of them with different scores" in found.detail


def test_without_a_trial_column_some_repeats_are_duplicates_and_regular_ones_are_trials() -> None:
    once = [row(f"q{i}") for i in range(20)]
    few = side([*once, row("q3", trial=1), row("q4", 0.0, trial=1)])
    assert identity.duplicate_ids(few, False).value == 2
    assert identity.trials_as_cases(few, False, None).lit is False
    all_twice = side([*once, *(row(f"q{i}", trial=1) for i in range(20))])
    assert identity.duplicate_ids(all_twice, False).lit is False
    found = identity.trials_as_cases(all_twice, False, None)
    assert (found.lit, found.value) == (True, 2)
    assert "40 rows are 20 cases in 2 trials" in found.detail
    assert identity.trials_as_cases(all_twice, True, None).lit is False


@pytest.mark.parametrize(
    "form",
    [
        *("{}_t{}", "{}#{}", "{}-run{}", "{} ({})", "{}@{}", "{}（{}）", "{}/trial_{}", "{}第{}次", "{}[{}]"),
        *("{} / attempt {}", "{}（第{}次）", "{}【第{}轮】", "{}-运行{}", "{}.trial{}", "{}/run_{:02}"),
        *("run{1}/{0}", "attempt-{1}:{0}", "第{1}次-{0}"),
    ],
)
def test_ids_that_differ_in_a_trial_alone(form: str) -> None:
    rows = [row(form.format(f"退款-{i}", t), i % 3 / 2) for i in range(30) for t in (1, 2, 3)]
    repeats = identity.repeats(side(rows))
    assert repeats is not None
    assert (repeats.trials, repeats.cases) == (3, 30)
    assert identity.trials_as_cases(side(rows), True, repeats).lit
    # One in six was asked twice only.
    some = identity.repeats(side(rows[:-15] + rows[-15::3] + rows[-14::3]))
    assert some is not None
    assert (some.trials, some.cases) == (3, 30)


@pytest.mark.parametrize(
    "ids",
    [
        [f"gsm8k-sample-{i}" for i in range(90)],
        [f"{kind}_sample_{i}" for i in range(45) for kind in ("math", "code")],
        [f"HumanEval/{i}" for i in range(90)],
        [f"run_{i:03}" for i in range(90)],
    ],
)
def test_one_name_with_all_numbers_is_a_set(ids: Sequence[str]) -> None:
    assert identity.repeats(of_ids(*ids)) is None
    assert identity.repeats(side([row(name, asked="Sum up the text below.") for name in ids])) is None


@pytest.mark.parametrize("form", ["p{}_t{}", "topic{}#{}", "user{}-r{}", "test{}[{}]"])
def test_a_mark_is_a_trial_s_only_where_the_cases_of_a_name_fare_alike(form: str) -> None:
    rows = [row(form.format(i, t), (i + t) % 2) for i in range(30) for t in (1, 2, 3)]
    assert identity.repeats(side(rows)) is None


@pytest.mark.parametrize(
    "form", ["{0}-{1}", "q{0:02}{1}", "shop/{0}/case_{1}", "TC-2024-{0:03}{1}", "{0}.{1}", "set{0}_q{1}"]
)
def test_numbers_of_cases_are_no_trials(form: str) -> None:
    found = side([row(form.format(i, t)) for i in range(30) for t in (1, 2, 3)])
    assert identity.repeats(found) is None


def test_a_bare_number_is_a_trial_where_the_cases_of_a_name_ask_the_same() -> None:
    rows = [row(f"q{i}-{t}", asked=f"question {i}") for i in range(30) for t in (1, 2, 3)]
    repeats = identity.repeats(side(rows))
    assert repeats is not None
    assert identity.clones(side(rows), repeats).lit is False


def test_a_trial_by_name_that_asks_something_else_is_a_case() -> None:
    rows = [row(f"doc{i}#{t}", asked=f"doc {i}: question {t}") for i in range(30) for t in (1, 2, 3)]
    assert identity.repeats(side(rows)) is None


def test_the_same_question_under_several_ids() -> None:
    rows = [row(f"q{i}", asked=f"退款，单号{i}？") for i in range(20)]
    assert identity.clones(side(rows), None).lit is False
    again = [row("x3", asked=" 退款,单号3 ？ "), row("x4", asked="退款，单号４?")]
    found = identity.clones(side([*rows, *again]), None)
    assert found.value == 2
    assert "q3 = x3" in found.detail


@pytest.mark.parametrize(
    ("one", "other"), [("3 + 5 = ?", "3 - 5 = ?"), ("Is 1.5 < 2?", "Is 15 < 2?"), ("为 A", "为 B")]
)
def test_signs_that_change_a_question_are_kept(one: str, other: str) -> None:
    assert same_text(one) != same_text(other)


def test_copies_by_name_with_the_same_score() -> None:
    ids = ["q1", "q2", "q2_copy", "q3", "q3 (2)", "q4 副本", "q4"]
    assert identity.clones(of_ids(*ids), None).value == 3
    differing = side([row("q1", 1.0), row("q1 (2)", 0.0), row("q2", 1.0)])
    assert identity.clones(differing, None).lit is None


def test_a_copy_of_a_file_is_another_task_than_the_file() -> None:
    tasks = [f"{place}{kind}" for place in "abcdefgh" for kind in ("", "_copy")]
    scored = side([row(name, float(at % 3 > 0)) for at, name in enumerate(tasks)])
    assert identity.clones(scored, None).lit is None
    for question in ("List what is in a.txt", "Hi"):
        asked = [row("file", asked=question), row("file_copy", asked="Copy a.txt to b.txt")]
        assert identity.clones(side(asked), None).lit is False


@pytest.mark.parametrize("greeting", ["你好", "在吗？", "Hello!", "ok", "Thank you."])
def test_a_greeting_tells_no_case_from_another(greeting: str) -> None:
    rows = [row("a", asked=greeting), row("b", asked=greeting), row("c", asked="退款，单号3？")]
    assert identity.clones(side(rows), None).lit is False


@pytest.mark.parametrize("name", ["context", "document", "材料"])
def test_a_question_about_other_material_is_another(name: str) -> None:
    def about(case: str, text: str) -> Row:
        plain = row(case, asked="Who signed the contract?")
        return msgspec.structs.replace(
            plain, record=msgspec.structs.replace(plain.record, extra={name: text})
        )

    assert identity.clones(side([about("a", "one"), about("b", "two")]), None).lit is False
    assert identity.clones(side([about("a", "one"), about("b", "one")]), None).lit is True


@pytest.mark.parametrize(
    ("models", "several"),
    [
        (["gpt-4o", "openai/gpt-4o", "GPT-4o "], False),
        (["gpt-4o", "gpt-4o-mini"], True),
        (["azure/gpt-4o", "openai/gpt-4o"], True),
        (["gpt-4o", "azure/gpt-4o", "openai/gpt-4o"], True),
    ],
)
def test_a_model_named_in_several_ways_is_one(models: Sequence[str], several: bool) -> None:
    found = side([row(f"q{at}", model=model) for at, model in enumerate(models)])
    assert (len(found.models) > 1) is several


def test_a_question_is_that_of_all_turns() -> None:
    def talk(case: str, *said: str) -> Row:
        turns = tuple(Turn(user=text, reply="ok") for text in said)
        record = Record(case=case, trial=0, status=Status.completed, turns=turns)
        return Row(record=record, score=Score(value=1.0, useful=NONE))

    rows = [talk("a", "Hello", "cancel it"), talk("b", "Hello", "change it")]
    assert identity.clones(side(rows), None).lit is False


@pytest.mark.parametrize(
    "reply",
    [
        "Error: 429 Too Many Requests",
        "openai.RateLimitError: Error code: 429 - rate limit reached",
        "HTTP 503 Service Unavailable",
        "Request timed out.",
        "错误：请求超时",
        "请求过于频繁，请稍后再试",
        "Traceback (most recent call last): …",
        "Rate limit exceeded",
        "502 Bad Gateway ",
        "Connection refused",
        "网络异常，请求超时",
        "服务器内部错误",
        "requests.exceptions.ReadTimeout: HTTPSConnectionPool(host='api')",
        '{"error": {"code": 500}}',
        "The request timed out after 60 s",
        "Requests have exceeded the call rate limit of your tier. Please retry after 20 seconds.",
    ],
)
def test_replies_that_are_messages_of_failed_requests(reply: str) -> None:
    assert says_error(reply)
    found = irregular.errors_as_wrong(side([row("q1", 0.0, reply=reply), row("q2", 0.0, reply="no")]))
    assert (found.lit, found.detail) == (True, "1: q1")
    # What passed was an answer, and what was left without a score is not counted.
    assert irregular.errors_as_wrong(side([row("q1", 1.0, reply=reply)])).lit is False


@pytest.mark.parametrize(
    "reply",
    [
        "There is an error in line 3: use `=` instead.",
        "Your order 503 is on its way.",
        "The rate limit of your plan is 60 requests a minute.",
        "抱歉，这个错误代码表示库存不足。",
        "I timed out the auction.",
        "500 people attended the meeting.",
        "HTTP 503 means the service is down.",
        "Rate limits are 60 requests a minute.",
        "请求超时一般是网络不稳定造成的。",
        "Connection refused means that nobody listens there.",
        "Timeout: the default is 30 seconds.",
        "A 429 means that you sent too many requests; wait a minute.",
        "Please close the app and retry after 30 seconds.",
        "x" * 500 + " 429 Too Many Requests",
        "",
    ],
)
def test_replies_that_speak_of_errors_are_answers(reply: str) -> None:
    assert not says_error(reply)


def test_where_error_messages_earn_points_they_are_answers() -> None:
    rows = [row(f"q{i}", i % 2, reply="Error: the word is misspelt.") for i in range(20)]
    assert irregular.errors_as_wrong(side(rows)).lit is False
    assert irregular.errors_as_wrong(side([row(f"q{i}", 0.0, reply="Error: x") for i in range(20)])).lit


def test_failed_sessions_with_a_score() -> None:
    rows = [
        row("a", 0.0, status=Status.timeout),
        row("b", None, status=Status.rate_limited),
        row("c", 0.0, status=Status.truncated),
    ]
    assert irregular.errors_as_wrong(side(rows)).detail == "1: a"


def rules(*met: bool, shares: Sequence[float] = (1.0, 1.0, 2.0), critical: bool = False) -> tuple[Hit, ...]:
    return tuple(
        Hit(rule="contains", met=one, share=share, critical=critical)
        for one, share in zip(met, shares, strict=False)
    )


@pytest.mark.parametrize(
    ("value", "hits", "exact", "wrong"),
    [
        (0.5, rules(True, True, False), True, False),
        (0.75, rules(True, True, False), True, True),
        (0.75, rules(True, True, False), False, False),
        (1.0, rules(True, True, False), False, True),
        (0.0, rules(True, True, True), False, True),
        (0.5, rules(False, critical=True), False, True),
        (0.0, rules(False, critical=True), True, False),
        (0.3, (Hit(rule="given", met=False, share=1.0),), False, False),
        (0.3, (Hit(rule="broken", met=None, share=1.0),), True, False),
        (0.3, (), True, False),
    ],
)
def test_a_score_against_its_rules(value: float, hits: tuple[Hit, ...], exact: bool, wrong: bool) -> None:
    assert contradicts(Score(value=value, hits=hits, useful=NONE), exact=exact) is wrong
    found = irregular.contradictions(side([row("q", value, hits=hits)], ours=exact))
    assert found.lit is wrong


# Wilson's lower end at 20 of 20: 0.8389 (statsmodels 0.15, proportion_confint(20, 20, method="wilson")).
def test_all_passing_says_little_of_few() -> None:
    found = irregular.saturated(of_ids(*(f"q{i}" for i in range(20))))
    assert found.value == pytest.approx(0.8389, abs=5e-5)
    assert found.lit
    assert irregular.saturated(of_ids(*(f"q{i}" for i in range(73)))).lit is False
    assert irregular.saturated(side([row("a"), row("b", 0.0)])).lit is False


def test_every_case_alike() -> None:
    assert irregular.constant(side([row(f"q{i}", 0.5) for i in range(20)])).lit
    assert irregular.constant(side([row(f"q{i}", 0.5) for i in range(4)])).lit is False
    assert irregular.constant(side([row(f"q{i}", i / 40) for i in range(20)])).lit is False
    few_passing = of_ids(*(f"q{i}" for i in range(20)))
    assert irregular.constant(few_passing).lit is False  # that is `saturated`
    assert irregular.constant(of_ids(*(f"q{i}" for i in range(100)))).lit


def clustered(seed: int, *, alike: float, of: int = 5, n: int = 200) -> list[Row]:
    """Pass or fail in clusters; with chance `alike` a case fares as its cluster does."""
    draw = random.Random(seed)
    common = [float(draw.random() < 0.5) for _ in range(n // of)]
    return [
        row(
            f"q{i}",
            common[i // of] if draw.random() < alike else float(draw.random() < 0.5),
            cluster=f"g{i // of}",
        )
        for i in range(n)
    ]


def test_clusters_that_fare_alike_are_worth_fewer_cases() -> None:
    found = irregular.clusters([side(clustered(1, alike=1.0))])
    assert found.lit
    assert found.value == pytest.approx(40, abs=0.5)  # one case a cluster
    assert found.threshold == 160
    assert irregular.clusters([side(clustered(1, alike=0.7))]).lit
    assert irregular.clusters([side([row(f"q{i}", i % 2) for i in range(50)])]).lit is None


def test_clusters_without_anything_in_common_are_quiet() -> None:
    lit = [irregular.clusters([side(clustered(seed, alike=0.0))]).lit for seed in range(300)]
    assert sum(bool(one) for one in lit) <= 3  # 300 draws at 0.001: more than 3 once in 4,000 times


@pytest.mark.slow
@pytest.mark.parametrize(("of", "n"), [(3, 30), (4, 60), (5, 200), (10, 800)])
def test_clusters_light_by_chance_in_fewer_than_three_of_a_thousand(of: int, n: int) -> None:
    draws = 4000
    lit = sum(
        bool(irregular.clusters([side(clustered(seed, alike=0.0, of=of, n=n))]).lit) for seed in range(draws)
    )
    assert lit <= 0.003 * draws


def test_p_is_that_of_an_analysis_of_variance_and_n_eff_that_of_its_icc() -> None:
    """Against scipy.stats.f_oneway, an implementation of its own."""
    from scipy.stats import f_oneway

    rows = clustered(3, alike=0.5, of=4, n=160)
    groups: dict[str | None, list[float]] = {}
    for one in rows:
        assert isinstance(one.score.value, float)
        groups.setdefault(one.about.cluster, []).append(one.score.value)
    f, p = f_oneway(*groups.values())
    icc = (f - 1) / (f + 3)
    found = irregular.clusters([side(rows)])
    assert found.value == pytest.approx(160 / (1 + 3 * icc), abs=0.06)
    assert f"p = {p:.1g}" in found.detail


def test_likeness_of_few_clusters_may_be_chance() -> None:
    rows = [row(f"q{i}", float(i < 2), cluster=f"g{i // 2}") for i in range(6)]
    assert irregular.clusters([side(rows)]).lit is None


def test_rows_that_one_side_lacks() -> None:
    base = side([row(f"q{i}", float(i < 60)) for i in range(100)], "base")
    candidate = side([row(f"q{i}", float(i < 60)) for i in range(80)], "candidate")
    found = identity.dropped_rows(base, candidate)
    assert (found.lit, found.value, found.forbids) == (True, 20, True)
    assert "candidate lacks 20: q80" in found.detail
    assert "60/80 = 75.00% → 60/100 = 60.00%" in found.detail
    assert identity.dropped_rows(base, base).lit is False
    one = side([row(f"q{i}") for i in range(1000)])
    other = side([row(f"q{i}") for i in range(999)])
    assert identity.dropped_rows(one, other).forbids is False


def test_two_spellings_are_not_missing_on_the_other_side() -> None:
    base = of_ids("1", "2", "3")
    assert identity.dropped_rows(base, of_ids("1", "2", "3", "3.0")).lit is False


def test_different_cases_are_not_dropped_ones() -> None:
    base, other = of_ids(*(f"q{i}" for i in range(50))), of_ids(*(f"v2-q{i}" for i in range(50)), "q0")
    assert identity.disjoint_ids(base, other).lit
    assert identity.dropped_rows(base, other).lit is None
    assert identity.disjoint_ids(base, base).lit is False


def test_models_are_named_with_their_cases() -> None:
    rows = [row(f"q{i}", model="agent-1") for i in range(9)]
    assert irregular.models_named(side(rows)) == ""
    mixed = side([*rows, row("q9", model="agent-1-2024-11-20")])
    assert irregular.models_named(mixed).endswith("agent-1-2024-11-20 (1: q9)")


@given(st.lists(st.text("aA1０0.+- \t\n\u200b\u00a0题\x1c", max_size=5), min_size=1, max_size=4))
def test_ids_are_alike_where_their_forms_are(names: list[str]) -> None:
    several = len({identity.one_id(name) for name in names}) < len(set(names))
    assert identity.alike_ids(names).lit is several
