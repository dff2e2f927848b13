"""What PostgreSQL's tables are, held against what the migrations make (LED-16). Looks at no row."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from functools import cache
from typing import Any

from ircdice.ledger.store.made import NO_TABLE, REFUSING, Ask, gone
from ircdice.ledger.store.migrations import META, MIGRATIONS, WORDS
from ircdice.ledger.store.schema import METADATA

_NAMES = tuple(METADATA.tables)
_OURS = f"unnest('{{{','.join(_NAMES)}}}'::text[]) AS ours(name)"  # whichever schema they are found in
_OWN = "pg_catalog"
_REFUSING = REFUSING.replace("'", "''")
_TABLES = (
    "SELECT name, relkind::text, relpersistence = 'p' AND NOT relrowsecurity"
    f" FROM {_OURS} LEFT JOIN pg_class ON pg_class.oid = to_regclass(name)"
)
_COLUMNS = (
    "SELECT name, attname::text, format_type(atttypid, atttypmod), attnotnull,"
    f" attgenerated = '' AND attcollation = typcollation FROM {_OURS} JOIN pg_attribute ON attrelid = to_regclass(name)"
    " JOIN pg_type ON pg_type.oid = atttypid WHERE attnum > 0 AND NOT attisdropped ORDER BY attnum"
)
_INDEXES = (
    "SELECT name, relname::text, indisunique, indpred IS NOT NULL, indisvalid, indisprimary,"
    " ARRAY(SELECT pg_get_indexdef(indexrelid, at, true) FROM generate_series(1, indnkeyatts::int) AS at),"
    " indisunique OR indisexclusion OR indexprs IS NOT NULL OR pg_get_expr(indpred, indrelid) ~ '[a-z0-9_\"]\\('"
    f" FROM {_OURS} JOIN pg_index ON indrelid = to_regclass(name) JOIN pg_class ON pg_class.oid = indexrelid"
)
_OTHERS = (  # what would do more than is asked, or answer otherwise
    f"SELECT 'trigger ' || tgname || ' is none of the ledger''s' FROM {_OURS}"
    " JOIN pg_trigger ON tgrelid = to_regclass(name) WHERE NOT tgisinternal",
    f"SELECT 'rule ' || rulename || ' is none of the ledger''s' FROM {_OURS}"
    " JOIN pg_rewrite ON ev_class = to_regclass(name) WHERE rulename <> '_RETURN'",
    f"SELECT 'constraint ' || conname || ' {_REFUSING}' FROM {_OURS}"
    " JOIN pg_constraint ON conrelid = to_regclass(name) WHERE contype IN ('c', 'f')",
    f"SELECT 'table ' || name || ' has the rows of ' || inhrelid::regclass::text || ' as well' FROM {_OURS}"
    " JOIN pg_inherits ON inhparent = to_regclass(name)",
)
_PATH = "SELECT unnest(current_schemas(true))::text"


@dataclass(frozen=True, slots=True)
class _Index:
    columns: tuple[str, ...]
    unique: bool
    partial: bool


@dataclass(frozen=True, slots=True)
class _Table:
    columns: tuple[tuple[str, str, bool], ...]  # name, type, and whether it must hold something
    key: tuple[str, ...]
    indexes: Mapping[str, _Index]


def differences(ask: Ask) -> Iterator[str]:
    """Tables and indexes that are gone or are others, and what stands between them and whoever asks.

    A table that an operator has put in beside them is no damage, nor an index that can refuse no record.
    """
    sound = []
    for name, kind, plain in sorted(ask(_TABLES)):
        if kind == "r":
            sound.append((name, plain))
        else:
            yield f"table {name} is missing" if kind is None else f"{name} {NO_TABLE}"
    columns, indexes = [*ask(_COLUMNS)], [*ask(_INDEXES)]
    for name, plain in sound:
        yield from _of_table(name, plain, columns, indexes)
    for question in _OTHERS:
        yield from sorted(said for (said,) in ask(question))
    before = [schema for (schema,) in ask(_PATH)]
    before = before[: before.index(_OWN)] if _OWN in before else before
    yield from [f"schema {each} goes before PostgreSQL's own" for each in before if not each.startswith("pg_temp")]


def _of_table(name: str, plain: bool, columns: Iterable[Any], indexes: Iterable[Any]) -> Iterator[str]:
    made = _made()[name]
    there = tuple((column, kind, needed) for table, column, kind, needed, usual in columns if table == name and usual)
    of_it = {index: row for table, index, *row in indexes if table == name}
    keys = [tuple(named) for _, _, valid, primary, named, _ in of_it.values() if primary and valid]
    if not plain or there != made.columns or keys != [made.key]:
        lacking = gone(name, {column for table, column, *_ in columns if table == name})
        yield lacking or f"table {name} is not as it was made"
    for index, wanted in made.indexes.items():
        if index not in of_it:
            yield f"index {index} is missing"
            continue
        unique, partial, valid, _, named, _ = of_it[index]
        if not valid or _Index(tuple(named), unique, partial) != wanted:
            yield f"index {index} is not as it was made"
    for index, (*_, primary, _, refusing) in sorted(of_it.items()):
        if refusing and not primary and index not in made.indexes:
            yield f"index {index} {REFUSING}"


@cache
def _made() -> Mapping[str, _Table]:
    """What the statements for PostgreSQL come to: SQLite reads them as well."""
    with closing(sqlite3.connect(":memory:")) as empty:
        for statement in (META, *(statement for step in MIGRATIONS for statement in step.statements)):
            empty.execute(statement.format_map(WORDS["postgresql"]))
        return {name: _read(empty.execute, name) for name in _NAMES}


def _read(ask: Ask, table: str) -> _Table:
    columns = [*ask(f"PRAGMA table_info({table})")]
    indexes = [row for row in ask(f"PRAGMA index_list({table})") if row[3] == "c"]
    return _Table(
        tuple((name, kind.lower(), bool(needed or key)) for _, name, kind, needed, _, key in columns),
        tuple(name for _, name, *_, key in sorted(columns, key=lambda row: row[5]) if key),
        {
            name: _Index(tuple(c for _, _, c in ask(f"PRAGMA index_info({name})")), bool(unique), bool(partial))
            for _, name, unique, _, partial in indexes
        },
    )
