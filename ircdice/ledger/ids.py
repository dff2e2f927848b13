"""Ids of rolls (LED-10): a sequence number in Crockford's base 32 and a tag that nobody can make up."""

from __future__ import annotations

from ircdice.ledger.encoding import length_prefixed, named
from ircdice.ledger.keyed import keyed

ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
_LOOKALIKES = str.maketrans("oil", "011")
_VALUES = {character: value for value, character in enumerate(ALPHABET)}
_HEAD = b"ircdice1:tag\0"
MOST_CHARACTERS = 13  # of a u64
_PAIRS = tuple(first + second for first in ALPHABET for second in ALPHABET)  # by their ten bits


def base32(number: int) -> str:
    """`number` in Crockford base 32, lower case, without leading zeros. ValueError below 0, where it would not end."""
    if number < 0:
        raise ValueError(f"{number} is no number of a record")
    digits = ""
    while number:
        number, value = divmod(number, 32)
        digits = ALPHABET[value] + digits
    return digits or "0"


def from_base32(digits: str) -> int | None:
    """The number that `digits` stand for, letters that look like digits read as such; None where it is none."""
    number = 0
    if not 0 < len(digits) <= MOST_CHARACTERS:
        return None
    for character in digits.lower().translate(_LOOKALIKES):
        if (value := _VALUES.get(character)) is None:
            return None
        number = number * 32 + value
    return number


def plain_tag(typed: str) -> str:
    """A tag as it is recorded: in lower case, letters that look like digits read as such."""
    return typed.lower().translate(_LOOKALIKES)


def tag(key: bytes, seq: int, network: str, channel: str, nick: str, line: str) -> str:
    """The top 30 bits of the HMAC over what the roll is known by, as 6 characters; empty where no roll can be."""
    try:
        return tag_of(key, seq, named(network, channel), named(nick), length_prefixed(line))
    except OverflowError:  # by a name that is longer than any
        return ""


def tag_of(key: bytes, seq: int, place: bytes, nick: bytes, line: bytes) -> str:
    """As `tag`, of the fields as they are hashed: network and channel, nick, line."""
    digest = keyed(key).digest(b"".join((_HEAD, seq.to_bytes(8, "big"), place, nick, line)))
    top = int.from_bytes(digest[:4], "big") >> 2
    return _PAIRS[top >> 20] + _PAIRS[top >> 10 & 1023] + _PAIRS[top & 1023]


def roll_id(seq: int, roll_tag: str) -> str:
    """`4d-27b5pk`."""
    return f"{base32(seq)}-{roll_tag}"
