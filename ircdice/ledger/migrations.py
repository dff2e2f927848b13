"""Numbered migrations from an empty database to the current schema, each in a transaction of its own (LED-01).

A migration that was released is never changed; later changes are further migrations.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable

import sqlalchemy as sa

from ircdice.errors import LedgerDamaged, LedgerUnavailable
from ircdice.ledger.engine import REPAIR
from ircdice.ledger.schema import META, METADATA

log = logging.getLogger(__name__)
_TYPES = {  # of each database, as `schema.py` has them
    "sqlite": {"int": "INTEGER", "bytes": "BLOB", "bool": "INTEGER", "strict": "STRICT"},
    "postgresql": {"int": "BIGINT", "bytes": "BYTEA", "bool": "BOOLEAN", "strict": ""},
}
_VERSION_0_4 = (
    """CREATE TABLE records (
        seq {int} NOT NULL PRIMARY KEY, ts {int} NOT NULL, kind TEXT NOT NULL, ref {int} NOT NULL,
        epoch {int} NOT NULL, counter {int} NOT NULL, generation {int} NOT NULL,
        network TEXT NOT NULL, channel TEXT NOT NULL, nick TEXT NOT NULL, who TEXT NOT NULL,
        text TEXT NOT NULL, draws TEXT NOT NULL, line TEXT NOT NULL, blind {bytes} NOT NULL,
        rules TEXT NOT NULL, tag TEXT NOT NULL, leaf {bytes} NOT NULL,
        request {bytes}, sealed_text TEXT, sealed_salt {bytes},
        game TEXT NOT NULL, scene TEXT NOT NULL, character TEXT NOT NULL, official {bool} NOT NULL
    ) {strict}""",
    "CREATE UNIQUE INDEX records_request ON records (request)",
    "CREATE UNIQUE INDEX records_drawn ON records (epoch, network, channel, counter) WHERE counter > 0",
    "CREATE INDEX records_place ON records (network, channel, seq)",
    "CREATE INDEX records_who ON records (who, seq)",
    "CREATE INDEX records_kind ON records (network, channel, kind, seq)",
    "CREATE INDEX records_ref ON records (ref) WHERE ref > 0",
    "CREATE INDEX records_stirs ON records (epoch) WHERE kind = 'stir'",
    """CREATE TABLE delivered (
        network TEXT NOT NULL, channel TEXT NOT NULL, seq {int} NOT NULL, ts {int} NOT NULL,
        PRIMARY KEY (network, channel)
    ) {strict}""",
    """CREATE TABLE checkpoints (
        number {int} NOT NULL PRIMARY KEY, size {int} NOT NULL, note TEXT NOT NULL, frontier {bytes} NOT NULL
    ) {strict}""",
    "CREATE INDEX checkpoints_size ON checkpoints (size, number)",
    """CREATE TABLE epochs (
        epoch {int} NOT NULL PRIMARY KEY, name TEXT NOT NULL, commitment {bytes} NOT NULL, begun {int}, seed {bytes}
    ) {strict}""",
    "CREATE TABLE meta (name TEXT NOT NULL PRIMARY KEY, value TEXT NOT NULL) {strict}",
)


def _tables(connection: sa.Connection) -> None:
    """Create the tables and indexes of version 0.4."""
    for statement in _VERSION_0_4:
        connection.exec_driver_sql(statement.format_map(_TYPES[connection.dialect.name]))


def _keys(connection: sa.Connection) -> None:
    """Add the key by which the latest record of what lasts is found (desk.md), compared byte by byte."""
    collation = 'COLLATE "C"' if connection.dialect.name == "postgresql" else ""
    connection.exec_driver_sql(f"ALTER TABLE records ADD COLUMN key TEXT {collation} NOT NULL DEFAULT ''")
    connection.exec_driver_sql('CREATE INDEX records_key ON records (network, "key", seq) WHERE "key" != \'\'')
    connection.exec_driver_sql("CREATE INDEX records_kept ON records (network, seq) WHERE \"key\" != ''")


MIGRATIONS: tuple[Callable[[sa.Connection], None], ...] = (_tables, _keys)


def migrate(connection: sa.Connection) -> None:
    """Apply the missing migrations. LedgerDamaged if the ledger is not of a version that is known."""
    while (applied := _applied(connection)) < len(MIGRATIONS):
        with connection.begin():
            if _applied(connection) > applied:
                continue  # another process was first
            MIGRATIONS[applied](connection)
            connection.execute(sa.delete(META).where(META.c.name == "schema"))
            connection.execute(sa.insert(META), {"name": "schema", "value": str(applied + 1)})
        log.info("the ledger's schema is now at version %d of %d", applied + 1, len(MIGRATIONS))
    for table in METADATA.sorted_tables:
        connection.execute(sa.select(table).limit(1)).all()  # fails if one was removed or altered
    connection.rollback()


def expect_current(connection: sa.Connection) -> None:
    """LedgerUnavailable if there is no ledger, or not one with this version's schema. Changes nothing."""
    if not (applied := _applied(connection)):
        raise LedgerUnavailable("there is no ledger in that database yet.")
    if applied < len(MIGRATIONS):
        raise LedgerUnavailable("an older version of ircdice wrote the ledger: ircdice run updates it.")


def _applied(connection: sa.Connection) -> int:
    """How many migrations were applied."""
    own_transaction = not connection.in_transaction()
    try:
        tables = [table for table in METADATA.tables if sa.inspect(connection).has_table(table)]
        version = None
        if META.name in tables:
            version = connection.scalar(sa.select(META.c.value).where(META.c.name == "schema"))
    finally:
        if own_transaction:
            connection.rollback()
    if not tables:
        return 0
    if version is None or not re.fullmatch("[1-9][0-9]{0,8}", version):
        raise LedgerDamaged(f"the ledger does not say which version wrote it. {REPAIR}")
    if int(version) > len(MIGRATIONS):
        raise LedgerDamaged("a newer version of ircdice wrote the ledger: use that version.")
    return int(version)
