"""What a case says of its user and of what is done to its session: read, and refused where it cannot be."""

import json
from pathlib import Path
from typing import Any

import pytest

from fairtrial.cases.digest import digest
from fairtrial.cases.load import Severity, load, load_or_refuse
from fairtrial.cases.steps import check_steps
from fairtrial.errors import BadInput
from fairtrial.schema.case import Case
from fairtrial.schema.disturbance import Fault, FaultKind, Utter
from fairtrial.schema.user import Persona, Table

YAML = """\
- id: 晚给订单号
  input: 我要退款
  expect: 已退款
  least_calls: 2
  passes: 8 of 10
  user:
    answers:
      - when: {asks: order_number}
        say: 订单号是 JD2024111138271
        late: 1
    otherwise: 等一下，我找找
  disturb:
    - {do: utter, text: 在吗, before: 1}
    - {do: fault, fault: timeout, tool: query_order}
- id: persona
  input: I want to return it
  expect: refunded
  user:
    persona: an impatient customer
    goal: return order JD2024111138271
    facts: [paid $199]
"""


def of(**fields: Any) -> Case:
    return Case.model_validate({"id": "c", "input": ["你好，我要退款", "谢谢"], "rules": []} | fields)


def errors_of(folder: Path, **fields: Any) -> list[tuple[int | None, str, str]]:
    """The errors of a case of two turns, whose further fields stand from line 5 on."""
    base: dict[str, Any] = {"id": "a", "input": ["你好，我要退款", "谢谢"], "expect": "ok"}
    lines = ",\n".join(
        f"{json.dumps(k)}: {json.dumps(v, ensure_ascii=False)}" for k, v in (base | fields).items()
    )
    file = folder / "cases.json"
    file.write_text("[{\n" + lines + "\n}]\n", encoding="utf-8")
    return [(p.line, p.what, p.how) for p in load([file]).problems if p.severity is Severity.error]


def test_the_user_and_the_steps_are_read_from_yaml(tmp_path: Path) -> None:
    file = tmp_path / "cases.yaml"
    file.write_text(YAML, encoding="utf-8")
    late, persona = load_or_refuse([file]).cases
    assert isinstance(late.user, Table)
    assert (late.user.answers[0].when.asks, late.user.answers[0].late) == ("order_number", 1)
    assert (late.least_calls, late.passes) == (2, "8 of 10")
    assert isinstance(late.disturb[0], Utter)
    assert isinstance(late.disturb[1], Fault)
    assert late.disturb[1].fault is FaultKind.timeout
    assert isinstance(persona.user, Persona)


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"user": 3}, "an object is needed here, not 3"),
    ({"user": {"kind": "tabel", "answers": []}}, 'unknown `kind`: "tabel"; did you mean `table`?'),
    ({"user": {"answers": []}}, "`answers` must be a list that is not empty"),
    ({"user": {"answers": [{"when": {"askes": "date"}, "say": "x"}]}}, "did you mean `asks`?"),
    ({"user": {"answers": [{"when": {"asks": "order"}, "say": "x"}]}}, "`asks` must be one of"),
    ({"user": {"answers": [{"when": {}, "say": "x"}]}}, "`when` says nothing"),
    ({"user": {"answers": [{"when": {"tool": "t"}, "say": "x", "latee": 1}]}}, "did you mean `late`?"),
    ({"user": {"answers": [{"when": {"tool": "t"}, "say": "x"}], "max_turn": 3}}, "mean `max_turns`?"),
    ({"user": {"answers": [{"when": {"tool": "t"}, "say": "x", "late": 1}]}}, "can never come late"),
    ({"user": {"persona": "p"}}, "`goal` is missing"),
    ({"user": {"persona": "p", "goal": "g", "fact": []}}, "did you mean `facts`?"),
    ({"disturb": {"do": "pause"}}, "`disturb` must be a list"),
    ({"disturb": [3]}, "an object is needed here, not 3"),
    ({"disturb": [{"start": 0}]}, "`do` is missing"),
    ({"disturb": [{"do": "edt"}]}, 'unknown `do`: "edt"; did you mean `edit`?'),
    ({"disturb": [{"do": "fault", "fault": "tmieout"}]}, "did you mean `timeout`?"),
    ({"disturb": [{"do": "fault", "fault": "injection"}]}, "`injection` needs `text`"),
    ({"disturb": [{"do": "pause", "before": 1, "seconds": 1e300}]}, "`seconds` must be at most 1e+09"),
    ({"disturb": [{"do": "pause", "before": 1, "secnds": 3, "seconds": 3}]}, "did you mean `seconds`?"),
    ({"disturb": [{"do": "utter", "text": "a"}]}, "needs one of `before`"),
    ({"disturb": [{"do": "edit", "turn": 2, "start": 0, "end": 1, "text": "x"}]}, "there is no turn 2"),
    ({"disturb": [{"do": "edit", "start": 0, "end": 8, "text": "x"}]}, "past the end"),
    ({"disturb": [{"do": "split", "at": 7}]}, "leaves one side without words"),
    ({"disturb": [{"do": "split", "at": 9}]}, "past the end"),
    ({"disturb": [{"do": "split", "turn": 5, "at": 1}]}, "there is no turn 5"),
    ({"disturb": [{"do": "edit", "start": 0, "end": 7, "text": " "}]}, "nothing is left"),
    ({"disturb": [{"do": "pause", "before": 2, "seconds": 9}]}, "there is no turn 2"),
    ({"disturb": [{"do": "new_session", "before": 2}]}, "there is no turn 2"),
    ({"disturb": [{"do": "utter", "text": "a", "before": 3}]}, "there is no turn 3"),
    ({"disturb": [{"do": "snapshot", "after": 2, "name": "x"}]}, "there is no turn 2"),
    ({"least_calls": 0}, "`least_calls` must be at least 1"),
    ({"passes": "80%"}, "`passes` must be written as `8 of 10`"),
    ({"passes": "9 of 3"}, "asks for 9 of 3"),
]  # fmt: skip


@pytest.mark.parametrize(("fields", "what"), WRONG)
def test_what_cannot_be_is_told_at_its_line(tmp_path: Path, fields: dict[str, Any], what: str) -> None:
    ((line, said, _),) = errors_of(tmp_path, **fields)
    assert what in said
    assert line == 5


@pytest.mark.parametrize(("fields", "what"), WRONG)
def test_it_is_told_in_chinese(
    tmp_path: Path, fields: dict[str, Any], what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FAIRTRIAL_LANG", "zh")
    ((line, said, _),) = errors_of(tmp_path, **fields)
    assert any("\u4e00" <= char <= "\u9fff" for char in said)
    assert line == 5


def test_steps_may_not_touch_the_same_characters(tmp_path: Path) -> None:
    edit = {"do": "edit", "start": 1, "end": 4, "text": "x"}
    for other in ({"do": "edit", "start": 3, "end": 5, "text": "y"}, {"do": "split", "at": 2}):
        ((_, what, _),) = errors_of(tmp_path, disturb=[edit, other])
        assert "another step changes" in what


def test_the_same_is_not_said_twice_at_once_nor_a_name_given_twice(tmp_path: Path) -> None:
    utter = {"do": "utter", "text": "在吗", "before": 1}
    ((_, what, _),) = errors_of(tmp_path, disturb=[utter, utter])
    assert "twice" in what
    point = {"do": "snapshot", "after": 0, "name": "x"}
    ((_, what, _),) = errors_of(tmp_path, disturb=[point, point | {"after": 1}])
    assert "is taken" in what


def test_all_is_told_in_one_go(tmp_path: Path) -> None:
    steps = [{"do": "pause", "before": 9, "seconds": 1}, {"do": "split", "turn": 9, "at": 1}]
    assert len(errors_of(tmp_path, disturb=steps, passes="3 of 2")) == 3


@pytest.mark.parametrize(
    "fields",
    [
        {"disturb": [{"do": "utter", "text": "再见", "before": 2}]},
        {"disturb": [{"do": "new_session", "before": 2}, {"do": "utter", "text": "再见", "before": 2}]},
        {
            "disturb": [{"do": "pause", "before": 2, "seconds": 9}],
            "user": {"answers": [{"when": {"asks": "date"}, "say": "明天"}], "kind": "table"},
        },
        {"disturb": [{"do": "edit", "start": 7, "end": 7, "text": "！"}, {"do": "split", "at": 3}]},
        {
            "disturb": [
                {"do": "split", "at": 7},
                {"do": "edit", "start": 7, "end": 7, "text": "快点"},
            ]
        },
    ],
)
def test_what_can_be_passes(fields: dict[str, Any]) -> None:
    check_steps(of(**fields))


def test_a_case_of_no_file_is_refused_by_its_id() -> None:
    with pytest.raises(BadInput, match="no turn 7") as refused:
        check_steps(of(disturb=[{"do": "pause", "before": 7, "seconds": 1}]))
    assert refused.value.where == "c: disturb.0"


def test_the_digest_covers_what_is_done_and_who_speaks() -> None:
    when = {"path": "$.a"}
    user = {"kind": "table", "answers": [{"when": when, "say": "x"}]}
    null = {"kind": "table", "answers": [{"when": when | {"equals": None}, "say": "x"}]}
    variants = [
        of(),
        of(user=user),
        of(user=null),
        of(disturb=[{"do": "pause", "before": 0, "seconds": 1}]),
        of(disturb=[{"do": "pause", "before": 0, "seconds": 2}]),
        of(disturb=[{"do": "fault", "fault": "empty"}]),
        of(least_calls=1),
        of(passes="1 of 2"),
    ]
    assert len({digest([case]) for case in variants}) == len(variants)
    assert digest([of(user=user | {"max_turns": 8})]) == digest([of(user=user)])
