"""What a case's author holds to be right, by the case's own rules."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.schema.case import Answer, Case, CaseSet
from fairtrial.scoring.references import Tried, reference_record, try_reference
from fairtrial.scoring.score import Scorer


def tried(rules: list[dict[str, Any]], *reference: Any, turns: int = 1, pass_at: float = 1.0) -> Tried:
    answers = [{"text": one} if isinstance(one, str) else one for one in reference]
    case = Case.model_validate(
        {"id": "退款", "input": ["我要退款"] * turns, "rules": rules, "reference": answers}
    )
    return try_reference(case, Scorer(CaseSet(cases=(case,), paths=(), digest=""), pass_at=pass_at))


SAYS = {"rule": "contains", "text": "原路退回"}
CALLS = {"rule": "tool_called", "tool": "refund"}
NEVER = {"rule": "tool_not_called", "tool": "cancel", "critical": True}
STATE = {"rule": "state", "path": "$.refund", "equals": 459}


def test_a_right_answer_passes_and_a_wrong_one_names_its_rule() -> None:
    assert tried([SAYS], "459 元会原路退回") == Tried(case="退款", wrong=(), unseen=0)
    (said,) = tried([{"rule": "length", "min": 1}, SAYS], "请稍候").wrong
    assert "rule 1 (contains)" in said
    assert "expected met, got not met" in said


def test_a_text_alone_shows_nothing_of_calls_and_state() -> None:
    assert tried([SAYS, CALLS, NEVER, STATE], "原路退回") == Tried(case="退款", wrong=(), unseen=3)
    assert tried([CALLS, STATE], "好") == Tried(case="退款", wrong=(), unseen=2)


def test_what_is_told_is_held_against_it() -> None:
    whole = {"text": "原路退回", "calls": [{"name": "refund"}], "state": {"refund": 459}}
    assert tried([SAYS, CALLS, NEVER, STATE], whole) == Tried(case="退款", wrong=(), unseen=0)
    (said,) = tried([SAYS, CALLS], {"text": "原路退回", "calls": []}).wrong
    assert "rule 1 (tool_called)" in said


@pytest.mark.parametrize(("calls", "unseen"), [({}, 1), ({"calls": [{"name": "refund"}]}, 0)])
def test_a_claim_is_read_by_what_bears_it_out(calls: dict[str, Any], unseen: int) -> None:
    claim = {"rule": "claim", "texts": ["已为您退款"], "tool": "refund"}
    assert tried([claim], {"text": "已为您退款", **calls}) == Tried(case="退款", wrong=(), unseen=unseen)


def test_the_last_answer_alone_shows_nothing_of_earlier_turns() -> None:
    everywhere = {"rule": "contains_none", "texts": ["不行"], "over": "all"}
    assert tried([SAYS, everywhere], "原路退回", turns=3).unseen == 1
    assert tried([SAYS, everywhere], "请稍候", "请确认", "原路退回", turns=3).unseen == 0
    assert "contains_none" in tried([SAYS, everywhere], "不行", "请确认", "原路退回", turns=3).wrong[0]


def test_it_need_not_be_better_than_what_passes() -> None:
    rules = [SAYS, {"rule": "contains", "text": "工作日"}]
    assert tried(rules, "原路退回", pass_at=0.5).wrong == ()
    assert len(tried(rules, "原路退回").wrong) == 1


def test_a_rule_that_raises_is_no_pass() -> None:
    rule = {"rule": "python", "function": "json:loads"}
    (said,) = tried([rule], {"text": "x", "calls": []}).wrong
    assert "could not be applied" in said


@given(
    st.lists(st.text(max_size=20), min_size=1, max_size=5),
    st.integers(1, 5),
)
def test_its_record_has_a_turn_for_each_input_and_its_last_reply(texts: list[str], turns: int) -> None:
    texts = texts if len(texts) == turns else texts[-1:]
    reference = tuple(Answer(text=text) for text in texts)
    case = Case(id="a", input=("问",) * turns, rules=(), reference=reference)
    record = reference_record(case)
    assert len(record.turns) == turns
    assert record.reply == texts[-1]
