"""How a round is watched: a live bar on a terminal, plain lines elsewhere, nothing of it on stdout."""

import io
import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import pytest
from rich.console import Console

from fairtrial.app.outlook import Outlook
from fairtrial.cli import progress
from fairtrial.cli.progress import Watch
from fairtrial.schema.record import Record, Status
from fairtrial.schema.score import Row, Score, Unscored


def outlook(**more: object) -> Outlook:
    fields = {
        "cases": 2, "trials": 3, "done": 0, "concurrency": 1, "timeout": 60.0, "max_time": None,
        "cost": "unknown", "agent": "fake", "pass_at": 1.0,
    }  # fmt: skip
    return Outlook(**(fields | more))  # type: ignore[arg-type]


def row(value: float | None) -> Row:
    status = Status.timeout if value is None else Status.completed
    score = Unscored(why="timeout") if value is None else value
    return Row(
        record=Record(case="a", trial=0, status=status),
        score=Score(value=score, useful=Unscored(why="short")),
    )


def watched(console: Console, *values: float | None, **more: object) -> str:
    with Watch(console) as watch:
        watch.planned(outlook(**more))
        for value in values:
            watch.ended(row(value))
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def test_plain_lines_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    text = watched(Console(file=io.StringIO()), 1.0, 0.5, None)
    assert text.splitlines() == [
        "2 cases × 3 trials = 6 sessions; fake, 1 at a time; at most 6 min 0 s; cost unknown",
        "3/6 missed 1, no answer 1",
    ]
    monkeypatch.setattr(progress, "_EVERY", -1.0)
    assert len(watched(Console(file=io.StringIO()), 1.0, 0.5).splitlines()) == 4


def test_a_terminal_that_can_not_move_its_cursor_gets_plain_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "dumb")
    text = watched(Console(file=io.StringIO(), force_terminal=True), 1.0)
    assert "\x1b" not in text
    assert text.endswith("1/6 missed 0, no answer 0\n")


def test_a_live_bar_with_failures_and_time_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    console = Console(file=io.StringIO(), force_terminal=True, width=100, color_system=None)
    text = watched(console, 1.0, 0.0, None)
    assert "3/6" in text
    assert "missed 1, no answer 1" in text
    assert re.search(r"-:--:--|\d:\d\d:\d\d", text)


def test_a_resumed_round_begins_where_it_was() -> None:
    text = watched(Console(file=io.StringIO()), 1.0, done=4)
    assert "6 sessions, 4 of them done" in text
    assert "at most 2 min 0 s" in text
    assert text.endswith("5/6 missed 0, no answer 0\n")


def test_the_plan_is_no_markup_and_acts_on_nothing() -> None:
    text = watched(Console(file=io.StringIO()), agent="command:sh -c '[/x]' \x1b[31m")
    assert r"command:sh -c '[/x]' \x1b[31m" in text


@pytest.mark.parametrize(
    ("seconds", "cases", "words"), [(5, 1, "15 s"), (60, 100, "5 h 0 min"), (60, 2, "6 min 0 s")]
)
def test_the_longest_that_it_can_take(seconds: float, cases: int, words: str) -> None:
    assert f"at most {words};" in outlook(timeout=seconds, cases=cases).text()
    assert "at most 4 s;" in outlook(timeout=seconds, cases=cases, max_time=4.0).text()


def test_on_a_real_terminal_stdout_stays_clean(project: Path) -> None:
    ours, theirs = pty.openpty()
    environment = os.environ | {"TERM": "xterm-256color", "FAIRTRIAL_LANG": "en", "COLUMNS": "100"}
    words = [sys.executable, "-m", "fairtrial", "run", "--json", "--trials", "1"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=theirs, env=environment) as process:
        os.close(theirs)
        seen = b""
        while True:
            try:
                piece = os.read(ours, 65536)
            except OSError:  # the other end is closed
                break
            if not piece:
                break
            seen += piece
        out = process.communicate()[0]
    os.close(ours)
    assert process.returncode == 0
    assert out.startswith(b"{")
    assert out.endswith(b"}\n")
    assert b"24 sessions" in seen
    assert b"24/24" in seen
