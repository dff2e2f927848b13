"""An export taken into an empty ledger (LED-07): the same records, leaves and roots, or nothing. Knows no database."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from ircdice.errors import ExportError, NoteError
from ircdice.ledger.canonical import leaf
from ircdice.ledger.counting import Counters
from ircdice.ledger.export import FORMAT
from ircdice.ledger.export_line import Item, epoch_of, key_of, parsed, record_of
from ircdice.ledger.merkle import Tree
from ircdice.ledger.notes import Checkpoint, Trust, VerifyingKey
from ircdice.ledger.progress import Progress
from ircdice.ledger.promised import Listed
from ircdice.ledger.proofs import EpochProof
from ircdice.ledger.record import Record
from ircdice.ledger.sealing import sealed_hash

_TOGETHER = 1_000  # records handed over at once
_MALFORMED = (KeyError, TypeError, ValueError, AttributeError, OverflowError, struct.error)


class Sink(Protocol):
    """The empty ledger that is filled; whoever makes one undoes all of it where `take_in` raises."""

    def records(self, records: Sequence[Record]) -> None:
        """The next records."""
        ...

    def checkpoint(self, checkpoint: Checkpoint, note: str, frontier: tuple[bytes, ...]) -> None:
        """The next checkpoint, with the tree of its size; without one where its records were given up (LED-12)."""
        ...

    def epoch(self, epoch: EpochProof, begun: int | None) -> None:
        """An epoch; `begun` in ms since 1970, None where it has not begun."""
        ...


@dataclass(frozen=True, slots=True)
class Imported:
    """What was taken in."""

    origin: str
    key: VerifyingKey
    records: int
    withheld: int  # of these, how many without their content
    checkpoints: int
    root: bytes


def take_in(
    lines: Iterable[str], sink: Sink, progress: Progress | None = None, key: VerifyingKey | None = None
) -> Imported:
    """Read an export into `sink`. ExportError where it is damaged, or not signed by `key`; None believes its own."""
    reading = _Reading(sink, key)
    for number, line in enumerate(_decoded(lines), 1):
        try:
            reading.line(parsed(line))
        except ExportError as error:
            raise ExportError(f"line {number} of the export {error}") from error
        except _MALFORMED as error:
            raise ExportError(f"line {number} of the export holds a value that no ledger can hold.") from error
        if progress and reading.tree.size % _TOGETHER == 0:
            progress(reading.tree.size)
    return reading.end()


def _decoded(lines: Iterable[str]) -> Iterator[str]:
    number = 0
    try:
        for number, line in enumerate(lines, 1):  # noqa: B007  told where the next one cannot be read
            yield line
    except UnicodeDecodeError as error:
        raise ExportError(f"the export is no UTF-8 somewhere behind line {number}.") from error


class _Reading:
    """An export as far as it was read."""

    def __init__(self, sink: Sink, key: VerifyingKey | None) -> None:
        self._sink, self._key = sink, key
        self._trust: Trust | None = None
        self.tree = Tree()
        self._ts = self._withheld = self._checkpoints = 0
        self._waiting: list[Record] = []
        self._ahead: list[int] = []  # sizes of checkpoints that count what is not there
        self._unlike: list[int] = []  # and of those that count other records
        self._begun: dict[int, int] = {}
        self._counters, self._hidden = Counters(), 0
        self._epochs = Listed()

    def line(self, item: Item) -> None:
        kind = item["type"]
        if self._trust is None:
            self._log(item)
        elif kind == "log":
            raise ExportError("is the log of a second export.")
        elif kind in ("record", "checkpoint") and self._epochs.last:
            raise ExportError(f"is a {kind}, and behind the epochs.")
        elif kind == "record":
            self._record(item)
        elif kind == "checkpoint":
            self._checkpoint(item["note"], self._trust)
        elif kind == "epoch":
            self._epoch(epoch_of(item))

    def end(self) -> Imported:
        self._hand_over()
        if self._trust is None or self._key is None:
            raise ExportError("the export is empty.")
        if self._unlike:
            raise ExportError(f"the first {self._unlike[0]} records are not those that a checkpoint counts.")
        if self._ahead:
            what = "is cut off" if self._ahead[0] > self.tree.size else "is out of order, behind other records"
            raise ExportError(f"the export {what}: a checkpoint counts {self._ahead[0]} records.")
        self._epochs.end()
        if self.tree.size and not self._checkpoints:
            raise ExportError("no checkpoint stands in the export: nobody has signed it.")
        counts = self.tree.size, self._withheld, self._checkpoints
        return Imported(self._key.name, self._key, *counts, self.tree.root())

    def _log(self, item: Item) -> None:
        if item["type"] != "log" or item["format"] != FORMAT:
            raise ExportError(f"is not how one begins, with a log that says {FORMAT}.")
        key = key_of(item)
        if self._key not in (None, key):
            raise ExportError(f"is of another ledger, {key}.")
        self._key, self._trust = key, Trust(key)

    def _record(self, item: Item) -> None:
        record = record_of(item, self._ts)
        if record.seq != self.tree.size + 1:
            raise ExportError(f"is record {record.seq}, and behind record {self.tree.size}.")
        if not record.redacted and not _is_own(record, item["sealed"]):
            raise ExportError(f"is record {record.seq}, which was altered: its leaf is another.")
        if record.ts < self._ts:
            raise ExportError(f"is record {record.seq}, which is older than the one before it.")
        self._ts = record.ts
        self._count(record)
        self._withheld += record.redacted
        self.tree.append(record.leaf)
        self._waiting.append(record)
        if len(self._waiting) == _TOGETHER:
            self._hand_over()

    def _epoch(self, epoch: EpochProof) -> None:
        self._epochs.list(epoch)
        self._sink.epoch(epoch, self._begun.get(epoch.number))

    def _count(self, record: Record) -> None:
        """LED-14: a number that is left out or comes twice was drawn, and nothing told of it."""
        draft, stamp = record.draft, record.draft.stamp
        self._hidden += record.redacted and draft.text != "private"  # those use no counter
        if record.redacted or not stamp.counter:
            return
        self._epochs.drew(stamp.epoch, record.seq)
        place = stamp.epoch, draft.network, draft.channel
        last, missing = self._counters.take(place, stamp.counter, self._hidden)
        if missing or stamp.counter <= last:
            where = f"epoch {stamp.epoch} in {draft.channel}"
            raise ExportError(
                f"is record {record.seq}: its counter is {stamp.counter}, the last of {where} was {last}."
            )

    def _hand_over(self) -> None:
        if self._waiting:
            self._sink.records(self._waiting)
            self._waiting = []

    def _checkpoint(self, note: str, trust: Trust) -> None:
        try:
            checkpoint = trust.believe(note)
        except NoteError as error:
            raise ExportError(f"is no checkpoint, behind record {self.tree.size}: {error}.") from error
        if checkpoint.lost is not None:
            self._ahead = [size for size in self._ahead if size < checkpoint.lost]
            self._unlike = [size for size in self._unlike if size < checkpoint.lost]
        here = checkpoint.size == self.tree.size and checkpoint.root == self.tree.root()
        if not here:
            (self._unlike if checkpoint.size == self.tree.size else self._ahead).append(checkpoint.size)
        self._epochs.promises.told(checkpoint)
        self._begun |= dict(checkpoint.epochs)
        self._checkpoints += 1
        self._hand_over()
        self._sink.checkpoint(checkpoint, note, self.tree.frontier if here else ())


def _is_own(record: Record, sealed: str) -> bool:
    """Whether it is what its leaf was made of, and of what it has sealed; of half a character no leaf was made."""
    try:
        opened = sealed_hash(record.draft.sealed).hex() if record.draft.sealed else ""
        return record.leaf == leaf(record) and opened == sealed
    except (struct.error, OverflowError, UnicodeError):
        return False
