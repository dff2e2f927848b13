"""The tables of the ledger, identical on SQLite and PostgreSQL, and their migrations (LED-01, LED-02)."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Sequence
from typing import Any

import sqlalchemy as sa

from ircdice.errors import LedgerDamaged, LedgerUnavailable
from ircdice.ledger.engine import REPAIR

log = logging.getLogger(__name__)
METADATA = sa.MetaData()
# In SQLite only INTEGER makes a key the rowid, and STRICT tables have no BIGINT.
_INTEGER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")

_KEY = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")  # compared bytewise, as in SQLite


def _required(name: str, kind: sa.types.TypeEngine[Any]) -> sa.Column[Any]:
    return sa.Column(name, kind, nullable=False)


def _number(name: str) -> sa.Column[Any]:
    """A key assigned by the ledger itself."""
    return sa.Column(name, _INTEGER, primary_key=True, autoincrement=False)


def _index(name: str, *columns: sa.ColumnElement[Any], where: sa.ColumnElement[bool], unique: bool = False) -> None:
    """An index of some records."""
    sa.Index(name, *columns, unique=unique, sqlite_where=where, postgresql_where=where)


RECORDS = sa.Table(
    "records",
    METADATA,
    _number("seq"),
    # The leaf covers these (LED-11).
    _required("ts", _INTEGER),
    _required("kind", sa.Text()),
    _required("ref", _INTEGER),
    _required("epoch", _INTEGER),
    _required("counter", _INTEGER),
    _required("generation", _INTEGER),
    _required("network", sa.Text()),
    _required("channel", sa.Text()),
    _required("nick", sa.Text()),
    _required("who", sa.Text()),
    _required("text", sa.Text()),
    _required("draws", sa.Text()),  # `10:7,3,10;6:2`: sides, then faces in draw order
    _required("line", sa.Text()),
    _required("blind", sa.LargeBinary()),
    _required("rules", sa.Text()),
    _required("tag", sa.Text()),
    _required("leaf", sa.LargeBinary()),
    # The leaf does not cover these.
    sa.Column("request", sa.LargeBinary()),  # identifies a commit whose result is unknown (LED-04)
    sa.Column("sealed_text", sa.Text()),
    sa.Column("sealed_salt", sa.LargeBinary()),
    _required("game", sa.Text()),
    _required("scene", sa.Text()),
    _required("character", sa.Text()),
    _required("official", sa.Boolean().with_variant(sa.Integer(), "sqlite")),
    sa.Column("key", _KEY, nullable=False, server_default=""),
    sqlite_strict=True,
)
_C = RECORDS.c
sa.Index("records_request", _C.request, unique=True)
sa.Index("records_time", _C.ts, _C.seq)
sa.Index("records_place", _C.network, _C.channel, _C.seq)
sa.Index("records_who", _C.who, _C.seq)
sa.Index("records_kind", _C.network, _C.channel, _C.kind, _C.seq)
_index("records_drawn", _C.epoch, _C.network, _C.channel, _C.counter, where=_C.counter > 0, unique=True)
_index("records_ref", _C.ref, where=_C.ref > 0)
_index("records_scene", _C.network, _C.channel, _C.scene, _C.seq, where=_C.scene != "")
_index("records_key", _C.network, _C.key, _C.seq, where=_C.key != "")
_index("records_kept", _C.network, _C.seq, where=_C.key != "")
_index("records_stirs", _C.epoch, where=_C.kind == "stir")

DELIVERED = sa.Table(  # the last delivered line of each place (LED-06)
    "delivered",
    METADATA,
    sa.Column("network", sa.Text(), primary_key=True),
    sa.Column("channel", sa.Text(), primary_key=True),
    _required("seq", _INTEGER),  # 0: nothing yet
    _required("ts", _INTEGER),  # time of the last delivery
    sqlite_strict=True,
)

CHECKPOINTS = sa.Table(
    "checkpoints",
    METADATA,
    _number("number"),
    _required("size", _INTEGER),
    _required("note", sa.Text()),
    _required("frontier", sa.LargeBinary()),  # concatenated hashes of 32 bytes
    sqlite_strict=True,
)
sa.Index("checkpoints_size", CHECKPOINTS.c.size, CHECKPOINTS.c.number)

EPOCHS = sa.Table(
    "epochs",
    METADATA,
    _number("epoch"),
    _required("name", sa.Text()),  # name of its process
    _required("commitment", sa.LargeBinary()),
    sa.Column("begun", _INTEGER),  # ms since 1970
    sa.Column("seed", sa.LargeBinary()),  # once it is published
    sqlite_strict=True,
)

META = sa.Table(
    "meta",
    METADATA,
    sa.Column("name", sa.Text(), primary_key=True),
    _required("value", sa.Text()),
    sqlite_strict=True,
)

# A new ledger is created with the current tables. After a release, each change of them also needs a function here,
# which migrates existing ledgers and is never altered.
MIGRATIONS: tuple[Callable[[sa.Connection], None], ...] = ()


def migrate(engine: sa.Engine, migrations: Sequence[Callable[[sa.Connection], None]] = MIGRATIONS) -> None:
    """Migrate a database to the current schema, each step in a transaction. LedgerDamaged if its version is unknown."""
    current = 1 + len(migrations)
    with engine.begin() as connection:
        if not _version(connection, current):
            METADATA.create_all(connection, checkfirst=False)
            _set_version(connection, current)
    for number, step in enumerate(migrations, 1):
        with engine.begin() as connection:
            if _version(connection, current) == number:
                step(connection)
                _set_version(connection, number + 1)
    with engine.connect() as connection:
        for table in METADATA.sorted_tables:
            connection.execute(sa.select(table).limit(1)).all()  # fails if a table was removed or altered


def _set_version(connection: sa.Connection, version: int) -> None:
    connection.execute(sa.delete(META).where(META.c.name == "schema"))
    connection.execute(sa.insert(META), {"name": "schema", "value": str(version)})
    log.info("the ledger's schema is now at version %d", version)


def expect_current(connection: sa.Connection) -> None:
    """Raise LedgerUnavailable if there is no ledger with this version's schema. Changes nothing."""
    current = 1 + len(MIGRATIONS)
    if not (version := _version(connection, current)):
        raise LedgerUnavailable("there is no ledger in that database yet.")
    if version < current:
        raise LedgerUnavailable("an older version of ircdice wrote the ledger: ircdice run updates it.")


def _version(connection: sa.Connection, current: int) -> int:
    """The version of the schema; 0 for an empty database."""
    tables = METADATA.tables.keys() & sa.inspect(connection).get_table_names()
    asked = sa.select(META.c.value).where(META.c.name == "schema")
    version = connection.scalar(asked) if META.name in tables else None
    if not tables:
        return 0
    if version is None or not re.fullmatch("[1-9][0-9]{0,8}", version):
        raise LedgerDamaged(f"the ledger does not say which version wrote it. {REPAIR}")
    if int(version) > current:
        raise LedgerDamaged("a newer version of ircdice wrote the ledger: use that version.")
    return int(version)
