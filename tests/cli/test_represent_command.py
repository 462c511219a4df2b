"""cases represent: the set beside live dialogues, through its door."""

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from fairtrial.app import represent as app_represent
from fairtrial.cli.main import app

CASES = [
    "我想退款",
    "订单 JD2024111138271 什么时候到",
    "怎么换货？",
    "请帮我改地址",
    "运费是多少",
    "怎么取消订单",
]
LIVE = "上周四拍的毛衣到现在都没到，急死我了！！电话 13812345678"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    cases = [{"id": f"c{n}", "input": text, "expect": "x", "task_type": "t"} for n, text in enumerate(CASES)]
    Path("cases.json").write_text(json.dumps(cases, ensure_ascii=False), encoding="utf-8")
    return tmp_path


def write(name: str, *dialogues: dict[str, Any]) -> None:
    text = "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in dialogues)
    Path(name).write_text(text, encoding="utf-8")


def live(text: str, number: int, **more: Any) -> dict[str, Any]:
    return {"id": f"d{number}", "messages": [{"role": "user", "content": text}], **more}


def represent(*options: str) -> Result:
    return CliRunner().invoke(app, ["cases", "represent", "cases.json", "--traffic", "live.jsonl", *options])


def document(*options: str) -> tuple[int, dict[str, Any]]:
    result = represent("--json", *options)
    return result.exit_code, json.loads(result.stdout)


@pytest.mark.usefixtures("here")
def test_users_who_ask_as_the_cases_do() -> None:
    write("live.jsonl", *(live(text, n) for n, text in enumerate(CASES * 10)))
    code, told = document()
    assert (code, told["status"], told["represents"]) == (0, "represents", True)
    assert (told["cases"], told["clusters"], told["dialogues"], told["measured"]) == (6, 6, 60, 60)
    assert told["marked"] == {"resolved": 0, "satisfied": 0}


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize(
    ("language", "verdict"),
    [("en", "these are not your users' questions"), ("zh", "这些不是你的用户会问的问题")],
)
def test_users_who_do_not(monkeypatch: pytest.MonkeyPatch, language: str, verdict: str) -> None:
    monkeypatch.setenv("FAIRTRIAL_LANG", language)
    write(
        "live.jsonl",
        *(live(LIVE, n) for n in range(60)),
        {"id": "s", "messages": [{"role": "bot", "text": "在吗"}]},
    )
    result = represent()
    assert result.exit_code == 3
    assert verdict in result.stdout
    assert "[phone]" in result.stdout
    assert "13812345678" not in result.stdout


@pytest.mark.usefixtures("here")
def test_users_of_another_language_are_told() -> None:
    write("live.jsonl", *(live("where is my order", n) for n in range(60)))
    gaps = {gap["trait"]: gap for gap in document()[1]["gaps"]}
    assert (gaps["chinese"]["cases"], gaps["chinese"]["live"]) == (1.0, 0.0)
    assert gaps["chinese"]["apart"]


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("dialogues", [1, 29])
def test_too_few_dialogues_say_nothing(dialogues: int) -> None:
    write("live.jsonl", *(live(LIVE, n) for n in range(dialogues)))
    code, told = document()
    assert (code, told["status"], told["represents"], told["gaps"]) == (3, "unknown", None, [])


@pytest.mark.usefixtures("here")
def test_of_many_dialogues_some_are_measured_and_all_marks_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(app_represent, "MEASURED", 40)
    write("live.jsonl", *(live(CASES[n % 6], n, resolved=True) for n in range(100)))
    _, told = document()
    assert (told["dialogues"], told["measured"], told["marked"]["resolved"]) == (100, 40, 100)
    assert document() == (_, told)


def test_the_dissatisfied_are_drawn_by_intent_and_day_and_stand_as_they_were(here: Path) -> None:
    marks: list[dict[str, Any]] = [
        {"satisfied": False, "intent": "a"},
        {"resolved": False, "intent": "b"},
        {"satisfied": True, "intent": "a"},
        {"intent": "a"},
        {"satisfied": "who knows", "intent": "b"},
    ]
    write("live.jsonl", *(live(LIVE, n, at=f"2026-11-{1 + n // 50:02}", **marks[n % 5]) for n in range(100)))
    _, told = document("--sample", "8", "-o", "weekly.jsonl")
    assert told["sampled"] == {"path": "weekly.jsonl", "drawn": 8, "dissatisfied": 40, "strata": 4, "seed": 0}
    lines = (here / "weekly.jsonl").read_text("utf-8").splitlines()
    whole = (here / "live.jsonl").read_text("utf-8").splitlines()
    assert set(lines) <= set(whole)
    drawn = [json.loads(line) for line in lines]
    assert all(one.get("satisfied") is False or one.get("resolved") is False for one in drawn)
    strata = [(one["intent"], one["at"]) for one in drawn]
    assert {strata.count(stratum) for stratum in strata} == {2}
    document("--sample", "8", "-o", "again.jsonl")
    assert (here / "again.jsonl").read_bytes() == (here / "weekly.jsonl").read_bytes()
    document("--sample", "8", "--seed", "1", "-o", "other.jsonl")
    assert (here / "other.jsonl").read_bytes() != (here / "weekly.jsonl").read_bytes()


def test_nobody_dissatisfied_leaves_no_file(here: Path) -> None:
    write("live.jsonl", *(live(LIVE, n) for n in range(40)))
    _, told = document("--sample", "8", "-o", "weekly.jsonl")
    assert told["sampled"]["drawn"] == 0
    assert not (here / "weekly.jsonl").exists()


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("--sample", "3"), "go together"),
        (("-o", "new.jsonl"), "go together"),
        (("--sample", "3", "-o", "live.jsonl"), "it is there already"),
        (("--log", "nowhere.jsonl"), "no such file"),
    ],
)
def test_bad_input_changes_nothing(here: Path, options: tuple[str, ...], told: str) -> None:
    write("live.jsonl", *(live(LIVE, n, satisfied=False) for n in range(40)))
    before = {path: path.read_bytes() for path in here.iterdir()}
    result = represent(*options)
    assert result.exit_code == 2
    assert told in result.stderr
    assert {path: path.read_bytes() for path in here.iterdir()} == before


def test_a_torn_last_line_is_told_and_nothing_is_drawn(here: Path) -> None:
    write("live.jsonl", *(live(LIVE, n, satisfied=False) for n in range(40)))
    with (here / "live.jsonl").open("a") as file:
        file.write('{"id": "torn", "messages": [')
    result = represent("--sample", "3", "-o", "weekly.jsonl")
    assert result.exit_code == 2
    assert "live.jsonl:41" in result.stderr
    assert not (here / "weekly.jsonl").exists()


def test_a_full_disk_leaves_no_part_of_a_sample(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write("live.jsonl", *(live(LIVE, n, satisfied=False) for n in range(40)))

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    result = represent("--sample", "3", "-o", "weekly.jsonl")
    assert result.exit_code == 4
    assert {path.name for path in here.iterdir()} == {"cases.json", "live.jsonl"}


@pytest.mark.usefixtures("here")
def test_a_round_beside_what_users_said() -> None:
    Path("answerer.py").write_text("def answer(text):\n    return 'x'\n")
    assert CliRunner().invoke(app, ["run", "cases.json", "--agent", "python:answerer:answer"]).exit_code in (
        0,
        3,
    )
    write(
        "live.jsonl",
        *(
            live(
                CASES[n % 6],
                n,
                intent="t",
                version=f"v{n % 2}",
                **({"resolved": n % 4 == 0} if n < 80 else {}),
            )
            for n in range(100)
        ),
    )
    code, told = document("--log", "logs")
    outcomes = told["outcomes"]
    assert code == 3
    assert outcomes["mixed"]["mean"] == 1.0
    resolved = outcomes["online"][0]
    assert (resolved["figure"]["mean"], resolved["figure"]["n"]) == (0.25, 80)
    assert resolved["apart"] is True
    assert "offline 1.000, online resolved 0.250" in told["meaning"]
    assert any("only 80%" in note for note in told["notes"])
    assert any("several versions" in note for note in told["notes"])


@pytest.mark.usefixtures("here")
def test_without_intents_the_nearest_case_tells_the_task_type() -> None:
    Path("answerer.py").write_text("def answer(text):\n    return 'x'\n")
    CliRunner().invoke(app, ["run", "cases.json", "--agent", "python:answerer:answer"])
    write("live.jsonl", *(live(CASES[n % 6], n, resolved=True) for n in range(60)))
    _, told = document("--log", "logs")
    assert [one["name"] for one in told["outcomes"]["strata"]] == ["t"]


@pytest.mark.usefixtures("here")
def test_all_marks_count_though_the_wording_of_some_is_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(app_represent, "MEASURED", 40)
    Path("answerer.py").write_text("def answer(text):\n    return 'x'\n")
    CliRunner().invoke(app, ["run", "cases.json", "--agent", "python:answerer:answer"])
    write("live.jsonl", *(live(CASES[n % 6], n, resolved=n < 15) for n in range(60)))
    _, told = document("--log", "logs")
    resolved = told["outcomes"]["online"][0]
    assert (told["measured"], resolved["dialogues"], resolved["figure"]["n"]) == (40, 60, 60)
    assert resolved["figure"]["mean"] == 0.25
