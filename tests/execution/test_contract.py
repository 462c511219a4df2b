from hypothesis import given
from hypothesis import strategies as st

from fairtrial.execution.contract import StopReason, StopSwitch, Urgency, session_id, session_seed
from fairtrial.execution.plan import Plan
from fairtrial.execution.waiting import wait_seconds
from fairtrial.schema.case import Case

_seeds = st.integers(0, 2**63 - 1)
_trials = st.integers(0, 1000)


@given(_seeds, st.text(), _trials)
def test_a_seed_is_in_range_and_the_same_each_time(run_seed: int, case: str, trial: int) -> None:
    assert 0 <= session_seed(run_seed, case, trial) < 2**63
    assert session_seed(run_seed, case, trial) == session_seed(run_seed, case, trial)


def test_seeds_and_ids_stay_what_they_were() -> None:
    # Written once from hashlib.blake2b itself; a change would make old logs irreproducible.
    assert session_seed(0, "case-001", 0) == 8385100609552964296
    assert session_id(0, "退款", 2) == "70c9addeabdc9f4d6a4f3634dd4d3d5c"


def test_every_part_of_the_key_matters() -> None:
    keys = [
        (seed, case, trial)
        for seed in (0, 1)
        for case in ("1", "11", "退款", "\ud800")
        for trial in (0, 1, 11)
    ]
    assert len({session_id(*key) for key in keys}) == len(keys)
    assert len({session_seed(*key) for key in keys}) == len(keys)


def test_a_plan_shows_every_case_before_any_again() -> None:
    cases = [Case(id=f"c{n}", input=("问", "再问"), rules=()) for n in range(3)]
    plan = Plan(cases, trials=2, run_seed=5)
    keys = [("c0", 0), ("c1", 0), ("c2", 0), ("c0", 1), ("c1", 1), ("c2", 1)]
    assert list(plan) == keys
    assert (len(plan), plan[-1]) == (6, ("c2", 1))
    left = list(plan.sessions(lambda case, trial: case == "c1"))
    assert [(p.case_id, p.trial) for p in left] == [key for key in keys if key[0] != "c1"]
    assert left[0].turns == ("问", "再问")
    assert (left[0].seed, left[0].session) == (session_seed(5, "c0", 0), session_id(5, "c0", 0))


def test_the_second_interrupt_aborts_and_the_first_reason_stays() -> None:
    heard: list[Urgency] = []
    switch = StopSwitch()
    switch.listen(heard.append)
    for reason in (StopReason.max_cost, StopReason.interrupt, StopReason.max_cost, StopReason.interrupt):
        switch.press(reason)
    assert switch.reason is StopReason.max_cost
    assert heard == [Urgency.let_finish, Urgency.cancel_soon, Urgency.abort]


@given(st.integers(1, 50), st.none() | st.floats(), st.floats(0, 1e6), _seeds)
def test_a_wait_is_never_negative_nor_too_long(
    retry: int, asked: float | None, longest: float, seed: int
) -> None:
    seconds = wait_seconds(retry, asked, longest=longest, seed=seed)
    assert 0 <= seconds <= longest
    assert seconds == wait_seconds(retry, asked, longest=longest, seed=seed)


def test_waits_grow_when_nothing_was_asked_for() -> None:
    waits = [wait_seconds(retry, None, longest=60, seed=7) for retry in range(1, 9)]
    assert all(2 ** (n - 1) / 2 <= wait <= 2 ** (n - 1) for n, wait in enumerate(waits[:6], start=1))
    assert waits[7] <= 60
    assert wait_seconds(1, 12.5, longest=60, seed=7) == 12.5
