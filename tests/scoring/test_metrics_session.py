"""What one session says of each metric: Chinese and English sessions, counted by hand."""

from typing import Any

import pytest

from fairtrial.schema.metrics import Metric, NotJudged, Verdict
from fairtrial.schema.record import Call, Disturbance, Record, Say, Status, Step, Turn, Usage
from fairtrial.schema.score import About, Hit, Row, Score, Unscored
from fairtrial.scoring.metrics import measures
from fairtrial.scoring.metrics_measure import Measure
from fairtrial.scoring.metrics_values import values_of
from fairtrial.scoring.rules_tools import calls_asked

from rulebook import rule  # isort: skip

NONE = Unscored(why="not scored")


def turn(user: str, reply: str | None, *steps: Step, **more: Any) -> Turn:
    return Turn(user=user, reply=reply, steps=steps, **more)


def call(name: str, arguments: Any = None, result: Any = None, error: str | None = None) -> Call:
    return Call(name=name, arguments=arguments or {}, result=result, error=error)


def found(
    *turns: Turn,
    value: float | None = 1.0,
    hits: tuple[Hit, ...] = (),
    status: Status = Status.completed,
    verdict: Verdict | None = None,
    **about: Any,
) -> dict[Metric, Measure]:
    record = Record(case="c", trial=0, status=status, turns=turns)
    score = Score(value=NONE if value is None else value, hits=hits, useful=NONE)
    row = Row(record=record, score=score, about=About(**about))
    return dict(measures(row, pass_at=1.0, verdict=verdict))


def counted(measure: Measure) -> tuple[float, int]:
    return measure.got, measure.of


LOOK_UP = call(
    "find_order", {"id": "A1001"}, {"id": "A1001", "status": "shipped", "city": "杭州", "ok": True}
)


class TestCompletion:
    @pytest.mark.parametrize(("value", "expected"), [(1.0, (1, 1)), (0.5, (0, 1)), (None, (0, 0))])
    def test_by_the_rules(self, value: float | None, expected: tuple[float, int]) -> None:
        measure = found(turn("hi", "ok"), value=value)[Metric.task_completion]
        assert counted(measure) == expected
        assert bool(measure.against) == (value == 0.5)

    @pytest.mark.parametrize(
        ("value", "verdict", "expected", "agreed"),
        [
            (0.0, Verdict(fault="agent"), (0, 1), 1),
            (1.0, Verdict(fault="agent"), (0, 1), 0),
            (0.0, Verdict(fault="scorer"), (1, 1), 0),
            (0.0, Verdict(fault="scorer", score=0.5), (0, 1), 1),
            (None, Verdict(fault="scorer"), (0, 0), 0),
            (0.0, Verdict(fault="case"), (0, 0), 0),
        ],
    )
    def test_a_person_stands_over_the_rules(
        self, value: float | None, verdict: Verdict, expected: tuple[float, int], agreed: int
    ) -> None:
        measure = found(turn("hi", "ok"), value=value, verdict=verdict)[Metric.task_completion]
        assert counted(measure) == expected
        assert measure.details["marked"] == 1
        assert measure.details["agreed"] == agreed
        if verdict.fault == "case":
            assert measure.skipped == {NotJudged.case_at_fault: 1}

    def test_a_session_that_did_not_complete_is_in_no_metric(self) -> None:
        every = found(turn("hi", None), value=None, status=Status.timeout)
        assert set(every) == set(Metric) - {Metric.pass_hat_k}
        assert all(one.skipped == {NotJudged.not_completed: 1} and not one.of for one in every.values())


class TestState:
    def test_the_share_of_state_and_claim_rules(self) -> None:
        hits = (
            Hit(rule="state", met=True, share=1),
            Hit(rule="claim", met=False, share=1, why="turn 1 claims “已退款”"),
            Hit(rule="contains", met=False, share=1),
        )
        measure = found(turn("hi", "ok"), hits=hits)[Metric.state_updated]
        assert counted(measure) == (0.5, 1)
        assert measure.against == ["claim: turn 1 claims “已退款”"]
        assert found(turn("hi", "ok"))[Metric.state_updated].skipped == {NotJudged.no_rule: 1}


class TestEffectiveness:
    def test_failed_empty_and_repeated_calls_bring_nothing(self) -> None:
        measure = found(
            turn("A1001?", "在杭州", LOOK_UP, call("find_order", '{"id": "A1001"}', LOOK_UP.result)),
            turn("and?", "…", call("find", {}, []), call("find", {}, "Error: no"), call("log", {}, None)),
        )[Metric.tool_effectiveness]
        assert counted(measure) == (1, 4)
        assert measure.details == {"failed": 1, "empty": 1, "repeated": 1}
        assert measure.skipped == {NotJudged.no_result: 1}
        assert measure.against == ["find_order was repeated", "find brought nothing", "find failed"]

    def test_asking_again_after_something_changed_is_no_repetition(self) -> None:
        arrived = call("find_order", {"id": "A1001"}, {"status": "delivered"})
        assert counted(found(turn("?", "ok", LOOK_UP, arrived))[Metric.tool_effectiveness]) == (2, 2)
        pause = Disturbance(step=0, do="pause")
        later = found(turn("?", "ok", LOOK_UP), turn("?", "ok", LOOK_UP, disturbed=(pause,)))
        assert counted(later[Metric.tool_effectiveness]) == (2, 2)
        moved = found(turn("?", "ok", LOOK_UP, state={"n": 1}), turn("?", "ok", LOOK_UP, state={"n": 1}))
        assert counted(moved[Metric.tool_effectiveness]) == (1, 2)
        moved = found(
            turn("?", "ok", LOOK_UP, state={"n": 1}),
            turn("?", "ok", state={"n": 2}),
            turn("?", "ok", LOOK_UP, state={"n": 2}),
        )
        assert counted(moved[Metric.tool_effectiveness]) == (2, 2)

    def test_no_call_is_not_judged(self) -> None:
        every = found(turn("hi", "hello"))
        for name in (Metric.tool_effectiveness, Metric.useless_calls):
            assert every[name].skipped == {NotJudged.no_call: 1}


class TestUselessness:
    @pytest.mark.parametrize(
        "reply", ["您的包裹在杭州。", "It was SHIPPED.", "已到 杭州 分拨中心", "status：ｓｈｉｐｐｅｄ"]
    )
    def test_a_value_in_the_reply_is_a_use(self, reply: str) -> None:
        assert counted(found(turn("?", reply, LOOK_UP))[Metric.useless_calls]) == (0, 1)

    @pytest.mark.parametrize("reply", ["好的，请稍等。", "A1001, one moment.", "it was unshippedx", None])
    def test_no_value_of_it_is_none(self, reply: str | None) -> None:
        measure = found(turn("?", reply, LOOK_UP))[Metric.useless_calls]
        assert counted(measure) == (1, 1)
        assert measure.against == ["find_order: its result was not used"]

    def test_later_arguments_words_and_the_final_state_are_uses(self) -> None:
        quote = call("quote", {}, {"price": 1234.5, "left": 3})
        price = {"price": 1234.5}

        def useless(*turns: Turn) -> tuple[float, int]:
            return counted(found(*turns)[Metric.useless_calls])

        assert useless(turn("?", "ok", quote, call("buy", {"at": "¥1,234.50"}))) == (0, 1)
        assert useless(turn("?", "ok", quote, Say(text="1234.5 it is"))) == (0, 1)
        assert useless(turn("?", "ok", quote), turn("?", "共1234.50元")) == (0, 1)
        assert useless(turn("?", "ok", quote, state=price)) == (0, 1)
        assert useless(turn("?", "ok", state=price), turn("?", "ok", quote, state=price)) == (1, 1)
        assert useless(turn("?", "3 left", quote)) == (1, 1)

    @pytest.mark.parametrize(
        "result", [True, {"ok": True}, "Success", "操作成功", {"status": "done"}, {"id": "A1001"}, ""]
    )
    def test_a_flag_or_an_echo_can_not_be_used(self, result: Any) -> None:
        measure = found(turn("?", "ok", call("do", {"id": "A1001"}, result)))[Metric.useless_calls]
        assert measure.skipped == {NotJudged.nothing_to_use: 1}

    def test_a_small_number_counts_where_there_is_nothing_else(self) -> None:
        left = call("stock", {}, {"left": 3})
        assert counted(found(turn("?", "还有3件", left))[Metric.useless_calls]) == (0, 1)
        assert counted(found(turn("?", "none", left))[Metric.useless_calls]) == (1, 1)


class TestRecovery:
    def test_sessions_with_a_failed_or_disturbed_call(self) -> None:
        failed = call("pay", {}, {"error": "declined"})
        hit = Disturbance(step=0, do="fault", call=0)
        for session in (turn("?", "ok", failed), turn("?", "ok", LOOK_UP, disturbed=(hit,))):
            assert counted(found(session)[Metric.failure_recovery]) == (1, 1)
            assert counted(found(session, value=0.0)[Metric.failure_recovery]) == (0, 1)
            assert found(session, value=None)[Metric.failure_recovery].skipped == {NotJudged.no_score: 1}
        assert found(turn("?", "ok", LOOK_UP))[Metric.failure_recovery].skipped == {NotJudged.no_failure: 1}


class TestKeyInformation:
    def test_key_facts_in_any_form(self) -> None:
        facts = ("JD2024111138271", "2024年11月8日", "金额 1234.5 元", "原路退回")
        reply = "订单 jd2024111138271 已于 11月8日 退款 ¥1,234.50。"
        measure = found(turn("?", reply), key_facts=facts)[Metric.key_information]
        assert counted(measure) == (0.75, 1)
        assert measure.against == ["not said: 原路退回"]
        assert measure.details["by_key_facts"] == 1
        both = found(turn("?", reply), turn("?", "钱会原路退回"), key_facts=facts)
        assert counted(both[Metric.key_information]) == (1, 1)

    def test_else_what_can_be_recognised(self) -> None:
        said = turn("Where is order US2024110512094? I paid $89.90.", "US2024110512094 is on its way.")
        measure = found(said)[Metric.key_information]
        assert counted(measure) == (0.5, 1)
        assert measure.details["by_key_facts"] == 0
        noise = turn("I once paid $500.", "ok", disturbed=(Disturbance(step=0, do="utter"),))
        assert counted(found(said, noise)[Metric.key_information]) == (0.5, 1)
        assert found(turn("hi", "ho"))[Metric.key_information].skipped == {NotJudged.no_key_facts: 1}


class TestMemory:
    def test_used_held_and_lost_by_distance(self) -> None:
        measure = found(
            turn("我的订单 JD2024111138271 要退款", "好的"),
            turn("原因是不喜欢", "请提供您的订单号"),
            turn("前面说过了", "找到了", call("find_order", {"id": "JD2024111138271"}, {"x": 1})),
            turn("快点", "稍等"),
            turn("好了吗", "好了", state={"order": "JD2024111138271"}),
        )[Metric.memory_retention]
        assert measure.parts == {"1": (0, 1), "2": (1, 1), "4": (1, 1)}
        assert counted(measure) == (2, 3)
        assert measure.skipped == {NotJudged.neither: 1}
        assert len(measure.against) == 1
        assert "turn 2 asked again" in measure.against[0]

    def test_english(self) -> None:
        measure = found(
            turn("Order US2024110512094, please refund it.", "Why?"),
            turn("It is broken.", "What is your order number?"),
            turn("I told you.", "Refunding US2024110512094."),
            turn("Thanks.", "US2024110599999 is refunded."),
        )[Metric.memory_retention]
        assert measure.parts == {"1": (0, 1), "2": (1, 1), "3": (0, 1)}
        assert "US2024110599999" in measure.against[1]

    def test_repeating_it_begins_anew_and_another_value_ends_it(self) -> None:
        again = found(
            turn("Order US2024110512094.", "ok"),
            turn("US2024110512094!", "ok"),
            turn("?", "US2024110512094 it is"),
        )[Metric.memory_retention]
        assert again.parts == {"1": (1, 1)}
        other = found(
            turn("Order US2024110512094.", "ok"),
            turn("No, US2024110817730.", "ok"),
            turn("?", "US2024110817730 it is"),
        )[Metric.memory_retention]
        assert other.parts == {"1": (1, 1)}

    def test_key_facts_that_the_user_gave(self) -> None:
        measure = found(
            turn("我对花生过敏", "记住了"), turn("推荐一道菜", "不含花生过敏原的菜"), key_facts=("花生过敏",)
        )[Metric.memory_retention]
        assert measure.parts == {"1": (1, 1)}
        assert found(turn("hi", "ho"))[Metric.memory_retention].skipped == {NotJudged.no_fact: 1}

    @pytest.mark.parametrize(
        ("given", "reply"),
        [
            (
                "Send it to 17 Harbor Road, Tacoma",
                "It goes to 17 Harbor Road, Tacoma. What is the new address?",
            ),
            ("订单 JD2024111138271", "订单 JD2024111138271 之外，还请提供另一单的订单号。"),
        ],
    )
    def test_who_says_what_was_given_and_asks_for_another_has_kept_it(self, given: str, reply: str) -> None:
        memory = found(turn(given, "ok"), turn("go on / 继续", reply))[Metric.memory_retention]
        assert (memory.got, memory.of) == (1, 1)


class TestSteps:
    def test_calls_against_the_least(self) -> None:
        session = turn("?", "ok", LOOK_UP, LOOK_UP, LOOK_UP)
        assert counted(found(session, least_calls=2)[Metric.steps]) == (1.5, 1)
        by_rules = found(session, calls_asked=3)[Metric.steps]
        assert counted(by_rules) == (1, 1)
        assert by_rules.details["least_from_rules"] == 1
        assert counted(found(session, least_calls=2, calls_asked=3)[Metric.steps]) == (1.5, 1)
        assert found(session)[Metric.steps].skipped == {NotJudged.no_least: 1}
        missed = found(session, value=0.0, least_calls=2)[Metric.steps]
        assert missed.skipped == {NotJudged.goal_not_reached: 1}

    def test_the_lower_bound_of_rules(self) -> None:
        rules = [
            rule("tool_called", tool="a", at_least=2),
            rule("tools_in_order", calls=[{"tool": "a"}, {"tool": "b"}, {"tool": "b"}]),
            rule("tool_not_called", tool="c"),
        ]
        assert calls_asked(rules) == 4
        assert calls_asked(rules[2:]) is None


class TestSpent:
    def test_time_tokens_and_money(self) -> None:
        usage = Usage(input_tokens=10, output_tokens=2, cost=0.5)
        every = found(
            turn("?", "a", seconds=1.0, first_token_seconds=0.25, usage=usage),
            turn("?", "b", seconds=3.0, usage=Usage(input_tokens=5)),
        )
        assert counted(every[Metric.latency]) == (4.0, 2)
        assert every[Metric.latency].spread == [1.0, 3.0]
        assert counted(every[Metric.first_token]) == (0.25, 1)
        assert counted(every[Metric.input_tokens]) == (15, 1)
        for unknown in (Metric.output_tokens, Metric.cost):
            assert every[unknown].skipped == {NotJudged.untold: 1}


def test_turns_aside_are_in_no_metric() -> None:
    plain = turn("订单 JD2024111138271", "查到了", LOOK_UP, seconds=1.0, state={"city": "杭州"})
    aside = turn(
        "订单号是多少？", "JD2024111138271", LOOK_UP, call("x", {}, "Error: y"), seconds=9.0, aside=True
    )
    assert found(plain, aside) == found(plain)


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("２０２４年11月8日", "2024-11-08"),
        ("¥1,234.50", "1234.5元"),
        ("晚上7点半", "19:30"),
        ("In_Transit", "in transit"),
    ],
)
def test_values_are_found_in_another_form(text: str, other: str) -> None:
    assert values_of(text).given_in(values_of({"x": [other]}))
