"""A Python callable in the examiner's own process: for development, never for a verdict."""

import asyncio
import inspect
import traceback
from collections.abc import Callable
from functools import partial
from typing import Any

import msgspec

from fairtrial.agents.answer import reply_of_value
from fairtrial.agents.hook import Tools
from fairtrial.agents.load import load_function
from fairtrial.agents.protocol import Ability, Agent, Busy, Conversation, Opening, Reply, SessionFailed
from fairtrial.agents.thread import SessionThread
from fairtrial.agents.wire import plain, shown
from fairtrial.errors import BadInput
from fairtrial.schema.record import Status
from fairtrial.text.language import say

_Parameter = inspect.Parameter
_POSITIONAL = (_Parameter.POSITIONAL_ONLY, _Parameter.POSITIONAL_OR_KEYWORD, _Parameter.VAR_POSITIONAL)
_OFFERED = ("session", "seed", "clock", "user", "tools")
_VARIADIC = (_Parameter.VAR_POSITIONAL, _Parameter.VAR_KEYWORD)


class _Shape(msgspec.Struct, frozen=True, kw_only=True):
    """How a callable wants to be called."""

    messages: bool = False
    offered: tuple[str, ...] = ()
    is_async: bool = False


class PythonAgent(Agent):
    """Asks a function, or one instance of a class a session.

    The first parameter gets the user's text, or, if it is called `messages`, the whole conversation as
    OpenAI messages. Parameters called `session`, `seed`, `clock`, `user` and `tools` get the opaque id, the
    seed, the time, the user's opaque id and what tool calls are to pass through (`agents.hook`); others must
    have defaults. A class is called with those of them that it takes, and its instance with the text or the
    messages. What an instance's method `state()` returns is its state, where the reply shows none. Blocking
    code runs in a thread of its session, `async` code in the loop.

    Raises BadInput where the function cannot be imported or cannot be called so.
    """

    in_process = True

    def __init__(self, function: str) -> None:
        self.name = f"python:{function}"
        target = load_function(function)
        self._make: Callable[..., Any] | None = target if inspect.isclass(target) else None
        self._function = _method_of(target, function) if inspect.isclass(target) else target
        self._made = _shape(target, function, asked=False) if self._make else _Shape()
        self._shape = _shape(self._function, function, bound=self._make is not None)
        self._state = _state_of(target) if self._make else None
        self.abilities = self._abilities()

    async def open(self, opening: Opening) -> "PythonConversation":
        """Begin a session, with an instance of its own where the target is a class."""
        conversation = PythonConversation(self._function, self._shape, opening, self._state)
        if self._make:
            try:
                await conversation.make(self._make, self._made)
            except BaseException:
                await conversation.close()
                raise
        return conversation

    async def close(self) -> None:
        """Nothing is held."""

    def _abilities(self) -> frozenset[Ability]:
        called, asked = self._shape.offered, {*self._shape.offered, *self._made.offered}
        offers = {
            Ability.tools: "tools" in asked,
            Ability.users: "user" in asked,
            Ability.clock: "clock" in called,  # only later calls are told that it moved
            Ability.state: self._state is not None,
        }
        return frozenset(ability for ability, offered in offers.items() if offered)


class PythonConversation(Conversation):
    """One session with a callable."""

    def __init__(
        self,
        function: Callable[..., Any],
        shape: _Shape,
        opening: Opening,
        state: Callable[[Any], Any] | None,
    ) -> None:
        self._function, self._shape, self._state = function, shape, state
        self._offered = {name: getattr(opening, name) for name in _OFFERED}
        self._offered["tools"] = Tools(opening.tools)
        self._history: list[dict[str, str]] = []
        self._thread = SessionThread()

    async def make(self, make: Callable[..., Any], shape: _Shape) -> None:
        """Make the session's own instance, in the thread or loop in which it will be called."""
        self._function = await self._run(partial(make, **self._offers(shape)))

    async def send(self, text: str) -> Reply:
        """Call it once. What it raises is the agent's error, but for Busy and SessionFailed."""
        said = {"role": "user", "content": text}
        given = [*map(dict, self._history), said] if self._shape.messages else text
        value = await self._run(partial(self._function, given, **self._offers(self._shape)))
        reply = reply_of_value(value)
        self._history += [dict(said), {"role": "assistant", "content": reply.text}]
        return reply

    async def snapshot(self) -> object:
        """What the instance's `state()` returns."""
        return plain(await self._run(partial(self._state, self._function))) if self._state else None

    def tell(self, clock: str) -> None:
        """The next call gets this time."""
        self._offered["clock"] = clock

    async def close(self) -> None:
        """Let the session's thread end."""
        self._thread.end()

    def _offers(self, shape: _Shape) -> dict[str, Any]:
        return {name: self._offered[name] for name in shape.offered}

    async def _run(self, call: Callable[[], Any]) -> Any:
        try:
            value = call() if self._shape.is_async else await self._thread.run(call)
            return await value if inspect.isawaitable(value) else value
        except BaseException as error:
            raise _failure(error) from error


def _method_of(target: type, where: str) -> Callable[..., Any]:
    for kind in target.__mro__:
        if method := vars(kind).get("__call__"):
            return method  # type: ignore[no-any-return]
    raise BadInput(
        say(f"class {target.__name__} has no `__call__`", f"类 {target.__name__} 没有 `__call__`"),
        where=where,
        how=say("give it `def __call__(self, text)`", "请定义 `def __call__(self, text)`"),
    )


def _state_of(target: Callable[..., Any]) -> Callable[[Any], Any] | None:
    """A class's method `state` that needs nothing but its instance."""
    method = getattr(target, "state", None)
    if not inspect.isfunction(method):
        return None
    needed = [p for p in inspect.signature(method).parameters.values() if p.default is _Parameter.empty]
    return method if sum(p.kind not in _VARIADIC for p in needed) == 1 else None


def _shape(function: Callable[..., Any], where: str, *, bound: bool = False, asked: bool = True) -> _Shape:
    """How to call it; `bound` has a `self` in front, `asked` takes the text or the messages first."""
    try:
        parameters = list(inspect.signature(function).parameters.values())[bound:]
    except (TypeError, ValueError):  # a builtin that does not tell
        return _Shape()
    first = parameters[0] if asked and parameters and parameters[0].kind in _POSITIONAL else None
    if asked and first is None:
        raise _uncallable(where, say("takes no text", "不接收文本"))
    rest = [p for p in parameters if p is not first]
    offered = tuple(p.name for p in rest if p.name in _OFFERED and p.kind not in _VARIADIC)
    for p in rest:
        if p.name not in offered and p.default is _Parameter.empty and p.kind not in _VARIADIC:
            raise _uncallable(where, say(f"needs a `{p.name}`", f"需要参数 `{p.name}`"))
    return _Shape(
        messages=first is not None and first.name == "messages",
        offered=offered,
        is_async=inspect.iscoroutinefunction(function)
        or inspect.iscoroutinefunction(getattr(function, "__call__", None)),  # noqa: B004 - its own method
    )


def _uncallable(where: str, what: str) -> BadInput:
    return BadInput(
        what,
        where=where,
        how=say(
            "write fn(text) or fn(messages), with `session`, `seed`, `clock`, `user` and `tools` if wanted",
            "写作 fn(text) 或 fn(messages)，需要时加 `session`、`seed`、`clock`、`user` 和 `tools`",
        ),
    )


def _failure(error: BaseException) -> BaseException:
    """The agent's failure; what the examiner itself must see (a cancellation, Ctrl-C) as it is."""
    if isinstance(error, Busy | SessionFailed | KeyboardInterrupt | GeneratorExit):
        return error
    task = asyncio.current_task()
    if isinstance(error, asyncio.CancelledError) and task and task.cancelling():
        return error
    what = shown(traceback.format_exception_only(error)[-1], 500)
    frames = traceback.extract_tb(error.__traceback__)
    place = f" ({frames[-1].filename}:{frames[-1].lineno} in {frames[-1].name})" if frames else ""
    return SessionFailed(Status.agent_error, type(error).__name__, what + place)
