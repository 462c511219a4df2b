"""`fairtrial import`: any known format, told by its content; the log knows what the file said of itself."""

import json
from pathlib import Path
from typing import Any

import pytest
from commands import fairtrial

from fairtrial.records.interop.detect import FORMATS, recognise
from fairtrial.records.interop.foreign import recalled
from fairtrial.records.log import read_header, read_rows


@pytest.mark.parametrize(
    ("file", "name"),
    [
        ("tau_bench_airline_gpt4o/gpt-4o-airline.json.gz", "tau-bench"),
        ("inspect_ai_logs/log__test_eval_log__log_read_sample.eval", "inspect"),
        ("promptfoo_results/results.json", "promptfoo"),
        ("tau_bench_airline_gpt4o/outcomes.csv", "table"),
        ("swebench_pro/gpt-5-250-turns-10132025.eval_results.json.gz", "swe-bench"),
        ("atif_converted/tau_airline_gpt4o_80runs.atif.jsonl.gz", "atif"),
    ],
)
def test_a_log_knows_as_much_as_the_file(here: Path, shared_data: Path, file: str, name: str) -> None:
    foreign = recognise(shared_data / file)
    assert foreign is not None
    assert foreign.format == name
    said = fairtrial("import", shared_data / file, "-o", "log.jsonl", "--json")
    assert said.code == 0
    assert said.document["mode"] == "import"
    header = read_header(here / "log.jsonl")
    rows = tuple(read_rows(here / "log.jsonl"))
    assert [row.record.case for row in rows] == [row.record.case for row in foreign.rows]
    assert [row.score for row in rows] == [row.score for row in foreign.rows]
    back = recalled(header, rows)
    assert back is not None
    for field in ("claims", "planned", "nothing_passes", "faults", "raw_output", "rules"):
        assert getattr(back, field) == getattr(foreign, field), field
    assert dict(back.told) == json.loads(json.dumps(dict(foreign.told)))
    for part, told in foreign.parts.items():
        assert back.parts[part].digest == told.digest, part
    assert header.config["imported"]["file"] == str((shared_data / file).resolve())


def _runs(folder: Path, *rewards: Any) -> Path:
    runs = [{"task_id": i, "trial": 0, "reward": reward, "traj": []} for i, reward in enumerate(rewards)]
    path = folder / "runs.json"
    path.write_text(json.dumps(runs), encoding="utf-8")
    return path


def test_the_format_may_be_named_and_is_then_held_to(here: Path) -> None:
    path = _runs(here, 1.0, 0.0)
    assert fairtrial("import", "tau-bench", path, "-o", "named.jsonl").code == 0
    said = fairtrial("import", "promptfoo", path, "-o", "log.jsonl")
    assert said.code == 2
    assert said.complaint == f"fairtrial: {path}: not a file of promptfoo; it looks like tau-bench"
    said = fairtrial("import", "excel", path, "-o", "log.jsonl", "--json")
    assert said.code == 2
    assert all(one.name in said.document["error"]["how"] for one in FORMATS)
    assert not (here / "log.jsonl").exists()


def test_what_has_no_score_is_no_zero_and_is_told(here: Path) -> None:
    path = _runs(here, 1.0, float("nan"), None)
    said = fairtrial("import", path, "-o", "log.jsonl", "--json")
    assert said.code == 0
    assert said.document["counts"]["scored"] == 1
    assert said.document["ret_ratio"]["mean"] == 1.0
    (note,) = (note for note in said.document["notes"] if "2 of its entries" in note)
    assert "runs.json[1]: score is nan" in note
    again = fairtrial("import", path, "-o", "zh.jsonl", "--json", env={"FAIRTRIAL_LANG": "zh"})
    assert any("其中 2 处没有可用的分数" in note for note in again.document["notes"])


def test_sessions_that_the_file_says_there_were_are_planned(here: Path) -> None:
    result = {"prompt": "p", "provider": "m", "success": True, "score": 1, "vars": {"q": "好"}}
    stats = {"successes": 3, "failures": 1, "errors": 0}
    (here / "r.json").write_text(json.dumps({"results": {"results": [result], "stats": stats}}))
    said = fairtrial("import", "r.json", "-o", "log.jsonl", "--json")
    assert (said.document["counts"]["planned"], said.document["counts"]["scored"]) == (4, 1)


def test_a_log_of_ours_and_a_file_of_totals_are_not_imported(here: Path) -> None:
    fairtrial("import", _runs(here, 1.0), "-o", "log.jsonl")
    said = fairtrial("import", "log.jsonl", "-o", "again.jsonl")
    assert said.code == 2
    assert said.complaint.endswith("this is a log of fairtrial already (fairtrial show log.jsonl)")
    log = {"version": 2, "status": "success", "eval": {"task": "t"}, "results": {"scores": []}}
    (here / "totals.json").write_text(json.dumps(log))
    said = fairtrial("import", "totals.json", "-o", "again.jsonl")
    assert said.code == 2
    assert "no single results (fairtrial audit totals.json)" in said.complaint
    assert not (here / "again.jsonl").exists()
