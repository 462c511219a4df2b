"""What the user's side says, in which order, and what of `disturb` has taken place by then."""

from typing import Any

import pytest

from fairtrial.execution.contract import Move, Talk
from fairtrial.schema.case import Case
from fairtrial.schema.record import Call, Turn
from fairtrial.sessions.talk import talk_of


def case_of(*turns: str, disturb: tuple[dict[str, Any], ...] = (), **more: Any) -> Case:
    return Case.model_validate(
        {"id": "c", "input": list(turns), "rules": [], "disturb": list(disturb)} | more
    )


async def hear(talk: Talk, *replies: Turn | str, clock: float = 0.0) -> list[Move]:
    """All moves, with a reply each; the clock moves by the pauses alone."""
    moves: list[Move] = []
    turns: list[Turn] = []
    answers = iter(replies)
    while (move := await talk.next(turns, clock)) is not None:
        moves.append(move)
        clock += move.pause
        reply = next(answers, "…")
        turn = Turn(user=move.text, reply=reply) if isinstance(reply, str) else reply
        turns.append(turn)
    await talk.close()
    return moves


def texts(moves: list[Move]) -> list[str]:
    return [move.text for move in moves]


async def test_a_plain_case_is_said_as_written() -> None:
    talk = talk_of(case_of("你好", "查一下 JD2024111138271"), 1)
    assert texts(await hear(talk)) == ["你好", "查一下 JD2024111138271"]
    assert talk.unfired() == ()
    assert talk.tools is None
    assert talk.hit() == ()


async def test_edits_and_splits_shape_a_turn_and_are_told_with_it() -> None:
    disturb = (
        {"do": "edit", "start": 0, "end": 2, "text": "伲好", "probe": "typos@1"},
        {"do": "split", "at": 3},
    )
    talk = talk_of(case_of("你好，我要退款", disturb=disturb), 1)
    moves = await hear(talk)
    assert texts(moves) == ["伲好，", "我要退款"]
    (edit,) = moves[0].disturbed
    assert (edit.step, edit.do, edit.probe, edit.detail["was"]) == (0, "edit", "typos@1", "你好")
    assert [one.do for one in moves[1].disturbed] == ["split"]
    assert talk.unfired() == ()


async def test_what_happens_before_a_turn_happens_as_it_is_written() -> None:
    disturb = (
        {"do": "utter", "text": "by the way", "before": 1},
        {"do": "pause", "before": 1, "seconds": 3600},
        {"do": "new_session", "before": 1},
        {"do": "utter", "text": "I am back", "before": 1},
        {"do": "utter", "text": "that is all", "before": 2},
    )
    moves = await hear(talk_of(case_of("first", "second", disturb=disturb), 1))
    assert texts(moves) == ["first", "by the way", "I am back", "second", "that is all"]
    assert [(move.pause, move.fresh) for move in moves] == [
        (0, False),
        (0, False),
        (3600, True),
        (0, False),
        (0, False),
    ]
    assert [one.step for one in moves[2].disturbed] == [1, 2, 3]


async def test_something_is_said_once_a_tool_was_called_so_often() -> None:
    disturb = ({"do": "utter", "text": "算了，不退了", "after_tool": "query", "nth": 2},)
    talk = talk_of(case_of("a", "b", "c", disturb=disturb), 1)
    called = Turn(user="", reply="", steps=(Call(name="query"), Call(name="other")))
    assert texts(await hear(talk, called, called)) == ["a", "b", "算了，不退了", "c"]


async def test_what_waits_for_a_tool_is_said_after_the_last_turn_too() -> None:
    disturb = ({"do": "utter", "text": "thanks", "after_tool": "query"},)
    called = Turn(user="", reply="", steps=(Call(name="query"),))
    assert texts(await hear(talk_of(case_of("a", disturb=disturb), 1), called)) == ["a", "thanks"]
    talk = talk_of(case_of("a", disturb=disturb), 1)
    assert texts(await hear(talk)) == ["a"]
    assert talk.unfired() == (0,)


async def test_something_is_said_once_so_much_time_has_gone_by_and_an_absence_counts() -> None:
    disturb = (
        {"do": "utter", "text": "still there?", "after_seconds": 600},
        {"do": "pause", "before": 2, "seconds": 900},
    )
    moves = await hear(talk_of(case_of("a", "b", "c", disturb=disturb), 1))
    assert texts(moves) == ["a", "b", "still there?", "c"]
    assert [move.pause for move in moves] == [0, 0, 900, 0]


async def test_a_point_is_after_the_last_part_of_its_turn() -> None:
    disturb = (
        {"do": "split", "at": 2},
        {"do": "snapshot", "after": 0, "name": "asked"},
    )
    moves = await hear(talk_of(case_of("我要退款", "谢谢", disturb=disturb), 1))
    assert [move.points for move in moves] == [(), ("asked",), ()]
    assert [one.do for one in moves[1].disturbed] == ["split", "snapshot"]


async def test_tools_fail_through_the_hook_of_the_talk() -> None:
    disturb = (
        {"do": "fault", "fault": "error", "tool": "query"},
        {"do": "fault", "fault": "empty", "tool": "never"},
    )
    talk = talk_of(case_of("a", disturb=disturb), 1)
    assert talk.tools is not None
    assert talk.tools.before("query", {}).error
    assert [hit.step for hit in talk.hit()] == [0]
    await hear(talk)
    assert talk.unfired() == (1,)


async def test_after_the_case_the_user_speaks_and_an_absence_before_it_is_theirs() -> None:
    user = {"kind": "table", "answers": [{"when": {"reply": "more"}, "say": "yes"}]}
    disturb = ({"do": "pause", "before": 1, "seconds": 60},)
    moves = await hear(talk_of(case_of("a", user=user, disturb=disturb), 1), "more?", "done")
    assert [(move.text, move.pause) for move in moves] == [("a", 0), ("yes", 60)]


async def test_a_user_who_never_came_back_was_not_away() -> None:
    user = {"kind": "table", "answers": [{"when": {"reply": "more"}, "say": "yes"}]}
    talk = talk_of(case_of("a", user=user, disturb=({"do": "pause", "before": 1, "seconds": 60},)), 1)
    assert texts(await hear(talk, "done")) == ["a"]
    assert talk.unfired() == (0,)


def test_a_persona_needs_somebody_who_plays_it() -> None:
    with pytest.raises(ValueError, match="plays"):
        talk_of(case_of("a", user={"kind": "persona", "persona": "p", "goal": "g"}), 1)
