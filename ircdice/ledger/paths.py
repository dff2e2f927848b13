"""The files of one process: database, checkpoints, keys, seeds, and the lock on them (LED-10, LED-12, LED-13, LED-18).

Each secret file is text with mode 0600, synced with its folder before it is used. `signing.key` ends with a line
`private HEX`, after a line `public HEX` for each earlier key; `tag.keys` has a line `FIRST_SEQ HEX` for each key;
`seeds/N` is one line of hex. All keys and seeds have 32 bytes.
"""

from __future__ import annotations

import fcntl
import os
import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from time import time
from typing import BinaryIO, TypeVar

from ircdice.clock import DAY
from ircdice.dice import entropy
from ircdice.errors import KeysError, LedgerDamaged, LedgerUnavailable, NoteError
from ircdice.ledger.checkpoint import SigningKey, VerifyingKey
from ircdice.ledger.engine import Address, log_of, make_file
from ircdice.ledger.proof import commitment

_TAIL = 64 * 1024  # bytes
_END_OF_NOTE = re.compile("\n\n(?:\u2014 [^\n]*\n)+\n".encode())  # with the empty line after each note of the file
_WAY_OUT = (
    "Put the newest copy of it back, or a backup (`ircdice ledger restore DIR`); "
    "`ircdice run --accept-loss` goes on without, and says so in public."
)


_Keys = TypeVar("_Keys")
_LENGTH = 32
_KEY = "([0-9a-f]{64})"


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
            start, ends = _ends(file)
            file.truncate(ends[-1] if ends else start)
            file.seek(0, os.SEEK_END)
            file.write("".join(f"{note}\n" for note in notes).encode())
            file.flush()
            os.fsync(file.fileno())
        if new:
            sync_folder(self.file.parent)

    def notes(self) -> Iterator[str]:
        """Every whole note that the file has now, oldest first; none if there is no file."""
        whole = self.file.read_bytes() if self.file.exists() else b""
        ends = [0, *(match.end() for match in _END_OF_NOTE.finditer(whole))]
        return (_noted(whole[begin:end]) for begin, end in pairwise(ends))

    def last(self) -> str | None:
        """The latest whole note, found from the end of the file."""
        if not self.file.exists():
            return None
        with self.file.open("rb") as file:
            start, ends = _ends(file)
            begin, end = [start, *ends][-2:] if ends else (0, 0)
            file.seek(begin)
            return _noted(file.read(end - begin)) if ends else None


def _ends(file: BinaryIO) -> tuple[int, list[int]]:
    """Where the last notes end, at least two if there are two; and from where on they were looked for."""
    size, back = file.seek(0, os.SEEK_END), _TAIL
    while True:
        start = max(0, size - back)
        file.seek(start)
        ends = [start + match.end() for match in _END_OF_NOTE.finditer(file.read())]
        if len(ends) > 1 or not start:
            return start, ends
        back *= 4


def _noted(data: bytes) -> str:
    """A note without the empty line after it; its signature shows whether a byte was damaged."""
    return data[:-1].decode(errors="replace")


@dataclass(frozen=True, slots=True, repr=False)
class TagKeys:
    """The keys of the tags, each with the first `seq` that it is for, in order."""

    ranges: tuple[tuple[int, bytes], ...]

    def key(self, seq: int) -> bytes:
        """The key for the tag of that record."""
        return next((key for first, key in reversed(self.ranges) if first <= seq), self.ranges[0][1])


@dataclass(frozen=True, slots=True, repr=False)
class SigningKeys:
    """The key that signs now, and the public halves of earlier ones, oldest first."""

    current: SigningKey
    retired: tuple[VerifyingKey, ...] = ()

    @property
    def all(self) -> tuple[VerifyingKey, ...]:
        """The public halves, oldest first; an export is checked from the first, as each names the next."""
        return (*self.retired, self.current.verifying)


class TagKeyFile:
    """`tag.keys`, shared by all processes on one ledger."""

    def __init__(self, file: Path) -> None:
        self.file = file

    def load(self) -> TagKeys:
        """The keys, made now if there is no file; KeysError if it is damaged or out of reach."""
        return _loaded(self.file, lambda: f"1 {entropy(_LENGTH).hex()}\n", self._read)

    def rotate(self, first: int) -> TagKeys:
        """A new key for the records from seq `first` on."""
        keys = self.load()
        if first <= keys.ranges[-1][0]:
            raise KeysError(f"{self.file}: its last key is already for record {keys.ranges[-1][0]} and later.")
        new = TagKeys((*keys.ranges, (first, entropy(_LENGTH))))
        _put(self.file, "".join(f"{seq} {key.hex()}\n" for seq, key in new.ranges))
        return new

    def _read(self, text: str) -> TagKeys:
        lines = [re.fullmatch(f"([1-9][0-9]*) {_KEY}", line) for line in text.splitlines()]
        ranges = tuple((int(line[1]), bytes.fromhex(line[2])) for line in lines if line)
        firsts = [first for first, _ in ranges]
        if None in lines or firsts[:1] != [1] or firsts != sorted(set(firsts)):
            raise KeysError(f"{self.file} is damaged: each line is a record number, a space and 64 hex digits.")
        return TagKeys(ranges)


class SigningKeyFile:
    """`signing.key`, shared by all processes on one ledger; `origin` is the ledger's name."""

    def __init__(self, file: Path, origin: str) -> None:
        self.file, self.origin = file, origin
        self.next_file = file.with_name(f"{file.name}.next")  # until a checkpoint has named the new key (LED-18)

    def load(self) -> SigningKeys:
        """The keys, made now if there is no file; KeysError if it is damaged or out of reach."""
        return _loaded(self.file, lambda: f"private {entropy(_LENGTH).hex()}\n", self._read)

    def successor(self) -> SigningKey:
        """A new key in a file of its own: first a checkpoint names it, signed by the current one (LED-18)."""
        new = SigningKey(self.origin, entropy(_LENGTH))
        _put(self.next_file, f"private {new.private.hex()}\n")
        return new

    def resume(self, named: VerifyingKey | None) -> SigningKeys:
        """The keys, also after an interrupted rotation; `named` is the key that the last checkpoint names."""
        if not self.next_file.exists():
            return self.load()
        new = self._read(_text(self.next_file)).current
        if new.verifying == named:
            return self.rotate(new)
        self.next_file.unlink()  # no checkpoint names it: nothing was signed with it
        return self.load()

    def rotate(self, new: SigningKey) -> SigningKeys:
        """Sign with `new` from now on; the private half of the key before it is deleted."""
        keys = self.load()
        if keys.current != new:
            keys = SigningKeys(new, keys.all)
            lines = [f"public {key.public.hex()}\n" for key in keys.retired]
            _put(self.file, "".join([*lines, f"private {new.private.hex()}\n"]))
        self.next_file.unlink(missing_ok=True)
        return keys

    def _read(self, text: str) -> SigningKeys:
        *before, last = [*text.splitlines()] or [""]
        retired = [re.fullmatch(f"public {_KEY}", line) for line in before]
        current = re.fullmatch(f"private {_KEY}", last)
        if None in retired or not current:
            raise KeysError(f"{self.file} is damaged: its last line is `private` and 64 hex digits.")
        keys = tuple(VerifyingKey(self.origin, bytes.fromhex(line[1])) for line in retired if line)
        try:
            return SigningKeys(SigningKey(self.origin, bytes.fromhex(current[1])), keys)
        except NoteError as error:
            raise LedgerDamaged(f"the ledger's origin, in its table meta, is not valid: {error}.") from error


class SeedFiles:
    """`seeds/N`, the seed of epoch N of this process."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def make(self, epoch: int) -> bytes:
        """A fresh seed, durable before it is committed to; a seed that was never committed to is replaced."""
        seed = entropy(_LENGTH)
        try:
            secret_folder(self.folder)
            _replace(self.folder / str(epoch), f"{seed.hex()}\n".encode())
        except OSError as error:
            raise _out_of_reach(self.folder / str(epoch), error) from error
        return seed

    def committed(self, epoch: int, promise: bytes) -> bytes:
        """The seed that `promise` commits epoch to; KeysError if it is missing, damaged or another."""
        file = self.folder / str(epoch)
        seed = self._read(file)
        if commitment(epoch, seed) != promise:
            raise KeysError(f"{file} is not the seed that was committed to.")
        return seed

    @staticmethod
    def _read(file: Path) -> bytes:
        if not (match := re.fullmatch(f"{_KEY}\n?", _text(file))):
            raise KeysError(f"{file} is damaged: a seed is 64 hex digits.")
        return bytes.fromhex(match[1])


def exposed(*files: Path) -> tuple[str, ...]:
    """A sentence for each of `files`, or of the files in a folder among them, that others than its owner can read."""
    each = [inner for file in files for inner in ([file, *file.iterdir()] if file.is_dir() else [file])]
    open_ones = [file for file in each if file.is_file() and file.stat().st_mode & 0o077]
    return tuple(f"{file} can be read by others: `chmod 600` it." for file in open_ones)


def _loaded(file: Path, fresh: Callable[[], str], read: Callable[[str], _Keys]) -> _Keys:
    """What `read` makes of a file, which is made of `fresh` if there is none."""
    if not file.exists():
        try:
            secret_folder(file.parent)
            _create(file, fresh().encode())
        except FileExistsError:
            pass  # another process was first: its key is the one
        except OSError as error:
            raise _out_of_reach(file, error) from error
    return read(_text(file))


def _text(file: Path) -> str:
    try:
        return file.read_text("ascii")
    except FileNotFoundError:
        raise KeysError(f"{file} is missing.") from None
    except UnicodeDecodeError:
        raise KeysError(f"{file} is damaged: it is not plain text.") from None
    except OSError as error:
        raise _out_of_reach(file, error) from error


def _put(file: Path, text: str) -> None:
    try:
        _replace(file, text.encode())
    except OSError as error:
        raise _out_of_reach(file, error) from error


def _out_of_reach(file: Path, error: OSError) -> KeysError:
    return KeysError(f"{file}: {error.strerror or error}.")


def sync_folder(folder: Path) -> None:
    """Make the names in `folder` durable, as fsync does for a file's content."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def secret_folder(folder: Path) -> None:
    """Create `folder`, readable by its owner alone, if it does not exist."""
    if not folder.is_dir():
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        sync_folder(folder.parent)


def _create(file: Path, content: bytes) -> None:
    """Create a secret file, whole or not at all; FileExistsError if somebody was first."""
    with _temporary(file, content) as written:
        os.link(written, file)
    sync_folder(file.parent)


def _replace(file: Path, content: bytes) -> None:
    """Create or replace a secret file atomically."""
    with _temporary(file, content) as written:
        written.replace(file)
    sync_folder(file.parent)


@contextmanager
def _temporary(file: Path, content: bytes) -> Iterator[Path]:
    """`content`, synced, in a temporary file in the same folder."""
    temporary = file.with_name(f".{file.name}.{entropy(8).hex()}")
    handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(handle, "wb") as new:
            new.write(content)
            new.flush()
            os.fsync(new.fileno())
        yield temporary
    finally:
        temporary.unlink(missing_ok=True)
