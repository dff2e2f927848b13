"""Draws as few bytes: runs of dice with the same sides. Knows no table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby, islice, repeat
from operator import itemgetter

from ircdice.dice import Draws

_SMALL = 0x80  # what fits a byte of a varint
_SIDES, _FACE = itemgetter(0), itemgetter(1)


def pack(draws: Draws) -> bytes:
    """For each run: how many, their sides, the faces; each number as a varint, seven bits a byte, the low ones first.

    Ten ten-sided dice take 12 bytes where two u32 each would take 80.
    """
    if (packed := _of_one_kind(draws)) is not None:
        return packed
    numbers: list[int] = []
    for sides, run in groupby(draws, _SIDES):
        faces = [*map(_FACE, run)]
        numbers += (len(faces), sides, *faces)
    return bytes(numbers) if max(numbers, default=0) < _SMALL else b"".join(map(_varint, numbers))


def _of_one_kind(draws: Draws) -> bytes | None:
    """As `pack`, of dice with the same sides, and neither many nor large, as nearly always; None for others."""
    if not draws:
        return None
    sides, faces = zip(*draws, strict=True)
    if sides.count(sides[0]) < len(sides):
        return None
    try:
        packed = bytes((len(faces), sides[0], *faces))
    except ValueError:  # more than a byte holds
        return None
    return packed if packed.isascii() else None


def unpack(packed: bytes) -> Draws:
    """The draws that `pack` made bytes of. ValueError where it did not."""
    if alike(packed):
        return tuple(zip(repeat(packed[1]), packed[2:]))
    numbers: Iterator[int] = iter(packed) if packed.isascii() else _numbers(packed)
    draws: list[tuple[int, int]] = []
    for count in numbers:
        run = tuple(islice(numbers, count + 1))
        if len(run) <= count:
            raise ValueError("the draws of a record end in the middle")
        draws += [(run[0], face) for face in run[1:]]
    return tuple(draws)


def is_packed(packed: bytes) -> bool:
    """Whether draws can be made of it."""
    if alike(packed) or not packed:
        return True
    try:
        unpack(packed)
    except ValueError:
        return False
    return True


def alike(packed: bytes) -> bool:
    """Whether it is of dice of one kind, as nearly always: their count, their sides, and their faces, a byte each."""
    return len(packed) > 2 and packed[0] == len(packed) - 2 and packed.isascii()


def _varint(number: int) -> bytes:
    taken = bytearray()
    while number >= _SMALL:
        taken.append(number & 0x7F | _SMALL)
        number >>= 7
    taken.append(number)
    return bytes(taken)


def _numbers(packed: Iterable[int]) -> Iterator[int]:
    number = shift = 0
    for byte in packed:
        number |= (byte & 0x7F) << shift
        shift += 7
        if byte < _SMALL:
            yield number
            number = shift = 0
    if shift:
        raise ValueError("the draws of a record end in the middle")
