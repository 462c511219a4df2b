"""What a person reads of a log, and in which order."""

import json
from pathlib import Path

import pytest
from commands import case, fairtrial, rows, write_project

CLERK = """
USEFUL = "Item {n} costs {p} euros. Please pay at the desk by 2026-03-01, then send us the receipt."

def mixed(text):
    n = int(text.split()[1])
    if n % 6 == 0:
        return "I do not know."
    if n % 6 == 1:
        return f"Thank you for your kind question about number {n + 100}. We are always happy to help."
    if n % 6 == 2:
        return USEFUL.format(n=n, p=n + 7000)
    if n == 3:
        raise ValueError("no answer to this")
    return USEFUL.format(n=n, p=n + 100)

def evil(text):
    return "\\x1b[2J\\x1b]0;owned\\x07 [bold red]markup[/] \\u202eesrever \\x9b31m" + text

def stateful(text):
    calls = [{"name": "look_up", "arguments": {"id": "A1"}, "result": {"price": 100}}]
    state = {"cart": [1, float("nan")]}
    return {"text": "It is 100.", "calls": calls, "state": state, "usage": {"input_tokens": 3}}
"""


@pytest.fixture
def read(here: Path) -> Path:
    prices = "Prices are in euros; pay at the desk by 2026-03-01 and send us the receipt."
    write_project(here, [case(n, context=prices) for n in range(24)])
    (here / "clerk.py").write_text(CLERK)
    return here


def run(function: str, *words: object) -> Path:
    return fairtrial("run", "--json", "--agent", f"python:clerk.py:{function}", *words).log


def test_misses_then_misses_with_a_clue_then_the_figures(read: Path) -> None:
    run("mixed")
    said = fairtrial("show")
    assert said.code == 0
    heads = [
        "Misses: ",
        "Misses that hold a clue (",
        "No answer (1)",
        "reliable: ",
        "quiet:",
    ]
    places = [said.out.find(head) for head in heads]
    assert -1 not in places
    assert places == sorted(places)
    document = fairtrial("show", "--json").document
    assert document["unanswered"] == ["price-3"]
    assert set(document["misses"]) == {f"price-{n}" for n in range(24) if n % 6 in (0, 2)}
    assert set(document["useful_misses"]) == {f"price-{n}" for n in (2, 8, 14, 20)}
    causes = document["counts"].pop("causes")
    assert [n for why, n in causes.items() if "ValueError: no answer to this" in why] == [3]
    assert document["counts"] == {
        "planned": 72, "scored": 69, "errored": 3, "by_status": {"agent_error": 3, "completed": 69},
    }  # fmt: skip
    assert "ValueError: no answer to this" in " ".join(said.out.split())
    clues = said.out[said.out.index("Misses that hold a clue (") : said.out.index("No answer (1)")]
    assert "price-2" in clues  # its rules and words stand above
    assert "✗" not in clues


def test_the_heaviest_misses_first_and_all_on_request(here: Path) -> None:
    cases = [case(n, input=f"item {n * 4} please", weight=2 if n == 7 else 1) for n in range(15)]
    write_project(here, cases)
    log = fairtrial("run", "--json", "--trials", 1).log
    assert fairtrial("show", "--json").document["misses"][0] == "price-7"
    short, whole = fairtrial("show").out, fairtrial("show", log, "--all").out
    assert "… 5 more: --all" in short
    assert "more: --all" not in whole
    assert whole.count("✗ number") == 15


def test_the_latest_log_is_read_unless_one_is_named(project: Path) -> None:
    first = fairtrial("run", "--json", "--trials", 1).log
    second = fairtrial("run", "--json", "--trials", 2).log
    assert fairtrial("show", "--json").log.name == second.name
    assert fairtrial("show", "logs", "--json").log.name == second.name
    assert fairtrial("show", first, "--json").log == first
    assert fairtrial("show", first, "--json").document["counts"]["planned"] == 24


def test_a_log_with_a_session_more_or_less_is_refused(project: Path) -> None:
    log = fairtrial("run", "--json", "--trials", 1).log
    head, first, *rest = log.read_text("utf-8").splitlines(keepends=True)
    for changed, count in (([head, *rest], 23), ([head, first, first, *rest], 25)):
        log.write_text("".join(changed), "utf-8")
        for words in ((), ("price-3",), ("--sample", 2)):
            said = fairtrial("show", log, *words)
            assert said.code == 2
            assert f"{count} sessions, and figures of 24 (the file was changed" in said.complaint
            assert said.out == ""


def test_one_case_whole(read: Path) -> None:
    log = run("stateful", "--case", "price-0")
    said = fairtrial("show", log, "price-0")
    assert said.code == 0
    assert said.out.count("price-0, trial ") == 3
    text = " ".join(fairtrial("show", log, "price-0", "--trial", 2).out.split())
    assert "price-0, trial 2: completed" in text
    for part in (
        "user item 0 please",
        'look_up {"id": "A1"} → {"price": 100}',
        "agent It is 100.",
        'state {"cart": [1, null]}',
        "✓ number",
        "score 1.000",
        "useful",
        "tokens 3 + ?",
    ):
        assert part in text, part
    document = fairtrial("show", log, "price-0", "--json").document
    assert [session["record"]["trial"] for session in document["sessions"]] == [0, 1, 2]
    assert document["sessions"][0]["record"]["turns"][0]["state"] == {"cart": [1, None]}
    assert document["status"] == "unreliable"
    for words, what in (
        (("price-1",), "no session of price-1"),
        (("price-0", "--trial", 4), "price-0, trial 4"),
    ):
        refused = fairtrial("show", log, *words)
        assert refused.code == 2
        assert what in refused.complaint


def test_a_sample_of_high_scorers_is_the_same_each_time(project: Path) -> None:
    fairtrial("run")
    said = fairtrial("show", "--sample", 3)
    assert said.out.count("score   1.000") == 3
    assert "If one says nothing, the rules are loose" in said.out
    assert fairtrial("show", "--sample", 3).out == said.out
    assert len(fairtrial("show", "--sample", 3, "--json").document["sessions"]) == 3
    assert len(fairtrial("show", "--sample", 999, "--json").document["sessions"]) == 54


def test_nothing_an_agent_says_acts_on_the_terminal(here: Path) -> None:
    write_project(here, [case(n, tags=["[bold]"]) for n in range(2)])
    (here / "clerk.py").write_text(CLERK)
    for words in (
        ("run", "--agent", "python:clerk.py:evil"),
        ("show",),
        ("show", "logs", "price-1"),
        ("show", "--sample", 1),
        ("ask", "hi", "--agent", "python:clerk.py:evil"),
        ("show", "logs", "\x1b[5m"),
        ("run", "\x1b[5m.json"),
    ):
        said = fairtrial(*words, env={"FORCE_COLOR": "", "NO_COLOR": "1", "TERM": "dumb"})
        for sign in "\x1b\x07\x9b\u202e":
            assert sign not in said.out + said.err, (words, sign)
    out = fairtrial("show", "logs", "price-1").out
    assert r"\x1b[2J\x1b]0;owned\x07 [bold red]markup[/] \u202eesrever" in " ".join(out.split())
    assert "[bold]" in fairtrial("show").out
    reply = rows(fairtrial("show", "--json").log)[0]["record"]["turns"][0]["reply"]
    assert reply.startswith("\x1b[2J")


@pytest.mark.parametrize(
    "words", [("nowhere.jsonl",), ("prices.json",), ("fairtrial.toml",), (".",), ("clerk.py", "price-0")]
)
def test_what_is_no_log(project: Path, words: tuple[str, ...]) -> None:
    said = fairtrial("show", *words)
    assert said.code == 2
    assert said.complaint.startswith(f"fairtrial: {words[0]}")
    assert said.out == ""
    refused = fairtrial("show", *words, "--json")
    assert refused.code == 2
    assert refused.document["status"] == "refused"
    assert set(refused.document["error"]) == {"what", "where", "how"}


class TestMark:
    """Whose fault it was, kept where it has an effect."""

    @pytest.fixture
    def log(self, read: Path) -> Path:
        return run("mixed")

    def test_a_scorers_fault_stops_the_next_run_until_it_is_mended(self, log: Path, read: Path) -> None:
        said = fairtrial("mark", log, "price-0", "--scorer-wrong", "--note", "it declined rightly")
        assert said.code == 0
        assert "kept as a golden sample in golden.jsonl" in said.out
        [sample] = [json.loads(line) for line in (read / "golden.jsonl").read_text("utf-8").splitlines()]
        assert (sample["case"], sample["score"], sample["note"]) == ("price-0", 1.0, "it declined rightly")
        for command in ("run", "check", "rescore"):
            refused = fairtrial(command)
            assert refused.code == 2
            assert f"golden sample {sample['id']!r}, score: expected 1, got 0" in refused.err + refused.out
        write_project(
            read,
            [case(n, expect=[{"rule": "contains_any", "texts": ["know", str(n + 100)]}]) for n in range(24)],
        )
        assert fairtrial("check").code == 0

    def test_a_case_alone_is_one_of_the_latest_log(self, log: Path) -> None:
        said = fairtrial("mark", "price-6", "--agent-wrong", "--json")
        assert said.document["files"] == [str(Path("logs/marks.jsonl"))]
        assert "price-6, trial 1" in fairtrial("show", "price-6").out
        assert "no session of price-99" in fairtrial("show", "price-99").complaint
        assert "no case named" in fairtrial("mark", "--agent-wrong").complaint
        assert "no case named" in fairtrial("mark", log, "--agent-wrong").complaint

    def test_the_file_that_the_project_names(self, log: Path, read: Path) -> None:
        write_project(read, run='golden = "golden.yaml"')
        (read / "golden.yaml").write_text("- {id: g, expect: x, output: x, score: 1}\n")
        said = fairtrial("mark", log, "price-2", "--scorer-wrong", "--score", 0.5, "--json")
        assert said.document["files"][-1] == "golden.yaml"
        assert "score: 0.5" in (read / "golden.yaml").read_text()

    def test_a_cases_fault_goes_to_the_review_list(self, log: Path) -> None:
        said = fairtrial("mark", log.parent, "price-6", "--case-wrong", "--note", "两个答案", "--json")
        assert said.document["status"] == "kept"
        assert said.document["fault"] == "case"
        [review] = [
            json.loads(line) for line in (log.parent / "review.jsonl").read_text("utf-8").splitlines()
        ]
        assert (review["case"], review["note"], review["log"]) == ("price-6", "两个答案", log.name)
        fairtrial("mark", log, "price-6", "--agent-wrong")
        marks = [json.loads(line) for line in (log.parent / "marks.jsonl").read_text("utf-8").splitlines()]
        assert [mark["fault"] for mark in marks] == ["case", "agent"]
        assert fairtrial("show", "--json").log.name == log.name

    @pytest.mark.parametrize(
        ("words", "what"),
        [
            (("price-0",), "say whose fault it was"),
            (("price-0", "--case-wrong", "--agent-wrong"), "one of them"),
            (("price-99", "--agent-wrong"), "no session of price-99"),
            (("price-3", "--scorer-wrong"), "was not scored"),
            (("price-0", "--scorer-wrong", "--score", 0), "the score is already 0"),
            (("price-0", "--agent-wrong", "--score", 1), "only a scorer's fault"),
            (("price-0", "--scorer-wrong", "--score", "nan"), "--score"),
            (("price-0", "--agent-wrong", "--trial", 9), "no session of price-0, trial 9"),
        ],
    )
    def test_what_can_not_be_marked(self, log: Path, words: tuple[object, ...], what: str) -> None:
        said = fairtrial("mark", log, *words)
        assert said.code == 2
        assert what in said.complaint
        assert not (log.parent / "marks.jsonl").exists()


class TestRescore:
    """Scores of today from the words of then."""

    def test_nobody_is_asked_and_the_same_rules_give_the_same_scores(self, project: Path) -> None:
        first = fairtrial("run", "--json")
        (project / "clerk.py").write_text("def right(text):\n    raise SystemExit('asked')\n")
        again = fairtrial("rescore", "--json")
        assert again.code == 0
        assert again.log != first.log
        for key in ("counts", "total", "ret_ratio", "useful", "pass_hat_k", "tags"):
            assert again.document[key] == first.document[key]
        assert [row["record"] for row in rows(again.log)] == [row["record"] for row in rows(first.log)]
        assert f"rescored from {first.document['run']}; nobody was asked" in again.document["notes"]
        assert len((project / "logs" / "history.jsonl").read_text().splitlines()) == 1

    def test_new_rules_change_figures_and_digests(self, project: Path) -> None:
        first = fairtrial("run", "--json")
        new = [
            case(
                n,
                expect=[
                    {"rule": "contains", "text": "euros"},
                    {"rule": "number", "value": n + 100},
                    {"rule": "no_refusal"},
                ],
            )
            for n in range(24)
        ]
        write_project(project, new)
        again = fairtrial("rescore", first.log, "-o", project / "new.jsonl", "--json")
        assert again.log == project / "new.jsonl"
        old, now = (json.loads(path.read_text("utf-8").splitlines()[0]) for path in (first.log, again.log))
        assert old["set_digest"] != now["set_digest"]
        assert len(old["scorer_digest"]) == len(now["scorer_digest"]) == 64
        assert now["config"]["rescored_from"] == old["run"]
        hits = [row["score"]["hits"] for row in rows(again.log)]
        assert all(len(found) == 3 for found in hits)

    def test_a_changed_function_changes_the_scorers_digest(self, here: Path) -> None:
        rule = {"rule": "python", "function": "ours_a:fair"}
        (here / "ours_a.py").write_text("def fair(record):\n    return True\n")
        (here / "ours_b.py").write_text("def fair(record):\n    return 'euros' in record.reply\n")
        write_project(here, [case(n, expect=[rule]) for n in range(24)])
        first = fairtrial("run", "--json")
        write_project(here, [case(n, expect=[{**rule, "function": "ours_b:fair"}]) for n in range(24)])
        again = fairtrial("rescore", "--json")
        assert first.document["ret_ratio"]["mean"] == 1.0
        assert again.document["ret_ratio"]["mean"] == 0.875
        digests = {
            json.loads(log.read_text("utf-8").splitlines()[0])["scorer_digest"]
            for log in (first.log, again.log)
        }
        assert len(digests) == 2

    def test_a_narrowed_round_is_rescored_as_what_it_was(self, project: Path) -> None:
        first = fairtrial("run", "--json", "--tag", "odd")
        again = fairtrial("rescore", "--json")
        assert again.document["counts"] == first.document["counts"]
        old, now = (json.loads(path.read_text("utf-8").splitlines()[0]) for path in (first.log, again.log))
        assert old["set_digest"] == now["set_digest"]

    def test_a_quick_round_stays_one(self, project: Path) -> None:
        fairtrial("run")
        first = fairtrial("run", "--mode", "quick", "--limit", 5, "--json")
        again = fairtrial("rescore", "--json")
        assert again.code == 0
        assert again.document["status"] == "quick"
        assert again.document["quick"]["outcome"] == first.document["quick"]["outcome"] == "no alarm"

    def test_what_can_not_be_rescored(self, project: Path) -> None:
        log = fairtrial("run", "--json").log
        other = project / "prices.json"
        taken = fairtrial("rescore", log, "-o", other)
        assert taken.code == 2
        assert "there is such a file already" in taken.complaint
        write_project(project, 3)
        gone = fairtrial("rescore", log)
        assert gone.code == 2
        assert "case 'price-3' is not in the set any more" in gone.complaint
        assert json.loads(other.read_text())


def test_of_a_table_of_scores_no_reply_and_no_rule_is_shown(here: Path) -> None:
    (here / "scores.csv").write_text("id,score,error\na,1,\nb,0,\nc,maybe,\nd,,no network\n")
    out = fairtrial("show", "scores.csv").out
    head, b, *_ = [line for line in out.splitlines() if line]
    assert head.startswith("Misses")
    assert b.split()[:2] == ["b", "0/1"]
    assert "given: score as given" not in out
    for told in ("maybe", "no network"):  # what is known beyond the figure stays
        assert told in out
    (here / "said.csv").write_text("id,score,answer\na,1,so\nb,0,not so\n")
    assert "said: not so" in fairtrial("show", "said.csv").out
