import unicodedata
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.text.numbers import numbers

READ: dict[str, list[str]] = {
    "１２３４．５０元": ["1234.50"],
    "①": [],
    "11,234.50": ["11234.50"],
    "1,234.50": ["1234.50"],
    "三百五十": ["350"],
    "1.2万": ["12000"],
    "3千": ["3000"],
    "3千克": ["3"],
    "JD2024111138271": [],
    "2024-11-08": [],
    "11月8日": [],
    "-5": ["-5"],
    "负三百": ["-300"],
    "50%": ["50"],
    "百分之五十": ["50"],
    "百分之85": ["85"],
    "12,34,567.89": ["1234567.89"],
    "1'234.50": ["1234.50"],
    "1\u202f234.50": ["1234.50"],
    "1,23.4": [],
    "1,23": [],
    "36,37,38": ["36", "37", "38"],
    "36，37，38": ["36", "37", "38"],
    "编号12，345": ["12", "345"],
    "１，２３４": ["1234"],
    "1-3个工作日": ["1", "3"],
    "100~200元": ["100", "200"],
    "10:30": [],
    "010-62165588": [],
    "400-123-4567": [],
    "$1.2k": ["1200"],
    "$3 million": ["3000000"],
    "1.2 million": ["1200000"],
    "价格：12.5元": ["12.5"],
    "price:12.5,": ["12.5"],
    "¥-50": ["-50"],
    "-$5.00": ["-5"],
    "12kg": ["12"],
    "HAT214": [],
    "3RK2T9": [],
    "12.5元/kg": ["12.5"],
    "$12/kg": ["12"],
    "4.5/5": ["4.5", "5"],
    "1/2": [],
    "11/8": [],
    "November 8, 2024": [],
    "8 Nov": [],
    "It costs 20.": ["20"],
    "20，": ["20"],
    "1. 打开\n2. 关闭": [],
    "12.": ["12"],
    "三个": ["3"],
    "一起": [],
    "十分感谢": [],
    "十分钟": ["10"],
    "千万别": [],
    "三千万": ["30000000"],
    "第一": [],
    "周三": [],
    "一亿两千万": ["120000000"],
    "1亿2000万": ["120000000"],
    "1万2千": ["12000"],
    "3万5": ["35000"],
    "三百零五": ["305"],
    "三百五": ["350"],
    "一千零五十": ["1050"],
    "十二": ["12"],
    "二十三": ["23"],
    "三点五元": ["3.5"],
    "三点": [],
    "八点五十分": [],
    "三分之一": [],
    "300多元": [],
    "三百多": [],
    "10月": [],
    "8号": [],
    "three hundred and fifty": ["350"],
    "twenty-five": ["25"],
    "one of": [],
    "two million five hundred": ["2000500"],
    "one two three": [],
    "a hundred": ["100"],
    "1.2.3": [],
    "v1.2": [],
    "https://a.com/12/34": [],
    "a@12.com": [],
    "10+": ["10"],
    ".5": ["0.5"],
    "$.50": ["0.50"],
    "0.5": ["0.5"],
    "007": [],
    "10²": [],
    "½": [],
    "24-hour": ["24"],
    "7-day": ["7"],
    "7天": ["7"],
    "2年": ["2"],
    "2024年": [],
    "covid-19": [],
    "两个半小时": [],
    "6折": ["6"],
    "八折": ["8"],
    "１２３": ["123"],
    "共3件，234元": ["3", "234"],
    "11,234.50元": ["11234.50"],
    "USD 1,000": ["1000"],
    "RMB100": ["100"],
    "一共12块5": ["12.5"],
    "3元5角": ["3.5"],
    "12块5毛": ["12.5"],
    "三块五": ["3.5"],
    "十二块五毛": ["12.5"],
    "12块5个": ["12", "5"],
    "5-8万元": ["50000", "80000"],
    "5万-8万": ["50000", "80000"],
    "3-5千克": ["3", "5"],
    "12元-15元": ["12", "15"],
    "三到五天": ["3", "5"],
    "温度-5℃": ["-5"],
    "增长-10%": ["-10"],
    "设施-24小时热水": ["24"],
    "2小时-3小时": ["2", "3"],
    "一个景点": [],
    "一家餐馆": [],
    "一个月": ["1"],
    "一天": ["1"],
    "零下5度": ["-5"],
    "零元": ["0"],
    "壹仟贰佰叁拾肆元整": ["1234"],
    "收拾三件": ["3"],
    "100€": ["100"],
    "5$": ["5"],
    "$x=5$": ["5"],
    "¥99-¥20=¥79": ["99", "20", "79"],
    "2+3=5": ["2", "3", "5"],
    "'42'": ["42"],
    "...42...": ["42"],
    "__42__": ["42"],
    "5½": [],
    "9点到18点": [],
    "上午9点": [],
    "晚上8点半": [],
    "今天18点前": [],
    "以下3点": ["3"],
    "十一点前": [],
    "十一月八日": [],
    "at 5 pm": [],
    "8:30 a.m.": [],
    "5 o'clock": [],
    "eleven pm": [],
    "138 1234 5678": [],
    "(555) 123-4567": [],
    "+86 13812345678": [],
    "4111 1111 1111 1111": [],
    "第3章": [],
    "双11": [],
    "版本 3.11": [],
    "version 3.11": [],
    "3.11": ["3.11"],
    "2024-11-08T10:00:00Z": [],
    "thirty-third": [],
    "two thirds": [],
    "three point five": ["3.5"],
    "thirty-second": [],
    "thirty seconds": ["30"],
    "1. a\n2. b\n1. c\n2. d": [],
    "(1) a\n(2) b": [],
    "**1. a**\n**2. b**": [],
    "3. a\n7. b": ["3", "7"],
    "(12)": ["12"],
    "[12]": ["12"],
    "“12”": ["12"],
    "**12.50**": ["12.50"],
    "12、13": ["12", "13"],
    "100\xa0000": ["100000"],
    "负5": ["-5"],
    "minus 5": ["-5"],
    "−5": ["-5"],
    "#1234": [],
    "No.12": ["12"],
    "+86": ["86"],
    "十一月": [],
    "二〇二四年": [],
    "一九九八年": [],
    "五一": [],
    "万一": [],
    "一定": [],
    "两边": [],
    "一百二十三万四千五百六十七": ["1234567"],
    "六千": ["6000"],
    "A12": [],
    "x=5": ["5"],
    "5度": ["5"],
    "三十": ["30"],
    "1,234,567": ["1234567"],
    "1,234,56": [],
    "1,2345": [],
    "３０％": ["30"],
    "10万元": ["100000"],
    "10万+": ["100000"],
    "退款 12.50 元": ["12.50"],
    "99.9": ["99.9"],
    "约100米": ["100"],
    "5千米": ["5"],
    "100–200": ["100", "200"],
    "10 - 20": ["10", "20"],
}

READ_WITH_COMMA: dict[str, list[str]] = {
    "1.234,50": ["1234.50"],
    "1.234": ["1234"],
    "12,5": ["12.5"],
    "1,234.50": [],
    "11.234,50 €": ["11234.50"],
    "1.234.567": ["1234567"],
    "1'234,5": ["1234.5"],
}


@pytest.mark.parametrize(("text", "values"), READ.items())
def test_a_text_gives_the_values_it_means(text: str, values: list[str]) -> None:
    assert sorted(numbers(text)) == sorted(map(Decimal, values))


@pytest.mark.parametrize(("text", "values"), READ_WITH_COMMA.items())
def test_with_a_decimal_comma_the_point_groups(text: str, values: list[str]) -> None:
    assert sorted(numbers(text, decimal=",")) == sorted(map(Decimal, values))


def test_a_number_may_stand_in_a_sentence_of_either_language() -> None:
    text = "您好，您的订单 JD2024111138271 已于11月8日发出，运费１２．５０元，三百五十元以上包邮。"
    assert sorted(numbers(text)) == [Decimal("12.50"), Decimal(350)]
    text = (
        "Order JD2024111138271 left on November 8, 2024 at 10:30; shipping was $12.50, free over two hundred."
    )
    assert sorted(numbers(text)) == [Decimal("12.50"), Decimal(200)]


VALUES = st.decimals(min_value=0, max_value=10**12, places=2)


def _wide(text: str) -> str:
    return "".join(chr(ord(c) + 0xFEE0) if c in "0123456789.,%-" else c for c in text)


STYLES = {
    "plain": lambda v: f"{v:f}",
    "grouped": lambda v: f"{v:,f}",
    "wide": lambda v: _wide(f"{v:f}"),
    "wide grouped": lambda v: _wide(f"{v:,f}"),
    "swiss": lambda v: f"{v:,f}".replace(",", "'"),
    "narrow space": lambda v: f"{v:,f}".replace(",", "\u202f"),
    "yuan": lambda v: f"共{v:f}元。",
    "yuan sign": lambda v: f"¥{v:,f}",
    "dollars": lambda v: f"(${v:,f})",
    "percent": lambda v: f"{v:f}%",
    "weight": lambda v: f"{v:f}kg",
    "sentence": lambda v: f"It is {v:,f}.",
    "after a colon": lambda v: f"价格：{v:f}，谢谢",
    "key": lambda v: f"price={v:f};",
}


@pytest.mark.parametrize("style", STYLES)
@given(value=VALUES)
def test_a_number_written_in_a_style_is_read_back(style: str, value: Decimal) -> None:
    assert numbers(STYLES[style](value)) == (value,)


@pytest.mark.parametrize("minus", ["-", "−", "负", "minus "])
@given(value=st.decimals(min_value="0.01", max_value=10**9, places=2))
def test_a_negative_number_keeps_its_sign(minus: str, value: Decimal) -> None:
    assert numbers(f"是 {minus}{value:f}") == (-value,)


@given(VALUES)
def test_a_decimal_comma_is_read_back(value: Decimal) -> None:
    text = f"{value:,f}".translate(str.maketrans(",.", ".,"))
    assert numbers(text, decimal=",") == (value,)


def _indian(value: int) -> str:
    head, tail = str(value)[:-3], str(value)[-3:]
    groups = []
    while head:
        head, group = head[:-2], head[-2:]
        groups.append(group)
    return ",".join([*reversed(groups), tail])


@given(st.integers(min_value=1000, max_value=10**12))
def test_indian_grouping_is_read_back(value: int) -> None:
    assert numbers(_indian(value)) == (Decimal(value),)


@given(st.integers(min_value=1000, max_value=10**9), st.integers(min_value=1, max_value=9))
def test_a_digit_before_the_first_group_makes_another_number(value: int, digit: int) -> None:
    grouped = f"{value:,}"
    assert Decimal(value) not in numbers(f"{digit}{grouped}") or f"{digit}{grouped}" == grouped
    assert Decimal(grouped.partition(",")[2].replace(",", "")) not in numbers(f"{digit}{grouped}")


@given(st.from_regex(r"[A-Z]{1,4}[0-9]{1,14}", fullmatch=True))
def test_an_identifier_holds_no_number(code: str) -> None:
    known = {"RMB", "CNY", "USD", "EUR", "GBP", "HKD", "JPY"}
    if code.rstrip("0123456789") not in known and not code.upper().startswith("RS"):
        assert numbers(f"订单{code}。") == ()


@given(st.dates())
def test_a_date_holds_no_number(date) -> None:  # type: ignore[no-untyped-def]
    if date.year >= 1900 and date.year < 2200:
        for text in (
            f"{date:%Y-%m-%d}",
            f"{date.year}年{date.month}月{date.day}日",
            f"{date:%B} {date.day}, {date.year}",
        ):
            assert numbers(text) == ()


@given(st.text(max_size=80))
def test_any_text_is_read(text: str) -> None:
    for value in numbers(text):
        assert value.is_finite()


@given(st.text(alphabet="0123456789.,'-–/: ", max_size=40))
def test_no_arrangement_of_digits_and_signs_raises(text: str) -> None:
    numbers(text)
    numbers(text, decimal=",")


@pytest.mark.parametrize(
    "unit", ["1", "1,", "a1-", "三", "1万", "three ", "1'", "-", ".", "1 ", "1. a\n", "九九"]
)
def test_a_very_long_text_is_read(unit: str) -> None:
    assert isinstance(numbers(unit * 20_000), tuple)


def test_a_lone_surrogate_is_no_fault() -> None:
    assert numbers("\ud800 12") == (Decimal(12),)


def test_enclosed_digits_and_other_scripts_are_no_ascii_digits() -> None:
    for text in ("①", "⑫", "½", "²", "٣", "३", "Ⅻ"):
        assert numbers(text) == (), unicodedata.name(text)


def test_a_long_run_of_digits_is_exact_also_below_zero() -> None:
    assert numbers("-" + "1" * 40) == (Decimal("-" + "1" * 40),)


MONTHS = [
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
]
SHORT = [*(month[:3] for month in MONTHS), "Sept"]


@pytest.mark.parametrize("month", [*MONTHS, *SHORT, *(f"{month}." for month in SHORT)])
def test_a_day_is_no_number_however_its_month_is_written(month: str) -> None:
    for name in (month, month.upper(), month.lower()):
        for date in (f"{name} 8", f"{name} 8th", f"8 {name}", f"8th of {name}", f"{name} 8, 2024"):
            assert numbers(f"It comes {date}, for 20 USD") == (20,), date


@pytest.mark.parametrize(
    "time",
    ["5pm", "5 PM", "5 a.m.", "5:30 pm", "5 o'clock", "5 o’clock", "17点整", "17 点半", "8时30分", "5点钟"],
)
def test_a_time_is_no_number_however_it_is_written(time: str) -> None:
    assert numbers(f"It opens {time}") == ()
