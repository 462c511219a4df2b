"""Promises of `useful` that hold for any text."""

import math

from hypothesis import assume, given
from hypothesis import strategies as st

from fairtrial.schema.score import Unscored, Useful
from fairtrial.scoring.useful import useful

PIECES = st.sampled_from(
    [
        *(
            "The ferry leaves pier 4 at 08:15.",
            "It costs $23.50.",
            "Please show the ticket at the pier.",
            "Sorry!",
        ),
        *(
            "There is no ferry on Sunday.",
            "Which pier do you want?",
            "We value your trust.",
            "Ask Captain Moore",
        ),
        *(
            "渡轮08:15从4号码头开出。",
            "票价23.5元。",
            "请在码头出示船票。",
            "抱歉，",
            "周日没有渡轮。",
            "您要去哪个码头？",
        ),
        *("感谢您的耐心等待。", "\n- ", "，", ", ", "？", "...", "ferry", "码头 渡轮 船票", "**", "FX204"),
    ]
)
REPLIES = st.lists(PIECES, min_size=1, max_size=6).map(" ".join)
SOURCE = (
    '{"ferry": "FX204", "pier": 4, "leaves": "08:15", "price": 23.5, '
    '"渡轮": "08:15", "码头": "4号", "船票": "23.5元"}'
)
USER = "When does the ferry leave, and from which pier? 渡轮几点开，哪个码头？"


def score(
    reply: str, earlier: tuple[str, ...] = (), sources: tuple[str, ...] = (SOURCE,)
) -> Useful | Unscored:
    return useful(reply, user_turns=[USER], earlier_replies=earlier, sources=sources)


@given(st.text() | REPLIES, st.text(), st.text(), st.text())
def test_any_text_has_a_score_within_bounds_or_none(reply: str, user: str, earlier: str, source: str) -> None:
    found = useful(reply, user_turns=[user], earlier_replies=[earlier], sources=[source])
    if isinstance(found, Useful):
        signals = (found.value, found.concrete, found.context, found.next_step, found.no_repetition)
        assert all(0 <= signal <= 1 and not math.isnan(signal) for signal in signals)
        assert found.supported >= 0
        assert found.unsupported >= 0


@given(
    REPLIES,
    st.integers(20_000, 10**9),
    st.sampled_from([" {}", " {}. ", "。{}。", " {}%", "，{}"]),
    st.booleans(),
)
def test_an_unsupported_number_never_raises_the_score(
    reply: str, number: int, form: str, is_first: bool
) -> None:
    added = form.format(number)
    before = score(reply)
    after = score(added.strip() + " " + reply if is_first else reply + added)
    assume(isinstance(before, Useful) and isinstance(after, Useful))
    assert isinstance(before, Useful)
    assert isinstance(after, Useful)
    assert after.value <= before.value + 1e-12
    assert after.unsupported > before.unsupported


@given(REPLIES, st.lists(REPLIES, max_size=3))
def test_what_was_said_before_never_scores_higher(reply: str, earlier: list[str]) -> None:
    fresh, stale = score(reply, tuple(earlier)), score(reply, (*earlier, reply))
    assume(isinstance(fresh, Useful))
    assert isinstance(fresh, Useful)
    assert isinstance(stale, Useful)
    assert stale.value <= fresh.value
    assert stale.no_repetition == 0


@given(REPLIES)
def test_the_score_depends_on_its_input_alone(reply: str) -> None:
    assert score(reply) == score(reply)
