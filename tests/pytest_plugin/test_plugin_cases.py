"""Cases as tests: what they are called, when they pass, what is said where they do not, and the whole set."""

import re
import sys
from pathlib import Path

import pytest

from fairtrial.records.log import read_header, read_rows

FAIRTRIAL = Path(sys.executable).with_name("fairtrial")
HARD = """
- {id: 硬币, input: toss, expect: [{rule: contains, text: heads}]}
"""


def log_of(project: pytest.Pytester) -> Path:
    [log] = (project.path / "logs").glob("*.jsonl")
    return log


def test_each_case_is_a_test_called_like_it(project: pytest.Pytester) -> None:
    project.makepyfile(
        """
        import pytest

        @pytest.mark.fairtrial(cases="cases/*.yaml", trials=2)
        def test_shop():
            pass

        @pytest.mark.fairtrial(cases=["cases/shop.yaml"], trials=1)
        def test_more(examined):
            assert examined.case.id in ("退款-一", "en-hello")
            assert examined.passes == (True,) and examined.passed == 1
            assert examined.records[0].reply and examined.scores[0].value == 1.0
        """
    )
    result = project.runpytest("-v")
    result.assert_outcomes(passed=4)
    result.stdout.fnmatch_lines(
        [
            "*::test_shop[[]退款-一] PASSED*",
            "*::test_shop[[]en-hello] PASSED*",
            "*::test_shop[[]set]: cases 2, sessions 4, scored 4, no answer 0; total *",
            "UNRELIABLE: these figures prove nothing (few_cases*",
            "● few_cases  2  (line: 20)",
            "log: logs/*.jsonl",
        ]
    )
    log = log_of(project)
    rows = [(row.record.case, row.record.trial) for row in read_rows(log)]
    assert rows == [(case, trial) for case in ("退款-一", "en-hello") for trial in (0, 1)] + [
        ("退款-一", 2),
        ("en-hello", 2),
    ]
    assert len({row.record.seed for row in read_rows(log)}) == 6
    header = read_header(log)
    assert (header.mode, header.status, header.mark) == ("full", "unreliable", "UNRELIABLE")
    assert header.fingerprint is not None
    assert header.summary is not None
    assert header.summary.counts.planned == 6


def test_a_case_that_fails_says_why_and_where_to_look(project: pytest.Pytester) -> None:
    (project.path / "cases" / "bad.yaml").write_text(
        "- {id: bad, input: 退款 JD2, expect: [{rule: contains, text: 不行}]}\n", encoding="utf-8"
    )
    project.makepyfile(
        """
        import pytest

        @pytest.mark.fairtrial(cases="cases/bad.yaml")
        def test_bad():
            pass

        @pytest.mark.xfail(strict=True, reason="known")
        @pytest.mark.fairtrial(cases="cases/bad.yaml")
        def test_known():
            pass
        """
    )
    result = project.runpytest()
    result.assert_outcomes(failed=1, xfailed=1)
    result.stdout.fnmatch_lines(
        [
            "bad: 0 of 3 trials passed, 3 needed",
            "*bad, trial 1: completed*",
            "user   退款 JD2",
            "agent  已为您退款 JD2",
            "  ✗ contains*does not say: *不行*",
            "look at it: fairtrial show logs/*.jsonl bad",
        ]
    )
    assert "pytest_fairtrial.py" not in result.stdout.str()


def test_so_many_of_so_many_trials_must_pass(project: pytest.Pytester) -> None:
    """The toss gives heads for odd seeds; of the run's first six, some are odd and some are even."""
    (project.path / "cases" / "coin.yaml").write_text(HARD, encoding="utf-8")
    project.makepyfile(
        """
        import pytest

        @pytest.mark.fairtrial(cases="cases/coin.yaml", passes="1 of 6")
        def test_some(examined):
            assert len(examined.records) == 6 and 1 <= examined.passed < 6

        @pytest.mark.fairtrial(cases="cases/coin.yaml", passes="6 of 6")
        def test_all():
            pass
        """
    )
    project.runpytest().assert_outcomes(passed=1, failed=1)


def test_a_case_may_say_itself_what_it_takes(project: pytest.Pytester) -> None:
    (project.path / "cases" / "coin.yaml").write_text(
        HARD.replace("硬币,", "硬币, passes: 1 of 6,"), encoding="utf-8"
    )
    project.makepyfile(
        """
        import pytest

        @pytest.mark.fairtrial(cases="cases/coin.yaml", passes="3 of 3")
        def test_some(examined):
            assert (examined.need, len(examined.records)) == (1, 6)
        """
    )
    project.runpytest().assert_outcomes(passed=1)


def test_what_gave_no_answer_decides_only_where_it_could_not_matter(project: pytest.Pytester) -> None:
    (project.path / "cases" / "busy.yaml").write_text(
        "- {id: busy, input: busy, expect: [{rule: contains, text: x}]}\n", encoding="utf-8"
    )
    project.makepyfile(
        """
        import pytest

        @pytest.mark.fairtrial(cases="cases/*.yaml")
        def test_shop():
            pass
        """
    )
    result = project.runpytest("--junitxml=out.xml")
    result.stdout.fnmatch_lines(
        [
            "NO ANSWER *[[]busy] - no answer: rate_limited 3 (*429*",
            "*test_shop[[]set]: *no answer 3;*FAILED: too many sessions gave no answer",
            "FAILED *::test_shop[[]set]*",
            "*1 failed, 2 passed, 1 no answer*",
        ]
    )
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    report = (project.path / "out.xml").read_text(encoding="utf-8")
    assert 'name="test_shop[set]"' in report
    assert re.search(r'<testsuite [^>]*failures="1" skipped="1" tests="4"', report)


@pytest.mark.parametrize(
    ("argument", "says"),
    [
        ("minimum=0.999", "below the minimum: the total is 0.*, at least 0.999 was asked for"),
        ("reliable=True", "UNRELIABLE: these figures prove nothing (few_cases*)"),
    ],
)
def test_a_set_is_judged_as_a_whole_where_that_is_asked(
    project: pytest.Pytester, argument: str, says: str
) -> None:
    project.makepyfile(
        f"""
        import pytest

        @pytest.mark.fairtrial(cases="cases/*.yaml", {argument})
        def test_shop():
            pass
        """
    )
    result = project.runpytest("-v")
    result.assert_outcomes(passed=2, failed=1)
    result.stdout.fnmatch_lines([says, "FAILED *::test_shop[[]set]*"])


def test_a_set_that_reaches_its_minimum_is_a_test_that_passed(project: pytest.Pytester) -> None:
    project.makepyfile(
        """
        import pytest

        @pytest.mark.fairtrial(cases="cases/*.yaml", minimum=0.3)
        def test_shop():
            pass
        """
    )
    project.runpytest("-v").assert_outcomes(passed=3)


def test_a_probed_case_is_a_test_beside_its_own(project: pytest.Pytester) -> None:
    project.mkdir("probes")
    (project.path / "probes" / "hurry.py").write_text(
        """
from fairtrial.schema.disturbance import Edit
from fairtrial.sessions.probes.probe import Disturbed, Probe, Unfit

class Hurry(Probe):
    name = "hurry"
    intent = "a user in a hurry"

    def disturb(self, case, intensity, draw, others):
        if "hello" in case.input[0]:
            raise Unfit("a greeting takes no time")
        return Disturbed(steps=(Edit(do="edit", turn=0, start=0, end=0, text="快点！" * intensity),))
""",
        encoding="utf-8",
    )
    project.makepyfile(
        """
        import pytest

        @pytest.mark.fairtrial(cases="cases/*.yaml", probes=["probes/hurry.py:Hurry@2"])
        def test_shop(examined):
            if "~" in examined.case.id:
                assert examined.records[0].turns[0].user == "快点！快点！我要退款 JD1111"
        """
    )
    result = project.runpytest("-v", "-rs")
    result.assert_outcomes(passed=3, skipped=1)
    result.stdout.fnmatch_lines(
        ["*::test_shop[[]退款-一~hurry@2] PASSED*", "SKIPPED*a greeting takes no time"]
    )


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ('cases="none/*.yaml"', "test_it: cases='none/[*].yaml': no file fits the pattern (*"),
        ('cases="none.yaml"', "*none.yaml: no such file or folder*"),
        ('cases="cases/*.yaml", probes=["typoes"]', "test_it: probes='typoes': *typos*"),
        ('cases="cases/*.yaml", passes="11 of 10"', "test_it: `passes` is like \"8 of 10\", not '11 of 10'"),
        ('cases="cases/*.yaml", passes="most"', "test_it: `passes` is like \"8 of 10\", not 'most'"),
        ('cases="cases/*.yaml", passes="8 of 10", trials=3', "test_it: 3 trials, and passes is '8 of 10'*"),
        ('cases="cases/*.yaml", trials=0', "test_it: `trials` must be at least 1, not 0"),
        ('cases="cases/*.yaml", trys=3', "test_it: `trys` is not a setting"),
        ('"cases/*.yaml"', "test_it: its arguments have names*"),
        ("", "test_it: `cases` is missing"),
        ('cases="broken.yaml"', "*broken.yaml:1: *"),
    ],
)
def test_bad_input_is_one_line_and_nothing_is_called(
    project: pytest.Pytester, arguments: str, says: str
) -> None:
    (project.path / "broken.yaml").write_text("- {id: a, input: hi, expect: [{rule: nonsense}]}\n")
    project.makepyfile(
        f"""
        import pytest

        @pytest.mark.fairtrial({arguments})
        def test_it():
            pass
        """
    )
    result = project.runpytest()
    assert result.ret == pytest.ExitCode.INTERRUPTED
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines([f"*{says}"])
    assert "Traceback" not in result.stdout.str()
    assert not (project.path / "logs").exists()


def test_a_run_that_stops_keeps_what_was_asked_and_decides_nothing(project: pytest.Pytester) -> None:
    project.makepyfile(
        """
        import pytest

        @pytest.mark.fairtrial(cases="cases/*.yaml", trials=1, minimum=1.0)
        def test_shop(examined):
            assert 0
        """
    )
    result = project.runpytest("-x")
    result.assert_outcomes(failed=1)
    assert "[set]" not in result.stdout.str().partition("short test summary")[2]
    assert len(list(read_rows(log_of(project)))) == 1
    header = read_header(log_of(project))
    assert header.summary is not None
    assert header.summary.counts.planned == 1


def test_workers_share_a_cap_and_a_log(project: pytest.Pytester) -> None:
    project.makeconftest(
        """
        import pytest

        @pytest.fixture(scope="session")
        def fairtrial_agent():
            return "python:counting.py:Agent"
        """
    )
    (project.path / "counting.py").write_text(
        """
import os, time, pathlib

class Agent:
    def __call__(self, text):
        with open("seen", "a") as file:
            file.write("+")
        time.sleep(0.05)
        with open("seen", "a") as file:
            file.write("-")
        return "heard 退款 JD1111"
""",
        encoding="utf-8",
    )
    (project.path / "cases" / "shop.yaml").write_text(
        "".join(f"- {{id: 例{n}, input: hi, expect: [{{rule: contains, text: heard}}]}}\n" for n in range(6)),
        encoding="utf-8",
    )
    project.makepyfile(
        """
        import pytest

        @pytest.mark.fairtrial(cases="cases/*.yaml", trials=4, minimum=0.5)
        def test_shop():
            pass
        """
    )
    result = project.runpytest_subprocess(
        "-n", "2", "--junitxml=out.xml", "-o", "fairtrial_concurrency=2", "-p", "no:asyncio"
    )
    result.assert_outcomes(passed=7)
    result.stdout.fnmatch_lines(["*test_shop[[]set]: cases 6, sessions 24, scored 24, no answer 0;*"])
    rows = [(row.record.case, row.record.trial) for row in read_rows(log_of(project))]
    assert rows == [(f"例{n}", trial) for n in range(6) for trial in range(4)]
    report = (project.path / "out.xml").read_text(encoding="utf-8")
    assert report.count("<testcase") == 7
    assert 'name="test_shop[例0]"' in report
    assert 'name="test_shop[set]"' in report
    at_once = most = 0
    for sign in (project.path / "seen").read_text():
        at_once += 1 if sign == "+" else -1
        most = max(most, at_once)
    assert most == 2


def test_a_worker_that_dies_holds_no_place_and_loses_no_row(project: pytest.Pytester) -> None:
    (project.path / "cases" / "more.yaml").write_text(
        "".join(
            f"- {{id: more{n}, input: hi, expect: [{{rule: contains, text: heard}}]}}\n" for n in range(4)
        ),
        encoding="utf-8",
    )
    project.makepyfile(
        """
        import os, signal
        import pytest, pytest_fairtrial

        @pytest.mark.fairtrial(cases="cases/*.yaml", trials=2)
        def test_shop(examined, request):
            if examined.case.id == "more1":
                room = request.config.stash[pytest_fairtrial._RUN].room()
                place = room.cap.place()
                room.run(place.__aenter__())
                os.kill(os.getpid(), signal.SIGKILL)
        """
    )
    result = project.runpytest_subprocess("-n", "2", "-o", "fairtrial_concurrency=1", "-p", "no:asyncio")
    result.assert_outcomes(passed=5, failed=1)
    assert len(list(read_rows(log_of(project)))) == 12


def test_what_is_asked_lies_beside_the_logs_from_the_first_session_on(project: pytest.Pytester) -> None:
    """Nobody makes the log where the whole run is killed: `show` then reads the part file."""
    project.makepyfile(
        """
        import os, signal
        import pytest

        @pytest.mark.fairtrial(cases="cases/*.yaml", trials=2)
        def test_shop(examined):
            if examined.case.id == "en-hello":
                os.kill(os.getpid(), signal.SIGKILL)
        """
    )
    project.runpytest_subprocess("-p", "no:asyncio")
    [part] = (project.path / "logs").iterdir()
    assert part.name.endswith(".jsonl.part")
    assert [row.record.case for row in read_rows(part)] == ["退款-一"] * 2 + ["en-hello"] * 2
    shown = project.run(FAIRTRIAL, "show", str(part))
    shown.stdout.fnmatch_lines(["*sessions: 4 planned, 4 scored, 0 errored*"])
    resumed = project.run(FAIRTRIAL, "run", "--resume", str(part))
    resumed.stderr.fnmatch_lines(["*pytest began it*"])


def test_a_row_written_by_half_is_cut_off_by_the_next_process(project: pytest.Pytester) -> None:
    project.makepyfile(
        """
        import pathlib
        import pytest

        @pytest.mark.fairtrial(cases="cases/*.yaml", trials=1)
        def test_shop(examined):
            if examined.case.id == "退款-一":
                [part] = pathlib.Path("logs").iterdir()
                with part.open("ab") as file:
                    file.write('{"record": "半'.encode())
        """
    )
    project.runpytest().assert_outcomes(passed=2)
    assert [row.record.case for row in read_rows(log_of(project))] == ["退款-一", "en-hello"]


def test_a_run_that_is_interrupted_keeps_rows_and_judges_no_set(project: pytest.Pytester) -> None:
    project.makepyfile(
        """
        import pytest

        @pytest.mark.fairtrial(cases="cases/*.yaml", trials=2, minimum=1.0)
        def test_shop(examined):
            if examined.case.id == "en-hello":
                raise KeyboardInterrupt
        """
    )
    result = project.runpytest_subprocess("-p", "no:asyncio")
    assert result.ret == pytest.ExitCode.INTERRUPTED
    result.stdout.fnmatch_lines(["*test_shop[[]set]: cases 2, sessions 4, *"])
    result.stdout.no_fnmatch_line("*FAILED*")
    assert len(list(read_rows(log_of(project)))) == 4


def test_a_worker_that_is_stopped_by_anothers_failure_loses_no_row(project: pytest.Pytester) -> None:
    project.makepyfile(
        """
        import time
        import pytest

        @pytest.mark.fairtrial(cases="cases/*.yaml", trials=1)
        def test_shop(examined):
            time.sleep(0.3)
            assert examined.case.id != "退款-一"
        """
    )
    result = project.runpytest_subprocess("-n", "2", "-x", "-p", "no:asyncio")
    assert result.ret != 0
    assert len(list(read_rows(log_of(project)))) == 2
    assert [path.suffix for path in (project.path / "logs").iterdir()] == [".jsonl"]


def test_the_cases_own_trials_are_scored_anew_without_the_probed_ones(project: pytest.Pytester) -> None:
    project.makepyfile(
        """
        import pytest

        @pytest.mark.fairtrial(cases="cases/*.yaml", trials=2, probes=["emotion@1"])
        def test_shop(examined):
            pass
        """
    )
    project.runpytest("-k", "退款").assert_outcomes(passed=2)
    before = log_of(project)
    assert len(list(read_rows(before))) == 4
    project.run(FAIRTRIAL, "rescore", str(before), "-o", "again.jsonl")
    again = project.path / "again.jsonl"
    assert [row.record.case for row in read_rows(again)] == ["退款-一"] * 2
    header = read_header(again)
    assert any("disturbed by probes are left out: 1" in note for note in header.notes)
    assert header.summary is not None
    assert (header.summary.counts.planned, header.summary.counts.scored) == (2, 2)

    before.unlink()
    project.runpytest("-k", "emotion and 退款").assert_outcomes(passed=1)
    refused = project.run(FAIRTRIAL, "rescore", str(log_of(project)), "-o", "none.jsonl")
    assert refused.ret == 2
    refused.stderr.fnmatch_lines(["*all its cases were disturbed by probes*"])


def test_no_answer_is_told_of_the_test_and_not_of_the_plugin(project: pytest.Pytester) -> None:
    (project.path / "cases" / "busy.yaml").write_text(
        "- {id: 忙, input: busy, expect: [{rule: contains, text: x}]}\n", encoding="utf-8"
    )
    project.makepyfile(
        """
        import pytest

        @pytest.mark.xfail(strict=True)
        @pytest.mark.fairtrial(cases="cases/busy.yaml", trials=1)
        def test_shop():
            pass
        """
    )
    result = project.runpytest("--junitxml=out.xml")
    result.stdout.fnmatch_lines(["*1 failed, 1 no answer*"])
    report = (project.path / "out.xml").read_text(encoding="utf-8")
    assert 'name="test_shop[忙]"' in report
    assert "pytest_fairtrial.py" not in report


def test_other_parameters_are_refused_by_name(project: pytest.Pytester) -> None:
    project.makepyfile(
        """
        import pytest

        @pytest.mark.parametrize("x", [1, 2])
        @pytest.mark.fairtrial(cases="cases/*.yaml")
        def test_it(x):
            pass
        """
    )
    result = project.runpytest()
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*::test_it: marked fairtrial, *"])


def test_a_case_of_an_async_test_is_asked_first(project: pytest.Pytester) -> None:
    project.makepyfile(
        """
        import pytest

        @pytest.mark.asyncio
        @pytest.mark.fairtrial(cases="cases/*.yaml", trials=1)
        async def test_it(examined, agent_session):
            assert examined.passed == 1
            assert agent_session.send("hello").answer == "heard 1"
        """
    )
    project.runpytest().assert_outcomes(passed=2)


@pytest.mark.parametrize("chosen", [("-k", "退款-一"), ("test_part.py::test_shop[退款-一]",)])
def test_of_a_part_of_a_set_no_total_is_asked(project: pytest.Pytester, chosen: tuple[str, ...]) -> None:
    project.makepyfile(
        test_part="""
        import pytest

        @pytest.mark.fairtrial(cases="cases/*.yaml", minimum=0.999, reliable=True)
        def test_shop():
            pass
        """
    )
    result = project.runpytest(*chosen)
    result.assert_outcomes(passed=1, deselected=len(chosen) - 1)
    result.stdout.fnmatch_lines(["*test_shop[[]set]: cases 1, sessions 3, *"])
    result.stdout.no_fnmatch_line("*FAILED*")


def test_a_set_of_which_nothing_was_asked_has_no_figures(project: pytest.Pytester) -> None:
    project.makepyfile(
        """
        import pytest

        @pytest.mark.skip
        @pytest.mark.fairtrial(cases="cases/*.yaml")
        def test_skipped():
            pass

        @pytest.mark.fairtrial(cases="cases/*.yaml", trials=1)
        def test_asked():
            pass
        """
    )
    result = project.runpytest()
    result.assert_outcomes(passed=2, skipped=2)
    result.stdout.fnmatch_lines(["*test_skipped[[]set]: cases 0, sessions 0, *"])
