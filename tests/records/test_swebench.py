"""Import of SWE-bench result maps; figures from the README and expected.json beside the real files."""

import json
from pathlib import Path

import pytest

from fairtrial.errors import BadInput
from fairtrial.records.interop.detect import recognise
from fairtrial.records.interop.foreign import Foreign
from fairtrial.schema.record import Status


def _read(path: Path) -> Foreign:
    found = recognise(path)
    assert found is not None
    assert found.format == "swe-bench"
    return found


def test_the_figures_of_all_submissions_come_out(shared_data: Path) -> None:
    folder = shared_data / "swebench_pro"
    expected = json.loads((folder / "expected.json").read_text())["submissions"]
    assert len(expected) == 5
    for name, figures in expected.items():
        rows = _read(folder / f"{name}.eval_results.json.gz").rows
        assert len(rows) == figures["keys"]
        assert sum(row.score.value == 1.0 for row in rows) == figures["resolved"]
        assert len({row.record.case for row in rows}) == len(rows)


def test_two_submissions_pair_as_published(shared_data: Path) -> None:
    """claude-4.5-sonnet against gpt-5: 729 shared, 113 / 59 (statistics of the same data)."""
    names = ("claude-45sonnet-10132025", "gpt-5-250-turns-10132025")
    base, other = (
        {
            row.record.case: row.score.value
            for row in _read(shared_data / "swebench_pro" / f"{name}.eval_results.json.gz").rows
        }
        for name in names
    )
    shared = base.keys() & other.keys()
    assert len(shared) == 729
    assert sum(base[case] > other[case] for case in shared) == 113  # type: ignore[operator]
    assert sum(base[case] < other[case] for case in shared) == 59  # type: ignore[operator]


def test_an_instance_that_stands_there_twice_is_there_twice(tmp_path: Path) -> None:
    path = tmp_path / "map.json"
    path.write_text('{"仓库__1": true, "b": false, "仓库__1": false}', encoding="utf-8")
    rows = _read(path).rows
    assert [(row.record.case, row.record.trial, row.score.value) for row in rows] == [
        ("仓库__1", 0, 1.0),
        ("b", 0, 0.0),
        ("仓库__1", 1, 0.0),
    ]


@pytest.mark.parametrize("text", ["{}", '{"a": 1}', '{"a": "true"}', '{"a": true, "b": null}'])
def test_what_is_no_map_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "map.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(BadInput, match=r"map\.json"):
        recognise(path)


def test_the_report_of_the_harness_is_read_with_what_it_leaves_out(tmp_path: Path) -> None:
    """Keys as its version 2 writes them: a harness error is no wrong answer, an empty patch is."""
    lists = {"resolved_ids": ["a"], "unresolved_ids": ["b"], "empty_patch_ids": ["c"], "error_ids": ["d"]}
    report = {"total_instances": 6, "incomplete_ids": ["e", "f"], "schema_version": 2, **lists}
    path = tmp_path / "agent.run.json"
    path.write_text(json.dumps(report), encoding="utf-8")
    found = _read(path)
    values = {row.record.case: row.score.value for row in found.rows if row.record.status.counts}
    assert values == {"a": 1.0, "b": 0.0, "c": 0.0}
    assert [row.record.case for row in found.rows if row.record.status is Status.infra_error] == ["d"]
    assert found.planned == 6
    assert found.told["incomplete_ids"] == ["e", "f"]
