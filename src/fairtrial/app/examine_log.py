"""The log of a run of tests: each process keeps its rows, and one log is made of all of them."""

import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec

import fairtrial
from fairtrial.app.describe import describe, notes_on
from fairtrial.app.environment import collect
from fairtrial.app.examine_cases import Quest
from fairtrial.app.finish import judged
from fairtrial.app.nulls import null_shares
from fairtrial.app.prepare import Prepared
from fairtrial.errors import BadInput
from fairtrial.records.log import LogWriter, iso, run_name
from fairtrial.schema.evidence import Header
from fairtrial.schema.record import Frozen
from fairtrial.schema.score import Row
from fairtrial.text.json import decode, encode
from fairtrial.text.language import say

_BEGUN, _ROWS = "begun.json", "rows-*.jsonl"


class SetOf(Frozen, frozen=True, kw_only=True):
    """What one test asks for: its sessions (case, trial) in order, and what the whole of it must reach."""

    test: str
    keys: tuple[tuple[str, int], ...]
    minimum: float | None = None
    reliable: bool = False


class Begun(Frozen, frozen=True, kw_only=True):
    """How the log begins, and which tests it is of."""

    out: str
    header: Header
    sets: tuple[SetOf, ...]

    @property
    def log(self) -> Path:
        """Where it will lie."""
        return Path(self.out) / f"{self.header.run}.jsonl"

    @property
    def planned(self) -> list[tuple[str, int]]:
        """All sessions, in order."""
        return [key for one in self.sets for key in one.keys]


@dataclass(frozen=True, kw_only=True)
class Concluded:
    """A set of a run that is over: its figures and doubts, and why it fails, None if it does not."""

    test: str
    header: Header
    asked: bool
    """Whether a verdict on the whole of it was asked for."""
    fails: str | None


class Part:
    """The rows of one process: a line each, with the kernel when `append` returns."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / _ROWS.replace("*", str(os.getpid()))

    def append(self, row: Row) -> None:
        """Keep a row."""
        with self._path.open("ab", buffering=0) as file:
            file.write(encode(row) + b"\n")


def begin(folder: Path, prepared: Prepared, wanted: Sequence[Quest]) -> Begun:
    """How the log of the run begins: as the first process that came here said. Raises BadInput.

    All processes of a run collect the same tests; they must ask the same agent.
    """
    file = folder / _BEGUN
    if not file.exists():
        draft = folder / f"{_BEGUN}-{os.getpid()}"
        draft.write_bytes(encode(_begun(prepared, wanted)))
        with suppress(FileExistsError):  # the first one stands
            os.link(draft, file)
        draft.unlink()
    begun = decode(file.read_bytes(), Begun)
    if begun.header.config["agent"] != prepared.agent_config.model_dump(mode="json"):
        raise BadInput(
            say("a second agent in one log", "同一份日志里出现了第二个 Agent"),
            where="fairtrial_agent",
            how=say("run the tests of each agent by themselves", "请分别运行各个 Agent 的测试"),
        )
    return begun


def conclude(folder: Path) -> tuple[Path, Header, tuple[Concluded, ...]] | None:
    """Make the log of the run from the rows of all its processes; None where nothing was asked.

    Returns where it lies, its header, and what became of each set. Raises CannotRun where it cannot be
    written.
    """
    if not (folder / _BEGUN).exists() or not any(folder.glob(_ROWS)):
        return None
    begun = decode((folder / _BEGUN).read_bytes(), Begun)
    with LogWriter(begun.log, begun.header, begun.planned) as writer:
        for row in _rows(folder):
            if not writer.is_done(row.record.case, row.record.trial):
                writer.append(row)
        header = _judged(begun, begun.planned, writer)
        sets = tuple(_concluded(one, begun, header, writer) for one in begun.sets)
        return writer.finish(header), header, sets


def _judged(begun: Begun, keys: Sequence[tuple[str, int]], writer: LogWriter) -> Header:
    """The figures and doubts of some sessions. What was not asked (skipped, stopped) was not planned."""
    done = {key for key in keys if writer.is_done(*key)}

    def rows() -> Iterator[Row]:
        return (row for row in writer.rows() if (row.record.case, row.record.trial) in done)

    config = _of(begun.header.config, [key for key in keys if key in done])
    start = msgspec.structs.replace(begun.header, config=config)
    return judged(start, rows, begun.log.parent, None)


def _rows(folder: Path) -> Iterator[Row]:
    for file in sorted(folder.glob(_ROWS)):
        for line in file.read_bytes().splitlines(keepends=True):
            if line.endswith(b"\n"):  # else its process was killed while it wrote
                yield decode(line, Row)


def _begun(prepared: Prepared, wanted: Sequence[Quest]) -> Begun:
    moment = datetime.now(UTC)
    sets: dict[str, SetOf] = {}
    for quest in wanted:
        if quest.unfit is None:
            one = sets.get(quest.test) or SetOf(
                test=quest.test, keys=(), minimum=quest.mark.minimum, reliable=quest.mark.reliable
            )
            sets[quest.test] = msgspec.structs.replace(one, keys=(*one.keys, *quest.keys))
    config = describe(prepared) | {"null_agent": null_shares(prepared.case_set, prepared.scorer)}
    keys = [key for one in sets.values() for key in one.keys]
    return Begun(
        out=str(prepared.out),
        header=Header(
            fairtrial=fairtrial.__version__,
            run=run_name(moment),
            started=iso(moment),
            mode="full",
            status="running",
            config=_of(config, keys),
            notes=notes_on(prepared.case_set),
            set_digest=prepared.case_set.digest,
            fingerprint=collect(prepared),
        ),
        sets=tuple(sets.values()),
    )


def _of(config: dict[str, Any], keys: Sequence[tuple[str, int]]) -> dict[str, Any]:
    """The configuration with the sessions that are meant."""
    ids = list(dict.fromkeys(case for case, _ in keys))
    return config | {"cases": config["cases"] | {"ids": ids, "n": len(ids), "planned": len(keys)}}


def _concluded(one: SetOf, begun: Begun, whole: Header, writer: LogWriter) -> Concluded:
    header = whole if len(begun.sets) == 1 else _judged(begun, one.keys, writer)
    return Concluded(
        test=one.test,
        header=header,
        asked=one.minimum is not None or one.reliable,
        fails=_why(one, header),
    )


def _why(one: SetOf, header: Header) -> str | None:
    lit = [doubt.name for doubt in header.doubts if doubt.lit and doubt.forbids]
    if "errors" in lit:
        return say("too many sessions gave no answer", "没有回答的会话太多")
    if one.reliable and lit:
        names = ", ".join(lit)
        return say(f"UNRELIABLE: these figures prove nothing ({names})", f"UNRELIABLE：本轮不可信（{names}）")
    total = header.summary.total.mean if header.summary else None
    if one.minimum is not None and (total is None or total < one.minimum):
        shown = say("unknown", "未知") if total is None else f"{total:.6g}"
        return say(
            f"the total is {shown}, at least {one.minimum:g} was asked for",
            f"total 为 {shown}，要求至少 {one.minimum:g}",
        )
    return None
