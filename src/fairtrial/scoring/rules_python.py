"""Rules that are a Python function of the user's."""

import importlib
import inspect
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from fairtrial.errors import BadInput
from fairtrial.schema.rule import PythonRule
from fairtrial.scoring.reading import Reading, shown
from fairtrial.scoring.rules_texts import MET, Check, Finding
from fairtrial.text.language import say


def load(spec: str) -> Callable[..., Any]:
    """The function `package.module:name`; the working folder is searched after the installed packages.

    Raises BadInput where it can not be imported, is no function, or is async.
    """
    module, _, name = spec.partition(":")
    if str(Path.cwd()) not in sys.path:
        sys.path.append(str(Path.cwd()))
    try:
        function = getattr(importlib.import_module(module), name, None)
    except (Exception, SystemExit) as error:
        what = f"{type(error).__name__}: {error}"
        raise BadInput(
            say(f"the rule function {spec} cannot be imported: {what}", f"规则函数 {spec} 无法导入：{what}"),
            how=say(
                "package.module:name, from the working folder", "写作 package.module:name，从当前目录导入"
            ),
        ) from error
    if not callable(function) or inspect.iscoroutinefunction(function):
        raise BadInput(
            say(f"{spec} is not a plain function", f"{spec} 不是普通函数"),
            how=say("def name(record, **args) -> bool", "写作 def name(record, **args) -> bool"),
        )
    return function  # type: ignore[no-any-return]


def source(spec: str) -> str:
    """The source of the function's module, with what it calls there; the spec where Python keeps none."""
    try:
        return inspect.getsource(inspect.getmodule(load(spec)) or load(spec))
    except (OSError, TypeError):
        return spec


def python(rule: PythonRule) -> Check:
    """The function says True of the record. Anything but True and False, or a raise, is no finding."""
    function = load(rule.function)

    def check(reading: Reading) -> Finding:
        try:
            met = function(reading.record, **rule.args)
        except (Exception, SystemExit) as error:
            what = shown(f"{type(error).__name__}: {error}")
            return None, say(f"{rule.function} raised {what}", f"{rule.function} 抛出 {what}")
        if met is True:
            return MET
        if met is False:
            return False, say(f"{rule.function} says no", f"{rule.function} 判为否")
        return None, say(
            f"{rule.function} returned {shown(repr(met), 60)}, not True or False",
            f"{rule.function} 返回了 {shown(repr(met), 60)}，不是 True 或 False",
        )

    return check
