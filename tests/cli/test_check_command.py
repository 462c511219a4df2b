"""Everything that is wrong with a project, in one go, before anything is called."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from commands import case, fairtrial, write_cases, write_project

TELLTALE = "def right(text):\n    open('called', 'w').close()\n    return ''\n"

WRONG = """[
 {"id": "a", "input": "hi", "expect": "x", "weight": 0},
 {"id": "7", "input": "hi", "expect": "x"},
 {"id": 7, "input": "hi", "expect": "x"},
 {"id": "café", "input": "hi", "expect": "x"},
 {"id": "cafe\\u0301", "input": "hi", "expect": "x"},
 {"id": "b", "expect": "x", "weight": NaN},
 {"id": "c", "input": "hi", "expect": [{"rule": "containz", "text": "x"}]},
 {"id": "d", "input": "hi", "expect": [{"rule": "the answer should be polite and helpful to the customer"}]}
]
"""


def test_all_problems_with_their_lines_in_one_go(here: Path) -> None:
    write_project(here, 2)
    (here / "clerk.py").write_text(TELLTALE)
    (here / "prices.json").write_text(WRONG, "utf-8")
    said = fairtrial("check")
    assert said.code == 2
    assert said.err == ""
    lines = said.out.splitlines()
    told = {int(line.split("prices.json:")[1].split(":")[0]) for line in lines if ": error: " in line}
    assert told == {2, 4, 6, 7, 8, 9}
    assert lines[-1].endswith("errors; nothing was called")
    assert not (here / "called").exists()
    document = fairtrial("check", "--json").document
    assert document["status"] == "refused"
    assert sum(r["severity"] == "error" for r in document["remarks"]) == int(lines[-1].split()[0])
    refused = fairtrial("run")
    assert refused.code == 2
    assert "more: `fairtrial check` shows all" in refused.complaint


def test_what_can_not_be_executed_is_found_where_it_is_written(here: Path) -> None:
    (here / "ours.py").write_text("async def later(record): ...\n")
    rules = [
        {"rule": "contains", "pattern": "(a"},
        {"rule": "contains", "pattern": r"(a)\1"},
        {"rule": "python", "function": "nowhere:at_all"},
        {"rule": "python", "function": "ours:later"},
        {"rule": "json_path", "path": "$["},
    ]
    write_project(here, [case(n, expect=[rule]) for n, rule in enumerate(rules)])
    said = fairtrial("check", "--json")
    assert said.code == 2
    errors = [remark for remark in said.document["remarks"] if remark["severity"] == "error"]
    assert [remark["case"] for remark in errors] == [f"price-{n}" for n in range(5)]
    text = (here / "prices.json").read_text().splitlines()
    for remark in errors:
        line = int(remark["where"].rpartition(":")[2])
        assert '"rule"' in text[line - 1] or "{" in text[line - 1], remark


def test_golden_samples_and_thresholds_are_part_of_it(here: Path) -> None:
    write_project(here, 3, run='golden = "golden.json"\n', more="[doubts]\nfew_cases = 3\n")
    golden = [
        {"id": "good", "case": "price-1", "output": "101", "score": 1},
        {"id": "folded", "case": "price-1", "output": "100", "score": 1},
        {"id": "lost", "case": "price-99", "output": "100", "score": 1},
    ]
    (here / "golden.json").write_text(json.dumps(golden))
    said = fairtrial("check")
    assert said.code == 2
    assert "golden sample 'folded', score: expected 1, got 0" in said.out
    assert (
        "hint: golden samples of cases that this set has not are not checked: 1, the first is 'lost'"
        in said.out
    )
    assert "line `few_cases` is made more lenient without a name and a reason" in said.out
    (here / "golden.json").write_text('[{"id": "x"}]')
    broken = fairtrial("check", "--json")
    assert broken.code == 2
    assert any("golden.json:1" in remark["where"] for remark in broken.document["remarks"])
    assert any("few_cases" in remark["what"] for remark in broken.document["remarks"])


def test_a_good_set_and_its_null_agents(project: Path) -> None:
    said = fairtrial("check")
    assert said.code == 0
    assert said.out.splitlines()[-1] == "24 cases can be run; no golden samples"
    assert fairtrial("check", "--json").document["null_agents"] is None
    echo = [case(0), case(1, expect=["item"]), case(2, expect=[{"rule": "length", "max": 500}])]
    write_cases(project / "prices.json", echo)
    found = fairtrial("check", "--null", "--json")
    assert found.code == 0
    assert found.document["null_agents"]["echo"] == ["price-1", "price-2"]
    assert found.document["null_agents"]["empty"] == ["price-2"]
    assert found.document["nothing"]["echo"]["share"] == 2 / 3
    shown = fairtrial("check", "--null").out
    assert "null agent echo: passes 2 of 3 (67%), ret_ratio 0.800: price-1, price-2" in shown
    assert "hint: doing nothing scores: null agent echo passes 66.7%, ret_ratio 0.800" in shown
    chinese = fairtrial("check", "--null", env={"FAIRTRIAL_LANG": "zh"}).out
    assert "通过 2/3（67%），ret_ratio 0.800：price-1, price-2" in chinese


def test_equal_weights_are_a_hint_and_no_error(here: Path) -> None:
    write_project(here, [case(n, weight=1) for n in range(6)])
    said = fairtrial("check")
    assert said.code == 0
    assert "hint" in said.out


def test_a_filter_that_matches_nothing(project: Path) -> None:
    for words in (("--case", "price-99"), ("--tag", "prime")):
        said = fairtrial("check", *words)
        assert said.code == 2
        assert f"{words[0]}: error: no case matches `{words[1]}`" in said.out
    assert fairtrial("check", "--tag", "even", "--limit", 3).code == 0
    assert "there is no log yet" in fairtrial("check", "--failed").out
    fairtrial("run")
    assert fairtrial("check", "--failed", "--json").document["cases"] == 6


def test_nothing_to_check(here: Path) -> None:
    for words, what in (
        ((), "no case set named"),
        (("nowhere",), "no such file or folder"),
        ((here,), "no case file in the folder"),
    ):
        said = fairtrial("check", *words)
        assert said.code == 2
        assert what in said.err + said.out


def test_the_same_in_the_c_locale(here: Path) -> None:
    write_cases(here / "题目.json", [case(n, id=f"问题-{n}", expect=["中文"]) for n in range(2)])
    bom = here / "bom.json"
    bom.write_bytes(b"\xef\xbb\xbf" + (here / "题目.json").read_bytes())
    gbk = here / "gbk.json"
    gbk.write_bytes((here / "题目.json").read_text("utf-8").encode("gbk"))

    def check(*names: str, **environment: str) -> tuple[int, bytes]:
        words = [sys.executable, "-m", "fairtrial", "check", *names]
        done = subprocess.run(words, capture_output=True, check=False, env=os.environ | environment)
        assert done.stderr == b""
        return done.returncode, done.stdout

    plain = check("题目.json", "bom.json", "gbk.json")
    assert plain[0] == 2
    assert check("题目.json", "bom.json", "gbk.json", LC_ALL="C") == plain
    code, out = check(
        "题目.json", LC_ALL="C", PYTHONCOERCECLOCALE="0", PYTHONUTF8="0", PYTHONIOENCODING="ascii"
    )
    assert code == 0
    assert b"2 cases can be run" in out


def test_functions_of_the_project_are_found_from_elsewhere(here: Path) -> None:
    home = here / "home"
    home.mkdir()
    (home / "house_rules.py").write_text("def fair(record, least):\n    return '1' in record.reply\n")
    rule = {"rule": "python", "function": "house_rules:fair", "args": {"least": 2}}
    write_project(home, [case(n, expect=[rule]) for n in range(24)])
    assert fairtrial("check", "--config", home / "fairtrial.toml").code == 0
    said = fairtrial("run", "--config", home / "fairtrial.toml", "--json")
    assert said.code == 0
    assert said.log.parent == home / "logs"
    assert fairtrial("rescore", said.log).code == 0


def test_a_reference_that_does_not_pass_is_an_error_where_it_is_written(here: Path) -> None:
    right = case(0, expect=["原路退回"], reference="459 元会原路退回")
    wrong = case(1, expect=["原路退回", {"rule": "tool_called", "tool": "refund"}], reference="请稍候")
    write_project(here, [right, wrong, case(2)])
    said = fairtrial("check", "--json")
    assert (said.code, said.document["references"]) == (2, 2)
    (error,) = [remark for remark in said.document["remarks"] if remark["severity"] == "error"]
    line = int(error["where"].rpartition(":")[2])
    assert '"reference": "请稍候"' in (here / "prices.json").read_text("utf-8").splitlines()[line - 1]
    assert error["case"] == "price-1"
    assert "rule 0 (contains): expected met, got not met" in error["what"]
    assert any(": 1, in 1 of the cases" in remark["what"] for remark in said.document["remarks"])
    write_project(here, [right, case(2)])
    assert fairtrial("check").out.endswith("; references that pass: 1\n")


def test_where_doing_nothing_scores_is_named(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    easy = [case(n, expect=[{"rule": "length", "max": 500}], set="bad", tags=["闲聊"]) for n in range(3)]
    write_project(here, [*easy, *(case(n) for n in range(3, 13))])
    found = fairtrial("check", "--null", "--json").document
    groups = [{"group": group, "passed": 3, "cases": 3} for group in ("set bad", "tag 闲聊")]
    assert found["nothing"]["refusing"]["where"] == groups
    assert found["nothing"]["refusing"]["share"] == 3 / 13
    monkeypatch.setenv("FAIRTRIAL_LANG", "zh")
    assert "集中在 set bad (3/3), tag 闲聊 (3/3)" in fairtrial("check", "--null").out
