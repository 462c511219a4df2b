"""Examine what a result, or two, are worth, whoever measured them."""

from collections.abc import Sequence
from pathlib import Path

from fairtrial.app.opened import Opened, open_result
from fairtrial.errors import BadInput
from fairtrial.evidence import audit as evidence
from fairtrial.evidence.columns import Columns
from fairtrial.evidence.compare import compare
from fairtrial.evidence.exhibit import Exhibit
from fairtrial.evidence.side import Side
from fairtrial.records.interop.foreign import recalled
from fairtrial.schema.audit import Audit
from fairtrial.schema.comparison import Comparison
from fairtrial.schema.evidence import Header
from fairtrial.text.language import say


def audit(paths: Sequence[Path]) -> Audit:
    """Audit one file or two, base first: logs of ours or files of other tools. Raises BadInput."""
    if not 1 <= len(paths) <= 2:
        raise BadInput(
            say(
                f"{len(paths)} files; one or two can be audited",
                f"给了 {len(paths)} 个文件；只能审查一个或两个",
            )
        )
    opened = [open_result(path) for path in paths]
    names = [one.name for one in opened]
    if len(set(names)) < len(names):
        names = [str(path) for path in paths]
    exhibits = [_exhibit(one, name) for one, name in zip(opened, names, strict=True)]
    return evidence.audit(exhibits, _compared(opened, exhibits))


def _exhibit(opened: Opened, name: str) -> Exhibit:
    header = _read(opened)
    foreign = opened.foreign or (recalled(header) if header else None)
    return Exhibit(
        side=Side.of(opened.rows(), name=name, ours=opened.measured_here),
        header=header if foreign is None else None,  # an imported log is worth what its file is
        foreign=foreign,
        pass_at=opened.pass_at,
    )


def _read(opened: Opened) -> Header | None:
    """The header of a log, its doubts in the reader's language; of one under way, with the figures so far."""
    if opened.header is None:
        return None
    from fairtrial.app.finish import retold, so_far  # other tools' files need no scorer

    if opened.header.status == "running":
        return so_far(opened.header, opened.rows())
    return retold(opened.header, opened.path.parent)


def _compared(opened: Sequence[Opened], exhibits: Sequence[Exhibit]) -> Comparison | None:
    """The comparison of two results that have cases, None otherwise."""
    if len(opened) < 2 or not all(one.side.ids for one in exhibits):
        return None
    base, candidate = (Columns.of(one.rows(), pass_at=one.pass_at) for one in opened)
    return compare(
        base,
        candidate,
        base_name=exhibits[0].side.name,
        candidate_name=exhibits[1].side.name,
        fingerprinted=all(one.parts for one in opened),
    )
