"""Inspect logs: the sixteen real files, and small ones for what those do not have."""

import io
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from fairtrial.errors import BadInput
from fairtrial.records.interop.detect import recognise
from fairtrial.records.interop.foreign import Foreign
from fairtrial.schema.record import Call, Status, Usage
from fairtrial.schema.score import Unscored


def read(path: Path) -> Foreign:
    foreign = recognise(path, "inspect")
    assert foreign is not None
    return foreign


def _values(foreign: Foreign) -> list[float]:
    return [row.score.value for row in foreign.rows if not isinstance(row.score.value, Unscored)]


class TestRealFiles:
    """Of the tool's own tests."""

    def test_the_stated_figures_come_out(self, shared_data: Path) -> None:
        # Source: README.md beside the files: accuracy 0.8 and stderr sqrt(.8 * .2 / 9) on 10 samples.
        (path,) = (shared_data / "inspect_ai_logs").glob("scorer__logs__2025-02-11T15-18-04*")
        foreign = read(path)
        assert foreign.claims == {"accuracy": 0.8, "stderr": pytest.approx((0.8 * 0.2 / 9) ** 0.5)}
        assert sum(_values(foreign)) / len(_values(foreign)) == 0.8
        assert foreign.planned == len(foreign.rows) == 10
        assert foreign.told["dataset_samples"] == 100
        assert foreign.parts["model"].says == "openai/gpt-4o-mini"
        assert foreign.parts["reported"].says == "gpt-4o-mini-2024-07-18"
        assert foreign.parts["sampling"].says == "nothing set"
        assert foreign.parts["agent"].says == "popularity @ ef1d858c"
        assert foreign.faults == ()
        one = next(row.record for row in foreign.rows if row.record.case == "7")
        assert one.reply
        assert one.system is not None
        assert one.extra["target"]
        assert one.turns[0].usage is not None

    def test_all_are_read_and_agree_with_what_they_state(self, shared_data: Path) -> None:
        paths = [
            p for p in (shared_data / "inspect_ai_logs").iterdir() if ".json" in p.name or p.suffix == ".eval"
        ]
        assert len(paths) == 16
        for path in paths:
            foreign = read(path)
            assert not any("events" in row.record.extra for row in foreign.rows)
            if values := _values(foreign):
                mean = sum(values) / len(values)
                assert foreign.claims["accuracy"] == pytest.approx(mean), path.name
                assert foreign.raw_output

    def test_a_log_without_scores_and_logs_without_samples(self, shared_data: Path) -> None:
        folder = shared_data / "inspect_ai_logs"
        (unscored,) = folder.glob("scorer__logs__2025-02-11T15-17-00*")
        foreign = read(unscored)
        assert (len(foreign.rows), _values(foreign), dict(foreign.claims)) == (10, [], {})
        assert [(fault.kind, fault.case) for fault in foreign.faults] == [("no_score", None)]
        (bare,) = folder.glob("*no-samples.json")
        foreign = read(bare)
        assert (foreign.rows, foreign.planned, foreign.told["status"]) == ((), 3, "cancelled")
        assert foreign.claims["accuracy"] == pytest.approx(2 / 3)

    def test_tools_are_kept_with_what_came_back(self, shared_data: Path) -> None:
        (path,) = (shared_data / "inspect_ai_logs").glob("*browser.json.gz")
        calls = read(path).rows[0].record.calls
        assert calls[0].name == "web_browser_go"
        assert calls[0].arguments == {"url": "https://www.aisi.gov.uk/"}
        assert all(isinstance(call, Call) and call.result for call in calls)


def _sample(**fields: Any) -> dict[str, Any]:
    return {
        "id": 1,
        "epoch": 1,
        "input": "几点开门？",
        "target": "九点",
        "messages": [],
        "scores": {},
    } | fields


def _log(*samples: Any, **fields: Any) -> dict[str, Any]:
    header = {
        "task": "门店",
        "model": "m",
        "dataset": {"samples": 4, "sample_ids": [1, 2]},
        "config": {"epochs": 2},
    }
    return {"version": 2, "status": "success", "eval": header, "samples": list(samples)} | fields


def _read(folder: Path, log: Any) -> Foreign:
    path = folder / "log.json"
    path.write_text(json.dumps(log), encoding="utf-8")
    return read(path)


@pytest.mark.parametrize(
    ("value", "score"),
    [("C", 1.0), ("I", 0.0), ("P", 0.5), ("N", 0.0), (True, 1.0), (False, 0.0), (0.25, 0.25), (1, 1.0),
     ("yes", 1.0), ("0.75", 0.75), ({"style": 0.5, "truth": 1}, 0.5), ([1, 0], 1.0)],
)  # fmt: skip
def test_every_kind_of_value_is_the_score_that_inspect_makes_of_it(
    tmp_path: Path, value: object, score: float
) -> None:
    foreign = _read(tmp_path, _log(_sample(scores={"s": {"value": value}})))
    assert _values(foreign) == [score]
    assert foreign.rules


@pytest.mark.parametrize(
    ("value", "kind"),
    [(float("nan"), "non_finite"), (7, "out_of_range"), ("no idea", "no_score"), (None, "no_score")],
)
def test_what_is_no_score_is_a_fault_and_never_zero(tmp_path: Path, value: object, kind: str) -> None:
    good = _sample(id=2, scores={"s": {"value": "C"}})
    foreign = _read(tmp_path, _log(good, _sample(scores={"s": {"value": value}})))
    assert _values(foreign) == [1.0]
    assert [(fault.kind, fault.case) for fault in foreign.faults] == [(kind, "1")]


def test_the_first_scorer_scores_and_the_others_are_told_beside_it(tmp_path: Path) -> None:
    metrics = {
        "accuracy": {"name": "accuracy", "value": 0.0},
        "pkg/stderr": {"value": 0.1},
        "x": {"value": None},
    }
    results = {"scores": [{"name": "b", "scorer": "b", "metrics": metrics}, {"name": "a", "metrics": {}}]}
    scores = {"a": {"value": "C"}, "b": {"value": "I", "explanation": "…"}}
    foreign = _read(tmp_path, _log(_sample(scores=scores), results=results))
    assert _values(foreign) == [0.0]
    assert [(hit.rule, hit.met, hit.share) for hit in foreign.rows[0].score.hits] == [
        ("b", False, 1.0), ("a", True, 0.0),
    ]  # fmt: skip
    assert foreign.claims == {"accuracy": 0.0, "stderr": 0.1}
    assert list(foreign.told["other_scorers"]) == ["a"]
    assert foreign.rows[0].record.extra["scores"] == scores


def test_of_a_scorer_with_several_values_the_one_that_is_reported_first_scores(tmp_path: Path) -> None:
    results = {"scores": [{"name": "truth", "scorer": "s", "metrics": {"mean": {"value": 1.0}}}]}
    sample = _sample(scores={"other": {"value": 0}, "s": {"value": {"style": 0.5, "truth": 1}}})
    foreign = _read(tmp_path, _log(sample, results=results))
    assert [hit.rule for hit in foreign.rows[0].score.hits] == ["s.truth", "s.style", "other"]
    assert _values(foreign) == [foreign.claims["mean"]]


@pytest.mark.parametrize(
    "score",
    [
        {"reducer": "at_least_1", "metrics": {"accuracy": {"value": 1.0}}},
        {"reducer": "mean", "metrics": {"stderr": {"value": 0.2, "params": {"cluster": "门店"}}}},
    ],
)
def test_a_figure_that_is_no_mean_of_the_samples_is_no_claim(tmp_path: Path, score: dict[str, Any]) -> None:
    results = {"scores": [{"name": "s", "scorer": "s"} | score]}
    assert _read(tmp_path, _log(_sample(), results=results)).claims == {}


@pytest.mark.parametrize(
    ("fields", "status", "kind"),
    [
        ({"error": {"message": "RateLimitError('429')"}}, Status.rate_limited, "RateLimitError"),
        ({"error": {"message": "TimeoutError()"}}, Status.timeout, "TimeoutError"),
        ({"error": {"message": "KeyError('x')"}}, Status.agent_error, "KeyError"),
        ({"error": {"message": "docker: connection refused"}}, Status.infra_error, "docker"),
        ({"limit": {"type": "message", "limit": 30}}, Status.truncated, "message_limit"),
        ({"limit": {"type": "working", "limit": 60.5}}, Status.timeout, "working_limit"),
        ({"limit": {"type": "operator", "limit": 1}}, Status.cancelled, "operator_limit"),
    ],
)
def test_an_error_or_a_limit_is_no_wrong_answer(
    tmp_path: Path, fields: dict[str, Any], status: Status, kind: str
) -> None:
    row = _read(tmp_path, _log(_sample(**fields))).rows[0]
    assert row.record.status is status
    assert row.record.failure is not None
    assert row.record.failure.kind == kind


def test_epochs_are_trials_and_what_was_chosen_is_what_was_planned(tmp_path: Path) -> None:
    samples = [_sample(id=i, epoch=e, scores={"s": {"value": "C"}}) for i in (1, "二") for e in (1, 2)]
    foreign = _read(tmp_path, _log(*samples))
    assert [(row.record.case, row.record.trial) for row in foreign.rows] == [
        ("1", 0), ("1", 1), ("二", 0), ("二", 1),
    ]  # fmt: skip
    assert foreign.planned == 4


def test_a_session_has_its_words_model_usage_and_times(tmp_path: Path) -> None:
    sample = _sample(
        messages=[
            {"role": "system", "content": "简短"},
            {"role": "user", "content": "几点开门？"},
            {"role": "assistant", "content": "attachment://ab"},
        ],
        attachments={"ab": "九点。"},
        events=[1] * 99,
        output={"model": "m-1", "choices": [{"message": {}, "stop_reason": "stop"}], "time": 0.5},
        model_usage={
            "m": {"input_tokens": 5, "output_tokens": 2, "input_tokens_cache_read": 1, "total_cost": 0.1}
        },
        started_at="2025-01-01T00:00:00+00:00",
        completed_at="2025-01-01T00:00:09+00:00",
        new_field={"kept": True},
    )
    record = _read(tmp_path, _log(sample)).rows[0].record
    assert (record.system, record.turns[0].user, record.reply) == ("简短", "几点开门？", "九点。")
    assert (record.turns[0].model, record.turns[0].finish_reason) == ("m-1", "stop")
    assert record.turns[0].usage == Usage(input_tokens=5, output_tokens=2, cached_tokens=1, cost=0.1)
    assert record.started is not None
    assert record.ended == record.started + 9
    assert record.extra["new_field"] == {"kept": True}
    assert record.extra["output"] == {"model": "m-1", "time": 0.5}
    assert not {"messages", "events", "attachments", "input"} & record.extra.keys()


def test_parameters_that_are_not_set_are_not_zero(tmp_path: Path) -> None:
    unset = _read(tmp_path, _log(_sample(), plan={"config": {"max_connections": 4}})).parts
    zero = _read(tmp_path, _log(_sample(), plan={"config": {"temperature": 0.0, "seed": 7}})).parts
    assert unset["sampling"].says == "nothing set"
    assert unset["concurrency"].says == "4"
    assert zero["sampling"].says == "temperature 0.0"
    assert zero["sampling"].digest != unset["sampling"].digest
    assert zero["seeds"].says == "7"
    assert "seeds" not in unset


def _eval(folder: Path, members: dict[str, Any], method: int = zipfile.ZIP_DEFLATED) -> Path:
    path = folder / "log.eval"
    with zipfile.ZipFile(path, "w", method) as archive:
        for name, value in members.items():
            archive.writestr(name, json.dumps(value))
    return path


def test_an_evaluation_that_did_not_end_has_the_samples_that_it_has(tmp_path: Path) -> None:
    start = {"version": 2, "eval": _log()["eval"], "plan": {}}
    sample = _sample(scores={"s": {"value": "C"}})
    foreign = read(_eval(tmp_path, {"_journal/start.json": start, "samples/1_epoch_1.json": sample}))
    assert (_values(foreign), foreign.planned) == ([1.0], 4)


def test_a_method_of_packing_that_python_cannot_read_is_said_in_one_line(tmp_path: Path) -> None:
    path = _eval(tmp_path, {"header.json": _log(), "samples/1_epoch_1.json": _sample()}, zipfile.ZIP_STORED)
    raw = bytearray(path.read_bytes())
    with zipfile.ZipFile(io.BytesIO(raw)) as archive:
        at = archive.getinfo("samples/1_epoch_1.json").header_offset
        directory = archive.start_dir
    for place in (at + 8, raw.index(b"PK\x01\x02", directory + 4) + 10):  # local header, central directory
        raw[place : place + 2] = (99).to_bytes(2, "little")
    path.write_bytes(raw)
    with pytest.raises(BadInput, match=r"samples/1_epoch_1\.json: packed in a way .*inspect log convert"):
        read(path)


@pytest.mark.parametrize("sample", [{}, {"id": None, "epoch": 1}, {"id": 1, "epoch": "x"}, 5])
def test_a_sample_that_names_no_case_is_refused_with_its_place(tmp_path: Path, sample: object) -> None:
    with pytest.raises(BadInput, match=r"log\.json samples\[1\]"):
        _read(tmp_path, _log(_sample(), sample))
