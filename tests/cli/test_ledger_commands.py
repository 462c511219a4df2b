"""The ledger from the command line: whole or not, what it says, and its head on a branch of its own."""

import shutil
import subprocess
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from commands import fairtrial
from rich.cells import cell_len

from fairtrial.ledger.chain import head_of, locked, read, set_head

LEDGER = Path("ledger.jsonl")


def git(*words: str) -> str:
    done = subprocess.run(["git", *words], check=True, capture_output=True, text=True)
    return done.stdout.strip()


@pytest.fixture
def begun(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project in git whose ledger has five entries."""
    for name in ("GIT_AUTHOR_NAME", "GIT_COMMITTER_NAME"):
        monkeypatch.setenv(name, "Ann")
    for name in ("GIT_AUTHOR_EMAIL", "GIT_COMMITTER_EMAIL"):
        monkeypatch.setenv(name, "ann@example.org")
    folder = tmp_path / "shop"
    folder.mkdir()
    monkeypatch.chdir(folder)
    git("init", "-q")
    Path("fairtrial.toml").write_text("", "utf-8")
    Path(".gitignore").write_text("*.tmp\n", "utf-8")
    git("add", "-A")
    git("commit", "-qm", "begin")
    fairtrial("seal", "init", "--key", "../key", "--who", "Ann")
    append(4)
    return folder


def append(times: int, who: str = "陈伟") -> None:
    for n in range(times):
        with locked(LEDGER) as book:
            book.append("look", who, {"slice": "留存", "tags": ["x"], "n": n})


def rewritten(upto: int, more: int) -> None:
    """What somebody does who holds all files: another end, and a head that fits."""
    lines = LEDGER.read_bytes().splitlines(keepends=True)[:upto]
    head_of(LEDGER).unlink()
    LEDGER.write_bytes(b"".join(lines))
    for _ in range(more):
        with locked(LEDGER, now=lambda: datetime.now(UTC) + timedelta(days=1)) as book:
            book.append("look", "nobody", {})
    set_head(head_of(LEDGER), read(LEDGER)[-1])


def test_a_whole_ledger_is_whole(begun: Path) -> None:
    document = fairtrial("ledger", "verify", "--json").document
    assert (document["status"], document["entries"], document["faults"]) == ("whole", 5, [])
    assert document["hash"] == read(LEDGER)[-1].hash


def test_the_list_tells_number_time_kind_and_name(begun: Path) -> None:
    said = fairtrial("ledger", "show", "--kind", "look", "--limit", "2")
    lines = said.out.splitlines()
    assert [line.split()[0] for line in lines] == ["4", "5"]
    assert all("look" in line and "陈伟" in line and "slice=留存" in line for line in lines)
    whole = fairtrial("ledger", "show").out.splitlines()
    assert len({cell_len(line.partition("slice=")[0]) for line in whole if "slice=" in line}) == 1
    assert len(fairtrial("ledger", "show", "--json").document["entries"]) == 5


def drop(lines: list[bytes]) -> list[bytes]:
    return lines[:1] + lines[2:]


def change(lines: list[bytes]) -> list[bytes]:
    return [lines[0], lines[1].replace(b"look", b"lock"), *lines[2:]]


def shorten(lines: list[bytes]) -> list[bytes]:
    return lines[:3]


def swap(lines: list[bytes]) -> list[bytes]:
    return [lines[0], lines[2], lines[1], *lines[3:]]


def insert(lines: list[bytes]) -> list[bytes]:
    return [*lines[:2], lines[1], *lines[2:]]


@pytest.mark.parametrize("mutation", [drop, change, shorten, swap, insert])
def test_every_kind_of_damage_is_found_and_nothing_goes_on(
    begun: Path, mutation: Callable[[list[bytes]], list[bytes]]
) -> None:
    LEDGER.write_bytes(b"".join(mutation(LEDGER.read_bytes().splitlines(keepends=True))))
    said = fairtrial("ledger", "verify", "--json")
    assert (said.code, said.document["status"]) == (1, "broken")
    assert len(said.document["faults"]) == 1
    assert fairtrial("seal", "status").code == 2
    assert fairtrial("ledger", "anchor").code == 2


def test_a_lost_head_is_found(begun: Path) -> None:
    head_of(LEDGER).unlink()
    said = fairtrial("ledger", "verify")
    assert (said.code, "head is missing" in said.out) == (1, True)


def test_an_anchor_touches_neither_tree_nor_index(begun: Path) -> None:
    Path("work").write_text("not committed")
    git("add", "work")
    before = git("status", "--porcelain"), git("rev-parse", "HEAD")
    document = fairtrial("ledger", "anchor", "--json").document
    assert (git("status", "--porcelain"), git("rev-parse", "HEAD")) == before
    assert git("rev-parse", "fairtrial-ledger") == document["commit"]
    assert git("show", "--name-only", "--format=", "fairtrial-ledger") == "ledger.head"
    assert fairtrial("ledger", "anchor", "--json").document["commit"] == document["commit"]
    append(2)
    fairtrial("ledger", "anchor")
    assert len(git("rev-list", "fairtrial-ledger").splitlines()) == 2
    append(1)
    found = fairtrial("ledger", "verify", "--branch", "fairtrial-ledger", "--json").document
    assert (found["status"], found["entries"], found["anchored"]) == ("whole", 8, 7)


def test_whoever_rewrites_all_files_is_found_by_the_anchor_alone(begun: Path) -> None:
    fairtrial("ledger", "anchor")
    rewritten(2, 4)
    assert fairtrial("ledger", "verify").code == 0
    said = fairtrial("ledger", "verify", "--branch", "fairtrial-ledger")
    assert (said.code, "rewritten" in said.out) == (1, True)
    rewritten(2, 0)
    said = fairtrial("ledger", "verify", "--branch", "fairtrial-ledger")
    assert (said.code, "shortened" in said.out) == (1, True)
    assert fairtrial("ledger", "anchor").code == 4


def test_what_was_dropped_since_the_last_anchor_is_not_found(begun: Path) -> None:
    """As docs/ledger.md says."""
    fairtrial("ledger", "anchor")
    append(3)
    rewritten(5, 1)
    assert fairtrial("ledger", "verify", "--branch", "fairtrial-ledger").code == 0


def test_two_copies_that_went_apart_cannot_both_push(
    begun: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    git("init", "-q", "--bare", str(tmp_path / "remote.git"))
    git("remote", "add", "origin", str(tmp_path / "remote.git"))
    shutil.copytree(begun, tmp_path / "copy")
    append(1)
    said = fairtrial("ledger", "anchor", "--push", "origin", "--json")
    assert (said.code, said.document["pushed"]) == (0, "origin")
    monkeypatch.chdir(tmp_path / "copy")
    append(2, "Bo")
    assert fairtrial("ledger", "anchor", "--push", "origin").code == 4
    git("fetch", "-q", "origin")
    assert fairtrial("ledger", "verify", "--branch", "origin/fairtrial-ledger").code == 1


def test_it_is_anchored_where_git_knows_nobody_and_by_whom_the_environment_names(
    begun: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("AUTHOR", "COMMITTER"):
        monkeypatch.delenv(f"GIT_{name}_NAME")
        monkeypatch.delenv(f"GIT_{name}_EMAIL")
    for name in ("GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM"):
        monkeypatch.setenv(name, "/dev/null")
    monkeypatch.setenv("GIT_CONFIG_COUNT", "1")
    monkeypatch.setenv("GIT_CONFIG_KEY_0", "user.useConfigOnly")
    monkeypatch.setenv("GIT_CONFIG_VALUE_0", "true")
    assert fairtrial("ledger", "anchor").code == 0
    assert "fairtrial" in git("log", "-1", "--format=%an", "fairtrial-ledger")
    for name in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{name}_NAME", "陈伟")
        monkeypatch.setenv(f"GIT_{name}_EMAIL", "chen@example.org")
    append(1)
    assert fairtrial("ledger", "anchor").code == 0
    assert "陈伟" in git("log", "-1", "--format=%an", "fairtrial-ledger")


@pytest.mark.parametrize("branch", ["nowhere", "main-not-there"])
def test_a_branch_that_is_not_there_is_said_so(begun: Path, branch: str) -> None:
    said = fairtrial("ledger", "verify", "--branch", branch)
    assert (said.code, f"no branch `{branch}`" in said.complaint) == (2, True)
    git("branch", branch)
    said = fairtrial("ledger", "verify", "--branch", branch)
    assert said.code == 4
