"""The parts of a fingerprint that tell who is asked: model, prompt, tools, vector store, code."""

import os
import shlex
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from fairtrial.agents.config import (
    CommandConfig,
    HttpConfig,
    NullConfig,
    OpenAIConfig,
    PythonConfig,
    ReplayConfig,
)
from fairtrial.app.golden import golden_file
from fairtrial.app.prepare import Prepared
from fairtrial.app.retrieval import store_version
from fairtrial.cases.queue import FOLDER as QUEUE
from fairtrial.ledger.chain import head_of
from fairtrial.records.fingerprint import part, unknown
from fairtrial.records.log import read_header
from fairtrial.records.packages import LOCKS
from fairtrial.records.source import files_of, source_of
from fairtrial.schema.fingerprint import Part, PartName
from fairtrial.text.language import say

_SAMPLING = ("temperature", "top_p", "max_tokens")
_TOLD = (PartName.model, PartName.prompt, PartName.examples, PartName.sampling, PartName.tools)
_Known = tuple[Any, str]
"""A value, None: nothing; and what it is in a few words."""


def agents_parts(prepared: Prepared) -> dict[PartName, Part]:
    """Those of whoever is asked. Of a header the text as it was written, never what `${NAME}` stands for.

    Raises BadInput where a named file is not there or the version of the vector store cannot be asked for.
    """
    found = {name: _told(prepared, name) for name in _TOLD}
    return found | {PartName.retrieval: _retrieval(prepared), PartName.agent: _agent(prepared)}


def _told(prepared: Prepared, name: PartName, own: _Known | None = None) -> Part:
    """A part of what fairtrial knows by itself (`own`, or by the agent's settings) and of the files named."""
    settings, folder = prepared.project.fingerprint, prepared.project.folder
    files = files_of(getattr(settings, name, ()), folder, f"[fingerprint] {name}")
    own = own or _known(prepared).get(name)
    if own is None and not files:
        hint = say(f"; name its files in [fingerprint] {name}", f"；请在 [fingerprint] {name} 中指明文件")
        return unknown(say("only the agent knows", "只有 Agent 知道") + hint * hasattr(settings, name))
    value, says = own or (None, "")
    words = [says] if value or not files else []
    return part([value, files], ", ".join([*words, *(file for file, _ in files[:3])]))


def _known(prepared: Prepared) -> Mapping[PartName, _Known]:
    """What the agent's settings tell: all of one without a model, much of an OpenAI-compatible one."""
    config, none = prepared.agent_config, (None, say("none", "无"))
    if not isinstance(config, OpenAIConfig):
        return dict.fromkeys(PartName, none) if config.tells_cost is None else {}
    from fairtrial.agents.openai import OpenAIAgent

    agent, system, unset = prepared.agent, config.system, say("not set", "未设置")
    declared: list[dict[str, Any]] = agent.tools.declared if isinstance(agent, OpenAIAgent) else []
    settings = {name: getattr(config, name) for name in _SAMPLING}
    sampling = [f"{name} {unset if value is None else value}" for name, value in settings.items()]
    sampling += [f"extra: {', '.join(sorted(config.extra))}"] if config.extra else []
    prompt = say("no system prompt", "没有系统提示词")
    if system is not None:
        prompt = say(f"system prompt of {len(system)} characters", f"{len(system)} 字的系统提示词")
    known: dict[PartName, _Known] = {
        PartName.model: (config.model, config.model),
        PartName.prompt: (system, prompt),
        PartName.examples: none,
        PartName.sampling: (settings | {"extra": config.extra}, ", ".join(sampling)),
        PartName.tools: (declared, ", ".join(tool["function"]["name"] for tool in declared) or none[1]),
    }
    return known if declared else known | {PartName.retrieval: none}


def _retrieval(prepared: Prepared) -> Part:
    settings, folder = prepared.project.fingerprint, prepared.project.folder
    version = store_version(settings.retrieval_function, settings.retrieval_command, folder)
    if isinstance(version, Part):
        return version
    return _told(prepared, PartName.retrieval, (version, version[:80]) if version else None)


def _agent(prepared: Prepared) -> Part:
    """How it is reached, and its code; of an address, the address only."""
    project = prepared.project
    reach, started, place = _way(prepared)
    files = files_of(project.fingerprint.agent, project.folder, "[fingerprint] agent")
    files += files_of([name for name in started if Path(name).is_file()], project.folder, "[agent]")
    code = source_of(place, without=_other_parts(prepared)) if place else None
    name = _short(prepared.agent.name.removeprefix("python:"), project.folder)
    if code is None:
        return part([reach, files], name)
    if code.digest is None:
        return part([reach, files], name) if project.fingerprint.agent else code
    return part([reach, files, code.digest], f"{name}; {code.says}")


def _way(prepared: Prepared) -> tuple[Any, Sequence[str], Path | None]:
    """How the agent is reached, the files that are started wherever they lie, and the folder of its code."""
    config, folder = prepared.agent_config, prepared.project.folder
    match config:
        case PythonConfig():
            place, _, name = config.function.rpartition(":")
            return [_short(place, folder), name], [_file(place)], folder
        case CommandConfig():
            command, beside = config.command, Path(config.cwd or ".")
            words = shlex.split(command) if isinstance(command, str) else list(command)
            program = [words[0]] if os.sep in words[0] else []  # else it is looked for in PATH
            files = [str(beside / word) for word in (*program, *words[1:])]
            return [words, list(config.env), *([config.offers] if config.offers else [])], files, beside
        case OpenAIConfig():
            reach = [config.base_url, config.stream, config.max_rounds, config.headers]
            tools = [tool.function.rpartition(":") for tool in config.tools]
            files = [_file(place) for place, _, _ in tools]
            return [*reach, [name for _, _, name in tools]], files, folder if tools else None
        case HttpConfig():
            to = [config.url, config.method, config.headers, config.request, dict(config.response)]
            return [*to, *([config.state_url] if config.state_url else [])], [], None
        case ReplayConfig():
            return read_header(Path(config.log)).run, [], None
        case NullConfig():
            return config.kind, [], None


def _short(name: str, folder: Path) -> str:
    """A path without the place where the project lies, which is another on every machine."""
    return name.removeprefix(f"{folder.resolve()}{os.sep}")


def _file(place: str) -> str:
    """The file of a function's module, which is loaded by now."""
    return getattr(sys.modules.get(place), "__file__", None) or place


def _other_parts(prepared: Prepared) -> list[Path]:
    """Files and folders beside the agent's code that are no part of it."""
    settings, run, folder = prepared.project.fingerprint, prepared.run, prepared.project.folder
    named = [*settings.prompt, *settings.examples, *settings.sampling, *settings.tools, *settings.retrieval]
    seal = prepared.project.seal
    named += [seal.folder, seal.ledger, str(head_of(Path(seal.ledger)))]
    others = [folder / name for name in (*named, *LOCKS, settings.lock) if name]
    # A look at sealed cases has no golden samples, and asks the same agent.
    golden = run.golden or golden_file(prepared.project)
    return [*others, folder / QUEUE, *(Path(name) for name in (*run.cases, run.out, golden) if name)]
