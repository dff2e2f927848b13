"""Clock: the time that records bear and waits are counted by. It never goes back, and never stands."""

from __future__ import annotations

import time
from collections.abc import Callable
from threading import Lock

_MS = 1_000_000  # ns
_SLOWER = 2  # how many times, while the machine's clock is behind


class Clock:
    """Now, in ms since 1970, for any thread.

    Where the machine's clock is set back, this one goes on at half its pace until the other has caught up: no record is
    older than the one before it (LED-02), and whoever has a quarter of an hour to answer has half an hour at most.
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
        """Be no earlier than `ts`, which a record bears already."""
        with self._lock:
            self._now = max(self._now, ts * _MS)
