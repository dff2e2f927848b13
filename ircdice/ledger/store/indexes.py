"""Whether SQLite's indexes hold what their table holds, without a search for each row. Knows no column by its name.

SQLite itself looks every row up in every index, which past what the memory holds takes longer than half of all else
that is done with a record. Here table and indexes are each gone through once, in the order in which they stand, and
entries that come to the same sum are the same entries. Whether an index has them in its order is not looked at: no
damage brings the same entries into another, and who asks SQLite itself, by `PRAGMA integrity_check`, is told.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

_WHERE = re.compile(r"\sWHERE\s", re.IGNORECASE)
_PART = 0xFFFFFF  # of a number or a hash: so that no product of two grows past 63 bits
_TERM = 0xFFFFFFFF  # of what an entry comes to: ten million of them are 2^56
_ENTRY = 1 << 32  # and for being there


@dataclass(frozen=True, slots=True)
class Index:
    """An index of a table: the terms of its columns, none where it has others, and the condition on its rows."""

    table: str
    name: str
    terms: tuple[str, ...]
    where: str

    @property
    def found(self) -> str:
        """What its entries come to, none of them looked up in the table."""
        return f'SELECT sum({self._entry}) FROM {self.table} INDEXED BY "{self.name}" WHERE {self.where}'

    @property
    def expected(self) -> str:
        """What the table's rows come to."""
        return f"sum({self._entry}) FILTER (WHERE {self.where})"

    @property
    def _entry(self) -> str:
        terms = " + ".join(f"{place} * ({term} & {_PART})" for place, term in enumerate(self.terms, 1))
        return f"{_ENTRY} + (({terms}) * (2 * rowid + 1 & {_PART}) & {_TERM})"  # odd, and another for neighbours


def agree(driver: Any, table: str) -> bool:
    """Whether each index of a table whose rows have numbers holds an entry for each of them, and no other.

    False too where that is not to be told, as of an expression that somebody has indexed.
    """
    driver.create_function("hashed", 1, hash, deterministic=True)
    known = indexes(driver, table)
    if not all(index.terms for index in known):
        return False
    found = [driver.execute(index.found).fetchone()[0] for index in known]
    rows = driver.execute(f"SELECT {', '.join([index.expected for index in known])} FROM {table} NOT INDEXED")
    return list(rows.fetchone()) == found


def indexes(driver: Any, table: str) -> list[Index]:
    """Those that a table has."""
    types = {name: kind for _, name, kind, *_ in driver.execute(f"PRAGMA table_info({table})")}
    made = driver.execute("SELECT name, sql FROM sqlite_master WHERE type = 'index' AND tbl_name = ?", (table,))
    return [Index(table, name, _terms(driver, name, types), _where(statement)) for name, statement in made.fetchall()]


def _terms(driver: Any, index: str, types: dict[str, str]) -> tuple[str, ...]:
    """A number as it is, a text by the hash of its bytes, be they UTF-8 or not; none where one is an expression."""
    columns = [name for _, _, name in driver.execute(f'PRAGMA index_info("{index}")')]
    if None in columns:
        return ()
    return tuple(name if "INT" in types[name] else f"hashed(CAST({name} AS BLOB))" for name in columns)


def _where(statement: str) -> str:
    return _WHERE.split(statement, maxsplit=1)[1] if _WHERE.search(statement) else "TRUE"
