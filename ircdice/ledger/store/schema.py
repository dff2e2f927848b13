"""The tables as they are used; `migrations` makes them, with their indexes. One schema on every database (LED-01)."""

from __future__ import annotations

import sqlalchemy as sa

METADATA = sa.MetaData()

RECORDS = sa.Table(
    "records",
    METADATA,
    sa.Column("seq", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("ts", sa.BigInteger),
    sa.Column("kind", sa.Text),
    sa.Column("ref", sa.BigInteger),
    sa.Column("epoch", sa.BigInteger),
    sa.Column("counter", sa.BigInteger),
    sa.Column("generation", sa.SmallInteger),
    sa.Column("network", sa.Text),
    sa.Column("channel", sa.Text),
    sa.Column("nick", sa.Text),
    sa.Column("who", sa.Text),
    sa.Column("text", sa.Text),
    sa.Column("draws", sa.LargeBinary),  # packing.pack
    sa.Column("line", sa.Text),
    sa.Column("blind", sa.LargeBinary),
    sa.Column("rules", sa.Text),
    sa.Column("tag", sa.Text),
    sa.Column("leaf", sa.LargeBinary),
    sa.Column("request", sa.LargeBinary),  # of the append that wrote it, by which a doubtful commit is looked up
    sa.Column("sealed_text", sa.Text),
    sa.Column("sealed_salt", sa.LargeBinary),
)

DELIVERED = sa.Table(  # a row for each place that has records; seq 0 where nothing was posted yet (LED-06)
    "delivered",
    METADATA,
    sa.Column("network", sa.Text, primary_key=True),
    sa.Column("channel", sa.Text, primary_key=True),
    sa.Column("seq", sa.BigInteger),
)

CHECKPOINTS = sa.Table(  # two of one size are no fault: an epoch may begin without a record in between
    "checkpoints",
    METADATA,
    sa.Column("number", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("size", sa.BigInteger),
    sa.Column("note", sa.Text),
    sa.Column("frontier", sa.LargeBinary),  # the hashes of 32 bytes, one behind the other
)

EPOCHS = sa.Table(
    "epochs",
    METADATA,
    sa.Column("epoch", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("name", sa.Text),  # of the process that it belongs to
    sa.Column("commitment", sa.LargeBinary),
)

BEGUN = sa.Table(
    "begun",
    METADATA,
    sa.Column("epoch", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("ts", sa.BigInteger),
)

SEEDS = sa.Table(  # those that are published
    "seeds",
    METADATA,
    sa.Column("epoch", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("seed", sa.LargeBinary),
)

META = sa.Table(
    "meta",
    METADATA,
    sa.Column("name", sa.Text, primary_key=True),
    sa.Column("value", sa.Text),
)
