"""Effects: what a session asks for after a line from the server. Values only; `Link` and `Network` carry them out."""

from __future__ import annotations

import logging
from dataclasses import dataclass

from ircdice.bot.message import Message
from ircdice.wire.rate_limit import Caller


@dataclass(frozen=True, slots=True)
class Send:
    """A line for the server; `urgent` lines go first, `later` delays it by so many seconds."""

    line: str
    urgent: bool = False
    later: float = 0.0


@dataclass(frozen=True, slots=True)
class Incoming:
    """A line for the bot, and whom it counts for."""

    message: Message
    caller: Caller


@dataclass(frozen=True, slots=True)
class CtcpRequest:
    """A CTCP request."""

    nick: str
    text: str
    caller: Caller


@dataclass(frozen=True, slots=True)
class Welcome:
    """The server accepted us."""


@dataclass(frozen=True, slots=True)
class Hopeless:
    """Close the connection; a `final` reason will be the same next time."""

    reason: str
    final: bool = False


@dataclass(frozen=True, slots=True)
class Wake:
    """Call `Session.woken(what)` after so many seconds."""

    seconds: float
    what: str


@dataclass(frozen=True, slots=True)
class Secure:
    """The server asks for TLS on that port: send nothing more in plain text (IRC-02)."""

    port: int


@dataclass(frozen=True, slots=True)
class Keep:
    """Insist on TLS for this host for so many seconds (IRC-02)."""

    duration: int


@dataclass(frozen=True, slots=True)
class Note:
    """A line for the log."""

    event: str
    detail: str = ""
    channel: str | None = None
    level: int = logging.INFO


Effect = Send | Incoming | CtcpRequest | Welcome | Hopeless | Wake | Secure | Keep | Note
