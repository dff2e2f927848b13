"""The tree of records (LED-11), its checkpoints: C2SP signed notes (`tlog-checkpoint`, LED-12), and their keys."""

from __future__ import annotations

import re
from base64 import b64decode, b64encode
from binascii import Error as Base64Error
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import reduce
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
_STARTED = re.compile(f"start {_NUMBER}")
_SUCCESSOR = re.compile(r"key (\S+)\+([0-9a-f]{8})\+([A-Za-z0-9+/]{44})")
_MOST_SIGNATURES = 16
HASH_LENGTH = 32
EMPTY_ROOT = sha256(b"").digest()


class Tree:
    """A Merkle tree (RFC 6962) that stores only its frontier: the roots of complete subtrees, largest first."""

    def __init__(self, size: int = 0, frontier: Sequence[bytes] = ()) -> None:
        """ValueError if `frontier` does not fit `size` leaves."""
        if len(frontier) != size.bit_count():
            raise ValueError(f"a tree of {size} leaves has {size.bit_count()} complete subtrees, not {len(frontier)}")
        self.size = size
        self._subtrees = list(frontier)

    @property
    def frontier(self) -> tuple[bytes, ...]:
        """The roots of complete subtrees, largest first: 32 bytes for each 1 bit of the size."""
        return tuple(self._subtrees)

    def copy(self) -> Tree:
        """An independent copy."""
        return Tree(self.size, self._subtrees)

    def append(self, leaf: bytes) -> None:
        """Add a leaf, given as its hash."""
        size, subtree = self.size, leaf
        while size & 1:
            subtree = _node(self._subtrees.pop(), subtree)
            size >>= 1
        self._subtrees.append(subtree)
        self.size += 1

    def extend(self, leaves: Iterable[bytes]) -> None:
        """Add leaves in order."""
        for leaf in leaves:
            self.append(leaf)

    def root(self) -> bytes:
        """The root: 32 bytes."""
        if not self._subtrees:
            return EMPTY_ROOT
        return reduce(lambda right, left: _node(left, right), reversed(self._subtrees))


def _node(left: bytes, right: bytes) -> bytes:
    return sha256(b"\1" + left + right).digest()


def base64(data: bytes) -> str:
    """Encode in RFC 4648's standard alphabet, padded, on one line."""
    return b64encode(data).decode("ascii")


def from_base64(text: str) -> bytes:
    """Decode; NoteError unless `text` is strict base 64."""
    try:
        return b64decode(text, validate=True)
    except (Base64Error, ValueError):
        raise NoteError(f"no base 64: {text[:80]!r}") from None


@dataclass(frozen=True, slots=True)
class VerifyingKey:
    """A public key of 32 bytes, and its name in signatures."""

    name: str
    public: bytes

    @property
    def id(self) -> bytes:
        """The 4 bytes that precede its signatures."""
        return sha256(self.name.encode() + b"\n" + _ED25519 + self.public).digest()[:4]

    def __str__(self) -> str:
        """`name+id+key`, the format of transparency-log tools."""
        return f"{self.name}+{self.id.hex()}+{base64(_ED25519 + self.public)}"

    def signed(self, text: str, signatures: Iterable[tuple[str, bytes]]) -> bool:
        """Whether this key signed `text`, with no wrong signature in its name. Those of other keys are ignored."""
        own = [data[4:] for name, data in signatures if (name, data[:4]) == (self.name, self.id)]
        key = Ed25519PublicKey.from_public_bytes(self.public)
        try:
            for signature in own:
                key.verify(signature, text.encode())
        except InvalidSignature:
            return False
        return bool(own)


@dataclass(frozen=True, slots=True)
class SigningKey:
    """A private key of 32 bytes, and its name in signatures; NoteError for an invalid name."""

    name: str
    private: bytes = field(repr=False)

    def __post_init__(self) -> None:
        if not _NAME.fullmatch(self.name) or not self.name.isprintable():
            raise NoteError(f"an origin has no spaces, no + and no invisible characters: {self.name!r}")

    @property
    def verifying(self) -> VerifyingKey:
        """The public half."""
        return VerifyingKey(self.name, self._key.public_key().public_bytes_raw())

    def sign(self, text: str) -> bytes:
        """The signature of `text`: 64 bytes."""
        return self._key.sign(text.encode())

    @property
    def _key(self) -> Ed25519PrivateKey:
        return Ed25519PrivateKey.from_private_bytes(self.private)


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """The statement of a ledger with `size` records. `remarks` are further lines, for people or later versions.

    `epochs`: number and start (ms since 1970) of each running epoch; `following`: number and commitment of each next.
    """

    origin: str
    size: int
    root: bytes
    epochs: tuple[tuple[int, int], ...] = ()
    following: tuple[tuple[int, bytes], ...] = ()
    remarks: tuple[str, ...] = ()

    def body(self) -> str:
        """The signed text."""
        running = [f"epoch {number} {begun}" for number, begun in self.epochs]
        coming = [f"next {number} {base64(promise)}" for number, promise in self.following]
        lines = [self.origin, str(self.size), base64(self.root), *running, *coming, *self.remarks]
        return "".join(f"{line}\n" for line in lines)

    @property
    def lost(self) -> int | None:
        """The first record that this checkpoint gives up: earlier checkpoints of that size or more are void."""
        return min((int(match[1]) for match in map(_LOST.fullmatch, self.remarks) if match), default=None)

    @property
    def started(self) -> int:
        """The time when the bot that made it was started, in seconds since 1970; 0 if not stated."""
        return max((int(match[1]) for match in map(_STARTED.fullmatch, self.remarks) if match), default=0)

    @property
    def successor(self) -> VerifyingKey | None:
        """The key that signs from the next checkpoint, if this one names it (LED-18)."""
        named = [match for match in map(_SUCCESSOR.fullmatch, self.remarks) if match]
        if not named:
            return None
        key = VerifyingKey(named[-1][1], from_base64(named[-1][3])[1:])
        if str(key) != named[-1][0].removeprefix("key "):
            raise NoteError("the key that is named as the next one is damaged")
        return key


def loss(first: int, last: int) -> str:
    """The remark with which a checkpoint gives up records that an earlier one counts (LED-12)."""
    return f"lost {first} {last}"


def start(seconds: int) -> str:
    """The remark with the time of a start, in the first checkpoint after it (LED-15)."""
    return f"start {seconds}"


def succession(key: VerifyingKey) -> str:
    """The remark that names the key of the next checkpoint (LED-18)."""
    return f"key {key}"


def sign(checkpoint: Checkpoint, key: SigningKey) -> str:
    """The signed note."""
    text = checkpoint.body()
    return f"{text}\n{_DASH}{key.name} {base64(key.verifying.id + key.sign(text))}\n"


def read(note: str) -> Checkpoint:
    """The checkpoint in a note, not verified; NoteError if it is not one."""
    text, _ = _parted(note)
    return _checkpoint(text)


def read_or_none(note: str) -> Checkpoint | None:
    """The checkpoint in a note, not verified; None if it is not one."""
    try:
        return read(note)
    except NoteError:
        return None


def signers(note: str) -> set[bytes]:
    """The ids of the keys in whose names a note is signed, not verified; empty if it is not a note."""
    try:
        return {data[:4] for _, data in _parted(note)[1]}
    except NoteError:
        return set()


def _parted(note: str) -> tuple[str, list[tuple[str, bytes]]]:
    """The signed text of a note, and the name and the bytes of each signature."""
    text, parted, last = note.rpartition("\n\n")
    signatures = [_SIGNATURE.fullmatch(line) for line in last.removesuffix("\n").split("\n")]
    if not parted or not last.endswith("\n") or None in signatures or len(signatures) > _MOST_SIGNATURES:
        raise NoteError("a note is a text, an empty line and signatures")
    return f"{text}\n", [(match[1], from_base64(match[2])) for match in signatures if match]


def _checkpoint(text: str) -> Checkpoint:
    lines = text.removesuffix("\n").split("\n")
    if len(lines) < 3 or "" in lines or not re.fullmatch(_NUMBER, lines[1]) or len(from_base64(lines[2])) != 32:
        raise NoteError("a checkpoint begins with origin, size and root, and has no empty line")
    origin, size, root, *further = lines
    running = [match for match in map(_EPOCH.fullmatch, further) if match]
    coming = [match for match in map(_NEXT.fullmatch, further) if match]
    return Checkpoint(
        origin,
        int(size),
        from_base64(root),
        tuple((int(match[1]), int(match[2])) for match in running),
        tuple((int(match[1]), from_base64(match[2])) for match in coming),
        tuple(line for line in further if not _EPOCH.fullmatch(line) and not _NEXT.fullmatch(line)),
    )


class Trust:
    """Verifies checkpoints in order, with one key until a checkpoint signed by it names the next (LED-18).

    With all keys given, oldest first, notes of any time can be verified, in order.
    """

    def __init__(self, *keys: VerifyingKey) -> None:
        self.keys = keys

    def verify(self, note: str) -> Checkpoint:
        """The checkpoint in a note; NoteError unless the current key signed it, for the same ledger."""
        text, signatures = _parted(note)
        checkpoint = _checkpoint(text)
        at = next((at for at, key in enumerate(self.keys) if key.signed(text, signatures)), None)
        if at is None:
            raise NoteError("it is not signed by this ledger's key")
        if checkpoint.origin != self.keys[at].name:
            raise NoteError(f"it is of {checkpoint.origin}, not of {self.keys[at].name}")
        self.keys = self.keys[at:]
        if (successor := checkpoint.successor) and successor not in self.keys:
            self.keys = (successor,)
        return checkpoint
