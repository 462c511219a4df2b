"""Which of the two languages a message is shown in."""

import os
from typing import Literal

Language = Literal["en", "zh"]


def current() -> Language:
    """`zh` if FAIRTRIAL_LANG, else LC_ALL, LC_MESSAGES or LANG names Chinese; otherwise `en`."""
    for name in ("FAIRTRIAL_LANG", "LC_ALL", "LC_MESSAGES", "LANG"):
        if value := os.environ.get(name):
            return "zh" if value.lower().startswith("zh") else "en"
    return "en"


def say(en: str, zh: str) -> str:
    """The text in the language of the reader; both stand side by side where they are written."""
    return zh if current() == "zh" else en
