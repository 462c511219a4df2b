"""A file that is there whole or not at all."""

import os
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path

from fairtrial.errors import CannotRun
from fairtrial.text.language import say


def write_whole(path: Path, lines: Iterable[bytes]) -> None:
    """Write the lines beside `path`, sync, and put the file in its place in one step.

    Raises CannotRun where the disk refuses; an older file of the name is then as it was.
    """
    write_all({path: lines})


def write_all(files: Mapping[Path, Iterable[bytes]]) -> None:
    """As `write_whole`, of several files: none takes its place before all are written."""
    drafts = {path: path.with_name(path.name + ".tmp") for path in files}
    path = None
    try:
        for path, lines in files.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            with drafts[path].open("wb") as file:
                file.writelines(lines)
                file.flush()
                os.fsync(file.fileno())
        for path, draft in drafts.items():
            os.replace(draft, path)
        for folder in {path.parent for path in files}:
            sync_folder(folder)
    except BaseException as error:
        for draft in drafts.values():
            with suppress(OSError):
                draft.unlink(missing_ok=True)
        if not isinstance(error, OSError):
            raise
        raise CannotRun(
            say(f"cannot write the file: {error.strerror}", f"无法写出文件：{error.strerror}"),
            where=str(path),
            how=say(
                "nothing is lost; make room and run it again or resume it",
                "没有丢失任何内容；腾出空间后重跑或续跑",
            ),
        ) from error


def sync_folder(folder: Path) -> None:
    """So that a power cut does not take the file's name."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
