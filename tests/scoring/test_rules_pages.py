"""The examples of the two pages on rules, run."""

import re
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest
import yaml
from rulebook import record, rule

from fairtrial.cases.forms import RULES, rules_from
from fairtrial.schema.record import Call, Record
from fairtrial.scoring.golden import check_golden, load_golden
from fairtrial.scoring.rules import compile_rule

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGES = ("rules.md", "rules.zh.md")


def blocks(page: str, kind: str) -> list[str]:
    text = (DOCS / page).read_text("utf-8")
    return re.findall(rf"^```{kind}\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)


EXAMPLES = [(page, yaml.safe_load(block)) for page in PAGES for block in blocks(page, "yaml")]


def _record(shown: Any) -> Record:
    if isinstance(shown, str):
        return record(shown)
    if isinstance(shown, list):
        return record(*shown)
    calls = tuple(msgspec.convert({"step": "call", **call}, Call) for call in shown.get("calls", ()))
    return record(shown.get("reply", "ok"), steps=calls, state=shown.get("state"))


@pytest.fixture(autouse=True)
def _own_rules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "own_rules.py").write_text(blocks("rules.md", "python")[0], "utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "own_rules", raising=False)


@pytest.mark.parametrize(("page", "example"), EXAMPLES)
def test_an_example_does_what_the_page_says(page: str, example: dict[str, Any]) -> None:
    (written,) = rules_from(example["expect"])
    arguments = {key: value for key, value in written.items() if key != "rule"}
    apply = compile_rule(rule(written["rule"], **arguments))
    for expected, shown in [(True, s) for s in example["met"]] + [(False, s) for s in example["missed"]]:
        found = apply(_record(shown))
        assert found.met is expected, (shown, found.why)
        assert bool(found.why) is not expected


@pytest.mark.parametrize("page", PAGES)
def test_a_page_has_an_example_of_every_rule(page: str) -> None:
    assert {example["expect"]["rule"] for where, example in EXAMPLES if where == page} == set(RULES)


@pytest.mark.parametrize("page", PAGES)
def test_the_golden_samples_of_a_page_agree(page: str, tmp_path: Path) -> None:
    path = tmp_path / "golden.yaml"
    path.write_text(blocks(page, "yaml golden")[0], "utf-8")
    assert check_golden(load_golden(path), None) == ()


def test_the_two_pages_say_the_same() -> None:
    english, chinese = ([e["expect"]["rule"] for where, e in EXAMPLES if where == page] for page in PAGES)
    assert english == chinese
    assert len(blocks("rules.md", "python")) == len(blocks("rules.zh.md", "python")) == 1
