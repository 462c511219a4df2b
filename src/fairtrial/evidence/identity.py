"""Which case is which: ids that are one, ids that stand twice, trials under the names of cases; pure."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from fairtrial.evidence.columns import Ints
from fairtrial.evidence.irregular import (
    UNJUDGED,
    Finding,
    both_denominators,
    count,
    likeness,
    naming,
)
from fairtrial.evidence.side import Side
from fairtrial.text.language import say
from fairtrial.text.normalise import fold, squeeze

DISJOINT_BELOW = 0.1
"""Share of the smaller side below which two results are of different cases."""
DROPPED_FORBIDS = 0.01
"""Share of cases that one side lacks above which the comparison is worth nothing."""
_SYSTEMATIC = 0.9
"""The share of ids, or of groups of them, that must have a form before it is the form of the file."""
_FILLED = 0.7
"""The share of names times numbers that must be there: trials may be missing, some cases have one less."""
_UNLIKELY = 0.3
"""The chance of as much likeness, times the cases a name, below which they are trials: more show it surer."""


def duplicate_ids(side: Side, numbered: bool) -> Finding:
    """Cases that stand there more than once in the same trial, and how many of them differ in score.

    `numbered`: the file tells trials apart. Where it does not, an id that comes oftener than most is twice.
    """
    if len(side.case) == len(side.ids):
        return Finding(value=0, lit=False)
    key = side.case * (int(side.trial.max()) + 1) + side.trial if numbered else side.case
    order = np.argsort(key, kind="stable")
    first = np.flatnonzero(np.diff(key[order], prepend=-1))
    sizes = np.diff(first, append=len(key))
    many = sizes > (1 if numbered else usual_size(sizes) or 1)
    score = np.nan_to_num(side.value[order], nan=-1.0)
    apart = np.maximum.reduceat(score, first) > np.minimum.reduceat(score, first)
    case = side.case[order][first]
    differ = len(np.unique(case[many & apart]))
    detail = say(f"{differ} of them with different scores", f"其中 {differ} 个得分不同")
    return count([side.ids[at] for at in np.unique(case[many])], detail)


def usual_size(sizes: Ints) -> int | None:
    """The size that nine of ten groups have, where that is two or more."""
    if not len(sizes):
        return None
    times = np.bincount(sizes)
    size = int(times.argmax())
    return size if size > 1 and times[size] >= _SYSTEMATIC * len(sizes) else None


_NUMBER = re.compile(r"\+?0*(\d+)(?:\.0*)?")
_UNSEEN = re.compile("[\u00ad\u200b-\u200d\u2060\ufeff]")


def one_id(name: str) -> str:
    """The form in which two ids are one: width, case, spaces and unseen signs folded, numbers as numbers."""
    plain = squeeze(_UNSEEN.sub("", fold(name)))
    number = _NUMBER.fullmatch(plain)
    return number.group(1) if number else plain


_UNUSUAL = re.compile(r"^(?:\+|0\d|\d+\.0*$)|" + _UNSEEN.pattern, re.MULTILINE)
"""In lines of folded names: a sign by which `one_id` makes another of one."""


def _forms(names: Sequence[str]) -> list[str]:
    """`one_id` of each name; of names without anything unusual at one go."""
    folded = fold("\n".join(names))
    spaced = folded.count("\n") != len(names) - 1 or " ".join(folded.split()) != folded.replace("\n", " ")
    if spaced or _UNUSUAL.search(folded):
        return [one_id(name) for name in names]
    return folded.split("\n")


def alike_ids(names: Iterable[str]) -> Finding:
    """Ids that differ in spelling alone (`1` and `1.0`, `01`, `１`, `q1 ` …), over all sides."""
    every = list(dict.fromkeys(names))
    forms = _forms(every)
    if len(set(forms)) == len(every):
        return Finding(value=0, lit=False)
    times = Counter(forms)
    spellings: dict[str, list[str]] = {}
    for form, name in zip(forms, every, strict=True):
        if times[form] > 1:
            spellings.setdefault(form, []).append(repr(name))
    return count([" = ".join(group) for group in spellings.values()])


_WORD = (
    r"(?:run|trial|rep|repeat|repetition|seed|try|attempt|epoch|iter|iteration|sample)"
    r"[\s_\-.=#]*(?P<word>\d+)"
)
_CHINESE = r"(?:第\s*(?P<time>\d+)\s*[次轮遍回]|(?:运行|重复|尝试|试验)[\s_\-.=#]*(?P<run>\d+))"
_AFTER = re.compile(
    rf"(?P<case>.+?)(?:[\s_\-.:/|,(（\[【]+{_WORD}|[\s_\-.:/|,(（\[【]*{_CHINESE})[)）\]】]?", re.IGNORECASE
)
_BEFORE = re.compile(rf"[(（\[【]?(?:{_WORD}|{_CHINESE})[\s_\-.:/|,)）\]】]+(?P<case>.+)", re.IGNORECASE)
_MARKED = re.compile(
    r"(?P<case>.+?)(?:[\s_\-.:/,]+[trk][\s_\-.=]?(?P<letter>\d+)|[\s_\-]*#(?P<hash>\d+)|@(?P<at>\d+)"
    r"|\s*[(（\[](?P<bracket>\d+)[)）\]])",
    re.IGNORECASE,
)
_BARE = re.compile(r"(?P<case>.+?)[\s_\-.:/|](?P<number>\d+)")
_COPY = re.compile(
    r"(.+?)[\s_\-.]*(?:[(（]?(?:copy|dup|duplicate|clone|副本|复制|拷贝)[\s_\-]*\d*[)）]?|[(（]\d+[)）])",
    re.IGNORECASE,
)


_COPY_MARKS = ("copy", "dup", "clone", "副本", "复制", "拷贝", ")\n", "）\n")


@dataclass(frozen=True, kw_only=True)
class Repeats:
    """Ids that are trials of fewer cases: the case of each id, how many trials, and how many cases."""

    stems: Sequence[str]
    trials: int
    cases: int


def repeats(side: Side) -> Repeats | None:
    """Whether the ids are those of trials: nearly all are a name and a number, the same numbers a name.

    The cases of a name must ask the same. Where nobody shows what they ask, a word for the trial will do; a
    mark (`q#1`, `q_t1`) also tells topics and turns from each other, so that the cases of a name must fare
    alike; and a number alone (`q-1`) is none.
    """
    for pattern in (_AFTER, _BEFORE, _MARKED, _BARE):
        if (groups := _grid(pattern, side.ids)) is None:
            continue
        same = _same_questions(side, groups.values())
        if same is None:
            same = pattern in (_AFTER, _BEFORE) or (pattern is _MARKED and _fare_alike(side, groups.values()))
        if same:
            stems = list(side.ids)
            for name, places in groups.items():
                for at in places:
                    stems[at] = name
            trials = int(np.bincount([len(places) for places in groups.values()]).argmax())
            return Repeats(stems=stems, trials=trials, cases=len(groups))
    return None


def _grid(pattern: re.Pattern[str], ids: Sequence[str]) -> dict[str, list[int]] | None:
    """The places of each name, where nearly all ids are a name and a number, most numbers in most names."""
    if sum(pattern.fullmatch(name) is not None for name in ids[:100]) < _SYSTEMATIC * min(len(ids), 100):
        return None
    groups: dict[str, list[int]] = {}
    cells = set()
    for at, name in enumerate(ids):
        if found := pattern.fullmatch(name):
            parts = found.groupdict()
            case = parts.pop("case")
            groups.setdefault(case, []).append(at)
            cells.add((case, next(int(number) for number in parts.values() if number)))
    numbers = {number for _, number in cells}
    # One name with all numbers (`sample-1` … `sample-900`) is a set's, and no case of 900 trials.
    if not 1 < len(numbers) < len(groups) or len(cells) < _SYSTEMATIC * len(ids):
        return None
    return groups if len(cells) >= _FILLED * len(groups) * len(numbers) else None


def _same_questions(side: Side, groups: Iterable[Sequence[int]]) -> bool | None:
    """Whether most groups ask one thing; None where none shows what it asks."""
    asked = [{int(side.question[at]) for at in group} for group in groups]
    shown = [questions for questions in asked if questions != {0}]
    if not shown:
        return None
    return sum(len(questions) == 1 for questions in shown) >= _SYSTEMATIC * len(shown)


def _fare_alike(side: Side, groups: Collection[Sequence[int]]) -> bool:
    """Whether the cases of a group are more alike than chance makes them (one time of ten, if three)."""
    code = np.full(len(side.ids), -1)
    for number, group in enumerate(groups):
        code[group] = number
    found = likeness(side.means()[0], code)
    return found is not None and found.p < _UNLIKELY * len(groups) / len(side.ids)


def trials_as_cases(side: Side, numbered: bool, named: Repeats | None) -> Finding:
    """Rows that are trials of fewer cases: their number a case."""
    usual = None if numbered else usual_size(side.held)
    if named is None and usual is None:
        return Finding(value=0, lit=False)
    rows, cases = len(side.case), named.cases if named else len(side.ids)
    trials = named.trials if named else usual or 0
    detail = say(
        f"{rows} rows are {cases} cases in {trials} trials", f"{rows} 行其实是 {cases} 个用例各 {trials} 次"
    )
    return Finding(value=trials, lit=True, detail=detail)


def clones(side: Side, named: Repeats | None) -> Finding:
    """Cases that ask what another asks, under another id; where none shows what it asks, copies by name that
    score alike.

    Ids of one case's trials, or of two spellings, have lines of their own.
    """
    if not side.question.any():
        copies = _copies(side) if named is None else []
        return count(copies) if copies else UNJUDGED
    found: dict[str, None] = {}
    of = named.stems if named else [one_id(name) for name in side.ids]
    _, inverse, times = np.unique(side.question, return_inverse=True, return_counts=True)
    groups: dict[int, list[int]] = {}
    for at in np.flatnonzero((times[inverse] > 1) & (side.question != 0)):
        groups.setdefault(int(inverse[at]), []).append(int(at))
    for group in groups.values():
        if len({of[at] for at in group}) > 1:
            found[" = ".join(side.ids[at] for at in group[:3])] = None
    return count(list(found))


def _copies(side: Side) -> list[str]:
    names = "\n".join(side.ids).lower() + "\n"
    if not any(mark in names for mark in _COPY_MARKS):
        return []
    place = {name: at for at, name in enumerate(side.ids)}
    mean, _ = side.means()
    pairs = [
        (first, at)
        for at, name in enumerate(side.ids)
        if (found := _COPY.fullmatch(name)) is not None and (first := place.get(found.group(1))) is not None
    ]
    alike = [(first, at) for first, at in pairs if mean[first] == mean[at]]
    # Where many do not score alike, the word is a name's own: `file` and `file_copy` are two tasks.
    if len(alike) < _SYSTEMATIC * len(pairs):
        return []
    return [f"{side.ids[first]} = {side.ids[at]}" for first, at in alike]


def dropped_rows(base: Side, candidate: Side) -> Finding:
    """Cases that one of two results has and the other has not, with both denominators."""
    if base.ids == candidate.ids:
        return Finding(value=0, lit=False)
    ours, theirs = set(base.ids), set(candidate.ids)
    shared = len(ours & theirs)
    if _disjoint(shared, base, candidate):
        return UNJUDGED
    # Two spellings of one id are a line of their own, and no case that is missing.
    spelt = {one_id(name) for name in ours | theirs}
    details, missing = [], 0
    for side, names, other in ((base, ours, candidate), (candidate, theirs, base)):
        forms = {one_id(name) for name in names}
        gone = [name for name in other.ids if name not in names and one_id(name) not in forms]
        missing += len(gone)
        if gone:
            details.append(
                say(f"{side.name} lacks {naming(gone)}", f"{side.name} 缺 {naming(gone)}")
                + both_denominators(side, len(spelt))
            )
    return Finding(
        value=missing,
        lit=missing > 0,
        detail=say("; ", "；").join(details),
        forbids=missing > DROPPED_FORBIDS * len(spelt),
    )


def disjoint_ids(base: Side, candidate: Side) -> Finding:
    """The share of the smaller result's cases that the other has too, lit where they are hardly any."""
    same = base.ids == candidate.ids
    shared = len(base.ids) if same else len(set(base.ids) & set(candidate.ids))
    lit = _disjoint(shared, base, candidate)
    smaller = min(len(base.ids), len(candidate.ids))
    detail = say(f"{shared} of {smaller} cases are shared", f"{smaller} 个用例中只有 {shared} 个相同")
    return Finding(value=shared / smaller, lit=lit, detail=detail if lit else "")


def _disjoint(shared: int, base: Side, candidate: Side) -> bool:
    return shared < DISJOINT_BELOW * min(len(base.ids), len(candidate.ids)) or shared == 0
