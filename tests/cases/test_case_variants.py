"""What counts as a variant of a case, in both languages: the checks that stand before any person's."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.cases.variant_brief import brief
from fairtrial.cases.variants import REQUIRED, TYPES, Original, fault, letters, needed, read_reply
from fairtrial.schema.variants import Draft, Refused

ZH = Original(
    turns=("我上周买的毛衣想退款，订单号 JD2024111138271，能退吗？",),
    facts=(("JD2024111138271",),),
    tongue="zh",
)
EN = Original(
    turns=("I would like a refund for order US20241105120, can you do it before Friday?",),
    facts=(("US20241105120", "Friday"),),
    tongue="en",
)
TWO = Original(
    turns=("我要退货 JD2024111138271", "是的，确认退款"), facts=(("JD2024111138271",), ()), tongue="zh"
)


def why(original: Original, kind: str, *question: str, others: tuple[str, ...] = ()) -> str | None:
    told = [original.beside(letters(text)) for text in ("\n".join(original.turns), *others)]
    return fault(Draft(question=question, variant_type=kind), original, told)


@pytest.mark.parametrize(
    ("original", "kind", "question"),
    [
        (ZH, "colloquial", "上周买那毛衣咋退啊，单号 JD2024111138271，给退不？"),
        (ZH, "complaint", "真是气死我了！毛衣上周买的，想退款，订单 JD2024111138271，能退吗？"),
        (ZH, "typos", "我上周买的毛衣想腿款，订单号 JD2024111138271，能退吗？"),
        (ZH, "typos", "上周买的毛依不要了，钉单号 JD2024111138271，能退么？"),
        (ZH, "chatter", "刚吃完饭有点犯困。我上周买的毛衣想退款，订单号 JD2024111138271，能退吗？"),
        (ZH, "mixed", "我上周买的毛衣想 return 掉，order 号 JD2024111138271，能退吗？"),
        (EN, "colloquial", "hey, gonna need a refund for US20241105120, can u do it before Friday?"),
        (
            EN,
            "complaint",
            "This is ridiculous! I want my refund for US20241105120 before Friday, can you do it?",
        ),
        (EN, "typos", "I wuold like a refnud for order US20241105120, can you do it before Friday?"),
        (
            EN,
            "chatter",
            "I just got home. I would like a refund for US20241105120, can you do it before Friday?",
        ),
        (EN, "mixed", "I would like a 退款 for order US20241105120, can you do it before Friday?"),
    ],
)
def test_a_sound_variant_passes(original: Original, kind: str, question: str) -> None:
    assert why(original, kind, question) is None


@pytest.mark.parametrize(
    ("original", "kind", "question", "told"),
    [
        (ZH, "slang", "咋退啊 JD2024111138271，上周的毛衣", "'slang' is none of"),
        (ZH, "colloquial", "上周买的毛衣咋退啊？", "turn 1 lacks `JD2024111138271`"),
        (ZH, "typos", "我上周买的毛衣想腿款，订单号 JD2024111138217，能退吗？", "turn 1 lacks"),
        (ZH, "colloquial", "咋退啊 JD2024111138271 和 JD2024111140325，上周的毛衣", "not in the original"),
        (ZH, "colloquial", "咋退啊 JD2024111138271，上周的毛衣，花了 300 元", "not in the original"),
        (ZH, "colloquial", "请问上周买的毛衣是否可以退款？订单号为 JD2024111138271", "nothing colloquial"),
        (ZH, "complaint", "请问上周买的毛衣是否可以退款？订单号为 JD2024111138271", "no complaint"),
        (ZH, "typos", "请问上周买的毛衣是否可以退款？订单号为 JD2024111138271", "no mistyped word"),
        (
            ZH,
            "mixed",
            "请问上周买的毛衣是否可以退款？订单号为 JD2024111138271",
            "no word of another language",
        ),
        (ZH, "chatter", "请问上周买的毛衣是否可以退款？订单号为 JD2024111138271", "beside the matter"),
        (
            ZH,
            "colloquial",
            "How can I gonna return the sweater of last week, JD2024111138271?",
            "another language",
        ),
        (ZH, "colloquial", "作为语言模型，咋退 JD2024111138271 我上周的毛衣", "speaks of itself"),
        (ZH, "colloquial", "以下是口语版：上周那毛衣咋退啊 JD2024111138271", "speaks of itself"),
        (ZH, "colloquial", "咋 JD2024111138271" + "啊" * 400, "letters for"),
        (ZH, "colloquial", "", "is not 1 texts"),
        (ZH, "typos", "我上周买的毛衣，想退款。订单号 JD2024111138271 能退吗", "no mistyped word"),
        (EN, "colloquial", "gonna need a refund for US20241105120, can u do it?", "lacks `Friday`"),
        (
            EN,
            "typos",
            "Can you refund order US20241105120 before Friday? I would like it",
            "no mistyped word",
        ),
        (
            EN,
            "colloquial",
            "I'm gonna say that I can't help with US20241105120 before Friday, sorry",
            "itself",
        ),
        (EN, "complaint", "Please refund order US20241105120 before Friday, would you?", "no complaint"),
    ],
)
def test_what_is_no_variant_is_told_why(original: Original, kind: str, question: str, told: str) -> None:
    assert told in str(why(original, kind, question))


def plain(text: str, *facts: str) -> Original:
    return Original(turns=(text,), facts=(facts,), tongue="zh" if text[0] > "z" else "en")


@pytest.mark.parametrize(
    ("original", "question", "told"),
    [
        (plain("我不想取消订单 A17，能改地址吗", "A17"), "咱想取消订单 A17 呗，咋改地址啊", "denial: `不`"),
        (plain("除了运费，其他都退"), "咋运费、其他都给退了呗", "denial: `除`"),
        (plain("别给我退款，要换货"), "咋给我退款啊，特别想换货", "denial: `别`"),
        (plain("I do not want a refund, swap it"), "gonna want a refund, pls swap it", "denial: `not`"),
        (plain("I don't want a refund, swap it"), "gonna want a refund, no problem, swap it", "denial"),
        (plain("Refund all except the shoes"), "gimme a refund, all the shoes plz", "denial: `except`"),
        (plain("每人限购 3 件吗", "3"), "咋每人限购 13 件啊", "turn 1 lacks `3`"),
        (plain("refund order US202411, please", "US202411"), "gonna refund US2024115 plz", "turn 1 lacks"),
        (plain("refund order US202411, please", "US202411"), "gonna refund XUS202411 plz", "turn 1 lacks"),
        (plain("refund order A17, please", "A17"), "gimme a refund for A17, 2 pcs plz", "`2` is not in"),
        (plain("refund order A17, please", "A17"), "gimme a refund for A17, li@b.cn plz", "`li@b.cn`"),
        (plain("订单 A17 退款", "A17"), "咋退 A17 啊，2024年11月的", "`2024`"),
    ],
)
def test_what_a_writer_drops_or_makes_up_is_told(original: Original, question: str, told: str) -> None:
    assert told in str(why(original, "colloquial", question))


@pytest.mark.parametrize(
    ("original", "question"),
    [
        (plain("我不想取消订单 A17，能改地址吗", "A17"), "别取消 A17 哈，咋改地址啊"),
        (plain("I do not want a refund, swap it"), "dont gimme a refund, gotta swap it"),
        (plain("能不能退款？到底退不退？"), "咋退款啊，到底给退吗"),
        (plain("对不起，特别急，退款"), "哎急死了，咋退款啊"),
        (
            plain("order no. A17, refund please", "A17"),
            "gonna need a refund 4real, thats A17 b4 2moro",
        ),
        (plain("version 1.2.3 crashes", "1.2"), "yo version 1.2.3 kinda crashes lol"),
    ],
)
def test_other_words_for_a_denial_and_figures_in_slang_pass(original: Original, question: str) -> None:
    assert why(original, "colloquial", question) is None


@pytest.mark.parametrize("odd", ["\\ud83d", "\\u0000", "\\u202e", "\\u001b[2J"])
def test_what_no_file_should_hold_is_refused(odd: str) -> None:
    (draft,) = read_reply(f'[{{"question": "咋退款 A17 啊{odd}", "variant_type": "colloquial"}}]')
    draft.question[0].encode()
    assert "control character" in str(fault(draft, plain("我要退款，订单 A17", "A17"), []))


def test_a_user_may_speak_of_what_a_writer_would() -> None:
    assert (
        why(EN, "colloquial", "hey, here is the order: US20241105120, gonna need it refunded before Friday")
        is None
    )
    sizes = Original(turns=("Which variant of the lamp fits, the blue one?",), facts=((),), tongue="en")
    assert why(sizes, "colloquial", "hey which variant of that lamp fits, the blue one or wot?") is None


def test_what_others_say_is_no_variant() -> None:
    said = "上周买那毛衣咋退啊，单号 JD2024111138271，给退不？"
    again = "上周买那毛衣，咋退啊！单号JD2024111138271 给退不"
    assert "says the same" in str(why(ZH, "colloquial", again, others=(said,)))
    assert "says the same" in str(
        why(
            ZH,
            "typos",
            "我上周买的毛衣想腿款 JD2024111138271 能退吗",
            others=("我上周买的毛衣想腿款 JD2024111138271 能退吗？",),
        )
    )
    # A typing error is a variant though nearly all letters are the same.
    assert why(ZH, "typos", "我上周买的毛衣想腿款，订单号 JD2024111138271，能退吗？") is None
    # Mood that was in the original already is no complaint.
    angry = Original(turns=("气死我了！我要退款 A1023",), facts=(("A1023",),), tongue="zh")
    assert "no complaint" in str(why(angry, "complaint", "气死我了！帮我办一下退款吧 A1023"))


def test_turns_are_kept_with_the_facts_of_each() -> None:
    assert why(TWO, "colloquial", "咱要退货 JD2024111138271", "嗯嗯对，给退了吧") is None
    assert "is not 2 texts" in str(why(TWO, "colloquial", "咋退 JD2024111138271，确认退款"))
    moved = why(TWO, "colloquial", "咱要退货", "JD2024111138271 对，给退了吧哈")
    assert moved == "turn 1 lacks `JD2024111138271`"


@given(count=st.integers(1, 20), data=st.data())
def test_what_is_missing_leads_to_all_required(count: int, data: st.DataObject) -> None:
    have: list[str] = []
    while True:
        required, free = needed(have, count)
        assert len(have) + len(required) + free == count
        if not required and not free:
            break
        have.append(data.draw(st.sampled_from(TYPES if free else required)))
    for kind in TYPES:
        assert have.count(kind) >= REQUIRED[:count].count(kind)


DRAFTS = [
    {"question": "咋退啊", "variant_type": "colloquial"},
    {"question": "甲\n乙", "variant_type": "typos"},
]
WHOLE = json.dumps(DRAFTS, ensure_ascii=False)


@pytest.mark.parametrize(
    "reply",
    [
        WHOLE,
        f"```json\n{WHOLE}\n```",
        f"好的，变体如下：\n```\n{WHOLE}\n```\n希望有帮助！",
        f"Here you are: {WHOLE} Anything else?",
        WHOLE[:-1],
        WHOLE[:-2],
        WHOLE.replace("}, {", "},, {").replace("]", ",]"),
        WHOLE.replace('"', "'"),
        WHOLE.replace("}, {", "} {"),
        WHOLE.replace("\\n", "\n"),
    ],
)
def test_a_broken_reply_is_mended(reply: str) -> None:
    drafts = read_reply(reply)
    assert [draft.question[0].split() for draft in drafts] == [["咋退啊"], ["甲", "乙"]]
    assert [draft.variant_type for draft in drafts] == ["colloquial", "typos"]


@pytest.mark.parametrize(
    "reply",
    [
        "",
        "很抱歉，我无法提供帮助。",
        "1. 咋退啊\n2. 搞半天",
        "[]",
        '["咋退啊"]',
        '{"question": "咋"}',
        "[" * 3000,
        '[{"question":' * 1000,
        json.dumps([{"question": "咋退啊", "variant_type": "colloquial"}] * 3000),
    ],
)
def test_a_reply_without_variants_is_refused_with_what_it_said(reply: str) -> None:
    with pytest.raises(ValueError, match=r"no JSON array: |a reply of ") as refused:
        read_reply(reply)
    assert reply.split("\n")[0][:50] in str(refused.value)
    assert len(str(refused.value)) < 300


def test_a_reply_is_quoted_without_halves_of_letters() -> None:
    with pytest.raises(ValueError, match="no JSON array: no \ufffd"):
        read_reply("no \ud83d")


@given(st.text())
def test_any_reply_is_read_or_refused(reply: str) -> None:
    for text in (reply, f"[{reply}]", f'[{{"question": {reply}}}]'):
        try:
            drafts = read_reply(text)
        except ValueError:
            continue
        for draft in drafts:
            fault(draft, ZH, [])


def test_the_brief_names_all_that_is_checked() -> None:
    zh = brief(ZH, 5, task_type="refund")
    assert "写出 5 种" in zh
    for words in ("至少 2 种 colloquial", "至少 1 种 complaint", "至少 1 种 typos", "其余 1 种任选"):
        assert words in zh
    assert '["JD2024111138271"]' in zh
    assert "任务类型：refund" in zh
    en = brief(EN, 5)
    for words in (
        "Write 5",
        "at least 2 colloquial",
        "at least 1 complaint",
        "at least 1 typos",
        "the other 1",
    ):
        assert words in en
    assert "Kind of task" not in en
    assert "an array of 2 texts" not in en
    assert "由 2 条文本组成的数组" in brief(TWO, 5)


def test_the_second_brief_names_what_is_missing() -> None:
    kinds = ("colloquial", "colloquial", "complaint", "mixed")
    have = [Draft(question=(f"有了 {n}",), variant_type=kind) for n, kind in enumerate(kinds)]
    sent_back = [
        Refused(question=("我要退款",), variant_type="typos", why="没有错别字"),
        Refused(question=("",), variant_type="typos", why="不是 1 条文本"),
    ]
    text = brief(ZH, 5, have=have, refused=sent_back)
    assert "写出 1 种" in text
    assert "至少 1 种 typos" in text
    assert "colloquial：" not in text
    assert text.count("已有，不要重复") == 4
    assert '上次被退回："我要退款"，原因：没有错别字' in text
    assert text.count("上次被退回") == 1
