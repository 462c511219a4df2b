"""A program as an agent: one process a session, JSON lines on stdin and stdout (see docs/agents.md)."""

import asyncio
import os
import re
import shlex
import shutil
from collections.abc import Collection, Mapping, Sequence, Set
from pathlib import Path
from typing import Any

import msgspec

from fairtrial.agents.answer import Answer, malformed, reply_of
from fairtrial.agents.hook import NOTHING
from fairtrial.agents.process import LINE_LIMIT, Child, LineTooLong
from fairtrial.agents.protocol import (
    Ability,
    Agent,
    Busy,
    Conversation,
    Opening,
    Reply,
    SessionFailed,
    ToolHook,
    Unasked,
)
from fairtrial.agents.wire import shown
from fairtrial.errors import BadInput
from fairtrial.schema.record import Status
from fairtrial.text.json import decode, encode
from fairtrial.text.language import say


class _Reply(Answer, frozen=True, kw_only=True, tag_field="type", tag="reply"):
    pass


class _Error(msgspec.Struct, kw_only=True, tag_field="type", tag="error"):
    message: str
    kind: str = "error"


class _Busy(msgspec.Struct, kw_only=True, tag_field="type", tag="busy"):
    retry_after: float | None = None
    message: str = "busy"


class _State(msgspec.Struct, kw_only=True, tag_field="type", tag="state"):
    state: Any


class _Tool(msgspec.Struct, kw_only=True, tag_field="type", tag="tool"):
    name: str
    arguments: Any = None


class _Result(msgspec.Struct, kw_only=True, tag_field="type", tag="result"):
    result: Any = None


_VARIABLE = re.compile(r"[A-Z][A-Z0-9_]{3,}")

_Line = _Reply | _Error | _Busy | _State | _Tool | _Result


class CommandAgent(Agent):
    """Starts `command` once a session. Raises BadInput where its program cannot be found.

    `env` is all of the environment that it gets, None the examiner's own. `grace` is the time in seconds
    that a process has to end by itself, and again after SIGTERM. `offers` is what it speaks of the protocol
    beside turns and answers.
    """

    in_process = False

    def __init__(
        self,
        command: str | Sequence[str],
        cwd: str | None = None,
        env: Mapping[str, str] | None = None,
        *,
        grace: float = 2.0,
        offers: Collection[Ability] = (),
    ) -> None:
        self.abilities = frozenset(offers)
        self._argv = _argv(command)
        self._cwd, self._env, self.grace = cwd, env, grace
        self.withheld: Set[str] = frozenset() if env is None else os.environ.keys() - env.keys()
        self.name = f"command:{shlex.join(self._argv)}"
        _find(self._argv[0], cwd)
        self.live: set[CommandConversation] = set()

    async def open(self, opening: Opening) -> "CommandConversation":
        """Start the process and tell it the session, the seed and the time."""
        try:
            child = await Child.start(self._argv, self._cwd, self._env)
        except OSError as error:
            raise SessionFailed(Status.infra_error, "cannot_start", str(error)) from error
        conversation = CommandConversation(child, self, opening.tools)
        try:
            child.write(encode({"type": "open"} | self._told(opening)))
        except BaseException:
            await conversation.close()
            raise
        return conversation

    async def close(self) -> None:
        """End every process that is still there."""
        await asyncio.gather(*(conversation.close() for conversation in list(self.live)))

    def _told(self, opening: Opening) -> dict[str, Any]:
        user = opening.user if Ability.users in self.abilities else None
        told = {"session": opening.session, "seed": opening.seed, "clock": opening.clock, "user": user}
        return {name: value for name, value in told.items() if value is not None}


class CommandConversation(Conversation):
    """One session with one process."""

    def __init__(self, child: Child, agent: CommandAgent, hook: ToolHook | None) -> None:
        self._child, self._agent, self._hook = child, agent, hook
        self._turn = 0
        self._moved: dict[str, str] = {}
        self._waiting = False
        agent.live.add(self)

    async def send(self, text: str) -> Reply:
        """Write the turn, read one line of answer."""
        line = await self._ask({"type": "user", "text": text, "turn": self._turn} | self._moved)
        match line:
            case _Busy(retry_after=seconds, message=message):
                raise Busy(message, None if seconds is None else max(0.0, seconds))
            case _Error(message=message, kind=kind):
                raise SessionFailed(Status.agent_error, shown(kind, 40), shown(message, 2000))
            case _Reply():
                self._turn += 1
                return reply_of(line)
        raise malformed(f"expected a reply, not `{_tag(line)}`", f"应该回复，收到的却是 `{_tag(line)}`")

    async def snapshot(self) -> object:
        """Ask a program that offers it for its state."""
        if Ability.state not in self._agent.abilities:
            return None
        line = await self._ask({"type": "state"})
        if isinstance(line, _State):
            return line.state
        raise malformed(f"expected the state, not `{_tag(line)}`", f"应该给出状态，收到的却是 `{_tag(line)}`")

    def tell(self, clock: str) -> None:
        """From now on each turn has the time with it, where the program offers to take it."""
        if Ability.clock in self._agent.abilities:
            self._moved = {"clock": clock}

    async def close(self) -> None:
        """Say goodbye and end the process; one that still owes an answer is not waited for.

        Where this is cancelled the process is killed, and still known to the agent, who sees it gone.
        """
        if self in self._agent.live:
            farewell = None if self._waiting else encode({"type": "close"})
            self._waiting = True
            await self._child.end(self._agent.grace, farewell)
            self._agent.live.discard(self)

    async def _ask(self, message: dict[str, Any]) -> Any:
        """The line that answers a message, after the tool calls that come before it."""
        if unasked := self._child.unread():
            what = say("a line of output that nobody asked for: ", "没有问就输出了一行：")
            raise Unasked(Status.agent_error, "malformed", what + shown(unasked))
        self._waiting = True
        self._child.write(encode(message))
        call: _Tool | None = None
        while isinstance(line := await self._answer(), _Tool | _Result):
            if isinstance(line, _Tool):
                call = await self._rule(line)
            else:
                self._show(call, line.result)
                call = None
        self._waiting = False
        return line

    async def _rule(self, call: _Tool) -> _Tool | None:
        """Say what becomes of a call; it is given back where it is to be made."""
        ruling = self._hook.before(call.name, call.arguments) if self._hook else NOTHING
        await asyncio.sleep(ruling.delay)
        refused = {} if ruling.error is None else {"error": ruling.error}
        self._child.write(encode({"type": "tool"} | refused))
        return None if refused else call

    def _show(self, call: _Tool | None, result: Any) -> None:
        """Say what the program is to take for a call's result."""
        if call is None:
            raise malformed("a result of no tool call", "没有对应工具调用的结果")
        if self._hook:
            result = self._hook.after(call.name, call.arguments, result)
        self._child.write(encode({"type": "result", "result": result}))

    async def _answer(self) -> Any:
        data = b"\n"
        while data.isspace():
            try:
                data = await self._child.read()
            except LineTooLong:
                raise malformed(
                    f"a line of output is longer than {LINE_LIMIT} bytes", f"有一行输出超过 {LINE_LIMIT} 字节"
                ) from None
        if not data:
            words = await self._child.last_words(self._agent.grace)
            raise SessionFailed(
                Status.agent_error, "exited", say(f"the process {words}", f"进程{words}") + self._hint(words)
            )
        try:
            return decode(data, _Line)  # type: ignore[arg-type]
        except msgspec.ValidationError as error:
            raise malformed(f"{error}: ", f"{error}：", data) from None
        except msgspec.DecodeError:
            raise malformed("a line of output is not JSON: ", "有一行输出不是 JSON：", data) from None

    def _hint(self, words: str) -> str:
        """Where a program names, as it dies, a variable that is set here and that it was not given."""
        missed = ", ".join(sorted(self._agent.withheld & set(_VARIABLE.findall(words))))
        if not missed:
            return ""
        return say(
            f" ({missed} is set here but not passed on: name it in [agent] env)",
            f"（这里设置了 {missed}，但没有传过去：请写进 [agent] 的 env）",
        )


def _tag(line: msgspec.Struct) -> Any:
    return line.__struct_config__.tag


def _argv(command: str | Sequence[str]) -> list[str]:
    if not isinstance(command, str):
        return list(command)
    try:
        argv = shlex.split(command)
    except ValueError as error:
        raise BadInput(str(error), where=f"command:{command}") from None
    if not argv:
        raise BadInput(say("no command", "没有命令"), where=f"command:{command}")
    return argv


def _find(program: str, cwd: str | None) -> None:
    """Raise BadInput unless the program can be started from `cwd`, as the system looks for it."""
    if cwd is not None and not Path(cwd).is_dir():
        raise BadInput(say(f"no folder {cwd}", f"没有文件夹 {cwd}"), where="cwd")
    place = str(Path(cwd or ".") / program) if "/" in program else program
    if shutil.which(place) is None:
        raise BadInput(
            say(f"no executable `{program}`", f"找不到可执行文件 `{program}`"),
            where="command",
            how=say("check the path and `chmod +x`", "请检查路径，并执行 `chmod +x`"),
        )
