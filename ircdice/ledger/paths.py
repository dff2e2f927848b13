"""Where one process keeps its ledger: database, checkpoints, keys and seeds, and the lock on them (LED-12, LED-13)."""

from __future__ import annotations

import fcntl
import os
import re
from collections import deque
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from time import time
from typing import BinaryIO

from ircdice.clock import DAY
from ircdice.errors import KeysError, LedgerDamaged, LedgerUnavailable
from ircdice.ledger.engine import Address, log_of, make_file
from ircdice.ledger.keys import SeedFiles, SigningKeyFile, TagKeyFile, exposed, secret_folder, sync_folder

_TAIL = 64 * 1024  # bytes
_END_OF_NOTE = re.compile("\n\n(?:\u2014 [^\n]*\n)+\n".encode())  # with the empty line after each note of the file
_WAY_OUT = (
    "Put the newest copy of it back, or a backup (`ircdice ledger restore DIR`); "
    "`ircdice run --accept-loss` goes on without, and says so in public."
)


@dataclass(frozen=True, slots=True)
class Paths:
    """The ledger's address and the files around it; `epoch` in ms, `wait` in seconds."""

    data: Path
    url: str
    origin: str | None = None  # the ledger's name in checkpoints; None: the name that it was made with
    suggested: str = "ircdice"  # the name of a new ledger if `origin` is None
    name: str = "ircdice"  # of this process, where several share a ledger
    signing_key: Path | None = None
    epoch: int = DAY
    wait: float = 5.0

    @property
    def database(self) -> Address:
        """The address of a server, or SQLite's file; a relative file name is relative to `data`."""
        kind, parted, file = self.url.partition(":///")
        return self.data / file if kind == "sqlite" and parted else self.url

    @property
    def database_file(self) -> Path | None:
        """SQLite's file; None on a server."""
        return self.database if isinstance(self.database, Path) else None

    @property
    def signing_file(self) -> Path:
        """The key of the checkpoints."""
        return self.signing_key or self.data / "signing.key"

    @property
    def tag_keys(self) -> TagKeyFile:
        """The keys of the tags, in the folder of the signing key: processes that share one share the other."""
        return TagKeyFile(self.signing_file.with_name("tag.keys"))

    def signing_keys(self, origin: str) -> SigningKeyFile:
        """The key of the checkpoints of the ledger of that name."""
        return SigningKeyFile(self.signing_file, origin)

    @property
    def seeds(self) -> SeedFiles:
        """The seeds of this process."""
        return SeedFiles(self.data / "seeds")

    @property
    def checkpoints(self) -> CheckpointFile:
        """The file of checkpoints outside the database."""
        return CheckpointFile(self.data / "checkpoints")

    def expect_database(self) -> None:
        """LedgerDamaged if SQLite's file is missing or empty, and other files show that it held records (LED-16).

        It must not be opened then: SQLite would delete its log, and with it the last records.
        """
        file = self.database_file
        if file is None or _size(file):
            return
        for other in (log_of(file), self.checkpoints.file):
            if _size(other):
                state = "is empty" if file.exists() else "is missing"
                raise LedgerDamaged(f"{file} {state}, and {other.name} shows that it held records. {_WAY_OUT}")

    def make_database(self, *, accept_loss: bool = False) -> None:
        """An empty SQLite file, if there is none. KeysError if it cannot be made, LedgerDamaged if it was lost.

        With `accept_loss` the log of a lost one is kept under another name.
        """
        if (file := self.database_file) is None:
            return
        if not accept_loss:
            self.expect_database()
        try:
            log = log_of(file)
            if _size(log) and not _size(file):
                log.replace(log.with_name(f"{log.name}.lost-{int(time())}"))
            make_file(file)
        except OSError as error:
            raise KeysError(f"{file}: {error.strerror or error}.") from error

    def warnings(self) -> tuple[str, ...]:
        """A sentence for each secret that others can read (IRC-05)."""
        return exposed(self.tag_keys.file, self.signing_file, self.seeds.folder)

    def lock(self) -> ExitStack:
        """Lock folder and database for this process until the stack is closed or the process ends (LED-13, LED-04).

        LedgerUnavailable if another process has one of them, KeysError if no lock can be had.
        """
        with ExitStack() as held:
            try:
                secret_folder(self.data)
            except OSError as error:
                raise KeysError(f"{self.data}: {error.strerror or error}.") from error
            _lock(held, self.data / "ircdice.lock", f"{self.data}: another ircdice runs on this folder.")
            if (file := self.database_file) is not None:
                # By its real name, as links may lead there; a lock on the file itself would interfere with SQLite's.
                real = file.resolve()
                _lock(held, real.with_name(f"{real.name}-lock"), f"{real}: another ircdice runs on this ledger.")
            return held.pop_all()


def _size(file: Path) -> int:
    return file.stat().st_size if file.exists() else 0


def _lock(held: ExitStack, file: Path, taken: str) -> None:
    try:
        handle = os.open(file, os.O_RDWR | os.O_CREAT, 0o600)
        held.callback(os.close, handle)
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise LedgerUnavailable(taken) from None
    except OSError as error:
        raise KeysError(f"{file} cannot be locked: {error.strerror or error}.") from error


class CheckpointFile:
    """Signed notes, an empty line after each, only ever appended to. A note that a crash cut short is overwritten."""

    def __init__(self, file: Path) -> None:
        self.file = file

    def append(self, *notes: str) -> None:
        """Add notes; they are durable when this returns. OSError if the disk is full or away."""
        new = not self.file.exists()
        with os.fdopen(os.open(self.file, os.O_RDWR | os.O_CREAT, 0o644), "r+b") as file:
            file.truncate(_end(file))
            file.seek(0, os.SEEK_END)
            file.write("".join(f"{note}\n" for note in notes).encode())
            file.flush()
            os.fsync(file.fileno())
        if new:
            sync_folder(self.file.parent)

    def set_aside(self, started: int) -> None:
        """Keep the file of before a loss under another name, so that a new one begins. OSError."""
        if self.file.exists():
            self.file.replace(self.file.with_name(f"{self.file.name}.damaged-{started}"))

    def notes(self) -> Iterator[str]:
        """Every whole note that the file has now, oldest first; none if there is no file."""
        whole = self.file.read_bytes() if self.file.exists() else b""
        ends = [0, *(match.end() for match in _END_OF_NOTE.finditer(whole))]
        return (_noted(whole[begin:end]) for begin, end in pairwise(ends))

    def last(self) -> str | None:
        """The latest whole note."""
        return next(iter(deque(self.notes(), maxlen=1)), None)


def _end(file: BinaryIO) -> int:
    """Where the last whole note ends; it is looked for at the end of the file first."""
    size = file.seek(0, os.SEEK_END)
    for start in (max(0, size - _TAIL), 0):
        file.seek(start)
        if ends := [match.end() for match in _END_OF_NOTE.finditer(file.read())]:
            return start + ends[-1]
    return 0


def _noted(data: bytes) -> str:
    """A note without the empty line after it; its signature shows whether a byte was damaged."""
    return data[:-1].decode(errors="replace")
