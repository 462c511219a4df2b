"""The command line as a person uses it, in this process, and a small project to use it on."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from fairtrial.cli.main import app


@dataclass(frozen=True)
class Said:
    """How a command ended and what it said."""

    code: int
    out: str
    err: str

    @property
    def document(self) -> Any:
        """The one JSON document on stdout."""
        return json.loads(self.out)

    @property
    def log(self) -> Path:
        """The log that the document names."""
        return Path(self.document["log"])

    @property
    def complaint(self) -> str:
        """The one line on stderr."""
        lines = self.err.splitlines()
        assert len(lines) == 1, self.err
        return lines[0]


def fairtrial(*words: object, env: Mapping[str, str] | None = None) -> Said:
    """Run a command; an error that is no refusal is raised."""
    settings = {"FAIRTRIAL_DEBUG": "1", **(env or {})}
    result = CliRunner().invoke(app, [str(word) for word in words], env=settings, catch_exceptions=False)
    return Said(result.exit_code, result.stdout, result.stderr)


AGENT = '''
def right(text):
    """Knows three of four prices; a slip is a wrong answer, never a failure."""
    n = int(text.split()[1])
    return "I have no idea." if n % 4 == 0 else f"Item {n} costs {n + 100} euros. Please pay at the desk."

def worse(text):
    return "I have no idea."

def loud(text):
    print("the agent prints", text)
    return right(text)
'''


def case(n: int, **more: Any) -> dict[str, Any]:
    """Case `n`, whose right answer is the price `n + 100`."""
    return {
        "id": f"price-{n}",
        "input": f"item {n} please, what is its price?",
        "expect": [{"rule": "number", "value": n + 100}],
        "weight": 3 if n % 2 else 1,
        "tags": ["odd" if n % 2 else "even"],
        **more,
    }


def write_cases(path: Path, cases: Sequence[Any] | int = 24) -> Path:
    """A file of cases; of a number, so many prices."""
    made = [case(n) for n in range(cases)] if isinstance(cases, int) else list(cases)
    path.write_text(json.dumps(made, ensure_ascii=False, indent=1), "utf-8")
    return path


def write_project(folder: Path, cases: Sequence[Any] | int = 24, *, run: str = "", more: str = "") -> Path:
    """`fairtrial.toml`, `prices.json` and `clerk.py`; 24 prices make a reliable round."""
    write_cases(folder / "prices.json", cases)
    (folder / "clerk.py").write_text(AGENT, "utf-8")
    (folder / "fairtrial.toml").write_text(
        '[agent]\ntype = "python"\nfunction = "clerk.py:right"\n\n'
        f'[run]\ncases = ["prices.json"]\n{run}\n{more}\n',
        "utf-8",
    )
    return folder


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty folder to stand in; what is imported from it is forgotten afterwards."""
    import sys

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    known = set(sys.modules)
    yield tmp_path
    for name in set(sys.modules) - known:
        if str(getattr(sys.modules[name], "__file__", "")).startswith(str(tmp_path)):
            del sys.modules[name]


@pytest.fixture
def project(here: Path) -> Path:
    """The small project, to stand in."""
    return write_project(here)


def rows(log: Path) -> list[Any]:
    """The rows of a log as they are written."""
    return [json.loads(line) for line in log.read_text("utf-8").splitlines()[1:]]


def header(log: Path) -> Any:
    """The header of a log as it is written."""
    with log.open(encoding="utf-8") as file:
        return json.loads(file.readline())
