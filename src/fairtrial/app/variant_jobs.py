"""Variants on their way into the queue: which there are, what a new one must not repeat, its written form."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from fairtrial.app.decide import likeness_of, rejected_before
from fairtrial.cases.lint import same_id
from fairtrial.cases.queue import Candidate, read, write
from fairtrial.cases.variants import Original, fault, letters, needed
from fairtrial.cases.write import written
from fairtrial.errors import BadInput
from fairtrial.schema.case import Case
from fairtrial.schema.disturbance import Edit, Split
from fairtrial.schema.variants import Draft, Expanded, Refused, VariantType
from fairtrial.sessions.probes.probe import Unfit
from fairtrial.sessions.probes.spans import key_spans, speaks
from fairtrial.sessions.rewriting import rewritings
from fairtrial.sessions.said import said
from fairtrial.text.language import say

_FREE: tuple[VariantType, ...] = ("mixed", "chatter", "typos", "complaint", "colloquial")
"""Kinds for a variant of any kind: among those that there are fewest of, the first."""


@dataclass(kw_only=True)
class Job:
    """A case with its variants so far. `case` says outright what its edits made the user say."""

    case: Case
    original: Original
    have: list[Draft]
    waiting: int
    kept: list[str] = field(default_factory=list)
    refused: list[Refused] = field(default_factory=list)
    stuck: bool = False
    """Whether nobody needs to be asked, or asked again."""

    def refuse(self, why: str, *, question: tuple[str, ...] = (), kind: str | None = None) -> None:
        """Note what did not get through, once."""
        one = Refused(question=question, variant_type=kind, why=why)
        if one not in self.refused:
            self.refused.append(one)


class Bench:
    """All variants of one expansion: `count` of each case wanted, new ones signed by `who` or by `writer`."""

    def __init__(self, queue: Path, cases: Sequence[Case], *, count: int, writer: str, who: str) -> None:
        self.count, self.writer = count, writer
        self._queue, self._who = queue, who
        self._letters = [letters("\n".join(case.input)) for case in cases]
        self._ids = {same_id(case.id) for case in cases}
        self._rejected = rejected_before(queue)
        self._made: dict[str, list[Draft]] = {}
        for case in cases:
            self._note(case.parent, case.variant_type, case.input)
        for _, candidate in read(queue):
            told = candidate.case
            turns = told.get("input")
            texts = tuple(map(str, turns)) if isinstance(turns, list) else (str(turns),)
            self._letters.append(letters("\n".join(texts)))
            self._ids.add(same_id(candidate.id))
            self._note(told.get("parent"), told.get("variant_type"), texts)

    def _note(self, parent: Any, kind: Any, texts: tuple[str, ...]) -> None:
        if parent is not None:
            self._made.setdefault(str(parent), []).append(Draft(question=texts, variant_type=str(kind)))

    def job(self, case: Case) -> Job:
        """The work on one case; stuck where its turns are parted, as no text can take their place."""
        texts = said(case)
        whole = len(texts) == len(case.input) and not any(isinstance(step, Split) for step in case.disturb)
        steps = tuple(step for step in case.disturb if not isinstance(step, Edit | Split))
        base = case.model_copy(update={"input": texts, "disturb": steps}) if whole else case
        facts = (
            tuple(base.input[turn][start:end] for start, end in key_spans(base, turn))
            for turn in range(len(base.input))
        )
        have = self._made.get(case.edition, [])
        original = Original(turns=base.input, facts=tuple(facts), tongue=speaks(base))
        job = Job(case=base, original=original, have=list(have), waiting=min(len(have), self.count))
        job.stuck = not whole or not self.short(job)
        if not whole:
            job.refuse(say("its turns are parted by `disturb`", "它的轮次被 `disturb` 拆开了"))
        return job

    def missing(self, job: Job) -> tuple[tuple[VariantType, ...], int]:
        """The kinds that are still required, and how many more of any kind."""
        return needed([draft.variant_type for draft in job.have], self.count)

    def short(self, job: Job) -> int:
        """How many variants are missing."""
        required, free = self.missing(job)
        return len(required) + free

    def told(self, job: Job) -> Expanded:
        """What came of a case."""
        return Expanded(
            case=job.case.id,
            asked=self.count,
            waiting=job.waiting,
            kept=tuple(job.kept),
            refused=tuple(job.refused),
        )

    def line(self, job: Job) -> str:
        """How many variants a case has."""
        return say(
            f"{job.case.id}: {len(job.have)} of {self.count}", f"{job.case.id}：{len(job.have)}/{self.count}"
        )

    def offer(self, job: Job, draft: Draft) -> str | None:
        """Put a draft into the queue; or why it does not get there."""
        others = (letters("\n".join(job.original.turns)), *self._letters)
        if why := fault(draft, job.original, map(job.original.beside, others)):
            return why
        required, free = self.missing(job)
        if draft.variant_type not in required and not free:
            return say("enough of this kind; others are missing", "这一类已够，缺的是别的类型")
        candidate = self._candidate(job, draft)
        if likeness_of(candidate) in self._rejected:
            return say("a reviewer rejected it before", "评审的人以前拒绝过它")
        try:
            write(self._queue, [candidate])
        except BadInput as error:  # somebody else put it there meanwhile
            return str(error)
        job.have.append(draft)
        job.kept.append(candidate.id)
        self._ids.add(same_id(candidate.id))
        self._letters.append(letters("\n".join(draft.question)))
        return None

    def by_rules(self, job: Job, seed: int) -> None:
        """Write what is missing by rules."""
        required, free = self.missing(job)
        for kind in required:
            self._reword(job, [kind], seed)
        for _ in range(free):
            had = [draft.variant_type for draft in job.have]
            self._reword(job, sorted(_FREE, key=had.count), seed)

    def _reword(self, job: Job, kinds: Sequence[VariantType], seed: int) -> None:
        """One variant, of the first of these kinds that can be had."""
        whys: dict[VariantType, str] = {}
        for kind in kinds:
            whys[kind] = say("no other wording is left", "没有别的说法了")
            try:
                for texts in rewritings(job.case, kind, seed=seed):
                    why = self.offer(job, Draft(question=texts, variant_type=kind))
                    if why is None:
                        return
                    whys[kind] = why
            except Unfit as unfit:
                whys[kind] = str(unfit)
        for kind, why in whys.items():
            job.refuse(why, kind=kind)

    def _candidate(self, job: Job, draft: Draft) -> Candidate:
        today, case = datetime.now(UTC).date().isoformat(), job.case
        parent = case.edition
        why = say(
            f"variant ({draft.variant_type}) of {parent}, written by {self.writer}",
            f"{parent} 的变体（{draft.variant_type}），由 {self.writer} 改写",
        )
        changes = {
            "id": self._free_id(case.id, draft.variant_type),
            "input": draft.question,
            "cluster": case.kin,
            "parent": parent,
            "variant_type": draft.variant_type,
            "version": 1,
            "created": today,
            "created_by": self._who or self.writer,
            "reviewed_by": None,
            "changelog": (f"{today} {why}",),
        }
        return Candidate(case=written(case.model_copy(update=changes)), why=why, origin=parent)

    def _free_id(self, case: str, kind: str) -> str:
        number = 1
        while same_id(f"{case}-{kind}-{number}") in self._ids:
            number += 1
        return f"{case}-{kind}-{number}"
