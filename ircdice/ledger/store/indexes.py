"""Whether SQLite's indexes hold what their table holds, without a search for each row. Knows no column by its name.

SQLite itself looks every row up in every index, which past what the memory holds takes longer than half of all else
that is done with a record. Here table and indexes are each gone through once, in the order in which they stand, and
entries that come to the same sum are the same entries. That an index has them in its order is left to SQLite.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

_PART = 0xFFFFFF  # of a number or a hash: so that no product of two grows past 63 bits
_TERM = 0xFFFFFFFF  # of what an entry comes to: ten million of them are 2^56
_ENTRY = 1 << 32  # and for being there


@dataclass(frozen=True, slots=True)
class Index:
    """An index of a table: the terms of its columns, and the condition on the rows that it is for."""

    table: str
    name: str
    terms: tuple[str, ...]
    where: str

    @property
    def found(self) -> str:
        """What its entries come to, none of them looked up in the table."""
        return f"SELECT sum({self._entry}) FROM {self.table} INDEXED BY {self.name} WHERE {self.where}"

    @property
    def expected(self) -> str:
        """What the table's rows come to."""
        return f"sum({self._entry}) FILTER (WHERE {self.where})"

    @property
    def _entry(self) -> str:
        terms = " + ".join(f"{place} * ({term} & {_PART})" for place, term in enumerate(self.terms, 1))
        return f"{_ENTRY} + (({terms}) * (rowid & {_PART} | 1) & {_TERM})"


def agree(driver: Any, table: str) -> bool:
    """Whether each index of a table whose rows have numbers holds an entry for each of them, and no other."""
    driver.create_function("hashed", 1, hash, deterministic=True)
    known = indexes(driver, table)
    found = [driver.execute(index.found).fetchone()[0] for index in known]
    rows = driver.execute(f"SELECT {', '.join([index.expected for index in known])} FROM {table} NOT INDEXED")
    return list(rows.fetchone()) == found


def indexes(driver: Any, table: str) -> list[Index]:
    """Those that a table has."""
    types = {name: kind for _, name, kind, *_ in driver.execute(f"PRAGMA table_info({table})")}
    made = driver.execute("SELECT name, sql FROM sqlite_master WHERE type = 'index' AND tbl_name = ?", (table,))
    return [Index(table, name, _terms(driver, name, types), _where(statement)) for name, statement in made.fetchall()]


def _terms(driver: Any, index: str, types: dict[str, str]) -> tuple[str, ...]:
    """A number as it is, a text by the hash of its bytes, be they UTF-8 or not."""
    columns = [name for _, _, name in driver.execute(f"PRAGMA index_info({index})")]
    return tuple(name if "INT" in types[name] else f"hashed(CAST({name} AS BLOB))" for name in columns)


def _where(statement: str) -> str:
    return statement.partition(" WHERE ")[2] or "TRUE"
