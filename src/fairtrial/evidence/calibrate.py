"""What the rounds of one set and mode say of the doubt lines' thresholds and of the noise between rounds.

Every raw log takes part, refused rounds too: what a line refused is just what lies beyond it, and a sample
without that would draw the line ever closer.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from fairtrial.evidence.alignment import Pairs, aligned, alignment, usual_r
from fairtrial.evidence.columns import Columns, Floats
from fairtrial.evidence.doubts import LONG_HISTORY
from fairtrial.evidence.redrawn import (
    Points,
    around_none,
    changes,
    difference,
    levels,
    points_of,
    scores_of,
    variances,
)
from fairtrial.evidence.thresholds import LINES, Thresholds
from fairtrial.evidence.variances import cases_for, variances_of
from fairtrial.schema.evidence import Header
from fairtrial.schema.fingerprint import PartName
from fairtrial.schema.planning import Calibrated, NoiseFloor, Proposed, Variances
from fairtrial.schema.score import Row, Useful
from fairtrial.text.language import say

CASES_NEEDED, ROUNDS_NEEDED = 100, 3
"""Below these the spread of a history is not known well enough to draw a line by."""
_QUIET = 0.99
"""Share of redrawn rounds that a proposed line leaves quiet."""
_MAY_DIFFER = frozenset({PartName.seeds, PartName.concurrency, PartName.clock})
"""Parts in which two rounds of an unchanged agent may differ."""


@dataclass(frozen=True, kw_only=True)
class Sample:
    """A round as calibration sees it. `trials` is the usual number of sessions a case."""

    header: Header
    scores: Points
    useful: Points
    pairs: Pairs
    variances: Variances
    trials: float

    @classmethod
    def of(cls, header: Header, rows: Iterable[Row], *, pass_at: float) -> "Sample":
        """Read the rows of a round once."""
        expected: dict[str, float] = {}
        helped: dict[str, list[float]] = {}

        def noted() -> Iterator[Row]:
            for row in rows:
                if row.about.expected_score is not None:
                    expected[row.record.case] = row.about.expected_score
                if isinstance(row.score.useful, Useful):
                    helped.setdefault(row.record.case, []).append(row.score.useful.value)
                yield row

        columns = Columns.of(noted(), pass_at=pass_at)
        scores = scores_of(columns)
        return cls(
            header=header,
            scores=scores,
            useful=points_of(columns, {case: sum(n) / len(n) for case, n in helped.items()}),
            pairs=[
                (float(value), expected[case])
                for case, value in zip(scores.ids, scores.values, strict=True)
                if case in expected
            ],
            variances=variances_of(columns, log=header.run),
            trials=float(np.median(columns.held)) if columns.ids else 1.0,
        )


def calibrate(
    name: str | None, samples: Sequence[Sample], now: Thresholds, *, gap: float, seed: int = 0
) -> Calibrated:
    """What the rounds (oldest first) of the set `name` propose; `now` are the thresholds in force.

    `few_cases` is the least number of cases that shows a difference of `gap`. All other thresholds follow
    the history's own spread.
    """
    return Calibrated(
        set=name,
        mode=now.mode,
        rounds=len(samples),
        refused=sum(sample.header.status == "unreliable" for sample in samples),
        cases=cases_of(samples),
        scorers=len({sample.header.scorer_digest for sample in samples}),
        noise_floor=noise_floor(samples, seed=seed),
        alignment=alignment([sample.pairs for sample in samples], seed=seed),
        lines=(_few_cases(samples[-1], now, gap), *_following(samples, now, seed)),
    )


def cases_of(samples: Sequence[Sample]) -> int:
    """Cases that have a score in some round."""
    return len({case for sample in samples for case in sample.scores.ids})


def noise_floor(samples: Sequence[Sample], *, seed: int = 0) -> NoiseFloor | None:
    """How far apart rounds of an unchanged agent lie; None where no two rounds are known to be of one."""
    alike: dict[tuple[object, ...], list[Points]] = {}
    for sample in samples:
        if (key := _unchanged(sample.header)) is not None:
            alike.setdefault(key, []).append(sample.scores)
    pairs = [difference(a, b) for rounds in alike.values() for a, b in pairwise(rounds)]
    pairs = [pair for pair in pairs if pair.ids]
    redrawn = around_none(pairs, seed)
    if redrawn is None:
        return None
    return NoiseFloor(
        pairs=len(pairs),
        cases=min(len(pair.ids) for pair in pairs),
        floor=float(np.quantile(np.abs(redrawn.strata), 0.95)),
        seen=max(abs(float(np.average(pair.values, weights=pair.weights))) for pair in pairs),
    )


def _unchanged(header: Header) -> tuple[object, ...] | None:
    if header.fingerprint is None:
        return None
    parts = header.fingerprint.parts.items()
    return tuple(sorted((name, part.digest or "") for name, part in parts if name not in _MAY_DIFFER))


@dataclass(frozen=True)
class _Edge:
    """A threshold drawn from rounds, and the 95 % interval of the figure that it looks at."""

    at: float
    low: float
    high: float
    method: str


def _following(samples: Sequence[Sample], now: Thresholds, seed: int) -> Iterator[Proposed]:
    """The lines whose threshold follows the spread of the rounds; none where there is no spread."""
    for line, edge in _edges(samples, seed).items():
        if edge is not None and edge.low < edge.high:
            yield _proposed(line, edge, now, len(samples), cases_of(samples))


def _edges(samples: Sequence[Sample], seed: int) -> dict[str, _Edge | None]:
    scores, useful = [sample.scores for sample in samples], [sample.useful for sample in samples]
    met, helped, lately = levels(scores, seed), levels(useful, seed), levels(useful[-LONG_HISTORY:], seed)
    both = [level.strata for level in (met, helped) if level is not None]
    spread, moved, fell = variances(scores, seed), changes(scores, seed), changes(useful, seed)
    usual = usual_r(aligned([sample.pairs for sample in samples]))
    return {
        "too_good": max((_upper(level) for level in both), key=lambda edge: edge.at, default=None),
        "too_low": min((_lower(level) for level in both), key=lambda edge: edge.at, default=None),
        "too_uniform": _lower(spread.strata) if spread else None,
        "correlation": _usual(*usual) if usual else None,
        "useful_high": _upper(lately.total) if lately else None,
        "useful_falls": _upper(-fell.strata) if fell else None,
        "jump": _upper(np.abs(moved.strata)) if moved else None,
    }


def _upper(values: Floats) -> _Edge:
    return _edge(values, _QUIET)


def _lower(values: Floats) -> _Edge:
    return _edge(values, 1 - _QUIET)


def _edge(values: Floats, share: float) -> _Edge:
    at, low, high = np.quantile(values, [share, 0.025, 0.975])
    method = say(
        f"{100 * _QUIET:g} % of redrawn rounds stay quiet (bootstrap over cases)",
        f"{100 * _QUIET:g}% 的重抽轮次不会亮（对用例自助重抽）",
    )
    return _Edge(float(at), float(low), float(high), method)


def _usual(low: float, high: float) -> _Edge:
    method = say("the upper end of the interval of r (Fisher's z)", "r 的区间上端（Fisher z）")
    return _Edge(max(abs(low), abs(high)), low, high, method)


def _few_cases(sample: Sample, now: Thresholds, gap: float) -> Proposed:
    cases = cases_for(gap, max(1.0, sample.trials), sample.variances)
    threshold, before = max(LINES["few_cases"].least, float(cases)), now.lines["few_cases"].threshold
    chance, by = f"{sample.trials:g}", sample.variances.method
    return Proposed(
        line="few_cases",
        threshold=threshold,
        now=before,
        low=None,
        high=None,
        follows="power",
        looser=threshold < before,
        why=say(
            f"so many cases of {chance} trials show a difference of {gap:g} with a chance of 0.8; {by}",
            f"这么多用例、每例 {chance} 次，有 0.8 的把握看出 {gap:g} 的差异；{by}",
        ),
    )


def _proposed(line: str, edge: _Edge, now: Thresholds, rounds: int, cases: int) -> Proposed:
    limits, before = LINES[line], now.lines[line].threshold
    above = limits.side == "above"
    # Rounded to the lenient side, so that what is written leaves quiet what it was drawn from.
    written = (np.ceil if above else np.floor)(edge.at * 1e4) / 1e4
    threshold = float(min(limits.most, max(limits.least, written)))
    low, high = f"{edge.low:.4f}", f"{edge.high:.4f}"
    return Proposed(
        line=line,
        threshold=threshold,
        now=before,
        low=edge.low,
        high=edge.high,
        follows="spread",
        looser=threshold > before if above else threshold < before,
        why=say(
            f"from {rounds} rounds of {cases} cases, refused ones included: {edge.method}; "
            f"95 % interval {low} to {high}",
            f"由 {rounds} 轮、{cases} 个用例，含被拒的轮次：{edge.method}；95% 区间 {low} 至 {high}",
        ),
    )
