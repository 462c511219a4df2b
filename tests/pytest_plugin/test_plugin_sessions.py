"""What a test can do with a session, and what becomes of one that gives no answer."""

import pytest


def test_a_session_reads_like_the_examples_people_know(project: pytest.Pytester) -> None:
    project.makepyfile(
        """
        def test_context_pollution_recovery(agent_session):
            response = agent_session.send("天气越来越冷了，对了，订单 JD1111 需要退款")
            assert "JD1111" in response.answer
            assert response.intent == "refund"
            assert [call.name for call in response.calls] == ["refund"]

        def test_state_update_after_requirement_change(agent_session):
            agent_session.send("订单 JD1111 到哪了")
            before = agent_session.snapshot("before")
            assert before.get("$.order.id") == "JD1111"
            assert before.get("last_tool") is None and before.get("nothing", 7) == 7
            agent_session.send("算了不查了，直接退款吧")
            after = agent_session.snapshot("after")
            assert (after.get("intent"), after.get("last_tool")) == ("refund", "refund")
            assert [change.path for change in before.differences(after)] == ["$['intent']"]
            assert agent_session.last_tool == "refund" and len(agent_session.calls) == 1
        """
    )
    project.runpytest().assert_outcomes(passed=2)


def test_short_sessions_know_nothing_of_each_other_and_long_ones_go_on(project: pytest.Pytester) -> None:
    project.makepyfile(
        """
        def test_one(agent_session):
            assert agent_session.send("a").answer == "heard 1"

        def test_two(agent_session, long_agent_session):
            assert agent_session.send("a").answer == "heard 1"
            assert long_agent_session.send("a").answer == "heard 1"

        class TestTalk:
            def test_first(self, long_agent_session):
                assert long_agent_session.send("a").answer == "heard 1"

            def test_second(self, long_agent_session):
                assert long_agent_session.send("a").answer == "heard 2"

        def test_three(long_agent_session):
            assert long_agent_session.send("a").answer == "heard 2"
        """
    )
    project.runpytest().assert_outcomes(passed=5)


def test_no_answer_is_an_outcome_of_its_own(project: pytest.Pytester) -> None:
    project.makepyfile(
        """
        import pytest

        def test_busy(agent_session):
            agent_session.send("busy")

        def test_slow(agent_session):
            agent_session.send("slow")

        @pytest.mark.xfail(strict=True)
        def test_not_even_an_expected_failure(agent_session):
            agent_session.send("busy")

        def test_that_expects_it(agent_session):
            with pytest.raises(Exception, match="rate_limited"):
                agent_session.send("busy")
            with pytest.raises(Exception, match="rate_limited"):
                agent_session.send("and from then on")
        """
    )
    result = project.runpytest("-o", "fairtrial_timeout=0.2", "--junitxml=out.xml")
    assert result.ret == 0
    result.stdout.fnmatch_lines(
        [
            "*NNN.*",
            "NO ANSWER *test_busy - no answer: rate_limited: *429*",
            "NO ANSWER *test_slow - no answer: timeout: not done within 0.2 s",
            "*1 passed, 3 no answer*",
        ]
    )
    report = (project.path / "out.xml").read_text(encoding="utf-8")
    assert report.count('<property name="fairtrial" value="no answer" />') == 3
    assert 'failures="0"' in report
    assert 'message="no answer: rate_limited: ' in report


def test_a_failure_shows_what_was_said(project: pytest.Pytester) -> None:
    project.makepyfile(
        """
        def test_it(agent_session):
            assert agent_session.send("退款 JD1111").answer == "no"
        """
    )
    result = project.runpytest()
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        ["*fairtrial session*", "user *退款 JD1111", "*refund {*", "agent *已为您退款*"]
    )


def test_whom_to_ask_and_what_it_took_the_user_to_want_can_be_said_otherwise(
    project: pytest.Pytester,
) -> None:
    project.makeconftest(
        """
        import pytest

        @pytest.fixture(scope="session")
        def fairtrial_agent():
            return {"type": "null", "kind": "echo"}

        @pytest.fixture(scope="session")
        def fairtrial_intent():
            return lambda turn: turn.reply.upper()
        """
    )
    project.makepyfile(
        """
        def test_it(agent_session):
            reply = agent_session.send("hi")
            assert (reply.answer, reply.intent, reply.state) == ("hi", "HI", None)
            assert agent_session.snapshot().get("intent") == "HI"
        """
    )
    project.runpytest().assert_outcomes(passed=1)


def test_the_clock_moves_and_another_conversation_begins(project: pytest.Pytester) -> None:
    project.makepyfile(
        """
        import pytest
        from fairtrial.errors import BadInput

        def test_it(agent_session):
            assert agent_session.send("a").answer == "heard 1"
            agent_session.new_session()
            assert agent_session.send("a").answer == "heard 1"
            with pytest.raises(BadInput, match="tools"):
                agent_session.disturb("timeout", tool="refund")
        """
    )
    project.runpytest().assert_outcomes(passed=1)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--fairtrial-config", "none.toml"], "none.toml*No such file"),
        (["-o", "fairtrial_concurrency=none"], "fairtrial_concurrency is a number above 0, not 'none'"),
    ],
)
def test_bad_settings_are_one_line(project: pytest.Pytester, arguments: list[str], says: str) -> None:
    project.makepyfile("def test_it(agent_session): pass")
    result = project.runpytest(*arguments)
    assert result.ret != 0
    result.stdout.fnmatch_lines([f"*{says}*"])
    assert "examine.py" not in result.stdout.str()


def test_a_run_that_asks_nobody_loads_nothing(project: pytest.Pytester) -> None:
    project.makepyfile(
        """
        import sys

        def test_it():
            assert "pytest_fairtrial" in sys.modules
            assert not [name for name in sys.modules if name.partition(".")[0] == "fairtrial"]
        """
    )
    project.runpytest_subprocess().assert_outcomes(passed=1)


def test_a_user_who_is_away_moves_the_clock_of_an_agent_that_takes_it(project: pytest.Pytester) -> None:
    (project.path / "agent.py").write_text("def Agent(text, clock):\n    return clock\n", encoding="utf-8")
    with (project.path / "fairtrial.toml").open("a") as file:
        file.write('\n[run]\nclock = "2026-11-30T10:00:00Z"\n')
    project.makepyfile(
        """
        def test_it(agent_session):
            assert agent_session.send("now?").answer.startswith("2026-11-30T10:00")
            agent_session.wait(hours=2, minutes=30)
            assert agent_session.send("and now?").answer.startswith("2026-11-30T12:30")
            assert agent_session.turns[1].clock.startswith("2026-11-30T12:30")
        """
    )
    project.runpytest().assert_outcomes(passed=1)


def test_calls_can_be_made_to_fail(project: pytest.Pytester) -> None:
    (project.path / "agent.py").write_text(
        """
def Agent(text, tools):
    try:
        return str(tools("refund", {"order": "JD1"}, lambda: "paid"))
    except TimeoutError as error:
        return f"later, please: {error}"
""",
        encoding="utf-8",
    )
    project.makepyfile(
        """
        import pytest
        from fairtrial.errors import BadInput

        def test_it(agent_session):
            assert agent_session.send("pay").answer == "paid"
            agent_session.disturb("timeout", tool="refund")
            assert agent_session.send("pay").answer == "later, please: timed out"
            [hit] = agent_session.turns[1].disturbed
            assert (hit.do, hit.detail["tool"]) == ("fault", "refund")
            assert agent_session.send("pay").answer == "paid"
            with pytest.raises(BadInput, match="disturb"):
                agent_session.disturb("tantrum")
        """
    )
    project.runpytest().assert_outcomes(passed=1)


@pytest.mark.parametrize("workers", [(), ("-n", "2")])
def test_a_run_in_which_nobody_answered_is_no_success(
    project: pytest.Pytester, workers: tuple[str, ...]
) -> None:
    project.makepyfile(
        """
        import pytest

        @pytest.fixture(scope="session")
        def fairtrial_agent():
            return "http://127.0.0.1:1/chat"

        def test_there(agent_session):
            agent_session.send("你好")

        def test_of_something_else():
            pass
        """
    )
    result = project.runpytest_subprocess("-p", "no:asyncio", *workers)
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.fnmatch_lines(
        ["no session was answered", "NO ANSWER *infra_error*", "FAILED fairtrial[[]sessions] - no session*"]
    )


def test_an_agent_that_is_not_there_is_one_line(project: pytest.Pytester) -> None:
    (project.path / "agent.py").unlink()
    project.makepyfile("def test_it(agent_session): pass")
    result = project.runpytest()
    result.assert_outcomes(errors=1)
    told, _, _ = result.stdout.str().partition("short test summary")  # which says it again, whole in CI
    assert told.count("no file") == 1


@pytest.mark.parametrize(
    ("how", "passed"), [((), 0), (("--dist", "loadscope"), 2), (("--dist", "loadfile"), 2)]
)
def test_tests_of_one_long_session_need_one_worker(
    project: pytest.Pytester, how: tuple[str, ...], passed: int
) -> None:
    project.makepyfile(
        """
        class TestTalk:
            def test_first(self, long_agent_session):
                assert long_agent_session.send("a").answer == "heard 1"

            def test_second(self, long_agent_session):
                assert long_agent_session.send("a").answer == "heard 2"

        def test_alone(long_agent_session):
            assert long_agent_session.send("a").answer == "heard 1"
        """
    )
    result = project.runpytest_subprocess("-p", "no:asyncio", "-n", "2", *how)
    result.assert_outcomes(passed=passed + 1, errors=2 - passed)
    if not passed:
        result.stdout.fnmatch_lines(["*one worker: --dist loadscope (*TestTalk)"])


def test_workers_that_ask_nobody_leave_nothing(
    project: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    temporary = project.mkdir("temporary")
    monkeypatch.setenv("TMPDIR", str(temporary))
    project.makepyfile(
        """
        import sys, tempfile
        from pathlib import Path

        def test_it():
            assert not list(Path(tempfile.gettempdir()).glob("fairtrial-*"))
            assert not [name for name in sys.modules if name.partition(".")[0] == "fairtrial"]
        """
    )
    project.runpytest_subprocess("-p", "no:asyncio", "-n", "1").assert_outcomes(passed=1)
    assert not list(temporary.glob("fairtrial-*"))
    assert not (project.path / "logs").exists()


def test_a_second_fault_counts_calls_from_when_it_was_asked_for(project: pytest.Pytester) -> None:
    (project.path / "agent.py").write_text(
        """
def Agent(text, tools):
    try:
        return str(tools("refund", {"order": "JD1"}, lambda: "paid"))
    except Exception as error:
        return f"later, please: {error}"
""",
        encoding="utf-8",
    )
    project.makepyfile(
        """
        def test_it(agent_session):
            agent_session.disturb("timeout", tool="refund", nth=1)
            agent_session.disturb("error", tool="refund", nth=2)
            said = [agent_session.send("付款").answer for _ in range(3)]
            assert said == ["later, please: timed out", "later, please: service unavailable", "paid"]
            agent_session.disturb("timeout", nth=2)
            assert [agent_session.send("pay").answer for _ in range(2)][0] == "paid"
            assert agent_session.turns[-1].reply == "later, please: timed out"
        """
    )
    project.runpytest().assert_outcomes(passed=1)


def test_whoever_was_asked_is_let_go_of(project: pytest.Pytester) -> None:
    project.makepyfile(
        """
        import pytest, pytest_fairtrial

        @pytest.mark.fairtrial(cases="cases/*.yaml", trials=1)
        def test_shop(examined, agent_session, request):
            agents = request.config.stash[pytest_fairtrial._RUN].room().open
            assert len(agents) == 2  # the cases' and the sessions'
            for agent in agents:
                agent.close = closed(agent.close)

        def closed(close):
            async def noted():
                with open("seen", "a") as file:
                    file.write("-")
                await close()
            return noted
        """
    )
    project.runpytest("-k", "en-hello").assert_outcomes(passed=1)
    assert (project.path / "seen").read_text() == "--"
