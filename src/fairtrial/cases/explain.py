"""What a model found wrong with a case, in the words of whoever wrote the case."""

from collections.abc import Callable
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from fairtrial.cases.forms import RULES, Expect
from fairtrial.cases.problems import Findings, Path, nearest
from fairtrial.cases.values import shown
from fairtrial.text.language import say


def explain(error: ValidationError, expect: Expect, places: dict[str, Path], findings: Findings) -> None:
    """Add each error to `findings` at the place where its value was written.

    `expect` knows where each rule stands, `places` where each field of the case.
    """
    for detail in error.errors(include_url=False):
        if detail["type"] == "too_short" and detail["input"]:
            continue  # not short as written: its wrong items are told one by one
        loc = detail["loc"]
        if loc[0] == "rules":
            rule, at = expect.rules[int(loc[1])], expect.at[int(loc[1])]
            path = at if at in findings.wrong else (*at, *loc[3:])
            owner = f"{rule['rule']}: "
        else:
            # A union's error names its branches too, once each.
            path, owner = (*places[str(loc[0])], *(part for part in loc[1:] if isinstance(part, int))), ""
        what, how = _words(detail)
        if detail["type"] == "missing":
            findings.error(path[:-1], owner + what, how)
        elif path not in findings.wrong:
            findings.error(path, owner + what, how)


def _words(detail: ErrorDetails) -> tuple[str, str]:
    name = str(next((part for part in reversed(detail["loc"]) if isinstance(part, str)), ""))
    kind = detail["type"]
    if kind == "extra_forbidden":
        return _unknown_argument(detail)
    if kind == "missing":
        return say(f"`{name}` is missing", f"缺少 `{name}`"), ""
    if kind == "value_error":
        return str(detail["ctx"]["error"]), ""
    if detail["loc"][0] == "version":
        need = say("a text or a whole number", "文本或整数")
    elif kind in NEEDS:
        need = NEEDS[kind](detail.get("ctx", {}))
    else:
        need = detail["msg"]
    name = "version" if detail["loc"][0] == "version" else name
    value = shown(detail["input"])
    return say(f"`{name}` must be {need}, not {value}", f"`{name}` 应为{need}，而不是 {value}"), _how(detail)


NEEDS: dict[str, Callable[[dict[str, Any]], str]] = {
    "greater_than": lambda ctx: say(f"above {ctx['gt']:g}", f"大于 {ctx['gt']:g} 的数"),
    "greater_than_equal": lambda ctx: say(f"at least {ctx['ge']:g}", f"不小于 {ctx['ge']:g} 的数"),
    "less_than_equal": lambda ctx: say(f"at most {ctx['le']:g}", f"不大于 {ctx['le']:g} 的数"),
    "finite_number": lambda ctx: say("a finite number", "有限的数字"),
    "float_type": lambda ctx: say("a number", "数字"),
    "int_type": lambda ctx: say("a whole number", "整数"),
    "int_from_float": lambda ctx: say("a whole number", "整数"),
    "bool_type": lambda ctx: say("true or false", " true 或 false"),
    "string_type": lambda ctx: say("a text", "文本"),
    "string_unicode": lambda ctx: say("valid Unicode", "有效的 Unicode 文本"),
    "string_too_short": lambda ctx: say("a text that is not empty", "非空文本"),
    "string_pattern_mismatch": lambda ctx: say(
        "written as `package.module:name`", "形如 `package.module:name` 的文本"
    ),
    "tuple_type": lambda ctx: say("a list", "列表"),
    "too_short": lambda ctx: say("a list that is not empty", "非空列表"),
    "dict_type": lambda ctx: say("an object", "对象"),
    "model_type": lambda ctx: say("an object", "对象"),
    "literal_error": lambda ctx: say(
        f"one of {ctx['expected']}", f"其中之一：{ctx['expected'].replace(' or ', ', ')}"
    ),
}
"""What a value must be, by the model's name of the error."""


def _how(detail: ErrorDetails) -> str:
    value, kind = detail["input"], detail["type"]
    if kind in ("float_type", "int_type") and isinstance(value, str):
        return say("write the number without quotes", "请写数字，不要加引号")
    if kind == "string_type" and isinstance(value, int | float):
        return say("put it in quotes", "请加引号")
    if kind == "tuple_type" and isinstance(value, str):
        return say("write [ ] around it", "请加上 [ ]")
    return ""


def _unknown_argument(detail: ErrorDetails) -> tuple[str, str]:
    loc = detail["loc"]
    model = RULES[str(loc[2])]
    known = [info.alias or name for name, info in model.model_fields.items() if name != "rule"]
    if len(loc) > 4:  # inside a call of tools_in_order
        known = ["tool", "args"]
    meant = nearest(str(loc[-1]), known, 0.6)
    what = say(f"unknown argument `{loc[-1]}`", f"未知参数 `{loc[-1]}`")
    if meant:
        what += say(f"; did you mean `{meant}`?", f"；是否想写 `{meant}`？")
    return what, say(f"it takes {', '.join(known)}", f"可用的参数：{'、'.join(known)}")
