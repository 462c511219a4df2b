"""Where in a turn its key facts stand, and where something may be changed or put in."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Literal

from fairtrial.schema.case import Case
from fairtrial.schema.disturbance import Edit, Split
from fairtrial.text import facts, kinds
from fairtrial.text.normalise import fold_width
from fairtrial.text.words import Tongue, tongue

Kind = Literal["order_number", "phone", "amount", "date", "place", "number", "fact"]
Place = tuple[int, int]

_KINDS: tuple[Kind, ...] = ("order_number", "phone", "amount", "date", "place")
_OF_FACT: dict[str, Kind] = {"code": "order_number", "date": "date", "time": "date"}
_LABELLED = re.compile(r"[A-Za-z0-9_-]+$")
_QUOTED = re.compile(r"\"[^\"\n]+\"|“[^”\n]+”|「[^」\n]+」|`[^`\n]+`")
_NUMBER = re.compile(r"[+(]?\d.*", re.DOTALL)
# A code or a number read out in groups: US 2024 1112 21456.
_GROUPS = re.compile(r"(?<![A-Za-z0-9])(?:[A-Z]{1,4} ?)?\d{2,}(?: \d{2,})+(?![A-Za-z0-9])")
_JOINT = re.compile(r"[\s,，]{0,2}$")
_CHINESE = re.compile(r"[\u3400-\u9fff]")


@dataclass(frozen=True)
class Fact:
    """A key fact at [`start`, `end`) of a turn. `fact`: one that the case names or its rules ask for."""

    start: int
    end: int
    kind: Kind


def key_spans(case: Case, turn: int) -> tuple[Place, ...]:
    """Where the key facts of a turn stand: as [start, end), in order, none touching another.

    Those are the order numbers, telephone numbers, amounts, dates, places and other numbers that are
    recognised, what stands in quotation marks, and the texts of `key_facts`, of arguments and of states in
    the rules that stand there.
    """
    merged: list[Place] = []
    for fact in key_facts(case, turn):
        if merged and fact.start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(merged[-1][1], fact.end))
        else:
            merged.append((fact.start, fact.end))
    return tuple(merged)


def key_facts(case: Case, turn: int) -> tuple[Fact, ...]:
    """The key facts of a turn in the order of their places; one within another is left out."""
    text = case.input[turn]
    found = [*_joined(text, _recognised(text)), *_named(case, text)]
    found.sort(key=lambda fact: (fact.start, -fact.end))  # what is recognised before what is only named
    kept: list[Fact] = []
    for fact in found:
        if not kept or fact.end > kept[-1].end:
            kept.append(fact)
    return tuple(kept)


def free_spans(case: Case, turn: int) -> tuple[Place, ...]:
    """Where a turn may be changed: what neither holds a key fact nor is changed by `case.disturb` already.

    Nothing spans a place where a text is put in or the turn is parted.
    """
    free: list[Place] = []
    done = 0
    for start, end in sorted([*key_spans(case, turn), *_changed(case, turn), (len(case.input[turn]),) * 2]):
        if start > done:
            free.append((done, start))
        done = max(done, end)
    return tuple(free)


def key_turn(case: Case) -> int:
    """The turn on which most depends: the first with a key fact, where none has one the longest."""
    for turn in range(len(case.input)):
        if key_spans(case, turn):
            return turn
    return max(range(len(case.input)), key=lambda turn: len(case.input[turn]))


def speaks(case: Case) -> Tongue:
    """The language of a case as a whole."""
    whole = "\n".join(case.input)
    return tongue(whole) or ("zh" if _CHINESE.search(whole) else "en")


def tongue_of(case: Case, turn: int) -> Tongue:
    """The language of a turn; that of the case where the turn has no words beside its key facts."""
    words, done = "", 0
    for start, end in key_spans(case, turn):
        words += case.input[turn][done:start]
        done = end
    return tongue(words + case.input[turn][done:]) or speaks(case)


def _changed(case: Case, turn: int) -> Iterator[Place]:
    for step in case.disturb:
        if isinstance(step, Edit) and step.turn == turn:
            yield step.start, step.end
        elif isinstance(step, Split) and step.turn == turn:
            yield step.at, step.at


def _recognised(text: str) -> Iterator[Fact]:
    folded = fold_width(text)
    for kind in _KINDS:
        for found in kinds.find(kind, folded):
            start = folded.find(found)
            bare = _bare(kind, found)
            while start >= 0:
                end = start + len(found)
                yield Fact(end - len(bare), end, kind)
                start = folded.find(found, end)
    prepared = facts.prepare(text)
    if len(prepared) == len(text):  # else its places are not those of the text
        for fact in facts.find(prepared):
            yield Fact(fact.start, fact.end, _OF_FACT.get(fact.kind, "number"))
    for match in _GROUPS.finditer(folded):
        yield Fact(*match.span(), "order_number")
    for match in _QUOTED.finditer(text):
        yield Fact(*match.span(), "fact")


def _bare(kind: Kind, found: str) -> str:
    """A fact without the label before it: `订单号 JD1234` is JD1234."""
    if kind == "order_number" and (code := _LABELLED.search(found)):
        return code[0]
    if kind == "phone" and (number := _NUMBER.search(found)):
        return number[0]
    return found


def _joined(text: str, found: Iterable[Fact]) -> Iterator[Fact]:
    """Parts of an address that follow each other as one; everything else as it is."""
    before: Fact | None = None
    for fact in sorted(found, key=lambda f: (f.start, -f.end)):
        one_address = before is not None and "place" in (before.kind, fact.kind)
        if before and fact.end <= before.end:
            continue
        if before and one_address and _follows(text, before, fact):
            before = Fact(before.start, fact.end, "place")
            continue
        if before:
            yield before
        before = fact
    if before:
        yield before


def _follows(text: str, before: Fact, fact: Fact) -> bool:
    if {before.kind, fact.kind} - {"place", "number"}:
        return False
    return fact.start <= before.end or _JOINT.match(text[before.end : fact.start]) is not None


def _named(case: Case, text: str) -> Iterator[Fact]:
    for named in dict.fromkeys([*case.key_facts, *_asked_for(case)]):
        start = text.find(named)
        while len(named) > 1 and start >= 0:
            yield Fact(start, start + len(named), "fact")
            start = text.find(named, start + len(named))


def _asked_for(case: Case) -> Iterator[str]:
    """The texts that a rule wants to see reach a tool or the agent's state."""
    for rule in case.rules:
        calls = getattr(rule, "calls", (rule,))
        for holder in calls:
            yield from _texts(getattr(holder, "args", None))
        yield from _texts(getattr(rule, "equals", None))


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for each in value.values():
            yield from _texts(each)
    elif isinstance(value, list | tuple):
        for each in value:
            yield from _texts(each)
