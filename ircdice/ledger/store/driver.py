"""What every transaction says, and a check asks, said to the database's driver itself. Knows no record.

Through SQLAlchemy a statement takes 30 µs more, which is longer than SQLite needs for any of these; and so does a row.
The first time that it is said it takes a millisecond or two, so that what a start asks is said here as well.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from typing import Any, TypeVar

import sqlalchemy as sa

T = TypeVar("T")
Row = tuple[Any, ...]
_BINARY = {sa.BigInteger: "int8", sa.SmallInteger: "int2", sa.Text: "text", sa.LargeBinary: "bytea"}


def say(connection: sa.Connection, statement: str) -> None:
    """Have something done that gives no rows; errors are SQLAlchemy's, here and below."""
    _through(connection, lambda driver: driver.execute(statement))


def begun(connection: sa.Connection) -> bool:
    """Whether a transaction is open."""
    driver: Any = connection.connection.driver_connection
    if connection.dialect.name == "sqlite":
        return bool(driver.in_transaction)
    return bool(driver.info.transaction_status)  # IDLE is 0


def commit(connection: sa.Connection) -> None:
    """Make the open transaction last."""
    _through(connection, lambda driver: driver.commit())


def roll_back(connection: sa.Connection) -> None:
    """Undo the open transaction."""
    _through(connection, lambda driver: driver.rollback())


def first(connection: sa.Connection, statement: str) -> Row | None:
    """The first row of what is asked, None where there is none."""
    row: Row | None = _through(connection, lambda driver: driver.execute(statement).fetchone())
    return row


def every(connection: sa.Connection, statement: str, values: Row) -> Sequence[Row]:
    """All rows of what is asked, each as the driver gives it."""
    found: Sequence[Row] = _through(connection, lambda driver: driver.execute(statement, values).fetchall())
    return found


def asked(connection: sa.Connection, statement: str, *values: Any) -> Sequence[Row]:
    """All rows of what is asked of either database: there is a `?` for each of `values`."""
    return every(connection, _marked(statement, connection.dialect.name), values)


@lru_cache
def _marked(statement: str, dialect: str) -> str:
    return statement if dialect == "sqlite" else statement.replace("?", "%s")


def insert(connection: sa.Connection, table: sa.Table, rows: Sequence[Row]) -> None:
    """Insert `rows`, each as the driver takes it, in the order of the table's columns."""
    _through(connection, partial(_INSERTING[connection.dialect.name], table, rows))


def _through(connection: sa.Connection, work: Callable[[Any], T]) -> T:
    errors = connection.dialect.loaded_dbapi.Error
    try:
        return work(connection.connection.driver_connection)
    except errors as error:
        # What a statement holds stays out of errors, hence of the log: there are covered faces and sealed values.
        raise sa.exc.DBAPIError.instance(None, None, error, errors, hide_parameters=True) from error


def _into_sqlite(table: sa.Table, rows: Sequence[Row], driver: Any) -> None:
    driver.executemany(_one(table, "?"), rows)


def _into_postgresql(table: sa.Table, rows: Sequence[Row], driver: Any) -> None:
    """One row by itself, as COPY waits for the server twice; of more than a few each takes it a third of the time."""
    if len(rows) == 1:
        driver.execute(_one(table, "%s"), rows[0])
        return
    with driver.cursor().copy(f"COPY {table.name} ({_names(table)}) FROM STDIN (FORMAT BINARY)") as copy:
        copy.set_types([_BINARY[type(column.type)] for column in table.c])
        for row in rows:
            copy.write_row(row)


_INSERTING = {"sqlite": _into_sqlite, "postgresql": _into_postgresql}


@lru_cache
def _one(table: sa.Table, mark: str) -> str:
    return f"INSERT INTO {table.name} ({_names(table)}) VALUES ({', '.join([mark] * len(table.c))})"


@lru_cache
def _names(table: sa.Table) -> str:
    return ", ".join(table.c.keys())
