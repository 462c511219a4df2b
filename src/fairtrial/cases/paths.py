"""Which files a case set is made of, in an order that no file system or locale changes."""

import os
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from fairtrial.cases.problems import Problem, Severity, printable
from fairtrial.text.language import say

_KEPT_BESIDE = frozenset({"queue", "ledger.jsonl", "history.jsonl"})
"""What a project keeps beside its cases, and what is none."""
KINDS = {".json": "json", ".yaml": "yaml", ".yml": "yaml", ".jsonl": "jsonl"}
"""What is read, by the end of the file's name."""


def find(paths: Iterable[Path], *, without: Path | None = None) -> tuple[list[Path], list[Problem]]:
    """The files that the paths mean, each once, and what is wrong with the paths.

    A folder means the files below it that are read at all, in natural order (`case2` before `case10`),
    without hidden ones, those whose names begin with `golden`, the queue, the ledger, and what lies in the
    folder `without`.
    """
    files: list[Path] = []
    problems: list[Problem] = []
    for path in paths:  # os.path, unlike pathlib, never raises for a path that may not be looked at
        if os.path.isdir(path):
            below = sorted(_below(path, without), key=lambda file: _natural(file.relative_to(path)))
            if not below:
                problems.append(_no_file(path, say("no case file in the folder", "文件夹中没有用例文件")))
            files += below
        elif not os.path.isfile(path):
            problems.append(_no_file(path, say("no such file or folder", "没有这个文件或文件夹")))
        elif path.suffix.casefold() not in KINDS:
            problems.append(_no_file(path, say("not a kind of file that is read", "不支持这种文件")))
        else:
            files.append(path)
    once = {os.path.realpath(file): file for file in reversed(files)}
    return [file for file in files if once[os.path.realpath(file)] is file], problems


def _no_file(path: Path, what: str) -> Problem:
    kinds = say(", ", "、").join(KINDS)
    how = say(f"give {kinds}, or a folder of them", f"请给出 {kinds} 文件，或存放它们的文件夹")
    return Problem(file=name_of(path), severity=Severity.error, what=what, how=how)


def _below(folder: Path, without: Path | None) -> Iterator[Path]:
    out = None if without is None else os.path.realpath(without)
    for where, folders, names in os.walk(folder):
        folders[:] = [
            name
            for name in folders
            if not _is_apart(name) and os.path.realpath(os.path.join(where, name)) != out
        ]
        for name in names:
            file = Path(where, name)
            if is_read([name]) and os.path.isfile(file):
                yield file


def is_read(parts: Sequence[str]) -> bool:
    """Whether a file is read that lies in a folder of cases; `parts` are its way from there."""
    name = parts[-1]
    skipped = any(map(_is_apart, parts)) or name.casefold().startswith("golden")
    return not skipped and Path(name).suffix.casefold() in KINDS


def _is_apart(name: str) -> bool:
    return name.startswith(".") or name in _KEPT_BESIDE


def _natural(path: Path) -> list[list[tuple[int, int, str]]]:
    return [
        [(0, int(bit), "") if bit.isdecimal() else (1, 0, bit) for bit in re.split(r"(\d+)", part) if bit]
        for part in (unicodedata.normalize("NFC", name).casefold() for name in Path(name_of(path)).parts)
    ]


def name_of(path: Path) -> str:
    """The path as UTF-8 text whatever the locale says, fit for a terminal."""
    return printable(os.fsencode(path).decode("utf-8", "backslashreplace"))
