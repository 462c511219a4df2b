"""A user who reacts by a table: the first row that fits what the agent said, called or holds speaks."""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from fairtrial.schema.record import Call, Turn
from fairtrial.schema.user import Table, When
from fairtrial.scoring.values import same
from fairtrial.text.asks import asks
from fairtrial.text.normalise import fold_signs
from fairtrial.text.patterns import compile_pattern, searchable

_Fits = Callable[[Sequence[Turn]], bool]


class TableUser:
    """The user of one session. Raises BadInput for a pattern or path of the table that is none."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._rows = [(_fits(row.when), row) for row in table.answers]
        self._met: Counter[int] = Counter()
        self._left = table.max_turns

    async def say(self, turns: Sequence[Turn]) -> str | None:
        """What the user says after these turns; None where they leave.

        They do so where no row fits and nothing is said otherwise, and once every row has said its say. A row
        that fits for the first `late` times is passed over, as is one that has spoken `times` times.
        """
        if not self._left or all(self._is_spent(number) for number in range(len(self._rows))):
            return None
        self._left -= 1
        for number, (fits, row) in enumerate(self._rows):
            if not self._is_spent(number) and fits(turns):
                self._met[number] += 1
                if self._met[number] > row.late:
                    return row.say
        return self._table.otherwise

    async def close(self) -> None:
        """Nothing is held."""

    def _is_spent(self, number: int) -> bool:
        row = self._rows[number][1]
        return self._met[number] >= row.late + row.times


def _fits(when: When) -> _Fits:
    """Whether all that is written in `when` holds after some turns."""
    checks: list[_Fits] = []
    if when.reply is not None:
        pattern = compile_pattern(when.reply, case_sensitive=False)
        checks.append(lambda turns: any(pattern.search(form) for form in _forms(_reply(turns))))
    if (kind := when.asks) is not None:
        checks.append(lambda turns: asks(kind, _reply(turns)))
    if when.tool is not None:
        checks.append(lambda turns: any(call.name == when.tool for call in _calls(turns)))
    if when.path is not None:
        checks.append(_at_path(when.path, when))
    return lambda turns: all(check(turns) for check in checks)


def _at_path(path: str, when: When) -> _Fits:
    from fairtrial.scoring.rules_paths import compile_path  # 30 ms, which few users need

    find = compile_path(path)

    def check(turns: Sequence[Turn]) -> bool:
        try:
            values = find(_state(turns))
        except RecursionError:
            return False
        return any(same(value, when.equals) for value in values) if when.compares else bool(values)

    return check


def _forms(reply: str) -> tuple[str, str]:
    """A reply as it is, for a pattern that is itself of full width, and with its width folded."""
    reply = searchable(reply)
    return reply, fold_signs(reply)


def _reply(turns: Sequence[Turn]) -> str:
    return (turns[-1].reply or "") if turns else ""


def _calls(turns: Sequence[Turn]) -> list[Call]:
    return [step for turn in turns for step in turn.steps if isinstance(step, Call)]


def _state(turns: Sequence[Turn]) -> Any:
    return next((turn.state for turn in reversed(turns) if turn.state is not None), None)
