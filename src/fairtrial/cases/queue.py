"""The review queue: a folder of candidates, one YAML file each, that only a person's yes moves into a set."""

import os
import re
import secrets
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

import yaml
from pydantic import ValidationError

from fairtrial.cases.files import not_utf8
from fairtrial.cases.positions import Lines
from fairtrial.cases.problems import Malformed
from fairtrial.cases.yaml_text import read_yaml
from fairtrial.errors import BadInput
from fairtrial.schema.candidate import Candidate, Replacement
from fairtrial.schema.written import complaint
from fairtrial.text.language import say

__all__ = ["FOLDER", "Candidate", "Replacement", "as_text", "path_of", "read", "write"]

FOLDER = "queue"
"""Where the candidates of a project lie, beside its fairtrial.toml."""


def path_of(folder: Path, name: str) -> Path:
    """The file of the candidate whose case has the id `name`."""
    return folder / (re.sub(r"^\.|[^\w.@+-]", "_", name) + ".yaml")


def as_text(candidate: Candidate) -> str:
    """The candidate as its file holds it."""
    content = candidate.model_dump(mode="json")
    return str(yaml.safe_dump(content, allow_unicode=True, sort_keys=False, width=100))


def write(folder: Path, candidates: Iterable[Candidate]) -> list[Path]:
    """Put the candidates into the queue; their files. Each is there whole or not at all.

    Raises BadInput, with nothing written, where one of the files is there or two would be one; OSError where
    the disk refuses.
    """
    files = {}
    for candidate in candidates:
        path = path_of(folder, candidate.id)
        if path in files or path.exists():
            raise _there_already(path)
        files[path] = candidate
    folder.mkdir(parents=True, exist_ok=True)
    for path, candidate in files.items():
        _put(path, as_text(candidate).encode())
    return list(files)


def _put(path: Path, content: bytes) -> None:
    draft = path.with_name(f".{path.name}.{secrets.token_hex(4)}.tmp")
    try:
        with draft.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.link(draft, path)  # unlike a renaming, it never takes the place of another's file
    except FileExistsError:
        raise _there_already(path) from None
    finally:
        with suppress(OSError):
            draft.unlink(missing_ok=True)


def _there_already(path: Path) -> BadInput:
    return BadInput(
        say("a candidate of this id waits already", "已有同一 id 的候选用例在等待"),
        where=str(path),
        how=say("accept or reject it first: fairtrial cases queue", "请先处理它：fairtrial cases queue"),
    )


def read(folder: Path) -> list[tuple[Path, Candidate]]:
    """The candidates that wait, in the order of their files' names; none where there is no folder.

    Raises BadInput, with file and line, for a file that holds no candidate.
    """
    return [(path, read_one(path)) for path in sorted(folder.glob("[!.]*.yaml"))]


def read_one(path: Path) -> Candidate:
    """The candidate of a file. Raises BadInput, with file and line."""
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadInput(not_utf8(error.object, error.start), where=str(path)) from error
    except OSError as error:
        raise BadInput(error.strerror or str(error), where=str(path)) from error
    try:
        value, marks = read_yaml(text)
    except Malformed as error:
        raise BadInput(error.what, where=_line(path, text, error.offset), how=error.how) from None
    try:
        return Candidate.model_validate(value)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        name = ".".join(map(str, first["loc"])) or say("the file", "文件")
        where = _line(path, text, marks.at(first["loc"]))
        raise BadInput(complaint(first, name), where=where, how=_a_candidate()) from error


def _line(path: Path, text: str, offset: int | None) -> str:
    return str(path) if offset is None else f"{path}:{Lines(text).place(offset)[0]}"


def _a_candidate() -> str:
    return say("a candidate has `case`, `why` and `from`", "候选用例要有 `case`、`why` 与 `from`")
