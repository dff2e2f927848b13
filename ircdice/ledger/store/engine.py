"""Ways to the database: one connection that writes under the ledger's lock, some that only read. Knows no table."""

from __future__ import annotations

import os
import re
import shutil
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import quote

import sqlalchemy as sa
from sqlalchemy import event, exc
from sqlalchemy.pool import NullPool

from ircdice.errors import LedgerUnavailable
from ircdice.ledger.store import room
from ircdice.ledger.store.driver import Driver, NotKeptError, text_of
from ircdice.ledger.store.site import GoneError

READERS = 4  # connections, and threads that use them
BUSY = 0.5  # s that one attempt waits for another's lock; the writer tries again as long as anybody waits
_AGAIN = 0.05  # s between two tries to read, or to open
_LOCK = int.from_bytes(b"ircdice1")
# What a statement holds stays out of errors, hence of the log: there are covered faces and sealed values.
_HIDDEN = True

T = TypeVar("T")
Address = str | Path  # of a server, or SQLite's file
_GONE = re.compile("no such (table|column)|has no column|table .* has [0-9]+ columns")  # SQLite has one code for all
_GONE_STATES = ("42P01", "42703", "42809", "42501")  # PostgreSQL: table, column, no table, no right to it
_LOCKED = "55P03"
_TAKEN = "UNIQUE constraint failed: records.epoch, records.network, records.channel, records.counter"
# Whichever roll fills the log carries it into the file, and waits for that: one in some 600, and not in 150.
_CARRIED, _SOONEST, _PAGE = 4_000, 100, 4_096  # pages, and bytes of one
_A_ROLL = 16  # pages that one writes into the log, at the most
_HASTY = ("PRAGMA busy_timeout = 0", "PRAGMA wal_autocheckpoint = 0")
_CACHE = "PRAGMA cache_size = -8000"
_PRAGMAS = (
    "PRAGMA journal_mode = WAL",
    "PRAGMA synchronous = FULL",
    _CACHE,
    "PRAGMA journal_size_limit = 67108864",
)
_READING_PRAGMAS = ("PRAGMA query_only = ON", "PRAGMA cache_size = -2000")  # kB of pages: there are four who read
# A process that is stopped while it holds the lock is put out by the server, and everybody else goes on.
_SESSION = (
    "SET synchronous_commit = on",
    f"SET lock_timeout = '{int(BUSY * 1_000)}ms'",
    "SET idle_in_transaction_session_timeout = '10s'",
)
_READING_SESSION = ("SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY", "SET statement_timeout = '60s'")
_CONNECT = {
    "application_name": "ircdice",
    "connect_timeout": 5,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 2,
    "tcp_user_timeout": 20_000,
}


@dataclass(frozen=True, slots=True)
class Engines:
    """`write` takes the ledger's lock at the beginning of each transaction, by `lock`; `read` cannot write.

    After the statements of `hasty` the connection that writes waits for no other, and makes `lone` commits at most
    before it must be `patient` again, as it is at first. `make_room` has its log grow at once and not with each commit.
    """

    write: sa.Engine
    read: sa.Engine
    lock: str
    lone: int = 0
    hasty: tuple[str, ...] = ()
    patient: tuple[str, ...] = ()
    make_room: Callable[[Driver], None] = lambda _driver: None
    file: Path | None = None  # SQLite's

    def dispose(self) -> None:
        """Close every connection that is not in use."""
        self.write.dispose()
        self.read.dispose()


def engines(url: Address) -> Engines:
    """The ways to the database at `url`. LedgerUnavailable where no such database can hold a ledger."""
    try:
        parsed = of_file(url) if isinstance(url, Path) else sa.make_url(url)
        made = {"sqlite": _sqlite, "postgresql": _postgresql}[parsed.get_backend_name()](parsed)
    except (exc.ArgumentError, exc.NoSuchModuleError, KeyError) as error:
        raise LedgerUnavailable("the ledger is sqlite:///FILE or postgresql+psycopg://…, nothing else.") from error
    except ImportError as error:
        raise LedgerUnavailable("a ledger on PostgreSQL wants the extra: pip install 'ircdice[postgresql]'.") from error
    return made


def of_file(file: Path) -> sa.URL:
    """The address of a file of SQLite's, whatever its folders are called: in an address `?` and `%` mean something."""
    return sa.URL.create("sqlite", database=str(file))


def shown(address: Address) -> str:
    """A database as messages name it, without a password."""
    return str(address) if isinstance(address, Path) else sa.make_url(address).render_as_string()


def is_away(error: BaseException) -> bool:
    """Whether an error says that the database cannot be used now, and not that a statement was wrong or a table is."""
    wrong = (exc.IntegrityError, exc.DataError, exc.ProgrammingError, exc.NotSupportedError)
    away = isinstance(error, (exc.DBAPIError, exc.TimeoutError, GoneError)) and not isinstance(error, wrong)
    return away and not is_altered(error)


def is_altered(error: BaseException) -> bool:
    """Whether an error says that a table or a column of the ledger's is not there, or does not hold what is put in, or
    takes not all that is the ledger's: no waiting brings it back."""
    if isinstance(error, (NotKeptError, exc.IntegrityError)):
        return not is_taken(error)
    said = getattr(error, "orig", None)
    if getattr(said, "sqlite_errorcode", None) == sqlite3.SQLITE_ERROR:
        return bool(_GONE.search(str(said)))
    return getattr(said, "sqlstate", None) in _GONE_STATES


def is_taken(error: BaseException) -> bool:
    """Whether an error says that there is a roll with that number of its stream (LED-04), by the ledger's own index."""
    said = getattr(error, "orig", None)
    return str(said) == _TAKEN or getattr(getattr(said, "diag", None), "constraint_name", None) == "records_drawn"


def why_not(error: BaseException) -> str:
    """Why nothing can be recorded, for the log."""
    what = "the ledger's tables are not what they were" if is_altered(error) else "the ledger is out of reach"
    return f"{what}: {in_a_line(error)}"


def as_told(error: Exception) -> Exception:
    """What somebody is told of an error: the record out of reach, or the tables altered, or else the error itself."""
    if is_altered(error):
        return LedgerUnavailable(f"{why_not(error)}.")
    return LedgerUnavailable() if is_away(error) else error


def is_held(error: BaseException) -> bool:
    """Whether an error says that somebody else holds SQLite's lock, and nothing else is wrong."""
    return getattr(getattr(error, "orig", None), "sqlite_errorcode", None) == sqlite3.SQLITE_BUSY


def is_locked(error: BaseException) -> bool:
    """Whether PostgreSQL says that a lock was not to be had in time."""
    return getattr(getattr(error, "orig", None), "sqlstate", None) == _LOCKED


def in_a_line(error: BaseException) -> str:
    """What the database itself said; not the row that PostgreSQL shows below, with faces that are covered in it."""
    said = getattr(error, "orig", None) or error
    return " ".join(str(getattr(getattr(said, "diag", None), "message_primary", None) or said).split())


@contextmanager
def readable(what: str) -> Iterator[None]:
    """LedgerUnavailable, `what` and what the database said, where it does not play along."""
    try:
        yield
    except (exc.SQLAlchemyError, sqlite3.Error) as error:
        raise LedgerUnavailable(f"{what}: {in_a_line(error)}.") from error


def patiently(work: Callable[[], T], wait: float) -> T:
    """`work`, and again while the database is away; what it said last is raised after `wait` seconds (LED-05)."""
    end = time.monotonic() + wait
    while True:
        try:
            return work()
        except Exception as error:
            if not is_away(error) or time.monotonic() > end:
                raise
        time.sleep(_AGAIN)


def _sqlite(url: sa.URL) -> Engines:
    if not url.database or url.database == ":memory:":
        raise LedgerUnavailable("a ledger on SQLite is a file: sqlite:///ledger.db")
    quiet: dict[str, Any] = {"hide_parameters": _HIDDEN, "connect_args": {"timeout": BUSY}}
    write = sa.create_engine(url, poolclass=NullPool, **quiet)
    file = Path(url.database).absolute()
    way = {"mode": "ro", "immutable": "1"} if is_carved(file) else {"mode": "rw"}
    there = sa.URL.create(url.drivername, database=f"file:{quote(str(file))}", query={**way, "uri": "true"})
    read = sa.create_engine(there, pool_size=READERS, isolation_level="AUTOCOMMIT", **quiet)  # makes no file
    carried = _carried(file.parent)
    patient = f"PRAGMA busy_timeout = {int(BUSY * 1_000)}", f"PRAGMA wal_autocheckpoint = {carried}"
    event.listen(write, "connect", lambda connection, _: _opened(connection, (*_PRAGMAS, *patient)))
    event.listen(read, "connect", lambda connection, _: _opened(connection, _PRAGMAS + _READING_PRAGMAS))
    # The driver begins by itself only before it writes, when the last seq has been read already.
    ways = _locking(write, read, "BEGIN IMMEDIATE")
    make_room = partial(room.make, file, carried + carried // 4, _CACHE)  # lone rolls come before it is carried
    return replace(ways, lone=carried // _A_ROLL, hasty=_HASTY, patient=patient, make_room=make_room, file=file)


def is_carved(file: Path) -> bool:
    """Whether nobody can write there, and all of the ledger is in its file: SQLite would make others beside it."""
    return _is_read_only(file.parent) and not file.with_name(f"{file.name}-wal").exists()


def _is_read_only(folder: Path) -> bool:
    try:
        return bool(os.statvfs(folder).f_flag & os.ST_RDONLY)
    except OSError:
        return False


def _carried(folder: Path) -> int:
    """After how many pages the log goes into the file: before it takes a quarter of what room the disk has."""
    room = shutil.disk_usage(folder).free // _PAGE if folder.is_dir() else 0
    return max(_SOONEST, min(_CARRIED, room // 4))


def _opened(connection: Any, pragmas: tuple[str, ...]) -> None:
    connection.isolation_level, connection.text_factory = None, text_of
    for pragma in pragmas:
        connection.execute(pragma)


def _postgresql(url: sa.URL) -> Engines:
    # The driver would begin by itself, in a round trip of its own.
    given: dict[str, Any] = {"isolation_level": "AUTOCOMMIT", "hide_parameters": _HIDDEN, "connect_args": _CONNECT}
    write = sa.create_engine(url, poolclass=NullPool, **given)
    read = sa.create_engine(url, pool_size=READERS, **given)
    event.listen(write, "connect", lambda connection, _: _said(connection, _SESSION))
    event.listen(read, "connect", lambda connection, _: _said(connection, _READING_SESSION))
    # Whoever comes after sees what was committed: the lock is let go only then, and each statement looks anew.
    return _locking(write, read, f"BEGIN; SELECT pg_advisory_xact_lock({_LOCK})")


def _locking(write: sa.Engine, read: sa.Engine, lock: str) -> Engines:
    """With `lock` said where SQLAlchemy begins a transaction that was not begun before."""
    event.listen(write, "begin", partial(_begin, lock))
    return Engines(write, read, lock)


def _begin(lock: str, connection: sa.Connection) -> None:
    driver = Driver(connection)
    if not driver.begun:
        driver.say(lock)


def _said(connection: Any, statements: tuple[str, ...]) -> None:
    for statement in statements:
        connection.execute(statement)
    connection.commit()
