"""Whether SQLite's indexes hold what their table holds, without a search for each row. Knows no column by its name.

SQLite itself looks every row up in every index, which past what the memory holds takes longer than half of all else
that is done with a record. Here table and indexes are each gone through once, in the order in which they stand, and
entries that come to the same sum are the same entries. Each must come behind the one before it, or no search would
find it. Where anything looks wrong the last word is SQLite's own, by `PRAGMA integrity_check`.
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
    key: tuple[str, ...]  # by which it is in order: numbers, and the bytes of texts
    where: str

    @property
    def found(self) -> str:
        """What its entries come to and how many are out of order, none of them looked up in the table."""
        asked = f"sum({self._entry}), sum(misplaced({', '.join(self.key)}))"
        return f'SELECT {asked} FROM {self.table} INDEXED BY "{self.name}" WHERE {self.where}'

    @property
    def expected(self) -> str:
        """What the table's rows come to."""
        return f"sum({self._entry}) FILTER (WHERE {self.where})"

    @property
    def _entry(self) -> str:
        terms = " + ".join(f"{place} * ({term} & {_PART})" for place, term in enumerate(self.terms, 1))
        return f"{_ENTRY} + (({terms}) * (2 * rowid + 1 & {_PART}) & {_TERM})"  # odd, and another for neighbours


def agree(driver: Any, table: str) -> bool:
    """Whether each index of a table whose rows have numbers holds an entry for each of them, in order, and no other.

    False too where that is not to be told, as of an expression that somebody has indexed.
    """
    driver.create_function("hashed", 1, hash, deterministic=True)
    known = indexes(driver, table)
    if not all(index.terms for index in known):
        return False
    found = []
    for index in known:
        driver.create_function("misplaced", -1, _Order())
        entries, misplaced = driver.execute(index.found).fetchone()
        if misplaced:
            return False
        found.append(entries)
    rows = driver.execute(f"SELECT {', '.join([index.expected for index in known])} FROM {table} NOT INDEXED")
    return list(rows.fetchone()) == found


class _Order:
    """Called with one entry's key after the other: whether it is not behind the one before."""

    def __init__(self) -> None:
        self._before: tuple[Any, ...] = ()

    def __call__(self, *key: Any) -> bool:
        before, self._before = self._before, key
        try:
            return key <= before
        except TypeError:  # a value of another kind than its column's
            return True


def indexes(driver: Any, table: str) -> list[Index]:
    """Those that a table has."""
    types = {name: kind for _, name, kind, *_ in driver.execute(f"PRAGMA table_info({table})")}
    made = driver.execute("SELECT name, sql FROM sqlite_master WHERE type = 'index' AND tbl_name = ?", (table,))
    found = []
    for name, statement in made.fetchall():
        columns = [column for _, _, column in driver.execute(f'PRAGMA index_info("{name}")')]
        # None is an expression. A text goes by its bytes, be they UTF-8 or not.
        key = [c if c is None or "INT" in types[c] else f"CAST({c} AS BLOB)" for c in columns]
        terms = () if None in key else tuple(k if k in types else f"hashed({k})" for k in key)
        found.append(Index(table, name, terms, (*key, "rowid"), _where(statement)))
    return found


def _where(statement: str) -> str:
    return _WHERE.split(statement, maxsplit=1)[1] if _WHERE.search(statement) else "TRUE"
