"""Lines of the IRC protocol: bytes to lines, lines to their parts, and lines as a log may show them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import NamedTuple

from irc.message import Tag

LONGEST = 16_384  # twice what tags (8,191 bytes) and a line may hold together
# The package's own pattern splits parameters at any Unicode space and fails on a line without a command.
_LINE = re.compile(
    r"(?:@(?P<tags>[^ ]*) +)?(?::(?P<source>[^ ]*) +)?(?P<command>[A-Za-z]+|[0-9]{3})(?: +(?P<rest>.*))?", re.DOTALL
)
_NO_TAGS: Mapping[str, str] = MappingProxyType({})


class Line(NamedTuple):
    """A line from the server. Missing parameters read as empty: servers leave out what they please."""

    command: str
    params: tuple[str, ...] = ()
    source: str = ""
    tags: Mapping[str, str] = _NO_TAGS

    def param(self, index: int) -> str:
        """The parameter at `index`, or nothing."""
        return self.params[index] if -len(self.params) <= index < len(self.params) else ""

    @property
    def nick(self) -> str:
        """The nick, or the server, that sent the line."""
        return self.source.partition("!")[0]

    @property
    def userhost(self) -> str:
        """`user@host` of the sender, where the server gives it."""
        return self.source.partition("!")[2]


def parse(text: str) -> Line | None:
    """Take `text` apart; None if it is no line of the protocol (IRC-10)."""
    match = _LINE.fullmatch(text)
    if match is None:
        return None
    tags, source, command, rest = match.groups("")
    return Line(command.upper(), _params(rest), source, _tags(tags) if tags else _NO_TAGS)


def _params(rest: str) -> tuple[str, ...]:
    middle, colon, last = (" " + rest).partition(" :")
    params = tuple(filter(None, middle.split(" ")))
    return (*params, last) if colon else params


def _tags(group: str) -> dict[str, str]:
    pairs = (Tag.parse(item) for item in group.split(";") if item)
    return {pair["key"]: pair["value"] or "" for pair in pairs}


class Frames:
    """A buffer that takes any bytes and gives whole lines (IRC-10); it replaces the `irc` package's own.

    A line longer than `LONGEST` is dropped, so that a server that sends no newline fills no memory.
    """

    def __init__(self) -> None:
        self._rest = b""
        self._dropping = False

    def feed(self, data: bytes) -> None:
        """Take bytes from the socket."""
        self._rest += data

    def __iter__(self) -> Iterator[str]:
        """Yield the lines that are complete, without empty ones."""
        *whole, self._rest = self._rest.split(b"\n")
        for raw in whole:
            if self._dropping or len(raw) > LONGEST:
                self._dropping = False
                continue
            if text := decode(raw.rstrip(b"\r")).strip(" "):
                yield text
        if len(self._rest) > LONGEST:
            self._rest, self._dropping = b"", True


def decode(raw: bytes) -> str:
    """UTF-8, or else Latin-1, which any byte sequence is (IRC-10)."""
    try:
        return raw.decode()
    except UnicodeDecodeError:
        return raw.decode("latin-1")


_MASKABLE = re.compile(r"((?:@[^ ]* +)?)((?::[^ ]* +)?)([A-Za-z]+|[0-9]{3})( .*)?", re.DOTALL)
_PUBLIC_TARGETS = "#&+!@%~"  # first characters of targets that many can read
# How many words of a command a log may show; those after them may be secret.
_SHOWN = {"PASS": 0, "AUTHENTICATE": 0, "OPER": 1, "JOIN": 1, "NICKSERV": 0, "NS": 0, "IDENTIFY": 0}


def masked(line: str) -> str:
    """`line` without passwords, channel keys and private talk, fit for a log (IRC-05)."""
    found = _MASKABLE.fullmatch(line)
    if found is None:
        return line
    tags, source, command, rest = found.groups("")
    shown = _shown(command.upper(), rest.split(), source.strip(": "))
    if shown is None or len(rest.split()) <= shown:
        return line
    return f"{tags}{source}{command}{''.join(f' {word}' for word in rest.split()[:shown])} ***"


def _shown(command: str, words: list[str], source: str) -> int | None:
    """How many words of the rest may be shown; None means all."""
    if command in ("PRIVMSG", "NOTICE") and words and _is_private(command, words, source):
        return 1
    if command == "MODE" and len(words) > 1 and "k" in words[1]:
        return 2
    if command == "324" and len(words) > 2:
        return 3 if "k" in words[2] else None
    if command == "JOIN" and source:
        return None  # it holds no key, but an account (extended-join)
    return _SHOWN.get(command)


def _is_private(command: str, words: list[str], source: str) -> bool:
    """Whether it goes to services, or between one person and the bot: secret rolls, and answers that quote them.

    What a server or services say by NOTICE is not; the bot's own notices that come back (`echo-message`) are.
    """
    nick, _, userhost = source.partition("!")
    told = command == "NOTICE" and bool(source) and (not userhost or nick.lower().endswith("serv"))
    return words[0][0] not in _PUBLIC_TARGETS and not told
