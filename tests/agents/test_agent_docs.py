"""The page about agents says what the code does."""

import re
import tomllib
from pathlib import Path
from typing import get_args

import pytest

from fairtrial.agents.answer import Answer
from fairtrial.agents.config import AgentConfig, NullKind
from fairtrial.agents.resolve import parse_spec, read_config

ROOT = Path(__file__).resolve().parents[2]
PAGES = ["docs/agents.md", "docs/agents.zh.md"]


def blocks(page: str, language: str) -> list[str]:
    text = (ROOT / page).read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize(("names", "language"), [(("echo.py", "tools.py"), "python"), (("echo.sh",), "sh")])
def test_the_examples_are_the_files_that_are_tested(page: str, names: tuple[str, ...], language: str) -> None:
    folder = ROOT / "examples/command_agents"
    assert blocks(page, language) == [(folder / name).read_text() for name in names]


@pytest.mark.parametrize("page", PAGES)
def test_the_configurations_are_valid(page: str) -> None:
    tables = [tomllib.loads(block)["agent"] for block in blocks(page, "toml")]
    assert [read_config(table, where=page).type for table in tables] == [
        "python",
        "command",
        "http",
        "openai",
    ]


@pytest.mark.parametrize("page", PAGES)
def test_every_kind_and_field_is_named(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    kinds = get_args(get_args(AgentConfig)[0])
    named = {name for kind in kinds for name in kind.model_fields} | set(Answer.__struct_fields__)
    assert [name for name in sorted(named) if f"{name}" not in text] == []
    for kind in get_args(NullKind):
        assert parse_spec(f"null:{kind}").type == "null"
        assert f"null:{kind}" in text
