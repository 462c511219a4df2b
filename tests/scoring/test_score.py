import importlib
import linecache
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rulebook import record, rule

from fairtrial.errors import BadInput
from fairtrial.schema.case import Case, CaseSet
from fairtrial.schema.record import Record, Status
from fairtrial.schema.score import About, Hit, Unscored, Useful
from fairtrial.scoring.score import Scorer, weigh


def case(*rules: dict[str, Any], **fields: Any) -> Case:
    made = tuple(rule(r["rule"], **{k: v for k, v in r.items() if k != "rule"}) for r in rules)
    return Case(**{"id": "c", "input": ("退款什么时候到？",), "rules": made, **fields})


def scorer(*rules: dict[str, Any], **fields: Any) -> Scorer:
    return Scorer(CaseSet(cases=(case(*rules, **fields),), paths=(), digest=""))


def value(reply: str | Record, *rules: dict[str, Any]) -> float | Unscored:
    return scorer(*rules).score(record(reply) if isinstance(reply, str) else reply).value


A = {"rule": "contains", "text": "a"}
B = {"rule": "contains", "text": "b", "weight": 3}
NEVER = {"rule": "contains_none", "texts": ["保证"], "critical": True}
NEVER_WEIGHED = NEVER | {"weight": 2}


class TestValue:
    def test_it_is_the_weighed_share_of_rules_met(self) -> None:
        assert value("a b", A, B) == 1.0
        assert value("a", A, B) == 0.25
        assert value("b", A, B) == 0.75
        assert value("", A, B) == 0.0

    def test_a_broken_prohibition_makes_it_0_whatever_else_was_met(self) -> None:
        assert value("a b 保证", A, B, NEVER) == 0.0
        assert value("a b 保证", A, B, NEVER_WEIGHED) == 0.0

    def test_keeping_a_prohibition_earns_nothing_unless_it_has_a_weight(self) -> None:
        assert value("x", A, NEVER) == 0.0
        assert value("x", A, NEVER_WEIGHED) == pytest.approx(2 / 3)

    def test_a_case_of_prohibitions_alone_is_passed_by_keeping_them(self) -> None:
        assert value("好的", NEVER) == 1.0
        assert value("", NEVER) == 1.0
        assert value("我保证", NEVER) == 0.0

    def test_a_case_without_rules_is_unscored(self) -> None:
        score = scorer().score(record("a"))
        assert score.value == Unscored(why="no executable rule")
        assert score.hits == ()

    @pytest.mark.parametrize("status", [status for status in Status if not status.counts])
    def test_a_session_that_did_not_complete_has_neither_value(self, status: Status) -> None:
        score = scorer(A).score(msgspec.structs.replace(record("a"), status=status))
        assert isinstance(score.value, Unscored)
        assert status in score.value.why
        assert isinstance(score.useful, Unscored)
        assert score.hits == ()

    def test_a_record_of_another_set_is_unscored_not_wrong(self) -> None:
        score = scorer(A).score(record("a", case="other"))
        assert isinstance(score.value, Unscored)
        assert "no such case" in score.value.why

    def test_each_rule_s_finding_is_kept_in_the_order_of_the_case(self) -> None:
        hits = scorer(A, B, NEVER).score(record("a")).hits
        assert [hit.met for hit in hits] == [True, False, True]
        assert [hit.share for hit in hits] == [1.0, 3.0, 0.0]
        assert [hit.critical for hit in hits] == [False, False, True]
        assert "“b”" in hits[1].why

    @given(
        st.lists(
            st.tuples(st.sampled_from([True, False]), st.floats(min_value=0.001, max_value=1e6)), min_size=1
        )
    )
    def test_it_lies_between_0_and_1(self, rules: list[tuple[bool, float]]) -> None:
        worth = weigh([Hit(rule="r", met=met, share=share) for met, share in rules])
        assert isinstance(worth, float)
        assert 0 <= worth <= 1
        assert (worth == 1) == all(met for met, _ in rules)

    def test_value_alone_is_the_value_of_the_score(self) -> None:
        one = scorer(A, B)
        score = one.score(record("b"))
        assert one.value(record("b")) == (score.value, score.hits)


class TestPythonRules:
    @pytest.fixture(autouse=True)
    def _module(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.file = tmp_path / "rules_of_a_score.py"
        self.file.write_text(
            "def sure(record):\n    return record.reply == '1/0' or 1 // int(record.reply) > 0\n"
        )
        monkeypatch.syspath_prepend(str(tmp_path))
        monkeypatch.delitem(sys.modules, "rules_of_a_score", raising=False)

    def test_a_rule_that_cannot_be_applied_leaves_the_case_unscored(self) -> None:
        python = {"rule": "python", "function": "rules_of_a_score:sure"}
        assert value("1", python, A) == 0.5
        failed = value("0", python, A, NEVER)
        assert isinstance(failed, Unscored)
        assert "python could not be applied" in failed.why
        assert "ZeroDivisionError" in failed.why

    def test_a_broken_prohibition_is_0_whatever_could_not_be_applied(self) -> None:
        python = {"rule": "python", "function": "rules_of_a_score:sure"}
        assert value("保证", python, NEVER) == 0.0
        assert isinstance(value("x", python | {"critical": True}, A), Unscored)

    def test_what_the_function_calls_in_its_module_is_part_of_the_digest(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        python = {"rule": "python", "function": "rules_of_a_score:sure"}
        code = "def sure(record):\n    return low() < 1\n\n\ndef low():\n    return "
        digests = set()
        for number in "01":
            self.file.write_text(code + number + "\n")
            monkeypatch.delitem(sys.modules, "rules_of_a_score", raising=False)
            importlib.invalidate_caches()
            linecache.clearcache()
            digests.add(scorer(python).digest)
        assert len(digests) == 2

    def test_the_function_is_part_of_the_digest(self, monkeypatch: pytest.MonkeyPatch) -> None:
        python = {"rule": "python", "function": "rules_of_a_score:sure"}
        before = scorer(python).digest
        assert scorer(python).digest == before != scorer(A).digest
        self.file.write_text("def sure(record):\n    return True\n")
        monkeypatch.delitem(sys.modules, "rules_of_a_score")
        importlib.invalidate_caches()
        linecache.clearcache()
        assert scorer(python).digest != before


class TestScorer:
    def test_a_rule_that_cannot_be_compiled_is_named(self) -> None:
        with pytest.raises(BadInput, match=r"case 'c', rule 1: the pattern .* look-ahead"):
            scorer(A, {"rule": "contains", "pattern": "(?=a)"})

    def test_it_knows_its_cases_and_what_figures_need_of_them(self) -> None:
        one = scorer(A, weight=3, tags=("zh",), cluster="k", expected_score=0.5, severity="high")
        assert one.knows("c")
        assert not one.knows("d")
        about = one.about("c")
        assert about == About(
            weight=3, tags=("zh",), cluster="k", expected_score=0.5, severity="high", asked=about.asked
        )
        assert scorer(A, weight=3, tags=("en",)).about("c").asked == about.asked
        assert scorer(B, weight=3, tags=("zh",)).about("c").asked != about.asked
        with pytest.raises(KeyError):
            one.about("d")

    def test_cases_of_one_source_are_a_cluster_where_they_name_none(self) -> None:
        assert scorer(A, source="日志 42").about("c").cluster == "日志 42"
        assert scorer(A, source="日志 42", cluster="k").about("c").cluster == "k"

    def test_the_digest_depends_on_pass_at_and_not_on_the_cases(self) -> None:
        cases = CaseSet(cases=(case(A),), paths=(), digest="")
        assert Scorer(cases).digest == Scorer(CaseSet(cases=(case(B),), paths=(), digest="x")).digest
        assert Scorer(cases, pass_at=0.8).digest != Scorer(cases).digest
        assert len(Scorer(cases).digest) == 64

    def test_usefulness_stands_beside_the_rules(self) -> None:
        one = scorer(
            {"rule": "contains", "text": "3 天"}, context="退款 3 天内原路退回。", key_facts=("3 天内到账",)
        )
        score = one.score(record("您的退款会在 3 天内原路退回，请留意银行短信。"))
        assert score.value == 1.0
        assert isinstance(score.useful, Useful)
        assert not score.useful.unchecked
        empty = one.score(record("您好，很高兴为您服务。")).useful
        assert isinstance(empty, Useful)
        assert empty.value < score.useful.value

    def test_values_that_rules_ask_for_are_sources(self) -> None:
        for asked in ({"rule": "number", "value": 1234.5}, {"rule": "contains", "text": "1234.50 元"}):
            useful = scorer(asked).score(record("退款 1234.50 元，请您查收。")).useful
            assert isinstance(useful, Useful)
            assert not useful.unchecked
        useful = scorer({"rule": "length", "max": 99}).score(record("退款 1234.50 元，请您查收。")).useful
        assert isinstance(useful, Useful)
        assert useful.unchecked

    def test_a_record_is_scored_the_same_however_often(self) -> None:
        one = scorer(A, B, NEVER)
        assert one.score(record("a b")) == one.score(record("a b"))
