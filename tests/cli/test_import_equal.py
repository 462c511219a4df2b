"""What `audit`, `show` and `compare` say of a file, they say of the log that it was imported to."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from commands import fairtrial

from fairtrial.records.interop.detect import FORMATS

REAL = {
    "tau-bench": "tau_bench_airline_gpt4o/gpt-4o-airline.json.gz",
    "inspect": "inspect_ai_logs/analysis__test_logs__2025-05-12T20-28-13-04-00_popularity.json",
    "promptfoo": "promptfoo_results/results.json",
    "atif": "atif_converted/tau_airline_gpt4o_80runs.atif.jsonl.gz",
    "langfuse": "langfuse_framework_traces/crewai-2025-07-11.trace.json",
    "swe-bench": "swebench_pro/gpt-5-250-turns-10132025.eval_results.json.gz",
    "table": "tau_bench_airline_gpt4o/outcomes.csv",
}
"""One of each format that has results; of `otel` there is no real file."""


def _attribute(key: str, value: Any) -> dict[str, Any]:
    return {"key": key, "value": {"stringValue": value if isinstance(value, str) else json.dumps(value)}}


def _otel() -> dict[str, Any]:
    judged = {"gen_ai.evaluation.name": "correctness", "gen_ai.evaluation.score.value": {"doubleValue": 1.0}}
    spans = [
        {
            "traceId": f"t{n}",
            "spanId": f"s{n}",
            "name": "chat",
            "startTimeUnixNano": "1000000000",
            "endTimeUnixNano": "2000000000",
            "attributes": [
                _attribute("gen_ai.operation.name", "chat"),
                _attribute("gen_ai.request.model", "m"),
                _attribute("case_id", f"退款{n}"),
                _attribute("gen_ai.input.messages", [{"role": "user", "content": "能退吗？"}]),
                _attribute("gen_ai.output.messages", [{"role": "assistant", "content": "可以。"}]),
            ],
            "events": [
                {
                    "name": "gen_ai.evaluation.result",
                    "attributes": [
                        {"key": key, "value": value if isinstance(value, dict) else {"stringValue": value}}
                        for key, value in judged.items()
                    ],
                }
            ],
        }
        for n in range(3)
    ]
    return {"resourceSpans": [{"scopeSpans": [{"spans": spans}]}]}


def _said(*words: Any, names: dict[str, str], lang: str) -> tuple[int, Any]:
    said = fairtrial(*words, "--json", env={"FAIRTRIAL_LANG": lang})
    text = said.out
    for name, stand_in in names.items():
        text = text.replace(json.dumps(name)[1:-1], stand_in)
    return said.code, json.loads(text)


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("name", [*REAL, "otel"])
def test_a_log_says_what_the_file_says(here: Path, shared_data: Path, name: str, lang: str) -> None:
    file = here / "spans.json"
    file.write_text(json.dumps(_otel()))
    file = file if name == "otel" else shared_data / REAL[name]
    log = here / "it-was-imported.jsonl"
    twin = here / "twin"  # no result is compared with itself
    shutil.copyfile(file, twin)
    assert fairtrial("import", name, file, "-o", log, env={"FAIRTRIAL_LANG": lang}).code == 0
    of_file = {str(file): "IT", file.name: "IT"}
    of_log = {str(log): "IT", log.name: "IT", log.stem: "IT"}
    for command in (["audit"], ["show"], ["compare", twin]):
        before = _said(*command, file, names=of_file, lang=lang)
        after = _said(*command, log, names=of_file | of_log, lang=lang)
        assert after == before, command


def test_every_format_with_results_is_held_to_it() -> None:
    assert {one.name for one in FORMATS} == {*REAL, "otel", "claims"}
