"""The null agents over a whole case set: what does an agent pass that does nothing?"""

from collections.abc import Mapping
from typing import Any, get_args

from fairtrial.agents.config import NullKind
from fairtrial.agents.null import null_reply
from fairtrial.schema.case import Case, CaseSet
from fairtrial.schema.record import Record, Status, Turn
from fairtrial.scoring.score import Scorer

TRIED = 200
"""A run tries the null agents on so many cases, spread evenly; `check --null` on all of them."""
KINDS: tuple[NullKind, ...] = get_args(NullKind)


def null_passes(case_set: CaseSet, scorer: Scorer) -> Mapping[NullKind, tuple[str, ...]]:
    """For each kind of null agent the ids of the cases that it passes."""
    return {kind: tuple(case.id for case in case_set.cases if _passes(kind, case, scorer)) for kind in KINDS}


def null_shares(case_set: CaseSet, scorer: Scorer) -> dict[str, Any]:
    """The share of cases each kind passes, and the largest of them, over `tried` cases: for the header."""
    cases = case_set.cases
    some = cases[:: -(-len(cases) // TRIED)]
    passed = null_passes(case_set.model_copy(update={"cases": some}), scorer)
    shares = {kind: len(ids) / len(some) for kind, ids in passed.items()}
    return {"share": max(shares.values()), "by_kind": shares, "tried": len(some)}


def _passes(kind: NullKind, case: Case, scorer: Scorer) -> bool:
    turns = tuple(Turn(user=text, reply=null_reply(kind, text)) for text in case.input)
    value, _ = scorer.value(Record(case=case.id, trial=0, status=Status.completed, turns=turns))
    return isinstance(value, float) and value >= scorer.pass_at
