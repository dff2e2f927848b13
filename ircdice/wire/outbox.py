"""Outbox: lines that wait to be sent (IRC-22), that were sent and are not confirmed, or are kept for later (IRC-23).

No socket and no clock: the time is passed in.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from ircdice.bot.message import Reply
from ircdice.wire.line import Line
from ircdice.wire.rate_limit import Bucket

MOST = 1000  # waiting lines; past it nothing is begun that would bring an answer
MOST_IN_LANE = 200  # so that one busy channel leaves room for the others
MOST_WITH_ASIDES = 80  # waiting lines; past it warnings and CTCP answers are left out
MOST_URGENT = 50  # a flood of PING fills no memory: only the latest are answered
JOINED_PAST = 20  # waiting in one lane; past it neighbours share a line
PRIVATE = "@"  # the one lane of all private lines: however many people ask, they have one turn
BETWEEN = " | "  # between joined replies; no game's words contain it, and to no other bot is it a command
FRESH = 60.0  # seconds; an older roll is only named after a rejoin
MOST_KEPT = 2000  # pieces of one network; others stay undelivered in the ledger
MANY = 4  # lines that go unconfirmed while others wait: a PING costs as much as a line
_OVERDUE = 30.0  # seconds for a server that answers no PING, or does not echo what it promised
_IDS_IN_LINE = 20
_ID = re.compile(r"; id (\S+)$")
# No such target, no right to speak, blocked, registered only, refused by the other side.
_REFUSALS = frozenset({"401", "403", "404", "407", "408", "415", "477", "480", "486", "531", "716"})


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


class DeliveryReport(NamedTuple):
    """What became of lines: delivered, or refused by the server."""

    out: tuple[Piece, ...] = ()
    refused: tuple[Piece, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class _Sent:
    entry: OutboxEntry
    at: float
    echo: bool

    @property
    def target(self) -> str:
        return self.entry.head.split(" ")[1]


class Receipts:
    """What was sent on one connection and is not confirmed, in its order.

    With `echo-message` a line is delivered when it comes back. Otherwise a PING follows it, and the PONG confirms
    all lines before it. The rest counts as not sent: it may be posted twice, with the same id, but is never lost
    (LED-06).
    """

    def __init__(self) -> None:
        self._sent: list[_Sent] = []
        self._asked_for = 0  # how many of the first were sent before the PING
        self._token = ""
        self._count = 0
        self._asked = 0.0

    def sent(self, entry: OutboxEntry, now: float, *, echo: bool) -> None:
        """A line was written to the socket; only messages are tracked."""
        if entry.head:
            self._sent.append(_Sent(entry, now, echo))

    def receive(self, line: Line, fold: Callable[[str], str], *, mine: bool) -> DeliveryReport:
        """What a line says of those that were sent; `mine` if it is the bot's own."""
        if line.command == "PONG":
            return self._confirmed(line.param(-1))
        if mine and line.command in ("PRIVMSG", "NOTICE"):
            return DeliveryReport(out=self._echoed(fold(line.param(0)), line.param(1), fold))
        if line.command in _REFUSALS:
            return DeliveryReport(refused=self._first(fold(line.param(1)), fold))
        return DeliveryReport()

    def ask(self, now: float, *, more: bool) -> str | None:
        """The token of a PING to send now, if one is due; where `more` lines wait, only after many."""
        unconfirmed = sum(not sent.echo for sent in self._sent)
        if not unconfirmed or self._token or (more and unconfirmed < MANY):
            return None
        self._count += 1
        self._token, self._asked_for, self._asked = f"ircdice-{self._count}", len(self._sent), now
        return self._token

    def overdue(self, now: float) -> DeliveryReport:
        """What waited too long: without its echo a line is not delivered; without a PONG the server is trusted."""
        late = [sent for sent in self._sent if sent.echo and now - sent.at >= _OVERDUE]
        for sent in late:
            self._remove(sent)
        unanswered = self._confirmed(self._token) if self._token and now - self._asked >= _OVERDUE else DeliveryReport()
        return DeliveryReport(unanswered.out, _pieces(late))

    def finish(self, *, orderly: bool) -> DeliveryReport:
        """The connection is over; an `orderly` end means that the server has read all that came before our QUIT."""
        out = [sent for sent in self._sent if orderly and not sent.echo]
        lost = [sent for sent in self._sent if not orderly or sent.echo]
        self._sent = []
        return DeliveryReport(_pieces(out), _pieces(lost))

    @property
    def waiting(self) -> bool:
        """Whether a PING is unanswered."""
        return bool(self._token)

    def __len__(self) -> int:
        return len(self._sent)

    def _confirmed(self, token: str) -> DeliveryReport:
        if not token or token != self._token:
            return DeliveryReport()
        before, after = self._sent[: self._asked_for], self._sent[self._asked_for :]
        self._sent = [sent for sent in before if sent.echo] + after
        self._token, self._asked_for = "", 0
        return DeliveryReport(out=_pieces([sent for sent in before if not sent.echo]))

    def _echoed(self, target: str, text: str, fold: Callable[[str], str]) -> tuple[Piece, ...]:
        """The line that came back. A server may have removed colours: then it is the first to that target."""
        awaited = [sent for sent in self._sent if sent.echo and fold(sent.target) == target]
        found = next((sent for sent in awaited if sent.entry.text == text), next(iter(awaited), None))
        return self._taken(found)

    def _first(self, target: str, fold: Callable[[str], str]) -> tuple[Piece, ...]:
        return self._taken(next((sent for sent in self._sent if fold(sent.target) == target), None))

    def _taken(self, found: _Sent | None) -> tuple[Piece, ...]:
        if found is None:
            return ()
        self._remove(found)
        return found.entry.pieces

    def _remove(self, sent: _Sent) -> None:
        at = self._sent.index(sent)
        del self._sent[at]
        if at < self._asked_for:
            self._asked_for -= 1


def _pieces(sent: list[_Sent]) -> tuple[Piece, ...]:
    return tuple(piece for one in sent for piece in one.entry.pieces)


class Backlog:
    """What could not be sent, in order, until the bot is back where it belongs (IRC-23). The time is passed in."""

    def __init__(self) -> None:
        self._pieces: list[Piece] = []

    def put(self, pieces: Iterable[Piece]) -> int:
        """Keep these too; how many had to be dropped for them, first those without a record."""
        self._pieces += pieces
        over = max(len(self._pieces) - MOST_KEPT, 0)
        droppable = sorted(self._pieces, key=lambda piece: any(_recorded(piece.replies)))[:over]
        gone = set(map(id, droppable))
        self._pieces = [piece for piece in self._pieces if id(piece) not in gone]
        return over

    def take(self, wanted: Callable[[str], bool], now: float) -> tuple[Piece, ...]:
        """What to say now to the wanted targets: the ids of old rolls, then recent lines as they were."""
        mine: dict[str, list[Piece]] = {}
        for piece in self._pieces:
            if wanted(piece.target):
                mine.setdefault(piece.target, []).append(piece)
        self._pieces = [piece for piece in self._pieces if piece.target not in mine]
        return tuple(piece for pieces in mine.values() for piece in _to_say(pieces, now))

    def __len__(self) -> int:
        return len(self._pieces)


def _to_say(pieces: list[Piece], now: float) -> Iterator[Piece]:
    old = [piece for piece in pieces if now - piece.at >= FRESH]
    replies = [reply for piece in old for reply in _recorded(piece.replies)]
    for start in range(0, len(replies), _IDS_IN_LINE):
        some = replies[start : start + _IDS_IN_LINE]
        ids = ", ".join(_name(reply) for reply in some)
        rolls = "This roll was" if len(some) == 1 else "These rolls were"
        # True of all that is kept: unsent, refused, or sent into a connection that broke.
        text = f"{rolls} made earlier, and may not have been shown here: id {ids}"
        yield Piece(old[0].command, old[0].target, text, now, tuple(some))
    yield from (piece for piece in pieces if now - piece.at < FRESH)


def _recorded(replies: Iterable[Reply]) -> Iterator[Reply]:
    return (reply for reply in replies if reply.seq is not None)


def _name(reply: Reply) -> str:
    found = _ID.search(reply.text)
    return found[1] if found else str(reply.seq)
