"""Numbered steps from an empty database to the schema of now, each in a transaction of its own (LED-01).

A step that was released is never changed: what comes later is a further step.
"""

from __future__ import annotations

import logging
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass

import sqlalchemy as sa

from ircdice.errors import LedgerUnavailable
from ircdice.ledger.store.driver import Driver
from ircdice.ledger.store.engine import in_a_line, is_altered, is_locked

log = logging.getLogger(__name__)
PATIENCE = 600.0  # s that a step waits for others to let go of what it changes: a dump reads for minutes
_AGAIN = 0.5  # s between two tries, in which others come to what waits behind one

# A condition on a partial index must stand in a query as it stands in the index, to the letter, or SQLite passes it by.
# Of a list in it SQLite makes a table, anew for every row that is written by itself.
LASTING = "(kind = 'setting' OR kind = 'track' OR kind = 'macro' OR kind = 'seal' OR kind = 'reveal' OR kind = 'stir')"
_LASTING_IN = "kind IN ('setting', 'track', 'macro', 'seal', 'reveal', 'stir')"  # of the first step
SETTING = "kind = 'setting'"

# SQLite ends each index with the key by itself. Only INTEGER, to the letter, makes the key the row's own number there.
WORDS: Mapping[str, Mapping[str, str]] = {
    "sqlite": {"key": "INTEGER", "bytes": "BLOB", "seq": ""},
    "postgresql": {"key": "BIGINT", "bytes": "BYTEA", "seq": ", seq"},
}

META = "CREATE TABLE IF NOT EXISTS meta (name TEXT PRIMARY KEY, value TEXT NOT NULL)"  # before any step


@dataclass(frozen=True, slots=True)
class Migration:
    """One migration: what it is for, in a few words, and what it says."""

    name: str
    statements: tuple[str, ...]


MIGRATIONS = (
    Migration(
        "tables and indexes",
        (
            "CREATE TABLE records (seq {key} PRIMARY KEY, ts BIGINT NOT NULL, kind TEXT NOT NULL, ref BIGINT NOT NULL,"
            " epoch BIGINT NOT NULL, counter BIGINT NOT NULL, generation SMALLINT NOT NULL,"
            " network TEXT NOT NULL, channel TEXT NOT NULL, nick TEXT NOT NULL, who TEXT NOT NULL,"
            " text TEXT NOT NULL, draws {bytes} NOT NULL, line TEXT NOT NULL,"
            " blind {bytes} NOT NULL, rules TEXT NOT NULL, tag TEXT NOT NULL, leaf {bytes} NOT NULL,"
            " request {bytes}, sealed_text TEXT, sealed_salt {bytes})",
            "CREATE UNIQUE INDEX records_drawn ON records (epoch, network, channel, counter) WHERE counter > 0",
            "CREATE UNIQUE INDEX records_request ON records (request)",
            "CREATE INDEX records_channel ON records (channel{seq})",
            "CREATE INDEX records_channel_who ON records (channel, who{seq})",
            "CREATE INDEX records_who ON records (who, ts{seq})",
            "CREATE INDEX records_ref ON records (ref{seq}) WHERE ref > 0",
            "CREATE INDEX records_lasting ON records (kind, network, channel{seq}) WHERE " + _LASTING_IN,
            "CREATE INDEX records_setting ON records (network, channel, kind{seq}) WHERE " + SETTING,
            "CREATE INDEX records_last_setting ON records (kind{seq}) WHERE " + SETTING,
            "CREATE TABLE delivered (network TEXT NOT NULL, channel TEXT NOT NULL, seq BIGINT NOT NULL,"
            " PRIMARY KEY (network, channel))",
            "CREATE TABLE checkpoints (number {key} PRIMARY KEY, size BIGINT NOT NULL, note TEXT NOT NULL,"
            " frontier {bytes} NOT NULL)",
            "CREATE TABLE epochs (epoch {key} PRIMARY KEY, name TEXT NOT NULL, commitment {bytes} NOT NULL)",
            "CREATE TABLE begun (epoch {key} PRIMARY KEY, ts BIGINT NOT NULL)",
            "CREATE TABLE seeds (epoch {key} PRIMARY KEY, seed {bytes} NOT NULL)",
        ),
    ),
    # A doubtful append is looked up by the number that it was given: this one cost every record an entry.
    Migration("no index of requests", ("DROP INDEX IF EXISTS records_request",)),
    # A person's records of a channel are found among all of theirs: two indexes by person cost each record two pages.
    # A channel's settings are found among all that lasts there.
    Migration(
        "one index of persons, one of what lasts",
        (
            "DROP INDEX IF EXISTS records_channel_who",
            "DROP INDEX IF EXISTS records_who",
            "CREATE INDEX records_who ON records (who, ts, seq, channel)",
            "DROP INDEX IF EXISTS records_setting",
            "DROP INDEX IF EXISTS records_lasting",
            "CREATE INDEX records_lasting ON records (kind, network, channel{seq}) WHERE " + LASTING,
        ),
    ),
)

_NEWER = "the ledger was written by a newer version of ircdice: that one must open it."
_UNSAID = "the ledger's table meta does not say of which version the others are: put a backup of the ledger back."
_OLDER = "the ledger was written by an older version of ircdice: ircdice run brings it up to date."
SCHEMA = re.compile("[0-9]{1,9}")
_TAKEN = "INSERT INTO meta VALUES ('schema', :taken) ON CONFLICT (name) DO UPDATE SET value = excluded.value"


def expect_current(connection: sa.Connection) -> None:
    """Look, and change nothing. LedgerUnavailable where there is no ledger, or not one of this version's schema."""
    if not sa.inspect(connection).has_table("meta"):
        raise LedgerUnavailable("there is no ledger in that database yet.")
    expect_this(str(_taken(connection)))


def expect_this(said: str | None) -> None:
    """LedgerUnavailable where a ledger says that it is of another version's schema; what is no number says nothing."""
    if said is not None and SCHEMA.fullmatch(said) and int(said) != len(MIGRATIONS):
        raise LedgerUnavailable(_NEWER if int(said) > len(MIGRATIONS) else _OLDER)


def migrate(connection: sa.Connection) -> None:
    """Take what steps are missing; several processes may try at once. LedgerUnavailable where a newer one wrote it.

    Where none is missing nobody's lock is waited for.
    """
    if _is_current(connection):
        return
    end, waits = time.monotonic() + PATIENCE, False
    while True:
        try:
            if not _one_more(connection):
                return
        except sa.exc.OperationalError as error:
            if not is_locked(error) or time.monotonic() > end:
                raise
            Driver(connection).undo()  # where the ledger's own lock was not to be had nobody else has
            if not waits:
                log.warning("the ledger is not brought up to date yet, as others hold it: %s", in_a_line(error))
            waits = True
            time.sleep(_AGAIN)


def _is_current(connection: sa.Connection) -> bool:
    try:
        return Driver(connection).first("SELECT value FROM meta WHERE name = 'schema'") == (str(len(MIGRATIONS)),)
    except sa.exc.DBAPIError as error:
        if not is_altered(error):
            raise
        return False


def _one_more(connection: sa.Connection) -> bool:
    """Take the next step, in a transaction that holds the ledger's lock from its beginning."""
    with connection.begin():
        connection.exec_driver_sql(META)
        taken, began = _taken(connection), time.monotonic()
        if taken > len(MIGRATIONS):
            raise LedgerUnavailable(_NEWER)
        if taken == len(MIGRATIONS):
            return False
        if connection.dialect.name == "sqlite":
            connection.exec_driver_sql("PRAGMA secure_delete = ON")  # an index that goes has names in it (LED-25)
        step = MIGRATIONS[taken]
        for statement in step.statements:
            connection.exec_driver_sql(statement.format_map(WORDS[connection.dialect.name]))
        connection.execute(sa.text(_TAKEN), {"taken": str(taken + 1)})
    which = f"migration {taken + 1} of {len(MIGRATIONS)}, {step.name}"
    log.info("the ledger is brought up to date: %s, took %.1f s", which, time.monotonic() - began)
    return True


def _taken(connection: sa.Connection) -> int:
    """How many steps were taken. LedgerUnavailable where there are tables, and nothing says of which step."""
    said = connection.scalar(sa.text("SELECT value FROM meta WHERE name = 'schema'"))
    if said is None and not sa.inspect(connection).has_table("records"):
        return 0
    if not SCHEMA.fullmatch(str(said)):
        raise LedgerUnavailable(_UNSAID)
    return int(str(said))
