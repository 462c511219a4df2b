"""Lines of prose: broken where a reader of Chinese or English expects it."""

from io import StringIO

from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from fairtrial.report.words import Words


def shown(text: str, width: int, indent: int = 0) -> list[str]:
    out = StringIO()
    Console(file=out, width=width).print(Words(Text(text), indent=indent))
    return out.getvalue().split("\n")[:-1]


def test_chinese_fills_its_lines_and_marks_cling() -> None:
    assert shown("分不清是改动还是 Agent 自身的波动。", 24) == ["分不清是改动还是 Agent", "自身的波动。"]
    assert shown("一二三四五，六七（八）九", 10) == ["一二三四", "五，六七", "（八）九"]


def test_no_number_no_name_and_no_interval_is_torn() -> None:
    assert shown("更好：差 +30.0 个百分点 [+23.3, +35.8]，没有下降。", 34) == [
        "更好：差 +30.0 个百分点",
        "[+23.3, +35.8]，没有下降。",
    ]
    assert shown("用例 add-0001、add-0002、add-0003", 16) == ["用例 add-0001、", "add-0002、", "add-0003"]


def test_english_as_ever_and_blank_lines_stay() -> None:
    assert shown("one two three\n\nfour", 9) == ["one two", "three", "", "four"]


def test_every_line_is_indented_also_of_a_torn_word() -> None:
    assert shown("一二三 abcdefghij k", 8, 2) == ["  一二三", "  abcdef", "  ghij k"]


@given(st.text(alphabet="ab 中文，。（）[1, 2]\n", max_size=60), st.integers(6, 30), st.integers(0, 3))
def test_nothing_is_lost_and_nothing_is_too_wide(text: str, width: int, indent: int) -> None:
    lines = shown(text, width, indent)
    assert "".join("".join(lines).split()) == "".join(text.split())
    assert all(line.startswith(" " * indent) for line in lines)
    assert all(cell_len(line) <= width for line in lines)
