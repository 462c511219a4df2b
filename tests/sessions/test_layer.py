"""Where a failed session went wrong, on sessions of the shop and on ones made by hand, in both languages."""

import importlib
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from fairtrial.schema.case import Case, CaseSet
from fairtrial.schema.disturbance import Fault, FaultKind
from fairtrial.schema.record import Call, Disturbance, Record, Status, Turn
from fairtrial.schema.weakness import Layer
from fairtrial.scoring.score import Scorer
from fairtrial.sessions.faults import Faults
from fairtrial.sessions.layer import layer_of

SHOP = Path(__file__).resolve().parents[2] / "examples" / "shop"
ORDER = {"zh": "JD2024111138271", "en": "US2024110614420"}


@pytest.fixture(scope="module")
def shop() -> Iterator[Callable[..., Any]]:
    before = set(sys.modules)
    sys.path.insert(0, str(SHOP))
    yield importlib.import_module("agent").ShopAgent
    sys.path.remove(str(SHOP))
    for name in set(sys.modules) - before:
        if str(SHOP) in str(getattr(sys.modules[name], "__file__", "")):
            del sys.modules[name]


def talk(agent: Callable[[str], dict[str, Any]], texts: list[str], faults: Faults | None = None) -> Record:
    turns = []
    for text in texts:
        said = agent(text)
        steps = tuple(Call(**{k: v for k, v in step.items() if k != "step"}) for step in said["steps"])
        hits = faults.hit() if faults else ()
        turns.append(Turn(user=text, reply=said["text"], steps=steps, state=said["state"], disturbed=hits))
    return Record(case="c", trial=0, status=Status.completed, turns=tuple(turns))


def layer(record: Record, *rules: dict[str, Any]) -> Layer | None:
    case = Case.model_validate({"id": "c", "input": ["x"], "rules": list(rules)})
    return layer_of(record, Scorer(CaseSet(cases=(case,), paths=(), digest="")).score(record))


REFUND = {"rule": "tool_called", "tool": "refund"}
LONG = {
    "zh": "您好，是这样的，我上个月搬了新家，双十一的时候给自己和爱人买了不少东西，忙到现在才有空一样一样"
    "拆开来试，别的都挺满意，就这件不合适，想退款，订单号 ",
    "en": "hello there, "
    + "it has been a long week and I only now came round to opening all of it, " * 4
    + "please refund my order ",
}


@pytest.mark.parametrize("language", ["zh", "en"])
def test_an_order_number_that_was_told_and_asked_for_is_not_understood(shop: Any, language: str) -> None:
    record = talk(shop(), [LONG[language] + ORDER[language]])
    assert layer(record, REFUND) is Layer.understanding
    assert layer(record, {"rule": "contains", "text": ORDER[language]}) is Layer.understanding


@pytest.mark.parametrize(
    ("language", "texts"),
    [
        ("zh", ["我要退款", "算了，不退了，订单 JD2024111138271 换成 40 码"]),
        ("en", ["I want a refund", "no, forget that: exchange US2024110614420 for size 9"]),
    ],
)
def test_what_was_forbidden_by_a_change_of_mind_is_not_understood(
    shop: Any, language: str, texts: list[str]
) -> None:
    record = talk(shop(), texts)
    forbidden = {"rule": "tool_not_called", "tool": "refund", "critical": True}
    assert [call.name for call in record.calls][-1] == "refund"
    assert layer(record, forbidden) is Layer.understanding


@pytest.mark.parametrize("fault", [FaultKind.timeout, FaultKind.error, FaultKind.wrong_type])
@pytest.mark.parametrize("language", ["zh", "en"])
def test_a_tool_that_failed_for_good_is_a_result_not_dealt_with(
    shop: Any, language: str, fault: FaultKind
) -> None:
    faults = Faults([(0, Fault(do="fault", fault=fault, tool="find_order"))])

    def through(name: str, arguments: Any, call: Callable[[], Any]) -> Any:
        ruling = faults.before(name, arguments)
        if ruling.error is not None:
            raise TimeoutError(ruling.error) if ruling.timeout else RuntimeError(ruling.error)
        return faults.after(name, arguments, call())

    asked = {"zh": "我要退款，订单 ", "en": "please refund "}[language] + ORDER[language]
    record = talk(shop(tools=through), [asked], faults)
    assert layer(record, REFUND) is Layer.tool_result


@pytest.mark.parametrize("language", ["zh", "en"])
def test_a_deed_left_out_by_one_who_understood_is_a_call(shop: Any, language: str) -> None:
    asked = {"zh": "我要退款，订单 ", "en": "please refund "}[language] + ORDER[language]
    record = talk(shop(), [asked])
    assert layer(record, {"rule": "tool_called", "tool": "refund", "args": {"sku": "S1"}}) is Layer.tool_call
    assert layer(record, {"rule": "state", "path": "$.changes.exchanges.X"}) is Layer.tool_call


@pytest.mark.parametrize("language", ["zh", "en"])
def test_only_words_are_wrong_in_an_answer(shop: Any, language: str) -> None:
    asked = {"zh": "我要退款，订单 ", "en": "please refund "}[language] + ORDER[language]
    record = talk(shop(), [asked])
    assert layer(record, REFUND, {"rule": "contains", "text": "sorry for the trouble"}) is Layer.answer
    assert layer(record, REFUND) is None


def made(**turn: Any) -> Record:
    return Record(case="c", trial=0, status=Status.completed, turns=(Turn(**turn),))


SAYS = {"rule": "contains", "text": "never said"}


def test_a_session_that_did_not_complete_has_no_layer() -> None:
    record = Record(case="c", trial=0, status=Status.timeout)
    assert layer(record, SAYS) is None


def test_a_failed_call_made_again_is_recovered_from() -> None:
    failed, sound = Call(name="find", error="timed out"), Call(name="find", result={"ok": 1})
    words = {"user": "查一下", "reply": "好的"}
    assert layer(made(**words, steps=(failed, sound)), SAYS) is Layer.answer
    assert layer(made(**words, steps=(sound, failed)), SAYS) is Layer.tool_result


def test_a_slow_result_is_a_true_one() -> None:
    hit = Disturbance(step=0, do="fault", call=0, detail={"fault": "slow", "tool": "find", "seconds": 10.0})
    turn = {"user": "hi", "reply": "ok", "steps": (Call(name="find", result=1),), "disturbed": (hit,)}
    assert layer(made(**turn), SAYS) is Layer.answer


@pytest.mark.parametrize(
    ("said", "reply", "found"),
    [
        ("我的订单 JD2024111138271 到哪了", "请提供订单号。", Layer.understanding),
        ("我的订单 JD2024111138271 到哪了", "没有查到 JD2024111138271，请提供正确的订单号。", Layer.answer),
        ("where is my order?", "Please tell me your order number.", Layer.answer),
    ],
)
def test_asking_is_only_wrong_where_it_was_told_and_is_not_repeated(
    said: str, reply: str, found: Layer
) -> None:
    assert layer(made(user=said, reply=reply), SAYS) is found


def test_an_answer_to_the_examiner_shows_what_was_understood() -> None:
    first = Turn(user="退款 JD2024111138271", reply="好的", state={"intent": "refund"})
    asked = Turn(user="我前面说的订单号是什么？", reply="JD2024111138271", aside=True)
    rule = {"rule": "state", "path": "$.done"}
    whole = Record(case="c", trial=0, status=Status.completed, turns=(first,))
    assert layer(whole, rule) is Layer.understanding
    acted = Turn(user=first.user, reply="好的", steps=(Call(name="find"),), state={"intent": "refund"})
    told = Record(case="c", trial=0, status=Status.completed, turns=(acted, asked))
    silent = Record(case="c", trial=0, status=Status.completed, turns=(acted,))
    assert layer(told, rule) is Layer.tool_call
    assert layer(silent, rule) is Layer.understanding
