"""Small files that must be whole and must last: written, synced, then named. Knows nothing of what is in them."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ircdice.dice import entropy

SECRET = 0o600


def opened(file: Path, flags: int = os.O_RDONLY, mode: int = SECRET) -> int:
    """A handle on a file, as `os.open` gives it; OSError too for a folder, or a pipe, which might never end."""
    handle = os.open(file, flags | os.O_NONBLOCK, mode)
    kind = os.fstat(handle).st_mode
    if stat.S_ISREG(kind):
        return handle
    os.close(handle)
    if stat.S_ISDIR(kind):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(file))
    raise OSError(errno.EINVAL, "Is no regular file", str(file))


def sync_folder(folder: Path) -> None:
    """Make the names in `folder` last through a power cut, as fsync of a file makes its content."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def secret_folder(folder: Path) -> None:
    """See to it that `folder` is there, for its owner's eyes alone if it is made now."""
    if not folder.is_dir():
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        sync_folder(folder.parent)


def make(file: Path, content: bytes) -> None:
    """Write a secret file that is not there yet, whole or not at all; FileExistsError where somebody was first."""
    with _beside(file, content) as written:
        os.link(written, file)
    sync_folder(file.parent)


def put(file: Path, content: bytes) -> None:
    """Write a secret file, in place of the one that is there: at no moment is there neither."""
    with _beside(file, content) as written:
        written.replace(file)
    sync_folder(file.parent)


@contextmanager
def _beside(file: Path, content: bytes) -> Iterator[Path]:
    """`content`, synced, in a file beside the one that is meant; afterwards that one is gone."""
    beside = file.with_name(f".{file.name}.{entropy(8).hex()}")
    handle = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, SECRET)
    try:
        with os.fdopen(handle, "wb") as new:
            new.write(content)
            new.flush()
            os.fsync(new.fileno())
        yield beside
    finally:
        beside.unlink(missing_ok=True)
