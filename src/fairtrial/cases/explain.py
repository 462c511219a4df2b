"""What a model found wrong with a case, in the words of whoever wrote the case."""

from typing import Any, get_args

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from fairtrial.cases.forms import RULES, Expect
from fairtrial.cases.problems import Findings, Path, nearest
from fairtrial.cases.values import shown
from fairtrial.schema.case import Answer as Reference
from fairtrial.schema.case import Called
from fairtrial.schema.disturbance import FaultKind, Step
from fairtrial.schema.user import Answer, Persona, Table, When
from fairtrial.schema.written import NEEDS
from fairtrial.text.language import say

_PLACE_OF_TAG = {"user": 1, "disturb": 2}
"""Where in a model's way to a value the name of a union's branch stands, which no file has."""
_TAGS = {"user": "kind", "disturb": "do"}
_BRANCHES: dict[str, Any] = {
    get_args(model.model_fields["do"].annotation)[0]: model for model in get_args(get_args(Step)[0])
} | {"table": Table, "persona": Persona, "answers": Answer, "when": When}
"""The models of what stands in `user` and `disturb`, by their tag or by the field that holds them."""


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
        elif loc[0] in _PLACE_OF_TAG:
            tag = _PLACE_OF_TAG[str(loc[0])]
            path = (*places[str(loc[0])], *loc[1:tag], *loc[tag + 1 :])
            owner = f"`{loc[tag]}`: " if loc[0] == "disturb" and loc[tag:] else ""
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
    if kind in ("union_tag_invalid", "union_tag_not_found", "model_attributes_type"):
        return _no_branch(detail)
    if kind == "is_instance_of" and name == "fault":
        return _none_of("fault", detail["input"], list(FaultKind))
    if name == "passes" and kind == "string_pattern_mismatch":
        need = say("written as `8 of 10`", "形如 `8 of 10` 的文本")
    elif detail["loc"][0] == "version":
        need = say("a text or a whole number", "文本或整数")
    elif kind in NEEDS:
        need = NEEDS[kind](detail.get("ctx", {}))
    else:
        need = detail["msg"]
    name = "version" if detail["loc"][0] == "version" else name
    value = shown(detail["input"])
    return say(f"`{name}` must be {need}, not {value}", f"`{name}` 应为{need}，而不是 {value}"), _how(detail)


def _how(detail: ErrorDetails) -> str:
    value, kind = detail["input"], detail["type"]
    if kind in ("float_type", "int_type") and isinstance(value, str):
        return say("write the number without quotes", "请写数字，不要加引号")
    if kind == "string_type" and isinstance(value, int | float):
        return say("put it in quotes", "请加引号")
    if kind == "tuple_type" and isinstance(value, str):
        return say("write [ ] around it", "请加上 [ ]")
    return ""


def _no_branch(detail: ErrorDetails) -> tuple[str, str]:
    """What is said of a user or a step that cannot even be told apart from the others."""
    field = str(detail["loc"][0])
    if detail["type"] == "model_attributes_type":
        value = shown(detail["input"])
        return say(f"an object is needed here, not {value}", f"此处应为对象，而不是 {value}"), ""
    tag, context = _TAGS[field], detail["ctx"]
    known = [name.strip(" '") for name in context.get("expected_tags", "").split(",")]
    if detail["type"] == "union_tag_invalid":
        return _none_of(tag, context["tag"], known)
    return say(f"`{tag}` is missing", f"缺少 `{tag}`"), ""


def _none_of(name: str, value: Any, known: list[str]) -> tuple[str, str]:
    what = say(f"unknown `{name}`: {shown(value)}", f"未知的 `{name}`：{shown(value)}")
    meant = nearest(str(value), known, 0.6)
    if meant:
        what += say(f"; did you mean `{meant}`?", f"；是否想写 `{meant}`？")
    return what, say(f"there are {', '.join(known)}", f"可用的有：{'、'.join(known)}")


def _known_names(loc: tuple[int | str, ...]) -> list[str]:
    """What may stand where an unknown name stands."""
    if loc[0] in _PLACE_OF_TAG:
        model = _BRANCHES[next(str(part) for part in reversed(loc[:-1]) if part in _BRANCHES)]
        return [name for name in model.model_fields if name not in ("kind", "do")]
    if loc[0] == "reference":
        return list((Called if "calls" in loc[:-1] else Reference).model_fields)
    if len(loc) > 4:  # inside a call of tools_in_order
        return ["tool", "args"]
    model = RULES[str(loc[2])]
    return [info.alias or name for name, info in model.model_fields.items() if name != "rule"]


def _unknown_argument(detail: ErrorDetails) -> tuple[str, str]:
    loc = detail["loc"]
    known = _known_names(loc)
    meant = nearest(str(loc[-1]), known, 0.6)
    what = say(f"unknown argument `{loc[-1]}`", f"未知参数 `{loc[-1]}`")
    if meant:
        what += say(f"; did you mean `{meant}`?", f"；是否想写 `{meant}`？")
    return what, say(f"it takes {', '.join(known)}", f"可用的参数：{'、'.join(known)}")
