"""Everything that can be known of a case set before anyone is asked."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import get_args

from fairtrial.app.config import load_project
from fairtrial.app.finish import set_name
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
    remarks = [*_problems(loaded), *_uncompilable(loaded)]
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


@contextmanager
def _noting(remarks: list[Remark]) -> Iterator[None]:
    """A refusal of what is done within is one remark more, told once."""
    try:
        yield
    except BadInput as error:
        remark = Remark(where=error.where, severity="error", what=error.what, how=error.how)
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


def _uncompilable(loaded: Loaded) -> Iterator[Remark]:
    """Rules that are well formed and yet cannot be executed: a pattern, a path, a missing function."""
    for case, rule, where in loaded.rules():
        try:
            compile_rule(rule)
        except BadInput as error:
            yield Remark(where=where(), severity="error", what=error.what, how=error.how, case=case)
