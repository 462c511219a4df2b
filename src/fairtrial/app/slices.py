"""A sealed slice as a whole: its cases in memory, the looks that are left, and what is told of it."""

from collections import Counter
from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from fairtrial.app.config import Project
from fairtrial.app.sealing import (
    bodies,
    broken,
    held,
    open_parts,
    parts,
    rotations,
    user,
    witness_of,
)
from fairtrial.cases.draw import marks
from fairtrial.cases.lint import same_id
from fairtrial.cases.seal import Key
from fairtrial.errors import BadInput
from fairtrial.ledger.chain import Book, set_head
from fairtrial.schema.case import Case
from fairtrial.schema.ledger import Drawn, Entry, Looked, Part
from fairtrial.schema.sealed import SliceState
from fairtrial.text.language import say


@dataclass(frozen=True, kw_only=True)
class Slice:
    """An open slice, in memory: its cases, the tag of each one's cluster by its id, and what looks are left.

    `marks` are all tags by which the count follows its cases. `seen` cases are left out: their clusters were
    in plain sight when somebody added them, or are now. `witness` is the file beside the key that keeps the
    last look.
    """

    name: str
    cases: tuple[Case, ...]
    tags: dict[str, str]
    marks: frozenset[str]
    budget: int
    used: int
    seen: int
    witness: Path | None


def seen_marks(entries: Sequence[Entry]) -> set[str]:
    """The tags of what can never be sealed again: left in plain sight by a draw, or opened."""
    seen = {tag for _, body in bodies(entries, "draw", Drawn) for tag in body.visible}
    return seen.union(*(body.tags for _, body in rotations(entries).values()))


def used_looks(entries: Sequence[Entry], its: Collection[str]) -> int:
    """Looks that are debited to these tags: of the cluster that was looked at most often, in any slice."""
    times = Counter(tag for _, body in bodies(entries, "look", Looked) for tag in body.tags)
    return max((times[tag] for tag in its), default=0)


def open_slice(project: Project, name: str, key: Key) -> Slice:
    """Open a slice in memory. Raises BadInput for a wrong key, a changed or cut part, a ledger that is not
    sound, and for a slice that there is not, or that is opened for good.
    """
    with held(project, key) as book:
        entries = book.entries
    require_slice(name, entries)
    if name in rotations(entries):
        raise opened_already(name, entries)
    return slice_of(name, open_parts(project, entries, key), entries, key)


def scan(project: Project, name: str, key: Key, *, cases: int) -> tuple[Case, ...]:
    """The cases of a slice, to be held against so many visible ones: whoever asks learns which of his are
    inside, so it is written down that he did, but not what he found. Raises BadInput as `open_slice`.
    """
    found = open_slice(project, name, key)
    with held(project, key) as book:
        book.append("scan", user(), {"slice": name, "cases": cases})
    return found.cases


def slice_of(
    name: str, opened: Sequence[tuple[str, Part, tuple[Case, ...]]], entries: Sequence[Entry], key: Key
) -> Slice:
    """The slice out of all opened parts, the oldest first: of two cases of one id the first stays.

    Its budget is the least with which any of its clusters was ever sealed: nobody can raise it.
    """
    every = dict[str, Case]()
    for case in (case for owner, _, cases in opened if owner == name for case in cases):
        every.setdefault(same_id(case.id), case)
    never = seen_marks(entries)
    cases = tuple(case for case in every.values() if marks([case], key).isdisjoint(never))
    its = marks(cases, key)
    budgets = [
        part.looks
        for owner, part, others in opened
        if owner == name or not its.isdisjoint(marks(others, key))
    ]
    return Slice(
        name=name,
        cases=cases,
        tags={case.id: key.tag(case.kin) for case in cases},
        marks=frozenset(its),
        budget=min(budgets),
        used=used_looks(entries, its),
        seen=len(every) - len(cases),
        witness=witness_of(key),
    )


def debit(
    book: Book,
    found: Slice,
    who: str,
    why: str,
    reveals: Sequence[str],
    *,
    agent: str = "",
    fingerprint: str = "",
) -> Entry:
    """Write down a look before its first session; it is on the disk when this returns.

    Looks that were debited since the slice was opened count. Raises BadInput where none is left or the slice
    was rotated meanwhile, CannotRun where the disk refuses.
    """
    if found.name in rotations(book.entries):
        raise opened_already(found.name, book.entries)
    used = used_looks(book.entries, found.marks)
    require_left(found, used)
    body = Looked(
        slice=found.name,
        tags=tuple(sorted(found.marks)),
        cases=len(found.cases),
        budget=found.budget,
        used=used + 1,
        why=why,
        reveals=tuple(reveals),
        agent=agent,
        fingerprint=fingerprint,
    )
    entry = book.append("look", who, body)
    if found.witness:
        with suppress(OSError):  # where beside the key nothing can be written, nothing is kept there
            set_head(found.witness, entry)
    return entry


def require_left(found: Slice, used: int) -> None:
    """A look is left. Raises BadInput."""
    if used >= found.budget:
        raise BadInput(
            say(
                f"spent: {used} of {found.budget} looks are used",
                f"已用尽：{found.budget} 次查看已用 {used} 次",
            ),
            where=found.name,
            how=say(
                "open it and draw a new one: fairtrial seal rotate", "打开并另抽一个：fairtrial seal rotate"
            ),
        )


def require_slice(name: str, entries: Sequence[Entry]) -> None:
    """There is such a slice. Raises BadInput, naming those that there are."""
    names = dict.fromkeys(owner for owner, _, _ in parts(entries))
    if name not in names:
        there = ", ".join(names) or say("none", "无")
        raise BadInput(
            say(f"no sealed slice `{name}`", f"没有封存集 `{name}`"),
            how=say(f"there are: {there}", f"现有：{there}"),
        )


def opened_already(name: str, entries: Sequence[Entry]) -> BadInput:
    """What to say of a slice that was rotated."""
    entry, body = rotations(entries)[name]
    day = entry.at[:10]
    return BadInput(
        say(f"opened {day} into {body.into}", f"已于 {day} 打开，并入 {body.into}"),
        where=name,
        how=say(
            "draw a new one: fairtrial seal draw --slice NAME", "另抽一个：fairtrial seal draw --slice 名称"
        ),
    )


def status(project: Project) -> tuple[SliceState, ...]:
    """Every slice as the ledger tells of it, the oldest first; no key is needed. Raises BadInput."""
    with held(project) as book:
        entries = book.entries
    return tuple(_state(project, name, entries) for name in dict.fromkeys(o for o, _, _ in parts(entries)))


def _state(project: Project, name: str, entries: Sequence[Entry]) -> SliceState:
    own = [(part, entry) for owner, part, entry in parts(entries) if owner == name]
    looks = [(entry, body) for entry, body in bodies(entries, "look", Looked) if body.slice == name]
    tags = {tag for _, body in bodies(entries, "draw", Drawn) if body.slice == name for tag in body.sealed}
    tags |= {tag for _, body in looks for tag in body.tags}
    budget = min([part.looks for part, _ in own] + [body.budget for _, body in looks])
    told = {entry.body["entry"] for entry in entries if entry.kind == "result"}
    used, turned = used_looks(entries, tags), rotations(entries).get(name)
    kinds = sum((Counter(part.kinds) for part, _ in own), Counter[str]())
    wrong = [f"{part.file}: {what}" for part, _ in own if (what := broken(project, part))]
    return SliceState(
        slice=name,
        sealed=own[0][1].at,
        parts=len(own),
        broken=tuple(wrong),
        cases=sum(part.cases for part, _ in own),
        clusters=sum(part.clusters for part, _ in own),
        kinds=dict(sorted(kinds.items())),
        budget=budget,
        used=used,
        left=max(0, budget - used),
        spent=used >= budget,
        without_result=sum(entry.n not in told for entry, _ in looks),
        last_look=looks[-1][0].at if looks else None,
        rotated=turned[0].at if turned else None,
    )
