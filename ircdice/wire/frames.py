"""Frames: bytes as they come in, whole lines as text out. Knows nothing of what a line means."""

from __future__ import annotations

from collections.abc import Iterator

LONGEST = 16_384  # twice what tags (8,191 bytes) and a line may hold together


class Frames:
    """A buffer that any bytes may be fed to (IRC-10); it takes the place of the `irc` package's own.

    A line longer than `LONGEST` is dropped to its end, so that a server which sends no newline fills no memory.
    """

    def __init__(self) -> None:
        self._rest = b""
        self._dropping = False

    def feed(self, data: bytes) -> None:
        """Take what the socket gave."""
        self._rest += data

    def __iter__(self) -> Iterator[str]:
        """Yield the lines that are whole by now, blank ones left out."""
        *whole, self._rest = self._rest.split(b"\n")
        for raw in whole:
            if self._dropping or len(raw) > LONGEST:
                self._dropping = False
                continue
            if text := decode(raw.rstrip(b"\r")).strip(" "):
                yield text
        if len(self._rest) > LONGEST:
            self._rest, self._dropping = b"", True


def decode(raw: bytes) -> str:
    """UTF-8 where it is that, else Latin-1, which every byte sequence is (IRC-10)."""
    try:
        return raw.decode()
    except UnicodeDecodeError:
        return raw.decode("latin-1")
