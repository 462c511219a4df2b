import tomllib
from itertools import product

import pytest
from pydantic import ValidationError

from fairtrial.errors import BadInput
from fairtrial.evidence.thresholds import LINES, DoubtConfig, Thresholds


def resolve(toml: str = "", set_name: str | None = None, mode: str = "full") -> Thresholds:
    return DoubtConfig.model_validate(tomllib.loads(toml)).resolve(set_name, mode)  # type: ignore[arg-type]


def test_defaults_of_full_rounds() -> None:
    lines = resolve().lines
    forbidding = {name for name, limit in lines.items() if limit.forbids}
    assert forbidding == {"few_cases", "too_good", "too_uniform", "correlation", "errors", "mixed_models"}
    assert lines["few_cases"].threshold == 20
    assert lines["too_good"].threshold == 0.95
    assert resolve().loosenings == ()


def test_defaults_are_those_that_are_documented() -> None:
    assert {name: limit.threshold for name, limit in resolve().lines.items()} == {
        "few_cases": 20,
        "too_good": 0.95,
        "too_low": 0.05,
        "too_uniform": 0.01,
        "correlation": 0.99,
        "few_trials": 3,
        "errors": 0.05,
        "mixed_models": 1,
        "drift": 0.5,
        "null_agent": 0.05,
        "useful_high": 0.9,
        "useful_unchecked": 0.5,
        "useful_falls": 0.02,
        "useful_weight": 0.3,
        "useful_unscored": 1,
        "jump": 0.2,
        "changed_set": 0.5,
        "unchanged_set": 20,
        "often_lit": 0.5,
    }
    quick = {name: limit.threshold for name, limit in resolve(mode="quick").lines.items()}
    assert quick == {name: limit.threshold for name, limit in resolve().lines.items()} | {"few_trials": 1}


def test_quick_forbids_nothing() -> None:
    quick = resolve(mode="quick")
    assert not any(limit.forbids for limit in quick.lines.values())
    assert quick.loosenings == ()


def test_what_is_said_for_all_of_forbidding_is_meant_for_full_rounds() -> None:
    toml = "[jump]\nforbids = true\n[quick.errors]\nforbids = true"
    assert resolve(toml).lines["jump"].forbids
    quick = resolve(toml, mode="quick").lines
    assert not quick["jump"].forbids
    assert quick["errors"].forbids


def test_narrower_tables_win() -> None:
    toml = """
    few_cases = 30
    [full]
    few_cases = 40
    [sets.regression]
    preset = "regression"
    few_cases = 50
    [sets.regression.full]
    few_cases = 60
    """
    assert resolve(toml).lines["few_cases"].threshold == 40
    assert resolve(toml, mode="quick").lines["few_cases"].threshold == 30
    assert resolve(toml, "regression").lines["few_cases"].threshold == 60
    assert resolve(toml, "regression").preset == "regression"
    assert resolve(toml, "other").preset == "standard"


LOOSER = [
    ("few_cases = 10", "few_cases"),
    ("too_good = 0.98", "too_good"),
    ("[correlation]\nforbids = false", "correlation"),
    ("[full.errors]\nthreshold = 0.2", "errors"),
    ("[sets.s.errors]\nthreshold = 0.2\nwho = 'me'", "errors"),
    ("[sets.s.errors]\nthreshold = 0.2\nwho = 'me'\nwhy = ' '", "errors"),
]


@pytest.mark.parametrize(("toml", "line"), LOOSER)
def test_more_lenient_needs_who_and_why(toml: str, line: str) -> None:
    with pytest.raises(BadInput, match=f"`{line}`.*lenient.*who"):
        resolve(toml, "s")


def test_a_loosening_says_all() -> None:
    toml = "[few_cases]\nthreshold = 10\nforbids = false\nwho = '李雷'\nwhy = '试点阶段'"
    (loosening,) = resolve(toml).loosenings
    assert (loosening.line, loosening.was, loosening.threshold) == ("few_cases", 20, 10)
    assert (loosening.forbade, loosening.forbids) == (True, False)
    assert (loosening.who, loosening.why) == ("李雷", "试点阶段")


def test_a_narrower_table_that_loosens_further_needs_its_own_reason() -> None:
    wide = "[few_cases]\nthreshold = 15\nwho = 'a'\nwhy = 'b'\n"
    with pytest.raises(BadInput, match=r"doubts\.sets\.s\.few_cases"):
        resolve(wide + "[sets.s]\nfew_cases = 10", "s")
    (kept,) = resolve(wide + "[sets.s]\nfew_cases = 18", "s").loosenings
    assert (kept.threshold, kept.who) == (18, "a")
    assert resolve(wide + "[sets.s]\nfew_cases = 20", "s").loosenings == ()


def test_stricter_needs_no_reason() -> None:
    assert resolve("few_cases = 50\ntoo_good = 0.9\n[jump]\nforbids = true").loosenings == ()


@pytest.mark.parametrize("line", LINES)
@pytest.mark.parametrize("off", ["false", "'off'", "nan", "inf"])
def test_no_line_can_be_switched_off(line: str, off: str) -> None:
    with pytest.raises(ValidationError, match="can not be switched"):
        resolve(f"{line} = {off}")


@pytest.mark.parametrize(
    ("toml"), ["few_case = 20", "[sets.a]\nfoo = 1", "preset = 'easy'", "[jump]\nover = 2"]
)
def test_unknown_names_are_refused(toml: str) -> None:
    with pytest.raises(ValidationError):
        resolve(toml)


def test_digest_tells_thresholds_apart() -> None:
    tomls = ["", "few_cases = 30", "preset = 'regression'", "[jump]\nforbids = true"]
    digests = {resolve(t, mode=m).digest for t, m in product(tomls, ("quick", "full"))}
    assert len(digests) == 7  # to forbid says nothing in quick mode
    assert resolve("few_cases = 20").digest == resolve("").digest


def test_a_configuration_survives_a_log() -> None:
    toml = """
    few_cases = 30
    [too_good]
    threshold = 0.97
    who = "a"
    why = "b"
    [quick.errors]
    forbids = true
    [sets.s]
    preset = "regression"
    full.jump = 0.1
    """
    config = DoubtConfig.model_validate(tomllib.loads(toml))
    again = DoubtConfig.model_validate(config.model_dump(mode="json", exclude_unset=True))
    for set_name, mode in product((None, "s"), ("quick", "full")):
        assert again.resolve(set_name, mode) == config.resolve(set_name, mode)  # type: ignore[arg-type]


@pytest.mark.parametrize("toml", ["[lines]\nfoo = 1", "lines = 3"])
def test_lines_apart_are_checked_as_well(toml: str) -> None:
    with pytest.raises(ValidationError):
        resolve(toml)


def test_the_regression_preset_leaves_a_trace_in_the_history_and_asks_no_reason() -> None:
    config = DoubtConfig.model_validate({"sets": {"smoke": {"preset": "regression"}}})
    traces = config.resolve("smoke", "full").loosenings
    assert [(t.line, t.forbids, t.forbade) for t in traces] == [
        ("too_good", False, True),
        ("too_uniform", False, True),
    ]
    assert all("regression" in t.why for t in traces)
    assert config.resolve("smoke", "quick").loosenings == ()
    assert config.resolve("other", "full").loosenings == ()
