"""The six-case round whose figures are handsome and prove nothing."""

import json
import runpy
import subprocess
import sys
from pathlib import Path
from statistics import variance

import pytest

from fairtrial.cases.load import load_or_refuse
from fairtrial.schema.record import Record, Status, Turn
from fairtrial.scoring.score import Scorer
from fairtrial.stats.correlation import pearson

SELF_KEPT = Path(__file__).resolve().parents[2] / "examples" / "self_kept"


def test_six_cases_correlate_at_0_997_and_are_all_near_1() -> None:
    answer = runpy.run_path(str(SELF_KEPT / "stub.py"))["answer"]
    case_set = load_or_refuse([SELF_KEPT / "config" / "problems.json"])
    scorer = Scorer(case_set)
    scores, expected = [], []
    for case in case_set.cases:
        turns = tuple(Turn(user=text, reply=answer(text)) for text in case.input)
        value = scorer.score(Record(case=case.id, trial=0, status=Status.completed, turns=turns)).value
        assert isinstance(value, float)
        scores.append(value)
        expected.append(case.expected_score)
    assert scores == pytest.approx([1.0, 0.97, 0.99, 0.96, 0.98, 0.95])
    assert round(pearson(scores, expected) or 0, 3) == 0.997
    assert 0 < variance(scores) < 0.001


def test_the_round_is_marked_unreliable_and_stays_out_of_the_history(tmp_path: Path) -> None:
    words = ["exec_agent.py", "--config", "config/problems.json", "--out", str(tmp_path)]
    done = subprocess.run([sys.executable, *words], cwd=SELF_KEPT, capture_output=True, check=False)
    assert done.returncode == 3, done.stderr.decode()
    logs = list(tmp_path.glob("*.jsonl"))
    assert [log.name for log in logs if log.name == "history.jsonl"] == []
    header = json.loads(logs[0].read_text(encoding="utf-8").splitlines()[0])
    assert header["mark"] == "UNRELIABLE"
    lit = {doubt["name"] for doubt in header["doubts"] if doubt["lit"]}
    assert lit >= {"few_cases", "too_good", "too_uniform", "correlation"}
