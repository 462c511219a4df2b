"""A written case, under the product's own names or the articles', as a `Case`."""

import unicodedata
from dataclasses import dataclass, field
from typing import Any

from pydantic import ValidationError

from fairtrial.cases.explain import explain
from fairtrial.cases.forms import Expect, read_expect, texts_of
from fairtrial.cases.problems import Findings, Path, nearest
from fairtrial.cases.steps import complaints
from fairtrial.cases.values import is_too_deep, shown, too_deep
from fairtrial.schema.case import Case
from fairtrial.text.language import say

_OTHER_NAMES = {"case_id": "id", "input_seq": "input", "expected": "expect", "labels": "tags"}
_OWN = (
    "id",
    "input",
    "expect",
    *(name for name in Case.model_fields if name not in ("id", "input", "rules")),
)
FIELDS = {name: name for name in _OWN if name != "criteria"} | _OTHER_NAMES
"""The fields of a written case, and what each is called by the product."""

_DECIDING = FIELDS.keys() - {
    *("version", "created_by", "reviewed_by", "changelog", "created", "observed", "parent", "variant_type")
}
"""Fields whose wrong name changes the result. A `created_at` beside `created_by` is nobody's slip."""

_WITHIN_EXPECTED = ("required_fields", "forbidden_phrases", "criteria", "rules", "rule")
_LISTS_OF_TEXTS = ("tags", "key_facts")


@dataclass(slots=True)
class Draft:
    """A written case as far as it could be read: `case` is None if anything is wrong with it."""

    path: Path
    id: str | None = None
    id_path: Path = ()
    case: Case | None = None
    expect: Expect = field(default_factory=Expect)
    ignored: list[str] = field(default_factory=list)
    left_out: list[Path] = field(default_factory=list)


def read_case(written: Any, path: Path, findings: Findings) -> Draft:
    """The case; what is wrong with it goes to `findings`, all at once."""
    draft = Draft(path=path)
    findings.case = None
    if not isinstance(written, dict):
        what = say(f"a case is an object, not {shown(written)}", f"用例应为对象，而不是 {shown(written)}")
        findings.error(path, what)
        return draft
    before = findings.errors
    written_as = _names(written)
    _id(written, written_as, draft, findings)
    _check_names(written, written_as, draft, findings)
    data = {
        name: written[names[0]]
        for name, names in written_as.items()
        if name not in ("id", "input", "expect") and (name == "weight" or written[names[0]] is not None)
    }
    places = {name: (*path, names[0]) for name, names in written_as.items()}
    turns = _turns(written, places.get("input"), draft, findings)
    _expect(written, places.get("expect"), draft, findings)
    for name in _LISTS_OF_TEXTS:
        if name in data:
            data[name] = [text for text, _ in texts_of(data[name], places[name], findings)]
    _changelog(data, places, findings)
    _user_and_steps(data, places, findings)
    data |= {
        "id": draft.id or "?",
        "input": turns or ["?"],
        "rules": draft.expect.rules,
        "criteria": draft.expect.criteria,
    }
    _reference(data, places, findings)
    try:
        case = Case.model_validate(data)
    except ValidationError as error:
        explain(error, draft.expect, places, findings)
    else:
        _check_share(case, places.get("expect", path), findings)
        for at, what, how in complaints(case):
            findings.error((*places[str(at[0])], *at[1:]), what, how)
        _check_passes(case, places, findings)
        draft.case = case if findings.errors == before else None
    return draft


def _names(written: dict[Any, Any]) -> dict[str, list[str]]:
    """The known fields by the product's names, each with the names it was written under."""
    names: dict[str, list[str]] = {}
    for key in written:
        if key in FIELDS:
            names.setdefault(FIELDS[key], []).append(key)
    return names


def _check_names(
    written: dict[Any, Any], written_as: dict[str, list[str]], draft: Draft, findings: Findings
) -> None:
    for names in written_as.values():
        if len(names) > 1:
            findings.error(
                (*draft.path, names[1]),
                say(f"`{names[0]}` and `{names[1]}` mean the same", f"`{names[0]}` 与 `{names[1]}` 含义相同"),
                say("keep one of them", "请只保留一个"),
            )
    for key in written:
        if key in FIELDS:
            continue
        if key in _WITHIN_EXPECTED:
            findings.error(
                (*draft.path, key),
                say(f"`{key}` stands outside of what is expected", f"`{key}` 的位置不对"),
                say(f"move it into `{_home(key)}`", f"请放入 `{_home(key)}`"),
            )
        elif meant := nearest(key, _DECIDING):
            findings.error(
                (*draft.path, key),
                say(
                    f"unknown field `{key}`; did you mean `{meant}`?",
                    f"未知字段 `{key}`；是否想写 `{meant}`？",
                ),
                say("rename it, or delete it", "请改名或删去"),
            )
        else:
            draft.ignored.append(key)


def _home(key: str) -> str:
    return "expect" if key in ("rule", "rules") else "expected"


def _id(written: dict[Any, Any], written_as: dict[str, list[str]], draft: Draft, findings: Findings) -> None:
    names = written_as.get("id")
    if not names:
        findings.error(draft.path, *_missing("id"))
        return
    draft.id_path = (*draft.path, names[0])
    value = written[names[0]]
    if isinstance(value, int) and not isinstance(value, bool):
        value = str(value)
    if not isinstance(value, str):
        findings.error(
            draft.id_path,
            say(
                f"`{names[0]}` must be a text or a whole number, not {shown(value)}",
                f"`{names[0]}` 应为文本或整数，而不是 {shown(value)}",
            ),
            say("put it in quotes", "请加引号"),
        )
        return
    draft.id = findings.case = value
    if not value.strip():
        findings.error(draft.id_path, say(f"`{names[0]}` is empty", f"`{names[0]}` 为空"))
    elif not value.isprintable() and not all(map(_is_seen, value)):
        findings.error(
            draft.id_path,
            say(f"the id {shown(value)} holds an invisible character", f"编号 {shown(value)} 含有不可见字符"),
            say("delete it", "请删去该字符"),
        )


def _is_seen(char: str) -> bool:
    return char.isprintable() or unicodedata.category(char) == "Zs"


def _missing(name: str) -> tuple[str, str]:
    other = next((other for other, own in _OTHER_NAMES.items() if own == name), None)
    return (
        say(f"`{name}` is missing", f"缺少 `{name}`"),
        say(f"add `{name}` (or `{other}`)", f"请补上 `{name}`（或 `{other}`）"),
    )


def _turns(written: dict[Any, Any], path: Path | None, draft: Draft, findings: Findings) -> list[str]:
    """What the user says, turn by turn."""
    if path is None or written[path[-1]] is None:
        findings.error(path or draft.path, *_missing("input"))
        return []
    value = written[path[-1]]
    items = (
        [(value, path)]
        if not isinstance(value, list)
        else [(item, (*path, index)) for index, item in enumerate(value)]
    )
    turns = []
    for item, at in items:
        text = _turn(item, at, draft, findings)
        if text is not None:
            turns.append(text)
    if not items or (len(items) == len(draft.left_out)):
        findings.error(path, say("`input` has no turn of the user", "`input` 中没有用户的话"))
    return turns


def _turn(item: Any, path: Path, draft: Draft, findings: Findings) -> str | None:
    """The text of one turn; None where it is none of the user's, or wrong."""
    if isinstance(item, dict):
        role = item.get("role", "user")
        key = next((key for key in ("content", "text", "user") if key in item), None)
        if role != "user":
            draft.left_out.append(path)
            return None
        if key is None:
            findings.error(
                path,
                say(f"no text in this turn: {shown(item)}", f"这一轮没有文本：{shown(item)}"),
                say(
                    'write it as a text, or {"role": "user", "content": …}',
                    '请写成文本，或 {"role": "user", "content": …}',
                ),
            )
            return None
        item, path = item[key], (*path, key)
    if not isinstance(item, str):
        findings.error(
            path,
            say(
                f"what the user says must be a text, not {shown(item)}",
                f"用户的话应为文本，而不是 {shown(item)}",
            ),
            say("put it in quotes", "请加引号"),
        )
        return None
    if not item.strip():
        findings.error(path, say("what the user says is empty", "用户的话为空"))
        return None
    return item


def _expect(written: dict[Any, Any], path: Path | None, draft: Draft, findings: Findings) -> None:
    if path is None or written[path[-1]] is None:
        findings.error(path or draft.path, *_missing("expect"))
        return
    before = findings.errors
    draft.expect = read_expect(written[path[-1]], path, findings)
    if not draft.expect.rules and not draft.expect.criteria and findings.errors == before:
        findings.error(
            path,
            say("nothing is expected: no rule, no criterion", "没有任何期望：既无规则也无描述"),
            say("write a text that the reply must contain, or a rule", "请写上回复须包含的文本，或一条规则"),
        )


def _changelog(data: dict[str, Any], places: dict[str, Path], findings: Findings) -> None:
    if "changelog" not in data:
        return
    if not isinstance(data["changelog"], list):
        data["changelog"] = [data["changelog"]]
    if is_too_deep(data["changelog"]):
        findings.error(places["changelog"], *too_deep())
        data["changelog"] = []


def _user_and_steps(data: dict[str, Any], places: dict[str, Path], findings: Findings) -> None:
    """A user with a goal is a persona, any other a table: nobody need write so."""
    for name in ("user", "disturb", "reference"):
        if is_too_deep(data.get(name)):
            findings.error(places[name], *too_deep())
            del data[name]
    user = data.get("user")
    if isinstance(user, dict) and "kind" not in user:
        kind = "persona" if "persona" in user or "goal" in user else "table"
        data["user"] = {"kind": kind} | user


def _reference(data: dict[str, Any], places: dict[str, Path], findings: Findings) -> None:
    """A reference answer is mostly a text; a list holds one a turn."""
    if "reference" not in data:
        return
    given = data["reference"]
    items = given if isinstance(given, list) else [given]
    data["reference"] = [{"text": item} if isinstance(item, str) else item for item in items]
    turns = len(data["input"])
    if len(items) not in (1, turns) and not data.get("user"):
        what = say(
            f"{len(items)} reference answers for {turns} turns", f"{turns} 轮对话却有 {len(items)} 个参考答案"
        )
        findings.error(
            places["reference"],
            what,
            say("write one a turn, or only the last", "每轮写一个，或只写最后一轮的"),
        )


def _check_passes(case: Case, places: dict[str, Path], findings: Findings) -> None:
    if case.passes is None:
        return
    needed, trials = map(int, case.passes.split(" of "))
    if needed > trials:
        what = say(f"`passes` asks for {needed} of {trials}", f"`passes` 要求 {trials} 次中通过 {needed} 次")
        findings.error(places["passes"], what, say("ask for fewer", "请改小"))


def _check_share(case: Case, path: Path, findings: Findings) -> None:
    """Silence keeps every prohibition: a case of nothing else is passed by saying nothing."""
    if case.rules and not any(rule.share for rule in case.rules):
        findings.hint(
            path,
            say(
                "all rules are prohibitions: an agent that says nothing passes",
                "所有规则都是禁止项：什么都不说也能通过",
            ),
            say("say what the reply must have as well", "请同时写明回复应包含什么"),
        )
