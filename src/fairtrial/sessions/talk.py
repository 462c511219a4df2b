"""The user's side of a session: what its case fixes, what is done to it on purpose, and who speaks then."""

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeGuard

from fairtrial.agents.protocol import Agent, ToolHook
from fairtrial.execution.contract import Move, Talk
from fairtrial.schema.case import Case
from fairtrial.schema.disturbance import Edit, Fault, NewSession, Pause, Point, Step, Utter
from fairtrial.schema.record import Call, Disturbance, Turn
from fairtrial.schema.user import Table
from fairtrial.sessions.faults import Faults
from fairtrial.sessions.follow_up import FollowUp
from fairtrial.sessions.said import pieces, said
from fairtrial.sessions.user_persona import PersonaUser
from fairtrial.sessions.user_table import TableUser


def talk_of(case: Case, seed: int, *, players: Agent | None = None, asides: FollowUp | None = None) -> Talk:
    """The user's side of one session of `case`: its turns as `disturb` changes them, then its `user`.

    `players` plays a persona under `seed` (0 … 2**63 - 1); ValueError where nobody is there to play it.
    `asides` are asked when all else is over. Nothing is called before the first `next`. Raises BadInput for a
    pattern or path of the user's table that is none.
    """
    return _Talk(case, _user(case, seed, players), asides)


class _User(Protocol):
    async def say(self, turns: Sequence[Turn]) -> str | None:
        """What the user says after these turns; None: they leave. Raises UserFailed."""
        ...

    async def close(self) -> None: ...


def _user(case: Case, seed: int, players: Agent | None) -> _User | None:
    if case.user is None:
        return None
    if isinstance(case.user, Table):
        return TableUser(case.user)
    if players is None:
        raise ValueError("a persona needs an agent that plays it")
    return PersonaUser(case.user, said(case), players, seed)


@dataclass(frozen=True, kw_only=True)
class _Line:
    """Something to say; `steps` are the numbers of those that take place with it."""

    text: str
    steps: tuple[int, ...] = ()
    points: tuple[str, ...] = ()


_Away = tuple[int, Pause | NewSession]


class _Talk:
    """See `execution.contract.Talk`. What happens before something is said waits until it is said."""

    def __init__(self, case: Case, user: _User | None, asides: FollowUp | None) -> None:
        self._case, self._user, self._asides = case, user, asides
        self._course = deque(_course(case))
        self._loose = [(n, step) for n, step in enumerate(case.disturb) if _is_loose(step)]
        faults = [(n, step) for n, step in enumerate(case.disturb) if isinstance(step, Fault)]
        self._faults = Faults(faults) if faults else None
        self.tools: ToolHook | None = self._faults
        self._away: list[_Away] = []
        self._fired: set[int] = set()
        self._over = False

    async def next(self, turns: Sequence[Turn], clock: float) -> Move | None:
        if not self._over:
            line = self._due(turns, clock + self._leave()) or self._scripted() or await self._reacted(turns)
            if line is not None:
                return self._move(line)
            self._over = True
        question = self._asides.next(self._case, turns) if self._asides else None
        return None if question is None else Move(text=question, aside=True)

    def hit(self) -> tuple[Disturbance, ...]:
        return self._faults.hit() if self._faults else ()

    def unfired(self) -> tuple[int, ...]:
        said = (n for n, step in enumerate(self._case.disturb) if not isinstance(step, Fault))
        missed = [n for n in said if n not in self._fired]
        return tuple(sorted([*missed, *(self._faults.unfired() if self._faults else ())]))

    async def close(self) -> None:
        if self._user is not None:
            await self._user.close()

    def _leave(self) -> float:
        """Take what happens before the next line; the seconds that the user has been away since the last."""
        while self._course and not isinstance(self._course[0], _Line):
            step = self._course.popleft()
            if not isinstance(step, _Line):
                self._away.append(step)
        return sum(step.seconds for _, step in self._away if isinstance(step, Pause))

    def _due(self, turns: Sequence[Turn], clock: float) -> _Line | None:
        """The first of the things to be said at a moment of the session's own whose moment has come."""
        for at, (number, step) in enumerate(self._loose):
            if _has_come(step, turns, clock):
                del self._loose[at]
                return _Line(text=step.text, steps=(number,))
        return None

    def _scripted(self) -> _Line | None:
        line = self._course.popleft() if self._course else None
        return line if isinstance(line, _Line) else None

    async def _reacted(self, turns: Sequence[Turn]) -> _Line | None:
        text = await self._user.say(turns) if self._user else None
        return None if text is None else _Line(text=text)

    def _move(self, line: _Line) -> Move:
        away, self._away = self._away, []
        numbers = (*(number for number, _ in away), *line.steps)
        self._fired.update(numbers)
        return Move(
            text=line.text,
            disturbed=tuple(_happened(self._case, number) for number in numbers),
            pause=sum(step.seconds for _, step in away if isinstance(step, Pause)),
            fresh=any(isinstance(step, NewSession) for _, step in away),
            points=line.points,
        )


def _course(case: Case) -> Iterator[_Line | _Away]:
    """All that is fixed, in its order: of the steps before one turn, that in which they are written."""
    lines = list(pieces(case))
    for turn in range(len(case.input) + 1):
        for number, step in enumerate(case.disturb):
            if isinstance(step, Utter) and step.before == turn:
                yield _Line(text=step.text, steps=(number,))
            elif isinstance(step, Pause | NewSession) and step.before == turn:
                yield number, step
        points = [(n, s.name) for n, s in enumerate(case.disturb) if isinstance(s, Point) and s.after == turn]
        while lines and lines[0].turn == turn:
            piece = lines.pop(0)
            last = () if lines and lines[0].turn == turn else points
            steps = (*piece.steps, *(number for number, _ in last))
            yield _Line(text=piece.text, steps=steps, points=tuple(name for _, name in last))


def _is_loose(step: Step) -> TypeGuard[Utter]:
    return isinstance(step, Utter) and step.before is None


def _has_come(step: Utter, turns: Sequence[Turn], clock: float) -> bool:
    if step.after_seconds is not None:
        return clock >= step.after_seconds
    calls = (call for turn in turns for call in turn.steps if isinstance(call, Call))
    return sum(call.name == step.after_tool for call in calls) >= step.nth


def _happened(case: Case, number: int) -> Disturbance:
    step = case.disturb[number]
    detail: dict[str, Any] = step.model_dump(exclude={"do", "probe"}, exclude_defaults=True)
    if isinstance(step, Edit):
        detail["was"] = case.input[step.turn][step.start : step.end]
    return Disturbance(step=number, do=step.do, probe=step.probe, detail=detail)
