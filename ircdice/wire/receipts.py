"""Receipts: which lines of one connection are known to be out (IRC-23). Lines in; knows no socket and no clock.

Where the server has `echo-message` a line is out when it has come back. Elsewhere a PING is sent behind it, and its
PONG vouches for all before it, since servers take lines in their order. What neither happened to by the end counts as
not sent: it may come twice then, with the same id, and never not at all (LED-06).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from ircdice.wire.entry import OutboxEntry, Piece
from ircdice.wire.line import Line

FENCE = "ircdice-"
# To one PING, which costs as much as a line. Of a bot that is killed these come twice, or those of two (LED-06).
AT_ONCE = 8
UNDER_PRESSURE = 6  # lines, of four replies each, while others wait: those wait for the PING as well
_PATIENCE = 30.0  # seconds for a server that answers no PING, or does not send back what it said it would
# Nobody there, no right to speak, blocked, registered only, refused by the other side's own wish.
_REFUSALS = frozenset({"401", "403", "404", "407", "408", "415", "477", "480", "486", "531", "716"})


class DeliveryReport(NamedTuple):
    """What has become of lines: those that are out, and those that the server did not pass on."""

    out: tuple[Piece, ...] = ()
    refused: tuple[Piece, ...] = ()


NOTHING = DeliveryReport()


@dataclass(frozen=True, slots=True, eq=False)
class _Sent:
    entry: OutboxEntry
    at: float
    echo: bool

    @property
    def target(self) -> str:
        return self.entry.head.split(" ")[1]


class Receipts:
    """What went out on one connection and is not vouched for yet, in its order."""

    def __init__(self) -> None:
        self._sent: list[_Sent] = []
        self._fenced = 0  # how many of the first are behind the PING that is on its way
        self._token = ""
        self._count = 0
        self._asked = 0.0

    def sent(self, entry: OutboxEntry, now: float, *, echo: bool) -> None:
        """A line was written to the socket; only messages are followed."""
        if entry.head:
            self._sent.append(_Sent(entry, now, echo))

    def receive(self, line: Line, fold: Callable[[str], str], *, mine: bool) -> DeliveryReport:
        """What a line says of those that were sent; `mine` where it is the bot's own."""
        if line.command == "PONG":
            return self._vouched(line.param(-1))
        if mine and line.command in ("PRIVMSG", "NOTICE"):
            return DeliveryReport(out=self._echoed(fold(line.param(0)), line.param(1), fold))
        if line.command in _REFUSALS:
            return DeliveryReport(refused=self._first(fold(line.param(1)), fold))
        return NOTHING

    def fence(self, now: float, *, pressed: bool) -> str | None:
        """The token of a PING to send now, if one is due; `pressed` while other lines wait."""
        plain = [sent for sent in self._sent if not sent.echo]
        if not plain or self._token or (pressed and len(plain) < UNDER_PRESSURE):
            return None
        self._count += 1
        self._token, self._fenced, self._asked = f"{FENCE}{self._count}", len(self._sent), now
        return self._token

    def many(self, *, pressed: bool) -> bool:
        """Whether the server is to be asked now, without waiting for more."""
        plain = [sent for sent in self._sent if not sent.echo]  # which no echo will vouch for
        enough = (
            len(plain) >= UNDER_PRESSURE if pressed else sum(len(one.entry.pieces) or 1 for one in plain) >= AT_ONCE
        )
        return enough and not self._token

    def overdue(self, now: float) -> DeliveryReport:
        """What has waited too long: without an echo it is not out; a server that answers no PING is believed."""
        late = [sent for sent in self._sent if sent.echo and now - sent.at >= _PATIENCE]
        for sent in late:
            self._remove(sent)
        unanswered = self._vouched(self._token) if self._token and now - self._asked >= _PATIENCE else DeliveryReport()
        return DeliveryReport(unanswered.out, _pieces(late))

    def finish(self, *, orderly: bool) -> DeliveryReport:
        """The connection is over; in an `orderly` end the server has taken all that came before our QUIT."""
        out = [sent for sent in self._sent if orderly and not sent.echo]
        lost = [sent for sent in self._sent if not orderly or sent.echo]
        self._sent = []
        return DeliveryReport(_pieces(out), _pieces(lost))

    def __len__(self) -> int:
        return len(self._sent)

    def _vouched(self, token: str) -> DeliveryReport:
        if not token or token != self._token:
            return DeliveryReport()
        before, behind = self._sent[: self._fenced], self._sent[self._fenced :]
        self._sent = [sent for sent in before if sent.echo] + behind
        self._token, self._fenced = "", 0
        return DeliveryReport(out=_pieces([sent for sent in before if not sent.echo]))

    def _echoed(self, target: str, text: str, fold: Callable[[str], str]) -> tuple[Piece, ...]:
        """The line that came back. A server may have taken colours off: then it is the first to that target."""
        awaited = [sent for sent in self._sent if sent.echo and fold(sent.target) == target]
        found = next((sent for sent in awaited if sent.entry.text == text), next(iter(awaited), None))
        if found is None:
            return ()
        self._remove(found)
        return found.entry.pieces

    def _first(self, target: str, fold: Callable[[str], str]) -> tuple[Piece, ...]:
        found = next((sent for sent in self._sent if fold(sent.target) == target), None)
        if found is None:
            return ()
        self._remove(found)
        return found.entry.pieces

    def _remove(self, sent: _Sent) -> None:
        at = self._sent.index(sent)
        del self._sent[at]
        if at < self._fenced:
            self._fenced -= 1


def _pieces(sent: list[_Sent]) -> tuple[Piece, ...]:
    return tuple(piece for one in sent for piece in one.entry.pieces)
