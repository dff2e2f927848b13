"""The database itself: how it is laid out, and what of SQLite's file does not agree with itself. Knows no record."""

from __future__ import annotations

import sqlite3
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures import TimeoutError as NotYet
from types import TracebackType
from typing import Any

import sqlalchemy as sa
from sqlalchemy.exc import SQLAlchemyError

from ircdice.ledger.store.engine import in_a_line
from ircdice.ledger.store.indexes import agree
from ircdice.ledger.store.made import differences
from ircdice.ledger.store.page import Page
from ircdice.ledger.store.schema import RECORDS

MOST = 20  # faults that are told
_POLLED = 0.2  # s
_TABLES = "SELECT name FROM sqlite_master WHERE type = 'table'"


class Pages:
    """A look at all of it in a thread beside the block, which is given up where that ends before it is asked."""

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
            if (connection := self._connection) is not None:  # which the thread may let go of meanwhile
                connection.interrupt()
            self._done()

    def faults(self) -> tuple[str, ...] | None:
        """What is wrong with it, in the database's words; None while it is looked at, which is waited for a little."""
        return self._looking.result() if self._done() else None

    def _done(self) -> bool:
        try:
            self._looking.exception(_POLLED)
        except NotYet:
            return False
        return True

    def _look(self) -> tuple[str, ...]:
        try:
            with self._engine.connect() as connection:
                if self._engine.dialect.name != "sqlite":
                    return tuple(Page(connection).laid_out_otherwise())
                self._connection = connection.connection.driver_connection
                self._connection.execute("BEGIN")  # one moment for all that is asked; letting go of it ends it
                return _faults(self._connection)
        except (SQLAlchemyError, sqlite3.Error) as error:
            return (in_a_line(error),)
        finally:
            self._connection = None


def _faults(driver: Any) -> tuple[str, ...]:
    """What SQLite says of its file; of the records each is looked up in each index only where their sums differ."""
    small = [name for (name,) in driver.execute(_TABLES) if name != RECORDS.name]
    said: list[str] = []
    for check in ("quick_check", *[f"integrity_check({name})" for name in small]):
        said = said or _said(driver, check)
    said = said or [*differences(driver.execute)]
    return tuple(said or ([] if agree(driver, RECORDS.name) else _said(driver, f"integrity_check({MOST})")))


def _said(driver: Any, check: str) -> list[str]:
    said = [line for (line,) in driver.execute(f"PRAGMA {check}")]
    return [] if said == ["ok"] else [" ".join(str(line).split()) for line in said[:MOST]]
