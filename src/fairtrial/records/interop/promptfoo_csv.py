"""promptfoo's table: a row a test, with its variables, then for each prompt and provider some columns.

Now: output, Reasoning, Status, Score, Named Scores, `Metric: …`, Grader Reason, Comment. In earlier versions:
an output that begins with `[PASS] (1.00)`, Grader Reason, Comment; or that output alone.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from fairtrial.records.interop.content import Content

_BESIDE = {
    "Reasoning": "reasoning",
    "Status": "status",
    "Score": "score",
    "Named Scores": "namedScores",
    "Grader Reason": "reason",
    "Comment": "comment",
    "Latency (ms)": "latency",
}
_METRIC = "Metric: "
_MARKED = re.compile(r"\[(PASS|FAIL|ERROR)\](?: \((-?[\d.]+|NaN)[^)]*\))?\s*")
_REASON = re.compile(r"\n\s*(?:Pass|Fail) Reason: ")
_PROVIDER = re.compile(r"\[([^\]]+)\] (.*)", re.DOTALL)
_FAILURES = {"PASS": 0, "FAIL": 1, "ERROR": 2}


@dataclass(frozen=True, kw_only=True)
class _Block:
    """The columns of a prompt with its provider: its output, and what stands beside it by name."""

    output: int
    beside: Mapping[str, int]


def matches(content: Content) -> bool:
    """Whether the header has promptfoo's columns, or a cell its mark."""
    head, *rest = content.data[:2]
    if {"Status", "Score", "Named Scores", "Grader Reason"} <= set(head):
        return True
    return any(_MARKED.match(cell) for row in rest for cell in row)


def results(content: Content) -> list[dict[str, Any]]:
    """The table's cells as promptfoo's own results, one for each row and block that has an outcome."""
    head, *rest = content.data
    blocks = list(_blocks(head, rest))
    taken = {at for block in blocks for at in (block.output, *block.beside.values())}
    variables = {at: name for at, name in enumerate(head) if at not in taken}
    found = []
    for number, row in enumerate(rest):
        cells = dict(enumerate(row))
        told = {name: cells.get(at, "") for at, name in variables.items()}
        test = {"description": told.pop("Description", None), "vars": told}
        for index, block in enumerate(blocks):
            result = _result(cells, block, head[block.output])
            if result is not None:
                found.append(result | {"testIdx": number, "promptIdx": index, **test})
    return found


def _blocks(head: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[_Block]:
    """An output is a column before promptfoo's own ones, or one whose cells have the mark."""
    at = 0
    while at < len(head):
        beside = at + 1
        while beside < len(head) and (head[beside] in _BESIDE or head[beside].startswith(_METRIC)):
            beside += 1
        names = {head[i]: i for i in range(at + 1, beside)}
        marked = any(len(row) > at and _MARKED.match(row[at]) for row in rows)
        if marked or "Status" in names:
            yield _Block(output=at, beside=names)
        at = beside


def _result(cells: Mapping[int, str], block: _Block, label: str) -> dict[str, Any] | None:
    told = {_BESIDE.get(name, name): cells.get(at, "") for name, at in block.beside.items()}
    output = cells.get(block.output, "")
    status, score, reason = told.pop("status", ""), told.pop("score", ""), told.pop("reason", "")
    if not status and (marked := _MARKED.match(output)):
        status, score = marked[1], score or marked[2] or ""
        output, *grounds = _REASON.split(output[marked.end() :], maxsplit=1)
        output, reason = output.strip(), reason or "".join(grounds)
    if status not in _FAILURES:
        return None
    named = _PROVIDER.fullmatch(label)
    return {
        "provider": named[1] if named else "",
        "prompt": {"label": named[2] if named else label},
        "success": status == "PASS",
        "score": score or (1 if status == "PASS" else 0),
        "failureReason": _FAILURES[status],
        "error": reason or output if status == "ERROR" else None,
        "response": {"output": output},
        "gradingResult": {"reason": reason},
        **{name: value for name, value in told.items() if value},
    }
