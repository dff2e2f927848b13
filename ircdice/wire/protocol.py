"""The IRC protocol: lines from the server, what it supports (005), and the effects of a session."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from types import MappingProxyType
from typing import NamedTuple

from irc.message import Tag

from ircdice.bot.message import Message
from ircdice.casemapping import DEFAULT, fold

PRIVATE = "@"  # one lane for all private lines, so that many users share one turn
LONGEST = 16_384  # bytes: twice the maximum of tags (8,191) and a line
FORBIDDEN = re.compile("[\r\n\0]")  # never valid inside a line
# The pattern of the `irc` package splits parameters at any Unicode space and fails on a line without a command.
_LINE = re.compile(
    r"(?:@(?P<tags>[^ ]*) +)?(?::(?P<source>[^ ]*) +)?(?P<command>[A-Za-z]+|[0-9]{3})(?: +(?P<rest>.*))?", re.DOTALL
)


class Line(NamedTuple):
    """A line from the server. Missing parameters read as empty, because servers often omit them."""

    command: str
    params: tuple[str, ...] = ()
    source: str = ""
    tags: Mapping[str, str] = MappingProxyType({})

    def param(self, index: int) -> str:
        """The parameter at `index`, or an empty string."""
        return self.params[index] if -len(self.params) <= index < len(self.params) else ""

    @property
    def nick(self) -> str:
        """The nick or server that sent the line."""
        return self.source.partition("!")[0]

    @property
    def userhost(self) -> str:
        """`user@host` of the sender, if the server sent it."""
        return self.source.partition("!")[2]


def parse(text: str) -> Line | None:
    """Parse `text`; None if it is not a valid line (IRC-10)."""
    match = _LINE.fullmatch(text)
    if match is None or FORBIDDEN.search(text):
        return None
    tags, source, command, rest = match.groups("")
    middle, colon, last = (" " + rest).partition(" :")
    params = tuple(filter(None, middle.split(" ")))
    pairs = (Tag.parse(item) for item in tags.split(";") if item)
    values = {pair["key"]: pair["value"] or "" for pair in pairs}
    return Line(command.upper(), (*params, last) if colon else params, source, values)


class Frames:
    """Splits bytes into lines (IRC-10).

    A line longer than `LONGEST` is dropped, so that a missing newline does not fill memory.
    """

    def __init__(self) -> None:
        self._rest = b""
        self._dropping = False

    def feed(self, data: bytes) -> list[str]:
        """Add bytes from the socket; return the lines that are now complete, without empty ones.

        Lines that are not UTF-8 are decoded as Latin-1, which accepts any bytes.
        """
        *whole, self._rest = (self._rest + data).split(b"\n")
        lines = []
        for raw in whole:
            if self._dropping or len(raw) > LONGEST:
                self._dropping = False
                continue
            try:
                text = raw.decode()
            except UnicodeDecodeError:
                text = raw.decode("latin-1")
            if text := text.rstrip("\r").strip(" "):
                lines.append(text)
        if len(self._rest) > LONGEST:
            self._rest, self._dropping = b"", True
        return lines


_BREAKS = re.compile("[\r\n\t\x0b\x0c\x85\u2028\u2029]")
# Lone surrogates cannot be encoded. Direction marks would let a name or comment reverse the text after it.
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")


def scrub(text: str) -> str:
    """Remove control characters; line breaks become spaces (IRC-21)."""
    return _CONTROL.sub("", _BREAKS.sub(" ", text)).strip()


def is_target(name: str) -> bool:
    """Whether a line may be addressed to `name`, without breaking it or adding targets."""
    return bool(name) and name[0] != ":" and not {" ", ","} & set(name) and not _CONTROL.search(name)


_ONE = r"[^#&+!@%~ ][^ ]*"  # a target that is not a channel: services, a user or the bot
# The part of a secret line that a log may show; the rest is masked.
_SHOWN = tuple(
    re.compile(rf"((?:@[^ ]* +)?{shown}) +.+", re.IGNORECASE | re.DOTALL)
    for shown in (
        r"(?::[^ ]* +)?(?:PASS|AUTHENTICATE|NICKSERV|NS|IDENTIFY|OPER +[^ ]+)",
        r"(?::[^ ]* +)?(?:MODE +[^ ]+|324 +[^ ]+ +[^ ]+) +[^ ]*k[^ ]*",
        r"JOIN +[^ ]+",  # with a source it has an account (extended-join), not a key
        rf"(?::[^ ]* +)?PRIVMSG +{_ONE}",
        # The bot's own notices, perhaps echoed; those of a server or services may be shown.
        rf"(?::(?![^ !]*serv!)[^ !]*![^ ]* +)?NOTICE +{_ONE}",
    )
)


def masked(line: str) -> str:
    """`line` without passwords, channel keys and private messages, safe for a log (IRC-05)."""
    secret = next(filter(None, (shown.match(line) for shown in _SHOWN)), None)
    return f"{secret[1]} ***" if secret else line


_PREFIX = re.compile(r"\(([A-Za-z]*)\)(.*)")
_ESCAPE = re.compile(r"\\x([0-9A-Fa-f]{2})")
_NUMBER = re.compile("[1-9][0-9]{0,3}")
_CHANTYPES = "#&"
_SHORTEST_LINE, _LONGEST_LINE = 512, 8192
# Only these are kept, because a server may send any number.
_KNOWN = frozenset(
    {"BOT", "CASEMAPPING", "CHANMODES", "CHANTYPES", "LINELEN", "MONITOR", "NICKLEN", "PREFIX", "TARGMAX", "WHOX"}
)


class Support:
    """What a server announces in numeric 005 (IRC-09). Invalid values, which some servers send, are ignored."""

    def __init__(self) -> None:
        self._tokens: dict[str, str] = {}
        self.load(())

    def load(self, tokens: Iterable[str]) -> None:
        """Add the tokens of a 005 line; `-TOKEN` removes one."""
        for token in tokens:
            name, _, value = token.partition("=")
            if name.startswith("-"):
                self._tokens.pop(name[1:].upper(), None)
            elif name.upper() in _KNOWN:
                self._tokens[name.upper()] = _ESCAPE.sub(lambda escape: chr(int(escape[1], 16)), value)
        given = self._tokens.get
        self.casemapping = given("CASEMAPPING", "").lower() or DEFAULT  # how names are compared here
        self.fold = partial(fold, casemapping=self.casemapping)
        self.chantypes = given("CHANTYPES", _CHANTYPES)  # the characters that begin a channel's name; may be empty
        length = given("LINELEN", "")
        self.linelen = int(length) if re.fullmatch("[0-9]{1,6}", length) else _SHORTEST_LINE  # bytes, with CR and LF
        self.linelen = min(max(self.linelen, _SHORTEST_LINE), _LONGEST_LINE)
        self.nicklen = _number(given("NICKLEN", ""))
        targets = dict(part.partition(":")[::2] for part in given("TARGMAX", "").upper().split(","))
        self.joins_at_once = _number(targets.get("JOIN", ""))  # the most channels in one JOIN
        mode = given("BOT", "")
        self.bot_mode = mode if re.fullmatch("[A-Za-z]", mode) else None  # the user mode that marks a bot (IRC-27)
        self.monitors = "MONITOR" in self._tokens  # whether the server reports when a nick becomes free
        self.whox = "WHOX" in self._tokens  # whether WHO can return accounts
        prefixes = _PREFIX.fullmatch(given("PREFIX", ""))
        self.ranks = {"@": "o", "+": "v"}  # prefixes of rank and the modes that grant them, highest first
        if prefixes and len(prefixes[1]) == len(prefixes[2]):
            self.ranks = dict(zip(prefixes[2], prefixes[1], strict=True))
        kinds = (given("CHANMODES", "") or "beI,k,l,imnpst").split(",")
        # The channel modes that always take an argument, and those that take one only when set.
        self.modes_with_argument = "".join([*kinds[:2], *self.ranks.values()]), "".join(kinds[2:3])

    def lane(self, target: str) -> str:
        """The lane of `target` in the outbox: one for each channel, one for all private lines, one without target."""
        return self.fold(target) if target[:1] in self.chantypes else PRIVATE

    def mode_changes(self, modes: str, arguments: Iterable[str]) -> Iterator[tuple[bool, str, str]]:
        """The changes in a channel's MODE (`+o-v alice bob`): whether set, the mode, and its argument or ""."""
        always, when_set = self.modes_with_argument
        left, adding = iter(arguments), True
        for mode in modes:
            if mode in "+-":
                adding = mode == "+"
            else:
                yield adding, mode, next(left, "") if mode in always or (adding and mode in when_set) else ""


def _number(text: str) -> int | None:
    return int(text) if _NUMBER.fullmatch(text) else None


class Send(NamedTuple):
    """A line for the server; `urgent` lines go first, `later` delays it by that many seconds."""

    line: str
    urgent: bool = False
    later: float = 0.0


class Wake(NamedTuple):
    """Call `Session.woken(action)` after that many seconds."""

    seconds: float
    action: Callable[[], Iterator[Effect]]


class Close(NamedTuple):
    """Close the connection; a `final` reason will be the same next time.

    `tls_port` is where the server asks for TLS: nothing more may be sent in plain text (IRC-02).
    """

    reason: str
    final: bool = False
    tls_port: int | None = None


class Caller(NamedTuple):
    """Whose limits a command uses: an account or nick!user@host, the host, and the place."""

    speaker: str
    host: str
    place: str = ""


class Incoming(NamedTuple):
    """A message for the bot, and the caller whose limits apply."""

    message: Message
    caller: Caller


class CtcpQuery(NamedTuple):
    """A CTCP query in private: `\\x01KIND argument\\x01`."""

    nick: str
    text: str
    caller: Caller


class KeepTls(NamedTuple):
    """Require TLS for this host for that many seconds (IRC-02)."""

    duration: int


class Note(NamedTuple):
    """A log entry."""

    event: str
    detail: str = ""
    channel: str | None = None
    level: int = logging.INFO


Effect = Send | Wake | Close | Incoming | CtcpQuery | KeepTls | Note
