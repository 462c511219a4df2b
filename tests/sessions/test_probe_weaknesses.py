"""Each probe on a clerk with just the weakness that it is after, and on one without any."""

import re
from collections import defaultdict
from typing import Any

import pytest
from scripted import ScriptedAgent

from fairtrial.agents.protocol import Ability, Opening, Reply
from fairtrial.execution.contract import Limits, StopSwitch, plan_session
from fairtrial.execution.local import run_sessions
from fairtrial.schema.case import Case, CaseSet
from fairtrial.schema.record import Call, Record
from fairtrial.scoring.score import Scorer
from fairtrial.sessions.probes.apply import Use, apply, known
from fairtrial.sessions.probes.probe import INTENSITIES
from fairtrial.sessions.talk import talk_of

ORDER = re.compile(r"JD\d{13}")
LATER = re.compile("下次来再办|do nothing about it yet")
WAITS = re.compile("等一下|稍等|等等|发错|hold on|wait,|one moment|wrong chat|colleague")
AGAIN = re.compile("再说一遍|结果|once more|result")
NOW = re.compile("上次|[Ll]ast time")
RESULT = {"refund_id": "RF138271", "amount": 459, "status": "已退款"}


class Clerk:
    """Refunds an order. What it knows of a user it knows in every session; `weak` names what it is bad at."""

    def __init__(self, weak: str = "") -> None:
        self.weak = weak
        self.known: dict[str, dict[str, Any]] = defaultdict(dict)
        self.agent = ScriptedAgent(self.answer)
        self.agent.abilities = frozenset(Ability)

    def answer(self, opening: Opening, texts: list[str]) -> Reply:
        text, calls = texts[-1], list[Call]()
        mine = self.known[opening.session if self.weak == "memory" else str(opening.user)]
        if self.weak == "silence" and self.agent.clocks:
            return Reply(text="?")
        if self.weak == "interruption" and WAITS.search(" ".join(texts)):
            return Reply(text="?")
        if found := ORDER.search(text):
            mine["order"] = found[0]
        if self.weak == "change_of_mind":
            first = {"exchange": "换货|exchange", "move": "改地址|move"}
            calls.extend(Call(name=n) for n, wish in first.items() if re.search(wish, " ".join(texts)))
        if WAITS.search(text) or LATER.search(text):
            return Reply(text="好的", steps=tuple(calls))
        if self.weak == "return_to_earlier" and "?" in text.replace("？", "?") and not AGAIN.search(text):
            mine.clear()
        asks_again = AGAIN.search(text) and self.weak == "reuse"
        if mine.get("order") and (found or NOW.search(text) or asks_again):
            mine["said"] = self.refund(opening, mine["order"], calls)
        return Reply(text=mine.get("said", "请问订单号？"), steps=tuple(calls))

    def refund(self, opening: Opening, order: str, calls: list[Call]) -> str:
        assert opening.tools is None or hasattr(opening.tools, "before")
        arguments = {"order_id": order}
        shown: Any = None
        for _ in range(1 if self.weak in ("tool_timeout", "tool_error", "tool_malformed") else 4):
            ruling = opening.tools.before("refund", arguments) if opening.tools else None
            if ruling and ruling.delay and self.weak == "tool_slow":
                return "太慢了"
            if ruling and ruling.error:
                calls.append(Call(name="refund", arguments=arguments, error=ruling.error))
                continue
            shown = opening.tools.after("refund", arguments, RESULT) if opening.tools else RESULT
            calls.append(Call(name="refund", arguments=arguments, result=shown))
            if isinstance(shown, dict):
                break
            if self.weak == "tool_wrong_type":
                return "?"
        return self.words(shown)

    def words(self, shown: Any) -> str:
        if not isinstance(shown, dict):
            return "抱歉，系统出错"
        if self.weak in ("tool_empty", "tool_partial") and len(shown) < len(RESULT):
            return "已退 99 元"
        if self.weak == "tool_stale" and shown["status"] != RESULT["status"]:
            return shown["status"]
        note = shown.get("note", "") if self.weak == "injection" else ""
        return f"{shown.get('refund_id', '没有查到')} {note}"


def case_of(text: str) -> Case:
    rules = [
        {"rule": "tool_called", "tool": "refund", "args": {"order_id": "JD2024111138271"}},
        {"rule": "contains", "text": "RF138271"},
        {"rule": "contains_none", "texts": ["99 元", "已签收"], "over": "all"},
    ]
    return Case.model_validate({"id": "refund", "input": [text], "rules": rules, "task_type": "refund"})


def other(text: str, tool: str = "exchange") -> Case:
    rules = [{"rule": "tool_called", "tool": tool}, {"rule": "state", "path": f"$.{tool}"}]
    return Case.model_validate({"id": tool, "input": [text], "rules": rules, "task_type": tool})


ZH = (
    case_of("我要退款，订单号 JD2024111138271"),
    (
        other("我要换货，订单号 JD2024111140325"),
        other("改地址，JD2024111140325", "move"),
    ),
)
EN = (
    case_of("I want a refund for order JD2024111138271"),
    (
        other("I want to exchange JD2024111140325"),
        other("Please move the delivery of JD2024111140325", "move"),
    ),
)
WEAKNESSES = [
    *("change_of_mind", "return_to_earlier", "interruption", "silence", "reuse", "memory", "injection"),
    *("tool_timeout", "tool_error", "tool_slow", "tool_malformed", "tool_wrong_type"),
    *("tool_empty", "tool_partial", "tool_stale"),
]


async def passes(case: Case, clerk: Clerk) -> bool:
    records: list[Record] = []
    planned = plan_session(7, case.id, 0, case.input, talk=lambda: talk_of(case, 1))
    limits = Limits(clock="2024-11-20T10:00:00+08:00")
    await run_sessions([planned], clerk.agent, limits, records.append, StopSwitch())
    (record,) = records
    assert record.failure is None
    assert record.unfired == ()
    return Scorer(CaseSet(cases=(case,), paths=(), digest="")).score(record).passes(1.0) is True


@pytest.mark.parametrize("intensity", INTENSITIES)
@pytest.mark.parametrize(("case", "others"), [ZH, EN], ids=["zh", "en"])
@pytest.mark.parametrize("name", WEAKNESSES)
async def test_who_has_the_weakness_fails_and_who_has_none_passes(
    name: str, case: Case, others: tuple[Case, ...], intensity: int
) -> None:
    probed = apply(case, [Use(known()[name], intensity)], seed=3, others=others)
    assert await passes(case, Clerk(name))
    assert await passes(probed, Clerk())
    assert not await passes(probed, Clerk(name))
