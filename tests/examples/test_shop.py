"""The shop: its cases are sound, its agent is honest about its noise, and both doors lead to one agent."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import pytest
from commands import fairtrial

from fairtrial.agents.config import CommandConfig, NullKind
from fairtrial.agents.null import null_reply
from fairtrial.agents.protocol import Agent, Opening, Reply
from fairtrial.agents.resolve import parse_spec, resolve
from fairtrial.cases.load import load
from fairtrial.schema.case import Case, CaseSet
from fairtrial.schema.record import Record, Status, Turn
from fairtrial.scoring.golden import check_golden, load_golden
from fairtrial.scoring.score import Scorer

SHOP = Path(__file__).resolve().parents[2] / "examples" / "shop"


@pytest.fixture(autouse=True, scope="module")
def shop_on_path() -> Iterator[None]:
    """The shop's own modules, found as if one worked in its folder, and forgotten afterwards."""
    before = set(sys.modules)
    sys.path.insert(0, str(SHOP))
    yield
    sys.path.remove(str(SHOP))
    for name in set(sys.modules) - before:
        if str(SHOP) in str(getattr(sys.modules[name], "__file__", "")):
            del sys.modules[name]


@pytest.fixture(scope="module")
def case_set() -> CaseSet:
    loaded = load([SHOP / "cases"])
    assert loaded.problems == ()
    assert loaded.case_set is not None
    return loaded.case_set


@pytest.fixture(scope="module")
def generated(tmp_path_factory: pytest.TempPathFactory) -> CaseSet:
    from generate import generate

    file = tmp_path_factory.mktemp("shop") / "more.jsonl"
    file.write_text(
        "".join(json.dumps(case, ensure_ascii=False) + "\n" for case in generate(400, 7)), encoding="utf-8"
    )
    loaded = load([file])
    assert loaded.problems == ()
    assert loaded.case_set is not None
    return loaded.case_set


def test_the_commands_of_its_page_take_the_generated_cases(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from generate import main

    more = tmp_path / "more.jsonl"
    monkeypatch.chdir(SHOP)
    monkeypatch.setattr(sys, "argv", ["generate.py", "--count", "12", "--seed", "7", "--out", str(more)])
    main()
    said = fairtrial("run", more, "--limit", 2, "--out", tmp_path / "logs", "--json")
    assert said.code == 3
    assert said.document["counts"]["scored"] == 6


def talk(case: Case, *, seed: int = 0, slip: float = 0.0) -> list[dict]:
    from agent import ShopAgent

    agent = ShopAgent(session="s", seed=seed, slip=slip)
    answers = [agent(text) for text in case.input]
    agent.close()
    return answers


def record_of(case: Case, replies: list[str | Reply]) -> Record:
    turns = (
        Turn(user=user, reply=reply)
        if isinstance(reply, str)
        else Turn(user=user, reply=reply.text, steps=reply.steps, state=reply.state)
        for user, reply in zip(case.input, replies, strict=True)
    )
    return Record(case=case.id, trial=0, status=Status.completed, turns=tuple(turns))


async def session(agent: Agent, case: Case, seed: int) -> list[Reply]:
    conversation = await agent.open(Opening(session="s", seed=seed))
    try:
        return [await conversation.send(text) for text in case.input]
    finally:
        await conversation.close()


def test_the_set_is_large_and_speaks_both_languages(case_set: CaseSet) -> None:
    languages = [tag for case in case_set.cases for tag in case.tags if tag in ("zh", "en")]
    assert len(languages) == len(case_set.cases) >= 60
    assert 0.4 < languages.count("zh") / len(languages) < 0.6
    assert sum(len(case.input) > 1 for case in case_set.cases) >= 20
    assert {case.weight for case in case_set.cases} == {1.0, 3.0}


def test_the_set_uses_every_kind_of_rule_it_can(case_set: CaseSet) -> None:
    kinds = {rule.rule for case in case_set.cases for rule in case.rules}
    assert len(kinds) >= 15


def test_golden_samples_agree(case_set: CaseSet) -> None:
    samples = load_golden(SHOP / "golden.yaml")
    assert len(samples) >= 12
    assert check_golden(samples, case_set) == ()


@pytest.mark.parametrize("kind", get_args(NullKind))
def test_doing_nothing_passes_almost_nothing(case_set: CaseSet, generated: CaseSet, kind: str) -> None:
    for cases in (case_set, generated):
        scorer = Scorer(cases)
        passed = [
            case.id
            for case in cases.cases
            if scorer.score(record_of(case, [null_reply(kind, text) for text in case.input])).value == 1.0
        ]
        assert len(passed) <= 0.03 * len(cases.cases), passed


async def test_the_agent_has_real_strengths_and_real_weaknesses(case_set: CaseSet) -> None:
    agent = resolve(parse_spec(f"python:{SHOP / 'agent.py'}:ShopAgent"))
    scorer = Scorer(case_set)
    values = [
        scorer.score(record_of(case, list(await session(agent, case, 0)))).value for case in case_set.cases
    ]
    weights = [case.weight for case in case_set.cases]
    assert all(isinstance(value, float) for value in values)
    ratio = sum(w * v for w, v in zip(weights, values, strict=True)) / sum(weights)
    assert 0.70 <= ratio <= 0.85


def test_the_generator_makes_distinct_cases_of_many_templates(generated: CaseSet) -> None:
    cases = generated.cases
    assert len(cases) == 400
    assert len({case.id for case in cases}) == 400
    assert len({case.input for case in cases}) == 400
    assert len({case.cluster for case in cases}) >= 25
    assert {tag for case in cases for tag in case.tags} >= {"zh", "en", "多轮", "multi-turn"}


def test_the_generator_is_deterministic_and_its_ids_are_stable() -> None:
    from generate import generate

    assert generate(60, 3) == generate(60, 3)
    few, many = generate(40, 3), generate(120, 3)
    assert {case["id"] for case in few} <= {case["id"] for case in many}
    assert [case["input"] for case in generate(40, 3)] != [case["input"] for case in generate(40, 4)]


def test_the_agent_repeats_itself_exactly(case_set: CaseSet) -> None:
    for case in case_set.cases[::4]:
        assert talk(case, seed=5, slip=0.3) == talk(case, seed=5, slip=0.3)


def test_sessions_do_not_see_each_other(case_set: CaseSet) -> None:
    refund = next(case for case in case_set.cases if case.id == "zh-refund-01")
    assert talk(refund) == talk(refund)
    assert "RF38271" in talk(refund)[-1]["text"]


def test_slips_change_only_some_answers(case_set: CaseSet) -> None:
    clean = {case.id: [a["text"] for a in talk(case)] for case in case_set.cases}
    sessions = [(case, 3 * n + trial) for n, case in enumerate(case_set.cases) for trial in range(3)]
    changed = {
        rate: {
            (case.id, seed)
            for case, seed in sessions
            if [a["text"] for a in talk(case, seed=seed, slip=rate)] != clean[case.id]
        }
        for rate in (0.05, 0.5)
    }
    assert 0 < len(changed[0.05]) < 0.15 * len(sessions)
    assert len(changed[0.05]) < len(changed[0.5]) < len(sessions)


async def test_callable_and_command_are_the_same_agent(
    case_set: CaseSet, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SHOP_SLIP", "0.3")
    in_process = resolve(parse_spec(f"python:{SHOP / 'agent.py'}:ShopAgent"))
    program = (sys.executable, str(SHOP / "agent.py"))
    command = resolve(CommandConfig(type="command", command=program, env=("SHOP_SLIP",)))
    for number, case in enumerate(case_set.cases[::10]):
        seed = 2**62 + number
        assert await session(in_process, case, seed) == await session(command, case, seed)
    await command.close()


async def test_the_command_does_not_depend_on_the_locale(
    case_set: CaseSet, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LC_ALL", "C")
    monkeypatch.setenv("PYTHONUTF8", "0")
    monkeypatch.setenv("PYTHONCOERCECLOCALE", "0")
    command = resolve(parse_spec(f"command:{sys.executable} {SHOP / 'agent.py'} --slip 0"))
    case = next(case for case in case_set.cases if case.id == "zh-lookup-02")
    replies = await session(command, case, 1)
    await command.close()
    assert "保温杯" in replies[0].text
