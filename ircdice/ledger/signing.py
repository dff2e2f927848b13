"""The checkpoints of a process: a start compares the ledger with them, and they are made from then on (LED-12)."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import partial

from ircdice.errors import KeysError, LedgerDamaged, NoteError
from ircdice.ledger.checkpoint import Checkpoint, Tree, Trust, base64, loss, sign, signers, start
from ircdice.ledger.engine import ACCEPT, REPAIR
from ircdice.ledger.epochs import IMPORTED
from ircdice.ledger.paths import Paths, SigningKeys
from ircdice.ledger.record import is_intact
from ircdice.ledger.store import Store, StoredCheckpoint

log = logging.getLogger(__name__)
PUBLIC_KEYS = "public keys"  # in the table meta: keys of the checkpoints, oldest first, in base 64
_CHECK = "`ircdice ledger check` says more;"
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
        first, latest, filed = store.last_checkpoint(0), store.last_checkpoint(), self._file.last()
        if first and latest and not any(self._valid(first.note, latest.note)):
            raise KeysError(
                f"{self._paths.signing_file} is not this ledger's: every bot on it needs the same one. "
                "Copy it from the first bot or a backup."
            )
        if latest and not accept_loss and self._rotated_since(latest.note):
            raise KeysError(
                f"{self._paths.signing_file} is from before a rotation: copy it and tag.keys from where the key was "
                "rotated, or from a newer backup."
            )
        self.started = self._start_time(store, self._valid(filed, latest.note if latest else None))
        store.put_meta("started", str(self.started))
        self._remarks = (start(self.started),)
        try:
            self._tree, self._in_file = self._compared(store, filed, latest)
        except LedgerDamaged as damage:
            if sum(store.counts().values()) != store.last()[0]:
                between = "Records are missing between others, which cannot be accepted."
                raise LedgerDamaged(f"{damage} {between} {_CHECK} {REPAIR}") from damage
            if not accept_loss:
                raise LedgerDamaged(f"{damage} {_CHECK} {REPAIR} {ACCEPT}") from damage
            log.error("accepted: %s", damage)
            self._tree, self._in_file, self._anew = Tree(), 0, True
            self._remarks = (self._accept(store, damage.first), *self._remarks)
        return self._anew

    def show_keys(self, store: Store, keys: SigningKeys) -> None:
        """Use these keys from now on, and store the public ones where the page can read them (WEB-08)."""
        self.keys = keys
        store.put_meta(PUBLIC_KEYS, " ".join(base64(key.public) for key in keys.all))

    def _compared(self, store: Store, filed: str | None, latest: StoredCheckpoint | None) -> tuple[Tree, int]:
        """The tree of the last checkpoint, and the number of the last one that is also in the file."""
        file, in_file = self._file.file, 0
        last, _ = store.last()
        if filed is not None:
            size = self._verified(filed, f"the last checkpoint in {file}").size
            _expect(size, last, f"{file} counts {size}")
            in_table = store.checkpoint_of(filed, size)
            if in_table is None:
                raise LedgerDamaged(f"the ledger has lost or altered the last checkpoint in {file}.")
            in_file = in_table.number
        elif last and store.epochs(self._paths.name):
            shared = "" if store.connection.dialect.name == "sqlite" else _SHARED.format(self._paths.name)
            raise LedgerDamaged(f"{shared}{file} is missing: it says how many records there were.")
        tree, signed = Tree(), None
        if latest is not None:
            signed = self._verified(latest.note, f"checkpoint {latest.number} of the ledger")
            if not latest.is_tree_of(signed):
                raise LedgerDamaged(f"the tree of the first {signed.size} records is not the one that was signed.")
            tree = Tree(latest.size, latest.frontier)
        _expect(tree.size, last, "a checkpoint counts them")
        for expected, record in enumerate(store.scan(tree.size), tree.size + 1):
            if record.seq != expected:
                raise LedgerDamaged(f"record {expected} is missing.")
            if not is_intact(record):
                raise LedgerDamaged(f"record {expected} was altered.", first=expected)
        for seq, channel in sorted(((seq, channel) for _, channel, seq, _ in store.deliveries()), reverse=True):
            _expect(seq, last, f"the line of {seq} was posted to {channel}")
        _compare_epochs(store, signed)
        return tree, in_file

    def _verified(self, note: str, what: str) -> Checkpoint:
        """The checkpoint in a note; LedgerDamaged unless a key of this ledger signed it."""
        try:
            return Trust(*self.keys.all).verify(note)
        except NoteError as error:
            raise LedgerDamaged(f"{what} is not valid: {error}.") from error

    def _valid(self, *notes: str | None) -> Iterator[Checkpoint]:
        """The checkpoints in those of the notes that a key of this ledger signed."""
        for note in filter(None, notes):
            with suppress(NoteError):
                yield Trust(*self.keys.all).verify(note)

    def _rotated_since(self, note: str) -> bool:
        """Whether a checkpoint names, or is signed in the name of, a key that is not in the file (LED-18)."""
        if checkpoint := next(self._valid(note), None):
            return checkpoint.successor not in (None, *self.keys.all)
        return not signers(note) <= {key.id for key in self.keys.all}

    def _start_time(self, store: Store, signed: Iterable[Checkpoint]) -> int:
        """The time of this start: now, but later than everything written since earlier ones (LED-15)."""
        seconds = [store.meta_number("started"), store.last()[1] // 1000]
        seconds += [ts // 1000 for *_, ts in store.deliveries()]
        for checkpoint in signed:
            seconds += [checkpoint.started, *(begun // 1000 for _, begun in checkpoint.epochs)]
        return max(self._clock() // 1000, max(seconds) + 1)

    def _accept(self, store: Store, first: int | None) -> str:
        """Resume after the last record; returns the remark that gives up the records from `first`, or the missing ones.

        Altered records stay as they are, but wrong seeds are withdrawn. Epochs known only from the file are entered,
        because their numbers are used.
        """
        last, _ = store.last()
        store.withdraw_deliveries()
        signed = list(self._valid(*self._file.notes()))
        known = {epoch.number for epoch in store.epochs()}
        promised = {number: promise for checkpoint in signed for number, promise in checkpoint.following}
        for number in promised.keys() - known:
            store.add_epoch(number, self._paths.name, promised[number])
        for epoch in store.epochs():
            if epoch.has_wrong_seed:
                store.publish_seed(epoch.number, None)
        return loss(first or last + 1, max([last, *(checkpoint.size for checkpoint in signed)]))

    # Signing

    def sign(self, store: Store, *remarks: str) -> Callable[[], None]:
        """In a transaction, make a checkpoint of all records. Returns the follow-up that writes it to the file."""
        unfiled = [*store.checkpoints(self._in_file)]
        tree = self._tree.copy()
        tree.extend(store.leaves(tree.size))
        open_epochs = [epoch for epoch in store.epochs(unpublished=True) if epoch.name != IMPORTED]
        running = {epoch.name: (epoch.number, epoch.begun) for epoch in open_epochs if epoch.begun is not None}
        coming = tuple((epoch.number, epoch.commitment) for epoch in open_epochs if epoch.begun is None)
        epochs, remarks = tuple(sorted(running.values())), (*self._remarks, *remarks)
        checkpoint = Checkpoint(self.keys.current.name, tree.size, tree.root(), epochs, coming, remarks)
        unfiled.append(store.add_checkpoint(tree.size, sign(checkpoint, self.keys.current), tree.frontier))
        return partial(self._signed, checkpoint, tree, unfiled)

    def _signed(self, checkpoint: Checkpoint, tree: Tree, unfiled: Sequence[StoredCheckpoint]) -> None:
        """After the commit, in the writer's thread, add missing checkpoints to the file, including other processes'."""
        self._tree, self.latest, self.signed_at, self._remarks = tree, checkpoint, self._clock(), ()
        try:
            if self._anew:
                self._file.set_aside(self.started)
            self._anew = False
            self._file.append(*(stored.note for stored in unfiled))
            self._in_file = unfiled[-1].number
        except OSError as error:
            log.error("%s cannot be written to; it will get what it lacks later: %s", self._file.file, error)


def _expect(size: int, last: int, why: str) -> None:
    """LedgerDamaged if the ledger ends at record `last`, although it had `size` records: `why` says who knows."""
    if size > last:
        missing = f"record {size} is" if size == last + 1 else f"records {last + 1} to {size} are"
        raise LedgerDamaged(f"{missing} missing: {why}.")


def _compare_epochs(store: Store, signed: Checkpoint | None) -> None:
    """Check that published seeds match commitments, and that commitments match the last signed ones."""
    listed = {epoch.number: epoch for epoch in store.epochs()}
    for epoch in listed.values():
        if epoch.has_wrong_seed:
            raise LedgerDamaged(f"the published seed of epoch {epoch.number} is not the one that was committed to.")
    for number, promise in signed.following if signed else ():
        if number not in listed or listed[number].commitment != promise:
            raise LedgerDamaged(f"the commitment of epoch {number} is not the one that was signed.")
    for number, begun in signed.epochs if signed else ():
        if number not in listed or listed[number].begun != begun:
            raise LedgerDamaged(f"epoch {number} did not begin when a checkpoint says.")
