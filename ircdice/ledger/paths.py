"""The files of one process's ledger: database, checkpoints, keys, seeds, and their lock (LED-12, LED-13).

Keys and seeds are private files (LED-10, LED-18): text with mode 0600, synced with the folder before use. A line is
a label, a space and 64 hex digits: in `tag.keys` the first seq that the key is for, in `signing.key` `public` for each
earlier key, then `private`, and during a rotation `next`. A seed has no label.
"""

from __future__ import annotations

import fcntl
import os
import re
from collections import deque
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from time import time
from typing import BinaryIO

from ircdice.clock import DAY
from ircdice.dice import entropy
from ircdice.errors import KeysError, LedgerDamaged, LedgerUnavailable, NoteError
from ircdice.ledger.checkpoint import SigningKey, VerifyingKey
from ircdice.ledger.engine import ACCEPT, REPAIR, Address, log_of, make_file
from ircdice.ledger.record import TagKeys

_TAIL = 64 * 1024  # bytes
_END_OF_NOTE = re.compile("\n\n(?:\u2014 [^\n]*\n)+\n".encode())  # with the empty line after each note in the file
_LINE = re.compile("(?:([a-z]+|[1-9][0-9]{0,18}) )?([0-9a-f]{64})")
_LENGTH = 32  # bytes of a key or seed
_ITS_OWN = "stop it, or give this one its own"


@dataclass(frozen=True, slots=True)
class Paths:
    """The ledger's address and the files around it; `epoch` in ms, `wait` in seconds."""

    data: Path
    url: str
    origin: str | None = None  # the ledger's name in checkpoints; None: its original name
    suggested: str = "ircdice"  # the name of a new ledger if `origin` is None
    name: str = "ircdice"  # of this process, if several share a ledger
    signing_key: Path | None = None
    epoch: int = DAY
    wait: float = 5.0

    @property
    def database_file(self) -> Path | None:
        """SQLite's file, relative to `data`; None on a server."""
        kind, _, file = self.url.partition(":///")
        return self.data / file if kind == "sqlite" else None

    @property
    def database(self) -> Address:
        """SQLite's file, or the address of a server."""
        return self.database_file or self.url

    @property
    def signing_file(self) -> Path:
        """The key of the checkpoints."""
        return self.signing_key or self.data / "signing.key"

    @property
    def tag_keys(self) -> TagKeyFile:
        """The keys of the tags, in the same folder as the signing key: processes share both or neither."""
        return TagKeyFile(self.signing_file.with_name("tag.keys"))

    def signing_keys(self, origin: str) -> SigningKeyFile:
        """The key of the checkpoints, for a ledger with that name."""
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
        """LedgerUnavailable if there is no ledger yet; LedgerDamaged if other files show that there was one (LED-16).

        SQLite's file must not be opened then: that would delete its log, with the last records.
        """
        file = self.database_file
        if file is None or _size(file):
            return
        for other in (log_of(file), self.checkpoints.file):
            if _size(other):
                state = "is empty" if file.exists() else "is missing"
                fault = f"{file} {state}, and {other.name} shows that it held records."
                raise LedgerDamaged(f"{fault} Put its newest copy back; {REPAIR} {ACCEPT}")
        if not file.exists():
            raise LedgerUnavailable(f"there is no ledger at {file}.")

    def make_database(self, *, accept_loss: bool = False) -> None:
        """Create an empty SQLite file if there is none. KeysError if that fails, LedgerDamaged if the file was lost.

        With `accept_loss`, the log of a lost file is kept under another name.
        """
        if (file := self.database_file) is None:
            return
        if not accept_loss:
            with suppress(LedgerUnavailable):
                self.expect_database()
        with _named_in_errors(file):
            log = log_of(file)
            if _size(log) and not _size(file):
                log.replace(log.with_name(f"{log.name}.lost-{int(time())}"))
            make_file(file)

    def expect_keys(self) -> None:
        """KeysError if the key of the checkpoints or of the tags is missing."""
        for file in (self.signing_file, self.tag_keys.file):
            if not file.exists():
                raise KeysError(f"{file} is missing: copy it from another bot on this ledger, or from a backup.")

    def warnings(self) -> tuple[str, ...]:
        """A sentence for each secret file that others can read (IRC-05)."""
        return exposed(self.tag_keys.file, self.signing_file, self.seeds.folder)

    def lock(self) -> ExitStack:
        """Lock folder and database for this process until the stack is closed or the process ends (LED-13, LED-04).

        LedgerUnavailable if another process has locked one of them, KeysError if locking fails.
        """
        with ExitStack() as held:
            with _named_in_errors(self.data):
                secret_folder(self.data)
            taken = f"{self.data}: another ircdice runs on this folder: {_ITS_OWN} data folder."
            _lock(held, self.data / "ircdice.lock", taken)
            if (file := self.database_file) is not None:
                # By its real path, because there may be links; a lock on the file itself would interfere with SQLite's.
                real = file.resolve()
                taken = f"{real}: another ircdice runs on this ledger: {_ITS_OWN} ledger."
                _lock(held, real.with_name(f"{real.name}-lock"), taken)
            return held.pop_all()


@contextmanager
def _named_in_errors(what: object) -> Iterator[None]:
    """Turn an OSError into a KeysError that begins with `what`, a file or folder."""
    try:
        yield
    except OSError as error:
        raise KeysError(f"{what}: {error.strerror or error}.") from error


def _size(file: Path) -> int:
    return file.stat().st_size if file.exists() else 0


def _lock(held: ExitStack, file: Path, taken: str) -> None:
    with _named_in_errors(f"{file} cannot be locked"):
        handle = os.open(file, os.O_RDWR | os.O_CREAT, 0o600)
        held.callback(os.close, handle)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise LedgerUnavailable(taken) from None


class CheckpointFile:
    """Signed notes, each followed by an empty line, append only. A note truncated by a crash is overwritten."""

    def __init__(self, file: Path) -> None:
        self.file = file

    def append(self, *notes: str) -> None:
        """Append notes durably. OSError if the disk is full or missing."""
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
        """Rename the file from before a loss, so that a new one is started. OSError."""
        if self.file.exists():
            self.file.replace(self.file.with_name(f"{self.file.name}.damaged-{started}"))

    def notes(self) -> Iterator[str]:
        """All complete notes in the file, oldest first; empty if there is no file."""
        whole = self.file.read_bytes() if self.file.exists() else b""
        ends = [0, *(match.end() for match in _END_OF_NOTE.finditer(whole))]
        # Without the empty line after each. Its signature detects damage.
        return (whole[begin : end - 1].decode(errors="replace") for begin, end in pairwise(ends))

    def last(self) -> str | None:
        """The latest complete note."""
        return next(iter(deque(self.notes(), maxlen=1)), None)


def _end(file: BinaryIO) -> int:
    """The end of the last complete note; searches the end of the file first."""
    size = file.seek(0, os.SEEK_END)
    for start in (max(0, size - _TAIL), 0):
        file.seek(start)
        if ends := [match.end() for match in _END_OF_NOTE.finditer(file.read())]:
            return start + ends[-1]
    return 0


@dataclass(frozen=True, slots=True, repr=False)
class SigningKeys:
    """The current signing key, and the public halves of earlier ones, oldest first."""

    current: SigningKey
    retired: tuple[VerifyingKey, ...] = ()

    @property
    def all(self) -> tuple[VerifyingKey, ...]:
        """The public halves, oldest first; an export is verified from the first, because each names the next."""
        return (*self.retired, self.current.verifying)


@dataclass(frozen=True, slots=True)
class TagKeyFile:
    """`tag.keys`, shared by all processes on one ledger. Keys are only created under the ledger's lock."""

    file: Path

    def load(self) -> TagKeys:
        """The keys, created if there is no file; KeysError if it is damaged or unreadable."""
        if not self.file.exists():
            _write(self.file, ("1", entropy(_LENGTH)))
        lines = _read(self.file)
        ranges = tuple((int(label), key) for label, key in lines if label.isdecimal())
        firsts = [first for first, _ in ranges]
        if len(ranges) < len(lines) or firsts[0] != 1 or firsts != sorted(set(firsts)):
            raise _damaged(self.file)
        return TagKeys(ranges)

    def rotate(self, first: int) -> TagKeys:
        """Add a key for the records from seq `first`."""
        before = self.load().ranges
        if first <= before[-1][0]:
            raise KeysError(f"{self.file}: its last key is already for record {before[-1][0]} and later.")
        new = TagKeys((*before, (first, entropy(_LENGTH))))
        _write(self.file, *((str(seq), key) for seq, key in new.ranges))
        return new


@dataclass(frozen=True, slots=True)
class SigningKeyFile:
    """`signing.key`, shared by all processes on one ledger; `origin` is the ledger's name."""

    file: Path
    origin: str

    def load(self, named: VerifyingKey | None = None) -> SigningKeys:
        """The keys, created if there is no file; KeysError if it is damaged or unreadable.

        If the prepared key is `named`, the key that the last checkpoint names, the rotation is completed (LED-18).
        """
        if not self.file.exists():
            _write(self.file, ("private", entropy(_LENGTH)))
        lines = _read(self.file)
        if lines[-1][0] != "next" and prepared_file(self.file).exists():
            lines += [("next", key) for _, key in _read(prepared_file(self.file))]
        prepared = lines.pop()[1] if lines[-1][0] == "next" else None
        if [label for label, _ in lines] != ["public"] * (len(lines) - 1) + ["private"]:
            raise _damaged(self.file)
        *retired, current = [key for _, key in lines]
        try:
            keys = SigningKeys(
                SigningKey(self.origin, current), tuple(VerifyingKey(self.origin, key) for key in retired)
            )
        except NoteError as error:
            raise LedgerDamaged(f"the ledger's origin, in its table meta, is not valid: {error}.") from error
        if prepared is not None and (new := SigningKey(self.origin, prepared)).verifying == named:
            return self.rotate(new)
        return keys

    def prepare(self) -> SigningKey:
        """Create a new key, to `rotate` to once a checkpoint signed by the current one names it (LED-18)."""
        new = SigningKey(self.origin, entropy(_LENGTH))
        self._save(self.load(), new)
        return new

    def rotate(self, new: SigningKey) -> SigningKeys:
        """Switch to the key `new`, if it is not in use yet; the private half of the previous key is deleted."""
        keys = self.load()
        return self._save(keys if keys.current == new else SigningKeys(new, keys.all))

    def _save(self, keys: SigningKeys, *prepared: SigningKey) -> SigningKeys:
        lines = [("public", key.public) for key in keys.retired] + [("private", keys.current.private)]
        _write(self.file, *lines, *(("next", key.private) for key in prepared))
        prepared_file(self.file).unlink(missing_ok=True)
        return keys


def prepared_file(signing_key: Path) -> Path:
    """Where earlier versions kept the next signing key during a rotation."""
    return signing_key.with_name(f"{signing_key.name}.next")


def commitment(epoch: int, seed: bytes) -> bytes:
    """The commitment to a seed, published before its epoch begins (LED-13): 32 bytes."""
    return sha256(b"ircdice1:seed\0" + epoch.to_bytes(4, "big") + seed).digest()


@dataclass(frozen=True, slots=True)
class SeedFiles:
    """`seeds/N`, the seed of epoch N of this process."""

    folder: Path

    def make(self, epoch: int) -> bytes:
        """Create a seed, durable before its commitment; a seed without a commitment is replaced."""
        seed = entropy(_LENGTH)
        _write(self.folder / str(epoch), ("", seed))
        return seed

    def committed(self, epoch: int, promise: bytes) -> bytes:
        """The seed that matches the commitment `promise`; KeysError if it is missing, damaged or different."""
        file = self.folder / str(epoch)
        (label, seed), *more = _read(file)
        if label or more:
            raise _damaged(file)
        if commitment(epoch, seed) != promise:
            raise KeysError(f"{file} is not the seed that was committed to.")
        return seed


def exposed(*files: Path) -> tuple[str, ...]:
    """A sentence for each of `files`, or files in a folder among them, that users other than the owner can read."""
    inner = [file for folder in files if folder.is_dir() for file in folder.iterdir()]
    readable = [file for file in (*files, *inner) if file.is_file() and file.stat().st_mode & 0o077]
    return tuple(f"{file} can be read by others: `chmod 600` it." for file in readable)


def _read(file: Path) -> list[tuple[str, bytes]]:
    """Label and bytes of each line, at least one; KeysError if the file is missing, damaged or unreadable."""
    with _named_in_errors(file):
        if not file.exists():
            raise KeysError(f"{file} is missing.")
        text = file.read_text("ascii", errors="replace")
    lines = [_LINE.fullmatch(line) for line in text.splitlines()]
    if not lines or None in lines:
        raise _damaged(file)
    return [(line[1] or "", bytes.fromhex(line[2])) for line in lines if line]


def _damaged(file: Path) -> KeysError:
    return KeysError(f"{file} is damaged: put it back from a backup.")


def _write(file: Path, *lines: tuple[str, bytes]) -> None:
    """Create or replace a secret file atomically; KeysError."""
    new = file.with_name(f".{file.name}.new")
    with _named_in_errors(file):
        secret_folder(file.parent)
        with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as written:
            written.writelines(f"{label} {key.hex()}\n".lstrip() for label, key in lines)
            written.flush()
            os.fsync(written.fileno())
        new.replace(file)
        sync_folder(file.parent)


def secret_folder(folder: Path) -> None:
    """Create `folder`, readable only by its owner, if it does not exist."""
    if not folder.is_dir():
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        sync_folder(folder.parent)


def sync_folder(folder: Path) -> None:
    """Make the names in `folder` durable, as fsync does for a file's content."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
