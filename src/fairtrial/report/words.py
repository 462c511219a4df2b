"""Prose on a terminal: Rich breaks lines at blanks alone, and Chinese has hardly any."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions
from rich.measure import Measurement
from rich.text import Text

_HAN, _OPEN, _CLOSE = "\u3400-\u4dbf\u4e00-\u9fff", "（《「“", "，。；：、！？）》」”…"
_PIECE = re.compile(
    rf"[{_OPEN}]*(?:\[[^][\s]+, [^][\s]+\]|[{_HAN}]|[^\s{_HAN}{_OPEN}{_CLOSE}]+)?[{_CLOSE}]*\s*"
)
"""What stands on one line: a Han character, another word, or an interval, with the marks that cling to it."""


@dataclass(frozen=True)
class Words:
    """A text whose lines break at blanks and between Han characters, as far as their marks allow."""

    text: Text

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Text]:
        for line in self.text.split(allow_blank=True):
            for part in line.divide(breaks(line.plain, options.max_width)):
                part.rstrip()
                yield part

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        return Measurement.get(console, options, self.text)


def breaks(line: str, width: int) -> list[int]:
    """Where a line of text is broken to fit into `width` cells; what is longer alone is left to be folded."""
    found, used = [], 0
    for piece in _PIECE.finditer(line):
        size = cell_len(piece[0].rstrip())
        if used and used + size > width:
            found.append(piece.start())
            used = 0
        used = (used + cell_len(piece[0])) if size <= width else size % width
    return found
