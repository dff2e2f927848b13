"""Numbers that are kept of a character or a channel (DSK-02).

The key is `OWNER track CHARACTER/NAME`; the character is empty for a nick without one, and for the channel's
own. What is hidden has `hidden` in place of `track`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

from grammars.characters import LARGEST, Level, Track
from ircdice.errors import RuleError
from ircdice.table.characters import Character
from ircdice.table.desk import Desk, key_of

MOST_TRACKERS = 30  # of one character, or of a channel
CHANNEL = "channel"  # how the channel's own are called


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


def changed(node: Track, now: Tracker | None) -> Track:
    """The command with the number that the tracker has from now on, and what it was. RuleError where it cannot be."""
    name, before = now.name if now else node.name.lower(), now.level if now else None
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
