"""Traits of cases and dialogues side by side: what is apart, what is not, and how often that is wrong."""

from collections.abc import Sequence
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import ttest_ind_from_stats

from fairtrial.evidence.columns import Columns
from fairtrial.evidence.outcomes import Marked, outcomes
from fairtrial.evidence.represent import Asked, adjusted, alike, between, gaps
from fairtrial.schema.record import Record, Status
from fairtrial.schema.represent import Gap
from fairtrial.schema.score import About, Row, Score, Unscored
from fairtrial.stats.apart import Spread

PLAIN = ["我想退款", "订单 JD2024111138271 什么时候到", "怎么换货？", "请帮我改地址", "运费是多少"]
UPSET = [
    "上周买的毛衣到现在都没到，急死我了！！",
    "咋回事啊，退宽退了半个月都没到",
    "真的服了，你们客服电话没人接",
]


def asked(
    texts: Sequence[str], *, size: int = 1, intent: str | None = None, clusters: int = 0
) -> list[Asked]:
    return [
        Asked(
            id=str(number),
            texts=(text,) * size,
            cluster=number % clusters if clusters else number,
            turns=size,
            intent=intent,
        )
        for number, text in enumerate(texts)
    ]


def judged(cases: Sequence[Asked], live: Sequence[Asked]) -> dict[str, Gap]:
    found, _ = adjusted(gaps(cases, live, alike(cases, live)), None)
    return {gap.trait: gap for gap in found}


def test_what_the_same_people_write_is_not_apart() -> None:
    found = judged(asked(PLAIN * 10), asked(PLAIN * 40))
    assert not any(gap.apart for gap in found.values())
    assert found["length"].difference == pytest.approx(1)
    assert found["turns"].low is not None


def test_what_upset_people_write_is_apart() -> None:
    found = judged(asked(PLAIN * 10), asked(UPSET * 40, size=3))
    apart = {name for name, gap in found.items() if gap.apart}
    assert {"length", "turns", "emotion", "typo", "narrative"} <= apart
    assert found["turns"].difference == pytest.approx(3)
    assert found["emotion"].cases == 0
    assert found["emotion"].live == pytest.approx(2 / 3)
    assert not found["full_width"].apart


def test_a_gap_that_does_not_matter_is_not_apart_however_sure() -> None:
    cases = asked(PLAIN * 120)
    live = asked(PLAIN * 190 + [UPSET[0]] * 80)
    gap = judged(cases, live)["emotion"]
    assert gap.p is not None
    assert gap.p < 1e-3
    assert gap.difference < 0.10
    assert gap.apart is False


def test_users_who_keep_to_what_the_set_asks_are_no_gap() -> None:
    cases = asked([*["怎么退"] * 60, *(f"{letter}{letter}" for letter in "天地玄黄宇宙洪荒日月盈昃")])
    gap = judged(cases, asked(["怎么退"] * 100))["unlike"]
    assert gap.difference < -0.1
    assert gap.p is not None
    assert gap.p < 0.05
    assert gap.apart is False


def test_cases_of_one_template_count_once() -> None:
    live = asked(["我要查订单什么时候到"] * 60)
    alone = judged(asked([*["怎么退"] * 6, *["请退款"] * 60]), live)["question"]
    together = judged(asked([*["怎么退"] * 6, *["请退款"] * 60], clusters=6), live)["question"]
    assert alone.difference == together.difference
    assert alone.p is not None
    assert together.p is not None
    assert alone.p < together.p


def test_intents_are_compared_by_name_and_only_where_both_sides_name_them() -> None:
    cases = asked(PLAIN * 10, intent="refund")
    assert not any("intent" in name for name in judged(cases, asked(PLAIN * 10, intent="退款")))
    live = [*asked(PLAIN * 10, intent="refund"), *asked(PLAIN * 10, intent="invoice")]
    found = judged(cases, live)
    assert found["intent:invoice"].difference == 0.5
    assert found["intent:refund"].apart


def test_a_played_user_has_no_number_of_turns() -> None:
    cases = [Asked(id="p", texts=("退款",), cluster=n, turns=None, intent=None) for n in range(8)]
    assert "turns" not in judged(cases, asked(PLAIN * 10))


def test_the_interval_and_p_are_welchs() -> None:
    # Independent source: SciPy's own Welch test from means, deviations and counts.
    low, high, p = between(Spread(2.0, 0.3, 19), Spread(1.0, 0.2, 29))
    told = ttest_ind_from_stats(2.0, 0.3 * 20**0.5, 20, 1.0, 0.2 * 30**0.5, 30, equal_var=False)
    assert p == pytest.approx(told.pvalue)
    assert low is not None
    assert high is not None
    assert (low + high) / 2 == pytest.approx(1.0)
    assert between(Spread(1.0, 0.0, 3), Spread(1.0, 0.0, 3)) == (0.0, 0.0, 1.0)
    assert between(None, Spread(1.0, 0.1, 3)) == (None, None, None)


@given(st.lists(st.text(min_size=1, max_size=12), min_size=6, max_size=9))
def test_any_texts_have_finite_gaps(texts: list[str]) -> None:
    for gap in judged(asked(texts), asked(texts[::-1])).values():
        told = [
            gap.cases,
            gap.live,
            gap.difference,
            *(v for v in (gap.low, gap.high, gap.p, gap.effect) if v is not None),
        ]
        assert np.isfinite(told).all()


@pytest.mark.slow
def test_one_set_in_twenty_of_the_same_people_is_called_apart_at_most() -> None:
    """Two samples of the same texts, of all traits together: the error of the family, by simulation."""
    draw, pool, wrong = Random(7), PLAIN + UPSET, 0
    for _ in range(400):
        cases = asked([draw.choice(pool) for _ in range(40)])
        live = asked([draw.choice(pool) for _ in range(120)])
        wrong += any(gap.apart for gap in judged(cases, live).values())
    assert wrong / 400 <= 0.05 + 2 * (0.05 * 0.95 / 400) ** 0.5


def rows(scores: dict[str, Sequence[float]]) -> list[Row]:
    return [
        Row(
            record=Record(case=f"{name}-{number}", trial=0, status=Status.completed),
            score=Score(value=value, useful=Unscored(why="not measured")),
            about=About(task_type=name),
        )
        for name, values in scores.items()
        for number, value in enumerate(values)
    ]


def test_the_round_is_weighed_by_what_users_ask_for() -> None:
    told = Columns.of(
        rows({"refund": [1.0] * 18 + [0.0] * 2, "invoice": [0.0] * 15 + [1.0] * 5}), pass_at=1.0
    )
    live = [Marked(intent="refund", resolved=None, satisfied=None)] * 60
    live += [Marked(intent="invoice", resolved=n % 4 == 0, satisfied=None) for n in range(40)]
    live += [Marked(intent="coupon", resolved=None, satisfied=None)] * 100
    found = outcomes(told, live, log="r")
    assert found.offline.mean == pytest.approx(23 / 40)
    # 60 of the 100 dialogues that it knows want a refund (0.9), 40 an invoice (0.25).
    assert found.mixed.mean == pytest.approx(0.6 * 0.9 + 0.4 * 0.25)
    assert found.covered == 0.5
    resolved, satisfied = found.online
    assert resolved.figure.mean == 0.25
    assert (resolved.figure.n, resolved.dialogues) == (40, 200)
    assert (resolved.least, resolved.most) == (10 / 200, 170 / 200)
    assert resolved.difference == pytest.approx(0.64 - 0.25)
    assert resolved.low is not None
    assert resolved.low > 0
    assert satisfied.figure.mean is None
    assert satisfied.difference is None
    coupon = next(one for one in found.strata if one.name == "coupon")
    assert (coupon.share, coupon.offline.mean, coupon.resolved.n) == (0.5, None, 0)
    _, came = adjusted([], found)
    assert came is not None
    assert came.online[0].apart is True


def test_no_type_in_common_leaves_nothing_to_set_against() -> None:
    found = outcomes(
        Columns.of(rows({"a": [1.0] * 5}), pass_at=1.0),
        [Marked(intent="b", resolved=True, satisfied=True)],
        log="r",
    )
    assert found.mixed.mean is None
    assert found.covered == 0
    assert found.online[0].difference is None
