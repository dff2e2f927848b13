"""How text becomes the bytes that are hashed (LED-10…LED-17)."""

from __future__ import annotations

import re
import unicodedata

FORMATTING = re.compile(r"\x03(?:[0-9]{1,2}(?:,[0-9]{1,2})?)?|\x04(?:[0-9A-Fa-f]{6})?|[\x02\x0f\x11\x16\x1d\x1e\x1f]")
_UNSTORABLE = re.compile(r"\0|[\ud800-\udfff]")  # PostgreSQL takes no NUL, UTF-8 no half of a surrogate pair


def plain(text: str) -> str:
    """`text` as it is kept and hashed: NFC, without IRC formatting."""
    if text.isascii() and text.isprintable():
        return text
    return unicodedata.normalize("NFC", _UNSTORABLE.sub("\ufffd", FORMATTING.sub("", text)))


def length_prefixed(value: str | bytes) -> bytes:
    """`LP`: a u16 length and the bytes, those of a text in UTF-8. OverflowError past 65,535 bytes."""
    return prefixed(plain(value).encode() if isinstance(value, str) else value)


def prefixed(data: bytes) -> bytes:
    """A u16 length and the bytes. OverflowError past 65,535 bytes."""
    return len(data).to_bytes(2, "big") + data
