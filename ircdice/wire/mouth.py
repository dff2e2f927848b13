"""Mouth: what one network is to be told, through whichever connection there is (IRC-23). Knows no rules."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable, Iterator

from ircdice.bot.message import Message, Reply
from ircdice.settings import Settings
from ircdice.wire import speech
from ircdice.wire.backlog import Backlog
from ircdice.wire.counters import NetworkMetrics
from ircdice.wire.effects import Note
from ircdice.wire.entry import OutboxEntry, Piece
from ircdice.wire.isupport import Support
from ircdice.wire.line import Line
from ircdice.wire.link import Link
from ircdice.wire.receipts import DeliveryReport, Receipts
from ircdice.wire.session import Session
from ircdice.wire.split import room, split

log = logging.getLogger(__name__)
_NO_SUCH_NICK = "401"
_ECHO = "echo-message"
_EXEMPTS = "e"  # by mask, which may be the bot's
_FENCE_AFTER = 0.02  # seconds: what is said together stands before the same PING
_FENCED_EVERY = 0.1  # and what is said soon after, before the next, unless that is much: each costs as much as a line

Delivered = Callable[[Reply], None]


class Mouth:
    """Says replies, follows each until it is known to be out, and keeps what was not until the bot is back.

    `delivered` is told of each recorded reply that is out, or for nobody; `note` takes what is for the log.
    """

    def __init__(
        self,
        network: str,
        settings: Settings,
        delivered: Delivered,
        note: Callable[[Note], None],
        counters: NetworkMetrics,
    ) -> None:
        self.settings = settings
        self._network, self._delivered, self._note, self._counters = network, delivered, note, counters
        self._backlog = Backlog()
        self._support = Support()  # of the latest connection
        self._link: Link | None = None
        self._receipts = Receipts()
        self._watching = False
        self._asked = 0.0  # when it was looked for the last time what is out

    def opened(self, link: Link) -> None:
        """A connection is being made; it is spoken through from now on."""
        self._link, self._receipts, self._support = link, Receipts(), link.session.support
        self._watching = False
        # However many people ask in private, together they have one turn beside each channel's.
        link.outbox.shares = lambda lane: bool(lane) and not self._is_channel(lane)

    def closed(self, *, orderly: bool) -> None:
        """The connection is over: what it has not sent for certain is kept."""
        link, self._link = self._link, None
        self._told(self._receipts.finish(orderly=orderly))
        if link is not None:
            self._keep(piece for entry in link.outbox.take() for piece in entry.pieces)

    def say(self, reply: Reply, heard: Message | None, age: float = 0.0) -> None:
        """Say a reply that came up `age` seconds ago in its place's turn, or when the bot is there again."""
        if not speech.is_target(reply.target):
            self._note(Note("not sent", f"to {reply.target}, record {reply.seq}", level=logging.WARNING))
            return
        channel = None if reply.private or not self._is_channel(reply.target) else reply.target
        settings = self.settings.channel(self._network, channel, self._support.casemapping)
        command, text = speech.command(reply, heard, settings), speech.wording(reply, heard, settings)
        piece = Piece(command, reply.target, text, asyncio.get_running_loop().time() - age, (reply,))
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
        self._told(self._receipts.receive(line, self._support.fold, mine=mine), nobody=line.command == _NO_SUCH_NICK)
        self._ask_about_many(link)
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
        self._counters.sent.add(self._network)
        link = self._link
        if link is None or not entry.head:
            return
        echo = _ECHO in link.session.caps.enabled
        self._receipts.sent(entry, asyncio.get_running_loop().time(), echo=echo)
        self._ask_about_many(link)
        self._watch(link)

    @property
    def waiting(self) -> int:
        """Lines that are not known to be out."""
        queued = len(self._link.outbox) if self._link else 0
        return queued + len(self._receipts) + len(self._backlog)

    def _watch(self, link: Link) -> None:
        if not self._watching:
            self._watching = True
            since = asyncio.get_running_loop().time() - self._asked
            link.after(max(_FENCE_AFTER, _FENCED_EVERY - since), self._ask)

    def _ask(self) -> None:
        """Ask the server how far it is, and look who has waited too long."""
        link, now = self._link, asyncio.get_running_loop().time()
        self._watching, self._asked = False, now
        if link is None:
            return
        self._told(self._receipts.overdue(now))
        self._fence(link)
        if len(self._receipts):
            self._watch(link)

    def _ask_about_many(self, link: Link) -> None:
        """A bot that is killed in the middle of a burst says only its last few lines again (LED-06)."""
        if self._receipts.many(pressed=link.outbox.pressed):
            self._asked = asyncio.get_running_loop().time()
            self._fence(link)

    def _fence(self, link: Link) -> None:
        now = asyncio.get_running_loop().time()
        if token := self._receipts.fence(now, pressed=link.outbox.pressed):
            link.urgent(f"PING :{token}")

    def _told(self, told: DeliveryReport, *, nobody: bool = False) -> None:
        if told.refused and nobody and not self._is_channel(told.refused[0].target):
            self._abandon(told.refused)
        elif told.refused:
            kept = f"{len(told.refused)} to {told.refused[0].target}: kept until the bot is there again"
            self._note(Note("not sent", kept, level=logging.WARNING))
            self._keep(told.refused)
        for reply in (reply for piece in told.out for reply in piece.replies):
            self._counters.told.add(self._network)
            if reply.seq is not None:
                self._tell(reply)

    def _abandon(self, pieces: Iterable[Piece]) -> None:
        """Nobody bears the nick: whoever has it later, after a restart too, is not to be told what was another's."""
        for reply in (reply for piece in pieces for reply in piece.replies):
            self._note(Note("not sent", f"to {reply.target}, who is gone, record {reply.seq}", level=logging.WARNING))
            if reply.seq is not None:
                self._tell(reply)

    def _tell(self, reply: Reply) -> None:
        try:
            self._delivered(reply)
        except Exception:  # the line is out, whatever becomes of the note that it is
            log.exception("record %s could not be marked as delivered", reply.seq)

    def _resume(self, wanted: Callable[[str], bool]) -> None:
        pieces = self._backlog.take(wanted, asyncio.get_running_loop().time())
        if pieces and self._link is not None:
            self._send(self._link, *pieces)
            self._fence(self._link)  # at once: a bot that is killed again and again would say them at each start
            self._note(Note("resumed", f"{len(pieces)} lines that were not sent before", pieces[0].target))

    def _keep(self, pieces: Iterable[Piece]) -> None:
        if dropped := self._backlog.put(pieces):
            self._note(Note("not sent", f"{dropped} lines, too many waited", level=logging.WARNING))

    def _is_channel(self, target: str) -> bool:
        return target[:1] in self._support.chantypes

    def _can_reach(self, target: str) -> bool:
        """Whether the bot is where it could say something to `target` now."""
        link = self._link
        if link is None or not link.standing:
            return False
        return not self._is_channel(target) or self._support.fold(target) in link.session.roster.joined

    def _opens(self, link: Link, line: Line, *, mine: bool) -> bool:
        """Whether the bot may speak now where it could not: it came in, was given a rank, or a MODE was taken off.

        That others come in or are ranked changes nothing for it.
        """
        if line.command == "JOIN":
            return mine
        ranks = self._support.ranks.values()
        changes = self._support.mode_changes(line.param(1), line.params[2:])
        return any(
            adding and link.session.is_me(argument) if mode in ranks else mode == _EXEMPTS or not adding
            for adding, mode, argument in changes
        )

    def _send(self, link: Link, *pieces: Piece) -> None:
        for piece in pieces:
            lane = self._support.fold(piece.target)
            for entry in _entries(piece, link.session):
                link.outbox.put(lane, entry)
        link.pump()


def _entries(piece: Piece, session: Session) -> Iterator[OutboxEntry]:
    """As many lines as it needs; the last of them tells its replies."""
    command, target, linelen = piece.command, piece.target, session.support.linelen
    size = room(command, target, nick=session.me, userhost=session.userhost, linelen=linelen)
    private = target[:1] not in session.support.chantypes
    texts = split(piece.text, size - len(speech.SAFE)) or ("",)
    for number, text in enumerate(texts, 1):
        last = number == len(texts)
        part = piece if text == piece.text else piece._replace(text=text, replies=piece.replies if last else ())
        yield OutboxEntry(speech.guarded(text, private=private), f"{command} {target} :", size, (part,))
