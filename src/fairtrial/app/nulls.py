"""The null agents over a whole case set: what does an agent get that does nothing?"""

from collections import Counter
from collections.abc import Collection, Iterator
from math import fsum
from typing import Any, get_args

from fairtrial.agents.config import NullKind
from fairtrial.agents.null import null_reply
from fairtrial.schema.case import Case, CaseSet
from fairtrial.schema.checked import Group, Nothing
from fairtrial.schema.record import Record, Status, Turn
from fairtrial.scoring.score import Scorer

TRIED = 200
"""A run tries the null agents on so many cases, spread evenly; `check --null` on all of them."""
KINDS: tuple[NullKind, ...] = get_args(NullKind)
_GROUPS = 3
"""How many groups are named in which doing nothing scores most, each with two passed cases at least."""


def null_shares(case_set: CaseSet, scorer: Scorer) -> dict[str, Any]:
    """The share of cases each kind passes, and the largest of them, over `tried` cases: for the header."""
    cases = case_set.cases
    some = cases[:: -(-len(cases) // TRIED)]
    found = null_figures(case_set.model_copy(update={"cases": some}), scorer)
    shares = {kind: figures.share for kind, (_, figures) in found.items()}
    return {"share": max(shares.values()), "by_kind": shares, "tried": len(some)}


def null_figures(case_set: CaseSet, scorer: Scorer) -> dict[str, tuple[tuple[str, ...], Nothing]]:
    """For each kind the ids of the cases that it passes, its figures, and where they are concentrated."""
    found = {}
    for kind in KINDS:
        values = _values(kind, case_set, scorer)
        ids = tuple(case for case, value in values.items() if value >= scorer.pass_at)
        whole = fsum(case.weight for case in case_set.cases if case.id in values)
        kept = fsum(case.weight * values.get(case.id, 0.0) for case in case_set.cases)
        share = len(ids) / len(case_set.cases)
        where = tuple(_concentrated(case_set, set(ids), share))[:_GROUPS]
        found[str(kind)] = ids, Nothing(share=share, ret_ratio=kept / whole if whole else None, where=where)
    return found


def _concentrated(case_set: CaseSet, passed: Collection[str], share: float) -> Iterator[Group]:
    """The groups of which a larger share is passed than of the whole, the largest share first."""
    asked = Counter(group for case in case_set.cases for group in _groups(case))
    got = Counter(group for case in case_set.cases if case.id in passed for group in _groups(case))
    for group, n in sorted(got.items(), key=lambda item: (-item[1] / asked[item[0]], -item[1], item[0])):
        if n >= 2 and n / asked[group] > share:
            yield Group(group=group, passed=n, cases=asked[group])


def _groups(case: Case) -> set[str]:
    return {f"tag {tag}" for tag in case.tags} | ({f"set {case.set}"} if case.set else set())


def _values(kind: NullKind, case_set: CaseSet, scorer: Scorer) -> dict[str, float]:
    """The score of each case that gives one."""
    scored = ((case.id, _value(kind, case, scorer)) for case in case_set.cases)
    return {case: value for case, value in scored if value is not None}


def _value(kind: NullKind, case: Case, scorer: Scorer) -> float | None:
    turns = tuple(Turn(user=text, reply=null_reply(kind, text)) for text in case.input)
    value, _ = scorer.value(Record(case=case.id, trial=0, status=Status.completed, turns=turns))
    return value if isinstance(value, float) else None
