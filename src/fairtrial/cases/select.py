"""Some cases of a set, by id, tag and number."""

from collections.abc import Iterable, Sequence

from fairtrial.cases.digest import digest
from fairtrial.cases.lint import same_id
from fairtrial.cases.problems import nearest
from fairtrial.errors import BadInput
from fairtrial.schema.case import CaseSet
from fairtrial.text.language import say


def select(
    case_set: CaseSet, *, ids: Sequence[str] = (), tags: Sequence[str] = (), limit: int | None = None
) -> CaseSet:
    """The cases that have one of `ids` and any of `tags` (where given), in their order, the first `limit`.

    Raises BadInput for an id or tag that no case has, naming the nearest, and where nothing is left.
    """
    known = {same_id(case.id): case.id for case in case_set.cases}
    all_tags = sorted({tag for case in case_set.cases for tag in case.tags})
    for wanted in ids:
        if same_id(wanted) not in known:
            raise _unknown("--case", wanted, known.values())
    for tag in tags:
        if tag not in all_tags:
            raise _unknown("--tag", tag, all_tags)
    if limit is not None and limit < 1:
        raise BadInput(
            say(f"the limit is {limit}", f"上限为 {limit}"),
            where="--limit",
            how=say("give 1 or more", "请给出 1 以上的数"),
        )
    chosen = {same_id(wanted) for wanted in ids}
    cases = [
        case
        for case in case_set.cases
        if (not ids or same_id(case.id) in chosen) and (not tags or not set(tags).isdisjoint(case.tags))
    ][:limit]
    if not cases:
        raise BadInput(
            say("no case has both one of the ids and one of the tags", "没有用例同时符合所给的编号与标签"),
            where="--case, --tag",
        )
    if len(cases) == len(case_set.cases):
        return case_set
    return CaseSet(cases=tuple(cases), paths=case_set.paths, digest=digest(cases))


def _unknown(option: str, wanted: str, known: Iterable[str]) -> BadInput:
    names = list(known)
    what = say(f"no case matches `{wanted}`", f"没有用例符合 `{wanted}`")
    if near := nearest(wanted, names, 0.6):
        return BadInput(what, where=option, how=say(f"did you mean `{near}`?", f"是否想写 `{near}`？"))
    shown = ", ".join(names[:10]) + (", …" if len(names) > 10 else "")
    there = say(f"there are: {shown}", f"现有：{shown}") if names else say("there are none", "一个也没有")
    return BadInput(what, where=option, how=there)
