"""A run that is killed, or whose disk is full, loses nothing finished, and resumes to the same log."""

import os
import random
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from fairtrial.errors import BadInput
from fairtrial.records.log import latest, latest_part, open_resumed, part_of, read_header, read_rows
from fakes.log_samples import FINAL, without_times

SCRIPT = Path(__file__).with_name("run_scripted.py")
SESSIONS = 2000


def start(folder: Path, *options: str, sessions: int = SESSIONS) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(
        [sys.executable, str(SCRIPT), str(folder), str(sessions), *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
    )


def run(folder: Path, *options: str, sessions: int = SESSIONS) -> tuple[int, str]:
    with start(folder, *options, sessions=sessions) as process:
        _, errors = process.communicate()
    return process.returncode, errors.decode()


def kill_after(folder: Path, rows: int) -> int:
    """Kill a run as soon as it has told of so many rows more; returns how many it told of."""
    with start(folder) as process:
        assert process.stdout
        told = 0
        while told < rows and (data := os.read(process.stdout.fileno(), 65536)):
            told += len(data)
        process.send_signal(signal.SIGKILL)
        while data := os.read(process.stdout.fileno(), 65536):
            told += len(data)
    return told


def finished(folder: Path) -> Path:
    log = latest(folder)
    assert log
    if part_of(log).exists():  # the kill came between the log and the removal of its part file
        with pytest.raises(BadInput, match="the run is finished"):
            open_resumed(part_of(log), [])
    # An empty part file is left by a kill before the first byte; there is nothing in it to resume.
    assert [path.name for path in folder.iterdir() if path.stat().st_size] == [log.name]
    return log


@pytest.fixture(scope="module")
def unbroken(tmp_path_factory: pytest.TempPathFactory) -> tuple[object, tuple[str, ...]]:
    """What a run of 2,000 that nobody disturbs writes: its rows and its figures."""
    folder = tmp_path_factory.mktemp("unbroken")
    assert run(folder) == (0, "")
    log = finished(folder)
    return without_times(log), read_header(log).notes


def check_kills(folder: Path, moments: list[int], unbroken: tuple[object, tuple[str, ...]]) -> None:
    told = 0
    kept: list[bytes] = []
    for moment in moments:
        told += kill_after(folder, moment)
        if part := latest_part(folder):
            lines = part.read_bytes().splitlines(keepends=True)[1:]
            assert len(lines) >= told
            assert lines[: len(kept)] == kept
            kept = [line for line in lines if line.endswith(b"\n")]
    if not latest(folder):
        assert run(folder) == (0, "")
    log = finished(folder)
    assert set(kept) <= set(log.read_bytes().splitlines(keepends=True))
    assert without_times(log) == unbroken[0]
    assert read_header(log).notes == unbroken[1]


def test_a_run_killed_again_and_again_ends_as_if_it_was_not(
    tmp_path: Path, unbroken: tuple[object, tuple[str, ...]]
) -> None:
    check_kills(tmp_path, [1, 700, 1100], unbroken)


@pytest.mark.parametrize("seed", range(20))
def test_twenty_random_moments(tmp_path: Path, unbroken: tuple[object, tuple[str, ...]], seed: int) -> None:
    check_kills(tmp_path, [random.Random(seed).randint(1, SESSIONS)], unbroken)


@pytest.mark.parametrize(
    ("step", "nth", "when", "leaves"),
    [
        ("append", 1, "before", "nothing"),
        ("append", 1, "after", "part"),
        ("append", 41, "after", "part"),
        ("read", 70, "before", "part"),  # half-way through the finished log's draft
        ("fsync", 1, "before", "part"),
        ("fsync", 1, "after", "part"),
        ("replace", 1, "before", "part"),
        ("replace", 1, "after", "both"),
        ("sync_folder", 1, "after", "both"),
        ("discard", 1, "before", "both"),
        ("discard", 1, "after", "log"),
    ],
)
def test_a_kill_at_any_step_leaves_a_part_file_or_the_log(
    tmp_path: Path, step: str, nth: int, when: str, leaves: str
) -> None:
    assert run(tmp_path, "--die", step, str(nth), when, sessions=40) == (-signal.SIGKILL, "")
    log, part = latest(tmp_path), latest_part(tmp_path)
    assert (log is not None) == (leaves in ("log", "both"))
    assert (part is not None) == (leaves == "part")
    if log is None:
        assert run(tmp_path, sessions=40) == (0, "")
    else:
        assert part_of(log).exists() == (leaves == "both")
    log = finished(tmp_path)
    assert read_header(log).status == FINAL.status
    assert len(list(read_rows(log))) == 40


def test_a_file_that_may_grow_no_more_stops_the_run_until_there_is_room(
    tmp_path: Path, unbroken: tuple[object, tuple[str, ...]]
) -> None:
    code, message = run(tmp_path, "--room", "100000")
    part = latest_part(tmp_path)
    assert part
    assert code == 4
    assert message.startswith(f"{part}: cannot write: File too large (all finished sessions are kept")
    assert f"--resume {part}" in message
    assert part.read_bytes().endswith(b"\n")
    assert 99_000 < part.stat().st_size <= 100_000
    assert run(tmp_path) == (0, "")
    assert without_times(finished(tmp_path)) == unbroken[0]
