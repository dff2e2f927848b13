"""Tidying: rings are looked for where there may be many, and things are afterwards as they were."""

import gc
import weakref

import pytest

from ircdice.ledger.tidying import MANY, tidied


class Ring:
    """One that nobody lets go but who looks for it."""

    def __init__(self):
        self.itself = self


@pytest.fixture(autouse=True)
def looked_for():
    """As in any program, whatever tests came before."""
    gc.enable()
    gc.collect()


def test_rings_are_let_go():
    """LED-16: a ledger of millions that are all wrong takes no more memory than many of them."""
    with tidied():
        ring = Ring()
        seen = weakref.ref(ring)
        del ring
        some = [[] for _ in range(MANY // 2)]
        assert seen() is not None
        more = [[] for _ in range(MANY)]
        assert seen() is None
    del some, more


def test_behind_it_all_is_as_before():
    """LED-16: a check in a process that has other work leaves its garbage to be looked for."""
    before = gc.get_threshold()
    with tidied():
        assert gc.get_threshold() == (MANY, *before[1:])
    assert gc.get_threshold() == before
