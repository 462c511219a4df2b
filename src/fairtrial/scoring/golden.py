"""Golden samples: fixed outputs whose right scores are known. They examine the examiner."""

import json
import os
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import chain, repeat
from pathlib import Path
from typing import Annotated, Any

import msgspec
import yaml
from pydantic import BeforeValidator, Field, TypeAdapter, ValidationError
from pydantic_core import ErrorDetails

from fairtrial.cases.files import CaseFile, read
from fairtrial.cases.forms import rules_from
from fairtrial.cases.paths import KINDS
from fairtrial.errors import BadInput
from fairtrial.schema.case import Case, CaseSet
from fairtrial.schema.record import Record, Status, Turn
from fairtrial.schema.rule import Rule
from fairtrial.schema.score import Score, Unscored
from fairtrial.schema.written import Written, complaint
from fairtrial.scoring.score import Scorer
from fairtrial.text.language import say

SCORE_TOLERANCE = 0.005
"""How far a score may be from the one written, so that two thirds may be written 0.67."""
USEFUL_TOLERANCE = 0.01
"""The same for usefulness."""

_RULES: TypeAdapter[tuple[Rule, ...]] = TypeAdapter(tuple[Rule, ...])
_Texts = Annotated[tuple[str, ...], Field(strict=False)]
_Id = Annotated[str, BeforeValidator(lambda given: str(given) if type(given) is int else given)]


class _Sample(Written):
    id: _Id
    case: _Id | None = None
    expect: Any = None
    rules: list[Any] | None = None
    input: str | list[str] | None = None
    output: str | list[str] | None = None
    record: dict[str, Any] | None = None
    score: Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]
    hits: dict[Annotated[int, Field(ge=0, strict=False)], bool] = {}
    useful: Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)] | None = None
    context: str | None = None
    key_facts: _Texts = ()
    note: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class GoldenSample:
    """One fixed output and what it is worth.

    Its rules are those of the case that it names (`case`), else its own `rules`. The `hits` written map a
    rule's place (from 0) to whether it is met, for the rules that they name. `where` is `file:line`.
    """

    where: str
    written: _Sample
    rules: tuple[Rule, ...]
    record: Record

    @property
    def id(self) -> str:
        """Its name among the samples."""
        return self.written.id

    @property
    def case(self) -> str | None:
        """The id of the case whose rules it is judged by."""
        return self.written.case


@dataclass(frozen=True, kw_only=True, slots=True)
class Mismatch:
    """Where the scorer and a golden sample do not agree: which sample, what of it, and both values."""

    sample: str
    rule: str
    expected: str
    got: str

    @property
    def said(self) -> str:
        """The same for people."""
        return say(
            f"golden sample {self.sample!r}, {self.rule}: expected {self.expected}, got {self.got}",
            f"金标准样本 {self.sample!r}，{self.rule}：应为 {self.expected}，实得 {self.got}",
        )


def load_golden(path: Path) -> tuple[GoldenSample, ...]:
    """The samples of a JSON, YAML or JSONL file, a list of objects.

    Raises BadInput with file and line at the first thing that is wrong.
    """
    if path.suffix.casefold() not in KINDS or not path.is_file():
        raise BadInput(
            say("no file of golden samples", "没有金标准样本文件"),
            where=str(path),
            how=say(f"a file that ends in {', '.join(KINDS)}", f"文件名应以 {'、'.join(KINDS)} 结尾"),
        )
    file = read(path)
    errors = [problem for problem in file.problems() if problem.severity == "error"]
    if errors:
        raise BadInput(errors[0].what, where=errors[0].where, how=errors[0].how)
    samples = tuple(_sample(written, file, at) for at, written in file.cases)
    seen: set[str] = set()
    for sample in samples:
        if sample.id in seen:
            raise BadInput(
                say(f"two samples have the id {sample.id!r}", f"有两个样本的 id 都是 {sample.id!r}"),
                where=sample.where,
            )
        seen.add(sample.id)
    return samples


def _sample(written: Any, file: CaseFile, at: tuple[str | int, ...]) -> GoldenSample:
    line = file.place(at)
    where = f"{file.name}:{line[0]}" if line else file.name
    try:
        sample = _Sample.model_validate(written)
        return GoldenSample(where=where, written=sample, rules=_rules(sample), record=_record(sample))
    except ValidationError as error:
        first = error.errors()[0]
        place = file.place((*at, *first["loc"]))
        raise BadInput(_fault(first), where=f"{file.name}:{place[0]}" if place else where) from error
    except msgspec.ValidationError as error:
        raise BadInput(f"record: {error}", where=where) from error
    except BadInput as error:
        raise BadInput(error.what, where=f"{where} {error.where}".strip(), how=error.how) from error


def _fault(detail: ErrorDetails) -> str:
    if detail["loc"][:1] == ("hits",):
        return say('`hits` is like {"0": true}', '`hits` 形如 {"0": true}')
    name = next((part for part in reversed(detail["loc"]) if isinstance(part, str)), "")
    if detail["type"] == "extra_forbidden":
        return say(f"unknown field `{name}`", f"未知字段 `{name}`")
    return complaint(detail, name or say("sample", "样本"))


def _rules(sample: _Sample) -> tuple[Rule, ...]:
    if sum(given is not None for given in (sample.case, sample.expect, sample.rules)) != 1:
        raise BadInput(
            say(
                "a sample has `case`, `expect` or `rules`, one of them",
                "样本须有 `case`、`expect`、`rules` 之一",
            )
        )
    if sample.case is not None:
        return ()
    return _RULES.validate_python(tuple(rules_from(sample.expect if sample.rules is None else sample.rules)))


def _record(sample: _Sample) -> Record:
    if (sample.output is None) == (sample.record is None):
        raise BadInput(
            say("a sample has `output` or `record`, one of them", "样本须有 `output`、`record` 之一")
        )
    if sample.record is not None:
        return msgspec.convert({"case": sample.id, "trial": 0, "status": "completed"} | sample.record, Record)
    outputs = [sample.output] if isinstance(sample.output, str) else sample.output or []
    inputs = [sample.input] if isinstance(sample.input, str) else sample.input or []
    asked = zip(chain(inputs, repeat("")), outputs, strict=False)
    turns = tuple(Turn(user=user, reply=reply) for user, reply in asked)
    return Record(case=sample.id, trial=0, status=Status.completed, turns=turns)


def check_golden(samples: Iterable[GoldenSample], case_set: CaseSet | None) -> tuple[Mismatch, ...]:
    """All that the scorer says otherwise than the samples.

    A sample of a case that `case_set` has not cannot be checked and is passed over; `strangers` names
    such. Raises BadInput for a rule that cannot be used.
    """
    cases = case_set.by_id() if case_set else {}
    found: list[Mismatch] = []
    for sample in samples:
        if sample.case is None:
            found += _compare_own(sample)
        elif sample.case in cases:
            found += _compare(sample, cases[sample.case])
    return tuple(found)


def strangers(samples: Iterable[GoldenSample], case_set: CaseSet) -> tuple[GoldenSample, ...]:
    """The samples of cases that are not in the set: a project may have several sets and one golden file."""
    known = case_set.by_id()
    return tuple(sample for sample in samples if sample.case is not None and sample.case not in known)


def _compare_own(sample: GoldenSample) -> list[Mismatch]:
    record, written = sample.record, sample.written
    asked = tuple(turn.user for turn in record.turns if turn.user) or ("?",)
    sources: dict[str, Any] = {"context": written.context, "key_facts": written.key_facts}
    try:
        return _compare(sample, Case(id=record.case, input=asked, rules=sample.rules, **sources))
    except BadInput as error:
        raise BadInput(error.what, where=f"{sample.where} {sample.id!r}", how=error.how) from error


def _compare(sample: GoldenSample, case: Case) -> list[Mismatch]:
    written = sample.written
    asked = zip(sample.record.turns, chain(case.input, repeat("")), strict=False)
    turns = tuple(msgspec.structs.replace(turn, user=turn.user or user) for turn, user in asked)
    record = msgspec.structs.replace(sample.record, case=case.id, turns=turns)
    score = Scorer(CaseSet(cases=(case,), paths=(), digest="")).score(record)

    def differs(rule: str, expected: Any, got: Any) -> Mismatch:
        return Mismatch(sample=sample.id, rule=rule, expected=str(expected), got=str(got))

    found = []
    for place, expected in sorted(written.hits.items()):
        if place >= len(score.hits):
            found.append(differs(f"rule {place}", _met(expected), say("no such rule", "没有这条规则")))
        elif (hit := score.hits[place]).met is not expected:
            why = f" ({hit.why})" if hit.why else ""
            found.append(differs(f"rule {place} ({hit.rule})", _met(expected), _met(hit.met) + why))
    if isinstance(score.value, Unscored):
        found.append(differs("score", f"{written.score:g}", score.value.why))
    elif abs(score.value - written.score) > SCORE_TOLERANCE:
        found.append(differs("score", f"{written.score:g}", f"{score.value:.4g}{_misses(score)}"))
    if written.useful is not None:
        if isinstance(score.useful, Unscored):
            found.append(differs("useful", f"{written.useful:g}", score.useful.why))
        elif abs(score.useful.value - written.useful) > USEFUL_TOLERANCE:
            found.append(differs("useful", f"{written.useful:g}", f"{score.useful.value:.4g}"))
    return found


def _met(met: bool | None) -> str:
    if met is None:
        return say("not applied", "无法执行")
    return say("met", "命中") if met else say("not met", "未命中")


def _misses(score: Score) -> str:
    missed = [f"{i} {hit.rule}: {hit.why}" for i, hit in enumerate(score.hits) if not hit.met]
    return f" ({'; '.join(missed)})" if missed else ""


def add_golden(path: Path, sample: Mapping[str, Any]) -> None:
    """Append a sample to a file of golden samples, in the file's own format; make the file if need be.

    Raises BadInput, and leaves the file as it was, where it or the sample is wrong or the id is taken.
    """
    kind = KINDS.get(path.suffix.casefold())
    if path.is_file():
        load_golden(path)
    old = path.read_text("utf-8-sig") if path.is_file() else ""
    if kind == "jsonl":
        new = _line(old) + json.dumps(sample, ensure_ascii=False) + "\n"
    elif kind == "json":
        samples = [*json.loads(old), sample] if old.strip() else [sample]
        new = json.dumps(samples, ensure_ascii=False, indent=2) + "\n"
    elif kind == "yaml":
        new = _line(old) + yaml.safe_dump([dict(sample)], allow_unicode=True, sort_keys=False)
    else:
        raise BadInput(say("no kind of file that is read", "不支持这种文件"), where=str(path))
    _replace(path, new)


def _line(text: str) -> str:
    return text if not text or text.endswith("\n") else text + "\n"


def _replace(path: Path, text: str) -> None:
    """Put the text in the file's place if it can be loaded."""
    with tempfile.TemporaryDirectory(dir=path.parent, prefix=f".{path.stem}-") as folder:
        draft = Path(folder) / path.name
        # Half a character is written as its escape, and refused by name when it is read back.
        with draft.open("w", encoding="utf-8", errors="backslashreplace", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        try:
            load_golden(draft)
        except BadInput as error:
            raise BadInput(error.what, where=str(path), how=error.how) from error
        os.replace(draft, path)
