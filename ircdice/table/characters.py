"""The characters of a channel and the numbers that are tracked of them, as the desk has them (DSK-01, DSK-02).

The key `CHANNEL play WHO` says whom a person plays there, `WHO character NAME` that a character is theirs on the whole
network, and `CHANNEL character NAME` that one is the channel's own. A number has the key `OWNER track CHARACTER/NAME`,
a hidden one `OWNER hidden CHARACTER/NAME`; the character is empty for a nick without one, and for the channel's own.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

from grammars.characters import Character as Kept
from grammars.characters import Npc, Play
from grammars.trackers import LARGEST, Level, Track
from ircdice.errors import RuleError
from ircdice.table.desk import Desk, folded, key_of

MOST_RENAMED = 10  # names that are followed to the one of now
MOST_TRACKERS = 30  # of one character, or of a channel
CHANNEL = "channel"  # how the channel's own are called


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
    played = (playing(desk, channel, each) for each in players(desk, channel))
    here = (one for one in played if one and folded(one.name) == folded(name))
    return _own(desk, who, name) or next(here, None) or _own(desk, channel, name)


def _own(desk: Desk, owner: str, name: str) -> Character | None:
    """The character of that name that a person or a channel has."""
    kept = desk.get(character_key(owner, name))
    return Character(owner, kept.node.name) if kept and isinstance(kept.node, Kept | Npc) else None


def of_all(desk: Desk, channel: str, who: str) -> list[Character]:
    """The characters whom a person may mean: their own, those that are played in the channel, and its own."""
    return [*owned(desk, who), *played(desk, channel)]


class Bounds(NamedTuple):
    """The highest number that a tracker of a game may have. `left`: it counts what is left of what it begins with."""

    highest: int = LARGEST
    left: bool = False


BOUNDS = {"hunger": Bounds(5), "luck": Bounds(7, left=True), "willpower": Bounds(left=True)}  # V5-05, SC-18


@dataclass(frozen=True, slots=True)
class Tracker:
    """One number that is kept."""

    of: Character
    name: str
    level: Level
    hidden: bool = False

    @property
    def shared(self) -> bool:
        """Whether it is the channel's own."""
        return self.of == the_channel(self.of.owner)

    def shown(self, *, named: bool = True) -> str:
        """`Viktor: hunger 3`, or without whose it is."""
        return f"{self.of.name}: {self.name} {self.level}" if named else f"{self.name} {self.level}"


def the_channel(channel: str) -> Character:
    """What has the trackers of a channel itself."""
    return Character(channel, CHANNEL, named=False)


def tracker_key(of: Character, name: str, *, hidden: bool = False) -> str:
    """Where a tracker is kept."""
    return key_of(of.owner, "hidden" if hidden else "track", of.name if of.named else "", name)


def trackers(desk: Desk, of: Character, *, hidden: bool = False) -> Iterator[Tracker]:
    """Those of a character, of a nick or of a channel, in the order of their names."""
    for node in desk.nodes(Track, of.owner, "hidden" if hidden else "track", of.name if of.named else ""):
        if node.level is not None:
            yield Tracker(of, node.name, node.level, hidden)


def tracker(desk: Desk, of: Character, name: str, *, hidden: bool = False) -> Tracker | None:
    """The one of that name."""
    node = desk.node(tracker_key(of, name, hidden=hidden), Track)
    return Tracker(of, node.name, node.level, hidden) if node and node.level else None


def changed(node: Track, current: Tracker | None) -> Track:
    """The command with the number that the tracker has from now on, and what it was. RuleError where it cannot be."""
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
    """What a tracker of that name may be."""
    return BOUNDS.get(name, Bounds())


def within(name: str, value: int, most: int | None) -> Level:
    """RuleError for a number out of bounds: it is refused, never clamped."""
    highest = bounds_of(name).highest
    if most is not None and most > highest:
        raise RuleError(f"{name} is at most {highest}, not {most}.")
    if not 0 <= value <= (highest if most is None else most):
        raise RuleError(f"{name} is 0 to {highest if most is None else most}, and that would be {value}.")
    return Level(value, most)
