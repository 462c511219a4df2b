"""Where in a text a value stands. Worked out only when something is to be said about it."""

import json
import re
from bisect import bisect_right
from dataclasses import dataclass, field
from functools import cached_property

from fairtrial.cases.problems import Path

_TOKEN = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|[{}\[\],:]|[^\s{}\[\],:"]+')


@dataclass(slots=True)
class Marks:
    """The offset of each value by its path (of a field: where its name stands), and the doubled names."""

    offsets: dict[Path, int] = field(default_factory=dict)
    doubles: list[tuple[Path, int, int]] = field(default_factory=list)

    def at(self, path: Path) -> int | None:
        """The offset of the value, or of the nearest thing around it that is there."""
        for length in range(len(path), -1, -1):
            if path[:length] in self.offsets:
                return self.offsets[path[:length]]
        return None


class Lines:
    """Turns offsets of a text into lines and columns, both from 1."""

    def __init__(self, text: str) -> None:
        self._text = text

    @cached_property
    def _starts(self) -> list[int]:
        return [0, *(match.end() for match in re.finditer("\n", self._text))]

    def place(self, offset: int) -> tuple[int, int]:
        """Line and column of the character at `offset`."""
        line = bisect_right(self._starts, offset)
        return line, offset - self._starts[line - 1] + 1

    def start(self, line: int) -> int:
        """The offset at which a line (from 1) begins."""
        return self._starts[line - 1]


@dataclass(slots=True)
class _Open:
    """A list or object that is being read; `keys` is None for a list."""

    path: Path
    keys: dict[str, int] | None
    index: int = 0
    key_due: bool = True


def mark_json(text: str, marks: Marks, *, path: Path = (), start: int = 0) -> None:
    """Add to `marks` the places of all values of a valid JSON text that begins at `start` of its file."""
    open_: list[_Open] = []
    for match in _TOKEN.finditer(text):
        token, at = match[0], start + match.start()
        sign = token[0]
        inner = open_[-1] if open_ else None
        if sign == ",":
            if inner is not None:
                inner.index, inner.key_due = inner.index + 1, True
        elif sign in "}]":
            open_.pop()
        elif sign != ":":
            if inner is None:
                here = path
            elif inner.keys is None:
                here = (*inner.path, inner.index)
            elif inner.key_due:
                inner.key_due = False
                _mark_key((*inner.path, json.loads(token)), at, inner.keys, marks)
                continue
            else:
                here = (*inner.path, next(reversed(inner.keys)))
            marks.offsets.setdefault(here, at)
            if sign in "{[":
                open_.append(_Open(here, {} if sign == "{" else None))


def _mark_key(path: Path, at: int, keys: dict[str, int], marks: Marks) -> None:
    key = str(path[-1])
    if key in keys:
        marks.doubles.append((path, keys.pop(key), at))
    keys[key] = marks.offsets[path] = at


def depth_offset(text: str, limit: int) -> int | None:
    """Where lists and objects are first nested more than `limit` deep, None if nowhere."""
    depth = 0
    for match in _TOKEN.finditer(text):
        if match[0] in "{[":
            depth += 1
            if depth > limit:
                return match.start()
        elif match[0] in "}]":
            depth -= 1
    return None
