"""A case set's content in 64 hexadecimal digits."""

import hashlib
import json
from collections.abc import Iterable
from functools import cache
from typing import Any

from fairtrial.schema.case import Case
from fairtrial.schema.rule import Claim, JsonPath, Rule, State, ToolsInOrder
from fairtrial.schema.user import Table, User
from fairtrial.schema.written import Written

_AT_PATH = (JsonPath, State, Claim)
_ENCODER = json.JSONEncoder(sort_keys=True, ensure_ascii=True, separators=(",", ":"))


def digest(cases: Iterable[Case]) -> str:
    """SHA-256 of what is asked and how it is judged.

    Each case becomes one line of JSON with sorted keys, by the product's own names and without what
    equals its default; the lines are sorted by id. So neither the order of cases or keys, nor
    formatting, comments, file names or the written form change it. Bookkeeping (`version`, `source`,
    `created_by`, `reviewed_by`, `changelog` …) is content.
    """
    total = hashlib.sha256()
    for case in sorted(cases, key=lambda case: case.id):
        total.update(_ENCODER.encode(_content(case)).encode("ascii") + b"\n")
    return total.hexdigest()


_ASKED = ("input", "rules", "criteria", "weight", "context", "key_facts", "user", "disturb")


def asked(case: Case) -> str:
    """16 hexadecimal digits (SHA-256, cut) of what a case asks and how it is judged, without bookkeeping.

    Two rounds may be compared on a case where these are the same, whatever its tags, version or owner.
    """
    content = _content(case)
    line = _ENCODER.encode({name: content[name] for name in _ASKED if name in content})
    return hashlib.sha256(line.encode("ascii")).hexdigest()[:16]


def _content(case: Case) -> dict[str, Any]:
    content = _written(case)
    content["rules"] = [_rule(rule) for rule in case.rules]
    if case.user is not None:
        content["user"] = user_content(case.user)
    if case.disturb:
        content["disturb"] = [step.model_dump(mode="json", exclude_defaults=True) for step in case.disturb]
    if case.reference:
        content["reference"] = [answer.model_dump(mode="json") for answer in case.reference]
    return content


def user_content(user: User) -> dict[str, Any]:
    """A user as plain values, without what equals its default; null is a value that a state may equal."""
    content = user.model_dump(mode="json", exclude_defaults=True)
    if isinstance(user, Table):
        for row, written in zip(user.answers, content["answers"], strict=True):
            if row.when.compares:
                written["when"]["equals"] = row.when.equals
    return content


def _rule(rule: Rule) -> dict[str, Any]:
    content = _written(rule)
    if isinstance(rule, _AT_PATH) and rule.compares:
        content["equals"] = rule.equals  # null is a value, though it is the default
    elif isinstance(rule, ToolsInOrder):
        content["calls"] = [_written(call) for call in rule.calls]
    content["weight"] = rule.share
    return content


def _written(model: Written) -> dict[str, Any]:
    """What was written and is not its default, under the names it is written by.

    As `model_dump(by_alias=True, exclude_defaults=True)`, which takes several times as long, but models in
    it stay as they are.
    """
    fields, given = _fields(type(model)), model.__dict__
    return {
        fields[name][0]: value for name in model.model_fields_set if (value := given[name]) != fields[name][1]
    }


@cache
def _fields(kind: type[Written]) -> dict[str, tuple[str, Any]]:
    """Of each field, what it is written as and its default."""
    return {name: (info.alias or name, info.default) for name, info in kind.model_fields.items()}
