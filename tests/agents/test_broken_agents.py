"""Agents that answer twice or never, whose state cannot be had, that cannot be opened again: what is said."""

import sys
from pathlib import Path
from typing import Any

import fake_agent
import pytest
from fake_server import FakeServer, hang, raw, status

from fairtrial.agents.protocol import Ability, Agent
from fairtrial.agents.resolve import read_config, resolve
from fairtrial.execution.contract import Move
from fairtrial.schema.record import Record, Status
from fakes.talks import examine

ONE, TWO = Move(text="one"), Move(text="two")
AGAIN = Move(text="two", fresh=True)

PROGRAM = """\
import json, sys
say = lambda **message: print(json.dumps(message), flush=True)
for line in sys.stdin:
    message = json.loads(line)
    kind = message['type']
"""


def python(tmp_path: Path, code: str) -> Agent:
    (tmp_path / "broken.py").write_text(code, encoding="utf-8")
    return resolve(read_config({"type": "python", "function": f"{tmp_path}/broken.py:Agent"}, "test"))


def command(tmp_path: Path, code: str, *offers: Ability) -> Agent:
    """A program that answers messages as `code` says: statements in a loop over `message`."""
    body = "".join(f"    {line}\n" for line in code.splitlines())
    text = PROGRAM + body
    (tmp_path / "broken.py").write_text(text, encoding="utf-8")
    argv = [sys.executable, str(tmp_path / "broken.py")]
    return resolve(
        read_config({"type": "command", "command": argv, "offers": list(map(str, offers))}, "test")
    )


def http(server: FakeServer, **table: Any) -> Agent:
    return resolve(read_config({"type": "http", "url": f"{server.url}/agent", **table}, "test"), environ={})


def openai(server: FakeServer) -> Agent:
    table = {"type": "openai", "model": "m", "base_url": server.url}
    return resolve(read_config(table, "test"), environ={})


async def held(agent: Agent, *moves: Move, seconds: float = 20.0) -> Record:
    record = await examine(agent, *moves, seconds=seconds)
    await agent.close()
    fake_agent.RELEASE.set()
    fake_agent.RELEASE.clear()
    return record


def ended(record: Record) -> tuple[Status, str, str]:
    assert record.failure is not None
    return record.status, record.failure.kind, record.failure.message


REPLY = "if kind == 'user': say(type='reply', text='ok')\n"


class TestTwice:
    async def test_a_command_that_answers_a_turn_twice(self, tmp_path: Path) -> None:
        # In one piece: a second line that comes later than the next turn passes for its answer.
        twice = 'if kind == \'user\': print(\'{"type":"reply","text":"ok"}\\n\' * 2, end=\'\', flush=True)'
        agent = command(tmp_path, twice)
        record = await held(agent, ONE, Move(text="two"))
        state, kind, message = ended(record)
        assert (state, kind) == (Status.agent_error, "malformed")
        assert message.startswith("turn 2: a line of output that nobody asked for: ")
        assert record.turns[0].reply == "ok"
        # It is no less its own fault where the next thing that it is asked is its state.
        shows = twice + "\nif kind == 'state': say(type='state', state=1)\n"
        state, kind, message = ended(await held(command(tmp_path, shows, Ability.state), ONE))
        assert (state, kind) == (Status.agent_error, "malformed")
        assert message.startswith("turn 1: a line of output that nobody asked for: ")

    async def test_an_endpoint_that_answers_with_two_documents(self, server: FakeServer) -> None:
        server.script(raw(b'{"text": "a"}{"text": "b"}'))
        state, kind, message = ended(await held(http(server), ONE))
        assert (state, kind) == (Status.agent_error, "malformed")
        assert message == 'turn 1: the answer is not JSON: {"text": "a"}{"text": "b"}'

    async def test_a_model_that_answers_with_two_documents(self, server: FakeServer) -> None:
        server.script(raw(b'{"choices": []}{"choices": []}'))
        state, kind, message = ended(await held(openai(server), ONE))
        assert (state, kind) == (Status.agent_error, "malformed")
        assert message.startswith("turn 1: the answer is no chat completion")

    async def test_a_callable_that_hands_back_two_answers(self, tmp_path: Path) -> None:
        code = "class Agent:\n    def __call__(self, text):\n        yield 'a'\n        yield 'b'\n"
        state, kind, message = ended(await held(python(tmp_path, code), ONE))
        assert (state, kind) == (Status.agent_error, "malformed")
        assert "returned generator; expected text" in message


class TestNever:
    @pytest.mark.parametrize("kind", ["python", "command", "http", "openai"])
    async def test_it_is_named_with_the_turn_it_owes(self, kind: str, server: FakeServer) -> None:
        tables: dict[str, dict[str, Any]] = {
            "python": {"function": "fake_agent:FakeAgent"},
            "command": {"command": [sys.executable, fake_agent.__file__]},
            "http": {"url": f"{server.url}/agent"},
            "openai": {"model": "m", "base_url": server.url},
        }
        agent = resolve(read_config({"type": kind, **tables[kind]}, "test"), environ={})
        record = await held(agent, ONE, Move(text="!hang"), seconds=1.5)
        assert ended(record) == (Status.timeout, "timeout", "turn 2: not done within 1.5 s")
        assert [turn.reply for turn in record.turns] == ["1: one", None]


class TestState:
    def kept(self, record: Record) -> str:
        """The message of a session that was set aside with its turn."""
        state, kind, message = ended(record)
        assert (state, kind) == (Status.infra_error, "snapshot")
        assert record.turns[0].reply is not None
        return message.removeprefix("turn 1: the agent's state cannot be had: ")

    @pytest.mark.parametrize("word", ["def", "async def"])
    async def test_a_method_that_raises(self, tmp_path: Path, word: str) -> None:
        code = f"class Agent:\n    {word} __call__(self, text):\n        return text\n"
        code += f"    {word} state(self):\n        raise LookupError('没有记忆')\n"
        message = self.kept(await held(python(tmp_path, code), ONE, TWO))
        assert message.startswith("LookupError: 没有记忆 (")
        assert "broken.py:5 in state" in message

    async def test_a_method_that_hangs(self, tmp_path: Path) -> None:
        code = "import fake_agent\nclass Agent:\n    def __call__(self, text):\n        return text\n"
        code += "    def state(self):\n        fake_agent.RELEASE.wait()\n"
        record = await held(python(tmp_path, code), ONE, seconds=0.3)
        assert ended(record) == (Status.timeout, "timeout", "turn 1: the state was not shown within 0.3 s")

    @pytest.mark.parametrize(
        ("code", "said"),
        [
            ("if kind == 'state': say(type='reply', text='?')", "expected the state, not `reply`"),
            ("if kind == 'state': say(type='error', message='no')", "expected the state, not `error`"),
            ("if kind == 'state': say(type='state')", "Object missing required field `state`"),
            ("if kind == 'state': print('oops', flush=True)", "a line of output is not JSON: oops"),
            ("if kind == 'state': sys.exit('没有记忆')", "the process exited with code 1; stderr: 没有记忆"),
        ],
    )
    async def test_a_program_that_shows_something_else(self, tmp_path: Path, code: str, said: str) -> None:
        agent = command(tmp_path, REPLY + code, Ability.state)
        assert self.kept(await held(agent, ONE, TWO)).startswith(said)

    async def test_a_program_that_shows_it_twice(self, tmp_path: Path) -> None:
        twice = "if kind == 'state': print('{\"type\":\"state\",\"state\":1}\\n' * 2, end='', flush=True)"
        record = await held(command(tmp_path, REPLY + twice, Ability.state), ONE, TWO)
        state, kind, message = ended(record)
        assert (state, kind) == (Status.agent_error, "malformed")
        assert message == 'turn 2: a line of output that nobody asked for: {"type":"state","state":1}'
        assert record.turns[0].state == 1

    async def test_a_program_that_never_shows_it(self, tmp_path: Path) -> None:
        record = await held(command(tmp_path, REPLY, Ability.state), ONE, seconds=1.0)
        assert ended(record) == (Status.timeout, "timeout", "turn 1: the state was not shown within 1 s")
        assert record.turns[0].reply == "ok"

    async def test_a_program_that_shows_it_instead_of_an_answer(self, tmp_path: Path) -> None:
        agent = command(tmp_path, "if kind == 'user': say(type='state', state=1)")
        expected = (Status.agent_error, "malformed", "turn 1: expected a reply, not `state`")
        assert ended(await held(agent, ONE)) == expected

    @pytest.mark.parametrize(
        ("act", "said"),
        [
            (status(500), "HTTP 500: as told"),
            (status(404), "HTTP 404: as told"),
            (raw(b"<html>"), "the answer is not JSON: <html>"),
        ],
    )
    async def test_an_endpoint_whose_path_fails(self, server: FakeServer, act: Any, said: str) -> None:
        server.script(raw(b'{"text": "ok"}'), act)
        agent = http(server, state_url=f"{server.url}/state/{{{{session}}}}")
        assert self.kept(await held(agent, ONE, TWO)) == said

    async def test_an_endpoint_whose_path_hangs(self, server: FakeServer) -> None:
        server.script(raw(b'{"text": "ok"}'), hang())
        agent = http(server, state_url=f"{server.url}/state")
        record = await held(agent, ONE, seconds=0.5)
        assert ended(record) == (Status.timeout, "timeout", "turn 1: the state was not shown within 0.5 s")

    async def test_its_address_may_need_a_key_that_no_message_shows(self, server: FakeServer) -> None:
        server.script(raw(b'{"text": "ok"}'), status(500, '{"error": "bad key hush-hush"}'))
        table = {"type": "http", "url": server.url, "state_url": f"{server.url}/${{KEY}}/state"}
        agent = resolve(read_config(table, "test"), environ={"KEY": "hush-hush"})
        assert self.kept(await held(agent, ONE)) == "HTTP 500: bad key ***"


class TestTool:
    @pytest.mark.parametrize(
        ("code", "said"),
        [
            ("say(type='result', result=1)", "a result of no tool call"),
            ("say(type='tool')", "Object missing required field `name`"),
        ],
    )
    async def test_a_program_that_misspeaks(self, tmp_path: Path, code: str, said: str) -> None:
        agent = command(tmp_path, f"if kind == 'user': {code}")
        state, kind, message = ended(await held(agent, ONE))
        assert (state, kind) == (Status.agent_error, "malformed")
        assert message.startswith(f"turn 1: {said}")

    async def test_a_call_that_fails_by_itself_has_no_result(self, tmp_path: Path) -> None:
        code = "if kind == 'user': say(type='tool', name='f')\n"
        code += "if kind == 'tool': say(type='reply', text='failed')"
        record = await held(command(tmp_path, code), ONE, TWO)
        assert [turn.reply for turn in record.turns] == ["failed", "failed"]


class TestAgain:
    def first_only(self, record: Record) -> tuple[Status, str, str]:
        assert [turn.reply is None for turn in record.turns] == [False, True]
        return ended(record)

    async def test_a_class_that_is_made_but_once(self, tmp_path: Path) -> None:
        code = "class Agent:\n    made = 0\n    def __init__(self):\n        Agent.made += 1\n"
        code += "        if Agent.made > 1:\n            raise OSError('只有一个')\n"
        code += "    def __call__(self, text):\n        return text\n"
        state, kind, message = self.first_only(await held(python(tmp_path, code), ONE, AGAIN))
        assert (state, kind) == (Status.agent_error, "OSError")
        assert message.startswith("turn 2: opening: OSError: 只有一个 (")

    async def test_a_program_that_does_not_start_again(self, tmp_path: Path) -> None:
        program = tmp_path / "once"
        program.write_text(
            f"#!{sys.executable}\nimport os, sys\nos.remove(sys.argv[0])\nfor line in sys.stdin:\n"
            "    if '\"user\"' in line:\n"
            '        print(\'{"type":"reply","text":"ok"}\', flush=True)\n'
        )
        program.chmod(0o755)
        agent = resolve(read_config({"type": "command", "command": [str(program)]}, "test"))
        state, kind, message = self.first_only(await held(agent, ONE, AGAIN))
        assert (state, kind) == (Status.infra_error, "cannot_start")
        assert message.startswith("turn 2: opening: ")
        assert str(program) in message

    @pytest.mark.parametrize("kind", ["http", "openai"])
    async def test_an_endpoint_that_is_gone(self, kind: str, server: FakeServer) -> None:
        agent = http(server) if kind == "http" else openai(server)
        server.script(raw(b'{"text": "ok", "choices": [{"message": {"content": "ok"}}]}'), status(401))
        state, word, message = self.first_only(await held(agent, ONE, AGAIN))
        assert (state, word, message) == (Status.infra_error, "http_401", "turn 2: HTTP 401: as told")
