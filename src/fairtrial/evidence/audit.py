"""Results in, their audit out: lines, checklist, claims, and how far to trust them. Pure."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import chain

import msgspec

from fairtrial.evidence import identity, irregular, stated
from fairtrial.evidence.around import Around
from fairtrial.evidence.audit_texts import advice, meaning
from fairtrial.evidence.checklist import checklist
from fairtrial.evidence.columns import Columns, Flags
from fairtrial.evidence.compare import compare
from fairtrial.evidence.doubts import judge
from fairtrial.evidence.exhibit import Exhibit
from fairtrial.evidence.faults import faults
from fairtrial.evidence.irregular import UNJUDGED, Finding, count, few, together
from fairtrial.evidence.side import Side
from fairtrial.evidence.thresholds import DoubtConfig
from fairtrial.records.fingerprint import differences
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
    """All that the lines read; `sides` are those of results, where a file of figures alone has none."""

    exhibits: Sequence[Exhibit]
    claims: tuple[Claim, ...]
    sides: Sequence[Side]


def audit(exhibits: Sequence[Exhibit], columns: Sequence[Columns] = ()) -> Audit:
    """Examine one result, or two: the base first, compared where `columns` has the numbers of both."""
    claims = stated.claims(exhibits)
    shown = [one for one in exhibits if one.side.ids] or exhibits
    case = _Case(exhibits=exhibits, claims=claims, sides=[one.side for one in shown if one.side.ids])
    doubts = (*(_doubt(name, line, case) for name, line in LINES.items()), *_of_rounds(exhibits))
    checks = checklist(shown, {doubt.name for doubt in doubts if doubt.lit})
    trust = _trust(doubts, checks)
    return Audit(
        paths=tuple(one.side.name for one in exhibits),
        formats=tuple(one.format for one in exhibits),
        summaries=tuple(one.summary for one in exhibits),
        checklist=checks,
        claims=claims,
        doubts=doubts,
        trust=trust,
        meaning=_meaning(trust, doubts, checks),
        comparison=_compared(exhibits, columns, doubts) if len(columns) == 2 else None,
    )


def _compared(exhibits: Sequence[Exhibit], columns: Sequence[Columns], doubts: Sequence[Doubt]) -> Comparison:
    """What the two differ by; nothing is shown by results of which a line forbids trust."""
    base, candidate = exhibits
    early = say("stopped early, when it was decided", "一有定论就提前停止")
    unreliable = [f"{one.side.name}: {early}" for one in exhibits if one.stopped_early]
    return compare(
        *columns,
        base_name=base.side.name,
        candidate_name=candidate.side.name,
        differs=differences(base.fingerprint, candidate.fingerprint),
        fingerprinted=not (base.foreign or candidate.foreign),
        unreliable=[*(doubt.name for doubt in doubts if doubt.lit and doubt.forbids), *unreliable],
        faults=[
            faults(one.side.name, side, one.foreign) for one, side in zip(exhibits, columns, strict=True)
        ],
    )


def _trust(doubts: Sequence[Doubt], checks: Sequence[Check]) -> Answer:
    if any(doubt.lit and doubt.forbids for doubt in doubts):
        return Answer.no
    gaps = any(check.answer in (Answer.no, Answer.partly) for check in checks)
    return Answer.partly if gaps or any(doubt.lit for doubt in doubts) else Answer.yes


def _meaning(trust: Answer, doubts: Sequence[Doubt], checks: Sequence[Check]) -> str:
    lit = ", ".join(doubt.name for doubt in doubts if doubt.lit and (doubt.forbids or trust is not Answer.no))
    if trust is Answer.no:
        return say(f"These figures prove nothing as they are: {lit}.", f"这些数字目前不足为凭：{lit}。")
    if trust is Answer.partly:
        names = ", ".join(check.name for check in checks if check.answer in (Answer.no, Answer.partly)) or lit
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
        meaning=_sentences(meaning(name), found.detail),
        advice=advice(name),
    )


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
        [one.side.name for one in case.exhibits], [check(one) for one in case.exhibits], combine
    )


def _pair(check: Callable[[Side, Side], Finding]) -> Callable[[_Case], Finding]:
    """A line that holds two results against each other, where both have cases."""
    return lambda case: check(*case.sides) if len(case.sides) == 2 else UNJUDGED


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
    """The lines of a round, as a log of ours has them or judged on other figures; of two, those lit."""
    found: dict[str, list[tuple[str, Doubt]]] = {}
    for exhibit in exhibits:
        for doubt in _of_round(exhibit):
            found.setdefault(doubt.name, []).append((exhibit.side.name, doubt))
    return tuple(_worse(told, len(exhibits)) for told in found.values())


def _worse(told: Sequence[tuple[str, Doubt]], of: int) -> Doubt:
    """A line that is lit says for which of the results, unless it says the same of all."""
    lit = [(name, doubt) for name, doubt in told if doubt.lit]
    if not lit:
        return next((doubt for _, doubt in told if doubt.lit is False), told[0][1])
    if len(lit) == of and len({doubt.meaning for _, doubt in lit}) == 1:
        return lit[0][1]
    meaning = say("; ", "；").join(f"{name}: {doubt.meaning}" for name, doubt in lit)
    return msgspec.structs.replace(max(lit, key=lambda one: one[1].forbids)[1], meaning=meaning)


def _of_round(exhibit: Exhibit) -> Sequence[Doubt]:
    foreign, header, summary = exhibit.foreign, exhibit.header, exhibit.summary
    if header is not None and header.doubts:
        return header.doubts
    if summary is None:
        return ()
    gifts, cases = foreign.nothing_passes if foreign else (), len(exhibit.side.ids)
    facts = summary.facts
    if foreign is not None:  # what its file lacks is in the line `missing_cases`
        facts = facts | {"share_without_score": 1 - summary.counts.scored / len(exhibit.side.case)}
    judged = judge(
        msgspec.structs.replace(summary, facts=facts),
        DoubtConfig().resolve(None, "import"),
        Around(null_agent=len(gifts) / cases if gifts else None),
    )
    given = say(f"{len(gifts)} of {cases} cases: ", f"{cases} 个用例中有 {len(gifts)} 个：") + few(gifts)
    details = {"null_agent": given, "mixed_models": irregular.models_named(exhibit.side)}
    return [_with(doubt, details.get(doubt.name, "")) for doubt in judged if doubt.name in _OF_A_ROUND]


def _with(doubt: Doubt, detail: str) -> Doubt:
    """With what is known of a file whose cases are not at hand."""
    if doubt.name == "null_agent":
        doubt = msgspec.structs.replace(doubt, meaning=meaning(doubt.name), advice=advice(doubt.name))
    return msgspec.structs.replace(doubt, meaning=_sentences(doubt.meaning, detail)) if doubt.lit else doubt


def _sentences(words: str, detail: str) -> str:
    """What a line means, and in brackets what it is about."""
    return say(f"{words} ({detail})", f"{words}（{detail}）") if detail else words
