"""Any HTTP endpoint that takes JSON and answers JSON, by a template of the one and paths into the other."""

import os
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import urlsplit

import aiohttp
import jsonpath_rfc9535
import msgspec

from fairtrial.agents.answer import LooseCall, calls_of, malformed
from fairtrial.agents.config import HttpConfig
from fairtrial.agents.connect import Endpoint, read_body
from fairtrial.agents.protocol import Ability, Agent, Conversation, Opening, Reply
from fairtrial.agents.template import compile_template, placeholders
from fairtrial.agents.usage import usage_of
from fairtrial.errors import BadInput
from fairtrial.text.json import decode, encode

_NAMES = frozenset({"text", "messages", "session", "seed", "clock", "turn", "user"})

_Find = Callable[[Any], list[Any]]


class HttpAgent(Agent):
    """Posts each turn to `config.url`. Whose fault an error is: see `agents.connect`.

    Raises BadInput for a placeholder or path that is wrong, CannotRun for an unset variable.
    """

    in_process = False

    def __init__(self, config: HttpConfig, environ: Mapping[str, str] = os.environ) -> None:
        address = urlsplit(config.url)
        self.name = f"{address.scheme}://{address.netloc}{address.path}"
        self.endpoint = Endpoint(config.url, config.headers, environ, method=config.method)
        self.fill = compile_template(config.request, _NAMES, "agent.request")
        self.paths = {
            name: _finder(path, f"agent.response.{name}")
            for name, path in config.response
            if path is not None
        }
        self.state = (
            Endpoint(config.state_url, config.headers, environ, method="GET") if config.state_url else None
        )
        named = placeholders(config.request)
        offers = {
            Ability.clock: "clock" in named,
            Ability.users: "user" in named,
            Ability.state: self.state is not None or "state" in self.paths,
        }
        self.abilities = frozenset(ability for ability, offered in offers.items() if offered)

    async def open(self, opening: Opening) -> "HttpConversation":
        """Begin a session; nothing is sent yet."""
        return HttpConversation(self, opening)

    async def close(self) -> None:
        """Close the connections."""
        await self.endpoint.close()
        if self.state is not None:
            await self.state.close()


class HttpConversation(Conversation):
    """One session; what the endpoint keeps of it is told apart by the session's id."""

    def __init__(self, agent: HttpAgent, opening: Opening) -> None:
        self._agent, self._opening, self._clock = agent, opening, opening.clock
        self._messages: list[dict[str, str]] = []

    async def send(self, text: str) -> Reply:
        """Send the turn, read the reply at the configured paths."""
        said = {"role": "user", "content": text}
        messages = [*self._messages, said]
        body = self._agent.fill(
            {
                "text": text,
                "messages": messages,
                "session": self._opening.session,
                "seed": self._opening.seed,
                "clock": self._clock,
                "user": self._opening.user,
                "turn": len(messages) // 2,
            }
        )
        reply = _reply(await _fetch(self._agent.endpoint, encode(body)), self._agent.paths)
        self._messages = [*messages, {"role": "assistant", "content": reply.text}]
        return reply

    async def snapshot(self) -> object:
        """What `state_url` answers."""
        if self._agent.state is None:
            return None
        return _document(await _fetch(self._agent.state, None, session=self._opening.session))

    def tell(self, clock: str) -> None:
        """The next request has this time."""
        self._clock = clock

    async def close(self) -> None:
        """Nothing is held."""


async def _fetch(endpoint: Endpoint, body: bytes | None, session: str = "") -> bytes:
    try:
        async with endpoint.request(body, session=session) as response:
            await endpoint.refuse(response)
            return await read_body(response)
    except (aiohttp.ClientError, OSError) as error:
        raise endpoint.blame(error) from error


def _finder(path: str, where: str) -> _Find:
    try:
        query = jsonpath_rfc9535.compile(path)
    except jsonpath_rfc9535.JSONPathError as error:
        raise BadInput(f"{path}: {error}", where=where, how="RFC 9535, $.like.this[0]") from None
    return lambda document: query.find(document).values()


def _document(data: bytes) -> object:
    try:
        return decode(data, object)
    except msgspec.DecodeError:
        raise malformed("the answer is not JSON: ", "应答不是 JSON：", data) from None


def _reply(data: bytes, paths: Mapping[str, _Find]) -> Reply:
    document = _document(data)
    found = {name: find(document) for name, find in paths.items()}
    texts = found["text"]
    if not texts or not all(isinstance(text, str) for text in texts):
        raise malformed(
            "no text at the path of `response.text`: ", "`response.text` 的路径处没有文本：", data
        )
    first = {name: values[0] for name, values in found.items() if values}
    model = first.get("model")
    return Reply(
        text="".join(texts),
        steps=_calls(found.get("calls", [])),
        state=first.get("state"),
        model=model if isinstance(model, str) else None,
        usage=usage_of(first.get("usage")),
    )


def _calls(found: list[Any]) -> Any:
    """Calls at a path that leads to them one by one, or to the list of them."""
    items = [item for value in found for item in (value if isinstance(value, list) else [value])]
    try:
        return calls_of(msgspec.convert([item for item in items if item is not None], list[LooseCall]))
    except msgspec.ValidationError as error:
        raise malformed(
            f"at the path of `response.calls`: {error}", f"`response.calls` 的路径处：{error}"
        ) from None
