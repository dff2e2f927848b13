"""What every transaction says, and a check asks, said to the database's driver itself. Knows no record.

Through SQLAlchemy a statement takes 30 µs more, which is longer than SQLite needs for any of these; and so does a row.
The first time that it is said it takes a millisecond or two, so that what a start asks is said here as well.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from functools import lru_cache, partial
from itertools import chain
from typing import Any

import sqlalchemy as sa

Row = tuple[Any, ...]
# SQLite keeps any bytes as a text. What is no UTF-8 is read all the same, and is not what a leaf was made of (LED-16).
text_of = partial(str, encoding="utf-8", errors="replace")
_TOGETHER = (100, 10)  # rows; SQLite takes 32,766 values in a statement
_BINARY = {sa.BigInteger: "int8", sa.SmallInteger: "int2", sa.Text: "text", sa.LargeBinary: "bytea"}


class NotKeptError(Exception):
    """What the database took without a word it does not hold."""


class Driver:
    """That of one connection of SQLAlchemy's, as long as it stands; errors are SQLAlchemy's."""

    def __init__(self, connection: sa.Connection) -> None:
        self._own: Any = connection.connection.driver_connection
        self._errors = connection.dialect.loaded_dbapi.Error
        self._kind = connection.dialect.name

    def say(self, statement: str) -> None:
        """Have something done that gives no rows."""
        try:
            self._own.execute(statement)
        except self._errors as error:
            raise self._told(error) from error

    def first(self, statement: str) -> Row | None:
        """The first row of what is asked, None where there is none."""
        try:
            row: Row | None = self._own.execute(statement).fetchone()
        except self._errors as error:
            raise self._told(error) from error
        return row

    def every(self, statement: str, values: Row) -> Sequence[Row]:
        """All rows of what is asked, each as the driver gives it."""
        try:
            found: Sequence[Row] = self._own.execute(statement, values).fetchall()
        except self._errors as error:
            raise self._told(error) from error
        return found

    def many(self, statement: str, values: Row) -> Sequence[Row]:
        """As `every`, of thousands of rows: texts by the driver's own way, the fastest, as long as all are UTF-8."""
        if self._kind != "sqlite":
            return self.every(statement, values)
        self._own.text_factory = str
        try:
            return self.every(statement, values)
        except sa.exc.OperationalError:
            self._own.text_factory = text_of
            return self.every(statement, values)
        finally:
            self._own.text_factory = text_of

    def asked(self, statement: str, *values: Any) -> Sequence[Row]:
        """All rows of what is asked of either database: there is a `?` for each of `values`."""
        return self.every(_marked(statement, self._kind), values)

    def each(self, statement: str, rows: Sequence[Row]) -> None:
        """Have it done for each of `rows`."""
        try:
            self._own.cursor().executemany(statement, rows)
        except self._errors as error:
            raise self._told(error) from error

    def insert(self, table: sa.Table, rows: Sequence[Row]) -> None:
        """Insert `rows`, each as the driver takes it, in the order of the table's columns.

        NotKeptError where the database says that it did, and did not: there is a trigger (LED-03).
        """
        try:
            kept = _INSERTING[self._kind](table, rows, self._own)
        except self._errors as error:
            raise self._told(error) from error
        if not kept:
            raise NotKeptError(f"what was put into {table.name} is not there, or not as it was, as by a trigger")

    @property
    def begun(self) -> bool:
        """Whether a transaction is open."""
        return bool(self._own.in_transaction if self._kind == "sqlite" else self._own.info.transaction_status)

    def slim(self) -> None:
        """Give back what pages SQLite has at hand; those that are wanted again come from the system's own."""
        if self._kind == "sqlite":
            self.say("PRAGMA shrink_memory")

    def commit(self) -> None:
        """Make the open transaction last."""
        try:
            self._own.commit()
        except self._errors as error:
            raise self._told(error) from error

    def undo(self) -> None:
        """Undo the open transaction, as far as the database plays along."""
        with suppress(self._errors):
            self._own.rollback()

    def _told(self, error: Exception) -> Exception:
        # What a statement holds stays out of errors, hence of the log: there are covered faces and sealed values.
        told: Exception = sa.exc.DBAPIError.instance(None, None, error, self._errors, hide_parameters=True)
        return told


def _into_sqlite(table: sa.Table, rows: Sequence[Row], own: Any) -> bool:
    """Many rows to a statement: with each statement the interpreter's lock is let go, and waited for.

    Where a row fails, those before it stay until the transaction is undone: to undo the statement alone SQLite would
    copy every page that it writes into a file beside. Gives whether they are there: SQLite has counted them, and all
    that was changed with them by others' doing.
    """
    done = taken = 0
    changes = own.total_changes
    for size in _TOGETHER:
        while len(rows) - done >= size:
            values = [*chain.from_iterable(rows[done : done + size])]
            taken += own.execute(_several(table, "?", size, " OR FAIL"), values).rowcount
            done += size
    for row in rows[done:]:
        taken += own.execute(_several(table, "?", 1, " OR FAIL"), row).rowcount
    return taken == own.total_changes - changes == len(rows) or _are_there(table, rows, own)


def _are_there(table: sa.Table, rows: Sequence[Row], own: Any) -> bool:
    """Whether a trigger has left them as they were: it may only have put down something of its own."""
    asked = f"SELECT {_names(table)} FROM {table.name} WHERE {table.c[0].name} = ?"
    return all(own.execute(asked, row[:1]).fetchall() == [tuple(row)] for row in rows)


def _into_postgresql(table: sa.Table, rows: Sequence[Row], own: Any) -> bool:
    """One row by itself, as COPY waits for the server twice; of more than a few each takes it a third of the time.

    Gives whether the server has counted as many.
    """
    if len(rows) == 1:
        return bool(own.execute(_several(table, "%s", 1), rows[0]).rowcount == 1)
    cursor = own.cursor()
    with cursor.copy(f"COPY {table.name} ({_names(table)}) FROM STDIN (FORMAT BINARY)") as copy:
        copy.set_types([_BINARY[type(column.type)] for column in table.c])
        for row in rows:
            copy.write_row(row)
    return bool(cursor.rowcount == len(rows))


_INSERTING = {"sqlite": _into_sqlite, "postgresql": _into_postgresql}


@lru_cache
def _marked(statement: str, kind: str) -> str:
    return statement if kind == "sqlite" else statement.replace("?", "%s")


@lru_cache
def _several(table: sa.Table, mark: str, rows: int, on_conflict: str = "") -> str:
    values = f"({', '.join([mark] * len(table.c))})"
    return f"INSERT{on_conflict} INTO {table.name} ({_names(table)}) VALUES {', '.join([values] * rows)}"


@lru_cache
def _names(table: sa.Table) -> str:
    return ", ".join(table.c.keys())
