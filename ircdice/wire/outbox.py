"""Outbox: the lines that wait to be sent (IRC-22). The time is passed in; knows no socket and no clock."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from itertools import islice

from ircdice.wire.bucket import Bucket
from ircdice.wire.entry import OutboxEntry

MOST = 1000  # lines; while as many wait nothing more is taken on that would bring an answer
MOST_IN_LANE = 200  # so that one busy channel leaves room for the others
MOST_ASIDES = 10  # in one lane: what may be left out is, where as many wait
MOST_WITH_ASIDES = 80
JOINED_PAST = 20  # waiting in one lane; then neighbours share a line until the lane is empty
HELD = 0.25  # seconds that a line which is not full waits for those that will share it
_LOOK = 0.05  # seconds until a line that is held is looked at again


class Outbox:
    """One bucket for a connection, one queue for each place, the places by turns, and what is urgent ahead of all.

    What was recorded must be said, so `put` refuses nothing: whoever answers asks for `room` before.
    """

    def __init__(self, burst: int, interval: float) -> None:
        self._bucket = Bucket(burst, interval)
        self._urgent: deque[str] = deque()
        self._lanes: dict[str, deque[OutboxEntry]] = {}  # in the order of their turns
        self._joining: set[str] = set()
        self._waiting = 0  # in all lanes
        self._latest = ""  # lane that had its turn
        self.coming: Callable[[str], int] = lambda _lane: 0  # how many answers will follow in a lane
        self.shares: Callable[[str], bool] = lambda _lane: False  # whether a lane has its turn with others of the kind

    def pace(self, burst: int, interval: float, now: float) -> None:
        """Go on at another pace; what was used up stays so (IRC-25)."""
        self._bucket.pace(burst, interval, now)

    def room(self, lane: str, coming: int = 0, most: int = MOST) -> bool:
        """Whether one more answer may be asked for, to go to `lane`, while so many others are on their way."""
        return self._waiting + coming < most and len(self._lanes.get(lane, ())) < MOST_IN_LANE

    def put(self, lane: str, entry: OutboxEntry) -> None:
        """Queue `entry` behind the others of its place."""
        self._lanes.setdefault(lane, deque()).append(entry)
        self._waiting += 1

    def offer(self, lane: str, entry: OutboxEntry) -> bool:
        """Queue a line that may be left out; it is where too much waits."""
        if self._waiting >= MOST_WITH_ASIDES or len(self._lanes.get(lane, ())) >= MOST_ASIDES:
            return False
        self.put(lane, entry)
        return True

    def urgent(self, line: str) -> None:
        """Queue `line` ahead of all: a PONG, or the closing QUIT. It waits for no token, and is paid for later."""
        self._urgent.append(line)

    def next(self, now: float) -> OutboxEntry | None:
        """The line to send now, if any may be sent."""
        if self._urgent:
            self._bucket.force(now)
            return OutboxEntry(self._urgent.popleft())
        lane = next((lane for lane in self._lanes if not self._held(lane, now)), None)
        if lane is None or not self._bucket.take(now):
            return None
        queue = self._lanes.pop(lane)
        self._latest = lane
        entry = self._drawn(lane, queue)
        if self.shares(lane):
            self._put_behind([other for other in self._lanes if self.shares(other)])
        if queue:
            self._lanes[lane] = queue  # behind the others: the next turn is theirs
        else:
            self._joining.discard(lane)
        return entry

    def _put_behind(self, lanes: list[str]) -> None:
        for lane in lanes:
            self._lanes[lane] = self._lanes.pop(lane)

    def wait(self, now: float) -> float | None:
        """Seconds until a line may be sent; None where nothing waits."""
        if self._urgent:
            return 0.0
        if not self._lanes:
            return None
        held = all(self._held(lane, now) for lane in self._lanes)
        return max(self._bucket.wait(now), _LOOK if held else 0.0)

    def take(self, wanted: Callable[[str], bool] = lambda _lane: True) -> list[OutboxEntry]:
        """Take out all that waits in the lanes that are wanted, each lane in its order."""
        lanes = [lane for lane in self._lanes if wanted(lane)]
        self._joining.difference_update(lanes)
        taken = [entry for lane in lanes for entry in self._lanes.pop(lane)]
        self._waiting -= len(taken)
        return taken

    @property
    def pressed(self) -> bool:
        """Whether more waits to be sent, or is about to behind the line that went out last."""
        return len(self) > 0 or self.coming(self._latest) > 0

    def __len__(self) -> int:
        return len(self._urgent) + self._waiting

    def _held(self, lane: str, now: float) -> bool:
        """Whether a lane's line is to wait for more: many are on their way, and those that are there do not fill it."""
        queue = self._lanes[lane]
        coming = self.coming(lane)
        if not coming or len(queue) + coming <= JOINED_PAST or len(queue) > JOINED_PAST:
            return False
        pieces = queue[0].pieces
        if not pieces or now - pieces[0].at >= HELD:
            return False
        self._joining.add(lane)
        return _in_one_line(queue)

    def _drawn(self, lane: str, queue: deque[OutboxEntry]) -> OutboxEntry:
        """The next line of a lane; where many wait as many as fit in it."""
        if len(queue) > JOINED_PAST:
            self._joining.add(lane)
        entry = queue.popleft()
        self._waiting -= 1
        while lane in self._joining and queue and (both := entry.joined(queue[0])):
            entry = both
            queue.popleft()
            self._waiting -= 1
        return entry


def _in_one_line(queue: deque[OutboxEntry]) -> bool:
    """Whether all of them fit in one."""
    line: OutboxEntry | None = queue[0]
    for entry in islice(queue, 1, None):
        line = line and line.joined(entry)
    return line is not None
