"""Keys and seeds, each in a file of its owner alone (LED-10, LED-12, LED-13, LED-18).

A file is text with mode 0600, synced with its folder before it is used. A line is a label, a space and 64 hex digits:
in `tag.keys` the first seq that the key is for, in `signing.key` `public` for each earlier key and at the end
`private`. A seed has no label.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from ircdice.dice import entropy
from ircdice.errors import KeysError, LedgerDamaged, NoteError
from ircdice.ledger.checkpoint import SigningKey, VerifyingKey
from ircdice.ledger.record import TagKeys

_LINE = re.compile("(?:([a-z]+|[1-9][0-9]*) )?([0-9a-f]{64})")
_LENGTH = 32


@dataclass(frozen=True, slots=True, repr=False)
class SigningKeys:
    """The key that signs now, and the public halves of earlier ones, oldest first."""

    current: SigningKey
    retired: tuple[VerifyingKey, ...] = ()

    @property
    def all(self) -> tuple[VerifyingKey, ...]:
        """The public halves, oldest first; an export is checked from the first, as each names the next."""
        return (*self.retired, self.current.verifying)


@dataclass(frozen=True, slots=True)
class TagKeyFile:
    """`tag.keys`, shared by all processes on one ledger. Keys are made under the ledger's lock alone."""

    file: Path

    def load(self) -> TagKeys:
        """The keys, made now if there is no file; KeysError if it is damaged or out of reach."""
        if not self.file.exists():
            _write(self.file, ("1", entropy(_LENGTH)))
        lines = _read(self.file)
        ranges = tuple((int(label), key) for label, key in lines if label.isdecimal())
        firsts = [first for first, _ in ranges]
        if len(ranges) < len(lines) or firsts[0] != 1 or firsts != sorted(set(firsts)):
            raise _damaged(self.file)
        return TagKeys(ranges)

    def rotate(self, first: int) -> TagKeys:
        """A new key for the records from seq `first` on."""
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

    @property
    def next_file(self) -> Path:
        """The file of a new key, until a checkpoint has named it (LED-18)."""
        return self.file.with_name(f"{self.file.name}.next")

    def load(self) -> SigningKeys:
        """The keys, made now if there is no file; KeysError if it is damaged or out of reach."""
        if not self.file.exists():
            _write(self.file, ("private", entropy(_LENGTH)))
        return self._read(self.file)

    def successor(self) -> SigningKey:
        """A new key in a file of its own: first a checkpoint names it, signed by the current one (LED-18)."""
        new = SigningKey(self.origin, entropy(_LENGTH))
        _write(self.next_file, ("private", new.private))
        return new

    def resume(self, named: VerifyingKey | None) -> SigningKeys:
        """The keys, also after an interrupted rotation; `named` is the key that the last checkpoint names."""
        if self.next_file.exists():
            new = self._read(self.next_file).current
            if new.verifying == named:
                return self.rotate(new)
            self.next_file.unlink()  # no checkpoint names it: nothing was signed with it
        return self.load()

    def rotate(self, new: SigningKey) -> SigningKeys:
        """Sign with `new` from now on; the private half of the key before it is deleted."""
        keys = self.load()
        if keys.current != new:
            keys = SigningKeys(new, keys.all)
            _write(self.file, *(("public", key.public) for key in keys.retired), ("private", new.private))
        self.next_file.unlink(missing_ok=True)
        return keys

    def _read(self, file: Path) -> SigningKeys:
        *retired, (label, private) = _read(file)
        if [label, *(each for each, _ in retired)] != ["private", *["public"] * len(retired)]:
            raise _damaged(file)
        try:
            current = SigningKey(self.origin, private)
        except NoteError as error:
            raise LedgerDamaged(f"the ledger's origin, in its table meta, is not valid: {error}.") from error
        return SigningKeys(current, tuple(VerifyingKey(self.origin, public) for _, public in retired))


def commitment(epoch: int, seed: bytes) -> bytes:
    """What is published of a seed before its epoch begins (LED-13): 32 bytes."""
    return sha256(b"ircdice1:seed\0" + epoch.to_bytes(4, "big") + seed).digest()


@dataclass(frozen=True, slots=True)
class SeedFiles:
    """`seeds/N`, the seed of epoch N of this process."""

    folder: Path

    def make(self, epoch: int) -> bytes:
        """A fresh seed, durable before it is committed to; a seed that was never committed to is replaced."""
        seed = entropy(_LENGTH)
        _write(self.folder / str(epoch), ("", seed))
        return seed

    def committed(self, epoch: int, promise: bytes) -> bytes:
        """The seed that `promise` commits epoch to; KeysError if it is missing, damaged or another."""
        file = self.folder / str(epoch)
        _, seed = _read(file)[0]
        if commitment(epoch, seed) != promise:
            raise KeysError(f"{file} is not the seed that was committed to.")
        return seed


def exposed(*files: Path) -> tuple[str, ...]:
    """A sentence for each of `files`, or of the files in a folder among them, that others than its owner can read."""
    each = [inner for file in files for inner in ([file, *file.iterdir()] if file.is_dir() else [file])]
    open_ones = [file for file in each if file.is_file() and file.stat().st_mode & 0o077]
    return tuple(f"{file} can be read by others: `chmod 600` it." for file in open_ones)


def _read(file: Path) -> list[tuple[str, bytes]]:
    """Label and bytes of each line, at least one; KeysError if the file is missing, damaged or out of reach."""
    try:
        text = file.read_text("ascii", errors="replace")
    except FileNotFoundError:
        raise KeysError(f"{file} is missing.") from None
    except OSError as error:
        raise KeysError(f"{file}: {error.strerror or error}.") from error
    lines = [_LINE.fullmatch(line) for line in text.splitlines()]
    if not lines or None in lines:
        raise _damaged(file)
    return [(line[1] or "", bytes.fromhex(line[2])) for line in lines if line]


def _damaged(file: Path) -> KeysError:
    return KeysError(f"{file} is damaged: put it back from a backup.")


def _write(file: Path, *lines: tuple[str, bytes]) -> None:
    """Create or replace a secret file, whole or not at all; KeysError."""
    new = file.with_name(f".{file.name}.new")
    try:
        secret_folder(file.parent)
        with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as written:
            written.writelines(f"{label} {key.hex()}\n".lstrip() for label, key in lines)
            written.flush()
            os.fsync(written.fileno())
        new.replace(file)
        sync_folder(file.parent)
    except OSError as error:
        raise KeysError(f"{file}: {error.strerror or error}.") from error


def secret_folder(folder: Path) -> None:
    """Create `folder`, readable by its owner alone, if it does not exist."""
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
