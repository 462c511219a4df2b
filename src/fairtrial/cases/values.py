"""Written values: how deep they may go, and how they look in a message."""

import json
from typing import Any

from fairtrial.text.language import say

MAX_DEPTH = 100
"""How deep lists and objects may be nested in a case set."""


_NESTING = (dict, list)


def shown(value: Any) -> str:
    """A value as one short piece of JSON, for a message."""
    text = json.dumps(value, ensure_ascii=False, default=str) if not is_too_deep(value) else "…"
    return text if len(text) <= 60 else f"{text[:56]}…{text[-1]}"


def is_too_deep(value: Any) -> bool:
    """Whether lists and objects are nested more than MAX_DEPTH deep (aliases may share, never loop)."""
    level = [value] if isinstance(value, _NESTING) else []
    for _ in range(MAX_DEPTH):
        level = [
            child
            for item in level
            for child in (item.values() if isinstance(item, dict) else item)
            if isinstance(child, _NESTING)
        ]
        if not level:
            return False
    return True


def too_deep() -> tuple[str, str]:
    """What is said of nesting beyond MAX_DEPTH."""
    return (
        say(f"nested more than {MAX_DEPTH} deep", f"嵌套超过 {MAX_DEPTH} 层"),
        say("flatten it", "请减少嵌套"),
    )
