"""What each doubt line means and what to do about it, in both languages. Texts only."""

from typing import NamedTuple

from fairtrial.text.language import say


class Text(NamedTuple):
    """Meaning and advice, English beside Chinese."""

    meaning_en: str
    meaning_zh: str
    advice_en: str
    advice_zh: str


def meaning(key: str) -> str:
    """What the line `key` means, in the reader's language."""
    text = _TEXTS[key]
    return say(text.meaning_en, text.meaning_zh)


def advice(key: str, line: str) -> str:
    """What to do, in the reader's language, with the place in the troubleshooting page."""
    text = _TEXTS[key]
    return say(
        f"{text.advice_en} See docs/doubts.md#{line}", f"{text.advice_zh}详见 docs/doubts.zh.md#{line}"
    )


QUICK_FEW_CASES = "few_cases in quick mode"
SATURATED = "saturated regression set"

_TEXTS: dict[str, Text] = {
    "few_cases": Text(
        "Too few cases to conclude anything: the interval of such a round holds nearly any agent.",
        "样本不足，结论不可信：这么少的用例，区间里几乎装得下任何 Agent。",
        "Add cases until the line is quiet; to look for an evident regression only, use `--mode quick`.",
        "请补充用例直到此线熄灭；若只想发现明显退化，用 `--mode quick`。",
    ),
    QUICK_FEW_CASES: Text(
        "A quick round cannot show improvement; it finds an evident regression or says nothing.",
        "快速回归不能证明进步；它只能发现明显退化，否则什么也不说明。",
        "To show improvement, run the whole set: `fairtrial run --mode full`.",
        "要证明进步，请跑完整问题集：`fairtrial run --mode full`。",
    ),
    "too_good": Text(
        "Too good to be believed: the scoring is probably too lenient or the cases too easy.",
        "指标异常偏高，疑似评分过松或用例过易。",
        "Read high scorers for emptiness (`fairtrial show --sample 5`); tighten `expect`, add harder cases.",
        "请抽读高分输出（`fairtrial show --sample 5`）；收紧 `expect`，补充更难的用例。",
    ),
    SATURATED: Text(
        "Saturated: this set cannot show improvement any more. As a guard against regression it is healthy.",
        "已饱和：这个问题集不能再证明进步；作为防退化的回归集，它是健康的。",
        "Nothing to mend here; to show improvement, use a set that the agent does not yet master.",
        "此处无需修改；要证明进步，请换用 Agent 尚未掌握的问题集。",
    ),
    "too_low": Text(
        "Too low to be believed: a broken connection, a wrong prompt or a broken scorer looks like this.",
        "指标异常偏低：连接不通、提示词有误或评分器损坏时就是这个样子。",
        "Look at one answer (`fairtrial ask`, `fairtrial show LOG CASE`), then run `fairtrial check`.",
        "请先看一条回答（`fairtrial ask`、`fairtrial show LOG CASE`），再运行 `fairtrial check`。",
    ),
    "too_uniform": Text(
        "The case scores are nearly all alike: the cases do not tell good answers from bad ones.",
        "逐条得分几乎相同：用例没有区分度，可能全是同一种题。",
        "Add cases of other difficulty, and give rules that a half-right answer meets by half.",
        "请补充不同难度的用例，并写出能让半对的回答只得一半分的规则。",
    ),
    "correlation": Text(
        "This correlation is no evidence.",
        "相关性结论不可信。",
        "Recompute with twice the cases; look at the first differences, where a shared trend is gone.",
        "请把样本翻倍重算；并看一阶差分的相关，共同趋势在那里会消失。",
    ),
    "few_trials": Text(
        "Too few trials a case: the agent's own variation cannot be told from the case's difficulty.",
        "每个用例重复太少：分不清是 Agent 自身的波动还是用例的难度。",
        "Run at least three trials (`--trials 3`), and report the mean with its interval.",
        "至少重复三次（`--trials 3`），报告均值与区间。",
    ),
    "errors": Text(
        "Too many sessions gave no score: those that are left may be the easy ones.",
        "太多会话没有得分：剩下的可能只是容易的那些。",
        "Read the failures (`fairtrial show`), mend the cause, then run again.",
        "请看失败的会话（`fairtrial show`），排除原因后重跑。",
    ),
    "mixed_models": Text(
        "Several model versions replied in one round: the figures are nobody's.",
        "一轮之中有多个模型版本作答：这些指标不属于其中任何一个。",
        "Ask for a dated version instead of an alias, then run again.",
        "请指定带日期的模型版本而不是别名，然后重跑。",
    ),
    "drift": Text(
        "The canaries are answered otherwise than before, though nothing of ours changed: the model behind "
        "the name may be another.",
        "金丝雀问题的回答与以往不同，而我们什么都没有改：名字背后的模型可能换了。",
        "Ask the provider; compare with an earlier round only after it was run anew (`fairtrial reproduce`).",
        "请询问服务商；先重跑早先的一轮（`fairtrial reproduce`），再与它比较。",
    ),
    "null_agent": Text(
        "An agent that does nothing passes some cases: part of the figure is a gift.",
        "什么都不做的空 Agent 也能通过一些用例：指标里有一部分是白送的。",
        "Tighten the rules of the cases it passes (`fairtrial check --null` names them).",
        "请收紧它通过的那些用例的规则（`fairtrial check --null` 会列出）。",
    ),
    "useful_high": Text(
        "Useful has been high for many rounds: more likely lenient signals than a strong agent.",
        "useful 常年偏高：大概率是判定规则太松，而不是 Agent 太强。",
        "Have people read the highest (`fairtrial show --sample 10`), then give `key_facts` and `context`.",
        "请人工复核高分项（`fairtrial show --sample 10`），再为用例补 `key_facts` 与 `context`。",
    ),
    "useful_unchecked": Text(
        "Most useful scores had no source to check against: invented detail counts like real detail there.",
        "多数 useful 得分没有可核对的来源：编造的细节与真实的细节得分一样。",
        "Give the cases `context` or `key_facts`, or let the log show the tools' results.",
        "请为用例补 `context` 或 `key_facts`，或让日志带上工具结果。",
    ),
    "useful_falls": Text(
        "ret_ratio went up while useful went down: the agent may be learning safe and empty answers.",
        "ret_ratio 上升而 useful 下降：Agent 可能学会了安全但空洞的回答。",
        "Read the hits that were useless (`fairtrial show` lists them first), then tighten `expect`.",
        "请先看“答对了但没用”的用例（`fairtrial show` 会列在前面），再收紧 `expect`。",
    ),
    "useful_weight": Text(
        "Useful has a small share in the total: empty answers can lift it.",
        "useful 在总分里占比太小：空洞的输出也能拉高总分。",
        "Set `useful_weight` to 0.3 or more in `[score]`.",
        "请在 `[score]` 中把 `useful_weight` 设为 0.3 或更高。",
    ),
    "useful_unscored": Text(
        "Useful is Unscored for every case: the total is ret_ratio alone.",
        "所有用例都没有 useful 得分：总分只由 ret_ratio 构成。",
        "Expected for short answers, code or translation; otherwise look at why (`fairtrial show LOG CASE`).",
        "若是简短回答、代码或翻译，这很正常；否则请查原因（`fairtrial show LOG CASE`）。",
    ),
    "jump": Text(
        "The figure jumped against the last reliable round: suspect the scorer before the agent.",
        "与上一轮可信结果相比，指标突然跳变：先怀疑评分脚本，再怀疑 Agent。",
        "Run the golden samples (`fairtrial check`); if they hold, read the cases that changed.",
        "请先跑金标准样本（`fairtrial check`）；若评分无误，再看得分变化的用例。",
    ),
    "changed_set": Text(
        "More than half of the set is not what the last round asked: a trend across the two says nothing.",
        "问题集有一半以上与上一轮不同：跨越这两轮的趋势没有意义。",
        "Read trends over the cases that stayed (`fairtrial cases health`), and change a set step by step.",
        "请只看未改动用例上的趋势（`fairtrial cases health`），并分步改动问题集。",
    ),
    "unchanged_set": Text(
        "The set has stayed the same for many rounds: what is tuned against it fits it, and not its users.",
        "问题集已连续多轮未变：对着它调出来的，适合的是它，而不是用户。",
        "See which cases still tell something (`fairtrial cases health`); add recent samples.",
        "请看哪些用例还有区分度（`fairtrial cases health`），并补充近期样本。",
    ),
    "often_lit": Text(
        "The same lines light in most rounds: the evaluation itself is unstable.",
        "同样的认错线在多数轮次都亮：说明评测流程本身不稳定。",
        "Mend the evaluation, do not switch off the alarm: more cases first, then steadier scoring.",
        "请修好评测，不要关掉报警：先扩充问题集，再稳定评分逻辑。",
    ),
}
