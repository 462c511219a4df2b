import pytest

from fairtrial.agents.null import NullAgent, null_reply
from fairtrial.agents.protocol import Opening


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
