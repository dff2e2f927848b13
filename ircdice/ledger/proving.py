"""Checkpoints proved side by side (LED-12, LED-16): a signature takes as long as a record's verdict. Knows no file."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from multiprocessing import get_context

from ircdice.errors import LedgerUnavailable, NoteError
from ircdice.ledger.notes import Proved, Trust, VerifyingKey
from ircdice.ledger.processes import deaf

FEW = 2_000  # notes, up to which they are proved as they are read: starting others takes longer
_AT_ONCE = 500


def proven(
    keys: tuple[VerifyingKey, ...], notes: Iterable[str], processes: int, heard: Callable[[], object] = lambda: None
) -> Proved:
    """What is known of those `notes` that one of `keys` signed, oldest key first; `heard` is called now and then."""
    each = list(dict.fromkeys(notes))
    parts = [each[at : at + _AT_ONCE] for at in range(0, len(each), _AT_ONCE)] if len(each) > FEW else []
    proved: Proved = {}
    for part in _side_by_side(keys, parts, processes) if processes > 1 else map(partial(_proven, keys), parts):
        proved |= part
        heard()
    return proved


def _side_by_side(keys: tuple[VerifyingKey, ...], parts: Sequence[list[str]], processes: int) -> Iterator[Proved]:
    if not parts:
        return
    pool = ProcessPoolExecutor(processes, get_context("spawn"))
    try:
        with deaf():
            found = pool.map(partial(_proven, keys), parts)
        yield from found
    except BrokenProcessPool as error:
        raise LedgerUnavailable("a process that looked at the ledger has ended.") from error
    finally:
        pool.shutdown(cancel_futures=True)


def _proven(keys: tuple[VerifyingKey, ...], notes: Sequence[str]) -> Proved:
    """Those that hold, whichever of the earlier keys were still believed when they are read."""
    proved: Proved = {}
    for note in notes:
        mine: Proved = {}
        try:
            Trust(*keys, proved=mine).believe(note)
        except NoteError:
            continue  # it is looked at again in its place, and told
        ((asked, (checkpoint, behind)),) = mine.items()
        before = len(keys) - len(behind) if keys[-len(behind) :] == behind else 0
        proved |= {(keys[first:], asked[1]): (checkpoint, behind) for first in range(before + 1)}
    return proved
