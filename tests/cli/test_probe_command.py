"""`probe` as a person uses it: planted weaknesses are found, named and made small, and nothing else is."""

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from commands import Said, fairtrial

# A desk that finds an order by its number. What it cannot do is planted by the name of the function.
DESK = '''
import re
import time

NUMBER = re.compile(r"(?:JD|US)[0-9]{13}")


def sound(text):
    found = NUMBER.findall(text)
    return f"Order {found[-1]} is on its way. 订单正在路上。" if found else "Which order? 请提供订单号。"


def short(text):
    """Reads only the beginning of what it is told."""
    return sound(text[:60])


def first(text):
    """Takes the first number for the one that is meant."""
    found = NUMBER.findall(text)
    return sound(found[0] if found else "")


class Noisy:
    """Fails at one session in three, whatever it is asked."""

    def __init__(self, seed):
        self.bad = seed % 3 == 0

    def __call__(self, text):
        return "sorry" if self.bad else sound(text)


def slow(text):
    """As `first`, and there is time to kill it."""
    time.sleep(0.02)
    return first(text)


def busy(text):
    from fairtrial.agents.protocol import Busy

    raise Busy("too many", 0.0)


class Fragile:
    """Cannot bear a tool that gives something else than it should."""

    def __init__(self, tools=None):
        self.tools = tools

    def __call__(self, text):
        number = NUMBER.findall(text)[-1]
        result = self.tools("find", {"id": number}, lambda: {"id": number, "state": "sent"})
        call = {"name": "find", "arguments": {"id": number}, "result": result}
        return {"text": f"Order {result['id']} is on its way.", "calls": [call]}
'''


def case(name: str, text: str, number: str, task: str) -> dict[str, object]:
    return {"id": name, "input": text, "task_type": task, "expect": [number]}


CASES = [
    case(f"zh-{n}", f"帮我查一下订单 JD20241111382{n:02}", f"JD20241111382{n:02}", "查询")
    for n in range(71, 76)
] + [
    case(f"en-{n}", f"Where is my order US20241105120{n}?", f"US20241105120{n}", "tracking")
    for n in range(51, 56)
]


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "desk.py").write_text(DESK, "utf-8")
    (tmp_path / "cases.json").write_text(json.dumps(CASES, ensure_ascii=False), "utf-8")
    return tmp_path


def probe(agent: str, *words: object, budget: int = 200, env: dict[str, str] | None = None) -> Said:
    return fairtrial(
        "probe", "cases.json", "--agent", f"python:desk.py:{agent}", "--budget", budget, *words, env=env
    )


TEXTS = ("--probe", "masking", "--probe", "contradiction", "--probe", "emotion")


def test_a_planted_weakness_is_found_named_and_made_small(desk: Path) -> None:
    said = probe("first", *TEXTS, "--save", "weak.yaml", "--json")
    assert said.code == 1, said.err
    found = said.document["weaknesses"]
    assert {one["probe"] for one in found["weaknesses"]} == {"contradiction"}
    assert found["headline"]["sessions"] <= found["sessions"] <= 200
    one = next(one for one in found["weaknesses"] if one["shrunk"])
    assert one["shrunk"]["steps"] == 1
    assert one["shrunk"]["failures"] == one["shrunk"]["sessions"] == 20
    # What was saved is a case like any other, and fails like it did.
    assert fairtrial("check", "weak.yaml").code == 0
    again = fairtrial("run", "weak.yaml", "--agent", "python:desk.py:first", "--json").document
    assert again["ret_ratio"]["mean"] == 0
    sound = fairtrial("run", "weak.yaml", "--agent", "python:desk.py:sound", "--json").document
    assert sound["ret_ratio"]["mean"] == 1
    # A second examination adds nothing that is there already.
    before = Path("weak.yaml").read_text("utf-8")
    probe("first", *TEXTS, "--save", "weak.yaml")
    assert Path("weak.yaml").read_text("utf-8") == before


def test_a_number_behind_long_talk_is_not_understood(desk: Path) -> None:
    found = probe("short", *TEXTS, "--json").document["weaknesses"]
    weak = [one for one in found["weaknesses"] if one["probe"] == "masking"]
    assert weak
    assert all(one["layers"].get("understanding", 0) >= 3 for one in weak)


@pytest.mark.parametrize("seed", range(3))
def test_a_sound_agent_has_no_weakness(desk: Path, seed: int) -> None:
    said = probe("sound", *TEXTS, "--seed", seed, "--json")
    assert said.code == 0, said.out
    found = said.document["weaknesses"]
    assert found["weaknesses"] == []
    assert {cell["state"] for cell in found["cells"]} <= {"cleared", "unlikely", "open", "not_run"}
    assert found["baseline"] == []


def test_an_agent_that_fails_by_itself_is_not_blamed_on_a_probe(desk: Path) -> None:
    found = probe("Noisy", *TEXTS, "--json", budget=700).document["weaknesses"]
    assert found["acceptable"] > 0.1
    assert found["weaknesses"] == []


def test_an_agent_that_breaks_under_a_disturbance_has_failed(desk: Path) -> None:
    found = probe("Fragile", "--probe", "tool_wrong_type", "--json").document["weaknesses"]
    assert {one["probe"] for one in found["weaknesses"]} == {"tool_wrong_type"}
    assert found["set_aside"] == {}


def test_who_never_answers_is_not_called_weak(desk: Path) -> None:
    said = probe("busy", *TEXTS, "--json", env={"FAIRTRIAL_LANG": "zh"})
    assert said.code == 4
    found = said.document["weaknesses"]
    assert found["weaknesses"] == []
    assert set(found["unanswered"]) == {one["id"] for one in CASES}
    assert found["set_aside"] == {"rate_limited": len(CASES)}


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--budget", "59"), "--budget"),
        (("--budget", "100", "--probe", "typoes"), "typos"),
        (("--budget", "100", "--probe", "typos@2"), "--probe typos@2"),
        (("--budget", "100", "--probe", "tool_timeout"), "tool_timeout"),
        (("--budget", "100", "--save", "weak.json"), "weak.json"),
    ],
)
@pytest.mark.parametrize("language", ["en", "zh"])
def test_what_cannot_be_examined_is_refused_before_anybody_is_asked(
    desk: Path, words: tuple[str, ...], told: str, language: str
) -> None:
    said = fairtrial(
        "probe", "cases.json", "--agent", "python:desk.py:sound", *words, env={"FAIRTRIAL_LANG": language}
    )
    assert said.code == 2
    assert told in said.complaint
    assert not Path("logs").exists()


def test_an_examination_without_a_budget_asks_for_one(desk: Path) -> None:
    said = fairtrial("probe", "cases.json", "--agent", "python:desk.py:sound")
    assert said.code == 2
    assert "--budget" in said.complaint


@pytest.mark.parametrize("share", [0.1, 0.5, 0.97])
def test_what_was_cut_off_anywhere_goes_on_as_it_would_have_gone(desk: Path, share: float) -> None:
    whole = probe("first", *TEXTS, "--json")
    lines = whole.log.read_bytes().splitlines(keepends=True)
    header = json.loads(lines[0])
    running = header | {"status": "running", "weaknesses": None, "ended": None, "notes": [], "run": "cut"}
    running["fingerprint"] = header["fingerprint"]
    part = Path("logs/probe/cut.jsonl.part")
    rows = b"".join(lines[1:])
    kept = rows[: int(len(rows) * share)]  # in the middle of a row, mostly
    part.write_bytes(json.dumps(running).encode() + b"\n" + kept)
    again = fairtrial("probe", part, "--resume", "--json")
    assert again.code == 1, again.err
    assert again.document["weaknesses"] == whole.document["weaknesses"]


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_an_examination_that_is_killed_or_stopped_goes_on_and_ends_alike(
    desk: Path, how: signal.Signals
) -> None:
    words = ["cases.json", "--agent", "python:desk.py:slow", "--budget", "120", *TEXTS, "--out"]
    begun = [sys.executable, "-m", "fairtrial", "probe", *words, "cut"]
    with subprocess.Popen(begun, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        while sum(len(part.read_bytes().splitlines()) for part in Path().glob("cut/probe/*.part")) < 40:
            assert process.poll() is None
        process.send_signal(how)
    assert process.returncode == (3 if how is signal.SIGINT else -signal.SIGKILL)
    again = fairtrial("probe", "--resume", "--out", "cut", "--json")
    whole = fairtrial("probe", *words, "whole", "--json")
    assert again.document["weaknesses"] == whole.document["weaknesses"]
    assert again.code == whole.code == 1


def test_the_log_is_read_like_any_other_but_for_figures(desk: Path) -> None:
    said = probe("first", *TEXTS, "--json")
    shown = fairtrial("show", said.log)
    assert shown.code in (0, 1)
    assert "contradiction" in shown.out
    example = next(one for one in said.document["weaknesses"]["weaknesses"])["examples"][0]
    session = fairtrial("show", said.log, example["case"], "--trial", example["trial"])
    assert "contradiction@" in session.out
    for command in (("rescore", said.log), ("compare", said.log, said.log), ("power", said.log)):
        refused = fairtrial(*command)
        assert refused.code == 2, command
        assert "probe" in refused.complaint, command
    assert not Path("logs/history.jsonl").exists()


def test_the_map_is_told_in_the_readers_language(desk: Path) -> None:
    said = probe("first", *TEXTS, env={"FAIRTRIAL_LANG": "zh", "COLUMNS": "100"})
    assert "有弱点" in said.out
    assert "出错环节" in said.out
    assert "最小用例" in said.out
    assert "查询" in said.out


def test_a_set_in_which_cases_ask_the_same_can_be_examined(desk: Path) -> None:
    alike = [
        {"id": f"{name}-{n}", "input": text, "task_type": name, "expect": "9"}
        for name, text in (("hours", "When do you open?"), ("price", "What is it?"), ("place", "Where?"))
        for n in range(3)
    ]
    Path("cases.json").write_text(json.dumps(alike), "utf-8")
    Path("desk.py").write_text("def nine(text):\n    return '9'\n", "utf-8")
    assert probe("nine", "--probe", "return_to_earlier", "--json").code == 0


@pytest.mark.slow
@pytest.mark.parametrize("rate", [0, 10, 30])
def test_an_agent_that_fails_by_chance_is_seldom_called_weak(desk: Path, rate: int) -> None:
    """Of sixty examinations 5 % may name a weakness; 8 is what chance allows of that with 99 %."""
    desk_ = DESK.replace("self.bad = seed % 3 == 0", f"self.bad = seed % 100 < {rate}")
    Path("desk.py").write_text(desk_, "utf-8")
    weak = shrunk = 0
    for seed in range(60):
        found = probe("Noisy", *TEXTS, "--seed", seed, "--json", budget=150).document["weaknesses"]
        weak += bool(found["weaknesses"])
        shrunk += any(one["shrunk"] for one in found["weaknesses"])
    assert weak <= 8
    assert shrunk <= 3
