"""Answers that are kept at hand: no more than so many, whoever asks meanwhile."""

import sys
from concurrent.futures import ThreadPoolExecutor

from ircdice.caching import Kept

MOST = 8


def test_several_threads_keep_answers_side_by_side():
    """Odds are worked out in a thread of their own: one that makes room is not stopped by another that does so too."""
    kept = Kept(lambda _answer: 1, 1, MOST)

    def keep(first):
        for asked in range(first, first + 30_000):
            kept.keep(asked, asked)

    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(4) as threads:
            list(threads.map(keep, range(0, 120_000, 30_000)))
    finally:
        sys.setswitchinterval(before)
    assert len(kept) <= MOST + 4


def test_what_is_too_large_is_not_kept():
    """A few large answers would take the room of many."""
    kept = Kept(len, 2, MOST)
    for asked in ("a", "bb", "ccc"):
        kept.keep(asked, asked)
    assert [*kept] == ["a", "bb"]
