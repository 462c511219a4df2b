"""Import of published figures that have no results behind them."""

import json
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from fairtrial.errors import BadInput
from fairtrial.records.interop.detect import recognise
from fairtrial.records.interop.foreign import Foreign


def _read(path: Path) -> Foreign:
    found = recognise(path)
    assert found is not None
    assert found.format == "claims"
    assert found.rows == ()
    return found


def test_the_leaderboard_is_read_whole(shared_data: Path) -> None:
    folder = shared_data / "tau2_leaderboard"
    found = _read(folder / "submissions.jsonl.gz")
    expected = json.loads((folder / "expected.json").read_text())
    assert len(found.told["disclosed"]) == expected["submissions"] == 65
    complete = [one["values"] for one in found.told["pass_k"] if None not in one["values"]]
    assert len(complete) == expected["domain_rows_with_pass_1_to_4"] == 74
    assert not [values for values in complete if sorted(values, reverse=True) != values]
    assert found.claims["Claude-3.7-Sonnet/retail pass^1"] == pytest.approx(0.721)
    assert found.claims["Claude-3.7-Sonnet/telecom pass^4"] == pytest.approx(0.372)
    assert len(found.claims) == sum(
        value is not None for one in found.told["pass_k"] for value in one["values"]
    )  # every figure has a name of its own
    assert found.faults == ()
    methods = [one.get("methodology") or {} for one in found.told["disclosed"].values()]
    flags = [(method.get("verification") or {}).get("modified_prompts") for method in methods]
    assert (flags.count(True), flags.count(None)) == (2, 8)  # said, and not said


def test_a_table_of_resolved_shares_is_read(shared_data: Path) -> None:
    found = _read(shared_data / "swebench_pro" / "published.json")
    assert found.claims["claude-4-Sonnet resolved"] == pytest.approx(0.427)
    assert len(found.claims) == 7
    assert "index.html" in found.told["source"]


def _submission(results: Any, **more: Any) -> Mapping[str, Any]:
    return {"model_name": "模型一", "results": results, **more}


def _write(folder: Path, *items: Any) -> Path:
    path = folder / "claims.jsonl"
    path.write_text("\n".join(json.dumps(item, ensure_ascii=False) for item in items), encoding="utf-8")
    return path


def test_impossible_figures_are_kept_for_the_audit_and_no_numbers_are_faults(tmp_path: Path) -> None:
    given = _submission(
        {"retail": {"pass_1": 50, "pass_2": 120.0, "pass_3": math.nan, "pass_4": "?"}, "a": None}
    )
    found = _read(_write(tmp_path, given))
    assert found.claims == {"模型一/retail pass^1": 0.5, "模型一/retail pass^2": 1.2}
    assert found.told["pass_k"] == [{"name": "模型一/retail", "values": [0.5, 1.2, None, None]}]
    assert [fault.kind for fault in found.faults] == ["non_finite", "no_score"]


def test_two_submissions_of_one_model_stay_two(tmp_path: Path) -> None:
    path = _write(tmp_path, *[_submission({"retail": {"pass_1": value}}) for value in (40, 60)])
    assert sorted(_read(path).claims.values()) == [0.4, 0.6]


def test_a_line_that_is_no_submission_is_named(tmp_path: Path) -> None:
    path = _write(tmp_path, _submission({}), {"model_name": "x"})
    with pytest.raises(BadInput, match=r"claims\.jsonl:2"):
        recognise(path)


def test_what_a_submission_says_besides_is_kept(tmp_path: Path) -> None:
    found = _read(_write(tmp_path, _submission({"retail": {"pass_1": 1}}, methodology="文本")))
    assert found.told["disclosed"] == {"模型一": {"model_name": "模型一", "methodology": "文本"}}
