"""A spent slice is opened to the regression set: ledger first, then the file. A second call finishes it."""

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC
from functools import partial
from pathlib import Path
from typing import Any

from fairtrial.app.config import load_project
from fairtrial.app.practice import open_looks
from fairtrial.app.sealing import bodies, examiner_key, held, open_parts, parts, rotations
from fairtrial.app.slices import Slice, require_slice, slice_of
from fairtrial.cases.document import append
from fairtrial.cases.lint import same_id
from fairtrial.cases.load import load_or_refuse
from fairtrial.cases.paths import KINDS
from fairtrial.cases.write import written
from fairtrial.errors import BadInput
from fairtrial.ledger.chain import Clock, utc_now
from fairtrial.records.whole import write_whole
from fairtrial.schema.case import Case
from fairtrial.schema.ledger import Entry, Looked, Rotated
from fairtrial.schema.sealed import Opening
from fairtrial.text.language import say


def rotate(
    name: str,
    into: Path,
    key_file: Path | None,
    *,
    who: str,
    early: bool = False,
    why: str = "",
    config: Path | None = None,
    now: Clock = utc_now,
) -> Opening:
    """Put the slice's cases into the file `into` as `regression`, with their history, and say so for ever.

    The sessions of its looks become logs in the folder of the logs.

    A slice with looks left is opened `early` alone, and then `why`. Raises BadInput where it is not spent, a
    case of one of its ids is in the file, or anything of slice, key or ledger is not sound.
    """
    project, key = load_project(config), examiner_key(key_file)
    with held(project, key, now=now) as book:
        require_slice(name, book.entries)
        turned = rotations(book.entries).get(name)
        upto = book.entries[: turned[0].n - 1] if turned else book.entries
        found = slice_of(name, open_parts(project, book.entries, key), upto, key)
        if turned is None:
            _require_end(found, early, why)
        day = turned[0].at[:10] if turned else now().astimezone(UTC).date().isoformat()
        line = {
            "date": day,
            "who": turned[0].who if turned else who,
            "what": _history(upto, day, found, turned[1].why if turned else why),
        }
        opened = [_opened(case, line) for case in found.cases]
        text, added = _merged(into, opened)
        body = Rotated(slice=name, tags=tuple(sorted(found.marks)), into=str(into), looks=found.used, why=why)
        entry = turned[0] if turned else book.append("rotate", who, body)
        if added:
            write_whole(into, [text.encode("utf-8")])
        logs = open_looks(name, project.path(project.run.out), partial(key.decrypt, where=name))
    return Opening(
        slice=name,
        into=str(into),
        cases=len(opened),
        added=added,
        looks=found.used,
        entry=entry.n,
        logs=tuple(map(str, logs)),
    )


def _require_end(found: Slice, early: bool, why: str) -> None:
    if found.used < found.budget and not early:
        raise BadInput(
            say(
                f"not spent: {found.used} of {found.budget} looks are used",
                f"尚未用尽：{found.budget} 次查看已用 {found.used} 次",
            ),
            where=found.name,
            how=say('to open it nevertheless: --early --why "…"', '若仍要打开：--early --why "…"'),
        )
    if early and not why.strip():
        raise BadInput(say("opened early, and nobody says why", "提前打开却没有说明原因"), where="--why")


def _history(entries: Sequence[Entry], day: str, found: Slice, why: str) -> str:
    """The line of the changelog: since when it was closed, how often it was looked at, what was let out."""
    since = next(entry.at[:10] for owner, _, entry in parts(entries) if owner == found.name)
    told = say(
        f"sealed {since} in {found.name}, opened {day} after {found.used} looks",
        f"{since} 封存于 {found.name}，{day} 打开，其间查看 {found.used} 次",
    )
    return "; ".join((told, *_figures(entries, found.name), *filter(None, (why,))))


def _figures(entries: Sequence[Entry], name: str) -> Iterable[str]:
    """What each look let out: the figures of its result, where it came to one."""
    results = {entry.body["entry"]: entry.body for entry in entries if entry.kind == "result"}
    for entry, body in bodies(entries, "look", Looked):
        if body.slice == name:
            ratio = (results.get(entry.n, {}).get("figures") or {}).get("ret_ratio") or {}
            mean = ratio.get("mean")
            told = say("no figure", "无指标") if mean is None else f"ret_ratio {mean:.3f}"
            yield f"{entry.at[:10]} {told}"


def _opened(case: Case, line: Mapping[str, str]) -> dict[str, Any]:
    content = written(case)
    return content | {
        "set": "regression",
        "version": _raised(case.version),
        "changelog": [*content.get("changelog", []), dict(line)],
    }


def _raised(version: int | str | None) -> int | str:
    """The next version: the last number in it is one more."""
    if not isinstance(version, str):
        return (version or 0) + 1
    raised, times = re.subn(r"\d+(?=\D*$)", lambda found: str(int(found[0]) + 1), version)
    return raised if times else f"{version}.1"


def _merged(into: Path, opened: Sequence[dict[str, Any]]) -> tuple[str, int]:
    """The text of the file with those cases that it has not, and how many these are. Raises BadInput."""
    if into.suffix.casefold() not in KINDS:
        raise BadInput(
            say("not a kind of case file", "不是用例文件的类型"), where="--into", how=", ".join(KINDS)
        )
    text = into.read_bytes().decode("utf-8") if into.exists() else ""
    there = {same_id(case.id): case for case in load_or_refuse([into]).cases} if text.strip() else {}
    fresh = [case for case in opened if same_id(case["id"]) not in there]
    for case in opened:
        known = there.get(same_id(case["id"]))
        if known is not None and known.changelog[-1:] != tuple(case["changelog"][-1:]):
            raise BadInput(
                say(f"another case `{case['id']}` is in the file", f"文件中已有另一个用例 `{case['id']}`"),
                where=str(into),
                how=say("name another file, or rename that case", "换一个文件，或给那个用例改名"),
            )
    return append(text, fresh, suffix=into.suffix), len(fresh)
