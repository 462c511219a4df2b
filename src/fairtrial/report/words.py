"""Prose on a terminal: Rich breaks lines at blanks alone, and Chinese has hardly any."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from rich.cells import cell_len, chop_cells
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
    """A text that breaks at blanks and, where marks allow, between Han characters; every line indented."""

    text: Text
    indent: int = 0

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Text]:
        for line in self.text.split(allow_blank=True):
            for part in line.divide(breaks(line.plain, max(1, options.max_width - self.indent))):
                part.rstrip()
                part.pad_left(self.indent)
                yield part

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        least, most = Measurement.get(console, options, self.text)
        return Measurement(least + self.indent, most + self.indent)


def breaks(line: str, width: int) -> list[int]:
    """Where a line of text is broken to fit into `width` cells; a word longer than that is torn."""
    found, used = [], 0
    for piece in _PIECE.finditer(line):
        word, at = piece[0].rstrip(), piece.start()
        if used and used + cell_len(word) > width:
            found.append(at)
            used = 0
        *torn, last = chop_cells(word, width) or [""]
        for part in torn:
            at += len(part)
            found.append(at)
        used = cell_len(last) + (0 if torn else used) + cell_len(piece[0]) - cell_len(word)
    return found
