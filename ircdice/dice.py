"""Sources of dice, with one small interface. The only file that makes random numbers."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice, repeat

from ircdice.errors import DiceError


def entropy(count: int) -> bytes:
    """`count` random bytes of the operating system, for keys and the like."""
    return os.urandom(count)


@dataclass(frozen=True, slots=True)
class Stamp:
    """The place of a command's dice in a provable stream (LED-14); all 0 for other dice."""

    epoch: int = 0
    counter: int = 0
    generation: int = 0


UNSTAMPED = Stamp()


class DiceSource:
    """A source of dice."""

    @property
    def stamp(self) -> Stamp:
        """Where the dice of this command come from."""
        return UNSTAMPED

    def roll(self, count: int, sides: int) -> tuple[int, ...]:
        """`count` faces from 1 to `sides`, in draw order."""
        raise NotImplementedError

    def sides_of(self, count: int, listed: Sequence[int]) -> tuple[int, ...]:
        """`count` sides, from 1, of a die that shows `listed`, one on each side; two sides may show the same."""
        return self.roll(count, len(listed))

    def finish(self) -> None:
        """The throw is complete. DiceError if the source has dice left over that it should not have."""


def picked(source: DiceSource, count: int, listed: Sequence[int]) -> tuple[int, ...]:
    """`count` faces of a die that shows `listed`, in draw order (GD-05)."""
    return tuple([listed[side - 1] for side in source.sides_of(count, listed)])


class SystemDice(DiceSource):
    """Dice from the operating system's randomness. Values past the last whole multiple of the sides are discarded."""

    _CHUNK = 4096  # bytes fetched at once; a call for each die costs forty times as much

    def __init__(self, source: Callable[[int], bytes] = entropy) -> None:
        self._entropy = source
        self._small: dict[int, Iterator[int]] = {}  # by sides, at most 255

    def roll(self, count: int, sides: int) -> tuple[int, ...]:
        """`count` fair faces from 1 to `sides`."""
        if not 1 <= sides <= 255:
            return tuple(self._large(sides) for _ in range(count))
        if sides not in self._small:
            self._small[sides] = self._faces(sides)
        return tuple(islice(self._small[sides], count))

    def _faces(self, sides: int) -> Iterator[int]:
        """Faces without end: each byte below the last whole multiple of `sides` becomes one."""
        faces, unfair = bytes(value % sides + 1 for value in range(256)), bytes(range(256 - 256 % sides, 256))
        return chain.from_iterable(self._entropy(self._CHUNK).translate(faces, unfair) for _ in repeat(None))

    def _large(self, sides: int) -> int:
        """A face of a die with more than 255 sides."""
        if sides < 1:
            raise DiceError(f"a die has at least one side, not {sides}")
        size = (sides.bit_length() + 15) // 8
        fair = 256**size - 256**size % sides
        while (value := int.from_bytes(self._entropy(size))) >= fair:
            pass
        return value % sides + 1


class ScriptedDice(DiceSource):
    """Given faces, for tests and `eval --dice`."""

    def __init__(self, faces: Iterable[int]) -> None:
        self._faces = tuple(faces)
        self._next = 0

    def roll(self, count: int, sides: int) -> tuple[int, ...]:
        """The next `count` faces. DiceError if they run out or the die does not have one of them."""
        return self._drawn(count, range(1, sides + 1), f"d{sides}")

    def sides_of(self, count: int, listed: Sequence[int]) -> tuple[int, ...]:
        """The first sides that show the next `count` faces, each of which `listed` must hold."""
        faces = self._drawn(count, listed, f"d{{{','.join(map(str, listed))}}}")
        return tuple([listed.index(face) + 1 for face in faces])

    def _drawn(self, count: int, allowed: Sequence[int], die: str) -> tuple[int, ...]:
        drawn = self._faces[self._next : self._next + count]
        self._next += len(drawn)
        if len(drawn) < count:
            raise DiceError(f"too few dice: {len(self._faces)} were given, the throw needs more.")
        for face in drawn:
            if face not in allowed:
                raise DiceError(f"a {die} has no face {face}.")
        return drawn

    def finish(self) -> None:
        """DiceError if faces are left over."""
        if left := len(self._faces) - self._next:
            raise DiceError(f"too many dice: {len(self._faces)} were given, {left} of them not needed.")


Draws = tuple[tuple[int, int], ...]  # (sides, face from 1 to sides), as the ledger keeps them


class RecordedDice(DiceSource):
    """The draws of a record again. DiceError if the rules draw other dice than were recorded, or a face does not
    exist."""

    def __init__(self, draws: Draws) -> None:
        self._draws = draws
        self._next = 0

    def roll(self, count: int, sides: int) -> tuple[int, ...]:
        """The next `count` draws, each of a die with that many sides."""
        drawn = self._draws[self._next : self._next + count]
        faces = [face for die, face in drawn if die == sides and 0 < face <= sides]
        self._next += count
        if len(faces) < count:
            raise DiceError(f"the record does not hold {count} more d{sides}.")
        return tuple(faces)

    def finish(self) -> None:
        """DiceError if draws are left over."""
        if self._next < len(self._draws):
            raise DiceError("the record holds more dice than the throw needs.")


class RecordingDice(DiceSource):
    """Passes another source's faces on and keeps them as the ledger does, in draw order.

    `more`: further throws of the same command draw from the source (GEN-17).
    """

    def __init__(self, source: DiceSource, *, more: bool = False) -> None:
        self._source, self._more = source, more
        self._draws: list[tuple[int, int]] = []

    def roll(self, count: int, sides: int) -> tuple[int, ...]:
        """Faces of the source, remembered."""
        faces = self._source.roll(count, sides)
        self._draws += zip(repeat(sides), faces)
        return faces

    def sides_of(self, count: int, listed: Sequence[int]) -> tuple[int, ...]:
        """Sides of the source, remembered (LED-02): what a side shows is made of it later."""
        sides = self._source.sides_of(count, listed)
        self._draws += zip(repeat(len(listed)), sides)
        return sides

    def finish(self) -> None:
        """As the source has it, once nothing more is drawn from it."""
        if not self._more:
            self._source.finish()

    @property
    def stamp(self) -> Stamp:
        """The source's, once a die was drawn from it: a command that draws none uses up no number."""
        return self._source.stamp if self._draws else UNSTAMPED

    @property
    def draws(self) -> Draws:
        """What was drawn so far."""
        return tuple(self._draws)
