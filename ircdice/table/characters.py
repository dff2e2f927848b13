"""The characters of a channel and their trackers, from the desk (DSK-01, DSK-02).

The key `CHANNEL play WHO` holds the character that a user plays there, `WHO character NAME` a character of theirs on
the whole network, and `CHANNEL character NAME` one of the channel's own. A tracker has the key
`OWNER track CHARACTER/NAME`, a hidden one `OWNER hidden CHARACTER/NAME`; the character is empty for a nick without
one, and for the channel's own.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

from grammars.characters import Character as CharacterCommand
from grammars.characters import Npc, Play
from grammars.trackers import LARGEST, Level, Track
from ircdice.errors import RuleError
from ircdice.table.desk import Desk, folded, key_of

MOST_RENAMED = 10  # renames to follow
CHANNEL = "channel"  # the name shown for the channel's own


@dataclass(frozen=True, slots=True)
class Character:
    """An actor: `owner` is a user's `who`, or the channel.

    `named` means a character; otherwise the name is the nick of a user who plays none.
    """

    owner: str
    name: str
    named: bool = True

    @property
    def player(self) -> str:
        """The name of a user's account, or else their nick."""
        return self.owner.removeprefix("~")

    def whose(self, channel: str) -> str:
        """`bob's`, or `a character of this channel`."""
        return "a character of this channel" if self.owner == channel else f"{self.player}'s"


def play_key(channel: str, who: str) -> str:
    """The key of the character that a user plays in a channel."""
    return f"{channel} play {who}"


def character_key(owner: str, name: str) -> str:
    """The key of an owner's character."""
    return key_of(owner, "character", name)


def players(desk: Desk, channel: str) -> list[str]:
    """The `who` of all players in a channel; their own keys need not be loaded."""
    return [stored.record.draft.key.split(" ", 2)[2] for stored in desk.of(channel, "play")]


def played(desk: Desk, channel: str) -> list[Character]:
    """The characters played in a channel, and its own."""
    characters = (playing(desk, channel, who) for who in players(desk, channel))
    return [*filter(None, characters), *owned(desk, channel)]


def playing(desk: Desk, channel: str, who: str) -> Character | None:
    """The character that a user plays there, by its current name."""
    plays = desk.node(play_key(channel, who), Play)
    name = plays.name if plays else None
    for _ in range(MOST_RENAMED):
        if name is None:
            return None
        last = desk.last(character_key(who, name))
        if last is None or not isinstance(last.node, CharacterCommand):
            return Character(who, name)
        if not last.node.removes:
            return Character(who, last.node.name)
        name = last.node.new
    return None


def acting(desk: Desk, channel: str, who: str, nick: str) -> Character:
    """The character that a user plays there, or else their nick."""
    return playing(desk, channel, who) or Character(who, nick, named=False)


def owned(desk: Desk, owner: str) -> list[Character]:
    """The characters of a user or of a channel."""
    nodes = (stored.node for stored in desk.of(owner, "character"))
    return [Character(owner, node.name) for node in nodes if isinstance(node, CharacterCommand | Npc)]


def find(desk: Desk, channel: str, who: str, name: str) -> Character | None:
    """The character with that name: the speaker's own, one played there, or the channel's own."""
    return next((each for each in of_all(desk, channel, who) if folded(each.name) == folded(name)), None)


def of_all(desk: Desk, channel: str, who: str) -> list[Character]:
    """The characters that a user may mean: their own, those played in the channel, and the channel's own."""
    return [*owned(desk, who), *played(desk, channel)]


class Bounds(NamedTuple):
    """The highest value of a game's tracker. `left` means that it counts down from its initial value."""

    highest: int = LARGEST
    left: bool = False


BOUNDS = {"hunger": Bounds(5), "luck": Bounds(7, left=True), "willpower": Bounds(left=True)}  # V5-05, SC-18


@dataclass(frozen=True, slots=True)
class Tracker:
    """One tracker."""

    of: Character
    name: str
    level: Level
    hidden: bool = False

    @property
    def shared(self) -> bool:
        """Whether it is the channel's own."""
        return self.of == the_channel(self.of.owner)

    @property
    def most(self) -> int:
        """The highest value that it can have."""
        return bounds_of(self.name).highest if self.level.most is None else self.level.most

    def shown(self, *, named: bool = True) -> str:
        """`Viktor: hunger 3`, or without the owner."""
        return f"{self.of.name}: {self.name} {self.level}" if named else f"{self.name} {self.level}"


def the_channel(channel: str) -> Character:
    """The pseudo-character that owns a channel's trackers."""
    return Character(channel, CHANNEL, named=False)


def tracker_key(of: Character, name: str, *, hidden: bool = False) -> str:
    """The key of a tracker."""
    return key_of(of.owner, "hidden" if hidden else "track", of.name if of.named else "", name)


def trackers(desk: Desk, of: Character, *, hidden: bool = False) -> Iterator[Tracker]:
    """The trackers of a character, a nick or a channel, sorted by name."""
    for node in desk.nodes(Track, of.owner, "hidden" if hidden else "track", of.name if of.named else ""):
        if node.level is not None:
            yield Tracker(of, node.name, node.level, hidden)


def tracker(desk: Desk, of: Character, name: str, *, hidden: bool = False) -> Tracker | None:
    """The tracker with that name."""
    node = desk.node(tracker_key(of, name, hidden=hidden), Track)
    return Tracker(of, node.name, node.level, hidden) if node and node.level else None


def changed(node: Track, current: Tracker | None) -> Track:
    """The command with the new value of the tracker, and the old one. RuleError if impossible."""
    name, before = current.name if current else node.name.lower(), current.level if current else None
    after = node.level
    if node.change is not None and before is not None:
        after = within(name, before.value + node.change, before.most)
    elif after is not None:
        most = after.most if after.most is not None else before.most if before else None
        if most is None and bounds_of(name).left:
            most = after.value
        after = within(name, after.value, most)
    return replace(node, name=name, level=after, change=None, before=before, channel=None)


def bounds_of(name: str) -> Bounds:
    """The bounds of a tracker."""
    return BOUNDS.get(name, Bounds())


def within(name: str, value: int, most: int | None) -> Level:
    """The level with that value, which is never clamped. RuleError if it is out of bounds."""
    highest = bounds_of(name).highest
    if most is not None and most > highest:
        raise RuleError(f"{name} is at most {highest}, not {most}.")
    if not 0 <= value <= (highest if most is None else most):
        raise RuleError(f"{name} is 0 to {highest if most is None else most}, and that would be {value}.")
    return Level(value, most)
