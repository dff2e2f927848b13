"""Which dice of a throw Advantage or Disadvantage removes (XR-04, XR-05)."""

from __future__ import annotations

from collections.abc import Sequence

from ircdice.outcome import Die, pool


def laid(faces: tuple[int, ...], sides: int, advantage: int, *, low: bool) -> tuple[Die, ...]:
    """A throw; the dice that Advantage, or below 0 Disadvantage, removes are marked as not kept (XR-04).

    The least favoured dice go, or the most favoured, and of equal faces the rightmost (XR-05).
    """
    sign = 1 if (advantage > 0) != low else -1
    first_to_go = sorted(range(len(faces)), key=lambda place: (sign * faces[place], -place))
    gone = set(first_to_go[: abs(advantage)])
    return tuple([die._replace(kept=place not in gone) for place, die in enumerate(pool(faces, sides))])


def positions(dice: Sequence[Die], start: int = 0, *, kept: bool) -> list[int]:
    """Positions of the dice that were kept, or dropped, in drawn order; the first die is `start` + 1 (XR-05)."""
    return [place for place, die in enumerate(dice, start + 1) if die.kept is kept]


def listed(places: Sequence[int], conjunction: str) -> str:
    """`2`, `2 and 4`, `1, 2 and 4`."""
    *before, last = map(str, places)
    return f"{', '.join(before)} {conjunction} {last}" if before else last


def kept_faces(dice: Sequence[Die]) -> tuple[int, ...]:
    """The faces of the dice that stay, in drawn order."""
    return tuple([die.face for die in dice if die.kept])
