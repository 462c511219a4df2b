"""What a file says of its own figures, against its results and against arithmetic; pure."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from math import sqrt
from typing import Any

import msgspec
import numpy as np

from fairtrial.evidence.columns import Floats
from fairtrial.evidence.exhibit import Exhibit
from fairtrial.evidence.irregular import UNJUDGED, Finding, both_denominators, naming
from fairtrial.evidence.side import Side
from fairtrial.schema.audit import Claim
from fairtrial.schema.evidence import Summary
from fairtrial.text.language import say

_CLOSE = 5e-4
"""What rounding to three digits may make of a figure."""
_MEAN_OVER_TRIALS = (None, "mean", ["mean"])
"""Ways to make one score of a case's trials that give the mean: of another way nothing is reckoned here."""


def claims(exhibits: Sequence[Exhibit]) -> tuple[Claim, ...]:
    """Every figure that a file states, beside the same one from its rows, where they can give it.

    Where two files state some, the claims bear the files' names. Figures published alone are held against the
    results beside them, where they are called alike.
    """
    found = [(one.side.name, list(_claims(one, exhibits))) for one in exhibits]
    several = sum(bool(told) for _, told in found) > 1
    return tuple(
        msgspec.structs.replace(claim, name=f"{name}: {claim.name}") if several else claim
        for name, told in found
        for claim in told
    )


def _claims(exhibit: Exhibit, among: Sequence[Exhibit]) -> Iterator[Claim]:
    if exhibit.header is not None:
        yield from _of_a_log(exhibit.header.summary, exhibit.again)
    if exhibit.foreign is None:
        return
    for name, said in exhibit.foreign.claims.items():
        of = exhibit if exhibit.side.ids else next((one for one in among if _names(name, one)), exhibit)
        reducer = of.foreign.told.get("reducer") if of.foreign else None
        yield _claim(name, said, of.side, of.summary if reducer in _MEAN_OVER_TRIALS else None)


def _names(claim: str, exhibit: Exhibit) -> bool:
    """Whether a figure is called as a file of results is (`Kimi-K2 resolved`, `kimi-k2-20251013.json`)."""
    subject, file = (
        re.sub(r"[\W_]", "", text.lower()) for text in (claim.rpartition(" ")[0], exhibit.side.name)
    )
    same = re.fullmatch(rf"{subject}(\d{{6,8}})?(eval)?(results?|scores?)?(jsonl?|csv)(gz)?", file)
    return bool(subject and exhibit.side.ids) and same is not None


def _of_a_log(said: Summary | None, again: Summary | None) -> Iterator[Claim]:
    """The figures in the header of a log of ours, and what its rows give."""
    if said is None or again is None:
        return
    one, other = _stated(said), _stated(again)
    for name, value in one.items():
        if value is not None:
            found = other.get(name)
            agrees = None if found is None else abs(found - value) <= _CLOSE
            yield Claim(name=name, said=value, found=found, agrees=agrees)


def _stated(summary: Summary) -> dict[str, float | None]:
    means = {name: getattr(summary, name).mean for name in ("total", "ret_ratio", "ret_ratio_all", "useful")}
    powers = {f"pass^{k}": value for k, value in summary.pass_hat_k.items()}
    return {**means, **powers, "scored": summary.counts.scored}


def _claim(name: str, said: float, side: Side, summary: Summary | None) -> Claim:
    found = None if summary is None else _found(name, side, summary)
    agrees = None if found is None else abs(found - said) <= (0.0 if _is_count(name) else _rounding(said))
    says = ""
    if agrees is False and _over_rows(name, said, side):
        says = say("it is that of the rows, not of the cases", "这是按行而不是按用例算的")
    return Claim(name=name, said=said, found=found, agrees=agrees, says=says)


_COUNTS: dict[str, Callable[[Side], int]] = {
    "successes": lambda side: int((side.scored & (side.value >= 1.0)).sum()),
    "failures": lambda side: int((side.scored & (side.value < 1.0)).sum()),
    "errors": lambda side: int((~side.completed).sum()),
    "rows": lambda side: len(side.case),
    "cases": lambda side: len(side.ids),
    "n": lambda side: len(side.ids),
}
_MEANS = {"accuracy", "mean", "score", "resolved", "pass_rate"}


def _rounding(said: float) -> float:
    """What rounding to the digits in which a figure is stated may make of it: 43.72 % is held to four."""
    digits = len(repr(round(said, 6)).partition(".")[2])
    return min(_CLOSE, 0.5 * 10.0**-digits + 1e-9)


def _is_count(name: str) -> bool:
    return name.rpartition(" ")[2] in _COUNTS


def _found(name: str, side: Side, summary: Summary) -> float | None:
    word = name.rpartition(" ")[2].rpartition("/")[2]
    if power := re.fullmatch(r"pass\^(\d+)", word):
        return summary.pass_hat_k.get(power.group(1))
    if word in _COUNTS:
        return _COUNTS[word](side)
    if word not in _MEANS and word != "stderr":
        return None
    mean = _given_means(side)
    return _stderr(mean) if word == "stderr" else float(mean.mean()) if len(mean) else None


def _given_means(side: Side) -> Floats:
    """The mean of each case's scores as they were given, those of sessions that did not complete too."""
    given = np.isfinite(side.value)
    n = np.bincount(side.case[given], minlength=len(side.ids))
    total = np.bincount(side.case[given], weights=side.value[given], minlength=len(side.ids))
    return np.asarray(total[n > 0] / n[n > 0])


def _stderr(values: Floats) -> float | None:
    known = values[~np.isnan(values)]
    return float(known.std(ddof=1)) / sqrt(len(known)) if len(known) > 1 else None


def _over_rows(name: str, said: float, side: Side) -> bool:
    """Whether a figure that is not the cases' is what comes of taking each row for a case."""
    if len(side.case) == len(side.ids):
        return False
    if name.endswith("stderr"):
        rows = _stderr(np.where(side.scored, side.value, np.nan))
        return rows is not None and abs(rows - said) <= _CLOSE
    return _is_count(name) and said == len(side.case)


def disagreeing(found: tuple[Claim, ...]) -> Finding:
    """Claims that are not what the rows give; their number."""
    judged = [claim for claim in found if claim.agrees is not None]
    if not judged:
        return UNJUDGED
    wrong = [claim for claim in judged if not claim.agrees]
    told = [
        f"{claim.name} {claim.said:.6g} ≠ {claim.found:.6g}" + (f" ({claim.says})" if claim.says else "")
        for claim in wrong
    ]
    return Finding(value=len(wrong), lit=bool(wrong), detail=naming(told) if told else "")


def impossible(exhibit: Exhibit) -> Finding:
    """Stated figures that no results can give; their number."""
    if exhibit.foreign is None or not (exhibit.foreign.claims or exhibit.foreign.told.get("pass_k")):
        return UNJUDGED
    found = [*_rising(exhibit.foreign.told.get("pass_k") or ()), *_unreal(exhibit)]
    return Finding(value=len(found), lit=bool(found), detail=naming(found) if found else "")


def _rising(groups: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """pass^k is the mean of C(c, k) / C(n, k), each of which falls with k."""
    for group in groups:
        values = group["values"]
        known = [(k, v) for k, v in enumerate(values, 1) if v is not None]
        for (k, before), (later, after) in pairwise(known):
            if after > before + 1e-9:
                yield f"{group['name']} pass^{later} {after:.4g} > pass^{k} {before:.4g}"


def _unreal(exhibit: Exhibit) -> Iterator[str]:
    """Shares outside [0, 1], a standard error above that of any scores in [0, 1] with this mean, and a
    share that no whole number of the stated results gives (Brown and Heathers 2017, GRIM)."""
    foreign = exhibit.foreign
    stated: Mapping[str, float] = foreign.claims if foreign else {}
    for name, said in stated.items():
        word, of = name.rpartition(" ")[2].rpartition("/")[2], name.removesuffix("accuracy")
        if (word in _MEANS or word.startswith("pass^")) and not 0.0 <= said <= 1.0:
            yield f"{name} {said:.4g}"
        if word != "accuracy":
            continue
        error = stated.get(f"{of}stderr")
        if error is not None and error > sqrt(max(0.0, said * (1 - said))) + _CLOSE:
            yield f"{of}stderr {error:.4g} > √(p(1 − p))"
        if not exhibit.side.ids and foreign and foreign.planned and not _grim(said, foreign.planned):
            yield f"{name} {said:.6g} ≠ k/{foreign.planned}"


def _grim(share: float, n: int) -> bool:
    """Whether some whole number of halves (partly right is half) of `n` gives this share as printed."""
    digits = len(repr(share).partition(".")[2])
    return bool(abs(round(2 * share * n) / (2 * n) - share) <= max(0.5 * 10.0**-digits, 1e-9))


def missing_cases(exhibit: Exhibit) -> Finding:
    """Planned sessions of which nothing is there, as a share, and what that does to the mean.

    Of others' results: what a log of ours lacks is in its line `errors`.
    """
    planned, side = exhibit.planned, exhibit.side
    if exhibit.foreign is None or not planned or not side.ids:
        return UNJUDGED
    missing = max(0, planned - len(side.case))
    if not missing:
        return Finding(value=0.0, lit=False)
    trials = max(1, round(len(side.case) / len(side.ids)))
    detail = say(f"{missing} of {planned} are missing", f"计划 {planned}，缺 {missing}")
    return Finding(
        value=missing / planned,
        lit=True,
        detail=detail + both_denominators(side, max(len(side.ids), round(planned / trials))),
    )
