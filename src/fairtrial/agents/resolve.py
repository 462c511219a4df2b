"""From what a person wrote to the agent it means."""

import os
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, assert_never

from pydantic import TypeAdapter, ValidationError

from fairtrial.agents.config import (
    AgentConfig,
    CommandConfig,
    HttpConfig,
    NullConfig,
    OpenAIConfig,
    PythonConfig,
    ReplayConfig,
)
from fairtrial.agents.protocol import Agent
from fairtrial.errors import BadInput
from fairtrial.schema.record import Record
from fairtrial.schema.written import complaint
from fairtrial.text.language import say

FORMS = "python:package.module:name | command:… | http(s)://… | openai:MODEL@URL | replay:LOG | null:KIND"

LoadRecords = Callable[[Path], Iterable[Record]]


def parse_spec(spec: str) -> AgentConfig:
    """The configuration that a short form on the command line stands for.

    One of `python:pkg.mod:fn`, `python:file.py:fn`, `command:program arguments`, `http://…`, `https://…`,
    `openai:MODEL` or `openai:MODEL@URL`, `replay:LOG`, `null:KIND`. Raises BadInput.
    """
    kind, _, rest = spec.partition(":")
    match kind:
        case "python":
            fields = {"function": rest}
        case "command":
            fields = {"command": rest}
        case "http" | "https":
            kind, fields = "http", {"url": spec}
        case "openai":
            model, at, url = rest.partition("@http")
            fields = {"model": model} | ({"base_url": f"http{url}"} if at else {})
        case "replay":
            fields = {"log": rest}
        case "null":
            fields = {"kind": rest}
        case _:
            raise BadInput(
                say(f"unknown kind of agent `{kind}`", f"未知的 Agent 类型 `{kind}`"), where=spec, how=FORMS
            )
    return read_config({"type": kind, **fields}, where=spec)


def read_config(table: Mapping[str, Any], where: str) -> AgentConfig:
    """A table (`[agent]` of fairtrial.toml) as a configuration. Raises BadInput with the first problem."""
    adapter: TypeAdapter[AgentConfig] = TypeAdapter(AgentConfig)
    try:
        return adapter.validate_python(dict(table))
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        name = str(first["loc"][1] if first["loc"][1:] else "agent")
        owner = f"`{name}`: " if first["type"] == "value_error" else ""
        raise BadInput(owner + complaint(first, name), where=where, how=FORMS) from None


def resolve(
    config: AgentConfig,
    *,
    environ: Mapping[str, str] = os.environ,
    load_records: LoadRecords | None = None,
) -> Agent:
    """The agent, ready to be opened; nothing is called yet.

    `load_records` reads the log of a replay. Raises BadInput (no such function, program or log, a wrong
    template) and CannotRun (an environment variable that is named but unset).
    """
    match config:
        case PythonConfig():
            from fairtrial.agents.python import PythonAgent

            return PythonAgent(config.function)
        case CommandConfig():
            from fairtrial.agents.command import CommandAgent
            from fairtrial.agents.environ import passed_on

            return CommandAgent(
                config.command, config.cwd, passed_on(environ, config.env), offers=config.offers
            )
        case HttpConfig():
            from fairtrial.agents.http import HttpAgent

            return HttpAgent(config, environ)
        case OpenAIConfig():
            from fairtrial.agents.openai import OpenAIAgent

            return OpenAIAgent(config, environ)
        case ReplayConfig():
            return _replay(config, load_records)
        case NullConfig():
            from fairtrial.agents.null import NullAgent

            return NullAgent(config.kind)
        case _:
            assert_never(config)


def _replay(config: ReplayConfig, load_records: LoadRecords | None) -> Agent:
    from fairtrial.agents.replay import ReplayAgent

    if load_records is None:
        raise TypeError("resolve needs `load_records` for a replay")
    return ReplayAgent(load_records(Path(config.log)), name=f"replay:{config.log}")
