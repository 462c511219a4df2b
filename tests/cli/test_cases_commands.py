"""`cases migrate`, `cases diff` and `cases review` in git repositories of all sorts."""

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any, get_args

import pytest
import yaml
from commands import Said, fairtrial

from fairtrial.cli import cases as door
from fairtrial.cli.main import app
from fairtrial.schema.case import Kind

ROOT = Path(__file__).resolve().parents[2]
FLAT = "# 退款\n- id: 退款-1\n  input: 我要退款\n  expect: {rule: contains, text: 退款}  # why\n"
CASE = (
    "- id: {id}\n  input: {input}\n  expect: [退款]\n  version: {version}\n  created_by: Li Na\n"
    "  reviewed_by: {reviewer}\n  changelog: [{changelog}]\n"
)


def case(id: str = "a", **fields: object) -> str:
    first = {"input": "我要退款", "version": 1, "reviewer": "张丽", "changelog": "first"}
    return CASE.format(id=id, **(first | fields))


def git(*words: str, folder: Path = Path()) -> str:
    return subprocess.run(
        ("git", "-C", folder, *words), check=True, capture_output=True, encoding="utf-8"
    ).stdout.strip()


def commit(what: str = "work") -> str:
    git("add", ".")
    git("commit", "-q", "-m", what)
    return git("rev-parse", "HEAD")


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with a project in it, and no commit."""
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.setenv("GIT_CONFIG_SYSTEM", os.devnull)
    monkeypatch.setenv("FAIRTRIAL_LANG", "en")
    monkeypatch.chdir(tmp_path)
    git("init", "-q", "-b", "main")
    git("config", "user.name", "Li Na")
    git("config", "user.email", "li.na@example.org")
    (tmp_path / "cases").mkdir()
    (tmp_path / "fairtrial.toml").write_text('[run]\ncases = ["cases"]\n')
    (tmp_path / ".gitignore").write_text(".env\n")
    return tmp_path


def kinds(said: Said) -> list[tuple[str, str]]:
    assert said.code == 0, said.err
    return [(change["case"], change["kind"]) for change in said.document["changes"]]


def whats(said: Said) -> list[str]:
    assert said.code in (0, 1), said.err
    assert (said.code == 1) is bool(said.document["faults"])
    return [fault["what"] for fault in said.document["faults"]]


def test_migrate_shows_first_and_then_writes_and_then_has_nothing_to_do(repository: Path) -> None:
    file = repository / "cases" / "退款 一.yaml"
    file.write_bytes(FLAT.replace("\n", "\r\n").encode())
    git("add", ".")
    day = {"GIT_AUTHOR_DATE": "2026-01-05T10:00:00Z", "GIT_COMMITTER_DATE": "2026-01-05T10:00:00Z"}
    subprocess.run(("git", "commit", "-qm", "one"), check=True, env=os.environ | day)
    git("mv", str(file), str(file.with_name("moved.yaml")))
    commit("move it")
    file = file.with_name("moved.yaml")
    before = file.read_bytes()
    shown = fairtrial("cases", "migrate", "cases")
    assert (shown.code, file.read_bytes()) == (0, before)
    added = [line[1:] for line in shown.out.splitlines() if line.startswith("+") and line[:3] != "+++"]
    assert (
        added
        == [
            "  version: 1",
            "  set: incident",
            "  created_by: Li Na",
            "  created: 2026-01-05",
            "  changelog: [brought into the full form]",
        ]
        or "  set: regression" in added
    )
    written = fairtrial(
        "cases", "migrate", "cases", "--write", "--set", "incident", "--who", "王芳", "--json"
    )
    assert (written.document["status"], written.document["cases"]) == ("written", 1)
    after = file.read_bytes()
    assert after.startswith(before.rstrip())
    assert (
        after.decode()
        .replace("\r\n", "\n")
        .endswith(
            "  version: 1\n  set: incident\n  created_by: 王芳\n  created: 2026-01-05\n"
            "  changelog: [brought into the full form]\n"
        )
    )
    assert after.count(b"\n") == after.count(b"\r\n")
    again = fairtrial("cases", "migrate", "cases", "--write", "--json")
    assert (again.code, again.document["status"], again.document["diff"]) == (0, "nothing to do", "")
    assert file.read_bytes() == after
    assert kinds(fairtrial("cases", "diff", "--json")) == [("退款-1", "kept")]
    assert whats(fairtrial("cases", "review", "HEAD", "--json")) == []


def test_migrate_gives_a_set_the_own_names_and_keeps_a_bom(repository: Path) -> None:
    file = repository / "cases" / "a.json"
    text = (
        '\ufeff[\n  {"case_id": "a", "input_seq": ["q"],\n'
        '   "expected": {"required_fields": ["x"]}, "labels": ["l"]}\n]\n'
    )
    file.write_text(text, encoding="utf-8")
    assert fairtrial("cases", "migrate", "cases", "--write", "--who", "Li Na").code == 0
    after = file.read_text(encoding="utf-8")
    assert after.startswith(
        '\ufeff[\n  {"id": "a", "input": ["q"],\n'
        '   "expect": {"required_fields": ["x"]}, "tags": ["l"], "version": 1, '
    )
    assert fairtrial("check", "cases").code == 0


def test_migrate_writes_all_files_or_none(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    good, bad = repository / "cases" / "a.yaml", repository / "cases" / "b.yaml"
    good.write_text(FLAT, encoding="utf-8")
    bad.write_text("- id: [\n", encoding="utf-8")
    refused = fairtrial("cases", "migrate", "cases", "--write")
    assert (refused.code, good.read_text(encoding="utf-8")) == (2, FLAT)
    assert "cases/b.yaml:" in refused.complaint
    bad.write_text(FLAT.replace("退款-1", "b"), encoding="utf-8")
    real, synced = os.fsync, []

    def full(descriptor: int) -> None:
        synced.append(descriptor)
        if len(synced) == 2:
            raise OSError(28, "No space left on device")
        real(descriptor)

    monkeypatch.setattr(os, "fsync", full)
    refused = fairtrial("cases", "migrate", "cases", "--write")
    assert (refused.code, len(synced)) == (4, 2)
    assert good.read_text(encoding="utf-8") == FLAT
    assert sorted(path.name for path in good.parent.iterdir()) == ["a.yaml", "b.yaml"]


def test_migrate_without_an_author_asks_for_one(repository: Path) -> None:
    git("config", "--unset", "user.name")
    (repository / "cases" / "a.yaml").write_text(FLAT, encoding="utf-8")
    refused = fairtrial("cases", "migrate", "cases")
    assert (refused.code, "--who NAME" in refused.complaint) == (2, True)


def test_diff_between_revisions_and_the_working_tree(repository: Path) -> None:
    a, b = repository / "cases" / "一 二.yaml", repository / "cases" / "b.yaml"
    a.write_text(case("a") + case("b"), encoding="utf-8")
    one = commit()
    a.write_text("\ufeff# moved\n" + case("a", version=2, input="退款！"), encoding="utf-8")
    b.write_text(case("b") + case("c"), encoding="utf-8")
    two = commit()
    found = fairtrial("cases", "diff", one, "--to", two, "--json")
    assert sorted(kinds(found)) == [("a", "changed"), ("b", "moved"), ("c", "added")]
    assert (found.document["base"], found.document["to"]) == (one, two)
    moved = next(change for change in found.document["changes"] if change["case"] == "b")
    assert moved["was"] == "cases/一 二.yaml"
    back = fairtrial("cases", "diff", two, "--to", one, "--json")
    assert sorted(kinds(back)) == [("a", "changed"), ("b", "moved"), ("c", "removed")]
    assert kinds(fairtrial("cases", "diff", "--json")) == []
    shown = fairtrial("cases", "diff", one)
    assert re.search(r"cases/一 二.yaml:2: changed a\n    input\[0\]: 我要退款 → 退款！\n", shown.out)
    assert (
        shown.out.splitlines()[-1]
        == f"{one[:10]} → the working tree: 2 → 3 cases; added 1, changed 1, moved 1"
    )
    b.unlink()
    assert sorted(kinds(fairtrial("cases", "diff", "--json"))) == [("b", "removed"), ("c", "removed")]


def test_another_folder_other_settings_and_crlf_are_no_change(repository: Path) -> None:
    file = repository / "cases" / "a.yaml"
    file.write_text("- &x\n" + case("a")[2:].join(["  ", ""]) + case("b"), encoding="utf-8")
    one = commit()
    git("mv", "cases", "题 目")
    (repository / "fairtrial.toml").write_text('[run]\ncases = ["题 目"]\n', encoding="utf-8")
    file = repository / "题 目" / "a.yaml"
    file.write_bytes(file.read_bytes().replace(b"\n", b"\r\n"))
    assert kinds(fairtrial("cases", "diff", one, "--json")) == [("a", "moved"), ("b", "moved")]
    # Settings that point elsewhere hide nothing.
    (repository / "few").mkdir()
    (repository / "few" / "a.yaml").write_text(case("a"), encoding="utf-8")
    (repository / "fairtrial.toml").write_text('[run]\ncases = ["few"]\n', encoding="utf-8")
    assert whats(fairtrial("cases", "review", "--json")) == ["the case is gone"]


def test_review_wants_version_changelog_and_another_reviewer(repository: Path) -> None:
    file = repository / "cases" / "a.yaml"
    file.write_text(case(), encoding="utf-8")
    assert whats(fairtrial("cases", "review", "--json")) == []  # before the first commit, all is new
    commit()
    file.write_text(case(input="退款！", reviewer="Ｌｉ na"), encoding="utf-8")
    refused = fairtrial("cases", "review")
    assert refused.code == 1
    assert refused.out.splitlines() == [
        "cases/a.yaml:4: a: changed without a new version (raise `version` from 1)",
        "cases/a.yaml:7: a: changed without a line in the changelog (add {date, who, what} to `changelog`)",
        "cases/a.yaml:6: a: Ｌｉ na reviewed their own change (let somebody else review it)",
        f"3 faults; 1 changed since {git('rev-parse', 'HEAD')[:10]}, of 1 cases",
    ]
    file.write_text(case(input="退款！", version=2, changelog="first, second"), encoding="utf-8")
    passed = fairtrial("cases", "review", "--json")
    assert (passed.code, passed.document["looked_at"], passed.document["status"]) == (0, 1, "passed")


def test_review_of_a_branch_names_who_committed(repository: Path) -> None:
    file = repository / "cases" / "a.yaml"
    file.write_text(case(), encoding="utf-8")
    one = commit()
    git("checkout", "-qb", "work")
    file.write_text(case(input="退款！", version=2, changelog="first, second"), encoding="utf-8")
    git("-c", "user.name=张丽", "commit", "-qam", "change")
    found = fairtrial("cases", "review", "--json")
    assert (whats(found), found.document["base"]) == (["张丽 reviewed their own change"], one)
    git("checkout", "-q", "--detach")
    assert whats(fairtrial("cases", "review", "--json")) == ["张丽 reviewed their own change"]
    assert whats(fairtrial("cases", "review", "HEAD", "--json")) == []


@pytest.mark.parametrize("moved", [False, True])
def test_whoever_commits_last_hides_no_other_author(repository: Path, moved: bool) -> None:
    file = repository / "cases" / "a.yaml"
    file.write_text(case(), encoding="utf-8")
    commit()
    git("checkout", "-qb", "work")
    file.write_text(case(input="退款！", version=2, changelog="first, second"), encoding="utf-8")
    git("-c", "user.name=张丽", "commit", "-qam", "change")
    if moved:
        file = file.rename(file.with_name("b.yaml"))
    file.write_text(file.read_text("utf-8") + "# a comment\n", encoding="utf-8")
    commit()
    assert whats(fairtrial("cases", "review", "--json")) == ["张丽 reviewed their own change"]


@pytest.mark.parametrize("staged", [True, False])
@pytest.mark.parametrize("way", ["logs", "queue", "folder of links", "link"])
def test_cases_do_not_leave_the_set_unseen(repository: Path, way: str, staged: bool) -> None:
    cases, settings = repository / "cases", repository / "fairtrial.toml"
    for name in ("hard", "easy"):
        (cases / name).mkdir()
        (cases / name / "a.yaml").write_text(case(name), encoding="utf-8")
    commit()
    if way == "logs":
        settings.write_text('[run]\ncases = ["cases"]\nout = "cases/hard"\n')
    elif way == "queue":
        (cases / "hard").rename(cases / "queue")
    elif way == "folder of links":
        cases.rename(repository / "old")
        cases.symlink_to("old/easy")
    else:
        (repository / "else.yaml").write_text(case("hard", input="退款！"), encoding="utf-8")
        (cases / "hard" / "a.yaml").unlink()
        (cases / "hard" / "a.yaml").symlink_to("../../else.yaml")
    git("add", ".")
    said = fairtrial("cases", "review", "HEAD", *["--staged"][: 1 if staged else 0], "--json")
    told = ["the case is gone"] if way != "link" else ["changed without a new version"]
    assert whats(said)[:1] == told


def test_links_in_the_set_are_read_as_git_has_them(repository: Path) -> None:
    real = repository / "real.yaml"
    real.write_text(case(), encoding="utf-8")
    (repository / "cases" / "a.yaml").symlink_to("../real.yaml")
    (repository / "cases" / "out.yaml").symlink_to("/nowhere/a.yaml")
    (repository / "cases" / "round.yaml").symlink_to("round.yaml")
    commit()
    assert kinds(fairtrial("cases", "diff", "--json")) == []
    real.write_text(case(input="退款！"), encoding="utf-8")
    git("add", ".")
    assert len(whats(fairtrial("cases", "review", "--staged", "--json"))) == 2
    assert len(whats(fairtrial("cases", "review", "HEAD", "--json"))) == 2


def test_review_of_what_is_staged_and_not_of_the_working_tree(repository: Path) -> None:
    file = repository / "cases" / "a.yaml"
    file.write_text(case(), encoding="utf-8")
    commit()
    file.write_text(case(input="退款！"), encoding="utf-8")
    git("add", ".")
    file.write_text(case(), encoding="utf-8")
    assert len(whats(fairtrial("cases", "review", "--staged", "--json"))) == 2
    assert whats(fairtrial("cases", "review", "--json")) == []
    file.write_text(case(input="退款？"), encoding="utf-8")
    git("reset", "-q")
    assert whats(fairtrial("cases", "review", "--staged", "--json")) == []


def test_the_hook_stops_a_commit(repository: Path) -> None:
    hook = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())[0]
    assert hook["always_run"]
    assert "files" not in hook  # pre-commit passes over files that are gone
    script = repository / ".git" / "hooks" / "pre-commit"
    entry = hook["entry"].replace("fairtrial", f"{sys.executable} -m fairtrial", 1)
    script.write_text(f"#!/bin/sh\nexec {entry}\n")
    script.chmod(0o755)
    file = repository / "cases" / "a.yaml"
    file.write_text(case(), encoding="utf-8")
    commit()
    file.write_text(case(input="退款！"), encoding="utf-8")
    stopped = subprocess.run(
        ("git", "commit", "-qam", "x"), capture_output=True, encoding="utf-8", check=False
    )
    assert (stopped.returncode, "changed without a new version" in stopped.stdout + stopped.stderr) == (
        1,
        True,
    )
    file.write_text(case(input="退款！", version=2, changelog="first, second"), encoding="utf-8")
    subprocess.run(("git", "commit", "-qam", "x"), check=True, capture_output=True)


def test_a_removed_case_is_named(repository: Path) -> None:
    file = repository / "cases" / "a.yaml"
    file.write_text(case("a") + case("退款 2"), encoding="utf-8")
    one = commit()
    file.write_text(case("a"), encoding="utf-8")
    refused = fairtrial("cases", "review")
    assert refused.out.startswith(f"{one[:10]}:cases/a.yaml:8: 退款 2: the case is gone")
    assert fairtrial("cases", "review", "--allow-removed", "退款 2").code == 0
    unknown = fairtrial("cases", "review", "--allow-removed", "退款 2", "--allow-removed", "nope")
    assert (unknown.code, "there was no case `nope`" in unknown.complaint) == (2, True)


def test_a_project_below_the_root_of_its_repository(
    repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    inner = repository / "deep" / "项目"
    (inner / "cases").mkdir(parents=True)
    (inner / "fairtrial.toml").write_text('[run]\ncases = ["cases"]\nout = "cases/logs"\n')
    (inner / "cases" / "logs").mkdir()
    (inner / "cases" / "logs" / "x.jsonl").write_text("no case\n")
    (inner / "cases" / "golden.yaml").write_text("no case\n")
    (inner / "cases" / ".hidden.yaml").write_text("no case\n")
    (inner / "cases" / "a.yaml").write_text(case(), encoding="utf-8")
    commit()
    monkeypatch.chdir(inner)
    (inner / "cases" / "a.yaml").write_text(case(input="退款！"), encoding="utf-8")
    assert kinds(fairtrial("cases", "diff", "--json")) == [("a", "changed")]
    monkeypatch.chdir(repository)
    shown = fairtrial("cases", "review", "--config", inner / "fairtrial.toml")
    assert shown.out.startswith("deep/项目/cases/a.yaml:4: a: changed")
    assert kinds(fairtrial("cases", "diff", "--cases", inner / "cases" / "a.yaml", "--json")) == [
        ("a", "changed")
    ]


def test_a_project_in_a_submodule(repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (repository / "cases" / "a.yaml").write_text(case(), encoding="utf-8")
    commit()
    outer = tmp_path / "outer"
    git("init", "-q", str(outer))
    git("-c", "protocol.file.allow=always", "submodule", "add", str(repository), "inner", folder=outer)
    monkeypatch.chdir(outer / "inner")
    Path("cases/a.yaml").write_text(case(input="退款！"), encoding="utf-8")
    assert kinds(fairtrial("cases", "diff", "--json")) == [("a", "changed")]


def test_what_cannot_be_looked_at_is_one_line(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = repository / "cases" / "a.yaml"
    file.write_text("- id: [\n", encoding="utf-8")
    broken = commit()
    file.write_text(case() + case("b"), encoding="utf-8")
    good = commit()
    found = fairtrial("cases", "diff", broken)
    assert (found.code, f"{broken[:10]}:cases/a.yaml:" in found.complaint) == (2, True)
    for revision in ("nope", "-x", "HEAD:cases", f"{good[:5]}^^^^^"):
        for command in ("diff", "review"):
            found = fairtrial("cases", command, "--", revision)
            assert (found.code, f"no revision `{revision}`" in found.complaint) == (2, True)
    file.write_text(case() + case(), encoding="utf-8")
    assert "duplicate id `a`" in fairtrial("cases", "review").complaint
    clone = tmp_path / "clone"
    git("clone", "-q", "--depth", "1", f"file://{repository}", str(clone))
    monkeypatch.chdir(clone)
    assert "fetch --unshallow" in fairtrial("cases", "review", broken).complaint
    outside = tmp_path.parent / f"{tmp_path.name}-outside"
    outside.mkdir()
    monkeypatch.chdir(outside)
    Path("cases.yaml").write_text(case(), encoding="utf-8")
    for words in (("diff",), ("review", "--staged")):
        refused = fairtrial("cases", *words, "--cases", "cases.yaml")
        assert (refused.code, "no git repository" in refused.complaint) == (2, True)
    refused = fairtrial("cases", "diff", "--cases", "cases.yaml", "--config", repository / "fairtrial.toml")
    assert (refused.code, "not in the git repository" in refused.complaint) == (2, True)


def test_an_open_merge_is_said(repository: Path) -> None:
    file = repository / "cases" / "a.yaml"
    file.write_text(case(), encoding="utf-8")
    commit()
    git("checkout", "-qb", "other")
    file.write_text(case(input="x"), encoding="utf-8")
    commit()
    git("checkout", "-q", "main")
    file.write_text(case(input="y"), encoding="utf-8")
    commit()
    subprocess.run(("git", "merge", "other"), capture_output=True, check=False)
    refused = fairtrial("cases", "review", "--staged")
    assert (refused.code, "cases/a.yaml: the file is not merged yet" in refused.complaint) == (2, True)


def commands(text: str) -> list[list[str]]:
    return [line.split() for line in re.findall(r"(?m)^.*?\b(fairtrial (?:cases|check)\b.*)$", text)]


@pytest.mark.parametrize("name", ["examples/workflows/review-cases.yml", ".pre-commit-hooks.yaml"])
def test_the_examples_are_yaml_and_call_commands_that_exist(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    assert yaml.safe_load(text)
    found = commands(text)
    assert found
    for _, *words in found:
        command: Any = __import__("typer").main.get_command(app)
        while words and hasattr(command, "commands"):
            command = command.commands[words.pop(0)]
        known = {name for parameter in command.params for name in parameter.opts}
        assert {word for word in words if word.startswith("--")} <= known


def test_the_door_knows_the_sets() -> None:
    assert get_args(door.Kind) == get_args(Kind)
