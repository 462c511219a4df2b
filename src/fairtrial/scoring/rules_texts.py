"""Rules on what a reply says: texts, patterns, equality, length, refusal."""

import re
import unicodedata
from collections.abc import Callable, Sequence
from typing import Any

from fairtrial.errors import BadInput
from fairtrial.schema.rule import (
    Contains,
    ContainsAll,
    ContainsAny,
    ContainsNone,
    Equals,
    Length,
    NoRefusal,
    Normalisation,
)
from fairtrial.scoring.reading import Over, Reading, shown
from fairtrial.text.characters import characters, without_invisible
from fairtrial.text.language import say
from fairtrial.text.normalise import fold, fold_signs, squeeze
from fairtrial.text.patterns import compile_pattern
from fairtrial.text.phrases import is_refusal, is_stock

Finding = tuple[bool | None, str]
"""Whether the rule is met (None: it could not be applied), and why."""
Check = Callable[[Reading], Finding]
MET: Finding = (True, "")


class _Sought:
    """One text or pattern to look for in the replies of a reading."""

    __slots__ = ("_case", "_over", "_pattern", "_text", "written")

    def __init__(self, written: str, *, is_pattern: bool, case_sensitive: bool, over: Over) -> None:
        self.written, self._over, self._case = written, over, case_sensitive
        self._pattern: Any = None
        self._text = ""
        if is_pattern:
            self._pattern = compile_pattern(
                unicodedata.normalize("NFC", written), case_sensitive=case_sensitive
            )
            return
        plain = unicodedata.normalize("NFC", without_invisible(written))
        self._text = fold_signs(plain) if case_sensitive else fold(plain)
        if not self._text:
            raise BadInput(
                say(f"the text {written!r} has no visible character", f"文字 {written!r} 没有可见的字符"),
                how=say("write what the reply should contain", "请写明回复里应当出现的内容"),
            )

    def is_in(self, reading: Reading) -> bool:
        """Whether the replies contain the text, or a match of the pattern as they are or width-folded."""
        if self._pattern is None:
            return self._text in self._read(reading)
        # Stripped, so that `$` is the end that a reader sees; bytes are cheaper for RE2's binding than text.
        composed = reading.composed(self._over).strip().encode()
        if self._pattern.search(composed) is not None:
            return True
        narrow = reading.narrow(self._over).strip().encode()
        return narrow != composed and self._pattern.search(narrow) is not None

    def is_in_but_for_spaces(self, reading: Reading) -> bool:
        """Whether it is a text that the replies contain where white space is left out of both."""
        return self._pattern is None and "".join(self._text.split()) in "".join(self._read(reading).split())

    def _read(self, reading: Reading) -> str:
        return reading.narrow(self._over) if self._case else reading.folded(self._over)


def _sought(rule: Contains | ContainsAll | ContainsAny | ContainsNone) -> tuple[_Sought, ...]:
    if isinstance(rule, Contains):
        texts: Sequence[str] = (rule.text,) if rule.text is not None else ()
        patterns: Sequence[str] = (rule.pattern,) if rule.pattern is not None else ()
    else:
        texts, patterns = rule.texts, rule.patterns
    return tuple(
        _Sought(written, is_pattern=is_pattern, case_sensitive=rule.case_sensitive, over=rule.over)
        for is_pattern, several in ((False, texts), (True, patterns))
        for written in several
    )


def contains_all(rule: Contains | ContainsAll) -> Check:
    """All of the rule's texts and patterns are there."""
    sought = _sought(rule)

    def check(reading: Reading) -> Finding:
        missing = [one for one in sought if not one.is_in(reading)]
        return (False, say("does not say: ", "没有出现：") + _missing(missing, reading)) if missing else MET

    return check


def contains_any(rule: ContainsAny) -> Check:
    """At least one of them is there."""
    sought = _sought(rule)

    def check(reading: Reading) -> Finding:
        if any(one.is_in(reading) for one in sought):
            return MET
        return False, say("says none of: ", "一个也没有出现：") + _missing(sought, reading)

    return check


def contains_none(rule: ContainsNone) -> Check:
    """None of them is there."""
    sought = _sought(rule)

    def check(reading: Reading) -> Finding:
        said = [one.written for one in sought if one.is_in(reading)]
        return (False, say("says: ", "出现了：") + _joined(said)) if said else MET

    return check


def _missing(sought: Sequence[_Sought], reading: Reading) -> str:
    """What is not there, and whether some of it is but for white space: the rule's fault, then."""
    near = any(one.is_in_but_for_spaces(reading) for one in sought)
    return _joined([one.written for one in sought]) + (
        say(" (but for spaces)", "（只差空格）") if near else ""
    )


def _joined(texts: Sequence[str]) -> str:
    return shown(", ".join(f"“{text}”" for text in texts))


# Punctuation that is part of a value stays: 50%, 3.5, 10:30, -5, a/b, @name, #1. Signs of Markdown go.
_PUNCTUATION = re.compile(r"[^\w\s]|(?<![^\W_])_+|_+(?![^\W_])")
_KEPT = "%‰@#&/\\"


def _without_punctuation(text: str) -> str:
    def keep(match: re.Match[str]) -> str:
        sign, start, end = match[0], match.start(), match.end()
        number = text[end : end + 1].isdigit() and (text[start - 1 : start].isdigit() or sign in "-−")
        punctuation = sign[0] in "_`" or (unicodedata.category(sign).startswith("P") and sign not in _KEPT)
        return "" if punctuation and not number else sign

    return _PUNCTUATION.sub(keep, text)


def _simplified(text: str) -> str:
    from fairtrial.text.words import simplified

    return simplified(text)


_NORMALISE: dict[Normalisation, Callable[[str], str]] = {
    "width": fold_signs,
    "script": _simplified,
    "case": lambda text: unicodedata.normalize("NFC", text.casefold()),
    "punctuation": _without_punctuation,
    "space": lambda text: squeeze(without_invisible(text)),
}


def equals(rule: Equals) -> Check:
    """Each reply looked at equals the text after the named normalisations, in the order of the table."""
    steps = [step for name, step in _NORMALISE.items() if name in rule.normalise]

    def normal(text: str) -> str:
        text = unicodedata.normalize("NFC", text)
        for step in steps:
            text = step(text)
        return text

    wanted = normal(rule.text)

    def check(reading: Reading) -> Finding:
        other = next((reply for reply in reading.replies(rule.over) if normal(reply) != wanted), None)
        if other is None:
            return MET
        return False, say(f"is “{shown(other)}”", f"是“{shown(other)}”")

    return check


_WORD = re.compile(r"[^\W_]+(?:['’.,:/-][^\W_]+)*")
_HAN = re.compile(r"[\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]+")


def words(text: str) -> int:
    """How many words: of Chinese as jieba cuts it, else runs of letters and digits (`don't` is one)."""
    count = 0
    if _HAN.search(text):
        import rjieba

        count = sum(len(rjieba.cut(run)) for run in _HAN.findall(text))
        text = _HAN.sub(" ", text)
    return count + len(_WORD.findall(text))


def length(rule: Length) -> Check:
    """The replies' length, together, lies in the range."""
    measure = characters if rule.unit == "characters" else words
    low = rule.min or 0
    high = float("inf") if rule.max is None else rule.max

    def check(reading: Reading) -> Finding:
        size = sum(measure(reply) for reply in reading.replies(rule.over))
        if low <= size <= high:
            return MET
        unit = say(rule.unit, "字" if rule.unit == "characters" else "词")
        limits = f"{low}–{'∞' if rule.max is None else rule.max}"
        return False, say(f"{size} {unit}, not {limits}", f"{size} {unit}，不在 {limits}")

    return check


def no_refusal(rule: NoRefusal) -> Check:
    """No reply looked at refuses, one at least says something, and none of the phrases occurs."""
    phrases = tuple(
        _Sought(phrase, is_pattern=False, case_sensitive=False, over=rule.over) for phrase in rule.phrases
    )

    def check(reading: Reading) -> Finding:
        replies = [reply for reply in reading.replies(rule.over) if reply and not reply.isspace()]
        if not replies:
            return False, say("the reply is empty", "回复为空")
        for reply in replies:
            if is_refusal(reply):
                return False, say("refuses: ", "是拒答：") + shown(reply, 60)
        if all(map(is_stock, replies)):
            return False, say("only stock phrases: ", "只有套话：") + shown(replies[-1], 60)
        said = [phrase.written for phrase in phrases if phrase.is_in(reading)]
        return (False, say("says: ", "出现了：") + _joined(said)) if said else MET

    return check
