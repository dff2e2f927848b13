"""The characters of a channel, as the desk has them (DSK-01)."""

from __future__ import annotations

from grammars.characters import Play
from ircdice.table.desk import Desk, key_of

PLAY = "play"


def play_key(channel: str, who: str) -> str:
    """Whom a person plays in a channel."""
    return key_of(channel, PLAY, who)


def players(desk: Desk, channel: str) -> dict[str, str]:
    """The characters that are played in a channel, by the `who` of their players."""
    return {kept.name: str(kept.node.name) for kept in desk.of(channel, PLAY) if isinstance(kept.node, Play)}


def playing(desk: Desk, channel: str, who: str) -> str | None:
    """The character that a person plays there."""
    return players(desk, channel).get(who)
