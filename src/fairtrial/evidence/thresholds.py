"""The doubt lines' thresholds: defaults, presets, and what a project's `[doubts]` table makes of them.

A line can not be switched off. It can be made more lenient, by someone with a name and a reason, and
that goes into the history. How each default was chosen and how to calibrate it: docs/doubts.md.
"""

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from pydantic import ValidationInfo, field_validator, model_validator

from fairtrial.errors import BadInput
from fairtrial.schema.evidence import Loosening
from fairtrial.schema.written import Written
from fairtrial.text.language import say

Mode = Literal["quick", "full", "import", "probe"]
Preset = Literal["standard", "regression"]


@dataclass(frozen=True, kw_only=True)
class Line:
    """A line as it comes: lit when its value lies on `side` of `threshold`; `forbids` in a full round.

    A configured threshold must lie in [`least`, `most`], within which the line can still light.
    """

    threshold: float
    side: Literal["below", "above"]
    forbids: bool = False
    least: float = 0.0
    most: float = 0.999
    quick: float | None = None
    """The threshold in quick mode where it differs."""


LINES: dict[str, Line] = {
    "few_cases": Line(threshold=20, side="below", forbids=True, least=2, most=1e9),
    "too_good": Line(threshold=0.95, side="above", forbids=True),
    "too_low": Line(threshold=0.05, side="below", least=0.001),
    "too_uniform": Line(threshold=0.01, side="below", forbids=True, least=1e-6),
    "correlation": Line(threshold=0.99, side="above", forbids=True),
    "few_trials": Line(threshold=3, side="below", least=2, most=1e6, quick=1),
    "errors": Line(threshold=0.05, side="above", forbids=True),
    "mixed_models": Line(threshold=1, side="above", forbids=True, least=1, most=1e6),
    "drift": Line(threshold=0.5, side="above"),
    "null_agent": Line(threshold=0.05, side="above"),
    "useful_high": Line(threshold=0.9, side="above"),
    "useful_unchecked": Line(threshold=0.5, side="above"),
    "useful_falls": Line(threshold=0.02, side="above"),
    "useful_weight": Line(threshold=0.3, side="below", least=0.001, most=1.0),
    "useful_unscored": Line(threshold=1, side="below", least=1, most=1e9),
    "jump": Line(threshold=0.2, side="above"),
    "changed_set": Line(threshold=0.5, side="above"),
    "unchanged_set": Line(threshold=20, side="above", least=2, most=1e6),
    "often_lit": Line(threshold=0.5, side="above"),
}


SATURABLE = ("too_good", "too_uniform")
"""The lines that a high score lights, and that the regression preset lets not forbid it."""


@dataclass(frozen=True, kw_only=True)
class Limit:
    """One line in force."""

    threshold: float
    forbids: bool


@dataclass(frozen=True, kw_only=True)
class Thresholds:
    """All lines in force for one set and mode, and which of them were made more lenient."""

    mode: Mode
    preset: Preset
    lines: Mapping[str, Limit]
    loosenings: tuple[Loosening, ...] = ()

    @property
    def digest(self) -> str:
        """SHA-256 over preset, mode and lines: two rounds of one digest were doubted alike."""
        lines = {name: (limit.threshold, limit.forbids) for name, limit in sorted(self.lines.items())}
        text = json.dumps([self.mode, self.preset, lines])
        return hashlib.sha256(text.encode()).hexdigest()


class LineConfig(Written):
    """What a project says of one line; `why` and `who` are needed where that makes it more lenient."""

    threshold: float | None = None
    forbids: bool | None = None
    why: str | None = None
    who: str | None = None


class LinesConfig(Written):
    """A table of lines by name, `preset` aside; a bare number is a threshold."""

    preset: Preset | None = None
    lines: dict[str, LineConfig] = {}

    @model_validator(mode="before")
    @classmethod
    def _lines_apart(cls, table: Any) -> Any:
        if not isinstance(table, dict) or not isinstance(table.get("lines", {}), dict):
            return table
        fields = {name: value for name, value in table.items() if name in cls.model_fields}
        lines = {name: line for name, line in table.items() if name not in fields}
        # A configuration that was written to a log has its lines apart already.
        lines |= fields.get("lines", {})
        return fields | {"lines": {name: _as_table(name, line) for name, line in lines.items()}}

    @field_validator("lines")
    @classmethod
    def _in_range(cls, lines: dict[str, LineConfig], info: ValidationInfo) -> dict[str, LineConfig]:
        for name, line in lines.items():
            least, most = LINES[name].least, LINES[name].most
            if line.threshold is not None and not least <= line.threshold <= most:
                raise ValueError(
                    say(
                        f"`{name}` can not be switched off: its threshold is {least:g} to {most:g}",
                        f"`{name}` 不能关闭：阈值须在 {least:g} 与 {most:g} 之间",
                    )
                )
        return lines


class ModesConfig(LinesConfig):
    """Lines for every mode, and those of one mode in `quick` and `full`."""

    quick: LinesConfig = LinesConfig()
    full: LinesConfig = LinesConfig()


class DoubtConfig(ModesConfig):
    """The `[doubts]` table: lines for all sets, and under `sets.NAME` those of one."""

    sets: dict[str, ModesConfig] = {}

    def resolve(self, set_name: str | None, mode: Mode) -> Thresholds:
        """The lines in force for a set (None: one without a name) and mode; the narrower table wins.

        What `[doubts]` says of `forbids` is meant for full rounds: a quick one forbids only what a
        `quick` table says. Raises BadInput where a line is made more lenient without who and why.
        """
        layers = list(self._layers(set_name, mode))
        preset: Preset = next((t.preset for _, t, _ in reversed(layers) if t.preset), "standard")
        start = _defaults(mode)
        lines, reasons = dict(start), dict[str, tuple[str, str]]()
        for place, table, own in layers:
            for name, config in table.lines.items():
                before = lines[name]
                lines[name] = _changed(before, config, may_forbid=own or mode != "quick")
                if not _looser(name, lines[name], start[name]):
                    reasons.pop(name, None)
                elif _looser(name, lines[name], before):
                    reasons[name] = _reason(f"[{place}.{name}]", name, config)
        in_force = dict(lines)
        if preset == "regression":
            # What it takes back is known, so it asks nobody's reason; it leaves a trace all the same.
            for name in SATURABLE:
                if lines[name].forbids:
                    in_force[name] = replace(lines[name], forbids=False)
                    reasons.setdefault(name, ("[doubts] preset", "regression: saturated is not broken"))
        loosenings = tuple(
            Loosening(
                line=name,
                set_name=set_name,
                mode=mode,
                threshold=in_force[name].threshold,
                was=start[name].threshold,
                forbids=in_force[name].forbids,
                forbade=start[name].forbids,
                who=who,
                why=why,
            )
            for name, (who, why) in reasons.items()
        )
        return Thresholds(mode=mode, preset=preset, lines=lines, loosenings=loosenings)

    def _layers(self, set_name: str | None, mode: Mode) -> Iterator[tuple[str, LinesConfig, bool]]:
        """Tables from wide to narrow, each with its name and whether it is the mode's own."""
        own = "quick" if mode == "quick" else "full"
        tables: list[tuple[str, ModesConfig]] = [("doubts", self)]
        if set_name is not None and set_name in self.sets:
            tables.append((f"doubts.sets.{set_name}", self.sets[set_name]))
        for place, table in tables:
            yield place, table, False
            yield f"{place}.{own}", table.quick if own == "quick" else table.full, True


def _as_table(name: str, line: Any) -> Any:
    if name not in LINES:
        known = ", ".join(LINES)
        raise ValueError(say(f"no line is called `{name}`: {known}", f"没有名为 `{name}` 的认错线：{known}"))
    if isinstance(line, bool | str):
        raise ValueError(
            say(
                f"`{name}` can not be switched on or off: give a threshold, or a table with "
                "`forbids = false`, `who` and `why`",
                f"`{name}` 不能开关：请给出阈值，或写成含 `forbids = false`、`who` 与 `why` 的表",
            )
        )
    return {"threshold": float(line)} if isinstance(line, int | float) else line


def _defaults(mode: Mode) -> dict[str, Limit]:
    quick = mode == "quick"
    return {
        name: Limit(
            threshold=float(line.quick if quick and line.quick is not None else line.threshold),
            forbids=line.forbids and not quick,
        )
        for name, line in LINES.items()
    }


def _changed(limit: Limit, config: LineConfig, *, may_forbid: bool) -> Limit:
    if config.threshold is not None:
        limit = replace(limit, threshold=config.threshold)
    if config.forbids is not None and may_forbid:
        limit = replace(limit, forbids=config.forbids)
    return limit


def _looser(name: str, limit: Limit, than: Limit) -> bool:
    below = LINES[name].side == "below"
    wider = limit.threshold < than.threshold if below else limit.threshold > than.threshold
    return wider or (than.forbids and not limit.forbids)


def _reason(where: str, name: str, config: LineConfig) -> tuple[str, str]:
    who, why = (config.who or "").strip(), (config.why or "").strip()
    if not who or not why:
        raise BadInput(
            say(
                f"line `{name}` is made more lenient without a name and a reason",
                f"放宽了认错线 `{name}`，却没有署名与理由",
            ),
            where=where,
            how=say("add `who` and `why`; both go into the history", "请补上 `who` 与 `why`，二者会写入历史"),
        )
    return who, why
