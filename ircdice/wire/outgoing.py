"""Outgoing: replies from their wording until they are known to be delivered, across connections (IRC-20, IRC-23)."""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from ircdice.bot.message import Message, Reply
from ircdice.metrics import Metrics
from ircdice.settings import Settings
from ircdice.wire import wording
from ircdice.wire.effects import Note
from ircdice.wire.isupport import Support
from ircdice.wire.line import Line
from ircdice.wire.link import Link
from ircdice.wire.outbox import PRIVATE, OutboxEntry, Piece
from ircdice.wire.session import Session

log = logging.getLogger(__name__)
FRESH = 60.0  # seconds; an older roll is only named after a rejoin
MOST_KEPT = 2000  # pieces of one network; others stay undelivered in the ledger
MANY = 4  # lines that go unconfirmed while others wait: a PING costs as much as a line
_CONFIRM = 0.1  # seconds after a line until the server is asked to confirm it
_LOOK = 1.0  # seconds between looks at an unanswered question
_OVERDUE = 30.0  # seconds for a server that answers no PING, or does not echo what it promised
_IDS_IN_LINE = 20
_ID = re.compile(r"; id (\S+)$")
_ECHO = "echo-message"
_MESSAGE_TAGS = "message-tags"
_SAFE_ID = re.compile(r"[!-:<-\[\]-~]{1,200}")  # a tag's value that needs no escaping
_NO_SUCH_NICK = "401"
_BAN_EXEMPTION = "e"  # by mask, which may be the bot's
# No such target, no right to speak, blocked, registered only, refused by the other side.
_REFUSALS = frozenset({"401", "403", "404", "407", "408", "415", "477", "480", "486", "531", "716"})

Delivered = Callable[[Reply], None]


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


class Outgoing:
    """Sends replies, tracks each until it is delivered, and keeps the others until the bot is back.

    `delivered` is called with each recorded reply that was delivered, or has no recipient any more.
    """

    def __init__(
        self,
        network: str,
        settings: Settings,
        delivered: Delivered,
        note: Callable[[Note], None],
        metrics: Metrics,
    ) -> None:
        self.settings = settings
        self._network, self._delivered, self._note, self._metrics = network, delivered, note, metrics
        self._backlog = Backlog()
        self._support = Support()  # of the latest connection
        self._link: Link | None = None
        self._receipts = Receipts()
        self._timer = False

    def opened(self, link: Link) -> None:
        """Send through this connection from now on."""
        self._link, self._receipts, self._support = link, Receipts(), link.session.support
        self._timer = False

    def closed(self, *, orderly: bool) -> None:
        """The connection is over: keep what is not confirmed."""
        link, self._link = self._link, None
        self._report(self._receipts.finish(orderly=orderly))
        if link is not None:
            self._keep(piece for entry in link.outbox.take() for piece in entry.pieces)

    def lane(self, target: str) -> str:
        """The lane of the outbox in which lines to `target` wait."""
        return self._support.fold(target) if self._is_channel(target) else PRIVATE

    def say(self, reply: Reply, heard: Message | None, age: float = 0.0) -> None:
        """Send a reply that came up `age` seconds ago, now or when the bot is back."""
        if not wording.is_target(reply.target):
            self._note(Note("not sent", f"to {reply.target}, record {reply.seq}", level=logging.WARNING))
            return
        channel = None if reply.private or not self._is_channel(reply.target) else reply.target
        settings = self.settings.channel(self._network, channel, self._support.casemapping)
        command, text = wording.command(reply, heard, settings), wording.wording(reply, heard, settings)
        same_place = heard is not None and reply.target == (heard.channel or heard.nick)
        msgid = heard.msgid if heard and same_place else ""
        piece = Piece(command, reply.target, text, _now() - age, (reply,), msgid)
        if self._link is not None and self._can_reach(reply.target):
            self._send(self._link, piece)
        else:
            self._keep((piece,))

    def heard(self, line: Line) -> None:
        """Take a line that the session has taken before: what it says of lines sent, and of where the bot is."""
        link = self._link
        if link is None or (line.command == "PRIVMSG" and _ECHO not in link.session.caps.enabled):
            return  # somebody else's talk
        mine = bool(line.source) and link.session.is_me(line.nick)
        report = self._receipts.receive(line, self._support.fold, mine=mine)
        self._report(report, nobody=line.command == _NO_SUCH_NICK)
        if line.command == "PONG":
            self._ask()
        match line.command:
            case "001":
                self._resume(lambda target: not self._is_channel(target))
            case "JOIN" | "MODE" if self._opens(link, line, mine=mine) and self._can_reach(line.param(0)):
                self._resume(lambda target: self._support.fold(target) == self._support.fold(line.param(0)))
            case "PART" | "KICK" if not self._can_reach(line.param(0)):
                lane = self._support.fold(line.param(0))
                self._keep(piece for entry in link.outbox.take(lambda one: one == lane) for piece in entry.pieces)

    def sent(self, entry: OutboxEntry) -> None:
        """A line was written to the socket."""
        self._metrics.sent.labels(self._network).inc()
        if self._link is None or not entry.head:
            return
        self._receipts.sent(entry, _now(), echo=_ECHO in self._link.session.caps.enabled)
        if len(self._receipts) >= MANY:
            self._ask()
        self._ask_later()

    @property
    def waiting(self) -> int:
        """Lines that are not known to be delivered."""
        queued = len(self._link.outbox) if self._link else 0
        return queued + len(self._receipts) + len(self._backlog)

    def _ask_later(self) -> None:
        if not self._timer and self._link is not None:
            self._timer = True
            self._link.after(_LOOK if self._receipts.waiting else _CONFIRM, self._look)

    def _look(self) -> None:
        self._timer = False
        self._report(self._receipts.overdue(_now()))
        self._ask()
        if len(self._receipts):
            self._ask_later()

    def _ask(self) -> None:
        """Send a PING, whose PONG confirms all lines before it."""
        if self._link is not None and (token := self._receipts.ask(_now(), more=len(self._link.outbox) > 0)):
            self._link.urgent(f"PING :{token}")

    def _report(self, report: DeliveryReport, *, nobody: bool = False) -> None:
        if report.refused and nobody and not self._is_channel(report.refused[0].target):
            self._abandon(report.refused)
        elif report.refused:
            kept = f"{len(report.refused)} to {report.refused[0].target}: kept until the bot may speak there"
            self._note(Note("not sent", kept, level=logging.WARNING))
            self._keep(report.refused)
        for reply in (reply for piece in report.out for reply in piece.replies):
            self._metrics.delivered.labels(self._network).inc()
            self._mark_delivered(reply)

    def _abandon(self, pieces: Iterable[Piece]) -> None:
        """Nobody has the nick: the next user of it must not read what was another's, not even after a restart."""
        for reply in (reply for piece in pieces for reply in piece.replies):
            self._note(Note("not sent", f"to {reply.target}, who is gone, record {reply.seq}", level=logging.WARNING))
            self._mark_delivered(reply)

    def _mark_delivered(self, reply: Reply) -> None:
        if reply.seq is None:
            return
        try:
            self._delivered(reply)
        except Exception:
            log.exception("record %s could not be marked as delivered", reply.seq)

    def _resume(self, wanted: Callable[[str], bool]) -> None:
        pieces = self._backlog.take(wanted, _now())
        if pieces and self._link is not None:
            self._send(self._link, *pieces)
            self._ask()  # at once: a bot that is killed again and again would repeat them at each start
            self._note(Note("resumed", f"{len(pieces)} lines that were not sent before", pieces[0].target))

    def _keep(self, pieces: Iterable[Piece]) -> None:
        if dropped := self._backlog.put(pieces):
            self._note(Note("not sent", f"{dropped} lines, too many waited", level=logging.WARNING))

    def _is_channel(self, target: str) -> bool:
        return target[:1] in self._support.chantypes

    def _can_reach(self, target: str) -> bool:
        """Whether the bot can send to `target` now."""
        link = self._link
        if link is None or not link.ready:
            return False
        return not self._is_channel(target) or self._support.fold(target) in link.session.roster.joined

    def _opens(self, link: Link, line: Line, *, mine: bool) -> bool:
        """Whether the bot may speak now where it could not: it joined, was given a rank, or a mode was removed."""
        if line.command == "JOIN":
            return mine
        ranks = self._support.ranks.values()
        changes = self._support.mode_changes(line.param(1), line.params[2:])
        return any(
            adding and link.session.is_me(argument) if mode in ranks else mode == _BAN_EXEMPTION or not adding
            for adding, mode, argument in changes
        )

    def _send(self, link: Link, *pieces: Piece) -> None:
        for piece in pieces:
            for entry in _entries(piece, link.session):
                link.outbox.put(self.lane(piece.target), entry)
        if not pieces[-1].joins:
            link.pump()


def _now() -> float:
    return asyncio.get_running_loop().time()


def _entries(piece: Piece, session: Session) -> Iterator[OutboxEntry]:
    """As many lines as it needs; the last of them confirms its replies."""
    command, target, linelen = piece.command, piece.target, session.support.linelen
    size = wording.room(command, target, nick=session.me, userhost=session.userhost, linelen=linelen)
    private = target[:1] not in session.support.chantypes
    tagged = _MESSAGE_TAGS in session.caps.enabled and _SAFE_ID.fullmatch(piece.msgid)
    tags = f"@+draft/reply={piece.msgid} " if tagged else ""  # IRC-27
    texts = wording.split(piece.text, size - len(wording.SAFE)) or ("",)
    for number, text in enumerate(texts, 1):
        last = number == len(texts)
        part = piece if text == piece.text else piece._replace(text=text, replies=piece.replies if last else ())
        yield OutboxEntry(wording.guarded(text, private=private), f"{command} {target} :", size, (part,), tags)
