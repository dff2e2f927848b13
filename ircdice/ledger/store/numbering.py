"""Numbers that no record, checkpoint or epoch is given, and behind which none could come: somebody wrote them there."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

import sqlalchemy as sa

from ircdice.ledger.store.page import MOST_EPOCHS, Page
from ircdice.ledger.store.schema import BEGUN, CHECKPOINTS, EPOCHS, RECORDS, SEEDS

MOST = 2**48  # records, or checkpoints
_OF = {
    "record": (RECORDS.c.seq, MOST),
    "checkpoint": (CHECKPOINTS.c.number, MOST),
    "epoch": (EPOCHS.c.epoch, MOST_EPOCHS),
}


def astray(page: Page) -> str | None:
    """The first such number, in words; None where there is none (LED-16)."""
    for what, (column, most) in _OF.items():
        for beyond in (column < 1, column > most):  # each is looked up, where both at once would be a look at all
            asked = sa.select(column).where(beyond).order_by(column).limit(1)
            if (number := page.connection.scalar(asked)) is not None:
                return f"{what} {number} is in the ledger, and no {what} has such a number"
    return None


def unlisted(page: Page, signed: Iterable[int]) -> str | None:
    """Which epochs the list has lost, of those that are `signed` and those between others; None where it has all."""
    listed = {epoch.number for epoch in page.epochs()}
    gaps = [before + 1 for before, number in pairwise([0, *sorted(listed)]) if number > before + 1]
    lost = sorted({*gaps, *signed} - listed)
    return f"epoch {lost[0]}{' and others' if len(lost) > 1 else ''}" if lost else None


def brought_back(page: Page) -> None:
    """Number the checkpoints anew, as they follow each other; strike such epochs, which nobody drew from, and such
    records, which are then missing where they were.
    """
    number = CHECKPOINTS.c.number
    last = page.connection.scalar(sa.select(sa.func.max(number)).where(number.between(1, MOST))) or 0
    strays = page.connection.scalars(sa.select(number).where(~number.between(1, MOST)).order_by(number)).all()
    for count, stray in enumerate(strays, 1):
        page.connection.execute(sa.update(CHECKPOINTS).where(number == stray).values(number=last + count))
    for table in (EPOCHS, BEGUN, SEEDS):
        page.connection.execute(sa.delete(table).where(~table.c.epoch.between(1, MOST_EPOCHS)))
    for beyond in (RECORDS.c.seq < 1, RECORDS.c.seq > MOST):
        page.connection.execute(sa.delete(RECORDS).where(beyond))
