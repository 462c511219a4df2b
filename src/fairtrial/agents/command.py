"""A program as an agent: one process a session, JSON lines on stdin and stdout (see docs/agents.md)."""

import asyncio
import os
import re
import shlex
import shutil
from collections.abc import Mapping, Sequence, Set
from pathlib import Path
from typing import Any

import msgspec

from fairtrial.agents.answer import Answer, malformed, reply_of
from fairtrial.agents.process import LINE_LIMIT, Child, LineTooLong
from fairtrial.agents.protocol import Agent, Busy, Conversation, Opening, Reply, SessionFailed
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


_VARIABLE = re.compile(r"[A-Z][A-Z0-9_]{3,}")

_Line = _Reply | _Error | _Busy


class CommandAgent(Agent):
    """Starts `command` once a session. Raises BadInput where its program cannot be found.

    `env` is all of the environment that it gets, None the examiner's own. `grace` is the time in seconds
    that a process has to end by itself, and again after SIGTERM.
    """

    in_process = False

    def __init__(
        self,
        command: str | Sequence[str],
        cwd: str | None = None,
        env: Mapping[str, str] | None = None,
        *,
        grace: float = 2.0,
    ) -> None:
        self._argv = _argv(command)
        self._cwd, self._env, self._grace = cwd, env, grace
        self._withheld: Set[str] = frozenset() if env is None else os.environ.keys() - env.keys()
        self.name = f"command:{shlex.join(self._argv)}"
        _find(self._argv[0], cwd)
        self._live: set[CommandConversation] = set()

    async def open(self, opening: Opening) -> "CommandConversation":
        """Start the process and tell it the session, the seed and the time."""
        try:
            child = await Child.start(self._argv, self._cwd, self._env)
        except OSError as error:
            raise SessionFailed(Status.infra_error, "cannot_start", str(error)) from error
        conversation = CommandConversation(child, self._grace, self._withheld, self._live)
        try:
            child.write(encode({"type": "open"} | _told(opening)))
        except BaseException:
            await conversation.close()
            raise
        return conversation

    async def close(self) -> None:
        """End every process that is still there."""
        await asyncio.gather(*(conversation.close() for conversation in list(self._live)))


class CommandConversation(Conversation):
    """One session with one process."""

    def __init__(
        self, child: Child, grace: float, withheld: Set[str], live: set["CommandConversation"]
    ) -> None:
        self._child, self._grace, self._withheld, self._live = child, grace, withheld, live
        self._turn = 0
        self._waiting = False
        live.add(self)

    async def send(self, text: str) -> Reply:
        """Write the turn, read one line of answer."""
        if unasked := self._child.unread():
            raise malformed("a line of output that nobody asked for: ", "没有问就输出了一行：", unasked)
        self._waiting = True
        self._child.write(encode({"type": "user", "text": text, "turn": self._turn}))
        line = await self._answer()
        self._waiting = False
        match line:
            case _Busy(retry_after=seconds, message=message):
                raise Busy(message, None if seconds is None else max(0.0, seconds))
            case _Error(message=message, kind=kind):
                raise SessionFailed(Status.agent_error, shown(kind, 40), shown(message, 2000))
        self._turn += 1
        return reply_of(line)

    async def close(self) -> None:
        """Say goodbye and end the process; one that still owes an answer is not waited for.

        Where this is cancelled the process is killed, and still known to the agent, who sees it gone.
        """
        if self in self._live:
            farewell = None if self._waiting else encode({"type": "close"})
            self._waiting = True
            await self._child.end(self._grace, farewell)
            self._live.discard(self)

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
            words = await self._child.last_words(self._grace)
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
        missed = ", ".join(sorted(self._withheld & set(_VARIABLE.findall(words))))
        if not missed:
            return ""
        return say(
            f" ({missed} is set here but not passed on: name it in [agent] env)",
            f"（这里设置了 {missed}，但没有传过去：请写进 [agent] 的 env）",
        )


def _told(opening: Opening) -> dict[str, Any]:
    return {name: value for name, value in msgspec.structs.asdict(opening).items() if value is not None}


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
