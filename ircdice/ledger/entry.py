"""A record as its row has it: of millions that are gone through few are wanted as anything else. Judges nothing."""

from __future__ import annotations

from dataclasses import dataclass

from ircdice.dice import UNSTAMPED, DiceSource, RecordedDice, RecordedFaces, Stamp
from ircdice.ledger.packing import alike, pack, unpack
from ircdice.ledger.record import Draft, Record, RecordKind, Sealed
from ircdice.ledger.terms import Terms
from ircdice.making import maker

_draft, _record = maker(Draft), maker(Record)
WITHHELD: RecordKind = "withheld"  # a record whose content was taken away, or is not here (LED-25)


@dataclass(slots=True)
class Entry:
    """The columns of a record, and what its place was set to; nobody alters one.

    A `Record` and its draft take five times as long to be made, frozen as they are.
    """

    seq: int
    ts: int
    kind: RecordKind
    ref: int
    epoch: int
    counter: int
    generation: int
    network: str
    channel: str
    nick: str
    who: str
    text: str
    draws: bytes  # packing.pack
    line: str
    blind: bytes
    rules: str
    tag: str
    leaf: bytes
    sealed_text: str | None
    sealed_salt: bytes | None
    held: Terms

    @classmethod
    def of(cls, record: Record) -> Entry:
        """The entry of a record that is at hand."""
        draft, stamp = record.draft, record.draft.stamp
        sealed = (draft.sealed.text, draft.sealed.salt) if draft.sealed else (None, None)
        return cls(
            *(record.seq, record.ts, draft.kind, draft.ref, stamp.epoch, stamp.counter, stamp.generation),
            *(draft.network, draft.channel, draft.nick, draft.who, draft.text, pack(draft.draws), draft.line),
            *(record.blind, record.rules, record.tag, record.leaf, *sealed, Terms.of(draft)),
        )

    @property
    def private(self) -> bool:
        """As a draft's."""
        return self.channel.startswith("@")

    @property
    def dice(self) -> DiceSource:
        """Its draws, to be drawn again."""
        packed = self.draws
        return RecordedFaces(packed[1], packed[2:]) if alike(packed) else RecordedDice(unpack(packed))

    @property
    def record(self) -> Record:
        """The record. ValueError where its dice are none that were packed."""
        stamp = Stamp(self.epoch, self.counter, self.generation) if self.epoch or self.generation else UNSTAMPED
        sealed = None if self.sealed_salt is None else Sealed(self.sealed_text or "", self.sealed_salt)
        draft = _draft(
            *(self.kind, self.network, self.channel, self.nick, self.who, self.text, unpack(self.draws), self.line),
            *(self.ref, self.held.system, self.held.house, self.held.official, stamp, sealed),
            self.held.casemapping,
        )
        return _record(self.seq, self.ts, draft, self.tag, self.blind, self.rules, self.leaf)
