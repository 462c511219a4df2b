"""The examples of the documentation are what is read and what is refused."""

import re
from pathlib import Path

import pytest

from fairtrial.cases.fields import FIELDS
from fairtrial.cases.forms import RULES
from fairtrial.cases.load import Severity, load

DOCS = Path(__file__).resolve().parents[2] / "docs"
BLOCK = re.compile(r"^```(json|yaml|jsonl|text)( refused)?\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(language: str) -> list[tuple[str, bool, str]]:
    page = (DOCS / ("cases.zh.md" if language == "zh" else "cases.md")).read_text(encoding="utf-8")
    return [(match[1], bool(match[2]), match[3]) for match in BLOCK.finditer(page)]


@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_example_does_what_the_page_says(
    language: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FAIRTRIAL_LANG", language)
    monkeypatch.chdir(tmp_path)
    found = blocks(language)
    assert len(found) >= 10
    for (kind, refused, text), (_, _, following) in zip(found, [*found[1:], ("", False, "")], strict=True):
        if kind == "text":
            continue
        file = Path(f"cases.{kind}")
        file.write_text(text, encoding="utf-8")
        loaded = load([file])
        errors = [f"{p.line}: {p.what}" for p in loaded.problems if p.severity is Severity.error]
        assert errors == (following.splitlines() if refused else [])


@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_field_rule_and_argument_is_on_the_page(language: str) -> None:
    page = (DOCS / ("cases.zh.md" if language == "zh" else "cases.md")).read_text(encoding="utf-8")
    arguments = {info.alias or name for model in RULES.values() for name, info in model.model_fields.items()}
    for name in {*FIELDS, *RULES, *arguments} - {"rule"}:
        assert f"`{name}`" in page


def test_both_pages_have_the_same_examples() -> None:
    assert [block[:2] for block in blocks("en")] == [block[:2] for block in blocks("zh")]


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_full_form_has_every_field_there_is(language: str) -> None:
    full = next(text for _, _, text in blocks(language) if "- id: refund-full" in text)
    assert set(re.findall(r"(?m)^[- ] (\w+):", full)) == set(FIELDS.values())
