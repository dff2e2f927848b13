"""The random tables and decks of a channel, as the desk has them (DSK-15).

The key `CHANNEL table NAME` or `CHANNEL deck NAME` holds the contents, `CHANNEL left NAME` the cards that are left.
"""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256

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


def whole(deck: Contents) -> Left:
    """All its cards, as since it was made or shuffled."""
    return Left(deck.name, (1 << deck.size) - 1)


def what_is_left(desk: Desk, channel: str, deck: Contents) -> Left:
    """The cards that are left."""
    kept = desk.get(left_key(channel, deck.name))
    return kept.node if kept and isinstance(kept.node, Left) else whole(deck)


def cards_of(left: Left) -> list[int]:
    """The places of those cards, as a die counts them.

    Once a card was drawn unseen they are in a secret order, so that no later die tells which card that was.
    """
    places = [place for place in range(left.cards.bit_length()) if left.cards >> place & 1]
    if not left.order:
        return places
    return sorted(places, key=lambda place: sha256(f"{left.order} {place}".encode()).digest())


def without(left: Left, place: int, order: str = "") -> Left:
    """What follows when the card in that place is drawn; `order` is a new secret order."""
    return Left(left.name, left.cards & ~(1 << place), order or left.order)
