"""A round run again: agrees, differs, or cannot tell; and what changed."""

import json
from pathlib import Path

import pytest
from commands import case, fairtrial, header, write_cases, write_project
from fake_server import completion, document
from served import serving

AGENT = """
import json, pathlib, random
def right(text, seed):
    state = json.loads(pathlib.Path(__file__).with_name("state.json").read_text())
    n = int(text.split()[1])
    if n in state.get("crash", []):
        raise RuntimeError("no")
    if n in state["misses"] or random.random() < state.get("slips", 0):
        return "no idea"
    return f"Item {n} costs {n + 100} euros."
"""


def become(folder: Path, misses: list[int], **more: object) -> None:
    (folder / "state.json").write_text(json.dumps({"misses": misses, **more}))


@pytest.fixture
def bench(here: Path) -> Path:
    write_project(here, run="trials = 2")
    (here / "clerk.py").write_text(AGENT)
    become(here, list(range(0, 24, 4)))
    return here


def test_a_deterministic_agent_agrees_exactly(bench: Path) -> None:
    first = fairtrial("run", "--json").document
    said = fairtrial("reproduce", first["log"], "--json")
    found = said.document
    assert (said.code, found["status"], found["base"]) == (0, "agrees", first["run"])
    assert found["difference"]["mean"] == 0
    assert (found["differs"], found["changed"]) == ([], [])
    assert found["log"] != first["log"]
    assert header(Path(found["log"]))["run"] == found["run"]
    assert fairtrial("show", found["log"], "--json").document["ret_ratio"] == first["ret_ratio"]


def test_a_difference_is_shown_with_its_cases(bench: Path) -> None:
    fairtrial("run")
    become(bench, [n for n in range(24) if n % 4 != 3])
    said = fairtrial("reproduce", "--json")
    assert (said.code, said.document["status"]) == (1, "differs")
    assert "changed: no part that the fingerprint knows" in said.document["meaning"]
    assert [c["case"] for c in said.document["changed"]] == [
        f"price-{n}" for n in range(24) if n % 4 in (1, 2)
    ]
    assert said.document["changed"][0] == {"case": "price-1", "base": 1.0, "again": 0.0}
    become(bench, [])
    said = fairtrial("reproduce")
    assert said.code == 1
    assert said.out.startswith("differs by +")
    assert "price-22" in said.out


def test_the_reported_model_is_named(here: Path) -> None:
    write_project(here, run="trials = 1")
    with serving() as server:
        (here / "fairtrial.toml").write_text(
            f'[agent]\ntype = "openai"\nmodel = "alias"\nbase_url = "{server.url}"\n'
            '[run]\ncases = ["prices.json"]\ntrials = 1\n'
        )
        right = [document(completion(f"{n + 100} euros")) for n in range(24)]
        server.script(*right)
        fairtrial("run")
        server.script(*[document(completion("no idea") | {"model": "fake-2"})] * 24)
        said = fairtrial("reproduce", "--json")
    assert said.code == 1
    (part,) = said.document["differs"]
    assert (part["part"], part["base"], part["candidate"]) == (
        "reported",
        "fake-1 (fp_fake) × 24",
        "fake-2 (fp_fake) × 24",
    )
    assert "changed: reported (fake-1" in said.document["meaning"]


def test_noise_cannot_be_told_from_a_difference_by_few_cases(bench: Path) -> None:
    fairtrial("run")
    become(bench, [*range(0, 20, 4), 21])
    said = fairtrial("reproduce", "--json")
    assert (said.code, said.document["status"]) == (3, "cannot tell")
    assert "could hide" in said.document["meaning"]
    wide = fairtrial("reproduce", "--margin", 0.9, "--json")
    assert (wide.code, wide.document["status"]) == (0, "agrees")


def test_cases_without_an_answer_are_no_agreement(bench: Path) -> None:
    fairtrial("run")
    become(bench, list(range(0, 24, 4)), crash=[1, 2])
    said = fairtrial("reproduce", "--json")
    assert said.code == 3
    assert "2 cases gave a score in one of the two rounds only, 22 in both" in said.document["meaning"]
    assert said.document["changed"] == [
        {"case": "price-1", "base": 1.0, "again": None},
        {"case": "price-2", "base": 1.0, "again": None},
    ]


def test_another_environment_is_refused_before_anything_is_asked(bench: Path) -> None:
    fairtrial("run")
    (bench / "helper.py").touch()
    said = fairtrial("reproduce")
    assert said.code == 2
    assert "not the environment of that round: agent (clerk.py:right; 1 files, no git → " in said.complaint
    assert "--force" in said.complaint
    assert len(list((bench / "logs").glob("2*"))) == 1
    forced = fairtrial("reproduce", "--force", "--json")
    assert (forced.code, forced.document["status"]) == (0, "agrees")
    assert [part["part"] for part in forced.document["differs"]] == ["agent"]


def test_other_cases_are_another_environment(bench: Path) -> None:
    fairtrial("run")
    write_cases(bench / "prices.json", [case(n, weight=2) for n in range(24)])
    assert "cases (24 cases, " in fairtrial("reproduce").complaint


def test_a_round_that_was_decided_early_is_run_again_as_far_as_it_went(here: Path) -> None:
    write_project(here, 400)
    log = fairtrial("run", "--until-decided", "--minimum", 0.2, "--json").log
    said = fairtrial("reproduce", log, "--json")
    assert (said.code, said.document["status"], said.document["differs"]) == (0, "agrees", [])
    assert said.document["difference"]["n"] == 100
    write_cases(here / "prices.json", [case(n, weight=2) for n in range(400)])
    assert "cases (400 cases, " in fairtrial("reproduce", log).complaint


def test_the_clock_and_the_seed_are_those_of_the_round(here: Path) -> None:
    write_project(here, run='trials = 1\nclock = "2020-02-29T00:00:00Z"\nseed = 7')
    (here / "clerk.py").write_text("def right(text, clock, seed):\n    return f'{clock} {seed}'\n")
    log = fairtrial("run", "--json").log
    (here / "fairtrial.toml").write_text("")  # the log is enough
    again = Path(fairtrial("reproduce", log, "--json").document["log"])
    said = [
        [json.loads(line)["record"]["turns"][0]["reply"] for line in path.read_text().splitlines()[1:]]
        for path in (log, again)
    ]
    assert said[0] == said[1]
    assert said[0][0].startswith("2020-02-29T00:00:00Z ")


def test_what_cannot_be_run_again_is_refused(bench: Path) -> None:
    fairtrial("run", "--max-time", 0.000001)
    (part,) = (bench / "logs").glob("*.part")
    assert "only a finished round" in fairtrial("reproduce", part).complaint
    assert "gone.jsonl: no such " in fairtrial("reproduce", "gone.jsonl").complaint
    log = fairtrial("run", "--json").log
    first, *rest = log.read_text().splitlines(keepends=True)
    log.write_text(json.dumps(json.loads(first) | {"fingerprint": None}) + "\n" + "".join(rest))
    assert "no fingerprint, no discussion" in fairtrial("reproduce", log).complaint
    assert fairtrial("reproduce", log, "--force").code == 0
