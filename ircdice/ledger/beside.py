"""What a ledger keeps beside its records, held against what was signed of it (LED-12, LED-16). Reads no file."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Protocol

from ircdice.ledger.check import History
from ircdice.ledger.examining import Finding
from ircdice.ledger.merkle import Tree
from ircdice.ledger.notes import base64

_SIZE = re.compile("[0-9]{1,20}")  # a longer one, or of other digits, nobody has signed


class Noted(Protocol):
    """A checkpoint in a table: its note, and the tree that was put down with it."""

    @property
    def size(self) -> int:
        """Records, as the table has it."""
        ...

    @property
    def note(self) -> str:
        """What was signed."""
        ...

    @property
    def frontier(self) -> tuple[bytes, ...]:
        """The roots of its complete parts; none where it counts what was given up."""
        ...


@dataclass(frozen=True, slots=True)
class Beside:
    """What was read of `last` records' company: the checkpoints of the table, when epochs began, a few words.

    `begun` is in ms since 1970, by epoch; `said` what the ledger says of itself under each name, and `expected` what it
    must say.
    """

    last: int
    stored: Sequence[Noted]
    begun: Mapping[int, int | None]
    said: Mapping[str, str | None]
    expected: Mapping[str, str | None]  # None: whatever it is, it must be there

    def findings(self, table: History, file: History) -> Iterator[Finding]:
        """What is gone, or is not what was signed."""
        yield from self._unsaid()
        yield from _misplaced(table)
        yield from _misplaced(file)
        yield from self._trees(table)
        yield from self._forgotten(table, file)
        yield from self._begun(table, file)

    def _unsaid(self) -> Iterator[Finding]:
        for name, wanted in self.expected.items():
            said = self.said.get(name)
            if said is None or wanted not in (None, said):
                yield Finding(0, "damaged", f"the ledger says {said or 'nothing'} where its {name} should stand")

    def _trees(self, table: History) -> Iterator[Finding]:
        """Whoever goes on from a checkpoint goes on from the tree beside it."""
        given_up = min((lost for each in table.checkpoints if (lost := each.lost) is not None), default=None)
        for each in self.stored:
            if each.note in table.void:
                continue
            size, root = [*each.note.split("\n", 3), "", ""][1:3]
            said = int(size) if _SIZE.fullmatch(size) else None
            void = given_up is not None and said is not None and said >= given_up and not each.frontier
            if not void and (size, root) != _tree(each):
                why = "the tree that is kept with a checkpoint is not the one that was signed"
                yield Finding(said or 0, "altered", why)

    def _forgotten(self, table: History, file: History) -> Iterator[Finding]:
        """What stands in the file stood in the table before."""
        kept = set(table.checkpoints)
        gone = [each for each in file.settled if each.size <= self.last and each not in kept]
        # Of what is damaged in the table the file may have what it was: a note of the tree beside it, or any note
        # where that is damaged too.
        damaged = [_tree(each) for each in self.stored if each.note in table.void_since]
        for each in tuple(gone):
            if (tree := (str(each.size), base64(each.root))) in damaged:
                damaged.remove(tree)
                gone.remove(each)
        if len(gone) > damaged.count(None):
            why = f"{table.where} lacks checkpoints of {file.where}, {len(gone)} in all, the first of that size"
            yield Finding(min(each.size for each in gone), "missing", why)

    def _begun(self, table: History, file: History) -> Iterator[Finding]:
        """When an epoch began is signed with whatever else is, as long as it runs."""
        told: dict[int, tuple[int, int]] = {}
        for each in (*table.settled, *file.settled):
            for epoch, ts in each.epochs if each.size <= self.last else ():
                told.setdefault(epoch, (ts, each.size))
        for epoch, (ts, size) in told.items():
            if (begun := self.begun.get(epoch)) != ts:
                why = f"when epoch {epoch} began is not what a checkpoint of that size says"
                yield Finding(size, "missing" if begun is None else "altered", why)


def _misplaced(history: History) -> Iterator[Finding]:
    """Each checkpoint counts what the one before it does, and more; else no export of them is taken (LED-07)."""
    for before, one in pairwise(history.checkpoints):
        if one.size < before.size:
            why = f"{history.where}: a checkpoint of that size stands behind one of {before.size} records"
            yield Finding(one.size, "reordered", why)


def _tree(kept: Noted) -> tuple[str, str] | None:
    """Size and root as a note has them; None of what is no tree."""
    try:
        tree = Tree.of(kept.size, kept.frontier)
    except ValueError:
        return None
    return str(tree.size), base64(tree.root())
