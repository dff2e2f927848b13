"""Back up everything needed after the loss of a machine, while the bot runs, and restore it (LED-07)."""

from __future__ import annotations

import shutil
from pathlib import Path

import sqlalchemy as sa

from ircdice.errors import LedgerUnavailable
from ircdice.ledger.engine import Address, engines, make_file, readable, shown
from ircdice.ledger.paths import Paths, secret_folder
from ircdice.ledger.schema import META, METADATA, migrate
from ircdice.ledger.service import restored
from ircdice.ledger.store import Store

CONFIG, DATABASE = "config.ini", "ledger.db"
_CHECKPOINTS, _SEEDS = "checkpoints", "seeds"
_BATCH = 5_000  # rows copied at once


def back_up(paths: Paths, config: Path, folder: Path) -> None:
    """Back up into `folder`, which must be empty or not exist. On OSError or LedgerUnavailable it is left empty."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise LedgerUnavailable(f"{folder} already exists and is not empty.")
    paths.expect_database()
    existed = folder.exists()
    try:
        secret_folder(folder)
        _copy_all(paths, config, folder)
        if any(_content(file) != _content(folder / name) for file, name in _keys(paths)):
            raise LedgerUnavailable("the keys were rotated meanwhile: try again.")
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        if existed:
            secret_folder(folder)
        raise


def put_back(folder: Path, paths: Paths) -> None:
    """Restore a backup to `paths`, where nothing may exist yet. OSError, LedgerUnavailable.

    The lost machine may have drawn from the seeds after the backup, so no process uses them again (LED-13).
    """
    if not (folder / DATABASE).is_file():
        raise LedgerUnavailable(f"{folder} is no backup: it has no {DATABASE}.")
    for file in (paths.checkpoints.file, *(file for file, _ in _keys(paths)), paths.seeds.folder):
        if file.exists():
            raise LedgerUnavailable(f"{file} already exists: a backup is restored where there is no ledger.")
    secret_folder(paths.data)
    paths.make_database()
    with readable(f"the backup cannot be restored to {shown(paths.database)}"):
        _copy_ledger(folder / DATABASE, paths.database, restoring=True)
    for file, name in ((paths.checkpoints.file, _CHECKPOINTS), *_keys(paths)):
        _copy(folder / name, file)
    _copy_folder(folder / _SEEDS, paths.seeds.folder)


def _keys(paths: Paths) -> tuple[tuple[Path, str], ...]:
    """The key files, and their names in a backup."""
    signing = paths.signing_file
    coming = signing.with_name(f"{signing.name}.next")  # during a rotation
    return (paths.tag_keys.file, "tag.keys"), (signing, "signing.key"), (coming, "signing.key.next")


def _copy_all(paths: Paths, config: Path, folder: Path) -> None:
    """Copy the checkpoint file first, because it must not count more than the ledger; the seeds last."""
    _copy(paths.checkpoints.file, folder / _CHECKPOINTS)
    for file, name in _keys(paths):
        _copy(file, folder / name)
    with readable(f"the ledger at {shown(paths.database)} cannot be copied to {folder}"):
        make_file(folder / DATABASE)
        _copy_ledger(paths.database, folder / DATABASE)
    _copy_folder(paths.seeds.folder, folder / _SEEDS)
    _copy(config, folder / CONFIG)


def _copy_ledger(address: Address, target: Address, *, restoring: bool = False) -> None:
    """Copy every row into an empty ledger, all or nothing."""
    source, copy = engines(address), engines(target)
    try:
        with copy.write.connect() as connection:
            migrate(connection)
        with source.snapshot() as read, copy.transaction() as write:
            store = Store(write)
            if store.last()[0] or store.epochs():
                raise LedgerUnavailable(f"{shown(target)} is no empty ledger: a backup is restored into an empty one.")
            for table in METADATA.sorted_tables:
                _copy_table(read, write, table)
            for name in {epoch.name for epoch in store.epochs()} if restoring else ():
                store.put_meta(restored(name), "yes")
    finally:
        source.dispose()
        copy.dispose()


def _copy_table(source: sa.Connection, target: sa.Connection, table: sa.Table) -> None:
    asked = sa.select(table).order_by(*table.primary_key.columns)
    if table is META:
        asked = asked.where(META.c.name != "schema")  # the target has its own version
    for rows in source.execute(asked.execution_options(yield_per=_BATCH)).mappings().partitions():
        target.execute(sa.insert(table), [dict(row) for row in rows])


def _copy(source: Path, target: Path) -> None:
    """Copy a file with its mode, if it exists."""
    if source.exists():
        shutil.copy2(source, target)


def _copy_folder(source: Path, target: Path) -> None:
    """Copy a folder, if it exists, without files that are being written."""
    if source.is_dir():
        shutil.copytree(source, target, ignore=shutil.ignore_patterns(".*"))


def _content(file: Path) -> bytes | None:
    return file.read_bytes() if file.exists() else None
