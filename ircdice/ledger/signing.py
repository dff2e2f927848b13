"""Checkpoints as they are made: under the ledger's lock, over its tree, into table and file (LED-12). Knows no dice."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from threading import Lock
from typing import TYPE_CHECKING

from ircdice.ledger.checkpoint_file import CheckpointFile
from ircdice.ledger.keys import SigningKeys
from ircdice.ledger.merkle import Tree
from ircdice.ledger.notes import Checkpoint, sign
from ircdice.ledger.record import Record
from ircdice.ledger.store.page import HASH_LENGTH, IMPORTED

if TYPE_CHECKING:
    from ircdice.ledger.store.page import Page, StoredCheckpoint, StoredEpoch

log = logging.getLogger(__name__)
EVERY = 100  # records: whoever's append crosses the hundred signs


@dataclass(frozen=True, slots=True)
class Signed:
    """A checkpoint that was signed in a transaction, and what the table has that the file has not, it included."""

    stored: tuple[StoredCheckpoint, ...]
    checkpoint: Checkpoint
    tree: Tree


class Signer:
    """Signs what the ledger has come to, in whichever thread writes; `tree` was seen to be right at the start.

    What stands in the table is put into the file behind the commit, by whichever thread hears of it first.
    """

    def __init__(
        self, keys: SigningKeys, file: CheckpointFile, tree: Tree, seen: int, promised: Mapping[int, bytes]
    ) -> None:
        self.keys = keys
        self._promised = promised  # what each epoch to come was committed to when that was signed last
        self.latest: Checkpoint | None = None
        self.remarks: tuple[str, ...] = ()  # for the next checkpoint (LED-12)
        self._file, self._tree = file, tree
        self._seen = seen  # the number of the last checkpoint that stands in the file
        self._lock = Lock()
        self._followers = ThreadPoolExecutor(1, "checkpoints")

    def learn(self, records: Sequence[Record]) -> None:
        """These are durable: what comes next to the tree need not be read again when it is signed.

        Only whoever writes lets a tree grow; one that another thread puts in its place may lag, and is read up.
        """
        tree = self._tree
        for record in records:
            if record.seq == tree.size + 1:
                tree.append(record.leaf)

    def sign(self, page: Page, records: Sequence[Record] = ()) -> Signed:
        """Sign now; `durable` is to be told once the transaction is committed. `records` are the last, as far as known.

        Whatever lies between them and those that were learnt of is read: other processes write too.
        """
        others = tuple(page.checkpoints(self._seen))
        known = self._tree
        tree = Tree.of(known.size, known.frontier)
        tree.extend(page.leaves(tree.size, records[0].seq - 1 - tree.size if records else -1))
        tree.extend(record.leaf for record in records)
        running, coming = _lines(page.epochs(unpublished=True), self._promised)
        checkpoint = Checkpoint(self.keys.current.name, tree.size, tree.root(), running, coming, self.remarks)
        mine = page.add_checkpoint(tree.size, sign(checkpoint, self.keys.current), tree.frontier)
        page.driver.slim()  # now and then, or a bot would grow by each page that it ever wrote, up to 8 MB of them
        return Signed((*others, mine), checkpoint, tree)

    def durable(self, signed: Signed) -> None:
        """The checkpoint is in the table for good: into the file with it, and with those that others made meanwhile."""
        with self._lock:
            for stored in signed.stored:
                if stored.number > self._seen:
                    self._file.append(stored.note)
                    self._seen, self.latest = stored.number, signed.checkpoint
                    self._promised = dict(signed.checkpoint.following)
            if signed.tree.size >= self._tree.size:
                self._tree = signed.tree
            self.remarks = tuple(remark for remark in self.remarks if remark not in signed.checkpoint.remarks)

    def follow(self, signed: Signed) -> None:
        """As `durable`, soon and in another thread; one that fails is put into the file with the next."""
        self._followers.submit(self._follow, signed)

    def _follow(self, signed: Signed) -> None:
        try:
            self.durable(signed)
        except Exception:
            log.exception("the checkpoint of %d records is not in its file yet", signed.checkpoint.size)

    def close(self) -> None:
        """Wait until nothing follows any more."""
        self._followers.shutdown()


def _lines(
    epochs: list[StoredEpoch], promised: Mapping[int, bytes]
) -> tuple[tuple[tuple[int, int], ...], tuple[tuple[int, bytes], ...]]:
    """Number and begin of each epoch that runs, the last begun of each process; number and commitment of the next.

    What was `promised` once is not signed otherwise, whatever the table says by now.
    """
    running: dict[str, tuple[int, int]] = {}
    mine = [epoch for epoch in epochs if epoch.name != IMPORTED]
    for epoch in mine:
        if epoch.begun is not None:
            running[epoch.name] = epoch.number, epoch.begun
    bound = [epoch for epoch in mine if len(epoch.commitment) == HASH_LENGTH]  # others were damaged, and bind nobody
    coming = {epoch.number: epoch.commitment for epoch in bound if epoch.begun is None}
    for number in coming.keys() & promised.keys():
        if coming[number] != promised[number]:
            log.error("the commitment of epoch %d was altered: what was signed of it is signed again", number)
            coming[number] = promised[number]
    return tuple(sorted(running.values())), tuple(coming.items())
