"""Published figures without the results behind them: tau2-bench submissions, tables of resolved shares."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from fairtrial.records.interop.content import Content, broken
from fairtrial.records.interop.foreign import Foreign
from fairtrial.records.interop.shapes import as_dict, as_number, without_none
from fairtrial.schema.audit import Fault
from fairtrial.text.language import say

_PASS = ("pass_1", "pass_2", "pass_3", "pass_4")
_SHARES = "resolved_pct"


def matches(content: Content) -> bool:
    """Whether it is a submission or lines of them, or an object of resolved shares."""
    if isinstance(content.first.get(_SHARES), dict):
        return content.kind == "object"
    return _submission(content.first) is not None


def read(content: Content) -> Foreign:
    """The figures as claims, per cent as shares of 1, and no rows.

    Of submissions `told["pass_k"]` lists `{name, values}`, the four pass^k of a model in a domain, None where
    it gives none, and `told["disclosed"]` what each says besides. Raises BadInput for a line that is no
    submission; a figure that is no number is a Fault.
    """
    faults: list[Fault] = []
    if isinstance(shares := content.first.get(_SHARES), dict):
        where = str(content.path)
        claims = {f"{name} resolved": _share(raw, name, where, faults) for name, raw in shares.items()}
        told = {key: value for key, value in content.first.items() if key != _SHARES}
    else:
        claims, told = _of_submissions(content, faults)
    return Foreign(format="claims", rows=(), faults=tuple(faults), claims=without_none(claims), told=told)


def _of_submissions(
    content: Content, faults: list[Fault]
) -> tuple[dict[str, float | None], dict[str, list[Any] | dict[str, Any]]]:
    submissions = [_submission(item) for item in content.items]
    names = Counter(str(one["model_name"]) for one in submissions if one)
    claims: dict[str, float | None] = {}
    groups, disclosed = [], {}
    for index, submission in enumerate(submissions):
        where = content.where(index)
        if submission is None:
            why = say("not a submission with model_name and results", "不是含 model_name 和 results 的提交")
            raise broken(why, where)
        name = str(submission["model_name"])
        if names[name] > 1:
            name = f"{name} ({where.rpartition('/')[2]})"
        disclosed[name] = {key: value for key, value in submission.items() if key != "results"}
        for domain, results in submission["results"].items():
            if isinstance(results, Mapping):  # null: the domain was not run
                group = f"{name}/{domain}"
                values = [_share(results.get(key), f"{group} {key}", where, faults) for key in _PASS]
                groups.append({"name": group, "values": values})
                claims |= {f"{group} pass^{k}": value for k, value in enumerate(values, 1)}
    return claims, {"pass_k": groups, "disclosed": disclosed}


def _submission(item: Any) -> Mapping[str, Any] | None:
    """A submission, alone or beside the path that it was found at; None where it is none."""
    found = as_dict(as_dict(item).get("submission", item))
    return found if isinstance(found.get("results"), dict) and "model_name" in found else None


def _share(raw: Any, name: str, where: str, faults: list[Fault]) -> float | None:
    """Per cent as a share of 1, also an impossible one, which is the audit's to say."""
    if raw is None:
        return None
    if (number := as_number(raw)) is not None:
        return number / 100
    says = say(f"{name} is {raw!r}, no number", f"{name} 为 {raw!r}，不是数字")
    kind = "non_finite" if isinstance(raw, float) else "no_score"
    faults.append(Fault(kind=kind, case=None, where=where, says=says))
    return None
