import pytest

from fairtrial.errors import BadInput
from fairtrial.text.patterns import compile_pattern, searchable


def test_a_catastrophic_pattern_returns() -> None:
    assert compile_pattern(r"(a+)+$").search("a" * 50_000 + "!") is None
    assert compile_pattern(r"(.*)*订单(.*)*x").search("订" * 20_000) is None


def test_chinese_and_inline_flags_are_understood() -> None:
    assert compile_pattern(r"订单号[：:]\s*\w+").search("您的订单号：A1")
    assert compile_pattern(r"(?i)refund").search("REFUND")
    assert compile_pattern(r"refund", case_sensitive=False).search("Refund")
    assert compile_pattern(r"refund").search("Refund") is None
    assert compile_pattern(r"\p{Han}{2}").search("退款")


@pytest.mark.parametrize("pattern", ["(?=a)", "(?!a)b", "(?<=a)b", "(?<!a)b"])
def test_look_around_is_refused_with_a_hint(pattern: str) -> None:
    with pytest.raises(BadInput, match="no look-ahead and no look-behind"):
        compile_pattern(pattern)


def test_a_back_reference_is_refused_with_a_hint() -> None:
    with pytest.raises(BadInput, match="no back-references"):
        compile_pattern(r"(a)\1")


@pytest.mark.parametrize(
    ("pattern", "hint"),
    [
        (r"(?P<n>a)(?P=n)", "no back-references"),
        ("(?>a)", "the groups"),
        ("(?x)a", "the flags"),
        (r"\u4e00", r"\x{4E00}"),
        (r"a\Z", r"\z or $"),
        ("a++", "lazy"),
        ("(a", r"\( or [(]"),
        ("a{2000}", "1000 times"),
    ],
)
def test_every_refusal_says_how_to_mend_it(pattern: str, hint: str) -> None:
    with pytest.raises(BadInput) as caught:
        compile_pattern(pattern)
    assert hint in caught.value.how


@pytest.mark.parametrize("pattern", ["(", "[", "a{2000}", "*", "\ud800"])
def test_a_broken_pattern_is_refused_in_one_line(pattern: str) -> None:
    with pytest.raises(BadInput) as caught:
        compile_pattern(pattern)
    assert "\n" not in str(caught.value)
    assert "cannot be used" in str(caught.value)


def test_the_refusal_speaks_chinese(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAIRTRIAL_LANG", "zh")
    with pytest.raises(BadInput, match="不支持前瞻和后顾"):
        compile_pattern("(?=a)")


def test_a_refused_pattern_leaves_stderr_alone(capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(BadInput):
        compile_pattern("(")
    assert capfd.readouterr().err == ""


def test_lone_surrogates_become_searchable() -> None:
    assert searchable("a\ud800b") == "a\ufffdb"
    assert searchable("订单😀") == "订单😀"
