"""Two versions of a case set, case by case: what changed, and which change nobody else has looked at."""

import json
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import zip_longest
from typing import Any
from unicodedata import category, normalize

from fairtrial.cases.problems import Path as Place
from fairtrial.cases.write import written
from fairtrial.schema.case import Case
from fairtrial.schema.review import CaseChange, ChangeKind, Fault, FieldChange
from fairtrial.text.language import say
from fairtrial.text.normalise import fold, squeeze

_LISTS = ("input", "expect", "criteria", "tags", "key_facts", "disturb", "reference", "changelog")
_BOOKKEEPING = frozenset({"version", "reviewed_by", "changelog"})
_ONCE = frozenset({"created_by", "created", "set"})
"""Bookkeeping where it is filled in; who changes it later changes whose case it is, how old, or what for."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Sited:
    """A case, the file that it stands in, and a function that tells the `file:line` of a way into it."""

    case: Case
    file: str
    where: Callable[[Place], str]


_Side = Mapping[str, Sited]


def changes(old: _Side, new: _Side) -> list[CaseChange]:
    """What happened to each case that is not as it was, in the order of `new`; those removed come last.

    Cases are compared, by id, and not their texts: the order of fields, comments, the form they are written
    in and names of files change nothing.
    """
    found = [_change(old.get(name), site) for name, site in new.items()]
    gone = [
        CaseChange(case=name, kind=ChangeKind.removed, where=site.where(()))
        for name, site in old.items()
        if name not in new
    ]
    return [change for change in found if change is not None] + gone


def _change(old: Sited | None, new: Sited) -> CaseChange | None:
    name, where = new.case.id, new.where(())
    if old is None:
        return CaseChange(case=name, kind=ChangeKind.added, where=where)
    fields = tuple(_fields(_plain(old.case), _plain(new.case)))
    was = old.file if old.file != new.file else None
    if fields:
        kind = ChangeKind.kept if all(map(_is_bookkeeping, fields)) else ChangeKind.changed
    elif was is None:
        return None
    else:
        kind = ChangeKind.moved
    return CaseChange(case=name, kind=kind, where=where, was=was, fields=fields)


def _plain(case: Case) -> dict[str, Any]:
    plain = written(case) | {"weight": case.weight}
    if "expected" in plain:
        expected = plain.pop("expected")
        plain |= {"expect": expected.get("rules", []), "criteria": expected["criteria"]}
    return {
        name: value if name not in _LISTS or isinstance(value, list) else [value]
        for name, value in plain.items()
    }


def _fields(old: dict[str, Any], new: dict[str, Any]) -> Iterator[FieldChange]:
    for name in {**old, **new}:
        before, after = old.get(name), new.get(name)
        if _line(before) == _line(after):  # 1 and true, which are equal here, are two things
            continue
        if name in _LISTS:
            yield from _items(name, before or [], after or [])
        else:
            yield FieldChange(field=name, old=before, new=after)


def _items(name: str, old: list[Any], new: list[Any]) -> Iterator[FieldChange]:
    before, after = ([_line(item) for item in side] for side in (old, new))
    for kind, i, i_end, j, j_end in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if kind == "equal":
            continue
        for n, (was, now) in enumerate(zip_longest(old[i:i_end], new[j:j_end])):
            at = j + n if j + n < j_end else i + n
            yield FieldChange(field=f"{name}[{at}]", old=was, new=now)


def _is_bookkeeping(change: FieldChange) -> bool:
    name = change.field.partition("[")[0]
    return name in _BOOKKEEPING or (name in _ONCE and change.old is None)


def faults(
    old: _Side, new: _Side, *, authors: Callable[[Sited], Collection[str]], removable: Collection[str] = ()
) -> list[Fault]:
    """What the changes lack: a raised version, a new line of the changelog, a reviewer other than the author.

    The authors of a change are who its new changelog lines name (`who`), else whom `authors` tells of the
    files that the case was and is in; of a new case it is `created_by` too. Whoever removes a case says so
    by `removable`.
    """
    found = []
    for change in changes(old, new):
        if change.kind is ChangeKind.removed:
            if change.case not in removable:
                found.append(_removed(change))
        elif change.kind is ChangeKind.added:
            found += _of_new(new[change.case])
        else:
            before, site = old[change.case], new[change.case]
            found += _of_history(before.case, site)
            if change.kind is ChangeKind.changed:
                found += _of_changed(before.case, site, {*authors(before), *authors(site)})
    return found


def _removed(change: CaseChange) -> Fault:
    return Fault(
        case=change.case,
        where=change.where,
        what=say("the case is gone", "用例被删除"),
        how=say(
            f"put it back, or say that it is meant: --allow-removed {change.case}",
            f"请放回，或说明确需删除：--allow-removed {change.case}",
        ),
    )


def _of_new(site: Sited) -> Iterator[Fault]:
    case = site.case
    if missing := [
        name for name in ("version", "created_by", "changelog") if not _given(getattr(case, name))
    ]:
        names = ", ".join(f"`{name}`" for name in missing)
        yield _fault(site, "id", say(f"a new case without {names}", f"新用例缺少 {names}"), _MIGRATE)
    yield from _of_reviewer(site, [case.created_by, *_named(case.changelog)])


def _of_history(old: Case, site: Sited) -> Iterator[Fault]:
    """What was written down once stays."""
    case = site.case
    if old.version is not None and (case.version is None or _is_lower(case.version, old.version)):
        to = say("none", "无") if case.version is None else case.version
        what = say(f"the version went from {old.version} back to {to}", f"版本从 {old.version} 退回到 {to}")
        yield _fault(site, "version", what)
    if _lines(old.changelog) - _lines(case.changelog):
        what = say("a line of the changelog is gone", "变更记录少了一条")
        yield _fault(site, "changelog", what, say("only add lines", "变更记录只增不减"))


def _of_changed(old: Case, site: Sited, authors: Collection[str]) -> Iterator[Fault]:
    case = site.case
    if str(case.version) == str(old.version):
        yield _fault(
            site,
            "version",
            say("changed without a new version", "内容已改，版本未变"),
            say(f"raise `version` from {old.version or 0}", f"请提升 `version`（原为 {old.version or 0}）"),
        )
    before = _lines(old.changelog)
    fresh = [line for line in case.changelog if _line(line) not in before]
    if not fresh:
        yield _fault(
            site,
            "changelog",
            say("changed without a line in the changelog", "内容已改，但没有变更记录"),
            say("add {date, who, what} to `changelog`", "请在 `changelog` 中加一条 {date, who, what}"),
        )
    yield from _of_reviewer(site, _named(fresh) or authors)


def _of_reviewer(site: Sited, authors: Collection[str | None]) -> Iterator[Fault]:
    reviewer = site.case.reviewed_by
    known = {same for name in authors if (same := person(name or ""))}
    if not _given(reviewer):
        what = say("nobody has reviewed it", "没有评审人")
        yield _fault(site, "reviewed_by", what, say("set `reviewed_by`", "请填写 `reviewed_by`"))
    elif not known:
        what = say("nobody knows who changed it", "不知道是谁改的")
        how = say("write `who` in the changelog's line", "请在变更记录中写明 `who`")
        yield _fault(site, "changelog", what, how)
    elif person(str(reviewer)) in known:
        yield _fault(
            site,
            "reviewed_by",
            say(f"{reviewer} reviewed their own change", f"{reviewer} 评审的是自己的改动"),
            say("let somebody else review it", "请由他人评审"),
        )


_MIGRATE = "fairtrial cases migrate"


def _fault(site: Sited, field: str, what: str, how: str = "") -> Fault:
    return Fault(case=site.case.id, where=site.where((field,)), what=what, how=how)


def _given(value: Any) -> bool:
    return bool(value.strip() if isinstance(value, str) else value is not None and value != ())


def person(name: str) -> str:
    """One form of the ways to write a name: width, case, spaces, unseen signs, a mail address behind it."""
    seen = "".join(c for c in normalize("NFKC", name) if category(c) != "Cf")
    return squeeze(fold(re.sub(r"<[^<>]*>\s*$", "", seen) or seen))


def _named(changelog: Collection[Any]) -> list[str]:
    """Who stands in the lines of a changelog."""
    names = [line.get("who") for line in changelog if isinstance(line, dict)]
    return [name for name in names if isinstance(name, str) and name.strip()]


def _line(line: Any) -> str:
    return json.dumps(line, sort_keys=True, ensure_ascii=False)


def _lines(changelog: Collection[Any]) -> set[str]:
    return set(map(_line, changelog))


def _is_lower(version: int | str, than: int | str) -> bool:
    """By the numbers in them, one after the other; of versions without any nobody knows the order."""
    one, other = (
        [(len(number), number) for number in re.findall("[1-9][0-9]*|0(?![0-9])", str(each))]
        for each in (version, than)
    )
    return one < other
