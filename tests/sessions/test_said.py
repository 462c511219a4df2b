"""What the user says after edits and splits."""

from typing import Any

import pytest

from fairtrial.schema.case import Case
from fairtrial.sessions.said import pieces, said


def case_of(*steps: dict[str, Any]) -> Case:
    return Case.model_validate(
        {"id": "one", "input": ["查订单 JD1，谢谢", "好 "], "rules": [], "disturb": steps}
    )


def edit(start: int, end: int, text: str) -> dict[str, Any]:
    return {"do": "edit", "turn": 0, "start": start, "end": end, "text": text}


def split(at: int) -> dict[str, Any]:
    return {"do": "split", "turn": 0, "at": at}


@pytest.mark.parametrize(
    ("steps", "spoken"),
    [
        ([], ["查订单 JD1，谢谢"]),
        ([edit(0, 1, "杳")], ["杳订单 JD1，谢谢"]),
        ([edit(7, 10, ""), edit(0, 0, "嗨，")], ["嗨，查订单 JD1"]),
        ([edit(4, 4, "b"), edit(4, 4, "a"), edit(4, 7, "c")], ["查订单 bac，谢谢"]),
        ([split(4)], ["查订单", "JD1，谢谢"]),
        ([split(4), edit(4, 4, "嗯，")], ["查订单", "嗯，JD1，谢谢"]),
        ([edit(4, 4, "嗯，"), split(4)], ["查订单 嗯，", "JD1，谢谢"]),
        ([edit(0, 4, ""), split(4)], ["JD1，谢谢"]),
    ],
)
def test_edits_and_splits_have_the_places_of_the_turn_as_written(
    steps: list[dict[str, Any]], spoken: list[str]
) -> None:
    case = case_of(*steps)
    assert said(case) == (*spoken, "好 ")
    told = [number for piece in pieces(case) for number in piece.steps]
    assert sorted(told) == list(range(len(steps)))
    assert [piece.turn for piece in pieces(case)] == [0] * len(spoken) + [1]
