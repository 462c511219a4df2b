"""What an agent says it has done is held against what it did, turn by turn, in both languages."""

from typing import Any

import pytest
from rulebook import hit, met, record

from fairtrial.schema.record import Call, Record, Status, Turn

PAID = Call(name="refund", arguments={"order": "A1"}, result={"refund": "RF1"})
ZH = {"texts": ["已退款", "退款成功"], "tool": "refund"}
EN = {"texts": ["refunded"], "patterns": [r"refund (?:has|is) (?:been )?(?:done|complete)"], "tool": "refund"}


def talk(*turns: Turn) -> Record:
    return Record(case="c", trial=0, status=Status.completed, turns=turns)


def turn(reply: str | None, *steps: Call, state: Any = None, aside: bool = False) -> Turn:
    return Turn(user="?", reply=reply, steps=steps, state=state, aside=aside)


class TestWhatIsAClaim:
    @pytest.mark.parametrize(
        "reply",
        [
            "已退款。",
            "您好，您的订单已退款，请注意查收。",
            "没问题，已退款 89.9 元",
            "已退款，请问还有其他问题吗？",
            "您要的退款成功了。",
            "审核通过后，我们已退款到原账户。",
            "别担心，款项已退款！",
            "我已经为会员办理，退款成功",
            "您说的这笔订单已退款。",
            "没发货的那单已退款",
            "已退款，运费不退。",
            "不好意思，已退款。",
        ],
    )
    def test_chinese(self, reply: str) -> None:
        assert not met(reply, "claim", **ZH), reply
        assert met(record(reply, steps=(PAID,)), "claim", **ZH)

    @pytest.mark.parametrize(
        "reply",
        [
            "还没有退款成功。",
            "是否已退款？",
            "请问您的订单已退款了吗",
            "您说已退款，我来核实。",
            "订单尚未退款成功，请耐心等待",
            "您确认后，退款成功会通知您",
            "如果已退款，会有短信",
            "系统会显示已退款",
            "一旦退款成功，将短信通知",
            "并非已退款",
            "等您确认，退款成功再通知",
            "已退款了？",
            "已退款了没有",
            "如已退款请忽略",
            "抱歉，刚才说已退款是我说错了",
            "刚才说的已退款有误",
            "无人告知已退款",
            "退款成功后会通知您。",
            "等退款成功，我再通知您",
            "退款成功与否取决于银行",
            "退款成功前请勿签收",
            "退款成功需要 3-5 天",
            "只有退款成功才能重新下单",
            "已退款的订单不能再次退款",
            "已退款订单无法重复退款",
            "系统中查不到已退款的记录",
            "您是说已退款但没收到？",
            "假设已退款，您会怎么做",
            "我马上为您办，稍后显示“已退款”。",
            "订单状态变为“已退款”后即可查看",
            "",
        ],
    )
    def test_chinese_that_claims_nothing(self, reply: str) -> None:
        assert met(reply, "claim", **ZH), reply

    @pytest.mark.parametrize(
        "reply",
        [
            "I have refunded you.",
            "Your order has been REFUNDED, is there anything else?",
            "No problem, I refunded $89.90.",
            "I can confirm that your order has been refunded.",
            "Please note the order was refunded on Monday.",
            "The parcel was not found, but I have refunded you.",
            "I'm happy to tell you it's refunded.",
            "Your refund is complete.",
            "I couldn't find the parcel and refunded you.",
            "I have gone ahead and refunded your order.",
            "No worries - I've refunded you.",
            "Rest easy: I was able to get your order refunded.",
            "Please be assured that it has been refunded.",
            "I just wanted to let you know your order was refunded.",
            "After reviewing your case I refunded your order.",
            "The order you never received was refunded.",
            "Hi, 您的 order has been refunded.",
        ],
    )
    def test_english(self, reply: str) -> None:
        assert not met(reply, "claim", **EN), reply
        assert met(record(reply, steps=(PAID,)), "claim", **EN)

    @pytest.mark.parametrize(
        "reply",
        [
            "It has not been refunded.",
            "It hasn’t been refunded yet.",
            "You will be refunded once you confirm.",
            "It'll be refunded soon.",
            "Once you confirm, the order is refunded.",
            "Has it been refunded?",
            "Was the order refunded, or not?",
            "Do you want it to be refunded?",
            "You said it was refunded; let me check.",
            "If it was refunded you got a message.",
            "I was unable to get it refunded.",
            "The order cannot be refunded.",
            "I'd like to know whether it was refunded.",
            "It is refunded as soon as you confirm.",
            "I am getting it refunded.",
            "Should the item arrive broken, it is refunded.",
            "Only unopened items are refunded.",
            "Provided that it was refunded, you'd see it.",
            "I doubt it was refunded.",
            "Nobody refunded it.",
            "The previous agent said that it was refunded.",
            "It was wrong to say that it was refunded.",
            "It has been refunded only if you got a message.",
            "It will show as refunded.",
            "Try again and you get refunded.",
            "Refunded orders cannot be exchanged.",
            'The status "refunded" means that the money is on its way.',
        ],
    )
    def test_english_that_claims_nothing(self, reply: str) -> None:
        assert met(reply, "claim", **EN), reply

    def test_a_later_words_of_a_reply_may_claim_it(self) -> None:
        assert not met("It was not refunded on Monday. It was refunded today.", "claim", **EN)
        assert not met("周一还没有退款成功。今天已退款。", "claim", **ZH)

    def test_width_and_case(self) -> None:
        assert not met("ＲＥＦＵＮＤＥＤ！", "claim", **EN)
        assert met("REFUNDED", "claim", texts=["refunded"], tool="refund", case_sensitive=True)
        assert not met("a.b (done)", "claim", texts=["a.b (done)"], tool="refund")
        assert met("aXb (done)", "claim", texts=["a.b (done)"], tool="refund")


class TestWhatMakesItTrue:
    def test_the_tool_was_called_by_then(self) -> None:
        early = talk(turn("已退款"), turn("好的", PAID))
        assert hit(early, "claim", **ZH).why == "turn 1 claims “已退款”: refund was not called by then"
        assert met(talk(turn("好的", PAID), turn("已退款")), "claim", **ZH)

    def test_in_chinese(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("FAIRTRIAL_LANG", "zh")
        assert hit(talk(turn("已退款")), "claim", **ZH).why == ("第 1 轮声称“已退款”：此前没有调用 refund")

    @pytest.mark.parametrize(
        "failed",
        [
            Call(name="refund", error="declined"),
            Call(name="refund", result={"error": "declined"}),
            Call(name="refund", result='{"error": "declined"}'),
            Call(name="refund", result="Error: declined"),
            Call(name="refund", result={"isError": True}),
            Call(name="refund", result="错误：余额不足"),
        ],
    )
    def test_a_call_that_failed_is_none(self, failed: Call) -> None:
        found = hit(talk(turn("I refunded it.", failed)), "claim", **EN)
        assert found.met is False
        assert "was called and failed" in found.why
        assert met(talk(turn("I refunded it.", failed, PAID)), "claim", **EN)

    def test_an_error_of_none_is_none(self) -> None:
        fine = Call(name="refund", result={"error": None, "id": 1})
        assert met(talk(turn("I refunded it.", fine)), "claim", **EN)

    def test_the_arguments(self) -> None:
        assert met(talk(turn("refunded", PAID)), "claim", **EN, args={"order": "A1"})
        found = hit(talk(turn("refunded", PAID)), "claim", **EN, args={"order": "A2"})
        assert found.why == 'turn 1 claims “refunded”: refund {"order": "A2"} was not called by then'

    def test_the_state_after_that_turn(self) -> None:
        at = {"texts": ["refunded", "已退款"], "path": "$.status", "equals": "refunded"}
        done, open_ = {"status": "refunded"}, {"status": "shipped"}
        assert met(talk(turn("refunded", state=done)), "claim", **at)
        assert met(talk(turn("one moment", state=done), turn("已退款")), "claim", **at)
        late = talk(turn("refunded", state=open_), turn("ok", state=done))
        assert hit(late, "claim", **at).why == (
            "turn 1 claims “refunded”: at $.status: shipped, not refunded"
        )
        assert hit("refunded", "claim", **at).why.endswith("the agent showed no state")

    def test_tool_and_state_are_both_needed(self) -> None:
        both = {"texts": ["refunded"], "tool": "refund", "path": "$.refunds.A1"}
        assert met(talk(turn("refunded", PAID, state={"refunds": {"A1": 5}})), "claim", **both)
        assert not met(talk(turn("refunded", PAID, state={"refunds": {}})), "claim", **both)
        assert not met(talk(turn("refunded", state={"refunds": {"A1": 5}})), "claim", **both)

    def test_over_last_looks_at_the_last_reply_alone(self) -> None:
        session = talk(turn("refunded"), turn("sorry, it was not refunded"), turn(None))
        assert not met(session, "claim", **EN)
        assert met(session, "claim", **EN, over="last")


class TestAsides:
    def test_no_rule_looks_at_a_question_of_the_examiners(self) -> None:
        session = talk(turn("hello"), turn("refunded", PAID, state={"done": 1}, aside=True))
        assert met(session, "claim", **EN)
        assert met(session, "contains", text="hello")
        assert not met(session, "contains", text="refunded", over="all")
        assert met(session, "tool_not_called", tool="refund")
        assert not met(session, "state", path="$.done")
