"""Results in, their audit out: lines, checklist, claims, and how far to trust them. Pure."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import chain

import msgspec

from fairtrial.evidence import identity, irregular, stated
from fairtrial.evidence.audit_texts import advice, meaning
from fairtrial.evidence.checklist import checklist
from fairtrial.evidence.doubts import Around, judge
from fairtrial.evidence.exhibit import Exhibit
from fairtrial.evidence.irregular import UNJUDGED, Finding, count, few, together
from fairtrial.evidence.side import Flags, Side
from fairtrial.evidence.thresholds import DoubtConfig
from fairtrial.schema.audit import Answer, Audit, Check, Claim, Fault
from fairtrial.schema.comparison import Comparison
from fairtrial.schema.evidence import Doubt
from fairtrial.text.language import say

_OF_A_ROUND = (
    "few_cases",
    "too_good",
    "too_low",
    "too_uniform",
    "few_trials",
    "errors",
    "mixed_models",
    "null_agent",
)
"""The lines of a round that can be judged of what others measured."""


@dataclass(frozen=True, kw_only=True)
class _Case:
    """All that the lines read."""

    exhibits: Sequence[Exhibit]
    claims: tuple[Claim, ...]

    @property
    def sides(self) -> list[Side]:
        return [exhibit.side for exhibit in self.exhibits]


def audit(exhibits: Sequence[Exhibit], comparison: Comparison | None = None) -> Audit:
    """Examine one result, or two of which `comparison` tells the difference."""
    case = _Case(
        exhibits=exhibits,
        claims=tuple(claim for one in exhibits for claim in stated.claims(one)),
    )
    doubts = (*(_doubt(name, line, case) for name, line in LINES.items()), *_of_rounds(exhibits))
    lit = {doubt.name for doubt in doubts if doubt.lit}
    checks = checklist(exhibits, lit)
    trust = _trust(doubts, checks)
    return Audit(
        paths=tuple(side.name for side in case.sides),
        formats=tuple(exhibit.format for exhibit in exhibits),
        summaries=tuple(exhibit.summary for exhibit in exhibits),
        checklist=checks,
        claims=case.claims,
        doubts=doubts,
        trust=trust,
        meaning=_meaning(trust, doubts, checks),
        comparison=comparison,
    )


def _trust(doubts: Sequence[Doubt], checks: Sequence[Check]) -> Answer:
    if any(doubt.lit and doubt.forbids for doubt in doubts):
        return Answer.no
    gaps = any(check.answer in (Answer.no, Answer.partly) for check in checks)
    return Answer.partly if gaps or any(doubt.lit for doubt in doubts) else Answer.yes


def _meaning(trust: Answer, doubts: Sequence[Doubt], checks: Sequence[Check]) -> str:
    comma = say(", ", "、")
    if trust is Answer.no:
        names = comma.join(doubt.name for doubt in doubts if doubt.lit and doubt.forbids)
        return say(f"These figures prove nothing as they are: {names}.", f"这些数字目前不足为凭：{names}。")
    if trust is Answer.partly:
        names = comma.join(check.name for check in checks if check.answer in (Answer.no, Answer.partly))
        names = names or comma.join(doubt.name for doubt in doubts if doubt.lit)
        return say(
            f"No fault that forbids trust, but gaps: {names}.", f"没有禁止采信的毛病，但有缺口：{names}。"
        )
    return say("Nothing speaks against these figures.", "没有发现不利于这些数字之处。")


def _doubt(name: str, line: "_Line", case: _Case) -> Doubt:
    found = line.measure(case)
    return Doubt(
        name=name,
        lit=found.lit,
        value=found.value,
        threshold=line.threshold if found.threshold is None else found.threshold,
        forbids=line.forbids if found.forbids is None else found.forbids,
        meaning=say(" ", "").join(part for part in (meaning(name), _aside(found.detail)) if part),
        advice=advice(name),
    )


def _aside(text: str) -> str:
    return say(f"({text})", f"（{text}）") if text else ""


@dataclass(frozen=True, kw_only=True)
class _Line:
    """How a line is measured; it is lit beyond `threshold`, on the side that its page names."""

    measure: Callable[[_Case], Finding]
    threshold: float | None = 0
    forbids: bool = True


def _each(
    check: Callable[[Exhibit], Finding], combine: Callable[[Sequence[float]], float] = sum
) -> Callable[[_Case], Finding]:
    """A line that looks at each result by itself."""
    return lambda case: together(
        [side.name for side in case.sides], [check(one) for one in case.exhibits], combine
    )


def _pair(check: Callable[[Side, Side], Finding]) -> Callable[[_Case], Finding]:
    """A line that holds two results against each other, where both have cases."""

    def measure(case: _Case) -> Finding:
        sides = [side for side in case.sides if side.ids]
        return check(*sides) if len(sides) == 2 else UNJUDGED

    return measure


def _faults(kind: str, rows: Callable[[Side], Flags]) -> Callable[[_Case], Finding]:
    """Cases that a reader found at fault, and those whose rows are."""

    def check(one: Exhibit) -> Finding:
        told = [fault.case or fault.where for fault in _told(one) if fault.kind == kind]
        there = [one.side.ids[case] for case in one.side.case[rows(one.side)].tolist()]
        return count(list(dict.fromkeys([*told, *there])))

    return _each(check)


def _told(one: Exhibit) -> Sequence[Fault]:
    return one.foreign.faults if one.foreign else ()


def _unreadable(one: Exhibit) -> Finding:
    """What a reader could not take as a result, besides scores that are none."""
    known = {"non_finite", "out_of_range", "no_score"}
    return count([f"{fault.where} {fault.says}" for fault in _told(one) if fault.kind not in known])


def _clusters(case: _Case) -> Finding:
    """Of others' results: ours count clusters already."""
    theirs = [one.side for one in case.exhibits if one.foreign is not None]
    return irregular.clusters(theirs) if theirs else UNJUDGED


def _ids(case: _Case) -> Finding:
    """Two results of the same cases name them once."""
    return identity.alike_ids(chain.from_iterable(dict.fromkeys(side.ids for side in case.sides)))


LINES: dict[str, _Line] = {
    "non_finite": _Line(measure=_faults("non_finite", irregular.infinite)),
    "out_of_range": _Line(measure=_faults("out_of_range", irregular.outside)),
    "unreadable": _Line(measure=_each(_unreadable), forbids=False),
    "duplicate_ids": _Line(measure=_each(lambda one: identity.duplicate_ids(one.side, one.numbered))),
    "alike_ids": _Line(measure=_ids),
    "clones": _Line(measure=_each(lambda one: identity.clones(one.side, one.repeats))),
    "trials_as_cases": _Line(
        measure=_each(lambda one: identity.trials_as_cases(one.side, one.numbered, one.repeats), max),
        threshold=1,
    ),
    "clusters": _Line(measure=_clusters, threshold=None, forbids=False),
    "saturated": _Line(
        measure=_each(lambda one: irregular.saturated(one.side), min),
        threshold=irregular.CERTAIN_FROM,
        forbids=False,
    ),
    "constant": _Line(measure=_each(lambda one: irregular.constant(one.side), min)),
    "errors_as_wrong": _Line(measure=_each(lambda one: irregular.errors_as_wrong(one.side))),
    "contradictions": _Line(measure=_each(lambda one: irregular.contradictions(one.side))),
    "claims": _Line(measure=lambda case: stated.disagreeing(case.claims)),
    "impossible": _Line(measure=_each(stated.impossible)),
    "missing_cases": _Line(measure=_each(stated.missing_cases, max)),
    "dropped_rows": _Line(measure=_pair(identity.dropped_rows)),
    "disjoint_ids": _Line(measure=_pair(identity.disjoint_ids), threshold=identity.DISJOINT_BELOW),
}


def _of_rounds(exhibits: Sequence[Exhibit]) -> tuple[Doubt, ...]:
    """The lines of a round, as a log of ours has them or judged on other figures; the worse of two."""
    found: dict[str, Doubt] = {}
    for exhibit in exhibits:
        for doubt in _of_round(exhibit):
            known = found.get(doubt.name)
            if len(exhibits) > 1 and doubt.lit:
                doubt = msgspec.structs.replace(doubt, meaning=f"{exhibit.side.name}: {doubt.meaning}")
            if known is None or _rank(doubt) > _rank(known):
                found[doubt.name] = doubt
    return tuple(found.values())


def _rank(doubt: Doubt) -> tuple[bool, bool]:
    return doubt.lit is True, doubt.lit is not None


def _of_round(exhibit: Exhibit) -> Sequence[Doubt]:
    foreign, header = exhibit.foreign, exhibit.header
    if foreign is None and header is not None and header.doubts:
        return header.doubts
    if exhibit.summary is None:
        return ()
    gifts, cases = foreign.nothing_passes if foreign else (), len(exhibit.side.ids)
    around = Around(null_agent=len(gifts) / cases if gifts else None)
    details = {
        "null_agent": say(f"{len(gifts)} of {cases} cases: ", f"{cases} 个用例中有 {len(gifts)} 个：")
        + few(gifts),
        "mixed_models": irregular.models_named(exhibit.side),
    }
    judged = judge(exhibit.summary, DoubtConfig().resolve(None, "import"), around)
    return [
        msgspec.structs.replace(
            doubt,
            meaning=say(" ", "").join(filter(None, (doubt.meaning, _aside(details.get(doubt.name, ""))))),
        )
        if doubt.lit
        else doubt
        for doubt in judged
        if doubt.name in _OF_A_ROUND
    ]
