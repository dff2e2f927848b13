"""Time in ms since 1970: durations, the current time, dates, and a clock that never goes back."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import UTC, datetime
from threading import Lock

MINUTE = 60_000
HOUR = 60 * MINUTE
DAY = 24 * HOUR
_MS = 1_000_000  # ns
_SLOWER = 2  # divides its speed while the machine's clock is behind


def milliseconds() -> int:
    """The current time, in ms since 1970."""
    return time.time_ns() // _MS


def utc(ts: int) -> datetime:
    """The date and time of `ts`, in ms since 1970."""
    return datetime.fromtimestamp(ts / 1000, UTC)


class Clock:
    """A thread-safe clock, in ms since 1970, used for records and waiting times.

    If the machine's clock is set back, this one runs at half speed until the other catches up. So no record is older
    than the one before it (LED-02), and a wait of fifteen minutes takes at most thirty.
    """

    def __init__(self, wall: Callable[[], int] = time.time_ns, steady: Callable[[], int] = time.monotonic_ns) -> None:
        self._wall, self._steady = wall, steady
        self._lock = Lock()
        self._now, self._at = wall(), steady()

    def __call__(self) -> int:
        """The time."""
        with self._lock:
            at = self._steady()
            self._now = max(self._wall(), self._now + (at - self._at) // _SLOWER)
            self._at = at
            return self._now // _MS

    def reach(self, ts: int) -> None:
        """Never return a time before `ts`, that of a record."""
        with self._lock:
            self._now = max(self._now, ts * _MS)
