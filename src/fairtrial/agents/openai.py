"""A model behind an OpenAI-compatible endpoint, with an optional loop of tools that are Python functions."""

import os
import time
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

import aiohttp

from fairtrial.agents.answer import arguments_of
from fairtrial.agents.chat import Said, read_document, read_stream
from fairtrial.agents.config import OpenAIConfig, Prices
from fairtrial.agents.connect import Endpoint, is_local, read_body
from fairtrial.agents.environ import environ_value
from fairtrial.agents.protocol import Ability, Agent, Conversation, Opening, Reply, SessionFailed
from fairtrial.agents.template import placeholders, with_clock
from fairtrial.agents.thread import SessionThread
from fairtrial.agents.tools import Toolbox, told
from fairtrial.agents.usage import add, usage_of
from fairtrial.schema.record import Call, Say, Status, Step, Usage
from fairtrial.text.json import encode
from fairtrial.text.language import say

_SAMPLING = ("temperature", "top_p", "max_tokens")


class OpenAIAgent(Agent):
    """Asks chat completions of `config.model`. Whose fault an error is: see `agents.connect`.

    Raises BadInput for a tool that cannot be one, CannotRun where a key or variable is unset (an endpoint
    on this machine or in a private network may go without a key).
    """

    in_process = False

    def __init__(self, config: OpenAIConfig, environ: Mapping[str, str] = os.environ) -> None:
        self.name = f"openai:{config.model}"
        self.config = config
        self.tools = Toolbox(config.tools)
        self.endpoint = Endpoint(completions_url(config.base_url), _headers(config, environ), environ)
        self.fields = _fields(config, self.tools)
        offers = {Ability.tools: bool(self.tools), Ability.clock: "clock" in placeholders(config.system)}
        self.abilities = frozenset(ability for ability, offered in offers.items() if offered)

    async def open(self, opening: Opening) -> "OpenAIConversation":
        """Begin a session; nothing is sent yet."""
        return OpenAIConversation(self, opening)

    async def close(self) -> None:
        """Close the connections."""
        await self.endpoint.close()


class OpenAIConversation(Conversation):
    """One session: the messages so far, and the turn that is under way."""

    def __init__(self, agent: OpenAIAgent, opening: Opening) -> None:
        self._agent, self._opening = agent, opening
        self._messages: list[dict[str, Any]] = []
        if agent.config.system is not None:
            self._messages.append({"role": "system"})
            self.tell(opening.clock)
        self._turn: _Turn | None = None
        self._thread: SessionThread | None = None

    async def send(self, text: str) -> Reply:
        """Ask until the model answers without calling tools.

        After Busy in the middle of a turn the next call goes on from there: tools are not run twice.
        """
        if self._turn is None:
            self._turn = _Turn([*self._messages, {"role": "user", "content": text}])
        turn = self._turn
        said = await self._answer(turn)
        self._messages = [*turn.messages, {"role": "assistant", "content": said.text}]
        self._turn = None
        return turn.reply(said)

    def tell(self, clock: str | None) -> None:
        """Write the time into the system prompt."""
        if (system := self._agent.config.system) is not None:
            self._messages[0]["content"] = with_clock(system, clock)

    async def close(self) -> None:
        """Let the thread of the tools end."""
        if self._thread is not None:
            self._thread.end()

    async def _answer(self, turn: "_Turn") -> Said:
        agent = self._agent
        while turn.requests < agent.config.max_rounds:
            said = await self._ask(turn)
            if not (said.calls and agent.tools):
                turn.steps += (
                    Call(name=c.name, arguments=arguments_of(c.arguments), id=c.id) for c in said.calls
                )
                return said
            await self._use_tools(turn, said)
        most = agent.config.max_rounds
        message = say(f"still calling tools after {most} requests", f"请求了 {most} 次，还在调用工具")
        raise SessionFailed(Status.agent_error, "tool_rounds", message, partial=turn.reply(Said()))

    async def _ask(self, turn: "_Turn") -> Said:
        try:
            said = await self._request(turn)
        except SessionFailed as failure:
            failure.partial = turn.reply(Said()) if turn.requests else None
            raise
        turn.note(said, self._agent.config.price)
        if stopped := said.broken or _unfinished(said):
            stopped.partial = turn.reply(said)
            raise stopped
        return said

    async def _request(self, turn: "_Turn") -> Said:
        agent, begun = self._agent, time.perf_counter()
        fields = {"messages": turn.messages, **agent.fields}
        if agent.config.send_seed:
            fields["seed"] = self._opening.seed
        try:
            async with agent.endpoint.request(encode(fields)) as response:
                await agent.endpoint.refuse(response)
                # A server that cannot stream answers with one document, though it was asked to.
                if agent.config.stream and response.content_type == "text/event-stream":
                    return await read_stream(response.content, begun)
                return read_document(await read_body(response))
        except (aiohttp.ClientError, OSError) as error:
            raise agent.endpoint.blame(error) from error

    async def _use_tools(self, turn: "_Turn", said: Said) -> None:
        self._thread, opening = self._thread or SessionThread(), self._opening
        if said.text:
            turn.steps.append(Say(text=said.text))
        turn.messages.append(_asking(said))
        for asked in said.calls:
            call = await self._agent.tools.run(
                asked.name, asked.arguments, asked.id, opening.session, self._thread, opening.tools
            )
            turn.steps.append(call)
            turn.messages.append({"role": "tool", "tool_call_id": asked.id, "content": told(call)})


class _Turn:
    """A turn under way: what is to be sent next, and what came of it so far."""

    def __init__(self, messages: list[dict[str, Any]]) -> None:
        self.messages = messages
        self.steps: list[Step] = []
        self.requests = 0
        self._usage: Usage | None = None
        self._first_token: float | None = None
        self._thinking: float | None = None

    def note(self, said: Said, prices: Prices | None) -> None:
        """Count a completion in. Usage that one of them does not tell is unknown for the turn."""
        usage = usage_of(said.usage, prices)
        self._usage = (add(self._usage, usage) if self._usage and usage else None) if self.requests else usage
        if not self.requests:
            self._first_token = said.first_token_seconds
        if said.thinking_seconds is not None:
            self._thinking = (self._thinking or 0.0) + said.thinking_seconds
        if said.reasoning:
            self.steps.append(Say(text=said.reasoning))
        self.requests += 1

    def reply(self, said: Said) -> Reply:
        """The turn's reply, ending with what was said last."""
        return Reply(
            text=said.text,
            steps=tuple(self.steps),
            first_token_seconds=self._first_token,
            thinking_seconds=self._thinking,
            model=said.model,
            system_fingerprint=said.system_fingerprint,
            finish_reason=said.finish_reason,
            usage=self._usage,
            requests=max(1, self.requests),
        )


def completions_url(base_url: str) -> str:
    """The address of chat completions for a base with or without its version (`/v1`)."""
    base = base_url.rstrip("/")
    if base.endswith("/chat/completions"):
        return base
    return f"{base}{'' if urlsplit(base).path else '/v1'}/chat/completions"


def _headers(config: OpenAIConfig, environ: Mapping[str, str]) -> dict[str, str]:
    """Headers with the key by name, so that its value is known as a secret."""
    if config.api_key_env in environ:
        return {"Authorization": f"Bearer ${{{config.api_key_env}}}", **config.headers}
    if not is_local(config.base_url) and "authorization" not in map(str.lower, config.headers):
        environ_value(config.api_key_env, environ)
    return config.headers


def _fields(config: OpenAIConfig, tools: Toolbox) -> dict[str, Any]:
    """What is the same in every request."""
    fields: dict[str, Any] = {"model": config.model}
    fields |= {name: value for name in _SAMPLING if (value := getattr(config, name)) is not None}
    if config.stream:
        fields |= {"stream": True, "stream_options": {"include_usage": True}}
    if tools:
        fields["tools"] = tools.declared
    fields |= config.extra
    return {name: value for name, value in fields.items() if value is not None}


def _unfinished(said: Said) -> SessionFailed | None:
    """The failure that a finish reason stands for, if it does."""
    match said.finish_reason:
        case "length":
            return SessionFailed(
                Status.truncated,
                "length",
                say("the answer ran into its limit of tokens", "回答达到了词元上限"),
            )
        case "content_filter":
            return SessionFailed(
                Status.agent_error,
                "content_filter",
                say("the answer was withheld by a filter", "回答被内容过滤扣下了"),
            )
    return None


def _asking(said: Said) -> dict[str, Any]:
    """The assistant's message that asked for tools, to be sent back."""
    calls = [
        {"id": c.id, "type": "function", "function": {"name": c.name, "arguments": c.arguments}}
        for c in said.calls
    ]
    return {"role": "assistant", "content": said.text or None, "tool_calls": calls}
