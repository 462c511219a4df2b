"""From a case and some probes to the disturbed case, which is a case like any other."""

from collections import Counter
from collections.abc import Collection, Sequence
from random import Random
from typing import get_args

from fairtrial.agents.protocol import Ability
from fairtrial.cases.steps import check_steps
from fairtrial.errors import BadInput
from fairtrial.schema.case import Case
from fairtrial.schema.disturbance import Step
from fairtrial.sessions.probes.probe import Disturbed, Unfit
from fairtrial.sessions.probes.registry import Use, known, read_uses
from fairtrial.sessions.probes.spans import key_spans
from fairtrial.sessions.said import pieces
from fairtrial.text.language import say

__all__ = ["Use", "apply", "keep", "known", "parts", "read_uses"]

_STEPS: tuple[type, ...] = get_args(get_args(Step)[0])


def apply(
    case: Case,
    uses: Sequence[Use],
    *,
    seed: int,
    others: Sequence[Case] = (),
    abilities: frozenset[Ability] = frozenset(Ability),
) -> Case:
    """The case under these probes, one after another; each sees what those before it did.

    Its id tells the probes, its cluster is the case's own, and each added step says in `probe` whose it is.
    The same seed gives the same steps: what a probe draws depends on the seed, the case's id and its own
    name and intensity.

    Raises Unfit where a probe cannot be tried on the case, or not on an agent of these `abilities`; BadInput
    where a probe is broken: it fails, gives something else than steps and rules, names no rule, breaks a key
    fact, or sets a step that can never take place.
    """
    probed, replaced = case, False
    for use in uses:
        if lacking := sorted(use.probe.needs - abilities):
            raise Unfit(_lacks(lacking))
        disturbed = _asked(probed, use, seed, others)
        if disturbed.rules is not None:
            if replaced and not all(rule in disturbed.rules for rule in probed.rules):
                raise Unfit(_both_replace(use))
            replaced = True
        probed = _under(probed, use, disturbed)
    names = "+".join(map(str, uses))
    cluster = case.kin
    return probed.model_copy(update={"id": f"{case.id}~{names}", "cluster": cluster})


def keep(case: Case, base: Case, kept: Collection[int]) -> Case:
    """The case with only these of its steps, by their number: whole `parts` of them.

    Where none of a probe's steps is left, the rules are those of `base` again.
    """
    steps = tuple(case.disturb[number] for number in sorted(kept))
    rules = case.rules if any(step.probe for step in steps) else base.rules
    return case.model_copy(update={"disturb": steps, "rules": rules})


def parts(
    case: Case, uses: Sequence[Use], *, seed: int, others: Sequence[Case] = ()
) -> tuple[tuple[int, ...], ...]:
    """The numbers of all steps in what `apply` makes of the same, by what can be left out alone.

    A part is one step, or all those of a probe that mean something only together.
    """
    found: list[tuple[int, ...]] = [(number,) for number in range(len(case.disturb))]
    for use in uses:
        disturbed = _asked(case, use, seed, others)
        added = range(len(case.disturb), len(case.disturb) + len(disturbed.steps))
        whole = disturbed.whole or disturbed.rules is not None
        found.extend([tuple(added)] if whole else [(number,) for number in added])
        case = _under(case, use, disturbed)
    return tuple(found)


def _under(case: Case, use: Use, disturbed: Disturbed) -> Case:
    steps = tuple(step.model_copy(update={"probe": str(use)}) for step in disturbed.steps)
    changes: dict[str, object] = {"disturb": (*case.disturb, *steps)}
    if disturbed.rules is not None:
        changes["rules"] = disturbed.rules
    probed = case.model_copy(update=changes)
    _check(case, probed, use)
    return probed


def _asked(case: Case, use: Use, seed: int, others: Sequence[Case]) -> Disturbed:
    """What the probe wants, once it is what a probe may want."""
    draw = Random(f"{seed}\0{case.id}\0{use}")
    try:
        disturbed = use.probe.disturb(case, use.intensity, draw, others)
    except (Unfit, BadInput):
        raise
    except Exception as error:
        raise _broken(use, case, f"{type(error).__name__}: {error}") from error
    if not isinstance(disturbed, Disturbed):
        raise _broken(use, case, say("`disturb` gave no Disturbed", "`disturb` 没有返回 Disturbed"))
    if not disturbed.steps or not all(isinstance(step, _STEPS) for step in disturbed.steps):
        raise _broken(use, case, say("it gave no steps", "没有给出步骤"))
    if disturbed.rules is not None and not disturbed.rules:
        raise _broken(
            use, case, say("its relation names no rule", "它的关系没有指明任何规则"), how=_relation()
        )
    return disturbed


def _check(before: Case, after: Case, use: Use) -> None:
    """Raises BadInput where a step can never take place, or a key fact is no longer said in one piece."""
    try:
        check_steps(after)
    except BadInput as error:
        raise _broken(use, before, error.what, how=error.how) from error
    spoken = pieces(after)
    for turn, text in enumerate(before.input):
        now = [piece.text for piece in spoken if piece.turn == turn]
        facts = Counter(text[start:end] for start, end in key_spans(before, turn))
        for fact, times in facts.items():
            if sum(piece.count(fact) for piece in now) < times:
                what = say(f"key fact `{fact}` is no longer said", f"关键信息“{fact}”不再完整说出")
                raise _broken(use, before, what)


def _lacks(lacking: list[Ability]) -> str:
    needs = ", ".join(_ability(ability) for ability in lacking)
    return say(f"needs an agent that {needs}", f"需要 Agent 具备：{needs}")


def _both_replace(use: Use) -> str:
    return say(
        f"`{use}` replaces the rules of a probe before it: the two cannot be held together",
        f"`{use}` 会替换前一个探针的规则，两者无法同时成立",
    )


def _ability(ability: Ability) -> str:
    match ability:
        case Ability.tools:
            return say("lets its tool calls pass through the examiner", "工具调用经过考官")
        case Ability.clock:
            return say("takes the time from the examiner", "以考官给的时间为准")
        case Ability.users:
            return say("is told who the user is", "知道用户是谁")
        case Ability.state:
            return say("shows its state", "可以查看状态")


def _relation() -> str:
    return say("give at least one rule, or None for those of the case", "至少给一条规则；不改规则时给 None")


def _broken(use: Use, case: Case, what: str, *, how: str = "") -> BadInput:
    return BadInput(
        say(f"probe `{use}` is broken: {what}", f"探针 `{use}` 有问题：{what}"), where=case.id, how=how
    )
