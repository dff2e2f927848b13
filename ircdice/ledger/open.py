"""Check a ledger at a start, and accept a loss (LED-12, LED-16)."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from ircdice.errors import LedgerDamaged, NoteError
from ircdice.ledger.checkpoint import Checkpoint, Tree, loss, read
from ircdice.ledger.engine import REPAIR
from ircdice.ledger.paths import CheckpointFile, SigningKeys
from ircdice.ledger.record import is_intact
from ircdice.ledger.store import Store, StoredCheckpoint

log = logging.getLogger(__name__)
_CHECK = "`ircdice ledger check` says more;"
_ACCEPT = "`ircdice run --accept-loss` goes on without what is lost, and says so in public."
_SHARED = "another process may be using the name {}: give this one a `name` of its own. If no other does, "


@dataclass(frozen=True, slots=True)
class Opened:
    """Where a process resumes: the signed tree, and the number of the last checkpoint in the file.

    `started` is the time of this start in whole seconds since 1970, later than that of any earlier one (LED-15).
    `loss` is the remark of an accepted loss: the file must start afresh, and no earlier epoch may be used.
    """

    tree: Tree
    in_file: int
    started: int
    loss: str = ""


def open_checked(
    store: Store, file: CheckpointFile, keys: SigningKeys, name: str, now: int, *, accept_loss: bool = False
) -> Opened:
    """Compare the end of the ledger with signatures, deliveries and publications.

    `name` is the process's. LedgerDamaged, with a way out, if they disagree, unless `accept_loss`. A record missing
    between others is never accepted.
    """
    started = _started(store, file, keys, now)
    try:
        tree, in_file = _compared(store, file, keys, name)
    except LedgerDamaged as damage:
        if sum(store.counts().values()) != store.last()[0]:
            between = "Records are missing between others, which cannot be accepted."
            raise LedgerDamaged(f"{damage} {between} {_CHECK} {REPAIR}") from damage
        if not accept_loss:
            raise LedgerDamaged(f"{damage} {_CHECK} {REPAIR} {_ACCEPT}") from damage
        log.error("accepted: %s", damage)
        return Opened(Tree(), 0, started, _accept(store, file, keys, name, damage.first))
    return Opened(tree, in_file, started)


def _compared(store: Store, file: CheckpointFile, keys: SigningKeys, name: str) -> tuple[Tree, int]:
    """The tree of the last checkpoint, and the number of the last one that is also in the file."""
    last, _ = store.last()
    stored, note, in_file = store.last_checkpoint(), file.last(), 0
    if note is not None:
        seen = _verified(note, keys, f"the last checkpoint in {file.file}")
        if seen.size > last:
            missing = f"record {seen.size} is" if last + 1 == seen.size else f"records {last + 1} to {seen.size} are"
            raise LedgerDamaged(f"{missing} missing: {file.file} counts {seen.size}.")
        found = store.checkpoint_of(note, seen.size)
        if found is None:
            raise LedgerDamaged(f"the ledger has lost or altered the last checkpoint in {file.file}.")
        _tree(found, keys)
        in_file = found.number
    elif last and any(epoch.name == name for epoch in store.epochs()):
        shared = "" if store.connection.dialect.name == "sqlite" else _SHARED.format(name)
        missing = f"{shared}{file.file} is missing: it says how many records there were."
        raise LedgerDamaged(missing)
    tree = _tree(stored, keys) if stored else Tree()
    if tree.size > last:
        raise LedgerDamaged(f"records {last + 1} to {tree.size} are missing: a checkpoint counts them.")
    for expected, record in enumerate(store.scan(tree.size), tree.size + 1):
        if record.seq != expected:
            raise LedgerDamaged(f"record {expected} is missing.")
        if not is_intact(record):
            raise LedgerDamaged(f"record {expected} was altered.", first=expected)
    _delivered(store, last)
    _epochs(store, stored, keys)
    return tree, in_file


def _tree(stored: StoredCheckpoint, keys: SigningKeys) -> Tree:
    """The tree of a checkpoint in the table, which must match the signature."""
    signed = _verified(stored.note, keys, f"checkpoint {stored.number} of the ledger")
    if not stored.is_tree_of(signed):
        raise LedgerDamaged(f"the tree of the first {signed.size} records is not the one that was signed.")
    return Tree(stored.size, stored.frontier)


def _verified(note: str, keys: SigningKeys, what: str) -> Checkpoint:
    """The checkpoint in a note; LedgerDamaged unless a key of this ledger signed it."""
    try:
        signed = read(note)
    except NoteError as error:
        raise LedgerDamaged(f"{what} is damaged: {error}.") from error
    if not any(signed.signed_by(key) for key in keys.all):
        raise LedgerDamaged(f"{what} is not signed by this ledger's key.")
    return signed.checkpoint


def _delivered(store: Store, last: int) -> None:
    """Check that every delivered line has its record."""
    lost = [(channel, seq) for _, channel, seq, _ in store.deliveries() if seq > last]
    if lost:
        channel, seq = max(lost, key=lambda each: each[1])
        raise LedgerDamaged(f"records {last + 1} to {seq} are missing: the line of {seq} was posted to {channel}.")


def _epochs(store: Store, stored: StoredCheckpoint | None, keys: SigningKeys) -> None:
    """Check that published seeds match commitments, and that commitments match the last signed ones."""
    for number in _wrong_seeds(store):
        raise LedgerDamaged(f"the published seed of epoch {number} is not the one that was committed to.")
    if stored is None:
        return
    listed = {epoch.number: epoch for epoch in store.epochs()}
    signed = _verified(stored.note, keys, "the last checkpoint")
    for number, promise in signed.following:
        if number not in listed or listed[number].commitment != promise:
            raise LedgerDamaged(f"the commitment of epoch {number} is not the one that was signed.")
    for number, begun in signed.epochs:
        if number not in listed or listed[number].begun != begun:
            raise LedgerDamaged(f"epoch {number} did not begin when a checkpoint says.")


def _wrong_seeds(store: Store) -> list[int]:
    """The epochs whose published seeds do not match their commitments."""
    return [epoch.number for epoch in store.epochs() if epoch.has_wrong_seed]


def _started(store: Store, file: CheckpointFile, keys: SigningKeys, now: int) -> int:
    """The time of this start: now, but later than everything written since earlier ones (LED-15)."""
    last = store.last_checkpoint()
    signed = list(_believed([note for note in (file.last(), last and last.note) if note], keys))
    seconds = [store.meta_number("started"), store.last()[1] // 1000]
    seconds += [ts // 1000 for *_, ts in store.deliveries()]
    seconds += [max([each.started, *(begun // 1000 for _, begun in each.epochs)]) for each in signed]
    return max(now // 1000, max(seconds) + 1)


def _accept(store: Store, file: CheckpointFile, keys: SigningKeys, name: str, first: int | None) -> str:
    """Resume after the last record; returns the remark that gives up the records from `first`, or the missing ones.

    Altered records stay as they are, but wrong seeds are withdrawn. Epochs known only from the file are entered,
    because their numbers are used.
    """
    last, _ = store.last()
    store.withdraw_deliveries()
    signed = list(_believed(file.notes(), keys))
    known = {epoch.number for epoch in store.epochs()}
    promised = {number: promise for checkpoint in signed for number, promise in checkpoint.following}
    for number in promised.keys() - known:
        store.add_epoch(number, name, promised[number])
    for number in _wrong_seeds(store):
        store.publish_seed(number, None)
    return loss(first or last + 1, max([last, *(checkpoint.size for checkpoint in signed)]))


def _believed(notes: Iterable[str], keys: SigningKeys) -> Iterator[Checkpoint]:
    for note in notes:
        try:
            yield _verified(note, keys, "")
        except LedgerDamaged:
            continue
