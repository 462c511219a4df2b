"""Another tool's log as one of ours: what happened is kept, outcomes stand as given, doubts are judged."""

from datetime import UTC, datetime
from pathlib import Path

import fairtrial
from fairtrial.app.config import ScoreConfig
from fairtrial.app.finish import Round, judged
from fairtrial.app.rescore import require_new
from fairtrial.errors import BadInput
from fairtrial.records.fingerprint import whole
from fairtrial.records.interop.detect import recognise
from fairtrial.records.interop.foreign import Foreign, kept
from fairtrial.records.log import iso, write_log
from fairtrial.schema.evidence import Header
from fairtrial.text.language import say


def import_log(kind: str | None, file: Path, output: Path) -> Round:
    """Read another tool's file and write it to `output` as a log; nothing is replaced.

    `kind` is the format it is said to be, None to tell by its content. Raises BadInput.
    """
    require_new(output)
    foreign = recognise(file, kind)
    if foreign is None:
        raise BadInput(
            say("this is a log of fairtrial already", "这已经是 fairtrial 的日志"),
            where=str(file),
            how=f"fairtrial show {file}",
        )
    rows = foreign.rows
    begun = _header(foreign, file.resolve(), output.stem)
    output.parent.mkdir(parents=True, exist_ok=True)
    header = judged(begun, lambda: rows, output.parent, None)
    write_log(output, header, rows)
    return Round(header=header, log=output, exit_code=0)


def _header(foreign: Foreign, file: Path, run: str) -> Header:
    rows = foreign.rows
    cases = {row.record.case for row in rows}
    trials = max((row.record.trial + 1 for row in rows), default=0)
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
            "cases": {"digest": "", "ids": None, "n": len(cases)},
            "scorer": "",
        },
        notes=(
            say(
                "imported: outcomes as given; useful, times and seeds were not measured there",
                "导入：结果照原样保留；useful、时间与种子当时没有记录",
            ),
        ),
        fingerprint=whole(foreign.parts) if foreign.parts else None,
    )
