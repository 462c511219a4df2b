"""A set beside its history: what it still tells, how old it is, what its trend stands on."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from commands import fairtrial

TODAY = datetime.now(UTC).date()
AGENT = """
import hashlib, pathlib
def answer(text):
    number = int(text.split("#")[1].split()[0])
    if number < 10:
        return f"C{number}。"
    if number >= 35:
        return "不知道"
    calls = pathlib.Path("calls")
    n = int(calls.read_text()) if calls.exists() else 0
    calls.write_text(str(n + 1))
    luck = hashlib.sha256(f"{number} {n}".encode()).digest()[0]
    return f"C{number}。" if luck < 128 else "再说一遍？"
"""


def case(n: int, **more: Any) -> dict[str, Any]:
    return {
        "id": f"k{n}",
        "input": f"请问 #{n} 的退款进度？",
        "expect": [f"C{n}", {"rule": "length", "min": 1}],
        **more,
    }


class Bench:
    """A project whose set can be edited between rounds."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        (folder / "stub.py").write_text(AGENT, "utf-8")
        (folder / "fairtrial.toml").write_text(
            '[agent]\ntype = "python"\nfunction = "stub.py:answer"\n[run]\ncases = ["问题.json"]\n', "utf-8"
        )
        self.write([case(n) for n in range(40)])

    def write(self, cases: list[dict[str, Any]]) -> None:
        (self.folder / "问题.json").write_text(json.dumps(cases, ensure_ascii=False), "utf-8")

    def rounds(self, n: int, *words: str) -> list[str]:
        return [fairtrial("run", *words, "--json").document["run"] for _ in range(n)]


@pytest.fixture
def bench(here: Path) -> Bench:
    return Bench(here)


def look(*words: str) -> Any:
    said = fairtrial("cases", "health", *words, "--json")
    assert (said.code, said.document["status"]) == (0, "looked")
    return said.document


def passed(document: Any) -> dict[str, str]:
    return {found["case"]: found["passed"] for found in document["by_case"]}


def test_what_each_case_tells(bench: Bench) -> None:
    bench.rounds(3)
    found = look()
    kinds = passed(found)
    assert {kinds[f"k{n}"] for n in range(10)} == {"always"}
    assert {kinds[f"k{n}"] for n in range(35, 40)} == {"never"}
    assert {kinds[f"k{n}"] for n in range(10, 35)} == {"sometimes"}
    assert found["by_case"][12]["decided_by"] == "0 (contains)"
    assert found["by_case"][12]["trials"] == 9
    saturation = found["saturation"]
    assert (saturation["known"], saturation["left"], saturation["share"]) == (40, 25, 0.375)
    assert saturation["of_whole"] == pytest.approx(saturation["detectable"] * 25 / 40)
    shown = fairtrial("cases", "health").out
    assert "always passed (10): k0 (9/9)" in shown
    assert "15 of 40 cases (38%) no longer tell" in " ".join(shown.split())


def test_too_little_history_is_not_known(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    assert look()["rounds"] == 0
    bench.rounds(2)
    kinds = passed(look())
    assert {kinds[f"k{n}"] for n in (0, 39)} == {"not known"}
    monkeypatch.setenv("FAIRTRIAL_LANG", "zh")
    assert "历史太短，无从判断（" in fairtrial("cases", "health").out


def test_an_edited_case_begins_anew_and_bookkeeping_does_not(bench: Bench) -> None:
    bench.rounds(3)
    edited = case(0, expect=["C0", "。"])
    bench.write([edited, case(1, version=2, reviewed_by="李雷", tags=["退款"]), *map(case, range(2, 40))])
    found = look()
    assert [found["by_case"][n]["rounds"] for n in (0, 1)] == [0, 3]
    assert passed(found)["k0"] == "not known"
    assert found["trend"]["cases"] == 39


def test_a_trend_stands_on_what_all_its_rounds_asked(bench: Bench) -> None:
    first = bench.rounds(2)
    bench.write([*map(case, range(5, 40)), *map(case, range(50, 55))])
    second = bench.rounds(1)
    assert look()["trend"]["cases"] == 35
    assert [point["run"] for point in look()["trend"]["points"]] == [*first, *second]
    bench.write([case(n, expect=[f"c{n}", {"rule": "length", "min": 2}]) for n in range(5, 40)])
    third = bench.rounds(1)
    trend = look()["trend"]
    assert (trend["cases"], [point["run"] for point in trend["points"]]) == (35, third)
    assert [left["run"] for left in trend["left_out"]] == [*first, *second]
    assert trend["left_out"][0]["why"].startswith("0 of the set's 35 cases")


def test_refused_rounds_tell_of_cases_and_are_on_no_trend(bench: Bench) -> None:
    bench.write([case(n) for n in range(10)])
    runs = bench.rounds(3)
    found = look()
    assert set(passed(found).values()) == {"always"}
    assert (found["rounds"], found["saturation"]["share"], found["trend"]["points"]) == (3, 1.0, [])
    assert [left["run"] for left in found["trend"]["left_out"]] == runs
    assert "few_cases" in found["trend"]["left_out"][0]["why"]
    shown = " ".join(fairtrial("cases", "health").out.split())
    assert "saturation: 10 of 10 cases (100%) no longer tell anything; 0 are left" in shown


def test_quick_rounds_and_part_files_are_no_history(bench: Bench) -> None:
    bench.rounds(1, "--mode", "quick")
    bench.rounds(1, "--max-time", "0.000001")
    assert look()["rounds"] == 0


def test_a_round_that_was_rescored_counts_once(bench: Bench) -> None:
    bench.rounds(3)
    bench.write([case(n, expect=[f"C{n}"]) for n in range(40)])
    assert look()["rounds"] == 0
    rescored = fairtrial("rescore", "--json").document["run"]
    again = fairtrial("rescore", "--json").document["run"]
    found = look()
    assert found["rounds"] == 1
    assert [point["run"] for point in found["trend"]["points"]] == [again]
    assert rescored != again


def test_a_window_for_a_set(bench: Bench) -> None:
    days = [TODAY - timedelta(days=n) for n in (10, 91, -3)]
    cases = [case(n, set="natural", observed=day.isoformat()) for n, day in enumerate(days)]
    bench.write([*cases, case(3, set="natural"), case(4, set="incident", created="2020-01-01")])
    mix = look()["mix"]
    assert mix["natural"] == {
        "cases": 4,
        "window_days": 90,
        "oldest": days[1].isoformat(),
        "newest": days[2].isoformat(),
        "old": ["k1"],
        "ahead": ["k2"],
        "undated": ["k3"],
    }
    assert mix["incident"]["old"] == []
    shown = fairtrial("cases", "health").out
    for line in ("natural, older than its window (1): k1", "natural, dated in the future (1): k2"):
        assert line in shown
    assert "natural, without a day and so not known (1): k3" in shown
    with (bench.folder / "fairtrial.toml").open("a") as file:
        file.write("[sets.natural]\nwindow_days = 91\n[sets.incident]\nwindow_days = 30\n")
    mix = look()["mix"]
    assert (mix["natural"]["old"], mix["incident"]["old"]) == ([], ["k4"])


@pytest.mark.parametrize(
    ("table", "complaint"),
    [
        ("[sets.natrual]\nwindow_days = 3\n", "`sets.natrual` must be one of 'regression', 'natural'"),
        ("[sets.natural]\nwindow_day = 3\n", "did you mean `window_days`?"),
        ("[sets.natural]\nwindow_days = 0\n", "must be at least 1"),
    ],
)
def test_a_wrong_window_is_refused(bench: Bench, table: str, complaint: str) -> None:
    with (bench.folder / "fairtrial.toml").open("a") as file:
        file.write(table)
    said = fairtrial("cases", "health")
    assert said.code == 2
    assert complaint in said.complaint


def test_a_folder_of_logs_that_is_not_there(bench: Bench) -> None:
    said = fairtrial("cases", "health", "--logs", "elsewhere")
    assert said.code == 2
    assert "no such folder" in said.complaint


def test_a_broken_log_is_no_log(bench: Bench) -> None:
    bench.rounds(1)
    (bench.folder / "logs" / "9.jsonl").write_text('{"run": "x"', "utf-8")
    assert look("--logs", "logs")["rounds"] == 1
