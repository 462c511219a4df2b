"""A round that is stopped keeps what it has and goes on as if it had not been stopped."""

import fcntl
import json
import os
import shlex
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from commands import Said, case, fairtrial, header, rows, write_cases, write_project
from log_samples import without_times

SLOW = """
import asyncio
import time

async def slow(text):
    await asyncio.sleep(0.03)
    n = int(text.split()[1])
    return "no idea" if n % 4 == 0 else f"Item {n} costs {n + 100} euros."

async def blocking(text):
    if int(text.split()[1]) == 5:
        time.sleep(3600)
    return "100 euros"

def priced(text):
    return {"text": f"{int(text.split()[1]) + 100} euros", "usage": {"cost": 0.25}}

def unpriced(text):
    return "100 euros"
"""


@pytest.fixture
def slow(here: Path) -> Path:
    write_project(here, run="trials = 1")
    (here / "clerk.py").write_text(SLOW)
    return here


def without_durations(log: Path) -> Any:
    """What a header says of the round, but for times and names."""
    summary, config = header(log)["summary"], dict(header(log)["config"])
    summary["usage"] = {key: value for key, value in summary["usage"].items() if "seconds" not in key}
    config["run"] = {key: v for key, v in config["run"].items() if key not in ("max_time", "out")}
    return summary, header(log)["doubts"], config, header(log)["status"]


def resumed(said: Said) -> Said:
    """What the command does that a stopped round names."""
    note = said.document["notes"][0]
    words = shlex.split(note.partition("fairtrial ")[2])
    return fairtrial(*words, "--json", "--max-time", 60)


def test_max_time_stops_and_the_rest_is_run_later(slow: Path) -> None:
    agent = ("--agent", "python:clerk.py:slow")
    whole = fairtrial("run", "--json", *agent, "--out", "other")
    stopped = fairtrial("run", "--json", *agent, "--max-time", 0.4)
    assert stopped.code == 3
    assert stopped.document["status"] == "running"
    done = stopped.document["counts"]["scored"]
    assert 0 < done < 24
    assert stopped.document["counts"]["planned"] == 24
    assert stopped.log.name.endswith(".jsonl.part")
    [note] = stopped.document["notes"]
    assert note.startswith(f"stopped: the time limit was reached; {done} sessions are kept. The rest: ")
    end = resumed(stopped)
    assert end.code == whole.code == 0
    assert f"24 sessions, {done} of them done" in end.err
    assert without_times(end.log) == without_times(whole.log)
    assert without_durations(end.log) == without_durations(whole.log)
    assert not stopped.log.exists()
    assert end.log.name == stopped.log.name.removesuffix(".part")


def test_the_summary_of_a_stopped_round_names_the_command_that_goes_on(slow: Path) -> None:
    out = fairtrial("run", "--agent", "python:clerk.py:slow", "--max-time", 0.3, "--out", "my logs").out
    assert "unfinished" in out
    [part] = (slow / "my logs").glob("*.part")
    assert f"fairtrial run --resume '{part}'" in out
    assert not (slow / "my logs" / "history.jsonl").exists()


def test_an_unfinished_log_can_be_read(slow: Path) -> None:
    stopped = fairtrial("run", "--agent", "python:clerk.py:slow", "--max-time", 0.4, "--json")
    shown = fairtrial("show", stopped.log, "--json")
    assert shown.code == 0
    assert shown.document["status"] == "running"
    assert shown.document["counts"] == stopped.document["counts"]
    text = fairtrial("show", stopped.log).out
    assert "unfinished: `fairtrial run --resume` goes on with it" in text
    assert "price-0" in text
    assert fairtrial("show", stopped.log, "price-0").code == 0
    none = fairtrial("show")
    assert none.code == 2
    assert f"an unfinished one: logs/{stopped.log.name}" in none.complaint
    refused = fairtrial("rescore", stopped.log)
    assert refused.code == 2
    assert "the run is unfinished" in refused.complaint


class TestCost:
    """Money is counted as replies report it."""

    @pytest.fixture
    def told(self, slow: Path) -> Path:
        toml = (slow / "fairtrial.toml").read_text()
        toml = toml.replace('"clerk.py:right"', '"clerk.py:priced"\nreports_cost = true')
        (slow / "fairtrial.toml").write_text(toml)
        return slow

    def test_the_limit_stops_and_counts_anew_when_resumed(self, told: Path) -> None:
        stopped = fairtrial("run", "--json", "--max-cost", 2.5)
        assert stopped.code == 3
        assert stopped.document["counts"]["scored"] == 10
        assert "the cost limit was reached" in stopped.document["notes"][0]
        assert "cost counted as it is spent" in stopped.err
        again = fairtrial("run", "--resume", "--json")
        assert again.document["counts"]["scored"] == 20
        end = fairtrial("run", "--resume", "--json", "--max-cost", 100)
        assert end.document["counts"]["scored"] == 24
        assert end.document["usage"]["cost"] == 6.0

    def test_an_unknown_cost_refuses_to_start(self, slow: Path) -> None:
        said = fairtrial("run", "--max-cost", 1, "--agent", "python:clerk.py:priced")
        assert said.code == 2
        assert said.complaint.startswith("fairtrial: --max-cost: the cost of this agent is unknown")
        assert not (slow / "logs").exists()

    def test_a_reply_without_its_cost_stops(self, told: Path) -> None:
        toml = (told / "fairtrial.toml").read_text().replace(":priced", ":unpriced")
        (told / "fairtrial.toml").write_text(toml)
        said = fairtrial("run", "--json", "--max-cost", 1)
        assert said.code == 3
        assert "a reply did not say what it cost" in said.document["notes"][0]

    def test_where_nobody_is_paid_there_is_nothing_to_limit(self, told: Path) -> None:
        said = fairtrial("run", "--json", "--max-cost", 0.01, "--agent", "null:echo")
        assert said.document["counts"]["scored"] == 24
        assert "cost none" in said.err


@pytest.mark.parametrize("sign", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_leaves_a_log_that_can_be_read_and_resumed(slow: Path, sign: signal.Signals) -> None:
    words = [sys.executable, "-m", "fairtrial", "run", "--agent", "python:clerk.py:slow", "--json"]
    environment = os.environ | {"PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(
        words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment
    ) as process:
        assert process.stderr is not None
        assert "24 sessions" in process.stderr.readline()
        [part] = _parts_with_rows(slow, process)
        process.send_signal(sign)
        out, err = process.communicate(timeout=60)
    assert process.returncode == 3, err
    assert "Traceback" not in err
    document = json.loads(out)
    assert document["status"] == "running"
    assert "interrupted" in document["notes"][0]
    assert header(part)["status"] == "running"
    whole = fairtrial("run", "--json", "--agent", "python:clerk.py:slow")
    end = fairtrial("run", "--resume", part, "--json")
    assert without_times(end.log) == without_times(whole.log)


def _parts_with_rows(folder: Path, process: "subprocess.Popen[str]", rows: int = 3) -> list[Path]:
    while process.poll() is None:
        parts = list((folder / "logs").glob("*.part"))
        if parts and len(parts[0].read_bytes().splitlines()) > rows:
            return parts
    raise AssertionError(process.communicate())


def test_an_agent_that_blocks_the_loop_can_be_interrupted(slow: Path) -> None:
    """The first Ctrl-C cannot be heard: nothing but the agent runs."""
    words = [sys.executable, "-m", "fairtrial", "run", "--agent", "python:clerk.py:blocking", "--json"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        _parts_with_rows(slow, process, rows=5)
        for patience in (0.2, 20, 20):  # a third only where the first came just before the block
            if process.poll() is None:
                process.send_signal(signal.SIGINT)
                with suppress(subprocess.TimeoutExpired):
                    process.wait(patience)
        out, err = process.communicate(timeout=60)
    assert process.returncode == 3, err
    assert "Traceback" not in err
    assert "interrupted" in json.loads(out)["notes"][0]


class TestResume:
    """Only what decides nothing may be another than before."""

    @pytest.fixture
    def part(self, slow: Path) -> Path:
        (slow / "ours.py").write_text("def good(record, **_):\n    return 'euros' in record.reply\n")
        write_cases(
            slow / "prices.json",
            [case(n, expect=[{"rule": "python", "function": "ours:good"}]) for n in range(24)],
        )
        return fairtrial("run", "--agent", "python:clerk.py:slow", "--max-time", 0.3, "--json").log

    def test_from_anywhere_with_other_limits(
        self, part: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.chdir(tmp_path_factory.mktemp("elsewhere"))
        end = fairtrial(
            "run", "--resume", part.parent, "--json", "--max-time", 60, "--concurrency", 8, "--minimum", 0.99
        )
        assert end.document["counts"]["scored"] == 24
        assert "8 at a time" in end.err
        assert end.code == 1
        assert header(end.log)["config"]["run"]["concurrency"] == 1

    @pytest.mark.parametrize(
        ("words", "where"),
        [
            (("--trials", 5), "--trials"),
            (("--agent", "null:echo"), "--agent"),
            (("--limit", 2), "--limit"),
            (("--timeout", 9), "--timeout"),
            (("prices.json",), "a case file"),
        ],
    )
    def test_nothing_that_decides_the_result(self, part: Path, words: tuple[object, ...], where: str) -> None:
        said = fairtrial("run", "--resume", part, *words)
        assert said.code == 2
        assert said.complaint.startswith(f"fairtrial: {where}: it is fixed since the run began")

    def test_not_with_other_cases(self, part: Path, slow: Path) -> None:
        write_cases(slow / "prices.json")
        said = fairtrial("run", "--resume")
        assert said.code == 2
        assert "the case set and the scorer changed since this run began" in said.complaint
        assert part.exists()

    def test_not_with_another_scorer(self, part: Path, slow: Path) -> None:
        (slow / "ours.py").write_text("def good(record, **_):\n    return True or 'a change'\n")
        done = subprocess.run(
            [sys.executable, "-m", "fairtrial", "run", "--resume"],
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 2
        assert "the scorer changed since this run began" in done.stderr

    def test_not_by_two_at_once(self, part: Path) -> None:
        with part.open("rb") as held:
            fcntl.flock(held, fcntl.LOCK_EX)
            said = fairtrial("run", "--resume")
        assert said.code == 2
        assert "another process is writing this log" in said.complaint

    def test_what_is_finished_or_missing(self, part: Path) -> None:
        end = fairtrial("run", "--resume", "--max-time", 60, "--json")
        for words, what in (
            ((), "there is no unfinished run here"),
            ((end.log,), "cannot read the log"),
            (("prices.json",), "cannot read the log"),
        ):
            said = fairtrial("run", "--resume", *words)
            assert said.code == 2
            assert what in said.complaint

    def test_a_narrowed_round_stays_narrow(self, slow: Path) -> None:
        agent = ("--agent", "python:clerk.py:slow")
        stopped = fairtrial("run", "--json", "--tag", "even", *agent, "--max-time", 0.1)
        end = resumed(stopped)
        assert {row["record"]["case"] for row in rows(end.log)} == {f"price-{n}" for n in range(0, 24, 2)}

    def test_keys_are_read_from_the_project_again(self, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        write_project(here, 3)
        monkeypatch.setenv("SHOP_URL", "")
        monkeypatch.delenv("SHOP_URL")
        (here / ".env").write_text("SHOP_URL=http://127.0.0.1:9/\n")
        (here / "fairtrial.toml").write_text(
            '[agent]\ntype = "http"\nurl = "http://127.0.0.1:9/"\nheaders = { key = "${SHOP_URL}" }\n'
            '[run]\ncases = ["prices.json"]\nmax_time = 1e-9\n'
        )
        stopped = fairtrial("run", "--json")
        assert stopped.document["status"] == "running"
        monkeypatch.delenv("SHOP_URL")
        assert resumed(stopped).document["counts"]["errored"] == 9
