"""The tree over the leaves, as in RFC 6962: roots, proofs that a leaf or an older tree is in it. Knows no record."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
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


def root_of(leaves: Iterable[bytes]) -> bytes:
    """The root over `leaves`, each a hash of 32 bytes."""
    tree = Tree()
    tree.extend(leaves)
    return tree.root()


def inclusion(leaves: Sequence[bytes], index: int) -> tuple[bytes, ...]:
    """The audit path of leaf `index`, counted from 0, in the tree over `leaves`: RFC 6962, 2.1.1."""
    if not 0 <= index < len(leaves):
        raise ValueError(f"a tree of {len(leaves)} leaves has none numbered {index}")
    if len(leaves) == 1:
        return ()
    half = _half(len(leaves))
    if index < half:
        return (*inclusion(leaves[:half], index), root_of(leaves[half:]))
    return (*inclusion(leaves[half:], index - half), root_of(leaves[:half]))


def included(leaf: bytes, index: int, size: int, proof: Sequence[bytes], root: bytes) -> bool:
    """Whether `proof` shows that `leaf` has that index, from 0, in the tree of `size` leaves with that root."""
    if not 0 <= index < size:
        return False
    at, last, found = index, size - 1, leaf
    for beside in proof:
        if last == 0:
            return False
        if at & 1 or at == last:
            found = _node(beside, found)
            at, last = _to_the_left(at, last)
        else:
            found = _node(found, beside)
        at, last = at >> 1, last >> 1
    return last == 0 and found == root


def consistency(leaves: Sequence[bytes], size: int) -> tuple[bytes, ...]:
    """The proof that the first `size` of `leaves` are how the tree over all of them begins: RFC 6962, 2.1.2."""
    if not 0 <= size <= len(leaves):
        raise ValueError(f"a tree of {len(leaves)} leaves never had {size}")
    return tuple(_subproof(leaves, size, True)) if size else ()


def consistent(old_size: int, old_root: bytes, size: int, root: bytes, proof: Sequence[bytes]) -> bool:
    """Whether `proof` shows that the tree of `old_size` leaves is how the one of `size` leaves begins."""
    if old_size in (0, size):
        return not proof and old_root == (root if old_size else EMPTY_ROOT)
    if not 0 < old_size < size:
        return False
    path = [old_root, *proof] if old_size & (old_size - 1) == 0 else list(proof)
    return bool(path) and _climbs(old_size - 1, size - 1, path, old_root, root)


def _climbs(at: int, last: int, path: Sequence[bytes], old_root: bytes, root: bytes) -> bool:
    """The walk of RFC 9162, 2.1.4.2, from the last leaf of the old tree up to both roots."""
    while at & 1:
        at, last = at >> 1, last >> 1
    old = new = path[0]
    for beside in path[1:]:
        if last == 0:
            return False
        if at & 1 or at == last:
            old, new = _node(beside, old), _node(beside, new)
            at, last = _to_the_left(at, last)
        else:
            new = _node(new, beside)
        at, last = at >> 1, last >> 1
    return last == 0 and old == old_root and new == root


def _to_the_left(at: int, last: int) -> tuple[int, int]:
    """Up past the levels where the node at `at` has no sibling."""
    while at and not at & 1:
        at, last = at >> 1, last >> 1
    return at, last


def _subproof(leaves: Sequence[bytes], size: int, known: bool) -> Iterator[bytes]:
    """`known`: whether whoever checks has the root of the first `size` leaves already."""
    if size == len(leaves):
        if not known:
            yield root_of(leaves)
        return
    half = _half(len(leaves))
    if size <= half:
        yield from _subproof(leaves[:half], size, known)
        yield root_of(leaves[half:])
    else:
        yield from _subproof(leaves[half:], size - half, False)
        yield root_of(leaves[:half])


def _half(size: int) -> int:
    """The largest power of two below `size`."""
    return 1 << (size - 1).bit_length() - 1
