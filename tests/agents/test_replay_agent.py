from collections.abc import Sequence

import pytest

from fairtrial.agents.protocol import Opening, Reply, SessionFailed
from fairtrial.agents.replay import ReplayAgent
from fairtrial.schema.record import Call, Failure, Record, Status, Turn, Usage


def record(
    case: str,
    *talk: tuple[str, str | None],
    trial: int = 0,
    status: Status = Status.completed,
    session: str = "",
) -> Record:
    return Record(
        case=case,
        trial=trial,
        status=status,
        session=session,
        turns=tuple(Turn(user=user, reply=reply) for user, reply in talk),
        failure=None if status.counts else Failure(kind="why", message="as it was"),
    )


async def ask(agent: ReplayAgent, *texts: str, session: str = "new") -> list[str]:
    talk = await agent.open(Opening(session=session, seed=0))
    return [(await talk.send(text)).text for text in texts]


async def failing(agent: ReplayAgent, *texts: str, session: str = "new") -> SessionFailed:
    with pytest.raises(SessionFailed) as failed:
        await ask(agent, *texts, session=session)
    return failed.value


async def test_trials_are_given_out_in_their_order_and_again() -> None:
    agent = ReplayAgent([record("c", ("退货", f"第{n}次"), trial=n) for n in range(3)])
    assert [(await ask(agent, "退货"))[0] for _ in range(4)] == ["第0次", "第1次", "第2次", "第0次"]


async def test_the_same_run_seed_gives_each_session_its_own() -> None:
    agent = ReplayAgent([record("c", ("hi", f"trial {n}"), trial=n, session=f"s{n}") for n in range(3)])
    assert await ask(agent, "hi", session="s2") == ["trial 2"]
    assert await ask(agent, "hi", session="s0") == ["trial 0"]


async def test_a_session_id_does_not_excuse_other_words() -> None:
    agent = ReplayAgent([record("c", ("hi", "a"), session="s"), record("d", ("ho", "b"))])
    assert await ask(agent, "ho", session="s") == ["b"]


async def test_cases_that_begin_alike_part_where_they_part() -> None:
    agent = ReplayAgent(
        [record("c", ("hi", "a1"), ("left", "a2")), record("d", ("hi", "b1"), ("right", "b2"))]
    )
    assert (await ask(agent, "hi", "left"))[1] == "a2"
    assert (await ask(agent, "hi", "right"))[1] == "b2"


async def test_everything_a_reply_told_comes_again() -> None:
    turn = Turn(
        user="hi",
        reply="ho",
        steps=(Call(name="find"),),
        state={"n": 1},
        first_token_seconds=0.1,
        thinking_seconds=0.2,
        model="m",
        system_fingerprint="fp",
        finish_reason="stop",
        usage=Usage(input_tokens=1, cost=0.5),
    )
    agent = ReplayAgent([Record(case="c", trial=0, status=Status.completed, turns=(turn,))])
    reply = await (await agent.open(Opening(session="", seed=0))).send("hi")
    for name in set(Turn.__struct_fields__) & set(Reply.__struct_fields__):
        assert getattr(reply, name) == getattr(turn, name)
    assert reply.text == "ho"


async def test_what_was_not_asked_is_not_in_the_log() -> None:
    agent = ReplayAgent([record("c", ("hi", "a"))])
    for texts in [("other",), ("hi", "and then?")]:
        failure = await failing(agent, *texts)
        assert (failure.status, failure.kind) == (Status.infra_error, "not_in_log")


async def test_a_user_turn_that_had_no_answer_has_none_now() -> None:
    agent = ReplayAgent([record("c", ("hi", "a"), ("###STOP###", None))])
    assert await ask(agent, "hi") == ["a"]
    assert (await failing(agent, "hi", "###STOP###")).kind == "not_in_log"


@pytest.mark.parametrize("status", [s for s in Status if not s.counts])
async def test_a_session_that_failed_before_an_answer_fails_again(status: Status) -> None:
    """It is known by its case's other trials, or by its session."""
    trials = [record("c", ("hi", "fine")), record("c", trial=1, status=status, session="s")]
    agent = ReplayAgent(trials)
    assert await ask(agent, "hi") == ["fine"]
    again = await failing(agent, "hi")
    assert (again.status, again.kind, again.message, again.partial) == (status, "why", "as it was", None)
    assert (await failing(ReplayAgent(trials[1:]), "hi", session="s")).status is status


def _two_turns(status: Status, *talk: tuple[str, str]) -> Sequence[Record]:
    return [record("c", *talk, status=status), record("c", ("one", "1"), ("two", "2"), trial=1)]


async def test_turns_before_a_failure_are_answered() -> None:
    agent = ReplayAgent(_two_turns(Status.agent_error, ("one", "first")))
    assert await ask(agent, "one") == ["first"]
    agent = ReplayAgent(_two_turns(Status.agent_error, ("one", "first")))
    assert (await failing(agent, "one", "two")).status is Status.agent_error


@pytest.mark.parametrize("talk", [[("one", "fir")], [("one", "first"), ("two", "sec")]])
async def test_half_an_answer_comes_as_half_an_answer(talk: list[tuple[str, str]]) -> None:
    failure = await failing(ReplayAgent(_two_turns(Status.truncated, *talk)), "one", "two")
    assert failure.status is Status.truncated
    assert failure.partial is not None
    assert failure.partial.text == talk[-1][1]


async def test_a_failure_never_becomes_an_answer() -> None:
    """An answer that a filter withheld half-way is kept as the last turn of an agent error."""
    agent = ReplayAgent([record("c", ("hi", "half"), status=Status.agent_error)])
    assert (await failing(agent, "hi")).status is Status.agent_error
