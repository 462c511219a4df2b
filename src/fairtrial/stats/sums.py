"""Sums that come out the same in whatever order their terms arrive."""

from array import array


class ExactSums:
    """Sums by index that do not depend on the order of their terms, and so not on concurrency.

    The rounding error of each addition is kept beside the sum (Knuth 1969, TwoSum).
    """

    def __init__(self) -> None:
        self._high, self._low, self.n = array("d"), array("d"), array("i")

    def grow(self) -> None:
        """Make room for one more index."""
        self._high.append(0.0)
        self._low.append(0.0)
        self.n.append(0)

    def add(self, index: int, value: float) -> None:
        """Add one term."""
        old = self._high[index]
        new = old + value
        part = new - old
        self._high[index] = new
        self._low[index] += (old - (new - part)) + (value - part)
        self.n[index] += 1

    def total(self, index: int) -> float | None:
        """The sum, None of nothing."""
        return self._high[index] + self._low[index] if self.n[index] else None

    def mean(self, index: int) -> float | None:
        """The mean, None of nothing."""
        total = self.total(index)
        return None if total is None else total / self.n[index]
