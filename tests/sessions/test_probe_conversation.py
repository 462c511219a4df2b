"""The probes of a conversation and of its tools on the shop's cases: sound, repeatable, fair in any part."""

from pathlib import Path

import pytest

from fairtrial.cases.load import load_or_refuse
from fairtrial.cases.steps import check_steps
from fairtrial.schema.case import Case
from fairtrial.schema.disturbance import Edit, Utter
from fairtrial.schema.rule import ContainsNone, ToolCalled, ToolNotCalled
from fairtrial.sessions.probes.apply import Use, apply, keep, known, parts
from fairtrial.sessions.probes.probe import INTENSITIES, Unfit
from fairtrial.sessions.probes.relations import prohibitions, with_retries
from fairtrial.text.words import tongue

SHOP = load_or_refuse([Path(__file__).parents[2] / "examples" / "shop" / "cases"]).cases
TOOLS = ("timeout", "error", "slow", "empty", "malformed", "wrong_type", "partial", "stale")
NAMES = (
    "change_of_mind",
    "return_to_earlier",
    "interruption",
    "silence",
    "reuse",
    "memory",
    "injection",
    *(f"tool_{kind}" for kind in TOOLS),
)


def others(case: Case) -> list[Case]:
    return [other for other in SHOP if other is not case]


def probed(name: str, case: Case, intensity: int = 2, seed: int = 1) -> Case:
    return apply(case, [Use(known()[name], intensity)], seed=seed, others=others(case))


def shop(case_id: str) -> Case:
    return next(case for case in SHOP if case.id == case_id)


@pytest.mark.parametrize("name", NAMES)
def test_fits_every_case_of_the_shop_or_says_why(name: str) -> None:
    fit = set[str]()
    for number, case in enumerate(SHOP):
        intensity = INTENSITIES[number % 3]
        try:
            disturbed = probed(name, case, intensity)
        except Unfit:
            continue
        fit.add(case.id[:2])
        assert disturbed.disturb == probed(name, case, intensity).disturb
        check_steps(disturbed)
        free = set(range(len(disturbed.disturb)))
        use = Use(known()[name], intensity)
        for part in parts(case, [use], seed=1, others=others(case)):
            check_steps(keep(disturbed, case, free - {*part}))
        words = [step.text for step in disturbed.disturb if isinstance(step, Utter | Edit)]
        wrong = "en" if case.id.startswith("zh") else "zh"
        assert not [text for text in words if tongue(text) == wrong]
    assert fit == {"zh", "en"}


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("language", ["en", "zh"])
def test_says_what_it_examines(name: str, language: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAIRTRIAL_LANG", language)
    assert tongue(known()[name].intent) == language


@pytest.mark.parametrize("case_id", ["zh-policy-04", "en-policy-04"])
def test_what_was_given_up_must_not_happen(case_id: str) -> None:
    case = shop(case_id)
    one, two, three = (probed("change_of_mind", case, intensity) for intensity in INTENSITIES)
    assert [step.do for step in one.disturb] == ["edit"]
    assert [step.do for step in two.disturb] == ["utter"] * 2
    assert [step.do for step in three.disturb] == ["utter"] * 4
    forbidden = [rule for rule in three.rules if isinstance(rule, ToolNotCalled)]
    assert len(forbidden) == 2
    assert all(rule.critical and rule.tool in ("refund", "exchange", "change_address") for rule in forbidden)


def test_no_other_wish_no_change_of_mind() -> None:
    case = shop("zh-refund-03")
    alike = [other for other in SHOP if other.task_type == "refund" and other is not case]
    with pytest.raises(Unfit, match="other cases"):
        apply(case, [Use(known()["change_of_mind"], 1)], seed=1, others=alike)


def test_a_call_that_was_asked_for_may_not_be_made_again() -> None:
    rules = probed("reuse", shop("zh-address-01")).rules
    (call,) = [rule for rule in rules if isinstance(rule, ToolCalled)]
    assert (call.at_least, call.at_most) == (1, 1)
    with pytest.raises(Unfit, match="arguments"):
        probed("reuse", shop("zh-policy-04"))
    with pytest.raises(Unfit, match="form"):
        probed("return_to_earlier", shop("zh-policy-05"))


def test_a_silent_fault_leaves_only_what_is_forbidden() -> None:
    case = shop("zh-harm-01")
    assert probed("tool_empty", case).rules == prohibitions(case)
    assert 0 < len(prohibitions(case)) < len(case.rules)
    with pytest.raises(Unfit, match="prohibitions"):
        probed("tool_stale", shop("zh-policy-04"))


def test_calls_made_again_after_a_fault_are_not_counted_against_it() -> None:
    rule = ToolCalled(rule="tool_called", tool="refund", at_most=1)
    case = shop("zh-policy-04").model_copy(update={"rules": (rule,)})
    (more,) = with_retries(case, "refund", 3) or ()
    assert isinstance(more, ToolCalled)
    assert more.at_most == 4
    assert with_retries(case, "policy", 3) is None


@pytest.mark.parametrize("case_id", ["zh-address-01", "en-address-01"])
def test_the_word_of_an_injection_is_in_its_text_and_forbidden(case_id: str) -> None:
    texts = set[str]()
    for seed in range(3):
        disturbed = probed("injection", shop(case_id), 3, seed)
        said = [rule for rule in disturbed.rules if isinstance(rule, ContainsNone)][-1]
        called = [rule for rule in disturbed.rules if isinstance(rule, ToolNotCalled)][-1]
        text = disturbed.disturb[0].model_dump()["text"]
        assert said.texts[0] in text
        assert (said.over, said.critical, called.critical) == ("all", True, True)
        assert called.tool in text
        assert list(called.args.values()) == [said.texts[0]]
        texts.add(text)
    assert len(texts) == 3
