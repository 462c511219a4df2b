"""Near-duplicates: what is a copy, and what asks for something else."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairtrial.cases.duplicates import Pair, between, kind_of, pairs
from fairtrial.cases.reading import Reading


@pytest.mark.parametrize(
    ("one", "other", "kind"),
    [
        ("如何退款？", "如何退款", "exact"),
        ("How do I get a refund?", "ＨＯＷ do  i get a refund", "exact"),
        ("我的訂單什麼時候發貨", "我的订单什么时候发货", "exact"),
        ("订单20261130什么时候发货", "订单20261207什么时候发货", "numbers"),
        (
            "我上周买的耳机漏电了，想退款。应该怎么操作？",
            "应该怎么操作？我上周买的耳机漏电了，想退款。",
            "reordered",
        ),
        ("The lamp is broken. How do I return it?", "How do I return it? The lamp is broken.", "reordered"),
        ("怎么取消订单", "你好，请问如何取消订单？谢谢", "edited"),
        ("我上周买的平板电脑想退款怎么操作", "我上周买的平办电脑想退宽怎么操作", "edited"),
        (
            "Where can I buy a replacement battery?",
            "Hello, where can I purchase a replacment battery?",
            "edited",
        ),
        ("AirPods怎么申请退款", "Hi，AirPods如何申请退款", "edited"),
        ("订单一直显示待发货已经五天了", "订单一直显示代发货已经五天了", "edited"),
        ("酒店预订能免费取消吗？最晚几点", "酒店预定能免费取消吗？最晚几点？", "edited"),
        ("请问这款手机支持无线充电吗", "请问这款手机支不支持无线充电", "edited"),
        ("怎么给洗衣机投诉商家", "不好意思，怎么给洗衣机投诉商家", "edited"),
        (
            "我是钻石会员，不知道上周三下单的婴儿车可以用云闪付付款吗",
            "我是石会员，有知道上周三下单的婴儿车可以用云闪付款吗",
            "edited",
        ),
    ],
)
def test_a_copy_has_its_kind(one: str, other: str, kind: str) -> None:
    found = kind_of(Reading(one), Reading(other))
    assert found is not None
    assert found[0] == kind
    assert pairs([one, other]) == [Pair(0, 1, found[1], found[0])]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("如何退款", "如何退货"),
        ("怎么退", "怎么换"),
        ("退款多久到账", "退款怎么到账"),
        ("我的快递到了", "我的快递没到"),
        ("How do I return the red shoes?", "How do I return the blue shoes?"),
        ("Is the lamp in stock in Boston?", "Is the lamp in stock in Glasgow?"),
        ("Kindle怎么退货", "GoPro怎么退货"),
        ("My order has arrived", "My order has not arrived"),
        ("我收到货了", "我没收到货"),
        ("在保修期内的屏幕碎了免费修吗", "不在保修期内的屏幕碎了免费修吗"),
        ("I have an account with you", "I have no account with you"),
        ("Please turn on automatic renewal", "Please turn off automatic renewal"),
        ("How do I enable two factor login?", "How do I disable two factor login?"),
        ("Can I return opened items?", "Can I return unopened items?"),
        ("大号的有点紧", "小号的有点紧"),
        ("从北京到上海的高铁还有票吗", "从上海到北京的高铁还有票吗"),
        ("商家不同意退款，平台同意了", "平台不同意退款，商家同意了"),
        ("Change the size from medium to large", "Change the size from large to medium"),
    ],
)
def test_a_sibling_of_a_template_is_no_copy(one: str, other: str) -> None:
    assert pairs([one, other]) == []


def test_between_lists_and_between_sides() -> None:
    one, other = ["如何退款", "查物流"], ["地址怎么改", "请问如何退款"]
    assert [(p.first, p.second) for p in between(one, other)] == [(0, 1)]
    assert between(one, []) == between([], []) == []
    # Equal texts of two sides are paired, though each is its side's first.
    assert [(p.first, p.second) for p in pairs(["退款"] * 3, [0, 0, 1])] == [(0, 1), (0, 2)]


def test_a_large_group_gives_as_many_pairs_as_members() -> None:
    same = pairs([f"订单{number}什么时候发货" for number in range(3000)])
    assert len(same) == 2999
    assert {pair.first for pair in same} == {0}


def test_what_has_no_letters_is_equal_to_itself_alone() -> None:
    assert pairs(["😀", "😀😀", "", " ", "", "a", "b", "？", "😀"]) == [Pair(0, 8, 1.0, "exact")]
    assert pairs(["退"]) == pairs([]) == []


def test_an_enormous_text() -> None:
    text = "我想知道怎么退款，" * 20_000
    assert pairs([text, text + "谢谢", "如何退款"])[0][:2] == (0, 1)


def test_what_is_equal_is_paired_before_what_has_other_numbers() -> None:
    found = pairs(["满200减30", "满300减50", "满 300 减 50"])
    assert [(pair[0], pair[1], pair.kind) for pair in found] == [(0, 1, "numbers"), (1, 2, "exact")]


@settings(max_examples=40, deadline=None)
@given(st.lists(st.text(max_size=12), max_size=12))
def test_any_texts_can_be_compared(texts: list[str]) -> None:
    for pair in pairs(texts):
        assert 0 <= pair.first < pair.second < len(texts)
        assert 0 < pair.similarity <= 1


@pytest.mark.parametrize(
    ("one", "other", "copies"),
    [
        ("书桌能改地址吗", "书桌能改地了吗", True),  # a word that falls into letters is a slip
        ("书桌能改地址吗", "书桌能改名字吗", False),
        ("冰箱能退货吗", "冰箱能退款吗", False),
        ("冰箱能退货吗", "冰箱不能退货吗", False),
        ("洗衣机什么时候能送到", "洗碗机什么时候能送到", False),
        ("冰箱能退货吗", "冰箱能退货吗出", True),
        ("我的冰箱还能不能退货呢", "打扰一下哈，我的冰箱还能不能退货呢，辛苦", True),
        (
            "Can I still return my fridge?",
            "Me again! Can I still return my fridge? Cheers!",
            True,
        ),
        ("12345", "54321", False),
    ],
)
def test_a_slip_or_a_greeting_makes_no_other_question_but_a_word_does(
    one: str, other: str, copies: bool
) -> None:
    assert bool(pairs([one, other])) is copies
