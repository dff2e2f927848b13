"""Backlog: what could not be said, until the bot is back where it belongs (IRC-23). The time is passed in."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from ircdice.bot.message import Reply
from ircdice.wire.entry import Piece

FRESH = 60.0  # seconds; after them a roll is only named
MOST = 2000  # pieces of one network; those past it stay undelivered in the ledger
_IDS_A_LINE = 20
_ID = re.compile(r"; id (\S+)$")


class Backlog:
    """What waits for a rejoin, in the order in which it came up."""

    def __init__(self) -> None:
        self._pieces: list[Piece] = []

    def put(self, pieces: Iterable[Piece]) -> int:
        """Keep these behind the others; how many had to go for them, those first that record nothing."""
        self._pieces += pieces
        over = len(self._pieces) - MOST
        if over <= 0:
            return 0
        droppable = sorted(self._pieces, key=lambda piece: any(_recorded(piece.replies)))[:over]
        gone = set(map(id, droppable))
        self._pieces = [piece for piece in self._pieces if id(piece) not in gone]
        return over

    def take(self, wanted: Callable[[str], bool], now: float) -> tuple[Piece, ...]:
        """What to say now to the targets that are wanted: the old rolls by their ids, then the rest as it was."""
        mine: dict[str, list[Piece]] = {}
        for piece in self._pieces:
            if wanted(piece.target):
                mine.setdefault(piece.target, []).append(piece)
        if not mine:
            return ()
        self._pieces = [piece for piece in self._pieces if piece.target not in mine]
        return tuple(piece for pieces in mine.values() for piece in _said_now(pieces, now))

    def __len__(self) -> int:
        return len(self._pieces)


def _said_now(pieces: list[Piece], now: float) -> Iterator[Piece]:
    yield from _named([piece for piece in pieces if now - piece.at >= FRESH], now)
    yield from (piece for piece in pieces if now - piece.at < FRESH)


def _named(old: list[Piece], now: float) -> Iterator[Piece]:
    """Lines that name the rolls among what is too old to be said in full; of the rest nobody would know any more."""
    replies = [reply for piece in old for reply in _recorded(piece.replies)]
    for start in range(0, len(replies), _IDS_A_LINE):
        some = replies[start : start + _IDS_A_LINE]
        ids = ", ".join(_name(reply) for reply in some)
        one = "This roll was" if len(some) == 1 else "These rolls were"
        # True of all that is kept: unsent, refused, or sent into a connection that broke.
        text = f"{one} made earlier, and may not have been shown here: id {ids}"
        yield Piece(old[0].command, old[0].target, text, now, tuple(some))


def _recorded(replies: Iterable[Reply]) -> Iterator[Reply]:
    return (reply for reply in replies if reply.seq is not None)


def _name(reply: Reply) -> str:
    found = _ID.search(reply.text)
    return found[1] if found else str(reply.seq)
