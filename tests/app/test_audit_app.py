"""Real files of other tools, and tables as people write them: figures come out, known faults are found."""

import csv
import json
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from commands import case, fairtrial, write_project

from fairtrial.app.audit import audit
from fairtrial.errors import BadInput
from fairtrial.schema.audit import Answer, Audit
from fairtrial.schema.evidence import Doubt


def lit(found: Audit) -> set[str]:
    return {doubt.name for doubt in found.doubts if doubt.lit}


def line(found: Audit, name: str) -> Doubt:
    return next(doubt for doubt in found.doubts if doubt.name == name)


# What the data's own README files state: shared/data/*/README.md.


def test_nineteen_of_fifty_tasks_pass_for_doing_nothing(shared_data: Path) -> None:
    (file,) = (shared_data / "tau_bench_airline_gpt4o").glob("*.json.gz")
    found = audit([file])
    assert line(found, "null_agent").value == 0.38
    assert "19 of 50 cases" in line(found, "null_agent").meaning
    (summary,) = found.summaries
    assert summary is not None
    assert [round(value or 0, 4) for value in summary.pass_hat_k.values()] == [0.42, 0.2733, 0.22, 0.2]
    assert lit(found) == {"null_agent"}


def test_562_of_730_instances_in_a_denominator(shared_data: Path) -> None:
    folder = shared_data / "swebench_pro"
    files = [
        folder / f"{name}-10132025.eval_results.json.gz" for name in ("claude-45sonnet", "claude-4sonnet")
    ]
    found = audit(files)
    assert found.trust is Answer.no
    assert line(found, "dropped_rows").value == 168
    assert "240/562 = 42.70% → 240/730 = 32.88%" in line(found, "dropped_rows").meaning
    assert lit(found) == {"dropped_rows", "few_trials"}
    assert found.comparison is not None
    assert (found.comparison.shared, found.comparison.only_base) == (562, 168)


def test_one_missing_instance_of_730_is_told_and_forbids_nothing(shared_data: Path) -> None:
    folder = shared_data / "swebench_pro"
    found = audit(
        [
            folder / "claude-45sonnet-10132025.eval_results.json.gz",
            folder / "gpt-5-250-turns-10132025.eval_results.json.gz",
        ]
    )
    assert line(found, "dropped_rows").value == 1
    assert found.trust is Answer.partly
    assert found.comparison is not None
    assert (found.comparison.mcnemar.b, found.comparison.mcnemar.c) == (59, 113)


def test_inspect_s_own_figures_agree_with_its_samples(shared_data: Path) -> None:
    (file,) = (shared_data / "inspect_ai_logs").glob("scorer__logs__2025-02-11T15-18*")
    found = audit([file])
    claims = {claim.name: claim for claim in found.claims}
    assert claims["accuracy"].said == pytest.approx(0.8)
    assert claims["stderr"].said == pytest.approx(0.1333, abs=5e-5)
    assert all(claim.agrees for claim in found.claims)
    assert lit(found) == {"few_cases", "few_trials"}


def test_figures_without_results_are_only_stated(shared_data: Path) -> None:
    (file,) = (shared_data / "inspect_ai_logs").glob("*no-samples.json")
    found = audit([file])
    assert found.summaries == (None,)
    assert found.claims
    assert all(claim.agrees is None for claim in found.claims)
    assert found.trust is Answer.partly


def test_promptfoo_s_counts_agree_with_its_rows(shared_data: Path) -> None:
    found = audit([shared_data / "promptfoo_results" / "results.json"])
    assert {claim.name: claim.found for claim in found.claims} == {"successes": 4, "failures": 8, "errors": 0}
    assert lit(found) == {"few_cases", "few_trials"}


def test_pass_k_never_rises_on_the_leaderboard(shared_data: Path) -> None:
    found = audit([shared_data / "tau2_leaderboard" / "submissions.jsonl.gz"])
    assert line(found, "impossible").lit is False
    assert lit(found) == set()


def test_every_real_result_is_audited(shared_data: Path) -> None:
    files = [
        *(shared_data / "inspect_ai_logs").glob("*.json*"),
        *(shared_data / "inspect_ai_logs").glob("*.eval"),
        *(shared_data / "langfuse_framework_traces").glob("*.trace.json*"),
        *(shared_data / "atif_converted").glob("*.gz"),
    ]
    size = {"few_cases", "few_trials", "saturated", "too_good", "too_low", "too_uniform", "errors"}
    for file in files:
        assert lit(audit([file])) <= size, file.name


def table(file: Path, columns: str, rows: Sequence[Sequence[Any]]) -> Path:
    with file.open("w", newline="", encoding="utf-8") as out:
        csv.writer(out).writerows([columns.split(","), *rows])
    return file


def drawn(n: int = 100, *, seed: int = 0) -> list[tuple[str, int]]:
    draw = random.Random(seed)
    return [(f"题{i}", int(draw.random() < 0.6)) for i in range(n)]


def test_a_plain_table_has_gaps_and_no_defects(tmp_path: Path) -> None:
    found = audit([table(tmp_path / "scores.csv", "id,score", drawn())])
    assert lit(found) == {"few_trials"}
    assert found.trust is Answer.partly
    assert found.formats == ("table",)


@pytest.mark.parametrize(
    ("name", "columns", "extra"),
    [
        ("non_finite", "id,score", [("x", "NaN")]),
        ("out_of_range", "id,score", [("x", "1.5")]),
        ("duplicate_ids", "id,score", [("题3", 1)]),
        ("alike_ids", "id,score", [("题３", 1)]),
        ("clones", "id,score", [("题3_copy", dict(drawn())["题3"])]),
        ("errors_as_wrong", "id,score,status", [("x", 0, "timeout")]),
        ("errors_as_wrong", "id,score,output", [("x", 0, "Error: 429 Too Many Requests")]),
        ("mixed_models", "id,score,model", [("x", 1, "m-2")]),
    ],
)
def test_one_defect_in_a_table(name: str, columns: str, extra: list[tuple[Any, ...]], tmp_path: Path) -> None:
    more = {"status": ["ok"], "output": ["好的"], "model": ["m-1"]}.get(columns.split(",")[-1], [])
    found = audit([table(tmp_path / "scores.csv", columns, [*([*row, *more] for row in drawn()), *extra])])
    assert name in lit(found)
    assert (found.trust is Answer.no) is True


def test_a_promptfoo_test_that_passes_below_its_threshold(tmp_path: Path, shared_data: Path) -> None:
    whole = json.loads((shared_data / "promptfoo_results" / "results.json").read_text(encoding="utf-8"))
    first = whole["results"]["results"][0]
    first["testCase"]["threshold"] = 1.5 if first["success"] else 0
    file = tmp_path / "changed.json"
    file.write_text(json.dumps(whole), encoding="utf-8")
    assert "contradictions" in lit(audit([file]))


def test_files_of_one_name_are_told_apart(tmp_path: Path) -> None:
    files = []
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        files.append(table(tmp_path / folder / "scores.csv", "id,score", drawn()))
    assert audit(files).paths == tuple(str(file) for file in files)


def test_other_cases_have_nothing_to_compare(tmp_path: Path) -> None:
    other = [(f"v2-{name}", score) for name, score in drawn()]
    found = audit(
        [table(tmp_path / "a.csv", "id,score", drawn()), table(tmp_path / "b.csv", "id,score", other)]
    )
    assert "disjoint_ids" in lit(found)
    assert "dropped_rows" not in lit(found)


def test_a_log_of_ours_and_an_imported_one(here: Path, shared_data: Path) -> None:
    write_project(here, [case(n) for n in range(24)])
    log = fairtrial("run", "--json").log
    found = audit([log])
    assert found.formats == ("fairtrial",)
    assert {check.name for check in found.checklist if check.answer is Answer.yes} >= {
        "repeats",
        "raw_output",
    }
    (file,) = (shared_data / "tau_bench_airline_gpt4o").glob("*.json.gz")
    fairtrial("import", "tau-bench", file, "-o", here / "tau.jsonl")
    imported = audit([here / "tau.jsonl"])
    assert imported.formats == ("tau-bench",)
    assert lit(imported) == {"null_agent"}


def test_an_unfinished_log_lacks_what_was_not_held(here: Path) -> None:
    write_project(here, [case(n) for n in range(24)])
    fairtrial("run", "--json", "--max-time", "0.000001")
    (part,) = (here / "logs").glob("*.part")
    found = audit([part])
    assert "few_cases" in lit(found)
    assert found.trust is Answer.no


def test_the_latest_log_of_the_project_or_of_a_folder(here: Path) -> None:
    write_project(here, [case(n) for n in range(24)])
    log = fairtrial("run", "--json").log
    assert audit().paths == audit([here / "logs"]).paths == audit([log]).paths
    (here / "empty").mkdir()
    with pytest.raises(BadInput, match="no finished log"):
        audit([here / "empty"])


def test_figures_in_a_log_that_its_rows_do_not_give(here: Path) -> None:
    write_project(here, [case(n) for n in range(24)])
    log = fairtrial("run", "--json").log
    sound = audit([log])
    assert sound.claims
    assert all(claim.agrees for claim in sound.claims)
    first, *rest = log.read_text(encoding="utf-8").splitlines()
    header = json.loads(first)
    header["summary"]["total"]["mean"] = 0.123
    log.write_text("\n".join([json.dumps(header), *rest]) + "\n", encoding="utf-8")
    assert "total 0.123" in line(audit([log]), "claims").meaning


def test_a_published_table_beside_the_results(shared_data: Path) -> None:
    """The README of the data: 240/562 is as printed; 319/730 and 202/729 are not, to the digits printed."""
    folder = shared_data / "swebench_pro"

    def held(name: str) -> dict[str, bool | None]:
        found = audit([folder / f"{name}-10132025.eval_results.json.gz", folder / "published.json"])
        return {claim.name: claim.agrees for claim in found.claims if claim.agrees is not None}

    assert held("claude-4sonnet") == {"claude-4-Sonnet resolved": True}
    assert held("claude-45sonnet") == {"claude-4-5-Sonnet resolved": False}
    assert held("kimi-k2-instruct") == {"kimi-k2-instruct resolved": False}


def test_one_or_two_files(tmp_path: Path) -> None:
    file = table(tmp_path / "scores.csv", "id,score", drawn())
    with pytest.raises(BadInput, match="one or two"):
        audit([file] * 3)
    with pytest.raises(BadInput, match="the same file"):
        audit([file] * 2)
