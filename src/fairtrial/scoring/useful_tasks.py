"""Where usefulness has no mechanical meaning: which replies and tasks are left unscored, and why."""

import json
import re

from fairtrial.scoring.useful_lexicon import ANY_TASK, CODE, CODE_LINE, CREATE, REWRITE, YES_NO
from fairtrial.text.patterns import searchable
from fairtrial.text.phrases import is_stock
from fairtrial.text.words import Tongue

_FENCE = re.compile(r"```[^\n]{0,40}\n.*?(?:```|\Z)", re.DOTALL)
_MARKS = re.compile(r"[\s.,!?;:'\"*_`()。，！？；：“”‘’（）、~～…]+")
_NUMBER = re.compile(r"[-+]?[$¥€£]?\d[\d,.]*\s?%?")


def why_unscored(reply: str, asked: str, *, language: Tongue | None, has_sources: bool) -> str | None:
    """Why a reply in `language` to the user turn `asked` is not scored, None if it is. A blank one is (0)."""
    text = reply.strip()
    if not text:
        return None
    if _is_structured(text):
        return "structured output or code"
    if why := _why_short(text):
        return why
    if language is None:
        return "another language than Chinese and English, or no words"
    asked = searchable(asked).lower()
    return _why_task(asked, has_sources) if ANY_TASK.search(asked.encode()) else None


def _why_task(asked: str, has_sources: bool) -> str | None:
    if REWRITE.search(asked):
        return "translation, rewriting or summary"
    if CODE.search(asked):
        return "structured output or code"
    if not has_sources and CREATE.search(asked):
        return "open-ended generation without sources"
    return None


def _why_short(text: str) -> str | None:
    if len(text) > 24:
        return None
    bare = _MARKS.sub(" ", text).strip().lower()
    if bare in YES_NO:
        return "bare yes or no"
    if _NUMBER.fullmatch(text.lower().rstrip(".。")) or (len(bare.split()) <= 1 and _is_one_word(bare)):
        return None if is_stock(text) else "short answer"
    return None


def _is_one_word(bare: str) -> bool:
    return bool(bare) and (bare.isascii() or len(bare) <= 3)


def _is_structured(text: str) -> bool:
    if text[0] in "[{":
        try:
            json.loads(text)
        except (ValueError, RecursionError):
            pass
        else:
            return True
    if "```" in text and 2 * len(_FENCE.sub("", text)) < len(text):
        return True
    lines = [line for line in text.splitlines() if line.strip()]
    if len(lines) < 3:
        return text.startswith(("<?xml", "<!DOCTYPE", "<html"))
    table = sum(line.lstrip().startswith("|") or line.count("\t") > 1 for line in lines)
    return 5 * table >= 4 * len(lines) or 5 * sum(map(_is_code, lines)) >= 4 * len(lines)


def _is_code(line: str) -> bool:
    return len(line) < 200 and CODE_LINE.fullmatch(line) is not None
