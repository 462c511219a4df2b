"""Rules on what an agent did: the tool calls of the whole session, whether or not they succeeded."""

from collections import Counter
from collections.abc import Iterable
from typing import Any

from fairtrial.schema.record import Call
from fairtrial.schema.rule import CallPattern, Rule, ToolCalled, ToolNotCalled, ToolsInOrder
from fairtrial.scoring.reading import NotJson, Reading, parse_json, shown
from fairtrial.scoring.rules_texts import MET, Check, Finding
from fairtrial.scoring.values import covers
from fairtrial.text.language import say

_Pattern = ToolCalled | ToolNotCalled | CallPattern


def matches(call: Call, pattern: _Pattern) -> bool:
    """Whether a call is of that tool, with at least those arguments (compared at every depth)."""
    return call.name == pattern.tool and (not pattern.args or covers(_arguments(call), pattern.args))


def _arguments(call: Call) -> Any:
    if isinstance(call.arguments, dict):
        return call.arguments
    try:
        return parse_json(call.arguments)
    except NotJson:
        return None


def tool_called(rule: ToolCalled) -> Check:
    """The tool was called so often."""

    def check(reading: Reading) -> Finding:
        times = sum(matches(call, rule) for call in reading.calls())
        if times >= rule.at_least and (rule.at_most is None or times <= rule.at_most):
            return MET
        what, seen = named(rule), _seen(reading, rule)
        return False, say(f"{what} called {times} times; {seen}", f"{what} 调用了 {times} 次；{seen}")

    return check


def tool_not_called(rule: ToolNotCalled) -> Check:
    """The tool was never called so."""

    def check(reading: Reading) -> Finding:
        call = next((call for call in reading.calls() if matches(call, rule)), None)
        if call is None:
            return MET
        return False, say("called: ", "调用了：") + f"{call.name} {shown(call.arguments)}"

    return check


def tools_in_order(rule: ToolsInOrder) -> Check:
    """The calls happened one after another; others may stand between them."""

    def check(reading: Reading) -> Finding:
        calls = iter(reading.calls())
        for pattern in rule.calls:
            if not any(matches(call, pattern) for call in calls):
                seen = _seen(reading, None)
                return False, say(
                    f"no {named(pattern)} in its turn; {seen}", f"未按顺序调用 {named(pattern)}；{seen}"
                )
        return MET

    return check


def named(pattern: _Pattern) -> str:
    """A tool with the arguments asked for, for people."""
    return f"{pattern.tool} {shown(pattern.args, 60)}" if pattern.args else pattern.tool


def calls_asked(rules: Iterable[Rule]) -> int | None:
    """How many calls the rules ask for at least: of each tool the most that one rule does; None for none."""
    most: Counter[str] = Counter()
    for rule in rules:
        match rule:
            case ToolCalled(tool=tool, at_least=times):
                most |= Counter({tool: times})
            case ToolsInOrder(calls=calls):
                most |= Counter(call.tool for call in calls)
    return most.total() or None


def _seen(reading: Reading, pattern: _Pattern | None) -> str:
    """Which calls there were: those of the same tool with their arguments, else all by name."""
    calls = reading.calls()
    like = [call for call in calls if pattern and pattern.args and call.name == pattern.tool]
    texts = [f"{c.name} {shown(c.arguments, 80)}" for c in like] or [c.name for c in calls]
    return say("calls: ", "调用：") + (shown(", ".join(texts), 200) or say("none", "无"))
