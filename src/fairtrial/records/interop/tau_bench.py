"""tau-bench result files: a JSON list of runs, each with its reward and its chat messages."""

import gzip
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from fairtrial.errors import BadInput
from fairtrial.schema.record import Call, Record, Say, Status, Step, Turn
from fairtrial.schema.score import About, Hit, Row, Score, Unscored
from fairtrial.text.language import say


class _Function(msgspec.Struct):
    name: str
    arguments: str


class _ToolCall(msgspec.Struct):
    function: _Function
    id: str | None = None


class _Message(msgspec.Struct):
    role: str
    content: str | None = None
    tool_calls: list[_ToolCall] | None = None
    tool_call_id: str | None = None


class _Run(msgspec.Struct):
    task_id: int | str
    trial: int
    reward: float
    traj: list[_Message]


_GIVEN = "outcome as given by the imported file"


def read(path: Path) -> Iterator[Row]:
    """The runs of a tau-bench file (`.json`, gzip or not), outcome as given. Raises BadInput.

    The reward is the session's value, so `value` is in [0, 1]; `useful` was not measured there.
    """
    try:
        raw = path.read_bytes()
        runs = msgspec.json.decode(gzip.decompress(raw) if raw[:2] == b"\x1f\x8b" else raw, type=list[_Run])
    except OSError as error:
        raise BadInput(error.strerror or str(error), where=str(path)) from error
    except (msgspec.DecodeError, EOFError) as error:
        raise BadInput(
            say(f"not a tau-bench result file: {error}", f"不是 tau-bench 结果文件：{error}"),
            where=str(path),
            how=say(
                "expected a JSON list of runs with task_id, trial, reward, traj",
                "应为 JSON 列表，含 task_id、trial、reward、traj",
            ),
        ) from error
    for index, run in enumerate(runs):
        if not 0.0 <= run.reward <= 1.0:
            raise BadInput(
                say(f"reward {run.reward} is outside 0 … 1", f"reward {run.reward} 不在 0 … 1 之间"),
                where=f"{path}[{index}]",
            )
        yield _row(run)


def _row(run: _Run) -> Row:
    system = next((m.content for m in run.traj if m.role == "system"), None)
    record = Record(
        case=str(run.task_id),
        trial=run.trial,
        status=Status.completed,
        system=system,
        turns=tuple(_turns(run.traj)),
    )
    hit = Hit(rule="given", met=run.reward >= 1.0, share=1.0, why=_GIVEN)
    return Row(
        record=record, score=Score(value=run.reward, hits=(hit,), useful=Unscored(why=_GIVEN)), about=About()
    )


def _turns(messages: list[_Message]) -> Iterator[Turn]:
    """One turn for each user message; what the agent says beside a tool call is a step, not the reply."""
    user: str | None = None
    steps: list[Step] = []
    reply: str | None = None
    for message in messages:
        if message.role == "user":
            if user is not None:
                yield Turn(user=user, reply=reply, steps=tuple(steps))
            user, steps, reply = message.content or "", [], None
        elif message.role == "assistant":
            if reply is not None:  # it spoke twice: what came first was not yet the reply
                steps.append(Say(text=reply))
            reply = None if message.tool_calls else message.content
            if message.tool_calls and message.content:
                steps.append(Say(text=message.content))
            steps += [_call(call) for call in message.tool_calls or []]
        elif message.role == "tool":
            _answer(steps, message)
    if user is not None:
        yield Turn(user=user, reply=reply, steps=tuple(steps))


def _call(call: _ToolCall) -> Call:
    arguments: dict[str, Any] | str
    try:
        arguments = msgspec.json.decode(call.function.arguments, type=dict[str, Any])
    except msgspec.DecodeError:
        arguments = call.function.arguments
    return Call(name=call.function.name, arguments=arguments, id=call.id)


def _answer(steps: list[Step], message: _Message) -> None:
    """Give a tool's message to the first call of its id without a result: ids do recur within a run."""
    for index, step in enumerate(steps):
        if isinstance(step, Call) and step.id == message.tool_call_id and step.result is None:
            steps[index] = msgspec.structs.replace(step, result=message.content or "")
            return
