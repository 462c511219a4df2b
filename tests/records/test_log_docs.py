"""The pages about the log say every field, and their commands work."""

import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest
from msgspec.structs import replace

from fairtrial.records.log import write_log
from fairtrial.schema.evidence import Counts, Doubt, Estimate, Header, Summary
from fairtrial.schema.record import Failure, Status, Turn, Usage
from fairtrial.schema.score import Hit, Row, Unscored
from fakes.log_samples import FINAL, row

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGES = ["log.md", "log.zh.md"]


def types_in(kind: Any) -> set[type]:
    """All structs that a value of `kind` can hold, itself included."""
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        return {kind}.union(*(types_in(field.type) for field in msgspec.structs.fields(kind)))
    return set().union(*(types_in(part) for part in get_args(kind)))


@pytest.mark.parametrize("page", PAGES)
def test_every_field_is_on_the_page(page: str) -> None:
    words = set(re.findall(r"`\"?(\w+)\"?`", (DOCS / page).read_text()))
    kinds = types_in(Header) | types_in(Row)
    fields = {field.encode_name for kind in kinds for field in msgspec.structs.fields(kind)}
    assert {"reply", "reasoning_tokens", "by_status", "forbade"} < fields
    assert fields <= words


@pytest.mark.parametrize("page", ["running.md", "running.zh.md"])
def test_every_status_is_on_the_page(page: str) -> None:
    assert set(re.findall(r"^\| `(\w+)` \|", (DOCS / page).read_text(), re.MULTILINE)) == set(Status)


def commands(page: str) -> list[str]:
    return re.findall(r"```sh\n(.*?)```", (DOCS / page).read_text(), re.DOTALL)


def test_both_pages_have_the_same_commands() -> None:
    assert commands(PAGES[0]) == commands(PAGES[1])


def header() -> Header:
    figure = Estimate(mean=0.5, low=None, high=None, n=2, method="undetermined")
    summary = Summary(
        counts=Counts(planned=3, scored=2, errored=1),
        total=figure,
        ret_ratio=figure,
        ret_ratio_all=figure,
        useful=figure,
        pass_hat_k={"1": 0.5},
        tags={},
    )
    doubt = Doubt(name="few_cases", lit=True, value=2, threshold=20)
    return replace(FINAL, mark="UNRELIABLE", summary=summary, doubts=(doubt,))


def changed(case: str, **parts: dict[str, Any]) -> Row:
    """The sample row of `case`, with these fields of its parts changed."""
    before = row(case)
    return replace(
        before, **{name: replace(getattr(before, name), **values) for name, values in parts.items()}
    )


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    turn = Turn(user="退款", reply="已退 12.50 元", usage=Usage(output_tokens=7))
    hit, miss = (Hit(rule="contains", met=met, share=1.0, why=f"{met}") for met in (True, False))
    failed = {"status": Status.agent_error, "failure": Failure(kind="x", message="turn 1 of 1: 坏了")}
    rows = [
        changed("退款-01", record={"turns": (turn,)}, score={"hits": (hit, miss), "value": 0.5}),
        changed("b", record=failed, score={"value": Unscored(why="did not complete")}),
        changed("c", score={"value": 1.0}, about={"weight": 1.0}),
    ]
    return write_log(tmp_path_factory.mktemp("logs") / "run.jsonl", header(), rows)


EXPECTED = [
    '"lit": [\n    "few_cases"',
    "1 agent_error",
    "b\t0\tagent_error\tturn 1 of 1: 坏了",
    "1 contains: False",
    "已退 12.50 元",
    "0.625",
    '"sum": 7',
    "run.jsonl",
]


@pytest.mark.skipif(not shutil.which("jq"), reason="NO jq: the commands of docs/log.md are NOT checked")
@pytest.mark.parametrize("number", range(len(EXPECTED)))
def test_the_commands_of_the_page_work(log: Path, number: int) -> None:
    assert len(commands(PAGES[0])) == len(EXPECTED)
    shell = ["sh", "-ec", commands(PAGES[0])[number]]
    environment = {"LOG": str(log), "PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8"}
    done = subprocess.run(shell, env=environment, capture_output=True, check=True)
    assert EXPECTED[number] in done.stdout.decode()
    assert done.stderr == b""
