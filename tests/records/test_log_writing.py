import asyncio
import errno
import gc
import os
import threading
import tracemalloc
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta, timezone
from pathlib import Path

import msgspec
import pytest

from fairtrial.errors import BadInput, CannotRun
from fairtrial.execution.plan import Plan
from fairtrial.records.log import (
    LogWriter,
    iso,
    latest,
    latest_part,
    open_resumed,
    part_of,
    read_header,
    read_rows,
    run_name,
    write_log,
)
from fairtrial.schema.case import Case
from fairtrial.schema.record import Status
from fakes.log_samples import FINAL, RUNNING, row
from fakes.patience import eventually

KEYS = [("退款", 0), ("b", 0), ("退款", 1), ("b", 1)]


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return tmp_path / "logs" / "run.jsonl"


def begin(log: Path, *keys: tuple[str, int]) -> None:
    with LogWriter(log, RUNNING, KEYS) as writer:
        for key in keys:
            writer.append(row(*key))


def keys_of(path: Path) -> list[tuple[str, int]]:
    return [(r.record.case, r.record.trial) for r in read_rows(path)]


def damage(path: Path, old: bytes, new: bytes) -> None:
    path.write_bytes(path.read_bytes().replace(old, new, 1))


def test_rows_come_in_as_they_end_and_go_out_as_planned(log: Path) -> None:
    part = part_of(log)
    with LogWriter(log, RUNNING, KEYS) as writer:
        for key in reversed(KEYS):
            writer.append(row(*key))
            assert keys_of(part)[-1] == key  # it is with the kernel
        assert read_header(part) == RUNNING
        assert [(r.record.case, r.record.trial) for r in writer.rows()] == KEYS
        lines = set(part.read_bytes().splitlines()[1:])
        assert writer.finish(FINAL) == log
    assert keys_of(log) == KEYS
    assert read_header(log) == FINAL
    assert set(log.read_bytes().splitlines()[1:]) == lines
    assert os.listdir(log.parent) == ["run.jsonl"]


def test_a_writer_left_early_leaves_a_part_file_to_resume(log: Path) -> None:
    begin(log, ("b", 1))
    assert not log.exists()
    with open_resumed(part_of(log), KEYS) as writer:
        assert writer.header == RUNNING
        assert [writer.is_done(*key) for key in KEYS] == [False, False, False, True]
        for key in KEYS[:3]:
            writer.append(row(*key))
        assert writer.done == 4
        writer.finish(FINAL)
    assert keys_of(log) == KEYS


def test_a_log_may_be_finished_with_sessions_missing(log: Path) -> None:
    with LogWriter(log, RUNNING, KEYS) as writer:
        writer.append(row("退款", 1))
        writer.finish(FINAL)
    assert keys_of(log) == [("退款", 1)]


@pytest.mark.parametrize(
    "torn", [b'{"record":{"case":"b', row("b").record.case.encode(), b"\0" * 4096, b"\xe9\x80"]
)
def test_a_torn_last_line_is_cut_off(log: Path, torn: bytes) -> None:
    begin(log, ("退款", 0), ("b", 0))
    part = part_of(log)
    whole = part.read_bytes()
    part.write_bytes(whole + torn)
    assert keys_of(part) == KEYS[:2]
    with open_resumed(part, KEYS) as writer:
        assert part.read_bytes() == whole
        writer.append(row("退款", 1))
        assert writer.done == 3
    assert keys_of(part) == KEYS[:3]


@pytest.mark.parametrize("bad", [b"{}", b"", b"\xff", b'{"record":', b"[1, 2]", b"null"])
def test_a_bad_line_elsewhere_is_refused_with_its_number(log: Path, bad: bytes) -> None:
    begin(log, ("退款", 0), ("b", 0))
    part = part_of(log)
    lines = part.read_bytes().splitlines(keepends=True)
    part.write_bytes(b"".join([*lines[:2], bad + b"\n", *lines[2:]]))
    before = part.read_bytes()
    with pytest.raises(BadInput, match=r"run\.jsonl\.part:3: not a row"):
        open_resumed(part, KEYS)
    assert part.read_bytes() == before


def test_a_row_that_is_not_planned_is_refused_with_its_number(log: Path) -> None:
    begin(log, ("退款", 0), ("b", 1))
    with pytest.raises(BadInput, match=r":3: a row of a session that is not planned: case 'b', trial 1"):
        open_resumed(part_of(log), KEYS[:3])
    open_resumed(part_of(log), KEYS).close()  # the refusal let go of the file


def test_of_two_rows_of_one_session_the_first_holds(log: Path) -> None:
    begin(log, ("b", 0))
    part = part_of(log)
    once = part.read_bytes().splitlines(keepends=True)[1]
    part.write_bytes(part.read_bytes() + once.replace("好的".encode(), "另一个".encode()))
    assert [r.record.reply for r in read_rows(part)] == ["好的"]
    with open_resumed(part, KEYS) as writer:
        assert [r.record.reply for r in writer.rows()] == ["好的"]


def test_a_cancelled_session_is_not_done(log: Path) -> None:
    with LogWriter(log, RUNNING, KEYS) as writer:
        writer.append(row("b", status=Status.cancelled))
        assert not writer.is_done("b", 0)
    assert keys_of(part_of(log)) == []
    with open_resumed(part_of(log), KEYS) as writer:
        assert writer.done == 0
        writer.append(row("b"))
        writer.finish(FINAL)
    assert [r.record.status for r in read_rows(log)] == [Status.completed]


def test_every_other_status_is_done(log: Path) -> None:
    others = [status for status in Status if status is not Status.cancelled]
    keys = [("a", n) for n in range(len(others))]
    with LogWriter(log, RUNNING, keys) as writer:
        for key, status in zip(keys, others, strict=True):
            writer.append(row(*key, status=status))
        assert writer.done == len(others)


def test_one_part_file_has_one_writer(log: Path) -> None:
    with LogWriter(log, RUNNING, KEYS), pytest.raises(BadInput, match="another process is writing"):
        open_resumed(part_of(log), KEYS)
    open_resumed(part_of(log), KEYS).close()


def test_a_log_is_never_written_over(log: Path) -> None:
    begin(log, ("b", 0))
    with pytest.raises(BadInput, match="there is a log of this name"):
        LogWriter(log, RUNNING, KEYS)
    with open_resumed(part_of(log), KEYS) as writer:
        writer.finish(FINAL)
    before = log.read_bytes()
    with pytest.raises(BadInput, match="there is a log of this name"):
        LogWriter(log, RUNNING, KEYS)
    assert os.listdir(log.parent) == ["run.jsonl"]
    assert log.read_bytes() == before


def test_of_many_that_start_at_once_one_gets_the_name(log: Path) -> None:
    gate = threading.Barrier(8)

    def start(_: int) -> LogWriter | None:
        gate.wait()
        try:
            return LogWriter(log, RUNNING, KEYS)
        except BadInput:
            return None

    with ThreadPoolExecutor(8) as pool:
        writers = [writer for writer in pool.map(start, range(8)) if writer]
    assert len(writers) == 1
    writers[0].close()


def test_names_carry_the_start_in_utc_and_differ() -> None:
    moment = datetime(2026, 12, 1, 0, 27, 5, tzinfo=timezone(timedelta(hours=8)))
    assert iso(moment) == "2026-11-30T16:27:05Z"
    names = {run_name(moment) for _ in range(100)}
    assert len(names) == 100
    assert all(name.startswith("2026-11-30T16-27-05Z-") for name in names)


def test_mistakes_of_the_caller_are_errors(log: Path) -> None:
    with pytest.raises(ValueError, match="running"):
        LogWriter(log, FINAL, KEYS)
    with pytest.raises(ValueError, match="planned twice"):
        LogWriter(log, RUNNING, [("a", 0), ("a", 0)])
    with pytest.raises(ValueError, match="final"):
        write_log(log, RUNNING, [])
    with LogWriter(log, RUNNING, KEYS) as writer:
        with pytest.raises(ValueError, match="final"):
            writer.finish(RUNNING)
        with pytest.raises(KeyError):
            writer.append(row("c"))
        with pytest.raises(KeyError):
            writer.is_done("c", 0)
        writer.append(row("b"))
        with pytest.raises(ValueError, match="written already"):
            writer.append(row("b"))
        writer.finish(FINAL)
        with pytest.raises(ValueError, match="written already"):
            writer.append(row("b", 1))


@pytest.mark.parametrize("taken", [0, 17])
def test_a_full_disk_stops_the_run_and_loses_nothing(
    log: Path, monkeypatch: pytest.MonkeyPatch, taken: int
) -> None:
    part = part_of(log)
    with LogWriter(log, RUNNING, KEYS) as writer:
        writer.append(row("b", 0))
        whole = part.read_bytes()
        write, room = os.write, [taken]

        def full(descriptor: int, data: bytes) -> int:
            if not (size := room.pop() if room else 0):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            return write(descriptor, data[:size])

        monkeypatch.setattr("fairtrial.records.part.os.write", full)
        with pytest.raises(CannotRun) as refusal:
            writer.append(row("b", 1))
        monkeypatch.undo()
        assert "No space left on device" in str(refusal.value)
        assert f"fairtrial run --resume {part}" in str(refusal.value)
        assert part.read_bytes() == whole
        with pytest.raises(CannotRun):  # room or none: no row may follow one that is missing
            writer.append(row("退款", 0))
    with open_resumed(part, KEYS) as writer:
        assert [writer.is_done(*key) for key in KEYS] == [False, True, False, False]


def test_a_disk_too_full_to_finish_leaves_the_part_file(log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(descriptor: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with LogWriter(log, RUNNING, KEYS) as writer:
        writer.append(row("b", 1))
        monkeypatch.setattr("fairtrial.records.whole.os.fsync", full)
        with pytest.raises(CannotRun, match="No space left"):
            writer.finish(FINAL)
        monkeypatch.undo()
        assert os.listdir(log.parent) == ["run.jsonl.part"]
        writer.finish(FINAL)
    assert keys_of(log) == [("b", 1)]


def test_an_error_of_the_sync_is_told_at_the_next_row(log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tried = threading.Event()

    def broken(descriptor: int) -> None:
        tried.set()
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    keys = [("a", n) for n in range(10_000)]
    monkeypatch.setattr("fairtrial.records.part.SYNC_SECONDS", 0.0)
    with LogWriter(log, RUNNING, keys) as writer:
        monkeypatch.setattr("fairtrial.records.part.os.fsync", broken)
        writer.append(row("a", 0))
        assert tried.wait(30)
        with pytest.raises(CannotRun, match="Input/output error"):  # noqa: PT012
            for key in keys[1:]:  # the thread may need a moment to note what it met
                writer.append(row(*key))
        monkeypatch.undo()


@pytest.mark.parametrize(("rows", "seconds", "appended"), [(100, 3600.0, 100), (10**6, 0.01, 1)])
def test_rows_are_synced_in_batches_of_number_or_time(
    log: Path, monkeypatch: pytest.MonkeyPatch, rows: int, seconds: float, appended: int
) -> None:
    synced = threading.Semaphore(0)
    sync = os.fsync

    def watched(descriptor: int) -> None:
        sync(descriptor)
        synced.release()

    keys = [("a", n) for n in range(100)]
    monkeypatch.setattr("fairtrial.records.part.SYNC_ROWS", rows)
    monkeypatch.setattr("fairtrial.records.part.SYNC_SECONDS", seconds)
    with LogWriter(log, RUNNING, keys) as writer:
        monkeypatch.setattr("fairtrial.records.part.os.fsync", watched)
        for key in keys[:appended]:
            writer.append(row(*key))
        assert synced.acquire(timeout=30)
    assert synced.acquire(timeout=30)  # and once more when it is closed


async def test_a_row_that_came_during_a_sync_is_synced_at_the_close(
    log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    under_way, go_on, sizes = threading.Event(), threading.Event(), list[int]()

    def slow(descriptor: int) -> None:
        sizes.append(os.fstat(descriptor).st_size)
        under_way.set()
        go_on.wait(30)

    monkeypatch.setattr("fairtrial.records.part.SYNC_SECONDS", 0.0)
    writer = LogWriter(log, RUNNING, KEYS)
    syncer = writer._part._syncer
    monkeypatch.setattr("fairtrial.records.part.os.fsync", slow)
    under_way.clear()
    writer.append(row(*KEYS[0]))
    await asyncio.to_thread(under_way.wait, 30)
    writer.append(row(*KEYS[1]))
    closing = asyncio.create_task(asyncio.to_thread(writer.close))
    await eventually(lambda: syncer.closed)
    go_on.set()
    await closing
    assert sizes[-1] == part_of(log).stat().st_size


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(CannotRun, match="choose another folder"):
        LogWriter(tmp_path / "file" / "run.jsonl", RUNNING, KEYS)


def test_what_cannot_be_resumed_is_said(log: Path) -> None:
    with pytest.raises(BadInput, match="no such part file"):
        open_resumed(part_of(log), KEYS)
    with pytest.raises(BadInput, match="not a part file"):
        open_resumed(log, KEYS)
    log.parent.mkdir()
    part_of(log).write_bytes(b'{"fairtrial":"0.1')
    assert latest_part(log.parent) is None
    with pytest.raises(BadInput, match="empty"):
        open_resumed(part_of(log), KEYS)


def test_a_log_made_whole_in_one_step_replaces_an_older_one(log: Path) -> None:
    write_log(log, FINAL, [row("a"), row("b")])
    write_log(log, FINAL, [row("b")])
    assert keys_of(log) == [("b", 0)]

    def broken() -> Iterator[object]:
        yield row("a")
        raise LookupError

    with pytest.raises(LookupError):
        write_log(log, FINAL, broken())  # type: ignore[arg-type]
    assert keys_of(log) == [("b", 0)]
    assert os.listdir(log.parent) == ["run.jsonl"]


def test_the_latest_log_is_the_one_started_last(tmp_path: Path) -> None:
    assert (latest(tmp_path), latest_part(tmp_path)) == (None, None)
    for name, started in (
        ("z", "2026-01-01T00:00:00Z"),
        ("a", "2026-02-01T00:00:00Z"),
        ("m", "2026-01-15T00:00:00Z"),
    ):
        write_log(tmp_path / f"{name}.jsonl", msgspec.structs.replace(FINAL, started=started), [])
        LogWriter(tmp_path / f"p{name}.jsonl", msgspec.structs.replace(RUNNING, started=started), []).close()
    (tmp_path / "history.jsonl").write_text('{"total": 1}\n')
    (tmp_path / "zz.jsonl").write_text("")
    (tmp_path / "folder.jsonl").mkdir()
    assert latest(tmp_path) == tmp_path / "a.jsonl"
    assert latest_part(tmp_path) == tmp_path / "pa.jsonl.part"
    write_log(tmp_path / "pa.jsonl", FINAL, [])  # as if killed before the part file was removed
    assert latest_part(tmp_path) == tmp_path / "pm.jsonl.part"


def test_a_session_costs_few_bytes_of_memory(log: Path) -> None:
    cases = [Case(id=f"case-{n}", input=("问",), rules=()) for n in range(1000)]
    plan = Plan(cases, trials=3, run_seed=0)
    rows = [row(*key) for key in plan]
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    with LogWriter(log, RUNNING, plan) as writer:
        for each in rows:
            writer.append(each)
        gc.collect()
        grown = tracemalloc.get_traced_memory()[0] - before
        tracemalloc.stop()
        assert list(writer.rows()) == rows
    assert grown / len(cases) < 150


def test_a_plan_that_is_asked_again_need_not_be_a_list(log: Path) -> None:
    cases = [Case(id=f"{n}", input=("问",), rules=()) for n in range(7)]
    plan = Plan(cases, trials=2, run_seed=0)
    with LogWriter(log, RUNNING, plan) as writer:
        for key in sorted(plan):
            writer.append(row(*key))
        writer.finish(FINAL)
    assert keys_of(log) == list(plan)
