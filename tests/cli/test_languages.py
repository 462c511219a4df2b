"""Both languages, and locales that know neither."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from commands import fairtrial, write_project
from rich.cells import cell_len

CASES = [
    {
        "id": f"价格-{n}",
        "input": f"item {n} 请问多少钱？",
        "expect": [{"rule": "number", "value": n + 100}],
        "weight": 3 if n % 2 else 1,
        "tags": ["价格", "奇数" if n % 2 else "偶数"],
    }
    for n in range(24)
]
CLERK = """
def right(text):
    n = int(text.split()[1])
    return "这个我不清楚。" if n % 4 == 0 else f"第 {n} 件 {n + 100} 元，请在前台付款。"
"""


@pytest.fixture
def shop(here: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    write_project(here, CASES)
    (here / "clerk.py").write_text(CLERK, "utf-8")
    monkeypatch.setenv("FAIRTRIAL_LANG", "zh")
    return here


def test_a_round_in_chinese(shop: Path) -> None:
    said = fairtrial("run")
    assert said.code == 0
    plan, *_, last = said.err.splitlines()
    assert plan.startswith("24 个用例 × 3 次 = 72 个会话；python:")
    assert last == "72/72 未命中 18，未答 0"
    for words in (
        "可信：没有亮起禁止性的认错线",
        "均值",
        "95% 区间",
        "用例数",
        "会话：计划 72，计分 72，出错 0",
        "未亮：",
        "无法判断：",
        "日志：",
    ):
        assert words in said.out, words
    assert "clustered（24 簇）" in said.out
    quick = fairtrial("run", "--mode", "quick").out
    assert "在共有的 24 个用例上没有报警；这不能证明进步。\n  对比的是 2" in quick
    assert "no alarm" not in quick
    unreliable = fairtrial("run", "--limit", 5)
    assert "UNRELIABLE：本轮不可信（few_cases" in unreliable.out
    assert "docs/doubts" in unreliable.out


def test_columns_stand_under_each_other_by_their_width_on_the_screen(shop: Path) -> None:
    out = fairtrial("run").out
    lines = out.splitlines()
    head = next(line for line in lines if "均值" in line)
    body = [line for line in lines if line.startswith((" total", " ret_ratio", " useful", " pass^"))]
    assert len(body) == 6
    right = cell_len(head[: head.index("均值") + 2])
    for line in body:
        figure = re.search(r"\d\.\d{3}", line)
        assert figure
        assert cell_len(line[: figure.end()]) == right
    tags = [line for line in lines if "价格" in line or "奇数" in line or "偶数" in line]
    ends = {cell_len(line[: re.search(r"\d\.\d{3}", line).end()]) for line in tags}  # type: ignore[union-attr]
    assert len(ends) == 1
    assert max(cell_len(line) for line in lines if not line.startswith("日志")) <= 80


def test_a_narrow_terminal_cuts_nothing_off(shop: Path) -> None:
    fairtrial("run", "--limit", 1, "--trials", 1)
    for width in ("44", "60", "80"):
        out = fairtrial("show", env={"COLUMNS": width}).out
        assert "…" not in out
        assert "0.3useful）" in "".join(out.split())


def test_show_check_and_ask_in_chinese(shop: Path) -> None:
    fairtrial("run")
    shown = fairtrial("show").out
    for words in ("未命中：是 Agent、规则还是用例的问题？ (6)", "得分 0.00", "回复：这个我不清楚。"):
        assert words in shown
    one = fairtrial("show", "logs", "价格-1", "--trial", 2).out
    for words in ("价格-1，第 2 次：completed", "用户   item 1 请问多少钱？", "得分    1.000"):
        assert words in one
    assert fairtrial("check").out.splitlines()[-1] == "24 个用例可以运行；没有金标准样本"
    (shop / "prices.json").write_text('[{"id": "甲", "input": "x"}]', "utf-8")
    bad = fairtrial("check").out
    assert "prices.json:1: 错误: 缺少 `expect`" in bad
    assert "1 处错误" in bad
    assert fairtrial("show", "没有.jsonl").complaint.startswith("fairtrial: 没有.jsonl: 没有这个文件")


@pytest.mark.parametrize(
    ("program", "told"),
    [
        ("raise SystemExit(3)", "进程以退出码 3 结束"),
        ("input(); input(); print('你好', flush=True)", "有一行输出不是 JSON：你好"),
        ('input(); input(); print(\'{"type": "reply", "text": 1}\', flush=True)', "`$.text`"),
    ],
)
def test_why_an_agent_failed_in_chinese(shop: Path, program: str, told: str) -> None:
    (shop / "agent.py").write_text(program, "utf-8")
    said = fairtrial("ask", "你好", "--agent", f"command:{sys.executable} agent.py")
    assert said.code == 4
    assert "第 1 轮（共 1 轮）：" in said.out
    assert told in said.out


def test_names_and_keys_are_the_same_in_both(shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def shape(value: object) -> object:
        if isinstance(value, dict):
            return {key: shape(item) for key, item in value.items()}
        return [shape(item) for item in value] if isinstance(value, list) else type(value)

    fairtrial("run")
    chinese = fairtrial("show", "--json").document
    english = fairtrial("rescore", "--json", env={"FAIRTRIAL_LANG": "en"}).document
    assert [doubt["name"] for doubt in chinese["doubts"]] == [doubt["name"] for doubt in english["doubts"]]
    for key in ("counts", "total", "ret_ratio", "useful", "pass_hat_k", "tags"):
        assert shape(chinese[key]) == shape(english[key])
    advice = [doubt["advice"] + doubt["meaning"] for doubt in chinese["doubts"]]
    assert all(re.search("[一-鿿]", text) for text in advice)


@pytest.mark.parametrize(
    "locale",
    [
        {"LC_ALL": "C"},
        {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"},
        {"PYTHONIOENCODING": "ascii"},
        {"PYTHONIOENCODING": "latin-1", "FAIRTRIAL_LANG": "zh"},
    ],
)
def test_no_locale_breaks_anything(shop: Path, locale: dict[str, str]) -> None:
    environment = {k: v for k, v in os.environ.items() if k != "FAIRTRIAL_LANG" and not k.startswith("LC_")}

    def command(*words: str) -> "subprocess.CompletedProcess[bytes]":
        return subprocess.run(
            [sys.executable, "-m", "fairtrial", *words],
            capture_output=True,
            check=False,
            env=environment | locale,
        )

    run = command("run", "--trials", "1", "--json")
    assert run.returncode == 0, run.stderr
    document = json.loads(run.stdout.decode("utf-8"))
    assert "价格" in document["tags"]
    show = command("show")
    assert show.returncode == 0
    assert b"Traceback" not in show.stderr
    reply = json.loads(Path(document["log"]).read_text("utf-8").splitlines()[1])["record"]["turns"][0][
        "reply"
    ]
    assert reply == "这个我不清楚。"


def test_half_a_surrogate_pair_is_shown_and_kept(here: Path) -> None:
    write_project(here, 1)
    (here / "clerk.py").write_text("def right(text):\n    return '100 \\ud83d'\n")
    said = fairtrial("run", "--json")
    assert said.code == 3
    shown = fairtrial("show", "logs", "price-0", "--json")
    assert shown.document["sessions"][0]["record"]["turns"][0]["reply"] == "100 \ud83d"
    plain = subprocess.run(
        [sys.executable, "-m", "fairtrial", "show", "logs", "price-0"], capture_output=True, check=True
    )
    assert rb"100 \ud83d" in plain.stdout
