"""One reading of a reply against its background, in its own language."""

import re

from fairtrial.scoring.useful_chinese import read_chinese
from fairtrial.scoring.useful_english import read_english
from fairtrial.scoring.useful_facts import HOLE, Background, Reading, read_facts
from fairtrial.text.facts import prepare
from fairtrial.text.words import Tongue

# Marks of lists, quotations and headings, also a list's number behind a colon on the same line.
_MARKS = re.compile(r"(?m)^[ \t]*(?:\d{1,3}[.)、](?!\d)|[-*•·>#]+)[ \t]*|(?<=[:：]) \d{1,2}\.(?= )|[*`#]+")

# One line without these has marks at its beginning alone.
_MARKS_INSIDE = (": ", "： ", "*", "`", "#")


def read(reply: str, language: Tongue, around: Background) -> Reading | None:
    """Read a reply in its language against its background; None if there is nothing to read."""
    text = prepare(reply)
    if "\n" in text or any(sign in text for sign in _MARKS_INSIDE) or _MARKS.match(text):
        text = _MARKS.sub(" ", text)
    text = text.strip()
    if not text:
        return None
    reading = Reading(bare=text)
    holed = read_facts(text, around, reading)
    reading.bare = holed.replace(HOLE, "")
    if language == "zh":
        read_chinese(holed, around, reading)
    else:
        read_english(holed, around, reading)
    return reading
