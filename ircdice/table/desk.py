"""What the channels and people of a network keep: the latest record of each key (docs/design.md, "Memory").

A key is `OWNER THING NAME`: the owner is a channel, folded, or a person's `who`, neither of which has a space.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

import grammars
from grammars import Command
from ircdice.errors import Refused
from ircdice.ledger.record import Record

C = TypeVar("C", bound=Command)
log = logging.getLogger(__name__)
MOST_OWNERS = 5_000  # channels and people kept ready; any other is read from the ledger when it is wanted


def folded(name: str) -> str:
    """A name as it is compared: `Old  Tom` is `old tom`."""
    return " ".join(name.casefold().split())


def key_of(owner: str, thing: str, *names: str) -> str:
    """The key of one thing: `~alice track viktor/hunger`. No name has a slash."""
    return f"{owner} {thing} {'/'.join(map(folded, names))}"


@dataclass(frozen=True, slots=True)
class Kept:
    """The latest record of a key, and the command that it holds."""

    record: Record
    node: Command


@dataclass(frozen=True, slots=True)
class Unreadable(Command):
    """In place of a command that cannot be read: its key holds nothing."""

    removes = True


@dataclass(slots=True)
class Desk:
    """What is kept on one network. Before an owner's things are asked for, their records must have been `take`n.

    `whole`: every record is applied, so that no owner need be asked for.
    """

    whole: bool = False
    seq: int | None = None  # whatever others recorded up to that number is taken into account
    _owners: dict[str, dict[str, Kept]] = field(default_factory=dict)  # by key
    _ready: set[str] = field(default_factory=set)

    def missing(self, owners: Iterable[str]) -> list[str]:
        """Those owners whose records are still to be taken; what is applied meanwhile is not lost."""
        for owner in dict.fromkeys(owners):
            self._owners[owner] = self._owners.pop(owner, {})  # used last, dropped last
        return [owner for owner in dict.fromkeys(owners) if owner not in self._ready]

    def is_ready(self, owner: str) -> bool:
        """Whether the things of that owner are loaded."""
        return owner in self._ready

    def take(self, owners: Iterable[str], records: Iterable[Record]) -> None:
        """The latest records of the keys of those owners."""
        for record in records:
            self.apply(record)
        self._ready.update(owners)
        for owner in list(self._owners)[:-MOST_OWNERS]:
            del self._owners[owner]
            self._ready.discard(owner)

    def apply(self, record: Record) -> None:
        """Take one more record of any process into account; one that cannot be read is logged and keeps nothing."""
        key = record.draft.key
        owner = key.partition(" ")[0]
        if key and record.seq > self.seen(key)[key] and (self.whole or owner in self._owners):
            self._owners.setdefault(owner, {})[key] = Kept(record, _read(record))

    def get(self, key: str) -> Kept | None:
        """What a key holds; None where it holds nothing, or no longer."""
        kept = self.last(key)
        return None if kept is None or kept.node.removes else kept

    def last(self, key: str) -> Kept | None:
        """The latest record of a key, though it may have removed what was kept."""
        return self._owners.get(key.partition(" ")[0], {}).get(key)

    def node(self, key: str, kind: type[C]) -> C | None:
        """The command of that kind that a key holds."""
        kept = self.get(key)
        return kept.node if kept and isinstance(kept.node, kind) else None

    def of(self, owner: str, thing: str, *names: str) -> Iterator[Kept]:
        """What an owner keeps of one sort, of a character where one is named, in the order of the keys."""
        prefix = key_of(owner, thing, *names, "")
        found = [key for key in self._owners.get(owner, {}) if key.startswith(prefix)]
        return (kept for key in sorted(found) if (kept := self.get(key)))

    def nodes(self, kind: type[C], owner: str, thing: str, *names: str) -> Iterator[C]:
        """The commands of that kind among what `of` gives."""
        return (kept.node for kept in self.of(owner, thing, *names) if isinstance(kept.node, kind))

    def seen(self, *keys: str) -> Mapping[str, int]:
        """The latest record of each of those keys as it is known here, for `Ledger.append_all`."""
        return {key: kept.record.seq if (kept := self.last(key)) else 0 for key in keys}


def _read(record: Record) -> Command:
    draft = record.draft
    text = draft.sealed.text if draft.sealed else draft.text
    try:
        return grammars.read(text, draft.terms.system, True).node
    except Refused:
        log.exception("record %d cannot be read and is ignored", record.seq, extra={"network": draft.network})
        return Unreadable()
