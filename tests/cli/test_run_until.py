"""A round that stops when its question is settled, from the command line."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from commands import Said, fairtrial, header, rows, write_project
from log_samples import without_times

CLERK = """
import asyncio

def right(text):
    n = int(text.split()[1])
    return "no idea" if n % 4 == 0 else f"Item {n} costs {n + 100} euros. Please pay at the desk."

def better(text):
    n = int(text.split()[1])
    return "no idea" if n % 8 == 0 else f"Item {n} costs {n + 100} euros. Please pay at the desk."

def worse(text):
    n = int(text.split()[1])
    return right(text) if n % 3 else "no idea"

async def slowly_worse(text):
    await asyncio.sleep(0.02)
    return worse(text)
"""


@pytest.fixture
def base(here: Path) -> Path:
    """A project of 120 prices with one reliable full round."""
    write_project(here, 120, run="concurrency = 8")
    (here / "clerk.py").write_text(CLERK, "utf-8")
    assert fairtrial("run", "--json").code == 0
    return here


def until(agent: str, *words: object, env: dict[str, str] | None = None) -> Said:
    return fairtrial(
        "run", "--json", "--until-decided", "--agent", f"python:clerk.py:{agent}", *words, env=env
    )


def test_it_stops_when_the_candidate_is_worse(base: Path) -> None:
    said = until("worse")
    assert said.code == 1
    decision = said.document["decision"]
    assert decision["answer"] == "worse"
    assert decision["base"] == json.loads((base / "logs" / "history.jsonl").read_text())["run"]
    assert decision["planned_cases"] == 120
    last = decision["looks"][-1]
    assert last["cases"] < 120
    assert last["z"] <= -last["boundary"]
    assert all(abs(look["z"]) < look["boundary"] for look in decision["looks"][:-1])
    assert "until decided, looks after cases 30, 60, 90, 120" in said.err
    old = base / "logs" / f"{decision['base']}.jsonl"
    assert "stopped early" in fairtrial("compare", old, said.log, "--changed", "agent").out


def test_a_round_that_asked_all_its_cases_did_not_stop_early(base: Path) -> None:
    whole = until("right")
    assert whole.document["decision"]["answer"] == "not settled"
    assert not [note for note in whole.document["notes"] if "not asked" in note]
    assert "stopped early" not in fairtrial("compare", whole.log).out
    assert until("right", "--against", whole.log).code == 3


def test_the_log_holds_just_what_was_asked_and_no_line_lights_for_the_rest(base: Path) -> None:
    said = until("worse")
    asked = said.document["decision"]["looks"][-1]["cases"]
    assert (
        said.document["counts"]["planned"]
        == said.document["counts"]["scored"]
        == len(rows(said.log))
        == 3 * asked
    )
    assert said.document["facts"]["not_held"] == 0
    assert header(said.log)["config"]["cases"]["n"] == asked
    lit = {doubt["name"] for doubt in said.document["doubts"] if doubt["lit"]}
    assert "errors" not in lit
    assert f"{3 * (120 - asked)} sessions were not asked" in said.document["notes"][-1]
    trials = [(row["record"]["case"], row["record"].get("trial", 0)) for row in rows(said.log)]
    assert [trial for _, trial in trials] == [0, 1, 2] * asked, "all trials of a case come together"


def test_a_stopped_round_does_not_enter_the_history(base: Path) -> None:
    before = (base / "logs" / "history.jsonl").read_text()
    assert until("better").document["status"] == "reliable"
    assert (base / "logs" / "history.jsonl").read_text() == before
    (base / "logs" / "history.jsonl").unlink()
    fairtrial("run", "--json")
    assert len((base / "logs" / "history.jsonl").read_text().splitlines()) == 2, "nor when it is made again"


def test_scored_anew_it_has_no_answer_any_more_and_stays_out_of_the_history(base: Path) -> None:
    stopped = until("worse")
    before = (base / "logs" / "history.jsonl").read_text()
    again = fairtrial("rescore", stopped.log, "--json")
    assert again.code == 3
    assert again.document["decision"]["answer"] == "not settled"
    assert again.document["counts"] == stopped.document["counts"]
    assert again.document["ret_ratio"] == stopped.document["ret_ratio"]
    assert (base / "logs" / "history.jsonl").read_text() == before


def test_better_and_not_settled(base: Path) -> None:
    better = until("better")
    assert (better.code, better.document["decision"]["answer"]) == (0, "better")
    same = until("right")
    assert (same.code, same.document["decision"]["answer"]) == (3, "not settled")
    assert [look["cases"] for look in same.document["decision"]["looks"]] == [30, 60, 90, 120]
    assert [look["z"] for look in same.document["decision"]["looks"]] == [0, 0, 0, 0]
    assert same.document["decision"]["looks"][-1]["spent"] == pytest.approx(0.05)


@pytest.mark.parametrize(
    ("minimum", "code", "answer"), [(0.4, 0, "above"), (0.95, 1, "below"), (0.875, 3, "not settled")]
)
def test_against_a_minimum(base: Path, minimum: float, code: int, answer: str) -> None:
    said = until("right", "--minimum", minimum)
    assert (said.code, said.document["decision"]["answer"]) == (code, answer)
    assert said.document["decision"]["base"] is None


def test_against_a_named_log(base: Path) -> None:
    named = fairtrial("run", "--json", "--agent", "python:clerk.py:worse", "--out", "other").log
    said = until("right", "--against", named)
    assert (said.code, said.document["decision"]["answer"]) == (0, "better")
    assert said.document["decision"]["base"] == named.stem


def test_both_languages(base: Path) -> None:
    zh = until("worse", env={"FAIRTRIAL_LANG": "zh"})
    assert zh.document["decision"]["answer"] == "worse"
    assert zh.document["decision"]["meaning"].startswith("差于基准")
    assert "问到有定论为止" in zh.err
    out = fairtrial("run", "--until-decided", "--agent", "python:clerk.py:worse").out
    assert "worse than the base, after" in out


def test_resumed_it_takes_the_same_looks(base: Path) -> None:
    whole = until("worse")
    stopped = until("slowly_worse", "--concurrency", 1, "--max-time", 0.9)
    assert stopped.code == 3
    assert stopped.document["status"] == "running"
    assert stopped.document["decision"]["answer"] == "not settled"
    assert 0 < stopped.document["counts"]["scored"] < 90
    assert header(stopped.log)["summary"] is None
    end = fairtrial("run", "--resume", stopped.log, "--json", "--max-time", 60)
    assert end.code == 1
    assert end.document["decision"]["looks"] == whole.document["decision"]["looks"]
    assert without_times(end.log) == without_times(whole.log)


def test_a_kill_between_two_looks_loses_nothing(base: Path) -> None:
    words = ["-m", "fairtrial", "run", "--until-decided", "--agent", "python:clerk.py:slowly_worse", "--json"]
    process = subprocess.Popen([sys.executable, *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    part = None
    while process.poll() is None:
        part = next((base / "logs").glob("*.part"), None)
        if part and part.read_bytes().count(b"\n") > 100:
            break
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    assert part is not None
    unfinished = fairtrial("compare", part, "--changed", "agent")
    assert (unfinished.code, "slowly_worse" in unfinished.out, "unfinished" in unfinished.out) == (
        3,
        True,
        True,
    )
    end = fairtrial("run", "--resume", "--json")
    assert end.code == 1
    assert end.document["decision"]["looks"] == until("worse").document["decision"]["looks"]


class TestRefusals:
    """One line, and nothing was asked."""

    def test_no_base(self, project: Path) -> None:
        said = fairtrial("run", "--until-decided")
        assert said.code == 2
        assert "nothing to decide against" in said.complaint
        assert "--against LOG" in said.complaint

    def test_what_cannot_be_asked(self, base: Path) -> None:
        for words, why in (
            (("run", "--until-decided", "--mode", "quick"), "a quick round decides nothing"),
            (("run", "--against", "logs"), "add --until-decided"),
            (("run", "--until-decided", "--minimum", 1), "both sides of this minimum"),
            (("run", "--until-decided", "--against", "nowhere.jsonl"), "no such file"),
            (("run", "--resume", "--until-decided"), "fixed since the run began"),
        ):
            said = fairtrial(*words)
            assert said.code == 2, words
            assert why in said.complaint

    def test_another_base_or_minimum_on_resuming(self, base: Path) -> None:
        stopped = until("slowly_worse", "--concurrency", 1, "--max-time", 0.3)
        said = fairtrial("run", "--resume", "--minimum", 0.5)
        assert (said.code, "--minimum: it is fixed" in said.complaint) == (2, True)
        [log] = (base / "logs").glob("*Z-*.jsonl")
        log.write_text(log.read_text().replace(log.stem, "another", 1))
        said = fairtrial("run", "--resume", stopped.log)
        assert said.code == 2
        assert f"the base is another round now, another (put back the log of {log.stem})" in said.complaint

    def test_a_base_that_proves_nothing(self, base: Path) -> None:
        stopped = until("worse").log
        unreliable = fairtrial("run", "--json", "--agent", "null:empty").log
        assert header(unreliable)["status"] == "unreliable"
        for log in (stopped, unreliable):
            said = fairtrial("run", "--until-decided", "--against", log)
            assert said.code == 2
            assert "no reliable whole round" in said.complaint

    def test_a_base_with_no_case_of_this_set(self, base: Path) -> None:
        [log] = (base / "logs").glob("*Z-*.jsonl")
        cases = json.loads((base / "prices.json").read_text())
        (base / "others.json").write_text(json.dumps([case | {"id": f"new-{case['id']}"} for case in cases]))
        said = fairtrial("run", "others.json", "--until-decided", "--against", log)
        assert said.code == 2
        assert "no case of this set has a score in the base" in said.complaint

    def test_a_base_that_was_examined_otherwise(self, base: Path) -> None:
        [log] = (base / "logs").glob("*Z-*.jsonl")
        cases = json.loads((base / "prices.json").read_text())
        (base / "prices.json").write_text(json.dumps([case | {"weight": 2} for case in cases]))
        said = fairtrial("run", "--until-decided", "--against", log)
        assert said.code == 2
        assert "not examined alike: cases (" in said.complaint
        assert "nothing to decide against" in fairtrial("run", "--until-decided").complaint
        lines = log.read_text().splitlines(keepends=True)
        top = json.loads(lines[0]) | {"fingerprint": None}
        log.write_text("".join([json.dumps(top) + "\n", *lines[1:]]))
        said = fairtrial("run", "--until-decided", "--against", log)
        assert "no fingerprint, no discussion" in said.complaint
        assert len(list((base / "logs").glob("*Z-*"))) == 1, "nothing was begun"
