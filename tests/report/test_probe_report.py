"""The map on a terminal: worst states, widths of Chinese, what it says of itself; and as a document."""

from io import StringIO
from typing import Any

import pytest
import yaml
from rich.cells import cell_len
from rich.console import Console

from fairtrial.report.probe import as_yaml, probe_document, show_map
from fairtrial.schema.evidence import Header
from fairtrial.schema.weakness import Cell, CellState, Example, Headline, Shrunk, Weakness, WeaknessMap

CASE = {
    "id": "退款-1~masking@1",
    "input": "我要退款，订单 JD2024111138271",
    "expect": ["JD2024111138271"],
    "disturb": [{"do": "edit", "turn": 0, "start": 0, "end": 0, "text": "天气很冷，"}],
}
SHRUNK = Shrunk(case=CASE, steps=1, of=4, failures=18, sessions=20, low=0.68, high=0.99, spent=74)


def cell(group: str, probe: str, intensity: int, state: CellState, **more: Any) -> Cell:
    return Cell(group=group, probe=probe, intensity=intensity, state=state, **more)


def header(*cells: Cell, weaknesses: tuple[Weakness, ...] = (), **more: Any) -> Header:
    settings: dict[str, Any] = {
        "headline": Headline(rate=0.25, low=0.1, high=0.5, failures=4, sessions=16, method="clopper-pearson"),
        "baseline": (),
        "sessions": 120,
        "budget": 200,
        "stopped": "budget",
    } | more
    found = WeaknessMap(cells=cells, weaknesses=weaknesses, **settings)
    return Header(
        fairtrial="0", run="r", started="s", mode="probe", status="probe", config={}, weaknesses=found
    )


def shown(head: Header, width: int = 80) -> list[str]:
    out = StringIO()
    show_map(Console(file=out, width=width, color_system=None), head, "logs/x y.jsonl")
    return out.getvalue().splitlines()


WEAK = header(
    cell("退款", "masking", 1, CellState.weak, failures=8, sessions=9, low=0.36, high=1.0, fresh=(18, 20)),
    cell("退款", "masking", 2, CellState.cleared, sessions=9, high=0.4),
    cell("退款", "typos", 1, CellState.open, sessions=1),
    cell("refund", "masking", 1, CellState.not_run),
    cell("refund", "typos", 1, CellState.cleared, sessions=9, high=0.4),
    cell("refund", "typos", 2, CellState.unlikely, sessions=3),
    weaknesses=(
        Weakness(
            group="退款",
            probe="masking",
            intensity=1,
            layers={"understanding": 24, "answer": 2},
            examples=(Example(case="退款-1", trial=37),),
            shrunk=SHRUNK,
        ),
    ),
    baseline=("zh-1",),
    unanswered=("en-9",),
    inapplicable={"silence": "needs a clock"},
    set_aside={"rate_limited": 3},
)


def test_each_pair_shows_the_worst_of_what_was_run() -> None:
    lines = shown(WEAK)
    rows = {
        words[0]: words[1:] for line in lines if (words := line.split()) and words[0] in ("masking", "typos")
    }
    assert rows == {"masking": ["✗1", "·"], "typos": ["?", "~"]}


def test_a_weakness_comes_with_its_rate_its_layer_a_session_and_a_case() -> None:
    text = "\n".join(shown(WEAK, 200))
    assert "8 of 9 sessions fail, [0.36, 1.00]; anew 18 of 20" in text
    assert "went wrong in: understanding 24, answer 2" in text
    assert "fairtrial show 'logs/x y.jsonl' '退款-1' --trial 37" in text
    assert "smallest case: 1 of 4 steps; 18 of 20 new sessions fail, [0.68, 0.99]" in text
    assert "id: 退款-1~masking@1" in text


def test_it_says_what_it_rests_on_and_what_was_left_out() -> None:
    text = "\n".join(shown(WEAK, 200))
    for told in (
        "0.25 [0.10, 0.50] (4 of 16, Clopper-Pearson)",
        "not run: 1 of 6 cells",
        "zh-1",
        "en-9",
        "rate_limited 3",
        "not tried: silence: needs a clock",
        "Not guaranteed",
    ):
        assert told in text


def test_it_is_told_in_chinese_within_the_width(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAIRTRIAL_LANG", "zh")
    lines = shown(WEAK)
    assert "有弱点：4 对（组 × 探针）中的 1 对" in lines[0]
    prose = [line for line in lines if "fairtrial show" not in line and not line.startswith("      ")]
    assert max(map(cell_len, prose)) <= 80
    assert "没有保证的" in "".join(lines)


@pytest.mark.parametrize("width", [24, 40, 80])
def test_many_groups_are_told_in_tables_that_fit(width: int) -> None:
    groups = [f"第{n}组问题" for n in range(12)]
    lines = shown(
        header(*(cell(group, "typos", 1, CellState.cleared, sessions=9) for group in groups)), width
    )
    table = [line for line in lines if "组问题" in line]
    assert all(cell_len(line) <= width for line in table)
    assert [word for line in table for word in line.split()] == groups


def test_nothing_examined_is_not_called_sound() -> None:
    nothing = Headline(rate=None, low=None, high=None, failures=0, sessions=0, method="clopper-pearson")
    lines = shown(header(headline=nothing, stopped="no answer"))
    assert lines[0].startswith("nothing could be examined")
    assert "unknown" in "\n".join(lines)


def test_names_cannot_move_the_cursor() -> None:
    evil = "a\x1b[2J"
    assert "\x1b" not in "\n".join(shown(header(cell(evil, "typos", 1, CellState.open, sessions=1))))


def test_the_document_has_the_whole_map() -> None:
    document = probe_document(WEAK, "x.jsonl")
    assert (document["status"], document["mode"], document["log"]) == ("probe", "probe", "x.jsonl")
    assert len(document["weaknesses"]["cells"]) == 6
    assert document["weaknesses"]["weaknesses"][0]["shrunk"]["case"] == CASE


def test_a_case_is_written_so_that_it_reads_the_same() -> None:
    assert yaml.safe_load(as_yaml([CASE])) == [CASE]
