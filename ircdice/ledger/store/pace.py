"""Whether the event loop may wait for a commit where it stands, by how long the last ones took. Knows no clock."""

from __future__ import annotations

SLOW = 0.005  # s: longer than all else that comes in should wait for a roll
REST = 30  # times as long as a slow one took none is waited for: so they take a thirtieth of the loop's time at most


class Pace:
    """What is made on the loop is made `here`, all else in the writer's thread; times in seconds.

    A disk that is always slow is known by the thread's commits, and the loop never waits for it; for one that is slow
    now and then it waits once, then rests. After `most` commits here the next is the thread's: carrying SQLite's log
    into the file is left to it.
    """

    def __init__(self, most: int) -> None:
        self._most, self._here = most, 0
        self._quick = False  # whether the last was; of a disk that was never written to nobody knows
        self._rests_until = float("-inf")

    def allows(self, now: float) -> bool:
        """Whether the next may be made here."""
        return self._quick and self._here < self._most and now >= self._rests_until

    def took(self, seconds: float, now: float, *, here: bool) -> None:
        """One roll's commit is done, which took so long."""
        self._quick = seconds <= SLOW
        self._here = self._here + 1 if here else 0
        if here and not self._quick:
            self._rests_until = now + REST * seconds
