"""Another tool's log as one of ours: what happened is kept, outcomes stand as given, doubts are judged."""

from datetime import UTC, datetime
from pathlib import Path

import fairtrial
from fairtrial.app.config import ScoreConfig
from fairtrial.app.finish import Round, judged
from fairtrial.app.rescore import require_new
from fairtrial.records.interop import tau_bench
from fairtrial.records.log import iso, write_log
from fairtrial.schema.evidence import Header
from fairtrial.text.language import say

_READERS = {"tau-bench": tau_bench.read}


def import_log(kind: str, file: Path, output: Path) -> Round:
    """Read `file` as a log of `kind`, write it to `output`. Raises BadInput; nothing is replaced."""
    require_new(output)
    rows = list(_READERS[kind](file))
    cases = {row.record.case for row in rows}
    trials = max((row.record.trial + 1 for row in rows), default=0)
    now = iso(datetime.now(UTC))
    begun = Header(
        fairtrial=fairtrial.__version__,
        run=output.stem,
        started=now,
        mode="import",
        status="running",
        config={
            "imported": {"format": kind, "file": str(file.resolve())},
            "run": {"cases": [str(file.resolve())], "trials": trials},
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
    )
    output.parent.mkdir(parents=True, exist_ok=True)
    header = judged(begun, lambda: rows, output.parent, None)
    write_log(output, header, rows)
    return Round(header=header, log=output, exit_code=0)
