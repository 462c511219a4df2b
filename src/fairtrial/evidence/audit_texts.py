"""What each line of an audit means and what would mend it, in both languages. Texts only."""

from fairtrial.evidence.advice import Text
from fairtrial.text.language import say


def meaning(line: str) -> str:
    """What the line means, in the reader's language."""
    text = _TEXTS[line]
    return say(text.meaning_en, text.meaning_zh)


def advice(line: str) -> str:
    """What would mend it, with the place in the troubleshooting page."""
    text = _TEXTS[line]
    return say(
        f"{text.advice_en} See docs/doubts.md#{line}", f"{text.advice_zh}详见 docs/doubts.zh.md#{line}"
    )


_TEXTS: dict[str, Text] = {
    "null_agent": Text(
        "An agent that does nothing passes some cases: part of the figure is a gift.",
        "什么都不做的空 Agent 也能通过一些用例：指标里有一部分是白送的。",
        "Quote the figure without the cases it passes, or have their rules ask for something to be done.",
        "请报告去掉这些用例之后的数字，或让这些用例的规则要求做成某件事。",
    ),
    "non_finite": Text(
        "Scores that are no numbers (NaN, infinite): any mean over them is arbitrary.",
        "有的得分不是数（NaN 或无穷大）：凡包含它们的均值都没有意义。",
        "Find where they arise; a session without a score is left empty, never NaN or 0.",
        "请查明来源；没有得分的会话应留空，而不是 NaN 或 0。",
    ),
    "out_of_range": Text(
        "Scores outside 0 to 1: two scales are mixed, or the scorer is broken.",
        "有的得分不在 0 到 1 之间：混用了两种分制，或评分器有误。",
        "Bring all scores to one scale from 0 to 1, in the scorer.",
        "请在评分器中把所有得分统一到 0 到 1。",
    ),
    "unreadable": Text(
        "Lines that could not be read as results: what is missing may be missing for a reason.",
        "有的行无法作为结果读取：缺的部分可能缺得有原因。",
        "Mend these lines at their source, or say why they are left out.",
        "请从源头修复这些行，或说明为何略去。",
    ),
    "duplicate_ids": Text(
        "The same case and trial stands there more than once: it weighs more than the others.",
        "同一用例的同一次结果出现多次：它的分量比别的用例重。",
        "Keep one row each; if they are repeats, number them in a column `trial`.",
        "每条只留一行；若是重复测试，请用 `trial` 列编号。",
    ),
    "alike_ids": Text(
        "Ids that differ in spelling alone: one case counts as two, and does not pair with its other side.",
        "有些编号只是写法不同：一个用例被算成两个，也无法与另一侧配对。",
        "Write ids as text, everywhere alike; a spreadsheet turns `1` into `1.0` and `01` into `1`.",
        "请把编号当作文本、统一写法；电子表格会把 `1` 变成 `1.0`、把 `01` 变成 `1`。",
    ),
    "clones": Text(
        "Cases that ask the same under several ids: the figure counts one question several times.",
        "不同编号的用例问的是同一件事：同一个问题被重复计数。",
        "Keep one of each, or name what they share in a column `cluster`.",
        "请各留其一，或用 `cluster` 列标明同源。",
    ),
    "clusters": Text(
        "Cases of one cluster fare alike: counted as independent, they make intervals far too narrow.",
        "同簇的用例表现相近：当作独立用例，区间会窄得多。",
        "Count clusters, not cases: the interval shown here does; use it in place of the stated one.",
        "请按簇而不是按用例计数：此处给出的区间已如此计算，请以它为准。",
    ),
    "saturated": Text(
        "Every case passes, and they are few: that is no proof that nearly all would.",
        "用例全部通过，但数量太少：不能证明几乎所有用例都会通过。",
        "Add cases, harder ones too: from 73 on, all passing leaves at most 5 % in doubt.",
        "请补充用例（包括更难的）：73 个全部通过时，存疑部分才不超过 5%。",
    ),
    "constant": Text(
        "Every case has the same score: a scorer that looks at nothing gives this.",
        "每个用例得分都一样：不看内容的评分器就是这个样子。",
        "Give the scorer a right and a wrong answer, and see whether it tells them apart.",
        "请给评分器一条对的和一条错的答案，看它能否区分。",
    ),
    "dropped_rows": Text(
        "One result lacks cases that the other has: what is left may be the easy ones.",
        "一份结果缺少另一份有的用例：留下的可能只是容易的。",
        "Run the missing cases; until then count them as failed, which is the second figure.",
        "请补跑缺失的用例；在此之前按失败计，即第二个数字。",
    ),
    "disjoint_ids": Text(
        "The two results are of different cases: there is nothing to pair.",
        "两份结果的用例不同：无从配对比较。",
        "Ask both the same cases, or write their ids alike.",
        "请让双方测同一批用例，或统一编号写法。",
    ),
    "missing_cases": Text(
        "Fewer results than were planned: a mean over those that are there leaves failures out.",
        "结果少于计划：只对现有结果求均值，就漏掉了失败的。",
        "Run what is missing, or count it as failed in the denominator.",
        "请补跑缺失部分，或在分母中按失败计。",
    ),
    "trials_as_cases": Text(
        "Repeats of a case count as cases of their own: with k of them, intervals are up to √k too narrow.",
        "同一用例的重复被当成了不同用例：重复 k 次，区间最多会窄 √k 倍。",
        "Give the case in `id` and the repeat in a column `trial`; n is the number of cases.",
        "请在 `id` 列写用例、在 `trial` 列写第几次；n 是用例数。",
    ),
    "errors_as_wrong": Text(
        "Sessions that failed are scored as if they had been answers: an outage reads as a worse agent.",
        "失败的会话被当作回答计了分：服务故障被读成 Agent 变差。",
        "Leave their score empty and name the `status`; run them again.",
        "请把这些会话的得分留空并写明 `status`；然后重跑。",
    ),
    "contradictions": Text(
        "Scores that are not what their own rules come to.",
        "有的得分与它自己的判定规则不符。",
        "Recompute the scores from the rules' findings; if they were edited by hand, say so.",
        "请按各规则的结果重算得分；若是手工改的，请说明。",
    ),
    "impossible": Text(
        "Figures that no results can give.",
        "有的数字不可能由任何结果得出。",
        "Recompute them from the results; pass^k (all of k trials pass) can never rise with k.",
        "请由原始结果重算；pass^k（k 次全部通过）绝不会随 k 上升。",
    ),
    "claims": Text(
        "Figures that the file states are not what its own results give.",
        "文件声称的数字与它自己的结果不符。",
        "Recompute them from the results, or publish the results that they were computed from.",
        "请由结果重算，或公布计算所依据的结果。",
    ),
}
