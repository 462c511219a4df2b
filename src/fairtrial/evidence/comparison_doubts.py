"""The lines at which a comparison must say "do not believe this": what each reads, means, and asks for."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from fairtrial.evidence.advice import Text
from fairtrial.evidence.faults import Faults
from fairtrial.evidence.pairs import Pairs
from fairtrial.schema.comparison import Difference
from fairtrial.schema.evidence import Doubt
from fairtrial.schema.fingerprint import PartName
from fairtrial.text.language import say

FEW_CASES = 20
ERRORS = 0.05
"""By how much the shares of sessions without a score may differ."""


@dataclass(frozen=True, kw_only=True)
class Seen:
    """What the lines read besides the pairs themselves; the words are those of `compare`."""

    difference: Difference
    difference_all: Difference
    against_mean: tuple[str, ...]
    noise: float | None
    sign_flip: float | None
    unreliable: tuple[str, ...]
    forced: tuple[str, ...]
    fingerprinted: bool
    untold: tuple[str, ...]
    faults: tuple[Faults, ...]


class _Finding(NamedTuple):
    """`lit` None: cannot be judged. `detail` is a sentence for people."""

    lit: bool | None
    value: float | str | None
    detail: str = ""


class _Line(NamedTuple):
    measure: Callable[[Pairs, Seen], _Finding]
    threshold: float | None
    forbids: bool
    text: Text


def judge(pairs: Pairs, seen: Seen) -> tuple[Doubt, ...]:
    """All lines of a comparison, in the order of their table; pure."""
    return tuple(_doubt(name, line, line.measure(pairs, seen)) for name, line in _LINES.items())


def _doubt(name: str, line: _Line, found: _Finding) -> Doubt:
    text = line.text
    meaning = say(text.meaning_en, text.meaning_zh)
    return Doubt(
        name=name,
        lit=found.lit,
        value=found.value,
        threshold=line.threshold,
        forbids=line.forbids,
        meaning=say(" ", "").join(part for part in (meaning, found.detail) if part),
        advice=say(
            f"{text.advice_en} See docs/doubts.md#{name}", f"{text.advice_zh}详见 docs/doubts.zh.md#{name}"
        ),
    )


def _few_cases(pairs: Pairs, seen: Seen) -> _Finding:
    return _Finding(len(pairs) < FEW_CASES, len(pairs))


def _single_trial(pairs: Pairs, seen: Seen) -> _Finding:
    sides = (pairs.base.scored[pairs.at_base], pairs.candidate.scored[pairs.at_candidate])
    if seen.noise is None or seen.sign_flip is None:
        return _Finding(None, None)
    usual = min(int(np.median(side)) for side in sides)  # a few repeated cases tell of no other
    noise, p = 100 * seen.noise, seen.sign_flip
    detail = say(
        f"The draw of a single trial alone moves this mean by up to {noise:.1f} points (a standard "
        f"deviation). Two runs of the same agent that differ on as many cases show a difference of this "
        f"size with a chance of {p:.3g}; which of the cases named are luck, nobody can tell.",
        f"仅单次抽样就能让这个均值波动至多 {noise:.1f} 个百分点（一个标准差）。"
        f"同一个 Agent 跑两次，若有这么多用例不同，出现这么大差值的概率是 {p:.3g}；"
        "所列用例中哪些只是运气，无从分辨。",
    )
    return _Finding(usual == 1, usual, detail if usual == 1 else "")


def _any(words: Sequence[str]) -> _Finding:
    return _Finding(bool(words), _listed(words) or None)


def _listed(words: Sequence[str]) -> str:
    return say(", ", "，").join(words)


def _no_fingerprint(pairs: Pairs, seen: Seen) -> _Finding:
    words = _listed(seen.untold)
    partly = not seen.fingerprinted and 0 < len(seen.untold) < len(PartName)
    detail = say(f"Not told: {words}.", f"未说明：{words}。") if partly else ""
    return _Finding(not seen.fingerprinted, None, detail)


def _faults(pairs: Pairs, seen: Seen) -> _Finding:
    number = sum(side.number for side in seen.faults)
    words = say("; ", "；").join(side.words for side in seen.faults if side.number)
    return _Finding(number > 0, number, say(f"({words})", f"（{words}）") if words else "")


def _dropped(pairs: Pairs, seen: Seen) -> _Finding:
    one, other = pairs.only_base.size, pairs.only_candidate.size
    detail = say(
        f"Only in the base: {one}; only in the candidate: {other}.",
        f"只在基准中：{one}；只在候选中：{other}。",
    )
    return _Finding(one + other > 0, one + other, detail if one + other else "")


def _denominators(pairs: Pairs, seen: Seen) -> _Finding:
    shared, over_all = shows(seen.difference), shows(seen.difference_all)
    return _Finding(shared != 0 and over_all != shared, seen.difference_all.mean)


def shows(difference: Difference) -> int:
    """The side on which the whole interval lies: 1, −1, or 0 where it holds 0 or there is none."""
    if difference.low is None or difference.high is None:
        return 0
    return int(difference.low > 0) - int(difference.high < 0)


def _errors(pairs: Pairs, seen: Seen) -> _Finding:
    shares = []
    for side in (pairs.base, pairs.candidate):
        held = int(side.held[side.asked].sum())
        shares.append(1 - int(side.scored.sum()) / held if held else 0.0)
    apart = abs(shares[1] - shares[0])
    detail = say(
        f"(base {shares[0]:.1%}, candidate {shares[1]:.1%})",
        f"（基准 {shares[0]:.1%}，候选 {shares[1]:.1%}）",
    )
    return _Finding(apart > ERRORS, apart, detail)


def _changed_questions(pairs: Pairs, seen: Seen) -> _Finding:
    base, candidate, at, to = pairs.base, pairs.candidate, pairs.at_base, pairs.at_candidate
    one, other = base.question[at], candidate.question[to]
    told = (one != 0) & (other != 0)
    # A simulated user words its question anew in each session.
    if not told.any() or base.varies.any() or candidate.varies.any():
        return _Finding(None, None)
    changed = told & (one != other)
    names = [pairs.name(place) for place in changed.nonzero()[0][:5]]
    detail = _listed(names) + (" …" if changed.sum() > 5 else "")
    return _Finding(
        bool(changed.any()), int(changed.sum()), say(f"({detail})", f"（{detail}）") if names else ""
    )


def _mixed_models(pairs: Pairs, seen: Seen) -> _Finding:
    told = []
    most = 0
    for word, side in ((say("base", "基准"), pairs.base), (say("candidate", "候选"), pairs.candidate)):
        most = max(most, len(side.models))
        if len(side.models) > 1:
            told.append(word + say(": ", "：") + _listed(sorted(side.models)))
    return _Finding(most > 1 if most else None, most or None, say("; ", "；").join(told))


_LINES: dict[str, _Line] = {
    "few_cases": _Line(
        _few_cases,
        FEW_CASES,
        True,
        Text(
            "Too few shared cases to conclude anything.",
            "共有用例太少，得不出任何结论。",
            "Compare on more cases: run both on the whole set.",
            "请在更多用例上比较：两边都跑完整问题集。",
        ),
    ),
    "single_trial": _Line(
        _single_trial,
        1,
        False,
        Text(
            "A run with a single trial a case: the agent's own variation is not told from the change.",
            "有一边每个用例只跑一次：分不清是改动还是 Agent 自身的波动。",
            "Run both sides with `--trials 3`.",
            "请两边都用 `--trials 3` 运行。",
        ),
    ),
    "unreliable_side": _Line(
        lambda pairs, seen: _any(seen.unreliable),
        None,
        True,
        Text(
            "A side must not be believed itself, so that nothing follows from its difference.",
            "有一边自身就不可信，由它得出的差值也不可信。",
            "Mend that round first (`fairtrial show LOG` says why), then compare again.",
            "请先修好那一轮（`fairtrial show LOG` 会说明原因），再比较。",
        ),
    ),
    "forced": _Line(
        lambda pairs, seen: _any(seen.forced),
        None,
        True,
        Text(
            "More differs between the two than what is under test, and the comparison was forced: "
            "nobody can say what made the difference.",
            "除被测的部分之外还有别的不同，而比较是强制进行的：说不清差值从何而来。",
            "Run one side again in the environment of the other, or name what is under test by `--changed`.",
            "请在另一边的环境里重跑，或用 `--changed` 指明被测的部分。",
        ),
    ),
    "no_fingerprint": _Line(
        _no_fingerprint,
        None,
        False,
        Text(
            "What these depend on is not told, or not wholly: model, prompt or rules may differ unseen.",
            "这些结果依赖什么没有说明或没有说全：模型、提示词或规则可能悄悄不同。",
            "Ask whoever measured them; what `fairtrial run` measures carries its fingerprint.",
            "请向测量的人核实；`fairtrial run` 的结果自带环境指纹。",
        ),
    ),
    "faults": _Line(
        _faults,
        0,
        # A case weighs once, however often it is there; what is left out has lines that forbid.
        False,
        Text(
            "Entries that cannot be read as they stand (a score that is no number is left out), or rows of a "
            "case and trial that came already, which enter its mean again.",
            "有的条目无法照原样读取（不是数的得分未计入），或同一用例的同一次结果出现多次（重复计入该用例的均值）。",
            "`fairtrial audit BASE CANDIDATE` tells more; mend the file at its source, where a session that "
            "failed has its `status`.",
            "`fairtrial audit BASE CANDIDATE` 会说明详情；请从源头修复文件，失败的会话应写明 `status`。",
        ),
    ),
    "dropped": _Line(
        _dropped,
        0,
        False,
        Text(
            "The two were not asked the same cases; those of one side alone are in no difference.",
            "两边的用例不一样；只有一边有的用例不计入差值。",
            "Run the missing cases too; read the difference over all cases of the base beside the other.",
            "请补跑缺少的用例；并看按基准全部用例计算的差值。",
        ),
    ),
    "denominators": _Line(
        _denominators,
        None,
        True,
        Text(
            "What the shared cases show is not shown over all cases of the base, none as 0: cases without a "
            "score decide.",
            "共有用例上显示的差异，按基准的全部用例（缺按 0）计算就不成立：起决定作用的是没有得分的用例。",
            "Run what is missing or failed, so that both sides have a score of every case.",
            "请补跑缺少或失败的用例，让两边每个用例都有得分。",
        ),
    ),
    "errors": _Line(
        _errors,
        ERRORS,
        True,
        Text(
            "One side has many more sessions without a score: those that have one may be the easy ones.",
            "有一边多得多的会话没有得分：有得分的可能只是容易的那些。",
            "Mend the cause and run that side again.",
            "请排除原因后重跑那一边。",
        ),
    ),
    "changed_questions": _Line(
        _changed_questions,
        0,
        True,
        Text(
            "Cases of the same id were asked something else: their difference is of the question.",
            "同一编号的用例问的内容不同：差值来自问题本身。",
            "Run the base again on the present set.",
            "请用现在的问题集重跑基准。",
        ),
    ),
    "test_against_mean": _Line(
        lambda pairs, seen: _any(seen.against_mean),
        None,
        False,
        Text(
            "A test shows a difference that the mean does not have: many small gains against few large "
            "losses, or the reverse. The decision uses the mean.",
            "有检验显示出均值没有的差异：许多小的提升对少数大的损失，或相反。结论以均值为准。",
            "Read the largest losses by name before anything is concluded.",
            "请先逐个看损失最大的用例，再下结论。",
        ),
    ),
    "mixed_models": _Line(
        _mixed_models,
        1,
        False,
        Text(
            "Several models answered in one run: the figure is of a mixture.",
            "一轮之中有多个模型作答：得到的是混合的指标。",
            "Pin the version of the model, or compare the parts by model.",
            "请固定模型版本，或按模型分开比较。",
        ),
    ),
}
