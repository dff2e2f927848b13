"""The file of checkpoints outside the database (LED-12): appended to, synced, never changed. Knows no signature."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from ircdice.ledger.durable import opened, sync_folder

# How a note ends, with the empty line that sets it apart from the next.
_END = re.compile("\n\n(?:\u2014 [^\n]*\n)+\n".encode())
_STEP = 64 * 1024


class CheckpointFile:
    """Signed notes one below the other, an empty line after each. One cut short by a crash is none, and makes room."""

    def __init__(self, file: Path) -> None:
        self.file = file

    def append(self, note: str) -> None:
        """Write one more note; when this returns it lasts. OSError where the disk is full or away."""
        new = not self.file.exists()
        with os.fdopen(opened(self.file, os.O_RDWR | os.O_CREAT, 0o644), "r+b") as file:
            _, end = _last(file)
            file.truncate(end)
            file.seek(end)
            file.write(note.encode() + b"\n")
            file.flush()
            os.fsync(file.fileno())
        if new:
            sync_folder(self.file.parent)

    def notes(self) -> Iterator[str]:
        """Every whole note, oldest first; none where there is no file."""
        if not self.file.exists():
            return
        rest = b""
        with os.fdopen(opened(self.file), "rb") as file:
            while piece := file.read(_STEP):
                rest, begin = rest + piece, 0
                for end in [match.end() for match in _END.finditer(rest)]:
                    yield _text(rest[begin:end])
                    begin = end
                rest = rest[begin:]

    def last(self) -> str | None:
        """The latest whole note, found from the end of the file."""
        if not self.file.exists():
            return None
        with os.fdopen(opened(self.file), "rb") as file:
            begin, end = _last(file)
            file.seek(begin)
            return _text(file.read(end - begin)) if end else None

    def rest(self) -> str:
        """What stands behind the latest whole note: nothing, unless one was cut short, or somebody else wrote there."""
        if not self.file.exists():
            return ""
        with os.fdopen(opened(self.file), "rb") as file:
            file.seek(_last(file)[1])
            return file.read().decode(errors="replace")


def _last(file: BinaryIO) -> tuple[int, int]:
    """Where the last whole note begins and ends; nowhere is (0, 0)."""
    size, back = file.seek(0, os.SEEK_END), _STEP
    while True:
        start = max(0, size - back)
        file.seek(start)
        ends = [start + match.end() for match in _END.finditer(file.read())]
        if len(ends) > 1:
            return ends[-2], ends[-1]
        if not start:
            return 0, ends[-1] if ends else 0
        back *= 2


def _text(data: bytes) -> str:
    """A note without the empty line behind it. Bytes that are no UTF-8 are damage, which its signature will tell."""
    return data[:-1].decode(errors="replace")
