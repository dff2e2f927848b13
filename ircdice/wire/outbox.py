"""Outbox: the lines that wait to be sent (IRC-22). The time is passed in; knows no socket and no clock."""

from __future__ import annotations

from collections import deque

from ircdice.wire.bucket import Bucket


class Outbox:
    """One bucket for a connection, one queue for each place, the places by turns, and what is urgent ahead of all."""

    def __init__(self, burst: int, interval: float) -> None:
        self._bucket = Bucket(burst, interval)
        self._urgent: deque[str] = deque()
        self._lanes: dict[str, deque[str]] = {}  # in the order of their turns

    def put(self, lane: str, line: str) -> None:
        """Queue `line` behind the others of its place."""
        self._lanes.setdefault(lane, deque()).append(line)

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
        if queue:
            self._lanes[lane] = queue  # behind the others: the next turn is theirs
        return line

    def wait(self, now: float) -> float | None:
        """Seconds until a line may be sent; None where nothing waits."""
        if self._urgent:
            return 0.0
        return self._bucket.wait(now) if self._lanes else None

    def __len__(self) -> int:
        return len(self._urgent) + sum(map(len, self._lanes.values()))
