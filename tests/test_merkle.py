"""The tree of RFC 6962 (LED-11), held against its recursive definition; proofs, and tampering with them."""

from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ircdice.ledger.merkle import EMPTY_ROOT, Tree, consistency, consistent, included, inclusion, root_of

LEAVES = [sha256(bytes([n])).digest() for n in range(70)]
sizes = st.integers(1, len(LEAVES))


def mth(leaves):
    """MTH of RFC 6962, 2.1, word for word; the leaves hashed already."""
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


def test_led_11_every_root_is_the_definitions():
    """LED-11: RFC 6962, for each size up to 70."""
    tree = Tree()
    for size, leaf in enumerate(LEAVES, 1):
        tree.append(leaf)
        assert tree.size == size
        assert tree.root() == mth(LEAVES[:size]) == root_of(LEAVES[:size])


@given(st.integers(0, 70), st.integers(0, 70))
def test_led_12_a_tree_goes_on_from_its_frontier(first, second):
    """LED-12: a checkpoint keeps the frontier, and no older leaf is read to go on from it."""
    tree = Tree()
    tree.extend(LEAVES[: min(first, second)])
    again = Tree.of(tree.size, tree.frontier)
    again.extend(LEAVES[min(first, second) : max(first, second)])
    assert again.root() == mth(LEAVES[: max(first, second)])


@pytest.mark.parametrize(("size", "parts"), [(3, 1), (4, 2), (0, 1), (1, 0)])
def test_led_12_a_frontier_that_cannot_be(size, parts):
    """LED-12: a frontier has one hash for each 1 bit of the size."""
    with pytest.raises(ValueError, match="complete parts"):
        Tree.of(size, LEAVES[:parts])


@given(sizes, st.data())
def test_led_11_a_leaf_is_shown_to_be_in(size, data):
    """LED-11: an inclusion proof convinces for its own leaf, place, size and root alone."""
    leaves = LEAVES[:size]
    index = data.draw(st.integers(0, size - 1))
    proof, root = inclusion(leaves, index), mth(leaves)
    assert included(leaves[index], index, size, proof, root)
    assert not included(sha256(b"other").digest(), index, size, proof, root)
    assert not included(leaves[index], index, size, proof, sha256(b"other").digest())
    assert not included(leaves[index], index, size, (*proof, root), root)
    assert not included(leaves[index], size, size, proof, root)
    if proof:
        at = data.draw(st.integers(0, len(proof) - 1))
        assert not included(leaves[index], index, size, (*proof[:at], root, *proof[at + 1 :]), root)
        assert not included(leaves[index], index, size, proof[:-1], root)
        assert not included(leaves[index], index ^ 1, size, proof, root)


@given(sizes, st.data())
def test_led_12_an_older_tree_is_shown_to_be_the_beginning(size, data):
    """LED-12: a consistency proof convinces for the two roots that it is of, and no others."""
    leaves = LEAVES[:size]
    old = data.draw(st.integers(0, size))
    proof, roots = consistency(leaves, old), (mth(leaves[:old]), mth(leaves))
    other = sha256(b"other").digest()
    assert consistent(old, roots[0], size, roots[1], proof)
    assert not consistent(old, other, size, roots[1], proof)
    assert not consistent(old, roots[0], size, roots[1], (*proof, other))
    if old:
        assert not consistent(old, roots[0], size, other, proof)
    if proof:
        at = data.draw(st.integers(0, len(proof) - 1))
        assert not consistent(old, roots[0], size, roots[1], (*proof[:at], other, *proof[at + 1 :]))
        assert not consistent(old, roots[0], size, roots[1], proof[:-1])


def test_led_12_a_rewritten_past_has_no_proof():
    """LED-12: no proof that the honest way makes joins a root to a tree whose past is another."""
    rewritten = [LEAVES[3], *LEAVES[1:]]
    for old in range(1, 40):
        assert not consistent(old, mth(LEAVES[:old]), 40, mth(rewritten[:40]), consistency(rewritten[:40], old))


@pytest.mark.parametrize(("make", "at"), [(inclusion, 5), (inclusion, -1), (consistency, 6), (consistency, -1)])
def test_led_11_what_was_never_in_the_tree(make, at):
    """LED-11: nothing is proved of a leaf or a size that the tree does not have."""
    with pytest.raises(ValueError, match="5 leaves"):
        make(LEAVES[:5], at)
