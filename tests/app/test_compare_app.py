"""Which two results are compared, and whether they may be."""

from pathlib import Path
from typing import Any

import pytest
from results import ENVIRONMENT, log, numbered, table

from fairtrial.app.audit import audit
from fairtrial.app.compare import compare_results, exit_code
from fairtrial.app.import_log import import_log
from fairtrial.errors import BadInput
from fairtrial.records.history import NAME, append_round
from fairtrial.records.log import read_header
from fairtrial.schema.comparison import Comparison, Verdict
from fairtrial.schema.evidence import Decision

LOW, HIGH = numbered([[0.0] * 3] * 30 + [[1.0] * 3] * 20), numbered([[0.0] * 3] * 10 + [[1.0] * 3] * 40)


def lit(found: Comparison) -> set[str]:
    return {doubt.name for doubt in found.doubts if doubt.lit}


def test_better_worse_and_their_exit_codes(tmp_path: Path) -> None:
    low, high = log(tmp_path / "低.jsonl", LOW), log(tmp_path / "高.jsonl", HIGH)
    better, worse, same = (
        compare_results(low, high),
        compare_results(high, low),
        compare_results(low, log(tmp_path / "again.jsonl", LOW)),
    )
    assert (better.verdict, exit_code(better)) == (Verdict.better, 0)
    assert (worse.verdict, exit_code(worse)) == (Verdict.worse, 1)
    assert (same.verdict, exit_code(same)) == (Verdict.not_shown, 3)
    assert (better.base, better.candidate) == ("低", "高")
    assert not lit(better)


def test_what_differs_is_refused_before_any_row_is_read(tmp_path: Path) -> None:
    base = log(tmp_path / "a.jsonl", LOW)
    new = log(tmp_path / "b.jsonl", HIGH, environment=ENVIRONMENT | {"prompt": "客服，礼貌", "model": "m-2"})
    new.write_bytes(new.read_bytes() + b"not a row\n")
    with pytest.raises(BadInput, match=r"not the same environment: model \(m-1 → m-2\), prompt .*--changed"):
        compare_results(base, new)
    with pytest.raises(BadInput, match=r"not the same environment: model"):
        compare_results(base, new, changed=["prompt"])
    with pytest.raises(BadInput, match="not a row"):
        compare_results(base, new, changed=["prompt,model"])
    with pytest.raises(BadInput, match="no part is called 'promt'; did you mean `prompt`"):
        compare_results(base, new, changed=["promt"])


def test_what_is_under_test_may_differ_and_force_proves_nothing(tmp_path: Path) -> None:
    base = log(tmp_path / "a.jsonl", LOW)
    new = log(tmp_path / "b.jsonl", HIGH, environment=ENVIRONMENT | {"prompt": "客服，礼貌"})
    tested = compare_results(base, new, changed=["agent, prompt"])
    assert tested.verdict is Verdict.better
    assert [part.part for part in tested.differs if part.known] == ["prompt"]
    forced = compare_results(base, new, force=True)
    assert (forced.verdict, exit_code(forced)) == (Verdict.not_shown, 3)
    doubt = next(doubt for doubt in forced.doubts if doubt.name == "forced")
    assert (doubt.lit, doubt.value, doubt.forbids) == (True, "prompt", True)


def test_a_round_scored_anew_is_not_compared_with_itself(tmp_path: Path) -> None:
    times = ("2026-11-30T01:00:00Z", "2026-11-30T02:00:00Z")
    first, asked = (log(tmp_path / f"{n}.jsonl", LOW, at=at) for n, at in enumerate(times))
    for path in (first, asked):
        append_round(tmp_path / NAME, read_header(path), log=path.name)
    again = log(tmp_path / "2.jsonl", LOW, at=times[1], config={"rescored_from": "1"})
    assert compare_results(None, again).base == "0"
    assert compare_results(asked, again).shared == 50, "where it is named it may be"


def test_no_fingerprint_no_discussion(tmp_path: Path) -> None:
    base, new = log(tmp_path / "a.jsonl", LOW), log(tmp_path / "b.jsonl", HIGH, environment=None)
    with pytest.raises(BadInput, match="no fingerprint, no discussion"):
        compare_results(base, new)
    forced = compare_results(base, new, force=True)
    assert forced.verdict is Verdict.not_shown
    assert "forced" in lit(forced)


def test_a_side_that_must_not_be_believed(tmp_path: Path) -> None:
    base = log(tmp_path / "a.jsonl", LOW)
    decision = Decision(question="q", answer="better", looks=(), planned_cases=50)
    for name, more, words in (
        ("坏", {"lit": ["too_good"]}, "坏: UNRELIABLE (too_good)"),
        ("早停", {"decision": decision}, "早停: stopped early, when it was decided"),
    ):
        found = compare_results(base, log(tmp_path / f"{name}.jsonl", HIGH, **more))  # type: ignore[arg-type]
        assert found.verdict is Verdict.not_shown
        assert next(doubt.value for doubt in found.doubts if doubt.name == "unreliable_side") == words
    part = tmp_path / "part.jsonl.part"
    whole = log(tmp_path / "whole.jsonl", HIGH).read_bytes()
    part.write_bytes(whole.replace(b'"status":"reliable"', b'"status":"running"', 1))
    assert next(d.value for d in compare_results(base, part).doubts if d.name == "unreliable_side") == (
        "whole: unfinished"
    )


def test_without_a_base_the_last_reliable_full_round_is_taken(tmp_path: Path) -> None:
    def made(name: str, hour: int, **more: Any) -> Path:
        scores = HIGH if name == "now" else LOW
        return log(tmp_path / f"{name}.jsonl", scores, at=f"2026-11-30T0{hour}:00:00Z", **more)

    logs = [made("first", 1), made("second", 2), made("third", 3, lit=["errors"])]
    logs += [made("other", 4, set_digest="another"), made("now", 5), made("later", 6)]
    assert compare_results(None, logs[4]).base == "third"  # no history: the one before of this set
    for path in logs:
        append_round(tmp_path / NAME, read_header(path), log=path.name)
    assert compare_results(None, logs[4]).base == "second"
    logs[1].unlink()
    assert compare_results(None, logs[4]).base == "first"
    for alone in (logs[0], table(tmp_path / "scores", {"a": 1.0, "b": 0.0})):
        with pytest.raises(BadInput, match="nothing to compare with"):
            compare_results(None, alone)


def test_a_case_that_was_repaired_and_broke_again(tmp_path: Path) -> None:
    passing = numbered([[1.0] * 3] * 30)
    failing = passing | {"用例-3": [0.0, 0.0, 1.0], "用例-4": [0.0] * 3}
    log(tmp_path / "1.jsonl", failing, at="2026-11-30T01:00:00Z")
    log(
        tmp_path / "0.jsonl", failing | {"用例-5": [0.0] * 3}, at="2026-11-30T01:00:00Z", set_digest="another"
    )
    base = log(tmp_path / "2.jsonl", passing, at="2026-11-30T02:00:00Z")
    new = log(tmp_path / "3.jsonl", passing | numbered([[0.0] * 3] * 6), at="2026-11-30T03:00:00Z")
    found = compare_results(base, new)
    assert found.lost == tuple(f"用例-{n}" for n in range(6))
    assert found.broke_again == ("用例-3", "用例-4")


def test_nothing_in_common_and_twice_the_same(tmp_path: Path) -> None:
    base = log(tmp_path / "a.jsonl", {"甲": 1.0, "乙": None})
    with pytest.raises(BadInput, match=r"no case that both scored \(compare results over"):
        compare_results(base, log(tmp_path / "b.jsonl", {"丙": 1.0, "乙": 1.0}))
    with pytest.raises(BadInput, match="the same file"):
        compare_results(base, tmp_path / ".." / tmp_path.name / "a.jsonl")
    with pytest.raises(BadInput, match="no such file"):
        compare_results(base, tmp_path / "none.jsonl")
    (tmp_path / "empty").mkdir()
    with pytest.raises(BadInput, match="there is no finished log"):
        compare_results(base, tmp_path / "empty")


def test_a_folder_stands_for_its_latest_log(tmp_path: Path) -> None:
    base = log(tmp_path / "a.jsonl", LOW)
    (tmp_path / "logs").mkdir()
    log(tmp_path / "logs" / "old.jsonl", LOW, at="2026-11-30T01:00:00Z")
    log(tmp_path / "logs" / "new.jsonl", HIGH, at="2026-11-30T02:00:00Z")
    assert compare_results(base, tmp_path / "logs").candidate == "new"


def test_tables_of_another_tool(tmp_path: Path) -> None:
    (tmp_path / "旧").mkdir()
    (tmp_path / "新").mkdir()
    base = table(tmp_path / "旧" / "scores.jsonl", numbered([0.0] * 60 + [1.0] * 60))
    new = table(tmp_path / "新" / "scores.jsonl", numbered([0.0] * 30 + [1.0] * 90))
    found = compare_results(base, new)
    assert found.verdict is Verdict.better
    assert {"no_fingerprint", "single_trial"} == lit(found)
    assert (found.base, found.candidate) == (str(base), str(new))
    ours = compare_results(base, log(tmp_path / "ours.jsonl", numbered([[1.0] * 3] * 120)))
    assert "no_fingerprint" in lit(ours)


@pytest.mark.parametrize("trials", [True, False])
def test_rows_without_a_sound_score_and_rows_that_stand_there_twice(tmp_path: Path, trials: bool) -> None:
    def written(name: str, rows: list[tuple[str, str]]) -> Path:
        lines = [f"{case},{score}" + ",0" * trials for case, score in rows]
        (tmp_path / name).write_text("\n".join(["id,score" + ",trial" * trials, *lines]) + "\n", "utf-8")
        return tmp_path / name

    sound = [(f"用例{n}", str(n % 2)) for n in range(100)]
    base = written("clean.csv", sound)
    new = written("nan.csv", [("用例0", "nan"), *sound[1:], sound[8], sound[8], sound[9]])
    found = compare_results(base, new)
    doubt = next(doubt for doubt in found.doubts if doubt.name == "faults")
    assert (doubt.lit, doubt.value, doubt.forbids) == (True, 4, False)
    assert "(nan.csv: 1 unreadable, the first " in doubt.meaning
    assert "; 3 rows too many)" in doubt.meaning
    assert "`fairtrial audit BASE CANDIDATE`" in doubt.advice
    assert "faults" not in lit(compare_results(base, written("same.csv", sound)))
    audited = audit([base, new]).comparison
    assert audited is not None
    assert doubt in audited.doubts
    import_log(None, new, tmp_path / "imported.jsonl")
    again = compare_results(base, tmp_path / "imported.jsonl")
    assert next(doubt.value for doubt in again.doubts if doubt.name == "faults") == 4


def test_files_that_tell_of_different_environments(shared_data: Path) -> None:
    logs = shared_data / "inspect_ai_logs"
    one = next(logs.glob("test_eval_set__*popularity*.json"))
    other = next(logs.glob("scorer__*mj7khq*.eval"))
    with pytest.raises(BadInput, match="not the same environment"):
        compare_results(one, other)
