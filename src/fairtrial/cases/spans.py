"""Where in the text of a case file each case and each of its fields begins and ends."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import yaml

from fairtrial.cases.files import CaseFile
from fairtrial.cases.problems import Path

_Loader = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
_DECODER = json.JSONDecoder()
_COLON = re.compile(r"\s*:\s*")
_COMMENT = re.compile(r"\r?\n([ \t]*)#[^\r\n]*")
_BLANK = " \t\r\n"


@dataclass(frozen=True, kw_only=True, slots=True)
class Place:
    """A field: where its name begins and ends, and where its value ends."""

    start: int
    name_end: int
    end: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Item:
    """A case: where it begins and ends, with the comments that are its own, and its fields as written.

    `lines` is whether each field begins a line of its own (YAML's block style), in the column `column`.
    """

    start: int
    end: int
    fields: dict[str, Place]
    lines: bool = False
    column: int = 0


@dataclass(frozen=True, kw_only=True, slots=True)
class Layout:
    """The cases of a file in their order. `dashes` is the column of the dashes of a list that has such.

    `alone` is whether the file is one case and no list.
    """

    items: list[Item]
    dashes: int | None = None
    alone: bool = False


def layout(file: CaseFile) -> Layout:
    """The places in the text of a file that was read without an error and holds a case."""
    return _of_yaml(file) if file.kind == "yaml" else _of_json(file)


def _of_json(file: CaseFile) -> Layout:
    items = []
    for path, case in file.cases:
        start = file.marks.offsets[path]
        places = {key: _json_field(file.text, file.marks.offsets[(*path, key)]) for key in case}
        items.append(Item(start=start, end=_json_end(file.text, start), fields=places))
    return Layout(items=items, alone=not file.cases[0][0])


def _json_field(text: str, start: int) -> Place:
    name_end = _json_end(text, start)
    colon = _COLON.match(text, name_end)
    value = colon.end() if colon else name_end
    return Place(start=start, name_end=name_end, end=_json_end(text, value))


def _json_end(text: str, start: int) -> int:
    return _DECODER.raw_decode(text, start)[1]


@dataclass(slots=True)
class _Node:
    """A value of a YAML text; those of an object are its names and values in turn."""

    start: int
    end: int
    text: str = ""
    flow: bool = True
    children: list["_Node"] = field(default_factory=list)

    def pairs(self) -> Iterator[tuple["_Node", "_Node"]]:
        return zip(self.children[::2], self.children[1::2], strict=True)


def _of_yaml(file: CaseFile) -> Layout:
    text, root = file.text, _root(file.text)
    held = _held(root, file.cases[0][0])
    if held is None:
        return Layout(items=[_yaml_item(text, root, root.start, root.end)], alone=True)
    if held.flow:
        return Layout(items=[_yaml_item(text, node, node.start, node.end) for node in held.children])
    column = held.start - _line_start(text, held.start)
    items: list[Item] = []
    for node in held.children:
        start = _with_comments(text, _dash(text, node.start, column), column, first=not items)
        items.append(_yaml_item(text, node, start, _with_deeper(text, node.end, column)))
    return Layout(items=items, dashes=column)


def _held(root: _Node, first: Path) -> _Node | None:
    """The list of the cases."""
    if not first:
        return None
    if len(first) == 1:
        return root
    return next(value for name, value in root.pairs() if name.text == first[0])


def _yaml_item(text: str, node: _Node, start: int, end: int) -> Item:
    places = {
        name.text: Place(start=name.start, name_end=name.end, end=value.end) for name, value in node.pairs()
    }
    lines = not node.flow
    first = node.children[0].start if lines else 0
    return Item(start=start, end=end, fields=places, lines=lines, column=first - _line_start(text, first))


def _root(text: str) -> _Node:
    """The tree of the text's one document, each value with its own end.

    A parser's block values end only where the next one begins, comments and all.
    """
    top = _Node(0, 0)
    open_ = [top]
    events: Iterator[Any] = yaml.parse(text, Loader=_Loader)
    for event in events:
        start, end = event.start_mark.index, event.end_mark.index
        if isinstance(event, yaml.CollectionEndEvent):
            done = open_.pop()
            done.end = end if done.flow else done.children[-1].end
        elif isinstance(event, yaml.NodeEvent):
            node = _Node(start, end)
            open_[-1].children.append(node)
            if isinstance(event, yaml.CollectionStartEvent):
                node.flow = bool(event.flow_style)
                open_.append(node)
            elif isinstance(event, yaml.ScalarEvent):
                node.text = event.value
                if event.style in ("|", ">"):
                    node.end = without_blanks(text, end)
    return top.children[0]


def _line_start(text: str, at: int) -> int:
    return text.rfind("\n", 0, at) + 1


def without_blanks(text: str, end: int) -> int:
    """Where what stands before `end` ends, without the blanks behind it."""
    while end and text[end - 1] in _BLANK:
        end -= 1
    return end


def line_end(text: str, at: int) -> int:
    """Where the line that `at` stands in ends, without its line break."""
    end = text.find("\n", at)
    end = len(text) if end < 0 else end
    return end - 1 if text.endswith("\r", at, end) else end


def _dash(text: str, at: int, column: int) -> int:
    """Where the line begins that has the dash of the value at `at`."""
    line = _line_start(text, at)
    while line and text[line : line + column].strip(" ") + text[line + column : line + column + 1] != "-":
        line = _line_start(text, line - 1)
    return line


def _with_comments(text: str, line: int, column: int, *, first: bool) -> int:
    """Where the comment begins that stands right above the line.

    One at the head of the file is about the file, and one that is indented deeper about the case before.
    """
    start = line
    while start and text[(above := _line_start(text, start - 1)) : start].startswith(" " * column + "#"):
        start = above
    return line if first and not text[:start].strip(_BLANK + "-") else start


def _with_deeper(text: str, at: int, column: int) -> int:
    """Where the line ends that has `at`, with comments right below that are indented deeper than the dash."""
    end = line_end(text, at)
    while (match := _COMMENT.match(text, end)) and len(match[1]) > column:
        end = match.end()
    return end
