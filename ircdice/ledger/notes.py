"""Checkpoints as C2SP signed notes (`tlog-checkpoint`, LED-12): made, signed, read, trusted. Knows no file."""

from __future__ import annotations

import re
from base64 import b64decode, b64encode
from binascii import Error as NotBase64
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from ircdice.errors import NoteError

_ED25519 = b"\x01"
_DASH = "\u2014 "
_NAME = re.compile(r"[^\s+]+")
_SIGNATURE = re.compile(rf"{_DASH}([^\s+]+) ([A-Za-z0-9+/]+=*)")
_NUMBER = "(0|[1-9][0-9]{0,19})"
_EPOCH = re.compile(f"epoch {_NUMBER} {_NUMBER}")
_NEXT = re.compile(f"next {_NUMBER} ([A-Za-z0-9+/]{{43}}=)")
_LOST = re.compile(f"lost {_NUMBER} {_NUMBER}")
_VOID = re.compile("void ([A-Za-z0-9+/]{43}=)")
_SUCCESSOR = re.compile(r"key (\S+)\+([0-9a-f]{8})\+([A-Za-z0-9+/]{44})")
_MOST_SIGNATURES = 16


def base64(data: bytes) -> str:
    """RFC 4648's own alphabet, padded, on one line."""
    return b64encode(data).decode("ascii")


@dataclass(frozen=True, slots=True)
class VerifyingKey:
    """A public key of 32 bytes and the name that it signs under."""

    name: str
    public: bytes

    @property
    def id(self) -> bytes:
        """The 4 bytes that stand before its signatures."""
        return sha256(self.name.encode() + b"\n" + _ED25519 + self.public).digest()[:4]

    def __str__(self) -> str:
        """`name+id+key`, as transparency-log tools take it."""
        return f"{self.name}+{self.id.hex()}+{base64(_ED25519 + self.public)}"

    def verifies(self, signature: bytes, text: str) -> bool:
        """Whether this key signed `text`."""
        try:
            Ed25519PublicKey.from_public_bytes(self.public).verify(signature, text.encode())
        except InvalidSignature:
            return False
        return True


@dataclass(frozen=True, slots=True)
class SigningKey:
    """A private key of 32 bytes and the name that it signs under; NoteError for a name that no note can hold."""

    name: str
    private: bytes

    def __post_init__(self) -> None:
        if not _NAME.fullmatch(self.name) or not self.name.isprintable():
            raise NoteError(f"an origin has no blanks, no + and nothing unseen: {self.name!r}")

    def __repr__(self) -> str:
        return f"SigningKey({self.name!r})"

    @property
    def verifying(self) -> VerifyingKey:
        """What may be shown of it."""
        return VerifyingKey(self.name, _key(self.private).public_key().public_bytes_raw())

    def sign(self, text: str) -> bytes:
        """The signature of `text`: 64 bytes."""
        return _key(self.private).sign(text.encode())


@lru_cache(maxsize=2)  # to make one takes as long as to sign with it
def _key(private: bytes) -> Ed25519PrivateKey:
    return Ed25519PrivateKey.from_private_bytes(private)


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """What a ledger of `size` records says of itself. `remarks` are further lines, for people or for later versions.

    `epochs`: number and begin (ms since 1970) of each that runs; `following`: number and commitment of each to come.
    """

    origin: str
    size: int
    root: bytes
    epochs: tuple[tuple[int, int], ...] = ()
    following: tuple[tuple[int, bytes], ...] = ()
    remarks: tuple[str, ...] = ()

    def body(self) -> str:
        """The text that is signed; NoteError where a remark cannot be a line of it."""
        if wrong := [remark for remark in self.remarks if not remark.isprintable() or not remark.strip()]:
            raise NoteError(f"a remark is one line that can be seen: {wrong[0]!r}")
        running = [f"epoch {number} {begun}" for number, begun in self.epochs]
        coming = [f"next {number} {base64(promise)}" for number, promise in self.following]
        lines = [self.origin, str(self.size), base64(self.root), *running, *coming, *self.remarks]
        return "".join(f"{line}\n" for line in lines)

    @property
    def lost(self) -> int | None:
        """The first record that this one gives up: what earlier ones say of that many records or more is void."""
        found = [int(match[1]) for match in map(_LOST.fullmatch, self.remarks) if match]
        return min(found, default=None)

    @property
    def void(self) -> frozenset[bytes]:
        """The hashes of what stood where notes should, and was accepted as damaged (LED-12)."""
        return frozenset(debase64(match[1]) for match in map(_VOID.fullmatch, self.remarks) if match)

    @property
    def successor(self) -> VerifyingKey | None:
        """The key that signs from the next checkpoint on, where this one names it (LED-18)."""
        named = [match for match in map(_SUCCESSOR.fullmatch, self.remarks) if match]
        if not named:
            return None
        key = VerifyingKey(named[-1][1], debase64(named[-1][3])[1:])
        if str(key) != named[-1][0].removeprefix("key "):
            raise NoteError("the key that is named as the next one is damaged")
        return key


def loss(first: int, last: int) -> str:
    """The remark by which a checkpoint says that records which an earlier one counts are gone for good (LED-12)."""
    return f"lost {first} {last}"


def note_hash(note: str) -> bytes:
    """By which a checkpoint names a note that is none any more."""
    return sha256(note.encode(errors="surrogatepass")).digest()


def voiding(note: str) -> str:
    """The remark by which a checkpoint says that such a note was found damaged, and is done without (LED-12)."""
    return f"void {base64(note_hash(note))}"


def succession(key: VerifyingKey) -> str:
    """The remark by which a checkpoint names the key that signs from the next one on (LED-18)."""
    return f"key {key}"


@dataclass(frozen=True, slots=True)
class SignedCheckpoint:
    """A note as read, believed or not: `text` is what was signed, `signatures` key name, key id and signature."""

    checkpoint: Checkpoint
    text: str
    signatures: tuple[tuple[str, bytes, bytes], ...]

    @property
    def note(self) -> str:
        """The whole note."""
        lines = [f"{_DASH}{name} {base64(key_id + signature)}\n" for name, key_id, signature in self.signatures]
        return f"{self.text}\n{''.join(lines)}"

    def signed_by(self, key: VerifyingKey) -> bool:
        """Whether it bears a signature of `key`, and none in that key's name that is wrong. Others are passed over."""
        mine = [signature for name, key_id, signature in self.signatures if (name, key_id) == (key.name, key.id)]
        return bool(mine) and all(key.verifies(signature, self.text) for signature in mine)


def sign(checkpoint: Checkpoint, key: SigningKey) -> str:
    """The signed note."""
    text = checkpoint.body()
    return SignedCheckpoint(checkpoint, text, ((key.name, key.verifying.id, key.sign(text)),)).note


def read(note: str) -> SignedCheckpoint:
    """What a note says and who signed it, unproved; NoteError where it is no checkpoint."""
    text, parted, last = note.rpartition("\n\n")
    signatures = [_SIGNATURE.fullmatch(line) for line in last.removesuffix("\n").split("\n")]
    if not parted or not last.endswith("\n") or not 1 <= len(signatures) <= _MOST_SIGNATURES:
        raise NoteError("a note is a text, an empty line and signatures")
    if None in signatures:
        raise NoteError("a line below the text is no signature")
    found = [(match[1], debase64(match[2])) for match in signatures if match]
    return SignedCheckpoint(_checkpoint(text), text + "\n", tuple((name, data[:4], data[4:]) for name, data in found))


def told_size(note: str) -> int:
    """How many records a note counts, whoever signed it; 0 where it is no checkpoint at all."""
    try:
        return read(note).checkpoint.size
    except NoteError:
        return 0


def _checkpoint(text: str) -> Checkpoint:
    lines = text.split("\n")
    if len(lines) < 3 or "" in lines or not re.fullmatch(_NUMBER, lines[1]) or len(debase64(lines[2])) != 32:
        raise NoteError("a checkpoint begins with origin, size and root, and has no empty line")
    origin, size, root, *further = lines
    running = [match for match in map(_EPOCH.fullmatch, further) if match]
    coming = [match for match in map(_NEXT.fullmatch, further) if match]
    return Checkpoint(
        origin,
        int(size),
        debase64(root),
        tuple((int(match[1]), int(match[2])) for match in running),
        tuple((int(match[1]), debase64(match[2])) for match in coming),
        tuple(line for line in further if not _EPOCH.fullmatch(line) and not _NEXT.fullmatch(line)),
    )


def debase64(text: str) -> bytes:
    """The bytes of that; NoteError where it is not base 64, to the letter."""
    try:
        return b64decode(text, validate=True)
    except (NotBase64, ValueError):
        raise NoteError(f"no base 64: {text[:80]!r}") from None


_Keys = tuple[VerifyingKey, ...]
# By who was trusted and the hash of a note: what it said, and who was trusted behind it.
Proved = dict[tuple[_Keys, bytes], tuple[Checkpoint, _Keys]]


class Trust:
    """Whom to believe, checkpoint by checkpoint: a key, until one that it signed names the next (LED-18).

    What one of several has `proved` none of them need prove again.

    Whoever holds the keys may name all of them, oldest first, and then read notes of any time, in their order.
    """

    def __init__(self, key: VerifyingKey, *successors: VerifyingKey, proved: Proved | None = None) -> None:
        self.keys = (key, *successors)
        self._proved = proved

    def believe(self, note: str) -> Checkpoint:
        """What a note says, proved; NoteError where the key of its time did not sign it or another log is meant."""
        if self._proved is None:
            return self._proof(note)
        asked = self.keys, note_hash(note)
        if asked not in self._proved:
            self._proved[asked] = self._proof(note), self.keys
        checkpoint, self.keys = self._proved[asked]
        return checkpoint

    def _proof(self, note: str) -> Checkpoint:
        signed = read(note)
        at = next((at for at, key in enumerate(self.keys) if signed.signed_by(key)), None)
        if at is None:
            raise NoteError(f"not signed by {self.keys[0]}")
        if signed.checkpoint.origin != self.keys[at].name:
            raise NoteError(f"of {signed.checkpoint.origin}, not of {self.keys[at].name}")
        self.keys = self.keys[at:]
        if (successor := signed.checkpoint.successor) and successor not in self.keys:
            self.keys = (successor,)
        return signed.checkpoint
