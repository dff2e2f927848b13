"""The pages of SQLite's own file, tables and indexes held against each other by SQLite itself. Knows no record."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from concurrent.futures import TimeoutError as NotYet
from types import TracebackType
from typing import Any

import sqlalchemy as sa
from sqlalchemy.exc import SQLAlchemyError

from ircdice.ledger.store.engine import in_a_line

MOST = 20  # faults that are told
_POLLED = 0.2  # s


class Pages:
    """A look at all of the file in a thread beside the block, which is given up where that ends before it is asked."""

    def __init__(self, engine: sa.Engine) -> None:
        self._engine = engine
        self._connection: Any = None  # the driver's
        self._thread = ThreadPoolExecutor(1)

    def __enter__(self) -> Pages:
        self._looking = self._thread.submit(self._look)
        return self

    def __exit__(self, _kind: type[BaseException] | None, _error: object, _trace: TracebackType | None) -> None:
        self._thread.shutdown(wait=False, cancel_futures=True)
        while not self._looking.done():
            if self._connection is not None:
                self._connection.interrupt()
            self._done()

    def faults(self) -> tuple[str, ...] | None:
        """What is wrong with the file, in SQLite's words; None while it is looked at, which is waited for a little."""
        return self._looking.result() if self._done() else None

    def _done(self) -> bool:
        try:
            self._looking.exception(_POLLED)
        except NotYet:
            return False
        return True

    def _look(self) -> tuple[str, ...]:
        if self._engine.dialect.name != "sqlite":
            return ()
        try:
            with self._engine.connect() as connection:
                self._connection = connection.connection.driver_connection
                said = connection.exec_driver_sql(f"PRAGMA integrity_check({MOST})").scalars().all()
        except SQLAlchemyError as error:
            return (in_a_line(error),)
        finally:
            self._connection = None
        return () if said == ["ok"] else tuple(" ".join(str(line).split()) for line in said)
