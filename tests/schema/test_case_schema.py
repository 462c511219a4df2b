"""A case is strict at the boundary and cannot be changed behind it."""

import pytest
from pydantic import ValidationError

from fairtrial.schema.case import Case, CaseSet


def test_a_case_has_sensible_defaults() -> None:
    case = Case.model_validate({"id": "a", "input": ["x"], "rules": [{"rule": "contains", "text": "y"}]})
    assert (case.weight, case.tags, case.criteria, case.cluster, case.expected_score) == (
        1.0,
        (),
        (),
        None,
        None,
    )
    with pytest.raises(ValidationError):
        case.weight = 2


@pytest.mark.parametrize(
    "wrong",
    [
        {"id": ""},
        {"id": 7},
        {"input": []},
        {"input": [""]},
        {"weight": 0},
        {"weight": float("nan")},
        {"expected_score": 1.01},
        {"rules": [{"rule": "nope"}]},
        {"unknown": 1},
    ],
)
def test_what_a_case_is_not(wrong: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        Case.model_validate({"id": "a", "input": ["x"], "rules": []} | wrong)


def test_cases_are_found_by_id() -> None:
    case = Case.model_validate({"id": "a", "input": ["x"], "rules": []})
    assert CaseSet(cases=(case,), paths=("a.json",), digest="0").by_id() == {"a": case}
