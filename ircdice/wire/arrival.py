"""Arrival: from the welcome to the channels: NickServ where SASL was not, then the joins (IRC-04, IRC-08)."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator

from ircdice.config import NetworkConfig
from ircdice.wire.effects import Effect, Note, Send, Wake
from ircdice.wire.isupport import Support
from ircdice.wire.joins import join_lines
from ircdice.wire.line import Line
from ircdice.wire.login import Login

SETTLED, IDENTIFIED, AGAIN = "settled", "identified", "identify again"
_SETTLE = 0.1  # seconds after the welcome for what the server says of itself: what it limits holds for the joins too
_IDENTIFY = 10.0  # seconds that services have to know us
_PAUSE = 60.0  # seconds before the password is told again
SERVICE = "NickServ"
_YES = re.compile(r"you are (?:now|already) (?:identified|logged in|recogni[sz]ed)|password accepted", re.IGNORECASE)
_NO = re.compile(r"invalid|incorrect|wrong|denied|isn'?t registered|is not registered|not a registered", re.IGNORECASE)
_ASKS = re.compile(r"/msg nickserv identify|please (?:choose|identify)|nick(?:name)? is registered", re.IGNORECASE)


class Arrival:
    """What is done once on a connection that let us in. The channels wait for the login, but not for ever."""

    def __init__(self, config: NetworkConfig, support: Support, login: Login) -> None:
        self._config, self._support, self._login = config, support, login
        self._welcomed = self._began = self._waiting = self._resting = False
        self.arrived = False

    def welcomed(self) -> Iterator[Effect]:
        """The server let us in; it has more to say before the channels."""
        self._welcomed = True
        yield Wake(_SETTLE, SETTLED)

    def receive(self, line: Line, me: str) -> Iterator[Effect]:
        """Take a line that may end a wait; `me` is our nick now."""
        if not self._welcomed:
            return
        match line.command:
            case "376" | "422":
                yield from self._begin(me)
            case "900" if self._waiting:
                yield from self._join()
            case "401" if self._waiting and self._is_service(line.param(1)):
                yield Note("NickServ is away", line.param(-1), level=logging.WARNING)
                yield from self._join()
            case "MODE" if self._waiting and re.fullmatch(r"\+\w*r\w*", line.param(1)):
                if self._support.fold(line.param(0)) == self._support.fold(me):
                    yield from self._join()
            case "NOTICE" if self._is_service(line.nick):
                yield from self._noticed(line.param(-1), me)

    def woken(self, what: str, me: str) -> Iterator[Effect]:
        """A wait is over."""
        if what == SETTLED:
            yield from self._begin(me)
        elif what == AGAIN:
            self._resting = False
        elif what == IDENTIFIED and self._waiting:
            yield Note("not identified", "NickServ did not answer in time", level=logging.WARNING)
            yield from self._join()

    def _begin(self, me: str) -> Iterator[Effect]:
        if self._began:
            return
        self._began = True
        if self._config.nickserv_password and not self._login.authenticated:
            self._waiting = True
            yield from self._identify(me)
            yield Wake(_IDENTIFY, IDENTIFIED)
        else:
            yield from self._join()

    def _identify(self, me: str) -> Iterator[Effect]:
        """Under our own nick the password alone does, which all services understand."""
        wanted = self._config.sasl_username or self._config.nick
        account = "" if self._support.fold(me) == self._support.fold(wanted) else f"{wanted} "
        self._resting = True
        yield Send(f"PRIVMSG {SERVICE} :IDENTIFY {account}{self._config.nickserv_password}", urgent=True)
        yield Wake(_PAUSE, AGAIN)

    def _noticed(self, text: str, me: str) -> Iterator[Effect]:
        if _YES.search(text):
            yield Note("identified", text)
        elif self._waiting and _NO.search(text):
            yield Note("NickServ refused", text, level=logging.WARNING)
        else:
            # Services that were away and have come back ask for it.
            if self._config.nickserv_password and self._began and not self._resting and _ASKS.search(text):
                yield from self._identify(me)
            return
        if self._waiting:
            yield from self._join()

    def _join(self) -> Iterator[Effect]:
        self._waiting, self.arrived = False, True
        channels = [(join.name, join.key) for join in self._config.channels]
        yield from (Send(line) for line in join_lines(channels, self._support.joins_at_once))

    def _is_service(self, nick: str) -> bool:
        return self._support.fold(nick.partition("@")[0]) == self._support.fold(SERVICE)
