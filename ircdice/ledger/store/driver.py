"""What every transaction says, said to the database's driver itself. Knows no table.

Through SQLAlchemy a statement takes 30 µs more, which is longer than SQLite needs for any of these.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import sqlalchemy as sa

T = TypeVar("T")
Row = tuple[Any, ...]


def say(connection: sa.Connection, statement: str) -> None:
    """Have something done that gives no rows; errors are SQLAlchemy's, here and below."""
    _through(connection, lambda driver: driver.execute(statement))


def first(connection: sa.Connection, statement: str) -> Row | None:
    """The first row of what is asked, None where there is none."""
    row: Row | None = _through(connection, lambda driver: driver.execute(statement).fetchone())
    return row


def many(connection: sa.Connection, statement: str, rows: Sequence[Row]) -> None:
    """The same with each of `rows`, which are as the driver takes them."""
    _through(connection, lambda driver: driver.cursor().executemany(statement, rows))


def _through(connection: sa.Connection, work: Callable[[Any], T]) -> T:
    errors = connection.dialect.loaded_dbapi.Error
    try:
        return work(connection.connection.driver_connection)
    except errors as error:
        # What a statement holds stays out of errors, hence of the log: there are covered faces and sealed values.
        raise sa.exc.DBAPIError.instance(None, None, error, errors, hide_parameters=True) from error
