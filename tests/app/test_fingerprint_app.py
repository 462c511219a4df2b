"""The fingerprint of a round: what is in it, what is not, and where it is compared first."""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest
from commands import fairtrial, header, rows, write_project
from fake_server import completion, document
from served import serving

from fairtrial.app.environment import collect
from fairtrial.app.fingerprint import another_environment, part_names, require_same
from fairtrial.app.prepare import Choices, prepare
from fairtrial.errors import BadInput
from fairtrial.records.log import read_header
from fairtrial.schema.evidence import Header
from fairtrial.schema.fingerprint import Fingerprint, PartDifference, PartName

OPENAI = """
[agent]
type = "openai"
model = "fake-latest"
base_url = "{url}"
system = "Be brief. 今天是 {{{{clock}}}}，{{{{name}}}}。"
temperature = 0.0
headers = {{ X-Key = "${{SECRET_KEY}}" }}
[run]
cases = ["prices.json"]
clock = "2026-11-30T12:00:00Z"
trials = 2
"""


def parts(log: Path) -> dict[str, Any]:
    return header(log)["fingerprint"]["parts"]  # type: ignore[no-any-return]


def now() -> Fingerprint:
    return collect(prepare(Choices()))


def moved(before: Fingerprint, after: Fingerprint) -> list[str]:
    """The parts whose digest is another."""
    return [name for name in PartName if before.parts[name].digest != after.parts[name].digest]


@pytest.fixture
def chat(here: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A project that asks the fake server's model."""
    monkeypatch.setenv("SECRET_KEY", "hush-hush")
    write_project(here)
    with serving() as server:
        (here / "fairtrial.toml").write_text(OPENAI.format(url=server.url), "utf-8")
        yield server


class TestParts:
    def test_every_part_is_there_and_the_log_holds_no_secret(self, chat: Any) -> None:
        said = fairtrial("run", "--json")
        assert list(parts(said.log)) == [name.value for name in PartName]
        assert "hush-hush" not in said.log.read_text("utf-8")
        found = {name: part["says"] for name, part in parts(said.log).items()}
        assert found["model"] == "fake-latest"
        assert found["reported"] == "fake-1 (fp_fake) × 48"
        assert found["sampling"] == "temperature 0.0, top_p not set, max_tokens not set"
        assert found["clock"] == "2026-11-30T12:00:00Z"
        assert found["seeds"] == "0, not sent"
        assert [name for name, part in parts(said.log).items() if part["digest"] is None] in (
            [],
            ["container"],
        )

    def test_only_the_part_that_changed_changes(self, chat: Any, here: Path) -> None:
        text = (here / "fairtrial.toml").read_text("utf-8")
        before = now()
        for old, new, name in (
            ("Be brief.", "Be brief. ", "prompt"),
            ("temperature = 0.0", "", "sampling"),
            ("fake-latest", "fake-2", "model"),
            ("T12:00", "T13:00", "clock"),
            ("[run]", "stream = true\n[run]", "agent"),
            ("headers = {", 'headers = { OpenAI-Beta = "v2",', "agent"),
            ("trials = 2", "seed = 1", "seeds"),
            ("trials = 2", "timeout = 3", "concurrency"),
            ("trials = 2", "[score]\npass_at = 0.5", "scorer"),
        ):
            (here / "fairtrial.toml").write_text(text.replace(old, new), "utf-8")
            after = now()
            assert moved(before, after) == [name]
            assert after.whole != before.whole

    def test_files_are_named_for_parts_that_only_the_agent_knows(self, project: Path) -> None:
        before = now().parts
        unknown = {name for name, part in before.items() if part.digest is None} - {"container"}
        assert unknown == {
            "model",
            "reported",
            "prompt",
            "examples",
            "sampling",
            "tools",
            "retrieval",
            "clock",
        }
        (project / "提示.txt").write_text("好")
        (project / "hook.py").write_text("def version():\n    return 'v0.4.2'\n")
        text = (project / "fairtrial.toml").read_text("utf-8")
        told = '\n[fingerprint]\nprompt = ["提示.txt"]\nretrieval_function = "hook.py:version"\n'
        (project / "fairtrial.toml").write_text(text + told, "utf-8")
        after = now().parts
        assert after["prompt"].says == "提示.txt"
        assert after["retrieval"].says == "v0.4.2"
        (project / "提示.txt").write_text("好 ")
        assert now().parts["prompt"].digest != after["prompt"].digest
        assert now().parts["agent"] == after["agent"]

    @pytest.mark.parametrize(
        ("setting", "says"),
        [
            ('retrieval_command = ["echo", "v0.5.1"]', "v0.5.1"),
            ('retrieval_command = ["false"]', "its version could not be asked: exit code 1"),
            ('retrieval_function = "clerk.py:right"', "its version could not be asked: TypeError"),
            ('retrieval_function = "sys:exit"', "its version could not be asked: SystemExit"),
        ],
    )
    def test_the_vector_store_is_asked(self, project: Path, setting: str, says: str) -> None:
        with (project / "fairtrial.toml").open("a") as file:
            file.write(f"\n[fingerprint]\n{setting}\n")
        found = now().parts["retrieval"]
        assert found.says.startswith(says)
        assert (found.digest is None) == says.startswith("its version")

    def test_the_image_is_told_by_the_environment(
        self, project: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("FAIRTRIAL_IMAGE", "sha256:abc")
        assert now().parts["container"].says == "sha256:abc"

    @pytest.mark.parametrize(
        ("table", "complaint"),
        [
            ('[fingerprint]\nprompt = ["gone.txt"]', "gone.txt: no such file or folder"),
            ('[fingerprint]\npromt = ["a"]', "`fingerprint.promt` is not a setting; did you mean `prompt`?"),
            ('[fingerprint]\nretrieval_command = ["no-such-program"]', "No such file or directory"),
            ("[canaries]\ntimes = 0", "`canaries.times` must be at least 1"),
        ],
    )
    def test_a_wrong_setting_is_refused_before_anything_is_asked(
        self, project: Path, table: str, complaint: str
    ) -> None:
        with (project / "fairtrial.toml").open("a") as file:
            file.write(f"\n{table}\n")
        said = fairtrial("run")
        assert (said.code, complaint in said.complaint) == (2, True), said.complaint
        assert not (project / "logs").exists()

    @pytest.mark.parametrize("clock", ["noon", "2026-11-30T12:00:00"])
    def test_a_clock_has_a_zone(self, here: Path, clock: str) -> None:
        write_project(here, run=f'clock = "{clock}"')
        assert "a time with its zone" in fairtrial("run").complaint


def in_git(folder: Path) -> None:
    who = ("-c", "user.email=a@example.com", "-c", "user.name=A", "-c", "commit.gpgsign=false")
    for words in (("init", "-q"), ("add", "-A"), (*who, "commit", "-qm", "first")):
        subprocess.run(["git", *words], cwd=folder, check=True, capture_output=True)


class TestOneChange:
    """In each part, and in no other: with git and without."""

    @pytest.fixture(params=[False, True], ids=["files", "git"])
    def helped(self, here: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Path:
        monkeypatch.setenv("OPENAI_API_KEY", "k")
        write_project(here)
        (here / "tools.py").write_text("def look(id):\n    'Look.'\n    return id\n")
        for name in ("one", "two", "v1"):
            (here / name).mkdir()
            (here / name / "file.txt").write_text(name)
        (here / "fairtrial.toml").write_text(
            '[agent]\ntype = "openai"\nmodel = "m"\nbase_url = "http://127.0.0.1:1"\nsystem = "Be brief."\n'
            'tools = [{ function = "tools.py:look", parameters = { type = "object" } }]\n'
            '[run]\ncases = ["prices.json"]\n'
            '[fingerprint]\nexamples = ["one", "two"]\nretrieval = ["v1"]\n'
        )
        if request.param:
            in_git(here)
        return here

    @pytest.mark.parametrize(
        ("file", "old", "new", "name"),
        [
            ("fairtrial.toml", "Be brief.", "Be  brief.", "prompt"),
            ("fairtrial.toml", '"one", "two"', '"two", "one"', "examples"),
            ("fairtrial.toml", "system", "temperature = 0\nsystem", "sampling"),
            ("fairtrial.toml", "system", "extra = { logprobs = true }\nsystem", "sampling"),
            ("fairtrial.toml", '"object" }', '"object", required = [] }', "tools"),
            ("fairtrial.toml", "[run]", "[run]\nconcurrency = 2", "concurrency"),
            ("one/file.txt", "one", "one ", "examples"),
            ("v1/file.txt", "v1", "v2", "retrieval"),
            ("tools.py", "return id", "return id * 2", "agent"),
            ("prices.json", '"weight": 3', '"weight": 2', "cases"),
            ("prices.json", '"value": 101', '"value": 102', "cases"),
        ],
    )
    def test_it_is_named(self, helped: Path, file: str, old: str, new: str, name: str) -> None:
        before, text = now(), (helped / file).read_text("utf-8")
        assert old in text
        (helped / file).write_text(text.replace(old, new, 1), "utf-8")
        assert moved(before, now()) == [name]

    def test_python_and_packages(self, helped: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        (helped / ".site" / "foo-1.0.dist-info").mkdir(parents=True)
        monkeypatch.syspath_prepend(str(helped / ".site"))
        before = now()
        (helped / ".site" / "foo-1.0.dist-info").rename(helped / ".site" / "foo-1.1.dist-info")
        assert moved(before, now()) == ["packages"]
        before = now()
        (helped / "pylock.toml").write_text('[[packages]]\nname = "foo"\nversion = "1.0"\n')
        locked = now()
        assert moved(before, locked) == ["packages"]
        assert "not as locked: foo 1.1 (locked 1.0)" in locked.parts["packages"].says
        monkeypatch.setattr("platform.python_version", lambda: "3.99.0")
        assert moved(locked, now()) == ["python"]

    def test_a_link_to_the_store_that_is_used(self, helped: Path) -> None:
        (helped / "v1" / "current").symlink_to("old")
        (helped / "v1" / "old").mkdir()
        before = now()
        (helped / "v1" / "current").unlink()
        (helped / "v1" / "new").mkdir()
        (helped / "v1" / "current").symlink_to("new")
        assert moved(before, now()) == ["retrieval"]

    def test_a_module_that_lies_elsewhere(
        self, helped: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        elsewhere = tmp_path_factory.mktemp("elsewhere")
        (elsewhere / "far_tools.py").write_text("def look(id):\n    return id\n")
        monkeypatch.syspath_prepend(str(elsewhere))
        text = (helped / "fairtrial.toml").read_text()
        (helped / "fairtrial.toml").write_text(text.replace("tools.py:look", "far_tools:look"))
        before = now()
        (elsewhere / "far_tools.py").write_text("def look(id):\n    return id * 2\n")
        assert moved(before, now()) == ["agent"]
        del sys.modules["far_tools"]

    @pytest.mark.parametrize("far", [False, True])
    def test_a_program_wherever_it_lies(
        self, here: Path, tmp_path_factory: pytest.TempPathFactory, far: bool
    ) -> None:
        write_project(here, 1)
        program = (tmp_path_factory.mktemp("far") if far else here) / "agent.sh"
        program.write_text("#!/bin/sh\n")
        program.chmod(0o755)
        agent = f'[agent]\ntype = "command"\ncommand = ["{program}"]\n'
        (here / "fairtrial.toml").write_text(agent + '[run]\ncases = ["prices.json"]\n')
        before = now()
        program.write_text("#!/bin/sh\ntrue\n")
        assert moved(before, now()) == ["agent"]

    @pytest.mark.parametrize("more", ['request = { q = "{{text}}" }', 'headers = { X-Deployment = "blue" }'])
    def test_how_an_endpoint_is_asked(self, here: Path, more: str) -> None:
        write_project(here, 1)
        run = '[run]\ncases = ["prices.json"]\n'
        agent = '[agent]\ntype = "http"\nurl = "http://127.0.0.1:1"\n'
        (here / "fairtrial.toml").write_text(agent + run)
        before = now()
        (here / "fairtrial.toml").write_text(f"{agent}{more}\n{run}")
        assert moved(before, now()) == ["agent"]

    def test_what_an_agent_keeps_for_itself_is_no_change(self, helped: Path) -> None:
        before = now()
        (helped / "memory.db").write_text("remembered")
        (helped / "memory.db-wal").write_text("remembered")
        venv = helped / "venv"
        venv.mkdir()
        (venv / "pyvenv.cfg").touch()
        (venv / "module.py").touch()
        assert moved(before, now()) == []


class TestModels:
    def test_several_versions_in_one_run_are_named_and_forbid(self, chat: Any, here: Path) -> None:
        moved = completion("Item 1 costs 101 euros.") | {"model": "fake-2"}
        chat.script(*[document(moved)] * 5)
        said = fairtrial("run", "--json")
        line = next(doubt for doubt in said.document["doubts"] if doubt["name"] == "mixed_models")
        assert (line["lit"], line["value"], line["forbids"]) == (True, 2, True)
        assert "fake-1 (fp_fake) × 43, fake-2 (fp_fake) × 5" in line["meaning"]
        assert said.code == 3
        assert not (here / "logs" / "history.jsonl").exists()
        # In the words of whoever reads it.
        chinese = fairtrial("show", "--json", env={"FAIRTRIAL_LANG": "zh"}).document
        assert "多个模型版本" in str(chinese["doubts"])

    def test_a_line_that_forbids_no_more_keeps_the_round_out_of_the_history(
        self, here: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        write_project(
            here, more='[doubts.mixed_models]\nforbids = false\nwho = "me"\nwhy = "a router, on purpose"'
        )
        (here / "clerk.py").write_text(
            "def right(text):\n    n = int(text.split()[1])\n"
            "    return {'text': 'no' if n % 4 == 0 else f'{n + 100} euros', 'model': f'm{n % 2}'}\n"
        )
        document = fairtrial("run", "--json").document
        assert document["status"] == "reliable"
        assert "several model versions replied: not entered in the history" in document["notes"]
        lines = (here / "logs" / "history.jsonl").read_text().splitlines()
        assert [json.loads(line)["is"] for line in lines] == ["loosening"]


class TestClock:
    def test_it_reaches_the_model_in_its_prompt(self, chat: Any) -> None:
        fairtrial("run")
        system = chat.bodies[0]["messages"][0]["content"]
        assert system == "Be brief. 今天是 2026-11-30T12:00:00Z，{{name}}。"

    @pytest.mark.parametrize("fixed", [True, False])
    def test_it_reaches_a_function(self, here: Path, fixed: bool) -> None:
        write_project(here, run='clock = "2020-02-29T00:00:00+08:00"' if fixed else "", cases=2)
        (here / "clerk.py").write_text("def right(text, clock):\n    return clock\n")
        log = fairtrial("run", "--json").log
        reply = json.loads(log.read_text().splitlines()[1])["record"]["turns"][0]["reply"]
        assert (reply == "2020-02-29T00:00:00+08:00") == fixed
        assert reply.endswith(("Z", "+08:00"))

    def test_it_reaches_an_endpoint_and_a_program(self, here: Path) -> None:
        write_project(here, run='clock = "2020-02-29T00:00:00Z"\ntrials = 1', cases=1)
        text = (here / "fairtrial.toml").read_text("utf-8")
        with serving() as server:
            request = '{ text = "{{text}}", session = "{{session}}", at = "{{clock}}" }'
            agent = f'type = "http"\nurl = "{server.url}"\nrequest = {request}\n'
            told = text.replace('type = "python"\nfunction = "clerk.py:right"\n', agent)
            (here / "fairtrial.toml").write_text(told, "utf-8")
            fairtrial("run")
        assert server.bodies[0]["at"] == "2020-02-29T00:00:00Z"
        program = (
            "import json, sys\n"
            "clock = json.loads(sys.stdin.readline())['clock']\n"
            "for line in sys.stdin:\n"
            "    if json.loads(line)['type'] == 'user':\n"
            "        print(json.dumps({'type': 'reply', 'text': clock}), flush=True)\n"
        )
        (here / "program.py").write_text(program)
        log = fairtrial("run", "--agent", f"command:{sys.executable} program.py", "--json").log
        assert rows(log)[0]["record"]["turns"][0]["reply"] == "2020-02-29T00:00:00Z"


class TestHistory:
    def test_a_line_has_the_fingerprint_and_a_note_says_what_changed(self, project: Path) -> None:
        first = fairtrial("run", "--json").document
        assert first["notes"] == []
        assert fairtrial("run", "--json").document["notes"] == []
        (project / "helper.py").write_text("")
        third = fairtrial("run", "--json").document
        (note,) = third["notes"]
        assert note.startswith("changed since ")
        assert "agent (clerk.py:right; 1 files, no git → clerk.py:right; 2 files, no git)" in note
        lines = [json.loads(line) for line in (project / "logs" / "history.jsonl").read_text().splitlines()]
        assert [line["fingerprint"]["whole"] for line in lines] == [
            first["fingerprint"]["whole"],
            first["fingerprint"]["whole"],
            third["fingerprint"]["whole"],
        ]

    def test_a_jump_says_which_parts_changed(self, project: Path) -> None:
        fairtrial("run")
        found = fairtrial("run", "--agent", "python:clerk.py:worse", "--seed", 3, "--json").document
        jump = next(doubt for doubt in found["doubts"] if doubt["name"] == "jump")
        assert jump["lit"]
        assert jump["meaning"].endswith("; changed since: agent and seeds)")

    def test_settings_of_the_fingerprint_outlive_the_file_they_stood_in(self, project: Path) -> None:
        (project / "prompt.txt").write_text("be kind")
        with (project / "fairtrial.toml").open("a") as file:
            file.write('\n[fingerprint]\nprompt = ["prompt.txt"]\nretrieval_command = ["echo", "v1"]\n')
        log = fairtrial("run", "--json").log
        (project / "fairtrial.toml").unlink()
        assert fairtrial("reproduce", log).code == 0
        (project / "prompt.txt").write_text("be kind!")
        complaint = fairtrial("reproduce", log).complaint
        assert re.search(r"prompt \(prompt.txt #\w{8} → prompt.txt #\w{8}\)", complaint)


class TestResume:
    def test_it_is_refused_where_the_agent_changed(self, project: Path) -> None:
        fairtrial("run", "--max-time", 0.000001)
        agent = (project / "clerk.py").read_text()
        (project / "clerk.py").write_text(agent + "\n# another\n")
        said = fairtrial("run", "--resume")
        assert said.code == 2
        assert "agent (clerk.py:right" in said.complaint
        assert "changed since this run began" in said.complaint
        (project / "clerk.py").write_text(agent)
        assert fairtrial("run", "--resume", "--concurrency", 3, "--max-time", 60).code == 0

    def test_a_part_file_without_fingerprint_goes_on_and_stays_out_of_the_history(
        self, project: Path
    ) -> None:
        fairtrial("run", "--max-time", 0.000001)
        (part,) = (project / "logs").glob("*.part")
        first, *rest = part.read_bytes().splitlines(keepends=True)
        old = json.loads(first) | {"fingerprint": None}
        part.write_bytes(json.dumps(old).encode() + b"\n" + b"".join(rest))
        document = fairtrial("run", "--resume", "--max-time", 60, "--json").document
        assert document["status"] == "reliable"
        assert "no fingerprint: not entered in the history" in document["notes"]
        assert not (project / "logs" / "history.jsonl").exists()


class TestRequireSame:
    @pytest.fixture
    def two(self, project: Path) -> tuple[Header, Header]:
        logs = [fairtrial("run", "--json", "--seed", seed).log for seed in (0, 1)]
        one, other = (read_header(log) for log in logs)
        return one, other

    def test_a_difference_is_refused_until_it_is_named(self, two: tuple[Header, Header]) -> None:
        with pytest.raises(BadInput) as refusal:
            require_same(*two)
        line = str(refusal.value)
        assert "not the same environment: seeds (0 → 1)" in line
        assert "--changed seeds if that is under test; or --force" in line
        with pytest.raises(BadInput, match="--changed agent,seeds"):
            require_same(*two, changed=["agent"])
        named = require_same(*two, changed=["agent,seeds"])
        assert [d.part for d in named if d.known] == ["seeds"]
        assert {d.part for d in named if not d.known} >= {"model", "clock"}
        assert require_same(*two, force=True) == named

    def test_no_fingerprint_no_discussion(self, two: tuple[Header, Header]) -> None:
        bare = msgspec.structs.replace(two[0], fingerprint=None)
        with pytest.raises(BadInput, match="no fingerprint, no discussion"):
            require_same(two[0], bare)
        assert all(not found.known for found in require_same(two[0], bare, force=True))

    def test_unknown_names_are_refused_with_the_nearest(self) -> None:
        with pytest.raises(BadInput, match="'promt'; did you mean `prompt`") as refusal:
            part_names(["agent,promt"])
        assert "retrieval" in str(refusal.value)
        assert part_names(["agent, prompt", "clock"]) == {"agent", "prompt", "clock"}

    def test_another_model_reports_another_name(self) -> None:
        assert part_names(["model"]) == {"model", "reported"}
        assert part_names(["reported"]) == {"reported"}
        differing = [PartDifference(part=name, base="a", candidate="b") for name in ("model", "reported")]
        assert "--changed model if" in str(another_environment(differing, frozenset(), "a, b"))


def test_a_rescored_log_tells_the_rules_it_was_scored_by(project: Path) -> None:
    log = fairtrial("run", "--json").log
    again = fairtrial("rescore", log, "--json").log
    assert parts(again) == parts(log)
    text = (project / "prices.json").read_text()
    (project / "prices.json").write_text(text.replace('"weight": 3', '"weight": 2'))
    other = fairtrial("rescore", log, "--json").log
    assert [name for name in PartName if parts(other)[name] != parts(log)[name]] == ["cases"]


def test_show_prints_it_part_by_part(project: Path) -> None:
    fairtrial("run")
    said = fairtrial("show")
    assert "unknown: not fixed" in said.out
    assert header(next((project / "logs").glob("2*.jsonl")))["fingerprint"]["whole"] in said.out
    assert "未知：" in fairtrial("show", env={"FAIRTRIAL_LANG": "zh"}).out
