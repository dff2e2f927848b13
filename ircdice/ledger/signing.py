"""The checkpoints of a process: a start compares the ledger with them, and they are made from then on (LED-12)."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial

from ircdice.errors import KeysError, LedgerDamaged, NoteError
from ircdice.ledger.checkpoint import Checkpoint, Tree, base64, loss, read, sign, start
from ircdice.ledger.engine import REPAIR
from ircdice.ledger.epochs import IMPORTED
from ircdice.ledger.paths import Paths, SigningKeys
from ircdice.ledger.record import is_intact
from ircdice.ledger.store import Store, StoredCheckpoint

log = logging.getLogger(__name__)
PUBLIC_KEYS = "public keys"  # in the table meta: keys of the checkpoints, oldest first, in base 64
_CHECK = "`ircdice ledger check` says more;"
_ACCEPT = "`ircdice run --accept-loss` goes on without what is lost, and says so in public."
_SHARED = "another process may be using the name {}: give this one a `name` of its own. If no other does, "


class Signer:
    """Makes the checkpoints of a process, in the database and in its file; `open` comes first.

    `latest` was signed at `signed_at`. `started` is the time of this start in whole seconds since 1970, later than that
    of any earlier one (LED-15).
    """

    def __init__(self, paths: Paths, clock: Callable[[], int]) -> None:
        self._paths, self._file, self._clock = paths, paths.checkpoints, clock
        self.keys: SigningKeys
        self.latest: Checkpoint | None = None
        self.signed_at = self.started = 0
        self._tree, self._in_file = Tree(), 0  # the last signed tree, and the last checkpoint in the file
        self._remarks: tuple[str, ...] = ()  # for the next checkpoint
        self._anew = False  # whether to start a new file

    # Opening

    def open(self, store: Store, keys: SigningKeys, *, accept_loss: bool = False) -> bool:
        """Compare the end of the ledger with signatures, deliveries and publications.

        LedgerDamaged, with a way out, if they disagree, unless `accept_loss`. A record missing between others is never
        accepted. Returns whether a loss was accepted: then no earlier epoch may be used. KeysError for wrong `keys`.
        """
        self.show_keys(store, keys)
        first, latest = store.last_checkpoint(0), store.last_checkpoint()
        if first and latest and not any(self._valid([first.note, latest.note])):
            raise KeysError(
                f"{self._paths.signing_file} is not this ledger's: every bot on it needs the same one. "
                "Copy it from the first bot or a backup."
            )
        self.started = self._start_time(store)
        store.put_meta("started", str(self.started))
        self._remarks = (start(self.started),)
        try:
            self._tree, self._in_file = self._compared(store)
        except LedgerDamaged as damage:
            if sum(store.counts().values()) != store.last()[0]:
                between = "Records are missing between others, which cannot be accepted."
                raise LedgerDamaged(f"{damage} {between} {_CHECK} {REPAIR}") from damage
            if not accept_loss:
                raise LedgerDamaged(f"{damage} {_CHECK} {REPAIR} {_ACCEPT}") from damage
            log.error("accepted: %s", damage)
            self._tree, self._in_file, self._anew = Tree(), 0, True
            self._remarks = (self._accept(store, damage.first), *self._remarks)
        return self._anew

    def show_keys(self, store: Store, keys: SigningKeys) -> None:
        """Use these keys from now on, and store the public ones where the page can read them (WEB-08)."""
        self.keys = keys
        store.put_meta(PUBLIC_KEYS, " ".join(base64(key.public) for key in keys.all))

    def _compared(self, store: Store) -> tuple[Tree, int]:
        """The tree of the last checkpoint, and the number of the last one that is also in the file."""
        file = self._file.file
        last, _ = store.last()
        stored, note, in_file = store.last_checkpoint(), self._file.last(), 0
        if note is not None:
            seen = self._verified(note, f"the last checkpoint in {file}")
            if seen.size > last:
                records = (
                    f"record {seen.size} is" if last + 1 == seen.size else f"records {last + 1} to {seen.size} are"
                )
                raise LedgerDamaged(f"{records} missing: {file} counts {seen.size}.")
            in_table = store.checkpoint_of(note, seen.size)
            if in_table is None:
                raise LedgerDamaged(f"the ledger has lost or altered the last checkpoint in {file}.")
            self._signed_tree(in_table)
            in_file = in_table.number
        elif last and any(epoch.name == self._paths.name for epoch in store.epochs()):
            shared = "" if store.connection.dialect.name == "sqlite" else _SHARED.format(self._paths.name)
            raise LedgerDamaged(f"{shared}{file} is missing: it says how many records there were.")
        tree = self._signed_tree(stored) if stored else Tree()
        if tree.size > last:
            raise LedgerDamaged(f"records {last + 1} to {tree.size} are missing: a checkpoint counts them.")
        for expected, record in enumerate(store.scan(tree.size), tree.size + 1):
            if record.seq != expected:
                raise LedgerDamaged(f"record {expected} is missing.")
            if not is_intact(record):
                raise LedgerDamaged(f"record {expected} was altered.", first=expected)
        lost = [(seq, channel) for _, channel, seq, _ in store.deliveries() if seq > last]
        if lost:
            seq, channel = max(lost)
            raise LedgerDamaged(f"records {last + 1} to {seq} are missing: the line of {seq} was posted to {channel}.")
        self._compare_epochs(store, stored)
        return tree, in_file

    def _signed_tree(self, stored: StoredCheckpoint) -> Tree:
        """The tree of a checkpoint in the table, which must match the signature."""
        signed = self._verified(stored.note, f"checkpoint {stored.number} of the ledger")
        if not stored.is_tree_of(signed):
            raise LedgerDamaged(f"the tree of the first {signed.size} records is not the one that was signed.")
        return Tree(stored.size, stored.frontier)

    def _verified(self, note: str, what: str) -> Checkpoint:
        """The checkpoint in a note; LedgerDamaged unless a key of this ledger signed it."""
        try:
            signed = read(note)
        except NoteError as error:
            raise LedgerDamaged(f"{what} is damaged: {error}.") from error
        if not any(signed.signed_by(key) for key in self.keys.all):
            raise LedgerDamaged(f"{what} is not signed by this ledger's key.")
        return signed.checkpoint

    def _valid(self, notes: Iterable[str]) -> Iterator[Checkpoint]:
        """The checkpoints in those of the notes that a key of this ledger signed."""
        for note in notes:
            try:
                yield self._verified(note, "")
            except LedgerDamaged:
                continue

    def _compare_epochs(self, store: Store, stored: StoredCheckpoint | None) -> None:
        """Check that published seeds match commitments, and that commitments match the last signed ones."""
        for number in _wrong_seeds(store):
            raise LedgerDamaged(f"the published seed of epoch {number} is not the one that was committed to.")
        if stored is None:
            return
        listed = {epoch.number: epoch for epoch in store.epochs()}
        signed = self._verified(stored.note, "the last checkpoint")
        for number, promise in signed.following:
            if number not in listed or listed[number].commitment != promise:
                raise LedgerDamaged(f"the commitment of epoch {number} is not the one that was signed.")
        for number, begun in signed.epochs:
            if number not in listed or listed[number].begun != begun:
                raise LedgerDamaged(f"epoch {number} did not begin when a checkpoint says.")

    def _start_time(self, store: Store) -> int:
        """The time of this start: now, but later than everything written since earlier ones (LED-15)."""
        last = store.last_checkpoint()
        signed = list(self._valid([note for note in (self._file.last(), last and last.note) if note]))
        seconds = [store.meta_number("started"), store.last()[1] // 1000]
        seconds += [ts // 1000 for *_, ts in store.deliveries()]
        seconds += [max([each.started, *(begun // 1000 for _, begun in each.epochs)]) for each in signed]
        return max(self._clock() // 1000, max(seconds) + 1)

    def _accept(self, store: Store, first: int | None) -> str:
        """Resume after the last record; returns the remark that gives up the records from `first`, or the missing ones.

        Altered records stay as they are, but wrong seeds are withdrawn. Epochs known only from the file are entered,
        because their numbers are used.
        """
        last, _ = store.last()
        store.withdraw_deliveries()
        signed = list(self._valid(self._file.notes()))
        known = {epoch.number for epoch in store.epochs()}
        promised = {number: promise for checkpoint in signed for number, promise in checkpoint.following}
        for number in promised.keys() - known:
            store.add_epoch(number, self._paths.name, promised[number])
        for number in _wrong_seeds(store):
            store.publish_seed(number, None)
        return loss(first or last + 1, max([last, *(checkpoint.size for checkpoint in signed)]))

    # Signing

    def sign(self, store: Store, *remarks: str) -> Callable[[], None]:
        """In a transaction, make a checkpoint of all records. Returns the follow-up that writes it to the file."""
        unfiled = tuple(store.checkpoints(self._in_file))
        tree = self._tree.copy()
        tree.extend(store.leaves(tree.size))
        open_epochs = [epoch for epoch in store.epochs(unpublished=True) if epoch.name != IMPORTED]
        running = {epoch.name: (epoch.number, epoch.begun) for epoch in open_epochs if epoch.begun is not None}
        coming = tuple((epoch.number, epoch.commitment) for epoch in open_epochs if epoch.begun is None)
        epochs, remarks = tuple(sorted(running.values())), (*self._remarks, *remarks)
        checkpoint = Checkpoint(self.keys.current.name, tree.size, tree.root(), epochs, coming, remarks)
        stored = store.add_checkpoint(tree.size, sign(checkpoint, self.keys.current), tree.frontier)
        return partial(self._signed, checkpoint, tree, (*unfiled, stored))

    def _signed(self, checkpoint: Checkpoint, tree: Tree, unfiled: Sequence[StoredCheckpoint]) -> None:
        """After the commit, in the writer's thread, add missing checkpoints to the file, including other processes'."""
        self._tree, self.latest, self.signed_at = tree, checkpoint, self._clock()
        self._remarks = tuple(remark for remark in self._remarks if remark not in checkpoint.remarks)
        stored = [each for each in unfiled if each.number > self._in_file]
        try:
            if self._anew:
                self._file.set_aside(self.started)
            self._anew = False
            self._file.append(*(each.note for each in stored))
        except OSError as error:
            log.error("%s cannot be written to; it will get what it lacks later: %s", self._file.file, error)
        else:
            self._in_file = max([self._in_file, *(each.number for each in stored)])


def _wrong_seeds(store: Store) -> list[int]:
    """The epochs whose published seeds do not match their commitments."""
    return [epoch.number for epoch in store.epochs() if epoch.has_wrong_seed]
