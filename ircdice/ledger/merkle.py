"""The tree over the leaves, as in RFC 6962, and its roots. Knows no record."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import reduce
from hashlib import sha256

EMPTY_ROOT = sha256(b"").digest()


def _node(left: bytes, right: bytes) -> bytes:
    return sha256(b"\1" + left + right).digest()


class Tree:
    """A tree that remembers no leaf: only the roots of its complete parts, the largest first (its frontier)."""

    def __init__(self) -> None:
        self.size = 0
        self._parts: list[bytes] = []

    @classmethod
    def of(cls, size: int, frontier: Sequence[bytes]) -> Tree:
        """The tree of `size` leaves whose frontier was kept; ValueError where it cannot be that one's."""
        if len(frontier) != size.bit_count():
            raise ValueError(f"a tree of {size} leaves has {size.bit_count()} complete parts, not {len(frontier)}")
        tree = cls()
        tree.size, tree._parts = size, list(frontier)
        return tree

    @property
    def frontier(self) -> tuple[bytes, ...]:
        """The root of each complete part, the largest part first: 32 bytes each, one for each 1 bit of the size."""
        return tuple(self._parts)

    def append(self, leaf: bytes) -> None:
        """Put in one more leaf, given as its hash."""
        size, part = self.size, leaf
        while size & 1:
            part = _node(self._parts.pop(), part)
            size >>= 1
        self._parts.append(part)
        self.size += 1

    def extend(self, leaves: Iterable[bytes]) -> None:
        """Put in each of `leaves`, in order."""
        for leaf in leaves:
            self.append(leaf)

    def root(self) -> bytes:
        """The root: 32 bytes."""
        if not self._parts:
            return EMPTY_ROOT
        return reduce(lambda right, left: _node(left, right), reversed(self._parts))
