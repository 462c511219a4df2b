from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.text import kinds
from fairtrial.text.normalise import fold_width

FOUND = {
    "date": [
        "2024-11-08发货",
        "预计11月8日送达",
        "11月8号",
        "It ships on November 8.",
        "8 Nov 2024",
        "Nov 8th, 2024",
        "明天到",
        "下周三送达",
        "tomorrow",
        "by next Friday",
        "２０２４年１１月８日",
        "十一月八日",
        "3天后",
        "in 3 days",
        "2024/11/8",
        "8号到货",
        "大后天",
        "本月底",
        "on 11/8",
        "in March",
        "Monday",
        "二〇二四年",
        "2024-11-08T10:00:00Z",
    ],
    "amount": [
        "运费12.50元",
        "￥100",
        "¥ 1,234.50",
        "100块",
        "一百元",
        "3块钱",
        "100 RMB",
        "$20",
        "USD 20",
        "20 dollars",
        "twenty dollars",
        "€15.00",
        "1.2万元",
        "三百五十元",
        "5美元",
        "US$5",
        "一共12块5",
        "$1.2 million",
        "RMB100",
        "50 cents",
        "１２３４．５０元",
        "100块。",
        "100€",
        "5$",
        "10k dollars",
    ],
    "order_number": [
        "订单号：20241108",
        "JD2024111138271",
        "your order number is 12345",
        "order #12345",
        "订单编号为 A12B34",
        "order no. 556677",
        "reservation FQ8APE",
        "单号SF1234567890",
        "Order ID: W1234567",
        "运单号 7788990011",
        "订单 20241111",
        "退款单号是RF88002211",
        "order ID A-1234",
        "您的订单（123456789）",
        "ORD_2024_0001",
    ],
    "phone": [
        "13812345678",
        "138 1234 5678",
        "+86 138-1234-5678",
        "010-62165588",
        "0571-88888888转123",
        "400-123-4567",
        "4001234567",
        "(555) 123-4567",
        "+1 555 123 4567",
        "555-123-4567",
        "电话是69259199",
        "客服热线95555",
        "call us at 1-800-555-0199",
        "+44 20 7946 0958",
        "（010）62165588",
        "010 6216 5588",
        "0571-8888 6666",
        "555.123.4567",
        "拨打 110",
        "Call 911",
    ],
    "place": [
        "北京市朝阳区建国路88号",
        "发往上海",
        "浙江省杭州市",
        "中关村大街27号",
        "龙禧三街",
        "去杭州",
        "广东省",
        "123 Main Street",
        "Boston, MA",
        "New York",
        "5th Avenue",
        "Orange County",
        "in Paris",
        "伦敦",
        "西城区柳荫街甲14号",
        "解放路",
        "苏州市",
        "首都机场",
        "五道口地铁站",
        "天安门广场",
        "东长安大街",
        "12 Oak Drive",
    ],
}
NOT_FOUND = {
    "date": [
        "订单已发货",
        "请到8号楼",
        "7日内退货",
        "7日无理由",
        "评分4/5",
        "Is there anything else I can help you with today?",
        "may I ask",
        "3个月保修",
        "版本 1.2.3",
        "共12件",
        "you may march on",
        "100元",
        "12点",
        "second",
        "请问今天有什么可以帮您？",
        "This may take a while.",
        "今天我能为您做些什么，帮您查订单吗",
    ],
    "amount": [
        "3块电池",
        "元旦",
        "单元格",
        "12件",
        "100",
        "二元方程",
        "dollar",
        "一块蛋糕",
        "3 days",
        "3元素",
        "三元桥",
        "3元一次方程",
    ],
    "order_number": [
        "13812345678",
        "2024-11-08",
        "订单已发货",
        "iphone15promax",
        "order 5 items",
        "order number",
        "12345678kg",
        "covid-19",
        "please order 2 more",
        "订单3天后到",
        "support24hours",
        "10000元",
        "case 1",
        "covid2019",
        "2024-05-12T04:19:15",
        "mia.garcia6639@example.com",
        "mia_li_3668",
        "订单2024-11-08已发货",
        "order 2024-11-08",
    ],
    "phone": [
        "JD13812345678",
        "2024-11-08",
        "订单号 20241108123456789",
        "12345",
        "1234567890123456",
        "100-200元",
        "11位",
        "3.14159265358",
        "2024111138271",
        "订单号13812345678",
        "1381234.56",
    ],
    "place": [
        "您可以去超市",
        "这个城市很大",
        "小区门口",
        "景区需要预约",
        "道路拥堵",
        "请节省时间",
        "一路平安",
        "我们的服务区",
        "main street food",
        "the road ahead",
        "逛街",
        "市场价",
        "农村",
        "评论区",
        "国家地区",
        "I will drive",
        "Please Drive safely",
        "Google Drive",
        "Sure, OK",
        "这个区",
        "这条街",
        "两个小镇",
        "去机场",
        "附近的火车站",
        "请到广场",
    ],
}


def find(kind: str, text: str, at_most: int | None = None) -> list[str]:
    return kinds.find(kind, fold_width(text), at_most=at_most)


def _pairs(table: dict[str, list[str]]) -> list[tuple[str, str]]:
    return [(kind, text) for kind, texts in table.items() for text in texts]


@pytest.mark.parametrize(("kind", "text"), _pairs(FOUND))
def test_a_text_gives_the_kind(kind: str, text: str) -> None:
    assert find(kind, text)


@pytest.mark.parametrize(("kind", "text"), _pairs(NOT_FOUND))
def test_what_only_looks_like_it_is_not_counted(kind: str, text: str) -> None:
    assert find(kind, text) == []


def test_each_occurrence_counts_and_is_given_as_written() -> None:
    assert find("date", "11月8日发出，11月10日送达") == ["11月8日", "11月10日"]
    assert find("amount", "Refund $12.50 and 3元 more") == ["$12.50", "3元"]
    assert find("phone", "13812345678 或 400-123-4567") == ["13812345678", "400-123-4567"]
    assert find("place", "from Boston to New York") == ["Boston", "New York"]
    assert find("place", "它的地址是东城区，您可以去解放路") == ["东城区", "解放路"]


def test_every_well_known_place_is_found() -> None:
    text = Path(kinds.__file__).with_name("places.txt").read_text("utf-8")
    chinese = text.split("\n= chinese\n")[1].split("\n= ")[0].split()
    english = text.split("\n= english\n")[1].replace("\n", "|").strip("|").split("|")
    assert len(chinese) > 150
    assert len(english) > 100
    for name in [*chinese, *english]:
        assert find("place", name) == [name]


def test_a_house_number_is_no_date_and_a_way_of_speaking_no_place() -> None:
    assert find("date", "东城区前门东大街11号，西城区柳荫街甲14号") == []
    assert find("place", "有时间可以顺路去看看798艺术区") == []


def test_no_more_are_looked_for_than_asked() -> None:
    assert find("date", "11月8日, 11月10日, 11月12日", at_most=2) == ["11月8日", "11月10日"]


def test_an_order_number_is_no_phone_and_a_phone_no_order_number() -> None:
    text = "订单号 20241108123456，电话 13812345678"
    assert find("order_number", text) == ["订单号 20241108123456"]
    assert find("phone", text) == ["电话 13812345678"]


@pytest.mark.parametrize("kind", FOUND)
@given(text=st.text(max_size=80))
def test_any_text_is_searched(kind: str, text: str) -> None:
    assert all(find(kind, text))


@pytest.mark.parametrize("kind", FOUND)
@pytest.mark.parametrize(
    "text", ["", "\ud800", "😀" * 50, "1" * 20_000, "a1" * 10_000, "市" * 20_000, "A a " * 5_000]
)
def test_odd_and_long_texts_return(kind: str, text: str) -> None:
    assert isinstance(find(kind, text), list)
