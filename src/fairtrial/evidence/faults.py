"""What is no sound row of a result: entries that cannot be read, and rows that came already."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from fairtrial.evidence.columns import Columns
from fairtrial.evidence.identity import usual_size
from fairtrial.records.interop.foreign import Foreign
from fairtrial.schema.audit import Fault
from fairtrial.text.language import say


@dataclass(frozen=True, kw_only=True)
class Faults:
    """Of the result `name`: the entries that its reader could not take, and how many rows are too many."""

    name: str
    unreadable: Sequence[Fault]
    repeated: int

    @property
    def number(self) -> int:
        """Of both."""
        return len(self.unreadable) + self.repeated

    @property
    def words(self) -> str:
        """How many of which, for people; "" where there are none."""
        told = []
        if self.unreadable:
            n, first = len(self.unreadable), self.unreadable[0]
            told.append(
                say(
                    f"{n} unreadable, the first {first.where}: {first.says}",
                    f"{n} 处无法读取，第一处 {first.where}：{first.says}",
                )
            )
        if self.repeated:
            told.append(say(f"{self.repeated} rows too many", f"多出 {self.repeated} 行"))
        return self.name + say(": ", "：") + say("; ", "；").join(told) if told else ""


def faults(name: str, columns: Columns, foreign: Foreign | None) -> Faults:
    """Those of a result; `foreign` is what another tool's file said of itself, None for a log of ours.

    Where the file does not tell trials apart, those rows are too many that a case has beyond the usual.
    """
    if foreign is None or foreign.numbered:
        repeated = columns.repeated
    else:
        repeated = int(np.maximum(columns.held - (usual_size(columns.held) or 1), 0).sum())
    return Faults(name=name, unreadable=foreign.faults if foreign else (), repeated=repeated)
