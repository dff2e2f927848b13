"""Small files that must survive a power cut: written, synced, then renamed."""

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
    """A handle as `os.open` gives it; OSError for a folder, too, or for a pipe, which might never end."""
    handle = os.open(file, flags | os.O_NONBLOCK, mode)
    kind = os.fstat(handle).st_mode
    if stat.S_ISREG(kind):
        return handle
    os.close(handle)
    if stat.S_ISDIR(kind):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(file))
    raise OSError(errno.EINVAL, "Is no regular file", str(file))


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


def make(file: Path, content: bytes) -> None:
    """Create a secret file, whole or not at all; FileExistsError if somebody was first."""
    with _temporary(file, content) as written:
        os.link(written, file)
    sync_folder(file.parent)


def put(file: Path, content: bytes) -> None:
    """Create or replace a secret file atomically."""
    with _temporary(file, content) as written:
        written.replace(file)
    sync_folder(file.parent)


@contextmanager
def _temporary(file: Path, content: bytes) -> Iterator[Path]:
    """`content`, synced, in a temporary file in the same folder."""
    temporary = file.with_name(f".{file.name}.{entropy(8).hex()}")
    handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, SECRET)
    try:
        with os.fdopen(handle, "wb") as new:
            new.write(content)
            new.flush()
            os.fsync(new.fileno())
        yield temporary
    finally:
        temporary.unlink(missing_ok=True)
