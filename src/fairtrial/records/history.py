"""`history.jsonl` beside the logs: one line a reliable full round, and one a loosened doubt line.

Trends are drawn from it. It is an index: where it is missing, the next reliable round makes it again from
the logs. An unreliable or quick round never enters, so that a figure too good to be true cannot become the
base of the next.
"""

import fcntl
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import msgspec

from fairtrial.errors import BadInput, CannotRun
from fairtrial.records.reading import headers
from fairtrial.records.whole import sync_folder
from fairtrial.schema.evidence import Header, Loosening, Round
from fairtrial.text.json import decode, encode
from fairtrial.text.language import say

NAME = "history.jsonl"
Entry = Round | Loosening


def round_of(header: Header, log: str) -> Round | None:
    """The history's line for the round of the log called `log`; None unless it is full and reliable.

    None too for one that was run until decided, whose figures are pulled towards its answer, and for one in
    which several model versions replied.
    """
    summary = header.summary
    if header.decision is not None or header.mode != "full" or header.status != "reliable" or summary is None:
        return None
    if mixed(header):
        return None
    figures = {
        name: getattr(source, name)
        for source in (header, summary)
        for name in Round.__struct_fields__
        if hasattr(source, name)
    }
    return Round(log=log, **figures)


def mixed(header: Header) -> bool:
    """Whether several model versions replied in a round: its figures are nobody's."""
    return any(doubt.name == "mixed_models" and doubt.lit for doubt in header.doubts)


def append_round(path: Path, header: Header, *, log: str) -> bool:
    """Add a reliable full round to the history at `path`; False for any other, and if its run is there.

    A missing history is first made again from the logs beside it. Raises CannotRun if the disk refuses.
    """
    entry = round_of(header, log)
    if entry is None:
        return False
    new = True

    def fresh(known: Sequence[Entry]) -> list[Entry]:
        nonlocal new
        # Under the lock, or it would take away what another process adds meanwhile.
        lines = list(known) or _from_logs(path.parent)
        new = entry.run not in {line.run for line in rounds(lines)}
        return lines[len(known) :] + [entry] * new

    _append(path, fresh)
    return new


def append_loosenings(path: Path, header: Header) -> int:
    """Add those loosenings of a round that are new or have changed; how many. Raises CannotRun.

    They are kept whether the round is reliable or not: who made a line more lenient is no figure.
    """
    return _append(path, lambda known: _news(known, header))


def read_history(path: Path) -> tuple[Entry, ...]:
    """All lines, oldest first; none if there is no such file. A torn last line is passed over.

    Raises BadInput, with the number of the line, for any other line that is none of a history.
    """
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        return ()
    except OSError as error:
        raise BadInput(error.strerror or str(error), where=str(path)) from error
    return _entries(content, path)


def rounds(entries: Sequence[Entry]) -> tuple[Round, ...]:
    """The rounds among the lines of a history, by their start: the oldest first."""
    return tuple(sorted((e for e in entries if isinstance(e, Round)), key=lambda found: found.started))


def same_set(one: Round | Header, other: Round | Header) -> bool:
    """Whether two rounds asked the same set: the same content, or the whole of a set of one name.

    A set keeps its name while its rules are edited, and a wrong edit is just what a jump may come from.
    """
    named = one.set_name is not None and one.set_name == other.set_name
    return named or one.set_digest == other.set_digest


def latest_scores(folder: Path) -> list[tuple[Path, Header]]:
    """The finished logs of a folder by their start; of sessions that were scored anew the latest scores."""
    # Times are written in seconds, so that two that are alike stay in the order of their files.
    files = sorted(folder.glob("*.jsonl"), key=lambda file: file.stat().st_mtime_ns)
    found = {header.run: (file, header) for file, header in headers(files) if header.status != "running"}
    scored_anew = {run: str(header.config.get("rescored_from") or "") for run, (_, header) in found.items()}
    ended = sorted(found, key=lambda run: found[run][1].ended or "")
    latest = {_root(run, scored_anew): found[run] for run in ended}
    return sorted(latest.values(), key=lambda log: log[1].started)


def _root(run: str, scored_anew: Mapping[str, str]) -> str:
    """The run whose sessions these are."""
    for _ in scored_anew:  # and no more often: a log may say that it was made from itself
        run = scored_anew.get(run) or run
    return run


def _from_logs(folder: Path) -> list[Entry]:
    """What the finished logs of the folder say, in the order of their start."""
    made: list[Entry] = []
    for file, header in sorted(headers(folder.glob("*.jsonl")), key=lambda log: (log[1].started, log[1].run)):
        made += _news(made, header)
        found = round_of(header, file.name)
        if found and found.run not in {entry.run for entry in rounds(made)}:
            made.append(found)
    return made


def _news(known: Sequence[Entry], header: Header) -> list[Entry]:
    """The loosenings of a round that the history does not have, or has otherwise, dated by its start."""
    seen = {_dated(entry, None) for entry in known if isinstance(entry, Loosening)}
    return [_dated(new, header.started) for new in header.loosenings if _dated(new, None) not in seen]


def _dated(entry: Loosening, at: str | None) -> Loosening:
    return msgspec.structs.replace(entry, at=at)


def _append(path: Path, fresh: Callable[[Sequence[Entry]], Sequence[Entry]]) -> int:
    """Under the lock: read, let `fresh` choose what is to be added, mend a torn end, add and sync."""
    try:
        with _locked(path) as descriptor:
            content = path.read_bytes()
            added = fresh(_entries(content, path))
            if added:
                mended = _mend(descriptor, content)
                _write(descriptor, mended + b"".join(encode(entry) + b"\n" for entry in added))
                sync_folder(path.parent)
            return len(added)
    except OSError as error:
        raise CannotRun(
            say(f"cannot write the history: {error.strerror}", f"无法写入历史：{error.strerror}"),
            where=str(path),
            how=say("make room or give access; no log is lost", "请腾出空间或授予权限；日志没有丢失"),
        ) from error


@contextmanager
def _locked(path: Path) -> Iterator[int]:
    """The file, made if missing, open for appending and locked against other processes."""
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o644)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield descriptor
    finally:
        os.close(descriptor)


def _entries(content: bytes, path: Path) -> tuple[Entry, ...]:
    *lines, last = content.split(b"\n")
    found = [_entry(line, f"{path}:{number}") for number, line in enumerate(lines, start=1)]
    if torn := _torn(last):
        found.append(torn)
    return tuple(found)


def _entry(line: bytes, where: str) -> Entry:
    try:
        return decode(line, Entry)  # type: ignore[arg-type]
    except ValueError as error:
        raise BadInput(
            say(f"not a line of a history: {error}", f"不是历史文件的一行：{error}"),
            where=where,
            how=say(
                "move the file away: the next reliable round makes it again from the logs",
                "请移走该文件：下一轮可信的结果会由日志重建它",
            ),
        ) from error


def _torn(last: bytes) -> Entry | None:
    """A last line without its end is whole but for that end, or was cut and is nothing."""
    try:
        return decode(last, Entry) if last else None  # type: ignore[arg-type]
    except ValueError:
        return None


def _mend(descriptor: int, content: bytes) -> bytes:
    """Cut off a torn last line; what must stand before the next one."""
    last = content[content.rfind(b"\n") + 1 :]
    if last and _torn(last):
        return b"\n"
    os.ftruncate(descriptor, len(content) - len(last))
    return b""


def _write(descriptor: int, data: bytes) -> None:
    while data:
        data = data[os.write(descriptor, data) :]
    os.fsync(descriptor)
