"""The small doors: ask, init, import, help, version, completion."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from commands import fairtrial, rows
from fake_server import FakeServer, say
from served import serving

COMMANDS = ("init", "ask", "check", "run", "show", "mark", "rescore", "import")
FAKE_AGENT = Path(__file__).parent.parent / "fakes" / "fake_agent.py"


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeServer]:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test")
    with serving() as started:
        yield started


def test_lines_in_a_pipe_end_without_the_blanks_that_fill_a_table(project: Path) -> None:
    logs = [fairtrial("run", "--json", "--trials", 1).log for _ in range(2)]
    for words in (("show", logs[0]), ("compare", *logs), ("audit", *logs), ("power", logs[0])):
        out = fairtrial(*words).out
        assert out
        assert [line for line in out.splitlines() if line != line.rstrip()] == [], words


class TestAsk:
    """One message, to see what comes back."""

    @pytest.mark.parametrize(
        "spec",
        [
            "python:clerk.py:right",
            "python:fake_agent:AsyncFakeAgent",
            f"command:{sys.executable} {FAKE_AGENT}",
            "{url}/chat",
            "openai:fake@{url}",
            "replay:LOG",
            "null:echo",
        ],
    )
    def test_each_kind_of_agent(self, project: Path, server: FakeServer, spec: str) -> None:
        if spec == "replay:LOG":
            log = fairtrial("run", "--json", "--trials", 1, "--limit", 1, "--agent", "null:echo").log
            said = fairtrial("run", "--json", "--trials", 1, "--limit", 1, "--agent", f"replay:{log}")
            assert rows(said.log)[0]["record"]["turns"][0]["reply"] == "item 0 please, what is its price?"
            return
        said = fairtrial("ask", "item 1 of 你好", "--agent", spec.format(url=server.url))
        assert said.code == 0
        assert said.out.startswith("user   item 1 of 你好\nagent  ")
        assert said.err == ""

    def test_several_texts_are_the_turns_of_one_session(self, here: Path) -> None:
        said = fairtrial("ask", "one", "two", "--agent", "python:fake_agent:AsyncFakeAgent", "--json")
        document = said.document
        assert document["status"] == "completed"
        assert [turn["reply"] for turn in document["record"]["turns"]] == ["1: one", "2: two"]
        assert document["record"]["turns"][0]["usage"] is None

    def test_a_failure_is_shown_and_could_not_run(self, here: Path) -> None:
        said = fairtrial("ask", "!fail", "--agent", "python:fake_agent:AsyncFakeAgent")
        assert said.code == 4
        assert "agent_error" in said.out
        slow = fairtrial(
            "ask", "!hang", "--agent", "python:fake_agent:AsyncFakeAgent", "--timeout", 0.05, "--json"
        )
        assert slow.code == 4
        assert slow.document["status"] == "timeout"

    def test_what_is_known_of_model_and_tokens(self, here: Path, server: FakeServer) -> None:
        server.script(say("hello"))
        said = fairtrial("ask", "hi", "--agent", f"openai:fake@{server.url}")
        assert "fake-1" in said.out
        assert "tokens 10 + 5" in said.out

    @pytest.mark.parametrize(
        ("spec", "what"),
        [
            (None, "no agent named"),
            ("teapot:brew", "unknown kind of agent `teapot`"),
            ("python:nowhere:fn", "cannot be imported"),
            ("python:clerk.py:nobody", "no file"),
            ("command:no-such-program-here", "no-such-program-here"),
            ("null:void", "null:void"),
            ("replay:nowhere.jsonl", "nowhere.jsonl"),
            ("http://", "http://"),
        ],
    )
    def test_no_agent_or_none_such(self, here: Path, spec: str | None, what: str) -> None:
        said = fairtrial("ask", "hi", *(["--agent", spec] if spec else []))
        assert said.code == 2
        assert what in said.complaint

    def test_an_unset_secret_could_not_run(self, here: Path) -> None:
        (here / "fairtrial.toml").write_text(
            '[agent]\ntype = "http"\nurl = "http://127.0.0.1:9/"\nheaders = { key = "${NO_SUCH_SECRET}" }\n'
        )
        said = fairtrial("ask", "hi")
        assert said.code == 4
        assert "NO_SUCH_SECRET" in said.complaint


class TestInit:
    """A project that works as it is."""

    def test_run_gives_a_reliable_round(self, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        said = fairtrial("init", "new")
        assert said.code == 0
        assert said.out.splitlines()[-1] == "next: cd new && fairtrial run"
        names = {path.name for path in (here / "new").iterdir()}
        assert names == {
            "fairtrial.toml",
            "problems.json",
            "golden.json",
            "agent.py",
            "ci-step.yml",
            ".gitignore",
        }
        monkeypatch.chdir(here / "new")
        checked = fairtrial("check", "--null", "--json").document
        assert checked["status"] == "ok"
        assert checked["golden"] == 5
        assert not any(remark["severity"] == "hint" for remark in checked["remarks"])
        run = fairtrial("run", "--json", "--trials", 1)
        assert run.code == 0
        assert run.document["status"] == "reliable"
        assert (here / "new" / "logs" / "history.jsonl").exists()
        assert "logs/" in (here / "new" / ".gitignore").read_text().splitlines()

    def test_nothing_is_overwritten(self, here: Path) -> None:
        (here / "agent.py").write_text("mine")
        said = fairtrial("init")
        assert said.code == 2
        assert "already there: agent.py" in said.complaint
        assert [path.name for path in here.iterdir()] == ["agent.py"]
        assert fairtrial("init", "new", "--json").document["status"] == "written"
        again = fairtrial("init", "new", "--json")
        assert again.code == 2
        assert again.document["status"] == "refused"

    def test_where_nothing_can_be_written(self, here: Path) -> None:
        (here / "file").write_text("")
        said = fairtrial("init", "file/new")
        assert said.code == 4
        assert "Not a directory" in said.complaint


class TestImport:
    """What another tool measured."""

    def test_the_figures_of_real_runs(self, here: Path, shared_data: Path) -> None:
        runs = shared_data / "tau_bench_airline_gpt4o" / "gpt-4o-airline.json.gz"
        said = fairtrial("import", "tau-bench", runs, "-o", "tau.jsonl", "--json")
        assert said.code == 0
        shown = fairtrial("show", "tau.jsonl", "--json").document
        assert {k: round(v, 3) for k, v in shown["pass_hat_k"].items()} == {
            "1": 0.42, "2": 0.273, "3": 0.22, "4": 0.2,
        }  # fmt: skip
        assert shown["counts"]["planned"] == 200
        text = fairtrial("show", "tau.jsonl").out
        figures = dict(line.split() for line in text.splitlines() if line.strip().startswith("pass^"))
        assert list(figures.values()) == ["0.420", "0.273", "0.220", "0.200"]
        case = rows(here / "tau.jsonl")[0]["record"]["case"]
        whole = fairtrial("show", "tau.jsonl", case, "--trial", 1)
        assert whole.code == 0
        assert "agent  " in whole.out
        assert fairtrial("rescore", "tau.jsonl").code == 2
        assert fairtrial("mark", "tau.jsonl", case, "--scorer-wrong").code == 2
        assert fairtrial("mark", "tau.jsonl", case, "--case-wrong").code == 0
        again = fairtrial("import", "tau-bench", runs, "-o", "tau.jsonl")
        assert again.code == 2
        assert "there is such a file already" in again.complaint

    def test_what_is_no_such_file(self, here: Path) -> None:
        (here / "x.json").write_text("{}")
        for words in (("tau-bench", "nowhere.json"), ("tau-bench", "x.json"), ("langfuse", "x.json")):
            said = fairtrial("import", *words, "-o", "log.jsonl")
            assert said.code == 2
            assert said.complaint.startswith("fairtrial: ")
            assert not (here / "log.jsonl").exists()


class TestRoot:
    """The command itself."""

    def test_version_and_help(self) -> None:
        assert fairtrial("--version").out.startswith("fairtrial 0.")
        out = fairtrial("--help").out
        assert all(command in out for command in COMMANDS)
        for code in ("0 fine", "1 below what was asked", "2 bad input", "3 unreliable", "4 could not run"):
            assert code in " ".join(out.split())
        assert fairtrial().out == out

    @pytest.mark.parametrize("command", COMMANDS)
    def test_help_of_each_command(self, command: str) -> None:
        said = fairtrial(command, "--help")
        assert said.code == 0
        assert f"Usage: fairtrial {command}" in said.out.replace("root", "fairtrial")
        assert "--json" in said.out

    @pytest.mark.parametrize(
        "words",
        [("--nope",), ("run", "--nope"), ("nope",), ("ask",), ("import", "x"), ("run", "--mode", "slow")],
    )
    def test_what_does_not_exist_is_bad_input(self, words: tuple[str, ...]) -> None:
        said = fairtrial(*words)
        assert said.code == 2
        assert said.out == ""
        assert said.complaint.endswith("--help)")
        document = fairtrial(*words, "--json")
        assert document.code == 2
        assert document.document["status"] == "refused"

    def test_completion(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION", "1")
        said = fairtrial("--show-completion", "bash")
        assert said.code == 0
        assert "_FAIRTRIAL_COMPLETE" in said.out.replace("_ROOT_", "_FAIRTRIAL_")

    def test_nothing_heavy_is_imported_before_it_is_needed(self, project: Path) -> None:
        script = (
            "import sys\nfrom fairtrial.cli.main import main\n"
            "try:\n    main()\nexcept SystemExit as end:\n    code = end.code\n"
            "json = __import__('json')\n"
            "sys.stderr.write('\\n' + json.dumps([code, [m for m in {names} if m in sys.modules]]))\n"
        )

        def loaded(names: list[str], *words: str) -> list[str]:
            done = subprocess.run(
                [sys.executable, "-c", script.replace("{names}", repr(names)), *words],
                capture_output=True, text=True, check=True, env=os.environ | {"COLUMNS": "80"},
            )  # fmt: skip
            code, found = json.loads(done.stderr.splitlines()[-1])
            assert code == 0, done.stderr
            return list(found)

        heavy = ["scipy", "numpy", "pandas", "opencc"]
        assert loaded(heavy, "run", "--json") == []
        assert loaded([*heavy, "aiohttp", "rjieba", "pydantic", "jsonschema_rs", "rich"], "--help") == []
