"""When a call may be repeated, and how long to wait before it. Without I/O, clock or randomness."""

from __future__ import annotations

from datetime import datetime
from email.utils import parsedate_to_datetime
from typing import Literal

DEFAULT_MAX_RETRIES = 4
FIRST_DELAY_S = 0.25
LONGEST_DELAY_S = 20.0
LONGEST_RETRY_AFTER_S = 120.0
"""A server that asks for more is not waited for: the caller gets the error instead."""

Repeat = Literal["always", "refused", "never"]
"""``always``: a repeat does no harm, even when the first call was carried out unseen. ``refused``: only after 429, which says that
the call was not carried out. ``never``: calls that issue credentials."""


def may_repeat(repeat: Repeat, status: int) -> bool:
    """``status`` is 0 for a broken connection or a timeout."""
    if repeat == "never":
        return False
    return status == 429 or (repeat == "always" and leaves_in_doubt(status))


def leaves_in_doubt(status: int) -> bool:
    """Whether the call may have been carried out although it seems to have failed."""
    return status in (0, 502, 503, 504)


def backoff_s(retry: int, random: float) -> float:
    """Exponential, half of it random, so that clients that failed together do not come back together."""
    full = min(LONGEST_DELAY_S, FIRST_DELAY_S * 2.0**retry)
    return full / 2 + full / 2 * random


def retry_after_s(header: str | None, now: datetime) -> float | None:
    """``Retry-After`` in seconds, from seconds or from a date; None when absent or unreadable."""
    if header is None:
        return None
    text = header.strip()
    if text.isascii() and text.isdigit():
        return float(text)
    try:
        return max(0.0, (parsedate_to_datetime(text) - now).total_seconds())
    except (TypeError, ValueError):
        return None


def delay_s(retry: int, asked_s: float | None, random: float) -> float | None:
    """How long to wait before the next attempt, or None when the server asks for too long a wait."""
    own = backoff_s(retry, random)
    if asked_s is None:
        return own
    return None if asked_s > LONGEST_RETRY_AFTER_S else asked_s + own * random
