"""One result under audit as arrays and short lists: read once, in chunks, and kept small."""

import re
from array import array
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from math import nan
from typing import Any

import numpy as np

from fairtrial.evidence.columns import Flags, Floats, Ints, by_about
from fairtrial.schema.record import Record, Status
from fairtrial.schema.score import About, Row, Score, Unscored
from fairtrial.text.normalise import fold, squeeze

_CHUNK = 8192
_LONGEST_ERROR = 400
"""An answer longer than this is one, whatever it says of errors."""
_ERROR = re.compile(
    r"""
    ^\W{0,3}(?:
      (?:[\w.]+\.)?\w*(?:error|exception)\b\W{0,2}\s*[:：(]   # openai.RateLimitError: …, {"error": …
      | [\w.]+\.\w*timeout\s*[:：(]
      | error\s+code\s*:?\s*\d{3}
      | traceback\s+\(most\s+recent
      | (?:错误|异常|报错|请求失败|调用失败|出错了?)\s*[:：]
      | (?:                     # a message ends here, where an answer about it goes on (a 503 means that …)
        (?:http\s*|(?:status\s+)?code\s*:?\s*|status\s*)?(?:429|5\d\d)\s+
          (?:too\s+many|internal|bad|service|gateway|server|not\s+impl)[\w\s-]{0,30}
        | (?:the\s+)?(?:request|connection|operation|session|call|api|read|connect)[\w\s]{0,20}
          \btimed?[\s-]?out
        | (?:请求|连接|调用|接口|服务|网络)[^\n，。]{0,8}(?:超时|限流|过于频繁|不可用|异常|失败|内部错误)
        | rate[\s_-]?limit(?:ed|s)?(?:[\s_-](?:exceeded|reached|hit|error))? | too\s+many\s+requests
        | internal\s+server\s+error | bad\s+gateway | service\s+(?:is\s+)?(?:temporarily\s+)?unavailable
        | gateway\s+time-?out | connection\s+(?:refused|reset|aborted|closed|error)
      )(?=\s*(?:$|[^\w\s]|(?:after|for|by|please)\b))
    )
    | \b429\b\W{0,4}too\s+many\s+requests | \b(?:exceed|limit).{0,200}\bretry\s+after\s+\d+\s*s
    """,
    re.IGNORECASE | re.VERBOSE,
)
_EARNED = 0.1
"""Where more of the replies that look like errors than this have points, they are answers about errors."""
_TELLING = re.compile(r"\d|\w+\W+\w+\W+\w|(?:[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]\W*){5}")
"""What says more than a greeting: a number, three words, or five characters where they are words."""
_MATERIAL = ("context", "document", "passage", "上下文", "文档", "材料")
"""Fields beside a question without which it is not the same question."""
_SENTENCE_SIGNS = re.compile(r"\s*[.,!?;:。、…]+(?=\s|$)")


def says_error(reply: str) -> bool:
    """Whether a reply is the message of a failed request and no answer of an agent."""
    return len(reply) <= _LONGEST_ERROR and _ERROR.search(reply) is not None


def same_text(text: str) -> str:
    """The form in which two questions are one: case, width, spaces and the signs between sentences folded."""
    return squeeze(_SENTENCE_SIGNS.sub(" ", fold(text)))


def contradicts(score: Score, *, exact: bool) -> bool:
    """Whether a score is not what its own findings come to.

    `exact`: it must be the weighted share of the rules met (a score of ours). Else rules may have given
    part of their points, and only the ends are certain: full marks with a rule missed, none with all met.
    """
    value, hits = score.value, score.hits
    if isinstance(value, Unscored) or any(hit.met is None for hit in hits) or not hits:
        return False
    if any(hit.critical and not hit.met for hit in hits):
        return value > 0.0
    whole = sum(hit.share for hit in hits)
    kept = sum(hit.share for hit in hits if hit.met)
    if exact:
        return abs(value - (kept / whole if whole else 1.0)) > 1e-9
    return (value >= 1.0 and kept < whole) or (value <= 0.0 and kept == whole > 0)


def below_own_threshold(told: Mapping[str, Any], score: Score) -> bool:
    """Whether a test is called passed below its own threshold, or failed above it (as promptfoo has them)."""
    test, said = told.get("testCase"), told.get("success")
    threshold = test.get("threshold") if isinstance(test, Mapping) else None
    if (
        not isinstance(threshold, int | float)
        or not isinstance(said, bool)
        or isinstance(score.value, Unscored)
    ):
        return False
    return said != (score.value >= threshold)


@dataclass(frozen=True, kw_only=True)
class Side:
    """One result. `ids` are its cases in the order first seen.

    `case`, `trial`, `value` (NaN: none), `completed` and `failed` (neither completed nor cut off by a limit)
    have an entry a session; `cluster` (−1: none named), `weight` and `question` (a hash of what was asked, 0
    where that is not known) one a case. `statuses` count sessions. `models` has for each model that answered
    the cases in which it did, and is empty where models are what the file compares. `as_errors` and
    `against_rules` number the sessions whose reply is a failed request's message though it was scored 0, and
    whose score is not what its rules come to.
    """

    name: str
    ids: tuple[str, ...]
    case: Ints
    trial: Ints
    value: Floats
    completed: Flags
    failed: Flags
    cluster: Ints
    weight: Floats
    question: Ints
    statuses: Mapping[str, int]
    models: Mapping[str, Sequence[int]]
    as_errors: Sequence[int]
    against_rules: Sequence[int]

    @classmethod
    def of(cls, rows: Iterable[Row], *, name: str, ours: bool) -> "Side":
        """Read the rows once. `ours`: a log of fairtrial, whose scores are exactly their rules'."""
        filling, stream = _Filling(ours), iter(rows)
        while chunk := list(islice(stream, _CHUNK)):
            filling.add(chunk)
        return filling.close(name)

    @property
    def scored(self) -> Flags:
        """The sessions that completed with a score in [0, 1]."""
        return np.asarray(self.completed & (self.value >= 0.0) & (self.value <= 1.0))

    @property
    def held(self) -> Ints:
        """Sessions a case."""
        return np.bincount(self.case, minlength=len(self.ids))

    def means(self) -> tuple[Floats, Ints]:
        """The mean score of each case, NaN where it has none, and of how many sessions."""
        ok, size = self.scored, len(self.ids)
        count = np.bincount(self.case[ok], minlength=size)
        total = np.bincount(self.case[ok], weights=self.value[ok], minlength=size)
        return np.where(count > 0, total / np.maximum(count, 1), np.nan), count


class _Filling:
    """The lists of a side while they grow."""

    def __init__(self, ours: bool) -> None:
        self._ours = ours
        self._index: dict[str, int] = {}
        self._clusters: dict[str, int] = {}
        self._case, self._trial, self._value = array("q"), array("q"), array("d")
        self._told: list[Floats] = []
        self._others: dict[int, Status] = {}
        self._question: dict[int, int] = {}
        self._models: dict[str, list[int]] = {}
        self._buckets: dict[str | None, set[str]] = {}
        self._as_errors, self._against = array("q"), array("q")
        self._earned = 0

    def add(self, chunk: Sequence[Row]) -> None:
        """Take sessions in. A list a field is several times faster than a call a row."""
        start, index = len(self._case), self._index
        records = [row.record for row in chunk]
        scores = [row.score for row in chunk]
        cases = [index.setdefault(record.case, len(index)) for record in records]
        values = [nan if isinstance(score.value, Unscored) else score.value for score in scores]
        self._case.extend(cases)
        self._trial.extend([record.trial for record in records])
        self._value.extend(values)
        self._told.append(by_about([row.about for row in chunk], self._numbers))
        good = Status.completed
        for at, record in enumerate(records):
            if record.status is not good:
                self._others[start + at] = record.status
            if record.turns:
                self._hear(record, chunk[at].about.bucket, cases[at], value=values[at], at=start + at)
        self._compare_with_rules(records, scores, start)

    def _numbers(self, about: About) -> tuple[float, int]:
        name = about.cluster
        return about.weight, -1 if name is None else self._clusters.setdefault(name, len(self._clusters))

    def _compare_with_rules(self, records: Sequence[Record], scores: Sequence[Score], start: int) -> None:
        distinct = {id(score): score for score in scores}  # tables share their scores
        wrong = {key for key, score in distinct.items() if contradicts(score, exact=self._ours)}
        found = [at for at, score in enumerate(scores) if id(score) in wrong] if wrong else []
        told = [at for at, record in enumerate(records) if record.extra]
        found += [at for at in told if below_own_threshold(records[at].extra, scores[at])]
        self._against.extend([start + at for at in found])

    def _hear(self, record: Record, bucket: str | None, case: int, *, value: object, at: int) -> None:
        for turn in record.turns:
            if turn.model is not None:
                self._models.setdefault(turn.model, []).append(case)
                self._buckets.setdefault(bucket, set()).add(turn.model)
        if case not in self._question:
            asked = "\n".join([same_text(turn.user) for turn in record.turns])
            extra = record.extra
            material = str([extra.get(name) for name in _MATERIAL]) if extra else ""
            # The prompt around it is part of what was asked, and what it is about.
            whole = (asked, record.system, material)
            self._question[case] = hash(whole) or 1 if _TELLING.search(asked) else 0
        if value == value and record.status.counts and says_error(record.reply):
            if value == 0.0:
                self._as_errors.append(at)
            else:
                self._earned += 1

    def _by_design(self) -> bool:
        """Whether the models are what is compared: several buckets, and one model in each."""
        models = self._buckets.values()
        return len(self._models) > 1 < len(models) and all(len(some) == 1 for some in models)

    def _answering(self) -> Mapping[str, Sequence[int]]:
        """The models that answered, one named in several ways (`gpt-4o`, `openai/gpt-4o`) once."""
        if len(self._models) < 2:
            return self._models
        plain = {name: squeeze(fold(name)) for name in self._models}
        prefixed: dict[str, set[str]] = {}
        for name in plain.values():
            prefixed.setdefault(name.rsplit("/", 1)[-1], set()).add(name)
        # Two providers of one model are two; a name without any is that of the only one.
        one = {
            tail: min(names, key=len) for tail, names in prefixed.items() if tail in names and len(names) < 3
        }
        found: dict[str, list[int]] = {}
        known: dict[str, str] = {}
        for name, cases in self._models.items():
            key = one.get(plain[name].rsplit("/", 1)[-1], plain[name])
            found.setdefault(known.setdefault(key, name), []).extend(cases)
        return found

    def _about_errors(self) -> bool:
        """Whether replies that look like errors are answers about them: a failed request earns no points."""
        return self._earned > _EARNED * (self._earned + len(self._as_errors))

    def close(self, name: str) -> Side:
        """The finished side."""
        ids = tuple(self._index)
        case = np.array(self._case, dtype=np.int64)
        weight, cluster = np.concatenate([np.empty((0, 2)), *self._told]).T
        first = np.unique(case, return_index=True)[1]
        completed, failed = np.ones(len(case), dtype=np.bool_), np.zeros(len(case), dtype=np.bool_)
        completed[list(self._others)] = False
        failed[[at for at, status in self._others.items() if status is not Status.truncated]] = True
        statuses = Counter(status.value for status in self._others.values())
        statuses[Status.completed.value] = len(case) - len(self._others)
        question = np.zeros(len(ids), dtype=np.int64)
        question[list(self._question)] = list(self._question.values())
        return Side(
            name=name,
            ids=ids,
            case=case,
            trial=np.array(self._trial, dtype=np.int64),
            value=np.array(self._value, dtype=np.float64),
            completed=completed,
            failed=failed,
            cluster=cluster[first].astype(np.int64),
            weight=weight[first],
            question=question,
            statuses={status: n for status, n in statuses.items() if n},
            models={} if self._by_design() else self._answering(),
            as_errors=[] if self._about_errors() else self._as_errors,
            against_rules=self._against,
        )
