"""Single turns: each test has a session of its own."""

import pytest

POLLUTIONS = [
    "你们那个机器人是不是真的客服啊",
    "我刚才打了电话没人接",
    "天气越来越冷了",
    "对了还有件事我想起来了",
]


def build_pollution_prompt(core_question, distraction_sentences):
    return "，".join([*distraction_sentences, core_question])


@pytest.mark.xfail(strict=True, reason="the agent attends to the beginning of a long message alone")
def test_context_pollution_recovery(agent_session):
    core = "我的订单JD2024111138271需要退款"
    response = agent_session.send(build_pollution_prompt(core, POLLUTIONS))
    assert "JD2024111138271" in response.answer, "Agent未能捕获关键订单号"
    assert response.intent == "refund", f"意图识别错误: {response.intent}"
    assert "请提供订单号" not in response.answer, "Agent未从污染上下文中提取到已有订单号"


def test_a_word_about_the_weather_is_no_matter(agent_session):
    response = agent_session.send(build_pollution_prompt("我的订单JD2024111138271需要退款", POLLUTIONS[2:3]))
    assert "JD2024111138271" in response.answer
    assert response.intent == "refund"


def test_english_is_answered_in_english(agent_session):
    response = agent_session.send("It's getting cold. I want a refund for US2024110512094.")
    assert response.state["language"] == "en"
    assert [call.name for call in response.calls] == ["find_order", "check_return", "refund"]
