"""Text as it is kept and hashed, and the ids of rolls: a number in base 32 and a tag (LED-10)."""

from __future__ import annotations

import hmac
import re
import unicodedata
from dataclasses import dataclass

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


ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
MOST_CHARACTERS = 13  # of a u64
_LOOKALIKES = str.maketrans("oil", "011")


def base32(number: int) -> str:
    """`number` in Crockford base 32, lower case, without leading zeros. ValueError below 0."""
    if number < 0:
        raise ValueError(f"{number} is no record number")
    digits = ""
    while number:
        number, value = divmod(number, 32)
        digits = ALPHABET[value] + digits
    return digits or "0"


def from_base32(digits: str) -> int | None:
    """The number that `digits` stand for, lookalike letters read as digits; None if they are no number."""
    digits = plain_tag(digits)
    if not 0 < len(digits) <= MOST_CHARACTERS or not set(digits) <= set(ALPHABET):
        return None
    number = 0
    for character in digits:
        number = number * 32 + ALPHABET.index(character)
    return number


def plain_tag(typed: str) -> str:
    """A tag as it is recorded: lower case, lookalike letters read as digits."""
    return typed.lower().translate(_LOOKALIKES)


def tag(key: bytes, seq: int, network: str, channel: str, nick: str, line: str) -> str:
    """The top 30 bits of the HMAC over what a roll is known by, as 6 characters; empty if a text is too long."""
    try:
        texts = b"".join(map(length_prefixed, (network, channel, nick, line)))
    except OverflowError:
        return ""
    digest = hmac.digest(key, b"ircdice1:tag\0" + seq.to_bytes(8, "big") + texts, "sha256")
    return base32(int.from_bytes(digest[:4], "big") >> 2).rjust(6, "0")


@dataclass(frozen=True, slots=True, repr=False)
class TagKeys:
    """The keys of the tags, each with the first `seq` that it is for, in order (LED-18)."""

    ranges: tuple[tuple[int, bytes], ...]

    def key(self, seq: int) -> bytes:
        """The key for the tag of that record."""
        return next((key for first, key in reversed(self.ranges) if first <= seq), self.ranges[0][1])

    def tag(self, seq: int, network: str, channel: str, nick: str, line: str) -> str:
        """The tag of such a record."""
        return tag(self.key(seq), seq, network, channel, nick, line)


def roll_id(seq: int, roll_tag: str) -> str:
    """`4d-27b5pk`."""
    return f"{base32(seq)}-{roll_tag}"
