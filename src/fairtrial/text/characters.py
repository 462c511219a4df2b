"""The characters of a text as a reader sees them: which are invisible, and how many there are."""

import re

# Zero-width spaces and joiners, marks of direction, soft hyphen, fillers, selectors of variants, tags, byte
# order mark: they part words for a machine and not for a reader.
_ANY_INVISIBLE = re.compile(
    "[\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e0fff]"
)
# Every code point here is a character of its own: ASCII, CJK and its punctuation, full-width forms.
_ONE_EACH = re.compile(r"[\n\x20-\x7e\u3000-\u3029\u3030-\u3098\u309b-\u9fff\uff00-\uffef]*+")


def without_invisible(text: str) -> str:
    """The text without zero-width characters, soft hyphens, selectors of variants and marks of direction."""
    return text if text.isascii() else _ANY_INVISIBLE.sub("", text)


def characters(text: str) -> int:
    """Characters as a reader counts them: extended grapheme clusters (UAX #29), the invisible aside.

    `é` is one however it is composed, so is an emoji with its skin colour or a family of emoji; a line
    break is one, white space and punctuation count. White space at the two ends does not.
    """
    text = text.strip()
    if _ONE_EACH.fullmatch(text):
        return len(text)
    import regex

    clusters: list[str] = regex.findall(r"\X", text)
    return sum(1 for cluster in clusters if without_invisible(cluster).strip() or cluster.isspace())
