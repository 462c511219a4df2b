"""What the examiner asks after a case."""

from typing import Any

import pytest

from fairtrial.schema.case import Case
from fairtrial.schema.record import Call, Turn
from fairtrial.sessions.follow_up import FollowUp

ZH = Case(id="z", input=("我要退款，订单 JD2024111138271",), rules=(), key_facts=("JD2024111138271",))
EN = Case(id="e", input=("Refund order JD2024111138271",), rules=(), key_facts=("JD2024111138271",))


def questions(case: Case, reply: str, **turn: Any) -> list[str]:
    turns = [Turn(user=case.input[0], reply=reply, **turn)]
    asked: list[str] = []
    while (question := FollowUp().next(case, turns)) is not None:
        asked.append(question)
        turns.append(Turn(user=question, reply="JD2024111138271 已退款, refunded", aside=True))
    return asked


def test_a_deed_that_nothing_shows_is_asked_after() -> None:
    assert questions(ZH, "订单 JD2024111138271 已经为您退款。") == ["你说的退款真的办了吗？现在是什么状态？"]
    assert questions(EN, "Your order JD2024111138271 has been refunded.") == [
        "Did the refund you spoke of really happen? What is its state now?"
    ]


@pytest.mark.parametrize(
    "shown",
    [
        {"steps": (Call(name="refund_apply", arguments={"order": "JD2024111138271"}),)},
        {"state": {"order": "JD2024111138271", "status": "refunded"}},
        {"state": {"状态": "已退款"}},
    ],
)
def test_a_deed_that_a_call_or_the_state_shows_is_believed(shown: dict[str, Any]) -> None:
    assert questions(ZH, "订单 JD2024111138271 已经为您退款。", **shown) == []
    assert questions(EN, "Your order JD2024111138271 has been refunded.", **shown) == []


def test_a_call_that_failed_shows_nothing() -> None:
    failed = Call(name="refund_apply", error="timed out")
    assert len(questions(ZH, "JD2024111138271 已退款", steps=(failed,))) == 1


@pytest.mark.parametrize(
    "reply",
    [
        "JD2024111138271 尚未退款",
        "如果符合条件，JD2024111138271 将会退款",
        "Order JD2024111138271 has not been refunded.",
        "JD2024111138271 will be refunded.",
        "JD2024111138271: do you want a refund?",
    ],
)
def test_what_is_not_claimed_is_not_asked_after(reply: str) -> None:
    assert questions(ZH, reply) == []


def test_a_fact_that_was_given_and_not_used_is_asked_for_without_telling_it() -> None:
    assert questions(ZH, "好的，请稍等") == ["我前面说的订单号是什么？"]
    assert questions(EN, "One moment.") == ["What is the order number that I gave you before?"]


def test_a_fact_in_the_state_is_used() -> None:
    assert questions(ZH, "好的，请稍等", state={"order_id": "JD2024111138271"}) == []


@pytest.mark.parametrize("reply", ["11月11日的订单，请稍等", "The order of Nov 11: one moment."])
def test_a_date_is_used_without_its_year_too(reply: str) -> None:
    dated = Case(id="d", input=("2024-11-11 下的单",), rules=(), key_facts=("2024-11-11",))
    assert questions(dated, reply) == []


def test_a_fact_that_the_user_never_gave_is_not_asked_for() -> None:
    assert questions(ZH.model_copy(update={"key_facts": ("199 元",)}), "好的") == []


def test_two_questions_at_most() -> None:
    case = ZH.model_copy(update={"input": ("退款 JD2024111138271，199 元，取消",), "key_facts": ("199 元",)})
    assert len(questions(case, "已退款，已取消")) == 2
    assert FollowUp(most=0).next(case, [Turn(user="", reply="已退款")]) is None


def test_where_nothing_was_said_nothing_is_asked() -> None:
    assert FollowUp().next(ZH, []) is None
