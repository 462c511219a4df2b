"""The written forms of what is expected: texts, lists, rule objects, and the articles' `expected`."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, get_args

from fairtrial.cases.problems import Findings, Path, nearest
from fairtrial.cases.values import is_too_deep, shown, too_deep
from fairtrial.cases.wording import is_instruction
from fairtrial.errors import BadInput
from fairtrial.schema.rule import Rule
from fairtrial.text.language import say

RULES: dict[str, Any] = {
    get_args(model.model_fields["rule"].annotation)[0]: model for model in get_args(get_args(Rule)[0])
}
"""The rule models by the name that is written after `rule`."""

_EXPECTED = ("required_fields", "forbidden_phrases", "criteria", "rules")


@dataclass(slots=True)
class Expect:
    """What a case expects: rule objects, where each was written, and sentences kept for a judge."""

    rules: list[dict[str, Any]] = field(default_factory=list)
    at: list[Path] = field(default_factory=list)
    criteria: list[str] = field(default_factory=list)

    def add(self, rule: dict[str, Any], path: Path) -> None:
        """One more rule."""
        self.rules.append(rule)
        self.at.append(path)


def rules_from(expect: Any) -> list[dict[str, Any]]:
    """The rule objects that an `expect` or `expected` means, ready for the models of `schema.rule`.

    A text is one `contains` rule; a list is all of its texts (one `contains` rule each, so that half of
    them met is half the score) and rule objects; `{"required_fields", "forbidden_phrases", "criteria"}`
    gives a `contains` rule for each required text and one critical `contains_none` over all replies, and may
    have `rules` besides, written as in `expect`.
    Raises BadInput for anything else and for sentences that no program can check. The arguments of
    rule objects are not looked at here.
    """
    findings = Findings()
    read = read_expect(expect, (), findings)
    if findings.items:
        first = findings.items[0]
        raise BadInput(first.what, where=".".join(map(str, first.path or ())), how=first.how)
    return read.rules


def read_expect(expect: Any, path: Path, findings: Findings) -> Expect:
    """As `rules_from`, with the place of each rule; what is wrong goes to `findings`."""
    read = Expect()
    if isinstance(expect, dict) and "rule" not in expect and any(key in expect for key in _EXPECTED):
        _expected(expect, path, read, findings)
        return read
    if isinstance(expect, list):
        for index, item in enumerate(expect):
            _item(item, (*path, index), read, findings)
    else:
        _item(expect, path, read, findings)
    return read


def texts_of(value: Any, path: Path, findings: Findings) -> list[tuple[str, Path]]:
    """A text or a list of texts, each with its place; anything else is an error."""
    items = [(value, path)]
    if isinstance(value, list):
        items = [(item, (*path, index)) for index, item in enumerate(value)]
    good = []
    for item, at in items:
        if isinstance(item, str) and item.strip():
            good.append((item, at))
        else:
            findings.error(at, *_not_a_text(item))
    return good


def _not_a_text(value: Any) -> tuple[str, str]:
    if isinstance(value, str):
        return say("the text is empty", "文本为空"), say(
            "write it or leave it out", "请写上内容，或删去这一项"
        )
    return (
        say(f"a text is needed here, not {shown(value)}", f"此处应为文本，而不是 {shown(value)}"),
        say("put it in quotes", "请加上引号"),
    )


def _item(item: Any, path: Path, read: Expect, findings: Findings) -> None:
    if isinstance(item, dict):
        if _is_rule(item, path, findings):
            read.add(item, path)
    elif isinstance(item, int | float) and not isinstance(item, bool):
        findings.error(
            path,
            say(f"the number {shown(item)} is no rule", f"数字 {shown(item)} 不是判定规则"),
            say(
                f'write {{"rule": "number", "value": {shown(item)}}}, or quotes around it to search for it',
                f'请写成 {{"rule": "number", "value": {shown(item)}}}；若只按字面查找，请加引号',
            ),
        )
    else:
        for text, at in texts_of([item], path, findings):
            _literal(text, at[:-1], read, findings)


def _literal(text: str, path: Path, read: Expect, findings: Findings) -> None:
    if is_instruction(text):
        findings.error(path, *_not_executable(text))
    else:
        read.add({"rule": "contains", "text": text}, path)


def _expected(expect: dict[Any, Any], path: Path, read: Expect, findings: Findings) -> None:
    for key in expect:
        if key not in _EXPECTED:
            meant = nearest(str(key), _EXPECTED)
            findings.error(
                (*path, key),
                say(f"unknown field `{key}`", f"未知字段 `{key}`") + _did_you_mean(meant),
                say(f"here go {', '.join(_EXPECTED)}", f"此处可用的字段：{'、'.join(_EXPECTED)}"),
            )

    def each(key: str, take: Callable[[str, Path], None]) -> None:
        if expect.get(key) is not None:
            for text, at in texts_of(expect[key], (*path, key), findings):
                take(text, at)

    each("required_fields", lambda text, at: _literal(text, at, read, findings))
    each("criteria", lambda text, at: read.criteria.append(text))
    phrases: list[str] = []

    def forbid(text: str, at: Path) -> None:
        if is_instruction(text):
            findings.error(at, *_not_executable(text))
        else:
            phrases.append(text)

    each("forbidden_phrases", forbid)
    if phrases:
        rule = {"rule": "contains_none", "texts": phrases, "critical": True, "over": "all"}
        read.add(rule, (*path, "forbidden_phrases"))
    if (rules := expect.get("rules")) is not None:
        at = (*path, "rules")
        items = (
            [((*at, n), item) for n, item in enumerate(rules)] if isinstance(rules, list) else [(at, rules)]
        )
        for place, item in items:
            _item(item, place, read, findings)


def _is_rule(item: dict[Any, Any], path: Path, findings: Findings) -> bool:
    """Whether the object names a known rule and can be handed to its model."""
    name = item.get("rule")
    if isinstance(name, str) and name in RULES:
        if is_too_deep(item):
            findings.error(path, *too_deep())
            return False
        return True
    if "rule" in item:
        findings.error((*path, "rule"), *_unknown_rule(name))
    else:
        findings.error(path, *_nameless_rule(item))
    return False


def _unknown_rule(name: Any) -> tuple[str, str]:
    if not isinstance(name, str) or not name.strip():
        return (
            say(f"`rule` must name a rule, not {shown(name)}", f"`rule` 应为规则名，而不是 {shown(name)}"),
            _the_rules(),
        )
    meant = nearest(name, RULES, 0.7)
    if meant or not (is_instruction(name) or len(name.split()) > 2):
        return say(f"unknown rule `{name}`", f"未知规则 `{name}`") + _did_you_mean(meant), _the_rules()
    return _not_executable(name)


def _nameless_rule(item: dict[Any, Any]) -> tuple[str, str]:
    named = next((key for key in item if key in RULES), None)
    if named is not None:
        return (
            say(f"`{named}` is written as a field", f"`{named}` 被写成了字段名"),
            say(f'write {{"rule": "{named}", …}}', f'请写成 {{"rule": "{named}", …}}'),
        )
    arguments = {name for model in RULES.values() for name in model.model_fields}
    texts = (v for k, v in item.items() if k not in arguments and isinstance(v, str))
    if sentence := next(filter(is_instruction, texts), None):
        return _not_executable(sentence)
    fields = say(f"; or write {', '.join(_EXPECTED)}", f"；也可以写 {'、'.join(_EXPECTED)}")
    return say("the object has no `rule`", "该对象缺少 `rule`"), _the_rules() + fields


def _not_executable(text: str) -> tuple[str, str]:
    return (
        say(
            f"{shown(text)} is a sentence for a judge, not executable",
            f"{shown(text)} 是写给人看的描述，不可执行（not executable）",
        ),
        say(
            "write a rule that a program can check; to search for these very words write "
            f'{{"rule": "contains", "text": {shown(text)}}}; sentences for a judge go under '
            "`expected.criteria`",
            "请写成程序可执行的规则；若回复须逐字出现这句话，请写 "
            f'{{"rule": "contains", "text": {shown(text)}}}；留给裁判的描述请放入 `expected.criteria`',
        ),
    )


def _the_rules() -> str:
    return say(f"the rules are {', '.join(RULES)}", f"可用规则：{'、'.join(RULES)}")


def _did_you_mean(word: str | None) -> str:
    return say(f"; did you mean `{word}`?", f"；是否想写 `{word}`？") if word else ""
