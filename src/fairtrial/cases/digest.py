"""A case set's content in 64 hexadecimal digits."""

import hashlib
import json
from collections.abc import Iterable
from typing import Any

from fairtrial.schema.case import Case

_ENCODER = json.JSONEncoder(sort_keys=True, ensure_ascii=True, separators=(",", ":"))


def digest(cases: Iterable[Case]) -> str:
    """SHA-256 of what is asked and how it is judged.

    Each case becomes one line of JSON with sorted keys, by the product's own names and without what
    equals its default; the lines are sorted by id. So neither the order of cases or keys, nor
    formatting, comments, file names or the written form change it. Bookkeeping (`version`, `source`,
    `created_by`, `reviewed_by`, `changelog`) is content.
    """
    total = hashlib.sha256()
    for case in sorted(cases, key=lambda case: case.id):
        total.update(_ENCODER.encode(_content(case)).encode("ascii") + b"\n")
    return total.hexdigest()


def _content(case: Case) -> dict[str, Any]:
    content = case.model_dump(by_alias=True, exclude_defaults=True)
    for written, rule in zip(content["rules"], case.rules, strict=True):
        if getattr(rule, "compares", False):
            written["equals"] = rule.model_dump()["equals"]  # null is a value, though it is the default
        written["weight"] = rule.share
    return content
