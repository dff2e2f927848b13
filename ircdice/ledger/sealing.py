"""Values that are committed to now and shown later (LED-17). Knows nothing of what they mean."""

from __future__ import annotations

from hashlib import sha256

from ircdice.dice import entropy
from ircdice.ledger.encoding import length_prefixed, plain
from ircdice.ledger.record import Sealed

SALT_LENGTH = 16


def seal(text: str) -> Sealed:
    """`text` with a fresh salt, so that the few values it could have cannot be tried out."""
    return Sealed(plain(text), entropy(SALT_LENGTH))


def sealed_hash(sealed: Sealed) -> bytes:
    """What stands in the record in place of the value: 32 bytes."""
    return sha256(b"ircdice1:sealed\0" + sealed.salt + length_prefixed(sealed.text)).digest()
