"""Outbox: the lines that wait to be sent, within the server's flood limit and fair between channels (IRC-22)."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import NamedTuple

from ircdice.bot.message import Reply
from ircdice.wire.rate_limit import Bucket

MOST = 1000  # waiting lines; past it nothing is begun that would bring an answer
MOST_IN_LANE = 200  # so that one busy channel leaves room for the others
MOST_WITH_ASIDES = 80  # waiting lines; past it warnings and CTCP answers are left out
MOST_URGENT = 50  # a flood of PING fills no memory: only the latest are answered
JOINED_PAST = 20  # waiting in one lane; past it neighbours share a line
PRIVATE = "@"  # the one lane of all private lines: however many people ask, they have one turn
BETWEEN = " | "  # between joined replies; no game's words contain it, and to no other bot is it a command


class Piece(NamedTuple):
    """What is to be said to one target, wording done. `at` is when it came up, in seconds of the loop's clock."""

    command: str  # PRIVMSG or NOTICE
    target: str
    text: str
    at: float
    replies: tuple[Reply, ...] = ()  # delivered once this is sent; none if more of the same reply follows
    msgid: str = ""  # of the command that this answers (IRC-27)

    @property
    def joins(self) -> bool:
        """Whether it shares its line with the next, if both fit (GEN-17)."""
        return any(reply.joins for reply in self.replies)


class OutboxEntry(NamedTuple):
    """One line of the protocol: `head`, then `text`, for which there are `room` bytes."""

    text: str
    head: str = ""  # none if the line is no message
    room: int = 0
    pieces: tuple[Piece, ...] = ()
    tags: str = ""

    @property
    def line(self) -> str:
        """The line as it is sent, without its end."""
        return self.tags + self.head + self.text

    @property
    def joins(self) -> bool:
        """As in its last piece."""
        return any(piece.joins for piece in self.pieces[-1:])

    def joined(self, other: OutboxEntry) -> OutboxEntry | None:
        """Both in one line (IRC-22); None if they differ in kind, are no replies, or do not fit."""
        if self.head != other.head or not self.pieces or not other.pieces:
            return None
        text = f"{self.text}{BETWEEN}{other.text}"
        if len(text.encode()) > self.room:
            return None
        tags = self.tags if self.joins else ""
        return self._replace(text=text, pieces=self.pieces + other.pieces, tags=tags)


class Outbox:
    """One bucket for the connection, one lane for each channel, lanes by turns, urgent lines first.

    What was recorded must be sent, so `put` refuses nothing: ask for `room` before.
    """

    def __init__(self, burst: int, interval: float) -> None:
        self.bucket = Bucket(burst, interval)
        self._urgent: deque[str] = deque(maxlen=MOST_URGENT)
        self._lanes: dict[str, deque[OutboxEntry]] = {}  # in the order of their turns

    def room(self, lane: str, coming: int = 0, most: int = MOST, in_lane: int = MOST_IN_LANE) -> bool:
        """Whether one more answer to `lane` may be asked for, while so many others are on their way."""
        return self._waiting + coming < most and len(self._lanes.get(lane, ())) < in_lane

    def put(self, lane: str, entry: OutboxEntry) -> None:
        """Queue a line."""
        self._lanes.setdefault(lane, deque()).append(entry)

    def offer(self, lane: str, entry: OutboxEntry) -> None:
        """Queue a line, or leave it out if too much waits."""
        if self._waiting < MOST_WITH_ASIDES:
            self.put(lane, entry)

    def urgent(self, line: str) -> None:
        """Queue a line ahead of all: a PONG, or the last QUIT. It needs no token; later lines wait for it."""
        self._urgent.append(line)

    def next(self, now: float) -> OutboxEntry | None:
        """The line to send now, if one may be sent."""
        if self._urgent:
            self.bucket.force(now)
            return OutboxEntry(self._urgent.popleft())
        if not self._lanes or not self.bucket.take(now):
            return None
        lane = next(iter(self._lanes))
        queue = self._lanes.pop(lane)
        many, entry = len(queue) > JOINED_PAST, queue.popleft()
        while queue and (many or entry.joins) and (both := entry.joined(queue[0])):
            entry = both
            queue.popleft()
        if queue:
            self._lanes[lane] = queue  # the next turn belongs to the others
        return entry

    def wait(self, now: float) -> float | None:
        """Seconds until a line may be sent; None if nothing waits."""
        if self._urgent:
            return 0.0
        return self.bucket.wait(now) if self._lanes else None

    def take(self, wanted: Callable[[str], bool] = lambda _lane: True) -> list[OutboxEntry]:
        """Take out all that waits in the wanted lanes, each lane in its order."""
        lanes = [lane for lane in self._lanes if wanted(lane)]
        return [entry for lane in lanes for entry in self._lanes.pop(lane)]

    def __len__(self) -> int:
        return len(self._urgent) + self._waiting

    @property
    def _waiting(self) -> int:
        return sum(map(len, self._lanes.values()))
