import pytest
from hypothesis import given
from hypothesis import strategies as st
from rulebook import hit, met, record

from fairtrial.agents.null import null_reply
from fairtrial.errors import BadInput

FAMILY = "👨\u200d👩\u200d👧"


class TestContains:
    @pytest.mark.parametrize(
        ("reply", "text"),
        [
            ("您的退款已到账。", "退款"),
            ("Your refund is on its way.", "refund"),
            ("YOUR REFUND", "refund"),
            ("运费１２．５元", "12.5元"),
            ("运费12.5元", "１２．５元"),
            ("ＯＫ", "ok"),
            ("cafe\u0301", "café"),
            ("café", "cafe\u0301"),
            ("退\u200b款\u2060成功", "退款成功"),
            ("\u202erefund\u202c", "refund"),
            ("好的👍", "👍"),
            (FAMILY, FAMILY),
            ("Straße", "STRASSE"),
            ("the cat", "at"),
            ("退\ufe0f款", "退款"),
            ("退\u3164款", "退款"),
            ("❤", "❤\ufe0f"),
            ("3\u00a0days", "3 days"),
            ("3\u202fdays", "3 days"),
            ("non\u2011refundable", "non-refundable"),
            ("We don’t ship there", "don't ship"),
            ("We don't ship there", "don’t ship"),
            ("“My orders”", '"My orders"'),
        ],
    )
    def test_a_text_is_found_whatever_its_width_case_and_composition(self, reply: str, text: str) -> None:
        assert met(reply, "contains", text=text)

    @pytest.mark.parametrize(
        ("reply", "text"),
        [
            ("", "退款"),
            ("您的换货已登记。", "退款"),
            ("Your order", "refund"),
            ("①", "1"),
            ("退 款", "退款"),
            ("café", "cafe"),
            ("臺灣", "台湾"),
        ],
    )
    def test_what_is_not_there_is_missed_with_its_name(self, reply: str, text: str) -> None:
        found = hit(reply, "contains", text=text)
        assert found.met is False
        assert text in found.why

    @pytest.mark.parametrize(
        ("reply", "rule", "near"),
        [
            ("已登记，24 小时内联系您。", {"text": "24小时"}, True),
            ("It takes 3days.", {"text": "3 days"}, True),
            ("已登记，48 小时内联系您。", {"text": "24小时"}, False),
            ("OK GO", {"text": "OKGO", "case_sensitive": True}, True),
            ("ok go", {"text": "OKGO", "case_sensitive": True}, False),
            ("24 小时", {"pattern": "24小时"}, False),
        ],
    )
    def test_a_miss_for_white_space_alone_says_so(
        self, reply: str, rule: dict[str, object], near: bool
    ) -> None:
        found = hit(reply, "contains", **rule)
        assert found.met is False
        assert found.why.endswith("(but for spaces)") is near

    def test_case_can_matter_while_width_never_does(self) -> None:
        assert not met("ok", "contains", text="OK", case_sensitive=True)
        assert met("ＯＫ", "contains", text="OK", case_sensitive=True)

    def test_a_pattern_is_searched_as_written_and_width_folded(self) -> None:
        assert met("订单号：A１２", "contains", pattern=r"[A-Z]\d{2}")
        assert met("您好，请稍等", "contains", pattern="您好，请")
        assert met("Order A12", "contains", pattern=r"order [a-z]\d+")
        assert not met("Order A12", "contains", pattern=r"order", case_sensitive=True)
        assert met("Order A12", "contains", pattern=r"(?i)order", case_sensitive=True)
        assert met("ca\u0301fe", "contains", pattern="c.fe")

    def test_the_ends_of_a_pattern_are_those_that_a_reader_sees(self) -> None:
        assert met("\n42 \n", "contains", pattern="^42$")
        assert met("已发货。\n", "contains", pattern="。$")
        assert not met("42\n43", "contains", pattern="^42$")

    def test_a_pattern_can_ask_for_whole_words(self) -> None:
        assert not met("the cat", "contains", pattern=r"\bat\b")

    def test_a_catastrophic_pattern_returns(self) -> None:
        assert not met("a" * 20_000 + "!", "contains", pattern="^(a+)+$")

    def test_a_refused_pattern_is_bad_input(self) -> None:
        with pytest.raises(BadInput, match="look-ahead"):
            met("", "contains", pattern="(?=a)")

    def test_a_text_without_a_visible_character_is_bad_input(self) -> None:
        with pytest.raises(BadInput, match="no visible character"):
            met("x", "contains", text="\u200b")

    def test_the_last_reply_counts_unless_all_are_asked_for(self) -> None:
        session = record("您的订单号是 A1。", "还有什么可以帮您？")
        assert not met(session, "contains", text="A1")
        assert met(session, "contains", text="A1", over="all")
        assert not met(session, "contains", text="A2", over="all")

    def test_a_turn_without_a_reply_is_passed_over(self) -> None:
        assert met(record("refund", None), "contains", text="refund")
        assert met(record("refund", None), "contains", text="refund", over="all")
        assert not met(record(), "contains", text="refund", over="all")

    def test_a_very_long_reply_and_a_lone_surrogate_are_searched(self) -> None:
        assert met("水" * 100_000 + "退款", "contains", text="退款")
        assert met("\ud800退款", "contains", text="退款")
        assert met("\ud800退款", "contains", pattern="退款$")


class TestManyTexts:
    def test_all_names_every_text_that_is_missing(self) -> None:
        found = hit("退款 12 元", "contains_all", texts=["退款", "三天", "原路"], patterns=[r"\d+ 元"])
        assert found.met is False
        assert "“三天”" in found.why
        assert "“原路”" in found.why
        assert "退款" not in found.why.replace("原路", "")

    def test_all_any_and_none_of_texts_and_patterns(self) -> None:
        reply = "Your refund of 12 USD arrives in 3 days."
        assert met(reply, "contains_all", texts=["refund", "usd"], patterns=[r"\d days"])
        assert met(reply, "contains_any", texts=["exchange"], patterns=[r"\d days"])
        assert not met(reply, "contains_any", texts=["exchange", "换货"])
        assert met(reply, "contains_none", texts=["exchange"], patterns=[r"\d weeks"])
        assert not met(reply, "contains_none", texts=["exchange"], patterns=[r"\d days"])

    def test_none_says_what_was_said(self) -> None:
        found = hit("我保证今天到账", "contains_none", texts=["保证", "承诺"])
        assert found.met is False
        assert "“保证”" in found.why
        assert "承诺" not in found.why

    @pytest.mark.parametrize("reply", ["我保\u200b证", "我保\u00ad证", "我\u202e保证"])
    def test_an_invisible_sign_does_not_hide_a_forbidden_text(self, reply: str) -> None:
        assert not met(reply, "contains_none", texts=["保证"])

    def test_silence_keeps_a_prohibition_and_meets_nothing_else(self) -> None:
        assert met("", "contains_none", texts=["保证"])
        assert not met("", "contains_any", texts=["保证"])

    def test_over_all_a_prohibition_holds_in_every_reply(self) -> None:
        assert not met(record("我保证", "好"), "contains_none", texts=["保证"], over="all")

    @given(st.text(max_size=40), st.text(min_size=1, max_size=5))
    def test_any_and_none_of_one_text_are_opposites(self, reply: str, text: str) -> None:
        try:
            said = met(reply, "contains", text=text)
        except BadInput:
            return
        assert met(reply, "contains_any", texts=[text]) is said
        assert met(reply, "contains_none", texts=[text]) is (not said)

    @given(
        st.text(max_size=20), st.text(alphabet="ab退款é１🙂", min_size=1, max_size=6), st.text(max_size=20)
    )
    def test_what_is_put_in_is_found(self, before: str, text: str, after: str) -> None:
        assert met(f"{before} {text} {after}", "contains", text=text)


class TestEquals:
    @pytest.mark.parametrize(
        ("reply", "text"),
        [
            ("是", "是"),
            (" Yes\n", "yes"),
            ("Ｙｅｓ", "yes"),
            ("a  b", "a b"),
            ("cafe\u0301", "café"),
            ("", ""),
            ("是\u200b", "是"),
            ("I don’t\u00a0know", "i don't know"),
        ],
    )
    def test_width_case_and_space_do_not_matter_unless_said(self, reply: str, text: str) -> None:
        assert met(reply, "equals", text=text)

    def test_a_miss_shows_the_reply(self) -> None:
        found = hit("不可以", "equals", text="可以")
        assert found.met is False
        assert "不可以" in found.why

    def test_without_normalisation_only_composition_is_overlooked(self) -> None:
        assert not met("Yes", "equals", text="yes", normalise=[])
        assert not met("yes ", "equals", text="yes", normalise=[])
        assert met("cafe\u0301", "equals", text="café", normalise=[])

    def test_punctuation_goes_and_numbers_keep_theirs(self) -> None:
        for reply, text in [
            ("可以。", "可以"),
            ("“Yes!”", "yes"),
            ("a, b", "a b"),
            ("您好，世界", "您好世界"),
            ("**Yes**", "yes"),
            ("`yes`", "yes"),
            ("__yes__", "yes"),
        ]:
            assert met(reply, "equals", text=text, normalise=["width", "case", "punctuation", "space"])
        for reply, text in [
            ("3.5", "35"),
            ("-5", "5"),
            ("50%", "50"),
            ("10:30", "1030"),
            ("a_b", "ab"),
            ("A-5", "A5"),
        ]:
            assert not met(reply, "equals", text=text, normalise=["punctuation"])

    def test_traditional_and_simplified_letters_can_be_one(self) -> None:
        assert met("訂單已發貨", "equals", text="订单已发货", normalise=["script"])
        assert not met("訂單已發貨", "equals", text="订单已发货")

    def test_over_all_every_reply_must_equal(self) -> None:
        assert met(record("是", "是"), "equals", text="是", over="all")
        assert not met(record("否", "是"), "equals", text="是", over="all")


class TestLength:
    @pytest.mark.parametrize(
        ("reply", "size"),
        [
            ("", 0),
            ("  退款 \n", 2),
            ("👨\u200d👩\u200d👧", 1),
            ("e\u0301", 1),
            ("退\u200b款", 2),
            ("水" * 50_000, 50_000),
        ],
    )
    def test_characters_are_those_a_reader_sees(self, reply: str, size: int) -> None:
        assert met(reply, "length", min=size, max=size)
        assert not met(reply, "length", min=size + 1)

    @pytest.mark.parametrize(
        ("reply", "size"),
        [
            ("", 0),
            ("Your refund is here.", 4),
            ("don't re-enter 1,234.50", 3),
            ("您的订单已发货", 5),
            ("您的 order 已发货！", 5),
            ("👍 !!", 0),
            ("naïve café", 2),
        ],
    )
    def test_words_are_cut_in_chinese_and_spaced_in_english(self, reply: str, size: int) -> None:
        found = hit(reply, "length", unit="words", min=size, max=size)
        assert found.met, found.why

    def test_a_miss_says_how_long_it_was(self) -> None:
        assert "5 characters, not 0–3" in hit("hello", "length", max=3).why
        assert "5 characters, not 6–∞" in hit("hello", "length", min=6).why

    def test_over_all_the_replies_add_up(self) -> None:
        assert met(record("ab", "cde"), "length", min=5, max=5, over="all")
        assert met(record("ab", "cde"), "length", min=3, max=3)


class TestNoRefusal:
    @pytest.mark.parametrize(
        "reply",
        [
            "I'm sorry, but I can't help with that.",
            "Thank you for reaching out! Have a great day.",
            "抱歉，我无法回答这个问题。",
            "您好，很高兴为您服务，请问有什么可以帮您？",
            *(null_reply("stock", asked) for asked in ("How much is it?", "多少钱？")),
            "",
            "  \n",
            "Sorry, I can’t answer that question. Please contact support.",
            "這個問題我無法回答。",
            "抱歉，我無法回答您的問題，請稍後再試。",
        ],
    )
    def test_refusals_stock_phrases_and_silence_break_it(self, reply: str) -> None:
        found = hit(reply, "no_refusal")
        assert found.met is False
        assert found.why

    @pytest.mark.parametrize(
        "reply",
        [
            "Sorry for the wait! Your parcel left on Monday.",
            "I'm sorry, the museum is closed on Mondays.",
            "抱歉让您久等了，您的订单今天发货。",
            "抱歉，您的订单已签收，不能改地址。",
            "可以。",
            "Paris",
            "42",
        ],
    )
    def test_an_answer_keeps_it_even_with_an_apology(self, reply: str) -> None:
        assert met(reply, "no_refusal")

    def test_the_house_s_own_phrases_are_looked_for_anywhere(self) -> None:
        assert not met("您的订单已发货，更多请看帮助中心。", "no_refusal", phrases=["请看帮助中心"])
        assert met("您的订单已发货。", "no_refusal", phrases=["请看帮助中心"])

    def test_over_all_no_reply_may_refuse_but_courtesy_may_stand_beside_an_answer(self) -> None:
        assert met(record("您的订单周一发货。", "不客气！"), "no_refusal", over="all")
        assert not met(record("您的订单周一发货。", "不客气！"), "no_refusal")
        assert not met(record("抱歉，我无法回答。", "您的订单周一发货。"), "no_refusal", over="all")


def test_why_is_in_the_reader_s_language(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAIRTRIAL_LANG", "zh")
    assert hit("您好", "contains", text="退款").why == "没有出现：“退款”"
