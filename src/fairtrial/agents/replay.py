"""The answers of an earlier round again, found by what the user said."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from itertools import accumulate, groupby

import msgspec

from fairtrial.agents.protocol import Agent, Conversation, Opening, Reply, SessionFailed, told
from fairtrial.schema.record import Record, Status, Turn
from fairtrial.text.language import say

_Inputs = tuple[str, ...]

# These leave what had come of the answer behind as the record's last turn.
_PARTIAL = (Status.truncated, Status.stream_cut)


class _Kept:
    """A record and the user's turns, `()` if they are not known."""

    def __init__(self, record: Record, inputs: _Inputs) -> None:
        self.record, self.inputs = record, inputs

    def fits(self, asked: _Inputs) -> bool:
        return not self.inputs or self.inputs[: len(asked)] == asked

    def answer(self, index: int) -> Reply:
        turn = self.record.turns[index] if index < len(self.record.turns) else None
        reply = None if turn is None or turn.reply is None else Reply(text=turn.reply, **told(turn))
        if reply is None or index == self._broken:
            raise self._failure(reply)
        return reply

    @property
    def _broken(self) -> int | None:
        """Which turn holds only what had come when the session failed, if one does.

        In doubt the last one is taken to: a failure must not become an answer.
        """
        last = len(self.record.turns) - 1
        failed = not self.record.status.counts
        return last if failed and (self.record.status in _PARTIAL or last + 1 == len(self.inputs)) else None

    def _failure(self, partial: Reply | None) -> SessionFailed:
        status, failure = self.record.status, self.record.failure
        if status.counts:
            return _not_in_log(say("the session ended before this turn", "会话在这一轮之前已结束"))
        kind, message = (failure.kind, failure.message) if failure else (status.value, "")
        return SessionFailed(status, kind, message, partial=partial)


class ReplayAgent(Agent):
    """Answers from records, in memory.

    A session with the id of a recorded one (the same run seed) gets that one. Otherwise the users'
    turns decide: the records that have them are given out in their order, one a session, and from the
    first again when all were used. A session that failed fails in the same way; one that failed before
    its first answer is known by the other trials of its case. What nobody has asked before is an
    infrastructure error.
    """

    in_process = True

    def __init__(self, records: Iterable[Record], name: str = "replay") -> None:
        self.name = name
        by_case: dict[str, list[Record]] = defaultdict(list)
        for record in records:
            by_case[record.case] += _conversations(record)
        self._by_session: dict[str, _Kept] = {}
        self._by_first: dict[str, dict[_Inputs, list[_Kept]]] = defaultdict(lambda: defaultdict(list))
        for trials in by_case.values():
            for record in trials:
                self._keep(_Kept(record, _inputs(record, trials)))
        self._given: Counter[_Inputs] = Counter()

    async def open(self, opening: Opening) -> "ReplayConversation":
        """Begin a session."""
        return ReplayConversation(self, self._by_session.get(opening.session))

    async def close(self) -> None:
        """Nothing is held."""

    def next_for(self, asked: _Inputs) -> _Kept:
        """The next record whose user turns begin with these. Raises SessionFailed if there is none."""
        for inputs, records in self._by_first.get(asked[0], {}).items():
            if inputs[: len(asked)] == asked:
                self._given[inputs] += 1
                return records[(self._given[inputs] - 1) % len(records)]
        raise _not_in_log(say("no session has these user turns", "没有会话含有这些用户轮次"))

    def _keep(self, kept: _Kept) -> None:
        if kept.record.session:
            self._by_session[kept.record.session] = kept
        if kept.inputs:
            self._by_first[kept.inputs[0]][kept.inputs].append(kept)


class ReplayConversation(Conversation):
    """One session answered from a record; another record takes over where the user's turns part."""

    def __init__(self, agent: ReplayAgent, kept: _Kept | None) -> None:
        self._agent, self._kept = agent, kept
        self._asked: _Inputs = ()

    async def send(self, text: str) -> Reply:
        """The recorded reply to this turn. Raises SessionFailed where the record failed."""
        asked = (*self._asked, text)
        if self._kept is None or not self._kept.fits(asked):
            self._kept = self._agent.next_for(asked)
        self._asked = asked
        return self._kept.answer(len(asked) - 1)

    async def close(self) -> None:
        """Nothing is held."""


def _conversations(record: Record) -> Iterator[Record]:
    """A record parted where another conversation began, each part under the id that it had."""
    numbers = list(accumulate(map(_is_fresh, record.turns)))
    if not any(numbers):
        yield record
        return
    opening = Opening(session=record.session, seed=record.seed)
    for number, turns in groupby(zip(numbers, record.turns, strict=True), key=lambda pair: pair[0]):
        session = opening.again(number, None).session if number and record.session else record.session
        part = msgspec.structs.replace(record, session=session, turns=tuple(turn for _, turn in turns))
        ended = number == numbers[-1]
        yield part if ended else msgspec.structs.replace(part, status=Status.completed, failure=None)


def _is_fresh(turn: Turn) -> bool:
    return any(done.do == "new_session" for done in turn.disturbed)


def _inputs(record: Record, trials: list[Record]) -> _Inputs:
    """A record's user turns; where it failed, as far as any trial of its case went on from them."""
    own = _asked(record)
    if record.status.counts:
        return own
    return max((asked for asked in map(_asked, trials) if asked[: len(own)] == own), key=len)


def _asked(record: Record) -> _Inputs:
    return tuple(turn.user for turn in record.turns)


def _not_in_log(message: str) -> SessionFailed:
    return SessionFailed(Status.infra_error, "not_in_log", message)
