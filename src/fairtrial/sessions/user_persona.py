"""A user that a model plays: what it is told, what it answers, and when it is to blame itself."""

import asyncio
import re
from collections.abc import Sequence

from fairtrial.agents.protocol import Agent, Busy, Conversation, Opening, SessionFailed
from fairtrial.execution.contract import UserFailed
from fairtrial.execution.waiting import wait_seconds
from fairtrial.schema.record import Turn
from fairtrial.schema.user import Persona
from fairtrial.sessions.conduct import Conduct
from fairtrial.text.language import say

_HAN = re.compile("[\u3400-\u9fff]")
_END = re.compile(r"[\[［【]\s*(?:END|结束)\s*[\]］】]", re.IGNORECASE)
_RETRIES = 3
_LONGEST_WAIT, _LONGEST_ANSWER = 20.0, 30.0  # seconds


class PersonaUser:
    """The user of one session, played by `player` under `seed`; `said` is what the case has it say first.

    The player's first message is its brief with the talk so far, each later one a reply of the agent; what
    else the user has said since, and what was replied, follows.
    """

    def __init__(self, persona: Persona, said: Sequence[str], player: Agent, seed: int) -> None:
        self._persona, self._player, self._seed = persona, player, seed
        self._chinese = _HAN.search("".join(said)) is not None
        self._conduct = Conduct((persona.persona, persona.goal, *persona.facts, *said), persona.goal)
        self._conversation: Conversation | None = None
        self._left = persona.max_turns
        self._heard = 0

    async def say(self, turns: Sequence[Turn]) -> str | None:
        """What the user says after these turns; None where it leaves, or has spoken `max_turns` times.

        Raises UserFailed: with `infra` where the player cannot be reached, else where it breaks its brief.
        """
        if not self._left:
            return None
        self._left -= 1
        answer = await self._ask(turns)
        text = _END.sub("", answer).strip()
        if _END.search(answer):
            self._left = 0
            if not text:
                return None
        told = [text for turn in turns for text in (turn.user, turn.reply) if text is not None]
        self._conduct.check(text, told)
        return text

    async def close(self) -> None:
        """End the player's conversation."""
        if self._conversation is not None:
            await self._conversation.close()

    async def _ask(self, turns: Sequence[Turn]) -> str:
        message, self._heard = self._news(turns), len(turns)
        for retry in range(1, _RETRIES + 2):
            try:
                return await asyncio.wait_for(self._send(message), _LONGEST_ANSWER)
            except Busy as busy:
                failed = UserFailed("player", _of_player(busy.message), infra=True)
                wait = wait_seconds(retry, busy.retry_after, longest=_LONGEST_WAIT, seed=self._seed)
                if retry <= _RETRIES:
                    await asyncio.sleep(wait)
            except SessionFailed as error:
                raise UserFailed("player", _of_player(error.message), infra=True) from error
            except TimeoutError as error:
                late = say(f"no answer within {_LONGEST_ANSWER:g} s", f"{_LONGEST_ANSWER:g} 秒内没有回答")
                raise UserFailed("player", _of_player(late), infra=True) from error
        raise failed

    async def _send(self, message: str) -> str:
        if self._conversation is None:
            opening = Opening(session=f"user-{self._seed:016x}", seed=self._seed)
            self._conversation = await self._player.open(opening)
        return (await self._conversation.send(message)).text

    def _news(self, turns: Sequence[Turn]) -> str:
        """What the player has not heard yet."""
        if not self._heard:
            return self._brief(turns)
        own, *others = turns[self._heard :]
        return "\n".join([own.reply or "", *self._lines(others)])

    def _lines(self, turns: Sequence[Turn]) -> list[str]:
        you, they = ("你", "客服") if self._chinese else ("You", "Assistant")
        return [line for turn in turns for line in (f"{you}: {turn.user}", f"{they}: {turn.reply or ''}")]

    def _brief(self, turns: Sequence[Turn]) -> str:
        """The opening message, in the language of the case, whoever reads the log."""
        persona, most = self._persona, self._persona.max_turns
        talk = self._lines(turns)
        facts = [f"- {fact}" for fact in persona.facts]
        if self._chinese:
            return "\n".join(
                [
                    "请你扮演一位正在与客服对话的用户，只说这位用户会说的话，每次一两句。",
                    f"你是谁：{persona.persona}",
                    f"你的目的（不可改变）：{persona.goal}",
                    "你知道的信息（被问到再说；此外不要编造任何单号、日期、金额或电话）：",
                    *(facts or ["- 没有别的"]),
                    f"不要扮演客服，不要说自己是模型。目的达到或已无望时，只回复 [结束]；最多说 {most} 次。",
                    "目前为止的对话：",
                    *talk,
                ]
            )
        return "\n".join(
            [
                "Play a user who is talking to an assistant. Say only what that user would say, one",
                "sentence or two at a time.",
                f"Who you are: {persona.persona}",
                f"Your goal, which never changes: {persona.goal}",
                "What you know (tell it when asked; make up no other number, date, amount or phone):",
                *(facts or ["- nothing else"]),
                "Never speak as the assistant, never say that you are a model. When the goal is reached or",
                f"out of reach, answer only [END]. You may speak {most} times at most.",
                "The talk so far:",
                *talk,
            ]
        )


def _of_player(message: str) -> str:
    return say("whoever plays the user: ", "扮演用户的一方：") + message
