"""Logging: one event, one line, as text or JSON (IRC-26).

Modules log as usual, with further details as `extra`::

    logging.getLogger(__name__).info("joined", extra={"network": "libera", "channel": "#FU_Dice"})
"""

from __future__ import annotations

import errno
import json
import logging
import logging.handlers
import os
import re
import sys
from contextlib import suppress
from datetime import UTC, datetime
from io import TextIOWrapper
from pathlib import Path

from ircdice.errors import ConfigError, reason

_NAME = "ircdice"  # of our handler, so that a second call replaces the first
_OWN = ("ircdice", "grammars")
_STANDARD = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName"}
_BREAKING = re.compile(r"[\\\x00-\x1f\x7f-\x9f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
_QUOTED = re.compile(r"[\s=\"]|^$")


def configure(level: str = "info", fmt: str = "text", file: Path | None = None) -> None:
    """Log every event of `level` or above to `file`, or to standard error. May be called again."""
    try:
        handler = logging.StreamHandler(sys.stderr) if file is None else LogFile(file)
    except OSError as error:
        raise ConfigError(f"log_file: {file}: {reason(error)}") from None
    handler.set_name(_NAME)
    handler.setFormatter(Formatter(as_json=fmt == "json"))
    handler.addFilter(_wanted)
    root = logging.getLogger()
    for earlier in [other for other in root.handlers if other.get_name() == _NAME]:
        root.removeHandler(earlier)
        earlier.close()
    root.addHandler(handler)
    number = logging.getLevelNamesMapping()[level.upper()]
    for name in _OWN:
        logging.getLogger(name).setLevel(number)
    root.setLevel(max(number, logging.WARNING))
    # SQLAlchemy logs a traceback for each broken connection; the ledger reports a lost database once.
    logging.getLogger("sqlalchemy.pool").setLevel(logging.CRITICAL)
    logging.captureWarnings(True)


def _wanted(record: logging.LogRecord) -> bool:
    """IRC-05: the irc package logs PASS and AUTHENTICATE below WARNING, so only our own loggers pass there."""
    return record.levelno >= logging.WARNING or record.name.partition(".")[0] in _OWN


class Formatter(logging.Formatter):
    """Time, level, logger, network, channel, event and further details: one JSON object a line, or text.

    Text is `TIME LEVEL KEY=VALUE …`; a value with spaces is quoted, and `-` is an unknown value.
    """

    def __init__(self, *, as_json: bool) -> None:
        super().__init__()
        self._as_json = as_json

    def format(self, record: logging.LogRecord) -> str:
        """The line, without its end."""
        details = {key: value for key, value in vars(record).items() if key not in _STANDARD}
        time = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        facts: dict[str, object] = {
            "time": time.removesuffix("+00:00") + "Z",
            "level": record.levelname.lower(),
            "logger": record.name,
            "network": details.pop("network", None),
            "channel": details.pop("channel", None),
            "event": record.getMessage(),
        }
        facts |= {key: value for key, value in details.items() if key not in facts}
        if record.exc_info:
            facts["traceback"] = self.formatException(record.exc_info)
        if self._as_json:
            return json.dumps(facts, default=str)
        start = f"{facts.pop('time')} {facts.pop('level')}"
        return " ".join([start, *(f"{_shown(key)}={_shown(value)}" for key, value in facts.items())])


def _shown(value: object) -> str:
    text = "-" if value is None else str(value)
    escaped = _BREAKING.sub(lambda found: found[0].encode("unicode_escape").decode("ascii"), text)
    return '"' + escaped.replace('"', '\\"') + '"' if _QUOTED.search(escaped) else escaped


class LogFile(logging.handlers.WatchedFileHandler):
    """Reopens the file after logrotate has moved it. The file is private: at debug level it may hold private rolls.

    OSError if `file` cannot be written at first. Later, lines that cannot be written go to standard error.
    """

    def __init__(self, file: Path) -> None:
        super().__init__(file, encoding="utf-8", errors="backslashreplace")
        self._fallback = logging.StreamHandler(sys.stderr)
        self._missed = 0  # events missing in the file

    def emit(self, record: logging.LogRecord) -> None:
        """Write one event."""
        try:
            self.reopenIfNeeded()
            if self.stream is None:
                self.stream = self._open()
                self._statstream()
            if self._missed:
                note = _own(logging.WARNING, f"{self._missed} lines went to standard error")
                self.stream.write(f"{self.format(note)}\n")
            self.stream.write(f"{self.format(record)}\n")
            self.stream.flush()
            self._missed = 0
        except OSError as error:
            with suppress(OSError):
                self.close()  # otherwise its buffer is written twice; the file is reopened
            self._fallback.setFormatter(self.formatter)
            if not self._missed:
                wrong = f"{self.baseFilename}: {reason(error)}; lines go here for now"
                self._fallback.handle(_own(logging.ERROR, wrong))
            self._missed += 1
            self._fallback.handle(record)
        except Exception:
            self.handleError(record)

    def _open(self) -> TextIOWrapper:
        return open(self.baseFilename, "a", encoding=self.encoding, errors=self.errors, opener=_opened)


def _own(level: int, event: str) -> logging.LogRecord:
    """An event about the log itself, written before another event."""
    return logging.LogRecord("ircdice.log", level, __file__, 0, event, None, None)


def _opened(file: str, flags: int) -> int:
    """Open the log. OSError also for a pipe without a reader, which would block."""
    try:
        handle = os.open(file, flags | os.O_NONBLOCK, 0o600)
    except OSError as error:
        if error.errno == errno.ENXIO:
            raise OSError(errno.ENXIO, "No process reads this pipe", file) from None
        raise
    os.set_blocking(handle, True)
    return handle
