"""Foldings that keep meaning: width, case, space, composition. Numbers stay the numbers they were."""

import re
import unicodedata

# Full-width ASCII and the ideographic space only. NFKC would also turn ① into 1 and ½ into 1⁄2,
# which are other things than the digits they resemble.
_WIDTH = {chr(0xFF01 + i): chr(0x21 + i) for i in range(94)} | {"\u3000": " ", "\uffe5": "\xa5"}
_ANY_WIDE = re.compile("[\uff01-\uff5e\u3000\uffe5]")
# What a keyboard writes with the sign on the right: spaces of any width, hyphens, curly quotation marks.
_TWINS = {
    **dict.fromkeys("\xa0\u1680\u202f\u205f", " "),
    **{chr(0x2000 + i): " " for i in range(11)},
    **dict.fromkeys("\u2010\u2011", "-"),
    **dict.fromkeys("\u2018\u2019\u02bc", "'"),
    **dict.fromkeys("\u201c\u201d", '"'),
}
_ANY_TWIN = re.compile(f"[{''.join(_TWINS)}]")


def fold_width(text: str) -> str:
    """Full-width letters, digits and signs as their ASCII twins; `１２．５` is `12.5`, `①` stays."""
    return text if text.isascii() else _replace(text, _ANY_WIDE, _WIDTH)


def fold_signs(text: str) -> str:
    """`fold_width`, and spaces, hyphens and quotation marks as a keyboard has them: `don’t` is `don't`."""
    return text if text.isascii() else _replace(fold_width(text), _ANY_TWIN, _TWINS)


def _replace(text: str, any_of: re.Pattern[str], table: dict[str, str]) -> str:
    # A text has few different ones of the signs, so that this is some times faster than `str.translate`.
    for sign in set(any_of.findall(text)):
        text = text.replace(sign, table[sign])
    return text


def fold(text: str) -> str:
    """Composed (NFC), signs and case folded: the form in which plain texts are compared."""
    if text.isascii():
        return text.lower()
    return unicodedata.normalize("NFC", fold_signs(text)).casefold()


def squeeze(text: str) -> str:
    """Runs of white space as one space, none at the ends."""
    return " ".join(text.split())


# C0 and C1 controls but tab and newline, and the marks that reorder text on a screen.
_HIDDEN = {code: f"\\x{code:02x}" for code in [*range(0x09), *range(0x0B, 0x20), *range(0x7F, 0xA0)]} | {
    code: f"\\u{code:04x}" for code in [*range(0x202A, 0x202F), *range(0x2066, 0x206A)]
}


def visible(text: str) -> str:
    """Control and reordering characters written out, so that shown text cannot act on a terminal."""
    return text.translate(_HIDDEN)
