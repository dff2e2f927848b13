"""All that a dead machine would need, in one folder, taken while the bot plays on; and back again (LED-07)."""

from __future__ import annotations

import errno
import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

import sqlalchemy as sa

from ircdice.errors import LedgerUnavailable
from ircdice.ledger.durable import opened, secret_folder
from ircdice.ledger.keeping import Keeping
from ircdice.ledger.keys import SeedFiles, coming_key
from ircdice.ledger.shift import spend
from ircdice.ledger.store.engine import Address, engines, is_carved, of_file, readable, shown
from ircdice.ledger.store.migrations import migrate
from ircdice.ledger.store.page import Page
from ircdice.ledger.store.schema import META, METADATA

CONFIG, DATABASE = "config.ini", "ledger.db"
_CHECKPOINTS, _TAGS, _SIGNING, _SEEDS = "checkpoints", "tag.keys", "signing.key", "seeds"
_SIGNING_NEXT = coming_key(Path(_SIGNING)).name
_NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
_STEP = 5_000  # rows copied at once


def back_up(keeping: Keeping, config: Path, folder: Path) -> None:
    """Fill `folder`, which must be empty or not there. OSError, LedgerUnavailable."""
    _empty(folder)
    was_there = folder.exists()
    secret_folder(folder)
    try:
        while not _filled(keeping, config, folder):
            _clear(folder)
    except BaseException:
        _clear(folder)  # half a backup must not be taken for one
        if not was_there:
            folder.rmdir()
        raise


def _filled(keeping: Keeping, config: Path, folder: Path) -> bool:
    """Whether what was copied belongs together: no key was renewed meanwhile.

    The file of checkpoints first: of a ledger that is copied later it cannot have seen more than there is. The seeds
    behind the ledger: it tells of none that was not on the disk before, and one too many serves no roll. The keys
    before it, and looked at again behind it: an older one can't go on with a ledger that names a newer, nor this one
    with a ledger that doesn't name it.
    """
    _copied(keeping.checkpoints.file, folder / _CHECKPOINTS)
    keys = [(file, folder / name) for file, name in _keys(keeping)]
    for file, copy in keys:
        _copied(file, copy)
    _database(keeping.database, folder / DATABASE)
    _copied_all(keeping.seeds.folder, folder / _SEEDS)
    _copied(config, folder / CONFIG)
    return all(_content(file) == _content(copy) for file, copy in keys)


def _keys(keeping: Keeping) -> tuple[tuple[Path, str], ...]:
    """The files of keys, and what each is called in a backup."""
    signing = keeping.signing_file
    return (keeping.tag_keys.file, _TAGS), (signing, _SIGNING), (coming_key(signing), _SIGNING_NEXT)


@contextmanager
def config_put_back(folder: Path, target: Path) -> Iterator[None]:
    """The config of a backup, in its place as long as all that it names can be put back; OSError where it cannot."""
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy2(folder / CONFIG, target)
    try:
        yield
    except BaseException:
        target.unlink()  # or the next try would find a config there
        raise


def put_back(folder: Path, keeping: Keeping) -> None:
    """Fill the places of `keeping` from a backup; none of them may hold anything. OSError, LedgerUnavailable."""
    if not (folder / DATABASE).is_file():
        raise LedgerUnavailable(f"{folder} is no backup: it has no {DATABASE}.")
    keys = _keys(keeping)
    for taken in [keeping.checkpoints.file, *(file for file, _ in keys), keeping.seeds.folder]:
        if taken.exists():
            raise LedgerUnavailable(f"{taken} is there already: a backup is put back where nothing is.")
    secret_folder(keeping.data)
    keeping.make_database()
    # Days that the backup does not know may have followed it: no die of theirs comes again (LED-12).
    seeds = SeedFiles(folder / _SEEDS)
    _refilled(folder / DATABASE, keeping.database, lambda page: spend(page, keeping.name, seeds))
    _copied(folder / _CHECKPOINTS, keeping.checkpoints.file)
    for file, name in keys:
        _copied(folder / name, file)
    _copied_all(folder / _SEEDS, keeping.seeds.folder)


def _empty(folder: Path) -> None:
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise LedgerUnavailable(f"{folder} is there already and is not empty.")


def _copied(source: Path, target: Path) -> None:
    """As it is, mode and all, where there is one; OSError where it is no file."""
    if not _is_there(source):
        return
    try:
        shutil.copy2(source, target)
    except OSError as error:
        if error.errno not in _NO_ROOM:
            raise
        raise OSError(error.errno, error.strerror, str(target)) from error  # Python would name what is copied


def _content(file: Path) -> bytes | None:
    return file.read_bytes() if _is_there(file) else None


def _is_there(file: Path) -> bool:
    """Whether there is such a file; OSError where it is another thing, of which no backup can be made."""
    try:
        os.close(opened(file))
    except FileNotFoundError:
        return False
    return True


def _copied_all(source: Path, target: Path) -> None:
    """The files of a folder, where there is one, but for those that are being written."""
    if source.is_dir():
        secret_folder(target)
        for file in source.iterdir():
            if not file.name.startswith("."):
                _copied(file, target / file.name)


def _clear(folder: Path) -> None:
    for inner in folder.iterdir():
        if inner.is_dir():
            shutil.rmtree(inner)
        else:
            inner.unlink()


def _database(url: Address, target: Path) -> None:
    """The database as it is at one moment, as a file of SQLite that only its owner can read."""
    target.touch(0o600)
    with readable(f"the ledger cannot be copied to {target}"):
        _copied_database(url, target)


def _copied_database(url: Address, target: Path) -> None:
    if isinstance(url, Path):
        _is_there(url)
        way = "immutable=1" if is_carved(url) else "mode=ro"
        with (
            closing(sqlite3.connect(f"{url.absolute().as_uri()}?{way}", uri=True)) as database,
            closing(sqlite3.connect(target)) as to,
        ):
            database.backup(to)
        return
    ways = engines(url)
    try:
        with ExitStack() as stack:
            with readable("the ledger cannot be read"):
                fresh = stack.enter_context(ways.read.connect())
            source = fresh.execution_options(isolation_level="REPEATABLE READ")
            with source.begin():
                _rows(source, target)
    finally:
        ways.dispose()


def _refilled(file: Path, url: Address, then: Callable[[Page], None]) -> None:
    source = sa.create_engine(of_file(file))
    try:
        with readable("the backup cannot be put back"), source.connect() as connection:
            _rows(connection, url, then)
    finally:
        source.dispose()


def _rows(source: sa.Connection, url: Address, then: Callable[[Page], None] = lambda _page: None) -> None:
    """Every row of every table into the ledger at `url`, which must be empty, and `then` more; all of it or nothing."""
    ways = engines(url)
    try:
        with ways.write.connect() as connection:
            migrate(connection)
            with connection.begin():
                if Page(connection).last()[0] or Page(connection).epochs():
                    raise LedgerUnavailable(f"a backup is put back into an empty ledger, and {shown(url)} has records.")
                for table in METADATA.sorted_tables:
                    _table(source, connection, table)
                then(Page(connection))
    finally:
        ways.dispose()


def _table(source: sa.Connection, target: sa.Connection, table: sa.Table) -> None:
    asked = sa.select(table).order_by(*table.primary_key.columns)
    if table is META:
        asked = asked.where(META.c.name != "schema")  # which the target has of its own
    for rows in source.execution_options(yield_per=_STEP).execute(asked).mappings().partitions(_STEP):
        target.execute(sa.insert(table), [dict(row) for row in rows])
