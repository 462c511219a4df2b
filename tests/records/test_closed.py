"""The log of sessions on sealed cases: nothing is plain, a kill loses one row, nobody else reads it."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pyrage
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.errors import BadInput, CannotRun
from fairtrial.records.closed import ClosedWriter, closed_at, read_closed
from fairtrial.records.history import read_history
from fairtrial.records.interop.detect import recognise
from fairtrial.records.log import latest, read_header, read_rows
from fairtrial.schema.score import Row
from fakes.log_samples import RUNNING, row

IDENTITY = pyrage.x25519.Identity.generate()
OTHER = pyrage.x25519.Identity.generate()


def encrypt(data: bytes) -> bytes:
    return bytes(pyrage.encrypt(data, [IDENTITY.to_public()]))


def decrypt(data: bytes, identity: pyrage.x25519.Identity = IDENTITY) -> bytes:
    try:
        return bytes(pyrage.decrypt(data, [identity]))
    except pyrage.DecryptError as error:
        raise ValueError(str(error)) from error


def write(path: Path, *rows: Row) -> Path:
    with ClosedWriter(path, RUNNING, slice="holdout", entry=7, hash="ab" * 32, encrypt=encrypt) as writer:
        for one in rows:
            writer.append(one)
    return path


def test_rows_come_back_with_the_header(tmp_path: Path) -> None:
    rows = [row("退款-1"), row("退款-1", 1, reply="抱歉")]
    path = write(tmp_path / "look.jsonl", *rows)
    header, found = read_closed(path, decrypt)
    assert (header, list(found)) == (RUNNING, rows)
    closed = closed_at(path)
    assert closed is not None
    assert (closed.slice, closed.entry) == ("holdout", 7)


def test_only_the_first_line_is_plain_and_tells_which_look(tmp_path: Path) -> None:
    content = write(tmp_path / "look.jsonl", row("secret-case", reply="SECRET")).read_text()
    first, *rest = content.splitlines()
    assert '"kind":"fairtrial closed log","slice":"holdout","entry":7' in first
    assert len(rest) == 1
    for text in ("secret-case", "SECRET", "refund", "店员", "退款"):
        assert text not in content


@given(cut=st.integers(min_value=1, max_value=4000))
def test_cut_anywhere_loses_the_torn_row_alone(cut: int, tmp_path_factory: pytest.TempPathFactory) -> None:
    path = write(tmp_path_factory.mktemp("cut") / "look.jsonl", row("a"), row("b"), row("c"))
    content = path.read_bytes()
    left = content[: max(len(content) - cut, content.index(b"\n") + 1)]
    path.write_bytes(left)
    _, found = read_closed(path, decrypt)
    assert [one.record.case for one in found] == ["a", "b", "c"][: left.count(b"\n") - 1]


@pytest.mark.parametrize(
    "read", [read_header, lambda path: list(read_rows(path)), recognise], ids=["header", "rows", "recognise"]
)
def test_nobody_else_reads_it(read: object, tmp_path: Path) -> None:
    path = write(tmp_path / "look.jsonl", row("a"))
    with pytest.raises(BadInput, match=r"closed log.*seal rotate"):
        read(path)  # type: ignore[operator]


def test_it_is_no_log_of_its_folder(tmp_path: Path) -> None:
    write(tmp_path / "look.jsonl", row("a"))
    assert latest(tmp_path) is None
    assert read_history(tmp_path / "history.jsonl") == ()


def test_the_wrong_key_a_changed_line_and_another_file_are_refused(tmp_path: Path) -> None:
    path = write(tmp_path / "look.jsonl", row("a"))
    with pytest.raises(BadInput, match="this key does not open"):
        read_closed(path, lambda data: decrypt(data, OTHER))
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(lines[0] + lines[1][:400] + b"AAAA" + lines[1][404:])
    with pytest.raises(BadInput, match=r"look\.jsonl:2"):
        list(read_closed(path, decrypt)[1])
    plain = tmp_path / "plain.jsonl"
    plain.write_text("{}\n")
    with pytest.raises(BadInput, match="not a closed log"):
        read_closed(plain, decrypt)
    with pytest.raises(BadInput):
        read_closed(tmp_path / "nowhere.jsonl", decrypt)
    assert closed_at(tmp_path / "nowhere.jsonl") is None
    assert closed_at(plain) is None


def test_a_full_disk_says_that_the_look_is_spent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "look.jsonl"
    with ClosedWriter(path, RUNNING, slice="s", entry=1, hash="", encrypt=encrypt) as writer:
        writer.append(row("a"))
        monkeypatch.setattr(os, "write", lambda *_: (_ for _ in ()).throw(OSError(28, "No space left")))
        with pytest.raises(CannotRun, match="spent all the same") as refused:
            writer.append(row("b"))
        monkeypatch.undo()
    assert "run --resume" not in str(refused.value)
    assert [one.record.case for one in read_closed(path, decrypt)[1]] == ["a"]


KILLED = f"""
import sys
sys.path[:0] = {[str(Path(__file__).parents[1]), str(Path(__file__).parent)]!r}
from pathlib import Path
from fakes.log_samples import RUNNING, row
from fairtrial.records.closed import ClosedWriter
writer = ClosedWriter(Path(sys.argv[1]), RUNNING, slice="s", entry=1, hash="", encrypt=lambda data: data)
for n in range(100000):
    writer.append(row(f"case-{{n}}"))
    print(n, flush=True)
"""


def test_a_kill_loses_at_most_the_row_being_written(tmp_path: Path) -> None:
    path = tmp_path / "look.jsonl"
    command = [sys.executable, "-c", KILLED, str(path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        told = [process.stdout.readline() for _ in range(50)]
        process.send_signal(signal.SIGKILL)
        told += process.stdout.readlines()
    cases = [one.record.case for one in read_closed(path, lambda data: data)[1]]
    done = [f"case-{int(line)}" for line in told if line.endswith("\n")]
    assert cases[: len(done)] == done
    assert len(cases) <= len(done) + 1
