"""What `useful` rewards and what it does not, on small pairs in both languages."""

import pytest

from fairtrial.schema.record import Call, Record, Status, Turn
from fairtrial.schema.score import Unscored, Useful
from fairtrial.scoring.useful import useful, useful_of

BOOK = (
    '{"title": "Harbour Lights", "shelf": "B17", "copies": 3, "due": "2025-03-14", "fee": 2.4, '
    '"branch": "Mill Road"}'
)
TEA = (
    '{"茶馆": "听雨轩", "地址": "柳河路58号", "电话": "0571-86612345", "人均": "72元", '
    '"营业时间": "09:30-21:00"}'
)
ASK = {"en": "Is Harbour Lights in, and where can I find it?", "zh": "听雨轩在哪里，人均多少，有露台吗？"}
SOURCE = {"en": BOOK, "zh": TEA}


def score(reply: str, language: str = "en", **changes: object) -> Useful:
    given = {"user_turns": [ASK[language]], "earlier_replies": [], "sources": [SOURCE[language]], **changes}
    found = useful(reply, **given)  # type: ignore[arg-type]
    assert isinstance(found, Useful), found
    return found


@pytest.mark.parametrize(
    ("language", "better", "worse"),
    [
        # Concrete beats courtesy and evasion.
        ("en", "It stands on shelf B17 at Mill Road.", "Thank you for asking, we love curious readers!"),
        ("zh", "在柳河路58号，人均72元。", "感谢您的咨询，我们会用心为您服务。"),
        ("en", "Three copies are in, due 2025-03-14.", "It depends on many different factors."),
        ("zh", "营业时间是09:30到21:00。", "这个要看具体情况呢。"),
        # Short and right beats keyword stuffing.
        (
            "en",
            "It is on shelf B17.",
            "title shelf B17 copies fee branch Mill Road due title shelf copies fee branch",
        ),
        ("zh", "人均72元。", "茶馆 听雨轩 地址 柳河路58号 电话 人均 72元 营业时间 茶馆 地址 电话 人均"),
        # Borne out beats invented, a number as well as a name.
        ("en", "The fee is 2.40 a week.", "The fee is 7.85 a week."),
        ("zh", "电话是0571-86612345。", "电话是0571-86619945。"),
        ("en", "You find it at Mill Road on shelf B17.", "You find it at Castle Square on shelf B17."),
        ("zh", "推荐您去听雨轩坐坐。", "推荐您去望江楼茶馆坐坐。"),
        # Right beats right with something invented beside it.
        ("en", "It is on shelf B17.", "It is on shelf B17. Members also save 18 % on 240 other titles."),
        ("zh", "人均72元。", "人均72元。另外凭会员卡可减免265元。"),
        # An honest "no" beats emptiness.
        ("en", "No copy of Harbour Lights is left.", "We truly value your interest."),
        ("zh", "听雨轩没有露台。", "您的满意就是我们的动力。"),
        # A next step beats filler.
        (
            "en",
            "It is on shelf B17. Show your card at the desk to borrow it.",
            "It is on shelf B17. Reading has always been close to our hearts.",
        ),
        ("zh", "人均72元。请提前一天打电话预订。", "人均72元。喝茶是一种生活态度。"),
    ],
)
def test_the_better_reply_scores_higher(language: str, better: str, worse: str) -> None:
    assert score(better, language).value > score(worse, language).value


@pytest.mark.parametrize(
    ("language", "reply"),
    [
        ("en", "I understand how you feel, and we are here for you."),
        ("en", "Is there anything else I can help you with?"),
        ("en", "Please bear with us while we look into this."),
        ("zh", "非常理解您的心情，请您放心。"),
        ("zh", "请问还有什么可以帮您？"),
        ("zh", "正在为您查询，请耐心等待。"),
        ("en", ""),
        ("zh", "  \n"),
    ],
)
def test_an_empty_reply_is_worth_nothing(language: str, reply: str) -> None:
    assert score(reply, language).value == 0


@pytest.mark.parametrize(
    ("language", "reply", "low", "high"),
    [
        ("en", "Show your card at the desk.", 0.8, 1),
        ("en", "Which branch suits you best?", 0.5, 1),
        ("en", "Shall I reserve a copy?", 0.6, 0.8),
        ("en", "The harbour is a quiet place.", 0, 0),
        ("zh", "请出示借书证。", 0.8, 1),
        ("zh", "您想订哪一天？", 0.5, 1),
        ("zh", "需要我帮您订位吗？", 0.6, 0.9),
        ("zh", "春天到了，花开得很好。", 0, 0),
    ],
)
def test_next_steps(language: str, reply: str, low: float, high: float) -> None:
    assert low <= score(reply, language).next_step <= high


@pytest.mark.parametrize(
    ("language", "earlier"),
    [
        ("en", "It stands on shelf B17 at Mill Road, three copies are in."),
        ("zh", "听雨轩在柳河路58号，人均72元。"),
    ],
)
def test_saying_it_again_earns_nothing(language: str, earlier: str) -> None:
    assert score(earlier, language).no_repetition == 1
    assert score(earlier, language, earlier_replies=[earlier]).value == 0


def test_echoing_the_user_earns_nothing() -> None:
    assert score(ASK["en"]).value == 0
    assert score(ASK["zh"], "zh").value == 0


def test_facts_are_counted_by_whether_a_source_has_them() -> None:
    found = score("It is on shelf B17, the fee is 2.40; call 020-5550-1234 before 18 April.")
    assert (found.supported, found.unsupported, found.unchecked) == (2, 2, False)


def test_a_fact_of_the_user_is_supported_but_hardly_adds() -> None:
    found = score("It is on shelf B17.", user_turns=["Is shelf B17 the right one?"])
    assert found.supported == 1
    assert found.concrete < 0.2


def test_a_sum_of_the_sources_numbers_is_not_invented() -> None:
    two = ['{"ticket": 35, "guide": 22}']
    assert score("The total is 57.", sources=two).unsupported == 0
    assert score("The ticket is 57.", sources=two).unsupported == 1


def test_values_that_a_rule_requires_are_sources() -> None:
    assert score("Ask for desk 48.", required=["48"]).unsupported == 0
    alone = score("Ask for desk 48.", sources=[], required=["48"])
    assert (alone.supported, alone.unchecked) == (1, False)


def test_without_sources_the_score_is_unchecked() -> None:
    found = score("It is on shelf C44 of the second hall.", sources=[])
    assert found.unchecked
    assert found.value > score("We love to help our readers.", sources=[]).value


@pytest.mark.parametrize(
    ("reply", "asked", "why"),
    [
        ('{"shelf": "B17"}', "Where?", "structured"),
        ("```python\nprint(1)\n```", "Where?", "structured"),
        ("| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |", "Where?", "structured"),
        ("def shelf():\n    return 'B17'\n\nshelf = shelf()", "Where?", "structured"),
        ("Here it is, sorted by shelf.", "Write a function that sorts by shelf.", "code"),
        ("42", "What is six times seven?", "short"),
        ("Harbour", "Which word is missing?", "short"),
        ("Yes.", "Is it in?", "yes or no"),
        ("是的。", "有露台吗？", "yes or no"),
        ("Die Lichter sind im Hafen und nicht auf dem Schiff.", "Hm?", "language"),
        ("港の灯りは美しいです。", "Hm?", "language"),
        ("The harbour is lit at night.", "Translate this sentence: 港口夜里有灯。", "translation"),
        ("港口夜里有灯。", "请把这句话翻译成中文：The harbour is lit.", "translation"),
        ("The text is about lights.", "Summarize the following text: lights are lit.", "summary"),
    ],
)
def test_what_has_no_meaning_is_unscored(reply: str, asked: str, why: str) -> None:
    found = useful(reply, user_turns=[asked], earlier_replies=[], sources=[BOOK])
    assert isinstance(found, Unscored)
    assert why in found.why


@pytest.mark.parametrize("asked", ["Write a poem about the sea.", "写一首关于大海的诗。"])
def test_invention_without_sources_is_unscored(asked: str) -> None:
    reply = "The waves come in at night. 海浪在夜里来。"
    assert isinstance(useful(reply, user_turns=[asked], earlier_replies=[], sources=[]), Unscored)
    assert isinstance(useful(reply, user_turns=[asked], earlier_replies=[], sources=["sea 海浪"]), Useful)


def record(*turns: Turn) -> Record:
    return Record(case="c", trial=0, status=Status.completed, turns=turns)


def test_a_session_is_the_mean_of_its_turns() -> None:
    search = Call(name="find", result={"shelf": "B17", "fee": 2.4})
    first = Turn(user=ASK["en"], reply="It is on shelf B17.", steps=(search,))
    again = Turn(user="And the fee?", reply="It is on shelf B17.")
    alone = useful_of(record(first), context=None, key_facts=(), required=())
    both = useful_of(record(first, again), context=None, key_facts=(), required=())
    assert isinstance(alone, Useful)
    assert isinstance(both, Useful)
    assert both.value == pytest.approx(alone.value / 2)
    assert both.supported == 2
    assert both.no_repetition == 0.5


def test_tool_results_bear_out_later_turns_too() -> None:
    search = Call(name="find", result=[{"fee": 2.4}])
    found = useful_of(
        record(
            Turn(user="Look it up.", reply="I found it in our list.", steps=(search,)),
            Turn(user="The fee?", reply="The fee is 2.40 a week."),
        ),
        context=None,
        key_facts=(),
        required=(),
    )
    assert isinstance(found, Useful)
    assert (found.supported, found.unsupported) == (1, 0)


def test_earlier_replies_bear_nothing_out() -> None:
    found = useful_of(
        record(
            Turn(user="The fee?", reply="The fee is 9.90 a week."),
            Turn(user="Sure?", reply="Yes, you pay 9.90 for each week."),
        ),
        context="The fee is set by the branch.",
        key_facts=(),
        required=(),
    )
    assert isinstance(found, Useful)
    assert (found.supported, found.unsupported) == (0, 2)


def test_context_and_key_facts_are_sources() -> None:
    turn = record(Turn(user="The fee?", reply="The fee is 2.40 at Mill Road."))
    for given in ({"context": BOOK, "key_facts": ()}, {"context": None, "key_facts": ["fee 2.4, Mill Road"]}):
        found = useful_of(turn, required=(), **given)  # type: ignore[arg-type]
        assert isinstance(found, Useful)
        assert (found.unsupported, found.unchecked) == (0, False)


def test_a_session_of_unscored_turns_is_unscored() -> None:
    only = record(Turn(user="Six times seven?", reply="42"), Turn(user="In?", reply="Yes."))
    assert useful_of(only, context=None, key_facts=(), required=()) == Unscored(why="short answer")
    assert isinstance(useful_of(record(), context=None, key_facts=(), required=()), Unscored)


def test_a_turn_without_reply_is_passed_over() -> None:
    said = Turn(user=ASK["en"], reply="It is on shelf B17.")
    left = Turn(user="Bye", reply=None)
    both = useful_of(record(said, left), context=BOOK, key_facts=(), required=())
    assert both == useful_of(record(said), context=BOOK, key_facts=(), required=())


@pytest.mark.parametrize(
    ("asked", "right", "wrong", "required"),
    [
        (
            "Can I come on Sunday?",
            "We are open Monday to Saturday, 9:00 to 18:00; closed on Sunday.",
            "Thank you for your question. We are always happy to help you.",
            "closed",
        ),
        (
            "周日能去吗？",
            "周一至周六 9:00–18:00 营业，周日休息。",
            "感谢您的咨询，我们会尽快为您处理。",
            "休息",
        ),
    ],
)
def test_what_a_rule_asks_for_does_not_make_all_else_unsupported(
    asked: str, right: str, wrong: str, required: str
) -> None:
    def worth(reply: str) -> Useful:
        found = useful(reply, user_turns=[asked], earlier_replies=[], sources=[], required=[required])
        assert isinstance(found, Useful)
        return found

    assert worth(right).unsupported == 0
    assert worth(right).unchecked
    assert worth(right).value > 0.25 > worth(wrong).value


def test_a_value_that_a_rule_asks_for_counts_more_than_one_that_nothing_bears_out() -> None:
    asked = {"user_turns": ["补胎多少钱？"], "earlier_replies": [], "sources": [], "required": ["25"]}
    right, wrong = useful("补胎 25 元。", **asked), useful("补胎 125 元。", **asked)
    assert isinstance(right, Useful)
    assert isinstance(wrong, Useful)
    assert right.value > wrong.value
    assert (right.unchecked, wrong.unchecked) == (False, True)
