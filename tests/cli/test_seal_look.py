"""`seal look`: counted before it is asked, figures of the whole alone, nothing of a sealed case gets out."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from commands import Said, case, fairtrial, write_cases, write_project

from fairtrial.cases.seal import Key
from fairtrial.records.closed import closed_at, read_closed
from fairtrial.schema.record import Record

AGENT = """
import json, os, sys, time
from pathlib import Path

known, manner = int(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else ""
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] != "user":
        continue
    with open("asked.log", "a") as file:
        file.write("x")
    text = message["text"]
    n = int(text.split()[1])
    reply = {"type": "reply", "text": f"Item {n} costs {n + 100} euros. Please pay at the desk."}
    if n >= known or n % 10 == 3:
        reply["text"] = "I have no idea."
    if manner == "environ":
        reply["text"] = json.dumps(dict(os.environ))
    if manner == "hang" and n % 8 == 7:
        time.sleep(600)
    if manner == "leaky":
        reply |= {"model": text, "usage": {"cost": 1}}
        print(text, file=sys.stderr, flush=True)
        if n % 4 == 1:
            sys.exit(3)
        if n % 4 == 2:
            reply = {"type": "error", "message": "cannot answer " + text, "kind": text[:30]}
        if n % 4 == 3:
            print("no JSON: " + text)
    print(json.dumps(reply), flush=True)
"""
HIDDEN = 24
TEXT = "quagga"
"""In every sealed question; `hidden-` is in every sealed id."""


def hidden(n: int, **more: Any) -> dict[str, Any]:
    return case(n, id=f"hidden-{n}", input=f"item {n} please, what is the price of a {TEXT} {n}?", **more)


def agent(known: int = 1000, manner: str = "") -> str:
    return f"command:{sys.executable} -S -E agent.py {known} {manner}".strip()


def seal(folder: Path, cases: Sequence[Any], *, looks: int = 3) -> None:
    write_cases(folder / "more.json", cases)
    said = fairtrial("seal", "add", "more.json", "--slice", "holdout", "--who", "ann", "--looks", looks)
    assert said.code == 0, said.err


def begin(folder: Path, key: Path, cases: int = 24) -> None:
    """A project of visible prices under git, whose examiner has a key."""
    write_project(folder, cases, run="concurrency = 8\ntrials = 1")
    (folder / "agent.py").write_text(AGENT, "utf-8")
    me = ("-c", "user.name=ann", "-c", "user.email=ann@example.org")
    for words in (["init", "-q"], ["add", "-A"], [*me, "commit", "-qm", "prices"]):
        subprocess.run(["git", *words], cwd=folder, check=True)
    assert fairtrial("seal", "init", "--key", key, "--who", "ann").code == 0


@pytest.fixture
def key(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the examiner's key lies: not in the project."""
    return tmp_path_factory.mktemp("examiner") / "key"


@pytest.fixture
def sealed(here: Path, key: Path) -> Path:
    """A project of 24 visible prices, with a slice of 24 cases and three looks."""
    begin(here, key)
    seal(here, [hidden(n) for n in range(HIDDEN)])
    return here


WHO = ("--who", "ann", "--why", "monthly")


def look(key: Path, *words: object, known: int = 1000, manner: str = "", **more: Any) -> Said:
    command = ["seal", "look", "holdout", "--key", key, *WHO, "--agent", agent(known, manner), *words]
    return fairtrial(*command, **more)


def entries(folder: Path, kind: str) -> list[Any]:
    found = [json.loads(line) for line in (folder / "ledger.jsonl").read_text("utf-8").splitlines()]
    return [entry for entry in found if entry["kind"] == kind]


def asked(folder: Path) -> int:
    """How many turns an agent was asked."""
    file = folder / "asked.log"
    return len(file.read_text()) if file.exists() else 0


def records(folder: Path, key: Path) -> list[Record]:
    """The sessions of the only look."""
    (log,) = (folder / "logs" / "closed").glob("*.jsonl")
    opener = Key.read(key.read_text(), str(key))
    return [row.record for row in read_closed(log, lambda data: opener.decrypt(data, ""))[1]]


# A look.


def test_figures_of_the_whole_come_out_and_the_look_is_counted(sealed: Path, key: Path) -> None:
    said = look(key, "--json", known=14)
    assert said.code == 0, said.err
    told = said.document
    assert (told["slice"], told["look"], told["budget"], told["status"]) == ("holdout", 1, 3, "reliable")
    weights = [3 if n % 2 else 1 for n in range(HIDDEN)]
    right = sum(w for n, w in enumerate(weights) if n < 14 and n % 10 != 3)
    assert told["figures"]["ret_ratio"]["mean"] == pytest.approx(right / sum(weights))
    assert (told["cases"], told["clusters"], told["counts"]["scored"]) == (24, 24, 24)
    assert told["figures"]["df"] > 10
    assert set(told["figures"]) & {"tags", "buckets", "facts"} == set()
    (debit,), (result,) = entries(sealed, "look"), entries(sealed, "result")
    assert debit["n"] + 1 == result["n"]
    assert (debit["who"], debit["body"]["why"], debit["body"]["used"]) == ("ann", "monthly", 1)
    assert "ret_ratio" in debit["body"]["reveals"]
    assert debit["body"]["fingerprint"] == result["body"]["fingerprint"] == told["fingerprint"]
    assert result["body"]["figures"]["ret_ratio"]["mean"] == told["figures"]["ret_ratio"]["mean"]
    (log,) = (sealed / "logs" / "closed").glob("*.jsonl")
    closed = closed_at(log)
    assert closed is not None
    assert (closed.entry, closed.hash) == (debit["n"], debit["hash"])
    assert len(records(sealed, key)) == HIDDEN
    assert str(sealed) not in json.dumps(result["body"]["closed"])


def test_plan_and_number_of_the_look_are_said_and_counts_alone(sealed: Path, key: Path) -> None:
    said = look(key, known=14)
    assert said.err.splitlines()[0].startswith("look 1 of 3")
    assert "24 cases × 1 trial = 24 sessions" in said.err
    assert "missed" not in said.err
    assert said.out.startswith("look 1 of 3 at holdout: reliable")
    assert "movement not known: no reliable full round of this agent" in " ".join(said.out.split())


def test_in_chinese(sealed: Path, key: Path) -> None:
    said = look(key, known=14, env={"FAIRTRIAL_LANG": "zh"})
    assert said.err.startswith("第 1 次查看，共 3 次")
    assert said.out.startswith("第 1 次查看 holdout（共 3 次）：可信")


def test_what_is_kept_beside_the_key_makes_no_other_agent(here: Path) -> None:
    key = here / "examiner.key"
    begin(here, key)
    seal(here, [hidden(n) for n in range(HIDDEN)])
    first, second = (look(key, "--json", known=14).document for _ in range(2))
    assert (here / "examiner.key.seen").exists()
    assert first["fingerprint"] == second["fingerprint"]


# Refused before it is counted.


def refused(said: Said, folder: Path, *words: str) -> None:
    assert said.code == 2, said.err
    for word in words:
        assert word in said.err
    assert TEXT not in said.err + said.out
    assert (entries(folder, "look"), asked(folder)) == ([], 0)


def test_a_spent_slice_is_refused_and_nobody_is_asked(sealed: Path, key: Path) -> None:
    for _ in range(3):
        assert look(key, known=14).code == 0
    before = asked(sealed)
    said = look(key, known=14)
    assert said.code == 2
    assert "spent: 3 of 3" in said.complaint
    assert "seal rotate" in said.complaint
    assert (len(entries(sealed, "look")), asked(sealed)) == (3, before)


def test_without_ledger_everything_is_spent(sealed: Path, key: Path) -> None:
    (sealed / "ledger.jsonl").unlink()
    said = look(key)
    assert said.code == 2
    assert "ledger" in said.complaint
    assert asked(sealed) == 0


def test_a_changed_ledger_another_key_or_slice_and_no_reason_are_refused(sealed: Path, key: Path) -> None:
    refused(fairtrial("seal", "look", "other", "--key", key, *WHO, "--agent", agent()), sealed, "holdout")
    refused(look(key, "--why", "  "), sealed, "--why")
    refused(look(key.parent / "none"), sealed, "none")
    stranger = key.parent / "stranger"
    stranger.write_text(key.read_text().replace("# side: ", "# side: 00")[:-3])
    refused(look(stranger), sealed)
    ledger = sealed / "ledger.jsonl"
    ledger.write_text(ledger.read_text().replace('"cases":24', '"cases":25'))
    said = look(key)
    assert (said.code, asked(sealed)) == (2, 0)


@pytest.mark.parametrize("spec", ["python:clerk.py:right", "null:echo", "replay:logs/x.jsonl"])
def test_an_agent_in_the_process_of_the_key_is_refused(spec: str, sealed: Path, key: Path) -> None:
    refused(look(key, "--agent", spec), sealed, "examiner's own process", "command:")


def test_tools_and_players_in_the_process_of_the_key_are_refused(sealed: Path, key: Path) -> None:
    text = (sealed / "fairtrial.toml").read_text()
    played = '\n[user]\ntype = "python"\nfunction = "clerk.py:right"\n'
    (sealed / "fairtrial.toml").write_text(text + played)
    refused(look(key), sealed, "examiner's own process")
    config = 'type = "openai"\nmodel = "m"\nbase_url = "http://127.0.0.1:9"\ntools = ["clerk.py:right"]'
    tooled = text.replace('type = "python"\nfunction = "clerk.py:right"', config)
    (sealed / "fairtrial.toml").write_text(tooled)
    refused(fairtrial("seal", "look", "holdout", "--key", key, *WHO), sealed, "openai + tools")


def test_few_clusters_are_refused_before_they_are_counted(here: Path, key: Path) -> None:
    begin(here, key)
    seal(here, [hidden(n, cluster=f"c{n % 19}") for n in range(38)])
    refused(look(key), here, "19 clusters", "nothing is debited")


def test_a_visible_log_of_another_agent_is_refused(sealed: Path, key: Path) -> None:
    other = fairtrial("run", "--json", "--agent", agent(7))
    refused_look = look(key, "--visible", other.log, known=14)
    assert refused_look.code == 2
    assert "not a round of the agent" in refused_look.complaint
    assert entries(sealed, "look") == []


# Spent all the same.


def process(key: Path, *words: object, manner: str = "") -> "subprocess.Popen[bytes]":
    command = ["seal", "look", "holdout", "--key", key, *WHO, "--agent", agent(14, manner), *words]
    return subprocess.Popen(
        [sys.executable, "-m", "fairtrial", *map(str, command)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=os.environ | {"FAIRTRIAL_DEBUG": "1"},
    )


def until(true: Callable[[], Any], running: "subprocess.Popen[bytes]") -> None:
    while not true():
        assert running.poll() is None, running.communicate()
        time.sleep(0.02)


def test_killed_before_the_debit_it_is_not_counted(sealed: Path, key: Path) -> None:
    text = (sealed / "fairtrial.toml").read_text()
    slow = '[fingerprint]\nretrieval_command = ["sh", "-c", "touch began; sleep 60"]\n'
    (sealed / "fairtrial.toml").write_text(text + slow)
    with process(key) as running:
        until((sealed / "began").exists, running)
        running.kill()
    assert entries(sealed, "look") == []
    (sealed / "fairtrial.toml").write_text(text)
    assert look(key, "--json", known=14).document["look"] == 1


def test_killed_after_the_debit_it_is_spent_and_its_sessions_are_kept(sealed: Path, key: Path) -> None:
    with process(key, manner="hang") as running:
        until(lambda: asked(sealed) >= 8, running)
        running.kill()
    assert len(entries(sealed, "look")) == 1
    assert entries(sealed, "result") == []
    assert len(records(sealed, key)) < HIDDEN
    (state,) = fairtrial("seal", "status", "--json").document["slices"]
    assert (state["used"], state["left"]) == (1, 2)
    assert look(key, "--json", known=14).document["look"] == 2


def test_stopped_it_is_spent_and_no_figure_leaves(sealed: Path, key: Path) -> None:
    with process(key, "--json", manner="hang") as running:
        until(lambda: asked(sealed) >= 8, running)
        running.send_signal(signal.SIGINT)
        out, err = running.communicate()
    assert running.returncode == 3, err
    told = json.loads(out)
    assert (told["status"], told["figures"], told["practised"]) == ("stopped", None, [])
    assert "spent all the same" in told["notes"][0]
    (result,) = entries(sealed, "result")
    assert result["body"]["status"] == "stopped"


def test_two_looks_at_once_and_one_left(sealed: Path, key: Path) -> None:
    assert look(key, known=14).code == 0
    assert look(key, known=14).code == 0
    with process(key) as one, process(key) as other:
        said = [running.communicate() for running in (one, other)]
    assert sorted(running.returncode for running in (one, other)) == [0, 2], said
    assert len(entries(sealed, "look")) == 3


def test_a_full_disk_says_that_it_is_spent(sealed: Path, key: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fairtrial.records.part.Part.append", lambda *_: (_ for _ in ()).throw(_full(sealed)))
    said = look(key, known=14)
    assert said.code == 4
    assert "spent all the same" in said.err
    assert len(entries(sealed, "look")) == 1


def _full(path: Path) -> Exception:
    from fairtrial.errors import CannotRun

    return CannotRun("cannot write: No space left on device", where=str(path))


def test_a_ledger_that_is_changed_meanwhile_gets_no_result(sealed: Path, key: Path) -> None:
    with process(key, manner="hang") as running:
        until(lambda: asked(sealed) >= 8, running)
        ledger = sealed / "ledger.jsonl"
        ledger.write_text(ledger.read_text().replace("monthly", "yearly "))
        running.send_signal(signal.SIGINT)
        _, err = running.communicate()
    assert running.returncode == 4
    assert b"spent all the same" in err
    assert entries(sealed, "result") == []


def test_where_nobody_answers_no_figure_leaves(sealed: Path, key: Path) -> None:
    said = look(key, "--json", "--agent", "http://127.0.0.1:9/none")
    assert said.code == 3
    told = said.document
    assert (told["status"], told["figures"], told["clusters"]) == ("unreliable", None, 0)
    assert told["counts"]["errored"] == HIDDEN
    assert told["counts"]["causes"] == {}


# Nothing of a sealed case gets out.


def everything(folder: Path) -> Iterator[tuple[Path, bytes]]:
    for file in folder.rglob("*"):
        if file.is_file():
            yield file, file.read_bytes()


RULES = f"""
import logging, sys, warnings
def told(record):
    for say in (print, logging.error, logging.getLogger("asyncio").error, warnings.warn):
        say("a rule about the {TEXT}")
    print("a rule about the {TEXT}", file=sys.stderr)
    raise ValueError("a rule about the {TEXT}")
"""


def test_no_text_and_no_id_gets_out_whatever_agent_and_rules_do(here: Path, key: Path) -> None:
    begin(here, key)
    # Put together as it runs, so that it stands neither in the source nor in the bytecode that Python keeps.
    (here / "rules.py").write_text(RULES.replace(TEXT, "' + chr(113) + 'uagga").replace('"', "'"), "utf-8")
    rule = {"rule": "python", "function": "rules:told"}
    cases = [hidden(n, tags=["quagga-tag"], cluster=f"quagga-cluster-{n}") for n in range(40)]
    cases[0]["expect"].append(rule)
    seal(here, cases)
    assert not (here / "more.json").exists()
    with process(key, manner="leaky") as running:
        out, err = running.communicate()
    assert b"errored" in out
    assert b"20 errored" in out or b"30 errored" in out
    found = dict(everything(here)) | {Path("stdout"): out, Path("stderr"): err}
    secret = [key.read_text().splitlines()[-1]]
    for name, content in found.items():
        for text in (TEXT, "hidden-", *secret):
            assert text.encode() not in content, (name, text)
    assert not list(here.rglob("*.tmp"))


def test_an_error_among_the_sealed_cases_is_told_by_its_kind(
    sealed: Path, key: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise KeyError(f"hidden-3: the {TEXT}")

    monkeypatch.setattr("fairtrial.scoring.score.Scorer.score", broken)
    said = look(key, known=14)
    assert said.code == 4
    assert "KeyError among the sealed cases" in said.err
    assert "spent all the same" in said.err
    assert TEXT not in said.err + said.out
    assert "hidden-" not in said.err + said.out
    assert len(entries(sealed, "look")) == 1


def test_a_case_that_cannot_be_asked_is_not_named(here: Path, key: Path) -> None:
    begin(here, key)
    persona = {"persona": f"buys a {TEXT}", "goal": "the price"}
    seal(here, [hidden(n, user=persona) for n in range(HIDDEN)])
    said = look(key)
    assert said.code == 4
    assert "BadInput among the sealed cases" in said.complaint
    assert "spent" not in said.complaint
    assert TEXT not in said.err + said.out
    assert "hidden-" not in said.err + said.out
    assert entries(here, "look") == []


def test_the_key_is_no_part_of_an_agents_environment(
    sealed: Path, key: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FAIRTRIAL_EXAMINER_KEY", key.read_text())
    command = ["seal", "look", "holdout", *WHO, "--agent", agent(14, "environ")]
    assert fairtrial(*command, env={"FAIRTRIAL_EXAMINER_KEY": key.read_text()}).code == 3
    for record in records(sealed, key):
        assert "AGE-SECRET-KEY" not in record.reply
        assert "EXAMINER" not in record.reply
    text = (sealed / "fairtrial.toml").read_text()
    named = f'type = "command"\ncommand = "{sys.executable} agent.py 14"\nenv = ["FAIRTRIAL_EXAMINER_KEY"]'
    (sealed / "fairtrial.toml").write_text(
        text.replace('type = "python"\nfunction = "clerk.py:right"', named)
    )
    said = fairtrial("seal", "look", "holdout", *WHO, env={"FAIRTRIAL_EXAMINER_KEY": key.read_text()})
    assert said.code in (2, 4)
    assert len(entries(sealed, "look")) == 1


@pytest.mark.parametrize(
    "command",
    [["show"], ["compare"], ["audit"], ["rescore"], ["import", "table"], ["cases", "from-log"]],
    ids=lambda words: words[-1],
)
def test_no_other_command_reads_its_sessions(command: list[str], sealed: Path, key: Path) -> None:
    look(key, known=14)
    (log,) = (sealed / "logs" / "closed").glob("*.jsonl")
    more: dict[str, list[object]] = {"compare": [log], "import": ["-o", "x.jsonl"]}
    extra = more.get(command[0], [])
    said = fairtrial(*command, log, *extra)
    assert said.code == 2, said.err
    assert "closed log" in said.complaint
    assert "seal rotate" in said.complaint


# Practised, not better.


def practise(folder: Path, known: int) -> None:
    said = fairtrial("run", "--json", "--agent", agent(known))
    assert said.document["status"] == "reliable", said.document["doubts"]


def lines(said: Said) -> dict[str, Any]:
    return {line["name"]: line for line in said.document["practised"]}


def test_visible_cases_that_score_far_above_light_the_level(here: Path, key: Path) -> None:
    begin(here, key, 40)
    seal(here, [hidden(n) for n in range(20, 60)])
    practise(here, 20)
    first = look(key, "--json", known=20)
    practise(here, 40)
    second = look(key, "--json", known=40)
    assert (first.code, second.code) == (3, 1)
    level, movement = lines(second)["level"], lines(second)["movement"]
    assert level["lit"] is True
    assert level["low"] > 0
    assert level["visible"] == pytest.approx(0.85)
    assert movement["lit"] is None
    audited = fairtrial("audit", "--json")
    (item,) = [check for check in audited.document["checklist"] if check["name"] == "holdout"]
    assert item["answer"] == "no"
    assert "practised, not better" in item["says"]


def test_a_visible_rise_that_the_holdout_does_not_share_lights_the_movement(here: Path, key: Path) -> None:
    """The holdout has as many easy cases as hard ones, and the hard ones are not learnt."""
    begin(here, key, 60)
    seal(here, [hidden(n if n < 20 else 1000 + n) for n in range(40)])
    practise(here, 20)
    assert look(key, "--json", known=20).code == 0
    practise(here, 58)
    said = look(key, "--json", known=58)
    assert said.code == 1
    movement = lines(said)["movement"]
    assert movement["lit"] is True
    assert (movement["clusters_visible"], movement["clusters_holdout"]) == (60, 40)
    assert movement["holdout"] == pytest.approx(0.0)
    assert movement["low"] > 0
    assert TEXT not in said.out


# Opened.


def test_with_its_slice_a_look_becomes_a_log(sealed: Path, key: Path) -> None:
    first = look(key, "--json", known=14).document
    with process(key, manner="hang") as running:
        until(lambda: asked(sealed) >= HIDDEN + 8, running)
        running.kill()
    opening = ["seal", "rotate", "holdout", "--into", "old.json", "--key", key, "--who", "ann"]
    said = fairtrial(*opening, "--early", "--why", "done", "--json")
    assert said.code == 0, said.err
    whole, torn = said.document["logs"]
    shown = fairtrial("show", whole, "--json").document
    assert shown["status"] == "reliable"
    assert shown["ret_ratio"]["mean"] == pytest.approx(first["figures"]["ret_ratio"]["mean"])
    assert shown["counts"]["scored"] == HIDDEN
    assert "hidden-13" in fairtrial("show", whole).out
    assert fairtrial("show", torn, "--json").document["status"] == "unreliable"
    again = fairtrial(*opening, "--json").document
    assert (again["added"], again["logs"]) == (0, [])
    refused_look = look(key)
    assert refused_look.code == 2
    assert "opened" in refused_look.complaint


def test_a_visible_copy_of_a_sealed_case_is_told_by_its_own_name_alone(sealed: Path, key: Path) -> None:
    shown = case(1, id="mine", input=f"Hello! item 3 please, what is the price of a {TEXT} 3?")
    write_cases(sealed / "cases.json", [shown, case(2, id="plain", input="is the shop open on sundays")])
    said = fairtrial("cases", "leaks", "cases.json", "--sealed", "holdout", "--key", key, "--json")
    assert said.code == 1, said.err
    assert {copy["case"] for copy in said.document["copies"]} == {"mine"}
    assert {copy["of"] for copy in said.document["copies"]} == {""}
    assert "hidden" not in said.out + said.err
    assert TEXT not in fairtrial("cases", "leaks", "cases.json", "--sealed", "holdout", "--key", key).out
    assert [entry["body"] for entry in entries(sealed, "scan")] == [{"slice": "holdout", "cases": 2}] * 2
    assert not entries(sealed, "look")
