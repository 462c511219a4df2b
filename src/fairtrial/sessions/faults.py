"""Tools that fail on purpose: the hook of one session's tool calls that plays the faults of its case."""

import json
from collections import Counter
from collections.abc import Sequence
from typing import Any

from fairtrial.agents.protocol import Ruling
from fairtrial.agents.wire import plain
from fairtrial.schema.disturbance import Fault, FaultKind
from fairtrial.schema.record import Disturbance
from fairtrial.sessions.spoilt import older, spoil

_REFUSED = {FaultKind.timeout: "timed out", FaultKind.error: "service unavailable"}
_SLOW = 2.0
"""Seconds of a slow call that does not say how long it takes."""

_Due = list[tuple[int, Fault]]


class Faults:
    """The hook (`agents.protocol.ToolHook`) of one session, with faults and their numbers in the case.

    Calls are counted from 1, over all tools and for each; those that are refused count too. Where several
    steps hit one call the delays add up, the first refusal stands, and results are changed one after another.
    Of calls under way at once each gets what is due to it, the latest first where arguments are the same.
    A fault that would change nothing (`empty` of an empty list) has not taken place. `stale` gives what the
    tool gave earlier in the session for the same arguments, where that was different, else
    `spoilt.older`.
    """

    def __init__(self, steps: Sequence[tuple[int, Fault]]) -> None:
        self._steps = tuple(steps)
        self._made: Counter[str | None] = Counter()
        self._given: dict[str, Any] = {}
        self._in_turn = 0
        self._under_way: list[tuple[str, str, int, _Due]] = []
        self._fired: set[int] = set()
        self._hits: list[Disturbance] = []

    def add(self, step: Fault) -> None:
        """One step more, the next number; its calls are counted from now on."""
        later = step.model_copy(update={"nth": step.nth + self._made[step.tool]})
        self._steps += ((len(self._steps), later),)

    def before(self, name: str, arguments: Any) -> Ruling:
        """Count the call, and refuse it or hold it up."""
        self._made.update((None, name))
        call, due, delay = self._in_turn, self._due(name), 0.0
        self._in_turn += 1
        for number, fault in due:
            if fault.fault is FaultKind.slow:
                seconds = _SLOW if fault.seconds is None else fault.seconds
                self._hit(number, fault, name, call, seconds=seconds)
                delay += seconds
            elif fault.fault in _REFUSED:
                error = fault.text or _REFUSED[fault.fault]
                self._hit(number, fault, name, call, error=error)
                return Ruling(delay=delay, error=error, timeout=fault.fault is FaultKind.timeout)
        self._under_way.append((name, _key(name, arguments), call, due))
        return Ruling(delay=delay)

    def after(self, name: str, arguments: Any, result: Any) -> Any:
        """The result, spoilt where a step says so; else the very same. What is given is never changed."""
        asked, true = _key(name, arguments), plain(result)
        earlier, self._given[asked] = self._given.get(asked), true
        shown = true
        call, due = self._ended(name, asked)
        for number, fault in due:
            changed = _changed(fault, shown, earlier)
            if changed != shown:
                self._hit(number, fault, name, call, result=true)
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

    def _due(self, name: str) -> _Due:
        return [
            (number, fault)
            for number, fault in self._steps
            if fault.tool in (None, name) and 0 <= self._made[fault.tool] - fault.nth < fault.times
        ]

    def _ended(self, name: str, asked: str) -> tuple[int, _Due]:
        """The number of the call whose result has come, and what is due to it."""
        calls = list(enumerate(self._under_way))
        # A tool may have changed its arguments: then it is the latest call of the tool.
        own = [at for at, made in calls if made[1] == asked] or [at for at, made in calls if made[0] == name]
        return self._under_way.pop(own[-1])[2:] if own else (0, [])

    def _hit(self, number: int, fault: Fault, tool: str, call: int, **detail: Any) -> None:
        self._fired.add(number)
        self._hits.append(
            Disturbance(
                step=number,
                do=fault.do,
                probe=fault.probe,
                call=call,
                detail={"fault": str(fault.fault), "tool": tool} | detail,
            )
        )


def _changed(fault: Fault, result: Any, earlier: Any) -> Any:
    if fault.fault is FaultKind.stale:
        return earlier if earlier not in (None, result) else older(result)
    return spoil(fault.fault, result, fault.text or "")


def _key(name: str, arguments: Any) -> str:
    return json.dumps([name, plain(arguments)], sort_keys=True)
