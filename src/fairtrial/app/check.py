"""Everything that can be known of a case set before anyone is asked."""

import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import get_args

from fairtrial.agents.config import OpenAIConfig
from fairtrial.app.config import Project, RunConfig, load_project
from fairtrial.app.finish import set_name
from fairtrial.app.nulls import null_figures
from fairtrial.app.prepare import Choices, case_paths, chosen_of, read_series, run_config
from fairtrial.app.talks import require_speaker
from fairtrial.app.whom import importable
from fairtrial.cases.load import Loaded, load
from fairtrial.cases.problems import nearest
from fairtrial.errors import BadInput
from fairtrial.evidence.thresholds import Mode
from fairtrial.schema.case import CaseSet
from fairtrial.schema.checked import Checked, Nothing, Remark
from fairtrial.schema.disturbance import Fault, Pause, Utter
from fairtrial.schema.rule import Claim, Rule, ToolCalled, ToolNotCalled, ToolsInOrder
from fairtrial.scoring.golden import GoldenSample, check_golden, load_golden, strangers
from fairtrial.scoring.references import try_reference
from fairtrial.scoring.rules import compile_rule
from fairtrial.scoring.score import Scorer
from fairtrial.text.language import say


def check(choices: Choices, *, null: bool) -> Checked:
    """Load, compile, compare with the golden samples and, if `null`, let the null agents try.

    `choices` chooses cases as for a run: a filter that matches nothing is told here. Raises BadInput where
    there is nothing to check: a broken project file, no case set named.
    """
    project = load_project(choices.config)
    run = run_config(project, choices)
    importable(project.folder)
    loaded = load(case_paths(run), without=Path(run.out))
    whole = chosen = loaded.case_set
    remarks = list(_problems(loaded))
    _try_out(loaded, project, remarks)
    remarks += [*_strange_tools(loaded, project), *_too_late(loaded, run)]
    good = all(remark.severity != "error" for remark in remarks)
    scorer = Scorer(whole, pass_at=project.score.pass_at) if good and whole else None
    for mode in get_args(Mode):
        with _noting(remarks):
            project.doubts.resolve(set_name(run.cases), mode)
    with _noting(remarks):
        read_series(project)
    if whole:
        with _noting(remarks):
            chosen = chosen_of(whole, project, run, choices) or whole
    samples: tuple[GoldenSample, ...] = ()
    with _noting(remarks):
        samples = load_golden(Path(run.golden)) if run.golden else ()
    golden = str(run.golden)
    if scorer:
        how = say("mend the scorer, or the sample if it was wrong", "请修正评分器，或修正写错的样本")
        wrong = check_golden(samples, whole)
        remarks += [Remark(where=golden, severity="error", what=m.said, how=how) for m in wrong]
    others = strangers(samples, whole) if whole else ()
    if others:
        remarks.append(_unchecked(others, golden))
    if scorer:
        remarks += _references(loaded, scorer)
    nulls = null_figures(chosen, scorer) if null and scorer and chosen else None
    nothing = {kind: figures for kind, (_, figures) in nulls.items()} if nulls is not None else None
    if nothing and chosen and (given := _given_away(nothing, chosen)):
        remarks.append(given)
    return Checked(
        cases=len(chosen.cases) if chosen else 0,
        remarks=tuple(remarks),
        golden=len(samples) - len(others),
        references=sum(bool(case.reference) for case in whole.cases) if whole else 0,
        null_agents={kind: ids for kind, (ids, _) in nulls.items()} if nulls is not None else None,
        nothing=nothing,
    )


def _references(loaded: Loaded, scorer: Scorer) -> Iterator[Remark]:
    """References that do not pass; and of how many rules the others show nothing, in one hint."""
    unseen, cases, first = 0, 0, ""
    for case, where in loaded.cases():
        if not case.reference:
            continue
        tried = try_reference(case, scorer)
        place = where(("reference",)) if tried.wrong or (tried.unseen and not first) else ""
        how = say("mend the rule, or the reference if it was wrong", "请修正规则，或修正写错的参考答案")
        for what in tried.wrong:
            yield Remark(where=place, severity="error", what=what, how=how, case=case.id)
        if tried.unseen:
            unseen, cases, first = unseen + tried.unseen, cases + 1, first or place
    if unseen:
        what = say(
            "rules of which a reference shows nothing, as they read tool calls, the state or earlier turns: "
            f"{unseen}, in {cases} of the cases",
            f"参考答案未涉及的规则（读取工具调用、状态或之前的轮次）：{unseen} 条，分布在 {cases} 个用例中",
        )
        how = say("give them `calls` and `state`", "请补上 `calls` 与 `state`")
        yield Remark(where=first, severity="hint", what=what, how=how)


def _given_away(nothing: Mapping[str, Nothing], chosen: CaseSet) -> Remark | None:
    """A set on which doing nothing scores, with the figures of the null agent that passes most."""
    kind, worst = max(nothing.items(), key=lambda item: (item[1].share, item[1].ret_ratio or 0.0))
    if not worst.share:
        return None
    groups = ", ".join(f"{group.group} ({group.passed}/{group.cases})" for group in worst.where)
    ratio = say("unknown", "未知") if worst.ret_ratio is None else f"{worst.ret_ratio:.3f}"
    what = say(
        f"doing nothing scores: null agent {kind} passes {worst.share:.1%}, ret_ratio {ratio}"
        + (f"; most in {groups}" if groups else ""),
        f"什么都不做也能得分：空 Agent {kind} 通过 {worst.share:.1%}，ret_ratio {ratio}"
        + (f"；集中在 {groups}" if groups else ""),
    )
    how = say("tighten the rules of the cases named below", "请收紧下面列出的用例的规则")
    return Remark(where=os.path.commonpath(chosen.paths), severity="hint", what=what, how=how)


def _unchecked(samples: Sequence[GoldenSample], golden: str) -> Remark:
    first = samples[0]
    return Remark(
        where=golden,
        severity="hint",
        what=say(
            f"golden samples of cases that this set has not are not checked: {len(samples)}, "
            f"the first is {first.id!r} of {first.case!r}",
            f"金标准样本的用例不在这个问题集里，未检查：{len(samples)} 个，"
            f"第一个是 {first.id!r}（用例 {first.case!r}）",
        ),
    )


@contextmanager
def _noting(
    remarks: list[Remark], where: Callable[[], str] | None = None, case: str | None = None
) -> Iterator[None]:
    """A refusal of what is done within is one remark more, told once."""
    try:
        yield
    except BadInput as error:
        place = where() if where else error.where
        remark = Remark(where=place, severity="error", what=error.what, how=error.how, case=case)
        if remark not in remarks:
            remarks.append(remark)


def _problems(loaded: Loaded) -> Iterator[Remark]:
    for problem in loaded.problems:
        yield Remark(
            where=problem.where,
            severity=problem.severity.value,
            what=problem.what,
            how=problem.how,
            case=problem.case,
        )


def _try_out(loaded: Loaded, project: Project, remarks: list[Remark]) -> None:
    """Rules and users that are well formed and yet cannot be: a pattern that is none, a missing function."""
    for case_id, rule, place in loaded.rules():
        with _noting(remarks, place, case_id):
            compile_rule(rule)
    for case, where in loaded.cases():
        with _noting(remarks, partial(where, ("user",)), case.id):
            require_speaker(project, case)


def _strange_tools(loaded: Loaded, project: Project) -> Iterator[Remark]:
    """Tools that a step waits for or spoils, of which neither a rule nor the agent's own settings know."""
    cases = list(loaded.cases())
    known = {tool for case, _ in cases for rule in case.rules for tool in _tools_of(rule)}
    if isinstance(project.agent, OpenAIConfig):
        known |= {tool.name or re.split("[:.]", tool.function)[-1] for tool in project.agent.tools}
    for case, where in cases:
        for number, step in enumerate(case.disturb):
            tool = (
                step.after_tool if isinstance(step, Utter) else step.tool if isinstance(step, Fault) else None
            )
            if tool is None or tool in known:
                continue
            what = say(f"no rule and no setting knows a tool `{tool}`", f"规则和设置中都没有工具 `{tool}`")
            if meant := nearest(tool, known, 0.6):
                what += say(f"; did you mean `{meant}`?", f"；是否想写 `{meant}`？")
            place = where(("disturb", number))
            how = say(
                "the step waits for it in vain if the agent has none", "若 Agent 没有它，这一步不会发生"
            )
            yield Remark(where=place, severity="hint", what=what, how=how, case=case.id)


def _too_late(loaded: Loaded, run: RunConfig) -> Iterator[Remark]:
    """Moments by the clock that a session does not live to see: it has its time limit and its pauses."""
    for case, where in loaded.cases():
        away = sum(step.seconds for step in case.disturb if isinstance(step, Pause))
        longest = away + (0 if run.clock else run.timeout)
        for number, step in enumerate(case.disturb):
            if isinstance(step, Utter) and step.after_seconds is not None and step.after_seconds > longest:
                yield Remark(
                    where=where(("disturb", number)),
                    severity="hint",
                    what=say(
                        f"`after_seconds`: the clock moves {longest:g} s at most",
                        f"`after_seconds`：时钟最多走到 {longest:g} 秒",
                    ),
                    how=say("write a pause, or fewer seconds", "请写上 pause，或减少秒数"),
                    case=case.id,
                )


def _tools_of(rule: Rule) -> Iterator[str]:
    match rule:
        case ToolCalled() | ToolNotCalled():
            yield rule.tool
        case Claim() if rule.tool is not None:
            yield rule.tool
        case ToolsInOrder():
            yield from (call.tool for call in rule.calls)
