import json
import multiprocessing
import os
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairtrial.errors import BadInput, CannotRun
from fairtrial.ledger.chain import FIRST, contradictions, head, head_of, locked, read

START = datetime(2026, 11, 30, 8, tzinfo=UTC)
ENTRIES = 6


def clock(*, step: int = 60) -> Callable[[], datetime]:
    times = iter(START + timedelta(seconds=step * n) for n in range(100))
    return lambda: next(times)


def written(folder: Path, entries: int = ENTRIES) -> Path:
    path = folder / "ledger.jsonl"
    with locked(path, now=clock(), begin=True) as book:
        for n in range(entries):
            book.append("look", "陈伟" if n % 2 else "Ann", {"slice": "留存-11", "n": n, "share": 0.1})
    return path


def found(path: Path) -> list[str]:
    """What verification says of the ledger and its head."""
    try:
        entries = read(path)
    except BadInput as error:
        return [str(error)]
    seen = head(head_of(path))
    return list(contradictions(entries, [seen] if seen else []))


def test_entries_are_read_as_they_were_appended(tmp_path: Path) -> None:
    entries = read(written(tmp_path))
    assert [entry.n for entry in entries] == list(range(1, ENTRIES + 1))
    assert entries[0].previous == FIRST
    assert [entry.previous for entry in entries[1:]] == [entry.hash for entry in entries[:-1]]
    assert entries[1].who == "陈伟"
    assert entries[3].body == {"slice": "留存-11", "n": 3, "share": 0.1}
    assert entries[0].at == "2026-11-30T08:00:00Z"
    assert found(tmp_path / "ledger.jsonl") == []


def test_the_hash_is_that_of_the_canonical_json_of_the_rest(tmp_path: Path) -> None:
    """Recomputed as docs/ledger.md says: json and hashlib of the standard library."""
    import hashlib

    for line in written(tmp_path).read_text("ascii").splitlines():
        rest = json.loads(line)
        told = rest.pop("hash")
        text = json.dumps(rest, sort_keys=True, separators=(",", ":"))
        assert hashlib.sha256(text.encode()).hexdigest() == told


Mutation = Callable[[list[bytes], st.DataObject], Sequence[bytes]]


def flip(lines: list[bytes], data: st.DataObject) -> list[bytes]:
    content = bytearray(b"".join(lines))
    at = data.draw(st.integers(0, len(content) - 1))
    content[at] ^= data.draw(st.integers(1, 255))
    return [bytes(content)]


def drop(lines: list[bytes], data: st.DataObject) -> list[bytes]:
    at = data.draw(st.integers(0, len(lines) - 1))
    return lines[:at] + lines[at + 1 :]


def insert(lines: list[bytes], data: st.DataObject) -> list[bytes]:
    at, which = data.draw(st.integers(0, len(lines))), data.draw(st.integers(0, len(lines) - 1))
    return [*lines[:at], lines[which], *lines[at:]]


def swap(lines: list[bytes], data: st.DataObject) -> list[bytes]:
    one, other = sorted(
        data.draw(st.lists(st.integers(0, len(lines) - 1), min_size=2, max_size=2, unique=True))
    )
    lines = list(lines)
    lines[one], lines[other] = lines[other], lines[one]
    return lines


def shorten(lines: list[bytes], data: st.DataObject) -> list[bytes]:
    return lines[: data.draw(st.integers(0, len(lines) - 1))]


def cut(lines: list[bytes], data: st.DataObject) -> list[bytes]:
    content = b"".join(lines)
    return [content[: data.draw(st.integers(0, len(content) - 1))]]


def blank(lines: list[bytes], data: st.DataObject) -> list[bytes]:
    content = b"".join(lines)
    at = data.draw(st.integers(0, len(content) - 1))
    return [content[:at] + data.draw(st.sampled_from([b" ", b"\n", b"\t"])) + content[at:]]


@settings(deadline=None, max_examples=300)
@given(st.data(), st.sampled_from([flip, drop, insert, swap, shorten, cut, blank]))
def test_any_single_mutation_is_found(data: st.DataObject, mutation: Mutation) -> None:
    with TemporaryDirectory() as folder:
        path = written(Path(folder), 4)
        content = path.read_bytes()
        changed = b"".join(mutation(content.splitlines(keepends=True), data))
        path.write_bytes(changed)
        assert found(path) != []


def test_a_rewritten_end_is_found_by_whoever_saw_the_other(tmp_path: Path) -> None:
    path = written(tmp_path)
    seen = head(head_of(path))
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:-1]))
    head_of(path).unlink()
    with locked(path, now=lambda: START + timedelta(days=1)) as book:
        book.append("look", "me", {})
    assert seen is not None
    assert "rewritten" in "".join(contradictions(read(path), [seen]))


def test_what_a_kill_left_of_an_entry_is_none_and_makes_room(tmp_path: Path) -> None:
    path = written(tmp_path)
    whole = path.read_bytes()
    path.write_bytes(whole + whole[:77])
    assert len(read(path)) == ENTRIES
    with locked(path, now=lambda: START + timedelta(days=1)) as book:
        assert len(book.entries) == ENTRIES
        book.append("look", "me", {})
    assert len(read(path)) == ENTRIES + 1
    assert found(path) == []


def test_a_kill_before_the_head_is_written_breaks_nothing(tmp_path: Path) -> None:
    path = written(tmp_path)
    before = head_of(path).read_bytes()
    with locked(path, now=lambda: START + timedelta(days=1)) as book:
        book.append("look", "me", {})
    head_of(path).write_bytes(before)
    assert found(path) == []
    with locked(path, now=lambda: START + timedelta(days=2)) as book:
        assert book.append("look", "me", {}).n == ENTRIES + 2


@pytest.mark.parametrize("left", [0, 1, ENTRIES - 1])
def test_a_shortened_ledger_takes_no_entry(tmp_path: Path, left: int) -> None:
    path = written(tmp_path)
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:left]))
    with pytest.raises(BadInput, match="shortened"), locked(path):
        pass


def test_a_missing_ledger_with_a_head_is_spent_not_fresh(tmp_path: Path) -> None:
    path = written(tmp_path)
    path.unlink()
    with pytest.raises(BadInput, match="spent"), locked(path):
        pass
    with pytest.raises(BadInput, match="shortened"), locked(path, begin=True):
        pass


def test_a_clock_that_was_set_back_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path)
    before = path.read_bytes()
    last = "2026-11-30T08:05:00Z"
    with (
        locked(path, now=lambda: START) as book,
        pytest.raises(
            BadInput, match=f"the clock says 2026-11-30T08:00:00Z, the ledger's last entry is of {last}"
        ),
    ):
        book.append("look", "me", {})
    assert path.read_bytes() == before


def test_nobody_appends_without_a_name(tmp_path: Path) -> None:
    path = written(tmp_path)
    with locked(path) as book, pytest.raises(BadInput, match="name"):
        book.append("look", "  ", {})


@pytest.mark.parametrize("broken", ["line", "piece", "head"])
def test_a_full_disk_leaves_the_entry_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, broken: str
) -> None:
    path = written(tmp_path)
    before, write, replace = path.read_bytes(), os.write, os.replace

    def full(descriptor: int, data: bytes) -> int:
        if broken == "piece" and len(data) > 10:
            return write(descriptor, data[:10])
        raise OSError(28, "No space left on device")

    def no_room(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with locked(path) as book:
        with monkeypatch.context() as patch:
            patch.setattr(os, "replace", no_room) if broken == "head" else patch.setattr(os, "write", full)
            with pytest.raises(CannotRun, match="No space left"):
                book.append("look", "me", {})
        assert path.read_bytes() == before
        assert len(book.entries) == ENTRIES
        assert os.replace is replace
        book.append("look", "me", {})
    assert found(path) == []
    assert len(read(path)) == ENTRIES + 1


def _append_many(path: Path, who: str, times: int) -> None:
    for _ in range(times):
        with locked(path) as book:
            book.append("look", who, {"before": len(book.entries)})


def test_several_processes_wait_for_one_another(tmp_path: Path) -> None:
    path = written(tmp_path, 1)
    context = multiprocessing.get_context("spawn")
    others = [context.Process(target=_append_many, args=(path, str(n), 10)) for n in range(3)]
    for process in others:
        process.start()
    for process in others:
        process.join()
        assert process.exitcode == 0
    entries = read(path)
    assert len(entries) == 31
    assert [entry.body["before"] for entry in entries[1:]] == list(range(1, 31))
    assert found(path) == []
