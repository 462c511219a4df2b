"""What probes make a user say, on the shop's cases: repeatable, readable, in the language of the case."""

import re
from pathlib import Path

import pytest

from fairtrial.cases.load import load_or_refuse
from fairtrial.schema.case import Case
from fairtrial.schema.disturbance import Edit, Fault, Pause, Split, Utter
from fairtrial.sessions.probes.apply import apply, known, read_uses
from fairtrial.sessions.probes.phrases import pairs, phrases
from fairtrial.sessions.probes.probe import INTENSITIES, Unfit
from fairtrial.sessions.probes.relations import deeds
from fairtrial.sessions.probes.spans import speaks, tongue_of
from fairtrial.sessions.said import said
from fairtrial.text.words import Tongue, tongue

SHOP = load_or_refuse([Path(__file__).parents[2] / "examples" / "shop" / "cases"]).cases
TEXTS = ("pollution", "masking", "typos", "emotion", "code_switching", "contradiction")
DENIALS = re.compile(r"[不没未无别]|\b(?:no|not|never|without|only|don't|hasn't|doesn't)\b", re.IGNORECASE)
LANGUAGES: tuple[Tongue, ...] = ("en", "zh")


def shop(case_id: str) -> Case:
    return next(case for case in SHOP if case.id == case_id)


def probed(spec: str, case: Case, seed: int = 1) -> Case:
    return apply(case, read_uses(spec), seed=seed, others=[other for other in SHOP if other is not case])


def fitting(name: str, intensity: int = 3) -> list[Case]:
    found: list[Case] = []
    for case in SHOP:
        try:
            found.append(probed(f"{name}@{intensity}", case))
        except Unfit:
            continue
    return found


def base(case: Case) -> Case:
    return shop(case.id.partition("~")[0])


@pytest.mark.parametrize("name", TEXTS)
def test_repeatable_and_harder_with_intensity(name: str) -> None:
    fit = {case.id.partition("~")[0] for case in fitting(name)}
    assert {case_id[:2] for case_id in fit} == {"zh", "en"}
    for number, case_id in enumerate(sorted(fit)):
        case = shop(case_id)
        counts: list[int] = []
        for intensity in INTENSITIES:
            one = probed(f"{name}@{intensity}", case, number)
            assert one == probed(f"{name}@{intensity}", case, number)
            assert one.rules is case.rules
            counts.append(len(one.disturb))
        assert counts == sorted(counts)
    some = [probed(name, shop(sorted(fit)[0]), seed).disturb for seed in range(20)]
    assert any(one != some[0] for one in some)


@pytest.mark.parametrize("name", ["pollution", "masking", "emotion", "contradiction"])
def test_speaks_the_language_of_the_case(name: str) -> None:
    for case in fitting(name):
        words = [step.text for step in case.disturb if isinstance(step, Utter | Edit)]
        assert {tongue(text) for text in words} == {speaks(base(case))}, case.id


@pytest.mark.parametrize("name", ["pollution", "masking", "emotion", "contradiction"])
def test_a_turn_that_is_only_a_number_has_the_language_of_the_case(name: str) -> None:
    case = Case(id="bare", input=("你好，查下包裹", "JD2024111152906"), rules=())
    assert (tongue_of(case, 1), tongue(case.input[1])) == ("zh", "en")
    (text,) = said(probed(f"{name}@1", case))[1:]
    assert tongue(text) == "zh"
    assert not re.search(r"[\u3400-\u9fff，。！？…] ", text)


def test_typos_change_no_number_and_no_denial() -> None:
    for case in fitting("typos"):
        plain, typed = "".join(base(case).input), "".join(said(case))
        assert re.findall(r"\d", plain) == re.findall(r"\d", typed)
        assert DENIALS.findall(plain) == DENIALS.findall(typed), case.id


@pytest.mark.parametrize(
    ("written", "meant"),
    [("shopping", "shipping"), ("whole", "while"), ("quiet", "quite"), ("thin", "think"), ("loved", "moved")],
)
def test_no_typo_makes_another_word(written: str, meant: str) -> None:
    case = Case(id="one", input=(meant,), rules=())
    assert written not in {said(probed("typos@1", case, seed))[0] for seed in range(200)}


def test_a_typed_wish_stays_that_wish() -> None:
    forms = {form for table in ("homophone", "shape", "dropped", "colloquial") for _, form in formed(table)}
    assert not forms & {"中", "整个退货", "退贷", "还", "确", "推款", "老久", "腿"}
    assert not {form for _, form in formed("colloquial", "en")} & {"n", "k", "&"}


def formed(table: str, language: str = "zh") -> list[tuple[str, str]]:
    return [
        (word, form) for word, forms in pairs("typos.txt", f"{table} {language}").items() for form in forms
    ]


def test_a_turn_keeps_words_of_its_language() -> None:
    for case in fitting("code_switching"):
        plain = base(case)
        for turn, text in enumerate(said(case)):
            code = re.compile(r"(?:JD|US|jd|us)\d{13}")
            assert text == plain.input[turn] or tongue(code.sub("", text)) == tongue_of(plain, turn)
    bare = Case(id="bare", input=("JD2024110902227 退款",), rules=())
    with pytest.raises(Unfit, match="other language"):
        probed("code_switching", bare)


@pytest.mark.parametrize("name", ["code_switching@3", "typos@3"])
def test_what_stands_in_quotation_marks_is_left_alone(name: str) -> None:
    case = shop("en-format-01")
    for seed in range(9):
        assert '"order_id" and "status"' in re.sub(
            r"\b(?:adn|nd)\b", "and", said(probed(name, case, seed))[0]
        )


def test_a_wrong_value_is_nobodys() -> None:
    everything = "".join(str(case.model_dump()) for case in SHOP)
    for case in fitting("contradiction"):
        new = {code for text in said(case) for code in re.findall(r"(?:JD|US)\d{13}", text)}
        wrong = new - {*re.findall(r"(?:JD|US)\d{13}", "".join(base(case).input))}
        assert not {code for code in wrong if code in everything}
    grouped = Case(id="grouped", input=("Order US 2024 1112 21456",), rules=())
    near = [Case(id=f"n{n}", input=(f"us20241112{n:05}",), rules=()) for n in range(0, 99999, 7)]
    taken = {case.input[0].upper() for case in near}
    for seed in range(5):
        text = said(apply(grouped, read_uses("contradiction@2"), seed=seed, others=near))[0]
        assert not taken & {code.replace(" ", "") for code in re.findall(r"US(?: \d+)+", text)}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("table", ["small talk", "ramble", "anger", "haste", "pleading", "hesitation"])
def test_what_customers_say_besides_tells_nothing_of_the_matter(table: str, language: Tongue) -> None:
    for text in phrases(table, language):
        assert tongue(text) == language or text in ("Urgent!!", "ASAP!!")
        assert not re.search(r"\d|收到|快递|退|换货|订单|包裹|\b(?:courier|parcel|order|refund|return)", text)
        assert table in ("anger",) or not text.endswith(("?", "？"))


def test_masking_parts_the_turn_before_its_fact_at_the_hardest() -> None:
    case = shop("zh-exchange-05")
    easy, hard = probed("masking@2", case), probed("masking@3", case)
    assert not any(isinstance(step, Split) for step in easy.disturb)
    assert [("JD2024110507718" in text) for text in said(hard)] == [False, True]


@pytest.mark.parametrize(
    ("case_id", "back"), [("zh-memory-01", "JD2024111408873"), ("en-memory-01", "US20241105")]
)
def test_who_returns_says_to_which_order(case_id: str, back: str) -> None:
    assert back in said(probed("return_to_earlier@2", shop(case_id)))[-1]


def test_where_two_orders_are_spoken_of_nothing_between_names_a_third() -> None:
    for seed in range(9):
        case = probed("return_to_earlier@3", shop("en-memory-04"), seed)
        between = [step.text for step in case.disturb if isinstance(step, Utter)]
        assert between
        assert not [text for text in between if re.search(r"\d{5}", text)]


def test_silence_moves_the_day_only_at_the_hardest() -> None:
    for intensity, seconds in ((1, 600), (2, 10_800), (3, 86_400)):
        steps = probed(f"silence@{intensity}", shop("en-refund-01")).disturb
        assert [step.seconds for step in steps if isinstance(step, Pause)] == [seconds]
    spoken = {said(probed("silence", shop("zh-refund-01"), seed))[-1] for seed in range(20)}
    assert not [text for text in spoken if text.startswith(("继续", "接着"))]  # it had only said hello


def test_reuse_asks_nothing_of_a_case_of_several_turns() -> None:
    with pytest.raises(Unfit, match="may be care"):
        probed("reuse", shop("en-refund-02"))


def test_a_wish_given_up_is_a_wish() -> None:
    for case in fitting("change_of_mind", 2):
        (wish, _) = (step.text for step in case.disturb if isinstance(step, Utter))
        assert not re.match(r"(?:The|My|This) |.*[了坏]", wish)


def test_no_deed_is_to_be_done_again_by_who_cannot_know_whether_it_was_done() -> None:
    changing = deeds(SHOP)
    for name in ("tool_timeout", "tool_malformed", "tool_wrong_type"):
        for case in fitting(name):
            assert not {step.tool for step in case.disturb if isinstance(step, Fault)} & changing


def test_a_slow_tool_is_not_waited_for_long() -> None:
    for case in fitting("tool_slow"):
        assert [step.seconds for step in case.disturb if isinstance(step, Fault)] == [2.0]


@pytest.mark.parametrize("name", TEXTS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_says_what_it_examines(name: str, language: Tongue, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAIRTRIAL_LANG", language)
    assert tongue(known()[name].intent) == language


def test_what_is_broken_off_is_not_confirmed_by_the_whole() -> None:
    for case in fitting("interruption", 1):
        (half,) = (step.text for step in case.disturb if isinstance(step, Utter))
        code = re.search(r"(?:JD|US)\d{13}", half)
        assert (
            code is None or code.start() == 0 or not re.search(r"[\u3400-\u9fff]|[a-z]", half[: code.start()])
        )


@pytest.mark.parametrize("case_id", ["zh-refund-03", "en-refund-03"])
def test_who_comes_back_to_a_matter_has_not_confirmed_it(case_id: str) -> None:
    for seed in range(9):
        last = [s.text for s in probed("memory", shop(case_id), seed).disturb if isinstance(s, Utter)][-1]
        assert not re.search("办一下|处理|go ahead|take care|please", last)
