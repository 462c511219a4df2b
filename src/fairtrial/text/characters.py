"""The characters of a text as a reader sees them: which are invisible, and how many there are."""

import re

# Zero-width spaces and joiners, marks of direction, soft hyphen, byte order mark: they part words
# for a machine and not for a reader.
_INVISIBLE = dict.fromkeys(
    [0xAD, 0x61C, 0x180E, *range(0x200B, 0x2010), *range(0x202A, 0x202F), *range(0x2060, 0x206A), 0xFEFF]
)
_ANY_INVISIBLE = re.compile(f"[{''.join(map(chr, _INVISIBLE))}]")
# Every code point here is a character of its own: ASCII, CJK and its punctuation, full-width forms.
_ONE_EACH = re.compile(r"[\n\x20-\x7e\u3000-\u3029\u3030-\u3098\u309b-\u9fff\uff00-\uffef]*+")


def without_invisible(text: str) -> str:
    """The text without zero-width characters, soft hyphens and marks of direction."""
    if text.isascii() or not _ANY_INVISIBLE.search(text):
        return text
    return text.translate(_INVISIBLE)


def characters(text: str) -> int:
    """Characters as a reader counts them: extended grapheme clusters (UAX #29), the invisible aside.

    `é` is one however it is composed, so is an emoji with its skin colour or a family of emoji; a line
    break is one, white space and punctuation count. White space at the two ends does not.
    """
    text = text.strip()
    if _ONE_EACH.fullmatch(text):
        return len(text)
    import regex  # type: ignore[import-untyped]

    clusters: list[str] = regex.findall(r"\X", text)
    return sum(1 for cluster in clusters if cluster.translate(_INVISIBLE).strip() or cluster.isspace())
