"""One message to an agent, to see what comes back before anything is built on it."""

import asyncio
from collections.abc import Sequence
from pathlib import Path

from fairtrial.agents.resolve import resolve
from fairtrial.app.config import load_project
from fairtrial.app.whom import agent_config, importable, recorded
from fairtrial.execution.contract import Limits, StopSwitch, plan_session
from fairtrial.execution.local import run_sessions
from fairtrial.schema.record import Record


def ask(texts: Sequence[str], *, config: Path | None, agent: str | None, timeout: float | None) -> Record:
    """Send the texts as the turns of one session, return what happened. Raises BadInput, CannotRun."""
    project = load_project(config)
    importable(project.folder)
    found = resolve(agent_config(project, agent), load_records=recorded)
    limits = Limits(session_seconds=timeout or project.run.timeout)
    planned = plan_session(project.run.seed, "ask", 0, texts)
    records: list[Record] = []

    async def go() -> None:
        try:
            await run_sessions([planned], found, limits, records.append, StopSwitch())
        finally:
            await found.close()

    asyncio.run(go())
    return records[0]
