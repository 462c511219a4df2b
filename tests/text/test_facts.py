import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.text.facts import find, number_key, prepare
from fairtrial.text.sources import source, sources


def supported(reply: str, text: str) -> bool:
    """Whether a source bears out every fact of the reply, which has at least one."""
    facts = find(prepare(reply))
    assert facts
    return all(source(text).has(fact) for fact in facts)


@pytest.mark.parametrize(
    ("reply", "text"),
    [
        ("¥１，２３４．５０", "1234.5"),
        ("26% off", '{"rate": 0.26}'),
        ("1.2万元", "12000"),
        ("三百二十元", "320"),
        ("twenty-five seats", "25"),
        ("on May 18th", "2024-05-18T06:00:00"),
        ("2024-05-18", "May 18, 2024"),
        ("5月18日", "2024年5月18号"),
        ("18 May 2024", "05/18/2024"),
        ("at 7:30 PM", "19:30"),
        ("晚上7点半", "19:30:00"),
        ("at 8am", "08:00"),
        ("order jd-2024-77", "JD202477"),
        ("call 62547799", "电话 010-62547799"),
        ("the card ending in 4466", "card 5094 4466, id credit_card_5094466"),
        ("(555) 123-4567", "555-123-4567"),
        ("from JFK", '{"origin": "JFK"}'),
        ("mail a.b@shop.example", "a.b@shop.example"),
    ],
)
def test_one_fact_in_two_forms_is_the_same(reply: str, text: str) -> None:
    assert supported(reply, text)


@pytest.mark.parametrize(
    ("reply", "text"),
    [
        ("11,234.50", "1,234.50"),
        ("2016-05-28", "2024-05-28"),
        ("May 28, 2016", "May 28; booked 2024-05-01"),
        ("May 79", "May 7 and 9"),
        ("15:80", "15:08"),
        ("at 7:30 AM", "19:30"),
        ("①②③ costs 12", "①"),
        ("HAT733", "HAT139"),
        ("from CLT", "from JFK"),
        ("4.6分", "46"),
        ("610-61625022", "010-61626022"),
        ("三百元", "30"),
    ],
)
def test_an_altered_fact_is_not_borne_out(reply: str, text: str) -> None:
    assert not supported(reply, text)


@pytest.mark.parametrize("text", ["EST", "USA FAQ", "a plain sentence", "一起去，十分好", "you may go"])
def test_words_are_no_facts(text: str) -> None:
    assert find(text) == []


def test_facts_say_where_they_stand() -> None:
    text = "Gate B22 opens at 10:05 PM"
    assert [(fact.kind, text[fact.start : fact.end]) for fact in find(text)] == [
        ("code", "B22"),
        ("time", "10:05 PM"),
    ]


@given(
    st.text(alphabet=st.characters(codec="utf-8")) | st.text(alphabet="0123456789:-/.,年月日aAp m一二百@_()")
)
def test_facts_lie_in_order_within_any_text(text: str) -> None:
    plain = prepare(text)
    at = 0
    for fact in find(plain):
        assert at <= fact.start < fact.end <= len(plain)
        assert fact.keys
        at = fact.end


@given(st.integers(0, 10**12), st.integers(0, 99))
def test_a_number_is_found_however_it_is_grouped(whole: int, cents: int) -> None:
    grouped = f"{whole:,}.{cents:02}"
    assert number_key(grouped) == number_key(f"{whole}.{cents:02}00")
    assert supported(f"costs {grouped}", f"{whole}.{cents:02}")


def test_a_text_bears_out_a_word_by_half_of_its_pairs() -> None:
    shop = source("牡丹园店在花园路")
    assert shop.bears("牡丹园分店")
    assert not shop.bears("胜博殿")
    assert not shop.bears("店")


def test_several_texts_are_one_source() -> None:
    both = sources(("price 12", "phone 010-62547799"))
    assert all(both.has(fact) for fact in find("12 and 62547799"))


def test_a_lone_surrogate_is_survived() -> None:
    assert [fact.keys for fact in find(prepare("\ud800 价格12元"))] == [("12",)]


@pytest.mark.parametrize("piece", ["a", "1", "a1_", "1,234", "(12)", "1-", "1.", "a@", "一二", "Jan ", "1:"])
def test_long_texts_do_not_hang(piece: str) -> None:
    """No figure is promised: a pattern that backtracks would not come back at all."""
    find(piece * (60_000 // len(piece)))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("May 31", True),
        ("May 79", False),
        ("2024-13-02", False),
        ("15:08", True),
        ("15:80", False),
        ("HAT999", True),
    ],
)
def test_what_no_calendar_or_clock_has_is_not_possible(text: str, expected: bool) -> None:
    assert [fact.possible for fact in find(text)] == [expected]
