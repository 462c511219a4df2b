"""The page on probes lists every probe, and its own probe works."""

import re
from pathlib import Path

import pytest

from fairtrial.schema.case import Case
from fairtrial.sessions.probes.apply import apply, known, read_uses

DOCS = Path(__file__).resolve().parents[2] / "docs"


@pytest.mark.parametrize("name", ["probes.md", "probes.zh.md"])
def test_the_catalogue_lists_every_probe_once(name: str) -> None:
    page = (DOCS / name).read_text("utf-8").split("\n## ")[1]
    assert sorted(re.findall(r"^\| `(\w+)` \|", page, re.MULTILINE)) == sorted(known())


@pytest.mark.parametrize("name", ["probes.md", "probes.zh.md"])
def test_the_example_is_a_probe(name: str, tmp_path: Path) -> None:
    (text,) = re.findall(
        r"^```python\n(.*?)^```$", (DOCS / name).read_text("utf-8"), re.MULTILINE | re.DOTALL
    )
    (tmp_path / "probes.py").write_text(text, "utf-8")
    (use,) = read_uses(f"{tmp_path / 'probes.py'}:SmallTalk@3")
    case = Case.model_validate(
        {"id": "one", "input": ["Refund it, please"], "rules": [{"rule": "contains", "text": "OK"}]}
    )
    probed = apply(case, [use], seed=1)
    assert [step.probe for step in probed.disturb] == ["how_are_you@3"] * 3
    assert len(probed.rules) == 2
