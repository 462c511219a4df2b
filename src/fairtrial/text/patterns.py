"""Patterns that people write: RE2, whose time is linear in the text whatever the pattern."""

from typing import Any

import re2

from fairtrial.errors import BadInput
from fairtrial.text.language import say

_HINTS = {
    "invalid perl operator": (
        "RE2 has no look-ahead and no look-behind: use two rules, or match what stands around it",
        "RE2 不支持前瞻和后顾断言：请拆成两条规则，或把前后文一并写进模式",
    ),
    "invalid escape sequence": (
        "RE2 has no back-references and none of Python's rarer escapes",
        "RE2 不支持反向引用和少见的转义",
    ),
    "invalid repetition size": ("repeat at most 1000 times", "重复次数至多 1000"),
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
