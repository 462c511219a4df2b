"""The sessions of an examination: held block by block, scored, kept in its log, never held twice."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from fairtrial.app.prepare import Prepared
from fairtrial.app.run import limits_of
from fairtrial.app.talks import talks
from fairtrial.app.until import left, together
from fairtrial.errors import BadInput
from fairtrial.execution.contract import Outcome, Planned, StopSwitch, plan_session, session_seed
from fairtrial.execution.local import run_sessions
from fairtrial.records.log import LogWriter
from fairtrial.schema.case import Case, CaseSet
from fairtrial.schema.record import Probed, Record, Status
from fairtrial.schema.score import Row
from fairtrial.schema.weakness import Layer
from fairtrial.scoring.score import Scorer
from fairtrial.sessions.layer import layer_of
from fairtrial.text.language import say


@dataclass(frozen=True, kw_only=True)
class Wanted:
    """A session to be held: `case` is `base` as it is disturbed; `asides`: the examiner asks at its end."""

    base: Case
    case: Case
    probed: Probed
    asides: bool = False


@dataclass(frozen=True, kw_only=True)
class Seen:
    """What is kept in mind of a session, the rest is in the log. `failed` is None where it did not count."""

    case: str
    trial: int
    probed: Probed
    status: Status
    failed: bool | None
    layer: Layer | None


class Stopped(Exception):
    """The sessions were stopped from outside before a block was whole."""


class Sittings:
    """Holds sessions of a budget; the trial of each is its ordinal. What the log holds is not held again.

    A block is told in its own order, however its sessions came to an end: so an examination that is resumed
    goes the way that it would have gone.
    """

    def __init__(
        self,
        prepared: Prepared,
        writer: LogWriter,
        ended: Callable[[Row], None],
        switch: StopSwitch,
        *,
        budget: int,
    ) -> None:
        self._prepared, self._writer, self._ended = prepared, writer, ended
        self._switch, self._talks, self.budget = switch, talks(prepared), budget
        self._past = {row.record.trial: row for row in writer.rows()}
        self._outcomes: list[Outcome] = []
        self.held: list[Seen] = []

    @property
    def left(self) -> int:
        """Sessions that the budget still has."""
        return self.budget - len(self.held)

    @property
    def outcome(self) -> Outcome | None:
        """What became of all calls together; None where nobody was asked."""
        return together(self._outcomes) if self._outcomes else None

    async def hold(self, block: Sequence[Wanted]) -> list[Seen]:
        """The sessions of a block, in its order. Raises Stopped; BadInput for a log that tells of others."""
        first = len(self.held)
        rows = {
            trial: row for trial in range(first, first + len(block)) if (row := self._past.pop(trial, None))
        }
        for trial, row in rows.items():
            _require_same(row.record, block[trial - first], str(self._writer.path))
        missing = [trial for trial in range(first, first + len(block)) if trial not in rows]

        def on_record(record: Record) -> None:
            row = self._scored(record, block[record.trial - first])
            self._writer.append(row)
            self._ended(row)
            rows[record.trial] = row

        if missing:
            plan = (self._planned(trial, block[trial - first]) for trial in missing)
            limits = left(limits_of(self._prepared), self._outcomes)
            self._outcomes.append(
                await run_sessions(plan, self._prepared.agent, limits, on_record, self._switch)
            )
        if len(rows) < len(block):
            raise Stopped
        seen = [self._seen(rows[trial]) for trial in sorted(rows)]
        self.held += seen
        return seen

    def seed(self, place: int = 0) -> int:
        """A seed for what is drawn for the session `place` places further on, the same in every run."""
        return session_seed(self._prepared.run.seed, "probe", len(self.held) + place)

    def _planned(self, trial: int, wanted: Wanted) -> Planned:
        run_seed, case = self._prepared.run.seed, wanted.case
        seed = session_seed(run_seed, wanted.base.id, trial)
        plain = not (case.user or case.disturb or wanted.asides)
        talk = None if plain else partial(self._talks, case, seed, wanted.asides)
        return plan_session(run_seed, wanted.base.id, trial, case.input, talk=talk, probed=wanted.probed)

    def _scored(self, record: Record, wanted: Wanted) -> Row:
        """By the rules of the case as it was disturbed."""
        case = wanted.case.model_copy(update={"id": wanted.base.id})
        scorer = Scorer(CaseSet(cases=(case,), paths=(), digest=""), pass_at=self._prepared.scorer.pass_at)
        return Row(record=record, score=scorer.score(record), about=scorer.about(case.id))

    def _seen(self, row: Row) -> Seen:
        record = row.record
        passed = row.score.passes(self._prepared.scorer.pass_at)
        # None is set aside for how it was disturbed: an agent that breaks under it has failed.
        failed = record.status is Status.agent_error or (None if passed is None else not passed)
        return Seen(
            case=record.case,
            trial=record.trial,
            probed=record.probed or _PLAIN,
            status=record.status,
            failed=failed,
            layer=layer_of(record, row.score) if passed is False else None,
        )


_PLAIN = Probed(probes=(), seed=0, phase="baseline")


def baseline(cases: Sequence[Case]) -> Iterator[Wanted]:
    """Each case once, undisturbed."""
    return (Wanted(base=case, case=case, probed=_PLAIN) for case in cases)


def _require_same(record: Record, wanted: Wanted, where: str) -> None:
    if (record.case, record.probed) != (wanted.base.id, wanted.probed):
        raise BadInput(
            say(
                f"session {record.trial + 1} is another than the examination asks for",
                f"第 {record.trial + 1} 个会话不是这次检验所要的",
            ),
            where=where,
            how=say("put the log back as it was, or start anew", "请恢复日志原样，或重新开始"),
        )
