"""Trees that are kept with checkpoints, made anew where they are not the signed ones (LED-12). Knows no signature.

A start goes on from the tree beside the last checkpoint instead of reading every leaf; it is nothing but those leaves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import sqlalchemy as sa

from ircdice.ledger.merkle import Tree
from ircdice.ledger.notes import Checkpoint
from ircdice.ledger.store.page import Page, StoredCheckpoint
from ircdice.ledger.store.schema import CHECKPOINTS


def mended(page: Page, believed: Callable[[str], Checkpoint | None]) -> int:
    """Put down the tree of each checkpoint that has another than it signs, where the leaves come to that; how many."""
    tree, count = Tree(), 0
    for number, signed in sorted(_otherwise(page, believed), key=lambda each: each[1].size):
        tree.extend(page.leaves(tree.size, signed.size - tree.size))
        if (tree.size, tree.root()) == (signed.size, signed.root):
            right = {"size": tree.size, "frontier": b"".join(tree.frontier)}
            page.connection.execute(sa.update(CHECKPOINTS).where(CHECKPOINTS.c.number == number).values(right))
            count += 1
    return count


def _otherwise(page: Page, believed: Callable[[str], Checkpoint | None]) -> Iterator[tuple[int, Checkpoint]]:
    for stored in page.checkpoints():
        signed = believed(stored.note)
        if signed is not None and not _is_of(stored, signed):
            yield stored.number, signed


def _is_of(stored: StoredCheckpoint, signed: Checkpoint) -> bool:
    try:
        tree = Tree.of(stored.size, stored.frontier)
    except ValueError:
        return False
    return (tree.size, tree.root()) == (signed.size, signed.root)
