"""The lines that look back, over several rounds of one folder."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest

from fairtrial.app.finish import Round
from fairtrial.app.outlook import Outlook
from fairtrial.app.prepare import Choices
from fairtrial.app.run import run
from fairtrial.app.show import open_log
from fairtrial.execution.contract import Outcome
from fairtrial.execution.local import run_sessions
from fairtrial.records.history import NAME, read_history, rounds
from fairtrial.schema.evidence import Doubt, QuickOutcome
from fairtrial.schema.score import Row

AGENT = """
import json, pathlib
def answer(text):
    state = json.loads(pathlib.Path(__file__).with_name("state.json").read_text())
    number = int(text.split("#")[1].split()[0])
    if number < state.get("crash", 0):
        raise RuntimeError("boom")
    code = f"C{number:02d}" if number < state["hits"] else "无法确认"
    if number % 10 >= state.get("helpful", 8):
        return f"好的 {code}"
    return f"订单 JD{number:06d} 的退款 {number}.50 元已提交，请在“我的订单”里查看进度。{code}"
"""


class Quiet:
    """Nobody is told."""

    def planned(self, outlook: Outlook) -> None: ...

    def ended(self, row: Row) -> None: ...


class Bench:
    """A folder with an agent that can be changed and a case set that can be edited."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        (folder / "stub.py").write_text(AGENT, encoding="utf-8")
        self.write("cases")

    def write(self, name: str, *, numbers: Sequence[int] = range(40), code: str = "C{:02d}") -> None:
        """A case set; `code` is what is expected of each number."""
        cases = [
            {
                "id": f"k{i}",
                "input": f"请问订单 #{i} 的退款进度？",
                "expect": [code.format(i), {"rule": "length", "min": 1}],
                "context": f"订单 JD{i:06d}，退款 {i}.50 元，进度见“我的订单”。",
            }
            for i in numbers
        ]
        text = json.dumps(cases, ensure_ascii=False)
        (self.folder / f"{name}.json").write_text(text, encoding="utf-8")

    def run(
        self, name: str = "cases", *, mode: str = "full", limit: int | None = None, **state: Any
    ) -> Round:
        """A round of the agent in a state."""
        (self.folder / "state.json").write_text(json.dumps({"hits": 30} | state))
        choices = Choices(
            cases=[self.folder / f"{name}.json"],
            agent=f"python:{self.folder / 'stub.py'}:answer",
            limit=limit,
            run={"out": str(self.folder / "logs"), "mode": mode},
        )
        return run(choices, Quiet())

    def history(self) -> list[str]:
        """The runs of the history."""
        return [found.run for found in rounds(read_history(self.folder / "logs" / NAME))]


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Bench:
    monkeypatch.chdir(tmp_path)
    return Bench(tmp_path)


def line(found: Round, name: str) -> Doubt:
    return next(doubt for doubt in found.header.doubts if doubt.name == name)


def test_a_wrong_pattern_in_the_cases_is_seen_as_a_jump(bench: Bench) -> None:
    first = bench.run()
    assert (first.header.status, line(first, "jump").lit) == ("reliable", None)
    assert line(bench.run(), "jump").value == 0
    bench.write("cases", code="C-{:02d}")
    wrong = bench.run()
    jump = line(wrong, "jump")
    assert jump.lit
    assert "40 of them edited; on the unchanged ones not known" in jump.meaning
    assert "changed since: the cases or their rules" in jump.meaning
    assert line(wrong, "changed_set").value == 1


def test_new_cases_are_no_jump(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    bench.run()
    bench.write("cases", numbers=range(10, 60))
    grown = bench.run()
    assert (line(grown, "jump").value, line(grown, "jump").lit) == (0, False)
    assert line(grown, "useful_falls").lit is False
    assert line(grown, "changed_set").value == pytest.approx(0.4)
    assert line(grown, "unchanged_set").value == 1
    monkeypatch.setenv("FAIRTRIAL_LANG", "zh")
    read = Round(header=open_log(grown.log).header, log=grown.log, exit_code=0)
    assert "用例：未变 30，改动 0，新增 20，去掉 10" in line(read, "changed_set").meaning
    grown.log.unlink()
    bench.write("cases", numbers=range(50))
    alone = bench.run()
    assert [line(alone, name).lit for name in ("jump", "useful_falls", "changed_set")] == [None] * 3


def test_an_agent_that_did_not_let_go_is_told(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    async def holding(*given: Any) -> Outcome:
        return msgspec.structs.replace(await run_sessions(*given), abandoned=1, unclosed=2)

    assert bench.run(limit=1).header.notes == ()
    monkeypatch.setattr("fairtrial.app.run.run_sessions", holding)
    (note,) = bench.run(limit=1).header.notes
    assert "sessions left behind 1, not closed 2" in note


def test_useful_falls_while_the_ratio_rises(bench: Bench) -> None:
    bench.run()
    assert line(bench.run(hits=33, helpful=4), "useful_falls").lit


def test_crashing_on_hard_cases_never_raises_the_score_of_a_round_that_counts(bench: Bench) -> None:
    fine = bench.run()
    crashed = bench.run(hits=36, crash=3)
    assert (crashed.header.status, crashed.exit_code) == ("unreliable", 3)
    assert line(crashed, "errors").value == pytest.approx(3 / 40)
    assert bench.history() == [fine.header.run]


@pytest.mark.parametrize("crash", [1, 10])
def test_a_quick_round_in_which_the_agent_crashes_concludes_nothing(bench: Bench, crash: int) -> None:
    bench.run()
    found = bench.run(mode="quick", limit=10, crash=crash)
    assert (found.header.status, found.exit_code) == ("quick", 3)
    assert line(found, "errors").lit
    assert found.header.quick is not None
    assert ("gave a score" in found.header.quick.meaning) is (crash == 10)


def test_lines_that_light_again_and_again(bench: Bench) -> None:
    found = [bench.run(hits=40) for _ in range(5)]
    assert [line(one, "often_lit").lit for one in found] == [None] * 4 + [True]
    assert "too_good 5/5" in line(found[-1], "often_lit").meaning
    assert bench.history() == []


def test_a_log_is_read_in_the_readers_language(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    bench.run()
    first = bench.run(hits=36, crash=8)
    monkeypatch.setenv("FAIRTRIAL_LANG", "zh")
    read = Round(header=open_log(first.log).header, log=first.log, exit_code=0)
    assert "太多会话没有得分" in line(read, "errors").meaning
    assert "docs/doubts.zh.md#errors" in line(read, "errors").advice
    assert [(d.name, d.lit, d.value) for d in read.header.doubts] == [
        (d.name, d.lit, d.value) for d in first.header.doubts
    ]
    alone = bench.folder / "elsewhere" / first.log.name
    alone.parent.mkdir()
    alone.write_bytes(first.log.read_bytes())
    moved = Round(header=open_log(alone).header, log=alone, exit_code=0)
    assert "against" in line(moved, "jump").meaning  # nothing to judge it by here: as it was told
    assert line(moved, "jump").value == line(first, "jump").value


def test_a_part_of_the_set_is_not_held_against_the_whole(bench: Bench) -> None:
    for _ in range(5):
        assert line(bench.run(limit=5), "few_cases").lit
    assert line(bench.run(), "often_lit").lit is None


def test_a_quick_round_finds_the_last_full_round_that_shares_its_cases(bench: Bench) -> None:
    base = bench.run()
    bench.write("other", numbers=range(40, 70))
    bench.run("other", hits=60)
    bench.write("smoke", numbers=range(10))
    worse = bench.run("smoke", mode="quick", hits=0)
    assert worse.header.quick is not None
    assert (worse.header.quick.outcome, worse.header.quick.base) == (QuickOutcome.worse, base.header.run)
    assert (worse.header.status, worse.exit_code) == ("quick", 1)
    bench.write("new", numbers=range(80, 84))
    new = bench.run("new", mode="quick")
    assert new.header.quick is not None
    assert (new.header.quick.outcome, new.exit_code) == (QuickOutcome.nothing, 0)
    assert len(bench.history()) == 2
