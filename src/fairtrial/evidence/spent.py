"""What the sessions cost: tokens, money and seconds, and how much of that was not told."""

from array import array
from statistics import median

from fairtrial.schema.record import Record
from fairtrial.scoring.reading import examined
from fairtrial.stats.sums import ExactSums

_TOKENS = ("input_tokens", "cached_tokens", "output_tokens", "reasoning_tokens")


class Spent:
    """Sums over replies but those aside. A session that did not complete had a request without a price."""

    def __init__(self) -> None:
        self._tokens = dict.fromkeys(_TOKENS, 0)
        self._told = dict.fromkeys(_TOKENS, 0)
        self._replies = self._unpriced = self._attempts = 0
        self._money, self._waited = ExactSums(), ExactSums()
        self._money.grow()
        self._waited.grow()
        self._seconds, self._first_token = array("f"), array("f")

    def add(self, record: Record) -> None:
        """Take one session in."""
        self._attempts += record.attempts
        self._waited.add(0, record.waited)
        if not record.status.counts:
            self._unpriced += 1
        elif record.started is not None and record.ended is not None:
            self._seconds.append(record.ended - record.started - record.waited)
        for turn in examined(record).turns:
            self._replies += 1
            if turn.first_token_seconds is not None:
                self._first_token.append(turn.first_token_seconds)
            usage = turn.usage
            if usage is None or usage.cost is None:
                self._unpriced += 1
            else:
                self._money.add(0, usage.cost)
            for name in _TOKENS:
                if usage is not None and (tokens := getattr(usage, name)) is not None:
                    self._tokens[name] += tokens
                    self._told[name] += 1

    def figures(self) -> dict[str, int | float | None]:
        """The figures by the names of docs/figures.md; None is not known.

        Tokens are summed over the replies that told them, `…_unknown` being the number that did not.
        `cost` is None unless every price is known; `cost_known` is the part that is.
        """
        found: dict[str, int | float | None] = {"replies": self._replies, "attempts": self._attempts}
        for name in _TOKENS:
            found[name] = self._tokens[name] if self._told[name] else None
            found[f"{name}_unknown"] = self._replies - self._told[name]
        known = self._money.total(0)
        found["cost"] = known if self._unpriced == 0 else None
        found["cost_known"] = known
        found["cost_unknown"] = self._unpriced
        found["seconds_median"] = _median(self._seconds)
        found["first_token_seconds_median"] = _median(self._first_token)
        found["waited_seconds"] = self._waited.total(0)
        return found


def _median(values: "array[float]") -> float | None:
    # Kept in single precision to be small: seven digits are more than a clock can tell.
    return round(median(values), 6) if values else None
