"""Export, import, back up and restore a ledger; prove one roll (LED-07, LED-19)."""

from __future__ import annotations

import json
import shutil
import struct
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from heapq import merge
from operator import itemgetter
from pathlib import Path
from typing import Any, cast, get_args

import sqlalchemy as sa
from sqlalchemy.exc import SQLAlchemyError

from ircdice.dice import Stamp
from ircdice.errors import ExportError, LedgerUnavailable, Refused
from ircdice.ledger.check import Check, Report
from ircdice.ledger.checkpoint import Tree, VerifyingKey, base64, from_base64, read, read_or_none
from ircdice.ledger.engine import Address, described, engines, make_file, readable, shown
from ircdice.ledger.epochs import IMPORTED, mix_of_stir
from ircdice.ledger.paths import Paths, prepared_file, secret_folder
from ircdice.ledger.record import Draft, Record, RecordKind, Sealed, TagKeys, Withheld, sealed_hash
from ircdice.ledger.schema import META, METADATA, migrate
from ircdice.ledger.service import restored
from ircdice.ledger.store import Store, StoredCheckpoint, StoredEpoch

FORMAT = "ircdice/1"
SIGNER = "signer"  # in the table meta of an imported ledger: the export's key
CONFIG, DATABASE = "config.ini", "ledger.db"  # in a backup
_SEEDS = "seeds"
_BATCH = 1_000  # rows written at once
Item = dict[str, Any]  # a JSON object


def known_keys(paths: Paths, store: Store) -> tuple[tuple[VerifyingKey, ...], TagKeys | None]:
    """The keys of the checkpoints, oldest first, and of the tags. KeysError if a key is missing.

    An imported ledger has only the export's key.
    """
    origin, signer = store.meta("origin") or "", store.meta(SIGNER)
    if signer and not paths.signing_file.exists():
        return (VerifyingKey(origin, bytes.fromhex(signer)),), None
    paths.expect_keys()
    return paths.signing_keys(origin).load().all, paths.tag_keys.load()


def export(store: Store, key: VerifyingKey, *, private: bool = False) -> Iterator[str]:
    """The whole ledger, from a snapshot: the log, the records, each checkpoint after its records, the epochs.

    Each line is a JSON object; `key` is the first signing key.
    """
    yield _line({"type": "log", "format": FORMAT, "origin": key.name, "key": base64(key.public)})
    hidden = store.covered_records()
    items = (_record_item(record, _why_withheld(record, hidden, private=private)) for record in store.scan())
    for _, item in merge(((item["seq"], item) for item in items), _checkpoints(store), key=itemgetter(0)):
        yield _line(item)
    for epoch in store.epochs():
        yield _line(_epoch_item(epoch, store.stirs(epoch.number)))


def proof_of(store: Store, seq: int) -> Item | None:
    """The proof of one roll: its record, the path to the root of a checkpoint, and its epoch.

    None if the record does not exist, may not be shown, or is not in a checkpoint yet.
    """
    record = next(iter(store.get(seq)), None)
    if record is None or _why_withheld(record, store.covered_records(seq), private=False):
        return None
    proved = _path_from(store, seq, store.last_checkpoint(seq - 1), store.first_checkpoint(seq))
    # There is no path to a checkpoint whose records were given up (LED-12): use the last one, which is valid.
    if (proved := proved or _path_from(store, seq, None, store.last_checkpoint())) is None:
        return None
    checkpoint, path = proved
    draft = record.draft
    epoch = next((each for each in store.epochs() if each.number == draft.stamp.epoch), None)
    stirs = store.stirs(epoch.number, *draft.place) if epoch else []
    return {
        "type": "proof",
        "record": _record_item(record, None),
        "index": seq - 1,
        "path": [node.hex() for node in path],
        "checkpoint": checkpoint.note,
        "epoch": epoch and _epoch_item(epoch, stirs),
    }


def _checkpoints(store: Store) -> Iterator[tuple[int, Item]]:
    """Each checkpoint, with the number of records before it in an export: those that it counts.

    A checkpoint of records that were given up (LED-12) comes before the one that gives them up.
    """
    signed = ((stored, read_or_none(stored.note)) for stored in store.checkpoints())
    losses = [(stored, each.lost) for stored, each in signed if each is not None and each.lost is not None]
    for stored in store.checkpoints():
        voiding = [loss.size for loss, first in losses if loss.number > stored.number and first <= stored.size]
        yield min([stored.size, *voiding]), {"type": "checkpoint", "note": stored.note}


def _why_withheld(record: Record, hidden: set[int], *, private: bool) -> Withheld | None:
    """The reason why a record may not be shown, if any."""
    if record.redacted:
        return cast(Withheld, record.draft.text) if record.draft.text in get_args(Withheld) else "redacted"
    if record.seq in hidden:
        return "covered"
    return "private" if record.draft.private and not private else None


def _record_item(record: Record, why: Withheld | None) -> Item:
    if why is not None:
        return {"type": "record", "seq": record.seq, "leaf": record.leaf.hex(), "withheld": why}
    draft, stamp = record.draft, record.draft.stamp
    item: Item = {"type": "record", "seq": record.seq, "ts": record.ts, "kind": draft.kind, "ref": draft.ref}
    item |= {"epoch": stamp.epoch, "counter": stamp.counter, "generation": stamp.generation}
    item |= {"network": draft.network, "channel": draft.channel, "nick": draft.nick, "who": draft.who}
    item |= {"text": draft.text, "draws": [list(draw) for draw in draft.draws], "line": draft.line}
    item |= {"sealed": sealed_hash(draft.sealed).hex() if draft.sealed else "", "blind": record.blind.hex()}
    item |= {"rules": record.rules, "tag": record.tag, "leaf": record.leaf.hex()}
    if draft.sealed:  # shown once revealed, with the salt that proves it (LED-17)
        item |= {"salt": draft.sealed.salt.hex(), "opened": draft.sealed.text}
    return item


def mixes(stirs: Iterable[Record]) -> list[Item]:
    """The mix of each stir; altered ones are left out, for the check to find."""
    items: list[Item] = []
    for record in stirs:
        network, channel = record.draft.place
        try:
            mix = mix_of_stir(record).hex()
        except (Refused, OverflowError):
            continue
        place = {"network": network, "channel": channel, "generation": record.draft.stamp.generation}
        items.append(place | {"mix": mix, "seq": record.seq})
    return items


def _epoch_item(epoch: StoredEpoch, stirs: Iterable[Record]) -> Item:
    seed = epoch.seed.hex() if epoch.seed is not None else None
    number, promise = epoch.number, epoch.commitment.hex()
    return {"type": "epoch", "epoch": number, "commitment": promise, "seed": seed, "mixes": mixes(stirs)}


def _line(item: Item) -> str:
    return json.dumps(item, ensure_ascii=False, separators=(",", ":"))


def _path_from(
    store: Store, seq: int, before: StoredCheckpoint | None, checkpoint: StoredCheckpoint | None
) -> tuple[StoredCheckpoint, list[bytes]] | None:
    """The audit path (RFC 6962) of a record, from the leaf upwards, if it leads to the root of `checkpoint`.

    `before` is a checkpoint of fewer records, whose tree avoids reading all leaves.
    """
    if checkpoint is None or checkpoint.size < seq:
        return None
    tree = Tree(before.size, before.frontier) if before and before.frontier else Tree()
    start, leaves = tree.size, list(store.leaves(tree.size, checkpoint.size))
    tree.extend(leaves[: seq - 1 - start])
    lefts = iter(tree.frontier)  # the complete subtrees before the leaf, largest first
    path: list[bytes] = []
    low, high = 0, checkpoint.size
    while high - low > 1:
        middle = low + (1 << (high - low - 1).bit_length() - 1)
        if seq > middle:
            path.append(next(lefts))
            low = middle
        else:
            right = Tree()
            right.extend(leaves[middle - start : high - start])
            path.append(right.root())
            high = middle
    tree.extend(leaves[tree.size - start :])
    return (checkpoint, path[::-1]) if tree.root() == read(checkpoint.note).root else None


_MALFORMED = (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError, struct.error)


def import_into(paths: Paths, lines: Iterable[str]) -> tuple[Report, VerifyingKey, bytes]:
    """Read an export into the empty ledger of `paths`, completely or not at all; returns its report, key and root.

    ExportError, KeysError, LedgerUnavailable.
    """
    what = f"the export cannot be imported into {shown(paths.database)}"
    with paths.lock(), _new_database(paths), readable(what), _writing(paths.database) as store:
        return take_in(store, lines)


@contextmanager
def _new_database(paths: Paths) -> Iterator[None]:
    """Create SQLite's file if there is none; if the block fails, remove it again."""
    file = paths.database_file
    made_now = file if file is not None and not file.exists() else None
    paths.make_database()
    try:
        yield
    except BaseException:
        if made_now is not None:
            for ending in ("", "-wal", "-shm"):
                made_now.with_name(f"{made_now.name}{ending}").unlink(missing_ok=True)
        raise


@contextmanager
def _writing(address: Address) -> Iterator[Store]:
    """A transaction on the ledger at `address`, whose tables are made if it has none."""
    with closing(engines(address)) as database:
        migrate(database.write)
        with database.transaction() as connection:
            yield Store(connection)


def _expect_empty(store: Store, what: str) -> None:
    if store.last()[0] or store.epochs():
        raise ExportError(f"{what} into an empty ledger, and this one has records.")


def take_in(store: Store, lines: Iterable[str]) -> tuple[Report, VerifyingKey, bytes]:
    """Read an export into an empty ledger, within a transaction, and verify it.

    ExportError if the ledger is not empty, or the export is damaged or not signed by its own key; the caller then
    rolls back the transaction.
    """
    _expect_empty(store, "an export is read")
    importer = _Importer(store)
    try:
        for line in lines:
            importer.line += 1
            importer.take(json.loads(line, object_pairs_hook=_unique))
        importer.finish()
    except SQLAlchemyError as error:
        raise ExportError(f"line {importer.line} of the export cannot be kept: {described(error)}.") from error
    except UnicodeDecodeError as error:
        raise ExportError(f"the export is not UTF-8 after line {importer.line}.") from error
    except _MALFORMED as error:
        raise ExportError(f"line {importer.line} of the export is not valid: {error}.") from error
    if importer.key is None:
        raise ExportError("the export is empty.")
    if wrong := [size for size in importer.misplaced if size <= importer.tree.size]:
        raise ExportError(f"the export is out of order: a checkpoint of {wrong[0]} records is not after these.")
    check = Check(store, (importer.key,))
    for _ in check.run():
        pass
    report = check.report()
    if not report.sound:
        raise ExportError(f"the export is not sound: {report.findings[0]}.")
    return report, importer.key, importer.tree.root()


class _Importer:
    """Reads the lines of an export into the tables."""

    def __init__(self, store: Store) -> None:
        self._store, self._records, self._ts = store, list[Record](), 0
        self._places: dict[tuple[str, str], int] = {}
        self._begun: dict[int, int] = {}
        self._epochs = self.line = 0
        self.misplaced: list[int] = []  # sizes of checkpoints that precede records that they count
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
        """Insert the rest; imported lines are never posted (LED-06)."""
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
        """Store a checkpoint with the tree that it signs, or without one if its records were given up (LED-12)."""
        checkpoint = read(note)
        if (lost := checkpoint.lost) is not None:
            self.misplaced = [size for size in self.misplaced if size < lost]
        if checkpoint.size != self.tree.size:
            self.misplaced.append(checkpoint.size)
        here = (checkpoint.size, checkpoint.root) == (self.tree.size, self.tree.root())
        self._store.add_checkpoint(checkpoint.size, note, self.tree.frontier if here else ())
        self._begun = dict(checkpoint.epochs) | self._begun

    def _epoch(self, item: Item) -> None:
        number = item["epoch"]
        if type(number) is not int or number != self._epochs + 1:
            raise ValueError(f"it is epoch {number!r}, after epoch {self._epochs}")
        self._flush()
        if item["mixes"] != mixes(self._store.stirs(number)):
            raise ValueError("its mixes are not those of its stirs")
        self._epochs = number
        self._store.add_epoch(number, IMPORTED, _bytes(item["commitment"], 32))
        if (begun := self._begun.get(number)) is not None:
            self._store.begin_epoch(number, begun)
        if item["seed"] is not None:
            self._store.publish_seed(number, _bytes(item["seed"], 32))


def _unique(pairs: list[tuple[str, Any]]) -> Item:
    """An object without duplicate keys, which other readers might interpret differently."""
    item = dict(pairs)
    if len(item) < len(pairs):
        raise ValueError("a key is there twice")
    return item


def _record(item: Item, before: int) -> Record:
    """Parse a record; a withheld one gets the time `before` it (ms since 1970).

    ValueError unless exporting the record gives the same line: a leaf covers no extra keys, and `true` is not 1.
    """
    if "withheld" in item:
        record = Record.withheld(int(item["seq"]), before, _bytes(item["leaf"], 32), item["withheld"])
    else:
        record = _shown_record(item)
    again = _record_item(record, _why_withheld(record, set(), private=True))
    if other := item.keys() ^ again.keys():
        raise ValueError(f"too much or missing: {', '.join(sorted(other))}")
    for name, value in again.items():
        if json.dumps(item[name]) != json.dumps(value):
            raise ValueError(f"{name} is {item[name]!r:.40}")
    return record


def _shown_record(item: Item) -> Record:
    if item["kind"] not in get_args(RecordKind):
        raise ValueError(f"{item['kind']!r} is no kind of record")
    numbers = (int(item[name]) for name in ("seq", "ts", "ref", "epoch", "counter", "generation"))
    seq, ts, ref, epoch, counter, generation = numbers
    texts = (str(item[name]) for name in ("network", "channel", "nick", "who", "text", "line", "tag", "rules"))
    network, channel, nick, who, text, line, tag, rules = texts
    draws = tuple((int(sides), int(face)) for sides, face in item["draws"])
    sealed = Sealed(str(item["opened"]), _bytes(item["salt"], 16)) if item["sealed"] else None
    stamp = Stamp(epoch, counter, generation)
    draft = Draft(item["kind"], network, channel, nick, who, text, draws, line, ref, stamp=stamp, sealed=sealed)
    return Record(seq, ts, draft, tag, _bytes(item["blind"]), rules, _bytes(item["leaf"], 32))


def _bytes(text: str, length: int | None = None) -> bytes:
    data = bytes.fromhex(text)
    if data.hex() != text or length not in (None, len(data)):
        raise ValueError(f"{text!r:.40} is not {length or ''} bytes in lower-case hex")
    return data


def back_up(paths: Paths, config: Path, folder: Path) -> None:
    """Back up into `folder`, which is empty or does not exist, completely or not at all. OSError, LedgerUnavailable."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise LedgerUnavailable(f"{folder} already exists and is not empty.")
    paths.expect_database()
    try:
        secret_folder(folder)
        checkpoints, *keys = _files(paths)
        for file, name in (checkpoints, *keys):  # before the ledger: no checkpoint may count more than it has
            _copy(file, folder / name)
        with readable(f"the ledger at {shown(paths.database)} cannot be copied to {folder}"):
            make_file(folder / DATABASE)
            _copy_ledger(paths.database, folder / DATABASE)
        _copy_folder(paths.seeds.folder, folder / _SEEDS)
        _copy(config, folder / CONFIG)
        if any(_content(file) != _content(folder / name) for file, name in keys):
            raise LedgerUnavailable("the keys were rotated meanwhile: try again.")
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise


def put_back(folder: Path, paths: Paths) -> None:
    """Restore a backup to `paths`, where nothing may exist yet. OSError, LedgerUnavailable.

    The lost machine may have drawn from the seeds after the backup, so no process uses them again (LED-13).
    """
    if not (folder / DATABASE).is_file():
        raise LedgerUnavailable(f"{folder} is no backup: it has no {DATABASE}.")
    files = _files(paths)
    for file in (*(file for file, _ in files), paths.seeds.folder):
        if file.exists():
            raise LedgerUnavailable(f"{file} already exists: a backup is restored where there is no ledger.")
    secret_folder(paths.data)
    with _new_database(paths), readable(f"the backup cannot be restored to {shown(paths.database)}"):
        _copy_ledger(folder / DATABASE, paths.database, restoring=True)
    for file, name in files:
        _copy(folder / name, file)
    _copy_folder(folder / _SEEDS, paths.seeds.folder)


def _files(paths: Paths) -> tuple[tuple[Path, str], ...]:
    """The checkpoint file and the key files, with their names in a backup."""
    return (
        (paths.checkpoints.file, "checkpoints"),
        (paths.tag_keys.file, "tag.keys"),
        (paths.signing_file, "signing.key"),
        (prepared_file(paths.signing_file), "signing.key.next"),
    )


def _copy_ledger(address: Address, target: Address, *, restoring: bool = False) -> None:
    """Copy every row into an empty ledger, all or nothing."""
    with closing(engines(address)) as source, source.snapshot() as snapshot, _writing(target) as copy:
        _expect_empty(copy, "a backup is restored")
        for table in METADATA.sorted_tables:
            rows = sa.select(table).order_by(*table.primary_key.columns).execution_options(yield_per=_BATCH)
            if table is META:
                rows = rows.where(META.c.name != "schema")  # the copy has its own version
            for some in snapshot.execute(rows).mappings().partitions():
                copy.connection.execute(sa.insert(table), [dict(row) for row in some])
        for name in {epoch.name for epoch in copy.epochs()} if restoring else ():
            copy.put_meta(restored(name), "yes")


def _copy(source: Path, target: Path) -> None:
    """Copy a file with its mode, if it exists."""
    if source.exists():
        shutil.copy2(source, target)


def _copy_folder(source: Path, target: Path) -> None:
    """Copy a folder, if it exists, without files that are being written."""
    if source.is_dir():
        shutil.copytree(source, target, ignore=shutil.ignore_patterns(".*"))


def _content(file: Path) -> bytes | None:
    return file.read_bytes() if file.exists() else None
