"""Tidying: rings are found where garbage is looked for by hand, and things are afterwards as they were."""

import gc
import weakref

from ircdice.ledger.tidying import SELDOM, tidied


class Ring:
    """One that nobody lets go but who looks for it."""

    def __init__(self):
        self.itself = self


def test_rings_are_let_go():
    """LED-16: those made since, at once; those that were kept for some time, once in a long time."""
    with tidied() as tidy:
        young, old = Ring(), Ring()
        seen_young, seen_old = weakref.ref(young), weakref.ref(old)
        del young
        tidy()
        assert seen_young() is None
        del old
        for _ in range(SELDOM - 2):
            tidy()
        assert seen_old() is not None
        tidy()
        assert seen_old() is None


def test_behind_it_all_is_as_before():
    """LED-16: a check in a process that has other work leaves its garbage to be looked for."""
    with tidied():
        assert not gc.isenabled()
    assert gc.isenabled()
    assert gc.get_freeze_count() == 0
