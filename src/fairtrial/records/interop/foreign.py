"""What a reader of another tool's file gives: rows as ours, and what the file says of itself."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import msgspec

from fairtrial.schema.audit import Fault
from fairtrial.schema.evidence import Header
from fairtrial.schema.fingerprint import Part
from fairtrial.schema.score import Row


@dataclass(frozen=True, kw_only=True)
class Foreign:
    """One file of another tool, read whole.

    `claims` are figures that the file states, by name (`accuracy`, `stderr`, `pass^1` …). `parts` are what it
    tells of its environment, by the names of `PartName`. `planned` is how many sessions it says there were,
    None if it does not. `nothing_passes` are cases that an agent which does nothing would pass.
    `told` are further facts by plain names (`seed`, `temperature`, `created` …). `raw_output`: whether the
    agent's own words are there; `rules`: whether it shows which checks made the score.
    """

    format: str
    rows: tuple[Row, ...]
    faults: tuple[Fault, ...] = ()
    claims: Mapping[str, float] = field(default_factory=dict)
    parts: Mapping[str, Part] = field(default_factory=dict)
    planned: int | None = None
    nothing_passes: tuple[str, ...] = ()
    told: Mapping[str, Any] = field(default_factory=dict)
    raw_output: bool = False
    rules: bool = False

    @property
    def numbered(self) -> bool:
        """Whether the file itself tells the trials of a case apart."""
        return bool(self.told.get("trial_column", True))


_KEPT = ("claims", "planned", "nothing_passes", "told", "raw_output", "rules")


def kept(foreign: Foreign) -> dict[str, Any]:
    """What a log's header keeps of the file, beside its rows and its fingerprint; `recalled` reads it."""
    faults: list[Any] = msgspec.to_builtins(foreign.faults)
    return {"format": foreign.format, "faults": faults} | {name: getattr(foreign, name) for name in _KEPT}


def recalled(header: Header, rows: tuple[Row, ...] = ()) -> Foreign | None:
    """What the file said from which a log was imported; None where the log was not, or does not tell.

    `rows` are those of the log, for whoever has them at hand.
    """
    told = header.config.get("imported")
    if not isinstance(told, dict):
        return None
    parts = header.fingerprint.parts if header.fingerprint else {}
    known = {name: told[name] for name in ("format", "faults", *_KEPT) if name in told}
    try:
        return msgspec.convert(known | {"rows": rows, "parts": parts}, Foreign)
    except msgspec.ValidationError:  # a log from elsewhere
        return None
