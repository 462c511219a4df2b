"""Tools that fail on purpose: the hook of one session's tool calls that plays the faults of its case."""

import json
from collections import Counter
from collections.abc import Sequence
from typing import Any

from fairtrial.agents.protocol import Ruling
from fairtrial.schema.disturbance import Fault, FaultKind
from fairtrial.schema.record import Disturbance
from fairtrial.sessions.spoilt import older, plain, spoil

_REFUSED = {FaultKind.timeout: "timed out", FaultKind.error: "service unavailable"}
_SLOW = 2.0
"""Seconds of a slow call that does not say how long it takes."""


class Faults:
    """The hook (`agents.protocol.ToolHook`) of one session, with faults and their numbers in the case.

    Calls are counted from 1, over all tools and for each; those that are refused count too. Where several
    steps hit one call the delays add up, the first refusal stands, and results are changed one after another.
    A fault that would change nothing (`empty` of an empty list) has not taken place. `stale` gives what the
    tool gave earlier in the session for the same arguments, where that was different, else
    `spoilt.older`.
    """

    def __init__(self, steps: Sequence[tuple[int, Fault]]) -> None:
        self._steps = tuple(steps)
        self._made: Counter[str | None] = Counter()
        self._given: dict[str, Any] = {}
        self._in_turn = 0
        self._fired: set[int] = set()
        self._hits: list[Disturbance] = []

    def before(self, name: str, arguments: Any) -> Ruling:
        """Count the call, and refuse it or hold it up."""
        self._made.update((None, name))
        self._in_turn += 1
        delay = 0.0
        for number, fault in self._due(name):
            if fault.fault is FaultKind.slow:
                seconds = _SLOW if fault.seconds is None else fault.seconds
                self._hit(number, fault, name, seconds=seconds)
                delay += seconds
            elif fault.fault in _REFUSED:
                error = fault.text or _REFUSED[fault.fault]
                self._hit(number, fault, name, error=error)
                return Ruling(delay=delay, error=error, timeout=fault.fault is FaultKind.timeout)
        return Ruling(delay=delay)

    def after(self, name: str, arguments: Any, result: Any) -> Any:
        """The result, spoilt where a step says so; else the very same. What is given is never changed."""
        asked, true = _key(name, arguments), plain(result)
        earlier, self._given[asked] = self._given.get(asked), true
        shown = true
        for number, fault in self._due(name):
            changed = _changed(fault, shown, earlier)
            if changed != shown:
                self._hit(number, fault, name, result=true)
                shown = changed
        return result if shown is true else shown

    def hit(self) -> tuple[Disturbance, ...]:
        """What was done since this was last asked; asked once a turn, it numbers calls within the turn.

        `detail` has `fault`, `tool`, and what the tool had truly given in `result`, or `error` or `seconds`.
        """
        hits, self._hits, self._in_turn = tuple(self._hits), [], 0
        return hits

    def unfired(self) -> tuple[int, ...]:
        """The numbers of the steps that have hit no call."""
        return tuple(number for number, _ in self._steps if number not in self._fired)

    def _due(self, name: str) -> list[tuple[int, Fault]]:
        return [
            (number, fault)
            for number, fault in self._steps
            if fault.tool in (None, name) and 0 <= self._made[fault.tool] - fault.nth < fault.times
        ]

    def _hit(self, number: int, fault: Fault, tool: str, **detail: Any) -> None:
        self._fired.add(number)
        self._hits.append(
            Disturbance(
                step=number,
                do=fault.do,
                probe=fault.probe,
                call=self._in_turn - 1,
                detail={"fault": str(fault.fault), "tool": tool} | detail,
            )
        )


def _changed(fault: Fault, result: Any, earlier: Any) -> Any:
    if fault.fault is FaultKind.stale:
        return earlier if earlier not in (None, result) else older(result)
    return spoil(fault.fault, result, fault.text or "")


def _key(name: str, arguments: Any) -> str:
    return json.dumps([name, plain(arguments)], sort_keys=True)
