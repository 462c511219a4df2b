"""Changes to the text of a case file that leave everything else in it as it was written, byte for byte.

The text is cut at the places where cases and fields stand; nothing but what is changed is written anew. Each
change is read again before it is returned: the cases meant are changed, and no other.
"""

import json
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any

from fairtrial.cases.fields import FIELDS
from fairtrial.cases.files import CaseFile, of_bytes
from fairtrial.cases.paths import KINDS
from fairtrial.cases.spans import Item, Layout, layout, line_end, without_blanks
from fairtrial.cases.yaml_write import case_lines, field_lines, flow
from fairtrial.errors import BadInput
from fairtrial.text.language import say

_Written = dict[str, Any]
_Edit = tuple[int, int, str]
_BOM = "\ufeff"
_BLANKS = re.compile(r"\s*")


def append(text: str, cases: Sequence[Mapping[str, Any]], *, suffix: str) -> str:
    """The text of a case file with `cases` (as `cases.write.written` gives them) behind those that it has.

    `suffix` is the end of the file's name. An empty text becomes a list of its own; one case alone becomes
    the first of a list. Raises BadInput where the text is no case file. Ids are for `cases.load` to check.
    """
    new = [dict(case) for case in cases]
    if not new:
        return text
    if not text.strip(_BOM + " \t\r\n"):
        return text + _fresh(new, KINDS[suffix.casefold()])

    def edits(file: CaseFile, places: Layout) -> Iterable[_Edit]:
        return _appended(file, places, new)

    return _edited(text, suffix, edits, lambda before: before + new)


def remove(text: str, ids: Collection[str], *, suffix: str) -> str:
    """The text without the cases of these ids, and without the comments right above them.

    Where no case is left nothing is: the empty text. Raises BadInput for an id that is not there.
    """
    gone = set(ids)

    def edits(file: CaseFile, places: Layout) -> Iterable[_Edit]:
        which = _found(file, gone)
        kept = max(set(range(len(places.items))) - which, default=None)
        if kept is None:
            return [(0, len(file.text), "")]
        return [_cut(file.text, places, n, kept) for n in which]

    return _edited(text, suffix, edits, lambda before: [case for case in before if _id(case) not in gone])


def update(text: str, changes: Mapping[str, Mapping[str, Any]], *, suffix: str) -> str:
    """The text with fields of cases set, by id; a field that is not there comes behind the others.

    Fields go by the product's names; one that was written under another name is renamed.
    Raises BadInput for an id that is not there.
    """

    def edits(file: CaseFile, places: Layout) -> Iterable[_Edit]:
        for n in _found(file, set(changes)):
            item = places.items[n]
            yield from _set(file, item, changes[_id(file.cases[n][1])])

    def after(before: list[_Written]) -> list[_Written]:
        return [_changed(case, changes.get(_id(case), {})) for case in before]

    return _edited(text, suffix, edits, after)


def rename(text: str, *, suffix: str) -> str:
    """The text with every field of a case called by the product's name."""

    def edits(file: CaseFile, places: Layout) -> Iterable[_Edit]:
        for item in places.items:
            for name, place in item.fields.items():
                if (own := FIELDS.get(name, name)) != name:
                    yield place.start, place.name_end, own if file.kind == "yaml" else json.dumps(own)

    def after(before: list[_Written]) -> list[_Written]:
        return [{FIELDS.get(name, name): value for name, value in case.items()} for case in before]

    return _edited(text, suffix, edits, after)


def _edited(
    text: str,
    suffix: str,
    edits: Callable[[CaseFile, Layout], Iterable[_Edit]],
    after: Callable[[list[_Written]], list[_Written]],
) -> str:
    bom, body = (_BOM, text[1:]) if text.startswith(_BOM) else ("", text)
    file = _read(body, suffix)
    newline = "\r\n" if "\r\n" in body else "\n"
    pieces, at = [], 0
    for start, end, new in _joined(edits(file, layout(file))):
        pieces += [body[at:start], new.replace("\n", newline)]
        at = end
    result = "".join([*pieces, body[at:]])
    wanted = after([case for _, case in file.cases])
    read = of_bytes(result.encode(), suffix, file.kind)
    if wanted and (read.findings.errors or _plain(wanted) != _plain([case for _, case in read.cases])):
        raise BadInput(
            say("it cannot be changed without changing other cases", "无法在不影响其他用例的情况下修改"),
            how=say(
                "write aliases (*name) and odd layouts out, and do it again",
                "请展开别名（*name）和特殊排版后重试",
            ),
        )
    return bom + result


def _joined(edits: Iterable[_Edit]) -> list[_Edit]:
    """The edits without overlap: cuts that meet become one, texts for one place stand in their order."""
    joined: list[_Edit] = []
    for start, end, new in sorted(edits, key=lambda edit: edit[:2]):
        if joined and (start < joined[-1][1] or (start, end) == joined[-1][:2]):
            first, last, text = joined.pop()
            start, end, new = first, max(last, end), text + new
        joined.append((start, end, new))
    return joined


def _plain(cases: list[_Written]) -> list[str]:
    return [json.dumps(case, sort_keys=True) for case in cases]


def _read(text: str, suffix: str) -> CaseFile:
    file = of_bytes(text.encode(), suffix, KINDS[suffix.casefold()])
    for problem in file.problems():
        if file.findings.errors:
            raise BadInput(problem.what, where=problem.where, how=problem.how)
    return file


def _id(case: Any) -> str:
    return str(case.get("id", case.get("case_id"))) if isinstance(case, dict) else ""


def _found(file: CaseFile, ids: set[str]) -> set[int]:
    which = {n for n, (_, case) in enumerate(file.cases) if _id(case) in ids}
    if missing := sorted(ids - {_id(file.cases[n][1]) for n in which}):
        raise BadInput(say(f"no case `{missing[0]}` in the file", f"文件中没有用例 `{missing[0]}`"))
    return which


def _fresh(cases: list[_Written], kind: str) -> str:
    if kind == "yaml":
        return "\n".join(_dashed(case, 0) + "\n" for case in cases)
    if kind == "json":
        return json.dumps(cases, ensure_ascii=False, indent=2) + "\n"
    return "".join(json.dumps(case, ensure_ascii=False) + "\n" for case in cases)


def _dashed(case: _Written, column: int) -> str:
    first, *rest = case_lines(case)
    return "\n".join([" " * column + "- " + first, *(" " * (column + 2) + line for line in rest)])


def _appended(file: CaseFile, places: Layout, cases: list[_Written]) -> Iterable[_Edit]:
    text, items = file.text, places.items
    last = items[-1]
    between = text[items[-2].end : last.start] if len(items) > 1 else None
    if file.kind == "jsonl":
        yield last.end, last.end, "".join("\n" + json.dumps(case, ensure_ascii=False) for case in cases)
    elif places.dashes is not None or (places.alone and last.lines):
        if places.alone:
            yield from _as_first(text, last)
        gap = "\n" if between is not None and between.count("\n") < 2 else "\n\n"
        end = line_end(text, last.end) if places.alone else last.end
        yield end, end, "".join(gap + _dashed(case, places.dashes or 0) for case in cases)
    else:
        if places.alone:
            yield last.start, last.start, "["
        lead = text[: last.start].rpartition("\n")[2]
        own_line = not lead.strip()
        gap = ",\n" + lead if own_line and not places.alone else ", "
        new = [_one(file, last, case, lead if own_line else "") for case in cases]
        yield last.end, last.end, "".join(gap + case for case in new) + ("]" if places.alone else "")


def _as_first(text: str, item: Item) -> Iterable[_Edit]:
    """Indents one case alone behind a dash."""
    yield item.start, item.start, "- "
    at = text.find("\n", item.start, item.end) + 1
    while at:
        if text[at : line_end(text, at)].strip():
            yield at, at, "  "
        at = text.find("\n", at, item.end) + 1


def _one(file: CaseFile, like: Item, case: _Written, lead: str) -> str:
    """A case in flow style, over as many lines as another."""
    if file.kind == "yaml":
        return flow(case)
    spread = "\n" in file.text[like.start : like.end]
    return json.dumps(case, ensure_ascii=False, indent=2 if spread else None).replace("\n", "\n" + lead)


def _cut(text: str, places: Layout, n: int, last_kept: int) -> _Edit:
    """What goes with a case: the space behind it, or before it where no case follows that stays."""
    item = places.items[n]
    if n > last_kept:
        if places.dashes is None:
            return places.items[n - 1].end, item.end, ""
        return without_blanks(text, item.start), item.end, ""
    if places.dashes is None:
        return item.start, places.items[n + 1].start, ""
    blank = _BLANKS.match(text, item.end)
    return item.start, text.rfind("\n", 0, blank.end() if blank else item.end) + 1, ""


def _set(file: CaseFile, item: Item, fields: Mapping[str, Any]) -> Iterable[_Edit]:
    written = {FIELDS.get(name, name): place for name, place in item.fields.items()}
    end = max(place.end for place in item.fields.values())
    for name, value in fields.items():
        place = written.get(name)
        if item.lines:
            new = ("\n" + " " * item.column).join(field_lines(name, value))
            at = line_end(file.text, end)
            yield (place.start, place.end, new) if place else (at, at, "\n" + " " * item.column + new)
            continue
        if file.kind == "yaml":
            new = flow({name: value})[1:-1]
        else:
            new = f"{json.dumps(name)}: {json.dumps(value, ensure_ascii=False)}"
        yield (place.start, place.end, new) if place else (end, end, _gap(file.text, item) + new)


def _gap(text: str, item: Item) -> str:
    """What stands before a field in flow style: a line of its own where the last one has."""
    last = max(place.start for place in item.fields.values())
    lead = text[item.start : last].rpartition("\n")
    return f",\n{lead[2]}" if lead[1] and not lead[2].strip() else ", "


def _changed(case: _Written, fields: Mapping[str, Any]) -> _Written:
    kept = {name: value for name, value in case.items() if FIELDS.get(name, name) not in fields}
    return kept | dict(fields)
