"""Numbered migrations from an empty database to the current schema, each in a transaction of its own (LED-01).

A migration that was released is never changed; later changes are further migrations.
"""

from __future__ import annotations

import logging
from collections.abc import Callable

import sqlalchemy as sa

from ircdice.errors import LedgerUnavailable
from ircdice.ledger.schema import META, METADATA

log = logging.getLogger(__name__)


def _tables(connection: sa.Connection) -> None:
    """Create the tables and indexes of version 0.4."""
    METADATA.create_all(connection)


MIGRATIONS: tuple[Callable[[sa.Connection], None], ...] = (_tables,)


def migrate(connection: sa.Connection) -> None:
    """Apply the missing migrations. LedgerUnavailable if a newer version wrote the ledger."""
    while (applied := _applied(connection)) < len(MIGRATIONS):
        with connection.begin():
            if _applied(connection) > applied:
                continue  # another process was first
            MIGRATIONS[applied](connection)
            connection.execute(sa.delete(META).where(META.c.name == "schema"))
            connection.execute(sa.insert(META), {"name": "schema", "value": str(applied + 1)})
        log.info("the ledger's schema is now at version %d of %d", applied + 1, len(MIGRATIONS))


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
        if not sa.inspect(connection).has_table(META.name):
            return 0
        version = connection.scalar(sa.select(META.c.value).where(META.c.name == "schema")) or ""
    finally:
        if own_transaction:
            connection.rollback()
    if not version.isdecimal():
        raise LedgerUnavailable("the ledger does not say which version wrote it: restore a backup.")
    if int(version) > len(MIGRATIONS):
        raise LedgerUnavailable("a newer version of ircdice wrote the ledger: use that version.")
    return int(version)
