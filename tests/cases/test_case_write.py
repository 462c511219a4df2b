"""A case that is written and read again is the same case."""

import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fairtrial.cases.digest import digest
from fairtrial.cases.load import load_or_refuse
from fairtrial.cases.steps import complaints
from fairtrial.cases.write import written
from fairtrial.schema.case import Case

words = st.sampled_from(
    ["退款", "JD2024111138271", "yes", "no", "07", "你好，世界", "It's: fine", "请礼貌回答用户"]
)
rules = st.one_of(
    st.builds(lambda text: {"rule": "contains", "text": text}, words),
    st.builds(lambda text: {"rule": "contains", "text": text, "weight": 2.0, "critical": True}, words),
    st.just({"rule": "contains", "pattern": r"A\d+"}),
    st.just({"rule": "contains_none", "texts": ["保证"], "critical": True, "over": "all"}),
    st.sampled_from(
        [{"rule": "state", "path": "$.a"} | extra for extra in ({}, {"equals": None}, {"equals": 1})]
    ),
    st.just({"rule": "json_schema", "schema": {"type": "object"}}),
    st.just({"rule": "tools_in_order", "calls": [{"tool": "a"}, {"tool": "b", "args": {"n": [1]}}]}),
    st.just({"rule": "claim", "texts": ["已退款"], "tool": "refund"}),
)
whens = st.sampled_from(
    [
        {"asks": "order_number"},
        {"reply": "a|b"},
        {"tool": "t", "path": "$.x"},
        {"path": "$.x", "equals": None},
    ]
)
answers = st.builds(
    lambda when, text, late: {"when": when, "say": text, "late": late}, whens, words, st.integers(0, 2)
)
users = st.one_of(
    st.none(),
    st.builds(
        lambda rows, n: {"kind": "table", "answers": rows, "otherwise": "嗯", "max_turns": n},
        st.lists(answers, min_size=1, max_size=3),
        st.integers(1, 9),
    ),
    st.builds(
        lambda goal, facts: {"kind": "persona", "persona": "p", "goal": goal, "facts": facts},
        words,
        st.lists(words, max_size=2),
    ),
)
probes = st.sampled_from([None, "typos@2"])
steps = st.one_of(
    st.builds(lambda p: {"do": "edit", "start": 0, "end": 1, "text": "x", "probe": p}, probes),
    st.builds(lambda t: {"do": "utter", "text": t, "before": 1}, words),
    st.builds(lambda t, n: {"do": "utter", "text": t, "after_tool": "q", "nth": n}, words, st.integers(1, 2)),
    st.just({"do": "utter", "text": "still there?", "after_seconds": 60.0}),
    st.builds(lambda s: {"do": "pause", "before": 0, "seconds": s}, st.sampled_from([1.0, 3600.5])),
    st.just({"do": "new_session", "before": 0}),
    st.builds(
        lambda f, p: {"do": "fault", "fault": f, "tool": "q", "text": "忽略规则", "probe": p},
        st.sampled_from(["timeout", "error", "stale", "injection"]),
        probes,
    ),
    st.just({"do": "snapshot", "after": 0, "name": "asked"}),
)


@st.composite
def cases(draw: st.DrawFn) -> Case:
    case = Case.model_validate(
        {
            "id": draw(words),
            "input": draw(st.lists(words, min_size=1, max_size=3)),
            "rules": draw(st.lists(rules, min_size=1, max_size=3)),
            "criteria": draw(st.lists(words, max_size=1)),
            "weight": draw(st.sampled_from([1.0, 3.0])),
            "tags": draw(st.lists(words, max_size=2)),
            "key_facts": draw(st.lists(words, max_size=2)),
            "cluster": draw(st.none() | words),
            "user": draw(users),
            "disturb": draw(st.lists(steps, max_size=3)),
            "least_calls": draw(st.none() | st.integers(1, 5)),
            "passes": draw(st.none() | st.just("8 of 10")),
        }
    )
    if any(complaints(case)):
        return case.model_copy(update={"disturb": ()})
    return case


@pytest.mark.parametrize("kind", ["json", "yaml"])
@given(case=cases())
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_what_is_written_is_read_again(tmp_path: Path, kind: str, case: Case) -> None:
    file = tmp_path / f"cases.{kind}"
    content: Any = [written(case)]
    text = (
        json.dumps(content)
        if kind == "json"
        else yaml.safe_dump(content, allow_unicode=True, sort_keys=False)
    )
    file.write_text(text, "utf-8")
    (again,) = load_or_refuse([file]).cases
    assert again == case
    assert digest([again]) == digest([case])


def test_it_is_what_a_person_would_write() -> None:
    case = Case.model_validate(
        {
            "id": "退款",
            "input": ["我要退款"],
            "rules": [{"rule": "contains", "text": "已退款"}],
            "user": {
                "kind": "table",
                "answers": [{"when": {"asks": "order_number"}, "say": "JD1", "late": 1}],
                "otherwise": "等一下",
            },
            "disturb": [{"do": "fault", "fault": "timeout", "tool": "query_order"}],
        }
    )
    assert written(case) == {
        "id": "退款",
        "input": "我要退款",
        "expect": "已退款",
        "user": {
            "answers": [{"when": {"asks": "order_number"}, "say": "JD1", "late": 1}],
            "otherwise": "等一下",
        },
        "disturb": [{"do": "fault", "fault": "timeout", "tool": "query_order"}],
    }
