"""A whole round through the command line."""

import json
import re
from pathlib import Path

import pytest
from commands import case, fairtrial, header, rows, write_cases, write_project
from log_samples import without_times

KEYS = {
    "status", "counts", "total", "ret_ratio", "ret_ratio_all", "useful", "pass_hat_k", "tags",
    "doubts", "log",
}  # fmt: skip
ESTIMATE = {"mean", "low", "high", "n", "method"}
NAMES = [
    "few_cases", "too_good", "too_low", "too_uniform", "correlation", "few_trials", "errors",
    "mixed_models", "drift", "null_agent", "useful_high", "useful_unchecked", "useful_falls",
    "useful_weight", "useful_unscored", "jump", "changed_set", "unchanged_set", "often_lit",
]  # fmt: skip

TELLTALE = "def right(text):\n    open('called', 'w').close()\n    return ''\n"


def history(project: Path) -> list[dict[str, object]]:
    path = project / "logs" / "history.jsonl"
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()] if path.exists() else []


def lit(document: dict[str, object]) -> set[str]:
    return {doubt["name"] for doubt in document["doubts"] if doubt["lit"]}  # type: ignore[index, attr-defined]


def test_a_full_round_is_three_trials_and_an_honest_number(project: Path) -> None:
    said = fairtrial("run")
    assert said.code == 0
    assert "reliable: no forbidding doubt line is lit" in said.out
    assert "72 planned, 72 scored, 0 errored" in said.out
    assert "clustered (24 clusters" in said.out
    [log] = (project / "logs").glob("2*.jsonl")
    assert str(log) in said.out.replace("\n", "")
    assert header(log)["status"] == "reliable"
    assert header(log)["started"][:10] == log.name[:10]


def test_the_plan_comes_first_and_on_stderr(project: Path) -> None:
    said = fairtrial("run", "--concurrency", 4, "--timeout", 10)
    first, *_, last = said.err.splitlines()
    assert first.startswith("24 cases × 3 trials = 72 sessions; python:")
    assert "4 at a time; at most 3 min 0 s; cost unknown" in first
    assert last == "72/72 missed 18, no answer 0"
    assert "sessions;" not in said.out


def test_json_is_one_document_with_all_its_keys(project: Path) -> None:
    said = fairtrial("run", "--json", "--agent", "python:clerk.py:loud")
    document = said.document  # the whole of stdout, though the agent prints
    assert "the agent prints" in said.err
    assert document.keys() >= KEYS
    assert document["status"] == "reliable"
    assert document["counts"] == {
        "planned": 72, "scored": 72, "errored": 0, "by_status": {"completed": 72}, "causes": {},
    }  # fmt: skip
    assert all(set(document[name]) == ESTIMATE for name in ("total", "ret_ratio", "ret_ratio_all", "useful"))
    assert document["ret_ratio"]["mean"] == pytest.approx((12 * 3 + 6) / (12 * 3 + 12))
    assert document["ret_ratio"]["n"] == 24
    useful = document["useful"]["mean"]
    assert document["total"]["mean"] == pytest.approx(0.7 * document["ret_ratio"]["mean"] + 0.3 * useful)
    assert document["pass_hat_k"] == {"1": 0.75, "2": 0.75, "3": 0.75}
    assert document["tags"]["even"]["mean"] == 0.5
    assert document["tags"]["odd"]["mean"] == 1.0
    assert [doubt["name"] for doubt in document["doubts"]] == NAMES
    assert all(
        doubt.keys() >= {"name", "lit", "value", "threshold", "advice"} for doubt in document["doubts"]
    )
    assert said.log.is_file()


def test_a_reliable_round_is_one_line_of_history_and_an_unreliable_one_none(project: Path) -> None:
    first = fairtrial("run", "--json")
    assert [line["run"] for line in history(project)] == [header(first.log)["run"]]
    few = fairtrial("run", "--json", "--limit", 5)
    assert few.code == 3
    assert few.document["status"] == "unreliable"
    assert few.document["mark"] == "UNRELIABLE"
    assert "few_cases" in lit(few.document)
    assert '"mark":"UNRELIABLE"' in few.log.read_text("utf-8").splitlines()[0]
    assert len(history(project)) == 1
    said = fairtrial("run", "--limit", 5)
    assert "UNRELIABLE: these figures prove nothing (few_cases" in said.out


def test_below_the_minimum_is_1_and_unreliable_comes_before_it(project: Path) -> None:
    below = fairtrial("run", "--minimum", 0.99)
    assert below.code == 1
    assert re.search(r"below the minimum: the total is 0\.\d+, at least 0\.99 was asked for", below.out)
    assert "below the minimum" in fairtrial("show").out
    fine = fairtrial("run", "--minimum", 0.1)
    assert fine.code == 0
    assert "below the minimum" not in fine.out
    assert fairtrial("run", "--minimum", 0.99, "--limit", 5).code == 3
    for wrong in ("1.5", "nan", "high"):
        said = fairtrial("run", "--minimum", wrong)
        assert said.code == 2
        assert "--minimum" in said.complaint
    (project / "fairtrial.toml").write_text(
        (project / "fairtrial.toml").read_text() + "\n[score]\nminimum = 0.99\n"
    )
    assert fairtrial("run").code == 1


def test_fewer_trials_light_a_line_and_more_are_taken(project: Path) -> None:
    assert "few_trials" in lit(fairtrial("run", "--json", "--trials", 2).document)
    four = fairtrial("run", "--json", "--trials", 4).document
    assert list(four["pass_hat_k"]) == ["1", "2", "3", "4"]
    assert "few_trials" not in lit(four)


def test_a_choice_of_cases(project: Path) -> None:
    def ids(*words: object) -> list[str]:
        said = fairtrial("run", "--json", "--trials", 1, *words)
        return [row["record"]["case"] for row in rows(said.log)]

    assert ids("--limit", 2) == ["price-0", "price-1"]
    assert ids("--case", "price-7", "--case", "price-2") == ["price-2", "price-7"]
    assert ids("--tag", "even", "--limit", 2) == ["price-0", "price-2"]
    assert ids("--limit", 8) == [f"price-{n}" for n in range(8)]
    assert ids("--failed") == ["price-0", "price-4"]
    for words, where in ((("--case", "price-77"), "--case"), (("--tag", "prime"), "--tag")):
        said = fairtrial("run", *words)
        assert said.code == 2
        assert said.complaint.startswith(f"fairtrial: {where}: no case matches")


def test_failed_needs_a_log_with_a_failure(here: Path) -> None:
    write_project(here, [case(n) for n in range(1, 4)])
    assert "there is no log yet" in fairtrial("run", "--failed").complaint
    fairtrial("run")
    said = fairtrial("run", "--failed")
    assert said.code == 2
    assert "no case failed" in said.complaint


def test_concurrency_changes_nothing_but_times(project: Path) -> None:
    one = fairtrial("run", "--json", "--seed", 7)
    eight = fairtrial("run", "--json", "--seed", 7, "--concurrency", 8)
    assert without_times(one.log) == without_times(eight.log)
    for key in KEYS - {"log", "doubts", "tags"}:
        assert one.document[key] == eight.document[key], key


def test_golden_samples_of_other_cases_do_not_stop_a_narrowed_round(here: Path) -> None:
    write_project(here, run='golden = "golden.json"')
    golden = [{"id": "g", "case": "price-9", "output": "109", "score": 1}]
    (here / "golden.json").write_text(json.dumps(golden))
    assert fairtrial("run", "--limit", 2).code == 3


def test_golden_samples_of_another_set_of_the_project_do_not_stop_a_round(here: Path) -> None:
    write_project(here, run='golden = "golden.json"')
    golden = [{"id": "g", "case": "price-9", "output": "109", "score": 1}]
    (here / "golden.json").write_text(json.dumps(golden))
    write_cases(here / "more.json", [case(n) for n in range(30, 54)])
    said = fairtrial("run", "more.json", "--json")
    assert said.code == 0
    assert header(said.log)["config"]["golden_agreed"] == 0
    assert fairtrial("rescore").code == 0
    checked = fairtrial("check", "more.json", "--json")
    assert checked.code == 0
    assert checked.document["golden"] == 0
    assert "1, the first is 'g' of 'price-9'" in checked.document["remarks"][-1]["what"]


def test_a_golden_mismatch_stops_the_run_before_anything_is_called(here: Path) -> None:
    write_project(here, run='golden = "golden.json"')
    golden = [{"id": "folded", "case": "price-9", "output": "It is 108.", "score": 1}]
    (here / "golden.json").write_text(json.dumps(golden))
    (here / "clerk.py").write_text(TELLTALE)
    said = fairtrial("run")
    assert said.code == 2
    assert "golden sample 'folded', score: expected 1, got 0 (0 number" in said.complaint
    assert not (here / "called").exists()
    assert not (here / "logs").exists()


def test_loosening_needs_a_name_and_a_reason_which_go_into_the_history(here: Path) -> None:
    write_project(here, 6, more="[doubts.few_cases]\nthreshold = 5\n")
    (here / "clerk.py").write_text(TELLTALE)
    for command in ("run", "check"):
        said = fairtrial(command)
        assert said.code == 2
        assert "[doubts.few_cases]" in said.err + said.out
        assert "more lenient without a name and a reason" in said.err + said.out
    assert not (here / "called").exists()
    write_project(here, 6, more='[doubts]\nfew_cases = {threshold = 5, who = "韩梅梅", why = "a pilot"}\n')
    assert fairtrial("run").code == 0
    loosening, round_ = history(here)
    assert loosening["who"] == "韩梅梅"
    assert loosening["why"] == "a pilot"
    assert (loosening["was"], loosening["threshold"]) == (20, 5)
    assert round_["is"] == "round"
    fairtrial("run")
    assert [line["is"] for line in history(here)] == ["loosening", "round", "round"]


def test_a_case_without_executable_rules_is_in_no_ratio(here: Path) -> None:
    cases = [
        *(case(n) for n in range(24)),
        *({"id": f"j{n}", "input": "hi", "expected": {"criteria": ["is kind"]}} for n in range(9)),
    ]
    write_project(here, cases)
    said = fairtrial("run", "--json")
    assert said.document["ret_ratio"]["n"] == 24
    assert said.document["ret_ratio_all"] == said.document["ret_ratio"]
    assert "errors" not in lit(said.document)
    assert said.code == 0


def test_criteria_are_said_to_be_in_no_score(project: Path) -> None:
    kind = {"required_fields": ["102"], "criteria": ["语气友好"]}
    write_cases(project / "prices.json", [*(case(n) for n in range(23)), case(90, expect=kind)])
    said = fairtrial("run")
    assert "criteria, kept for a judge, are not scored: cases 1" in said.out
    assert len(fairtrial("rescore", "--json").document["notes"]) == 2
    stopped = fairtrial("run", "--max-time", 0.000001, "--json").document["notes"]
    assert [note.split(",")[0].split(":")[0] for note in stopped] == ["criteria", "stopped"]


def test_a_history_that_cannot_be_read_is_told_before_and_not_after(project: Path) -> None:
    (project / "logs").mkdir()
    (project / "logs" / "history.jsonl").write_text("{}\n")
    (project / "clerk.py").write_text(TELLTALE)
    said = fairtrial("run")
    assert said.code == 2
    assert "history.jsonl:1: not a line of a history" in said.complaint
    assert not (project / "called").exists()


class TestQuick:
    """A handful of cases, one trial, two things to say."""

    def test_nothing_to_compare_with(self, project: Path) -> None:
        said = fairtrial("run", "--json", "--mode", "quick", "--limit", 5)
        assert said.code == 0
        document = said.document
        assert document["status"] == "quick"
        assert document["quick"]["outcome"] == "nothing to compare with"
        assert document["counts"]["planned"] == 5
        [few] = [doubt for doubt in document["doubts"] if doubt["name"] == "few_cases"]
        assert few["lit"]
        assert not few["forbids"]
        assert "cannot show improvement" in few["meaning"]
        assert history(project) == []

    def test_no_alarm_and_clearly_worse(self, project: Path) -> None:
        full = fairtrial("run", "--json")
        fairtrial("run", "--limit", 3)  # unreliable: no base
        quick = ("run", "--mode", "quick", "--limit", 12)
        same = fairtrial(*quick, "--json")
        assert same.code == 0
        verdict = same.document["quick"]
        assert (verdict["outcome"], verdict["shared"]) == ("no alarm", 12)
        assert verdict["base"] == full.document["run"]
        worse = fairtrial(*quick, "--agent", "python:clerk.py:worse")
        assert worse.code == 1
        assert "Clearly worse than the last reliable full round on 12 shared cases." in worse.out
        assert f"compared with {full.document['run']}" in worse.out
        assert "quick: finds an evident regression, shows no improvement" in worse.out
        assert len(history(project)) == 1

    def test_what_changed_since_the_base_is_said(self, project: Path) -> None:
        fairtrial("run")
        quick = ("run", "--mode", "quick", "--limit", 12, "--seed", 3, "--json")
        (project / "helper.py").touch()
        meaning = fairtrial(*quick).document["quick"]["meaning"]
        assert meaning.endswith("no improvement. Changed since that round: agent, seeds.")

    def test_a_round_of_another_set_in_the_same_folder_is_no_base(self, project: Path) -> None:
        full = fairtrial("run", "--json")
        other = write_cases(project / "other.json", [case(n, id=f"other-{n}") for n in range(24)])
        assert fairtrial("run", other).code == 0
        quick = fairtrial("run", "--mode", "quick", "--limit", 5, "--json")
        assert quick.document["quick"]["base"] == full.document["run"]

    def test_trials_of_the_file_are_those_of_its_mode(self, here: Path) -> None:
        write_project(here, run="trials = 2")
        assert fairtrial("run", "--json", "--mode", "quick").document["counts"]["planned"] == 24
        assert fairtrial("run", "--json").document["counts"]["planned"] == 48
        assert (
            fairtrial("run", "--json", "--mode", "quick", "--trials", 2).document["counts"]["planned"] == 48
        )
