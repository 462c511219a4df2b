"""The figures of a round from its rows, each with its interval and the name of its method.

Formulas and the keys of `facts` and `usage`: docs/figures.md.
"""

from array import array
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from math import fsum, isnan

from fairtrial.evidence.tally import Tally
from fairtrial.schema.evidence import Counts, Estimate, Summary
from fairtrial.schema.record import Status
from fairtrial.schema.score import Row
from fairtrial.stats.correlation import Correlation, correlate
from fairtrial.stats.intervals import (
    CLUSTERS_NEEDED,
    Interval,
    clustered,
    distinct,
    influences,
    kish,
    mean_interval,
    sample_variance,
    weighted_mean,
)
from fairtrial.stats.passk import pass_hat_k
from fairtrial.stats.sums import ExactSums
from fairtrial.text.language import say


def summarise(rows: Iterable[Row], *, planned: int, pass_at: float, useful_weight: float) -> Summary:
    """All figures of a round of `planned` sessions; the same whatever the order of the rows.

    `pass_at` is the case score from which a trial passes, `useful_weight` the share of useful in the
    total, both in [0, 1]. Reads the rows once and keeps numbers only.
    """
    tally = Tally(pass_at)
    for row in rows:
        tally.add(row)
    cases = tally.close()
    met = _Points(tally, tally.score, (c for c in cases if tally.score.n[c]))
    asked = array("i", (c for c in cases if tally.score.n[c] or tally.scorable[c]))
    ret_ratio = _estimate(met)
    helped = _Points(tally, tally.useful, (c for c in cases if tally.useful.n[c]))
    return Summary(
        counts=_counts(tally, planned),
        total=_total(met, ret_ratio, helped, useful_weight),
        ret_ratio=ret_ratio,
        ret_ratio_all=ret_ratio if asked == met.cases else _estimate(_Points(tally, tally.score, asked)),
        useful=_estimate(helped),
        pass_hat_k=powers(Counter(zip(tally.score.n, tally.passes, strict=True)), max(tally.held, default=0)),
        tags={
            tag: _estimate(_Points(tally, tally.score, some)) for tag, some in tally.tagged(met.cases).items()
        },
        pass_rates=_pass_rates(tally),
        facts=_facts(tally, met, planned)
        | {"useful_weight": useful_weight, "pass_at": pass_at}
        | _alignment(tally, met),
        usage=tally.usage.figures(),
    )


class _Points:
    """One value, weight and cluster for each of some cases; a case without a value takes part as 0."""

    def __init__(self, tally: Tally, sums: ExactSums, cases: Iterable[int]) -> None:
        self.cases = array("i", cases)
        self.values = array("d", (sums.mean(c) or 0.0 for c in self.cases))
        self.weights = array("d", (tally.weight[c] for c in self.cases))
        self.clusters = array("i", (tally.cluster[c] for c in self.cases))

    def __len__(self) -> int:
        return len(self.cases)


def _counts(tally: Tally, planned: int) -> Counts:
    by_status = {status.value: tally.by_status[status.value] for status in Status}
    errored = sum(by_status[status.value] for status in Status if not status.counts)
    shown = {name: n for name, n in by_status.items() if n}
    causes = sorted(tally.causes.items(), key=lambda cause: (-cause[1], cause[0]))[:3]
    return Counts(planned=planned, scored=tally.scored, errored=errored, by_status=shown, causes=dict(causes))


def _estimate(points: _Points) -> Estimate:
    return estimate_mean(points.values, points.weights, points.clusters)


def estimate_mean(values: Sequence[float], weights: Sequence[float], clusters: Sequence[int]) -> Estimate:
    """The weighted mean of values in [0, 1], its interval by clusters, numbered from 0, and its method."""
    if not values:
        return Estimate(
            mean=None, low=None, high=None, n=0, method=_because("undetermined", "no case", "没有用例")
        )
    found = mean_interval(values, weights, clusters)
    return _named(weighted_mean(values, weights), found, clusters, n=len(values))


def _named(
    mean: float, found: Interval | None, clusters: Sequence[int], *, n: int, what: str = ""
) -> Estimate:
    """The estimate with the name of its interval's method, or why there is none."""
    count = distinct(clusters)
    if found is None:
        need = CLUSTERS_NEEDED
        why = _because(
            "undetermined", f"{count} clusters, {need} needed{what}", f"{count} 簇，至少 {need}{what}"
        )
        return Estimate(mean=mean, low=None, high=None, n=n, method=why)
    method = found.method
    if method == "clustered":
        method = _because(method, f"{count} clusters{what}", f"{count} 簇{what}")
    return Estimate(mean=mean, low=found.low, high=found.high, n=n, method=method)


def _because(word: str, en: str, zh: str) -> str:
    """The method's word, the same in both languages, and why in the reader's."""
    return word + say(f" ({en})", f"（{zh}）")


def _total(met: _Points, alone: Estimate, helped: _Points, share: float) -> Estimate:
    """(1 − share)·ret_ratio + share·useful; its influences are those of both, added by cluster.

    `alone` is the estimate of ret_ratio.
    """
    if not met:
        return alone
    if not helped:
        method = alone.method + say(
            "; ret_ratio alone, useful Unscored for all", "；只有 ret_ratio，useful 全部未计分"
        )
        return Estimate(mean=alone.mean, low=alone.low, high=alone.high, n=alone.n, method=method)
    parts = ((1 - share, met), (share, helped))
    mean = fsum(part * weighted_mean(points.values, points.weights) for part, points in parts)
    influence, shares, clusters = array("d"), array("d"), array("i")
    for part, points in parts:
        all_weight = fsum(points.weights)
        influence.extend(part * psi for psi in influences(points.values, points.weights))
        shares.extend(part * weight / all_weight for weight in points.weights)
        clusters.extend(points.clusters)
    n = distinct(met.cases + helped.cases)
    what = say("; ", "；") + f"{1 - share:g} ret_ratio + {share:g} useful"
    return _named(mean, clustered(mean, influence, shares, clusters), clusters, n=n, what=what)


def powers(kinds: Mapping[tuple[int, int], int], most: int) -> dict[str, float | None]:
    """pass^k for k from 1 to `most`, over the cases with at least k that count, unweighted.

    `kinds` counts the cases of so many scored trials of which so many pass.
    """
    found: dict[str, float | None] = {}
    for k in range(1, most + 1):
        able = [(kind, times) for kind, times in kinds.items() if kind[0] >= k]
        mass = fsum(pass_hat_k(trials, passes, k) * times for (trials, passes), times in able)
        found[str(k)] = mass / sum(times for _, times in able) if able else None
    return found


def _pass_rates(tally: Tally) -> dict[str, int]:
    """How many cases passed in how many of their scored trials, the worst first."""
    kinds = Counter((n, passed) for n, passed in zip(tally.score.n, tally.passes, strict=True) if n)
    ordered = sorted(kinds.items(), key=lambda kind: (kind[0][1] / kind[0][0], -kind[0][0]))
    return {f"{passed}/{n}": cases for (n, passed), cases in ordered}


def _facts(tally: Tally, met: _Points, planned: int) -> dict[str, int | float | None]:
    told = tally.checked + tally.unchecked
    answerable = planned - tally.unscorable
    return {
        "cases": len(tally.held),
        "clusters": distinct(met.clusters),
        "n_eff": kish(met.weights) if met else None,
        "trials_min": min(tally.held, default=None),
        "trials_max": max(tally.held, default=None),
        "unscored": tally.unscored,
        "unscorable": tally.unscorable,
        "not_held": planned - sum(tally.by_status.values()),
        "share_without_score": (answerable - tally.scored) / answerable if answerable > 0 else None,
        "variance": sample_variance(met.values),
        "useful_unchecked": tally.unchecked / told if told else None,
        "useful_supported": tally.supported,
        "useful_unsupported": tally.unsupported,
    }


def _alignment(tally: Tally, met: _Points) -> dict[str, int | float | None]:
    """Case scores beside the scores that were expected, for the cases that carry one."""
    having = [not isnan(tally.expected[case]) for case in met.cases]
    got = array("d", (v for v, has in zip(met.values, having, strict=True) if has))
    expected = array("d", (tally.expected[c] for c, has in zip(met.cases, having, strict=True) if has))
    found: Correlation = correlate(got, expected)
    return {
        "r_n": found.n,
        "r": found.r,
        "r_low": found.low,
        "r_high": found.high,
        "r_differences": found.r_differences,
    }
