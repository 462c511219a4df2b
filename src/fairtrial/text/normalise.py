"""Foldings that keep meaning: width, case, space, composition. Numbers stay the numbers they were."""

import unicodedata

# Full-width ASCII and the ideographic space only. NFKC would also turn ① into 1 and ½ into 1⁄2,
# which are other things than the digits they resemble.
_WIDTH = {0xFF01 + i: 0x21 + i for i in range(94)} | {0x3000: 0x20, 0xFFE5: 0xA5}


def fold_width(text: str) -> str:
    """Full-width letters, digits and signs as their ASCII twins; `１２．５` is `12.5`, `①` stays."""
    return text if text.isascii() else text.translate(_WIDTH)


def fold(text: str) -> str:
    """Composed (NFC), width-folded and case-folded: the form in which plain texts are compared."""
    if text.isascii():
        return text.lower()
    return unicodedata.normalize("NFC", fold_width(text)).casefold()


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
