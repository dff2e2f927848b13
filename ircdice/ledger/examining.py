"""One stretch of a ledger, looked at record by record (LED-16), with no need of those before it.

So stretches, and parts of them, can be looked at side by side, in processes of their own; `check` puts together what
they found.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain
from operator import attrgetter
from typing import Literal

from ircdice.ledger.canonical import Fields, fields, kept_leaf
from ircdice.ledger.counting import CounterKey
from ircdice.ledger.entry import WITHHELD, Entry
from ircdice.ledger.ids import tag_of
from ircdice.ledger.keys import TagKeys
from ircdice.ledger.proofs import Streams
from ircdice.ledger.record import Record

Damage = Literal["altered", "missing", "cut off", "reordered", "forked", "damaged"]
STRETCH = 4_096  # records
_MOST = 50  # findings of one kind that are told of a stretch
_PRIVATE = "private"


@dataclass(frozen=True, slots=True, order=True)
class Finding:
    """Something wrong: the first bad record, what was done, and how it shows; `seq` is 0 where none is to blame."""

    seq: int
    damage: Damage
    why: str

    def __str__(self) -> str:
        return f"{self.damage}: record {self.seq}: {self.why}" if self.seq else f"{self.damage}: {self.why}"


@dataclass(frozen=True, slots=True)
class Means:
    """What records are held against; None is not looked at. `rules` is the version whose verdicts must be the same."""

    streams: Streams
    rules: str
    tags: TagKeys | None = None


@dataclass(slots=True)
class Stretch:
    """What was found in the records behind `after`, or in some of them, as far as it shows without the others."""

    after: int
    seqs: list[int] = field(default_factory=list)  # those that are there, in order
    leaves: list[bytes] = field(default_factory=list)
    times: list[int] = field(default_factory=list)  # ms since 1970; 0 where the content is not here
    counted: list[tuple[int, CounterKey, int]] = field(default_factory=list)  # seq, place, counter
    hidden: list[int] = field(default_factory=list)  # records whose content is not here, which may have used a counter
    findings: list[Finding] = field(default_factory=list)
    unfit: list[Record] = field(default_factory=list)  # whose leaf is not theirs
    proved: int = 0  # commands whose dice are those of a published seed
    unproved: int = 0  # whose seed is not out
    unbound: list[int] = field(default_factory=list)  # rolls in a channel by no seed, and not secret

    @classmethod
    def joined(cls, parts: Sequence[Stretch]) -> Stretch:
        """What several found who had some of its records each."""
        if len(parts) == 1:
            return parts[0]
        each = sorted(chain.from_iterable(zip(part.seqs, part.leaves, part.times, strict=True) for part in parts))
        return cls(
            parts[0].after,
            [seq for seq, _, _ in each],
            [one for _, one, _ in each],
            [ts for _, _, ts in each],
            sorted(chain.from_iterable(part.counted for part in parts)),
            sorted(chain.from_iterable(part.hidden for part in parts)),
            sorted(chain.from_iterable(part.findings for part in parts)),
            sorted(chain.from_iterable(part.unfit for part in parts), key=attrgetter("seq")),
            sum(part.proved for part in parts),
            sum(part.unproved for part in parts),
            sorted(chain.from_iterable(part.unbound for part in parts)),
        )


def looked(means: Means, after: int, entries: Sequence[Entry]) -> Stretch:
    """What is found in records behind `after`."""
    stretch = Stretch(after, [entry.seq for entry in entries], [entry.leaf for entry in entries])
    stretch.times = [0 if entry.kind == WITHHELD else entry.ts for entry in entries]
    for entry in entries:
        if entry.kind != WITHHELD:
            _examine(means, stretch, entry)
        elif entry.text != _PRIVATE:  # those use no counter
            stretch.hidden.append(entry.seq)
    return stretch


def _examine(means: Means, stretch: Stretch, entry: Entry) -> None:
    """Where its dice come from, whether that can be proved, and whether it is what its leaf was made of."""
    seq, stream = entry.seq, None
    if entry.counter:
        stretch.counted.append((seq, _place(entry.epoch, entry.network, entry.channel), entry.counter))
        stream = means.streams.of(entry) if entry.draws else None
        if stream and stream.key is None:
            stretch.unproved += 1
        else:
            stretch.proved += 1
    elif entry.draws and not entry.private and entry.sealed_salt is None:
        stretch.unbound.append(seq)
    if (shared := _fitting(entry)) is None:
        stretch.unfit.append(entry.record)  # whatever else is wrong with it, that is why
        return
    why = means.streams.fault(entry) if entry.kind == "stir" else stream and stream.fault(entry)
    if why:
        _found(stretch, seq, why)
    if means.tags and entry.tag != tag_of(means.tags.key(seq), seq, *shared):
        _found(stretch, seq, "its tag is not of the ledger's key")


def _found(stretch: Stretch, seq: int, why: str) -> None:
    """Whoever altered a record whose leaf fits knew how leaves are made."""
    if len(stretch.findings) < _MOST:
        stretch.findings.append(Finding(seq, "altered", why))


def _fitting(entry: Entry) -> Fields | None:
    """What its tag is made of, if its leaf is made of it; of a number or length that no record can have none is."""
    try:
        shared = fields(entry)
        return shared if kept_leaf(entry, shared) == entry.leaf else None
    except (struct.error, OverflowError):
        return None


@lru_cache(maxsize=4_096)
def _place(epoch: int, network: str, channel: str) -> CounterKey:
    """One and the same for all records of it: it goes to another process once, and is written out once."""
    return epoch, network, channel
