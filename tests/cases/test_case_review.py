"""What a change of a case is, and what it lacks."""

import json
from typing import Any

import pytest

from fairtrial.cases.files import of_bytes
from fairtrial.cases.load import load_files
from fairtrial.cases.review import Sited, changes, faults
from fairtrial.schema.review import ChangeKind, FieldChange

BEFORE: dict[str, Any] = {
    "id": "退款-1",
    "input": "我要退款",
    "expect": ["退款", {"rule": "number", "value": 459}],
    "version": 1,
    "created_by": "李娜",
    "reviewed_by": "张丽",
    "changelog": ["第一版"],
}


def side(*cases: dict[str, Any], file: str = "cases.json") -> dict[str, Sited]:
    loaded = load_files([of_bytes(json.dumps(cases, indent=1).encode(), file, "json")])
    assert loaded.case_set is not None, loaded.problems
    return {case.id: Sited(case=case, file=file, where=where) for case, where in loaded.cases()}


def told(
    after: dict[str, Any], before: dict[str, Any] | None = None, author: str | None = "王芳"
) -> list[str]:
    found = faults(side(before or BEFORE), side(after), authors=lambda site: [author] if author else [])
    return [fault.what for fault in found]


def test_a_change_is_told_rule_by_rule() -> None:
    rules = ["退款", {"rule": "number", "value": 460}, {"rule": "no_refusal"}]
    (change,) = changes(side(BEFORE), side(BEFORE | {"expect": rules, "weight": 3, "version": 2}))
    assert (change.case, change.kind, change.where) == ("退款-1", ChangeKind.changed, "cases.json:2")
    assert list(change.fields) == [
        FieldChange(
            field="expect[1]", old={"rule": "number", "value": 459.0}, new={"rule": "number", "value": 460.0}
        ),
        FieldChange(field="expect[2]", new={"rule": "no_refusal"}),
        FieldChange(field="version", old=1, new=2),
        FieldChange(field="weight", old=1.0, new=3.0),
    ]


def test_what_is_written_otherwise_is_no_change() -> None:
    other = {
        "labels": [],
        "changelog": "第一版",
        "expected": {"required_fields": ["退款"], "rules": [{"value": 459.0, "rule": "number"}]},
        "input_seq": [{"role": "user", "content": "我要退款"}],
        **{name: BEFORE[name] for name in ("reviewed_by", "created_by", "version")},
        "case_id": "退款-1",
        "weight": 1,
    }
    assert changes(side(BEFORE), side(other)) == []
    (moved,) = changes(side(BEFORE), side(other, file="其他.json"))
    assert (moved.kind, moved.was, moved.where) == (ChangeKind.moved, "cases.json", "其他.json:2")
    assert told(other) == []


def test_added_and_removed() -> None:
    new = BEFORE | {"id": "new"}
    assert [(c.case, c.kind) for c in changes(side(BEFORE), side(new))] == [
        ("new", ChangeKind.added),
        ("退款-1", ChangeKind.removed),
    ]


def test_what_is_filled_in_is_bookkeeping_and_what_is_replaced_is_not() -> None:
    flat = {name: BEFORE[name] for name in ("id", "input", "expect")}
    full = BEFORE | {"set": "regression", "created": "2026-01-05"}
    (change,) = changes(side(flat), side(full))
    assert change.kind is ChangeKind.kept
    assert told(full, flat) == []
    for field, value in (("set", "natural"), ("created_by", "赵六"), ("created", "2026-11-30")):
        (change,) = changes(side(full), side(full | {field: value}))
        assert change.kind is ChangeKind.changed


GOOD = BEFORE | {"input": "退款！", "version": 2, "changelog": ["第一版", "问法更口语"]}


@pytest.mark.parametrize(
    ("after", "what"),
    [
        ({}, []),
        ({"version": 1}, ["changed without a new version"]),
        ({"version": "1"}, ["changed without a new version"]),
        ({"version": "1.1"}, []),
        ({"version": "1" * 5000}, []),
        ({"version": "next"}, ["the version went from 1 back to next"]),
        ({"version": 0}, ["the version went from 1 back to 0"]),
        ({"version": None}, ["the version went from 1 back to none"]),
        ({"changelog": ["第一版"]}, ["changed without a line in the changelog"]),
        ({"changelog": ["第一版", "第一版"]}, ["changed without a line in the changelog"]),
        ({"changelog": ["问法更口语"]}, ["a line of the changelog is gone"]),
        ({"reviewed_by": None}, ["nobody has reviewed it"]),
        ({"reviewed_by": " "}, ["nobody has reviewed it"]),
        ({"reviewed_by": "王芳 "}, ["王芳  reviewed their own change"]),
        ({"reviewed_by": "李娜"}, []),
        (
            {"changelog": ["第一版", {"who": "张丽", "what": "问法更口语"}]},
            ["张丽 reviewed their own change"],
        ),
        ({"changelog": ["第一版", {"who": "赵六", "what": "问法"}], "reviewed_by": "王芳"}, []),
        ({"changelog": ["第一版", {"who": "赵六"}, {"who": "张丽"}]}, ["张丽 reviewed their own change"]),
    ],
)
def test_a_changed_case(after: dict[str, Any], what: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAIRTRIAL_LANG", "en")
    assert told(GOOD | after) == what


def test_history_is_only_added_to_even_where_nothing_else_changes() -> None:
    assert len(told(BEFORE | {"version": 0})) == 1
    assert len(told(BEFORE | {"changelog": ["first version"]})) == 1
    assert told(BEFORE | {"reviewed_by": "王芳"}) == []
    assert len(told(BEFORE | {"version": "1.9"}, BEFORE | {"version": "1.10"})) == 1


def test_one_and_true_are_two_answers() -> None:
    asked = {"rule": "json_path", "path": "$.paid", "equals": 1}
    sides = (side(BEFORE | {"expect": [asked | {"equals": value}]}) for value in (1, True))
    (change,) = changes(*sides)
    assert change.kind is ChangeKind.changed


@pytest.mark.parametrize(
    ("author", "reviewer", "same"),
    [
        ("Zhang Li", "zhang  li", True),
        ("Ｚｈａｎｇ　Ｌｉ", "zhang li", True),
        ("张丽", "张\u200b丽 <zhang.li@example.org>", True),
        ("ﬁona", "fiona", True),
        ("张丽", "張麗", False),
        ("Zhang Li", "Zhang Lin", False),
    ],
)
def test_whose_name_is_the_same(author: str, reviewer: str, same: bool) -> None:
    assert bool(told(GOOD | {"reviewed_by": reviewer}, author=author)) is same
    new = BEFORE | {"id": "new", "created_by": author, "reviewed_by": reviewer}
    assert bool(faults({}, side(new), authors=lambda site: ())) is same


def test_a_new_case_needs_all_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAIRTRIAL_LANG", "en")
    flat = {name: BEFORE[name] for name in ("id", "input", "expect")}
    found = faults({}, side(flat), authors=lambda site: ["李娜"])
    assert [fault.what for fault in found] == [
        "a new case without `version`, `created_by`, `changelog`",
        "nobody has reviewed it",
    ]
    assert faults({}, side(BEFORE), authors=lambda site: ()) == []
    both = BEFORE | {"changelog": [{"who": "张丽", "what": "第一版"}]}
    assert len(faults({}, side(both), authors=lambda site: ())) == 1


def test_nobody_known_as_the_author_is_said() -> None:
    assert len(told(GOOD, author=None)) == 1
    assert told(GOOD | {"changelog": ["第一版", {"who": "赵六"}]}, author=None) == []


def test_a_removed_case_has_to_be_named() -> None:
    (fault,) = faults(side(BEFORE), {}, authors=lambda site: ())
    assert (fault.case, fault.where) == ("退款-1", "cases.json:2")
    assert "--allow-removed 退款-1" in fault.how
    assert faults(side(BEFORE), {}, authors=lambda site: (), removable=["退款-1"]) == []
