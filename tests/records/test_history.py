import multiprocessing
from collections.abc import Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import pytest

from fairtrial.errors import BadInput, CannotRun
from fairtrial.records import history
from fairtrial.records.history import (
    NAME,
    append_loosenings,
    append_round,
    read_history,
    round_of,
    rounds,
    same_set,
)
from fairtrial.schema.evidence import Counts, Estimate, Header, Loosening, Summary
from fairtrial.text.json import encode

LOOSENING = Loosening(
    line="few_cases",
    set_name=None,
    mode="full",
    threshold=10,
    was=20,
    forbids=True,
    forbade=True,
    who="韩梅梅",
    why="pilot",
)


def header(run: str = "run-1", **changes: Any) -> Header:
    half = Estimate(mean=0.5, low=0.4, high=0.6, n=60, method="clustered (60 clusters)")
    summary = Summary(
        counts=Counts(planned=180, scored=180, errored=0),
        total=half,
        ret_ratio=half,
        ret_ratio_all=half,
        useful=half,
        pass_hat_k={"1": 0.5},
        tags={},
    )
    values: dict[str, Any] = {
        "fairtrial": "0.1.0",
        "run": run,
        "started": "2026-01-01T00:00:00Z",
        "mode": "full",
        "status": "reliable",
        "config": {},
        "summary": summary,
        "set_digest": "set",
        "scorer_digest": "scorer",
        "thresholds_digest": "lines",
    }
    return Header(**(values | changes))


def test_a_reliable_full_round_is_kept_with_its_figures(tmp_path: Path) -> None:
    path = tmp_path / "logs" / NAME
    assert append_round(path, header(), log="a.jsonl")
    (found,) = rounds(read_history(path))
    assert (found.run, found.log, found.set_digest) == ("run-1", "a.jsonl", "set")
    assert (found.ret_ratio.mean, found.ret_ratio.n) == (0.5, 60)
    assert path.read_bytes().count(b"\n") == 1


@pytest.mark.parametrize(
    "changes",
    [
        {"status": "unreliable"},
        {"mode": "quick", "status": "quick"},
        {"mode": "import"},
        {"status": "running", "summary": None},
    ],
)
def test_no_other_round_gets_in(tmp_path: Path, changes: dict[str, Any]) -> None:
    path = tmp_path / NAME
    assert not append_round(path, header(**changes), log="a.jsonl")
    assert not path.exists()


def test_the_same_run_is_kept_once(tmp_path: Path) -> None:
    path = tmp_path / NAME
    assert append_round(path, header(), log="a.jsonl")
    assert not append_round(path, header(), log="a.jsonl")
    assert len(read_history(path)) == 1


def test_no_history_is_an_empty_one(tmp_path: Path) -> None:
    assert read_history(tmp_path / NAME) == ()
    assert rounds(()) == ()


def test_rounds_come_by_their_start(tmp_path: Path) -> None:
    path = tmp_path / NAME
    for run, started in (("b", "2026-02"), ("c", "2026-03"), ("a", "2026-01")):
        append_round(path, header(run, started=started), log=f"{run}.jsonl")
    assert [found.run for found in rounds(read_history(path))] == ["a", "b", "c"]


@pytest.mark.parametrize(
    ("digest", "name", "expected"),
    [("set", None, True), ("edited", "shop", True), ("edited", None, False), ("edited", "smoke", False)],
)
def test_a_set_stays_itself_while_its_rules_are_edited(digest: str, name: str | None, expected: bool) -> None:
    earlier = round_of(header(set_name="shop"), "a.jsonl")
    assert earlier is not None
    assert earlier.set_name == "shop"
    assert same_set(earlier, header(set_digest=digest, set_name=name)) is expected


def test_some_cases_alone_are_another_set() -> None:
    assert not same_set(header(set_digest="one"), header(set_digest="other"))


@pytest.mark.parametrize("cut", range(1, 12))
def test_a_torn_last_line_is_passed_over_and_mended(tmp_path: Path, cut: int) -> None:
    path = tmp_path / NAME
    append_round(path, header("a"), log="a.jsonl")
    append_round(path, header("b"), log="b.jsonl")
    whole = path.read_bytes()
    second = len(whole) - whole.index(b"\n") - 1
    path.write_bytes(whole[: -cut * second // 12])
    assert [entry.run for entry in rounds(read_history(path))] == ["a"]
    assert append_round(path, header("b"), log="b.jsonl")
    assert path.read_bytes() == whole


def test_a_last_line_that_lacks_only_its_end_is_kept(tmp_path: Path) -> None:
    path = tmp_path / NAME
    append_round(path, header("a"), log="a.jsonl")
    path.write_bytes(path.read_bytes().rstrip(b"\n"))
    assert not append_round(path, header("a"), log="a.jsonl")
    append_round(path, header("b"), log="b.jsonl")
    assert [entry.run for entry in rounds(read_history(path))] == ["a", "b"]


def test_damage_elsewhere_is_said_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / NAME
    append_round(path, header("a"), log="a.jsonl")
    path.write_bytes(path.read_bytes() + b"{broken\n")
    with pytest.raises(BadInput, match=rf"{NAME}:2: not a line of a history"):
        read_history(path)


def test_a_loosening_is_kept_once_with_who_and_why(tmp_path: Path) -> None:
    path = tmp_path / NAME
    assert append_loosenings(path, header(loosenings=(LOOSENING,), status="unreliable")) == 1
    assert append_loosenings(path, header("later", loosenings=(LOOSENING,), started="2027")) == 0
    further = Loosening(**{**_fields(LOOSENING), "threshold": 5.0})
    assert append_loosenings(path, header("later", loosenings=(further,), started="2027")) == 1
    first, second = read_history(path)
    assert isinstance(first, Loosening)
    assert isinstance(second, Loosening)
    assert (first.who, first.why, first.at) == ("韩梅梅", "pilot", "2026-01-01T00:00:00Z")
    assert (second.threshold, second.at) == (5, "2027")
    assert rounds((first, second)) == ()


def _fields(loosening: Loosening) -> dict[str, Any]:
    return {name: getattr(loosening, name) for name in loosening.__struct_fields__}


def test_a_disk_that_refuses_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(CannotRun, match="no log is lost"):
        append_round(tmp_path / "file" / NAME, header(), log="a.jsonl")


def _log(folder: Path, found: Header) -> None:
    (folder / f"{found.started}-{found.run}.jsonl").write_bytes(encode(found) + b"\n")


def test_a_missing_history_is_made_again_from_the_logs(tmp_path: Path) -> None:
    _log(tmp_path, header("b", started="2026-02"))
    _log(tmp_path, header("a", started="2026-01", loosenings=(LOOSENING,)))
    _log(tmp_path, header("bad", started="2026-03", status="unreliable", loosenings=(LOOSENING,)))
    _log(tmp_path, header("fast", started="2026-04", status="quick", mode="quick"))
    (tmp_path / "notes.jsonl").write_text("no log\n")
    path = tmp_path / NAME
    assert append_round(path, header("c", started="2026-05"), log="c.jsonl")
    entries = read_history(path)
    assert [getattr(e, "run", getattr(e, "line", None)) for e in entries] == ["few_cases", "a", "b", "c"]


def test_a_history_moved_away_comes_back_with_the_next_round(tmp_path: Path) -> None:
    for found in (header("a", started="2026-01"), header("b", started="2026-02")):
        _log(tmp_path, found)
    assert not append_round(tmp_path / NAME, header("b", started="2026-02"), log="2026-02-b.jsonl")
    assert [found.log for found in rounds(read_history(tmp_path / NAME))] == [
        "2026-01-a.jsonl",
        "2026-02-b.jsonl",
    ]


def test_what_another_adds_while_the_history_is_made_again_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    locked, path = history._locked, tmp_path / NAME

    def overtaken(place: Path) -> AbstractContextManager[int]:
        monkeypatch.setattr(history, "_locked", locked)
        append_round(path, header("other"), log="other.jsonl")
        return locked(place)

    monkeypatch.setattr(history, "_locked", overtaken)
    append_round(path, header("own"), log="own.jsonl")
    assert [found.run for found in rounds(read_history(path))] == ["other", "own"]


def _append_some(arguments: tuple[Path, Sequence[str]]) -> None:
    path, runs = arguments
    for run in runs:
        append_round(path, header(run), log=f"{run}.jsonl")


def test_processes_that_write_at_once_lose_nothing(tmp_path: Path) -> None:
    path = tmp_path / NAME
    runs = [[f"p{p}-{i}" for i in range(5)] for p in range(3)]
    with multiprocessing.get_context("spawn").Pool(3) as pool:
        pool.map(_append_some, [(path, some) for some in runs])
    assert sorted(entry.run for entry in rounds(read_history(path))) == sorted(
        run for some in runs for run in some
    )
