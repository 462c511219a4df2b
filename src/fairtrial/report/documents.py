"""The JSON documents of the command line. Keys are documented in docs/json.md and stable."""

from collections.abc import Iterable
from math import isfinite
from typing import Any

import msgspec

from fairtrial.report.views import Reading
from fairtrial.schema.audit import Audit
from fairtrial.schema.evidence import Header, Summary

Document = dict[str, Any]


def round_document(header: Header, log: str) -> Document:
    """A round: what `run`, `rescore`, `import` and `show` print. Figures are None while a round runs."""
    return {
        "status": header.status,
        "mark": header.mark,
        "run": header.run,
        "mode": header.mode,
        "log": log,
        **_figures(header.summary),
        "doubts": plainly(header.doubts),
        "quick": plainly(header.quick),
        "decision": plainly(header.decision),
        "fingerprint": plainly(header.fingerprint),
        "canaries": plainly(header.canaries),
        "notes": list(header.notes),
    }


def _figures(summary: Summary | None) -> Document:
    if summary is None:
        return dict.fromkeys(Summary.__struct_fields__)
    plain: Document = plainly(summary)
    return plain


def reading_document(reading: Reading) -> Document:
    """The lists of `show`, ids only; the sessions themselves are in the log."""
    return {
        "misses": [view.case for view in reading.misses],
        "useless_hits": [view.case for view in reading.useless_hits],
        "useful_misses": [view.case for view in reading.useful_misses],
        "unanswered": [view.case for view in reading.unanswered],
        "cases": {
            view.case: {"scored": view.scored, "passed": view.passed, "score": view.score}
            for view in (*reading.unanswered, *reading.misses, *reading.best)
        },
    }


def audit_document(found: Audit) -> Document:
    """What `audit` prints."""
    return {"status": "audited", **plainly(found)}


def plainly(value: Any) -> Any:
    """Types of the log as JSON values, defaults included (in a log they are left out, here never)."""
    if value.__class__ is str:  # most are names of cases
        return value
    if isinstance(value, msgspec.Struct):
        config = value.__struct_config__
        tag = {config.tag_field: config.tag} if config.tag_field else {}
        return tag | {name: plainly(getattr(value, name)) for name in value.__struct_fields__}
    if isinstance(value, dict):
        return {str(key): plainly(item) for key, item in value.items()}
    if isinstance(value, float) and not isfinite(value):
        return None  # JSON has no such number; unknown, as in the log
    if isinstance(value, str | int | float | bool) or value is None:
        return msgspec.to_builtins(value)
    if isinstance(value, Iterable):
        return [plainly(item) for item in value]
    return msgspec.to_builtins(value)
