"""Chat completions as they come over the wire: one document, or a stream of server-sent events."""

import time
from typing import Any

import aiohttp
import msgspec

from fairtrial.agents.answer import malformed
from fairtrial.agents.connect import BODY_LIMIT, too_long
from fairtrial.agents.protocol import SessionFailed
from fairtrial.agents.wire import shown
from fairtrial.schema.record import Status
from fairtrial.text.json import decode
from fairtrial.text.language import say


class _Function(msgspec.Struct, frozen=True, gc=False):
    name: str | None = None
    arguments: str | dict[str, Any] | None = None


class _ToolCall(msgspec.Struct, gc=False):
    function: _Function = _Function()
    id: str | None = None
    index: int | None = None


class _Message(msgspec.Struct, gc=False):
    """`reasoning` and `reasoning_content` are two names for one thing. Content may come in parts."""

    content: str | list[Any] | None = None
    refusal: str | None = None
    reasoning_content: str | None = None
    reasoning: str | None = None
    tool_calls: list[_ToolCall] | None = None


class _Choice(msgspec.Struct, gc=False):
    message: _Message | None = None
    delta: _Message | None = None
    finish_reason: str | None = None


class _Document(msgspec.Struct, gc=False):
    choices: list[_Choice] = []
    model: str | None = None
    system_fingerprint: str | None = None
    usage: Any = None
    error: Any = None


class ToolCall(msgspec.Struct):
    """A call that the model asks for; `arguments` is JSON text as it wrote it."""

    id: str = ""
    name: str = ""
    arguments: str = ""


class Said(msgspec.Struct):
    """One completion, whole or as far as it came: `broken` says how a stream ended before its end."""

    text: str = ""
    reasoning: str = ""
    calls: list[ToolCall] = []
    finish_reason: str | None = None
    model: str | None = None
    system_fingerprint: str | None = None
    usage: Any = None
    first_token_seconds: float | None = None
    thinking_seconds: float | None = None
    broken: SessionFailed | None = None


def read_document(data: bytes) -> Said:
    """A completion that came whole. Raises SessionFailed where it is none."""
    document = _decoded(data)
    if not document.choices or (message := document.choices[0].message) is None:
        raise malformed("no message in the answer: ", "应答里没有消息：", data)
    return Said(
        text=_text(message),
        reasoning=message.reasoning_content or message.reasoning or "",
        calls=[_whole(call, number) for number, call in enumerate(message.tool_calls or ())],
        finish_reason=document.choices[0].finish_reason,
        model=document.model,
        system_fingerprint=document.system_fingerprint,
        usage=document.usage,
    )


async def read_stream(content: aiohttp.StreamReader, begun: float) -> Said:
    """A completion that comes in pieces; `begun` is when it was asked for, by `time.perf_counter`.

    Whatever breaks the stream is in `broken` of what had come by then.
    """
    stream = _Stream(begun)
    said = stream.said
    try:
        await _feed(stream, content)
        if not stream.ended:
            said.broken = SessionFailed(
                Status.stream_cut, "cut", say("the stream ended without a finish", "流没有结束标记就断了")
            )
    except SessionFailed as failure:
        said.broken = failure
    except (aiohttp.ClientError, OSError) as error:
        said.broken = SessionFailed(
            Status.stream_cut, "cut", say("the stream broke off: ", "流中断了：") + shown(str(error))
        )
    stream.join()
    return said


async def _feed(stream: "_Stream", content: aiohttp.StreamReader) -> None:
    rest, size = bytearray(), 0  # grows in place: a line without end must not be copied for each piece
    while not content.at_eof():
        data = await content.readany()
        size += len(data)
        if size > BODY_LIMIT:
            raise too_long()
        *ends, beginning = data.split(b"\n")
        for end in ends:
            stream.take(bytes(rest + end))
            rest.clear()
        rest += beginning
    stream.take(bytes(rest))


class _Stream:
    """What has come of a streamed completion."""

    def __init__(self, begun: float) -> None:
        self.said, self.ended = Said(), False
        self._begun = begun
        self._text: list[str] = []
        self._reasoning: list[str] = []
        self._calls: dict[int, ToolCall] = {}
        self._first: float | None = None
        self._thought: float | None = None

    def take(self, line: bytes) -> None:
        """One line of the stream; only those with data say something."""
        if not line.startswith(b"data:"):
            return
        data = line[5:].strip()
        if data == b"[DONE]":
            self.ended = True
        elif data:
            self._piece(_decoded(data))

    def join(self) -> None:
        """Put the pieces together in `said`."""
        said = self.said
        said.text, said.reasoning = "".join(self._text), "".join(self._reasoning)
        said.calls = list(self._calls.values())
        if self._first is not None:
            said.first_token_seconds = self._first - self._begun
            if self._reasoning and self._thought is not None:
                said.thinking_seconds = self._thought - self._first

    def _piece(self, piece: _Document) -> None:
        said = self.said
        said.model = piece.model or said.model
        said.system_fingerprint = piece.system_fingerprint or said.system_fingerprint
        said.usage = piece.usage or said.usage
        if not piece.choices:
            return
        choice = piece.choices[0]
        if choice.finish_reason:
            said.finish_reason, self.ended = choice.finish_reason, True
        if choice.delta is not None:
            self._delta(choice.delta)

    def _delta(self, delta: _Message) -> None:
        text, reasoning = _text(delta), delta.reasoning_content or delta.reasoning
        if not (text or reasoning or delta.tool_calls):
            return
        now = time.perf_counter()
        self._first = self._first or now
        if reasoning:
            self._reasoning.append(reasoning)
        if text:
            self._text.append(text)
        for call in delta.tool_calls or ():
            self._call(call)
        if text or delta.tool_calls:
            self._thought = self._thought or now

    def _call(self, piece: _ToolCall) -> None:
        calls = self._calls
        # A piece without an index goes on with the last call, unless its id says that it is a new one.
        place = piece.index if piece.index is not None else max(0, len(calls) - (not piece.id))
        whole = _whole(piece, place)
        if (begun := calls.setdefault(place, whole)) is not whole:
            begun.name += whole.name
            begun.arguments += whole.arguments


def _decoded(data: bytes) -> _Document:
    try:
        document = decode(data, _Document)
    except msgspec.DecodeError as error:
        raise malformed(
            f"the answer is no chat completion ({error}): ", f"应答不是 chat completion（{error}）：", data
        ) from None
    if document.error is not None and not document.choices:
        raise SessionFailed(
            Status.agent_error,
            "error",
            say("an error instead of an answer: ", "收到的是错误，不是应答：") + shown(data, 500),
        )
    return document


def _text(message: _Message) -> str:
    content = message.content
    if isinstance(content, list):
        parts = [part.get("text") for part in content if isinstance(part, dict)]
        content = "".join(part for part in parts if isinstance(part, str))
    return content or message.refusal or ""


def _whole(call: _ToolCall, number: int) -> ToolCall:
    arguments = call.function.arguments
    if isinstance(arguments, dict):
        arguments = msgspec.json.encode(arguments).decode()
    return ToolCall(call.id or f"call_{number}", call.function.name or "", arguments or "")
