"""What must hold under a probe that does not leave the case's own rules as they are."""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from fairtrial.schema.case import Case
from fairtrial.schema.rule import (
    CallPattern,
    Claim,
    ContainsNone,
    Equals,
    JsonPath,
    JsonSchema,
    Length,
    Rule,
    State,
    ToolCalled,
    ToolNotCalled,
    ToolsInOrder,
)
from fairtrial.sessions.probes.probe import Unfit
from fairtrial.text.language import say


def asked_calls(case: Case) -> tuple[CallPattern, ...]:
    """The calls that the rules ask for, or by which they check a claim, in order, with their arguments."""
    return tuple(_asked(case))


def asked_tools(case: Case) -> tuple[str, ...]:
    """The tools of `asked_calls`, each once."""
    return tuple(dict.fromkeys(call.tool for call in _asked(case)))


def _asked(case: Case) -> Iterator[CallPattern]:
    for rule in case.rules:
        if isinstance(rule, ToolsInOrder):
            yield from rule.calls
        elif isinstance(rule, ToolCalled) or (isinstance(rule, Claim) and rule.tool):
            yield CallPattern(tool=str(rule.tool), args=rule.args)


def deeds(cases: Iterable[Case]) -> frozenset[str]:
    """The tools that change something, as far as the rules of a set tell.

    Those that some case forbids, and those that are only asked for along with a state.
    """
    forbidden, changing, looking = set[str](), set[str](), set[str]()
    for case in cases:
        forbidden.update(rule.tool for rule in case.rules if isinstance(rule, ToolNotCalled))
        changes = any(isinstance(rule, State) for rule in case.rules)
        (changing if changes else looking).update(asked_tools(case))
    return frozenset(forbidden | (changing - looking))


def never_calls(tool: str, args: dict[str, Any] | None = None) -> Rule:
    """The tool may not be called so."""
    return ToolNotCalled(rule="tool_not_called", tool=tool, args=args or {}, critical=True)


def never_says(text: str) -> Rule:
    """No reply of the session may contain the text."""
    return ContainsNone(rule="contains_none", texts=(text,), over="all", critical=True)


def prohibitions(case: Case) -> tuple[Rule, ...]:
    """What holds though a tool says too little and nobody can see it: nothing forbidden, nothing made up.

    That are the critical rules and those of the kinds `contains_none`, `tool_not_called` and `claim`. Raises
    Unfit where the case has none.
    """
    kept = tuple(r for r in case.rules if r.critical or isinstance(r, ContainsNone | ToolNotCalled | Claim))
    if not kept:
        raise Unfit(
            say(
                "without the right result only prohibitions and claims can be held, and the case has none",
                "拿不到正确结果时只能要求禁止项和 claim 规则，而这个用例没有",
            )
        )
    return kept


def with_retries(case: Case, tool: str | None, times: int) -> tuple[Rule, ...] | None:
    """The case's rules where `times` calls of `tool` (None: of any) may have to be made again.

    `at_most` of their calls grows by `times`; None where no rule counts them.
    """
    if not any(
        isinstance(rule, ToolCalled) and rule.at_most and tool in (None, rule.tool) for rule in case.rules
    ):
        return None
    return tuple(
        rule.model_copy(update={"at_most": rule.at_most + times})
        if isinstance(rule, ToolCalled) and rule.at_most and tool in (None, rule.tool)
        else rule
        for rule in case.rules
    )


def never_again(case: Case) -> tuple[Rule, ...]:
    """The case's rules, and no call that they ask for is made more often than they ask for it.

    A `tool_called` with arguments gets `at_most` = `at_least`; each call with arguments of a `tools_in_order`
    a `tool_called` with as many as stand there. Calls asked for without arguments are left as they are: that
    they were the same cannot be told. Raises Unfit where no rule names a call with its arguments.
    """
    rules: list[Rule] = []
    for rule in case.rules:
        if isinstance(rule, ToolCalled) and rule.args:
            rules.append(rule.model_copy(update={"at_most": rule.at_least}))
            continue
        rules.append(rule)
        if isinstance(rule, ToolsInOrder):
            rules.extend(_each_once(rule))
    if tuple(rules) == case.rules:
        raise Unfit(
            say("no rule asks for a call with its arguments", "没有规则要求带参数的工具调用"),
        )
    return tuple(rules)


def _each_once(rule: ToolsInOrder) -> Iterator[Rule]:
    written = {repr(call): call for call in rule.calls if call.args}
    times = Counter(map(repr, rule.calls))
    for key, call in written.items():
        count = times[key]
        yield ToolCalled(rule="tool_called", tool=call.tool, args=call.args, at_least=count, at_most=count)


def check_retold(case: Case) -> None:
    """Raise Unfit where the result cannot be asked for again at the end of the case.

    So it is where a user goes on after the fixed turns, and where the last reply must have a form.
    """
    if case.user is not None:
        raise Unfit(say("its user goes on after the fixed turns", "固定轮次之后还有模拟用户继续说话"))
    forms = (Equals, JsonSchema, JsonPath, Length)
    if any(isinstance(rule, forms) and rule.over == "last" for rule in case.rules):
        raise Unfit(
            say(
                "the form of its last reply is laid down, which a repetition need not keep",
                "最后一条回复有固定格式，复述时不一定保持",
            )
        )
