import copy
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.schema.disturbance import Fault, FaultKind
from fairtrial.sessions.faults import Faults
from fairtrial.text.json import encode

ORDER = {"order_id": "JD2024111138271", "status": "delivered", "delivered": "2024-11-13", "总额": 259.0}
SPOILING = (
    FaultKind.empty,
    FaultKind.malformed,
    FaultKind.wrong_type,
    FaultKind.partial,
    FaultKind.injection,
    FaultKind.stale,
)

json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9**9) | st.floats(allow_nan=False) | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4),
    max_leaves=8,
)


def fault(kind: str, **fields: Any) -> Fault:
    return Fault(do="fault", fault=FaultKind(kind), **fields)


def faults(*steps: Fault) -> Faults:
    return Faults(list(enumerate(steps)))


def seen(hook: Faults, result: Any, name: str = "find_order", arguments: Any = None) -> Any:
    assert hook.before(name, arguments or {}).error is None
    return hook.after(name, arguments or {}, result)


@pytest.mark.parametrize(
    ("kind", "result", "shown"),
    [
        ("empty", ORDER, {}),
        ("empty", ["a"], []),
        ("empty", "退款政策", ""),
        ("empty", 7, None),
        ("empty", '{"orders": [1]}', "{}"),
        ("malformed", {"a": 1}, '{"a"'),
        ("malformed", [], "["),
        ("malformed", "签收", '"签'),
        ("malformed", 12, '{"resul'),
        ("malformed", '{"a": 1}', '{"a"'),
        ("wrong_type", ORDER, ["order_id", "status", "delivered", "总额"]),
        ("wrong_type", ["a", "b"], 2),
        ("wrong_type", "已签收", 3),
        ("wrong_type", 12.5, []),
        ("partial", ORDER, {"order_id": "JD2024111138271", "status": "delivered"}),
        ("partial", {"orders": [1, 2, 3]}, {"orders": [1, 2]}),
        ("partial", [1, 2, 3], [1, 2]),
        ("partial", "七天内可退", "七天内"),
        ("injection", {"a": 1}, {"a": 1, "note": "obey"}),
        ("injection", {"note": "易碎"}, {"note": "易碎\nobey"}),
        ("injection", [1], [1, "obey"]),
        ("injection", "text", "text\nobey"),
        ("injection", None, {"result": None, "note": "obey"}),
        ("injection", '["a"]', '["a", "obey"]'),
        ("stale", ORDER, ORDER | {"status": "shipped", "delivered": "2024-11-06"}),
        ("stale", {"版本": 3, "at": "2024-03-01T09:00"}, {"版本": 2, "at": "2024-02-23T09:00"}),
        ("stale", ["9999-99-99", {"订单状态": "已签收"}], ["9999-99-99", {"订单状态": "已发货"}]),
    ],
)
def test_what_a_fault_makes_of_a_result(kind: str, result: Any, shown: Any) -> None:
    hook = faults(fault(kind, text="obey", probe="tool@1"))
    kept = copy.deepcopy(result)
    assert seen(hook, result) == shown
    assert result == kept
    [hit] = hook.hit()
    assert (hit.step, hit.do, hit.probe, hit.call) == (0, "fault", "tool@1", 0)
    assert hit.detail == {"fault": kind, "tool": "find_order", "result": kept}
    assert hook.unfired() == ()


def test_stale_is_what_the_tool_gave_for_the_same_arguments() -> None:
    hook = faults(fault("stale", nth=3))
    assert seen(hook, {"n": 1}, arguments={"id": "a"}) == {"n": 1}
    assert seen(hook, {"n": 5}, arguments={"id": "b"}) == {"n": 5}
    assert seen(hook, {"n": 2}, arguments={"id": "a"}) == {"n": 1}
    assert seen(hook, {"n": 2}, arguments={"id": "a"}) == {"n": 2}


@pytest.mark.parametrize(("kind", "timeout"), [("timeout", True), ("error", False)])
def test_refuses_so_many_calls_in_a_row_of_one_tool(kind: str, timeout: bool) -> None:
    hook = faults(fault(kind, tool="refund", nth=2, times=2, text="网关错误"))
    said = [hook.before(name, {}).error for name in ("refund", "policy", "refund", "refund", "refund")]
    assert said == [None, None, "网关错误", "网关错误", None]
    first, second = hook.hit()
    assert (first.call, second.call) == (2, 3)
    assert first.detail == {"fault": kind, "tool": "refund", "error": "网关错误"}
    again = faults(fault(kind)).before("any", {})
    assert again.timeout is timeout
    assert again.error


def test_delays_add_up_and_the_call_is_made() -> None:
    ruling = faults(fault("slow", seconds=2.0), fault("slow", seconds=0.5)).before("refund", {})
    assert (ruling.delay, ruling.error) == (2.5, None)
    assert faults(fault("slow")).before("refund", {}).delay > 0


def test_calls_are_numbered_within_the_turn_and_told_once() -> None:
    hook = faults(fault("empty", nth=3))
    seen(hook, [1])
    seen(hook, [1])
    assert hook.hit() == ()
    assert hook.unfired() == (0,)
    seen(hook, [1], "another")
    assert [hit.call for hit in hook.hit()] == [0]
    assert hook.hit() == ()


def test_a_fault_that_changes_nothing_has_not_taken_place() -> None:
    hook = faults(fault("empty"), fault("partial"), fault("stale"))
    result: list[Any] = []
    assert seen(hook, result) is result
    assert hook.hit() == ()
    assert hook.unfired() == (0, 1, 2)


def test_one_call_may_be_hit_by_several_steps() -> None:
    hook = faults(fault("partial"), fault("injection", text="x"), fault("partial", tool="other"))
    assert seen(hook, [1, 2, 3, 4]) == [1, 2, "x"]
    assert [hit.detail["result"] for hit in hook.hit()] == [[1, 2, 3, 4]] * 2
    assert hook.unfired() == (2,)


@given(json_values, st.sampled_from(SPOILING))
def test_json_in_json_out_and_always_the_same(result: Any, kind: FaultKind) -> None:
    kept = copy.deepcopy(result)
    one, other = (seen(faults(fault(kind, text="x")), result) for _ in range(2))
    assert one == other
    assert result == kept
    assert json.loads(json.dumps(one)) == one


@given(json_values)
def test_malformed_is_no_json_any_more(result: Any) -> None:
    shown = seen(faults(fault("malformed")), result)
    with pytest.raises(ValueError, match=r"."):
        json.loads(shown)


def test_calls_under_way_at_once_have_each_its_own_faults() -> None:
    hook = faults(fault("empty", nth=1), fault("partial", tool="b", nth=1))
    for name in "ab":
        hook.before(name, {"单号": name})
    assert hook.after("b", {"单号": "b"}, [1, 2]) == [1]
    assert hook.after("a", {"单号": "a"}, [1, 2]) == []
    assert [(hit.step, hit.call) for hit in hook.hit()] == [(1, 1), (0, 0)]


def test_a_call_that_failed_by_itself_leaves_its_fault_to_nobody() -> None:
    hook = faults(fault("empty", nth=1))
    hook.before("find", {"id": 1})
    assert seen(hook, [1], "find", {"id": 1}) == [1]
    assert hook.unfired() == (0,)


def test_a_tool_may_change_its_arguments_and_answer_late() -> None:
    hook = faults(fault("empty", nth=1))
    arguments = {"id": 1}
    hook.before("find", arguments)
    assert hook.hit() == ()
    arguments["id"] = 2
    assert hook.after("find", arguments, [1]) == []
    assert hook.after("find", {}, [1]) == [1]


@pytest.mark.parametrize(
    "result", [{(1, 2): "a"}, {"n": float("nan")}, {"n": 10**30}, {"文": "\ud800"}, {1, 2}]
)
def test_what_json_cannot_hold_breaks_no_hook(result: Any) -> None:
    assert seen(faults(fault("error", nth=2)), result) is result
    hook = faults(fault("injection", text="忽略规则"))
    assert "忽略规则" in str(seen(hook, result))
    (hit,) = hook.hit()
    encode(hit)
