"""Where a difference comes from, and whether a bucket is shown to fall."""

from collections.abc import Iterable
from math import fsum

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.evidence.buckets import buckets
from fairtrial.evidence.columns import Columns
from fairtrial.evidence.compare import compare
from fairtrial.evidence.pairs import Pairs
from fairtrial.schema.comparison import Bucket, Comparison, Verdict
from fairtrial.schema.record import Record, Status, Turn
from fairtrial.schema.score import About, Row, Score, Unscored

NONE = Unscored(why="-")


def made(case: str, value: float, *users: str, trial: int = 0, **about: object) -> Row:
    return Row(
        record=Record(
            case=case,
            trial=trial,
            status=Status.completed,
            turns=tuple(Turn(user=user, reply="") for user in users),
        ),
        score=Score(value=value, useful=NONE),
        about=About(**about),  # type: ignore[arg-type]
    )


def found_in(base: Iterable[Row], candidate: Iterable[Row]) -> dict[tuple[str, str], Bucket]:
    pairs = Pairs.of(Columns.of(base, pass_at=1.0), Columns.of(candidate, pass_at=1.0))
    return {(bucket.kind, bucket.name): bucket for bucket in buckets(pairs)}


def said(base: Iterable[Row], candidate: Iterable[Row]) -> Comparison:
    one, other = (Columns.of(rows, pass_at=1.0) for rows in (base, candidate))
    return compare(one, other, base_name="a", candidate_name="b")


def test_cells_are_task_type_turns_and_length() -> None:
    def side(value: float) -> list[Row]:
        return [
            made("a", value, "你好", task_type="退款"),
            made("b", value, "x" * 51, task_type="退款"),
            made("c", value, "x", "y" * 300, task_type="lookup"),
            made("d", value, "1", "2", "3", "4"),
            made("e", value),
        ]

    names = [name for kind, name in found_in(side(0), side(1)) if kind == "cell"]
    assert set(names) == {
        "退款 × 1 × <=50",
        "退款 × 1 × 51-200",
        "lookup × 2-3 × >200",
        "? × 4+ × <=50",
        "? × ? × ?",
    }


def test_margins_tags_and_given_buckets() -> None:
    rows = [
        made(
            f"c{n}",
            0.0,
            "x" * (10 if n % 2 else 90),
            tags=("中文", "中文") if n < 6 else ("中文", "en"),
            task_type="refund" if n < 4 else "other",
            bucket="硬" if n else None,
        )
        for n in range(12)
    ]
    found = found_in(rows, rows)
    assert found["tag", "中文"].difference.n == 12
    assert found["tag", "en"].difference.n == 6
    assert found["bucket", "硬"].difference.n == 11
    assert found["task type", "refund"].difference.n == 4
    assert found["length", "<=50"].difference.n == 6
    assert not any(kind == "turns" for kind, _ in found)  # all of one turn: nothing to part by
    assert ("bucket", "?") not in found


def test_fewer_than_five_are_shown_and_never_tested_nor_are_all() -> None:
    base = [made(f"c{n}", 1.0, tags=("four",) if n < 4 else ("many", "all")[: n % 2 + 1]) for n in range(30)]
    candidate = [made(f"c{n}", 0.0) for n in range(30)]
    found = found_in(base, candidate)
    assert found["tag", "four"].difference.mean == -1.0
    assert found["tag", "four"].p is found["tag", "four"].p_holm is None
    assert found["cell", "*"].p_holm is None
    assert found["tag", "many"].p_holm is not None


def test_holm_pays_for_every_test_and_equal_buckets_are_one() -> None:
    base = [made(f"c{n}", 1.0, tags=("甲", "乙") if n < 6 else ("丙",)) for n in range(30)]
    candidate = [made(f"c{n}", 0.0 if n < 6 else 1.0) for n in range(30)]
    found = found_in(base, candidate)
    # Six falls of six: 2 × 2⁻⁶. 甲 and 乙 hold the same cases; with 丙 that makes two tests.
    assert found["tag", "甲"].p == found["tag", "乙"].p == pytest.approx(0.03125)
    assert found["tag", "甲"].p_holm == pytest.approx(0.0625)
    assert found["tag", "丙"].p_holm == 1.0


def test_the_articles_case_is_mixed_and_named() -> None:
    # The total rises by 0.4 points, single-turn by 1.2, multi-turn falls by 1.5, on enough cases to show it.
    single, multi = 7000, 3000

    def side(gained: int, lost: int) -> list[Row]:
        rows = [made(f"单-{n}", float(n < 3000 + gained), "问") for n in range(single)]
        return rows + [made(f"多-{n}", float(n < 1500 - lost), "问", "再问") for n in range(multi)]

    found = said(side(0, 0), side(84, 45))
    assert found.difference.mean == pytest.approx(0.0039)
    assert found.verdict is Verdict.mixed
    assert "? " not in found.meaning
    assert "2-3" in found.meaning
    assert "-1.5" in found.meaning
    falling = next(bucket for bucket in found.buckets if bucket.difference.n == multi)
    assert "多-1455" in {part.case for part in falling.cases}
    assert all(part.share < 0 for part in falling.cases)


def test_a_bucket_that_falls_by_chance_alone_is_not_named() -> None:
    base = [made(f"c{n}", float(n % 2), tags=("x",) if n < 20 else ("y",)) for n in range(200)]
    candidate = [made(f"c{n}", 0.0 if n in (1, 3) else float(n % 2 or 60 < n < 120)) for n in range(200)]
    found = said(base, candidate)
    assert found.verdict is Verdict.better
    assert next(b for b in found.buckets if b.name == "x").difference.mean == pytest.approx(-0.1)


@given(
    st.lists(
        st.tuples(
            st.sampled_from([0.0, 0.2, 1 / 3, 1.0]),
            st.sampled_from([0.0, 0.5, 1.0]),
            st.integers(0, 5),
            st.sampled_from([None, "退款", "lookup"]),
            st.sampled_from([1.0, 3.0]),
        ),
        min_size=1,
        max_size=40,
    )
)
def test_cells_sum_to_the_difference(
    cases: list[tuple[float, float, int, str | None, float]],
) -> None:
    def side(which: int) -> list[Row]:
        return [
            made(f"c{n}", (one, other)[which], *["x" * 40] * turns, task_type=kind, weight=weight)
            for n, (one, other, turns, kind, weight) in enumerate(cases)
        ]

    found = said(side(0), side(1))
    cells = [bucket for bucket in found.buckets if bucket.kind == "cell"]
    assert fsum(bucket.share for bucket in cells) == pytest.approx(found.difference.mean, abs=1e-12)
    assert sum(bucket.difference.n for bucket in cells) == len(cases)
