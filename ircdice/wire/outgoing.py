"""Outgoing: replies from their wording until they are known to be delivered, across connections (IRC-20, IRC-23)."""

from __future__ import annotations

import logging
import re
import string
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from time import monotonic
from typing import NamedTuple

from ircdice.bot.message import Message, Reply
from ircdice.metrics import Metrics
from ircdice.settings import ChannelSettings, Settings
from ircdice.wire.connection import MOST_WITH_ASIDES, Connection, OutboxEntry, Piece
from ircdice.wire.protocol import Line, Note, Support, is_target, scrub

log = logging.getLogger(__name__)
MOST_LINES = 4
PRIVATE = "@"  # the one lane of all private lines: however many people ask, they have one turn
FRESH = 60.0  # seconds; an older roll is only named after a rejoin
MOST_KEPT = 2000  # pieces of one network; others stay undelivered in the ledger
MANY = 4  # lines that go unconfirmed while others wait: a PING costs as much as a line
ZERO_WIDTH = "\u200b"
SAFE = "to "  # put in front of what other bots would take for a command; it is no bot's command itself
# A bot's command begins with punctuation, or with a nick and a colon. Most bots strip a space in front, and another
# sign may be some bot's prefix too.
_TAKEN_FOR_COMMANDS = frozenset(string.punctuation) - frozenset("\"'(")
_MARKUP = frozenset("[#-")
_CUT = " ..."
_USER, _HOST = 10, 63  # the longest that servers give, until the bot has seen its own
_JOINER = "\N{ZERO WIDTH JOINER}"
_NAMES = re.compile(r"(\S+?)(?: vs (\S+?))?: ")
_VERDICT = re.compile(r"\A([^;]*?: )([^;]+)(;.*)")
_OVERDUE = 30.0  # seconds for a server that answers no PING, or does not echo what it promised
_CONFIRM = 0.1  # seconds after a line until the server is asked to confirm it
_LOOK = 1.0  # seconds between looks at an unanswered question
_IDS_IN_LINE = 20
_ID = re.compile(r"; id (\S+)$")
_ECHO = "echo-message"
_MESSAGE_TAGS = "message-tags"
_SAFE_ID = re.compile(r"[!-:<-\[\]-~]{1,200}")  # a tag's value that needs no escaping
_NO_SUCH_NICK = "401"
# No such target, no right to speak, blocked, registered only, refused by the other side.
_REFUSALS = frozenset({_NO_SUCH_NICK, "403", "404", "407", "408", "415", "477", "480", "486", "531", "716"})
_BAN_EXEMPTION = "e"  # by mask, which may be the bot's


def worded(reply: Reply, heard: Message | None, settings: ChannelSettings) -> tuple[str, str]:
    """PRIVMSG or NOTICE, and the text. Private words are notices, unless the talk is private already."""
    talking_to = heard.nick if heard and heard.channel is None else None
    notice = reply.target != talking_to if reply.private else settings.notice and talking_to is None
    text = scrub(reply.text)
    if settings.no_highlight and not reply.private:
        text = unhighlighted(text, heard.nick if heard else text.partition(":")[0].partition(" ")[0])
    if settings.colour and reply.seq is not None:
        text = _VERDICT.sub("\\1\x02\\2\x02\\3", text)
    return "NOTICE" if notice else "PRIVMSG", text


def guarded(text: str, *, private: bool = False) -> str:
    """`text` so that no other bot takes it for a command: a nick may begin with a backtick.

    A private line may begin with a tag or with Markdown, `[note]` or `- `, which is pasted as it is.
    """
    pasted = private and text[:1] in _MARKUP
    return SAFE + text if text[:1] in _TAKEN_FOR_COMMANDS and not pasted else text


def unhighlighted(text: str, nick: str) -> str:
    """Put a zero-width space into the nicks that a line names, so that no client highlights them."""
    named = _NAMES.match(text)
    names = {nick, *(named.groups("") if named else ())} - {""}
    for name in sorted(names, key=len, reverse=True):
        whole = rf"(?<![^\s\"]){re.escape(name)}(?![^\s:;,.\"])"
        text = re.sub(whole, lambda found: found[0][0] + ZERO_WIDTH + found[0][1:], text)
    return text


def room(command: str, target: str, *, nick: str, userhost: str = "", linelen: int = 512) -> int:
    """Bytes left for the text after the server has added `:nick!user@host ` and CR LF."""
    mask = len(nick.encode()) + 1 + (len(userhost.encode()) or _USER + 1 + _HOST)
    around = len(f": {command} {target} :\r\n".encode())
    # At least one character must fit, or splitting would never end.
    return max(linelen - mask - around, 16)


def split(text: str, size: int) -> tuple[str, ...]:
    """Cut `text` into at most four pieces of at most `size` bytes; ` ...` shows that the rest is left out."""
    pieces: list[str] = []
    while text and len(pieces) < MOST_LINES:
        if len(text.encode()) <= size:
            piece, text = text, ""
        elif len(pieces) == MOST_LINES - 1:
            piece, text = _cut(text, size - len(_CUT))[0] + _CUT, ""
        else:
            piece, text = _cut(text, size)
        pieces.append(piece)
    return tuple(pieces)


def _cut(text: str, size: int) -> tuple[str, str]:
    """Cut after a clause, after a list's comma, at a space, or else between characters.

    A space is the last choice of the three, so that `hunger` stays with its dice and `boon` with its 3.
    """
    reach = len(text.encode()[:size].decode(errors="ignore"))  # characters that fit
    for mark in ("; ", ", ", " "):
        at = text.rfind(mark, reach // 2, reach + 1)
        if at > 0:
            end = at + len(mark) - 1
            return text[:end].rstrip(), text[end:].lstrip()
    end = text.rfind(" ", 1, reach + 1)
    if end <= 0:  # in one word: separate no character from its accents and joiners
        end = reach
        while end > 1 and (unicodedata.combining(text[end]) or _JOINER in text[end - 1 : end + 1]):
            end -= 1
        end = end if end > 1 else max(reach, 1)
    return text[:end].rstrip(), text[end:].lstrip()


class DeliveryReport(NamedTuple):
    """What became of lines: delivered, or refused by the server."""

    out: tuple[Piece, ...] = ()
    refused: tuple[Piece, ...] = ()


class _Sent(NamedTuple):
    number: int
    entry: OutboxEntry
    target: str
    at: float
    echo: bool


class Receipts:
    """What was sent on one connection and is not confirmed, in its order. The time is passed in.

    With `echo-message` a line is delivered when it comes back. Otherwise a PING follows it, and the PONG confirms
    all lines before it. The rest counts as not sent: it may be posted twice, with the same id, but is never lost
    (LED-06).
    """

    def __init__(self) -> None:
        self._sent: list[_Sent] = []
        self._count = 0
        self._asked = 0  # the number of the last line before an unanswered PING; 0 if there is none
        self._asked_at = 0.0

    def sent(self, entry: OutboxEntry, now: float, *, echo: bool) -> bool:
        """A line was written to the socket; only messages are tracked. Whether many are unconfirmed."""
        if entry.head:
            self._count += 1
            self._sent.append(_Sent(self._count, entry, entry.head.split(" ")[1], now, echo))
        return len(self._sent) >= MANY

    def receive(self, line: Line, fold: Callable[[str], str], *, mine: bool) -> DeliveryReport:
        """What a line says of those that were sent; `mine` if it is the bot's own."""
        if line.command == "PONG" and self._asked and line.param(-1) == f"ircdice-{self._asked}":
            return self._confirmed()
        if mine and line.command in ("PRIVMSG", "NOTICE"):
            awaited = [sent for sent in self._sent if sent.echo and fold(sent.target) == fold(line.param(0))]
            # A server may have removed colours: then it is the first to that target.
            found = [sent for sent in awaited if sent.entry.text == line.param(1)] or awaited
            return DeliveryReport(out=self._taken(found[:1]))
        if line.command in _REFUSALS:
            found = [sent for sent in self._sent if fold(sent.target) == fold(line.param(1))]
            return DeliveryReport(refused=self._taken(found[:1]))
        return DeliveryReport()

    def ask(self, now: float, *, more: bool) -> str | None:
        """The token of a PING to send now, if one is due; where `more` lines wait, only after many."""
        unconfirmed = sum(not sent.echo for sent in self._sent)
        if not unconfirmed or self._asked or (more and unconfirmed < MANY):
            return None
        self._asked, self._asked_at = self._count, now
        return f"ircdice-{self._asked}"

    def overdue(self, now: float) -> DeliveryReport:
        """What waited too long: without its echo a line is not delivered; without a PONG the server is trusted."""
        late = self._taken([sent for sent in self._sent if sent.echo and now - sent.at >= _OVERDUE])
        trusted = self._confirmed().out if self._asked and now - self._asked_at >= _OVERDUE else ()
        return DeliveryReport(trusted, late)

    def finish(self, *, orderly: bool) -> DeliveryReport:
        """The connection is over; an `orderly` end means that the server has read all that came before our QUIT."""
        out = self._taken([sent for sent in self._sent if orderly and not sent.echo])
        return DeliveryReport(out, self._taken(self._sent))

    def __len__(self) -> int:
        return len(self._sent)

    def _confirmed(self) -> DeliveryReport:
        before, self._asked = self._asked, 0
        return DeliveryReport(out=self._taken([sent for sent in self._sent if sent.number <= before and not sent.echo]))

    def _taken(self, gone: list[_Sent]) -> tuple[Piece, ...]:
        numbers = {sent.number for sent in gone}
        self._sent = [sent for sent in self._sent if sent.number not in numbers]
        return tuple(piece for sent in gone for piece in sent.entry.pieces)


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

    `delivered` is called with each recorded reply that was delivered, or has no recipient any more, `drained`
    whenever a line was sent.
    """

    def __init__(
        self,
        network: str,
        settings: Settings,
        delivered: Callable[[Reply], None],
        note: Callable[[Note], None],
        metrics: Metrics,
        drained: Callable[[], None],
    ) -> None:
        self.settings = settings
        self._network, self._metrics = network, metrics
        self._delivered, self._note, self._drained = delivered, note, drained
        self._backlog = Backlog()
        self._support = Support()  # of the latest connection
        self._connection: Connection | None = None
        self._receipts = Receipts()
        self._timer = False

    def opened(self, connection: Connection) -> None:
        """Send through this connection from now on."""
        self._connection, self._receipts, self._support = connection, Receipts(), connection.session.support
        self._timer = False

    def closed(self, *, orderly: bool) -> None:
        """The connection is over: keep what is not confirmed."""
        connection, self._connection = self._connection, None
        self._report(self._receipts.finish(orderly=orderly))
        if connection is not None:
            self._keep(piece for entry in connection.outbox.take() for piece in entry.pieces)

    def aside(self, command: str, nick: str, text: str) -> None:
        """Tell one person something that is left out if too much waits."""
        connection, lane = self._connection, self.lane(nick)
        if connection is not None and is_target(nick) and connection.outbox.room(lane, most=MOST_WITH_ASIDES):
            connection.outbox.put(lane, OutboxEntry(text, f"{command} {nick} :"))
            connection.pump()

    def say(self, reply: Reply, heard: Message | None, age: float = 0.0) -> None:
        """Send a reply that came up `age` seconds ago, now or when the bot is back."""
        if not is_target(reply.target):
            self._note(Note("not sent", f"to {reply.target}, record {reply.seq}", level=logging.WARNING))
            return
        channel = None if reply.private or self.lane(reply.target) == PRIVATE else reply.target
        settings = self.settings.channel(self._network, channel, self._support.casemapping)
        command, text = worded(reply, heard, settings)
        same_place = heard is not None and reply.target == (heard.channel or heard.nick)
        msgid = heard.msgid if heard and same_place else ""
        piece = Piece(command, reply.target, text, monotonic() - age, (reply,), msgid)
        if self._can_reach(reply.target):
            self._send((piece,))
        else:
            self._keep((piece,))

    def heard(self, line: Line) -> None:
        """Take a line that the session has taken before: what it says of lines sent, and of where the bot is."""
        self._metrics.received.labels(self._network).inc()
        connection = self._connection
        if connection is None or (line.command == "PRIVMSG" and _ECHO not in connection.session.enabled):
            return  # somebody else's talk
        mine, target = connection.session.roster.is_me(line.nick), line.param(0)
        report = self._receipts.receive(line, self._support.fold, mine=mine)
        self._report(report, nobody=line.command == _NO_SUCH_NICK)
        match line.command:
            case "PONG":
                self._ask()
            case "001":
                self._resume(lambda other: self.lane(other) == PRIVATE)
            case "JOIN" | "MODE" if self._opens(connection, line, mine=mine) and self._can_reach(target):
                self._resume(lambda other: self._support.fold(other) == self._support.fold(target))
            case "PART" | "KICK" if not self._can_reach(target):
                lane = self._support.fold(target)
                self._keep(piece for entry in connection.outbox.take(lambda one: one == lane) for piece in entry.pieces)

    def sent(self, entry: OutboxEntry) -> None:
        """A line was written to the socket."""
        self._metrics.sent.labels(self._network).inc()
        self._drained()
        if self._connection is None or not entry.head:
            return
        if self._receipts.sent(entry, monotonic(), echo=_ECHO in self._connection.session.enabled):
            self._ask()
        if not self._timer:
            self._timer = True
            self._connection.after(_CONFIRM, self._look)

    @property
    def waiting(self) -> int:
        """Lines that are not known to be delivered."""
        queued = len(self._connection.outbox) if self._connection else 0
        return queued + len(self._receipts) + len(self._backlog)

    def _look(self) -> None:
        self._report(self._receipts.overdue(monotonic()))
        self._ask()
        self._timer = len(self._receipts) > 0
        if self._timer and self._connection is not None:
            self._connection.after(_LOOK, self._look)

    def _ask(self) -> None:
        """Send a PING, whose PONG confirms all lines before it."""
        if self._connection is not None and (
            token := self._receipts.ask(monotonic(), more=len(self._connection.outbox) > 0)
        ):
            self._connection.put(f"PING :{token}", urgent=True)

    def _report(self, report: DeliveryReport, *, nobody: bool = False) -> None:
        refused = report.refused
        if refused and nobody and self.lane(refused[0].target) == PRIVATE:
            # The next user of that nick must not read what was another's, not even after a restart.
            for reply in (reply for piece in refused for reply in piece.replies):
                gone = f"to {reply.target}, who is gone, record {reply.seq}"
                self._note(Note("not sent", gone, level=logging.WARNING))
                self._mark_delivered(reply)
        elif refused:
            kept = f"{len(refused)} to {refused[0].target}: kept until the bot may speak there"
            self._note(Note("not sent", kept, level=logging.WARNING))
            self._keep(refused)
        for reply in (reply for piece in report.out for reply in piece.replies):
            self._metrics.delivered.labels(self._network).inc()
            self._mark_delivered(reply)

    def _mark_delivered(self, reply: Reply) -> None:
        if reply.seq is None:
            return
        try:
            self._delivered(reply)
        except Exception:
            log.exception("record %s could not be marked as delivered", reply.seq)

    def _resume(self, wanted: Callable[[str], bool]) -> None:
        pieces = self._backlog.take(wanted, monotonic())
        if pieces:
            self._send(pieces)
            self._ask()  # at once: a bot that is killed again and again would repeat them at each start
            self._note(Note("resumed", f"{len(pieces)} lines that were not sent before", pieces[0].target))

    def _keep(self, pieces: Iterable[Piece]) -> None:
        if dropped := self._backlog.put(pieces):
            self._note(Note("not sent", f"{dropped} lines, too many waited", level=logging.WARNING))

    def lane(self, target: str) -> str:
        """The lane of the outbox in which lines to `target` wait: one for each channel."""
        return self._support.fold(target) if target[:1] in self._support.chantypes else PRIVATE

    def _can_reach(self, target: str) -> bool:
        """Whether the bot can send to `target` now."""
        if self._connection is None or not self._connection.ready:
            return False
        lane = self.lane(target)
        return lane == PRIVATE or lane in self._connection.session.roster.joined

    def _opens(self, connection: Connection, line: Line, *, mine: bool) -> bool:
        """Whether the bot may speak now where it could not: it joined, was given a rank, or a mode was removed."""
        if line.command == "JOIN":
            return mine
        ranks = self._support.ranks.values()
        changes = self._support.mode_changes(line.param(1), line.params[2:])
        return any(
            adding and connection.session.roster.is_me(argument)
            if mode in ranks
            else mode == _BAN_EXEMPTION or not adding
            for adding, mode, argument in changes
        )

    def _send(self, pieces: tuple[Piece, ...]) -> None:
        """Queue as many lines as each piece needs; the last of them confirms its replies."""
        connection = self._connection
        assert connection is not None
        roster, tagging = connection.session.roster, _MESSAGE_TAGS in connection.session.enabled
        for piece in pieces:
            command, target, lane = piece.command, piece.target, self.lane(piece.target)
            size = room(command, target, nick=roster.me, userhost=roster.userhost, linelen=self._support.linelen)
            tags = f"@+draft/reply={piece.msgid} " if tagging and _SAFE_ID.fullmatch(piece.msgid) else ""  # IRC-27
            texts = split(piece.text, size - len(SAFE)) or ("",)
            for number, text in enumerate(texts, 1):
                replies = piece.replies if number == len(texts) else ()
                part, safe = piece._replace(text=text, replies=replies), guarded(text, private=lane == PRIVATE)
                connection.outbox.put(lane, OutboxEntry(safe, f"{command} {target} :", size, (part,), tags))
        if not any(reply.joins for reply in pieces[-1].replies):
            connection.pump()
