"""What a person types wrong is one clear line, and no traceback ever."""

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from commands import fairtrial as command
from commands import write_cases

import fairtrial.app.check


@pytest.mark.parametrize(
    ("words", "what"),
    [
        (("run", "empty"), "empty: no case file in the folder"),
        (("run", "nowhere"), "nowhere: no such file or folder"),
        (("run", "clerk.py"), "clerk.py: not a kind of file that is read"),
        (("run", "LOG"), "a log, not a file of cases"),
        (("check", "LOG"), "a log, not a file of cases"),
        (("run", "--trials", "0"), "--trials"),
        (("run", "--trials", "2.5"), "--trials"),
        (("run", "--concurrency", "0"), "--concurrency"),
        (("run", "--concurrency", "100000"), "`--concurrency` must be at most 1024"),
        (("run", "--timeout", "nan"), "`--timeout` must be a finite number"),
        (("run", "--timeout", "0"), "`--timeout` must be above 0"),
        (("run", "--timeout=-1"), "`--timeout` must be above 0"),
        (("run", "--max-time", "inf"), "`--max-time` must be a finite number"),
        (("run", "--max-cost", "0"), "`--max-cost` must be above 0"),
        (("run", "--seed=-1"), "--seed"),
        (("run", "--seed", str(2**70)), "--seed"),
        (("run", "--limit", "0"), "--limit"),
        (("run", "--out", "clerk.py"), "clerk.py: the folder of the logs is a file"),
        (("run", "--golden", "nowhere.json"), "nowhere.json: no file of golden samples"),
        (("run", "--golden", "empty"), "no file of golden samples"),
        (("run", "--resume"), "there is no unfinished run here"),
        (("run", "--resume", "a.part", "b.part"), "it is fixed since the run began"),
        (("show", "price-1"), "there is no finished log"),
        (("show", "--trial", "0"), "--trial"),
        (("show", "--sample", "0"), "--sample"),
        (("ask", "hi", "--timeout", "nan"), "--timeout"),
        (("rescore", "prices.json"), "none of the known formats"),
        (("rescore", "LOG", "--cases", "nowhere.json"), "nowhere.json: no such file or folder"),
    ],
)
def test_one_clear_line_and_exit_code_2(project: Path, words: tuple[str, ...], what: str) -> None:
    (project / "empty").mkdir()
    log = ""
    if "LOG" in words:
        log = str(a_log())
    given = [log if word == "LOG" else word for word in words]
    said = command(*given)
    assert said.code == 2
    assert what in said.complaint
    assert said.out == ""
    refused = command(*given, "--json")
    assert refused.code == 2
    assert refused.document["status"] == "refused"
    assert refused.document["error"]["what"]


@pytest.mark.parametrize(
    ("words", "of", "en", "zh"),
    [
        ("compare --changed", "compare ", "'--changed' requires an argument", "选项 '--changed' 需要一个值"),
        ("run --json=3", "run ", "'--json' does not take a value", "选项 '--json' 不带值"),
        (
            "run --limt 3",
            "run ",
            "--limt (Possible options: --limit",
            "没有这个选项：--limt（相近的有：--limit",
        ),
        (
            "compar",
            "",
            "'compar'. Did you mean 'compare', 'mark'?",
            "'compar'（相近的有：'compare', 'mark'）",
        ),
        ("ask", "ask ", "Missing argument 'text'", "缺少参数 'text'"),
        ("import x.csv", "import ", "Missing option '--output' / '-o'", "缺少选项 '--output' / '-o'"),
        ("compare a b c d", "compare ", "unexpected extra argument(s) (c d)", "多余的参数：c d"),
        ("run --trials x", "run ", "'--trials': Input should be", "'--trials' 的值无效：应为整数 ("),
        ("run --timeout x", "run ", "'--timeout': Input should be", "'--timeout' 的值无效：应为数字 ("),
        ("run --limit 0", "run ", "greater than or equal to 1", "'--limit' 的值无效：不得小于 1"),
        ("run --minimum 2", "run ", "less than or equal to 1", "'--minimum' 的值无效：不得大于 1"),
        (
            "run --mode x",
            "run ",
            "'--mode': 'x' is not one of 'full', 'quick'",
            "'x' 不在可选值 'full', 'quick' 之中",
        ),
        ("cases accept", "cases accept ", "Missing argument 'ID...'", "缺少参数 'ID...'"),
        ("seal draw --who a --share 150%", "seal draw ", "'150%' is no share", "'150%' 不是份额"),
        ("--bla", "", "No such option: --bla", "没有这个选项：--bla"),
    ],
)
def test_a_wrong_option_is_told_in_the_readers_language_with_the_help_of_its_command(
    here: Path, words: str, of: str, en: str, zh: str
) -> None:
    for language, told in (("en", en), ("zh", zh)):
        said = command(*words.split(), env={"FAIRTRIAL_LANG": language})
        assert said.code == 2
        assert told in said.complaint
        assert said.complaint.endswith(f" (fairtrial {of}--help)")


def a_log() -> Path:
    return command("run", "--json", "--trials", 1).log


def one_line(done: "subprocess.CompletedProcess[str]") -> str:
    assert "Traceback" not in done.stderr
    return [line for line in done.stderr.splitlines() if line.startswith("fairtrial: ")][-1]


def test_a_folder_that_can_not_be_written(project: Path) -> None:
    said = command("run", "--json", "--out", "/proc/no/logs")
    assert said.code == 4
    assert said.complaint.startswith("fairtrial: /proc/no/logs: cannot open for writing: ")
    assert said.document["status"] == "refused"
    log = a_log()
    again = command("rescore", log, "-o", "/proc/no.jsonl")
    assert again.code == 4
    assert again.complaint.startswith("fairtrial: /proc/no.jsonl: cannot write the file: ")


def test_logs_in_a_folder_of_cases_are_no_cases(here: Path) -> None:
    write_cases(here / "prices.json")
    words = ("--agent", "null:echo", "--trials", 1, "--json")
    first = command("run", ".", *words)
    assert first.log.parent == here / "logs"
    again = command("run", ".", *words)
    assert again.document["counts"] == first.document["counts"]
    assert command("check", ".").code == 0
    assert command("rescore", "--json").document["counts"] == first.document["counts"]


def test_a_full_disk_stops_and_what_is_done_is_kept(project: Path) -> None:
    def small() -> None:
        import resource

        resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))

    words = [sys.executable, "-m", "fairtrial", "run"]
    done = subprocess.run(words, capture_output=True, text=True, check=False, preexec_fn=small)
    assert done.returncode == 4
    line = one_line(done)
    assert "cannot write: File too large" in line
    assert "fairtrial run --resume" in line
    end = subprocess.run([*words, "--resume", "--json"], capture_output=True, text=True, check=True)
    assert json.loads(end.stdout)["counts"]["scored"] == 72


def test_a_full_stdout_and_a_closed_one(project: Path) -> None:
    command("run", "--trials", 1)
    script = f"{sys.executable} -m fairtrial show --all --json"
    full = subprocess.run(f"{script} > /dev/full", shell=True, capture_output=True, text=True, check=False)
    assert full.returncode == 4
    assert full.stderr.splitlines() == ["fairtrial: No space left on device"]
    closed = subprocess.run(
        f"{sys.executable} -m fairtrial show --all | true",
        shell=True,
        capture_output=True,
        text=True,
        check=False,
    )
    assert closed.stderr == ""


@pytest.mark.parametrize(("words", "code"), [("run --limit 2", 3), ("check nowhere.json", 2), ("show", 0)])
@pytest.mark.parametrize("pipe", ["|", "2>&1 |"])
def test_a_reader_that_leaves_takes_nothing_from_the_verdict(
    project: Path, words: str, code: int, pipe: str
) -> None:
    command("run", "--trials", 1)
    script = f"{sys.executable} -m fairtrial {words} {pipe} true; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=False)
    assert done.returncode == code
    assert "BrokenPipe" not in done.stderr
    assert len(list((project / "logs").glob("2*.jsonl"))) == 1 + words.startswith("run")


def test_programs_that_an_agent_starts_do_not_write_on_stdout(project: Path) -> None:
    (project / "clerk.py").write_text(
        "import os\ndef right(text):\n    os.system('echo from a program')\n    return '100'\n"
    )
    words = [sys.executable, "-m", "fairtrial", "ask", "hi", "--json"]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout)["status"] == "completed"
    assert "from a program" in done.stderr


def test_an_interrupted_question_leaves_quietly(project: Path) -> None:
    (project / "clerk.py").write_text(
        "import time\ndef right(text):\n    open('asked', 'w').close()\n    time.sleep(60)\n"
    )
    words = [sys.executable, "-m", "fairtrial", "ask", "hi"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        while not (project / "asked").exists() and process.poll() is None:
            pass
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=30)
    assert process.returncode == 130
    assert err.splitlines() == ["fairtrial: interrupted"]


def test_a_fault_of_ours_is_one_line_unless_it_is_looked_for(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError("oh\nno")

    monkeypatch.setattr(fairtrial.app.check, "check", broken)
    said = command("check", "--json", env={"FAIRTRIAL_DEBUG": ""})
    assert said.code == 4
    assert said.complaint.startswith("fairtrial: internal error: ZeroDivisionError: oh no (please report")
    assert said.document["status"] == "refused"
    with pytest.raises(ZeroDivisionError):
        command("check", env={"FAIRTRIAL_DEBUG": "1"})
