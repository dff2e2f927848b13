"""Numbers of checkpoints and epochs behind which none can come: no ledger gives them, somebody wrote them there."""

from __future__ import annotations

import sqlalchemy as sa

from ircdice.ledger.store.page import MOST_EPOCHS, Page
from ircdice.ledger.store.schema import BEGUN, CHECKPOINTS, EPOCHS, SEEDS

MOST = 2**48  # checkpoints
_OF = {"checkpoint": (CHECKPOINTS.c.number, MOST), "epoch": (EPOCHS.c.epoch, MOST_EPOCHS)}


def astray(page: Page) -> str | None:
    """The first such number, in words; None where there is none (LED-16)."""
    for what, (column, most) in _OF.items():
        asked = sa.select(column).where(~column.between(1, most)).order_by(column).limit(1)
        if (number := page.connection.scalar(asked)) is not None:
            return f"{what} {number} is in the ledger's list, and no {what} has such a number"
    return None


def brought_back(page: Page) -> None:
    """Number the checkpoints anew, as they follow each other, and strike such epochs, which nobody drew from."""
    number = CHECKPOINTS.c.number
    last = page.connection.scalar(sa.select(sa.func.max(number)).where(number.between(1, MOST))) or 0
    strays = page.connection.scalars(sa.select(number).where(~number.between(1, MOST)).order_by(number)).all()
    for count, stray in enumerate(strays, 1):
        page.connection.execute(sa.update(CHECKPOINTS).where(number == stray).values(number=last + count))
    for table in (EPOCHS, BEGUN, SEEDS):
        page.connection.execute(sa.delete(table).where(~table.c.epoch.between(1, MOST_EPOCHS)))
