"""The Merkle tree, against the recursive definition of RFC 6962 (LED-11)."""

from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ircdice.ledger.checkpoint import EMPTY_ROOT, Tree

LEAVES = [sha256(bytes([n])).digest() for n in range(70)]


def mth(leaves):
    """MTH of RFC 6962, 2.1; the leaves are already hashed."""
    if not leaves:
        return sha256().digest()
    if len(leaves) == 1:
        return leaves[0]
    k = max(2**n for n in range(8) if 2**n < len(leaves))
    return sha256(b"\x01" + mth(leaves[:k]) + mth(leaves[k:])).digest()


def test_led_11_the_empty_tree():
    """LED-11: the root of a ledger without records is the hash of nothing."""
    assert Tree().root() == EMPTY_ROOT == sha256().digest()
    assert Tree().frontier == ()


def test_led_11_every_root_follows_the_definition():
    """LED-11: RFC 6962, for each size up to 70."""
    tree = Tree()
    for size, leaf in enumerate(LEAVES, 1):
        tree.append(leaf)
        assert tree.size == size
        assert tree.root() == mth(LEAVES[:size])


@given(st.integers(0, 70), st.integers(0, 70))
def test_led_12_a_tree_goes_on_from_its_frontier(first, second):
    """LED-12: a checkpoint keeps the frontier, so that no older leaf has to be read."""
    tree = Tree()
    tree.extend(LEAVES[: min(first, second)])
    again = Tree(tree.size, tree.frontier)
    again.extend(LEAVES[min(first, second) : max(first, second)])
    assert again.root() == mth(LEAVES[: max(first, second)])


@pytest.mark.parametrize(("size", "parts"), [(3, 1), (4, 2), (0, 1), (1, 0)])
def test_led_12_a_frontier_that_cannot_be(size, parts):
    """LED-12: a frontier has one hash for each 1 bit of the size."""
    with pytest.raises(ValueError, match="complete subtrees"):
        Tree(size, LEAVES[:parts])
