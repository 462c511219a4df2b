import asyncio
import json
import os
import sys
from pathlib import Path

import fake_agent
import pytest
from patience import alive, eventually, written

from fairtrial.agents.command import CommandAgent
from fairtrial.agents.config import CommandConfig
from fairtrial.agents.protocol import Agent, Busy, Opening, Reply, SessionFailed
from fairtrial.agents.resolve import resolve
from fairtrial.errors import BadInput, CannotRun
from fairtrial.schema.record import Call, Say, Status, Usage

EXAMPLES = Path(__file__).resolve().parents[2] / "examples" / "command_agents"
FAKE = Path(fake_agent.__file__).read_bytes()
OPENING = Opening(session="s1", seed=2**63 - 1)


def fake(grace: float = 2.0) -> CommandAgent:
    return CommandAgent([sys.executable, fake_agent.__file__], grace=grace)


def script(code: str, *arguments: str) -> CommandAgent:
    return CommandAgent([sys.executable, "-c", code, *arguments], grace=0.3)


def answering(line: str) -> CommandAgent:
    """Answers the first turn with this line of output."""
    return script("import sys; input(); input(); print(sys.argv[1], flush=True); input()", line)


async def ask(agent: Agent, text: str = "hello") -> Reply:
    talk = await agent.open(OPENING)
    try:
        return await talk.send(text)
    finally:
        await talk.close()


async def failing(agent: Agent, text: str = "hello") -> SessionFailed:
    with pytest.raises(SessionFailed) as failed:
        await ask(agent, text)
    return failed.value


@pytest.mark.parametrize("name", ["echo.py", "echo.sh"])
@pytest.mark.parametrize("text", ['plain "quoted" \\ text', "退货\n第二行 😀"])
async def test_the_documented_examples_answer(name: str, text: str) -> None:
    agent = CommandAgent([str(EXAMPLES / name)])
    talk = await agent.open(OPENING)
    replies = [(await talk.send(said)).text for said in (text, "again")]
    await talk.close()
    assert replies == [f"You said: {text}", "You said: again"]


@pytest.mark.parametrize("name", ["echo.py", "echo.sh"])
def test_the_examples_have_about_ten_lines(name: str) -> None:
    assert len((EXAMPLES / name).read_text().splitlines()) <= 12


async def test_it_is_told_the_session_and_the_seed_and_the_turns_in_this_form() -> None:
    agent = script(
        "import json\n"
        "lines = [input(), input()]\n"
        "print(json.dumps({'type': 'reply', 'text': '|'.join(lines)}))"
    )
    assert (await ask(agent, "héllo")).text == (
        '{"type":"open","session":"s1","seed":9223372036854775807}|{"type":"user","text":"héllo","turn":0}'
    )


async def test_a_full_answer_is_read() -> None:
    reply = await ask(
        answering(
            '{"type": "reply", "text": "sent", "model": "m-1", "finish_reason": "stop", "state": {"n": [1]},'
            ' "usage": {"input_tokens": 3, "cost": 0.5}, "requests": 2, '
            '"steps": [{"step": "say", "text": "hm"}, '
            '{"step": "call", "name": "find", "arguments": {"id": "A1"}, "result": 1, "error": "slow"}]}'
        )
    )
    assert reply == Reply(
        text="sent",
        model="m-1",
        finish_reason="stop",
        state={"n": [1]},
        usage=Usage(input_tokens=3, cost=0.5),
        requests=2,
        steps=(Say(text="hm"), Call(name="find", arguments={"id": "A1"}, result=1, error="slow")),
    )


async def test_a_lone_surrogate_is_kept() -> None:
    reply = await ask(answering(r'{"type": "reply", "text": "half \ud83d pair", "state": "\ude00"}'))
    assert (reply.text, reply.state) == ("half \ud83d pair", "\ude00")
    assert (await ask(fake(), "half \ud83d pair")).text == "1: half \ud83d pair"


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("Loading model…", "not JSON: Loading model…"),
        ('{"text": "no type"}', "type"),
        ('{"type": "answer", "text": "x"}', "answer"),
        ('{"type": "reply"}', "text"),
        ('{"type": "reply", "text": 5}', "str"),
        ('{"type": "reply", "text": "x", "tool_call": []}', "tool_call"),
        ('{"type": "reply", "text": "x", "state": NaN}', "not JSON"),
        ('{"type": "reply", "text": "x", "calls": [{"arguments": {}}]}', "name"),
        ('{"type": "reply", "text": "x", "usage": {"input_tokens": 1, "cost": -5}}', "usage"),
        ("[" * 5000, "["),
    ],
)
async def test_what_is_no_answer_is_shown(line: str, shown: str) -> None:
    failure = await failing(answering(line))
    assert (failure.status, failure.kind) == (Status.agent_error, "malformed")
    assert shown in failure.message
    assert len(failure.message) < 500


async def test_blank_lines_are_passed_over() -> None:
    agent = script('input(); input(); print("\\n \\n" + \'{"type": "reply", "text": "x"}\', flush=True)')
    assert (await ask(agent)).text == "x"


async def test_an_error_message_is_the_agents_own() -> None:
    failure = await failing(answering('{"type": "error", "message": "no stock", "kind": "stock"}'))
    assert (failure.status, failure.kind, failure.message) == (Status.agent_error, "stock", "no stock")


async def test_busy_gives_seconds_or_none() -> None:
    for line, seconds in [('{"type":"busy","retry_after":1.5}', 1.5), ('{"type":"busy"}', None)]:
        with pytest.raises(Busy) as busy:
            await ask(answering(line))
        assert busy.value.retry_after == seconds


async def test_a_process_that_ends_tells_its_code_and_its_stderr() -> None:
    failure = await failing(fake(), "!exit")
    assert (failure.status, failure.kind) == (Status.agent_error, "exited")
    assert "code 3" in failure.message
    assert "out of cheese" in failure.message


async def test_only_the_last_two_kilobytes_of_stderr_are_kept() -> None:
    failure = await failing(script("import sys; sys.stderr.write('x' * 100_000 + 'the end')"))
    assert failure.message.endswith("the end")
    assert 1900 < len(failure.message) < 2200


async def test_a_process_that_is_gone_before_the_first_turn_is_an_agent_error() -> None:
    failure = await failing(script("import os; os.kill(os.getpid(), 9)"), "x" * 1_000_000)
    assert (failure.status, failure.kind) == (Status.agent_error, "exited")
    assert "SIGKILL" in failure.message


async def test_a_line_without_an_end_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fairtrial.agents.process.LINE_LIMIT", 100_000)
    failure = await failing(fake(), "!huge")
    assert (failure.status, failure.kind) == (Status.agent_error, "malformed")
    assert "longer than" in failure.message


async def test_a_process_that_never_reads_can_be_cancelled() -> None:
    talk = await script("import time; time.sleep(3600)").open(OPENING)
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.1):
            await talk.send("x" * 1_000_000)
    await talk.close()


async def test_its_children_die_with_it(tmp_path: Path) -> None:
    talk = await fake(grace=0.3).open(OPENING)
    waiting = asyncio.create_task(talk.send(f"!child {tmp_path / 'pids'}"))
    pids = [int(pid) for pid in (await written(tmp_path / "pids")).split()]
    waiting.cancel()
    await asyncio.wait([waiting])
    await talk.close()
    await eventually(lambda: not any(map(alive, pids)))


async def test_one_that_ignores_sigterm_is_killed(tmp_path: Path) -> None:
    talk = await fake(grace=0.1).open(OPENING)
    waiting = asyncio.create_task(talk.send(f"!deaf {tmp_path / 'pid'}"))
    pid = int(await written(tmp_path / "pid"))
    waiting.cancel()
    await asyncio.wait([waiting])
    await talk.close()
    assert not alive(pid)


async def test_a_close_that_is_cancelled_still_kills_and_leaves_nothing_open(tmp_path: Path) -> None:
    agent = fake(grace=60)
    talk = await agent.open(OPENING)
    waiting = asyncio.create_task(talk.send(f"!deaf {tmp_path / 'pid'}"))
    pid = int(await written(tmp_path / "pid"))
    waiting.cancel()
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.05):
            await talk.close()
    await agent.close()
    assert not alive(pid)


async def test_closing_the_agent_ends_what_is_left() -> None:
    agent = fake(grace=0.3)
    talks = [await agent.open(Opening(session=str(n), seed=n)) for n in range(3)]
    for talk in talks:
        await talk.send("hello")
    await agent.close()
    with pytest.raises(SessionFailed, match="exited"):
        await talks[0].send("still there?")


async def test_it_may_end_by_itself_at_close(tmp_path: Path) -> None:
    """SIGTERM is for those that do not go when asked."""
    code = (
        "import sys, pathlib\nfor line in sys.stdin: last = line\npathlib.Path(sys.argv[1]).write_text(last)"
    )
    talk = await CommandAgent([sys.executable, "-c", code, str(tmp_path / "last")]).open(OPENING)
    await talk.close()
    assert (tmp_path / "last").read_text() == '{"type":"close"}\n'


@pytest.mark.parametrize("command", ["no-such-program --fast", ["./no/such"], "", "unbalanced '"])
def test_a_program_that_is_not_there_is_bad_input(command: str | list[str]) -> None:
    with pytest.raises(BadInput):
        CommandAgent(command)


def test_a_file_that_may_not_be_run_is_bad_input(tmp_path: Path) -> None:
    (tmp_path / "agent").write_text("#!/bin/sh\n")
    with pytest.raises(BadInput, match="chmod"):
        CommandAgent("./agent", cwd=str(tmp_path))
    with pytest.raises(BadInput, match="no folder"):
        CommandAgent("sh", cwd=str(tmp_path / "elsewhere"))


async def test_a_program_without_an_interpreter_is_no_fault_of_the_agent(tmp_path: Path) -> None:
    program = tmp_path / "agent"
    program.write_text("#!/no/such/interpreter\n")
    program.chmod(0o755)
    failure = await failing(CommandAgent([str(program)]))
    assert (failure.status, failure.kind) == (Status.infra_error, "cannot_start")


async def test_a_text_is_split_as_a_shell_would_and_runs_where_it_was_told(tmp_path: Path) -> None:
    (tmp_path / "my agent.py").write_bytes(FAKE)
    agent = CommandAgent(f"{sys.executable} 'my agent.py'", cwd=str(tmp_path))
    assert (await ask(agent)).text == "1: hello"


async def test_a_line_that_nobody_asked_for_is_not_taken_for_the_next_answer() -> None:
    line = '{"type": "reply", "text": "first"}'
    talk = await answering(f"{line}\n\n{line}").open(OPENING)
    assert (await talk.send("one")).text == "first"
    with pytest.raises(SessionFailed, match="nobody asked for") as failed:
        await talk.send("two")
    assert failed.value.status is Status.agent_error
    await talk.close()


async def test_an_error_may_not_fill_the_log() -> None:
    failure = await failing(answering(json.dumps({"type": "error", "message": "x" * 9999, "kind": "k" * 99})))
    assert len(failure.message) < 2100
    assert len(failure.kind) < 50


ENVIRON = {
    "PATH": os.environ["PATH"],
    "LC_ALL": "C.UTF-8",
    "https_proxy": "http://127.0.0.1:1",
    "JUDGE_KEY": "sesame",
    "SHOP_KEY": "mine",
}


def reading(code: str, environ: dict[str, str], *names: str) -> Agent:
    program = [sys.executable, "-c", f"import json, os\ninput(); input()\n{code}"]
    return resolve(CommandConfig(type="command", command=tuple(program), env=names), environ=environ)


async def test_it_gets_of_the_environment_what_is_harmless_and_what_is_named() -> None:
    code = 'print(json.dumps({"type": "reply", "text": "", "state": dict(os.environ)}))'
    seen = (await ask(reading(code, ENVIRON, "SHOP_KEY"))).state
    assert isinstance(seen, dict)
    assert {name: seen.get(name) for name in ENVIRON} == ENVIRON | {"JUDGE_KEY": None}


async def test_a_python_program_need_not_flush(tmp_path: Path) -> None:
    program = tmp_path / "agent.py"
    reply = json.dumps({"type": "reply", "text": "到"})
    lines = ["import json, sys", "for line in sys.stdin:", "    if json.loads(line)['type'] == 'user':"]
    program.write_text("\n".join([*lines, f"        print({reply!r})"]), encoding="utf-8")
    agent = resolve(CommandConfig(type="command", command=(sys.executable, str(program))), environ=ENVIRON)
    assert (await ask(agent)).text == "到"


def test_a_variable_that_is_named_but_not_set_is_refused() -> None:
    with pytest.raises(CannotRun, match="OTHER_KEY"):
        reading("", ENVIRON, "OTHER_KEY")


async def test_one_that_dies_for_a_variable_that_was_kept_from_it_gets_a_hint(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("SHOP_KEY", "mine")
    failure = await failing(reading('os.environ["SHOP_KEY"]', ENVIRON))
    assert "SHOP_KEY is set here but not passed on" in failure.message
    failure = await failing(reading('os.environ["UNSET_KEY"]', ENVIRON))
    assert "passed on" not in failure.message


async def test_children_that_hold_its_output_do_not_keep_it_from_ending() -> None:
    code = (
        "import subprocess, sys\ninput(); input()\n"
        "child = subprocess.Popen(['sleep', '3600'])\n"
        'print(\'{"type": "reply", "text": "%d"}\' % child.pid, flush=True)\ninput()'
    )
    agent = CommandAgent([sys.executable, "-c", code], grace=3600)
    pid = int((await asyncio.wait_for(ask(agent), 60)).text)
    await eventually(lambda: not alive(pid))


async def test_ctrl_c_at_the_examiner_does_not_reach_it() -> None:
    """It is in a process group of its own."""
    code = 'import os\ninput(); input(); print(\'{"type": "reply", "text": "%d"}\' % os.getpgid(0))'
    assert int((await ask(script(code))).text) != os.getpgid(0)


async def test_a_child_that_left_the_group_cannot_hold_the_session() -> None:
    code = (
        "import subprocess, sys\ninput(); input()\n"
        "child = subprocess.Popen(['cat'], start_new_session=True)\n"
        'print(\'{"type": "reply", "text": "%d"}\' % child.pid, flush=True)'
    )
    pid = int((await asyncio.wait_for(ask(script(code)), 10)).text)
    await eventually(lambda: not alive(pid))  # its input has ended
