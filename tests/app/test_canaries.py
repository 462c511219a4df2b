"""Canaries are asked before a round, kept, never scored, and compared with the earlier ones."""

import json
from pathlib import Path
from typing import Any

import pytest
from commands import fairtrial, header, rows, write_project

AGENT = """
import json, pathlib
def right(text, session):
    state = json.loads(pathlib.Path(__file__).with_name("state.json").read_text())
    with open("asked.json", "a") as file:
        file.write(session + " " + text + "\\n")
    if text in state["deaf"]:
        raise RuntimeError("no")
    if not text.startswith("item"):
        return {"text": state["voice"] + text, "usage": {"cost": 0.01}}
    n = int(text.split()[1])
    said = "no idea" if n % 4 == 0 else f"Item {n} costs {n + 100} euros."
    return {"text": said, "usage": {"cost": 0.25}}
"""
CANARIES = '[canaries]\nprompts = ["Name a river.", "说一条河。", "Say hello."]\n'


@pytest.fixture
def bench(here: Path) -> Path:
    write_project(here, more=CANARIES, run="trials = 1")
    (here / "clerk.py").write_text(AGENT)
    become(here)
    return here


def become(folder: Path, voice: str = "old ", deaf: tuple[str, ...] = ()) -> None:
    (folder / "state.json").write_text(json.dumps({"voice": voice, "deaf": deaf}))


def drift(document: Any) -> Any:
    return next(doubt for doubt in document["doubts"] if doubt["name"] == "drift")


def test_they_are_asked_first_each_in_its_own_session_and_never_scored(bench: Path) -> None:
    said = fairtrial("run", "--json")
    assert "before it 9 canary sessions more" in said.err
    asked = [line.split(" ", 1) for line in (bench / "asked.json").read_text().splitlines()]
    assert len(asked) == 9 + 24
    assert len({session for session, _ in asked}) == 9 + 24
    assert not any(text.startswith("item") for _, text in asked[:9])
    document = said.document
    assert document["counts"]["planned"] == len(rows(said.log)) == 24
    assert document["canaries"][1] == {"prompt": "说一条河。", "answers": ["old 说一条河。"] * 3}
    assert header(said.log)["canaries"] == document["canaries"]
    assert (drift(document)["lit"], drift(document)["value"]) == (None, None)


def test_a_silent_change_lights_the_line_and_names_the_prompts(bench: Path) -> None:
    fairtrial("run")
    same = drift(fairtrial("run", "--json").document)
    assert (same["lit"], same["value"]) == (False, 0.0)
    become(bench, "new ", deaf=("Say hello.",))
    said = fairtrial("run", "--json")
    found = drift(said.document)
    assert (found["lit"], found["value"], found["forbids"]) == (True, 1.0, False)
    assert "'Name a river.', '说一条河。'" in found["meaning"]
    assert "Say hello" not in found["meaning"]
    assert said.document["canaries"][2]["answers"] == [None] * 3
    assert "金丝雀" in drift(fairtrial("show", "--json", env={"FAIRTRIAL_LANG": "zh"}).document)["meaning"]


def test_an_outage_between_two_rounds_hides_no_change(bench: Path) -> None:
    fairtrial("run")
    become(bench, deaf=("Name a river.", "说一条河。", "Say hello."))
    out = fairtrial("run", "--json").document
    assert drift(out)["lit"] is None
    assert "canary sessions without an answer: 9/9" in out["notes"]
    become(bench, "new ")
    assert drift(fairtrial("run", "--json").document)["lit"] is True


def test_an_agent_that_we_changed_ourselves_does_not_drift(bench: Path) -> None:
    fairtrial("run")
    become(bench, "new ")
    (bench / "helper.py").touch()
    assert drift(fairtrial("run", "--json").document)["lit"] is None


def test_other_prompts_are_compared_with_nothing(bench: Path) -> None:
    fairtrial("run")
    become(bench, "new ")
    text = (bench / "fairtrial.toml").read_text().replace("Say hello.", "Say good bye.")
    (bench / "fairtrial.toml").write_text(text)
    assert drift(fairtrial("run", "--json").document)["lit"] is None


def test_a_resumed_round_does_not_ask_them_again(bench: Path) -> None:
    text = (bench / "fairtrial.toml").read_text()
    (bench / "fairtrial.toml").write_text(text.replace("[run]", "reports_cost = true\n[run]"))
    fairtrial("run", "--max-cost", 0.5)
    (part,) = (bench / "logs").glob("*.part")
    asked = len((bench / "asked.json").read_text().splitlines())
    answers = header(part)["canaries"]
    assert [len(canary["answers"]) for canary in answers] == [3, 3, 3]
    document = fairtrial("run", "--resume", "--max-cost", 100, "--json").document
    assert document["canaries"] == answers
    more = (bench / "asked.json").read_text().splitlines()[asked:]
    assert not any("river" in line for line in more)


def test_who_asks_no_model_is_not_asked(bench: Path) -> None:
    document = fairtrial("run", "--agent", "null:echo", "--json").document
    assert document["canaries"] == []
    assert not (bench / "asked.json").exists()
