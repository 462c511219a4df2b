"""The examples of the page on sessions are cases that are read, and it names every field."""

import re
from pathlib import Path

import pytest

from fairtrial.cases.load import Severity, load
from fairtrial.schema.disturbance import FaultKind

DOCS = Path(__file__).resolve().parents[2] / "docs"


@pytest.mark.parametrize("name", ["sessions.md", "sessions.zh.md"])
def test_every_example_is_a_good_case(name: str, tmp_path: Path) -> None:
    page = (DOCS / name).read_text("utf-8")
    examples = re.findall(r"^```yaml\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    assert len(examples) == 3
    for number, text in enumerate(examples):
        file = tmp_path / f"{number}.yaml"
        file.write_text(text, "utf-8")
        assert [p.what for p in load([file]).problems if p.severity is Severity.error] == []
    for word in (*FaultKind, "otherwise", "max_turns", "times", "late", "equals"):
        assert f"`{word}`" in page or f"`{word}:" in page
