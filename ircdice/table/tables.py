"""The random tables and decks of a channel, as the desk has them (DSK-15).

The key `CHANNEL table NAME` or `CHANNEL deck NAME` holds the contents, `CHANNEL left NAME` the cards that are left.
"""

from __future__ import annotations

from collections.abc import Iterator

from grammars.tables import Contents, Left
from ircdice.table.desk import Desk, key_of

LEFT = "left"


def contents_key(channel: str, kind: str, name: str) -> str:
    """What is on a table or in a deck."""
    return key_of(channel, kind, name)


def left_key(channel: str, name: str) -> str:
    """The cards that are left of a deck."""
    return key_of(channel, LEFT, name)


def of_channel(desk: Desk, channel: str, kind: str) -> Iterator[Contents]:
    """Its tables or decks, in the order of their names."""
    return (kept.node for kept in desk.of(channel, kind) if isinstance(kept.node, Contents))


def contents(desk: Desk, channel: str, kind: str, name: str) -> Contents | None:
    """The table or deck of that name."""
    kept = desk.get(contents_key(channel, kind, name))
    return kept.node if kept and isinstance(kept.node, Contents) else None


def cards_left(desk: Desk, channel: str, deck: Contents) -> list[int]:
    """The places of the cards that are left; all of them since it was made or shuffled."""
    kept = desk.get(left_key(channel, deck.name))
    cards = kept.node.cards if kept and isinstance(kept.node, Left) else (1 << deck.size) - 1
    return [place for place in range(deck.size) if cards >> place & 1]


def without(deck: Contents, places: list[int]) -> Left:
    """What follows a draw: the cards in those places are left."""
    return Left(deck.name, sum(1 << place for place in places))
