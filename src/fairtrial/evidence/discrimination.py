"""Which cases tell one version of an agent from another, as far as their history shows."""

from collections.abc import Iterable, Mapping, Sequence

import msgspec

from fairtrial.evidence.columns import Columns
from fairtrial.evidence.variances import detectable_with, variances_of
from fairtrial.schema.health import CaseHealth, Passed, Saturation
from fairtrial.schema.score import Row

ROUNDS_NEEDED = 3
"""Below this nothing is said of a case: two rounds that agree are often chance."""


class _History:
    """What the rows of one case add up to, round by round."""

    __slots__ = ("rounds", "rules", "scores")

    def __init__(self) -> None:
        self.rounds: list[list[bool]] = []
        self.scores: set[float] = set()
        self.rules: dict[str, set[bool]] = {}

    def add(self, row: Row, passed: bool) -> None:
        """Take a scored trial of the latest round in."""
        self.rounds[-1].append(passed)
        if isinstance(row.score.value, float):
            self.scores.add(row.score.value)
        for at, hit in enumerate(row.score.hits):
            if hit.met is not None:
                self.rules.setdefault(f"{at} ({hit.rule})", set()).add(hit.met)

    def health(self, case: str) -> CaseHealth:
        trials, passes = sum(map(len, self.rounds)), sum(map(sum, self.rounds))
        repeated = [passed for passed in self.rounds if len(passed) > 1]
        return CaseHealth(
            case=case,
            passed=_passed(len(self.rounds), trials, passes),
            rounds=len(self.rounds),
            trials=trials,
            passes=passes,
            low=min(self.scores, default=None),
            high=max(self.scores, default=None),
            repeated=len(repeated),
            flips=sum(len(set(passed)) > 1 for passed in repeated),
            decided_by=self._decided_by(),
        )

    def _decided_by(self) -> str | None:
        """The only one of several rules that came out both ways, which a case has that moves."""
        moving = [rule for rule, met in self.rules.items() if len(met) > 1]
        return moving[0] if len(moving) == 1 < len(self.rules) else None


def _passed(rounds: int, trials: int, passes: int) -> Passed:
    if 0 < passes < trials:
        return "sometimes"
    if rounds < ROUNDS_NEEDED:
        return "not known"
    return "always" if passes else "never"


def by_case(cases: Iterable[str], rounds: Iterable[Iterable[Row]], *, pass_at: float) -> list[CaseHealth]:
    """Each of the cases over its rounds, in their order; rows of other cases are passed over.

    `pass_at` in (0, 1]. A trial without a score is no trial, a round without a scored one no round.
    """
    known = {case: _History() for case in cases}
    for rows in rounds:
        begun = set[str]()
        for row in rows:
            case, passed = row.record.case, row.score.passes(pass_at)
            if passed is None or case not in known:
                continue
            if case not in begun:
                begun.add(case)
                known[case].rounds.append([])
            known[case].add(row, passed)
    return [history.health(case) for case, history in known.items()]


def saturation(
    cases: Sequence[CaseHealth],
    weights: Mapping[str, float],
    latest: Iterable[Row],
    *,
    run: str,
    pass_at: float,
) -> Saturation:
    """How much of a set no longer tells anything, and the smallest difference that the rest can show.

    A case tells nothing more where its score was the same in every trial of enough rounds.
    `weights` of the cases, `latest` the rows of the latest round, on which the variances are measured.
    """
    left = {case.case for case in cases if case.moves}
    known = [case.case for case in cases if case.moves or case.rounds >= ROUNDS_NEEDED]
    found = Saturation(known=len(known), left=len(left), share=1 - len(left) / len(known) if known else None)
    columns = Columns.of((row for row in latest if row.record.case in left), pass_at=pass_at)
    if len(columns.ids) < 2:
        return found
    variances = variances_of(columns, log=run)
    trials = max(1, int(columns.held.max()))
    detectable = detectable_with(len(left), trials, variances)
    share = sum(weights[case] for case in left) / sum(weights[case] for case in known)
    return msgspec.structs.replace(
        found, trials=trials, detectable=detectable, of_whole=detectable * share, method=variances.method
    )
