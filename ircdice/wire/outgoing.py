"""Outgoing lines: their wording, the queue, delivery, and lines kept for later (IRC-20, IRC-22, IRC-23)."""

from __future__ import annotations

import logging
import math
import re
import string
import unicodedata
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from ircdice.bot.message import Message, Reply
from ircdice.settings import ChannelSettings
from ircdice.wire.protocol import PRIVATE, Line, Note, Support, scrub
from ircdice.wire.rate_limit import Bucket

MOST = 1000  # waiting lines; past it no command is started
MOST_IN_LANE = 200  # leaves room for other channels when one is busy
MOST_WITH_ASIDES = 80  # waiting lines; past it warnings and CTCP answers are left out
MOST_URGENT = 50  # bounds memory in a flood of PINGs: only the latest are answered
JOINED_PAST = 20  # waiting in one lane; past it, consecutive replies share a line
BETWEEN = " | "  # between joined replies; no reply contains it, and no bot takes it for a command
MOST_LINES = 4
FRESH = 60.0  # seconds; after a rejoin, older rolls are only listed by id
MOST_KEPT = 2000  # lines of one network; the rest stays undelivered in the ledger
MANY = 4  # unconfirmed lines allowed while others wait: a PING costs as much as a line
ZERO_WIDTH = "\u200b"
SAFE = "to "  # put before a text that other bots would take for a command
# A bot's command begins with punctuation, or with a nick and a colon. Most bots strip leading spaces, and other
# symbols may be some bot's prefix too.
_TAKEN_FOR_COMMANDS = frozenset(string.punctuation) - frozenset("\"'(")
_MARKUP = frozenset("[#-")
_CUT = " ..."
_USER, _HOST = 10, 63  # the longest possible, until the bot has seen its own
_JOINER = "\N{ZERO WIDTH JOINER}"
_NAMES = re.compile(r"(\S+?)(?: vs (\S+?))?: ")
_VERDICT = re.compile(r"\A([^;]*?: )([^;]+)(;.*)")
_OVERDUE = 30.0  # seconds for a server to answer a PING, or to echo a line
_IDS_IN_LINE = 20
_SAFE_ID = re.compile(r"[!-:<-\[\]-~]{1,200}")  # a tag's value that needs no escaping
_ID = re.compile(r"; id (\S+)$")
_NO_SUCH_NICK = "401"
# No such target, no right to speak, blocked, registered only, refused by the other side.
_REFUSALS = frozenset({_NO_SUCH_NICK, "403", "404", "407", "408", "415", "477", "480", "486", "531", "716"})


def worded(reply: Reply, heard: Message | None, settings: ChannelSettings) -> tuple[str, str]:
    """PRIVMSG or NOTICE, and the text. Private replies are notices, unless the command came in private."""
    talking_to = heard.nick if heard and heard.channel is None else None
    notice = reply.target != talking_to if reply.private else settings.notice and talking_to is None
    text = scrub(reply.text)
    if settings.no_highlight and not reply.private:
        text = unhighlighted(text, heard.nick if heard else text.partition(":")[0].partition(" ")[0])
    if settings.colour and reply.seq is not None:
        text = _VERDICT.sub("\\1\x02\\2\x02\\3", text)
    return "NOTICE" if notice else "PRIVMSG", text


def guarded(text: str, *, private: bool = False) -> str:
    """Change `text` so that no other bot takes it for a command: a nick may begin with a backtick.

    A private line may keep a leading `[note]` or `- `: tags and Markdown are there to be pasted.
    """
    pasted = private and text[:1] in _MARKUP
    return SAFE + text if text[:1] in _TAKEN_FOR_COMMANDS and not pasted else text


def unhighlighted(text: str, nick: str) -> str:
    """Put a zero-width space into the nicks in a line, so that clients do not highlight them."""
    named = _NAMES.match(text)
    names = {nick, *(named.groups("") if named else ())} - {""}
    for name in sorted(names, key=len, reverse=True):
        whole = rf"(?<![^\s\"]){re.escape(name)}(?![^\s:;,.\"])"
        text = re.sub(whole, lambda match: match[0][0] + ZERO_WIDTH + match[0][1:], text)
    return text


def room(command: str, target: str, *, nick: str, userhost: str = "", linelen: int = 512) -> int:
    """Bytes left for the text after the server has added `:nick!user@host ` and CR LF."""
    mask = len(nick.encode()) + 1 + (len(userhost.encode()) or _USER + 1 + _HOST)
    around = len(f": {command} {target} :\r\n".encode())
    # At least one character must fit, otherwise splitting would never end.
    return max(linelen - mask - around, 16)


def split(text: str, size: int) -> tuple[str, ...]:
    """Cut `text` into at most four pieces of at most `size` bytes; ` ...` marks a truncated text."""
    pieces: list[str] = []
    while len(text.encode()) > size and len(pieces) < MOST_LINES - 1:
        piece, text = _cut(text, size)
        pieces.append(piece)
    if len(text.encode()) > size:
        text = _cut(text, size - len(_CUT))[0] + _CUT
    return (*pieces, text) if text else tuple(pieces)


def _cut(text: str, size: int) -> tuple[str, str]:
    """Cut after a clause, after a list's comma, at a space, or else between characters.

    Spaces come last, so that `hunger` stays with its dice and `boon` with its 3.
    """
    reach = len(text.encode()[:size].decode(errors="ignore"))  # characters that fit
    for mark, least in (("; ", reach // 2), (", ", reach // 2), (" ", 1)):
        at = text.rfind(mark, least, reach + 1)
        if at > 0:
            end = at + len(mark) - 1
            return text[:end].rstrip(), text[end:].lstrip()
    end = reach  # within a word: keep characters with their accents and joiners
    while end > 1 and (unicodedata.combining(text[end]) or _JOINER in text[end - 1 : end + 1]):
        end -= 1
    end = end if end > 1 else max(reach, 1)
    return text[:end], text[end:]


class Entry(NamedTuple):
    """One line to send: a message to `target`, or a line of the protocol, which has no target."""

    text: str
    target: str = ""
    command: str = ""  # PRIVMSG or NOTICE
    at: float = 0.0  # when the reply was made, in seconds of a monotonic clock
    replies: tuple[Reply, ...] = ()  # delivered once this is sent; empty if more of the same reply follows
    msgid: str = ""  # id of the command that this answers (IRC-27)
    room: int = 0  # bytes for the text; 0 for lines that are neither joined nor kept
    label: str = ""  # comes back with what the server answers to this line (IRC-03)

    @property
    def line(self) -> str:
        """The line as it is sent, without its end."""
        tags = {"label": self.label, "+draft/reply": self.msgid}
        tagged = ";".join(f"{key}={value}" for key, value in tags.items() if value)
        message = f"{self.command} {self.target} :{self.text}" if self.target else self.text
        return f"@{tagged} {message}" if tagged else message

    @property
    def joins(self) -> bool:
        """Whether this entry may share a line with the next (GEN-17)."""
        return bool(self.replies) and self.replies[-1].joins

    @property
    def recorded(self) -> list[Reply]:
        """The replies that are in the ledger."""
        return [reply for reply in self.replies if reply.seq is not None]

    def joined(self, other: Entry) -> Entry | None:
        """Both in one line (IRC-22); None if they differ in kind, are not replies, or do not fit."""
        text = f"{self.text}{BETWEEN}{other.text}"
        alike = (self.command, self.target) == (other.command, other.target)
        if not alike or not other.room or len(text.encode()) > self.room:
            return None
        return self._replace(text=text, replies=self.replies + other.replies, msgid=self.msgid if self.joins else "")


def pieces(entry: Entry, support: Support, *, nick: str, userhost: str, tags: bool) -> Iterator[Entry]:
    """A reply in as many lines as it needs (IRC-20), the last of which confirms it.

    `nick` and `userhost` are the bot's; `tags` is whether the server accepts tags.
    """
    private = support.lane(entry.target) == PRIVATE
    size = room(entry.command, entry.target, nick=nick, userhost=userhost, linelen=support.linelen)
    msgid = entry.msgid if tags and _SAFE_ID.fullmatch(entry.msgid) else ""  # IRC-27
    texts = split(entry.text, size - len(SAFE)) or ("",)
    for number, text in enumerate(texts, 1):
        replies = entry.replies if number == len(texts) else ()
        yield entry._replace(text=guarded(text, private=private), replies=replies, msgid=msgid, room=size)


class Settled(NamedTuple):
    """Replies that need not be sent again: they are `delivered`, or their addressee is gone."""

    replies: tuple[Reply, ...]
    delivered: bool = True


class _Sent(NamedTuple):
    entry: Entry
    at: float
    echo: bool


class Outbox:
    """A network's outgoing lines: kept until the bot can speak there, then waiting, then sent but unconfirmed.

    One bucket limits a connection, the lanes (one for each channel) take turns, and urgent lines go first. With
    `echo-message`, a line is delivered when it is echoed. Otherwise the ACK of its label confirms it, or a PING
    follows, whose PONG confirms all lines before it. At the end of a connection the rest counts as unsent: a line may
    be posted twice, with the same id, but is never lost (LED-06). Recorded replies must be sent, so check `room` before
    a roll. `report` is called with what becomes of replies. The time is passed in.
    """

    def __init__(self, report: Callable[[Settled | Note], None], support: Support) -> None:
        self._report = report
        self.begin(support, 1, 0.0)
        self.most = 0  # waiting lines; past it no command is started
        self._urgent: deque[str] = deque(maxlen=MOST_URGENT)
        self._lanes: dict[str, deque[Entry]] = {}  # in the order of their turns
        self._sent: dict[int, _Sent] = {}  # numbered from 1
        self._count = 0
        self._asked = 0  # the number of the last line before an unanswered PING; 0 if there is none
        self._asked_at = 0.0
        self._kept: list[Entry] = []

    def begin(self, support: Support, burst: int, interval: float) -> None:
        """Begin a connection: take commands again, with a full bucket."""
        self.support, self.most, self.bucket = support, MOST, Bucket(burst, interval)

    def room(self, target: str, coming: int = 0) -> bool:
        """Whether there is room for one more answer to `target`, in addition to `coming` expected ones (IRC-22)."""
        lane = self._lanes.get(self.support.lane(target), ())
        return len(self) + coming < self.most and len(lane) < MOST_IN_LANE

    def put(self, entry: Entry, most: float = math.inf) -> None:
        """Queue a line, or drop it if `most` wait."""
        if len(self) < most:
            self._lanes.setdefault(self.support.lane(entry.target), deque()).append(entry)

    def urgent(self, line: str) -> None:
        """Queue a line ahead of all others: a PONG, or QUIT. It is not rate limited; later lines wait for it."""
        self._urgent.append(line)

    def next(self, now: float, *, echo: bool = False, labels: bool = False) -> Entry | None:
        """The next line, if one may be sent now; `echo` if the server will echo it, `labels` if it takes labels."""
        if self._urgent:
            self.bucket.force(now)
            return Entry(self._urgent.popleft())
        if not self._lanes or not self.bucket.take(now):
            return None
        lane = next(iter(self._lanes))
        queue = self._lanes.pop(lane)
        many, entry = len(queue) > JOINED_PAST, queue.popleft()
        while queue and (many or entry.joins) and (both := entry.joined(queue[0])):
            entry = both
            queue.popleft()
        if queue:
            self._lanes[lane] = queue  # to the end: the other lanes come next
        if entry.target:
            self._count += 1
            entry = entry._replace(label=str(self._count) if labels else "")
            self._sent[self._count] = _Sent(entry, now, echo)
        return entry

    def __len__(self) -> int:
        """The number of lines that wait for their turn."""
        return len(self._urgent) + sum(map(len, self._lanes.values()))

    @property
    def undelivered(self) -> int:
        """The number of lines not known to be delivered."""
        return len(self) + self.unconfirmed + len(self._kept)

    @property
    def unconfirmed(self) -> int:
        """The number of replies that were sent and are not yet confirmed."""
        return len(self._sent)

    def ask(self, now: float) -> str | None:
        """The token of a PING if one is due to confirm lines; while others wait, once many are unconfirmed."""
        if self._asked:
            return None
        unconfirmed = sum(not sent.echo for sent in self._sent.values())
        if not unconfirmed or (len(self) and unconfirmed < MANY):
            return None
        self._asked, self._asked_at = self._count, now
        return f"ircdice-{self._asked}"

    def receive(self, line: Line, *, mine: bool) -> None:
        """Handle a line from the server that may confirm or refuse others; `mine` if it is the bot's own message."""
        label = line.tags.get("label")
        labelled = [number for number, sent in self._sent.items() if label and sent.entry.label == label]
        if line.command == "PONG" and self._asked and line.param(-1) == f"ircdice-{self._asked}":
            self._confirm()
        elif line.command == "ACK":  # to a labelled line without another answer
            self._delivered(self._taken(number for number in labelled if not self._sent[number].echo))
        elif mine and line.command in ("PRIVMSG", "NOTICE"):
            awaited = [number for number in self._to(line.param(0)) if self._sent[number].echo]
            # A server may strip formatting: then take the first line to that target.
            same = [number for number in awaited if self._sent[number].entry.text == line.param(1)] or awaited
            self._delivered(self._taken(labelled or same[:1]))
        elif line.command in _REFUSALS:
            refused = self._taken(labelled or self._to(line.param(1))[:1])
            if refused and line.command == _NO_SUCH_NICK and self.support.lane(refused[0].target) == PRIVATE:
                # The next user of that nick must never read another's message, not even after a restart.
                self._report(Note("not sent", f"to {refused[0].target}, who is gone", level=logging.WARNING))
                self._report(Settled(refused[0].replies, delivered=False))
            else:
                self._refused(refused)

    def overdue(self, now: float) -> None:
        """Settle overdue lines: unsent if the echo is missing, delivered if only the PONG is."""
        if self._asked and now - self._asked_at >= _OVERDUE:
            self._confirm()
        self._refused(self._taken(n for n, sent in self._sent.items() if sent.echo and now - sent.at >= _OVERDUE))

    def finish(self, *, orderly: bool) -> None:
        """The connection is over; `orderly` means that the server has read everything before our QUIT."""
        read = self._taken(number for number, sent in self._sent.items() if orderly and not sent.echo)
        self._refused(self._taken(self._sent))
        for lane in list(self._lanes):
            self.hold(lane)
        self._urgent.clear()
        self._count = self._asked = self.most = 0
        self._delivered(read)

    def keep(self, entries: Iterable[Entry]) -> None:
        """Keep replies until `resume`; too many lose the oldest, but first those without a record (IRC-23)."""
        self._kept += entries
        dropped = max(len(self._kept) - MOST_KEPT, 0)
        for entry in sorted(self._kept, key=lambda entry: bool(entry.recorded))[:dropped]:
            self._kept.remove(entry)
        if dropped:
            self._report(Note("not sent", f"{dropped} lines, too many waited", level=logging.WARNING))

    def hold(self, lane: str) -> None:
        """Keep the waiting replies of one lane: the bot can no longer speak there."""
        self.keep(entry for entry in self._lanes.pop(lane, ()) if entry.room)

    def resume(self, lane: str, now: float) -> list[Entry]:
        """The kept replies of one lane, to be sent: the ids of old rolls, then recent lines unchanged."""
        by_target: dict[str, list[Entry]] = {}
        for entry in self._kept:
            if self.support.lane(entry.target) == lane:
                by_target.setdefault(entry.target, []).append(entry)
        self._kept = [entry for entry in self._kept if entry.target not in by_target]
        return [entry for entries in by_target.values() for entry in _to_say(entries, now)]

    def _to(self, target: str) -> list[int]:
        """The numbers of the unconfirmed lines to that target."""
        fold = self.support.fold
        return [number for number, sent in self._sent.items() if fold(sent.entry.target) == fold(target)]

    def _taken(self, numbers: Iterable[int]) -> list[Entry]:
        return [entry for number in list(numbers) if (entry := self._sent.pop(number).entry).room]

    def _confirm(self) -> None:
        before, self._asked = self._asked, 0
        self._delivered(self._taken(n for n, sent in self._sent.items() if n <= before and not sent.echo))

    def _delivered(self, entries: list[Entry]) -> None:
        self._report(Settled(tuple(reply for entry in entries for reply in entry.replies)))

    def _refused(self, entries: list[Entry]) -> None:
        if entries:
            detail = f"{len(entries)} to {entries[0].target}: kept until the bot may speak there"
            self._report(Note("not sent", detail, level=logging.WARNING))
            self.keep(entries)


def _to_say(entries: list[Entry], now: float) -> Iterator[Entry]:
    replies = [reply for entry in entries if now - entry.at >= FRESH for reply in entry.recorded]
    for start in range(0, len(replies), _IDS_IN_LINE):
        listed = replies[start : start + _IDS_IN_LINE]
        ids = ", ".join(id_[1] if (id_ := _ID.search(reply.text)) else str(reply.seq) for reply in listed)
        rolls = "This roll was" if len(listed) == 1 else "These rolls were"
        # True of every kept line: unsent, refused, or sent into a broken connection.
        text = f"{rolls} made earlier, and may not have been shown here: id {ids}"
        yield entries[0]._replace(text=text, at=now, replies=tuple(listed), msgid="")
    yield from (entry for entry in entries if now - entry.at < FRESH)
