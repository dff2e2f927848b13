"""SQLite's log made as long as it will be: by a transaction that is undone. Knows no record.

Of a file that grows every sync writes what the file system knows of it as well, which takes twice as long. SQLite
begins its log anew with each start, and writes it over once it was carried into the file; until then each lone roll
would wait for that. What an undone transaction leaves behind the last commit is passed over and written over, as ever.
"""

from __future__ import annotations

import os
import shutil
import time
from pathlib import Path

from ircdice.ledger.durable import opened
from ircdice.ledger.store.driver import Driver

_PLENTY = 1 << 30  # bytes that a disk has free: on a smaller one the log grows with its use
_PARTS = (16, 8, 4, 2, 1)  # of it, one after the other: rolls wait meanwhile
_QUICK = 0.1  # s: behind a part that took longer the log is left as it is
_PAGE = 4_096
_FEW = "PRAGMA cache_size = 10"  # pages at hand, so that all others go into the log before the transaction ends


def make(database: Path, pages: int, usual: str, driver: Driver) -> None:
    """See to it that the log of `database` has room for so many pages; `usual` sets how many are at hand again.

    What fails is the database's to tell, or OSError; what was committed is untouched.
    """
    log = database.with_name(f"{database.name}-wal")
    if not log.exists() or shutil.disk_usage(log.parent).free < _PLENTY:
        return
    driver.say(_FEW)
    for size in (pages * _PAGE // part for part in _PARTS):
        began = time.monotonic()
        if log.stat().st_size < size:
            _written(log, size, driver)
        if time.monotonic() - began > _QUICK:
            break
    driver.say(usual)


def _written(log: Path, size: int, driver: Driver) -> None:
    driver.say("BEGIN IMMEDIATE")
    driver.say(f"INSERT INTO meta VALUES ('room', zeroblob({size}))")
    driver.undo()
    handle = opened(log)
    try:
        os.fsync(handle)  # or the next roll would
    finally:
        os.close(handle)
