"""`cases from-log`, `queue`, `accept`, `reject`: nothing personal, and nothing without a person's yes."""

import json
import multiprocessing
import os
import signal
from pathlib import Path
from typing import Any

import pytest
from commands import fairtrial, write_cases
from hypothesis import given, settings
from hypothesis import strategies as st

from fairtrial.app.decide import accept
from fairtrial.cases.load import load_or_refuse
from fairtrial.cases.queue import Candidate, path_of, read, write
from fairtrial.errors import BadInput

ORIGINALS = ("王浩然", "JD1234567890123", "13800138000", "wang@qq.com", "11月8号", "John", "112-3456789")
TRAFFIC: list[dict[str, Any]] = [
    {
        "id": "u-13800138000",
        "messages": [
            {"role": "user", "content": "我叫王浩然，订单JD1234567890123，11月8号买的，15号还没到"},
            {"role": "assistant", "content": "请稍等，王浩然"},
            {"role": "user", "content": "打我 13800138000，或者 wang@qq.com"},
        ],
        "resolved": False,
        "at": "2024-11-18",
    },
    {
        "id": "b",
        "messages": [
            {"role": "user", "content": "I'm John Smith, order 112-3456789-1234567 is late. Code 88123456"}
        ],
        "satisfied": "no",
        "at": "2024-11-18",
    },
    {
        "id": "c",
        "messages": [
            {"role": "user", "content": "I'm Mary Jones, order 112-9999999-1234567 is late. Code 88123456"}
        ],
        "satisfied": "no",
        "at": "2024-11-19",
    },
    {
        "id": "d",
        "messages": [{"role": "user", "content": "发票怎么开？"}],
        "satisfied": "yes",
        "at": "2024-11-19",
    },
]


@pytest.fixture
def traffic(here: Path) -> Path:
    path = here / "traffic.jsonl"
    path.write_text("".join(json.dumps(one, ensure_ascii=False) + "\n" for one in TRAFFIC), "utf-8")
    return path


def ids() -> list[str]:
    return [one["id"] for one in fairtrial("cases", "queue", "--json").document["candidates"]]


def give_rules(*names: str) -> None:
    for name in names:
        path = path_of(Path("queue"), name)
        path.write_text(path.read_text("utf-8").replace("  input:", "  expect: 已催促\n  input:", 1), "utf-8")


def test_failures_of_live_dialogues_wait_without_their_details(traffic: Path) -> None:
    told = fairtrial("cases", "from-log", traffic, "--json").document
    assert (told["sessions"], told["failures"], told["left_out"]["alike"]) == (4, 3, 1)
    assert len(told["candidates"]) == 2
    for file in Path("queue").iterdir():
        assert not [one for one in ORIGINALS if one in file.read_text("utf-8")]
    zh, en = sorted(told["candidates"], key=lambda one: bool(one["doubtful"]))
    assert {one["kind"] for one in zh["replaced"]} == {"name", "order", "date", "phone", "email"}
    assert en["doubtful"] == ["input 1: 88123456 (a number of someone?)"]
    case = fairtrial("cases", "queue", zh["id"], "--json").document["candidates"][0]["case"]
    assert case["set"] == "bad"
    assert (case["observed"], case["source"], case["version"]) == ("2024-11-18", "traffic.jsonl", 1)
    assert "expect" not in case


def test_what_a_log_is_called_and_what_it_was_about_tell_nobody(here: Path) -> None:
    told = TRAFFIC[0] | {"intent": "refund to 13800138000"}
    path = here / "王浩然_13800138000.jsonl"
    path.write_text(json.dumps(told), "utf-8")
    said = fairtrial("cases", "from-log", path, "--json")
    (file,) = Path("queue").iterdir()
    assert "13800138000" not in file.read_text("utf-8")
    assert said.document["candidates"][0]["from"].startswith("log-")


def test_a_second_time_nothing_new_comes_and_a_seed_repeats(traffic: Path) -> None:
    fairtrial("cases", "from-log", traffic)
    first = {path.name: path.read_bytes() for path in Path("queue").iterdir()}
    again = fairtrial("cases", "from-log", traffic, "--json").document
    assert again["candidates"] == []
    assert again["left_out"]["waiting"] == 3
    for path in Path("queue").iterdir():
        path.unlink()
    fairtrial("cases", "from-log", traffic)
    assert {path.name: path.read_bytes() for path in Path("queue").iterdir()} == first
    for path in Path("queue").iterdir():
        path.unlink()
    fairtrial("cases", "from-log", traffic, "--seed", 1)
    assert {path.name: path.read_bytes() for path in Path("queue").iterdir()} != first


def test_all_and_limit(traffic: Path) -> None:
    assert len(fairtrial("cases", "from-log", traffic, "--all", "--json").document["candidates"]) == 3
    for path in Path("queue").iterdir():
        path.unlink()
    assert len(fairtrial("cases", "from-log", traffic, "--limit", 1, "--json").document["candidates"]) == 1


def test_failures_of_a_log_take_their_cases_rules(project: Path) -> None:
    log = fairtrial("run", "--json").log
    told = fairtrial("cases", "from-log", log, "--json").document
    assert told["candidates"]
    assert all(one["rules"] for one in told["candidates"])
    case = fairtrial("cases", "queue", told["candidates"][0]["id"], "--json").document["candidates"][0][
        "case"
    ]
    parent = case["parent"].partition("@")[0]
    assert case["expect"] == {"rule": "number", "value": int(parent.partition("-")[2]) + 100}
    assert case["cluster"] == parent


def test_only_a_persons_yes_moves_one_and_comments_survive(traffic: Path) -> None:
    fairtrial("cases", "from-log", traffic, "--who", "Li")
    into = Path("cases.yaml")
    into.write_text("# ours\n- id: a  # first\n  input: hello\n  expect: hi\n", "utf-8")
    before = into.read_bytes()
    doubtful, plain = sorted(ids(), key=lambda name: not read_candidate(name).doubtful)
    for words, told in (
        ([plain, "--who", "Wang"], "no rules"),
        ([plain, "--who", " "], "say who"),
        (["nobody", "--who", "Wang"], "no candidate nobody"),
    ):
        said = fairtrial("cases", "accept", *words, "--into", into)
        assert said.code == 2
        assert told in said.complaint or "`expect`" in said.complaint
    give_rules(plain, doubtful)
    assert "created it" in fairtrial("cases", "accept", plain, "--who", "li", "--into", into).complaint
    assert (
        "doubtful" in fairtrial("cases", "accept", plain, doubtful, "--who", "Wang", "--into", into).complaint
    )
    assert into.read_bytes() == before
    assert len(ids()) == 2
    done = fairtrial("cases", "accept", plain, doubtful, "--who", "Wang", "--sure", "--into", into, "--json")
    assert done.document["ids"] == [plain, doubtful]
    assert ids() == []
    assert into.read_text("utf-8").startswith(before.decode().rstrip("\n"))
    accepted = load_or_refuse([into]).by_id()[plain]
    assert (accepted.reviewed_by, accepted.created_by) == ("Wang", "Li")
    again = fairtrial("cases", "from-log", traffic, "--cases", into, "--json").document
    assert (again["candidates"], again["left_out"]["known"]) == ([], 3)


def read_candidate(name: str) -> Candidate:
    return next(one for _, one in read(Path("queue")) if one.id == name)


def candidate(name: str, **more: Any) -> Candidate:
    case = {"id": name, "input": f"please {name}", "expect": name, "created_by": "Li", **more}
    return Candidate(case=case, why="failed", origin="log")


@pytest.mark.parametrize("end", ["yaml", "json", "jsonl"])
def test_into_any_kind_of_file_new_ones_too(here: Path, end: str) -> None:
    into = here / f"set.{end}"
    for name in ("a", "b"):
        write(here / "queue", [candidate(name)])
        assert fairtrial("cases", "accept", name, "--who", "Wang", "--into", into).code == 0
    assert [case.id for case in load_or_refuse([into]).cases] == ["a", "b"]


def test_an_id_that_is_taken_and_a_case_that_does_not_load(here: Path) -> None:
    into = write_cases(here / "set.json", [{"id": "a", "input": "x", "expect": "y"}])
    before = into.read_bytes()
    write(here / "queue", [candidate("a"), candidate("b", set="nowhere")])
    assert "has a case a" in fairtrial("cases", "accept", "a", "--who", "Wang", "--into", into).complaint
    assert "queue/b.yaml" in fairtrial("cases", "accept", "b", "--who", "Wang", "--into", into).complaint
    assert fairtrial("cases", "accept", "a", "--who", "Wang", "--into", here / "set.txt").code == 2
    assert into.read_bytes() == before


def test_a_full_disk_changes_nothing(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    into = write_cases(here / "set.json", [{"id": "x", "input": "x", "expect": "y"}])
    before = into.read_bytes()
    write(here / "queue", [candidate("a")])

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    said = fairtrial("cases", "accept", "a", "--who", "Wang", "--into", into)
    assert (said.code, into.read_bytes()) == (4, before)
    assert "No space" in said.complaint
    assert fairtrial("cases", "reject", "a", "--who", "Wang", "--why", "no").code == 4
    assert [path.name for path in (here / "queue").iterdir()] == ["a.yaml"]


def _killed(folder: Path) -> None:
    """Accepts, and is killed between the two writes."""
    import fairtrial.app.decide as decide

    os.chdir(folder)
    decide._remove = lambda *given: os.kill(os.getpid(), signal.SIGKILL)  # type: ignore[assignment]
    accept(["a"], who="Wang", into=Path("set.yaml"))


def test_killed_between_the_writes_a_second_yes_finishes(here: Path) -> None:
    write(here / "queue", [candidate("a")])
    process = multiprocessing.get_context("spawn").Process(target=_killed, args=(here,))
    process.start()
    process.join()
    assert process.exitcode == -signal.SIGKILL
    assert len(read(here / "queue")) == 1
    once = (here / "set.yaml").read_bytes()
    done = fairtrial("cases", "accept", "a", "--who", "Zhao", "--into", "set.yaml", "--json").document
    assert (done["ids"], done["finished"]) == ([], ["a"])
    assert read(here / "queue") == []
    assert (here / "set.yaml").read_bytes() == once
    again = fairtrial("cases", "accept", "a", "--who", "Zhao", "--into", "set.yaml", "--json").document
    assert again["finished"] == ["a"]


def _one_of_two(folder: Path, name: str) -> None:
    os.chdir(folder)
    accept([name], who="Wang", into=Path("set.yaml"))


def test_two_at_once_lose_none(here: Path) -> None:
    names = ["c0", "c1", "c2"]
    write(here / "queue", [candidate(name) for name in names])
    context = multiprocessing.get_context("spawn")
    processes = [context.Process(target=_one_of_two, args=(here, name)) for name in names]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    assert sorted(load_or_refuse([here / "set.yaml"]).by_id()) == names
    assert read(here / "queue") == []


def test_a_rejected_one_does_not_come_again(traffic: Path) -> None:
    fairtrial("cases", "from-log", traffic)
    names = ids()
    assert fairtrial("cases", "reject", *names, "--who", "Wang", "--why", " ").code == 2
    assert fairtrial("cases", "reject", *names, "--who", "Wang", "--why", "no fault of ours").code == 0
    assert ids() == []
    kept = Path("queue/rejected.jsonl").read_text("utf-8")
    assert [json.loads(line)["who"] for line in kept.splitlines()] == ["Wang", "Wang"]
    assert not [one for one in ORIGINALS if one in kept]
    later = Path("next-week.jsonl")
    later.write_text(traffic.read_text("utf-8").replace('"at": "2024-11-1', '"at": "2024-12-1'), "utf-8")
    told = fairtrial("cases", "from-log", later, "--json").document
    assert told["candidates"] == []
    assert told["left_out"]["rejected"] == 3


def test_closed_logs_sealed_files_and_others_are_refused(traffic: Path) -> None:
    closed = Path("closed.jsonl")
    first = {"fairtrial": "0", "kind": "fairtrial closed log", "slice": "s", "entry": 1, "hash": "h"}
    closed.write_text(json.dumps(first | {"started": "2024", "header": "x"}) + "\n", "utf-8")
    assert "closed log" in fairtrial("cases", "from-log", closed).complaint
    sealed = Path("sealed/traffic.jsonl")
    sealed.parent.mkdir()
    sealed.write_bytes(traffic.read_bytes())
    assert "sealed" in fairtrial("cases", "from-log", sealed).complaint
    for name, text in (
        ("notes.txt", "nothing to see"),
        ("empty.jsonl", ""),
        ("table.csv", "id,score\na,0\nb,1\n"),
        ("torn.jsonl", traffic.read_text("utf-8") + '{"messages": [{'),
    ):
        Path(name).write_text(text, "utf-8")
        said = fairtrial("cases", "from-log", name)
        assert (said.code, name in said.complaint) == (2, True)
    assert not Path("queue").exists()


def test_a_broken_candidate_stops_the_queue_with_its_line(here: Path) -> None:
    write(here / "queue", [candidate("a")])
    (here / "queue" / "b.yaml").write_text("why: x\ncase: {id: b}\nfrom: log\nmore: 1\n", "utf-8")
    said = fairtrial("cases", "queue")
    assert said.code == 2
    assert "b.yaml:4" in said.complaint
    (here / "queue" / "b.yaml").unlink()
    (here / "queue" / "rejected.jsonl").write_text('{"id": \n', "utf-8")
    assert "rejected.jsonl:1" in fairtrial("cases", "reject", "a", "--who", "W", "--why", "x").complaint


def test_an_empty_queue_and_a_name_that_is_not_there(here: Path) -> None:
    assert fairtrial("cases", "queue", "--json").document == {"status": "waiting", "candidates": []}
    assert fairtrial("cases", "queue", "x").code == 2


def test_chinese(traffic: Path) -> None:
    said = fairtrial("cases", "from-log", traffic, env={"FAIRTRIAL_LANG": "zh"})
    assert "得到 2 个候选用例；略去：1 个与其他候选相近" in said.out
    assert "个人号码？" in fairtrial("cases", "queue", env={"FAIRTRIAL_LANG": "zh"}).out


@settings(max_examples=20, deadline=None)
@given(st.text(max_size=30))
def test_no_id_reaches_out_of_the_queue(tmp_path_factory: pytest.TempPathFactory, name: str) -> None:
    folder = tmp_path_factory.mktemp("p")
    (folder / "fairtrial.toml").write_text("", "utf-8")
    with pytest.raises(BadInput):
        accept([name], who="Wang", into=folder / "set.yaml", config=folder / "fairtrial.toml")
    assert {path.name for path in folder.iterdir()} <= {"fairtrial.toml", "queue"}
