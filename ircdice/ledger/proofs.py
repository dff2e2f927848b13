"""What is published of an epoch, and whether a record's dice are those that it was committed to (LED-13…LED-16)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import NamedTuple

import grammars
from grammars.fair import Stir
from ircdice.dice import Stamp
from ircdice.ledger.entry import Entry
from ircdice.ledger.packing import alike, unpack
from ircdice.ledger.record import Record
from ircdice.ledger.stream import commits_to, derived, mix_of, plainly_derived, stream_key


@dataclass(frozen=True, slots=True)
class Stirred:
    """What a `stir`, record `seq`, put into the stream of its channel from `generation` on."""

    network: str
    channel: str
    generation: int
    mix: bytes
    seq: int


@dataclass(frozen=True, slots=True)
class EpochProof:
    """An epoch as it is published: its commitment (32 bytes), its seed once it has ended, its stirs in order."""

    number: int
    commitment: bytes
    seed: bytes | None = field(default=None, repr=False)
    stirs: tuple[Stirred, ...] = ()

    @property
    def kept(self) -> bool:
        """Whether the seed, if published, is the one that was committed to."""
        return self.seed is None or commits_to(self.commitment, self.number, self.seed)


def stirred(record: Record) -> Stirred:
    """What that `stir` put into the stream; Refused where it was altered, and its text is none."""
    draft = record.draft
    node = grammars.parse(draft.text, called=True)
    if not isinstance(node, Stir):
        raise grammars.UnknownCommand
    try:
        mix = mix_of(draft.who, node.words)
    except OverflowError:  # nobody is called so
        raise grammars.UnknownCommand from None
    return Stirred(draft.network, draft.channel, draft.stamp.generation, mix, record.seq)


def stirs(records: Iterable[Record]) -> dict[int, tuple[Stirred, ...]]:
    """The stirs among `records`, by epoch, in order; one that cannot be read, being altered, is left out."""
    found: dict[int, tuple[Stirred, ...]] = {}
    for record in records:
        if record.draft.kind == "stir":
            epoch = record.draft.stamp.epoch
            with suppress(grammars.Refused):
                found[epoch] = (*found.get(epoch, ()), stirred(record))
    return found


def _posted(record: Record) -> bool:
    """Whether the words of a stir stand in its line, where all could read them."""
    try:
        mix = stirred(record).mix.decode()
    except grammars.Refused:
        return False
    return mix.removeprefix(f"{record.draft.who}:") in record.draft.line


_Name = tuple[int, str, str, int]  # epoch, network, channel, generation
_EVER = 2**64


class Stream(NamedTuple):
    """What is known of a stream: its key, and the stirs between which it was drawn from.

    The key is None where nothing is provable by it: there is no seed yet, or a stir is withheld.
    """

    key: bytes | None
    after: int
    until: int

    def fault(self, entry: Entry) -> str | None:
        """What speaks against the dice of a record that has some of this stream."""
        if self.key is None:
            return None
        if not self.after <= entry.seq <= self.until:
            return f"its dice are of generation {entry.generation}, which was not that of the time"
        draws = entry.draws
        if alike(draws) and plainly_derived(self.key, entry.counter, draws[1], draws[2:]):
            return None
        if not derived(self.key, Stamp(entry.epoch, entry.counter, entry.generation), unpack(draws)):
            return f"its dice are not those of epoch {entry.epoch}, number {entry.counter}"
        return None


class Streams:
    """The streams of those epochs whose seeds are published, by which the dice of records are proved.

    Another seed than was committed to proves nothing, and speaks against no record.
    """

    def __init__(self, epochs: Iterable[EpochProof]) -> None:
        self._epochs: Mapping[int, EpochProof] = {epoch.number: epoch for epoch in epochs if epoch.seed and epoch.kept}
        self._stirs = {
            (epoch.number, stir.network, stir.channel, stir.generation): stir
            for epoch in self._epochs.values()
            for stir in epoch.stirs
        }
        self._known: dict[_Name, Stream] = {}

    def fault(self, entry: Entry) -> str | None:
        """What speaks against a record's dice or stir, in words; None where all is proved or cannot be yet."""
        if entry.kind == "stir" and not _posted(entry.record):
            return "what it stirred in is not what it says"
        return self.of(entry).fault(entry) if entry.draws and entry.counter else None

    def of(self, entry: Entry) -> Stream:
        """The stream that its dice came from, if they came from an epoch's."""
        name = entry.epoch, entry.network, entry.channel, entry.generation
        known = self._known.get(name)
        return known or self._known.setdefault(name, self._made(*name))

    def _made(self, number: int, network: str, channel: str, generation: int) -> Stream:
        epoch, stir = self._epochs.get(number), self._stirs.get((number, network, channel, generation))
        following = self._stirs.get((number, network, channel, generation + 1))
        span = stir.seq if stir else 0, following.seq if following else _EVER
        if epoch is None or epoch.seed is None or (generation and stir is None):
            return Stream(None, *span)
        try:
            key = stream_key(epoch.seed, network, channel, generation, stir.mix if stir else b"")
        except OverflowError:  # no place is called so: its leaf tells
            return Stream(None, *span)
        return Stream(key, *span)
