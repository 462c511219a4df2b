import pytest

from fairtrial.text.characters import characters, without_invisible


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("", 0),
        ("   ", 0),
        ("abc", 3),
        (" a b ", 3),
        ("退款。", 3),
        ("é", 1),
        ("e\u0301", 1),
        ("👍🏽", 1),
        ("👨\u200d👩\u200d👧", 1),
        ("🇨🇳🇺🇸", 2),
        ("退\u200b款", 2),
        ("\u202eabc\u202c", 3),
        ("a\r\nb", 3),
        ("각", 1),
        ("１２", 2),
        ("か\u3099", 1),
    ],
)
def test_characters_are_counted_as_a_reader_sees_them(text: str, count: int) -> None:
    assert characters(text) == count


def test_invisible_characters_go_and_visible_ones_stay() -> None:
    assert without_invisible("退\u200b款\ufeff\u202e!\u00ad") == "退款!"
    assert without_invisible("é 退款 😀\n") == "é 退款 😀\n"
