import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.agents.config import (
    CommandConfig,
    HttpConfig,
    NullConfig,
    OpenAIConfig,
    PythonConfig,
    ReplayConfig,
)
from fairtrial.agents.resolve import parse_spec, read_config, resolve
from fairtrial.errors import BadInput
from fairtrial.schema.record import Record


@pytest.mark.parametrize(
    ("spec", "config"),
    [
        ("python:pkg.mod:fn", PythonConfig(type="python", function="pkg.mod:fn")),
        ("python:a folder/agent.py:fn", PythonConfig(type="python", function="a folder/agent.py:fn")),
        ("python:智能体.py:回答", PythonConfig(type="python", function="智能体.py:回答")),
        ("command:python agent.py --x 1:2", CommandConfig(type="command", command="python agent.py --x 1:2")),
        ("http://h:8/p?q=1", HttpConfig(type="http", url="http://h:8/p?q=1")),
        ("https://h/p", HttpConfig(type="http", url="https://h/p")),
        ("openai:gpt-x", OpenAIConfig(type="openai", model="gpt-x")),
        ("openai:m@http://h:1/v1", OpenAIConfig(type="openai", model="m", base_url="http://h:1/v1")),
        ("openai:q:7b@2024@https://h", OpenAIConfig(type="openai", model="q:7b@2024", base_url="https://h")),
        ("replay:logs/a.jsonl", ReplayConfig(type="replay", log="logs/a.jsonl")),
        ("null:stuffing", NullConfig(type="null", kind="stuffing")),
    ],
)
def test_short_forms(spec: str, config: Any) -> None:
    assert parse_spec(spec) == config


@pytest.mark.parametrize(
    "spec",
    [
        "",
        "agent.py",
        "python:",
        "python:pkg.mod",
        "python:pkg.mod:not a name",
        "command:",
        "ftp://x",
        "openai:",
        "null:nothing",
        "null:",
        "replay:",
        "http://",
        "https:///path",
    ],
)
def test_what_is_none_is_refused_in_one_line_with_the_forms(spec: str) -> None:
    with pytest.raises(BadInput) as refused:
        parse_spec(spec)
    message = str(refused.value)
    assert "\n" not in message
    assert spec in message
    assert "openai:MODEL@URL" in message


@given(st.text())
def test_any_text_is_a_configuration_or_bad_input(spec: str) -> None:
    with suppress(BadInput):
        parse_spec(spec)


@pytest.mark.parametrize(
    ("table", "word"),
    [
        ({}, "type"),
        ({"type": "robot"}, "robot"),
        ({"type": "openai"}, "model"),
        ({"type": "openai", "model": "m", "api_key": "sk-1"}, "api_key"),
        ({"type": "openai", "model": "m", "temperature": float("nan")}, "temperature"),
        ({"type": "openai", "model": "m", "base_url": "https://me:pw@x"}, "base_url"),
        ({"type": "command", "command": []}, "command"),
        ({"type": "http", "url": "foo"}, "`url`: 'foo' is no http:// or https:// address"),
        ({"type": "python", "function": "foo"}, "path/to/file.py:name"),
        ({"type": "openai", "model": "m", "tools": [{"function": "a:b", "name": "a b"}]}, "'a b'"),
        ({"type": "null", "kind": "empty", "language": "zh"}, "language"),
    ],
)
def test_a_wrong_table_names_the_field(table: dict[str, Any], word: str) -> None:
    with pytest.raises(BadInput) as refused:
        read_config(table, where="fairtrial.toml [agent]")
    assert str(refused.value).startswith("fairtrial.toml [agent]: ")
    assert word in str(refused.value)
    assert "sk-1" not in str(refused.value)
    assert "pw" not in str(refused.value)


def test_a_replay_reads_its_log_through_the_loader_it_is_given() -> None:
    asked: list[Path] = []

    def load(path: Path) -> list[Record]:
        asked.append(path)
        return []

    agent = resolve(parse_spec("replay:logs/a.jsonl"), load_records=load)
    assert (asked, agent.name, agent.in_process) == ([Path("logs/a.jsonl")], "replay:logs/a.jsonl", True)


def test_a_configuration_alone_loads_neither_http_nor_adapters() -> None:
    code = (
        "import sys\nfrom fairtrial.agents.resolve import parse_spec, resolve\n"
        "resolve(parse_spec('null:empty')); resolve(parse_spec('command:sh'))\n"
        "sys.exit(any(name in sys.modules for name in ('aiohttp', 'jsonpath_rfc9535', 'numpy')))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
