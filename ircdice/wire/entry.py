"""Entries: what waits to be sent, and what it makes known. Values alone."""

from __future__ import annotations

from typing import NamedTuple

from ircdice.bot.message import Reply

BETWEEN = " | "  # no game's words hold it, and to no other bot is it a command


class Piece(NamedTuple):
    """What is to be said to one target, wording done. `at` is when it came up, in seconds of the loop's clock."""

    command: str  # PRIVMSG or NOTICE
    target: str
    text: str
    at: float
    replies: tuple[Reply, ...] = ()  # told once this is out; none where more of the same reply follows


class OutboxEntry(NamedTuple):
    """One line of the protocol: `head` as far as the text, then `text`, of which `room` bytes would fit."""

    text: str
    head: str = ""  # none where the line is no message
    room: int = 0
    pieces: tuple[Piece, ...] = ()

    @property
    def line(self) -> str:
        """The line as it is sent, without its end."""
        return self.head + self.text

    def joined(self, other: OutboxEntry) -> OutboxEntry | None:
        """Both in one line (IRC-22); None where they are of two kinds, are no replies, or do not fit."""
        if self.head != other.head or not self.pieces or not other.pieces:
            return None
        text = f"{self.text}{BETWEEN}{other.text}"
        if len(text.encode()) > self.room:
            return None
        return self._replace(text=text, pieces=self.pieces + other.pieces)
