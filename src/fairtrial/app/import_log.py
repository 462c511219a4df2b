"""Another tool's log as one of ours: what happened is kept, outcomes stand as given, doubts are judged."""

from pathlib import Path

from fairtrial.app.finish import Round, judged
from fairtrial.app.opened import as_header
from fairtrial.app.rescore import require_new
from fairtrial.errors import BadInput
from fairtrial.records.interop.detect import recognise
from fairtrial.records.log import write_log
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
    if not rows:
        raise BadInput(
            say("it states figures but holds no single results", "文件只有汇总数字，没有单个结果"),
            where=str(file),
            how=f"fairtrial audit {file}",
        )
    begun = as_header(foreign, file.resolve(), output.stem)
    output.parent.mkdir(parents=True, exist_ok=True)
    header = judged(begun, lambda: rows, output.parent, None)
    write_log(output, header, rows)
    return Round(header=header, log=output, exit_code=0)
