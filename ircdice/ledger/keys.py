"""The secrets below a `data` folder: tag keys, the signing key, seeds (LED-10, LED-12, LED-13, LED-18).

Each file is text, made once with mode 0600 and synced, file and folder, before anybody uses what is in it:
`signing.key` has a line `private HEX`, below a line `public HEX` for each key that signed before it; `tag.keys` a line
`FIRST_SEQ HEX` for each key; `seeds/N` one line of hex. All of 32 bytes.
"""

from __future__ import annotations

import os
import re
from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from typing import TypeVar

from ircdice.dice import entropy
from ircdice.errors import KeysError, LedgerDamaged, NoteError
from ircdice.ledger import durable
from ircdice.ledger.notes import SigningKey, VerifyingKey, read
from ircdice.ledger.stream import commits_to

_Keys = TypeVar("_Keys")
_LENGTH = 32
_KEY = "([0-9a-f]{64})"


@dataclass(frozen=True, slots=True, repr=False)
class TagKeys:
    """The keys of the tags, each with the first `seq` that it is for, in order."""

    ranges: tuple[tuple[int, bytes], ...]

    def key(self, seq: int) -> bytes:
        """The key for the tag of that record."""
        if len(self.ranges) == 1:
            return self.ranges[0][1]
        return self.ranges[max(0, bisect_right(self.ranges, seq, key=lambda one: one[0]) - 1)][1]

    def ahead(self, last: int) -> str | None:
        """What is to be said of a key that is for none of `last` records nor the next: no rotation makes such a one."""
        first = self.ranges[-1][0]
        return f"its last key is for record {first} and later, and the next is {last + 1}" if first > last + 1 else None

    @property
    def mark(self) -> str:
        """By what the ledger knows its keys, without knowing them."""
        return sha256(b"ircdice1:tagkey\0" + self.ranges[0][1]).hexdigest()[:16]


@dataclass(frozen=True, slots=True, repr=False)
class SigningKeys:
    """The key that signs now, and the public halves of those before it, oldest first."""

    current: SigningKey
    retired: tuple[VerifyingKey, ...] = ()

    @property
    def first(self) -> VerifyingKey:
        """The key by which an export is checked from its beginning; each names the next."""
        return (*self.retired, self.current.verifying)[0]


class TagKeyFile:
    """`tag.keys`, shared by all processes on one ledger."""

    def __init__(self, file: Path) -> None:
        self.file = file

    def load(self) -> TagKeys:
        """The keys, made now where there is no file; KeysError where it is damaged or out of reach."""
        return _loaded(self.file, lambda: f"1 {entropy(_LENGTH).hex()}\n", self._read)

    def rotate(self, first: int) -> TagKeys:
        """A new key for the records from seq `first` on."""
        keys = self.load()
        if first <= keys.ranges[-1][0]:
            raise KeysError(f"{self.file}: its last key is for record {keys.ranges[-1][0]} and later already.")
        new = TagKeys((*keys.ranges, (first, entropy(_LENGTH))))
        _put(self.file, "".join(f"{seq} {key.hex()}\n" for seq, key in new.ranges))
        return new

    def _read(self, text: str) -> TagKeys:
        lines = [re.fullmatch(f"([1-9][0-9]*) {_KEY}", line) for line in text.splitlines()]
        ranges = tuple((int(line[1]), bytes.fromhex(line[2])) for line in lines if line)
        if len(ranges) < max(1, len(lines)) or ranges[0][0] != 1 or not _rising([seq for seq, _ in ranges]):
            raise KeysError(f"{self.file} is damaged: a line is a record's number, a blank and 64 hex digits.")
        return TagKeys(ranges)


class SigningKeyFile:
    """`signing.key`, shared by all processes on one ledger; `origin` is the ledger's name."""

    def __init__(self, file: Path, origin: str) -> None:
        self.file, self.origin = file, origin

    def load(self) -> SigningKeys:
        """The keys, made now where there is no file; KeysError where it is damaged or out of reach."""
        return _loaded(self.file, lambda: f"private {entropy(_LENGTH).hex()}\n", self._read)

    def successor(self) -> SigningKey:
        """A new key, kept beside the file: first a checkpoint names it, signed by the current one (LED-18)."""
        new = SigningKey(self.origin, entropy(_LENGTH))
        _put(self._next, f"private {new.private.hex()}\n")
        return new

    def resumed(self, note: str | None) -> SigningKeys:
        """The keys, after a rotation that broke off as well; `note` is the last checkpoint, which may name the next.

        Where that cannot be read both keys are left as they are; the damage is told when the ledger is begun with.
        """
        if not self._next.exists():
            return self.load()
        try:
            successor = read(note).checkpoint.successor if note else None
        except NoteError:
            return self.load()
        new = self._read(_text(self._next)).current
        if new.verifying == successor:
            return self.rotate(new)
        self._next.unlink()  # no checkpoint names it: nothing was signed with it, and nothing will be
        return self.load()

    @property
    def _next(self) -> Path:
        return coming_key(self.file)

    def rotate(self, new: SigningKey) -> SigningKeys:
        """Sign with `new` from now on; the private half of the key before it is forgotten."""
        keys = self.load()
        if keys.current != new:  # or it was all but done before
            keys = SigningKeys(new, (*keys.retired, keys.current.verifying))
            lines = [f"public {key.public.hex()}\n" for key in keys.retired]
            _put(self.file, "".join([*lines, f"private {new.private.hex()}\n"]))
        self._next.unlink(missing_ok=True)
        return keys

    def _read(self, text: str) -> SigningKeys:
        *before, last = [*text.splitlines()] or [""]
        retired = [re.fullmatch(f"public {_KEY}", line) for line in before]
        current = re.fullmatch(f"private {_KEY}", last)
        if None in retired or not current:
            raise KeysError(f"{self.file} is damaged: its last line is `private` and 64 hex digits.")
        keys = [VerifyingKey(self.origin, bytes.fromhex(line[1])) for line in retired if line]
        try:
            return SigningKeys(SigningKey(self.origin, bytes.fromhex(current[1])), tuple(keys))
        except NoteError as error:  # a config with such a name is refused
            raise LedgerDamaged(f"the origin in the ledger's table meta is none: {error}.") from error


def coming_key(file: Path) -> Path:
    """Where a signing key stands that shall take the place of that in `file`, until it has (LED-18)."""
    return file.with_name(f"{file.name}.next")


class SeedFiles:
    """`seeds/N`, the seed of epoch N of this process."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def make(self, epoch: int) -> bytes:
        """A new seed, on the disk before anything can be said of it; KeysError where the epoch has one."""
        seed = entropy(_LENGTH)
        try:
            durable.secret_folder(self.folder)
            durable.make(self.folder / str(epoch), f"{seed.hex()}\n".encode())
        except OSError as error:
            raise _out_of_reach(self.folder / str(epoch), error) from error
        return seed

    def read(self, epoch: int) -> bytes:
        """The seed of that epoch; KeysError where it is missing or damaged."""
        file = self.folder / str(epoch)
        if not (match := re.fullmatch(f"{_KEY}\n?", _text(file))):
            raise KeysError(f"{file} is damaged: a seed is 64 hex digits.")
        return bytes.fromhex(match[1])

    def kept(self, epoch: int, promise: bytes) -> bytes:
        """The seed that epoch was committed to by `promise`; KeysError where what is there is not that."""
        seed = self.read(epoch)
        if not commits_to(promise, epoch, seed):
            raise KeysError(f"{self.folder / str(epoch)} is not what was committed to.")
        return seed

    def epochs(self) -> tuple[int, ...]:
        """The epochs whose seeds are here, in order."""
        if not self.folder.is_dir():
            return ()
        return tuple(sorted(int(file.name) for file in self.folder.iterdir() if re.fullmatch("[0-9]+", file.name)))


def exposed(*files: Path) -> tuple[str, ...]:
    """A sentence for each of `files`, or of the files in a folder among them, that others than its owner can read."""
    each = [inner for file in files for inner in ([file, *file.iterdir()] if file.is_dir() else [file])]
    open_ones = [file for file in each if file.is_file() and file.stat().st_mode & 0o077]
    return tuple(f"{file} can be read by others: `chmod 600` it." for file in open_ones)


def _loaded(file: Path, fresh: Callable[[], str], read: Callable[[str], _Keys]) -> _Keys:
    """What `read` makes of a file, which is made of `fresh` where there is none."""
    if not file.exists():
        try:
            durable.secret_folder(file.parent)
            durable.make(file, fresh().encode())
        except FileExistsError:
            pass  # another process was first: its key is the one
        except OSError as error:
            raise _out_of_reach(file, error) from error
    return read(_text(file))


def _text(file: Path) -> str:
    try:
        with os.fdopen(durable.opened(file), encoding="ascii") as handle:
            return handle.read()
    except FileNotFoundError:
        raise KeysError(f"{file} is missing.") from None
    except UnicodeDecodeError:
        raise KeysError(f"{file} is damaged: it holds more than ASCII.") from None
    except OSError as error:
        raise _out_of_reach(file, error) from error


def _put(file: Path, text: str) -> None:
    try:
        durable.put(file, text.encode())
    except OSError as error:
        raise _out_of_reach(file, error) from error


def _out_of_reach(file: Path, error: OSError) -> KeysError:
    return KeysError(f"{file}: {error.strerror or error}.")


def _rising(numbers: list[int]) -> bool:
    return all(one < two for one, two in pairwise(numbers))
