"""`show --metrics`: people's marks stand, other tools' files are measured, tau-bench agrees with a count."""

import gzip
import json
from collections import defaultdict
from math import comb
from pathlib import Path
from typing import Any

import pytest
from commands import fairtrial
from results import log

from fairtrial.app.metrics import metrics_of, verdicts_on
from fairtrial.app.show import open_log
from fairtrial.errors import BadInput
from fairtrial.schema.metrics import Metric, Verdict

SCORES = {"退款": [1.0, 0.0], "b": [0.0, 0.0], "c": [1.0, None]}


def document(path: Path) -> dict[str, Any]:
    said = fairtrial("show", path, "--metrics", "--json")
    assert said.code == 0
    return {metric["name"]: metric for metric in said.document["metrics"]}


def mark(folder: Path, **entry: Any) -> None:
    with (folder / "marks.jsonl").open("a", encoding="utf-8") as file:
        file.write(json.dumps({"log": "r.jsonl", "trial": 0} | entry) + "\n")


def test_a_log_of_ours(tmp_path: Path) -> None:
    found = document(log(tmp_path / "r.jsonl", SCORES))
    assert list(found) == list(Metric)
    completion = found["task_completion"]
    assert completion["estimate"]["mean"] == pytest.approx(0.5)
    assert completion["not_judged"] == {"not_completed": 1}
    assert [(one["case"], one["trial"]) for one in completion["against"]] == [("b", 0), ("b", 1), ("退款", 1)]
    assert found["cost"]["estimate"]["mean"] is None


def test_the_last_mark_of_a_session_stands(tmp_path: Path) -> None:
    path = log(tmp_path / "r.jsonl", SCORES)
    mark(tmp_path, case="b", fault="case")
    mark(tmp_path, case="b", fault="scorer")
    mark(tmp_path, case="退款", trial=1, fault="agent")
    mark(tmp_path, case="c", fault="agent", log="other.jsonl")
    assert verdicts_on(path) == {("b", 0): Verdict(fault="scorer"), ("退款", 1): Verdict(fault="agent")}
    completion = document(path)["task_completion"]
    assert completion["estimate"]["mean"] == pytest.approx((0.5 + 0.5 + 1) / 3)
    assert completion["details"] == {"marked": 2, "compared": 2, "agreed": 1}


def test_the_right_score_is_kept_with_a_mark(tmp_path: Path) -> None:
    path = log(tmp_path / "r.jsonl", SCORES)
    mark(tmp_path, case="b", fault="scorer", score=0.5)
    assert verdicts_on(path)["b", 0].reached(False, 1.0) is False


@pytest.mark.parametrize("line", ["no json", "[]", '{"log": "r.jsonl", "case": "b", "trial": 0}'])
def test_a_mark_that_is_none_is_refused_with_its_line(tmp_path: Path, line: str) -> None:
    path = log(tmp_path / "r.jsonl", SCORES)
    (tmp_path / "marks.jsonl").write_text("\n" + line + "\n", "utf-8")
    with pytest.raises(BadInput, match=r"marks\.jsonl:2: not a mark"):
        metrics_of(open_log(path))


@pytest.mark.parametrize(
    ("language", "words"),
    [("en", ["task completion", "not judged", "against"]), ("zh", ["任务完成率", "未判定", "不利于"])],
)
def test_in_both_languages(
    tmp_path: Path, language: str, words: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FAIRTRIAL_LANG", language)
    path = log(tmp_path / "r.jsonl", SCORES, about={"tags": ("x",)})
    mark(tmp_path, case="b", fault="agent")
    said = fairtrial("show", path, "--metrics", "--all").out
    assert all(word in said for word in words)
    assert "tag: x" in said


@pytest.fixture(scope="module")
def tau_bench(shared_data: Path) -> Path:
    return shared_data / "tau_bench_airline_gpt4o" / "gpt-4o-airline.json.gz"


@pytest.fixture(scope="module")
def runs(tau_bench: Path) -> list[dict[str, Any]]:
    with gzip.open(tau_bench, "rt", encoding="utf-8") as text:
        runs: list[dict[str, Any]] = json.load(text)
    return runs


@pytest.fixture(scope="module")
def found(tau_bench: Path) -> dict[Metric, Any]:
    return {metric.name: metric for metric in metrics_of(open_log(tau_bench)).metrics}


class TestTauBench:
    """Against a count over the file itself, by the plain JSON of its messages."""

    def test_completion_and_pass_hat_k(self, runs: list[dict[str, Any]], found: dict[Metric, Any]) -> None:
        passed: dict[int, list[bool]] = defaultdict(list)
        for run in runs:
            passed[run["task_id"]].append(run["reward"] == 1.0)
        rate = sum(map(sum, passed.values())) / len(runs)
        assert rate == 0.42
        assert found[Metric.task_completion].estimate.mean == pytest.approx(rate)
        assert len(found[Metric.task_completion].against) == 116
        shares = {s.name: s.estimate.mean for s in found[Metric.pass_hat_k].buckets if s.kind == "k"}
        for k, published in zip("1234", (0.420, 0.273, 0.220, 0.200), strict=True):
            mean = sum(comb(sum(p), int(k)) / comb(4, int(k)) for p in passed.values()) / len(passed)
            assert shares[k] == pytest.approx(mean)
            assert round(mean, 3) == published

    def test_calls(self, runs: list[dict[str, Any]], found: dict[Metric, Any]) -> None:
        failed = empty = repeated = calls = 0
        for run in runs:
            seen: set[tuple[str, str, str]] = set()
            for name, arguments, content in _calls(run):
                calls += 1
                key = (name, json.dumps(json.loads(arguments), sort_keys=True), content)
                if content.startswith("Error"):
                    failed += 1
                elif content in ("", "[]"):
                    empty += 1
                elif key in seen:
                    repeated += 1
                seen.add(key)
        assert (calls, failed, empty, repeated) == (1164, 73, 120, 10)
        effective = found[Metric.tool_effectiveness]
        assert effective.counted == calls
        assert effective.details == {"failed": failed, "empty": empty, "repeated": repeated}
        assert effective.estimate.mean == pytest.approx((calls - failed - empty - repeated) / calls)

    def test_recovery(self, runs: list[dict[str, Any]], found: dict[Metric, Any]) -> None:
        hit = [run for run in runs if any(content.startswith("Error") for _, _, content in _calls(run))]
        reached = sum(run["reward"] == 1.0 for run in hit)
        assert (len(hit), reached) == (36, 9)
        recovery = found[Metric.failure_recovery]
        assert recovery.counted == len(hit)
        assert recovery.estimate.mean == pytest.approx(reached / len(hit))
        assert len(recovery.against) == len(hit) - reached

    def test_steps(self, runs: list[dict[str, Any]], found: dict[Metric, Any]) -> None:
        writes = {
            "book_reservation",
            "cancel_reservation",
            "update_reservation_flights",
            "update_reservation_baggages",
            "update_reservation_passengers",
            "send_certificate",
        }
        ratios: dict[int, list[float]] = defaultdict(list)
        for run in runs:
            least = sum(action["name"] in writes for action in run["info"]["task"]["actions"])
            if run["reward"] == 1.0 and least:
                ratios[run["task_id"]].append(len(_calls(run)) / least)
        steps = found[Metric.steps]
        assert steps.counted == steps.details["least_from_rules"] == sum(map(len, ratios.values())) == 27
        mean = sum(sum(of) / len(of) for of in ratios.values()) / len(ratios)
        assert steps.estimate.mean == pytest.approx(mean)

    def test_what_is_not_known_is_no_number(self, found: dict[Metric, Any]) -> None:
        for name in (Metric.latency, Metric.first_token, Metric.input_tokens, Metric.cost):
            assert found[name].estimate.mean is None


def _calls(run: dict[str, Any]) -> list[tuple[str, str, str]]:
    """Name, arguments and what the tool said, of each tool message in turn."""
    waiting: list[dict[str, Any]] = []
    found = []
    for message in run["traj"]:
        waiting += message.get("tool_calls") or []
        if message["role"] == "tool":
            call = next(one for one in waiting if one["id"] == message["tool_call_id"])
            waiting.remove(call)
            found.append((call["function"]["name"], call["function"]["arguments"], message["content"]))
    return found
