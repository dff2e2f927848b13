"""What SQLite's file is laid out as, held against what the migrations make (LED-16). Looks at no row."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import closing
from functools import cache
from typing import Any

from ircdice.ledger.store.migrations import META, MIGRATIONS, WORDS
from ircdice.ledger.store.schema import METADATA

NO_TABLE = "is no table, but something else in its place"
NO_COLUMN = "has no column"
REFUSING = "is none of the ledger's and may refuse a record"
Ask = Callable[[str], Iterable[Any]]  # a statement's rows
_LAID_OUT = "SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL"  # what SQLite makes by itself has none
_INDEXES = "SELECT name, tbl_name, sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL ORDER BY name"
_NAME = r'("[^"]+"|\w+)'
_COLUMN = rf"\s*{_NAME}(\s+(asc|desc))?\s*"
# One that can refuse no record: it is not unique, and nothing is computed for it that might fail.
_HARMLESS = re.compile(
    rf"create\s+index\s+{_NAME}\s+on\s+{_NAME}\s*\({_COLUMN}(,{_COLUMN})*\)(\s+where\s+(?P<on>[^()]+))?", re.IGNORECASE
)
_FAILING = re.compile(r"->|\b(collate|regexp|match)\b", re.IGNORECASE)


def differences(ask: Ask) -> Iterator[str]:
    """Tables and indexes that are gone or are others, and triggers, which would do more than what is asked.

    A table that an operator has put in beside them is no damage, nor an index that can refuse no record.
    """
    there = _laid_out(ask)
    for (kind, name), statement in _made().items():
        if (kind, name) not in there:
            yield f"{name} {NO_TABLE}" if ("view", name) in there else f"{kind} {name} is missing"
        elif there[kind, name] != statement:
            yield _without(ask, name) if kind == "table" else f"index {name} is not as it was made"
    yield from [f"trigger {name} is none of the ledger's" for kind, name in there if kind == "trigger"]
    for name, table, statement in ask(_INDEXES):
        if ("index", name) not in _made() and table in METADATA.tables and not _is_harmless(statement):
            yield f"index {name} {REFUSING}"


def _is_harmless(index: str) -> bool:
    found = _HARMLESS.fullmatch(index)
    return found is not None and not _FAILING.search(found["on"] or "")


def _without(ask: Ask, table: str) -> str:
    """What is to be said of a table that is another."""
    there = {name for _, name, *_ in ask(f"PRAGMA table_info({table})")}
    return gone(table, there) or f"table {table} is not as it was made"


def gone(table: str, there: Collection[str]) -> str | None:
    """What is to be said where a column that is asked for is not among those that are there."""
    lacking = [name for name in METADATA.tables[table].c.keys() if name not in there]  # noqa: SIM118  no mapping
    return f"table {table} {NO_COLUMN} {', '.join(lacking)}" if lacking else None


@cache
def _made() -> Mapping[tuple[str, str], str]:
    with closing(sqlite3.connect(":memory:")) as empty:
        for statement in (META, *(statement for step in MIGRATIONS for statement in step.statements)):
            empty.execute(statement.format_map(WORDS["sqlite"]))
        return _laid_out(empty.execute)


def _laid_out(ask: Ask) -> Mapping[tuple[str, str], str]:
    return {(kind, name): statement for kind, name, statement in ask(_LAID_OUT)}
