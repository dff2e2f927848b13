"""Garbage of work that goes on for long: what is no longer wanted is let go as it is, but for rings. Knows no work."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

MANY = 200_000  # things that were made and not let go


@contextmanager
def tidied() -> Iterator[None]:
    """Within the block rings are looked for where MANY things more are there than before.

    No record that is sound leaves any, and what a channel remembers stays long: to look through it again and again, as
    for every 700 things, takes a tenth of all work.
    """
    before = gc.get_threshold()
    gc.set_threshold(MANY, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)
