"""What can only be seen of a case set as a whole."""

import unicodedata
from collections.abc import Callable, Iterator, Sequence

from fairtrial.cases.fields import Draft
from fairtrial.cases.files import CaseFile
from fairtrial.cases.problems import Path
from fairtrial.text.language import say
from fairtrial.text.normalise import fold_width, squeeze

Drafts = Sequence[tuple[CaseFile, Draft]]


def same_id(id_: str) -> str:
    """What two ids share that a reader would take for one: composed, width-folded, white space squeezed."""
    return squeeze(unicodedata.normalize("NFC", fold_width(id_)))


def lint(drafts: Drafts) -> None:
    """Add to the files' findings what the cases are together."""
    _duplicate_ids(drafts)
    _ignored_fields(drafts)
    _left_out_turns(drafts)
    _criteria(drafts)
    _equal_weights(drafts)


def _duplicate_ids(drafts: Drafts) -> None:
    first: dict[str, tuple[CaseFile, Draft]] = {}
    for file, draft in drafts:
        if draft.id is None or not draft.id.strip():
            continue
        earlier_file, earlier = first.setdefault(same_id(draft.id), (file, draft))
        if earlier is draft:
            continue
        line, _ = earlier_file.place(earlier.id_path) or (1, 1)
        file.findings.case = draft.id
        file.findings.error(
            draft.id_path,
            say(
                f"duplicate id `{draft.id}`: first in {earlier_file.name}:{line}",
                f"编号 `{draft.id}` 重复：首次出现在 {earlier_file.name}:{line}",
            )
            + ("" if earlier.id == draft.id else _otherwise(earlier.id or "", draft.id)),
            say("rename one of them", "请修改其中一个"),
        )


def _otherwise(earlier: str, later: str) -> str:
    """How the same id was written the first time; what looks alike needs to be told."""
    if unicodedata.normalize("NFC", earlier) == unicodedata.normalize("NFC", later):
        return say(", alike to the eye but composed of other characters", "，外观相同但字符组成不同")
    return say(f" as `{earlier}`", f"，写作 `{earlier}`")


def _by_file(
    drafts: Drafts, pick: Callable[[Draft], Iterator[tuple[str, Path]]]
) -> Iterator[tuple[CaseFile, str, Path, int]]:
    """What `pick` finds, once per file and name: with the place of the first and how often."""
    found: dict[tuple[str, str], tuple[CaseFile, str, Path, int]] = {}
    for file, draft in drafts:
        for name, path in pick(draft):
            _, _, at, count = found.get((file.name, name), (file, name, path, 0))
            found[file.name, name] = (file, name, at, count + 1)
    yield from found.values()


def _ignored_fields(drafts: Drafts) -> None:
    for file, name, path, count in _by_file(drafts, lambda d: ((key, (*d.path, key)) for key in d.ignored)):
        file.findings.case = None
        file.findings.hint(
            path,
            say(
                f"unknown field `{name}` is ignored ({_times(count)})", f"忽略未知字段 `{name}`（{count} 处）"
            ),
        )


def _left_out_turns(drafts: Drafts) -> None:
    for file, _, path, count in _by_file(drafts, lambda d: (("", at) for at in d.left_out)):
        file.findings.case = None
        file.findings.hint(
            path,
            say(
                f"turns that are not the user's are left out ({_times(count)})",
                f"非用户的轮次不会发送给 Agent（{count} 处）",
            ),
            say("the agent gives its own answers", "Agent 会自己作答"),
        )


def _criteria(drafts: Drafts) -> None:
    for file, kind, path, count in _by_file(drafts, _criteria_of):
        file.findings.case = None
        if kind == "unscored":
            what = say(
                f"only criteria and no rule: unscored ({_cases(count)})",
                f"只有描述、没有规则：不计分（{count} 个用例）",
            )
            how = say("add a rule that a program can check", "请补上程序可执行的规则")
        else:
            what = say(
                f"criteria are kept for a judge, not scored ({_cases(count)})",
                f"criteria 留给裁判，不参与规则计分（{count} 个用例）",
            )
            how = ""
        file.findings.hint(path, what, how)


def _criteria_of(draft: Draft) -> Iterator[tuple[str, Path]]:
    if draft.expect.criteria:
        yield ("kept" if draft.expect.rules else "unscored"), draft.path


def _equal_weights(drafts: Drafts) -> None:
    cases = [draft.case for _, draft in drafts if draft.case is not None]
    wrong = any(file.findings.errors for file, _ in drafts)
    if wrong or len(cases) < 2 or len({case.weight for case in cases}) > 1:
        return
    file = drafts[0][0]
    file.findings.case = None
    file.findings.hint(
        None,
        say(f"all {len(cases)} cases weigh the same", f"{len(cases)} 个用例的权重全部相同"),
        say("by convention a core case weighs 3, an edge case 1", "惯例：核心用例权重为 3，边缘用例为 1"),
    )


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count} times"


def _cases(count: int) -> str:
    return "1 case" if count == 1 else f"{count} cases"
