"""The log of a run of tests: all its processes append to one part file, which is made whole at the end."""

import fcntl
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from fairtrial.app.describe import TESTS, begun
from fairtrial.app.environment import collect
from fairtrial.app.examine_cases import Quest
from fairtrial.app.finish import below, judged
from fairtrial.app.nulls import null_shares
from fairtrial.app.prepare import Prepared
from fairtrial.errors import BadInput, CannotRun
from fairtrial.records.log import LogWriter, open_resumed, part_of, read_header
from fairtrial.schema.evidence import Header
from fairtrial.schema.record import Frozen
from fairtrial.schema.score import Row
from fairtrial.text.json import encode
from fairtrial.text.language import say

_LINK = "log"


class SetOf(Frozen, frozen=True, kw_only=True):
    """What one test asks for: its sessions (case, trial) in order, and what the whole of it must reach.

    Of a part of a set (`-k`, `--lf`) nothing is asked but that it be answered.
    """

    test: str
    keys: tuple[tuple[str, int], ...]
    minimum: float | None = None
    reliable: bool = False


@dataclass(frozen=True, kw_only=True)
class Concluded:
    """A set of a run that is over: its figures and doubts, and why it fails, None if it does not."""

    test: str
    header: Header
    asked: bool
    """Whether a verdict on the whole of it was asked for."""
    fails: str | None


class Part:
    """The part file of a run, beside the logs; `fairtrial show` reads it.

    The first process of the run that comes here begins it; `folder` leads the others there. Raises BadInput
    where they ask another agent, CannotRun where it cannot be written.
    """

    def __init__(self, folder: Path, prepared: Prepared, wanted: Sequence[Quest]) -> None:
        link = folder / _LINK
        if not link.is_symlink():
            _begin(link, prepared, wanted)
        path = link.readlink()
        self.log = path.with_suffix("")
        if read_header(path).config["agent"] != prepared.agent_config.model_dump(mode="json"):
            raise BadInput(
                say("a second agent in one log", "同一份日志里出现了第二个 Agent"),
                where="fairtrial_agent",
                how=say("run the tests of each agent by themselves", "请分别运行各个 Agent 的测试"),
            )
        self._file = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CLOEXEC)

    def append(self, row: Row) -> None:
        """Hand a row to the kernel. What a process that was killed wrote by half is cut off."""
        line = encode(row) + b"\n"
        fcntl.flock(self._file, fcntl.LOCK_EX)
        try:
            end = size = os.fstat(self._file).st_size
            while os.pread(self._file, 1, end - 1) != b"\n":
                end -= 1
            if end < size:
                os.ftruncate(self._file, end)
            if os.write(self._file, line) < len(line):
                raise OSError(0, say("no room left", "空间不足"))
        except OSError as error:
            raise CannotRun(
                say(f"cannot write: {error.strerror}", f"无法写入：{error.strerror}"), where=str(self.log)
            ) from error
        finally:
            fcntl.flock(self._file, fcntl.LOCK_UN)

    def close(self) -> None:
        """Let go of it; it stays."""
        os.close(self._file)


def conclude(folder: Path) -> tuple[Path, Header, tuple[Concluded, ...]] | None:
    """Make the log of the run from its part file; None where nothing was asked.

    Returns where it lies, its header, and what became of each set. Raises CannotRun where it cannot be
    written; the part file stays then.
    """
    link = folder / _LINK
    if not link.is_symlink():
        return None
    part = link.readlink()
    sets = msgspec.convert(read_header(part).config[TESTS], tuple[SetOf, ...])
    with open_resumed(part, [key for one in sets for key in one.keys]) as writer:
        if not writer.done:
            part.unlink()
            return None
        header = _judged(writer, sets)
        told = tuple(
            Concluded(
                test=one.test,
                header=(found := header if len(sets) == 1 else _judged(writer, [one])),
                asked=one.minimum is not None or one.reliable,
                fails=_why(one, found),
            )
            for one in sets
        )
        return writer.finish(header), header, told


def _judged(writer: LogWriter, sets: Sequence[SetOf]) -> Header:
    """The figures and doubts of some sets. What was not asked (skipped, stopped) was not planned."""
    done = {key: None for one in sets for key in one.keys if writer.is_done(*key)}

    def rows() -> Iterator[Row]:
        return (row for row in writer.rows() if (row.record.case, row.record.trial) in done)

    start = msgspec.structs.replace(writer.header, config=_of(writer.header.config, list(done)))
    return judged(start, rows, writer.path.parent, None)


def _begin(link: Path, prepared: Prepared, wanted: Sequence[Quest]) -> None:
    header, keys = _header(prepared, wanted)
    log = prepared.out / f"{header.run}.jsonl"
    with LogWriter(log, header, keys):
        try:
            link.symlink_to(part_of(log))
        except FileExistsError:  # another process was first
            part_of(log).unlink()


def _header(prepared: Prepared, wanted: Sequence[Quest]) -> tuple[Header, list[tuple[str, int]]]:
    tests: dict[str, list[Quest]] = {}
    for quest in wanted:
        tests.setdefault(quest.test, []).append(quest)
    sets = [one for test, asked in tests.items() if (one := _set_of(test, asked)).keys]
    header = begun(
        prepared,
        collect(prepared),
        "full",
        null_agent=null_shares(prepared.case_set, prepared.scorer),
        **{TESTS: msgspec.to_builtins(sets)},
    )
    header.config["cases"]["probed"] = list({quest.case.id: None for quest in wanted if quest.uses})
    keys = [key for one in sets for key in one.keys]
    header = msgspec.structs.replace(header, config=_of(header.config, keys))
    return header, keys


def _set_of(test: str, asked: Sequence[Quest]) -> SetOf:
    keys = tuple(key for quest in asked if quest.unfit is None for key in quest.keys)
    if len(asked) < asked[0].of:
        return SetOf(test=test, keys=keys)
    return SetOf(test=test, keys=keys, minimum=asked[0].mark.minimum, reliable=asked[0].mark.reliable)


def _of(config: dict[str, Any], keys: Sequence[tuple[str, int]]) -> dict[str, Any]:
    """The configuration with the sessions that are meant."""
    ids = list(dict.fromkeys(case for case, _ in keys))
    return config | {"cases": config["cases"] | {"ids": ids, "n": len(ids), "planned": len(keys)}}


def _why(one: SetOf, header: Header) -> str | None:
    lit = [doubt.name for doubt in header.doubts if doubt.lit and doubt.forbids]
    if "errors" in lit:
        return say("too many sessions gave no answer", "没有回答的会话太多")
    if one.reliable and lit:
        names = ", ".join(lit)
        return say(f"UNRELIABLE: these figures prove nothing ({names})", f"UNRELIABLE：本轮不可信（{names}）")
    if low := below(header, one.minimum):
        return low
    return None
