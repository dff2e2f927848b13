"""Connections to the ledger's database, SQLite or PostgreSQL, and their errors (LED-01, LED-04, LED-05)."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from time import monotonic, sleep
from typing import TypeVar
from urllib.parse import quote

import sqlalchemy as sa
from sqlalchemy import event, exc
from sqlalchemy.engine.interfaces import DBAPIConnection

from ircdice.errors import LedgerDamaged, LedgerUnavailable

READERS = 4  # connections for reading
RETRY = 0.05  # seconds between two attempts to reach the database
LOCK_WAIT = 0.5  # seconds to wait for another process's lock, per attempt
_LOCK = int.from_bytes(b"ircdice1")  # PostgreSQL's advisory lock
_BUSY = f"PRAGMA busy_timeout = {int(LOCK_WAIT * 1000)}"
_PRAGMAS = ("PRAGMA journal_mode = WAL", "PRAGMA synchronous = FULL", _BUSY)
# The server disconnects a process that is suspended while it holds the lock, so that others can continue.
_SESSION = (
    "SET synchronous_commit = on",
    f"SET lock_timeout = '{int(LOCK_WAIT * 1000)}ms'",
    "SET idle_in_transaction_session_timeout = '10s'",
)
_READING = ("SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY", "SET statement_timeout = '60s'")
_CONNECT = {
    "application_name": "ircdice",
    "connect_timeout": 5,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 2,
    "tcp_user_timeout": 20_000,
}
# PostgreSQL: no such table or column, no table, no permission, a table that should not exist, corrupted data or index.
_DAMAGED_STATES = ("42P01", "42703", "42809", "42501", "42P07", "XX001", "XX002")
REPAIR = "`ircdice ledger restore DIR` puts a backup back."
ACCEPT = "`ircdice run --accept-loss` goes on without what is lost, and says so in public."
_DRAWN = "records_drawn", "UNIQUE constraint failed: records.epoch, records.network, records.channel, records.counter"
T = TypeVar("T")
Address = str | Path  # of a server, or SQLite's file


class FileGoneError(Exception):
    """SQLite's file was removed or replaced: commits would be lost."""


@dataclass(slots=True)
class Engines:
    """`write` takes the ledger's lock at the start of each transaction; `read` is read only.

    `identity` distinguishes SQLite's `file` from another with the same name.
    """

    write: sa.Engine
    read: sa.Engine
    file: Path | None = None
    identity: tuple[int, int] | None = None

    @contextmanager
    def transaction(self) -> Iterator[sa.Connection]:
        """A transaction under the ledger's lock: other processes cannot write until it ends."""
        try:
            with self.write.begin() as connection:
                yield connection
                if self.file is not None and _identity(self.file) != self.identity:
                    raise FileGoneError(f"{self.file} was removed or replaced while the bot was running")
        except Exception as error:
            if is_away(error):
                self.write.dispose()  # the next attempt uses a new connection
            raise

    @contextmanager
    def snapshot(self) -> Iterator[sa.Connection]:
        """A connection with a snapshot of the ledger, unaffected by later writes."""
        level = "" if self.file else " ISOLATION LEVEL REPEATABLE READ"
        with self.read.connect() as connection:
            connection.exec_driver_sql(f"BEGIN{level}")
            try:
                yield connection
            finally:
                connection.exec_driver_sql("ROLLBACK")

    def close(self) -> None:
        """Close every connection that is not in use."""
        self.write.dispose()
        self.read.dispose()


def engines(address: Address, *, read_only: bool = False) -> Engines:
    """The connections to the database at `address`.

    `read_only` is for a process without write access to the files (WEB-11): both connections can only read.
    """
    if isinstance(address, Path):
        return _sqlite(address.absolute(), read_only=read_only)
    return _postgresql(sa.make_url(address), read_only=read_only)


def log_of(file: Path) -> Path:
    """SQLite's write-ahead log: commits that are not in the main file yet."""
    real = file.resolve()
    return real.with_name(f"{real.name}-wal")


def make_file(file: Path) -> None:
    """Create an empty database that only its owner can read, because it will hold sealed values. OSError."""
    if not file.exists():
        os.close(os.open(file, os.O_RDWR | os.O_CREAT, 0o600))


def is_away(error: BaseException) -> bool:
    """Whether the database is temporarily unavailable: locked, full, stopped or out of reach."""
    operational = isinstance(error, (exc.OperationalError, exc.InterfaceError, exc.InternalError))
    return (operational and not is_damaged(error)) or isinstance(error, (FileGoneError, exc.TimeoutError))


def retried(work: Callable[[], T], wait: float) -> T:
    """Run `work`; while the database is away, run it again for `wait` seconds."""
    end = monotonic() + wait
    while True:
        try:
            return work()
        except exc.SQLAlchemyError as error:
            if not is_away(error) or monotonic() > end:
                raise
        sleep(RETRY)


def is_number_taken(error: BaseException) -> bool:
    """Whether the ledger holds a roll with the same number of the same dice (LED-04)."""
    if not isinstance(error, exc.IntegrityError):
        return False
    constraint = getattr(getattr(error.orig, "diag", None), "constraint_name", None)
    return (constraint or str(error.orig)) in _DRAWN


def is_damaged(error: BaseException) -> bool:
    """Whether the database is broken, or not a ledger: waiting will not help."""
    if isinstance(error, UnicodeDecodeError):  # the message contains bytes of the broken schema
        return True
    original = getattr(error, "orig", None)
    code = getattr(original, "sqlite_errorcode", 0) & 0xFF
    state = getattr(original, "sqlstate", None)
    return code in (sqlite3.SQLITE_ERROR, sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB) or state in _DAMAGED_STATES


def described(error: BaseException) -> str:
    """The database's message on one line, without its final mark.

    The row that PostgreSQL adds is left out: it may contain hidden faces.
    """
    original = getattr(error, "orig", None) or error
    message = getattr(getattr(original, "diag", None), "message_primary", None)
    return " ".join(str(message or original).split()).rstrip(".?")


@contextmanager
def readable(what: str) -> Iterator[None]:
    """Convert the database's errors into LedgerDamaged or LedgerUnavailable, with `what` and its message.

    Damage is also recognised in the cause of a LedgerUnavailable.
    """
    try:
        yield
    except (exc.SQLAlchemyError, sqlite3.Error, UnicodeDecodeError, FileGoneError, LedgerUnavailable) as error:
        cause = error.__cause__ if isinstance(error, LedgerUnavailable) else error
        if cause is not None and is_damaged(cause):
            raise LedgerDamaged(f"{what}: {described(cause)}. {REPAIR}") from error
        if isinstance(error, LedgerUnavailable):
            raise
        raise LedgerUnavailable(f"{what}: {described(error)}.") from error


def shown(address: Address) -> str:
    """The address of a database for messages, without the password and the options, one of which may hold it."""
    return str(address) if isinstance(address, Path) else sa.make_url(address).set(query={}).render_as_string()


def _sqlite(file: Path, *, read_only: bool) -> Engines:
    if read_only or _is_immutable(file):
        # A new connection for each query: it notices when a bot has started to write or has stopped.
        read = sa.create_engine(
            "sqlite://", creator=partial(_connect_reader, file), poolclass=sa.NullPool, isolation_level="AUTOCOMMIT"
        )
        _at_connect(read, "PRAGMA query_only = ON", _BUSY)
        return Engines(read, read, file, _identity(file))
    opened = sa.URL.create("sqlite", database=f"file:{quote(str(file))}", query={"mode": "rw", "uri": "true"})
    write = sa.create_engine(opened, pool_size=1, max_overflow=0, hide_parameters=True)
    read = sa.create_engine(
        opened, pool_size=READERS, max_overflow=0, isolation_level="AUTOCOMMIT", hide_parameters=True
    )
    _at_connect(write, *_PRAGMAS)
    _at_connect(read, *_PRAGMAS, "PRAGMA query_only = ON")
    # The driver itself would start the transaction only before writing, after reading the last seq.
    event.listen(write, "begin", lambda connection: connection.exec_driver_sql("BEGIN IMMEDIATE"))
    return Engines(write, read, file, _identity(file))


def _connect_reader(file: Path) -> sqlite3.Connection:
    uri = f"file:{quote(str(file))}?mode=ro{'&immutable=1' if _is_immutable(file) else ''}"
    return sqlite3.connect(uri, uri=True, check_same_thread=False)


def _is_immutable(file: Path) -> bool:
    """Whether no log shows that a bot has the file open, and this process cannot create one.

    SQLite creates a log next to any file that is not declared immutable.
    """
    log = log_of(file)
    return not log.exists() and not os.access(log.parent, os.W_OK)


def _identity(file: Path) -> tuple[int, int] | None:
    try:
        status = file.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino


def _postgresql(url: sa.URL, *, read_only: bool) -> Engines:
    connecting = {"max_overflow": 0, "hide_parameters": True, "connect_args": _CONNECT}
    read = sa.create_engine(url, pool_size=READERS, isolation_level="AUTOCOMMIT", **connecting)
    _at_connect(read, *_READING)
    if read_only:
        return Engines(read, read)
    # After waiting for the lock, each statement sees earlier commits.
    write = sa.create_engine(url, pool_size=1, isolation_level="READ COMMITTED", **connecting)
    _at_connect(write, *_SESSION)
    event.listen(write, "begin", lambda connection: connection.execute(sa.select(sa.func.pg_advisory_xact_lock(_LOCK))))
    return Engines(write, read)


def _at_connect(engine: sa.Engine, *statements: str) -> None:
    """Execute statements on each new connection."""

    @event.listens_for(engine, "connect")
    def prepare(connection: DBAPIConnection, _record: object) -> None:
        if isinstance(connection, sqlite3.Connection):
            connection.isolation_level = None
            # SQLite stores any bytes as text. Invalid UTF-8 must still be readable: its leaf will not match.
            connection.text_factory = partial(str, encoding="utf-8", errors="replace")
        for statement in statements:
            connection.cursor().execute(statement)
        connection.commit()
