"""Digests of parts, of files and of code; what differs between two fingerprints."""

import json
import subprocess
from importlib.metadata import version
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.errors import BadInput
from fairtrial.records.fingerprint import changed_parts, differences, digest_of, part, unknown, whole
from fairtrial.records.packages import LOCKS, installed, lock_of, locked, packages
from fairtrial.records.source import files_of, source_of
from fairtrial.schema.fingerprint import Part, PartName

plain = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


class TestParts:
    @given(st.dictionaries(st.text(), plain, max_size=5))
    def test_the_order_of_keys_is_nothing(self, value: dict[str, object]) -> None:
        assert digest_of(value) == digest_of(dict(reversed(list(value.items()))))

    @given(plain, plain)
    def test_another_value_is_another_digest(self, one: object, other: object) -> None:
        same = json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)
        assert (digest_of(one) == digest_of(other)) == same

    def test_what_is_not_set_is_not_zero(self) -> None:
        digests = {digest_of({"temperature": value}) for value in (None, 0.0, 1.0)}
        assert len(digests) == 3

    def test_half_a_surrogate_pair_and_chinese_have_a_digest(self) -> None:
        assert digest_of("\ud83d") != digest_of("退款")

    def test_the_whole_is_of_the_known_parts_in_any_order(self) -> None:
        one = {PartName.model: part("m", "m"), PartName.clock: unknown("not fixed")}
        assert whole(one).whole == whole(dict(reversed(one.items()))).whole
        assert whole(one).whole == whole({PartName.model: part("m", "other words")}).whole
        assert whole(one).whole != whole(one | {PartName.model: part("n", "m")}).whole
        assert list(whole(dict(reversed(one.items()))).parts) == ["model", "clock"]


class TestDifferences:
    BASE = whole(
        {PartName.model: part("a", "a"), PartName.clock: unknown("no"), PartName.seeds: part(0, "0")}
    )

    def test_unknown_is_never_the_same(self) -> None:
        (found,) = differences(self.BASE, self.BASE)[:1]
        assert (found.part, found.known) == ("reported", False)
        names = {found.part for found in differences(self.BASE, self.BASE)}
        assert names == set(PartName) - {"model", "seeds"}
        assert changed_parts(self.BASE, self.BASE) == ()

    def test_a_part_that_one_side_knows_has_changed(self) -> None:
        other = whole({**self.BASE.parts, "clock": part("noon", "noon"), "model": unknown("it does not say")})
        found = {f.part: (f.base, f.candidate, f.known) for f in changed_parts(self.BASE, other)}
        assert found == {"model": ("a", "it does not say", False), "clock": ("no", "noon", False)}

    def test_two_digests_are_known(self) -> None:
        other = whole({**self.BASE.parts, "model": part("b", "b")})
        (found,) = changed_parts(self.BASE, other)
        assert (found.part, found.base, found.candidate, found.known) == ("model", "a", "b", True)


def git(folder: Path, *words: str) -> None:
    who = ("-c", "user.email=a@example.com", "-c", "user.name=A", "-c", "commit.gpgsign=false")
    subprocess.run(["git", *who, *words], cwd=folder, check=True, capture_output=True)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    (tmp_path / "agent.py").write_text("one\n")
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "工具.py").write_text("two\n")
    (tmp_path / "cases.json").write_text("[]")
    (tmp_path / ".gitignore").write_text("secret.py\n")
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-qm", "first")
    return tmp_path


class TestCode:
    def test_a_change_counts_before_and_after_its_commit(self, repository: Path) -> None:
        clean = source_of(repository, without=())
        assert clean.says.startswith("commit ")
        assert "not committed" not in clean.says
        (repository / "lib" / "工具.py").write_text("three\n")
        changed = source_of(repository, without=())
        assert changed.digest != clean.digest
        assert changed.says.endswith("not committed: lib/工具.py")
        git(repository, "commit", "-qam", "second")
        assert source_of(repository, without=()).digest == changed.digest
        git(repository, "revert", "--no-edit", "HEAD")
        assert source_of(repository, without=()).digest == clean.digest

    def test_untracked_and_deleted_files_count(self, repository: Path) -> None:
        clean = source_of(repository, without=()).digest
        (repository / "new.py").write_text("")
        assert source_of(repository, without=()).digest != clean
        (repository / "new.py").unlink()
        assert source_of(repository, without=()).digest == clean
        (repository / "agent.py").unlink()
        assert source_of(repository, without=()).digest != clean

    def test_what_runs_leave_behind_other_parts_and_secrets_do_not_count(self, repository: Path) -> None:
        without = (repository / "cases.json", repository / "logs")
        clean = source_of(repository, without=without)
        (repository / "logs").mkdir()
        for name in (
            "logs/any.txt",
            "out.json",
            "doubts.proposed.toml",
            "secret.py",
            ".env",
            "fairtrial.toml",
            "cases.json",
            ".agent.py.swp",
        ):
            (repository / name).write_text("changed")
        assert source_of(repository, without=without) == clean

    def test_the_whole_repository_counts_from_any_folder_of_it(self, repository: Path) -> None:
        inner = source_of(repository / "lib", without=())
        (repository / "agent.py").write_text("other\n")
        assert source_of(repository / "lib", without=()).digest != inner.digest

    def test_a_folder_that_git_ignores_is_read_itself(self, repository: Path) -> None:
        hidden = repository / "ignored"
        hidden.mkdir()
        (hidden / "agent.py").write_text("one")
        (repository / ".gitignore").write_text("ignored/\n")
        found = source_of(hidden, without=())
        assert found.says == "1 files, no git"

    def test_without_git_the_files_count_wherever_the_folder_lies(self, tmp_path: Path) -> None:
        folders = [tmp_path / "a", tmp_path / "b"]
        for folder in folders:
            (folder / "__pycache__").mkdir(parents=True)
            (folder / "__pycache__" / "x.py").write_text(folder.name)
            (folder / "agent.py").write_text("one")
            (folder / "data.json").write_text(folder.name)
        one, other = (source_of(folder, without=()) for folder in folders)
        assert one == other
        (folders[0] / "prompt.txt").write_text("be kind")
        assert source_of(folders[0], without=()).digest != one.digest

    def test_a_link_that_leads_nowhere_is_no_code(
        self, repository: Path, tmp_path_factory: pytest.TempPathFactory
    ) -> None:
        plain = tmp_path_factory.mktemp("plain")
        (plain / "agent.py").write_text("one")
        before = source_of(plain, without=())
        (plain / "link.py").symlink_to("gone.py")
        assert source_of(plain, without=()).digest == before.digest
        (repository / "link.py").symlink_to("gone.py")
        assert "not committed: link.py" in source_of(repository, without=()).says

    @pytest.mark.parametrize("git_knows", [False, True])
    def test_too_many_files_are_not_known(self, tmp_path: Path, git_knows: bool) -> None:
        if git_knows:
            git(tmp_path, "init", "-q")
        for n in range(2001):
            (tmp_path / f"{n}.py").touch()
        found = source_of(tmp_path, without=())
        assert found.digest is None
        assert "[fingerprint] agent" in found.says


class TestFiles:
    def test_they_stand_in_the_order_given_and_folders_by_name(self, tmp_path: Path) -> None:
        (tmp_path / "b.txt").write_text("b")
        (tmp_path / "index").mkdir()
        for name in ("z", "a"):
            (tmp_path / "index" / name).write_text(name)
        found = files_of(["index", "b.txt"], tmp_path, "here")
        assert [name for name, _ in found] == ["index/a", "index/z", "b.txt"]
        assert found != files_of(["b.txt", "index"], tmp_path, "here")

    def test_one_that_is_not_there_is_refused_by_name(self, tmp_path: Path) -> None:
        with pytest.raises(BadInput, match=r"\[fingerprint\] prompt: .*gone.txt: no such file"):
            files_of(["gone.txt"], tmp_path, "[fingerprint] prompt")


class TestPackages:
    def test_what_is_installed_is_read_from_names(self) -> None:
        found = installed()
        assert found["pydantic-core"] == version("pydantic_core")

    @pytest.mark.parametrize(
        ("name", "text"),
        [
            (
                "requirements.lock",
                "# pip\nAa_b==1.0 ; python_version > '3'\n    --hash=sha256:1\nc[x] == 2.0\\\n",
            ),
            (
                "uv.lock",
                'version = 1\n[[package]]\nname = "aa-b"\nversion = "1.0"\n\n'
                '[[package]]\nname = "c"\nversion = "2.0"\n',
            ),
            (
                "poetry.lock",
                '[[package]]\nname = "aa.b"\nversion = "1.0"\n\n[[package]]\nname = "C"\nversion = "2.0"\n',
            ),
        ],
    )
    def test_lock_files(self, tmp_path: Path, name: str, text: str) -> None:
        (tmp_path / name).write_text(text)
        assert locked(tmp_path / name) == {"aa-b": "1.0", "c": "2.0"}
        assert lock_of(None, tmp_path) == (name, {"aa-b": "1.0", "c": "2.0"})

    def test_what_differs_from_the_lock_is_named(self) -> None:
        here = {"a": "1", "b": "2", "fairtrial": "9"}
        found = packages(here, ("uv.lock", {"a": "1", "b": "3", "c": "1"}))
        assert (
            found.says == "2 installed; uv.lock has 3, 1 of them not installed; not as locked: b 2 (locked 3)"
        )
        assert packages(here | {"b": "3"}, ("uv.lock", {"b": "3"})).digest != found.digest
        assert packages({"a": "1"}, None).digest == packages({"a": "1", "fairtrial": "0"}, None).digest

    def test_a_lock_that_cannot_be_read_is_refused_only_where_it_is_named(self, tmp_path: Path) -> None:
        (tmp_path / LOCKS[0]).write_text("-e .\n")
        assert lock_of(None, tmp_path) is None
        with pytest.raises(BadInput, match="names no package"):
            lock_of(LOCKS[0], tmp_path)
        with pytest.raises(BadInput, match="No such file"):
            lock_of("gone.lock", tmp_path)


def test_words_are_in_the_readers_language(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    english: Part = packages({"a": "1"}, None)
    monkeypatch.setenv("FAIRTRIAL_LANG", "zh")
    chinese = packages({"a": "1"}, None)
    assert english.digest == chinese.digest
    assert chinese.says == "已安装 1 个，没有可读的锁文件"
