"""The set-up of a fresh machine, with Pythons that lack what it needs."""

import os
import re
import stat
import subprocess
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[2]


def _script(folder: Path, name: str, body: str) -> None:
    path = folder / name
    path.write_text("#!/bin/sh\n" + body, encoding="utf-8")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)


def _setup(folder: Path) -> "subprocess.CompletedProcess[str]":
    tools = folder / "bin"
    for name in ("sh", "id", "command", "printf", "touch", "mkdir"):
        found = Path("/bin") / name if (Path("/bin") / name).exists() else Path("/usr/bin") / name
        if found.exists():
            (tools / name).symlink_to(found)
    return subprocess.run(
        ["/bin/sh", str(REPOSITORY / "scripts" / "setup.sh")],
        cwd=folder,
        env={"PATH": str(tools), "PYTHON": "python3.11"},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture
def machine(tmp_path: Path) -> Path:
    (tmp_path / "bin").mkdir()
    return tmp_path


def test_a_machine_without_a_new_enough_python_gets_one_line(machine: Path) -> None:
    _script(machine / "bin", "python3", "exit 1\n")
    done = _setup(machine)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "no Python 3.11 or newer" in done.stderr


def test_a_python_without_venv_gets_one_line_that_says_how_to_mend_it(machine: Path) -> None:
    body = 'case "$2" in *"import venv"*) exit 1;; *"print"*) echo 3.11;; *) exit 0;; esac\n'
    _script(machine / "bin", "python3.11", body)
    done = _setup(machine)
    assert done.returncode == 2
    assert re.search(r"has no venv module .*apt-get install python3\.11-venv", done.stderr.splitlines()[-1])


def test_the_lock_names_no_index_and_hashes_every_package() -> None:
    lock = (REPOSITORY / "requirements.lock").read_text(encoding="utf-8")
    assert not re.search(r"^\s*(-i|--index|--extra-index|--find-links|-f)\b|://|^\.|^/", lock, re.MULTILINE)
    packages = re.findall(r"^(\S+)==\S+ \\$", lock, re.MULTILINE)
    assert len(packages) == len(re.findall(r"^\S+==", lock, re.MULTILINE)) > 30
    known = ("    --hash=sha256:", "#")
    assert all(line.startswith(known) or "==" in line for line in lock.splitlines() if line)


def test_every_target_of_the_makefile_that_readers_are_told_of_is_listed_by_help() -> None:
    done = subprocess.run(
        ["make", "help"], cwd=REPOSITORY, env=os.environ, capture_output=True, text=True, check=True
    )
    for target in ("install", "demo", "test", "check", "bench"):
        assert f"make {target}" in done.stdout
