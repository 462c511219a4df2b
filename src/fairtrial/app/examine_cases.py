"""What a test asks for: cases, each as it is and under each probe, how often, and how many must pass."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from glob import glob, has_magic
from pathlib import Path
from typing import Annotated, Self

from pydantic import AfterValidator, Field, ValidationError, model_validator

from fairtrial.app.config import Project
from fairtrial.app.prepare import DEFAULT_TRIALS
from fairtrial.cases.load import load_or_refuse
from fairtrial.errors import BadInput
from fairtrial.schema.case import Case
from fairtrial.schema.written import Written, complaint
from fairtrial.sessions.probes.apply import Use, apply, read_uses
from fairtrial.sessions.probes.probe import Unfit
from fairtrial.text.language import say

_Names = Annotated[tuple[str, ...], Field(strict=False)]
_Share = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]


def needed(passes: str) -> tuple[int, int]:
    """How many must pass, of how many: "8 of 10". Raises ValueError."""
    found = re.fullmatch(r"([1-9][0-9]*) of ([1-9][0-9]*)", passes)
    if not found or int(found[1]) > int(found[2]):
        raise ValueError(
            say(f'`passes` is like "8 of 10", not {passes!r}', f"`passes` 形如 “8 of 10”，而不是 {passes!r}")
        )
    return int(found[1]), int(found[2])


class Mark(Written):
    """The arguments of `@pytest.mark.fairtrial`.

    `passes` is how many trials of a case must pass, "8 of 10"; unset, all. `minimum` is the least total of
    the set, in [0, 1]. With `reliable` an unreliable result of the set fails.
    """

    cases: str | Annotated[tuple[str, ...], Field(min_length=1, strict=False)]
    trials: Annotated[int, Field(ge=1, le=1000)] | None = None
    probes: _Names = ()
    passes: Annotated[str, AfterValidator(lambda passes: needed(passes) and passes)] | None = None
    minimum: _Share | None = None
    reliable: bool = False

    @model_validator(mode="after")
    def _one_number(self) -> Self:
        if self.passes and self.trials not in (None, needed(self.passes)[1]):
            raise ValueError(
                say(
                    f"{self.trials} trials, and passes is {self.passes!r}: leave out `trials`",
                    f"trials 为 {self.trials}，passes 却为 {self.passes!r}：请去掉 `trials`",
                )
            )
        return self


@dataclass(frozen=True, kw_only=True)
class Quest:
    """One case to be asked `trials` times, of which `need` must pass; its trials are numbered from `first`.

    `test` is the test that asks, and `of` how many quests it has; `uses` the probes, `unfit` why the case
    cannot be asked so.
    """

    test: str
    mark: Mark
    case: Case
    paths: tuple[Path, ...]
    trials: int
    need: int
    first: int
    of: int
    uses: tuple[Use, ...] = ()
    unfit: str | None = None

    @property
    def keys(self) -> tuple[tuple[str, int], ...]:
        """Case and number of each of its sessions."""
        return tuple((self.case.id, trial) for trial in range(self.first, self.first + self.trials))


def read_mark(where: str, args: Sequence[object], given: Mapping[str, object]) -> Mark:
    """The mark of the test `where`. Raises BadInput, naming the argument."""
    if args:
        raise BadInput(
            say("its arguments have names", "参数须写明名称"),
            where=where,
            how='@pytest.mark.fairtrial(cases="cases/*.yaml")',
        )
    try:
        return Mark.model_validate(dict(given))
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        name = str(next(iter(first["loc"]), ""))
        raise BadInput(complaint(first, name), where=where) from error


def quests(
    test: str, mark: Mark, folder: Path, project: Project, taken: dict[str, tuple[Case, int]]
) -> Iterator[Quest]:
    """The cases of a mark, each followed by itself under each probe.

    Paths lead from `folder`, that of the test's file. `taken` maps the ids that other tests of the run ask
    for to the case and its trials so far, and is added to. Raises BadInput.
    """
    paths = tuple(_found(mark, folder, test))
    cases = _load(paths)
    probes = [_uses(spec, folder, test) for spec in mark.probes]
    for case in cases:
        need, trials = _trials(case, mark, project)
        variants = [(case, (), None), *(_probed(case, uses, cases, project) for uses in probes)]
        for variant, uses, unfit in variants:
            known, first = taken.get(variant.id, (variant, 0))
            if known != variant:
                raise BadInput(
                    say(f"two cases are called {variant.id!r}", f"有两个用例都叫 {variant.id!r}"),
                    where=test,
                    how=say("give each an id of its own", "请让每个 id 唯一"),
                )
            if not variant.rules:
                unfit = say("no executable rule", "没有可执行的规则")
            taken[variant.id] = variant, first + trials
            yield Quest(
                test=test, mark=mark, case=variant, paths=paths, trials=trials, need=need,
                first=first, of=len(cases) * (1 + len(probes)), uses=uses, unfit=unfit,
            )  # fmt: skip


@lru_cache(maxsize=64)
def _load(paths: tuple[Path, ...]) -> tuple[Case, ...]:
    return load_or_refuse(paths).cases


def _found(mark: Mark, folder: Path, test: str) -> Iterator[Path]:
    for pattern in (mark.cases,) if isinstance(mark.cases, str) else mark.cases:
        whole = str(folder / pattern)
        if not has_magic(pattern):
            yield Path(whole)
            continue
        files = sorted(glob(whole, recursive=True))
        if not files:
            raise BadInput(
                say("no file fits the pattern", "没有文件符合这个模式"),
                where=f"{test}: cases={pattern!r}",
                how=say(f"it was looked for in {folder}", f"查找的位置是 {folder}"),
            )
        yield from map(Path, files)


def _uses(spec: str, folder: Path, test: str) -> tuple[Use, ...]:
    """Probes by name, or by a file that lies as the test's own paths do."""
    parts = [str(folder / part) if re.search(r"\.py:\w", part) else part for part in spec.split("+")]
    try:
        return read_uses("+".join(parts))
    except BadInput as error:
        raise BadInput(error.what, where=f"{test}: probes={spec!r}", how=error.how) from error


def _probed(
    case: Case, uses: tuple[Use, ...], cases: Sequence[Case], project: Project
) -> tuple[Case, tuple[Use, ...], str | None]:
    try:
        others = [other for other in cases if other is not case]
        return apply(case, uses, seed=project.run.seed, others=others), uses, None
    except Unfit as unfit:
        return case.model_copy(update={"id": f"{case.id}~{'+'.join(map(str, uses))}"}), uses, str(unfit)


def _trials(case: Case, mark: Mark, project: Project) -> tuple[int, int]:
    """How many trials must pass, of how many."""
    if passes := case.passes or mark.passes:
        return needed(passes)
    trials = mark.trials or project.run.trials or DEFAULT_TRIALS["full"]
    return trials, trials
