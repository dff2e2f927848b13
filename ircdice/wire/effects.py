"""Effects: what a line from the server may bring about. Values only; whoever has the socket carries them out."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import NamedTuple

from ircdice.bot.message import Message


@dataclass(frozen=True, slots=True)
class Send:
    """A line for the server; `urgent` ones go ahead of all, `later` ones after so many seconds."""

    line: str
    urgent: bool = False
    later: float = 0.0


class Incoming(NamedTuple):
    """A line for the bot; `speaker` is the key that its limits are counted by."""

    message: Message
    speaker: str


@dataclass(frozen=True, slots=True)
class CtcpRequest:
    """A CTCP request."""

    nick: str
    text: str
    speaker: str


@dataclass(frozen=True, slots=True)
class Welcome:
    """The server let us in."""


@dataclass(frozen=True, slots=True)
class Hopeless:
    """Nothing more can be done with this connection; a `final` reason will be the same at the next."""

    reason: str
    final: bool = False


@dataclass(frozen=True, slots=True)
class Wake:
    """Call the session back after so many seconds, about `what`."""

    seconds: float
    what: str


@dataclass(frozen=True, slots=True)
class Secure:
    """The server wants TLS, on that port: nothing more is to be said in the clear (IRC-02)."""

    port: int


@dataclass(frozen=True, slots=True)
class Keep:
    """The host is to be held to TLS for so many seconds (IRC-02)."""

    duration: int


@dataclass(frozen=True, slots=True)
class Note:
    """A line for the log."""

    event: str
    detail: str = ""
    channel: str | None = None
    level: int = logging.INFO


Effect = Send | Incoming | CtcpRequest | Welcome | Hopeless | Wake | Secure | Keep | Note
