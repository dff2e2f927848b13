"""Where a loss is accepted: what stands for each record that is gone or altered, so that the rest counts (LED-12)."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from typing import TYPE_CHECKING

from ircdice.errors import LedgerDamaged
from ircdice.ledger.canonical import is_own
from ircdice.ledger.record import Record
from ircdice.ledger.store.page import HASH_LENGTH

if TYPE_CHECKING:
    from ircdice.ledger.store.page import Page

MOST = 100_000  # records that may be missing between others: where it is more, some number was altered
_STEP = 1_000
_LOST = b"\0ircdice1:lost\0"


def give_up(page: Page) -> list[int]:
    """Put an empty record where one is missing or is not what its leaf says; their numbers, in order.

    Numbers and leaves so stay one. LedgerDamaged where too many are missing.
    """
    given_up: list[int] = []
    expected, ts = 1, 0
    for record in _all(page):
        if record.seq - expected + len(given_up) > MOST:
            raise LedgerDamaged(f"record {expected} and too many behind it are missing: put a backup back.")
        lost = [Record.withheld(seq, ts, _nothing(seq), "lost") for seq in range(expected, record.seq)]
        if record.redacted or is_own(record):
            ts = max(ts, record.ts)
        else:
            kept = record.leaf if len(record.leaf) == HASH_LENGTH else _nothing(record.seq)
            lost.append(Record.withheld(record.seq, ts, kept, "lost"))
        page.put_in_place(lost)
        given_up += [each.seq for each in lost]
        expected = record.seq + 1
    return given_up


def _all(page: Page) -> Iterator[Record]:
    after = 0
    while found := page.records(after, _STEP):
        yield from found
        after = found[-1].seq


def _nothing(seq: int) -> bytes:
    """A leaf that no record has."""
    return sha256(_LOST + seq.to_bytes(8)).digest()
