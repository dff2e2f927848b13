"""Dice from a seed that was committed to (LED-13, LED-14). Knows no clock, no file and no game."""

from __future__ import annotations

import hmac
from collections.abc import Sequence
from hashlib import sha256
from itertools import groupby
from struct import Struct, unpack

from ircdice.dice import Draws, Stamp
from ircdice.errors import DiceError
from ircdice.ledger.encoding import length_prefixed
from ircdice.ledger.keyed import keyed

MOST_SIDES = 2**32
WORDS = 8  # u32 in a block
_BYTE = 255
_NUMBERS = range(2**32)  # of epochs
_HEAD = b"ircdice1:draw\0"
_FIRST = Struct(">QI")
_WORDS = Struct(f">{WORDS}I")
_COUNTER = Struct(">Q")
_BLOCK = Struct(">I")


def commitment(epoch: int, seed: bytes) -> bytes:
    """What is published of a seed before its epoch begins (LED-13): 32 bytes."""
    return sha256(b"ircdice1:seed\0" + epoch.to_bytes(4, "big") + seed).digest()


def commits_to(promise: bytes, epoch: int, seed: bytes) -> bool:
    """Whether that was published of this seed, and of no other."""
    return epoch in _NUMBERS and commitment(epoch, seed) == promise


def mix_of(who: str, words: str) -> bytes:
    """What the latest `stir` of a channel puts into the stream (LED-15)."""
    return length_prefixed(f"{who}:{words}")[2:]


def stream_key(seed: bytes, network: str, channel: str, generation: int, mix: bytes) -> bytes:
    """The key of one channel's stream: `generation` counts its stirs in the epoch, `mix` is of the latest."""
    place = length_prefixed(network) + length_prefixed(channel)
    message = b"ircdice1:key\0" + place + generation.to_bytes(1, "big") + length_prefixed(mix)
    return hmac.digest(seed, message, "sha256")


class DerivedDice:
    """A DiceSource: the dice of one command, that which `stamp` counts, out of the stream of `key`."""

    def __init__(self, key: bytes, stamp: Stamp) -> None:
        self.stamp = stamp
        self._key = key
        self._head = _HEAD + _COUNTER.pack(stamp.counter)
        self._blocks = 0  # made so far
        self._words: tuple[int, ...] = ()  # made and not yet used

    def roll(self, count: int, sides: int) -> tuple[int, ...]:
        """The next `count` faces from 1 to `sides`; words past the last whole multiple are passed over."""
        if not 1 <= sides <= MOST_SIDES:
            raise DiceError(f"a die has 1 to {MOST_SIDES} sides, not {sides}")
        fair = MOST_SIDES - MOST_SIDES % sides
        faces: list[int] = []
        while (short := count - len(faces)) > 0:
            faces += [word % sides + 1 for word in self._next(short) if word < fair]
        return tuple(faces)

    def sides_of(self, count: int, listed: Sequence[int]) -> tuple[int, ...]:
        """The next `count` sides of a die that shows `listed`."""
        return self.roll(count, len(listed))

    def finish(self) -> None:
        """What is left of the last block belongs to nobody."""

    def _next(self, count: int) -> tuple[int, ...]:
        """The next `count` words."""
        if (short := count - len(self._words)) > 0:
            end = self._blocks + -(-short // WORDS)
            digest, head = keyed(self._key).digest, self._head
            blocks = [digest(head + _BLOCK.pack(j)) for j in range(self._blocks, end)]
            self._words += unpack(f">{WORDS * len(blocks)}I", b"".join(blocks))
            self._blocks = end
        taken, self._words = self._words[:count], self._words[count:]
        return taken


def plainly_derived(key: bytes, counter: int, sides: int, faces: bytes) -> bool:
    """Whether `derived` holds for dice of one kind that the first block is enough for, as nearly always.

    False says no more than that it has to be asked.
    """
    if len(faces) > WORDS or not 1 <= sides <= _BYTE:
        return False
    words = _WORDS.unpack(keyed(key).digest(_HEAD + _FIRST.pack(counter, 0)))[: len(faces)]
    return max(words) < MOST_SIDES - MOST_SIDES % sides and bytes([word % sides + 1 for word in words]) == faces


def derived(key: bytes, stamp: Stamp, draws: Draws) -> bool:
    """Whether `draws`, as a record holds them, are what the stream gives for that command."""
    if not all(1 <= sides <= MOST_SIDES for sides, _ in draws):
        return False
    dice = DerivedDice(key, stamp)
    throws = [(sides, [face for _, face in same]) for sides, same in groupby(draws, key=lambda draw: draw[0])]
    return all(dice.roll(len(faces), sides) == tuple(faces) for sides, faces in throws)
