"""Garbage of work that goes on for long: what is no longer wanted is let go as it is, but for rings. Knows no work."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count

SELDOM = 256  # turns


@contextmanager
def tidied() -> Iterator[Callable[[], None]]:
    """Within the block rings are looked for whenever what is given is called, and by nobody else.

    They are looked for among what was made since the last time: what a channel remembers stays for hundreds of times,
    and to look through all of it again and again costs a tenth of all work. All of it is, once in SELDOM times.
    """
    turns, before = count(1), gc.isenabled()

    def tidy() -> None:
        if next(turns) % SELDOM:
            gc.collect(0)
        else:
            gc.unfreeze()
            gc.collect()
        gc.freeze()

    gc.disable()
    try:
        yield tidy
    finally:
        gc.unfreeze()
        if before:
            gc.enable()
