"""Rounds of cases whose users speak and whose sessions are disturbed, as a person runs them."""

import json
from pathlib import Path
from typing import Any

import pytest
from commands import fairtrial, header, rows

AGENT = '''
class Clerk:
    """Asks for the order number until it has it, then says that it refunded."""

    def __init__(self):
        self.order = None

    def __call__(self, text):
        if "JD2024111138271" in text:
            self.order = "JD2024111138271"
        if self.order is None:
            return "请提供您的订单号。"
        return {"text": f"订单 {self.order} 已退款。", "state": {"order": self.order, "status": "refunded"}}


class Customer:
    """Plays a persona: tells its number when it was asked twice, then ends."""

    def __init__(self):
        self.heard = []

    def __call__(self, text):
        self.heard.append(text)
        if "已退款" in text:
            return "[结束]"
        return "订单号 JD2024111138271" if len(self.heard) > 1 else "怎么退？"


def inventive(text):
    return "订单号是 JD2024999900001"


def broken(text):
    raise RuntimeError("out of order")
'''
TABLE = {
    "answers": [{"when": {"asks": "order_number"}, "say": "订单号 JD2024111138271", "late": 1}],
    "otherwise": "等一下，我找找",
}
PERSONA = {"persona": "一位顾客", "goal": "退掉订单 JD2024111138271"}


@pytest.fixture
def shop(here: Path) -> Path:
    (here / "clerk.py").write_text(AGENT, "utf-8")
    return here


def project(folder: Path, player: str = "", **fields: Any) -> Path:
    table = f'[user]\ntype = "python"\nfunction = "clerk.py:{player}"\n' if player else ""
    (folder / "fairtrial.toml").write_text(
        f'[agent]\ntype = "python"\nfunction = "clerk.py:Clerk"\n{table}'
        '[run]\ncases = ["cases.json"]\ntrials = 2\n',
        "utf-8",
    )
    case = {"id": "退款", "input": "我要退款", "expect": "JD2024111138271"} | fields
    file = folder / "cases.json"
    file.write_text(json.dumps([case], ensure_ascii=False, indent=1), "utf-8")
    return file


def said(log: Path) -> list[str]:
    return [turn["user"] for turn in rows(log)[0]["record"]["turns"]]


def test_a_user_of_a_table_gives_the_order_number_late(shop: Path) -> None:
    project(shop, user=TABLE)
    done = fairtrial("run", "--json")
    assert said(done.log) == ["我要退款", "等一下，我找找", "订单号 JD2024111138271"]
    assert done.document["counts"]["scored"] == 2
    assert done.document["ret_ratio"]["mean"] == 1.0


def test_what_was_done_stands_in_the_turn_where_it_happened(shop: Path) -> None:
    disturb = [
        {"do": "utter", "text": "在吗", "before": 0},
        {"do": "pause", "before": 0, "seconds": 3600},
        {"do": "utter", "text": "来了", "after_tool": "never"},
        {"do": "snapshot", "after": 0, "name": "asked"},
    ]
    project(shop, disturb=disturb)
    done = fairtrial("run", "--json")
    record = rows(done.log)[0]["record"]
    assert [turn["user"] for turn in record["turns"]] == ["在吗", "我要退款"]
    assert [d["do"] for turn in record["turns"] for d in turn["disturbed"]] == ["utter", "pause"]
    assert record["unfired"] == [2, 3]  # this clerk shows no state
    assert any("in 2 of 2 sessions" in note for note in done.document["notes"])


def test_a_persona_is_played_and_named_in_the_header_and_the_fingerprint(shop: Path) -> None:
    project(shop, "Customer", user=PERSONA)
    done = fairtrial("run", "--json")
    assert said(done.log) == ["我要退款", "怎么退？", "订单号 JD2024111138271"]
    assert "; cost unknown, without whoever plays the users\n" in done.err
    assert header(done.log)["config"]["user"]["function"] == "clerk.py:Customer"
    first = header(done.log)["fingerprint"]["parts"]["cases"]
    project(shop, "inventive", user=PERSONA)
    second = header(fairtrial("run", "--json").log)["fingerprint"]["parts"]["cases"]
    assert first["digest"] != second["digest"]


@pytest.mark.parametrize(
    ("player", "status", "kind"),
    [("inventive", "user_error", "invented"), ("broken", "infra_error", "player")],
)
def test_a_user_that_fails_is_never_the_failure_of_the_agent(
    shop: Path, player: str, status: str, kind: str
) -> None:
    project(shop, player, user=PERSONA)
    done = fairtrial("run", "--json")
    record = rows(done.log)[0]["record"]
    assert (record["status"], record["failure"]["kind"]) == (status, kind)
    assert done.document["counts"]["by_status"] == {status: 2}
    assert done.document["counts"]["scored"] == 0


def test_a_persona_without_a_player_is_refused_before_anything_is_called(shop: Path) -> None:
    project(shop, user=PERSONA)
    for command in ("run", "check"):
        refused = fairtrial(command)
        assert refused.code == 2
        assert "nobody is named to play it" in refused.out + refused.err
        assert "[user]" in refused.out + refused.err
    assert not (shop / "logs").exists()


def test_a_player_that_is_no_agent_is_refused_with_its_line(shop: Path) -> None:
    project(shop, "Customer", user=PERSONA)
    file = shop / "fairtrial.toml"
    file.write_text(
        file.read_text("utf-8").replace('function = "clerk.py:Customer"', "functoin = 3"), "utf-8"
    )
    refused = fairtrial("run")
    assert refused.code == 2
    assert "user.functoin" in refused.complaint or "user.function" in refused.complaint
    assert "fairtrial.toml:" in refused.complaint


def test_a_pattern_that_is_none_is_told_with_its_line(shop: Path) -> None:
    project(shop)
    case = {
        "id": "a",
        "input": "x",
        "expect": "y",
        "user": {"answers": [{"when": {"reply": "(?=x)"}, "say": "z"}]},
    }
    (shop / "cases.json").write_text(json.dumps([case], indent=1), "utf-8")
    checked = fairtrial("check")
    assert checked.code == 2
    assert "cases.json:6" in checked.out + checked.err
    assert "look-ahead" in checked.out + checked.err
    assert fairtrial("run").code == 2


def test_a_tool_that_nothing_knows_is_a_hint(shop: Path) -> None:
    expect = [{"rule": "tool_called", "tool": "query_order"}, "x"]
    disturb = [{"do": "utter", "text": "快点", "after_tool": "query_ordre"}]
    project(shop, expect=expect, disturb=disturb)
    checked = fairtrial("check", "--json")
    assert checked.code == 0
    hints = [one["what"] for one in checked.document["remarks"] if "query_ordre" in one["what"]]
    assert len(hints) == 1
    assert "did you mean `query_order`" in hints[0]


@pytest.mark.parametrize(("clock", "late"), [("", 1), ('clock = "2026-01-01T09:00:00+08:00"\n', 2)])
def test_a_moment_that_no_session_lives_to_see_is_a_hint(shop: Path, clock: str, late: int) -> None:
    moments = [{"do": "utter", "text": f"还在吗{s}", "after_seconds": s} for s in (3661, 3630, 3600)]
    project(shop, disturb=[{"do": "pause", "before": 0, "seconds": 3600}, *moments])
    file = shop / "fairtrial.toml"
    file.write_text(file.read_text("utf-8") + clock, "utf-8")
    checked = fairtrial("check", "--json")
    hints = [one["what"] for one in checked.document["remarks"] if "after_seconds" in one["what"]]
    assert len(hints) == late


def test_a_disturbed_case_and_its_player_are_reproduced(shop: Path) -> None:
    project(shop, "Customer", user=PERSONA)
    first = fairtrial("run", "--json")
    again = fairtrial("reproduce", first.log, "--json")
    assert again.code == 0, again.err
    assert again.document["status"] == "agrees"


def test_a_round_of_personas_is_resumed(shop: Path) -> None:
    project(shop, "Customer", user=PERSONA)
    done = fairtrial("run", "--json")
    lines = done.log.read_text("utf-8").splitlines(keepends=True)
    part = done.log.with_suffix(".jsonl.part")
    begun = json.loads(lines[0]) | {"status": "running", "summary": None, "doubts": [], "ended": None}
    part.write_text(json.dumps(begun, ensure_ascii=False) + "\n" + lines[1], "utf-8")
    done.log.unlink()
    resumed = fairtrial("run", "--resume", part, "--json")
    assert resumed.document["counts"]["scored"] == 2, resumed.err
    assert said(resumed.log) == ["我要退款", "怎么退？", "订单号 JD2024111138271"]
