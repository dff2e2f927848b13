"""Read an export into an empty ledger, and check it there (LED-07)."""

from __future__ import annotations

import json
import struct
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, get_args

from sqlalchemy.exc import SQLAlchemyError

from ircdice.dice import Stamp
from ircdice.errors import ExportError
from ircdice.ledger.archive import FORMAT, SIGNER, Item
from ircdice.ledger.check import Check
from ircdice.ledger.checkpoint import VerifyingKey, from_base64, read
from ircdice.ledger.engine import described, engines, readable, shown
from ircdice.ledger.migrations import migrate
from ircdice.ledger.paths import Paths
from ircdice.ledger.proof import Tree, sealed_hash
from ircdice.ledger.record import Draft, Record, RecordKind, Sealed, Withheld
from ircdice.ledger.service import IMPORTED
from ircdice.ledger.store import Store

_BATCH = 1_000  # records that are inserted at once
_NUMBERS = ("seq", "ts", "ref", "epoch", "counter", "generation")
_TEXTS = ("kind", "network", "channel", "nick", "who", "text", "line", "sealed", "blind", "rules", "tag", "leaf")
_SHOWN = {"type", *_NUMBERS, *_TEXTS, "draws"}
_OPENED = _SHOWN | {"salt", "opened"}  # with what was sealed
_HIDDEN = {"type", "seq", "leaf", "withheld"}
_MALFORMED = (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError, struct.error)


@dataclass(frozen=True, slots=True)
class Imported:
    """What was read."""

    key: VerifyingKey
    records: int
    withheld: int
    checkpoints: int
    root: bytes


def import_into(paths: Paths, lines: Iterable[str]) -> Imported:
    """Read an export into the empty ledger of `paths`; if that fails no database is left that was not there before.

    ExportError, KeysError, LedgerUnavailable.
    """
    with paths.lock():
        file = paths.database_file
        made_now = [file] if file is not None and not file.exists() else []
        paths.make_database()
        made = engines(paths.database)
        try:
            with readable(f"the export cannot be imported into {shown(paths.database)}"):
                with made.write.connect() as connection:
                    migrate(connection)
                with made.transaction() as connection:
                    return take_in(Store(connection), lines)
        except BaseException:
            for each in made_now:
                for ending in ("", "-wal", "-shm"):
                    each.with_name(f"{each.name}{ending}").unlink(missing_ok=True)
            raise
        finally:
            made.dispose()


def take_in(store: Store, lines: Iterable[str], key: VerifyingKey | None = None) -> Imported:
    """Read an export into an empty ledger, within a transaction, and check it.

    ExportError if the ledger is not empty, or the export is damaged or not signed by `key`; whoever made the
    transaction then rolls it back. Without `key` the export's own is believed.
    """
    if store.last()[0] or store.last_checkpoint() or store.epochs():
        raise ExportError(
            f"an export is read into an empty ledger, and {shown(store.connection.engine.url)} has records."
        )
    reading = _Reading(store)
    try:
        for line in lines:
            reading.line += 1
            reading.take(json.loads(line, object_pairs_hook=_unique))
        reading.finish()
    except SQLAlchemyError as error:
        raise ExportError(f"line {reading.line} of the export cannot be kept: {described(error)}.") from error
    except UnicodeDecodeError as error:
        raise ExportError(f"the export is not UTF-8 after line {reading.line}.") from error
    except _MALFORMED as error:
        raise ExportError(f"line {reading.line} of the export is not valid: {error}.") from error
    if reading.key is None:
        raise ExportError("the export is empty.")
    if wrong := [size for size in reading.misplaced if size <= reading.tree.size]:
        raise ExportError(f"the export is out of order: a checkpoint of {wrong[0]} records is not after these.")
    if key not in (None, reading.key):
        raise ExportError(f"the export is of another ledger, {reading.key}.")
    return _checked(store, reading.key, reading.tree)


def _checked(store: Store, key: VerifyingKey, tree: Tree) -> Imported:
    check = Check(store, (key,))
    for _ in check.run():
        pass
    report = check.report()
    if not report.sound:
        raise ExportError(f"the export is not sound: {report.findings[0]}.")
    return Imported(key, report.records, report.withheld, report.checkpoints, tree.root())


class _Reading:
    """Reads the lines of an export into the tables."""

    def __init__(self, store: Store) -> None:
        self._store, self._records, self._ts = store, list[Record](), 0
        self._places: dict[tuple[str, str], int] = {}
        self._begun: dict[int, int] = {}
        self._epochs = self.line = 0
        self.misplaced: list[int] = []  # sizes of checkpoints that do not come after the records that they count
        self.key: VerifyingKey | None = None
        self.tree = Tree()

    def take(self, item: Item) -> None:
        """The next line."""
        kind = item["type"]
        if (kind == "log") != (self.key is None):
            raise ValueError("an export begins with its log, and has only one")
        if kind == "log":
            self._log(item)
        elif kind in ("record", "checkpoint") and self._epochs:
            raise ValueError(f"a {kind} comes after the epochs")
        elif kind == "record":
            self._record(_record(item, self._ts))
        elif kind == "checkpoint":
            self._checkpoint(item["note"])
        elif kind == "epoch":
            self._epoch(item)

    def finish(self) -> None:
        """Insert the rest; none of these lines is posted again (LED-06)."""
        self._flush()
        self._store.deliver(self._places, self._ts)

    def _flush(self) -> None:
        self._store.insert((record, None) for record in self._records)
        self._records = []

    def _log(self, item: Item) -> None:
        public = from_base64(item["key"])
        if item["format"] != FORMAT or len(public) != 32:
            raise ValueError(f"it is no log of format {FORMAT}, with a key of 32 bytes")
        self.key = VerifyingKey(item["origin"], public)
        if (name := self._store.meta("origin")) not in (None, self.key.name):
            raise ExportError(f"the ledger is called {name}, and the export is of {self.key.name}.")
        self._store.put_meta("origin", self.key.name)
        self._store.put_meta(SIGNER, public.hex())

    def _record(self, record: Record) -> None:
        if record.seq != self.tree.size + 1:
            raise ValueError(f"it is record {record.seq}, after record {self.tree.size}")
        self._ts = record.ts
        self.tree.append(record.leaf)
        self._records.append(record)
        if not record.redacted:
            self._places[record.draft.place] = record.seq
        if len(self._records) == _BATCH:
            self._flush()

    def _checkpoint(self, note: str) -> None:
        """A checkpoint is kept with the tree that it signs; one whose records were given up has none (LED-12)."""
        checkpoint = read(note).checkpoint
        if (lost := checkpoint.lost) is not None:
            self.misplaced = [size for size in self.misplaced if size < lost]
        if checkpoint.size != self.tree.size:
            self.misplaced.append(checkpoint.size)
        here = (checkpoint.size, checkpoint.root) == (self.tree.size, self.tree.root())
        self._store.add_checkpoint(checkpoint.size, note, self.tree.frontier if here else ())
        self._begun = dict(checkpoint.epochs) | self._begun

    def _epoch(self, item: Item) -> None:
        number = item["epoch"]
        if type(number) is not int or number != self._epochs + 1 or type(item["mixes"]) is not list:
            raise ValueError(f"it is epoch {number!r}, after epoch {self._epochs}")
        self._epochs = number
        self._store.add_epoch(number, IMPORTED, _bytes(item["commitment"], 32))
        if (begun := self._begun.get(number)) is not None:
            self._store.begin_epoch(number, begun)
        if item["seed"] is not None:
            self._store.publish_seed(number, _bytes(item["seed"], 32))


def _unique(pairs: list[tuple[str, Any]]) -> Item:
    """An object; other readers may believe the other value of a key that is there twice."""
    item = dict(pairs)
    if len(item) < len(pairs):
        raise ValueError("a key is there twice")
    return item


def _record(item: Item, before: int) -> Record:
    """A record as its line has it; one that is withheld is as old as the one `before` it (ms since 1970)."""
    if "withheld" in item:
        _expect(item, _HIDDEN, (("seq", int), ("leaf", str)))
        if item["withheld"] not in get_args(Withheld):
            raise ValueError(f"there is no reason {item['withheld']!r} to withhold a record")
        return Record.withheld(item["seq"], before, _bytes(item["leaf"], 32), item["withheld"])
    kinds = [(name, int) for name in _NUMBERS] + [(name, str) for name in _TEXTS]
    _expect(item, _OPENED if item.get("sealed") else _SHOWN, kinds)
    if item["kind"] not in get_args(RecordKind) or item["kind"] == "withheld":
        raise ValueError(f"{item['kind']!r} is no kind of record")
    draws = tuple((sides, face) for sides, face in item["draws"])
    if {type(number) for draw in draws for number in draw} - {int}:
        raise ValueError("the draws are no whole numbers")
    sealed = Sealed(item["opened"], _bytes(item["salt"], 16)) if item["sealed"] else None
    if sealed is not None and sealed_hash(sealed).hex() != item["sealed"]:
        raise ValueError("what was sealed is not what is shown")
    draft = Draft(
        *(item["kind"], item["network"], item["channel"], item["nick"], item["who"], item["text"]),
        *(draws, item["line"], item["ref"]),
        stamp=Stamp(item["epoch"], item["counter"], item["generation"]),
        sealed=sealed,
    )
    return Record(
        *(item["seq"], item["ts"], draft, item["tag"], _bytes(item["blind"])),
        *(item["rules"], _bytes(item["leaf"], 32)),
    )


def _expect(item: Item, keys: set[str], kinds: Iterable[tuple[str, type]]) -> None:
    """ValueError for other keys, which no leaf would bind, or values of other types: `true` is not 1."""
    if other := item.keys() ^ keys:
        raise ValueError(f"too much or missing: {', '.join(sorted(other))}")
    for name, kind in kinds:
        if type(item[name]) is not kind or (kind is int and not 0 <= item[name] < 2**63):
            raise ValueError(f"{name} is {item[name]!r:.40}")


def _bytes(text: str, length: int | None = None) -> bytes:
    found = bytes.fromhex(text)
    if found.hex() != text or length not in (None, len(found)):
        raise ValueError(f"{text!r:.40} is not {length or ''} bytes in lower-case hex")
    return found
