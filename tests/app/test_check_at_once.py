"""`check` tells everything in one go."""

from pathlib import Path

import pytest

from fairtrial.app.check import check
from fairtrial.app.prepare import Choices

CASES = """[{"id": "a", "input": "hi", "expect": {"rule": "contains", "pattern": "("}, "tags": ["x"]},
{"id": "b", "input": "hi", "expect": "y", "weight": 0}]"""


@pytest.fixture
def cases(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "cases.json"
    file.write_text(CASES)
    return file


def test_rules_are_compiled_though_other_cases_are_broken(cases: Path) -> None:
    found = check(Choices(cases=[cases]), null=False)
    assert [remark.where for remark in found.remarks] == [f"{cases}:2", f"{cases}:1"]
    assert not found.good


def test_a_line_made_lenient_without_a_reason_is_told_once_and_in_every_mode(cases: Path) -> None:
    cases.write_text(CASES.replace('"("', '"x"').replace('"weight": 0', '"weight": 3'))
    (cases.parent / "fairtrial.toml").write_text(
        "[doubts.quick]\nerrors = 0.5\n[doubts.full.too_good]\nthreshold = 0.99\n"
    )
    found = check(Choices(cases=[cases]), null=False)
    assert sorted(remark.where for remark in found.remarks if remark.severity == "error") == [
        "[doubts.full.too_good]",
        "[doubts.quick.errors]",
    ]


def test_a_filter_that_matches_nothing(cases: Path) -> None:
    cases.write_text(CASES.replace('"("', '"x"').replace('"weight": 0', '"weight": 3'))
    found = check(Choices(cases=[cases], tags=["y"]), null=False)
    assert [remark.where for remark in found.remarks if remark.severity == "error"] == ["--tag"]
    chosen = check(Choices(cases=[cases], ids=["b"]), null=True)
    assert (chosen.good, chosen.cases) == (True, 1)
