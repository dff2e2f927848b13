"""Outbox: the lines that wait to be sent (IRC-22). The time is passed in; knows no socket and no clock."""

from __future__ import annotations

from collections import deque

from ircdice.wire.bucket import Bucket

MOST = 40  # lines; while as many wait nothing more is taken on that would bring an answer
MOST_IN_LANE = 10  # so that one busy channel leaves room for the others
MOST_WITH_ASIDES = 2 * MOST


class Outbox:
    """One bucket for a connection, one queue for each place, the places by turns, and what is urgent ahead of all.

    What was recorded must be said, so `put` refuses nothing: whoever answers asks for `room` before.
    """

    def __init__(self, burst: int, interval: float) -> None:
        self._bucket = Bucket(burst, interval)
        self._urgent: deque[str] = deque()
        self._lanes: dict[str, deque[str]] = {}  # in the order of their turns
        self._waiting = 0  # in all lanes

    def room(self, lane: str, coming: int = 0, most: int = MOST) -> bool:
        """Whether one more answer may be asked for, to go to `lane`, while so many others are on their way."""
        return self._waiting + coming < most and len(self._lanes.get(lane, ())) < MOST_IN_LANE

    def put(self, lane: str, line: str) -> None:
        """Queue `line` behind the others of its place."""
        self._lanes.setdefault(lane, deque()).append(line)
        self._waiting += 1

    def offer(self, lane: str, line: str) -> bool:
        """Queue a line that may be left out; it is where too much waits."""
        if self._waiting >= MOST_WITH_ASIDES or len(self._lanes.get(lane, ())) >= MOST_IN_LANE:
            return False
        self.put(lane, line)
        return True

    def urgent(self, line: str) -> None:
        """Queue `line` ahead of all: a PONG, or the closing QUIT. It waits for no token, and is paid for later."""
        self._urgent.append(line)

    def next(self, now: float) -> str | None:
        """The line to send now, if any may be sent."""
        if self._urgent:
            self._bucket.force(now)
            return self._urgent.popleft()
        if not self._lanes or not self._bucket.take(now):
            return None
        lane = next(iter(self._lanes))
        queue = self._lanes.pop(lane)
        line = queue.popleft()
        self._waiting -= 1
        if queue:
            self._lanes[lane] = queue  # behind the others: the next turn is theirs
        return line

    def wait(self, now: float) -> float | None:
        """Seconds until a line may be sent; None where nothing waits."""
        if self._urgent:
            return 0.0
        return self._bucket.wait(now) if self._lanes else None

    def __len__(self) -> int:
        return len(self._urgent) + self._waiting
