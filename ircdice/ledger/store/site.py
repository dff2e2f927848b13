"""Whether SQLite's file and its log still bear their names (LED-03). Knows no connection.

What was removed takes a record, and doesn't say so: the system keeps a file without a name as long as it is open.
"""

from __future__ import annotations

import os
from pathlib import Path

Identity = tuple[int, int]  # device and inode
_HEADER = 100  # bytes
_LARGEST = 65_536  # bytes of a page, for which its header has no room


class GoneError(Exception):
    """The file is not where it was: nothing that is written now would be found again."""


class Site:
    """Where a file of SQLite's is, as it was when this was made; None is a server's, and always there."""

    def __init__(self, file: Path | None) -> None:
        self._file = str(file or "")
        self._log = f"{file.resolve()}-wal" if file else ""  # SQLite follows links before it names it
        self._was = _identity(self._file) if file else None
        self._size = 0  # bytes that the file had when it was looked at last
        self._log_was: Identity | None = None  # from when it is written to until the connection is closed

    def expect(self) -> None:
        """GoneError where the file was removed, or another stands there, or less of it than there was."""
        if not self._file:
            return
        found = _found(self._file)
        if found is None or (found.st_dev, found.st_ino) != self._was:
            raise GoneError(f"{self._file} was removed or replaced under the running bot")
        if found.st_size < self._size and _is_cut(self._file, found.st_size):
            raise GoneError(f"{self._file} was cut short under the running bot")
        self._size = found.st_size

    def expect_all(self) -> None:
        """As `expect`, of the file and its log."""
        self.expect()
        if self._log_was is not None and _identity(self._log) != self._log_was:
            raise GoneError(f"{self._log} was removed or replaced under the running bot")

    def begun(self) -> None:
        """The log is open, with a transaction: SQLite keeps it as long as somebody is connected."""
        if self._file and self._log_was is None:
            self._log_was = _identity(self._log)

    def left(self) -> None:
        """The connection is about to be closed: SQLite may remove the log, unless somebody else did."""
        if self._log_was is not None and _identity(self._log) == self._log_was:
            self._log_was = None


def _found(file: str) -> os.stat_result | None:
    try:
        return os.stat(file)  # noqa: PTH116  Path's own takes twice as long, twice for each roll
    except OSError:
        return None


def _identity(file: str) -> Identity | None:
    found = _found(file)
    return found and (found.st_dev, found.st_ino)


def _is_cut(file: str, size: int) -> bool:
    """Whether pages are gone that its header counts: behind somebody's VACUUM it counts fewer."""
    try:
        with Path(file).open("rb") as opened:
            header = opened.read(_HEADER)
    except OSError:
        return True
    page = int.from_bytes(header[16:18], "big")
    return len(header) < _HEADER or size < int.from_bytes(header[28:32], "big") * (_LARGEST if page == 1 else page)
