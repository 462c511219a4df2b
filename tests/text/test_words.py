import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.text.words import chinese, english, sentences, simplified, stem, tongue


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Paid. Sent today!", ["Paid.", "Sent today!"]),
        ("Dr. Lee is in. Call at 9 a.m. sharp.", ["Dr. Lee is in.", "Call at 9 a.m. sharp."]),
        ("It costs 12.50 at shop.example now.", ["It costs 12.50 at shop.example now."]),
        ("到货了。要寄吗？好的！", ["到货了。", "要寄吗？", "好的！"]),
        ("第一行\n第二行；第三句……完", ["第一行", "第二行；", "第三句……", "完"]),
        ("他说“可以。”然后走了。", ["他说“可以。”", "然后走了。"]),
        ("  \n ", []),
    ],
)
def test_sentences_end_where_a_reader_ends_them(text: str, expected: list[str]) -> None:
    assert sentences(text) == expected


@given(st.text())
def test_sentences_lose_no_letter(text: str) -> None:
    assert "".join("".join(sentences(text)).split()) == "".join(text.split())


def test_english_words_are_letters_and_contractions() -> None:
    assert english("it's 3 cups, don't spill") == ["it's", "cups", "don't", "spill"]


def test_chinese_words_carry_their_part_of_speech() -> None:
    words = dict(chinese("颐和园的门票是30元。"))
    assert words["颐和园"] == "ns"
    assert words["门票"].startswith("n")
    assert words["。"] == "x"


@pytest.mark.parametrize(
    "forms",
    [
        ("refund", "refunds", "refunded", "refunding"),
        ("box", "boxes"),
        ("city", "cities"),
        ("price", "prices", "priced", "pricing"),
        ("customer", "customer's"),
    ],
)
def test_forms_of_a_word_share_a_stem(forms: tuple[str, ...]) -> None:
    assert len({stem(form) for form in forms}) == 1


def test_traditional_letters_become_simplified() -> None:
    assert simplified("訂單已經發貨") == "订单已经发货"
    assert simplified("plain text") == "plain text"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The parcel is at the desk.", "en"),
        ("包裹在前台。", "zh"),
        ("您的 iPhone 订单已发货", "zh"),
        ("Le colis est à la réception et vous pouvez venir.", None),
        ("Das Paket ist da und wir warten auf Sie.", None),
        ("荷物はフロントにあります", None),
        ("소포는 프런트에 있습니다", None),
        ("Посылка на стойке", None),
        ("flight LAS to ATL, date 3 May, las vegas", "en"),
        ("12 + 30", None),
        ("", None),
    ],
)
def test_the_language_of_a_text(text: str, expected: str | None) -> None:
    assert tongue(text) == expected
