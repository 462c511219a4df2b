"""The `Retry-After` header (RFC 9110, section 10.2.3): seconds, or a date."""

import math
import time
from datetime import UTC
from email.utils import parsedate_to_datetime


def seconds_to_wait(header: str | None, *, now: float | None = None) -> float | None:
    """Seconds from `now` (epoch, default: the clock) that the header asks for, >= 0; None if it says nothing.

    Takes whole seconds, the fractions that some servers send, and an HTTP date of any of the three
    forms. A date in the past is 0. What cannot be read is None: the caller's own back-off applies.
    """
    if header is None:
        return None
    text = header.strip()
    try:
        seconds = float(text)
    except ValueError:
        return _until(text, time.time() if now is None else now)
    return max(0.0, seconds) if math.isfinite(seconds) else None


def _until(text: str, now: float) -> float | None:
    try:
        moment = parsedate_to_datetime(text)
    except (ValueError, OverflowError):
        return None
    # A date without a zone is GMT in HTTP; `timestamp` alone would take the machine's own zone.
    return max(0.0, (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp() - now)
