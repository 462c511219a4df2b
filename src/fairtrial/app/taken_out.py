"""Cases taken out of their files: what is left of each, byte for byte; a file of nothing else is removed."""

from collections.abc import Collection, Iterable, Mapping
from pathlib import Path

from fairtrial.cases.document import remove
from fairtrial.cases.load import load_or_refuse
from fairtrial.errors import BadInput
from fairtrial.records.whole import write_whole


def without(files: Iterable[Path], ids: Collection[str]) -> dict[Path, str]:
    """The files that hold any of these cases, and what is left of each; none is written. Raises BadInput."""
    left = {}
    for path in files:
        own = load_or_refuse([path]).by_id().keys() & ids
        if own:
            try:
                # Not read as a text: that would make other line ends of the file's own.
                left[path] = remove(path.read_bytes().decode("utf-8"), own, suffix=path.suffix)
            except BadInput as error:
                raise BadInput(error.what, where=error.where or str(path), how=error.how) from error
    return left


def put(left: Mapping[Path, str]) -> None:
    """Write what `without` gave, file by file. Raises OSError, and CannotRun where the disk refuses."""
    for path, text in left.items():
        if text:
            write_whole(path, [text.encode("utf-8")])
        else:
            path.unlink()
