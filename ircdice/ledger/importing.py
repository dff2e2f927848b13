"""An export taken into an empty ledger (LED-07): the same records, leaves and roots, or nothing. Knows no database."""

from __future__ import annotations

import json
import struct
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, cast, get_args

from ircdice.dice import Stamp
from ircdice.errors import ExportError, NoteError
from ircdice.ledger.canonical import leaf
from ircdice.ledger.counting import Counters
from ircdice.ledger.export import FORMAT
from ircdice.ledger.merkle import Tree
from ircdice.ledger.notes import Checkpoint, Trust, VerifyingKey, debase64
from ircdice.ledger.proofs import EpochProof
from ircdice.ledger.record import Draft, Record, RecordKind, Sealed, Withheld
from ircdice.ledger.sealing import sealed_hash

_TOGETHER = 1_000  # records handed over at once
_MALFORMED = (KeyError, TypeError, ValueError, AttributeError, OverflowError, RecursionError, struct.error)
_WITHHELD = {"type", "seq", "leaf", "withheld"}  # all that a record holds that may not be shown
_FORM: dict[str, type] = {  # and what one holds that is shown: nothing else would be bound by its leaf
    **dict.fromkeys(("seq", "ts", "ref", "epoch", "counter", "generation"), int),
    **dict.fromkeys(("type", "kind", "network", "channel", "nick", "who", "text", "line", "rules", "tag"), str),
    **dict.fromkeys(("sealed", "blind", "leaf"), str),
    "draws": list,
}
_SHOWN = frozenset(_FORM)
_OPENED = _SHOWN | {"salt", "opened"}  # beside what was sealed
Progress = Callable[[int], None]  # told how many records were read


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
            reading.line(number, json.loads(line, object_pairs_hook=_once_each))
        except _MALFORMED as error:
            raise ExportError(f"line {number} of the export is not of its form: {error!r}.") from error
        if progress and reading.tree.size % _TOGETHER == 0:
            progress(reading.tree.size)
    return reading.end()


def _decoded(lines: Iterable[str]) -> Iterator[str]:
    try:
        yield from lines
    except UnicodeDecodeError as error:
        raise ExportError(f"the export is no UTF-8: {error}.") from error


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
        self._drawn: dict[int, int] = {}  # the first record of each epoch that no line has told of yet
        self._number = 0  # of the line

    def line(self, number: int, item: dict[str, Any]) -> None:
        kind = item["type"]
        self._number = number
        if self._trust is None:
            self._log(item)
        elif kind == "record":
            self._record(item)
        elif kind == "checkpoint":
            self._checkpoint(item["note"], self._trust)
        elif kind == "epoch":
            self._drawn.pop(item["epoch"], None)
            self._sink.epoch(_epoch(item), self._begun.get(item["epoch"]))

    def end(self) -> Imported:
        self._hand_over()
        if self._trust is None or self._key is None:
            raise ExportError("the export is empty.")
        if self._unlike:
            raise ExportError(f"the first {self._unlike[0]} records are not those that a checkpoint counts.")
        if self._ahead:
            raise ExportError(f"the export is cut off: a checkpoint counts {self._ahead[0]} records.")
        for epoch, seq in self._drawn.items():
            raise ExportError(f"the export is cut off: epoch {epoch}, which record {seq} drew from, is not in it.")
        if self.tree.size and not self._checkpoints:
            raise ExportError("no checkpoint stands in the export: nobody has signed it.")
        counts = self.tree.size, self._withheld, self._checkpoints
        return Imported(self._key.name, self._key, *counts, self.tree.root())

    def _log(self, item: dict[str, Any]) -> None:
        if item["type"] != "log" or item["format"] != FORMAT:
            raise ExportError(f"the first line of an export says that it is one, {FORMAT}.")
        key = VerifyingKey(item["origin"], debase64(item["key"]))
        if self._key not in (None, key):
            raise ExportError(f"the export is of another ledger, {key}.")
        self._key, self._trust = key, Trust(key)

    def _record(self, item: dict[str, Any]) -> None:
        seq = item["seq"]
        if seq != self.tree.size + 1:
            raise ExportError(f"behind record {self.tree.size} comes record {seq}.")
        record = _record(item, self._ts)
        if not record.redacted and (record.leaf != leaf(record) or _sealed(record) != item["sealed"]):
            raise ExportError(f"record {seq} was altered: its leaf is another.")
        if record.ts < self._ts:
            raise ExportError(f"record {seq} is older than the one before it.")
        self._ts = record.ts
        self._count(record)
        self._withheld += record.redacted
        self.tree.append(record.leaf)
        self._waiting.append(record)
        if len(self._waiting) == _TOGETHER:
            self._hand_over()

    def _count(self, record: Record) -> None:
        """LED-14: a number that is left out or comes twice was drawn, and nothing told of it."""
        draft, stamp = record.draft, record.draft.stamp
        self._hidden += record.redacted and draft.text != "private"  # those use no counter
        if record.redacted or not stamp.counter:
            return
        self._drawn.setdefault(stamp.epoch, record.seq)
        place = stamp.epoch, draft.network, draft.channel
        last, missing = self._counters.take(place, stamp.counter, self._hidden)
        if missing or stamp.counter <= last:
            where = f"epoch {stamp.epoch} in {draft.channel}"
            why = f"line {self._number} of the export, record {record.seq}"
            raise ExportError(f"{why}: its counter is {stamp.counter}, the last of {where} was {last}.")

    def _hand_over(self) -> None:
        if self._waiting:
            self._sink.records(self._waiting)
            self._waiting = []

    def _checkpoint(self, note: str, trust: Trust) -> None:
        try:
            checkpoint = trust.believe(note)
        except NoteError as error:
            raise ExportError(f"a checkpoint behind record {self.tree.size} is {error}.") from error
        if checkpoint.lost is not None:
            self._ahead = [size for size in self._ahead if size < checkpoint.lost]
            self._unlike = [size for size in self._unlike if size < checkpoint.lost]
        here = checkpoint.size == self.tree.size and checkpoint.root == self.tree.root()
        if not here:
            (self._unlike if checkpoint.size == self.tree.size else self._ahead).append(checkpoint.size)
        self._begun |= dict(checkpoint.epochs)
        self._checkpoints += 1
        self._hand_over()
        self._sink.checkpoint(checkpoint, note, self.tree.frontier if here else ())


def _once_each(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object whose every key stands there once: of two, other readers believe the other."""
    item = dict(pairs)
    if len(item) < len(pairs):
        keys = [key for key, _ in pairs]
        raise ValueError(f"twice there: {', '.join(sorted({key for key in keys if keys.count(key) > 1}))}")
    return item


def _sealed(record: Record) -> str:
    return sealed_hash(record.draft.sealed).hex() if record.draft.sealed else ""


def _record(item: dict[str, Any], before: int) -> Record:
    """A record as its line has it; one that is withheld is as old as the one `before` it (ms since 1970)."""
    mine = bytes.fromhex(item["leaf"])
    if "withheld" in item:
        if item.keys() != _WITHHELD:
            raise ValueError("a record that is withheld holds something that no leaf binds")
        if item["withheld"] not in get_args(Withheld):
            raise ValueError(f"{item['withheld']!r} is no reason to withhold a record")
        _of_their_kinds([("seq", int, item["seq"])])
        return Record.withheld(item["seq"], before, mine, item["withheld"])
    _form(item)
    draft = Draft(
        _kind(item["kind"]),
        *(item["network"], item["channel"], item["nick"], item["who"], item["text"]),
        tuple((sides, face) for sides, face in item["draws"]),
        item["line"],
        item["ref"],
        stamp=Stamp(item["epoch"], item["counter"], item["generation"]),
        sealed=Sealed(item["opened"], bytes.fromhex(item["salt"])) if "opened" in item else None,
    )
    return Record(item["seq"], item["ts"], draft, item["tag"], bytes.fromhex(item["blind"]), item["rules"], mine)


def _form(item: dict[str, Any]) -> None:
    """Refuse other keys than a record's, and a value of another kind: `true` is no 1, `"1"` none either."""
    if odd := item.keys() ^ (_OPENED if item.get("sealed") else _SHOWN):
        raise ValueError(f"too much or too little: {', '.join(sorted(odd))}")
    _of_their_kinds((key, kind, item[key]) for key, kind in _FORM.items())
    _of_their_kinds(("draws", int, number) for draw in item["draws"] for number in draw)


def _of_their_kinds(values: Iterable[tuple[str, type, Any]]) -> None:
    if wrong := [f"{key} {value!r}" for key, kind, value in values if type(value) is not kind]:
        raise ValueError(f"of another kind: {', '.join(wrong)}")


def _kind(kind: str) -> RecordKind:
    """A kind that this version knows; those of a later one it could not keep as what they are."""
    if kind not in get_args(RecordKind) or kind == "withheld":
        raise ValueError(f"{kind!r} is no kind of record here")
    return cast(RecordKind, kind)


def _epoch(item: dict[str, Any]) -> EpochProof:
    seed = bytes.fromhex(item["seed"]) if item["seed"] else None
    epoch = EpochProof(item["epoch"], bytes.fromhex(item["commitment"]), seed)
    if not epoch.kept:
        raise ExportError(f"the seed of epoch {epoch.number} is not what was committed to.")
    return epoch
