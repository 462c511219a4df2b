"""Which case is which: ids that are one, ids that stand twice, trials under the names of cases; pure."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from fairtrial.evidence.irregular import (
    UNJUDGED,
    Finding,
    both_denominators,
    count,
    naming,
)
from fairtrial.evidence.side import Ints, Side
from fairtrial.text.language import say
from fairtrial.text.normalise import fold, squeeze

DISJOINT_BELOW = 0.1
"""Share of the smaller side below which two results are of different cases."""
DROPPED_FORBIDS = 0.01
"""Share of cases that one side lacks above which the comparison is worth nothing."""
_SYSTEMATIC = 0.9
"""The share of ids, or of groups of them, that must have a form before it is the form of the file."""


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
    many = sizes > (1 if numbered else _usual(sizes) or 1)
    score = np.nan_to_num(side.value[order], nan=-1.0)
    apart = np.maximum.reduceat(score, first) > np.minimum.reduceat(score, first)
    case = side.case[order][first]
    differ = len(np.unique(case[many & apart]))
    detail = say(f"{differ} of them with different scores", f"其中 {differ} 个得分不同")
    return count([side.ids[at] for at in np.unique(case[many])], detail)


def _usual(sizes: Ints) -> int | None:
    """The size that nine of ten groups have, where that is two or more."""
    if not len(sizes):
        return None
    times = np.bincount(sizes)
    usual = int(times.argmax())
    return usual if usual > 1 and times[usual] >= _SYSTEMATIC * len(sizes) else None


_NUMBER = re.compile(r"\+?0*(\d+)(?:\.0*)?")


def one_id(name: str) -> str:
    """The form in which two ids are one: width, case and spaces folded, a number as a number."""
    plain = squeeze(fold(name))
    number = _NUMBER.fullmatch(plain)
    return number.group(1) if number else plain


_UNUSUAL = re.compile(r"^(?:\s|\+|0\d|\d+\.0*$)|\s$|[^\S\n]{2}", re.MULTILINE)
"""In lines of folded names: one that `one_id` makes another of."""


def _forms(names: Sequence[str]) -> list[str]:
    """`one_id` of each name; of names without anything unusual at one go."""
    folded = fold("\n".join(names))
    if folded.count("\n") == len(names) - 1 and not _UNUSUAL.search(folded):
        return folded.split("\n")
    return [one_id(name) for name in names]


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


_TRIAL = re.compile(
    r"(.+?)(?:[\s_\-.:/,]+(?:t|r|k|run|trial|rep|repeat|repetition|seed|try|attempt|epoch|iter|iteration|sample)"
    r"[\s_\-.=]?(\d+)|[\s_\-]*#(\d+)|@(\d+)|\s*[(（\[](\d+)[)）\]]|[\s_\-.]*第\s*(\d+)\s*[次轮遍])",
    re.IGNORECASE,
)
_BARE = re.compile(r"(.+?)[\s_\-.:/](\d+)")
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

    A number without a word for it (`q-1`, `q-2`) is a trial's only where the cases of a name ask the same.
    """
    for pattern, bare in ((_TRIAL, False), (_BARE, True)):
        if bare and not side.question.any():
            continue
        parted = [pattern.fullmatch(name) for name in side.ids[:100]]
        if sum(found is not None for found in parted) < _SYSTEMATIC * len(parted):
            continue
        groups: dict[str, list[tuple[int, int]]] = {}
        stems = []
        for at, name in enumerate(side.ids):
            found = pattern.fullmatch(name)
            stems.append(found.group(1) if found else name)
            number = next((int(g) for g in found.groups()[1:] if g), 0) if found else -1
            groups.setdefault(stems[-1], []).append((number, at))
        usual = _usual(np.array([len(group) for group in groups.values()]))
        if usual is not None and _numbered_alike(groups, usual) and _same_questions(side, groups, bare):
            return Repeats(stems=stems, trials=usual, cases=len(groups))
    return None


def _numbered_alike(groups: dict[str, list[tuple[int, int]]], usual: int) -> bool:
    numbers = Counter(tuple(sorted(number for number, _ in group)) for group in groups.values())
    most, times = numbers.most_common(1)[0]
    return len(most) == usual and times >= _SYSTEMATIC * len(groups)


def _same_questions(side: Side, groups: dict[str, list[tuple[int, int]]], known: bool) -> bool:
    """Whether most groups ask one thing; where none shows what it asks, True unless it must be `known`."""
    asked = [{int(side.question[at]) for _, at in group} for group in groups.values()]
    shown = [questions for questions in asked if questions != {0}]
    if not shown:
        return not known
    return sum(len(questions) == 1 for questions in shown) >= _SYSTEMATIC * len(shown)


def trials_as_cases(side: Side, numbered: bool, named: Repeats | None) -> Finding:
    """Rows that are trials of fewer cases: their number a case."""
    usual = None if numbered else _usual(side.held)
    if named is None and usual is None:
        return Finding(value=0, lit=False)
    rows, cases = len(side.case), named.cases if named else len(side.ids)
    trials = named.trials if named else usual or 0
    detail = say(
        f"{rows} rows are {cases} cases in {trials} trials", f"{rows} 行其实是 {cases} 个用例各 {trials} 次"
    )
    return Finding(value=trials, lit=True, detail=detail)


def clones(side: Side, named: Repeats | None) -> Finding:
    """Cases that ask what another asks, under another id; and copies by name that score alike.

    Ids of one case's trials, or of two spellings, have lines of their own.
    """
    found = dict.fromkeys(_copies(side) if named is None else ())
    if not side.question.any():
        return count(list(found)) if found else UNJUDGED
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
    parted = [(at, found) for at, name in enumerate(side.ids) if (found := _COPY.fullmatch(name)) is not None]
    return [
        f"{found.group(1)} = {side.ids[at]}"
        for at, found in parted
        if (first := place.get(found.group(1))) is not None and mean[first] == mean[at]
    ]


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
