"""HMAC-SHA-256 by keys that come again and again (LED-10, LED-14): their pads are hashed once. Knows no message."""

from __future__ import annotations

from functools import lru_cache
from hashlib import sha256

_BLOCK = 64  # bytes
_INNER, _OUTER = (bytes(byte ^ pad for byte in range(256)) for pad in (0x36, 0x5C))


class Keyed:
    """One key; a digest costs a third of what it does from the beginning."""

    def __init__(self, key: bytes) -> None:
        padded = (key if len(key) <= _BLOCK else sha256(key).digest()).ljust(_BLOCK, b"\0")
        self._inner, self._outer = sha256(padded.translate(_INNER)), sha256(padded.translate(_OUTER))

    def digest(self, message: bytes) -> bytes:
        """The HMAC of `message`: 32 bytes."""
        inner, outer = self._inner.copy(), self._outer.copy()
        inner.update(message)
        outer.update(inner.digest())
        return outer.digest()


@lru_cache(maxsize=4_096)
def keyed(key: bytes) -> Keyed:
    """That key, made ready."""
    return Keyed(key)
