"""Cases are chosen by id, tag and number; a choice that matches nothing says what there is."""

import json
from pathlib import Path

import pytest

from fairtrial.cases.load import load_or_refuse
from fairtrial.cases.select import select
from fairtrial.errors import BadInput
from fairtrial.schema.case import CaseSet


@pytest.fixture
def case_set(tmp_path: Path) -> CaseSet:
    rows = [("TC-1", ["退款"]), ("TC-2", ["退款", "多轮"]), ("é", ["memory"]), ("7", [])]
    text = "\n".join(json.dumps({"id": i, "input": "x", "expect": "y", "tags": t}) for i, t in rows)
    (tmp_path / "a.jsonl").write_text(text)
    return load_or_refuse([tmp_path / "a.jsonl"])


@pytest.mark.parametrize(
    ("choice", "ids"),
    [
        ({}, ["TC-1", "TC-2", "é", "7"]),
        ({"ids": ["7", "TC-1"]}, ["TC-1", "7"]),
        ({"ids": ["e\u0301"]}, ["é"]),
        ({"tags": ["退款"]}, ["TC-1", "TC-2"]),
        ({"tags": ["memory", "多轮"]}, ["TC-2", "é"]),
        ({"tags": ["退款"], "ids": ["TC-2", "7"]}, ["TC-2"]),
        ({"limit": 2}, ["TC-1", "TC-2"]),
        ({"limit": 99}, ["TC-1", "TC-2", "é", "7"]),
        ({"tags": ["退款"], "limit": 1}, ["TC-1"]),
    ],
)
def test_choices(case_set: CaseSet, choice: dict[str, object], ids: list[str]) -> None:
    chosen = select(case_set, **choice)  # type: ignore[arg-type]
    assert [case.id for case in chosen.cases] == ids
    assert chosen.paths == case_set.paths
    assert (chosen.digest == case_set.digest) == (len(ids) == 4)


@pytest.mark.parametrize(
    ("choice", "messages"),
    [
        ({"ids": ["TC-9"]}, ["--case", "no case matches `TC-9`", "did you mean `TC-"]),
        ({"ids": ["7", "zzz"]}, ["no case matches `zzz`", "there are: TC-1, TC-2, é, 7"]),
        ({"tags": ["退货款"]}, ["--tag", "did you mean `退款`?"]),
        ({"tags": ["x"]}, ["there are: memory, 多轮, 退款"]),
        ({"tags": ["memory"], "ids": ["7"]}, ["no case has both"]),
        ({"limit": 0}, ["--limit", "the limit is 0"]),
    ],
)
def test_a_choice_that_matches_nothing(
    case_set: CaseSet, choice: dict[str, object], messages: list[str]
) -> None:
    with pytest.raises(BadInput) as refusal:
        select(case_set, **choice)  # type: ignore[arg-type]
    for message in messages:
        assert message in str(refusal.value)
