"""What is checked before a ledger is trusted again, and how a loss is accepted (LED-12, LED-16)."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256

from ircdice.errors import LedgerDamaged, NoteError
from ircdice.ledger.checkpoint import Checkpoint, loss, read
from ircdice.ledger.paths import CheckpointFile, SigningKeys
from ircdice.ledger.proof import HASH_LENGTH, Tree, commitment, is_intact
from ircdice.ledger.record import Record
from ircdice.ledger.store import Store, StoredCheckpoint

log = logging.getLogger(__name__)
MOST_MISSING = 100_000  # records that may be missing between others; more is an altered number
WAY_OUT = (
    "`ircdice ledger check` says more; `ircdice ledger restore DIR` puts a backup back; "
    "`ircdice run --accept-loss` goes on without what is lost, and says so in public."
)
_SHARED = "another process may be using the name {}: give this one a `name` of its own. If no other does, "


@dataclass(frozen=True, slots=True)
class Opened:
    """Where a process goes on: the tree of what was signed, the last checkpoint that is in the file, and its time.

    After a loss that was accepted the file is to begin anew, so that none is in it.

    `started` is the time of this start in whole seconds since 1970, later than that of any earlier one (LED-15).
    `remarks` are for the next checkpoint; `fresh` says that no earlier epoch may be drawn from.
    """

    tree: Tree
    in_file: int
    started: int
    remarks: tuple[str, ...] = ()
    fresh: bool = False


def open_checked(
    store: Store, file: CheckpointFile, keys: SigningKeys, name: str, now: int, *, accept_loss: bool = False
) -> Opened:
    """Compare the end of the ledger with what was signed, delivered and published.

    `name` is the process's. LedgerDamaged, with the way out, if they do not agree. With `accept_loss` empty records
    take the place of those that are lost, and damaged checkpoints are removed.
    """
    started = _started(store, file, keys, now)
    try:
        tree, in_file = _compared(store, file, keys, name)
        if accept_loss:
            _read_through(store, file, keys, tree)
    except LedgerDamaged as damage:
        if not accept_loss:
            raise LedgerDamaged(f"{damage} {WAY_OUT}", first=damage.first) from damage
        log.error("accepted: %s", damage)
        remark = _accept(store, file, keys, name, damage)
        return Opened(Tree(), 0, started, (remark,), fresh=True)
    return Opened(tree, in_file, started)


def _compared(store: Store, file: CheckpointFile, keys: SigningKeys, name: str) -> tuple[Tree, int]:
    """The tree of the last checkpoint, and the number of the last one that is in the file too."""
    last, _ = store.last()
    stored, note, in_file = store.last_checkpoint(), file.last(), 0
    if note is not None:
        seen = _verified(note, keys, f"the last checkpoint in {file.file}")
        if seen.size > last:
            missing = f"record {seen.size} is" if last + 1 == seen.size else f"records {last + 1} to {seen.size} are"
            raise LedgerDamaged(f"{missing} missing: {file.file} counts {seen.size}.", first=last + 1)
        found = store.checkpoint_of(note, seen.size)
        if found is None:
            raise LedgerDamaged(f"the ledger has lost or altered the last checkpoint in {file.file}.", first=seen.size)
        _tree(found, keys)
        in_file = found.number
    elif last and any(epoch.name == name for epoch in store.epochs()):
        shared = "" if store.connection.dialect.name == "sqlite" else _SHARED.format(name)
        missing = f"{shared}{file.file} is missing: it says how many records there were."
        raise LedgerDamaged(missing, first=last + 1)
    tree = _tree(stored, keys) if stored else Tree()
    if tree.size > last:
        raise LedgerDamaged(f"records {last + 1} to {tree.size} are missing: a checkpoint counts them.", first=last + 1)
    for expected, record in enumerate(store.scan(tree.size), tree.size + 1):
        if record.seq != expected:
            raise LedgerDamaged(f"record {expected} is missing.", first=expected)
        if not is_intact(record):
            raise LedgerDamaged(f"record {expected} was altered.", first=expected)
    _delivered(store, last)
    _epochs(store, stored, keys)
    return tree, in_file


def _read_through(store: Store, file: CheckpointFile, keys: SigningKeys, tree: Tree) -> None:
    """What only `ledger check` reads otherwise: every record and checkpoint, and the root over all that were signed."""
    if (lost := next(_lost(store), None)) is not None:
        raise LedgerDamaged(f"record {lost.seq} is missing or altered.", first=lost.seq)
    whole = Tree()
    whole.extend(store.leaves(0, tree.size))
    if whole.root() != tree.root():
        raise LedgerDamaged(f"the first {tree.size} records are not those that were signed.")
    stored, filed = [checkpoint.note for checkpoint in store.checkpoints()], list(file.notes())
    if len(list(_believed([*stored, *filed], keys))) < len(stored) + len(filed) or set(filed) - set(stored):
        first = store.last()[0] + 1
        raise LedgerDamaged("a checkpoint is missing, damaged or not signed by this ledger's key.", first=first)


def _tree(stored: StoredCheckpoint, keys: SigningKeys) -> Tree:
    """The tree of a checkpoint of the table, which must be the one that was signed."""
    signed = _verified(stored.note, keys, f"checkpoint {stored.number} of the ledger")
    if not stored.is_tree_of(signed):
        raise LedgerDamaged(f"the tree of the first {signed.size} records is not the one that was signed.")
    return Tree(stored.size, stored.frontier)


def _verified(note: str, keys: SigningKeys, what: str) -> Checkpoint:
    """The checkpoint that a note states; LedgerDamaged unless a key of this ledger signed it."""
    try:
        signed = read(note)
    except NoteError as error:
        raise LedgerDamaged(f"{what} is damaged: {error}.") from error
    if not any(signed.signed_by(key) for key in keys.all):
        raise LedgerDamaged(f"{what} is not signed by this ledger's key.")
    return signed.checkpoint


def _delivered(store: Store, last: int) -> None:
    """Lines that went out must have their records."""
    lost = [(channel, seq) for _, channel, seq, _ in store.deliveries() if seq > last]
    if lost:
        channel, seq = max(lost, key=lambda each: each[1])
        raise LedgerDamaged(
            f"records {last + 1} to {seq} are missing: the line of {seq} was posted to {channel}.", first=last + 1
        )


def _epochs(store: Store, stored: StoredCheckpoint | None, keys: SigningKeys) -> None:
    """Published seeds must be those that were committed to, and commitments those that were signed last."""
    listed = {epoch.number: epoch for epoch in store.epochs()}
    for epoch in listed.values():
        if epoch.seed is not None and commitment(epoch.number, epoch.seed) != epoch.commitment:
            raise LedgerDamaged(f"the published seed of epoch {epoch.number} is not the one that was committed to.")
    if stored is None:
        return
    signed = _verified(stored.note, keys, "the last checkpoint")
    for number, promise in signed.following:
        if number not in listed or listed[number].commitment != promise:
            raise LedgerDamaged(f"the commitment of epoch {number} is not the one that was signed.")
    for number, begun in signed.epochs:
        if number not in listed or listed[number].begun != begun:
            raise LedgerDamaged(f"epoch {number} did not begin when a checkpoint says.")


def _started(store: Store, file: CheckpointFile, keys: SigningKeys, now: int) -> int:
    """The time of this start: now, but later than anything that was written since any earlier one (LED-15)."""
    last = store.last_checkpoint()
    signed = list(_believed([note for note in (file.last(), last and last.note) if note], keys))
    seconds = [store.meta_number("started"), store.last()[1] // 1000]
    seconds += [ts // 1000 for *_, ts in store.deliveries()]
    seconds += [max([each.started, *(begun // 1000 for _, begun in each.epochs)]) for each in signed]
    return max(now // 1000, max(seconds) + 1)


def _accept(store: Store, file: CheckpointFile, keys: SigningKeys, name: str, damage: LedgerDamaged) -> str:
    """Give up what is lost, and restore what the checkpoints that are left know; the remark that says so."""
    lost = list(_lost(store))
    store.replace(lost)
    store.withdraw_deliveries()
    signed = list(_believed(file.notes(), keys))
    for stored in list(store.checkpoints()):
        if found := list(_believed([stored.note], keys)):
            signed += found
            if not stored.is_tree_of(found[0]):
                store.mend_checkpoint(stored.number, found[0].size)
        else:
            store.remove_checkpoint(stored.number)
    begun = {number: ts for checkpoint in signed for number, ts in checkpoint.epochs}
    for number, promise in {each: promise for checkpoint in signed for each, promise in checkpoint.following}.items():
        store.mend_epoch(number, name, promise, begun.get(number))
    last, _ = store.last()
    first = min([max(damage.first, _proven(store, signed) + 1), *(record.seq for record in lost)])
    return loss(first, max([last, *(checkpoint.size for checkpoint in signed)]))


def _proven(store: Store, signed: Sequence[Checkpoint]) -> int:
    """How many records are those that were signed."""
    tree, proven = Tree(), 0
    for checkpoint in sorted(signed, key=lambda each: each.size):
        tree.extend(store.leaves(tree.size, checkpoint.size))
        if (tree.size, tree.root()) == (checkpoint.size, checkpoint.root):
            proven = checkpoint.size
    return proven


def _lost(store: Store) -> Iterator[Record]:
    """An empty record for each one that is missing or altered, so that numbers stay gapless."""
    expected = 1
    time = 0
    for record in store.scan():
        if record.seq - expected > MOST_MISSING:
            raise LedgerDamaged(f"record {expected} and too many after it are missing: restore a backup.")
        yield from (Record.withheld(seq, time, _no_leaf(seq), "lost") for seq in range(expected, record.seq))
        if is_intact(record):
            time = max(time, record.ts)
        else:
            kept = record.leaf if len(record.leaf) == HASH_LENGTH else _no_leaf(record.seq)
            yield Record.withheld(record.seq, time, kept, "lost")
        expected = record.seq + 1


def _believed(notes: Iterator[str] | list[str], keys: SigningKeys) -> Iterator[Checkpoint]:
    for note in notes:
        try:
            yield _verified(note, keys, "")
        except LedgerDamaged:
            continue


def set_aside(file: CheckpointFile, started: int) -> None:
    """Keep the file of before a loss under another name, so that a new one begins. OSError."""
    if file.file.exists():
        file.file.replace(file.file.with_name(f"{file.file.name}.damaged-{started}"))


def _no_leaf(seq: int) -> bytes:
    """A leaf that no record has."""
    return sha256(b"\0ircdice1:lost\0" + seq.to_bytes(8)).digest()
