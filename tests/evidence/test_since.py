"""A set that was edited between two rounds: what may be compared, and what the lines make of it."""

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.evidence.around import Around
from fairtrial.evidence.doubts import judge
from fairtrial.evidence.since import Moved, Since, since
from fairtrial.evidence.thresholds import DoubtConfig
from fairtrial.schema.evidence import Counts, Doubt, Estimate, Round, Summary
from fairtrial.schema.record import Record, Status
from fairtrial.schema.score import About, Row, Score, Unscored

FULL = DoubtConfig().resolve(None, "full")
NONE = Estimate(mean=0.5, low=None, high=None, n=60, method="undetermined")


def plain(case: str, score: float | None, asked: str | None = "a", weight: float = 1.0) -> Row:
    value = Unscored(why="no") if score is None else score
    return Row(
        record=Record(case=case, trial=0, status=Status.completed),
        score=Score(value=value, useful=Unscored(why="no")),
        about=About(asked=asked, weight=weight),
    )


def past(digest: str = "s", mean: float = 0.5, useful: float = 0.5) -> Round:
    return Round(
        run="上一轮",
        started="2026-01-01T00:00:00Z",
        mode="full",
        set_digest=digest,
        scorer_digest="c",
        thresholds_digest="t",
        log="l.jsonl",
        counts=Counts(planned=1, scored=1, errored=0),
        total=NONE,
        ret_ratio=Estimate(mean=mean, low=None, high=None, n=60, method=""),
        ret_ratio_all=NONE,
        useful=Estimate(mean=useful, low=None, high=None, n=60, method=""),
    )


def test_same_edited_new_and_gone_cases() -> None:
    then = [plain("同", 0.0), plain("改", 0.0), plain("去", 1.0)]
    now = [plain("同", 0.5), plain("改", 1.0, "b", weight=3), plain("新", 1.0), plain("新二", None)]
    found = since(now, then)
    assert found == Since(
        now=4,
        then=3,
        same=1,
        edited=1,
        ret_ratio=Moved(change=0.5, cases=1),
        useful=None,
        kept=Moved(change=(0.5 + 3) / 4, cases=2),
    )
    assert found.changed == 0.75


def test_what_is_not_told_is_not_the_same() -> None:
    assert since([plain("a", 1.0)], [plain("a", 1.0, None)]) is None
    assert since([plain("a", 1.0)], []) is None


cases = st.dictionaries(
    st.sampled_from("abcdefgh"), st.tuples(st.floats(0, 1), st.sampled_from("xy")), min_size=1
)


@given(cases, cases)
def test_turned_round_every_change_turns_its_sign(
    one: dict[str, tuple[float, str]], other: dict[str, tuple[float, str]]
) -> None:
    now, then = (
        [plain(name, score, asked) for name, (score, asked) in side.items()] for side in (one, other)
    )
    there, back = since(now, then), since(then, now)
    assert there is not None
    assert back is not None
    assert (there.same, there.edited, there.changed) == (back.same, back.edited, back.changed)
    assert 0 <= there.changed <= 1
    if there.kept and back.kept:
        assert there.kept.change == pytest.approx(-back.kept.change)


class TestLines:
    @pytest.fixture
    def judged(self, row: Callable[..., Row], summary_of: Callable[..., Summary]) -> Callable[..., Doubt]:
        summary = summary_of([row(f"c{i}", i % 2, useful=0.5) for i in range(40)])

        def line(
            name: str,
            found: Since | None = None,
            *,
            digest: str = "new",
            history: Sequence[Round] = (),
            **more: Any,
        ) -> Doubt:
            around = Around(history=history or [past()], set_digest=digest, since=found)
            doubts = judge(summary, more.get("thresholds", FULL), around)
            return next(doubt for doubt in doubts if doubt.name == name)

        return line

    @staticmethod
    def moved(same: float, kept: float, *, cases: int = 30, useful: float = 0.0) -> Since:
        return Since(
            now=40,
            then=40,
            same=cases,
            edited=40 - cases,
            ret_ratio=Moved(change=same, cases=cases),
            useful=Moved(change=useful, cases=cases),
            kept=Moved(change=kept, cases=40),
        )

    @pytest.mark.parametrize(
        ("same", "kept", "expected"),
        [(0.01, 0.3, True), (-0.3, 0.0, True), (0.05, 0.1, False), (0.0, 0.0, False)],
    )
    def test_a_jump_is_on_cases_of_before(
        self, judged: Callable[..., Doubt], same: float, kept: float, expected: bool
    ) -> None:
        found = judged("jump", self.moved(same, kept))
        assert found.lit is expected
        assert (
            f"ret_ratio {kept:+.3f} against 上一轮 on 40 cases of before, 10 of them edited" in found.meaning
        )
        assert f"on the unchanged ones {same:+.3f}" in found.meaning
        assert "changed since: the cases or their rules" in found.meaning

    def test_a_few_unchanged_cases_are_not_known_and_the_edit_is_told(
        self, judged: Callable[..., Doubt], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("FAIRTRIAL_LANG", "zh")
        found = judged("jump", self.moved(0.9, 0.3, cases=5))
        assert found.value == 0.3
        assert "其中改动过 35 个；未改动的用例上 未知；其间改动了：用例或规则" in found.meaning

    def test_nothing_known_of_an_edited_set_is_not_judged(self, judged: Callable[..., Doubt]) -> None:
        for name in ("jump", "useful_falls", "changed_set"):
            assert judged(name).lit is None
        assert judged("jump", self.moved(0.5, 0.5), digest="s").value == 0

    @pytest.mark.parametrize(
        ("rise", "cases", "expected"), [(0.1, 30, True), (-0.1, 30, False), (0.1, 5, None)]
    )
    def test_useful_falls_on_the_unchanged_cases(
        self, judged: Callable[..., Doubt], rise: float, cases: int, expected: bool | None
    ) -> None:
        assert judged("useful_falls", self.moved(rise, 0, cases=cases, useful=-0.1)).lit is expected

    @pytest.mark.parametrize(("same", "expected"), [(20, False), (19, True)])
    def test_a_set_that_changed_by_more_than_half(
        self, judged: Callable[..., Doubt], same: int, expected: bool
    ) -> None:
        found = judged("changed_set", self.moved(0, 0, cases=same))
        assert found.lit is expected
        assert f"({same} cases the same, {40 - same} edited, 0 new, 0 gone)" in found.meaning
        assert judged("changed_set", digest="s").value == 0

    def test_a_set_that_stays_for_many_rounds(self, judged: Callable[..., Doubt]) -> None:
        def rounds(*digests: str) -> Doubt:
            return judged("unchanged_set", digest="s", history=[past(digest) for digest in digests])

        assert (rounds(*["s"] * 19).value, rounds(*["s"] * 19).lit) == (20, False)
        assert (rounds(*["s"] * 20).value, rounds(*["s"] * 20).lit) == (21, True)
        assert rounds(*["s"] * 30, "t", "s").value == 2
        kept = DoubtConfig.model_validate({"preset": "regression"}).resolve(None, "full")
        assert judged("unchanged_set", digest="s", history=[past()] * 30, thresholds=kept).lit is False
        assert judged("unchanged_set", digest="").lit is None
