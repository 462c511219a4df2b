from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rulebook import hit, met, record

from fairtrial.errors import BadInput


class TestInfo:
    @pytest.mark.parametrize(
        ("kind", "chinese", "english", "neither"),
        [
            ("date", "预计11月8日送达", "It arrives on November 8.", "已发货 shipped"),
            ("amount", "运费十二元", "Shipping is $12.50.", "运费另计 12"),
            ("order_number", "订单号：20241108", "Order number: 20241108", "订单 order 13812345678"),
            ("phone", "请拨打400-123-4567", "Call (555) 123-4567.", "2024-11-08"),
            ("place", "发往杭州市", "Ship to 12 Main Street", "超市 street"),
        ],
    )
    def test_a_kind_is_found_in_both_languages(
        self, kind: str, chinese: str, english: str, neither: str
    ) -> None:
        assert met(chinese, "info", kind=kind)
        assert met(english, "info", kind=kind)
        found = hit(neither, "info", kind=kind)
        assert found.met is False
        assert "found none" in found.why
        assert not met("", "info", kind=kind)

    def test_occurrences_are_counted(self) -> None:
        reply = "11月8日发出，11月10日送达"
        assert met(reply, "info", kind="date", at_least=2)
        found = hit(reply, "info", kind="date", at_least=3)
        assert found.met is False
        assert "11月8日, 11月10日" in found.why

    def test_an_own_pattern_takes_the_place_of_the_general_form(self) -> None:
        assert met("取件码 ab-12", "info", kind="order_number", pattern=r"[a-z]{2}-\d{2}")
        assert met("取件码 ＡＢ－１２", "info", kind="order_number", pattern=r"[A-Z]{2}-\d{2}")
        assert not met("订单号 20241108", "info", kind="order_number", pattern=r"[a-z]{2}-\d{2}")
        assert not met("x", "info", kind="order_number", pattern="y*")

    def test_a_refused_pattern_is_bad_input(self) -> None:
        with pytest.raises(BadInput, match="cannot be used"):
            met("", "info", kind="phone", pattern="(")

    def test_traditional_characters_give_it_as_simplified_ones_do(self) -> None:
        assert met("12塊錢", "info", kind="amount")
        assert met("訂單編號：12345", "info", kind="order_number")
        assert met("臺北", "info", kind="place")
        assert met("共1.2萬元", "number", value=12000)
        assert met("三萬五千元", "number", value=35000)

    def test_over_all_looks_through_the_session(self) -> None:
        assert met(record("11月8日到", "好的"), "info", kind="date", over="all")
        assert not met(record("11月8日到", "好的"), "info", kind="date")


class TestNumber:
    @pytest.mark.parametrize(
        "reply",
        [
            "退款１２３４．５０元",
            "退款 1,234.50 元",
            "A refund of $1,234.5 is due.",
            "1'234.50 CHF",
            "共一千二百三十四点五元",
            "价格：1234.50，谢谢",
        ],
    )
    def test_the_same_value_in_many_forms(self, reply: str) -> None:
        assert met(reply, "number", value=1234.5)

    @pytest.mark.parametrize(
        "reply", ["", "退款 11,234.50 元", "①②③④", "JD1234", "1,23.450", "12345", "no number", "1234.5.0"]
    )
    def test_other_numbers_and_identifiers_do_not_match(self, reply: str) -> None:
        assert not met(reply, "number", value=1234.5)
        assert not met(reply, "number", value=1234)
        assert not met(reply, "number", value=234.5)

    def test_a_miss_says_which_numbers_there_were(self) -> None:
        assert (
            hit("退款 12.50 元，3 天到账", "number", value=15).why == "no number 15; numbers said: 12.50, 3"
        )
        assert hit("退款", "number", value=15, tolerance=0.5).why == "no number 15±0.5; numbers said: none"

    def test_tolerance_is_inclusive_and_exact(self) -> None:
        assert met("0.3", "number", value=0.1, tolerance=0.2)
        assert met("1.1", "number", value=1.0, tolerance=0.1)
        assert met("0.9", "number", value=1.0, tolerance=0.1)
        assert not met("1.1000000001", "number", value=1.0, tolerance=0.1)

    def test_the_decimal_sign_decides_where_a_locale_makes_it_ambiguous(self) -> None:
        assert met("1.234,50 €", "number", value=1234.5, decimal=",")
        assert met("1.234", "number", value=1234, decimal=",")
        assert met("1.234", "number", value=1.234)

    def test_percent_and_negative(self) -> None:
        assert met("折扣 15%", "number", value=15)
        assert met("百分之十五", "number", value=15)
        assert met("气温 -5 度", "number", value=-5)
        assert not met("气温 -5 度", "number", value=5)
        assert met("three hundred and fifty", "number", value=350)

    def test_over_all_any_reply_may_say_it(self) -> None:
        assert met(record("12 元", "好的"), "number", value=12, over="all")
        assert not met(record("12 元", "好的"), "number", value=12)

    @given(st.floats(min_value=0.001, max_value=1e12, allow_nan=False).map(lambda x: round(x, 3)))
    def test_a_value_written_plainly_is_met(self, value: float) -> None:
        assert met(f"是 {Decimal(repr(value)):f} 元", "number", value=value)

    def test_a_huge_number_and_a_huge_value_compare(self) -> None:
        assert not met("9" * 20_000, "number", value=1e300)
        assert met(f"{10**300}", "number", value=1e300)
