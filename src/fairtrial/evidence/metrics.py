"""The metrics of a log from its rows: each with its interval, by bucket, and with the sessions against it."""

from array import array
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from math import fsum
from typing import NamedTuple

import numpy as np

from fairtrial.evidence.buckets import LENGTH, TURNS, UNKNOWN
from fairtrial.evidence.estimate import estimate_mean
from fairtrial.schema.evidence import Estimate
from fairtrial.schema.metrics import Against, Measured, Metric, Metrics, NotJudged, Share, Verdict
from fairtrial.schema.score import Row
from fairtrial.scoring.metrics import measures
from fairtrial.scoring.metrics_measure import Measure
from fairtrial.scoring.reading import examined
from fairtrial.stats.intervals import CLUSTERS_NEEDED, cr1, distinct, influences, weighted_mean
from fairtrial.stats.passk import pass_hat_k
from fairtrial.stats.student import t95
from fairtrial.stats.sums import ExactSums
from fairtrial.text.language import say
from fairtrial.text.words import tongue

_UNITS = {
    Metric.steps: "ratio",
    Metric.latency: "seconds",
    Metric.first_token: "seconds",
    Metric.input_tokens: "tokens",
    Metric.output_tokens: "tokens",
    Metric.cost: "money",
}
"""Units other than a share in [0, 1]."""
_COUNTED = frozenset(
    {
        Metric.tool_effectiveness,
        Metric.useless_calls,
        Metric.failure_recovery,
        Metric.memory_retention,
        Metric.latency,
        Metric.first_token,
    }
)
"""Metrics over all that was counted; the others are means of cases by weight."""
_REASONS = 3
"""Reasons named of a session that counts against a metric."""


class _Case(NamedTuple):
    """What a case's metrics are grouped by."""

    id: str
    weight: float
    cluster: str | None
    task_type: str
    given: str
    tags: tuple[str, ...]
    language: str


_Group = tuple[str, str, list[int]]
"""A kind of bucket, its name, and the cases in it."""


class _Sums:
    """One metric by case."""

    def __init__(self) -> None:
        self.got, self.of = ExactSums(), array("q")
        self.skipped: Counter[NotJudged] = Counter()
        self.details: Counter[str] = Counter()
        self.against: list[tuple[int, int, str]] = []
        self.parts: dict[str, dict[int, tuple[float, int]]] = {}
        self.spread = array("f")

    def grow(self) -> None:
        self.got.grow()
        self.of.append(0)

    def add(self, case: int, trial: int, found: Measure) -> None:
        if found.of:
            self.got.add(case, found.got)
            self.of[case] += found.of
        self.skipped.update(found.skipped)
        self.details.update(found.details)
        self.spread.extend(found.spread)
        for part, (got, of) in found.parts.items():
            before, n = self.parts.setdefault(part, {}).get(case, (0.0, 0))
            self.parts[part][case] = (before + got, n + of)
        if found.against:
            why = dict.fromkeys(found.against)
            more = f" … +{len(why) - _REASONS}" if len(why) > _REASONS else ""
            self.against.append((case, trial, say("; ", "；").join(list(why)[:_REASONS]) + more))


class Measuring:
    """Takes the rows of a log in, one by one, and keeps numbers by case and the sessions against a metric."""

    def __init__(self, *, pass_at: float) -> None:
        """`pass_at` is the score in (0, 1] from which a trial passes."""
        self._pass_at = pass_at
        self._index: dict[str, int] = {}
        self._cases: list[_Case] = []
        self._turns, self._length = array("q"), array("q")
        own: list[Metric] = [name for name in Metric if name is not Metric.pass_hat_k]
        self._sums = {name: _Sums() for name in own}
        self._sessions = 0

    def add(self, row: Row, verdict: Verdict | None = None) -> None:
        """Take one session in, and what a person found in it."""
        case = self._case(row)
        self._sessions += 1
        found = measures(row, pass_at=self._pass_at, verdict=verdict)
        for name, measure in found.items():
            self._sums[name].add(case, row.record.trial, measure)

    def close(self) -> Metrics:
        """The metrics, the same in whatever order the rows came."""
        order = sorted(range(len(self._cases)), key=lambda at: (len(self._cases[at].id), self._cases[at].id))
        groups = list(self._groups(order))
        found = {name: self._measured(name, sums, order, groups) for name, sums in self._sums.items()}
        completion = self._sums[Metric.task_completion]
        found[Metric.pass_hat_k] = self._powers(completion, found[Metric.task_completion], order, groups)
        return Metrics(sessions=self._sessions, metrics=tuple(found[name] for name in Metric))

    def _case(self, row: Row) -> int:
        record, about = examined(row.record), row.about
        at = self._index.setdefault(record.case, len(self._cases))
        if at == len(self._cases):
            said = "\n".join(turn.user for turn in record.turns)
            self._cases.append(
                _Case(
                    record.case,
                    about.weight,
                    about.cluster,
                    about.task_type or UNKNOWN,
                    about.bucket or UNKNOWN,
                    about.tags,
                    tongue(said) or UNKNOWN,
                )
            )
            self._turns.append(0)
            self._length.append(0)
            for sums in self._sums.values():
                sums.grow()
        # A session that broke off early does not show how long the case is.
        self._turns[at] = max(self._turns[at], len(record.turns))
        self._length[at] = max(self._length[at], sum(len(turn.user) for turn in record.turns))
        return at

    def _measured(
        self, name: Metric, sums: _Sums, order: Sequence[int], groups: Sequence[_Group]
    ) -> Measured:
        def estimate(cases: Sequence[int]) -> Estimate:
            able = [case for case in cases if sums.of[case]]
            got = [(sums.got.total(case) or 0.0) / sums.of[case] for case in able]
            return self._estimate(name, able, got, [sums.of[case] for case in able])

        buckets = [
            Share(kind=kind, name=group, estimate=found)
            for kind, group, cases in groups
            if (found := estimate(cases)).n
        ]
        for part in sorted(sums.parts, key=int):
            at = {case: sums.parts[part][case] for case in order if case in sums.parts[part]}
            got = [got / of for got, of in at.values()]
            found = self._estimate(name, list(at), got, [of for _, of in at.values()])
            buckets.append(Share(kind="distance", name=part, estimate=found))
        against = sorted(sums.against, key=lambda one: (self._cases[one[0]].id, one[1]))
        return Measured(
            name=name,
            unit=_UNITS.get(name, "share"),
            estimate=estimate(order),
            counted=sum(sums.of),
            not_judged={why: sums.skipped[why] for why in NotJudged if sums.skipped[why]},
            details=_details(name, sums),
            against=tuple(Against(case=self._cases[c].id, trial=trial, why=why) for c, trial, why in against),
            buckets=tuple(buckets),
        )

    def _estimate(
        self, name: Metric, cases: Sequence[int], values: Sequence[float], counted: Sequence[int]
    ) -> Estimate:
        if name in _COUNTED or name is Metric.pass_hat_k:
            weights = [float(of) for of in counted]
        else:
            weights = [self._cases[case].weight for case in cases]
        codes: dict[str | int, int] = {}
        clusters = [codes.setdefault(self._cases[c].cluster or c, len(codes)) for c in cases]
        return (open_mean if name in _UNITS else estimate_mean)(values, weights, clusters)

    def _powers(
        self, sums: _Sums, completion: Measured, order: Sequence[int], groups: Sequence[_Group]
    ) -> Measured:
        """pass^k of the largest k that every case has trials for; each k in the parts."""
        tried = [case for case in order if sums.of[case]]
        least = min((sums.of[case] for case in tried), default=1)

        def estimate(cases: Sequence[int], k: int) -> Estimate:
            able = [case for case in cases if sums.of[case] >= k]
            passed = [round(sums.got.total(case) or 0.0) for case in able]
            values = [pass_hat_k(sums.of[c], n, k) for c, n in zip(able, passed, strict=True)]
            return self._estimate(Metric.pass_hat_k, able, values, [1] * len(able))

        most = max((sums.of[case] for case in tried), default=0)
        shares = [Share(kind=kind, name=name, estimate=estimate(some, least)) for kind, name, some in groups]
        shares += [Share(kind="k", name=str(k), estimate=estimate(order, k)) for k in range(1, most + 1)]
        return Measured(
            name=Metric.pass_hat_k,
            unit="share",
            estimate=estimate(order, least),
            counted=len(tried),
            not_judged=completion.not_judged,
            details={"k": least if tried else None},
            against=completion.against,
            buckets=tuple(share for share in shares if share.estimate.n),
        )

    def _groups(self, order: Sequence[int]) -> Iterator[_Group]:
        """The cases of each bucket; a kind that all cases share, or that none tells, is none."""
        names: dict[str, list[str]] = {
            "task type": [case.task_type for case in self._cases],
            "turns": _binned(self._turns, TURNS),
            "length": _binned(self._length, LENGTH),
            "language": [case.language for case in self._cases],
            "bucket": [case.given for case in self._cases],
        }
        for kind, of in names.items():
            for name in sorted(set(of)) if len(set(of)) > 1 else ():
                yield kind, name, [case for case in order if of[case] == name]
        for tag in sorted({tag for case in self._cases for tag in case.tags}):
            yield "tag", tag, [case for case in order if tag in self._cases[case].tags]


def open_mean(values: Sequence[float], weights: Sequence[float], clusters: Sequence[int]) -> Estimate:
    """The weighted mean of values >= 0 that have no upper end, and its interval by clusters, from 0.

    mean ± t · CR1 with G − 1 degrees of freedom for G clusters (Liang and Zeger 1986; Miller 2024,
    arXiv:2411.00640, section 2.2), cut off at 0. None below `CLUSTERS_NEEDED`, and where all are
    alike: without any spread nothing is known of it.
    """
    if not values:
        why = say("undetermined (no case)", "undetermined（没有用例）")
        return Estimate(mean=None, low=None, high=None, n=0, method=why)
    mean, count = weighted_mean(values, weights), distinct(clusters)
    error = cr1(influences(values, weights), clusters) if count >= CLUSTERS_NEEDED else None
    if not error or error <= 1e-12 * mean:
        en = f"{count} clusters, {CLUSTERS_NEEDED} needed" if error is None else "no spread"
        zh = f"{count} 簇，至少 {CLUSTERS_NEEDED}" if error is None else "没有离散"
        why = say(f"undetermined ({en})", f"undetermined（{zh}）")
        return Estimate(mean=mean, low=None, high=None, n=len(values), method=why)
    half = t95(count - 1) * error
    method = say(f"clustered t ({count} clusters)", f"clustered t（{count} 簇）")
    return Estimate(mean=mean, low=max(0.0, mean - half), high=mean + half, n=len(values), method=method)


_DETAILS: Mapping[Metric, tuple[str, ...]] = {
    Metric.task_completion: ("marked", "compared", "agreed"),
    Metric.tool_effectiveness: ("failed", "empty", "repeated"),
    Metric.key_information: ("by_key_facts",),
    Metric.steps: ("least_from_rules",),
}


def _details(name: Metric, sums: _Sums) -> dict[str, int | float | None]:
    if name in (Metric.latency, Metric.first_token):
        some = len(sums.spread) > 0
        return {f"p{q}": float(np.quantile(sums.spread, q / 100)) if some else None for q in (50, 95)}
    if name in (Metric.input_tokens, Metric.output_tokens, Metric.cost):
        known = fsum(sums.got.total(case) or 0.0 for case in range(len(sums.of)))
        return {"total_known": known if any(sums.of) else None}
    return {key: sums.details[key] for key in _DETAILS.get(name, ())}


def _binned(values: "array[int]", edges: Sequence[tuple[int, str]]) -> list[str]:
    names = (UNKNOWN, *(name for _, name in edges))
    return [names[code] for code in np.digitize(values, [edge for edge, _ in edges])]
