"""Nicks: which nick to try when one is taken, and how to regain the configured one (IRC-07)."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator

from ircdice.wire.effects import Effect, Note, Send, Wake
from ircdice.wire.isupport import Support
from ircdice.wire.line import Line

_UNDERSCORES = 3
_TRIES = 30
_SHORT = 9  # the shortest limit that servers still have
LOOK = "look for the nick"
_EVERY = 60.0  # seconds between two ISON
_SELDOM = 600.0  # if the server calls the nick erroneous: services may be holding it, and release it
_NO_NICK = "432"
_THROUGH_SERVICES = ("REGAIN", "GHOST")  # Atheme's newer command, and what all others have
_NO_SUCH_COMMAND = re.compile(r"(?:unknown|invalid|no such).{0,20}command|is not a .{0,20}command", re.IGNORECASE)


class Nicks:
    """The nicks to try while registering: the configured one, its alternates, then variations of the first."""

    def __init__(self, wanted: str, alternates: tuple[str, ...] = ()) -> None:
        shorter = wanted[: _SHORT - 2]
        self._rest = [*alternates, *(wanted + "_" * count for count in range(1, _UNDERSCORES + 1))]
        # A server with a short limit refuses the underscores or cuts them off: then change the end.
        self._rest += [f"{shorter}{number:02}" for number in range(1, _TRIES)]

    def next(self) -> str | None:
        """The next nick to try; None when there is none left."""
        return self._rest.pop(0) if self._rest else None


class Regain:
    """Regains the configured nick: through services if we are logged in, and as soon as it becomes free."""

    def __init__(self, wanted: str, support: Support) -> None:
        self._wanted, self._support = wanted, support
        self._looking = self._monitoring = self._waking = False
        self._asked = False  # for another nick, without an answer yet
        self._refused = ""  # the numeric that last refused it
        self._words: list[str] = []  # commands to services that are still to be tried

    def change(self, wanted: str, me: str) -> Iterator[Effect]:
        """Another nick is configured (IRC-25): request it, and watch for it if it is refused."""
        if wanted == self._wanted:
            return
        yield from self._found()
        self._wanted, self._asked = wanted, me != wanted
        if self._asked:
            yield self._take()

    def refused(self, line: Line, me: str) -> Iterator[Effect]:
        """The server refuses the nick. MONITOR reports when its user leaves, but no other reason."""
        self._asked = False
        if self._has(me):
            return
        if not self._refused:
            yield Note("nick refused", f"{self._wanted}: {line.command} {line.param(-1)}", level=logging.WARNING)
        self._refused = line.command
        if self._looking and not (self._monitoring and line.command == "433"):
            yield from self._wait()

    def begin(self, me: str, *, known: bool) -> Iterator[Effect]:
        """Begin to watch for the nick unless we have it; `known` means that services know us."""
        if self._looking or self._asked or self._has(me):
            return
        self._looking = True
        yield Note("nick taken", f"watching for {self._wanted}")
        if known:
            self._words = list(_THROUGH_SERVICES)
            yield from self._ask_services()
        if self._support.monitors:
            self._monitoring = True
            yield Send(f"MONITOR + {self._wanted}")
        else:
            yield from self._look()

    def receive(self, line: Line, me: str) -> Iterator[Effect]:
        """Take a line that may show that the nick is free; `me` is our nick after it."""
        if self._has(me):
            self._asked = False
        if not self._looking:
            return
        match line.command:
            case "731" if self._is_wanted_among(line.param(-1).split(",")):
                yield self._take()
            case "734" | "421" if self._monitoring and (line.command == "734" or line.param(1) == "MONITOR"):
                self._monitoring = False
                yield from self._look()
            case "303" if not self._is_wanted_among(line.param(-1).split()):
                yield self._take()
            case "QUIT" | "NICK" if self._is_wanted(line.nick) and not self._is_wanted(me):
                yield self._take()
            case "NOTICE" if self._words and self._support.fold(line.nick) == self._support.fold("NickServ"):
                if _NO_SUCH_COMMAND.search(line.param(-1)):
                    yield from self._ask_services()
            case "NICK" if self._has(me):
                yield from self._found()

    def woken(self, what: str) -> Iterator[Effect]:
        """Time to look again."""
        if what == LOOK:
            self._waking = False
            if self._looking and (self._refused or not self._monitoring):
                yield from self._look()

    def _look(self) -> Iterator[Effect]:
        yield Send(f"ISON {self._wanted}")
        yield from self._wait()

    def _wait(self) -> Iterator[Effect]:
        if not self._waking:
            self._waking = True
            yield Wake(_SELDOM if self._refused == _NO_NICK else _EVERY, LOOK)

    def _take(self) -> Effect:
        return Send(f"NICK {self._wanted}")

    def _found(self) -> Iterator[Effect]:
        self._looking, self._refused, self._words = False, "", []
        if self._monitoring:
            self._monitoring = False
            yield Send(f"MONITOR - {self._wanted}")

    def _ask_services(self) -> Iterator[Effect]:
        if self._words:
            yield Send(f"PRIVMSG NickServ :{self._words.pop(0)} {self._wanted}")

    def _has(self, me: str) -> bool:
        """Whether `me` is the configured nick, or as much of it as the server allows (NICKLEN)."""
        return self._is_wanted(me) or me == self._wanted[: self._support.nicklen]

    def _is_wanted(self, nick: str) -> bool:
        return self._support.fold(nick) == self._support.fold(self._wanted)

    def _is_wanted_among(self, nicks: list[str]) -> bool:
        return any(self._is_wanted(nick.partition("!")[0]) for nick in nicks)
