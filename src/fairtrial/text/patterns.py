"""Patterns that people write: RE2, whose time is linear in the text whatever the pattern."""

from typing import Any

import re2

from fairtrial.errors import BadInput
from fairtrial.text.language import say

_LOOK_AROUND = (
    "RE2 has no look-ahead and no look-behind: use two rules, or match what stands around it",
    "RE2 不支持前瞻和后顾断言：请拆成两条规则，或把前后文一并写进模式",
)
_BACK_REFERENCE = (
    "RE2 has no back-references: write out what may repeat",
    "RE2 不支持反向引用：请把可能重复的内容写出来",
)
# By how RE2's reason begins; the first that fits.
_HINTS = {
    "invalid perl operator: (?=": _LOOK_AROUND,
    "invalid perl operator: (?!": _LOOK_AROUND,
    "invalid perl operator: (?<": _LOOK_AROUND,
    "invalid perl operator: (?P": _BACK_REFERENCE,
    "invalid perl operator": (
        "RE2 knows the groups (…), (?:…), (?P<name>…) and the flags i, m, s, U",
        "RE2 只有 (…)、(?:…)、(?P<name>…) 几种分组和 i、m、s、U 几种标志",
    ),
    **{f"invalid escape sequence: \\{digit}": _BACK_REFERENCE for digit in "123456789"},
    "invalid escape sequence: \\u": (
        r"write the character itself, or \x{4E00}",
        r"请直接写这个字，或写作 \x{4E00}",
    ),
    "invalid escape sequence: \\Z": (r"write \z or $ for the end", r"结尾请写 \z 或 $"),
    "invalid escape sequence": (
        r"RE2 has none of Python's rarer escapes; a sign itself is \. or [.]",
        r"RE2 不支持少见的转义；要匹配符号本身，写作 \. 或 [.]",
    ),
    "bad repetition operator": (
        "one of * + ? {n,m} at a time; `?` behind it makes it lazy",
        "* + ? {n,m} 一次只能用一个；后面加 ? 表示尽量少",
    ),
    "missing": (
        r"each bracket needs its partner; a bracket itself is \( or [(]",
        r"括号须成对；括号本身写作 \( 或 [(]",
    ),
    "invalid repetition size": (
        "repeat at most 1000 times, repeats inside repeats multiplied",
        "重复次数至多 1000，嵌套的重复按乘积计算",
    ),
    "pattern too large": ("make it smaller", "请写短一些"),
}


def compile_pattern(pattern: str, *, case_sensitive: bool = True) -> Any:
    """The pattern compiled by RE2: an object with `search` and `fullmatch`, as in Python's `re`.

    Raises BadInput where RE2 refuses it (look-around, back-references, a fault of syntax).
    """
    options = re2.Options()
    options.log_errors = False
    options.case_sensitive = case_sensitive
    try:
        return re2.compile(pattern, options)
    except re2.error as error:
        reason = _text(error)
    except UnicodeEncodeError:
        reason = "lone surrogate"
    hint = next((say(*texts) for start, texts in _HINTS.items() if reason.startswith(start)), "")
    raise BadInput(
        say(f"the pattern {pattern!r} cannot be used: {reason}", f"模式 {pattern!r} 不能用：{reason}"),
        how=hint or say("see the RE2 syntax", "参见 RE2 语法"),
    )


def searchable(text: str) -> str:
    """The text as RE2 can read it: a lone surrogate, which UTF-8 has no bytes for, becomes `\\ufffd`."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def _text(error: Exception) -> str:
    reason = error.args[0] if error.args else ""
    return reason.decode("utf-8", "replace") if isinstance(reason, bytes) else str(reason)
