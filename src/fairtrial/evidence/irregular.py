"""What is wrong with the names, the numbers and the grouping of a result: one function a line; pure."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import isfinite

import numpy as np
from scipy.special import fdtrc

from fairtrial.evidence.side import Flags, Floats, Ints, Side
from fairtrial.stats.intervals import wilson
from fairtrial.text.language import say
from fairtrial.text.normalise import fold, squeeze

SHOWN = 5
"""Cases named in a line; the rest is counted."""
BY_CHANCE = 1e-3
"""A statistical line lights where chance alone would do so more seldom than this."""
SHRUNK = 0.8
"""And where the effective number of cases is below this share of their number."""
CERTAIN_FROM = 0.95
"""Where all pass, the lower end of the interval from which so few cases say something."""
DISJOINT_BELOW = 0.1
"""Share of the smaller side below which two results are of different cases."""
DROPPED_FORBIDS = 0.01
"""Share of cases that one side lacks above which the comparison is worth nothing."""
CLUSTERS_NEEDED, CASES_BESIDE = 10, 20
"""Clusters, and cases beyond one in each, below which chance cannot be told from likeness."""
_SYSTEMATIC = 0.9
_LEAST_ALIKE = 10
"""Cases that must all score alike before it is no chance."""


@dataclass(frozen=True, kw_only=True)
class Finding:
    """A line's value; `lit` None where there is nothing to judge it by. `detail` is for people.

    `forbids` None: as the line does.
    """

    value: float | None
    lit: bool | None
    detail: str = ""
    forbids: bool | None = None


UNJUDGED = Finding(value=None, lit=None)


def count(cases: Sequence[str], detail: str = "") -> Finding:
    """Lit where there is any case; its value is their number."""
    named = naming(cases) + (f"; {detail}" if detail else "")
    return Finding(value=len(cases), lit=bool(cases), detail=named if cases else "")


def naming(cases: Sequence[str]) -> str:
    """How many, and the first few by name."""
    return say(f"{len(cases)}: {few(cases)}", f"{len(cases)} 个：{few(cases)}")


def few(cases: Sequence[str]) -> str:
    """The first few by name."""
    return say(", ", "、").join(cases[:SHOWN]) + (" …" if len(cases) > SHOWN else "")


def together(
    sides: Sequence[Side],
    check: Callable[[Side], Finding],
    combine: Callable[[Sequence[float]], float] = sum,
) -> Finding:
    """A check of each side as one line: lit where one is, the values combined."""
    found = [check(side) for side in sides]
    if all(one.lit is None for one in found):
        return UNJUDGED
    details = [
        (f"{side.name}: " if len(sides) > 1 else "") + one.detail
        for side, one in zip(sides, found, strict=True)
        if one.detail and one.lit
    ]
    values = [one.value for one in found if one.value is not None]
    return Finding(
        value=combine(values) if values else None,
        lit=any(one.lit for one in found),
        detail=say("; ", "；").join(details),
    )


def infinite(side: Side) -> Flags:
    """Sessions whose score is infinite; one that is no number is a reader's to report."""
    return np.isinf(side.value)


def outside(side: Side) -> Flags:
    """Sessions whose score is a number outside [0, 1]."""
    return np.asarray(np.isfinite(side.value) & ((side.value < 0.0) | (side.value > 1.0)))


def duplicate_ids(side: Side, numbered: bool) -> Finding:
    """Cases that stand there more than once in the same trial, and how many of them differ in score.

    `numbered`: the file tells trials apart. Where it does not, an id that comes oftener than most is twice.
    """
    if len(side.case) == len(side.ids):
        return Finding(value=0, lit=False)
    if numbered:
        key = side.case * (int(side.trial.max()) + 1) + side.trial
        _, inverse, times = np.unique(key, return_inverse=True, return_counts=True)
        twice = np.unique(side.case[times[inverse] > 1])
    else:
        held = side.held
        twice = np.flatnonzero(held > (_usual(held) or 1))
    if not len(twice):
        return Finding(value=0, lit=False)
    differ = sum(_differs(side, int(case), numbered) for case in twice) if len(twice) < 10_000 else None
    detail = say(f"{differ} of them with different scores", f"其中 {differ} 个得分不同")
    return count([side.ids[case] for case in twice], detail if differ is not None else "")


def _differs(side: Side, case: int, numbered: bool) -> bool:
    at = np.flatnonzero(side.case == case)
    groups: dict[int, set[float]] = {}
    for row in at:
        groups.setdefault(int(side.trial[row]) if numbered else 0, set()).add(float(side.value[row]))
    return any(len(scores) > 1 for scores in groups.values())


def _usual(sizes: Ints) -> int | None:
    """The size that nine of ten groups have, where that is two or more."""
    values, times = np.unique(sizes, return_counts=True)
    if not len(values):
        return None
    most = int(times.argmax())
    usual = int(values[most])
    return usual if usual > 1 and times[most] >= _SYSTEMATIC * len(sizes) else None


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


def constant(side: Side) -> Finding:
    """Every case with the same score; all passing in a small set is the line `saturated`."""
    mean = _known(side.means()[0])
    if len(mean) < 2:
        return UNJUDGED
    alike = float(np.ptp(mean)) < 1e-12
    lit = alike and len(mean) >= _LEAST_ALIKE and saturated(side).lit is not True
    detail = say(f"all {len(mean)} cases score {mean[0]:g}", f"{len(mean)} 个用例全是 {mean[0]:g}")
    return Finding(value=float(mean.var(ddof=1)), lit=lit, detail=detail if lit else "")


def saturated(side: Side) -> Finding:
    """All cases pass, and they are too few for that to say much: the lower end of the interval."""
    mean = _known(side.means()[0])
    if not len(mean):
        return UNJUDGED
    if mean.min() < 1.0:
        return Finding(value=None, lit=False)
    n, low = len(mean), wilson(len(mean), len(mean))[0]
    detail = say(
        f"{n} of {n}; the 95 % interval still goes down to {low:.2f}",
        f"{n}/{n}；95% 区间仍低至 {low:.2f}",
    )
    return Finding(value=low, lit=low < CERTAIN_FROM, detail=detail)


def _known(mean: Floats) -> Floats:
    return np.asarray(mean[~np.isnan(mean)])


def clusters(sides: Sequence[Side]) -> Finding:
    """Cases of one cluster that fare alike: how many independent cases they are worth.

    One-way analysis of variance of case means by named cluster (Fisher's F), of each side and, where two have
    the same cases, of their mean; n_eff = n / (1 + (m − 1)·ICC) with m = Σ size² / n (Kish 1965).
    """
    found = [one for mean, cluster in _groupings(sides) if (one := _design(mean, cluster)) is not None]
    if not found:
        return UNJUDGED
    n, count_, n_eff, p = min(found, key=lambda one: (one[3] >= BY_CHANCE, one[2] / one[0]))
    lit = p < BY_CHANCE and n_eff < SHRUNK * n
    detail = say(
        f"{n} cases in {count_} clusters are worth {n_eff:.0f} independent ones (p = {p:.1g})",
        f"{count_} 簇里的 {n} 个用例只相当于 {n_eff:.0f} 个独立用例（p = {p:.1g}）",
    )
    return Finding(value=round(n_eff, 1), lit=lit, detail=detail if lit else "")


def _groupings(sides: Sequence[Side]) -> list[tuple[Floats, Ints]]:
    found = [(side.means()[0], side.cluster) for side in sides]
    if len(sides) == 2 and sides[0].ids == sides[1].ids:
        found.append(((found[0][0] + found[1][0]) / 2, sides[0].cluster))
    return found


def _design(mean: Floats, cluster: Ints) -> tuple[int, int, float, float] | None:
    """Cases, clusters, effective cases and p; None where nothing can be told of clusters."""
    use = ~np.isnan(mean) & (cluster >= 0)
    y, (_, code, size) = mean[use], np.unique(cluster[use], return_inverse=True, return_counts=True)
    n, groups = len(y), len(size)
    if groups < CLUSTERS_NEEDED or n - groups < CASES_BESIDE or float(np.ptp(y)) == 0.0:
        return None
    centre = np.bincount(code, weights=y) / size
    between = float((size * (centre - y.mean()) ** 2).sum()) / (groups - 1)
    within = float(((y - centre[code]) ** 2).sum()) / (n - groups)
    typical = (n - float((size**2).sum()) / n) / (groups - 1)
    icc = min(1.0, max(0.0, (between - within) / (between + (typical - 1) * within)))
    n_eff = n / (1 + (float((size**2).sum()) / n - 1) * icc)
    ratio = between / within if within > 0 else np.inf
    p = float(fdtrc(groups - 1, n - groups, ratio)) if isfinite(ratio) else 0.0
    return n, groups, n_eff, p


def models_named(side: Side) -> str:
    """Each model that answered, with its cases; "" where there are fewer than two."""
    if len(side.models) < 2:
        return ""
    told = [
        f"{model} ({naming([side.ids[case] for case in dict.fromkeys(cases)])})"
        for model, cases in sorted(side.models.items(), key=lambda item: -len(item[1]))
    ]
    return say("; ", "；").join(told[:4])


def errors_as_wrong(side: Side) -> Finding:
    """Sessions that failed, by their status or by what stands in place of a reply, and were scored.

    One that ran into a limit of its own making (`truncated`) may be called wrong.
    """
    by_status = np.flatnonzero(side.failed & ~np.isnan(side.value))
    rows = [*by_status, *side.as_errors]
    return count([side.ids[case] for case in dict.fromkeys(int(side.case[row]) for row in rows)])


def contradictions(side: Side) -> Finding:
    """Sessions whose score is not what their own rules come to."""
    return count(
        [side.ids[case] for case in dict.fromkeys(int(side.case[row]) for row in side.against_rules)]
    )


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


def both_denominators(side: Side, every: int) -> str:
    """What the mean is over the cases that are there, and over `every` one with the missing ones as 0."""
    mean = _known(side.means()[0])
    if not len(mean) or len(mean) >= every:
        return ""
    total = float(mean.sum())
    return f" ({total:g}/{len(mean)} = {total / len(mean):.2%} → {total:g}/{every} = {total / every:.2%})"


def disjoint_ids(base: Side, candidate: Side) -> Finding:
    """How many cases two results share, lit where they are hardly any."""
    same = base.ids == candidate.ids
    shared = len(base.ids) if same else len(set(base.ids) & set(candidate.ids))
    lit = _disjoint(shared, base, candidate)
    smaller = min(len(base.ids), len(candidate.ids))
    detail = say(f"{shared} of {smaller} cases are shared", f"{smaller} 个用例中只有 {shared} 个相同")
    return Finding(value=shared, lit=lit, detail=detail if lit else "")


def _disjoint(shared: int, base: Side, candidate: Side) -> bool:
    return shared < DISJOINT_BELOW * min(len(base.ids), len(candidate.ids)) or shared == 0
