"""Personal details in texts of both languages: what is one, what only looks so, and where a doubt is left."""

import importlib.util
import sys
from datetime import date
from itertools import pairwise
from pathlib import Path
from types import ModuleType

import phonenumbers
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.text.personal import as_digits, find_personal
from fairtrial.text.personal_dates import day_of, shifted, shifted_days

ROOT = Path(__file__).resolve().parents[2]


def found(text: str) -> list[tuple[str, str]]:
    return [
        (span.kind + ("" if span.sure else "?"), text[span.start : span.end]) for span in find_personal(text)
    ]


@pytest.mark.parametrize(
    ("text", "kind", "detail"),
    [
        ("订单号：JD2840000000001 到哪了", "order", "JD2840000000001"),
        ("二〇二六年十月三日下的单", "date", "二〇二六年十月三日"),
        ("11/12 买的", "date", "11/12"),
        ("客服小刘答应的", "name", "刘"),
        ("我姓谭", "name", "谭"),
        ("我妈妈叫吴桂兰，", "name", "吴桂兰"),
        ("姓名 沈浩然 卡丢了", "name", "沈浩然"),
        ("成都市武侯区天府大道北段1700号", "address", "成都市武侯区天府大道北段1700号"),
        ("南山区软件产业基地5栋B座801", "address", "南山区软件产业基地5栋B座801"),
        ("序列号 SN: C02XK1ABJG5J", "order", "C02XK1ABJG5J"),
        ("IBAN DE89 3704 0044 0532 0130 00,", "order", "DE89 3704 0044 0532 0130 00"),  # of Wikipedia
        ("My order ORD_5512098 is late", "order", "ORD_5512098"),
        ("invoice INV/2026/0093", "order", "INV/2026/0093"),
        ("Customer ID: 5530-9921", "order", "5530-9921"),
        ("confirmation code is QX7P2L", "order", "QX7P2L"),
        ("Driver's license D1234567", "passport", "D1234567"),
        ("Name on the booking: Fatima Al-Sayed", "name", "Fatima Al-Sayed"),
        ("my mother, Ruth Goldberg", "name", "Ruth Goldberg"),
        ("订单１２３４５６７８９０１２３怎么还没到", "order", "１２３４５６７８９０１２３"),
        ("运单SF1234567890123显示签收", "order", "SF1234567890123"),
        ("工单20481134没人理", "order", "20481134"),
        ("打我电话 138 0013 8000", "phone", "138 0013 8000"),
        ("打我一三八零零一三八零零零", "phone", "一三八零零一三八零零零"),
        ("幺三八，零零幺三，八零零零", "phone", "幺三八，零零幺三，八零零零"),
        ("座机（010）62165588", "phone", "（010）62165588"),
        ("发到 zhang.wei@qq.com", "email", "zhang.wei@qq.com"),
        ("我叫王浩然，想退货", "name", "王浩然"),
        ("我是欧阳娜娜", "name", "欧阳娜娜"),
        ("请王女士接电话", "name", "王"),
        ("收件人：阿依古丽·买买提", "name", "阿依古丽·买买提"),
        ("寄到浙江省杭州市西湖区文三路 478 号", "address", "浙江省杭州市西湖区文三路 478 号"),
        ("阳光小区3栋2单元501室", "address", "阳光小区3栋2单元501室"),
        ("2024年11月8日14点32分买的", "date", "2024年11月8日14点32分"),
        ("十一月八号下的单", "date", "十一月八号"),
        ("14:32签收的", "time", "14:32"),
        ("身份证11010519491231002X", "id_card", "11010519491231002X"),  # the example of GB 11643-1999
        ("卡 4111 1111 1111 1111", "card", "4111 1111 1111 1111"),  # a card for tests, by its check digit
        ("京A·12345 停车", "plate", "京A·12345"),
        ("来自61.135.169.121的登录", "ip", "61.135.169.121"),
        ("微信号：zhangsan_88", "wechat", "zhangsan_88"),
        ("QQ 10001000", "qq", "10001000"),
        ("用户名zhangsan_88登不上", "username", "zhangsan_88"),
        ("尾号6688的卡", "tail", "6688"),
        ("Where is order #112-3456789-1234567?", "order", "112-3456789-1234567"),
        ("call (415) 267-1234", "phone", "(415) 267-1234"),
        ("ring +44 20 7946 0958", "phone", "+44 20 7946 0958"),
        ("My name is Siobhan O'Brien.", "name", "Siobhan O'Brien"),
        ("Dear Mr. Müller,", "name", "Müller"),
        (
            "Ship to 12 Maple Street, Apt 4B, Springfield, IL 62704",
            "address",
            "12 Maple Street, Apt 4B, Springfield, IL 62704",
        ),
        ("PO Box 1234", "address", "PO Box 1234"),
        ("bought on Nov 8, 2024 at 2:33 PM", "date", "Nov 8, 2024 at 2:33 PM"),
        ("SSN 123-45-6789", "id_card", "123-45-6789"),
        ("see https://weibo.com/u/1234567890", "url", "https://weibo.com/u/1234567890"),
    ],
)
def test_a_detail_is_found_with_its_kind(text: str, kind: str, detail: str) -> None:
    assert (kind, detail) in found(text)


@pytest.mark.parametrize(
    "text",
    [
        "这款799元，满300减40，运费12元",
        "7天无理由退货，保修2年，积分128600",
        "人均100-150的餐馆，300~400也行，祝您愉快",
        "客服400-820-8820，银行95588，投诉12315",
        "型号WH-1000XM5，充电宝20000mAh，256GB",
        "我在上海，北京仓发货吗？",
        "我是高级会员，我是老用户，我是南方人",
        "9:00到18:30营业，双11有活动",
        "It costs $1,299.50 and weighs 12 kg",
        "30-day returns, 2-year warranty, 128,600 points",
        "I called 1-800-275-2273 about the RTX4090",
        "I'm in Chicago, does the New York store open at 9:00?",
        "I'm sorry, this is ridiculous. May I return it?",
        "Version 10.4.2.1 crashes, SKU KB-10442",
        "I have 3 problems on the road",
        "see https://example.com/help/returns",
        "",
    ],
)
def test_what_only_looks_so_stays(text: str) -> None:
    assert found(text) == []


@pytest.mark.parametrize(
    ("text", "doubt"),
    [
        ("帮我查 20481134", "number?"),
        ("帮我问问李雷的快递", "name?"),
        ("ask @johnny", "username?"),
        ("It was Emily Smith", "name?"),
    ],
)
def test_without_a_cue_it_is_a_doubt(text: str, doubt: str) -> None:
    assert [kind for kind, _ in found(text)] == [doubt]


def test_long_texts_without_details_are_looked_at_in_time_that_grows_with_them() -> None:
    for text in ("区" * 20_000 + "1", "A" * 20_000, "a@" * 10_000, "市路" * 10_000):  # minutes, else
        assert found(text) == []


@given(
    st.text(max_size=200)
    | st.from_regex(r"(我叫|订单|call |on )?[0-9一二三八零 号月年/@.A-Za-z-]{0,40}", fullmatch=True)
)
def test_spans_lie_in_the_text_and_apart(text: str) -> None:
    spans = find_personal(text)
    assert all(0 <= span.start < span.end <= len(text) for span in spans)
    assert all(one.end <= other.start for one, other in pairwise(spans))
    assert len(as_digits(text)) == len(text)


@given(st.integers(10**7, 10**8 - 1), st.sampled_from(["{}", "+86 {}", "电话{}。", "{} Tom"]))
def test_every_mobile_number_is_found(rest: int, form: str) -> None:
    number = f"138{rest}"
    assert phonenumbers.is_valid_number(phonenumbers.parse(number, "CN"))
    text = form.format(number)
    assert any(number in text[span.start : span.end] and span.sure for span in find_personal(text))


_WAYS = {
    "%Y-%m-%d": "{:%Y-%m-%d}",
    "zh": "{0.year}年{0.month}月{0.day}日",
    "us": "{:%m/%d/%Y}",
    "en": "{:%B} {0.day}, {0.year}",
    "uk": "{0.day} {0:%b} {0.year}",
    "dots": "{0.day}.{0.month}.{0.year}",
    "compact": "{:%Y%m%d}",
}


def _written(day: date, way: str) -> str:
    return _WAYS[way].replace("{:", "{0:").format(day)


@given(st.dates(date(1990, 1, 1), date(2089, 12, 31)), st.sampled_from(sorted(_WAYS)), st.integers(-700, 700))
def test_a_date_moves_and_is_written_alike(day: date, way: str, days: int) -> None:
    there = shifted(_written(day, way), days, 1999)
    expected = date.fromordinal(day.toordinal() + days)
    assert day_of(there, 1999) in (expected, _swapped(expected))
    assert shifted(_written(day, way), 0, 1999) == _written(day, way)


def _swapped(day: date) -> date | None:
    try:
        return day.replace(month=day.day, day=day.month)
    except ValueError:
        return None


@pytest.mark.parametrize(
    ("written", "there"),
    [
        ("十一月八号", "十月十八号"),
        ("１１月８号", "１０月１８号"),
        ("May 3rd", "April 12th"),
        ("Nov 8", "Oct 18"),
        ("on 11/8", "on 10/18"),
        ("2024-11-08 14:32:07", "2024-10-18 14:32:07"),
        ("11/8/24", "10/18/24"),
        ("2月30日", "2月30日"),
    ],
)
def test_dates_three_weeks_before(written: str, there: str) -> None:
    assert shifted(written, -21, 2024) == there


def test_a_day_alone_moves_with_the_date_before_it() -> None:
    near = date(2024, 11, 8)
    assert shifted_days("15号还没到，3号线", -21, near) == "25号还没到，3号线"
    assert shifted_days("the 15th.", -21, near) == "the 25th."
    assert shifted_days("3号", -21, near) == "12号"  # of December: the next one


def planted() -> ModuleType:
    place = ROOT / "benchmarks" / "personal" / "planted.py"
    spec = importlib.util.spec_from_file_location("planted_details", place)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("language", ["zh", "en"])
def test_recall_on_planted_details_that_were_kept_from_the_tuning(language: str) -> None:
    details = lost = 0
    for one in planted().planted("held_out", each=5, seed=7):
        covered = {at for span in find_personal(one.text) for at in range(span.start, span.end)}
        if one.language == language:
            details += len(one.details)
            lost += sum(
                any(one.text[at].isalnum() and at not in covered for at in range(start, end))
                for start, end, _ in one.details
            )
    assert details > 300
    assert lost / details <= 0.02
