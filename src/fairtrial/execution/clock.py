"""The time that an agent is told: a fixed one or the present, and as much later as it was moved on."""

import time
from datetime import datetime, timedelta


class Clock:
    """`fixed` is ISO 8601 with its zone and stands still unless moved; None is the present, which runs on."""

    def __init__(self, fixed: str | None) -> None:
        self._fixed = fixed
        self.moved = 0.0
        """Seconds."""

    def since(self, began: float, now: float) -> float:
        """Seconds from `began` to `now`, as this clock shows them: of a fixed one, as far as it was moved."""
        return self.moved + (0.0 if self._fixed else now - began)

    def told(self) -> str:
        """The time now, ISO 8601 with its zone."""
        if self._fixed is None:
            return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + self.moved))
        if not self.moved:
            return self._fixed
        moment = datetime.fromisoformat(self._fixed) + timedelta(seconds=self.moved)
        return moment.isoformat().replace("+00:00", "Z")
