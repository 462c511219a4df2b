"""The fingerprint of a round that may begin: what its result will depend on, part by part."""

import os
import platform
import shlex
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import fairtrial
from fairtrial.agents.config import (
    CommandConfig,
    HttpConfig,
    NullConfig,
    OpenAIConfig,
    PythonConfig,
    ReplayConfig,
)
from fairtrial.app.config import ScoreConfig
from fairtrial.app.prepare import Prepared
from fairtrial.app.retrieval import store_version
from fairtrial.records.fingerprint import part, unknown, whole
from fairtrial.records.log import read_header
from fairtrial.records.packages import installed, lock_of, packages
from fairtrial.records.source import Source, files_of, source_of
from fairtrial.schema.case import CaseSet
from fairtrial.schema.fingerprint import Fingerprint, Part, PartName
from fairtrial.scoring.score import Scorer
from fairtrial.text.language import say

IMAGE = "FAIRTRIAL_IMAGE"
_SAMPLING = ("temperature", "top_p", "max_tokens")
_NOT_ASKED = (ReplayConfig, NullConfig)
"""Agents without a model: what a model depends on is nothing there, and known to be."""


def collect(prepared: Prepared) -> Fingerprint:
    """The fingerprint of a round that may begin; `reported` is not known yet.

    Takes some hundredths of a second: two git processes, the names of package folders, the files that
    `[fingerprint]` names. Holds no value of a header or of the environment. Raises BadInput where a named
    file is not there or the version of the vector store cannot be asked for.
    """
    return whole({name: tell(prepared) for name, tell in _PARTS.items()})


def rescored(
    fingerprint: Fingerprint | None, case_set: CaseSet, scorer: Scorer, score: ScoreConfig
) -> Fingerprint | None:
    """The fingerprint of a round that was scored anew: as it was asked, by other rules."""
    if fingerprint is None:
        return None
    anew = {PartName.cases.value: _of_cases(case_set), PartName.scorer.value: _of_scorer(scorer, score)}
    return whole(fingerprint.parts | anew)


def _model(prepared: Prepared) -> Part:
    config = prepared.agent_config
    if isinstance(config, OpenAIConfig):
        return part(config.model, config.model)
    return _nothing() if isinstance(config, _NOT_ASKED) else unknown(_own())


def _prompt(prepared: Prepared) -> Part:
    config = prepared.agent_config
    if not isinstance(config, OpenAIConfig):
        return _told(prepared, PartName.prompt)
    system = config.system
    says = say("no system prompt", "没有系统提示词")
    if system is not None:
        says = say(f"system prompt of {len(system)} characters", f"{len(system)} 字的系统提示词")
    return _told(prepared, PartName.prompt, own=(system, says))


def _examples(prepared: Prepared) -> Part:
    is_openai = isinstance(prepared.agent_config, OpenAIConfig)
    return _told(prepared, PartName.examples, own=(None, _none()) if is_openai else None)


def _sampling(prepared: Prepared) -> Part:
    config = prepared.agent_config
    if not isinstance(config, OpenAIConfig):
        return _told(prepared, PartName.sampling)
    settings = {name: getattr(config, name) for name in _SAMPLING} | {"extra": config.extra}
    unset = say("not set", "未设置")
    says = [f"{name} {unset if settings[name] is None else settings[name]}" for name in _SAMPLING]
    says += [f"extra: {', '.join(sorted(config.extra))}"] if config.extra else []
    return _told(prepared, PartName.sampling, own=(settings, ", ".join(says)))


def _tools(prepared: Prepared) -> Part:
    if not isinstance(prepared.agent_config, OpenAIConfig):
        return _told(prepared, PartName.tools)
    from fairtrial.agents.openai import OpenAIAgent

    agent = prepared.agent
    declared: list[dict[str, Any]] = agent.tools.declared if isinstance(agent, OpenAIAgent) else []
    names = ", ".join(tool["function"]["name"] for tool in declared)
    return _told(prepared, PartName.tools, own=(declared, names or _none()))


def _retrieval(prepared: Prepared) -> Part:
    settings, config = prepared.project.fingerprint, prepared.agent_config
    version = store_version(settings.retrieval_function, settings.retrieval_command, prepared.project.folder)
    if isinstance(version, Part):
        return version
    if version is not None:
        return _told(prepared, PartName.retrieval, own=(version, version[:80]))
    alone = isinstance(config, OpenAIConfig) and not config.tools
    return _told(prepared, PartName.retrieval, own=(None, _none()) if alone else None)


def _told(prepared: Prepared, name: PartName, *, own: tuple[Any, str] | None = None) -> Part:
    """A part of what fairtrial knows by itself (value and words, None: nothing) and of the files named."""
    paths: Sequence[str] = getattr(prepared.project.fingerprint, name)
    files = files_of(paths, prepared.project.folder, f"[fingerprint] {name}")
    if files:
        words = [own[1]] if own and own[0] is not None else []
        return part([own and own[0], files], ", ".join([*words, *(file for file, _ in files[:3])]))
    if own is None:
        return _nothing() if isinstance(prepared.agent_config, _NOT_ASKED) else unknown(_own(name))
    return part([own[0], []], own[1])


def _own(name: PartName | None = None) -> str:
    """Why a part is not known of an agent that has it in its own code."""
    hint = (
        say(f"; name its files in [fingerprint] {name}", f"；请在 [fingerprint] {name} 中指明文件")
        if name
        else ""
    )
    return say("only the agent knows", "只有 Agent 知道") + hint


def _none() -> str:
    return say("none", "无")


def _nothing() -> Part:
    return part(None, _none())


def _agent(prepared: Prepared) -> Part:
    """How it is reached, and its code; of an address, the address only."""
    config = prepared.agent_config
    reach: Any
    match config:
        case PythonConfig():
            file, _, name = config.function.rpartition(":")
            reach = [_short(file, prepared.project.folder), name]
        case CommandConfig():
            argv = config.command
            reach = [shlex.split(argv) if isinstance(argv, str) else list(argv), list(config.env)]
        case HttpConfig():
            reach = [config.url, config.method, sorted(config.headers), config.request, dict(config.response)]
        case OpenAIConfig():
            tools = [tool.function.rpartition(":")[2] for tool in config.tools]
            reach = [config.base_url, config.stream, config.max_rounds, sorted(config.headers), tools]
        case ReplayConfig():
            reach = read_header(Path(config.log)).run
        case NullConfig():
            reach = config.kind
    settings, folder = prepared.project.fingerprint, prepared.project.folder
    files = files_of(settings.agent, folder, "[fingerprint] agent")
    files += files_of(_entry_files(prepared), folder, "[agent]")
    code = _code(prepared)
    name = _short(prepared.agent.name.removeprefix("python:"), folder)
    if code is None:
        return part([reach, files], name)
    if code.digest is None:
        return part([reach, files], name) if settings.agent else unknown(code.says)
    return part([reach, files, code.digest], f"{name}; {code.says}")


def _short(name: str, folder: Path) -> str:
    """A path without the place where the project lies, which is another on every machine."""
    return name.removeprefix(f"{folder.resolve()}{os.sep}")


def _entry_files(prepared: Prepared) -> list[str]:
    """The files by which the agent is started, wherever they lie."""
    config = prepared.agent_config
    match config:
        case PythonConfig():
            place = config.function.rpartition(":")[0]
            names = [getattr(sys.modules.get(place), "__file__", None) or place]
        case OpenAIConfig():
            names = [tool.function.rpartition(":")[0] for tool in config.tools]
        case CommandConfig():
            words = shlex.split(config.command) if isinstance(config.command, str) else config.command
            names = [str(Path(config.cwd or ".") / word) for word in words[1:]]
        case _:
            return []
    return [name for name in names if Path(name).is_file()]


def _code(prepared: Prepared) -> Source | None:
    """The code beside the agent, None of one that is an address or has none."""
    config, project = prepared.agent_config, prepared.project
    match config:
        case CommandConfig():
            folder = Path(config.cwd or ".")
        case PythonConfig():
            folder = project.folder
        case OpenAIConfig() if config.tools:
            folder = project.folder
        case _:
            return None
    settings = project.fingerprint
    others = [*settings.prompt, *settings.examples, *settings.sampling, *settings.tools, *settings.retrieval]
    without = [project.folder / name for name in others]
    without += [Path(name) for name in (*prepared.run.cases, prepared.run.out, prepared.run.golden) if name]
    if lock := lock_of(settings.lock, project.folder):
        without.append(project.folder / lock[0])
    return source_of(folder, without=without)


def _of_cases(case_set: CaseSet) -> Part:
    count, digest = len(case_set.cases), case_set.digest
    return part(digest, say(f"{count} cases, {digest[:10]}", f"{count} 个用例，{digest[:10]}"))


def _of_scorer(scorer: Scorer, score: ScoreConfig) -> Part:
    says = f"{scorer.digest[:10]}, useful_weight {score.useful_weight:g}, pass_at {score.pass_at:g}"
    return part([scorer.digest, score.useful_weight, score.pass_at], says)


def _judge(prepared: Prepared) -> Part:
    return part(None, say("no judge", "没有裁判"))


def _seeds(prepared: Prepared) -> Part:
    config, seed = prepared.agent_config, prepared.run.seed
    sent = config.send_seed if isinstance(config, OpenAIConfig) else None
    not_sent = say(", not sent", "，未发送") if sent is False else ""
    return part([seed, sent], f"{seed}{not_sent}")


def _concurrency(prepared: Prepared) -> Part:
    run = prepared.run
    says = say(
        f"{run.concurrency} at a time, {run.timeout:g} s a session",
        f"并发 {run.concurrency}，每个会话 {run.timeout:g} 秒",
    )
    return part([run.concurrency, run.timeout], says)


def _clock(prepared: Prepared) -> Part:
    clock = prepared.run.clock
    return part(clock, clock) if clock else unknown(say("not fixed", "未固定"))


def _container(prepared: Prepared) -> Part:
    image = os.environ.get(IMAGE, "").strip() or prepared.project.fingerprint.image
    if image:
        return part(image, image)
    if any(Path(mark).exists() for mark in ("/.dockerenv", "/run/.containerenv")):
        return unknown(
            say(f"in a container; {IMAGE} does not name its image", f"在容器中；{IMAGE} 没有给出镜像摘要")
        )
    return part(None, say("no container seen", "未见容器"))


def _python(prepared: Prepared) -> Part:
    says = f"{platform.python_implementation()} {platform.python_version()}"
    return part(says, says)


def _system(prepared: Prepared) -> Part:
    try:
        name = platform.freedesktop_os_release()["PRETTY_NAME"]
    except (OSError, KeyError):
        name = f"{platform.system()} {platform.release()}"
    says = f"{name}, {platform.machine()}"
    return part(says, says)


def _packages(prepared: Prepared) -> Part:
    project = prepared.project
    return packages(installed(), lock_of(project.fingerprint.lock, project.folder))


def _fairtrial(prepared: Prepared) -> Part:
    return part(fairtrial.__version__, fairtrial.__version__)


_PARTS: Mapping[PartName, Callable[[Prepared], Part]] = {
    PartName.model: _model,
    PartName.reported: lambda prepared: unknown(say("nobody has replied yet", "还没有回复")),
    PartName.prompt: _prompt,
    PartName.examples: _examples,
    PartName.sampling: _sampling,
    PartName.tools: _tools,
    PartName.retrieval: _retrieval,
    PartName.agent: _agent,
    PartName.cases: lambda prepared: _of_cases(prepared.case_set),
    PartName.scorer: lambda prepared: _of_scorer(prepared.scorer, prepared.project.score),
    PartName.judge: _judge,
    PartName.seeds: _seeds,
    PartName.concurrency: _concurrency,
    PartName.clock: _clock,
    PartName.container: _container,
    PartName.python: _python,
    PartName.system: _system,
    PartName.packages: _packages,
    PartName.fairtrial: _fairtrial,
}
