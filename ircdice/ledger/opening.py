"""What is looked at before a ledger is trusted again: its end against the file of checkpoints (LED-12, LED-16)."""

from __future__ import annotations

import logging
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING

from ircdice.errors import LedgerDamaged, NoteError
from ircdice.ledger import torn
from ircdice.ledger.canonical import is_own
from ircdice.ledger.checkpoint_file import CheckpointFile
from ircdice.ledger.giving_up import give_up
from ircdice.ledger.keys import SigningKeys
from ircdice.ledger.merkle import Tree
from ircdice.ledger.notes import Checkpoint, note_hash, read, told_size
from ircdice.ledger.store import numbering, trees
from ircdice.ledger.store.made import NO_COLUMN, NO_TABLE
from ircdice.ledger.store.unbound import brought_back

if TYPE_CHECKING:
    from ircdice.ledger.store.page import Page, StoredCheckpoint

    _Ends = tuple[StoredCheckpoint | None, str | None]  # the last of the table, and of the file

log = logging.getLogger(__name__)
MOST_VOID = 100  # notes that one checkpoint says are damaged; more than that is no accident
LOOKED_AT = 1_000  # records at the end, each of which is hashed again; the others are left to `ledger check`


@dataclass(frozen=True, slots=True)
class Loss:
    """What is wrong with a ledger, and from which record on to which it is given up."""

    why: str
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Beginning:
    """Where a process goes on: the tree as far as it was signed, and the last checkpoint that stands in the file too.

    `loss` is what was found to be lost, where that was accepted.
    """

    tree: Tree
    in_file: int = 0  # its number in the table
    loss: Loss | None = None
    # Whether the table lacks the last checkpoint of the file; what that one counts is here all the same.
    forgotten: bool = False
    told: tuple[Checkpoint, ...] = ()  # the last of the file and of the table, as far as they are believed
    void: tuple[str, ...] = ()  # what stands where notes should, and is accepted as damaged
    broken: bool = False  # whether that is more than what stands somewhere between: dice may have been drawn behind it
    unfiled: int = 0  # checkpoints of the table behind the last of the file: of a bot that was killed it lacks one

    @property
    def begun(self) -> dict[int, int]:
        """When each epoch began (ms since 1970) that ran when that was signed."""
        return {number: ts for each in self.told for number, ts in each.epochs}

    @property
    def promised(self) -> dict[int, bytes]:
        """What each epoch to come was committed to when that was signed."""
        return {number: promise for each in self.told for number, promise in each.following}


def begin(page: Page, file: CheckpointFile, keys: SigningKeys, *, accept_loss: bool = False) -> Beginning:
    """Compare the ledger with its file. LedgerDamaged where it is behind it, or another one, with what is wrong.

    With `accept_loss` what is damaged is given up: empty records stand for it.
    """
    _laid_out(page)
    _numbered(page, accept_loss=accept_loss)
    if told := brought_back(page):
        log.warning("lines of %s were called delivered that are not in the ledger", ", ".join(told))
    if accept_loss and (count := trees.mended(page, partial(_believed, keys=keys))):
        log.error("accepted: the trees of %d checkpoints were altered; the leaves come to what was signed", count)
    ends = stored, note = page.last_checkpoint(), file.last()
    if not accept_loss:
        return _compared(page, file, keys, *ends)
    void, believed = _read_through(page, file, keys)
    try:
        if believed == ends:
            return replace(_compared(page, file, keys, *ends), void=void)
        return replace(_without_their_ends(page, file, keys, ends, believed), void=void)
    except LedgerDamaged as damage:
        last, seen = believed
        known = [_signed(each, keys, "") for each in (seen, last.note if last else None) if each is not None]
        said = stored.size if stored else 0, told_size(note or ""), _half(file, keys)
        signed = max(*said, *(checkpoint.size for checkpoint in known))
        in_file = stored.number if stored and note is not None else 0
        return Beginning(Tree(), in_file, _accepted(page, damage, signed), told=tuple(known), void=void)


def _without_their_ends(page: Page, file: CheckpointFile, keys: SigningKeys, ends: _Ends, believed: _Ends) -> Beginning:
    """Where the last of table or file is damaged what is before it holds: as many records as anything here counts.

    Whether that one counted more nobody can tell, but by what it still says of itself.
    """
    found, (stored, note) = _compared(page, file, keys, *believed), ends
    counted, last = max(stored.size if stored else 0, told_size(note or "")), page.last()[0]
    if counted > last:
        raise LedgerDamaged(f"a damaged checkpoint counts {counted} records, the ledger has {last}.", first=last + 1)
    # A damaged one of the table is not put into the file.
    in_file = stored.number if stored and stored != believed[0] else found.in_file
    return replace(found, in_file=in_file, unfiled=0, broken=True)


def _read_through(page: Page, file: CheckpointFile, keys: SigningKeys) -> tuple[tuple[str, ...], _Ends]:
    """What stands in table and file where notes should, as far as no checkpoint has said so yet; and the last of each
    that is believed."""
    said, void = set[bytes](), dict[bytes, str]()
    last: StoredCheckpoint | None = None
    seen: str | None = None
    noted = ((None, note) for note in file.notes())
    for stored, note in chain(((each, each.note) for each in page.checkpoints()), noted):
        if checkpoint := _believed(note, keys):
            said |= checkpoint.void
            last, seen = (stored, seen) if stored else (last, note)
        else:
            void[note_hash(note)] = note
    return tuple(void[each] for each in void if each not in said)[:MOST_VOID], (last, seen)


def _compared(
    page: Page, file: CheckpointFile, keys: SigningKeys, stored: StoredCheckpoint | None, note: str | None
) -> Beginning:
    """The ledger held against what was signed last, in table and file. LedgerDamaged where they do not agree."""
    _rest_agrees(page, file, keys)
    in_file, forgotten = stored.number if stored and note is not None else 0, False
    tree, told = _tree(stored), list[Checkpoint]()
    if note is not None:
        told.append(_signed(note, keys, f"{file.file}: its last checkpoint"))
        number = page.checkpoint_number(told[0].size, note)
        in_file, forgotten = number or in_file, number is None
    if stored:
        told.append(_signed(stored.note, keys, "the ledger's last checkpoint"))
        if tree.root() != told[-1].root:
            raise LedgerDamaged(f"the tree of the first {tree.size} records is not the one that was signed.")
    if note is not None:
        _agree(page, tree, told[0], keys)
    _look(page, tree)
    _grown(page, tree, keys)
    if lost := numbering.unlisted(page, [number for c in told for number, _ in (*c.epochs, *c.following)]):
        log.error("the ledger's list of epochs has lost %s: ircdice ledger check tells what hangs on it", lost)
    unfiled = stored.number - in_file if stored else 0
    return Beginning(tree, in_file, forgotten=forgotten, told=tuple(told), unfiled=unfiled)


def _rest_agrees(page: Page, file: CheckpointFile, keys: SigningKeys) -> None:
    """What is cut off at the end of the file counts no more records than there are; the next checkpoint replaces it."""
    last, counted = page.last()[0], _half(file, keys)
    if counted > last:
        what = f"half a note at the end of {file.file} counts {counted} records, the ledger has {last}"
        raise LedgerDamaged(f"{what}: those from {last + 1} on are lost.", first=last + 1)
    if rest := file.rest():
        log.warning("%s %s", file.file, torn.told(rest))


def _half(file: CheckpointFile, keys: SigningKeys) -> int:
    return torn.claimed(file.rest(), keys.current.name)


def _laid_out(page: Page) -> None:
    """Mostly no record is hurt yet, and who did it may have had their reasons; what is no table gives any answer, and
    without a column nothing can be recorded."""
    altered = page.laid_out_otherwise()
    if unfit := [each for each in altered if NO_TABLE in each or NO_COLUMN in each]:
        raise LedgerDamaged(f"the ledger's database was altered: {'; '.join(unfit)}.")
    if altered:
        log.warning("the ledger's database was altered: %s", "; ".join(altered))


def _numbered(page: Page, *, accept_loss: bool) -> None:
    """Whether other numbers can come behind those of checkpoints and epochs."""
    if stray := numbering.astray(page):
        if not accept_loss:
            raise LedgerDamaged(f"{stray}: somebody else than ircdice wrote it there.")
        log.error("accepted: %s", stray)
        numbering.brought_back(page)


def _believed(note: str, keys: SigningKeys) -> Checkpoint | None:
    try:
        return _signed(note, keys, "")
    except LedgerDamaged:
        return None


def _tree(stored: StoredCheckpoint | None) -> Tree:
    if stored and stored.size and not stored.frontier:
        what = f"the last checkpoint, of {stored.size} records, has no tree beside it"
        raise LedgerDamaged(f"{what}: it was taken away, or a loss was accepted and never signed.")
    return _kept(stored) if stored else Tree()


def _kept(stored: StoredCheckpoint) -> Tree:
    try:
        return Tree.of(stored.size, stored.frontier)
    except ValueError:
        raise LedgerDamaged(f"the tree of the first {stored.size} records is not the one that was signed.") from None


def _accepted(page: Page, damage: LedgerDamaged, signed: int) -> Loss:
    first = min([damage.first, *give_up(page)])
    page.void(first)
    brought_back(page)
    return Loss(str(damage), first, max(signed, page.last()[0]))


def _signed(note: str, keys: SigningKeys, what: str) -> Checkpoint:
    """The checkpoint that a note states; LedgerDamaged where no key of this ledger's signed it."""
    try:
        signed = read(note)
    except NoteError as error:
        raise LedgerDamaged(f"{what} is damaged: {error}.") from error
    if not any(signed.signed_by(key) for key in (keys.current.verifying, *keys.retired)):
        raise LedgerDamaged(f"{what} is not signed by this ledger's key.")
    return signed.checkpoint


def _agree(page: Page, tree: Tree, seen: Checkpoint, keys: SigningKeys) -> None:
    """The file's last checkpoint holds for what the ledger has: as many records, and the same ones."""
    last = page.last()[0]
    if last < seen.size:
        missing = f"record {last + 1}" if last + 1 == seen.size else f"records {last + 1} to {seen.size}"
        raise LedgerDamaged(
            f"the checkpoint file has seen {seen.size} records, the ledger has {last}: {missing} lost.", first=last + 1
        )
    then = Tree.of(tree.size, tree.frontier) if seen.size >= tree.size else _before(page, seen.size, keys)
    then.extend(page.leaves(then.size, seen.size - then.size))
    if then.root() != seen.root:
        raise LedgerDamaged(f"the first {seen.size} records are not those that the checkpoint file has seen.")


def _look(page: Page, tree: Tree) -> None:
    """The last records hold what their leaves say, and there is one for each number."""
    last = page.last()[0]
    start = max(0, last - LOOKED_AT)
    expected = start
    for record in page.records(start, LOOKED_AT):
        expected += 1
        if record.seq != expected:
            raise LedgerDamaged(f"record {expected} is missing.", first=expected)
        if not record.redacted and not is_own(record):
            raise LedgerDamaged(f"record {record.seq} was altered.", first=record.seq)
    if tree.size > last:
        sentence = f"records {last + 1} to {tree.size} are missing: the ledger was cut off."
        raise LedgerDamaged(sentence, first=last + 1)


def _grown(page: Page, tree: Tree, keys: SigningKeys) -> None:
    """The leaves looked at lead from the checkpoint before them to the last one: they were not all made anew."""
    then = _before(page, max(0, tree.size - LOOKED_AT), keys)
    first = then.size + 1
    then.extend(page.leaves(then.size, tree.size - then.size))
    if then.root() != tree.root():
        raise LedgerDamaged(f"records {first} to {tree.size} are not those that were signed.", first=first)


def _before(page: Page, size: int, keys: SigningKeys) -> Tree:
    """The tree of the last checkpoint of at most `size` records, as it was signed; an empty one where there is none."""
    before = page.checkpoint_before(size)
    if before is None or (before.size and not before.frontier):
        return Tree()
    then = _kept(before)
    if then.root() != _signed(before.note, keys, f"the checkpoint of {before.size} records").root:
        raise LedgerDamaged(f"the tree of the first {before.size} records is not the one that was signed.")
    return then
