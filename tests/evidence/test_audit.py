"""Exhibits in, audits out: trust, lines, checklist and claims."""

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
import pytest
from log_samples import FINAL

from fairtrial.evidence.audit import audit
from fairtrial.evidence.columns import Columns
from fairtrial.evidence.exhibit import Exhibit
from fairtrial.evidence.side import Side
from fairtrial.records.interop.foreign import Foreign
from fairtrial.schema.audit import Answer, Audit, Fault
from fairtrial.schema.comparison import Verdict
from fairtrial.schema.evidence import Decision, Doubt, Look
from fairtrial.schema.fingerprint import Fingerprint, Part, PartName
from fairtrial.schema.record import Record, Status, Turn
from fairtrial.schema.score import About, Hit, Row, Score, Unscored

NONE = Unscored(why="not measured")
VITAL = ("model", "prompt", "sampling", "tools", "agent", "cases", "scorer")


def rows(n: int = 120, trials: int = 3, *, passing: float = 0.6, words: bool = True) -> tuple[Row, ...]:
    """A sound result: each case on a question of its own, the first ones passing."""
    return tuple(
        Row(
            record=Record(
                case=f"q{i}",
                trial=trial,
                status=Status.completed,
                turns=(Turn(user=f"退款，单号 {i}？", reply="好的"),) if words else (),
            ),
            score=Score(
                value=float(i < passing * n),
                hits=(Hit(rule="contains", met=i < passing * n, share=1.0),),
                useful=NONE,
            ),
            about=About(cluster=f"g{i}"),
        )
        for i in range(n)
        for trial in range(trials)
    )


def exhibit(some: Sequence[Row], name: str = "file", **told: Any) -> Exhibit:
    foreign = Foreign(format="table", rows=tuple(some), **told)
    return Exhibit(side=Side.of(some, name=name, ours=False), foreign=foreign)


def of(*exhibits: Exhibit) -> Audit:
    return audit(exhibits)


def lit(found: Audit) -> set[str]:
    return {doubt.name for doubt in found.doubts if doubt.lit}


def line(found: Audit, name: str) -> Doubt:
    return next(doubt for doubt in found.doubts if doubt.name == name)


def answers(found: Audit) -> dict[str, Answer]:
    return {check.name: check.answer for check in found.checklist}


WHOLE: Mapping[str, Any] = {
    "planned": 360,
    "parts": {name: Part(digest="d", says=name) for name in VITAL},
    "claims": {"accuracy": 0.6, "stderr": 0.0449},
    "raw_output": True,
    "rules": True,
}


def test_a_result_that_tells_all_is_trusted() -> None:
    found = of(exhibit(rows(), **WHOLE))
    assert lit(found) == set()
    assert {name for name, answer in answers(found).items() if answer is Answer.yes} >= {
        "cases",
        "repeats",
        "interval",
        "figures",
        "denominator",
        "case_identity",
        "clusters",
        "checks_visible",
        "raw_output",
        "fingerprint",
    }
    assert found.trust is Answer.yes
    assert [claim.agrees for claim in found.claims] == [True, True]


def test_what_is_missing_is_a_gap_and_no_defect() -> None:
    found = of(exhibit(rows(trials=1, words=False)))
    assert lit(found) == {"few_trials"}
    assert found.trust is Answer.partly
    assert answers(found)["repeats"] is Answer.no
    assert answers(found)["raw_output"] is Answer.no
    assert answers(found)["fingerprint"] is Answer.no
    mends = {check.name: check.mend for check in found.checklist}
    assert "--trials 3" in mends["repeats"]
    assert all(mends[name] for name, answer in answers(found).items() if answer is not Answer.yes)


@pytest.mark.parametrize("kind", ["non_finite", "out_of_range"])
def test_scores_that_are_none_are_named(kind: str) -> None:
    fault = Fault(kind=kind, case="q7", where="file.csv:8", says="score is nan")
    found = of(exhibit(rows(), faults=(fault,)))
    assert lit(found) == {kind}
    assert "1: q7" in line(found, kind).meaning
    assert found.trust is Answer.no
    assert kind in found.meaning


def test_a_score_out_of_range_in_the_rows_themselves() -> None:
    some = list(rows())
    some[0] = msgspec.structs.replace(some[0], score=Score(value=1.5, useful=NONE))
    some[1] = msgspec.structs.replace(some[1], score=Score(value=float("inf"), useful=NONE))
    assert {"out_of_range", "non_finite"} <= lit(of(exhibit(some)))


def test_lines_that_are_no_results_are_told() -> None:
    fault = Fault(kind="no_id", case=None, where="file.csv:8", says="a row without an id")
    found = of(exhibit(rows(), faults=(fault,)))
    assert lit(found) == {"unreadable"}
    assert found.trust is Answer.partly


def test_missing_cases_and_both_denominators() -> None:
    # The figures that shared_data/swebench_pro/README.md gives: 240 of 562, and of 730.
    some = [
        Row(
            record=Record(case=f"i{i}", trial=0, status=Status.completed),
            score=Score(value=float(i < 240), useful=NONE),
        )
        for i in range(562)
    ]
    found = of(exhibit(some, planned=730))
    assert lit(found) == {"missing_cases", "few_trials"}
    assert "240/562 = 42.70% → 240/730 = 32.88%" in line(found, "missing_cases").meaning
    assert answers(found)["denominator"] is Answer.no
    assert "missing_cases" not in lit(of(exhibit(some, planned=562)))


def test_claims_that_the_rows_do_not_bear_out() -> None:
    found = of(exhibit(rows(), claims={"accuracy": 0.65, "pass^3": 0.6, "cases": 120, "latency": 3.0}))
    assert {claim.name: claim.agrees for claim in found.claims} == {
        "accuracy": False,
        "pass^3": True,
        "cases": True,
        "latency": None,
    }
    assert "accuracy 0.65 ≠ 0.6" in line(found, "claims").meaning
    assert found.trust is Answer.no
    assert answers(found)["figures"] is Answer.no


def test_a_standard_error_over_rows_says_so() -> None:
    # sqrt(0.6 · 0.4 / 359): 360 rows taken for 360 cases.
    found = of(exhibit(rows(), claims={"accuracy": 0.6, "stderr": 0.02586}))
    assert "that of the rows, not of the cases" in line(found, "claims").meaning
    found = of(exhibit(rows(), claims={"n": 360}))
    assert found.claims[0].found == 120
    assert "that of the rows, not of the cases" in line(found, "claims").meaning


@pytest.mark.parametrize(
    ("claims", "wrong"),
    [
        ({"accuracy": 1.2}, True),
        ({"accuracy": 0.5, "stderr": 0.7}, True),
        ({"accuracy": 0.5, "stderr": 0.05}, False),
        ({"accuracy": 0.333}, False),
        ({"accuracy": 0.34}, True),
    ],
)
def test_stated_figures_that_nothing_gives(claims: dict[str, float], wrong: bool) -> None:
    """Of six results there is 2/6 and 2.5/6, and nothing between."""
    found = of(exhibit((), claims=claims, planned=6))
    assert ("impossible" in lit(found)) is wrong
    assert answers(found)["figures"] is (Answer.no if wrong else Answer.partly)


def test_pass_k_that_rises_with_k() -> None:
    falling = {"name": "m/retail", "values": [0.8, 0.7, None, 0.6]}
    assert lit(of(exhibit((), told={"pass_k": [falling]}))) == set()
    rising = {"name": "m/airline", "values": [0.5, None, 0.52, 0.4]}
    found = of(exhibit((), told={"pass_k": [falling, rising]}))
    assert lit(found) == {"impossible"}
    assert "m/airline pass^3 0.52 > pass^1 0.5" in line(found, "impossible").meaning


def test_what_doing_nothing_passes() -> None:
    found = of(exhibit(rows(), nothing_passes=("q1", "q2", *(f"q{i}" for i in range(10, 20)))))
    assert line(found, "null_agent").lit
    assert "12 of 120 cases: q1, q2" in line(found, "null_agent").meaning
    assert "without the cases it passes" in line(found, "null_agent").advice
    assert "check --null" not in line(found, "null_agent").advice, "it reads no file of another tool"


def test_two_results_are_held_against_each_other() -> None:
    base, candidate = exhibit(rows(), "base.csv"), exhibit(rows(100), "candidate.csv")
    found = of(base, candidate)
    assert lit(found) == {"dropped_rows"}
    assert "candidate.csv lacks 20" in line(found, "dropped_rows").meaning
    assert found.paths == ("base.csv", "candidate.csv")
    assert [summary.ret_ratio.n for summary in found.summaries if summary] == [120, 100]
    few = of(base, exhibit(rows(10), "few.csv"))
    assert line(few, "few_cases").meaning.startswith("few.csv: ")


def test_figures_alone_are_not_other_cases() -> None:
    found = of(exhibit(rows()), exhibit((), "published", claims={"m resolved": 0.6}))
    assert lit(found) == set()
    assert line(found, "disjoint_ids").lit is None
    assert len(found.claims) == 1


@pytest.mark.parametrize(
    ("name", "agrees"),
    [
        ("kimi-k2-10132025.eval_results.json.gz", False),
        ("Kimi_K2.json", False),
        ("kimi-k2-turbo.json", None),
        ("kimi-k2.5.json", None),
        ("other.json", None),
    ],
)
def test_a_published_figure_is_held_against_results_called_like_it(name: str, agrees: bool | None) -> None:
    found = of(exhibit(rows(), name), exhibit((), "published.json", claims={"Kimi-K2 resolved": 0.7}))
    (claim,) = found.claims
    assert (claim.name, claim.agrees) == ("Kimi-K2 resolved", agrees)
    assert ("claims" in lit(found)) is (agrees is False)
    assert answers(found)["cases"] is Answer.yes


def test_claims_of_two_files_bear_their_names() -> None:
    some = [exhibit(rows(), name, claims={"accuracy": 0.6}) for name in ("a.json", "b.json")]
    assert [claim.name for claim in of(*some).claims] == ["a.json: accuracy", "b.json: accuracy"]


def test_nothing_is_shown_by_results_that_a_line_forbids_to_trust() -> None:
    def difference(base: Sequence[Row], candidate: Sequence[Row]) -> Audit:
        sides = [exhibit(some, name) for some, name in ((base, "a"), (candidate, "b"))]
        return audit(sides, [Columns.of(some, pass_at=1.0) for some in (base, candidate)])

    sound = difference(rows(passing=0.3), rows(passing=0.6))
    assert sound.comparison is not None
    assert sound.comparison.verdict is Verdict.better
    fewer = difference(rows(passing=0.3), rows(passing=0.6)[:270])
    assert fewer.trust is Answer.no
    assert fewer.comparison is not None
    assert fewer.comparison.verdict is Verdict.not_shown
    lines = {doubt.name: doubt for doubt in fewer.comparison.doubts}
    assert lines["unreliable_side"].value == "dropped_rows"


def test_a_line_lit_in_both_results_is_of_both() -> None:
    found = of(*[exhibit(rows(trials=1), name) for name in ("a", "b")])
    assert line(found, "few_trials").meaning.startswith("Too few trials")
    found = of(exhibit(rows(10), "a"), exhibit(rows(9), "b"))
    assert line(found, "few_cases").meaning.startswith("Too few")


def test_models_compared_in_one_file_are_not_mixed_up() -> None:
    def answered(model: str, bucket: str | None, i: int) -> Row:
        turn = Turn(user=f"q {i}", reply="a", model=model)
        record = Record(case=f"{bucket}{i}", trial=0, status=Status.completed, turns=(turn,))
        score = Score(value=float(i % 2), useful=NONE)
        return Row(record=record, score=score, about=About(bucket=bucket))

    side_by_side = [answered(m, m, i) for m in ("m-1", "m-2") for i in range(30)]
    assert "mixed_models" not in lit(of(exhibit(side_by_side)))
    mixed = [answered("m-1" if i else "m-2", None, i) for i in range(60)]
    found = of(exhibit(mixed))
    assert "mixed_models" in lit(found)
    assert "m-2 (1: None0)" in line(found, "mixed_models").meaning


def ours(**header: Any) -> Exhibit:
    some = rows()
    parts = {name.value: Part(digest="d", says="") for name in PartName}
    summary = exhibit(some, planned=360).summary
    told = {"summary": summary, "fingerprint": Fingerprint(whole="f", parts=parts)} | header
    whole = msgspec.structs.replace(FINAL, **told)
    return Exhibit(side=Side.of(some, name="log", ours=True), header=whole)


def test_a_log_of_ours_is_judged_by_its_own_header() -> None:
    jump = Doubt(name="jump", lit=True, value=0.3, threshold=0.2, meaning="jumped")
    found = of(ours(doubts=(jump,), config={"golden_agreed": 12, "in_process": False}))
    assert lit(found) == {"jump"}
    assert found.formats == ("fairtrial",)
    assert {name for name, answer in answers(found).items() if answer is not Answer.yes} == {"holdout"}
    within = of(ours(config={"golden_agreed": 0, "in_process": True}))
    assert answers(within)["scorer_checked"] is Answer.no
    assert answers(within)["examiner_apart"] is Answer.partly


def test_the_figures_of_a_log_are_those_of_its_rows() -> None:
    told = ours(config={"golden_agreed": 12})
    assert told.header is not None
    assert told.header.summary is not None
    summary = told.header.summary
    sound = of(dataclasses.replace(told, again=summary))
    assert all(claim.agrees for claim in sound.claims)
    assert {"total", "ret_ratio", "pass^3", "scored"} <= {claim.name for claim in sound.claims}
    better = msgspec.structs.replace(summary.ret_ratio, mean=0.9)
    forged = of(
        dataclasses.replace(
            told,
            header=msgspec.structs.replace(
                told.header, summary=msgspec.structs.replace(summary, ret_ratio=better)
            ),
            again=summary,
        )
    )
    assert "ret_ratio 0.9 ≠ 0.6" in line(forged, "claims").meaning
    assert forged.trust is Answer.no


def test_a_round_that_stopped_early_gives_no_figure_to_quote() -> None:
    look = Look(cases=40, z=3.1, boundary=2.9, spent=0.01)
    early = Decision(question="?", answer="better", looks=(look,), planned_cases=100)
    found = of(ours(config={"golden_agreed": 12}, decision=early))
    assert answers(found)["interval"] is Answer.partly


def test_what_a_log_of_ours_lacks_is_said_once() -> None:
    summary = exhibit(rows(), planned=372).summary
    found = of(ours(summary=summary, config={"golden_agreed": 12}))
    assert line(found, "missing_cases").lit is None
    assert answers(found)["denominator"] is Answer.partly


def test_an_unreliable_log_is_not_trusted() -> None:
    doubt = Doubt(name="few_cases", lit=True, value=3, threshold=20, forbids=True, meaning="few")
    assert of(ours(doubts=(doubt,))).trust is Answer.no


def test_texts_are_in_the_reader_s_language(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAIRTRIAL_LANG", "zh")
    found = of(exhibit(rows(10, trials=1, words=False)), exhibit(rows(9), "另一份"))
    texts = [doubt.meaning + doubt.advice for doubt in found.doubts]
    texts += [check.mend for check in found.checklist if check.mend]
    assert all(any("一" <= sign <= "鿿" for sign in text) for text in texts)
    assert found.meaning.startswith("这些数字目前不足为凭")
