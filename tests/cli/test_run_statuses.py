"""How sessions end is told apart, and what is no answer is no wrong answer."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from commands import case, fairtrial, rows, write_project
from fake_server import FakeServer, busy, delta, hang, hang_up, say, status, stream
from served import serving


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeServer]:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test")
    with serving() as started:
        yield started


def statuses(log: Path) -> dict[str, str]:
    return {row["record"]["case"]: row["record"]["status"] for row in rows(log)}


def test_each_failure_has_its_status_and_none_is_a_wrong_answer(here: Path, server: FakeServer) -> None:
    write_project(here, 7)
    server.script(
        say("That is 100 euros."),
        hang(),
        *[busy(0) for _ in range(6)],
        status(500),
        hang_up(),
        say("That is 10", finish_reason="length"),
        say("No idea."),
    )
    said = fairtrial("run", "--json", "--trials", 1, "--timeout", 1.5, "--agent", f"openai:fake@{server.url}")
    document = said.document
    assert list(statuses(said.log).values()) == [
        "completed",
        "timeout",
        "rate_limited",
        "agent_error",
        "agent_error",
        "truncated",
        "completed",
    ]
    assert document["counts"] == {
        "planned": 7,
        "scored": 2,
        "errored": 5,
        "by_status": document["counts"]["by_status"],
        "causes": document["counts"]["causes"],
    }
    assert 1 <= len(document["counts"]["causes"]) <= 3
    assert sum(document["counts"]["by_status"].values()) == 7
    # price-0 (weight 1) was right, price-6 (weight 1) wrong; five cases gave no answer
    assert document["ret_ratio"]["mean"] == 0.5
    assert document["ret_ratio"]["n"] == 2
    assert document["ret_ratio_all"]["mean"] == pytest.approx(1 / (4 * 1 + 3 * 3))
    assert document["ret_ratio_all"]["n"] == 7
    assert said.code == 3
    [errors] = [doubt for doubt in document["doubts"] if doubt["name"] == "errors"]
    assert errors["lit"]
    assert errors["forbids"]
    assert all("score" in row and row["score"]["value"]["is"] == "unscored" for row in rows(said.log)[1:6])
    shown = fairtrial("show").out
    assert "No answer (5)" in shown
    assert "ret_ratio, unanswered as 0" in shown
    for word in ("timeout 1", "rate_limited 1", "truncated 1"):
        assert word in " ".join(shown.split())


def test_a_stream_that_breaks_off_is_cut(here: Path, server: FakeServer) -> None:
    write_project(here, 1, run="trials = 1")
    config = here / "fairtrial.toml"
    agent = f'[agent]\ntype = "openai"\nmodel = "fake"\nbase_url = "{server.url}"\nstream = true\n[run]'
    config.write_text(agent + config.read_text().partition("[run]")[2])
    server.script(stream(delta(content="That is 1"), cut=True))
    said = fairtrial("run", "--json")
    assert statuses(said.log) == {"price-0": "stream_cut"}
    assert said.document["total"]["mean"] is None
    assert said.code == 3


@pytest.mark.parametrize(
    ("kind", "words", "expected"),
    [
        ("command", "!fail", "agent_error"),
        ("command", "!hang", "timeout"),
        ("command", "!busy", "completed"),
        ("command", "!exit", "agent_error"),
        ("python", "!fail", "agent_error"),
        ("python", "!hang", "timeout"),
        ("python", "!busy", "completed"),
    ],
)
def test_an_agent_of_our_own_that_fails(here: Path, kind: str, words: str, expected: str) -> None:
    write_project(here, [case(0, input=words)])
    fakes = Path(__file__).parent.parent / "fakes" / "fake_agent.py"
    spec = {"command": f"command:{sys.executable} {fakes}", "python": "python:fake_agent:AsyncFakeAgent"}[
        kind
    ]
    said = fairtrial(
        "run", "--json", "--trials", 1, "--timeout", 0.8 if words == "!hang" else 60, "--agent", spec
    )
    assert statuses(said.log) == {"price-0": expected}
    assert said.document["counts"]["errored"] == (expected != "completed")


def test_nobody_there_is_an_infrastructure_error(here: Path) -> None:
    write_project(here, 1)
    said = fairtrial("run", "--json", "--trials", 1, "--agent", "http://127.0.0.1:9/")
    assert statuses(said.log) == {"price-0": "infra_error"}


def test_more_than_one_in_twenty_sessions_without_an_answer_forbid(here: Path, server: FakeServer) -> None:
    write_project(here)
    (here / "clerk.py").write_text(
        (here / "clerk.py").read_text()
        + "\ndef crashes(text):\n    n = int(text.split()[1])\n    if n in (0, 4):\n"
        "        raise ValueError('hard')\n    return right(text)\n"
    )
    honest = fairtrial("run", "--json")
    crashes = fairtrial("run", "--json", "--agent", "python:clerk.py:crashes")
    assert crashes.document["ret_ratio"]["mean"] > honest.document["ret_ratio"]["mean"]
    assert crashes.code == 3
    assert crashes.document["mark"] == "UNRELIABLE"
    assert crashes.document["ret_ratio_all"]["mean"] == pytest.approx(honest.document["ret_ratio"]["mean"])
