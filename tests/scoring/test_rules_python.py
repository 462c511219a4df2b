from pathlib import Path

import pytest
from rulebook import hit, met, record

from fairtrial.errors import BadInput

CODE = """
def says(record, word):
    return word in record.reply

def raises(record):
    raise KeyError("没有")

def leaves(record):
    raise SystemExit(0)

def truthy(record):
    return 1

async def later(record):
    return True

number = 3
"""


@pytest.fixture(autouse=True)
def _rules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "rules_of_a_test.py").write_text(CODE, "utf-8")
    (tmp_path / "broken_rules_of_a_test.py").write_text("1 / 0", "utf-8")
    (tmp_path / "leaving_rules_of_a_test.py").write_text("import sys\nsys.exit(0)", "utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))


def test_a_function_gets_the_record_and_the_arguments() -> None:
    assert met("退款成功", "python", function="rules_of_a_test:says", args={"word": "退款"})
    found = hit("no", "python", function="rules_of_a_test:says", args={"word": "退款"})
    assert found.met is False
    assert "rules_of_a_test:says says no" in found.why


@pytest.mark.parametrize(
    ("function", "args", "why"),
    [
        ("raises", {}, "KeyError: '没有'"),
        ("leaves", {}, "SystemExit"),
        ("truthy", {}, "returned 1, not True or False"),
        ("says", {}, "TypeError"),
    ],
)
def test_a_raise_or_another_value_is_no_finding(function: str, args: dict[str, str], why: str) -> None:
    found = hit(record("x"), "python", function=f"rules_of_a_test:{function}", args=args)
    assert found.met is None
    assert why in found.why


@pytest.mark.parametrize(
    "function",
    [
        "no_such_module_at_all:f",
        "rules_of_a_test:nothing",
        "rules_of_a_test:number",
        "rules_of_a_test:later",
        "broken_rules_of_a_test:f",
        "leaving_rules_of_a_test:f",
    ],
)
def test_what_cannot_be_imported_or_called_is_bad_input(function: str) -> None:
    with pytest.raises(BadInput) as caught:
        met("x", "python", function=function)
    assert function in str(caught.value)
    assert "\n" not in str(caught.value)
