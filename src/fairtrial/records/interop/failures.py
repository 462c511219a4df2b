"""What an error message of another tool says about how a session ended."""

import re

from fairtrial.schema.record import Failure, Status

_SIGNS: tuple[tuple[Status, re.Pattern[str]], ...] = tuple(
    (status, re.compile(pattern, re.IGNORECASE))
    for status, pattern in (
        (Status.rate_limited, r"rate.?limit|too many requests|\b429\b|quota"),
        (Status.timeout, r"time[d ]?.?out|deadline|超时"),
        (Status.cancelled, r"cancell?ed|cancellation|keyboardinterrupt|取消"),
        (Status.infra_error, r"connection|network|sandbox|docker|unavailable|\b50[0-4]\b|\bdns\b|econn"),
    )
)
_NAME = re.compile(r"[A-Za-z_][\w.]*(?=[(:])")


def failed(message: str) -> tuple[Status, Failure]:
    """How the session ended, and its failure: by words of the message, `agent_error` if none tells."""
    status = next((status for status, sign in _SIGNS if sign.search(message)), Status.agent_error)
    named = _NAME.match(message)
    return status, Failure(kind=named[0] if named else "error", message=message)
