"""The user's side of a plain case: what is written, turn by turn, whatever is answered."""

from collections.abc import Sequence

from fairtrial.agents.protocol import ToolHook
from fairtrial.execution.contract import Move
from fairtrial.schema.record import Disturbance, Turn


class Script:
    """Says the turns that are written. Does nothing to the session (see `execution.contract.Talk`)."""

    tools: ToolHook | None = None

    def __init__(self, turns: Sequence[str]) -> None:
        self._turns = turns

    async def next(self, turns: Sequence[Turn], clock: float) -> Move | None:
        """The next written turn, None after the last."""
        said = len(turns)
        return Move(text=self._turns[said]) if said < len(self._turns) else None

    def hit(self) -> tuple[Disturbance, ...]:
        """Nothing."""
        return ()

    def unfired(self) -> tuple[int, ...]:
        """No step."""
        return ()

    async def close(self) -> None:
        """Nothing is held."""
