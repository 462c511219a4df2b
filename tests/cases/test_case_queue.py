"""The review queue: candidates come out as they went in, and no file of it is ever lost or half there."""

import os
import threading
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.cases.queue import Candidate, Replacement, as_text, path_of, read, read_one, write
from fairtrial.errors import BadInput


def candidate(name: str = "in-2024-11-08-3f2a", **more: object) -> Candidate:
    case = {
        "id": name,
        "input": ["订单号 JD2840000000001 到哪了？", "no"],
        "version": 1,
        "created": "2024-11-08",
    }
    return Candidate.model_validate({"case": case | more, "why": "failed: tool", "from": "logs/a.jsonl"})


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    one = candidate().model_copy(
        update={
            "doubtful": ("input 2: possible name: no",),
            "replaced": (Replacement(kind="phone", where="input 1", fiction="10012345678", digest="9f"),),
        }
    )
    other = candidate("退款/7 天", expect="已退款")
    paths = write(tmp_path / "queue", [one, other])
    assert [path.name for path in paths] == ["in-2024-11-08-3f2a.yaml", "退款_7_天.yaml"]
    assert read(tmp_path / "queue") == [(paths[0], one), (paths[1], other)]
    assert "from: logs/a.jsonl" in paths[0].read_text("utf-8")


_plain = st.text(
    st.characters(exclude_categories=("Cs", "Cc", "Co", "Cn"), exclude_characters="\ufeff\u2028\u2029")
)


@given(name=_plain.filter(bool), said=_plain, why=_plain)
def test_any_text_survives(tmp_path_factory: pytest.TempPathFactory, name: str, said: str, why: str) -> None:
    path = tmp_path_factory.mktemp("one") / "c.yaml"
    one = Candidate(
        case={"id": name, "input": said, "expect": [{"rule": "contains", "text": said}]}, why=why, origin="x"
    )
    path.write_text(as_text(one), "utf-8")
    assert read_one(path) == one


def test_no_queue_is_an_empty_queue(tmp_path: Path) -> None:
    assert read(tmp_path / "none") == []


@given(_plain.filter(bool))
def test_a_file_lies_in_its_folder_whatever_the_id(name: str) -> None:
    path = path_of(Path("queue"), name)
    assert path.parent == Path("queue")
    assert not path.name.startswith(".")


def test_nothing_is_overwritten_and_nothing_written_where_one_is_there(tmp_path: Path) -> None:
    write(tmp_path, [candidate("a")])
    before = path_of(tmp_path, "a").read_bytes()
    with pytest.raises(BadInput, match="waits already"):
        write(tmp_path, [candidate("b"), candidate("a", expect="x")])
    assert [path.name for path in tmp_path.iterdir()] == ["a.yaml"]
    assert path_of(tmp_path, "a").read_bytes() == before


def test_two_ids_of_one_file_are_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="waits already"):
        write(tmp_path, [candidate("a/b"), candidate("a b")])
    assert read(tmp_path) == []


def test_of_two_at_once_one_wins(tmp_path: Path) -> None:
    start, outcomes = threading.Barrier(8), []

    def go(number: int) -> None:
        start.wait()
        try:
            write(tmp_path, [candidate("a", task_type=str(number))])
            outcomes.append(number)
        except BadInput:
            pass

    threads = [threading.Thread(target=go, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(outcomes) == 1
    assert [one.case["task_type"] for _, one in read(tmp_path)] == [str(outcomes[0])]
    assert [path.name for path in tmp_path.iterdir()] == ["a.yaml"]


def test_a_full_disk_leaves_no_piece(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        write(tmp_path, [candidate()])
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("case: {id: 3}\nwhy: x\nfrom: y\n", "b.yaml:1: the case needs an `id`"),
        ("why: x\nfrom: y\n", "`case` is missing"),
        ("why: x\ncase: {id: a}\nfrom: y\nfoo: 2\n", "b.yaml:4: `foo` is not"),
        ("- a\n", "must be an object"),
        ("case: [", "not valid YAML"),
        ("", "must be an object"),
        (b"\xff\xfe", "not UTF-8"),
    ],
)
def test_a_broken_candidate_is_named_with_its_line(tmp_path: Path, text: str | bytes, told: str) -> None:
    (tmp_path / "b.yaml").write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(BadInput) as refused:
        read(tmp_path)
    assert told in str(refused.value)
    assert "b.yaml" in str(refused.value)
