"""Outgoing: replies from their wording until they are known to be delivered, across connections (IRC-20, IRC-23)."""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Callable, Iterable, Iterator

from ircdice.bot.message import Message, Reply
from ircdice.metrics import Metrics
from ircdice.settings import Settings
from ircdice.wire import wording
from ircdice.wire.connection import Link
from ircdice.wire.effects import Note
from ircdice.wire.isupport import Support
from ircdice.wire.line import Line
from ircdice.wire.outbox import MANY, PRIVATE, Backlog, DeliveryReport, OutboxEntry, Piece, Receipts
from ircdice.wire.session import Session

log = logging.getLogger(__name__)
_CONFIRM = 0.1  # seconds after a line until the server is asked to confirm it
_LOOK = 1.0  # seconds between looks at an unanswered question
_ECHO = "echo-message"
_MESSAGE_TAGS = "message-tags"
_SAFE_ID = re.compile(r"[!-:<-\[\]-~]{1,200}")  # a tag's value that needs no escaping
_NO_SUCH_NICK = "401"
_BAN_EXEMPTION = "e"  # by mask, which may be the bot's

Delivered = Callable[[Reply], None]


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
