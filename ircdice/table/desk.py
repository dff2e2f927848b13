"""The desk: stored values of the channels and users of a network, the latest record of each key (docs/design.md,
"Memory").

A key is `OWNER THING NAME`: the owner is a folded channel or a user's `who`, neither of which contains spaces.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any, TypeVar

import grammars
from grammars import Command
from grammars.channel import HouseRule, Value
from grammars.scenes import Scene, SceneEnd
from ircdice.errors import Refused
from ircdice.ledger.record import Record
from ircdice.settings import ChannelSettings, HouseRules

C = TypeVar("C", bound=Command)
log = logging.getLogger(__name__)
SETTING = "setting"
_JUDGING = frozenset(each.name for each in fields(HouseRules))
MOST_KEPT = 50  # values of one sort: of a user's macros or characters, a channel's decks, a character's trackers
MOST_OWNERS = 5_000  # channels and users in memory; others are read from the ledger when needed


def folded(name: str) -> str:
    """A name folded for comparison: `Old  Tom` is `old tom`."""
    return " ".join(name.casefold().split())


def key_of(owner: str, thing: str, *names: str) -> str:
    """A key: `~alice track viktor/hunger`. Names contain no slashes."""
    return f"{owner} {thing} {'/'.join(map(folded, names))}"


@dataclass(frozen=True, slots=True)
class Stored:
    """The latest record of a key, and its command."""

    record: Record
    node: Command


@dataclass(frozen=True, slots=True)
class Unreadable(Command):
    """Replaces a command that cannot be read, so that its key is empty."""

    removes = True


@dataclass(slots=True)
class Desk:
    """The stored values of one network. An owner's records must be `take`n before use.

    `whole` means that every record is applied, so that no owner is missing.
    """

    whole: bool = False
    seq: int | None = None  # the records of other processes are applied up to this number
    _owners: dict[str, dict[str, Stored]] = field(default_factory=dict)  # by key
    _ready: set[str] = field(default_factory=set)

    def missing(self, owners: Iterable[str]) -> list[str]:
        """The owners whose records are not loaded yet; records applied in the meantime are not lost."""
        for owner in dict.fromkeys(owners):
            self._owners[owner] = self._owners.pop(owner, {})  # move to the end: dropped last
        return [owner for owner in dict.fromkeys(owners) if owner not in self._ready]

    def is_ready(self, owner: str) -> bool:
        """Whether that owner's records are loaded."""
        return owner in self._ready

    def take(self, owners: Iterable[str], records: Iterable[Record]) -> None:
        """Load the latest records of those owners' keys."""
        for record in records:
            self.apply(record)
        self._ready.update(owners)
        for owner in list(self._owners)[:-MOST_OWNERS]:
            del self._owners[owner]
            self._ready.discard(owner)

    def apply(self, record: Record) -> None:
        """Apply a record of any process; if it cannot be read, log it and treat its key as empty."""
        key = record.draft.key
        owner = key.partition(" ")[0]
        last = self.last(key)
        if key and (self.whole or owner in self._owners) and (last is None or record.seq > last.record.seq):
            self._owners.setdefault(owner, {})[key] = Stored(record, _read(record))

    def get(self, key: str) -> Stored | None:
        """The value of a key; None if it has none, or no longer."""
        stored = self.last(key)
        return None if stored is None or stored.node.removes else stored

    def last(self, key: str) -> Stored | None:
        """The latest record of a key, even if it removed the value."""
        return self._owners.get(key.partition(" ")[0], {}).get(key)

    def node(self, key: str, kind: type[C]) -> C | None:
        """The value of a key, if it is a command of that kind."""
        stored = self.get(key)
        return stored.node if stored and isinstance(stored.node, kind) else None

    def of(self, owner: str, thing: str, *names: str) -> Iterator[Stored]:
        """An owner's values of one sort, for a character if named, sorted by key."""
        prefix = key_of(owner, thing, *names, "")
        keys = [key for key in self._owners.get(owner, {}) if key.startswith(prefix)]
        return (stored for key in sorted(keys) if (stored := self.get(key)))

    def nodes(self, kind: type[C], owner: str, thing: str, *names: str) -> Iterator[C]:
        """The values from `of` that are commands of that kind."""
        return (stored.node for stored in self.of(owner, thing, *names) if isinstance(stored.node, kind))

    def is_full(self, key: str) -> bool:
        """Whether the key has no value, and its owner no room for more of that kind; for trackers, that character."""
        owner, thing, name = key.split(" ", 2)
        return self.get(key) is None and len(list(self.of(owner, thing, *name.split("/")[:-1]))) >= MOST_KEPT

    def seen(self, *keys: str) -> Mapping[str, int]:
        """The latest known record of each of those keys, for `Ledger.append_all`."""
        return {key: stored.record.seq if (stored := self.last(key)) else 0 for key in keys}


def _read(record: Record) -> Command:
    draft = record.draft
    try:
        return grammars.read(draft.words, draft.terms.system, True).node
    except Refused:
        log.exception("record %d cannot be read and is ignored", record.seq, extra={"network": draft.network})
        return Unreadable()


# The house rules of a channel: those of the config, overridden by those set in the channel (DSK-10).


def rule_key(channel: str, name: str) -> str:
    """One house rule of a channel."""
    return key_of(channel, SETTING, name)


def set_here(desk: Desk, channel: str, configured: ChannelSettings) -> dict[str, Any]:
    """The settings made in the channel that apply, by name; empty if the config does not allow any."""
    rules = desk.nodes(HouseRule, channel, SETTING) if configured.settings_by_storyteller else ()
    values = {rule.name: rule.value for rule in rules if rule.name}
    return {name: value for name, value in values.items() if name != "system" or may_play(value, configured)}


def may_play(game: Value, configured: ChannelSettings) -> bool:
    """Whether the config allows that game in the channel."""
    return not configured.systems or game in configured.systems


def settings_of(desk: Desk, channel: str, configured: ChannelSettings) -> ChannelSettings:
    """The settings of a channel, where those made there override the config."""
    here = set_here(desk, channel, configured)
    judging = {name: value for name, value in here.items() if name in _JUDGING}
    others = {name: value for name, value in here.items() if name not in _JUDGING}
    return replace(configured, **others, house=replace(configured.house, **judging)) if here else configured


def value_of(settings: ChannelSettings, name: str) -> Value:
    """The value of a house rule."""
    value: Value = (asdict(settings) | asdict(settings.house))[name]
    return value


# The scenes of a channel (DSK-08).


def scene_key(channel: str) -> str:
    """The current or last scene."""
    return key_of(channel, "scene")


def open_scene(desk: Desk, channel: str) -> Scene | None:
    """The open scene in a channel; its number distinguishes scenes with the same name."""
    return desk.node(scene_key(channel), Scene)


def last_scene_number(desk: Desk, channel: str) -> int:
    """The number of the latest scene; 0 before the first."""
    last = desk.node(scene_key(channel), Scene) or desk.node(scene_key(channel), SceneEnd)
    return (last.number if last else None) or 0
