"""The tables of the ledger, the same on SQLite and PostgreSQL (LED-01, LED-02)."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa

METADATA = sa.MetaData()
# Only INTEGER makes the key of a SQLite table the row's own number; a STRICT table knows no BIGINT.
_INTEGER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")

_KEY = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")  # compared byte by byte, as SQLite does


def _required(name: str, kind: sa.types.TypeEngine[Any]) -> sa.Column[Any]:
    return sa.Column(name, kind, nullable=False)


def _number(name: str) -> sa.Column[Any]:
    """A key that the ledger gives out itself."""
    return sa.Column(name, _INTEGER, primary_key=True, autoincrement=False)


RECORDS = sa.Table(
    "records",
    METADATA,
    _number("seq"),
    # The leaf is made of these (LED-11).
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
    _required("draws", sa.Text()),  # `10:7,3,10;6:2`: sides, then the faces in draw order
    _required("line", sa.Text()),
    _required("blind", sa.LargeBinary()),
    _required("rules", sa.Text()),
    _required("tag", sa.Text()),
    _required("leaf", sa.LargeBinary()),
    # These are not part of the leaf.
    sa.Column("request", sa.LargeBinary()),  # by which a commit whose outcome was not heard is looked up (LED-04)
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
_DRAWN = _C.counter > 0
sa.Index("records_request", _C.request, unique=True)
sa.Index(
    "records_drawn",
    *(_C.epoch, _C.network, _C.channel, _C.counter),
    unique=True,
    sqlite_where=_DRAWN,
    postgresql_where=_DRAWN,
)
sa.Index("records_place", _C.network, _C.channel, _C.seq)
sa.Index("records_who", _C.who, _C.seq)
sa.Index("records_kind", _C.network, _C.channel, _C.kind, _C.seq)
sa.Index("records_ref", _C.ref, sqlite_where=_C.ref > 0, postgresql_where=_C.ref > 0)
_KEPT = _C.key != ""
sa.Index("records_key", _C.network, _C.key, _C.seq, sqlite_where=_KEPT, postgresql_where=_KEPT)
sa.Index("records_kept", _C.network, _C.seq, sqlite_where=_KEPT, postgresql_where=_KEPT)
_STIR = _C.kind == "stir"
sa.Index("records_stirs", _C.epoch, sqlite_where=_STIR, postgresql_where=_STIR)

DELIVERED = sa.Table(  # up to where the lines of a place have gone out (LED-06)
    "delivered",
    METADATA,
    sa.Column("network", sa.Text(), primary_key=True),
    sa.Column("channel", sa.Text(), primary_key=True),
    _required("seq", _INTEGER),  # 0: nothing yet
    _required("ts", _INTEGER),  # when the last one did
    sqlite_strict=True,
)

CHECKPOINTS = sa.Table(
    "checkpoints",
    METADATA,
    _number("number"),
    _required("size", _INTEGER),
    _required("note", sa.Text()),
    _required("frontier", sa.LargeBinary()),  # hashes of 32 bytes, one after another
    sqlite_strict=True,
)

sa.Index("checkpoints_size", CHECKPOINTS.c.size, CHECKPOINTS.c.number)

EPOCHS = sa.Table(
    "epochs",
    METADATA,
    _number("epoch"),
    _required("name", sa.Text()),  # of the process that it belongs to
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
