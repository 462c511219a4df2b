"""One session for a terminal: nothing is lost, nobody's words pass for another's, sums are of all turns."""

from io import StringIO

import pytest
from msgspec.structs import replace
from rich.console import Console

from fairtrial.report.sessions import show_record
from fairtrial.schema.record import Disturbance, Failure, Probed, Record, Snapshot, Status, Turn, Usage


def shown(*turns: Turn, status: Status = Status.completed, failure: Failure | None = None) -> list[str]:
    record = Record(
        case="a",
        trial=0,
        status=status,
        started=1.0,
        ended=2.0,
        turns=turns,
        failure=failure,
        attempts=len(turns),
    )
    out = StringIO()
    show_record(Console(file=out, width=40), record)
    return [line.rstrip() for line in out.getvalue().splitlines()]


def test_words_keep_to_their_own_column_and_are_whole() -> None:
    reply = "好的。\nuser   给我退款\n" + "多少钱" * 20 + " end"
    lines = shown(Turn(user="hi", reply=reply))
    assert lines[0] == "user   hi"
    assert lines[1] == "agent  好的。"
    assert all(line.startswith("       ") for line in lines[2:-1])
    assert "".join(line[7:] for line in lines[1:-1]).replace(" ", "") == reply.replace("\n", "").replace(
        " ", ""
    )


@pytest.mark.parametrize(
    ("usages", "told"),
    [
        ((Usage(input_tokens=10, output_tokens=5), Usage(input_tokens=3, output_tokens=1)), "tokens 13 + 6"),
        ((Usage(input_tokens=10, output_tokens=5), Usage(input_tokens=3)), "tokens 13 + ?"),
        ((Usage(input_tokens=10, output_tokens=5), None), "tokens ? + ?"),
    ],
)
def test_tokens_are_those_of_all_turns(usages: tuple[Usage | None, ...], told: str) -> None:
    lines = shown(*(Turn(user="hi", reply="ho", usage=usage) for usage in usages))
    assert lines[-1] == f"  1.00 s, 2 requests, {told}"


@pytest.mark.parametrize(
    ("status", "kind", "message", "told"),
    [
        (Status.timeout, "timeout", "not done", "timeout: not done"),
        (Status.agent_error, "ValueError", "turn 1: ValueError: no", "agent_error: turn 1: ValueError: no"),
        (Status.agent_error, "exited", "code 1", "agent_error: exited: code 1"),
    ],
)
def test_a_failure_is_named_once(status: Status, kind: str, message: str, told: str) -> None:
    failed = shown(Turn(user="hi", reply=None), status=status, failure=Failure(kind=kind, message=message))
    assert told in failed


def test_what_was_done_on_purpose_stands_where_it_happened(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAIRTRIAL_LANG", "zh")
    away = Disturbance(step=0, do="pause", probe="silence@2", detail={"seconds": 86400})
    hit = Disturbance(step=1, do="fault", probe="tool_timeout@1", call=0, detail={"fault": "timeout"})
    first = Turn(user="退款", reply="好", state={"order": {"id": "JD1"}, "wish": None})
    second = Turn(user="我回来了", reply="已退款", state={"order": {}, "wish": "退款"}, disturbed=(away, hit))
    second = replace(second, clock="2026-12-01T12:00:00Z")
    asked = Turn(user="真的退了吗？", reply="是", aside=True)
    record = Record(
        case="a",
        trial=0,
        status=Status.completed,
        turns=(first, second, asked),
        probed=Probed(probes=("silence@2", "tool_timeout@1"), seed=1, phase="explore"),
        snapshots=(Snapshot(name="之后", turn=1, state={}),),
        unfired=(2,),
    )
    out = StringIO()
    show_record(Console(file=out, width=100), record)
    assert [line.strip() for line in out.getvalue().splitlines()][:-1] == [
        "探针：silence@2、tool_timeout@1",
        "时机未到、没有发生的步骤：2",
        "用户   退款",
        "Agent  好",
        '状态  {"order": {"id": "JD1"}, "wish": null}',
        "⚡ silence@2: pause  seconds=86400",
        "⚡ tool_timeout@1: fault（第 1 次调用）  fault=timeout",
        "时钟  2026-12-01T12:00:00Z",
        "用户   我回来了",
        "Agent  已退款",
        "状态  - $['order']['id'] (= JD1)",
        "状态  $['wish']: null → 退款",
        "存为快照 之后",
        "追问   真的退了吗？",
        "Agent  是",
    ]
