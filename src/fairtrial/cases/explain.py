"""What a model found wrong with a case, in the words of whoever wrote the case."""

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from fairtrial.cases.forms import RULES, Expect
from fairtrial.cases.problems import Findings, Path, nearest
from fairtrial.cases.values import shown
from fairtrial.schema.written import NEEDS
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
