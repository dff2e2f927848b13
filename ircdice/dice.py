"""Sources of dice with one small interface. The only file that generates random numbers."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice, repeat

from ircdice.errors import DiceError


def entropy(count: int) -> bytes:
    """`count` random bytes from the operating system, for keys and the like."""
    return os.urandom(count)


@dataclass(frozen=True, slots=True)
class Stamp:
    """The position of a command's dice in a provable stream (LED-14); all 0 for other dice."""

    epoch: int = 0
    counter: int = 0
    generation: int = 0


UNSTAMPED = Stamp()


class DiceSource:
    """A source of dice."""

    @property
    def stamp(self) -> Stamp:
        """The position of the current command's dice."""
        return UNSTAMPED

    def roll(self, count: int, sides: int) -> tuple[int, ...]:
        """`count` faces from 1 to `sides`, in draw order."""
        raise NotImplementedError  # each source has its own

    def sides_of(self, count: int, listed: Sequence[int]) -> tuple[int, ...]:
        """`count` sides, numbered from 1, of a die with the faces `listed`, which may repeat."""
        return self.roll(count, len(listed))

    def finish(self) -> None:
        """End the throw. DiceError if the source has unused dice that the throw should have used."""


def picked(source: DiceSource, count: int, listed: Sequence[int]) -> tuple[int, ...]:
    """`count` faces of a die with the faces `listed`, in draw order (GD-05)."""
    return tuple([listed[side - 1] for side in source.sides_of(count, listed)])


class SystemDice(DiceSource):
    """Dice from the operating system's random numbers, without modulo bias."""

    _CHUNK = 4096  # bytes fetched at once; one call per die is forty times slower

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
        """Endless faces, one for each byte below the largest multiple of `sides`."""
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
        """The next `count` faces. DiceError if they run out or the die lacks one of them."""
        return self._drawn(count, range(1, sides + 1), f"d{sides}")

    def sides_of(self, count: int, listed: Sequence[int]) -> tuple[int, ...]:
        """The sides of the next `count` faces: the first with that face. DiceError for faces not in `listed`."""
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


Draws = tuple[tuple[int, int], ...]  # (sides, face from 1 to sides), as in the ledger


class RecordedDice(DiceSource):
    """Replays the draws of a record. DiceError if the rules draw different dice, or a face does not exist."""

    def __init__(self, draws: Draws) -> None:
        self._draws = draws
        self._next = 0

    def roll(self, count: int, sides: int) -> tuple[int, ...]:
        """The next `count` draws, which must be of dice with that many sides."""
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
    """Passes on the faces of another source and records them as the ledger does, in draw order.

    `more` means that later throws of the same command also draw from the source (GEN-17).
    """

    def __init__(self, source: DiceSource, *, more: bool = False) -> None:
        self._source, self._more = source, more
        self._draws: list[tuple[int, int]] = []

    def roll(self, count: int, sides: int) -> tuple[int, ...]:
        """Faces from the source, recorded."""
        faces = self._source.roll(count, sides)
        self._draws += zip(repeat(sides), faces)
        return faces

    def sides_of(self, count: int, listed: Sequence[int]) -> tuple[int, ...]:
        """Sides from the source, recorded (LED-02); the caller turns them into faces."""
        sides = self._source.sides_of(count, listed)
        self._draws += zip(repeat(len(listed)), sides)
        return sides

    def finish(self) -> None:
        """End the source's throw, unless `more` is set."""
        if not self._more:
            self._source.finish()

    @property
    def stamp(self) -> Stamp:
        """The source's position if a die was drawn: commands without dice use no number."""
        return self._source.stamp if self._draws else UNSTAMPED

    @property
    def draws(self) -> Draws:
        """The draws so far."""
        return tuple(self._draws)
