"""Where tests ask: a loop of its own, an agent for each that is named, a cap on what runs at once."""

import asyncio
import fcntl
import os
import threading
from collections.abc import AsyncIterator, Coroutine, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from fairtrial.agents.config import AgentConfig
from fairtrial.agents.protocol import Agent
from fairtrial.agents.resolve import parse_spec, read_config, resolve
from fairtrial.app.config import FILE, Project, load_project
from fairtrial.app.whom import agent_config, importable, recorded
from fairtrial.execution.contract import Limits

_T = TypeVar("_T")
_TRY_AGAIN = 0.02  # seconds
_LET_GO = 10.0  # seconds

Spec = str | Mapping[str, Any] | None
"""An agent as on the command line, or as an `[agent]` table; None for that of fairtrial.toml."""


@dataclass(frozen=True, kw_only=True)
class Asked:
    """An agent, and the settings that it was made from."""

    agent: Agent
    config: AgentConfig


class Cap:
    """At most `size` at once, over all processes that share `folder`.

    A place is a locked file: the kernel lets go of it when a process dies, however it dies.
    """

    def __init__(self, folder: Path, size: int) -> None:
        self._files = [folder / f"place-{number}" for number in range(size)]

    @asynccontextmanager
    async def place(self) -> AsyncIterator[None]:
        """Wait for a free place, and hold it."""
        while (held := self._take()) is None:  # noqa: ASYNC110 - other processes hold them
            await asyncio.sleep(_TRY_AGAIN)
        try:
            yield
        finally:
            os.close(held)

    def _take(self) -> int | None:
        for file in self._files:
            descriptor = os.open(file, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                os.close(descriptor)
            else:
                return descriptor
        return None


class Room:
    """What one process of tests shares: settings, agents, and the loop on which they are asked.

    `folder` is that of the whole run, shared by all its processes. `root` is where the project lies unless
    `config` names its fairtrial.toml. `timeout` in seconds, None for the project's. Raises BadInput.
    """

    def __init__(
        self, *, root: Path, folder: Path, config: Path | None, concurrency: int, timeout: float | None
    ) -> None:
        file = config or root / FILE
        there = config is not None or file.is_file()
        self.project = load_project(file) if there else Project(folder=root)
        self.folder, self.concurrency = folder, concurrency
        self.out = self.project.path(self.project.run.out if there else ".fairtrial").resolve()
        self.timeout = timeout or self.project.run.timeout
        self.cap = Cap(folder, concurrency)
        self.open: list[Agent] = []
        """Whoever is let go of at the end."""
        self._agents: dict[str, Asked] = {}
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="fairtrial", daemon=True)
        self._thread.start()
        importable(self.project.folder)

    @property
    def limits(self) -> Limits:
        """Those of each session."""
        return Limits(session_seconds=self.timeout, clock=self.project.run.clock)

    def agent(self, spec: Spec) -> Asked:
        """The agent that a test names, made once. Raises BadInput, CannotRun."""
        config = agent_config(self._with(spec), None)
        key = config.model_dump_json()
        if key not in self._agents:
            self._agents[key] = Asked(agent=resolve(config, load_records=recorded), config=config)
            self.open.append(self._agents[key].agent)
        return self._agents[key]

    def run(self, work: Coroutine[Any, Any, _T]) -> _T:
        """Do it on the loop and wait; whoever interrupts the waiting ends the work."""
        future = asyncio.run_coroutine_threadsafe(work, self._loop)
        try:
            return future.result()
        except BaseException:
            future.cancel()
            raise

    def close(self) -> None:
        """Let go of agents and loop."""
        with suppress(TimeoutError):
            asyncio.run_coroutine_threadsafe(self._farewell(), self._loop).result(_LET_GO)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(_LET_GO)
        if not self._thread.is_alive():
            self._loop.close()

    async def _farewell(self) -> None:
        for agent in self.open:
            await agent.close()
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)

    def _with(self, spec: Spec) -> Project:
        if spec is None:
            return self.project
        if isinstance(spec, Mapping):
            config = read_config(spec, where="fairtrial_agent")
        else:
            config = parse_spec(str(spec))
        return self.project.model_copy(update={"agent": config})
