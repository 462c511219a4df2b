"""What has happened in a session so far, and the record that it makes."""

import time
from typing import Any

import msgspec

from fairtrial.agents.protocol import Reply, told
from fairtrial.execution.contract import Move, Planned
from fairtrial.schema.record import Disturbance, Failure, Record, Snapshot, Status, Turn


class Minutes:
    """The turns as they come: a move is begun, then answered or not, then perhaps a state is shown."""

    def __init__(self, planned: Planned) -> None:
        self._planned = planned
        self._started = time.time()
        self._move: Move | None = None
        self._clock: str | None = None
        self._snapshots: list[Snapshot] = []
        self.turns: list[Turn] = []
        self.attempts = 0
        self.waited = 0.0

    def begin(self, move: Move, clock: str | None) -> None:
        """The user's side makes a move; `clock` is the time that is told, if it moved."""
        self._move, self._clock = move, clock

    def answered(
        self,
        reply: Reply | None,
        hits: tuple[Disturbance, ...],
        started: float | None = None,
        seconds: float | None = None,
    ) -> None:
        """The move under way is over, with what was done to its tool calls; without one nothing is noted."""
        move, self._move = self._move, None
        if move is None:
            return
        self.turns.append(
            Turn(
                user=move.text,
                reply=None if reply is None else reply.text,
                started=started,
                seconds=seconds,
                disturbed=move.disturbed + hits,
                clock=self._clock,
                aside=move.aside,
                **({} if reply is None else told(reply)),
            )
        )
        if reply is not None:
            self.attempts += max(reply.requests, 1) - 1

    def show(self, state: Any) -> None:
        """The agent's state after the last turn."""
        self.turns[-1] = msgspec.structs.replace(self.turns[-1], state=state)

    def point(self, name: str) -> None:
        """Keep the state after the last turn under a name, if it was shown."""
        last = len(self.turns) - 1
        if (state := self.turns[last].state) is not None:
            self._snapshots.append(Snapshot(name=name, turn=last, state=state))

    def record(self, status: Status, failure: Failure | None, unfired: tuple[int, ...]) -> Record:
        """The session's record, as it ends now; a case that is over stays so, whatever follows a question."""
        planned, blind = self._planned, self._blind()
        if self.turns and self.turns[-1].aside:
            status, failure = Status.completed, None
        return Record(
            case=planned.case_id,
            trial=planned.trial,
            status=status,
            session=planned.session,
            seed=planned.seed,
            started=self._started,
            ended=time.time(),
            attempts=max(self.attempts, 1),
            waited=self.waited,
            turns=tuple(self.turns),
            failure=failure,
            snapshots=tuple(self._snapshots),
            probed=planned.probed,
            unfired=tuple(sorted({*unfired, *blind})),
        )

    def _blind(self) -> list[int]:
        """The numbers of the points where no state was there to keep: taken out, for they did not happen."""
        blind: list[int] = []
        for place, turn in enumerate(self.turns):
            points = [done for done in turn.disturbed if done.do == "snapshot"] if turn.state is None else []
            if points:
                blind += [done.step for done in points]
                others = tuple(done for done in turn.disturbed if done not in points)
                self.turns[place] = msgspec.structs.replace(turn, disturbed=others)
        return blind
