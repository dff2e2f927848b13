"""How text becomes the bytes that are hashed (LED-10…LED-17). Knows no record."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

_FORMATTING = re.compile(r"\x03(?:[0-9]{1,2}(?:,[0-9]{1,2})?)?|\x04(?:[0-9A-Fa-f]{6})?|[\x02\x0f\x11\x16\x1d\x1e\x1f]")
_UNSTORABLE = re.compile(r"\0|[\ud800-\udfff]")  # PostgreSQL takes no NUL, UTF-8 no half of a surrogate pair


def is_plain(text: str) -> bool:
    """Whether `text`, and each part of it, surely is as it is kept and hashed; most is."""
    return text.isascii() and text.isprintable()


def plain(text: str) -> str:
    """`text` as it is kept and hashed: NFC, without IRC's formatting."""
    if is_plain(text):
        return text
    bare = _UNSTORABLE.sub("\ufffd", _FORMATTING.sub("", text))
    return unicodedata.normalize("NFC", bare)


def length_prefixed(value: str | bytes) -> bytes:
    """`LP`: a u16 length and the bytes, those of a text in UTF-8. OverflowError past 65,535 of them."""
    if isinstance(value, str):
        value = (value if value.isascii() and value.isprintable() else plain(value)).encode()
    return len(value).to_bytes(2, "big") + value


@lru_cache(maxsize=2_048)
def named(*texts: str) -> bytes:
    """`LP` of each of some texts that come together again and again, as names do."""
    return b"".join(map(length_prefixed, texts))
