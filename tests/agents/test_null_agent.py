import pytest

from fairtrial.agents.config import NullKind
from fairtrial.agents.null import NullAgent, null_reply
from fairtrial.agents.protocol import Opening
from fairtrial.schema.case import Case, CaseSet
from fairtrial.schema.record import Record, Status, Turn
from fairtrial.scoring.score import Scorer


@pytest.mark.parametrize("text", ["Where is order A1?", "我的订单 A1 在哪里？", "", "?!"])
def test_empty_and_echo(text: str) -> None:
    assert null_reply("empty", text) == ""
    assert null_reply("echo", text) == text


@pytest.mark.parametrize(
    ("text", "word"), [("Where is order A1?", "sorry"), ("我的订单在哪里？", "抱歉"), ("訂單 A1", "抱歉")]
)
def test_the_stock_phrase_is_in_the_users_language(text: str, word: str) -> None:
    assert word in null_reply("stock", text)


def test_the_stock_phrase_quotes_nothing_of_the_user() -> None:
    assert null_reply("stock", "order A1") == null_reply("stock", "refund B2")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("My order ORD-2024.7, please: refund!", ["ORD-2024.7", "order", "refund", "delivery"]),
        ("订单 ORD-7 要退款，地址是上海。", ["ORD-7", "要退款", "上海", "物流", "工作日"]),
    ],
)
def test_stuffing_has_the_users_words_and_those_of_the_trade(text: str, words: list[str]) -> None:
    reply = null_reply("stuffing", text)
    assert all(word in reply for word in words)
    said = reply.split()
    assert len(said) == len(set(said))


async def test_a_session_says_the_same() -> None:
    talk = await NullAgent("stock").open(Opening(session="s", seed=0))
    assert (await talk.send("hello")).text == null_reply("stock", "hello")


@pytest.mark.parametrize("kind", ["refusing", "instruction"])
def test_a_refusal_and_an_order_to_the_judge_are_in_the_users_language(kind: NullKind) -> None:
    english, chinese = null_reply(kind, "refund B2"), null_reply(kind, "我要退款")
    assert english.isascii()
    assert not chinese.isascii()
    refused = Scorer(
        CaseSet(
            cases=(Case.model_validate({"id": "a", "input": ["?"], "rules": [{"rule": "no_refusal"}]}),),
            paths=(),
            digest="",
        )
    )
    for said in (english, chinese):
        record = Record(case="a", trial=0, status=Status.completed, turns=(Turn(user="?", reply=said),))
        assert refused.value(record)[0] == (0.0 if kind == "refusing" else 1.0)
