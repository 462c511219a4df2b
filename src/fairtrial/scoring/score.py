"""A session's score: its rules weighed, its usefulness beside them."""

import hashlib
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from importlib.metadata import version
from pathlib import Path

import fairtrial
from fairtrial.cases.digest import asked
from fairtrial.errors import BadInput
from fairtrial.schema.case import Case, CaseSet
from fairtrial.schema.record import Record
from fairtrial.schema.rule import Contains, ContainsAll, ContainsAny, Equals, Number, PythonRule, Rule
from fairtrial.schema.score import About, Hit, Score, Unscored
from fairtrial.scoring.reading import Reading
from fairtrial.scoring.rules import prepare
from fairtrial.scoring.rules_python import source
from fairtrial.scoring.rules_tools import calls_asked
from fairtrial.scoring.useful import useful_of
from fairtrial.text.language import say

_LIBRARIES = ("google-re2", "rjieba", "jsonschema-rs", "opencc", "jsonpath-rfc9535", "regex")


_READY = 4096
"""Cases whose rules stay compiled, at 4 kB each; those of a larger set are compiled again when asked."""


@dataclass(frozen=True, slots=True)
class _Compiled:
    case: Case
    rules: tuple[Callable[[Reading], Hit], ...]
    required: tuple[str, ...]


class Scorer:
    """The rules of a case set, made executable. Never changes, and holds nothing of a record."""

    def __init__(self, case_set: CaseSet, *, pass_at: float = 1.0) -> None:
        """Compile all rules. Raises BadInput, naming case and rule, for one that cannot be used."""
        self.pass_at = pass_at
        cases = self._cases = {case.id: case for case in case_set.cases}
        self._compiled = lru_cache(maxsize=_READY)(lambda case_id: _compiled(cases[case_id]))
        for case_id in cases:
            self._compiled(case_id)
        self._about = lru_cache(maxsize=_READY)(lambda case_id: _about(cases[case_id]))

    def knows(self, case_id: str) -> bool:
        """Whether the set has the case."""
        return case_id in self._cases

    def about(self, case_id: str) -> About:
        """What the figures need of a case. Raises KeyError for one that the set has not."""
        return self._about(case_id)

    def score(self, record: Record) -> Score:
        """Rules and usefulness of a session; Unscored for both where it did not complete."""
        if (none := self._unscored(record)) is not None:
            return Score(value=none, useful=none)
        compiled = self._compiled(record.case)
        reading = Reading(record)
        value, hits = _value(compiled, reading)
        useful = useful_of(
            reading.record,
            context=compiled.case.context,
            key_facts=compiled.case.key_facts,
            required=compiled.required,
        )
        return Score(value=value, hits=hits, useful=useful)

    def value(self, record: Record) -> tuple[float | Unscored, tuple[Hit, ...]]:
        """The score of the rules alone, in [0, 1], and each rule's finding."""
        if (none := self._unscored(record)) is not None:
            return none, ()
        return _value(self._compiled(record.case), Reading(record))

    @cached_property
    def digest(self) -> str:
        """SHA-256 over all that a score depends on besides record and case.

        That is the source of the scorer and of the texts' rooms, the libraries they stand on, `pass_at`
        and the functions of the Python rules. A changed digest asks for the golden samples again.
        """
        functions = sorted(
            {r.function for case in self._cases.values() for r in case.rules if isinstance(r, PythonRule)}
        )
        parts = [
            _code_digest(),
            repr(float(self.pass_at)),
            *(f"{name}\n{source(name)}" for name in functions),
        ]
        return hashlib.sha256("\0".join(parts).encode("utf-8", "backslashreplace")).hexdigest()

    def _unscored(self, record: Record) -> Unscored | None:
        if not record.status.counts:
            return Unscored(why=say(f"ended with {record.status}", f"会话结束于 {record.status}"))
        if not self.knows(record.case):
            return Unscored(why=say("the set has no such case", "问题集里没有这个用例"))
        return None


def _value(compiled: _Compiled, reading: Reading) -> tuple[float | Unscored, tuple[Hit, ...]]:
    hits = tuple([rule(reading) for rule in compiled.rules])
    return weigh(hits), hits


def weigh(hits: Sequence[Hit]) -> float | Unscored:
    """Σ share · met / Σ share, in [0, 1]; 0 where a critical rule is broken.

    A case of prohibitions alone, all kept, is worth 1. Unscored without rules, and where one of them
    could not be applied, unless a critical one is broken: an error is no wrong answer.
    """
    if not hits:
        return Unscored(why=say("no executable rule", "没有可执行的规则"))
    whole = kept = 0.0
    failed = None
    for hit in hits:
        if hit.critical and hit.met is False:
            return 0.0
        failed = failed or (hit if hit.met is None else None)
        whole += hit.share
        kept += hit.share if hit.met else 0.0
    if failed:
        return Unscored(
            why=say(
                f"rule {failed.rule} could not be applied: {failed.why}",
                f"规则 {failed.rule} 无法执行：{failed.why}",
            )
        )
    return 1.0 if kept == whole else kept / whole


def _compiled(case: Case) -> _Compiled:
    rules = []
    for index, rule in enumerate(case.rules):
        try:
            rules.append(prepare(rule))
        except BadInput as error:
            place = say(f"case {case.id!r}, rule {index}", f"用例 {case.id!r} 的第 {index} 条规则（从 0 数）")
            raise BadInput(error.what, where=place, how=error.how) from error
    required = tuple(text for rule in case.rules for text in _required(rule))
    return _Compiled(case=case, rules=tuple(rules), required=required)


def _required(rule: Rule) -> Sequence[str]:
    """The values that a rule asks a reply to say."""
    match rule:
        case Contains(text=str(text)) | Equals(text=text):
            return (text,)
        case ContainsAll(texts=texts) | ContainsAny(texts=texts):
            return texts
        case Number(value=value):
            return (f"{value:.15g}",)
    return ()


_OF_CASE = sorted({*About.__struct_fields__} & Case.model_fields.keys() - {"cluster"})


def _about(case: Case) -> About:
    told = {name: getattr(case, name) for name in _OF_CASE}
    return About(
        scorable=bool(case.rules),
        cluster=case.cluster or case.source,
        calls_asked=calls_asked(case.rules),
        asked=asked(case),
        **told,
    )


@cache
def _code_digest() -> str:
    root = Path(fairtrial.__file__).parent
    files = [root / "schema" / "rule.py", root / "schema" / "record.py"]
    for room in ("scoring", "text"):
        files += sorted(p for p in (root / room).rglob("*") if p.suffix in {".py", ".txt"})
    for name in ("golden.py", "references.py"):  # they examine scores and make none
        files.remove(root / "scoring" / name)
    whole = hashlib.sha256()
    for path in files:
        whole.update(path.relative_to(root).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    for name in _LIBRARIES:
        whole.update(f"{name}=={version(name)}\0".encode())
    whole.update(unicodedata.unidata_version.encode())
    return whole.hexdigest()
