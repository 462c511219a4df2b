"""Request bodies with `{{name}}` in them, compiled once and filled for each turn."""

import re
from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from fairtrial.errors import BadInput
from fairtrial.text.language import say

_PLACE = re.compile(r"\{\{\s*(\w+)\s*\}\}")
_CLOCK = re.compile(r"\{\{\s*clock\s*\}\}")

Values = Mapping[str, Any]
Fill = Callable[[Values], Any]


def compile_template(template: Any, names: frozenset[str], where: str) -> Fill:
    """A function that fills the placeholders of a JSON template.

    A string that is one placeholder becomes the value itself; inside a longer string the value is
    written as text, or as JSON if it is not a text. Raises BadInput for a name not in `names`.
    """
    if isinstance(template, dict):
        fields = {key: compile_template(item, names, f"{where}.{key}") for key, item in template.items()}
        return lambda values: {key: fill(values) for key, fill in fields.items()}
    if isinstance(template, list | tuple):
        items = [compile_template(item, names, f"{where}[{i}]") for i, item in enumerate(template)]
        return lambda values: [fill(values) for fill in items]
    if isinstance(template, str) and _PLACE.search(template):
        return _string(template, names, where)
    return lambda values: template


def placeholders(template: Any) -> frozenset[str]:
    """The names of all placeholders in a JSON template, or in a text."""
    return frozenset(_PLACE.findall(msgspec.json.encode(template).decode()))


def with_clock(text: str, clock: str | None) -> str:
    """A text with the time in the place of `{{clock}}`; other braces in it are the writer's own."""
    return _CLOCK.sub(lambda match: clock or "", text)


def _string(template: str, names: frozenset[str], where: str) -> Fill:
    for match in _PLACE.finditer(template):
        if match[1] not in names:
            known = ", ".join(sorted(names))
            raise BadInput(
                say(f"unknown placeholder {match[0]}", f"未知的占位符 {match[0]}"),
                where=where,
                how=say(f"known: {known}", f"可用：{known}"),
            )
    if whole := _PLACE.fullmatch(template):
        name = whole[1]
        return lambda values: values[name]
    return lambda values: _PLACE.sub(lambda match: _text(values[match[1]]), template)


def _text(value: Any) -> str:
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()
