"""Reference answers: what a case's author holds to be right must pass the case's own rules."""

from dataclasses import dataclass
from itertools import chain, repeat

from fairtrial.schema.case import Answer, Case
from fairtrial.schema.record import Call, Record, Status, Turn
from fairtrial.schema.rule import Claim, PythonRule, Rule, State, ToolCalled, ToolNotCalled, ToolsInOrder
from fairtrial.schema.score import Hit, Unscored
from fairtrial.scoring.score import Scorer, weigh
from fairtrial.text.language import say


@dataclass(frozen=True, kw_only=True, slots=True)
class Tried:
    """A case's reference by the case's rules.

    `wrong` says, of each rule for which the reference does not pass, which it is, what was expected and what
    came out; nothing where it passes. `unseen` counts the rules of which the reference shows nothing (tool
    calls, a state or earlier turns that it does not tell): they are neither met nor broken.
    """

    case: str
    wrong: tuple[str, ...]
    unseen: int


def try_reference(case: Case, scorer: Scorer) -> Tried:
    """Score the reference of a case, which has one, by those rules that it can be read by."""
    _, hits = scorer.value(reference_record(case))
    shown = _shown(case)
    seen = [
        (at, hit)
        for at, (rule, hit) in enumerate(zip(case.rules, hits, strict=True))
        if _needs(rule) <= shown
    ]
    value = weigh([hit for _, hit in seen])
    passes = not seen or (not isinstance(value, Unscored) and value >= scorer.pass_at)
    wrong = () if passes else tuple(_said(at, hit) for at, hit in seen if not hit.met)
    return Tried(case=case.id, wrong=wrong, unseen=len(hits) - len(seen))


def reference_record(case: Case) -> Record:
    """The session in which an agent gave a case's reference; turns that it does not tell have no reply."""
    answers: list[Answer | None] = [*case.reference]
    if len(answers) == 1:
        answers = [*[None] * (len(case.input) - 1), *answers]
    asked = chain(case.input, repeat(""))
    turns = tuple(_turn(user, answer) for user, answer in zip(asked, answers, strict=False))
    return Record(case=case.id, trial=0, status=Status.completed, turns=turns)


def _turn(user: str, answer: Answer | None) -> Turn:
    if answer is None:
        return Turn(user=user, reply=None)
    steps = tuple(Call(name=c.name, arguments=c.arguments, result=c.result) for c in answer.calls)
    return Turn(user=user, reply=answer.text, steps=steps, state=answer.state)


def _shown(case: Case) -> set[str]:
    """What the reference tells. `calls: []` says that none was made; left out, it says nothing of calls."""
    told = {name for answer in case.reference for name in answer.model_fields_set}
    whole = len(case.reference) >= len(case.input)
    return told & {"calls", "state"} | ({"turns"} if whole else set())


def _needs(rule: Rule) -> set[str]:
    """What a rule reads besides the last reply; a Python rule may read everything."""
    needs = {"turns"} if rule.over == "all" else set[str]()
    match rule:
        case ToolCalled() | ToolNotCalled() | ToolsInOrder():
            needs.add("calls")
        case State():
            needs.add("state")
        case Claim():
            needs |= {name for name, of in (("calls", rule.tool), ("state", rule.path)) if of is not None}
        case PythonRule():
            needs |= {"turns", "calls"}
    return needs


def _said(at: int, hit: Hit) -> str:
    got = say("not met", "未命中") if hit.met is False else say("could not be applied", "无法执行")
    why = say(f" ({hit.why})", f"（{hit.why}）") if hit.why else ""
    return say(
        f"the reference does not pass: rule {at} ({hit.rule}): expected met, got {got}{why}",
        f"参考答案未通过：第 {at} 条规则（{hit.rule}，从 0 数）：应为命中，实得{got}{why}",
    )
