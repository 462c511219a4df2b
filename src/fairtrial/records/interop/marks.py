"""How other tools write what a session is worth (numbers, percentages, words), and the score it becomes."""

import math
import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from fairtrial.schema.audit import Fault
from fairtrial.schema.score import Hit, Score, Unscored
from fairtrial.text.language import say
from fairtrial.text.normalise import fold

_YES = "true yes y t pass passed correct right success resolved ok 是 对 正确 通过 合格 √ ✓ ✔ ✅"
_NO = (
    "false no n f fail failed incorrect wrong failure unresolved"
    " 否 错 错误 不对 不正确 不通过 未通过 不合格 × ✗ ✘ ❌"
)
_ENDLESS = "∞ +∞ -∞ #div/0! #num!"
_WORDS = {
    word: value for words, value in ((_YES, 1.0), (_NO, 0.0), (_ENDLESS, math.inf)) for word in words.split()
}
_NOTHING = frozenset(("", "none", "null", "n/a", "na", "-", "--", "#n/a", "无", "空"))
_DECIMAL_COMMA = re.compile(r"[+-]?\d*,\d+%?")
OUTCOMES = ("reward", "score", "outcome", "correctness", "correct", "accuracy", "success", "passed", "pass")
"""Names of a score that says how a session ended, the plainest first."""


class NoScore(ValueError):
    """What is written is no score: `kind` as in a Fault (`no_score`, `non_finite`, `out_of_range`), and why.

    `value` is the number, where it is one outside 0 … 1.
    """

    def __init__(self, kind: str, says: str, value: float | None = None) -> None:
        self.kind, self.says, self.value = kind, says, value
        super().__init__(says)


def mark(raw: object) -> float:
    """The score in [0, 1] that a cell or a JSON value stands for. Raises NoScore."""
    if raw is None or raw == "":
        raise NoScore("no_score", say("no score", "没有分数"))
    value = _number(raw) if isinstance(raw, str) else raw
    if not isinstance(value, int | float):
        raise NoScore("no_score", say(f"score {_short(raw)} is no number", f"分数 {_short(raw)} 不是数字"))
    value = float(value) if abs(value) < 1e300 else math.copysign(math.inf, value)
    if not math.isfinite(value):
        raise NoScore("non_finite", say(f"score is {_short(raw)}", f"分数为 {_short(raw)}"))
    if not 0.0 <= value <= 1.0:
        says = say(f"score {_short(raw)} is outside 0 … 1", f"分数 {_short(raw)} 不在 0 … 1 之间")
        raise NoScore("out_of_range", says, value)
    return value


def _number(text: str) -> object:
    plain = fold(text).strip()
    if _DECIMAL_COMMA.fullmatch(plain):
        plain = plain.replace(",", ".")
    try:
        if "_" not in plain:  # which is Python's alone
            return float(plain[:-1]) / 100 if plain.endswith("%") else float(plain)
    except ValueError:
        pass
    if plain in _NOTHING:
        raise NoScore("no_score", say("no score", "没有分数"))
    return _WORDS.get(plain, text)


def _short(raw: object) -> str:
    text = repr(raw)
    return text if len(text) <= 40 else text[:39] + "…"


def given(value: float, why: str) -> Score:
    """The score as another tool gave it, as its only rule; `useful` was not measured there."""
    return Score(value=value, hits=_hits(value >= 1.0, why), useful=_none(why))


def withheld(why: str) -> Score:
    """Something was to be scored, and no score is there: the case counts as asked, and as missing."""
    return Score(value=_none(why), hits=_hits(None, why), useful=_none(why))


def scored(raw: object, why: str, *, case: str, where: str, faults: list[Fault]) -> Score:
    """What is written as a score; where it is none, no value, and a Fault that says why."""
    try:
        return given(mark(raw), why)
    except NoScore as error:
        faults.append(Fault(kind=error.kind, case=case, where=where, says=error.says))
        return withheld(error.says)


def named_score(named: Mapping[str, Any], *, case: str, where: str, faults: list[Fault]) -> Score:
    """The score of a session that has scores by name: what is named an outcome; a Fault where that is none.

    Whether a `toxicity` of 0.8 is good news, only its maker knows: without an outcome nothing is scored.
    """
    plain = {fold(name).strip(): name for name in named}
    name = next((plain[outcome] for outcome in OUTCOMES if outcome in plain), None)
    if name is None:
        others = ", ".join(sorted(named))
        en = f"none of its scores is named an outcome: {others}" if named else "it has no score"
        zh = f"没有一项分数以结果命名：{others}" if named else "没有分数"
        return Score(value=_none(say(en, zh)), useful=_none(say(en, zh)))
    why = say(f"{name} as given by the imported file", f"{name} 由导入的文件给出")
    return scored(named[name], why, case=case, where=where, faults=faults)


# Shared: a table of a hundred thousand different scores has the same few of these.
@lru_cache(maxsize=256)
def _hits(met: bool | None, why: str) -> tuple[Hit, ...]:
    return (Hit(rule="given", met=met, share=1.0, why=why),)


@lru_cache(maxsize=256)
def _none(why: str) -> Unscored:
    return Unscored(why=why)
