"""A case as a person would write it, so that one made by a program can be kept, read and mended."""

from typing import Any

from fairtrial.cases.digest import user_content
from fairtrial.cases.wording import is_instruction
from fairtrial.schema.case import Answer, Case
from fairtrial.schema.disturbance import Step
from fairtrial.schema.rule import Claim, Contains, JsonPath, Rule, State

_APART = ("id", "input", "rules", "criteria", "user", "disturb", "reference")


def written(case: Case) -> dict[str, Any]:
    """The case as plain values, without what equals its default; `cases.load` reads the same case from it."""
    content: dict[str, Any] = {"id": case.id, "input": _one_or_many(case.input), **_expected(case)}
    content |= case.model_dump(mode="json", exclude_defaults=True, exclude=set(_APART))
    if case.user is not None:
        content["user"] = user_content(case.user)
    if case.disturb:
        content["disturb"] = [written_step(step) for step in case.disturb]
    if case.reference:
        content["reference"] = _one_or_many([_answer(answer) for answer in case.reference])
    return content


def written_step(step: Step) -> dict[str, Any]:
    """A step of `disturb`, its kind first."""
    return {"do": step.do} | step.model_dump(mode="json", exclude_defaults=True)


def _expected(case: Case) -> dict[str, Any]:
    rules = [_rule(rule) for rule in case.rules]
    if case.criteria:
        return {"expected": {"criteria": list(case.criteria)} | ({"rules": rules} if rules else {})}
    return {"expect": _one_or_many(rules)}


def _rule(rule: Rule) -> str | dict[str, Any]:
    """A text that must be there is written as itself, unless it would be read as something else."""
    content = {"rule": rule.rule} | rule.model_dump(mode="json", by_alias=True, exclude_defaults=True)
    if isinstance(rule, JsonPath | State | Claim) and rule.compares:
        content["equals"] = rule.equals  # null is a value, though it is the default
    text = rule.text if isinstance(rule, Contains) else None
    if text is not None and content.keys() == {"rule", "text"} and text.strip() and not is_instruction(text):
        return text
    return content


def _answer(answer: Answer) -> str | dict[str, Any]:
    content = answer.model_dump(mode="json", exclude_defaults=True)
    return answer.text if content.keys() <= {"text"} else content


def _one_or_many(items: Any) -> Any:
    return items[0] if len(items) == 1 else list(items)
