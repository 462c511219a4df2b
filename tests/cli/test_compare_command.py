"""`fairtrial compare` as a person uses it."""

from pathlib import Path

import pytest
from commands import fairtrial, write_project
from results import log, numbered, table

KEYS = {
    "shared",
    "only_base",
    "only_candidate",
    "gained",
    "lost",
    "difference",
    "mcnemar",
    "wilcoxon",
    "sign_flip",
    "buckets",
    "smallest_detectable",
    "verdict",
    "doubts",
}
"""What the document has been promised to hold."""


def test_two_rounds_of_a_project(project: Path) -> None:
    assert fairtrial("run").code == 0
    same = fairtrial("run", "--json")
    assert same.code == 0
    again = fairtrial("compare")
    assert again.code == 3
    assert "Not shown: +0.0 points" in again.out
    clerk = (project / "clerk.py").read_text("utf-8")
    (project / "novice.py").write_text(clerk.replace("n % 4 == 0", "n % 4 < 3"), "utf-8")
    assert fairtrial("run", "--agent", "python:novice.py:right").code == 0
    refused = fairtrial("compare")
    assert refused.code == 2
    assert "not the same environment: agent" in refused.complaint
    assert "--changed agent" in refused.complaint
    worse = fairtrial("compare", "--changed", "agent")
    assert worse.code == 1
    assert "Worse: -50" in worse.out
    named = fairtrial("compare", same.log, "logs", "--changed", "agent", "--json")
    assert named.code == 1
    assert named.document["base"] == same.document["run"]
    assert [part["part"] for part in named.document["differs"] if part["known"]] == ["agent"]
    assert len(named.document["lost"]) == 12
    forced = fairtrial("compare", "--force", "--json")
    assert (forced.code, forced.document["verdict"]) == (3, "not shown")


def test_the_document(here: Path) -> None:
    base = log(here / "a.jsonl", numbered([[0.0] * 3] * 40 + [[1.0] * 3] * 10), about={"tags": ("退款",)})
    new = log(here / "b.jsonl", numbered([[1.0] * 3] * 50), lit=[], about={"tags": ("退款",)})
    said = fairtrial("compare", base, new, "--json")
    assert said.code == 0
    assert set(said.document) >= KEYS
    assert said.document["difference"]["mean"] == pytest.approx(0.8)
    assert said.document["shared"] == 50
    assert said.document["gained"] == [f"用例-{n}" for n in range(40)]


def test_one_argument_is_the_candidate(here: Path) -> None:
    log(here / "old.jsonl", numbered([[0.0] * 3] * 30), at="2026-11-30T01:00:00Z")
    new = log(here / "new.jsonl", numbered([[1.0] * 3] * 30), at="2026-11-30T02:00:00Z")
    said = fairtrial("compare", new, "--json")
    assert (said.document["base"], said.document["candidate"]) == ("old", "new")


def test_tables_of_another_tool_in_chinese(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAIRTRIAL_LANG", "zh")
    base = table(here / "旧.jsonl", numbered([0.0] * 60 + [1.0] * 60))
    new = table(here / "新.jsonl", numbered([0.0] * 30 + [1.0] * 90))
    said = fairtrial("compare", base, new)
    assert said.code == 0
    for words in ("基准  旧.jsonl", "更好：在 120 个共有用例上", "新通过 (30)：用例-30", "● no_fingerprint"):
        assert words in said.out
    assert said.out.index("没有说明结果依赖什么") < said.out.index("更好")
    shown = fairtrial("show", new)
    assert shown.code == 0
    assert "用例-0" in shown.out
    assert fairtrial("show", new, "用例-5", "--json").document["sessions"][0]["record"]["case"] == "用例-5"


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("compare",), "there is no finished log"),
        (("compare", "a.jsonl"), "no such file"),
        (("compare", "a.jsonl", "b.jsonl"), "no such file"),
        (("compare", "prices.json", "clerk.py"), "none of the known formats"),
        (("compare", "--changed", "weather", "x", "y"), "no such file"),
    ],
)
def test_mistakes_are_one_line(words: tuple[str, ...], told: str, here: Path) -> None:
    write_project(here)
    (here / "logs").mkdir()
    said = fairtrial(*words)
    assert said.code == 2
    assert told in said.complaint


def test_published_leaderboard_files(shared_data: Path) -> None:
    folder = shared_data / "swebench_pro"
    said = fairtrial(
        "compare",
        folder / "gpt-5-250-turns-10132025.eval_results.json.gz",
        folder / "claude-45sonnet-10132025.eval_results.json.gz",
        "--json",
    )
    assert said.code == 0
    document = said.document
    assert (document["shared"], document["mcnemar"]["b"], document["mcnemar"]["c"]) == (729, 113, 59)
    assert document["mcnemar"]["p"] == pytest.approx(4.7e-5, rel=0.02)
    assert document["verdict"] == "better"


def test_a_round_of_some_cases_has_its_base_named_by_hand(here: Path) -> None:
    write_project(here, run="trials = 1")
    fairtrial("run")
    chosen = fairtrial("run", "--limit", 5, "--json").log
    said = fairtrial("compare")
    assert said.code == 2
    assert "it asked only some cases of its set (fairtrial compare BASE logs/" in said.complaint
    assert chosen.name in said.complaint


def test_the_folder_of_a_project_leads_to_its_logs(here: Path) -> None:
    write_project(here, run="trials = 1")
    fairtrial("run")
    said = fairtrial("compare", ".", "logs")
    assert (said.code, said.complaint) == (2, "fairtrial: .: there is no finished log (its logs are in logs)")
