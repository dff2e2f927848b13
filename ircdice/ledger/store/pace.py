"""Whether the event loop may wait for a commit where it stands, by how long the last ones took. Knows no clock."""

from __future__ import annotations

SLOW = 0.005  # s: longer than all else that comes in should wait for a roll
REST = 30  # times as long as slow ones took none is waited for: so they take a thirtieth of the loop's time at most
LENT = 0.03  # s of waiting that need not be rested off before: one that is a little late now and then is no slow disk


class Pace:
    """What is made on the loop is made `here`, all else in the writer's thread; times in seconds.

    A disk that is always slow is known by the thread's commits, and the loop never waits for it; behind each slow one
    the thread tries the next, and for one that is slow often the loop rests. After `most` commits here the next is the
    thread's: carrying SQLite's log into the file is left to it.
    """

    def __init__(self, most: int) -> None:
        self._most, self._here = most, 0
        self._quick = False  # whether the last was; of a disk that was never written to nobody knows
        self._owed, self._since = 0.0, 0.0  # s of slow ones that are not rested off, and as of when

    def allows(self, now: float) -> bool:
        """Whether the next may be made here."""
        return self._quick and self._here < self._most and self._left(now) <= LENT

    def took(self, seconds: float, now: float, *, here: bool) -> None:
        """One roll's commit is done, which took so long."""
        self._quick = seconds <= SLOW
        self._here = self._here + 1 if here else 0
        if here and not self._quick:
            self._owed, self._since = self._left(now) + seconds, now

    def _left(self, now: float) -> float:
        return max(0.0, self._owed - (now - self._since) / REST)
