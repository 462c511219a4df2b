"""What the README shows is what a reader gets: its commands are typed, and its output is looked for."""

import re
import shlex
import shutil
import subprocess
import sys
from glob import glob
from pathlib import Path

import pytest
from typer.testing import CliRunner

from fairtrial.cli.main import app

ROOT = Path(__file__).resolve().parents[2]


def steps(page: str) -> list[tuple[str, list[str]]]:
    """Each command shown in a console block, and the lines shown under it."""
    found: list[tuple[str, list[str]]] = []
    for block in re.findall(r"^```console\n(.*?)^```$", page, re.MULTILINE | re.DOTALL):
        for line in block.splitlines():
            if line.startswith("$ "):
                found.append((line[2:], []))
            else:
                found[-1][1].append(line.rstrip())
    return found


def pattern(shown: list[str]) -> str:
    """Lines follow each other; a line of `…` alone is any number of lines, elsewhere `…` is some text."""
    parts = []
    for line in shown:
        if line.strip() == "…":
            parts.append(r"(?:.*\n)*?")
        else:
            parts.append(re.escape(line).replace("…", ".*") + r"\n")
    return "".join(parts)


def typed(command: str, folder: Path) -> str:
    words = [name for word in shlex.split(command) for name in (sorted(glob(word)) or [word])]
    if words[0] == "fairtrial":
        return CliRunner().invoke(app, words[1:]).output
    kept = folder / "examples" / "self_kept"
    done = subprocess.run(
        [sys.executable, *words[1:]], cwd=kept, check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    assert not (kept / "logs" / "history.jsonl").exists()
    return done.stdout.decode()


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_output_shown_is_the_output(
    language: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FAIRTRIAL_LANG", language)
    monkeypatch.setenv("COLUMNS", "96")
    monkeypatch.chdir(tmp_path)
    page = (ROOT / ("README.zh.md" if language == "zh" else "README.md")).read_text(encoding="utf-8")
    found = steps(page)
    assert len(found) == 21
    shutil.copytree(ROOT / "examples", tmp_path / "examples", ignore=shutil.ignore_patterns("logs"))
    for command, shown in found:
        if command.startswith("cd "):
            monkeypatch.chdir(command.removeprefix("cd "))
            continue
        lines = [line.rstrip() for line in typed(command, tmp_path).splitlines()]
        # On a terminal progress is a bar that goes away; here it is a line now and then.
        output = "".join(line + "\n" for line in lines if not re.match(r"\d+/\d+( |$)", line))
        assert re.fullmatch(pattern(shown), output), f"$ {command}\n{output}"


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_ten_line_programs_are_agents(
    language: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    page = (ROOT / ("README.zh.md" if language == "zh" else "README.md")).read_text(encoding="utf-8")
    function, program, _ = re.findall(r"^```python\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    Path("function.py").write_text(function, encoding="utf-8")
    Path("program.py").write_text(program, encoding="utf-8")
    for agent in ("python:function.py:answer", f"command:{sys.executable} program.py"):
        asked = CliRunner().invoke(app, ["ask", "你好", "--agent", agent])
        assert asked.exit_code == 0
        assert "You said: 你好" in asked.output


@pytest.mark.parametrize("page", ["README.md", "README.zh.md"])
def test_the_tests_shown_are_tests(page: str, tmp_path: Path) -> None:
    shown = re.findall(r"^```python\n(.*?)^```$", (ROOT / page).read_text("utf-8"), re.MULTILINE | re.DOTALL)[
        2
    ]
    shop = tmp_path / "shop"
    shutil.copytree(ROOT / "examples" / "shop", shop, ignore=shutil.ignore_patterns("logs"))
    settings = shop / "fairtrial.toml"
    settings.write_text(settings.read_text("utf-8").replace('"0.05"', '"0"'), "utf-8")
    (shop / "test_shown.py").write_text(shown, "utf-8")
    words = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "--rootdir",
        str(shop),
        "test_shown.py",
    ]
    chosen = ["-k", "changed or (refund-01 and not typos)"]
    done = subprocess.run([*words, *chosen], cwd=shop, check=False, stdout=subprocess.PIPE, text=True)
    assert done.returncode == 0, done.stdout
    assert "5 passed" in done.stdout
