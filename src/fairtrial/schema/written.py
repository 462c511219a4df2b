"""The base of everything that a person writes into a file, and what is said of a value that does not fit."""

from collections.abc import Callable
from typing import Any

from pydantic import BaseModel, ConfigDict
from pydantic_core import ErrorDetails

from fairtrial.text.language import say


class Written(BaseModel):
    """No unknown field, and no value of one type taken for another; frozen once it is read."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, defer_build=True)


def complaint(detail: ErrorDetails, name: str) -> str:
    """What is wrong with the value of the setting or field `name`, in one sentence."""
    kind, context = detail["type"], detail.get("ctx", {})
    if kind == "extra_forbidden":
        return say(f"`{name}` is not a setting", f"没有 `{name}` 这个设置")
    if kind == "missing":
        return say(f"`{name}` is missing", f"缺少 `{name}`")
    if kind == "value_error":
        return str(context["error"])
    if kind == "union_tag_not_found":
        return say(f"`{name}` needs a `type`", f"`{name}` 需要 `type`")
    if kind == "union_tag_invalid":
        known, got = context["expected_tags"], repr(context["tag"])
        return say(
            f"`{name}` must be one of {known}, not {got}", f"`{name}` 应为其中之一：{known}，而不是 {got}"
        )
    if kind not in NEEDS:
        return f"`{name}`: {detail['msg']}"
    need, value = NEEDS[kind](context), repr(detail["input"])[:60]
    return say(f"`{name}` must be {need}, not {value}", f"`{name}` 应为{need}，而不是 {value}")


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
