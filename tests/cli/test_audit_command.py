"""`audit` from the command line: exit codes, one JSON document, a page that fits a terminal."""

import csv
import random
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from commands import case, fairtrial, write_project

from fairtrial.evidence.audit import LINES

ROOT = Path(__file__).resolve().parents[2]


def table(file: Path, *rows: Sequence[Any], n: int = 100, columns: str = "id,score") -> Path:
    draw = random.Random(0)
    with file.open("w", newline="", encoding="utf-8") as out:
        sound = [[f"题{i}", int(draw.random() < 0.6)] for i in range(n)]
        csv.writer(out).writerows([columns.split(","), *sound, *rows])
    return file


def test_gaps_are_0_and_defects_3(tmp_path: Path) -> None:
    sound = fairtrial("audit", table(tmp_path / "sound.csv"), "--json")
    assert (sound.code, sound.document["trust"]) == (0, "partly")
    broken = fairtrial("audit", table(tmp_path / "broken.csv", ["x", "inf"]), "--json")
    assert (broken.code, broken.document["trust"]) == (3, "no")
    lit = [doubt["name"] for doubt in broken.document["doubts"] if doubt["lit"] and doubt["forbids"]]
    assert lit == ["non_finite"]


@pytest.mark.parametrize(
    ("name", "text"),
    [("notes.txt", "nothing to see here"), ("empty.csv", ""), ("scale.csv", "id,score\na,80\nb,95\n")],
)
def test_what_is_no_result_is_2(name: str, text: str, tmp_path: Path) -> None:
    file = tmp_path / name
    file.write_text(text, encoding="utf-8")
    said = fairtrial("audit", file)
    assert said.code == 2
    assert str(file) in said.complaint


def test_no_file_and_too_many(tmp_path: Path) -> None:
    assert fairtrial("audit", tmp_path / "nowhere.csv").code == 2
    assert fairtrial("audit", *[table(tmp_path / "a.csv")] * 3).code == 2


def test_verdict_lines_figures_checklist(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    said = fairtrial("audit", table(tmp_path / "broken.csv", ["题3", 0], ["题3", 1]))
    heads = [
        "trust: no",
        "● duplicate_ids",
        "题3",
        "→ Keep one row each",
        "broken.csv (table)",
        "case_identity",
    ]
    places = [said.out.find(head) for head in heads]
    assert -1 not in places
    assert places == sorted(places)
    assert all(len(line) <= 80 for line in said.out.splitlines())
    assert "✗  case_identity" in said.out


def test_two_results_show_the_difference_with_both_denominators(tmp_path: Path) -> None:
    said = fairtrial("audit", table(tmp_path / "a.csv"), table(tmp_path / "b.csv", n=80))
    assert said.code == 3
    words = " ".join(said.out.split())
    assert re.search(r"Not shown: \+0\.0 points \[.*\], which must not be believed", words)
    assert re.search(r"each over its own 0\.\d+ 0\.\d+ 100 / 80", words)


def test_in_chinese(tmp_path: Path) -> None:
    said = fairtrial("audit", table(tmp_path / "a.csv"), env={"FAIRTRIAL_LANG": "zh"})
    assert said.out.startswith("可信度：部分可信")
    assert "每个用例跑三次" in said.out
    files = table(tmp_path / "b.csv", columns="id,score"), table(tmp_path / "c.csv", n=80)
    pair = fairtrial("audit", *files, env={"FAIRTRIAL_LANG": "zh"})
    assert "不能证明：+0.0 个百分点" in pair.out


def test_what_differs_around_two_logs_stands_below_their_difference(here: Path) -> None:
    write_project(here, [case(n) for n in range(24)])
    logs = [fairtrial("run", "--json", "--agent", f"null:{kind}").log for kind in ("stock", "echo")]
    said = fairtrial("audit", *logs)
    assert re.search(r"^ *agent +null:stock +null:echo", said.out, re.MULTILINE)


def test_hidden_signs_in_ids_do_not_reach_the_terminal(tmp_path: Path) -> None:
    said = fairtrial("audit", table(tmp_path / "a.csv", ["\x1b[2J\u202e", "nan"]))
    assert "\x1b[2J" not in said.out
    assert "\u202e" not in said.out


@pytest.mark.parametrize("page", ["doubts.md", "doubts.zh.md"])
def test_every_line_has_its_section(page: str) -> None:
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    sections = set(re.findall(r"^## (\w+)$", text, re.MULTILINE))
    assert set(LINES) <= sections


@pytest.mark.parametrize("page", ["auditing.md", "auditing.zh.md"])
def test_every_check_is_on_the_page(page: str, tmp_path: Path) -> None:
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    document = fairtrial("audit", table(tmp_path / "a.csv"), "--json").document
    names = {check["name"] for check in document["checklist"]}
    assert names == set(re.findall(r"^\| `(\w+)` \|", text, re.MULTILINE))
