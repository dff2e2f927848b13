"""The characters of a channel, as the desk has them (DSK-01).

The key `CHANNEL play WHO` says whom a person plays there, `WHO character NAME` that a character is theirs on the whole
network, and `CHANNEL character NAME` that one is the channel's own.
"""

from __future__ import annotations

from dataclasses import dataclass

from grammars.characters import Character as Kept
from grammars.characters import Npc, Play
from ircdice.table.desk import Desk, folded, key_of

MOST_RENAMED = 10  # names that are followed to the one of now


@dataclass(frozen=True, slots=True)
class Character:
    """Who acts: `owner` is a person's `who`, or the channel whose own it is.

    `named`: it is no nick, which is used for somebody who plays no character.
    """

    owner: str
    name: str
    named: bool = True

    @property
    def player(self) -> str:
        """The name of a person's account, else their nick."""
        return self.owner.removeprefix("~")

    def whose(self, channel: str) -> str:
        """`bob's`, or that it is the channel's."""
        return "a character of this channel" if self.owner == channel else f"{self.player}'s"


def play_key(channel: str, who: str) -> str:
    """Whom a person plays in a channel."""
    return f"{channel} play {who}"


def character_key(owner: str, name: str) -> str:
    """That an owner has a character of that name."""
    return key_of(owner, "character", name)


def players(desk: Desk, channel: str) -> list[str]:
    """The `who` of everybody who plays in a channel; their own things need not be loaded."""
    return [kept.record.draft.key.split(" ", 2)[2] for kept in desk.of(channel, "play")]


def played(desk: Desk, channel: str) -> list[Character]:
    """The characters that are played in a channel, and those of its own."""
    found = (playing(desk, channel, who) for who in players(desk, channel))
    return [*filter(None, found), *owned(desk, channel)]


def playing(desk: Desk, channel: str, who: str) -> Character | None:
    """The character that a person plays there, by its name of now."""
    plays = desk.node(play_key(channel, who), Play)
    name = plays.name if plays else None
    for _ in range(MOST_RENAMED):
        if name is None:
            return None
        last = desk.last(character_key(who, name))
        if last is None or not isinstance(last.node, Kept):
            return Character(who, name)
        if not last.node.removes:
            return Character(who, last.node.name)
        name = last.node.new
    return None


def acting(desk: Desk, channel: str, who: str, nick: str) -> Character:
    """The character that a person plays there, else their nick."""
    return playing(desk, channel, who) or Character(who, nick, named=False)


def owned(desk: Desk, owner: str) -> list[Character]:
    """The characters of a person, or of a channel itself."""
    nodes = (kept.node for kept in desk.of(owner, "character"))
    return [Character(owner, node.name) for node in nodes if isinstance(node, Kept | Npc)]


def find(desk: Desk, channel: str, who: str, name: str) -> Character | None:
    """The character of that name: the speaker's own, one that is played there, or the channel's own."""
    return next((one for one in of_all(desk, channel, who) if folded(one.name) == folded(name)), None)


def of_all(desk: Desk, channel: str, who: str) -> list[Character]:
    """The characters whom a person may mean: their own, those that are played in the channel, and its own."""
    return [*owned(desk, who), *played(desk, channel)]
