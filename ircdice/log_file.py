"""The log file. No line is lost when it is moved away, its disk is full or its folder is gone."""

from __future__ import annotations

import errno
import logging
import logging.handlers
import os
import sys
from contextlib import suppress
from io import TextIOWrapper
from pathlib import Path


def reason(error: OSError) -> str:
    """What is wrong with a file, in a few words."""
    return (error.strerror or "cannot be written").lower()


class LogFile(logging.handlers.WatchedFileHandler):
    """Reopens the file after logrotate has moved it. Only its owner may read it: at debug it may hold private rolls.

    OSError if `file` cannot be written at first. Later, lines that cannot be written go to standard error.
    """

    def __init__(self, file: Path) -> None:
        super().__init__(file, encoding="utf-8", errors="backslashreplace")
        self._fallback = logging.StreamHandler(sys.stderr)
        self._missed = 0  # events that the file lacks

    def emit(self, record: logging.LogRecord) -> None:
        """Write one event."""
        try:
            self._write(record)
        except OSError as error:
            with suppress(OSError):
                self.close()  # or its buffer would be written twice; it is opened again
            self._miss(record, error)
        except Exception:
            self.handleError(record)

    def _write(self, record: logging.LogRecord) -> None:
        self.reopenIfNeeded()
        if self.stream is None:
            self.stream = self._open()
            self._statstream()
        lacking = [_own(logging.WARNING, f"{self._missed} lines went to standard error")] if self._missed else []
        self.stream.write("".join(f"{self.format(each)}\n" for each in (*lacking, record)))
        self.stream.flush()
        self._missed = 0

    def _miss(self, record: logging.LogRecord, error: OSError) -> None:
        self._fallback.setFormatter(self.formatter)
        if not self._missed:
            self._fallback.handle(_own(logging.ERROR, f"{self.baseFilename}: {reason(error)}; lines go here for now"))
        self._missed += 1
        self._fallback.handle(record)

    def _open(self) -> TextIOWrapper:
        return open(self.baseFilename, "a", encoding=self.encoding, errors=self.errors, opener=_opened)


def _own(level: int, event: str) -> logging.LogRecord:
    """An event of the log itself, written together with another one."""
    return logging.LogRecord("ircdice.log", level, __file__, 0, event, None, None)


def _opened(file: str, flags: int) -> int:
    """A handle on the log; OSError for a pipe without a reader as well, which would block."""
    try:
        handle = os.open(file, flags | os.O_NONBLOCK, 0o600)
    except OSError as error:
        if error.errno == errno.ENXIO:
            raise OSError(errno.ENXIO, "Nobody reads this pipe", file) from None
        raise
    os.set_blocking(handle, True)
    return handle
