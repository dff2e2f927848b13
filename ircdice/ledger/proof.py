"""Leaves and the tree over them (LED-11), sealed values (LED-17), and dice from a seed (LED-13, LED-14)."""

from __future__ import annotations

import hmac
import struct
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import reduce
from hashlib import sha256
from itertools import chain, groupby
from struct import unpack

from ircdice.dice import UNSTAMPED, DiceSource, Draws, Stamp, entropy
from ircdice.errors import DiceError
from ircdice.ledger.ids import length_prefixed, plain, prefixed, tag
from ircdice.ledger.record import Draft, Record, Sealed

HASH_LENGTH = 32
EMPTY_ROOT = sha256(b"").digest()


def with_plain_texts(draft: Draft) -> Draft:
    """The draft with its texts as they are kept and hashed."""
    texts = draft.network, draft.channel, draft.nick, draft.who, draft.text, draft.line
    kept = tuple(map(plain, texts))
    if kept == texts:
        return draft
    network, channel, nick, who, text, line = kept
    return replace(draft, network=network, channel=channel, nick=nick, who=who, text=text, line=line)


def complete(draft: Draft, seq: int, ts: int, blind: bytes, rules: str, tag_key: bytes) -> Record:
    """The record that the ledger keeps of `draft`, with its tag and leaf."""
    draft = with_plain_texts(draft)
    mark = tag(tag_key, seq, draft.network, draft.channel, draft.nick, draft.line)
    record = Record(seq, ts, draft, mark, blind, rules)
    return replace(record, leaf=leaf(record))


def leaf(record: Record) -> bytes:
    """The hash of a record in the tree: 32 bytes (LED-11).

    UnicodeEncodeError, OverflowError or struct.error if no record can have such fields.
    """
    draft, stamp = record.draft, record.draft.stamp
    draws = struct.pack(f">{2 * len(draft.draws)}I", *chain.from_iterable(draft.draws))
    # As they are, and not made plain: an altered record may hold what `plain` would remove.
    texts = (text.encode() for text in (draft.network, draft.channel, draft.nick, draft.who, draft.text))
    parts = (
        b"\0ircdice1:record\0",
        struct.pack(">QQ", record.seq, record.ts),
        prefixed(draft.kind.encode()),
        struct.pack(">QIQB", draft.ref, stamp.epoch, stamp.counter, stamp.generation),
        *map(prefixed, texts),
        prefixed(draws),
        prefixed(draft.line.encode()),
        prefixed(sealed_hash(draft.sealed) if draft.sealed else b""),
        prefixed(record.blind),
        prefixed(record.rules.encode()),
        prefixed(record.tag.encode()),
    )
    return sha256(b"".join(parts)).digest()


def is_intact(record: Record) -> bool:
    """Whether a record's leaf is the hash of its content; a record without content has nothing to compare."""
    try:
        return record.redacted or leaf(record) == record.leaf
    except (struct.error, OverflowError, UnicodeEncodeError):
        return False


def seal(text: str) -> Sealed:
    """`text` with a fresh salt, so that its few possible values cannot be tried out."""
    return Sealed(plain(text), entropy(16))


def sealed_hash(sealed: Sealed) -> bytes:
    """The commitment to a sealed value: 32 bytes."""
    return sha256(b"ircdice1:sealed\0" + sealed.salt + length_prefixed(sealed.text)).digest()


class Tree:
    """A Merkle tree (RFC 6962) that keeps only the roots of its complete subtrees, the largest first: its frontier."""

    def __init__(self, size: int = 0, frontier: Sequence[bytes] = ()) -> None:
        """ValueError if `frontier` is not that of `size` leaves."""
        if len(frontier) != size.bit_count():
            raise ValueError(f"a tree of {size} leaves has {size.bit_count()} complete subtrees, not {len(frontier)}")
        self.size = size
        self._subtrees = list(frontier)

    @property
    def frontier(self) -> tuple[bytes, ...]:
        """The root of each complete subtree, the largest first: 32 bytes for each 1 bit of the size."""
        return tuple(self._subtrees)

    def copy(self) -> Tree:
        """An independent copy."""
        return Tree(self.size, self._subtrees)

    def append(self, one: bytes) -> None:
        """Add one leaf, given as its hash."""
        size = self.size
        while size & 1:
            one = _node(self._subtrees.pop(), one)
            size >>= 1
        self._subtrees.append(one)
        self.size += 1

    def extend(self, leaves: Iterable[bytes]) -> None:
        """Add leaves in order."""
        for one in leaves:
            self.append(one)

    def root(self) -> bytes:
        """The root: 32 bytes."""
        if not self._subtrees:
            return EMPTY_ROOT
        return reduce(lambda right, left: _node(left, right), reversed(self._subtrees))


def _node(left: bytes, right: bytes) -> bytes:
    return sha256(b"\1" + left + right).digest()


MOST_SIDES = 2**32


def commitment(epoch: int, seed: bytes) -> bytes:
    """What is published of a seed before its epoch begins (LED-13): 32 bytes."""
    return sha256(b"ircdice1:seed\0" + epoch.to_bytes(4, "big") + seed).digest()


def mix_of(who: str, words: str) -> bytes:
    """What the latest `stir` of a channel puts into the stream (LED-15)."""
    return length_prefixed(f"{who}:{words}")[2:]


def stream_key(seed: bytes, network: str, channel: str, generation: int, mix: bytes) -> bytes:
    """The key of one channel's stream: `generation` counts its stirs in the epoch, `mix` is of the latest."""
    place = length_prefixed(network) + length_prefixed(channel)
    message = b"ircdice1:key\0" + place + generation.to_bytes(1, "big") + length_prefixed(mix)
    return hmac.digest(seed, message, "sha256")


class DerivedDice(DiceSource):
    """The dice of command number `stamp.counter` from the stream of `key`."""

    stamp = UNSTAMPED

    def __init__(self, key: bytes, stamp: Stamp) -> None:
        self.stamp = stamp
        self._key = key
        self._block = 0  # the next to be computed
        self._numbers: list[int] = []  # computed and not yet used

    def roll(self, count: int, sides: int) -> tuple[int, ...]:
        """The next `count` faces from 1 to `sides`; numbers past the last whole multiple of `sides` are skipped."""
        if not 1 <= sides <= MOST_SIDES:
            raise DiceError(f"a die has 1 to {MOST_SIDES} sides, not {sides}")
        fair = MOST_SIDES - MOST_SIDES % sides
        faces: list[int] = []
        while len(faces) < count:
            if not self._numbers:
                self._compute()
            if (number := self._numbers.pop(0)) < fair:
                faces.append(number % sides + 1)
        return tuple(faces)

    def _compute(self) -> None:
        message = b"ircdice1:draw\0" + self.stamp.counter.to_bytes(8, "big") + self._block.to_bytes(4, "big")
        self._numbers += unpack(">8I", hmac.digest(self._key, message, "sha256"))
        self._block += 1


def derived(key: bytes, stamp: Stamp, draws: Draws) -> bool:
    """Whether `draws`, as a record holds them, are what the stream gives for that command."""
    if not all(1 <= sides <= MOST_SIDES for sides, _ in draws):
        return False
    dice = DerivedDice(key, stamp)
    throws = [(sides, [face for _, face in same]) for sides, same in groupby(draws, key=lambda draw: draw[0])]
    return all(dice.roll(len(faces), sides) == tuple(faces) for sides, faces in throws)
