"""A user who reacts by a table."""

from typing import Any

import pytest

from fairtrial.errors import BadInput
from fairtrial.schema.record import Call, Turn
from fairtrial.schema.user import Table
from fairtrial.sessions.user_table import TableUser


def user_of(*answers: dict[str, Any], **more: Any) -> TableUser:
    return TableUser(Table.model_validate({"kind": "table", "answers": list(answers)} | more))


async def talk(user: TableUser, *replies: str | Turn) -> list[str | None]:
    """What the user says to each reply."""
    turns: list[Turn] = []
    said = []
    for reply in replies:
        turns.append(Turn(user="", reply=reply) if isinstance(reply, str) else reply)
        said.append(await user.say(turns))
    return said


@pytest.mark.parametrize(
    ("question", "number", "otherwise"),
    [
        ("请提供您的订单号", "订单号是 JD2024111138271", "等一下，我找找"),
        ("What is your order number?", "It is JD2024111138271.", "Wait a moment."),
    ],
)
async def test_the_order_number_is_given_late(question: str, number: str, otherwise: str) -> None:
    user = user_of({"when": {"asks": "order_number"}, "say": number, "late": 1}, otherwise=otherwise)
    assert await talk(user, question, question, question) == [otherwise, number, None]


async def test_the_first_row_that_fits_speaks_as_often_as_it_may() -> None:
    user = user_of(
        {"when": {"reply": "颜色"}, "say": "红的", "times": 2},
        {"when": {"reply": "颜色|尺码"}, "say": "都可以"},
    )
    assert await talk(user, "要什么颜色？", "颜色呢", "颜色？", "颜色？") == ["红的", "红的", "都可以", None]


async def test_a_pattern_is_searched_without_regard_to_case_and_width() -> None:
    for pattern in ("ok\\?", "ＯＫ？"):
        assert await talk(user_of({"when": {"reply": pattern}, "say": "yes"}), "ＯＫ？") == ["yes"]
    assert await talk(user_of({"when": {"reply": "订单号："}, "say": "在这"}), "请提供订单号：谢谢") == [
        "在这"
    ]


async def test_who_has_nothing_to_say_leaves() -> None:
    assert await talk(user_of({"when": {"reply": "x"}, "say": "y"}), "z") == [None]


async def test_the_user_leaves_after_so_many_turns() -> None:
    user = user_of({"when": {"reply": "never"}, "say": "y"}, otherwise="嗯", max_turns=2)
    assert await talk(user, "a", "b", "c") == ["嗯", "嗯", None]


async def test_a_call_of_the_session_is_seen() -> None:
    user = user_of({"when": {"tool": "refund"}, "say": "谢谢"}, otherwise="快点")
    called = Turn(user="", reply="b", steps=(Call(name="refund"),))
    assert await talk(user, "a", called) == ["快点", "谢谢"]


async def test_the_state_is_seen_there_or_equal() -> None:
    user = user_of(
        {"when": {"path": "$.order.status", "equals": "refunded"}, "say": "thanks"},
        {"when": {"path": "$.order"}, "say": "and?"},
        otherwise="hello?",
    )
    asked = Turn(user="", reply="", state={"order": {"status": "open"}})
    done = Turn(user="", reply="", state={"order": {"status": "refunded"}})
    assert await talk(user, "a", asked, done) == ["hello?", "and?", "thanks"]


async def test_null_is_a_value_that_a_state_may_equal() -> None:
    user = user_of({"when": {"path": "$.a", "equals": None}, "say": "null"}, otherwise="none")
    told = [Turn(user="", reply="", state={"a": a}) for a in (1, None)]
    assert await talk(user, *told) == ["none", "null"]


async def test_all_that_is_written_must_hold() -> None:
    user = user_of({"when": {"reply": "done", "tool": "refund"}, "say": "ok"}, otherwise="no")
    called = Turn(user="", reply="wait", steps=(Call(name="refund"),))
    assert await talk(user, "done", called, "done") == ["no", "no", "ok"]


@pytest.mark.parametrize("when", [{"reply": "("}, {"path": "order"}])
def test_a_pattern_or_path_that_is_none_is_refused(when: dict[str, Any]) -> None:
    with pytest.raises(BadInput):
        user_of({"when": when, "say": "x"})
