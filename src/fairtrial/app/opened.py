"""A result, whoever wrote it: a log of ours, finished or under way, or another tool's file."""

from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import fairtrial
from fairtrial.errors import BadInput
from fairtrial.records.fingerprint import whole
from fairtrial.records.interop.foreign import Foreign, kept
from fairtrial.records.log import iso, read_header, read_rows
from fairtrial.schema.evidence import Header
from fairtrial.schema.fingerprint import Part
from fairtrial.schema.score import Row
from fairtrial.text.language import say


@dataclass(frozen=True, kw_only=True)
class Opened:
    """A result of which the rows are read when asked for; `source` is the header of a log of ours."""

    path: Path
    source: Header | Foreign

    @property
    def header(self) -> Header | None:
        """Of a log of ours."""
        return self.source if isinstance(self.source, Header) else None

    @property
    def foreign(self) -> Foreign | None:
        """The file of another tool."""
        return self.source if isinstance(self.source, Foreign) else None

    @property
    def name(self) -> str:
        """The run of a log, the name of another tool's file."""
        return self.source.run if isinstance(self.source, Header) else self.path.name

    @property
    def pass_at(self) -> float:
        """The case score from which a trial passes."""
        config = self.source.config if isinstance(self.source, Header) else {}
        return float(config.get("score", {}).get("pass_at", 1.0))

    @property
    def parts(self) -> Mapping[str, Part] | None:
        """What it tells of its environment, and its replies of their model; None where nothing is told."""
        told = self.source
        if isinstance(told, Foreign):
            from fairtrial.app.fingerprint import Reported, completed  # a reader of one file needs neither

            replied = Reported()
            deque(replied.through(told.rows), maxlen=0)
            full = completed(whole(told.parts) if told.parts else None, replied)
            return full.parts if full else None
        return told.fingerprint.parts if told.fingerprint else None

    @property
    def measured_here(self) -> bool:
        """Whether fairtrial asked the agent itself, and so ought to know what the result depends on."""
        return isinstance(self.source, Header) and self.source.mode != "import"

    def rows(self) -> Iterator[Row]:
        """All rows, in the order of the file. Raises BadInput where the header speaks of more or fewer."""
        if isinstance(self.source, Foreign):
            yield from self.source.rows
            return
        count = 0
        for row in read_rows(self.path):
            count += 1
            yield row
        summary = self.source.summary
        told = sum(summary.counts.by_status.values()) if summary is not None else count
        if count != told:
            raise BadInput(
                say(f"{count} sessions, and figures of {told}", f"有 {count} 个会话，指标却是 {told} 个的"),
                where=str(self.path),
                how=say(
                    "the file was changed; use a sound copy, or `fairtrial rescore` it",
                    "文件被改动；请用完好的副本，或执行 `fairtrial rescore`",
                ),
            )


def open_result(path: Path) -> Opened:
    """Open a file by its content. Raises BadInput for one that is neither a log nor of a known format."""
    # All formats at once take a tenth of a second, which `run` does not have for them.
    from fairtrial.records.interop.detect import recognise

    foreign = recognise(path)
    return Opened(path=path, source=read_header(path) if foreign is None else foreign)


def open_round(path: Path) -> Opened:
    """As `open_result`; refused is the log of an examination, whose sessions were chosen by their results."""
    opened = open_result(path)
    if opened.header is not None and opened.header.mode == "probe":
        raise BadInput(
            say(
                "a log of `fairtrial probe`: its sessions were chosen, and have no common figures",
                "这是 `fairtrial probe` 的日志：其中的会话是挑选出来的，没有共同的指标",
            ),
            where=str(path),
            how=say(f"fairtrial show {path}, or name a round", f"执行 fairtrial show {path}，或另选一轮"),
        )
    return opened


def as_header(foreign: Foreign, file: Path, run: str) -> Header:
    """The header with which another tool's file becomes a log called `run`: running, nothing judged yet."""
    from fairtrial.app.config import ScoreConfig  # late: whoever only reads a file needs no project

    rows = foreign.rows
    cases = {row.record.case for row in rows}
    trials = max((row.record.trial + 1 for row in rows), default=0)
    planned = max(foreign.planned or len(cases) * trials, len(rows))
    return Header(
        fairtrial=fairtrial.__version__,
        run=run,
        started=iso(datetime.now(UTC)),
        mode="import",
        status="running",
        config={
            "imported": kept(foreign) | {"file": str(file)},
            "run": {"cases": [str(file)], "trials": trials},
            "score": ScoreConfig().model_dump(mode="json"),
            "doubts": {},
            "cases": {"digest": "", "ids": None, "n": len(cases), "planned": planned},
            "scorer": "",
        },
        notes=(
            say(
                "imported: outcomes as given; useful, times and seeds were not measured there",
                "导入：结果照原样保留；useful、时间与种子当时没有记录",
            ),
            *_faults(foreign),
        ),
        fingerprint=whole(foreign.parts) if foreign.parts else None,
    )


def _faults(foreign: Foreign) -> tuple[str, ...]:
    if not foreign.faults:
        return ()
    n, first = len(foreign.faults), foreign.faults[0]
    told = f"{first.where}: {first.says}"
    return (
        say(
            f"{n} of its entries give no sound score; the first: {told}",
            f"其中 {n} 处没有可用的分数；第一处：{told}",
        ),
    )
