"""Whom a project asks, and from where its functions are imported."""

import sys
from collections.abc import Iterable
from pathlib import Path

from fairtrial.agents.config import AgentConfig, CommandConfig, OpenAIConfig, PythonConfig, ReplayConfig
from fairtrial.agents.resolve import parse_spec
from fairtrial.app.config import Project
from fairtrial.errors import BadInput
from fairtrial.records.log import read_rows
from fairtrial.schema.record import Record
from fairtrial.text.language import say


def agent_config(project: Project, spec: str | None) -> AgentConfig:
    """The agent of the command line, else the project's. Raises BadInput if neither is there."""
    if spec is not None:
        return _anchored(parse_spec(spec), Path())
    config = project.agent
    if config is None:
        raise BadInput(
            say("no agent named", "没有指定 Agent"),
            how=say(
                "use --agent, or write an [agent] table in fairtrial.toml; `fairtrial init` writes one",
                "请用 --agent，或在 fairtrial.toml 写 [agent]；`fairtrial init` 会写好一个",
            ),
        )
    return _anchored(config, project.folder)


def player_config(project: Project) -> AgentConfig | None:
    """Whoever plays the users that are personas; None where the project names nobody."""
    return None if project.user is None else _anchored(project.user, project.folder)


def writer_config(project: Project) -> AgentConfig | None:
    """Whoever writes variants of cases; None where the project names nobody."""
    return None if project.writer is None else _anchored(project.writer, project.folder)


def _anchored(config: AgentConfig, folder: Path) -> AgentConfig:
    """Its paths made absolute, so that a run can be resumed from anywhere."""
    folder = folder.resolve()
    match config:
        case CommandConfig():
            return config.model_copy(update={"cwd": str(folder / (config.cwd or "."))})
        case PythonConfig():
            return config.model_copy(update={"function": _function(config.function, folder)})
        case OpenAIConfig():
            tools = (
                tool.model_copy(update={"function": _function(tool.function, folder)})
                for tool in config.tools
            )
            return config.model_copy(update={"tools": tuple(tools)})
        case ReplayConfig():
            return config.model_copy(update={"log": str(folder / config.log)})
        case _:
            return config


def _function(spec: str, folder: Path) -> str:
    return str(folder / spec) if ".py:" in spec else spec


def recorded(log: Path) -> Iterable[Record]:
    """The records of a log, for a replay."""
    return (row.record for row in read_rows(log))


def importable(folder: Path) -> None:
    """Let a project's functions be imported wherever the command was started, as if from its folder."""
    place = str(folder.resolve())
    if place not in sys.path:
        sys.path.insert(0, place)
