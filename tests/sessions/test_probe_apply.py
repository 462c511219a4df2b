"""Probes by name, file and entry point; what `apply` makes of them, alone and together; broken ones."""

from collections.abc import Callable, Iterator, Sequence
from importlib.metadata import EntryPoint
from itertools import permutations
from pathlib import Path
from random import Random
from typing import Any, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairtrial.agents.protocol import Ability
from fairtrial.cases.load import load_or_refuse
from fairtrial.cases.steps import check_steps
from fairtrial.errors import BadInput
from fairtrial.schema.case import Case
from fairtrial.schema.disturbance import Edit, Split, Step, Utter
from fairtrial.schema.rule import Contains
from fairtrial.sessions.probes import registry
from fairtrial.sessions.probes.apply import Use, apply, keep, known, parts, read_uses
from fairtrial.sessions.probes.probe import INTENSITIES, Disturbed, Probe, Unfit
from fairtrial.sessions.probes.spans import key_spans
from fairtrial.sessions.said import said

SHOP = load_or_refuse([Path(__file__).parents[2] / "examples" / "shop" / "cases"]).cases
RULE = Contains(rule="contains", text="OK")
CASE = Case(id="one", input=("Refund order US2024111221456 please",), rules=(RULE,), source="table")
MINE = """
from fairtrial.schema.disturbance import Utter
from fairtrial.sessions.probes.probe import Disturbed, Probe

class Mine(Probe):
    name = "mine"
    intent = "whether it minds"

    def disturb(self, case, intensity, draw, others):
        return Disturbed(steps=(Utter(do="utter", before=0, text="Hm."),))
"""


def others(case: Case) -> list[Case]:
    return [other for other in SHOP if other is not case]


def made(give: Callable[[Case], Any], **changes: Any) -> Probe:
    """A probe that gives what it is told to."""

    class Made(Probe):
        name = "made"
        intent = "whatever"  # type: ignore[assignment]

        def disturb(self, case: Case, intensity: int, draw: Random, others: Sequence[Case]) -> Disturbed:
            return cast(Disturbed, give(case))

    return cast(Probe, type("Made", (Made,), changes)())


def says(text: str) -> tuple[Step, ...]:
    return (Utter(do="utter", before=0, text=text),)


@pytest.mark.parametrize("first", known())
def test_any_two_probes_compose_on_any_case_or_say_why_not(first: str) -> None:
    pairs = [(a, b) for a, b in permutations(known().values(), 2) if a.name == first]
    for number, (one, two) in enumerate(pairs):
        case = SHOP[(17 * number + 5 * len(first)) % len(SHOP)]
        uses = [Use(one, 1 + number % 3), Use(two, 3 - number % 3)]
        try:
            probed = apply(case, uses, seed=number, others=others(case))
        except Unfit:
            continue
        check_steps(probed)
        found = parts(case, uses, seed=number, others=others(case))
        assert sorted(step for part in found for step in part) == list(range(len(probed.disturb)))


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_any_parts_of_a_disturbance_are_a_case_with_its_key_facts(data: st.DataObject) -> None:
    case = data.draw(st.sampled_from(SHOP))
    names = data.draw(st.lists(st.sampled_from(sorted(known())), min_size=1, max_size=2, unique=True))
    uses = [Use(known()[name], data.draw(st.sampled_from(INTENSITIES))) for name in names]
    seed = data.draw(st.integers(0, 99))
    try:
        probed = apply(case, uses, seed=seed, others=others(case))
    except Unfit:
        return
    assert probed == apply(case, uses, seed=seed, others=others(case))
    found = parts(case, uses, seed=seed, others=others(case))
    left = data.draw(st.sets(st.sampled_from(found), max_size=len(found)))
    small = keep(probed, case, [number for part in left for number in part])
    check_steps(small)
    for turn, text in enumerate(case.input):
        for start, end in key_spans(case, turn):
            assert any(text[start:end] in spoken for spoken in said(small))
            for step in small.disturb:
                if isinstance(step, Edit) and step.turn == turn:
                    assert step.end <= start or step.start >= end
                if isinstance(step, Split) and step.turn == turn:
                    assert not start < step.at < end


def test_a_probed_case_is_named_by_its_probes_and_belongs_to_its_base() -> None:
    probed = apply(CASE, read_uses("typos@3+pollution"), seed=1)
    assert probed.id == "one~typos@3+pollution@2"
    assert probed.cluster == "table"
    assert {step.probe for step in probed.disturb} == {"typos@3", "pollution@2"}
    assert probed.rules is CASE.rules
    assert keep(probed, CASE, ()).disturb == ()


def test_what_means_something_only_together_is_one_part() -> None:
    case = next(case for case in SHOP if case.id == "en-refund-01")
    for name, count in (("memory", 1), ("return_to_earlier", 1), ("change_of_mind", 1), ("emotion", 2)):
        assert len(parts(case, read_uses(name), seed=1, others=others(case))) == count


def test_a_probe_needs_what_the_agent_offers() -> None:
    with pytest.raises(Unfit, match="needs an agent that is told who the user is"):
        apply(CASE, read_uses("memory"), seed=1, abilities=frozenset({Ability.tools}))
    with pytest.raises(Unfit, match="lets its tool calls pass through the examiner"):
        apply(CASE, read_uses("injection"), seed=1, abilities=frozenset())


def test_two_probes_that_replace_rules_differently_are_not_held_together() -> None:
    one, two = (made(lambda case: Disturbed(steps=says("x"), rules=(RULE,))) for _ in range(2))
    assert apply(CASE, [Use(one)], seed=1).rules == (RULE,)
    other = RULE.model_copy(update={"text": "no"})
    two = made(lambda case: Disturbed(steps=says("y"), rules=(other,)), name="two")
    with pytest.raises(Unfit, match="`two@2` replaces the rules of a probe before it"):
        apply(CASE, [Use(one), Use(two)], seed=1)


@pytest.mark.parametrize(
    ("give", "complaint"),
    [
        (lambda case: 1 / 0, "ZeroDivisionError"),
        (lambda case: None, "gave no Disturbed"),
        (lambda case: Disturbed(steps=()), "no steps"),
        (lambda case: Disturbed(steps=says("x"), rules=()), "names no rule"),
        (lambda case: Disturbed(steps=(Utter(do="utter", before=9, text="x"),)), "there is no turn 9"),
        (
            lambda case: Disturbed(steps=(Edit(do="edit", start=15, end=18, text=""),)),
            "key fact `US2024111221456` is no longer said",
        ),
        (
            lambda case: Disturbed(steps=(Split(do="split", at=16),)),
            "key fact `US2024111221456` is no longer said",
        ),
        (lambda case: Disturbed(steps=(Edit(do="edit", start=0, end=99, text="x"),)), "past the end"),
    ],
)
def test_a_broken_probe_is_loud(give: Callable[[Case], Any], complaint: str) -> None:
    with pytest.raises(BadInput) as error:
        apply(CASE, [Use(made(give))], seed=1)
    assert complaint in str(error.value)
    assert str(error.value).startswith("one: probe `made@2` is broken: ")
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("typoes", "did you mean `typos`?"),
        ("typos@4", "no intensity `4`: 1, 2 or 3"),
        ("typos+typos@1", "`typos` is named twice"),
        ("", "no probe named"),
        ("typos+", "no probe named"),
    ],
)
def test_a_name_that_is_none_says_what_was_meant(text: str, complaint: str) -> None:
    with pytest.raises(BadInput, match=r".") as error:
        read_uses(text)
    assert complaint in str(error.value)


def test_a_probe_of_ones_own_by_its_file(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(MINE, encoding="utf-8")
    (use,) = read_uses(f"{tmp_path / 'mine.py'}:Mine@3")
    assert str(use) == "mine@3"
    assert apply(CASE, [use], seed=1).disturb == (Utter(do="utter", before=0, text="Hm.", probe="mine@3"),)


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ('name = "mine"', 'name = "My probe"', "needs a `name`"),
        ('intent = "whether it minds"', 'intent = ""', "`intent` must be a text"),
        ('intent = "whether it minds"', "", "lacks intent"),
        ("intensity, draw, others", "intensity", "must have disturb"),
        ('name = "mine"', 'name = "mine"\n    needs = ("tools",)', "`needs` must be a frozenset"),
        ("(Probe):", ":", "no subclass of Probe"),
    ],
)
def test_a_class_that_is_no_probe_says_what_it_lacks(
    tmp_path: Path, old: str, new: str, complaint: str
) -> None:
    (tmp_path / "broken.py").write_text(MINE.replace(old, new), encoding="utf-8")
    with pytest.raises(BadInput, match=complaint):
        read_uses(f"{tmp_path / 'broken.py'}:Mine")


@pytest.fixture
def offered(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Callable[[str], None]]:
    """Offers the probe of a module as an installed package would."""

    def offer(text: str) -> None:
        (tmp_path / "probe_package.py").write_text(text, encoding="utf-8")
        monkeypatch.syspath_prepend(tmp_path)
        entry = EntryPoint("mine", "probe_package:Mine", registry.GROUP)
        monkeypatch.setattr(registry, "entry_points", lambda group: [entry] if group == entry.group else [])
        monkeypatch.delitem(__import__("sys").modules, "probe_package", raising=False)
        known.cache_clear()

    yield offer
    known.cache_clear()


def test_a_probe_of_a_package_is_known_by_its_name(offered: Callable[[str], None]) -> None:
    offered(MINE)
    assert list(known())[-1] == "mine"
    assert str(*read_uses("mine")) == "mine@2"


def test_a_package_may_not_take_a_name(offered: Callable[[str], None]) -> None:
    offered(MINE.replace('"mine"', '"typos"'))
    with pytest.raises(BadInput, match="there is a probe `typos` already"):
        known()


def test_a_package_that_cannot_be_imported_says_so(offered: Callable[[str], None]) -> None:
    offered("import nowhere_to_be_found")
    with pytest.raises(BadInput, match=r"fairtrial\.probes: mine = .*cannot be imported"):
        known()
