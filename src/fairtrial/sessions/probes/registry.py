"""Which probes there are, and what a person means who names some: `typos@2+silence`."""

import inspect
import re
from collections.abc import Callable
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from typing import Any

from fairtrial.agents.load import load_function
from fairtrial.agents.protocol import Ability
from fairtrial.errors import BadInput
from fairtrial.sessions.probes.probe import INTENSITIES, Probe
from fairtrial.text.language import say

GROUP = "fairtrial.probes"
"""The group of entry points in which others offer theirs."""

_MODULES = (
    "pollution",
    "masking",
    "typos",
    "emotion",
    "code_switching",
    "contradiction",
    "change_of_mind",
    "return_to_earlier",
    "interruption",
    "silence",
    "reuse",
    "memory",
    "tool_faults",
    "injection",
)
_NAME = re.compile(r"[a-z][a-z0-9_]*")
_USE = re.compile(r"(?P<probe>.+?)(?:@(?P<intensity>[^@]*))?", re.DOTALL)
_GIVEN = ("case", "intensity", "draw", "others")


@dataclass(frozen=True)
class Use:
    """A probe at an intensity of 1 (mild) to 3 (hard)."""

    probe: Probe
    intensity: int = 2

    def __str__(self) -> str:
        return f"{self.probe.name}@{self.intensity}"


@cache
def known() -> dict[str, Probe]:
    """All probes by name: those of the house, then those of installed packages (entry points).

    Raises BadInput, in one line, for an entry point that is broken or takes a name that is taken.
    """
    probes: dict[str, Probe] = {}
    for module in _MODULES:
        for probe in import_module(f"fairtrial.sessions.probes.{module}").PROBES:
            probes[probe.name] = probe
    for entry in sorted(entry_points(group=GROUP), key=lambda entry: (entry.name, entry.value)):
        where = f"{GROUP}: {entry.name} = {entry.value}"
        probe = _made(_loaded(entry.load, where), where)
        if probe.name in probes:
            raise BadInput(
                say(f"there is a probe `{probe.name}` already", f"已经有名为 `{probe.name}` 的探针"),
                where=where,
            )
        probes[probe.name] = probe
    return probes


def read_uses(text: str) -> tuple[Use, ...]:
    """The probes that a text names, joined by `+`, each with its intensity behind `@` (2 without one).

    A probe of one's own is named by `path/to/file.py:Class`. Raises BadInput.
    """
    uses = tuple(_use(part.strip(), text) for part in text.split("+"))
    names = [use.probe.name for use in uses]
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise BadInput(say(f"`{twice}` is named twice", f"`{twice}` 写了两次"), where=text)
    return uses


def _use(part: str, where: str) -> Use:
    match = _USE.fullmatch(part)
    if match is None:
        raise BadInput(say("no probe named", "没有写探针的名字"), where=where or "probes", how=_form())
    intensity = match["intensity"]
    if intensity is not None and intensity not in map(str, INTENSITIES):
        raise BadInput(
            say(f"no intensity `{intensity}`: 1, 2 or 3", f"没有强度 `{intensity}`：应为 1、2 或 3"),
            where=part,
            how=_form(),
        )
    return Use(_named(match["probe"]), int(intensity or 2))


def _named(name: str) -> Probe:
    if ":" in name:
        return _made(load_function(name), name)
    probes = known()
    if name in probes:
        return probes[name]
    near = get_close_matches(name, probes, n=1)
    meant = say(f": did you mean `{near[0]}`?", f"：是否想写 `{near[0]}`？") if near else ""
    raise BadInput(
        say(f"no probe `{name}`{meant}", f"没有名为 `{name}` 的探针{meant}"),
        where="probes",
        how=say("there are ", "现有：") + ", ".join(probes),
    )


def _form() -> str:
    return say("write NAME@1, NAME@2+NAME …", "写作 NAME@1、NAME@2+NAME ……")


def _loaded(load: Callable[[], Any], where: str) -> Any:
    try:
        return load()
    except (Exception, SystemExit) as error:
        what = f"{type(error).__name__}: {error}"
        raise BadInput(say(f"cannot be imported: {what}", f"无法导入：{what}"), where=where) from error


def _made(target: Any, where: str) -> Probe:
    """The probe that a class stands for, once it looks like one. Raises BadInput."""
    if not (isinstance(target, type) and issubclass(target, Probe)):
        raise _broken(where, say("is no subclass of Probe", "不是 Probe 的子类"))
    if inspect.isabstract(target):
        missing = ", ".join(sorted(target.__abstractmethods__))
        raise _broken(where, say(f"lacks {missing}", f"缺少 {missing}"))
    try:
        probe = target()
        name, needs, intent = getattr(probe, "name", None), probe.needs, probe.intent
    except Exception as error:
        raise _broken(where, f"{type(error).__name__}: {error}") from error
    if not (isinstance(name, str) and _NAME.fullmatch(name)):
        raise _broken(where, say("needs a `name` of a-z, 0-9 and _", "需要 `name`，由 a-z、0-9 和 _ 组成"))
    if not (isinstance(intent, str) and intent.strip()):
        raise _broken(where, say("`intent` must be a text", "`intent` 应为文本"))
    if not (isinstance(needs, frozenset) and all(isinstance(need, Ability) for need in needs)):
        raise _broken(
            where, say("`needs` must be a frozenset of Ability", "`needs` 应为 Ability 的 frozenset")
        )
    if not _takes_four(probe.disturb):
        form = f"disturb(self, {', '.join(_GIVEN)})"
        raise _broken(where, say(f"must have {form}", f"需要定义 {form}"))
    return probe


def _takes_four(disturb: Callable[..., Any]) -> bool:
    try:
        inspect.signature(disturb).bind(*_GIVEN)
    except TypeError:
        return False
    return True


def _broken(where: str, what: str) -> BadInput:
    return BadInput(
        say(f"not a probe: {what}", f"不是可用的探针：{what}"),
        where=where,
        how=say("docs/probes.md shows a small one", "docs/probes.zh.md 里有一个小例子"),
    )
