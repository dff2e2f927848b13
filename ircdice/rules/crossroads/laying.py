"""Which dice of a throw stay, and which Advantage or Disadvantage removes (XR-04, XR-05). Knows no values."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import compress
from operator import itemgetter

from grammars.crossroads import DIE_SIDES
from grammars.tokens import MOST_DRAWN
from ircdice.caching import cached
from ircdice.outcome import Die, pool

MOST_LAID_OFTEN = 4  # dice
_PLACES = MOST_DRAWN + 1
_FACE, _KEPT = itemgetter(1), itemgetter(3)  # of a die
_LOST = {sides: tuple([Die(sides, face, kept=False) for face in range(sides + 1)]) for sides in DIE_SIDES}


def laid(faces: tuple[int, ...], sides: int, advantage: int, *, low: bool) -> tuple[Die, ...]:
    """A throw as it lies on the table, those dice marked that Advantage, or below 0 Disadvantage, removes (XR-04)."""
    if not advantage:
        return pool(faces, sides)
    parted = _parted_often if len(faces) <= MOST_LAID_OFTEN else _parted
    return parted(faces, sides, advantage, low)


def _parted(faces: tuple[int, ...], sides: int, advantage: int, low: bool) -> tuple[Die, ...]:
    lying, lost = list(pool(faces, sides)), _LOST[sides]
    for place in _going(faces, advantage, low):
        lying[place] = lost[faces[place]]
    return tuple(lying)


_parted_often = cached(_parted)  # of small throws there are few, and dice are immutable


def _going(faces: Sequence[int], advantage: int, low: bool) -> list[int]:
    """Positions of the dice that go, the first to go first: the least favoured or the most, of equal faces the
    rightmost (XR-04, XR-05).
    """
    sign = _PLACES if (advantage > 0) != low else -_PLACES
    # face and place in one number: a third of the time that a key for each die takes
    first_to_go = sorted([sign * face - place for place, face in enumerate(faces)])
    return [-both % _PLACES for both in first_to_go[: abs(advantage)]]


def positions(dice: Sequence[Die], start: int = 0, *, kept: bool) -> list[int]:
    """Positions of the dice that were kept, or dropped, in drawn order; the first die is `start` + 1 (XR-05)."""
    return [place for place, die in enumerate(dice, start + 1) if die.kept is kept]


def listed(places: Sequence[int], conjunction: str) -> str:
    """`2`, `2 and 4`, `1, 2 and 4`."""
    *before, last = map(str, places)
    return f"{', '.join(before)} {conjunction} {last}" if before else last


def kept_faces(dice: Sequence[Die]) -> tuple[int, ...]:
    """The faces of the dice that stay, in drawn order."""
    return tuple(compress(map(_FACE, dice), map(_KEPT, dice)))
