"""The rolls of a channel at hand: by their records, by whoever threw them, and those that wait. Judges none."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass, field

from ircdice.ledger.record import Record
from ircdice.table.chain import Chain, Laid, Thrown
from ircdice.table.seats import Seats

KEPT = 50  # rolls kept in any case; older ones only while something may still follow them


@dataclass(slots=True)
class Rolls:
    """Rolls and contests, the oldest first. `waiting` are those that want an answer, `unasked` those that ask nobody by
    name and may be answered all the same: by their numbers, as going through all rolls with every command takes ms."""

    waiting: dict[int, Chain] = field(default_factory=dict)
    unasked: dict[int, Chain] = field(default_factory=dict)
    # By every record's seq. Ordered: a dict looks for its oldest behind all that went before.
    _of_record: OrderedDict[int, Chain | Laid] = field(default_factory=OrderedDict)
    _seats: Seats = field(default_factory=Seats)
    forgotten: int = 0  # the last record that was dropped for its age

    def get(self, seq: int) -> Chain | None:
        """The roll that a record belongs to, if it is remembered."""
        found = self._of_record.get(seq)
        if isinstance(found, Laid):
            found = self._of_record[seq] = found.taken_up()
        return found

    def put(self, seq: int, chain: Chain) -> None:
        """The next record is of that roll."""
        self._of_record[seq] = chain

    def lay(self, record: Record, thrown: Thrown) -> None:
        """The next record is a roll that nothing has followed."""
        self._of_record[record.seq] = Laid(record, thrown)
        self._seats.sit(record.draft.who, record.seq)

    def enter(self, chain: Chain, *, unasked: bool) -> None:
        """Keep true whose a roll is and what it waits for; `unasked` as above."""
        seq = chain.root.seq
        self._seats.add(chain)
        self.waiting.pop(seq, None)
        self.unasked.pop(seq, None)
        if chain.waiting:
            self.waiting[seq] = chain
        elif unasked:
            self.unasked[seq] = chain

    def strike(self, chain: Chain) -> None:
        """As if it had never been rolled."""
        for record in (*chain.records, *chain.endings):
            self._of_record.pop(record.seq, None)
        self._leave(chain)

    def forget(self, now: int, longest: int, waiting: int) -> None:
        """Drop the oldest once their last record is `longest` ms old, or `waiting` ms if a contest waits.

        Nothing can follow or end them any more; the ledger still has them.
        """
        while len(self._of_record) > KEPT:
            seq, oldest = next(iter(self._of_record.items()))
            if now - oldest.touched <= (waiting if seq in self.waiting else longest):
                return
            del self._of_record[seq]
            self.forgotten = seq
            if isinstance(oldest, Laid):
                self._seats.rise(oldest.record.draft.who, seq)
            else:
                self._leave(oldest)

    def _leave(self, chain: Chain) -> None:
        self._seats.remove(chain)
        self.waiting.pop(chain.root.seq, None)
        self.unasked.pop(chain.root.seq, None)

    def newest_first(self) -> Iterator[Chain]:
        """Each once."""
        return (chain for seq in reversed(self._of_record) if (chain := self.get(seq)) and seq == chain.root.seq)

    def latest(self) -> Chain | None:
        """The roll whose record that stands is the last; what ended one does not stand."""
        found = ((seq, chain) for seq in reversed(self._of_record) if (chain := self.get(seq)))
        return next((chain for seq, chain in found if seq == chain.latest.seq), None)

    def followed_since(self, ts: int) -> Iterator[tuple[Record, Chain]]:
        """What followed a roll, answered or ended it after a moment (ms since 1970), the newest first, with that roll.

        Numbers and times go up together: only what is young enough is looked at.
        """
        for seq, roll in reversed(self._of_record.items()):
            record = roll.record if isinstance(roll, Laid) else roll.record(seq)
            if record.ts <= ts:
                return
            if isinstance(roll, Chain) and record is not roll.root:
                yield record, roll

    def thrown_by(self, *names: str) -> Iterator[tuple[int, Chain]]:
        """The rolls of which one of these may have thrown dice, with the record of those dice, the last first."""
        return ((seq, chain) for seq in self._seats.of(*names) if (chain := self.get(seq)))
