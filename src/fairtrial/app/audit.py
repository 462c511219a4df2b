"""Examine what a result, or two, are worth, whoever measured them."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from msgspec import convert

from fairtrial.app.config import FILE, load_project
from fairtrial.app.opened import Opened, open_round
from fairtrial.errors import BadInput
from fairtrial.evidence import audit as evidence
from fairtrial.evidence.columns import Columns
from fairtrial.evidence.exhibit import Exhibit
from fairtrial.evidence.side import Side
from fairtrial.ledger.chain import read
from fairtrial.records.fingerprint import agents_side
from fairtrial.records.interop.foreign import recalled
from fairtrial.schema.audit import Audit
from fairtrial.schema.evidence import Header
from fairtrial.schema.look import SealedLook
from fairtrial.text.language import say


def audit(paths: Sequence[Path] = (), *, config: Path | None = None) -> Audit:
    """Audit one file or two, base first: logs of ours or files of other tools. Raises BadInput.

    A folder stands for its latest log, no path for the latest of the project that `config` names.
    """
    if len(paths) > 2:
        raise BadInput(
            say(
                f"{len(paths)} files; one or two can be audited",
                f"给了 {len(paths)} 个文件；只能审查一个或两个",
            )
        )
    opened = [open_round(_file(path, config)) for path in paths or (None,)]
    if len({one.path.resolve() for one in opened}) < len(opened):
        same = say("base and candidate are the same file", "基准与候选是同一个文件")
        raise BadInput(same, where=str(opened[0].path))
    names = [one.name for one in opened]
    if len(set(names)) < len(names):
        names = [str(one.path) for one in opened]
    exhibits = [_exhibit(one, name) for one, name in zip(opened, names, strict=True)]
    if not all(one.side.ids for one in exhibits):
        return evidence.audit(exhibits)
    pair = opened if len(opened) == 2 else ()
    return evidence.audit(exhibits, [Columns.of(one.rows(), pass_at=one.pass_at) for one in pair])


def _file(path: Path | None, config: Path | None) -> Path:
    if path is not None and path.is_file():
        return path
    from fairtrial.app.show import find_log  # whoever names a file needs no project

    return find_log(path, config)


def _exhibit(opened: Opened, name: str) -> Exhibit:
    found = Exhibit(
        side=Side.of(opened.rows(), name=name, ours=opened.measured_here),
        foreign=opened.foreign or (recalled(opened.header) if opened.header else None),
        pass_at=opened.pass_at,
    )
    header = opened.header
    if header is None or found.foreign is not None:  # an imported log is worth what its file is
        return found
    from fairtrial.app.finish import retold, so_far  # other tools' files need no scorer

    found = replace(found, looks=_looks(header))
    if header.status == "running":
        return replace(found, header=so_far(header, opened.rows()))
    try:
        again = so_far(header, opened.rows()).summary
    except KeyError:  # a log from elsewhere
        again = None
    return replace(found, header=retold(header, opened.rows, opened.path.parent), again=again)


def _looks(header: Header) -> tuple[SealedLook, ...] | None:
    """The looks at sealed slices of this agent that the ledger of its project has; None: there is no ledger.

    Raises BadInput for one that is broken.
    """
    file = Path(header.config.get("folder", "")) / FILE
    if header.fingerprint is None or not file.is_file():
        return None
    project = load_project(file)
    ledger = project.path(project.seal.ledger)
    if not ledger.is_file():
        return None
    side = agents_side(header.fingerprint)
    results = (entry.body for entry in read(ledger) if entry.kind == "result")
    return tuple(convert(body, SealedLook) for body in results if body["fingerprint"] == side)
