"""Everything that can be known of a case set before anyone is asked."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import get_args

from fairtrial.app.config import load_project
from fairtrial.app.finish import thresholds_of
from fairtrial.app.nulls import null_passes
from fairtrial.app.prepare import Choices, case_paths, read_series, run_config
from fairtrial.app.whom import importable
from fairtrial.cases.load import Loaded, load
from fairtrial.cases.select import select
from fairtrial.errors import BadInput
from fairtrial.evidence.thresholds import Mode
from fairtrial.schema.checked import Checked, Remark
from fairtrial.scoring.golden import GoldenSample, check_golden, load_golden
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
    limit: int | None = None,
) -> Checked:
    """Load, compile, compare with the golden samples and, if `null`, let the null agents try.

    `ids`, `tags` and `limit` choose cases as a run does: a filter that matches nothing is told here.
    Raises BadInput where there is nothing to check: a broken project file, no case set named.
    """
    project = load_project(config)
    run = run_config(project, Choices(cases=cases, run={"golden": golden and str(golden)}))
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
    if chosen and (ids or tags or limit is not None):
        try:
            chosen = select(chosen, ids=ids, tags=tags, limit=limit)
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
    passes = null_passes(chosen, scorer) if null and scorer and chosen else None
    return Checked(
        cases=len(chosen.cases) if chosen else 0,
        remarks=tuple(remarks),
        golden=len(samples),
        null_agents={str(kind): ids for kind, ids in passes.items()} if passes is not None else None,
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
