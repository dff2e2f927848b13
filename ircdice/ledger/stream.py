"""Dice from a seed that was committed to (LED-13, LED-14)."""

from __future__ import annotations

import hmac
from collections.abc import Sequence
from hashlib import sha256
from itertools import groupby
from struct import unpack

from ircdice.dice import Draws, Stamp
from ircdice.errors import DiceError
from ircdice.ledger.encoding import length_prefixed

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


class DerivedDice:
    """A DiceSource: the dice of command number `stamp.counter` from the stream of `key`."""

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

    def sides_of(self, count: int, listed: Sequence[int]) -> tuple[int, ...]:
        """The next `count` sides of a die that shows `listed`."""
        return self.roll(count, len(listed))

    def finish(self) -> None:
        """The rest of the last block is discarded."""

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
