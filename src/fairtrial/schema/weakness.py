"""What an active examination found: the cells that were tried, the weaknesses, and how sure that is."""

from enum import StrEnum
from typing import Any

from fairtrial.schema.record import Frozen


class CellState(StrEnum):
    """What is known of a cell. `cleared` is shown by its interval, `unlikely` by a model only."""

    weak = "weak"
    cleared = "cleared"
    unlikely = "unlikely"
    open = "open"
    not_run = "not_run"


class Layer(StrEnum):
    """Where a session went wrong first."""

    understanding = "understanding"
    tool_call = "tool_call"
    tool_result = "tool_result"
    answer = "answer"


class Cell(Frozen, frozen=True, kw_only=True):
    """A group of cases under a probe at an intensity (1, 2, 3), and how its sessions ended.

    `low` and `high` bound the failure rate at 95 % under any choice of what to run ([0, 1] where nothing
    ran); `weak` is the model's chance that it is weak, in [0, 1]; `evidence` the e-value. `fresh` are
    (failures, sessions) of sessions run after it was found, in none of the figures before; `control` those
    of the same cases without the disturbance.
    """

    group: str
    probe: str
    intensity: int
    state: CellState
    failures: int = 0
    sessions: int = 0
    low: float = 0.0
    high: float = 1.0
    weak: float | None = None
    evidence: float | None = None
    fresh: tuple[int, int] | None = None
    control: tuple[int, int] | None = None


class Shrunk(Frozen, frozen=True, kw_only=True):
    """The smallest disturbed case that still fails: as it is written in a case file.

    `steps` of `of` steps were kept. `failures` of `sessions` fresh sessions failed, with the 95 % interval
    of the rate (Clopper-Pearson); `control` is (failures, sessions) of the case undisturbed, None where there
    was no budget for it. `spent` counts all sessions that it took.
    """

    case: dict[str, Any]
    steps: int
    of: int
    failures: int
    sessions: int
    low: float
    high: float
    control: tuple[int, int] | None = None
    spent: int


class Example(Frozen, frozen=True, kw_only=True):
    """A failed session to be read: its case, and which trial of it in the log, from 1."""

    case: str
    trial: int


class Weakness(Frozen, frozen=True, kw_only=True):
    """A group and probe that was found weak, at its weakest failing intensity.

    `layers` counts the failed sessions by where they went wrong. `shrunk` is None where no smaller case could
    be confirmed, which `why` explains, and where a case of another group stands for the probe.
    """

    group: str
    probe: str
    intensity: int
    layers: dict[str, int]
    examples: tuple[Example, ...]
    shrunk: Shrunk | None = None
    why: str = ""


class Headline(Frozen, frozen=True, kw_only=True):
    """The failure rate over uniformly drawn cells, with its 95 % interval; None where none counted."""

    rate: float | None
    low: float | None
    high: float | None
    failures: int
    sessions: int
    method: str


class WeaknessMap(Frozen, frozen=True, kw_only=True):
    """All that a `probe` found.

    A cell is weak whose failure rate is shown to be above `acceptable`, which is 0.1 or more where that many
    fail undisturbed. `headline` is the only pooled rate there is. `baseline` names the cases that fail
    undisturbed and `unanswered` those whose undisturbed session did not complete: no probe was tried on
    either. `inapplicable` maps a probe to why it was not tried. `set_aside` counts sessions that did not
    complete, by status. `stopped` says in one word or two why no more was asked.
    """

    cells: tuple[Cell, ...]
    weaknesses: tuple[Weakness, ...]
    headline: Headline
    acceptable: float = 0.1
    baseline: tuple[str, ...]
    unanswered: tuple[str, ...] = ()
    inapplicable: dict[str, str] = {}
    sessions: int
    budget: int
    set_aside: dict[str, int] = {}
    stopped: str
