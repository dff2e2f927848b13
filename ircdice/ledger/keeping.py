"""Where one process keeps its part of a ledger: the folder, its files, and the lock on them. Knows no database."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from ircdice.durations import DAY
from ircdice.errors import KeysError, LedgerUnavailable
from ircdice.ledger.checkpoint_file import CheckpointFile
from ircdice.ledger.durable import secret_folder
from ircdice.ledger.keys import SeedFiles, SigningKeyFile, TagKeyFile, exposed

_FILES = ("", "-wal", "-shm", "-journal")  # of SQLite's, behind the name of its database


@dataclass(frozen=True, slots=True)
class Keeping:
    """A ledger's address and a process' place beside it; `epoch` in ms, `wait` in seconds."""

    data: Path
    url: str
    origin: str | None = None  # the ledger's name in checkpoints; None: the one that it was made with
    suggested: str = "ircdice"  # what a new ledger is called if `origin` is None
    name: str = "ircdice"  # of this process, where several share a ledger
    signing_key: Path | None = None
    epoch: int = DAY
    wait: float = 5.0

    @property
    def database(self) -> str | Path:
        """The address of a server, or SQLite's file: a relative one is meant from `data`."""
        kind, apart, file = self.url.partition(":///")
        return self.data / file if kind == "sqlite" and apart else self.url

    @property
    def tag_keys(self) -> TagKeyFile:
        """The keys of the tags, beside the signing key: whoever shares the one on a ledger shares the other."""
        return TagKeyFile(self.signing_file.with_name("tag.keys"))

    @property
    def signing_file(self) -> Path:
        """The file of the key of the checkpoints."""
        return self.signing_key or self.data / "signing.key"

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

    @property
    def database_file(self) -> Path | None:
        """SQLite's; None where the ledger is on a server."""
        return self.database if isinstance(self.database, Path) else None

    @property
    def database_files(self) -> tuple[Path, ...]:
        """SQLite's, and those that it keeps beside it; none where the ledger is on a server."""
        return tuple(file.with_name(f"{file.name}{end}") for end in _FILES) if (file := self.database_file) else ()

    def make_database(self) -> None:
        """An empty file for SQLite that only its owner can read: it holds what is sealed. KeysError where it cannot."""
        file = self.database_file
        if file is None or file.exists():
            return
        try:
            os.close(os.open(file, os.O_RDWR | os.O_CREAT, 0o600))
        except OSError as error:
            raise KeysError(f"{file}: {error.strerror or error}.") from error

    def warnings(self) -> tuple[str, ...]:
        """A sentence for each secret that others can read (IRC-05)."""
        return exposed(self.tag_keys.file, self.signing_file, self.seeds.folder)

    def lock(self) -> ExitStack:
        """Hold folder and database file for this process alone, until it is closed or the process ends, as it may.

        LedgerUnavailable where another has one of them (LED-13, LED-04); KeysError where no lock can be had.
        """
        with ExitStack() as held:
            try:
                secret_folder(self.data)
            except OSError as error:
                raise KeysError(f"{self.data}: {error.strerror or error}.") from error
            _held(held, self._locked[0], f"{self.data}: another ircdice runs on this folder.")
            if (file := self.database_file) is not None:
                _held(held, self._locked[-1], f"{file.resolve()}: another ircdice runs on this ledger.")
                _named_once(file)
            return held.pop_all()

    @property
    def _locked(self) -> tuple[Path, ...]:
        """What is locked: the folder's, and one beside the database, by its one name, as links may lead there.

        On the database itself SQLite's own locks would be lost with such a handle.
        """
        file = self.database_file and self.database_file.resolve()
        return (self.data / "ircdice.lock", *([file.with_name(f"{file.name}-lock")] if file else []))

    @contextmanager
    def filling(self) -> Iterator[None]:
        """Hold a place for a ledger that is read in; where that fails nothing stays that was not there before.

        LedgerUnavailable and KeysError as `lock` and `make_database` have it.
        """
        was_there, new = self.data.is_dir(), [file for file in self._locked if not file.exists()]
        try:
            lock = self.lock()
        except (KeysError, LedgerUnavailable):
            self._unmake(new, was_there=was_there)
            raise
        with lock:
            if (file := self.database_file) is not None and not file.exists():
                new += self.database_files
            try:
                self.make_database()
                yield
            except BaseException:
                self._unmake(new, was_there=was_there)
                raise

    def _unmake(self, new: Sequence[Path], *, was_there: bool) -> None:
        for made in reversed(new):
            made.unlink(missing_ok=True)
        if not was_there:
            with suppress(OSError):  # somebody else has put something there
                self.data.rmdir()


def _named_once(file: Path) -> None:
    """By a hard link another process could come past the lock, and past SQLite's own log: both go by the name."""
    if file.exists() and not file.is_file():
        raise KeysError(f"{file}: this is no file, but a folder or the like.")
    if file.exists() and file.stat().st_nlink > 1:
        raise KeysError(f"{file}: this file has another name, a hard link: a ledger has one, remove the other.")


def _held(held: ExitStack, file: Path, taken: str) -> None:
    """Lock a file for this process; `taken` is the sentence where another has it."""
    try:
        handle = os.open(file, os.O_RDWR | os.O_CREAT, 0o600)
        held.callback(os.close, handle)
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise LedgerUnavailable(taken) from None
    except OSError as error:
        raise KeysError(f"{file} cannot be locked: {error.strerror or error}.") from error
