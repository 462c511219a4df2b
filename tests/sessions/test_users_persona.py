"""A user whom a model plays: what it is told, and when it is blamed itself."""

from collections.abc import Sequence
from typing import Any

import pytest

from fairtrial.agents.protocol import Ability, Agent, Busy, Conversation, Opening, Reply, SessionFailed
from fairtrial.execution.contract import UserFailed
from fairtrial.schema.record import Status, Turn
from fairtrial.schema.user import Persona
from fairtrial.sessions import user_persona
from fairtrial.sessions.user_persona import PersonaUser

ORDER = "JD2024111138271"


class Player(Agent, Conversation):
    """Answers as told, one after another; an exception is raised."""

    name = "player"
    in_process = True
    abilities: frozenset[Ability] = frozenset()

    def __init__(self, *answers: str | Exception) -> None:
        self.answers, self.heard, self.openings, self.closed = list(answers), [], [], 0

    heard: list[str]
    openings: list[Opening]

    async def open(self, opening: Opening) -> "Player":
        self.openings.append(opening)
        return self

    async def send(self, text: str) -> Reply:
        self.heard.append(text)
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return Reply(text=answer)

    async def snapshot(self) -> object:
        return None

    def tell(self, clock: str) -> None: ...

    async def close(self) -> None:
        self.closed += 1


ZH: dict[str, Any] = {
    "persona": "一位着急的顾客",
    "goal": f"退掉订单 {ORDER}",
    "facts": ["付了 199 元", "手机 13812345678", "11月11日下的单"],
}
EN: dict[str, Any] = {
    "persona": "an impatient customer",
    "goal": f"return order {ORDER}",
    "facts": ["paid $199", "phone 415-555-0134", "ordered on 2024-11-11"],
}


def user_of(player: Player, *, said: str = "我想退货", **fields: Any) -> PersonaUser:
    return PersonaUser(Persona.model_validate({"kind": "persona"} | ZH | fields), [said], player, 7)


async def answer(text: str, *, said: str = "我想退货", reply: str = "好的", **fields: Any) -> str | None:
    return await user_of(Player(text), said=said, **fields).say([Turn(user=said, reply=reply)])


async def talk(user: PersonaUser, replies: Sequence[str]) -> list[str | None]:
    turns: list[Turn] = []
    said: list[str | None] = []
    for reply in replies:
        turns.append(Turn(user=said[-1] if said and said[-1] else "我想退货", reply=reply))
        said.append(await user.say(turns))
    return said


async def test_the_player_gets_its_brief_with_the_talk_and_then_each_reply() -> None:
    player = Player(f"订单号 {ORDER}", "谢谢 [结束]")
    user = user_of(player)
    assert await talk(user, ["请提供订单号", "已退款", "再见"]) == [f"订单号 {ORDER}", "谢谢", None]
    brief, second = player.heard
    for part in (*ZH["facts"], ZH["persona"], ZH["goal"], "我想退货", "请提供订单号", "[结束]"):
        assert part in brief
    assert second == "已退款"
    assert [opening.seed for opening in player.openings] == [7]
    await user.close()
    assert player.closed == 1


async def test_the_player_hears_every_reply_when_the_case_has_it_say_more_between() -> None:
    player = Player(f"订单号 {ORDER}", "谢谢 [结束]")
    user = user_of(player)
    turns = [Turn(user="我想退货", reply="请提供订单号")]
    turns.append(Turn(user=str(await user.say(turns)), reply="已查到"))
    turns.append(Turn(user="还在吗", reply="在的，已退款"))
    assert await user.say(turns) == "谢谢"
    assert player.heard[1].splitlines() == ["已查到", "你: 还在吗", "客服: 在的，已退款"]


async def test_the_brief_is_in_the_language_of_the_case() -> None:
    player = Player("[END]")
    assert await user_of(player, said="hello", **EN).say([Turn(user="hello", reply="Hi!")]) is None
    assert "[END]" in player.heard[0]
    assert not any("\u4e00" <= char <= "\u9fff" for char in player.heard[0])


async def test_the_user_leaves_after_so_many_turns() -> None:
    player = Player("一", "二", "三")
    assert await talk(user_of(player, max_turns=2), ["a", "b", "c"]) == ["一", "二", None]


@pytest.mark.parametrize(
    "text",
    [
        f"订单号是 {ORDER}",
        "单号 38271",
        "我付了199元",
        "付了１９９块钱",
        "手机是 138 1234 5678",
        "11月11日买的",
        "我昨天就问过了，等了20分钟",
        "你是机器人吗？你是人工智能吧",
        "能帮我退一下吗？转人工客服",
        "买了 2 件",
    ],
)
async def test_what_the_brief_has_may_be_said_in_chinese(text: str) -> None:
    assert await answer(text) == text


@pytest.mark.parametrize(
    "text",
    [
        f"My order number is {ORDER}.",
        "I paid $199.00 for it.",
        "Call me at (415) 555-0134.",
        "I ordered it on November 11, 2024.",
        "It was Nov 11, and you promise help 24/7.",
        "Are you an AI? I want to talk to customer service.",
        "Can you help me? I asked yesterday.",
    ],
)
async def test_what_the_brief_has_may_be_said_in_english(text: str) -> None:
    assert await answer(text, said="I want to return it", **EN) == text


async def test_what_the_agent_told_may_be_said() -> None:
    assert await answer("退货单 RT99887766 什么时候到账？", reply="退货单号 RT99887766 已生成")


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("invented", "订单号是 JD2024999900001"),
        ("invented", "我付了 258 元"),
        ("invented", "打我电话 13900001111"),
        ("invented", "我是10月3日下的单"),
        ("role", "作为一个人工智能语言模型，我没有订单"),
        ("role", "您好，请问有什么可以帮您？"),
        ("role", "我是智能客服，很高兴为您服务"),
        ("empty", "  "),
    ],
)
async def test_who_breaks_the_brief_in_chinese_is_blamed(kind: str, text: str) -> None:
    with pytest.raises(UserFailed) as failed:
        await answer(text)
    assert (failed.value.kind, failed.value.infra) == (kind, False)


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("invented", "My order number is JD2024999900001."),
        ("invented", "I paid $258."),
        ("invented", "Call me at 415-555-9999."),
        ("invented", "I ordered it on October 3, 2024."),
        ("invented", "I ordered it on November 11, 2023."),
        ("role", "As an AI language model, I have no orders."),
        ("role", "Hello! How can I help you today?"),
        ("role", "Thank you for contacting us."),
        ("empty", ""),
    ],
)
async def test_who_breaks_the_brief_in_english_is_blamed(kind: str, text: str) -> None:
    with pytest.raises(UserFailed) as failed:
        await answer(text, said="I want to return it", **EN)
    assert (failed.value.kind, failed.value.infra) == (kind, False)


async def test_who_turns_to_another_order_has_left_the_goal() -> None:
    told = "您有两个订单：JD2024111138271 和 JD2024111199999"
    with pytest.raises(UserFailed) as failed:
        await answer("那就退 JD2024111199999 吧", reply=told)
    assert failed.value.kind == "goal"
    assert await answer("不是 JD2024111199999，是另一个", reply=told)
    assert await answer(f"退 {ORDER}，JD2024111199999 留着", reply=told)


async def test_who_says_the_same_again_and_again_is_stuck() -> None:
    user = user_of(Player(*["快点退款"] * 3))
    with pytest.raises(UserFailed) as failed:
        await talk(user, ["请稍等"] * 3)
    assert failed.value.kind == "repeats"


async def test_a_player_that_fails_is_no_fault_of_the_user() -> None:
    with pytest.raises(UserFailed) as failed:
        await user_of(Player(SessionFailed(Status.agent_error, "http", "500"))).say([])
    assert failed.value.infra


async def test_a_player_that_is_busy_is_asked_again() -> None:
    assert await user_of(Player(Busy("429", 0.0), "好的")).say([Turn(user="a", reply="b")]) == "好的"
    with pytest.raises(UserFailed) as failed:
        await user_of(Player(*[Busy("429", 0.0)] * 9)).say([])
    assert failed.value.infra


async def test_a_player_that_never_answers_is_no_fault_of_the_user(monkeypatch: pytest.MonkeyPatch) -> None:
    import asyncio

    monkeypatch.setattr(user_persona, "_LONGEST_ANSWER", 0.01)
    player = Player()

    async def hang(text: str) -> Reply:
        await asyncio.sleep(3600)
        raise AssertionError

    monkeypatch.setattr(player, "send", hang)
    with pytest.raises(UserFailed) as failed:
        await user_of(player).say([])
    assert failed.value.infra
