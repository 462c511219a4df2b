"""`cases expand` as a person uses it: by a model that behaves or does not, and by rules without one."""

import errno
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from aiohttp import web
from commands import Said, fairtrial
from fake_server import Act, FakeServer, busy, cut, hang, say, status, wait
from served import serving

from fairtrial.cases.load import load_or_refuse

CASES: list[dict[str, Any]] = [
    {
        "id": "zh-1",
        "version": 3,
        "input": "我上周买的毛衣想退款，订单号 JD2024111138271，能退吗？",
        "expect": ["退款"],
        "tags": ["zh"],
        "weight": 3,
        "task_type": "refund",
        "set": "incident",
        "source": "log-7",
        "observed": "2024-11-08",
        "key_facts": ["毛衣"],
        "created_by": "zhang.li",
        "reviewed_by": "wang.fang",
        "changelog": ["2024-11-10 修正期望答案"],
    },
    {
        "id": "zh-2",
        "input": ["我要退货 JD2024111140325", "是的，确认退款"],
        "expect": "退款",
        "tags": ["zh"],
        "cluster": "confirm",
    },
    {
        "id": "en-1",
        "version": 1,
        "input": "I would like a refund for order US20241105120, can you do it before Friday?",
        "expect": "refund",
        "tags": ["en"],
    },
]
ZH = [
    ("colloquial", "上周买那毛衣咋退啊，单号 JD2024111138271，给退不？"),
    ("colloquial", "哎毛衣整不明白，上周买的，JD2024111138271 这单还能退钱不呀"),
    ("complaint", "真是气死我了！毛衣上周买的，想退款，订单 JD2024111138271，能退吗？"),
    ("typos", "我上周买的毛衣想腿款，订单号 JD2024111138271，能退吗？"),
    ("mixed", "我上周买的毛衣想 return 掉，order 号 JD2024111138271，能退吗？"),
]
EN = [
    ("colloquial", "hey, gonna need a refund for US20241105120, can u do it before Friday?"),
    ("colloquial", "yo wanna get my money back on US20241105120, doable before Friday?"),
    ("complaint", "This is ridiculous! I want my refund for US20241105120 before Friday, can you do it?"),
    ("typos", "I wuold like a refnud for order US20241105120, can you do it before Friday?"),
    ("chatter", "I just got home from work. I need a refund for US20241105120, can you do it before Friday?"),
]


def reply(variants: list[tuple[str, Any]]) -> str:
    found = [{"question": question, "variant_type": kind} for kind, question in variants]
    return json.dumps(found, ensure_ascii=False)


def whichever(**acts: Act) -> Act:
    """The act whose name is said in what is asked: requests that are under way together come in any order."""

    async def act(request: web.BaseRequest) -> web.StreamResponse:
        told = (await request.read()).decode()
        chosen = next(act for word, act in acts.items() if word in told)
        return await chosen(request)

    return act


@pytest.fixture
def server() -> Iterator[FakeServer]:
    with serving() as server:
        yield server


@pytest.fixture
def shop(here: Path) -> Path:
    (here / "cases.json").write_text(json.dumps(CASES, ensure_ascii=False), "utf-8")
    (here / "agent.py").write_text("def agent(text):\n    return 'refund' if 'US' in text else '不行'\n")
    (here / "fairtrial.toml").write_text(
        '[agent]\ntype = "python"\nfunction = "agent.py:agent"\n\n[run]\ncases = ["cases.json"]\ntrials = 1\n'
    )
    return here


@pytest.fixture
def written(shop: Path, server: FakeServer) -> FakeServer:
    """The model server, which the project names as its writer."""
    with (shop / "fairtrial.toml").open("a") as file:
        file.write(f'\n[writer]\ntype = "openai"\nmodel = "m"\nbase_url = "{server.url}"\n')
    return server


def expand(*words: object, **more: Any) -> Said:
    return fairtrial("cases", "expand", *words, **more)


def queued(where: str = "queue") -> dict[str, Any]:
    """The cases that wait, by id."""
    found = (yaml.safe_load(path.read_text("utf-8")) for path in sorted(Path(where).glob("*.yaml")))
    return {one["case"]["id"]: one for one in found}


def asked(server: FakeServer, number: int = -1) -> str:
    return str(server.bodies[number]["messages"][-1]["content"])


def test_a_model_writes_five_variants_that_wait_for_a_person(written: FakeServer) -> None:
    written.script(say(reply(ZH)))
    said = expand("--case", "zh-1", "--who", "li.na", "--json")
    assert said.code == 0, said.err
    found = said.document
    ids = [f"zh-1-{name}" for name in ("colloquial-1", "colloquial-2", "complaint-1", "typos-1", "mixed-1")]
    assert found["status"] == "queued"
    assert found["writer"] == "openai:m"
    assert found["cases"] == [{"case": "zh-1", "asked": 5, "waiting": 0, "kept": ids, "refused": []}]
    assert (found["requests"], found["answered"], found["cost"]) == (1, 1, None)
    assert "requests to openai:m: 1, 2 at most" in said.err
    one = queued()["zh-1-typos-1"]
    assert one["from"] == "zh-1@3"
    case = one["case"]
    assert case["input"] == ZH[3][1]
    assert (case["parent"], case["variant_type"], case["version"]) == ("zh-1@3", "typos", 1)
    assert (case["cluster"], case["source"], case["set"]) == ("log-7", "log-7", "incident")
    assert (case["tags"], case["weight"], case["key_facts"]) == (["zh"], 3.0, ["毛衣"])
    assert (case["created_by"], case["observed"]) == ("li.na", "2024-11-08")
    assert "reviewed_by" not in case
    assert len(case["changelog"]) == 1
    # Nothing of the set changed, and what waits is a case that can be read.
    assert json.loads(Path("cases.json").read_text("utf-8")) == CASES
    Path("taken.json").write_text(json.dumps([one["case"] for one in queued().values()]), "utf-8")
    taken = load_or_refuse([Path("taken.json")]).cases
    assert {case.rules for case in taken} == {load_or_refuse([Path("cases.json")]).cases[0].rules}


def test_the_failed_are_expanded_unless_others_are_named(written: FakeServer) -> None:
    assert fairtrial("run").code in (0, 1, 3)
    two = [
        (kind, [f"{words} JD2024111140325", "嗯嗯对呀，给退了吧"])
        for kind, words in [
            ("colloquial", "咋退货啊"),
            ("colloquial", "这单咱不要啦，麻溜退"),
            ("complaint", "真是气死我了！我要退货"),
            ("typos", "我药退货"),
            ("chatter", "刚吃完饭有点犯困。想退货"),
        ]
    ]
    written.script(*[whichever(JD2024111138271=say(reply(ZH)), JD2024111140325=say(reply(two)))] * 2)
    said = expand("--json")
    assert said.code == 0, said.out
    assert [case["case"] for case in said.document["cases"]] == ["zh-1", "zh-2"]
    case = queued()["zh-2-typos-1"]["case"]
    assert case["input"] == ["我药退货 JD2024111140325", "嗯嗯对呀，给退了吧"]
    assert (case["parent"], case["cluster"]) == ("zh-2", "confirm")
    assert '["JD2024111140325"]' in "".join(asked(written, n) for n in range(2))


def test_an_english_case_is_asked_for_in_english(written: FakeServer) -> None:
    written.script(say(f"Sure! Here they are:\n```json\n{reply(EN)}\n```"))
    said = expand("--tag", "en", "--json", env={"FAIRTRIAL_LANG": "zh"})
    assert said.code == 0, said.out
    assert "请求 openai:m：1 次" in said.err
    assert asked(written).startswith("Below is what a user says")
    assert '"US20241105120"' in asked(written)
    assert len(queued()) == 5


def test_a_reply_cut_short_is_mended_and_the_missing_asked_for_once_more(written: FakeServer) -> None:
    text = reply(ZH)
    written.script(say(text[: text.index("上周买的，想退款")]), say(reply(ZH[2:])))
    said = expand("--case", "zh-1", "--json")
    assert said.code == 0, said.out
    assert written.requests == 2
    again = asked(written)
    assert "写出 3 种" in again
    assert "至少 1 种 complaint" in again
    assert ZH[0][1] in again
    (refused,) = said.document["cases"][0]["refused"]
    assert refused["variant_type"] != "complaint" or "JD2024111138271" in refused["why"]


@pytest.mark.parametrize(
    ("spoilt", "told"),
    [
        (("typos", "我上周买的毛衣想腿款，能退吗？"), "turn 1 lacks `JD2024111138271`"),
        (("typos", "我上周买的毛衣想退款，订单号 JD2024111138271 能退吗"), "no mistyped word"),
        (("typo", ZH[3][1]), "is none of colloquial"),
        (("colloquial", ZH[0][1]), "says the same"),
        (("colloquial", "瞅瞅我上周那件毛衣 JD2024111138271 能给退不，谢啦"), "enough of this kind"),
        (("typos", ["我上周买的毛衣想腿款", "JD2024111138271"]), "is not 1 texts"),
        (("typos", None), "is not 1 texts"),
    ],
)
def test_what_is_no_variant_is_refused_and_reported(
    written: FakeServer, spoilt: tuple[str, Any], told: str
) -> None:
    others = [one for one in ZH if one[0] != "typos"]
    written.script(say(reply([*others, spoilt])), say(reply([spoilt])))
    said = expand("--case", "zh-1", "--json")
    assert said.code == 3
    assert said.document["status"] == "short"
    (case,) = said.document["cases"]
    assert len(case["kept"]) == 4
    assert told in case["refused"][0]["why"]
    assert len(queued()) == 4
    assert "至少 1 种 typos" in asked(written)
    assert told in asked(written) or spoilt[1] is None
    # To a person it is shown line by line.
    written.script(say("[]"), say("no"))
    shown = expand("--case", "zh-1")
    assert shown.code == 3
    assert "zh-1: refused: no JSON array: no" in shown.out
    assert "zh-1      5      4    0        1        2" in shown.out


def test_prose_is_refused_with_what_it_said(written: FakeServer) -> None:
    written.script(say("抱歉，我无法帮助。"), say("1. 咋退啊 2. 搞半天"))
    said = expand("--case", "zh-1", "--json")
    assert said.code == 3
    whys = [one["why"] for one in said.document["cases"][0]["refused"]]
    assert whys == ["no JSON array: 抱歉，我无法帮助。", "no JSON array: 1. 咋退啊 2. 搞半天"]
    assert not Path("queue").exists()


def test_a_busy_writer_is_asked_again(written: FakeServer) -> None:
    written.script(busy(0), busy(0, code=503), say(reply(ZH)))
    assert expand("--case", "zh-1").code == 0
    assert written.requests == 3


@pytest.mark.parametrize(
    ("act", "told"), [(hang(), "timeout"), (status(401), "HTTP 401: as told"), (cut(), "stream_cut")]
)
def test_a_writer_that_does_not_answer_is_no_refusal(written: FakeServer, act: Act, told: str) -> None:
    written.script(act)
    said = expand("--case", "zh-1", "--timeout", "0.3", "--json")
    assert said.code == 4
    assert said.document["status"] == "unanswered"
    assert told in said.document["cases"][0]["refused"][0]["why"]


def test_a_request_that_fails_spoils_no_other(written: FakeServer) -> None:
    written.script(*[whichever(JD2024111138271=status(500), US20241105120=say(reply(EN)))] * 2)
    said = expand("--case", "zh-1", "--case", "en-1", "--json")
    assert said.code == 3
    assert (said.document["requests"], said.document["answered"]) == (2, 1)
    assert [len(case["kept"]) for case in said.document["cases"]] == [0, 5]


def test_a_second_run_asks_for_nothing_that_is_there(written: FakeServer) -> None:
    written.script(say(reply(ZH)))
    assert expand("--case", "zh-1").code == 0
    before = queued()
    said = expand("--case", "zh-1", "--json")
    assert said.code == 0
    assert said.document["cases"] == [{"case": "zh-1", "asked": 5, "waiting": 5, "kept": [], "refused": []}]
    assert written.requests == 1
    assert queued() == before
    # What a person took into the set counts too, whoever else still waits.
    one = Path("queue/zh-1-typos-1.yaml")
    taken = yaml.safe_load(one.read_text("utf-8"))["case"]
    Path("cases.json").write_text(json.dumps([*CASES, taken], ensure_ascii=False), "utf-8")
    one.unlink()
    assert expand("--case", "zh-1", "--json").document["cases"][0]["waiting"] == 5
    # A variant is not varied itself; a case that has become another is varied anew.
    refused = expand("--case", "zh-1-typos-1")
    assert refused.code == 2
    assert "variants themselves" in refused.complaint
    Path("cases.json").write_text(json.dumps([CASES[0] | {"version": 4}, taken], ensure_ascii=False), "utf-8")
    written.script(say(reply(ZH)), say(reply([])))
    said = expand("--case", "zh-1", "--json")
    assert said.code == 3
    assert {one["why"] for one in said.document["cases"][0]["refused"][:5]} == {
        "the original, a case or another variant says the same"
    }


def test_by_rules_where_there_is_no_model(shop: Path) -> None:
    said = expand("--tag", "zh", "--tag", "en", "--json")
    assert said.code == 0, said.out
    assert "by rules: no model is asked" in said.err
    found = said.document
    assert (found["writer"], found["requests"], found["cost"]) == ("rules", 0, 0.0)
    waiting = queued()
    assert len(waiting) == 15
    for case in CASES:
        kinds = [
            one["case"]["variant_type"]
            for one in waiting.values()
            if one["case"]["id"].startswith(case["id"])
        ]
        assert (kinds.count("colloquial"), kinds.count("complaint"), kinds.count("typos")) == (2, 1, 1)
    for one in waiting.values():
        if one["case"]["id"].startswith("zh-2"):
            assert "JD2024111140325" in one["case"]["input"][0]
            assert "disturb" not in one["case"]
    # The same again is the same; another seed is not.
    expand("--tag", "zh", "--tag", "en", "--config", "fairtrial.toml")
    assert queued() == waiting
    for path in Path("queue").glob("*.yaml"):
        path.unlink()
    expand("--tag", "zh", "--tag", "en")
    assert queued() == waiting
    for path in Path("queue").glob("*.yaml"):
        path.unlink()
    expand("--tag", "zh", "--tag", "en", "--seed", "7")
    assert {one["case"]["input"] for one in queued().values() if isinstance(one["case"]["input"], str)} != {
        one["case"]["input"] for one in waiting.values() if isinstance(one["case"]["input"], str)
    }


def test_what_a_reviewer_rejected_does_not_come_again(shop: Path) -> None:
    assert expand("--case", "en-1").code == 0
    before = queued()["en-1-typos-1"]["case"]["input"]
    words = ("cases", "reject", "en-1-typos-1", "--who", "wang.fang", "--why", "nobody writes so")
    assert fairtrial(*words).code == 0
    assert expand("--case", "en-1").code == 0
    assert queued()["en-1-typos-1"]["case"]["input"] != before
    # An accepted one is in the set, with its reviewer, and is counted there.
    words = ("cases", "accept", "en-1-mixed-1", "--who", "wang.fang", "--into", "cases.json")
    assert fairtrial(*words).code == 0
    taken = load_or_refuse([Path("cases.json")]).by_id()["en-1-mixed-1"]
    assert (taken.parent, taken.reviewed_by) == ("en-1@1", "wang.fang")
    assert expand("--case", "en-1", "--json").document["cases"][0]["waiting"] == 5


def test_variants_are_no_leaks_within_their_set_but_between_sets(shop: Path) -> None:
    expand("--case", "en-1")
    words = ("cases", "accept", *queued(), "--who", "wang.fang", "--into", "cases.json")
    assert fairtrial(*words).code == 0
    assert fairtrial("cases", "leaks", "--json").document["copies"] == []
    moved = [
        case | {"set": "bad"} if case["id"] == "en-1-typos-1" else case
        for case in json.loads(Path("cases.json").read_text("utf-8"))
    ]
    Path("cases.json").write_text(json.dumps(moved), "utf-8")
    (copy, *_) = fairtrial("cases", "leaks", "--json").document["copies"]
    assert {copy["case"], copy["of"]} >= {"en-1-typos-1"}


def test_no_model_leaves_the_writer_alone(written: FakeServer) -> None:
    said = expand("--case", "zh-1", "--no-model", "--per", "7", "--json")
    assert written.requests == 0
    assert len(said.document["cases"][0]["kept"]) == 7


def test_steps_that_shape_the_words_are_said_outright(shop: Path) -> None:
    steps = [
        {"do": "edit", "start": 0, "end": 0, "text": "那个，"},
        {"do": "snapshot", "after": 0, "name": "a"},
    ]
    edited = CASES[0] | {"id": "edited", "disturb": steps}
    parted = CASES[0] | {"id": "parted", "disturb": [{"do": "split", "at": 5}]}
    Path("cases.json").write_text(json.dumps([edited, parted], ensure_ascii=False), "utf-8")
    said = expand("--tag", "zh", "--json")
    assert said.code == 3
    first, second = said.document["cases"]
    assert len(first["kept"]) == 5
    case = queued()["edited-complaint-1"]["case"]
    assert "那个，我上周买的毛衣" in case["input"]
    assert [step["do"] for step in case["disturb"]] == ["snapshot"]
    assert second["kept"] == []
    assert "parted" in second["refused"][0]["why"]


def test_what_cannot_be_expanded_is_refused_before_anybody_is_asked(written: FakeServer) -> None:
    none = expand()
    assert none.code == 2
    assert "no log yet" in none.complaint
    unknown = expand("--case", "zh-11")
    assert unknown.code == 2
    assert "`zh-1`" in unknown.complaint
    Path("queue").mkdir()
    Path("queue/torn.yaml").write_text("case: {id: x\n", "utf-8")
    torn = expand("--case", "zh-1")
    assert torn.code == 2
    assert "torn.yaml" in torn.complaint
    text = Path("fairtrial.toml").read_text()
    Path("fairtrial.toml").write_text(text.replace("base_url", "base_ur"))
    assert "did you mean `base_url`?" in expand("--case", "zh-1").complaint
    assert written.requests == 0


def test_a_full_disk_loses_nothing_that_is_there(
    written: FakeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    link, left = os.link, [2]

    def full(*names: Any) -> None:
        left[0] -= 1
        if left[0] < 0:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        link(*names)

    written.script(say(reply(ZH)))
    with monkeypatch.context() as patch:
        patch.setattr(os, "link", full)
        said = expand("--case", "zh-1")
    assert said.code == 4
    assert "No space left" in said.err
    assert len(queued()) == len(list(Path("queue").iterdir())) == 2


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_who_stops_it_keeps_what_came_and_gets_the_rest_later(
    written: FakeServer, how: signal.Signals
) -> None:
    slow = whichever(JD2024111138271=say(reply(ZH)), US20241105120=wait(60, say(reply(EN))))
    written.script(slow, slow)
    words = [
        sys.executable,
        "-m",
        "fairtrial",
        "cases",
        "expand",
        "--case",
        "zh-1",
        "--case",
        "en-1",
        "--json",
    ]
    process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    for _ in range(600):
        if len(list(Path("queue").glob("[!.]*.yaml"))) == 5:
            break
        time.sleep(0.05)
    at_once = expand("--case", "en-1", "--no-model")
    assert at_once.code == 2
    assert "being written here already" in at_once.complaint
    process.send_signal(how)
    out, _ = process.communicate(timeout=30)
    assert len(queued()) == 5
    if how is signal.SIGINT:
        assert process.returncode == 3
        assert json.loads(out)["stopped"] is True
    written.script(say(reply(EN)))
    said = expand("--case", "zh-1", "--case", "en-1", "--json")
    assert said.code == 0, said.out
    assert [len(case["kept"]) for case in said.document["cases"]] == [0, 5]
    assert len(queued()) == 10
