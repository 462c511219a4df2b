"""Sealed slices from the command line: what is closed, what stays, and what a kill or a full disk leaves."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import yaml
from commands import Said, fairtrial

from fairtrial.app.config import load_project
from fairtrial.app.sealing import examiner_key, held
from fairtrial.app.slices import Slice, debit, open_slice
from fairtrial.cases.load import load_or_refuse
from fairtrial.errors import BadInput
from fairtrial.ledger.chain import read

ADDED = 60


def git(*words: str) -> str:
    done = subprocess.run(
        ["git", "-c", "user.name=Ann", "-c", "user.email=ann@example.org", *words],
        check=True, capture_output=True, text=True,
    )  # fmt: skip
    return done.stdout


def written(path: Path, cases: Sequence[dict[str, Any]]) -> Path:
    """One case after the other, each with a comment, below one of the file's own."""
    text = "# 我们的问题集\n\n" + "".join(
        f"# 说明 {c['id']}\n" + yaml.safe_dump([c], allow_unicode=True) + "\n" for c in cases
    )
    path.write_text(text, "utf-8")
    return path


def case(n: int, **more: Any) -> dict[str, Any]:
    return {
        "id": f"问题-{n}",
        "input": f"机密提问{n}号",
        "expect": f"机密回答{n}号",
        "task_type": ("退货", "address")[n % 2],
        "set": "natural",
        **more,
    }


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project in git with 10 committed cases, a key outside of it, and 60 additions."""
    folder = tmp_path / "shop"
    (folder / "cases").mkdir(parents=True)
    monkeypatch.chdir(folder)
    monkeypatch.delenv("FAIRTRIAL_EXAMINER_KEY", raising=False)
    (folder / "fairtrial.toml").write_text('# 我们的设置\n[run]\ncases = ["cases"]\n', "utf-8")
    written(folder / "cases/old.yaml", [case(n) for n in range(1000, 1010)])
    git("init", "-q")
    git("add", "-A")
    git("commit", "-qm", "the set")
    assert fairtrial("seal", "init", "--key", "../key", "--who", "Ann").code == 0
    written(folder / "cases/new.yaml", [case(n) for n in range(ADDED)])
    return folder


def draw(*words: object) -> Said:
    return fairtrial("seal", "draw", "--key", "../key", "--who", "陈伟", *words)


def ids() -> set[str]:
    return {each.id for each in load_or_refuse([Path("cases")]).cases}


def opened(name: str) -> Slice:
    return open_slice(load_project(), name, examiner_key(Path("../key")))


def look(name: str, times: int = 1) -> None:
    for _ in range(times):
        found = opened(name)
        with held(load_project()) as book:
            debit(book, found, "Ann", "a release", ("ret_ratio",))


def texts_below(folder: Path) -> bytes:
    return b"".join(path.read_bytes() for path in folder.rglob("*") if path.is_file())


def test_init_makes_a_key_for_its_owner_alone(shop: Path) -> None:
    key = Path("../key")
    assert key.stat().st_mode & 0o777 == 0o600
    text = Path("fairtrial.toml").read_text("utf-8")
    assert text.startswith("# 我们的设置\n")
    assert load_project().seal.recipient in key.read_text()
    before = key.read_bytes(), text
    assert fairtrial("seal", "init", "--key", "../other").code == 2
    assert not Path("../other").exists()
    assert (key.read_bytes(), Path("fairtrial.toml").read_text("utf-8")) == before


def test_init_writes_over_no_file_and_warns_of_a_key_in_the_work_tree(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    git("init", "-q")
    Path("fairtrial.toml").write_text("[seal] # 说明\nshare = 0.2", "utf-8")
    Path("taken").write_text("mine")
    assert fairtrial("seal", "init", "--key", "taken").code == 2
    assert Path("taken").read_text() == "mine"
    said = fairtrial("seal", "init", "--key", "key")
    assert "work tree" in said.out
    settings = load_project().seal
    assert (settings.share, settings.recipient) == (0.2, re.findall("age1[0-9a-z]+", said.out)[0])


def test_a_draw_closes_its_share_and_nothing_of_it_stays_in_sight(shop: Path) -> None:
    before = ids()
    document = draw("--json").document
    gone = before - ids()
    assert document["status"] == "sealed"
    assert len(gone) == document["cases"] == document["clusters"] == sum(document["kinds"].values())
    assert 4 <= len(gone) <= 8
    assert document["kinds"].keys() == {"退货 · natural", "address · natural"}
    assert document["seen"] == 10
    assert document["visible"] == ADDED - len(gone)
    assert {each.id for each in opened(document["slice"]).cases} == gone
    below = texts_below(shop)
    for name in gone:
        number = name.partition("-")[2]
        for text in (f"{name}\n", f"机密提问{number}号", f"机密回答{number}号"):
            assert text.encode() not in below
            assert json.dumps(text.strip()).strip('"').encode() + b'"' not in below
    assert fairtrial("check").code == 0
    assert fairtrial("ledger", "verify").code == 0


def test_a_second_draw_finds_nothing_new_and_the_next_month_does(shop: Path) -> None:
    draw()
    entries = Path("ledger.jsonl").read_bytes()
    document = draw("--json").document
    assert (document["status"], document["entry"], document["cases"]) == ("nothing", None, 0)
    assert Path("ledger.jsonl").read_bytes() == entries
    git("add", "-A")
    git("commit", "-qm", "the month")
    written(Path("cases/later.yaml"), [case(n) for n in range(200, 260)])
    assert draw("--slice", "holdout-next", "--json").document["cases"] > 0
    assert {state["slice"] for state in fairtrial("seal", "status", "--json").document["slices"]} == {
        "holdout-next",
        f"holdout-{datetime.now(UTC):%Y-%m}",
    }


def test_the_same_additions_give_the_same_draw_in_every_copy(shop: Path, tmp_path: Path) -> None:
    import shutil

    shutil.copytree(shop, tmp_path / "copy")
    draw()
    here = ids()
    os.chdir(tmp_path / "copy")
    new = Path("cases/new.yaml")
    cases = yaml.safe_load(new.read_text("utf-8"))
    written(new, list(reversed(cases)))
    draw()
    assert ids() == here


def test_what_a_commit_shows_is_never_sealed(shop: Path) -> None:
    git("add", "-A")
    git("commit", "-qm", "the additions")
    written(Path("cases/more.yaml"), [case(500, cluster="问题-3"), case(3, id="moved", cluster="问题-4")])
    document = draw("--share", "100%", "--json").document
    assert (document["cases"], document["entry"]) == (0, None)
    assert document["seen"] == 10 + ADDED


def test_without_git_nothing_tells_what_is_new(shop: Path) -> None:
    import shutil

    shutil.rmtree(".git")
    said = draw()
    assert said.code == 2
    assert "git" in said.complaint
    assert len(ids()) == 10 + ADDED


KILLED = """
import os, sys
import fairtrial.app.draw as module
from fairtrial.cli.main import app
from fairtrial.ledger.chain import Book

step, late, *words = sys.argv[1:]
owner = Book if step == "append" else module
kept = getattr(owner, step)

def killed(*given, **more):
    if late == "True":
        kept(*given, **more)
    os._exit(9)

setattr(owner, step, killed)
app(words)
"""


@pytest.mark.parametrize("late", [False, True])
@pytest.mark.parametrize("step", ["write_whole", "append", "place", "_rewrite"])
def test_a_draw_that_is_killed_loses_nothing_and_the_next_finishes(shop: Path, step: str, late: bool) -> None:
    before = ids()
    words = [sys.executable, "-c", KILLED, step, str(late), "seal", "draw", "--key", "../key", "--who", "me"]
    assert subprocess.run(words, check=False).returncode == 9
    assert ids() | {each.id for each in _sealed()} == before
    document = draw("--json").document
    sealed = {each.id for each in _sealed()}
    assert ids() | sealed == before
    assert not ids() & sealed
    assert len(sealed) == document["cases"] + document["finished"] or (step, late) == ("_rewrite", True)
    assert [path.suffix for path in Path("sealed").iterdir()] == [".age"]
    assert fairtrial("ledger", "verify").code == 0


def test_a_sealed_case_that_was_committed_is_no_secret_any_more(shop: Path) -> None:
    before = Path("cases/new.yaml").read_bytes()
    draw()
    Path("cases/new.yaml").write_bytes(before)
    git("add", "-A")
    git("commit", "-qm", "an editor's copy of what was drawn")
    document = draw("--json").document
    assert document["exposed"] == len(_sealed()) > 0
    assert document["entry"] is None


def _sealed() -> Sequence[Any]:
    try:
        return opened(f"holdout-{datetime.now(UTC):%Y-%m}").cases
    except BadInput:
        return ()


@pytest.mark.parametrize("where", ["sealed", "ledger", "cases"])
def test_a_full_disk_is_told_and_the_set_stays(
    shop: Path, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    fsync, before = os.fsync, ids()

    def full(descriptor: int) -> None:
        name = os.readlink(f"/proc/self/fd/{descriptor}")
        if {"sealed": ".draft.tmp", "ledger": "ledger.jsonl", "cases": "new.yaml.tmp"}[where] in name:
            raise OSError(28, "No space left on device")
        fsync(descriptor)

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        said = draw()
    assert said.code == 4
    assert "No space left" in said.err or "plain sight" in said.err
    assert ids() == before
    assert len(read(Path("ledger.jsonl"))) == (2 if where == "cases" else 1)
    assert draw().code == 0
    assert ids() | {each.id for each in _sealed()} == before
    assert not ids() & {each.id for each in _sealed()}
    assert fairtrial("ledger", "verify").code == 0


def test_two_draws_at_one_moment_are_one(shop: Path) -> None:
    words = [sys.executable, "-m", "fairtrial", "seal", "draw", "--key", "../key", "--who", "Ann", "--json"]
    both = [subprocess.Popen(words, stdout=subprocess.PIPE) for _ in range(2)]
    documents = [json.loads(process.communicate()[0]) for process in both]
    assert [process.returncode for process in both] == [0, 0]
    assert sorted(document["status"] for document in documents) == ["nothing", "sealed"]
    assert len(read(Path("ledger.jsonl"))) == 2


@pytest.mark.parametrize("broken", ["cut", "flip", "gone", "strange"])
def test_a_part_that_is_not_as_it_was_sealed_is_refused(shop: Path, broken: str) -> None:
    draw()
    part = next(Path("sealed").iterdir())
    data = part.read_bytes()
    match broken:
        case "cut":
            part.write_bytes(data[:-7])
        case "flip":
            part.write_bytes(data[:-7] + b"?" + data[-6:])
        case "gone":
            part.unlink()
        case "strange":
            part.with_name("other.age").write_bytes(data)
    before = {path: path.read_bytes() for path in Path("cases").iterdir()}
    written(Path("cases/later.yaml"), [case(n) for n in range(200, 230)])
    said = draw()
    assert said.code == 2
    assert part.name in said.complaint or "other.age" in said.complaint
    assert {path: path.read_bytes() for path in before} == before
    assert fairtrial("ledger", "verify").code == 1
    assert fairtrial("seal", "status").code == (2 if broken == "strange" else 1)


def test_another_key_is_refused_and_nothing_changes(shop: Path, tmp_path: Path) -> None:
    from fairtrial.cases.seal import new_key

    before = ids()
    Path("../key").rename("../away")
    Path("../key").write_text(new_key("2026-11-30"))
    said = draw()
    assert (said.code, "not the key" in said.complaint) == (2, True)
    said = fairtrial("seal", "draw", "--key", "cases/new.yaml", "--who", "me")
    assert (said.code, "机密" in said.err) == (2, False)
    assert ids() == before


def test_a_key_may_come_by_the_environment(shop: Path) -> None:
    said = fairtrial(
        "seal", "draw", "--who", "me", env={"FAIRTRIAL_EXAMINER_KEY": Path("../key").read_text()}
    )
    assert said.code == 0
    assert fairtrial("seal", "draw", "--who", "me").code == 2


@pytest.mark.parametrize("head", [True, False])
def test_a_missing_ledger_is_spent_not_fresh(shop: Path, head: bool) -> None:
    draw()
    before = ids()
    Path("ledger.jsonl").unlink()
    if not head:
        Path("ledger.head").unlink()
    for words in (["draw", "--who", "me", "--key", "../key"], ["status"]):
        said = fairtrial("seal", *words)
        assert (said.code, "spent" in said.complaint) == (2, True)
    assert fairtrial("seal", "add", "cases/old.yaml", "--slice", "x", "--who", "me").code == 2
    Path("fairtrial.toml").write_text('[run]\ncases = ["cases"]\n', "utf-8")
    assert fairtrial("seal", "init", "--key", "../second").code == 2
    assert not Path("../second").exists()
    assert fairtrial("ledger", "verify").code == 1
    assert ids() == before


def test_a_clock_that_was_set_back_is_refused(shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import fairtrial.app.draw as module

    before = ids()
    with monkeypatch.context() as patch:
        patch.setattr(
            module.draw_additions, "__kwdefaults__", {"now": lambda: datetime(2020, 1, 1, tzinfo=UTC)}
        )
        said = draw()
    assert said.code == 2
    assert "the clock says 2020-01-01T00:00:00Z" in said.complaint
    assert ids() == before
    assert list(Path("sealed").iterdir()) == []


def test_broken_yaml_is_refused_and_nothing_changes(shop: Path) -> None:
    Path("cases/broken.yaml").write_text("- id: [x\n", "utf-8")
    before = texts_below(shop)
    said = draw()
    assert said.code == 2
    assert "broken.yaml:" in said.complaint
    assert texts_below(shop) == before


def test_anyone_adds_without_a_key_and_the_file_is_gone(shop: Path) -> None:
    file = written(Path("bad.yaml"), [case(n, set="bad", cluster=f"c{n // 2}") for n in range(700, 710)])
    document = fairtrial(
        "seal", "add", file, "--slice", "gate-bad", "--who", "Bo", "--looks", "3", "--json"
    ).document
    assert (document["cases"], document["clusters"], document["looks"]) == (10, 5, 3)
    assert not file.exists()
    assert (
        "not a name" in fairtrial("seal", "add", "cases/old.yaml", "--slice", "../x", "--who", "me").complaint
    )
    found = opened("gate-bad")
    assert (len(found.cases), len(set(found.tags.values())), found.budget, found.used) == (10, 5, 3, 0)


def test_a_copy_that_is_kept_is_said_loudly(shop: Path) -> None:
    file = written(Path("bad.yaml"), [case(700)])
    said = fairtrial("seal", "add", file, "--slice", "gate-bad", "--who", "Bo", "--keep")
    assert "plain text" in said.out
    assert file.exists()


def test_what_a_commit_shows_is_not_added(shop: Path) -> None:
    file = written(Path("../bad.yaml"), [case(700), case(1003)])
    said = fairtrial("seal", "add", file, "--slice", "gate-bad", "--who", "Bo")
    assert said.code == 2
    assert "问题-1003" in said.complaint
    assert not Path("sealed").exists()


def test_looks_follow_the_clusters_over_slices_and_splits(shop: Path) -> None:
    written(Path("a.yaml"), [case(n, cluster="t") for n in (700, 701)] + [case(702)])
    fairtrial("seal", "add", "a.yaml", "--slice", "one", "--who", "Bo", "--looks", "3")
    look("one", 2)
    # A case of one of its clusters, another one moved to another cluster, and a new one, in another slice.
    written(Path("b.yaml"), [case(703, cluster="t"), case(702, cluster="u"), case(704)])
    fairtrial("seal", "add", "b.yaml", "--slice", "two", "--who", "Bo", "--looks", "99")
    assert (opened("two").used, opened("two").budget) == (2, 3)
    look("two")
    for name in ("one", "two"):
        found = opened(name)
        assert found.used == 3
        with held(load_project()) as book, pytest.raises(BadInput, match="spent: 3 of 3"):
            debit(book, found, "Ann", "once more", ())
    written(Path("c.yaml"), [case(705)])
    assert "spent" in fairtrial("seal", "add", "c.yaml", "--slice", "two", "--who", "Bo").complaint
    states = fairtrial("seal", "status", "--json").document["slices"]
    assert [(s["slice"], s["used"], s["left"], s["spent"]) for s in states] == [
        ("one", 3, 0, True),
        ("two", 3, 0, True),
    ]


def test_looks_debited_since_it_was_opened_count(shop: Path) -> None:
    written(Path("a.yaml"), [case(700)])
    fairtrial("seal", "add", "a.yaml", "--slice", "one", "--who", "Bo", "--looks", "1")
    early = opened("one")
    look("one")
    with held(load_project()) as book, pytest.raises(BadInput, match="spent"):
        debit(book, early, "Ann", "a race", ())


def test_what_a_draw_left_visible_is_no_part_of_a_slice(shop: Path) -> None:
    draw()
    visible = sorted(ids() - {f"问题-{n}" for n in range(1000, 1010)})[0]
    number = int(visible.partition("-")[2])
    written(Path("../a.yaml"), [case(number), case(700)])
    fairtrial("seal", "add", "../a.yaml", "--slice", "one", "--who", "Bo")
    found = opened("one")
    assert ([each.id for each in found.cases], found.seen) == (["问题-700"], 1)


def test_a_spent_slice_is_opened_with_its_history(shop: Path) -> None:
    first, second = case(700, version=3, changelog=["写好"]), case(701, version="1.9")
    written(Path("a.yaml"), [first, second])
    fairtrial("seal", "add", "a.yaml", "--slice", "one", "--who", "Bo", "--looks", "2")
    words = ["seal", "rotate", "one", "--into", "cases/old.yaml", "--key", "../key", "--who", "陈伟"]
    assert "not spent" in fairtrial(*words).complaint
    assert fairtrial(*words, "--early").code == 2
    look("one", 2)
    before = Path("cases/old.yaml").read_text("utf-8")
    assert fairtrial(*words, "--json").document["added"] == 2
    after = Path("cases/old.yaml").read_text("utf-8")
    assert after.startswith(before.rstrip("\n"))
    found = {each.id: each for each in load_or_refuse([Path("cases/old.yaml")]).cases}
    one, other = found["问题-700"], found["问题-701"]
    assert (one.set, one.version, other.version) == ("regression", 4, "1.10")
    assert one.changelog[0] == "写好"
    assert re.fullmatch(
        r"sealed \S+ in one, opened \S+ after 2 looks; \S+ no figure; \S+ no figure",
        one.changelog[1]["what"],
    )
    assert fairtrial(*words, "--json").document["added"] == 0
    assert "opened" in fairtrial("seal", "status").out
    with pytest.raises(BadInput, match="opened"):
        opened("one")
    assert {"问题-700", "问题-701"} <= ids()
    draw("--share", "1")
    assert {"问题-700", "问题-701"} <= ids()


class Killed(BaseException):
    """What stands for a kill: nothing catches it."""


def test_a_rotation_that_was_killed_is_finished(shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import fairtrial.app.rotate as module

    def killed(*_: object) -> None:
        raise Killed

    written(Path("a.yaml"), [case(700)])
    fairtrial("seal", "add", "a.yaml", "--slice", "one", "--who", "Bo")
    words = ["seal", "rotate", "one", "--into", "cases/old.yaml", "--key", "../key", "--who", "Bo"]
    words += ["--early", "--why", "a test"]
    with monkeypatch.context() as patch:
        patch.setattr(module, "write_whole", killed)
        with pytest.raises(Killed):
            fairtrial(*words)
    assert fairtrial(*words, "--json").document["added"] == 1
    assert "问题-700" in ids()
    assert fairtrial("ledger", "verify").code == 0


@pytest.mark.parametrize("words", [["seal", "status"], ["ledger", "verify"], ["ledger", "show"]])
def test_nothing_begun_is_said_so(here: Path, words: list[str]) -> None:
    said = fairtrial(*words)
    assert (said.code, "seal init" in said.complaint) == (2, True)


# Whoever holds the files, but not the key.


def committed(path: Path, text: str) -> None:
    path.write_text(text, "utf-8")
    git("add", str(path))
    git("commit", "-qm", path.name)


def seen_in(place: str) -> None:
    """Case 3 and case 5 of the additions, where only `place` shows them, and HEAD does not."""
    path = Path("cases/gone.yaml")
    three = f"- id: 问题-3\n  input: x\n  expect: y\n- {json.dumps(case(5, cluster='c'))}\n"
    match place:
        case "history":
            committed(path, three)
            git("rm", "-q", str(path))
            git("commit", "-qm", "gone")
        case "broken":
            committed(path, three + "- [\n")
            git("rm", "-q", str(path))
            git("commit", "-qm", "gone")
        case "reflog":
            committed(path, three)
            git("reset", "-q", "HEAD~")
            path.unlink()
        case "branch":
            git("checkout", "-qb", "side")
            committed(path, three)
            git("checkout", "-q", "-")
        case "stash":
            path.write_text(three, "utf-8")
            git("add", str(path))
            git("stash", "-q")
        case "index":
            path.write_text(three, "utf-8")
            git("add", str(path))
            path.unlink()
        case "log":
            Path("logs").mkdir()
            rows = [{"record": {"case": f"问题-{n}", "trial": 0}} for n in (3, 5)]
            Path("logs/a.jsonl").write_text("\n".join(json.dumps(row) for row in rows), "utf-8")
        case "queue":
            Path("queue").mkdir()
            Path("queue/a.yaml").write_text(
                'case:\n  id: "\\u95ee\\u9898-3"\n  cluster: 问题-5 # x\n', "utf-8"
            )


@pytest.mark.parametrize("place", ["history", "broken", "reflog", "branch", "stash", "index", "log", "queue"])
def test_what_was_seen_anywhere_is_not_sealed(shop: Path, place: str) -> None:
    new = Path("cases/new.yaml").read_bytes()
    Path("cases/new.yaml").unlink()
    seen_in(place)
    Path("cases/new.yaml").write_bytes(new)
    file = written(Path("../bad.yaml"), [case(700), case(3)])
    said = fairtrial("seal", "add", file, "--slice", "bad", "--who", "Bo")
    assert (said.code, "问题-3" in said.complaint) == (2, True)
    document = draw("--share", "100%", "--json").document
    assert (document["cases"], document["seen"]) == (ADDED - 2, 12)
    assert {"问题-3", "问题-5"} <= ids()


def test_a_shallow_clone_cannot_tell_what_is_new(shop: Path, tmp_path: Path) -> None:
    git("add", "-A")
    committed(Path("more.txt"), "x")
    git("clone", "-q", "--depth", "1", f"file://{shop}", str(tmp_path / "clone"))
    os.chdir(tmp_path / "clone")
    said = draw()
    assert (said.code, "unshallow" in said.complaint) == (2, True)


def test_what_nobody_else_reviewed_is_not_drawn_where_the_set_keeps_reviewers(shop: Path) -> None:
    before = [case(n, reviewed_by="陈伟", created_by="Ann") for n in range(ADDED)]
    before[3]["created_by"] = "陈伟"
    del before[4]["reviewed_by"]
    written(Path("cases/new.yaml"), before)
    said = draw()
    assert said.code == 2
    assert "问题-3, 问题-4 (" in said.complaint
    assert len(said.complaint.splitlines()) == 1
    assert len(ids()) == 10 + ADDED
    assert not Path("sealed").exists()
    before[4]["reviewed_by"] = "Bo"
    before[3]["created_by"] = "Bo"
    written(Path("cases/new.yaml"), before)
    assert draw().code == 0


@pytest.mark.parametrize("step", ["append", "place", "_rewrite"])
def test_an_addition_that_was_killed_is_finished_and_not_sealed_twice(shop: Path, step: str) -> None:
    file = written(Path("bad.yaml"), [case(700), case(701)])
    words = ["seal", "add", "bad.yaml", "--slice", "bad", "--who", "Bo"]
    assert subprocess.run([sys.executable, "-c", KILLED, step, "False", *words], check=False).returncode == 9
    assert file.exists()
    document = fairtrial(*words, "--json").document
    assert document["cases"] + document["finished"] == 2
    assert not file.exists()
    (state,) = fairtrial("seal", "status", "--json").document["slices"]
    assert (state["cases"], state["clusters"], state["parts"]) == (2, 2, 1)
    assert [path.suffix for path in Path("sealed").iterdir()] == [".age"]
    written(file, [case(700), case(701)])
    assert fairtrial(*words, "--json").document["cases"] == 2


def gate(looks: int = 2) -> None:
    written(Path("bad.yaml"), [case(n) for n in range(700, 710)])
    assert fairtrial("seal", "add", "bad.yaml", "--slice", "gate", "--who", "Bo", "--looks", looks).code == 0


def as_it_was(folder: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_all_files_put_back_are_found_by_what_is_beside_the_key(shop: Path) -> None:
    gate()
    before = as_it_was(shop)
    look("gate", 2)
    for path, content in before.items():
        path.write_bytes(content)
    assert fairtrial("ledger", "verify").code == 0
    for words in (["draw"], ["rotate", "gate", "--into", "x.yaml"]):
        said = fairtrial("seal", *words, "--who", "me", "--key", "../key")
        assert (said.code, "key.seen saw entry 4" in said.complaint) == (2, True), said.err


def test_looks_in_a_copy_of_the_project_count(shop: Path, tmp_path: Path) -> None:
    import shutil

    gate()
    shutil.copytree(shop, tmp_path / "copy")
    os.chdir(tmp_path / "copy")
    look("gate")
    os.chdir(shop)
    with pytest.raises(BadInput, match=r"shortened: .*key\.seen saw entry 3"):
        opened("gate")
    for name in ("ledger.jsonl", "ledger.head"):
        shutil.copy(tmp_path / "copy" / name, name)
    assert opened("gate").used == 1


def test_a_ledger_without_its_head_is_refused_everywhere(shop: Path) -> None:
    gate()
    look("gate")
    Path("ledger.head").unlink()
    lines = Path("ledger.jsonl").read_bytes().splitlines(keepends=True)
    Path("ledger.jsonl").write_bytes(b"".join(lines[:2]))
    assert "head is missing" in fairtrial("seal", "status").complaint


def test_a_second_key_in_the_ledger_is_refused(shop: Path) -> None:
    from fairtrial.cases.seal import new_key
    from fairtrial.ledger.chain import locked

    gate()
    Path("../mine").write_text(new_key("2026-11-30"))
    mine = examiner_key(Path("../mine"))
    with locked(Path("ledger.jsonl")) as book:
        book.append("init", "me", {"recipient": mine.recipient, "check": mine.check})
    Path("fairtrial.toml").write_text(f'[seal]\nrecipient = "{mine.recipient}"\n', "utf-8")
    written(Path("bad.yaml"), [case(720)])
    said = fairtrial("seal", "add", "bad.yaml", "--slice", "more", "--who", "Bo")
    assert (said.code, "another key" in said.complaint) == (2, True)
    assert fairtrial("ledger", "verify").code == 1


def test_a_budget_is_neither_raised_nor_taken_away_by_an_addition(shop: Path) -> None:
    written(Path("bad.yaml"), [case(n, cluster=f"c{n}") for n in (1, 2)])
    fairtrial("seal", "add", "bad.yaml", "--slice", "early", "--who", "me", "--looks", "1000")
    written(Path("bad.yaml"), [case(n, id=f"neu-{n}", cluster=f"c{n}") for n in (1, 2)])
    fairtrial("seal", "add", "bad.yaml", "--slice", "gate", "--who", "Bo", "--looks", "3")
    assert (opened("gate").budget, opened("early").budget) == (3, 3)
    for looks in ("1", "9"):
        written(Path("bad.yaml"), [case(720)])
        said = fairtrial("seal", "add", "bad.yaml", "--slice", "gate", "--who", "Bo", "--looks", looks)
        assert (said.code, "3 looks" in said.complaint) == (2, True)
    text = Path("fairtrial.toml").read_text("utf-8")
    Path("fairtrial.toml").write_text(text + "looks = 1\n", "utf-8")
    assert (
        fairtrial("seal", "add", "bad.yaml", "--slice", "gate", "--who", "Bo", "--json").document["looks"]
        == 3
    )


def test_a_case_that_is_added_later_does_not_take_the_place_of_another(shop: Path) -> None:
    gate()
    written(Path("bad.yaml"), [case(700, id="问题－700", input="an easy one"), case(720)])
    assert fairtrial("seal", "add", "bad.yaml", "--slice", "gate", "--who", "me").code == 0
    found = {each.id: each for each in opened("gate").cases}
    assert len(found) == 11
    assert found["问题-700"].input == ("机密提问700号",)


def test_a_look_that_left_no_result_is_marked(shop: Path) -> None:
    gate(3)
    look("gate", 2)
    (state,) = fairtrial("seal", "status", "--json").document["slices"]
    assert (state["used"], state["without_result"]) == (2, 2)
    assert "2 without a result" in fairtrial("seal", "status").out
