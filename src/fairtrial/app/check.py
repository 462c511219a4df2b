"""Everything that can be known of a case set before anyone is asked."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import get_args

from fairtrial.app.config import load_project
from fairtrial.app.finish import thresholds_of
from fairtrial.app.nulls import null_passes
from fairtrial.app.prepare import Choices, case_paths, chosen_of, read_series, run_config
from fairtrial.app.whom import importable
from fairtrial.cases.load import Loaded, load
from fairtrial.errors import BadInput
from fairtrial.evidence.thresholds import Mode
from fairtrial.schema.checked import Checked, Remark
from fairtrial.scoring.golden import GoldenSample, check_golden, load_golden, strangers
from fairtrial.scoring.rules import compile_rule
from fairtrial.scoring.score import Scorer
from fairtrial.text.language import say


def check(
    cases: Sequence[Path],
    *,
    golden: Path | None,
    null: bool,
    config: Path | None,
    ids: Sequence[str] = (),
    tags: Sequence[str] = (),
    failed: bool = False,
    limit: int | None = None,
) -> Checked:
    """Load, compile, compare with the golden samples and, if `null`, let the null agents try.

    `ids`, `tags`, `failed` and `limit` choose cases as a run does: a filter that matches nothing is told
    here. Raises BadInput where there is nothing to check: a broken project file, no case set named.
    """
    project = load_project(config)
    choices = Choices(
        cases=cases,
        ids=ids,
        tags=tags,
        failed=failed,
        limit=limit,
        run={"golden": golden and str(golden)},
    )
    run = run_config(project, choices)
    importable(project.folder)
    loaded = load(case_paths(run), without=Path(run.out))
    remarks = [*_problems(loaded), *_uncompilable(loaded)]
    good = loaded.case_set is not None and all(remark.severity != "error" for remark in remarks)
    scorer = Scorer(loaded.case_set, pass_at=project.score.pass_at) if good and loaded.case_set else None
    for mode in get_args(Mode):
        refused = _refusals(partial(thresholds_of, run.cases, project.doubts, mode))
        remarks += [remark for remark in refused if remark not in remarks]
    remarks += _refusals(partial(read_series, project))
    chosen = loaded.case_set
    if chosen:
        try:
            chosen = chosen_of(chosen, project, run, choices) or chosen
        except BadInput as error:
            remarks.append(_remark(error))
    samples: tuple[GoldenSample, ...] = ()
    try:
        samples = load_golden(Path(run.golden)) if run.golden else ()
    except BadInput as error:
        remarks.append(_remark(error))
    if run.golden and scorer:
        remarks += [
            Remark(
                where=run.golden,
                severity="error",
                what=say(
                    f"golden sample {m.sample!r}, {m.rule}: expected {m.expected}, got {m.got}",
                    f"金标准样本 {m.sample!r}，{m.rule}：应为 {m.expected}，实得 {m.got}",
                ),
                how=say("mend the scorer, or the sample if it was wrong", "请修正评分器，或修正写错的样本"),
            )
            for m in check_golden(samples, loaded.case_set)
        ]
    others = strangers(samples, loaded.case_set) if loaded.case_set else ()
    if others:
        remarks.append(_unchecked(others, str(run.golden)))
    passes = null_passes(chosen, scorer) if null and scorer and chosen else None
    return Checked(
        cases=len(chosen.cases) if chosen else 0,
        remarks=tuple(remarks),
        golden=len(samples) - len(others),
        null_agents={str(kind): ids for kind, ids in passes.items()} if passes is not None else None,
    )


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


def _refusals(step: Callable[[], object]) -> Iterator[Remark]:
    try:
        step()
    except BadInput as error:
        yield _remark(error)


def _remark(error: BadInput) -> Remark:
    return Remark(where=error.where, severity="error", what=error.what, how=error.how)


def _problems(loaded: Loaded) -> Iterator[Remark]:
    for problem in loaded.problems:
        yield Remark(
            where=problem.where,
            severity=problem.severity.value,
            what=problem.what,
            how=problem.how,
            case=problem.case,
        )


def _uncompilable(loaded: Loaded) -> Iterator[Remark]:
    """Rules that are well formed and yet cannot be executed: a pattern, a path, a missing function."""
    for case, rule, where in loaded.rules():
        try:
            compile_rule(rule)
        except BadInput as error:
            yield Remark(where=where(), severity="error", what=error.what, how=error.how, case=case)
