"""The reference set: one-turn cases in English and Chinese, five rules of different kinds each.

Nothing is drawn: case `i` is always the same, and the mock endpoint finds `i` in the question again.
Of eleven cases nine are answered well, one with wrong figures and one with a stock phrase.

    python -m benchmarks.run.reference_cases 10000 cases.jsonl     # `-` is stdout
"""

import json
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

KINDS = 8
COMMITTED = Path(__file__).with_suffix(".jsonl")
_CODE = re.compile(r"A(\d{8})")


@dataclass(frozen=True, kw_only=True)
class Facts:
    """What the questions and answers of one case are about."""

    code: str
    day: int
    month: int
    amount: str
    pieces: int
    phone: str


def facts(index: int) -> Facts:
    """The facts of case `index` (0 … 89,999,999)."""
    return Facts(
        code=f"A{10_000_000 + index}",
        day=1 + index * 7 % 28,
        month=1 + index * 5 % 12,
        amount=f"{20 + index * 37 % 4000}.{index * 13 % 90 + 10}",
        pieces=11 + index * 17 % 80,
        phone=f"400-820-{1000 + index * 29 % 9000}",
    )


@dataclass(frozen=True, kw_only=True)
class Kind:
    """One kind of case: how it asks, how it is answered, and what the answer must meet."""

    name: str
    language: str
    ask: Callable[[Facts], str]
    answer: Callable[[Facts], str]
    rules: Callable[[Facts], list[dict[str, Any]]]
    extra: Callable[[Facts], dict[str, Any]] = lambda _: {}


_STOCK = {
    "en": "Thank you for contacting us. Your satisfaction matters to us a lot.",
    "zh": "感谢您的咨询，您的满意是我们最大的动力。我们会尽快为您处理，"
    "请您耐心等待，祝您生活愉快，期待您的再次光临。",
}

_KINDS = (
    Kind(
        name="delivery",
        language="en",
        ask=lambda f: f"When will order {f.code} arrive, and what did I pay for it?",
        answer=lambda f: f"Order {f.code} arrives 2024-{f.month:02}-{f.day:02}; you paid {f.amount} USD.",
        rules=lambda f: [
            {"rule": "contains", "text": f.code, "weight": 2},
            {"rule": "number", "value": float(f.amount), "tolerance": 0.005, "weight": 2},
            {"rule": "info", "kind": "date"},
            {"rule": "length", "min": 20, "max": 200},
            {"rule": "no_refusal"},
        ],
        extra=lambda f: {
            "key_facts": [f"{f.code} arrives 2024-{f.month:02}-{f.day:02}", f"paid {f.amount} USD"]
        },
    ),
    Kind(
        name="delivery",
        language="zh",
        ask=lambda f: f"订单{f.code}什么时候到？我一共付了多少钱？",
        answer=lambda f: (
            f"订单{f.code}预计2024年{f.month}月{f.day}日送达，您实付{f.amount}元。"
            "如需改地址，请在今天18点前回复新的收货地址。"
        ),
        rules=lambda f: [
            {"rule": "contains", "text": f.code, "weight": 2},
            {"rule": "number", "value": float(f.amount), "tolerance": 0.005, "weight": 2},
            {"rule": "info", "kind": "date"},
            {"rule": "length", "min": 20, "max": 200},
            {"rule": "no_refusal"},
        ],
        extra=lambda f: {"key_facts": [f"{f.code} 2024年{f.month}月{f.day}日送达", f"实付{f.amount}元"]},
    ),
    Kind(
        name="refund",
        language="en",
        ask=lambda f: f"I sent {f.code} back last week. How do I get my money?",
        answer=lambda f: f"Your refund for {f.code} is {f.amount} USD; please confirm by email.",
        rules=lambda f: [
            {"rule": "contains_all", "texts": [f.code, "refund"], "weight": 2},
            {"rule": "contains_none", "texts": ["guarantee", "lawyer"], "critical": True},
            {"rule": "contains_any", "patterns": [r"\bconfirm\b", r"\breply (by|to)\b"]},
            {"rule": "info", "kind": "amount"},
            {"rule": "length", "unit": "words", "min": 5, "max": 60},
        ],
        extra=lambda f: {
            "context": f"Return {f.code} was received. A refund of {f.amount} USD is due once the "
            "customer has confirmed it by email."
        },
    ),
    Kind(
        name="refund",
        language="zh",
        ask=lambda f: f"我上周把{f.code}寄回去了，钱怎么退给我？",
        answer=lambda f: (
            f"您退回的{f.code}已签收，应退款{f.amount}元，3个工作日内原路退回。请在订单页点击确认退款，即可到账。"
        ),
        rules=lambda f: [
            {"rule": "contains_all", "texts": [f.code, "退款"], "weight": 2},
            {"rule": "contains_none", "texts": ["保证", "绝对"], "critical": True},
            {"rule": "contains_any", "patterns": ["请.{0,12}确认", "回复"]},
            {"rule": "info", "kind": "amount"},
            {"rule": "length", "min": 10, "max": 120},
        ],
        extra=lambda f: {
            "context": f"退货{f.code}已签收。客户在订单页确认后，3个工作日内原路退回{f.amount}元。"
        },
    ),
    Kind(
        name="stock",
        language="en",
        ask=lambda f: f"Is item {f.code} in stock in size 42, and where?",
        answer=lambda f: f"{f.code}: {f.pieces} pairs at 88 Nanjing Road, Shanghai. Reserve one?",
        rules=lambda f: [
            {"rule": "contains", "pattern": r"\bA\d{8}\b", "weight": 2},
            {"rule": "number", "value": f.pieces, "weight": 2},
            {"rule": "info", "kind": "place"},
            {"rule": "contains_none", "texts": ["sold out"]},
            {"rule": "no_refusal"},
        ],
    ),
    Kind(
        name="stock",
        language="zh",
        ask=lambda f: f"商品{f.code}的42码还有货吗？在哪家店？",
        answer=lambda f: (
            f"有货，{f.code}的42码在上海市南京东路88号店还有{f.pieces}双，当天可取。需要我现在为您预留一双吗？请回复取货时间。"
        ),
        rules=lambda f: [
            {"rule": "contains", "pattern": r"A\d{8}", "weight": 2},
            {"rule": "number", "value": f.pieces, "weight": 2},
            {"rule": "info", "kind": "place"},
            {"rule": "contains_none", "texts": ["售罄", "无货"]},
            {"rule": "no_refusal"},
        ],
    ),
    Kind(
        name="phone",
        language="en",
        ask=lambda f: f"Whom do I call about the broken parcel {f.code}?",
        answer=lambda f: f"Call {f.phone} about {f.code} between 9:00 and 18:00, Monday to Friday.",
        rules=lambda f: [
            {"rule": "info", "kind": "phone", "weight": 2},
            {"rule": "contains", "text": f.code, "weight": 2},
            {"rule": "contains_any", "texts": ["call", "ring"]},
            {"rule": "length", "max": 200},
            {"rule": "no_refusal"},
        ],
        extra=lambda f: {"key_facts": [f"claims: {f.phone}, Monday to Friday 9:00-18:00"]},
    ),
    Kind(
        name="phone",
        language="zh",
        ask=lambda f: f"包裹{f.code}破了，我该打哪个电话？",
        answer=lambda f: (
            f"请拨打理赔专线{f.phone}，报上单号{f.code}，并保留破损照片。专线周一至周五9点到18点有人接听，当天登记。"
        ),
        rules=lambda f: [
            {"rule": "info", "kind": "phone", "weight": 2},
            {"rule": "contains", "text": f.code, "weight": 2},
            {"rule": "contains_any", "texts": ["拨打", "致电"]},
            {"rule": "length", "max": 200},
            {"rule": "no_refusal"},
        ],
        extra=lambda f: {"key_facts": [f"理赔专线{f.phone}，周一至周五9点到18点"]},
    ),
)


def case(index: int) -> dict[str, Any]:
    """Case `index` as a person would write it in a problem file."""
    kind, known = _KINDS[index % KINDS], facts(index)
    return {
        "id": f"{kind.name}-{kind.language}-{index}",
        "input": kind.ask(known),
        "expect": kind.rules(known),
        "weight": 3 if index % 3 == 0 else 1,
        "tags": [kind.name, kind.language],
        **kind.extra(known),
    }


def must(index: int) -> str:
    """The one text that the peers' `contains` looks for."""
    return facts(index).code


def reply(index: int) -> str:
    """What the mock answers to case `index`: about 60 characters."""
    kind = _KINDS[index % KINDS]
    match index % 11:
        case 7:
            return _STOCK[kind.language]
        case 3:
            return kind.answer(facts(index)).replace(facts(index).amount, "1.11")
        case _:
            return kind.answer(facts(index))


def index_in(question: str) -> int:
    """The index of the case whose question this is. Raises ValueError where it names no order."""
    found = _CODE.search(question)
    if found is None:
        raise ValueError(f"no order code in {question!r}")
    return int(found[1]) - 10_000_000


def write(number: int, path: Path) -> None:
    """Write the first `number` cases as JSON Lines."""
    lines = (json.dumps(case(i), ensure_ascii=False) for i in range(number))
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def write_for_peers(number: int, path: Path) -> None:
    """Write the same questions with the one text that must be in the answer."""
    rows = ({"id": case(i)["id"], "input": case(i)["input"], "must": must(i)} for i in range(number))
    path.write_text("".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows), encoding="utf-8")


def require_committed() -> None:
    """Stop where this file no longer makes the cases that were committed beside it."""
    lines = COMMITTED.read_text(encoding="utf-8").splitlines()
    if [json.loads(line) for line in lines] != [case(i) for i in range(len(lines))]:
        raise SystemExit(f"{COMMITTED.name} is not what reference_cases.py makes; figures would not compare")


if __name__ == "__main__":
    count, target = int(sys.argv[1]), sys.argv[2]
    write(count, Path("/dev/stdout") if target == "-" else Path(target))
