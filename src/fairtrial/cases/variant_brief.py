"""What a model is told that writes variants of a case, in the language of the case, whoever runs it."""

import json
from collections import Counter
from collections.abc import Sequence

from fairtrial.cases.variants import TYPES, Original, needed
from fairtrial.schema.variants import Draft, Refused
from fairtrial.text.words import Tongue

_TEXTS: dict[Tongue, dict[str, str]] = {
    "zh": {
        "task": "下面是一位用户对客服说的话。请写出 {count} 种真实用户会用的说法，意思不变，说法各不相同。\n"
        "意图、任务类型和每一个限定条件都要保留；不添加新的要求、数字、日期、单号或电话；不要替客服回答。",
        "type": "任务类型：{0}",
        "facts": "必须一字不差地保留在原来那一轮：{0}",
        "kind": "- 至少 {0} 种 {1}：{2}",
        "free": "- 其余 {0} 种任选：{1}",
        "text": "一条文本",
        "texts": "由 {0} 条文本组成的数组，与各轮一一对应",
        "form": "只输出一个 JSON 数组，前后不写任何话。数组的每一项有两个字段：\n"
        '"question"（{0}）和 "variant_type"（{1} 之一）。',
        "have": "已有，不要重复：{0}",
        "refused": "上次被退回：{0}，原因：{1}",
        "said": "用户的话：{0}",
        "colloquial": "换成口语说法（例如“咋”“搞半天”“整不明白”）",
        "complaint": "夹一句与诉求无关的抱怨",
        "typos": "有错别字（同音或形近，读者仍看得懂）",
        "chatter": "夹一句无关的闲话",
        "mixed": "夹几个英文单词",
    },
    "en": {
        "task": "Below is what a user says to an assistant. Write {count} other ways in which real users\n"
        "would say it: the meaning stays, the wording of each is its own.\n"
        "Keep the intent, the kind of task and every condition. Add no wish, number, date, order number or\n"
        "phone. Never answer for the assistant.",
        "type": "Kind of task: {0}",
        "facts": "To be kept letter by letter, each in its own turn: {0}",
        "kind": "- at least {0} {1}: {2}",
        "free": "- the other {0} of any kind: {1}",
        "text": "a text",
        "texts": "an array of {0} texts, one a turn",
        "form": "Print one JSON array and nothing before or after it. Each element has two fields:\n"
        '"question" ({0}) and "variant_type" (one of {1}).',
        "have": "There already, not to be repeated: {0}",
        "refused": "Sent back: {0}, because: {1}",
        "said": "What the user says: {0}",
        "colloquial": "spoken words (as gonna, kinda, dunno, pls)",
        "complaint": "with a complaint that has nothing to do with the wish",
        "typos": "with mistyped words that a reader still understands",
        "chatter": "with a sentence of idle talk",
        "mixed": "with a few Chinese words",
    },
}


def brief(
    original: Original,
    count: int,
    *,
    task_type: str | None = None,
    have: Sequence[Draft] = (),
    refused: Sequence[Refused] = (),
) -> str:
    """The request for what is missing of `count` variants.

    `have` are those that there are, `refused` what was sent back before.
    """
    texts, turns = _TEXTS[original.tongue], len(original.turns)
    required, free = needed([draft.variant_type for draft in have], count)
    facts = list(dict.fromkeys(fact for turn in original.facts for fact in turn))
    any_kind = "; ".join(f"{kind}: {texts[kind]}" for kind in TYPES)
    lines = [
        texts["task"].format(count=len(required) + free),
        texts["type"].format(task_type) if task_type else "",
        texts["facts"].format(_json(facts)) if facts else "",
        *(texts["kind"].format(n, kind, texts[kind]) for kind, n in Counter(required).items()),
        texts["free"].format(free, any_kind) if free else "",
        texts["form"].format(texts["text" if turns == 1 else "texts"].format(turns), ", ".join(TYPES)),
        *(texts["have"].format(_form(draft.question)) for draft in have),
        *(texts["refused"].format(_form(one.question), one.why) for one in refused if any(one.question)),
        texts["said"].format(_form(original.turns)),
    ]
    return "\n".join(filter(None, lines))


def _form(turns: Sequence[str]) -> str:
    return _json(turns[0] if len(turns) == 1 else turns)


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
