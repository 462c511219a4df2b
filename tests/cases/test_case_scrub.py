"""Fictions for personal details: consistent, alike, nobody's, and never what they stand for."""

import re
from collections.abc import Sequence
from datetime import date

import phonenumbers
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.cases.scrub import Scrubbed, Scrubber, likeness


def scrub(*texts: str, seed: str = "log", keep: Sequence[str] = (), year: int = 2024) -> Scrubbed:
    return Scrubber(seed, keep).scrub("d1", texts, year=year)


def test_one_fiction_for_one_number_however_it_is_written() -> None:
    done = scrub("电话 138 0013 8000", "一三八零零一三八零零零，+86 13800138000", "１３８００１３８０００")
    plain = re.sub(r"\D", "", done.texts[0])
    assert plain != "13800138000"
    assert not phonenumbers.is_valid_number(phonenumbers.parse(plain, "CN"))
    spoken = plain.translate(str.maketrans("0123456789", "零一二三四五六七八九"))
    assert done.texts[1] == f"{spoken}，+86 {plain}"
    assert done.texts[2] == plain.translate(str.maketrans("0123456789", "０１２３４５６７８９"))
    assert len(done.told()) == 1


def test_the_rules_get_the_same() -> None:
    done = scrub("我叫王浩然，订单JD1234567890123，11月8号买的")
    told = {one.kind: one.fiction for one in done.told()}
    rules = done.apply(
        [
            {"rule": "contains", "text": "王浩然"},
            "JD1234567890123",
            "1234567890123",
            "运费12元",
            3,
            None,
            True,
        ]
    )
    assert rules == [
        {"rule": "contains", "text": told["name"]},
        told["order"],
        told["order"].removeprefix("JD"),
        "运费12元",
        3,
        None,
        True,
    ]
    assert re.fullmatch(r"JD\d{13}", told["order"])
    assert len(told["name"]) == 3


def test_intervals_and_weekdays_survive() -> None:
    done = scrub("2024-11-08下单，2024年11月15日签收，20号才退款")
    first, second = re.findall(r"(\d{4})\D(\d+)\D(\d+)", done.texts[0])[:2]
    days = [date(*map(int, one)) for one in (first, second)]
    assert (days[1] - days[0]).days == 7
    assert days[0].weekday() == date(2024, 11, 8).weekday()
    assert days[0] < date(2024, 11, 1)
    third = re.search(r"(\d+)号才", done.texts[0])
    assert third is not None
    assert int(third[1]) == date.fromordinal(days[0].toordinal() + 12).day


def test_a_surname_goes_with_its_name_and_a_tail_with_its_number() -> None:
    done = scrub("我叫王浩然，手机13800138000", "王先生等了很久，尾号8000")
    name = next(one.fiction for one in done.told() if one.kind == "name")
    phone = next(one.fiction for one in done.told() if one.kind == "phone")
    assert done.texts[1] == f"{name[0]}先生等了很久，尾号{phone[-4:]}"


@given(
    st.from_regex(
        "[二一零〇九十年0-9]{0,5}[一二三十0-9]{1,3}[月/.-][一二三十廿九0-9]{1,3}[号日/]?[0-9]{0,4}",
        fullmatch=True,
    )
)
def test_no_date_breaks_it(date: str) -> None:
    assert scrub(f"{date}下的单，15号到").texts


def test_a_part_of_a_name_goes_with_the_whole() -> None:
    texts = scrub(
        "我叫李雪梅", "再查下雪梅的", "This is Margaret Holloway", "holloway here, margaret's order"
    ).texts
    assert texts[0].endswith(texts[1][3:5])
    assert "雪梅" not in "".join(texts)
    first, last = texts[2].lower().split()[2:]
    assert texts[3] == f"{last} here, {first}'s order"
    assert scrub("姓名：王 刚", "王先生").texts[1] != "王先生"


def test_links_tell_nobody_in_any_script() -> None:
    (text,) = scrub("见 https://shop.cn/用户/张三?姓名=李雷&id=88123&token=YWJj=ZGVm==").texts
    assert not set("张三李雷") & set(text)
    assert not re.search("88123|YWJj|ZGVm", text, re.IGNORECASE)


def test_english_names_and_addresses() -> None:
    done = scrub(
        "I'm John Smith, 12 Maple Street, Springfield, IL 62704",
        "John again, john.smith@mail.com, (415) 267-1234",
    )
    text = " ".join(done.texts)
    assert not re.search(r"John|Smith|Maple|62704|415|267-1234", text)
    assert "Springfield, IL 00" in text
    assert re.search(r"\S+@example\.com, \(\d{3}\) 555-01\d\d$", text)
    assert text.split("'m ")[1].split()[0] in done.texts[1]


def test_the_place_stays_and_the_door_goes() -> None:
    done = scrub("寄到浙江省杭州市西湖区文三路478号阳光小区3栋502室")
    assert re.fullmatch(r"寄到浙江省杭州市.+区.+路\d{3}号.+小区\d栋\d{3}室", done.texts[0])
    assert not re.search("西湖|文三|478|阳光|502", done.texts[0])


def test_details_of_the_case_set_are_test_data() -> None:
    done = scrub("订单JD1234567890123，手机13800138000", keep=["查询订单 JD1234567890123"])
    assert "JD1234567890123" in done.texts[0]
    assert "13800138000" not in done.texts[0]


def test_doubts_are_left_and_told() -> None:
    done = scrub("帮我查 20481134，@johnny")
    assert done.texts == ("帮我查 20481134，@johnny",)
    assert [one.split(":")[0] for one in done.doubtful] == ["input 1", "input 1"]
    known = scrub("工单20481134", "帮我查 20481134")
    assert known.doubtful == ()
    assert "20481134" not in " ".join(known.texts)


def test_amounts_and_hot_lines_stay() -> None:
    texts = ("这款799元，积分128600", "打400-820-8820", "30-day returns for $1,299.50")
    assert scrub(*texts).texts == texts


def test_a_seed_repeats_and_another_does_not() -> None:
    texts = ("我叫王浩然，手机13800138000，寄到文三路478号", "2024-11-08")
    assert scrub(*texts).texts == scrub(*texts).texts
    assert scrub(*texts).told() == scrub(*texts).told()
    assert scrub(*texts).texts != scrub(*texts, seed="other").texts


def test_a_digest_tells_equal_details_and_no_more() -> None:
    one, other = Scrubber("log"), Scrubber("other")
    said = (
        (one, "手机13800138000"),
        (one, "打我 138 0013 8000"),
        (one, "手机13800138001"),
        (other, "手机13800138000"),
    )
    digests = [scrubber.scrub("d", [text], year=2024).told()[0].digest for scrubber, text in said]
    assert digests[0] == digests[1]
    assert len({*digests}) == 3


@given(st.lists(st.integers(10**8, 10**9 - 1), min_size=1, max_size=30, unique=True))
def test_fictions_are_no_originals_and_each_its_own(rest: list[int]) -> None:
    numbers = [f"13{one}" for one in rest]
    done = Scrubber("log").scrub("d", [f"手机{one}" for one in numbers], year=2024)
    made = [text.removeprefix("手机") for text in done.texts]
    assert len({*made}) == len(made)
    assert not {*made} & {*numbers}
    assert all(re.fullmatch(r"1[3-9]\d{9}", one) for one in made)


@given(st.from_regex(r"(JD|SF|YT|EC)[0-9]{13}", fullmatch=True))
def test_a_code_keeps_its_shape(code: str) -> None:
    made = scrub(f"订单{code}").texts[0].removeprefix("订单")
    assert made != code
    assert re.fullmatch(code[:2] + r"\d{13}", made)


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [
        ("我叫王浩然，订单JD1234567890123没到", "我叫李芳，订单JD9876543210987没到", True),
        ("11月8号买的，15号还没到", "3月2号买的，9号还没到", True),
        ("我要退3件", "我要退5件", False),
        ("Where is my parcel?", "where is  my parcel?", True),
    ],
)
def test_likeness_looks_through_details(one: str, other: str, alike: bool) -> None:
    assert (likeness([one]) == likeness([other])) is alike
