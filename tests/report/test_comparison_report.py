"""A comparison as a person reads it, and as a document."""

import json
import re
from io import StringIO
from typing import Any

import pytest
from results import numbered, rows
from rich.cells import cell_len
from rich.console import Console

from fairtrial.evidence.columns import Columns
from fairtrial.evidence.compare import compare
from fairtrial.report.comparison import comparison_document, show_comparison
from fairtrial.schema.comparison import Comparison
from fairtrial.schema.fingerprint import PartDifference
from fairtrial.schema.score import Row


def compared(base: Any, candidate: Any, **more: Any) -> Comparison:
    about = {"tags": ("中文", "退款"), "task_type": "refund"}
    sides = [rows(scores, **about) for scores in (base, candidate)]
    one, other = (Columns.of(side, pass_at=1.0) for side in sides)
    return compare(one, other, base_name="旧版", candidate_name="新版", **more)


def shown(found: Comparison, *, width: int = 80, **more: Any) -> str:
    out = StringIO()
    show_comparison(Console(width=width, file=out), found, **more)
    return out.getvalue()


BASE, BETTER = numbered([[0.0] * 3] * 30 + [[1.0] * 3] * 20), numbered([[0.0] * 3] * 10 + [[1.0] * 3] * 40)


def test_what_differs_stands_above_the_figures() -> None:
    differs = (
        PartDifference(part="prompt", base="客服", candidate="客服，礼貌"),
        PartDifference(part="clock", base="not fixed", candidate="not fixed", known=False),
    )
    out = shown(compared(BASE, BETTER, differs=differs))
    assert (
        out.index("客服，礼貌")
        < out.index("not known on both sides: clock")
        < out.index("Better: +40.0 points")
    )
    assert out.index("Better: +40.0 points") < out.index("shared cases")


def test_figures_tests_and_cases() -> None:
    out = shown(compared(BASE, BETTER))
    assert "McNemar: 20 gained, 0 lost, p = 1.91e-06" in out
    assert "smallest true difference seen four times in five" in out
    assert "methods: docs/comparing.md" in out
    assert "gained (20): 用例-10, 用例-11" in out
    assert "… 10 more: --all" in out
    assert "用例-29" in shown(compared(BASE, BETTER), everything=True)


def test_missing_cases_are_listed_and_both_denominators_shown() -> None:
    out = shown(
        compared(
            BASE | {"缺": 1.0},
            BETTER | {"新": 1.0, "未答": None} | {},
        )
    )
    assert "only in the base (1): 缺" in out
    assert "only in the candidate (2): 新, 未答" in out
    assert "all of the base" in out
    each = next(line for line in out.splitlines() if "each over its own" in line)
    both = next(line for line in out.splitlines() if line.startswith(" shared cases"))
    assert each.split()[-5:] == ["0.412", "0.804", "51", "/", "51"]
    assert each.index("0.412") == both.index("0.400")
    assert "● dropped  3" in out


def test_a_side_over_its_own_is_told_where_the_figures_shown_differ() -> None:
    base = numbered([0.5] * 400)
    out = shown(compared(base, base | {"新": 0.6}))
    assert "only in the candidate (1): 新" in out
    assert "each over its own" not in out
    assert "all it was asked" not in out


@pytest.mark.parametrize("language", ["en", "zh"])
def test_each_test_is_one_line_and_nothing_is_said_twice(
    language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FAIRTRIAL_LANG", language)
    uneven = shown(compared(numbered([0.0, 1.0, 0.5] * 20), numbered([1.0, 0.0, 0.5] * 20)), width=120)
    zh = language == "zh"
    for told in ("McNemar：新通过" if zh else "McNemar: ", "Wilcoxon", "符号翻转" if zh else "sign-flip"):
        [line] = [line for line in uneven.splitlines() if told in line]
        assert line[line.index("p = ") :].count(" ") == 2
    assert uneven.count("五次里能看出四次" if zh else "four times in five") == 1
    assert "五次能看出四次" not in uneven
    assert ("方法：docs/comparing.zh.md" if zh else "methods: docs/comparing.md") in uneven


def test_fewer_are_listed_where_names_are_long() -> None:
    long = {f"{'甲' * 31}{n}": 0.0 for n in range(20)}
    found = compared(long, dict.fromkeys(long, 1.0))
    gained = "gained (20): " + ", ".join(found.gained[:5])
    assert f"{gained} … 15 more: --all" in shown(found, width=10**4)
    assert found.gained[19] in shown(found, everything=True, width=10**4)


def test_fewer_buckets_are_listed_where_nothing_is_shown_to_differ() -> None:
    sides: tuple[list[Row], list[Row]] = ([], [])
    for n in range(48):
        for side, score in zip(sides, (0.5, 0.4 if n < 24 else 0.601), strict=True):
            side += rows({f"用例-{n}": score}, tags=(f"签{n % 12}",))
    one, other = (Columns.of(side, pass_at=1.0) for side in sides)
    found = compare(one, other, base_name="a", candidate_name="b")
    out = shown(found)
    moving = [bucket for bucket in found.buckets if bucket.share and bucket.difference.n < found.shared]
    listed = [line for line in out.splitlines() if re.match(r" tag 签\d+ ", line)]
    assert len(listed) == 5
    assert f"{len(moving) - 5} more buckets: --all" in out
    assert "more buckets" not in shown(found, everything=True)


def test_a_falling_bucket_is_named_with_its_cases() -> None:
    base, candidate = [], []
    for side, single, multi in ((base, 0.0, 1.0), (candidate, 1.0, 0.0)):
        side += rows(numbered([single] * 60), tags=("单轮",))
        side += rows({f"多-{n}": multi if n < 15 else 1.0 for n in range(40)}, tags=("多轮",))
    one, other = (Columns.of(side, pass_at=1.0) for side in (base, candidate))
    found = compare(one, other, base_name="a", candidate_name="b")
    out = shown(found)
    assert "Mixed: the total moves by +45.0 points" in out
    assert "tag 多轮" in out
    assert "tag 多轮: 多-0 -1.00, 多-1 -1.00" in out
    assert "tag 单轮: 用例-0 +1.00" in out
    assert out.index("tag 多轮") < out.index("tag 单轮")


def test_a_graded_difference_goes_down_to_its_cases_though_none_passes() -> None:
    found = compared(numbered([0.5] * 40), numbered([0.4] * 10 + [0.5] * 30))
    assert (found.gained, found.lost) == ((), ())
    assert "most of it: 用例-0 -0.25, 用例-1 -0.25" in shown(found)


def test_no_interval_and_its_reason_in_the_readers_language(monkeypatch: pytest.MonkeyPatch) -> None:
    assert compared({"a": 1.0}, {"a": 0.0}).difference.method == (
        "undetermined (effective clusters 1, 5 needed)"
    )
    monkeypatch.setenv("FAIRTRIAL_LANG", "zh")
    out = shown(compared({"a": 1.0}, {"a": 0.0}))
    assert "区间：undetermined（有效簇数 1，至少 5）" in out
    assert "区间：" not in shown(compared(BASE, BETTER))


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("width", [60, 80])
def test_nothing_is_wider_than_the_terminal(
    language: str, width: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FAIRTRIAL_LANG", language)
    differs = (PartDifference(part="agent", base="甲" * 60, candidate="乙" * 60),)
    found = compared(BASE | {"缺": 1.0}, BETTER, differs=differs, forced=["agent"])
    lines = shown(found, width=width).splitlines()
    assert max(cell_len(line) for line in lines) <= width
    assert sum(line.count("甲") for line in lines) == 60
    if language == "zh":
        assert "不能证明：+40.0 个百分点" in "".join(lines)


def test_the_document_has_no_number_that_json_has_not() -> None:
    for found in (
        compared(BASE, BETTER),
        compared({"a": 1.0}, {"b": 1.0}),
        compared({}, {}),
        compared(BASE, BASE),
    ):
        document = json.loads(json.dumps(comparison_document(found), allow_nan=False))
        assert document["status"] == "compared"
        assert set(document["difference"]) >= {"mean", "low", "high", "method"}
        assert set(document["mcnemar"]) == {"b", "c", "p"}
    assert document["verdict"] == "not shown"
    assert document["smallest_detectable"] is None
