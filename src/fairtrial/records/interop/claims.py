"""Published figures without the results behind them: tau2-bench submissions, tables of resolved shares."""

import math
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from fairtrial.errors import BadInput
from fairtrial.records.interop.content import Content
from fairtrial.records.interop.foreign import Foreign
from fairtrial.records.interop.shapes import as_dict
from fairtrial.schema.audit import Fault
from fairtrial.text.language import say

_PASS = ("pass_1", "pass_2", "pass_3", "pass_4")
_SHARES = "resolved_pct"


def matches(content: Content) -> bool:
    """Whether it is a submission or lines of them, or an object of resolved shares."""
    first = content.first
    if isinstance(first.get(_SHARES), dict):
        return content.kind == "object"
    return isinstance(_submission(first).get("results"), dict) and "model_name" in _submission(first)


def read(content: Content) -> Foreign:
    """The figures as claims, per cent as shares of 1, and no rows.

    Of submissions `told["pass_k"]` lists `{name, values}`, the four pass^k of a model in a domain, None where
    it gives none, and `told["disclosed"]` what each model says of its method. Raises BadInput for a line that
    is no submission; a figure that is no number is a Fault.
    """
    if isinstance(shares := content.first.get(_SHARES), dict):
        return _shares(shares, content)
    submissions = list(_submissions(content))
    names = Counter(str(submission["model_name"]) for _, submission in submissions)
    claims: dict[str, float] = {}
    faults: list[Fault] = []
    groups: list[dict[str, Any]] = []
    disclosed: dict[str, Any] = {}
    for where, submission in submissions:
        name = _unique(submission, where, again=names[str(submission["model_name"])] > 1)
        disclosed[name] = _disclosed(submission)
        for domain, results in submission["results"].items():
            if not isinstance(results, Mapping):  # null: the domain was not run
                continue
            values = [_share(results.get(key), f"{name}/{domain} {key}", where, faults) for key in _PASS]
            groups.append({"name": f"{name}/{domain}", "values": values})
            claims |= {
                f"{name}/{domain} pass^{k}": value for k, value in enumerate(values, 1) if value is not None
            }
    return Foreign(
        format="claims",
        rows=(),
        faults=tuple(faults),
        claims=claims,
        told={"pass_k": groups, "disclosed": disclosed},
    )


def _shares(shares: Mapping[str, Any], content: Content) -> Foreign:
    faults: list[Fault] = []
    given = {name: _share(raw, name, str(content.path), faults) for name, raw in shares.items()}
    return Foreign(
        format="claims",
        rows=(),
        faults=tuple(faults),
        claims={f"{name} resolved": share for name, share in given.items() if share is not None},
        told={key: value for key, value in content.first.items() if key != _SHARES},
    )


def _submission(item: Any) -> Mapping[str, Any]:
    """A submission, alone or beside the path that it was found at."""
    return as_dict(as_dict(item).get("submission", item))


def _submissions(content: Content) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for index, item in enumerate(content.items):
        submission = _submission(item)
        if not isinstance(submission.get("results"), dict) or "model_name" not in submission:
            raise BadInput(
                say(
                    "not a submission with model_name and results",
                    "不是含 model_name 和 results 的提交",
                ),
                where=content.where(index),
            )
        yield content.where(index), submission


def _unique(submission: Mapping[str, Any], where: str, *, again: bool) -> str:
    """The model's name; where several submissions have it, with the line that it stands on."""
    name = str(submission["model_name"])
    return f"{name} ({where.rpartition('/')[2]})" if again else name


def _disclosed(submission: Mapping[str, Any]) -> dict[str, Any]:
    """What the method says of itself; what it does not say is None, which is not false."""
    method = as_dict(submission.get("methodology"))
    checked = as_dict(method.get("verification"))
    return {
        "modified_prompts": checked.get("modified_prompts"),
        "omitted_questions": checked.get("omitted_questions"),
        "details": checked.get("details"),
        "trajectories_available": submission.get("trajectories_available"),
        "user_simulator": method.get("user_simulator"),
        "notes": method.get("notes"),
    }


def _share(raw: Any, name: str, where: str, faults: list[Fault]) -> float | None:
    """Per cent as a share of 1, also an impossible one, which is the audit's to say."""
    if raw is None:
        return None
    if isinstance(raw, int | float) and not isinstance(raw, bool) and math.isfinite(raw):
        return raw / 100
    says = say(f"{name} is {raw!r}, no number", f"{name} 为 {raw!r}，不是数字")
    kind = "non_finite" if isinstance(raw, float) else "no_score"
    faults.append(Fault(kind=kind, case=None, where=where, says=says))
    return None
