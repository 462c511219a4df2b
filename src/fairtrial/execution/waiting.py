"""How long to leave a busy agent alone."""

import math
from random import Random


def wait_seconds(retry: int, retry_after: float | None, *, longest: float, seed: int) -> float:
    """Seconds in [0, longest] before try number `retry` (from 1).

    What the agent asked for; unsaid, 1, 2, 4 … seconds, each shortened by up to half by a jitter that
    depends on `seed` alone, so that sessions which were refused together do not come back together.
    """
    if retry_after is not None and not math.isnan(retry_after):
        return min(max(retry_after, 0.0), longest)
    jitter = Random(f"{seed}:{retry}").uniform(0.5, 1.0)
    return float(min(2.0 ** (retry - 1), longest) * jitter)
