"""Faces counted, and as they are written, one after another or by number; margins. Knows no dice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

MOST_FACES = 30  # of a reply; past that, faces are counted
MOST_KNOWN = 100  # the number up to which figures are looked up
_BELOW = [bytes(range(least)) for least in range(MOST_KNOWN + 1)]


class _Figures(dict[int, str]):
    """Numbers as they are written, the smaller ones by heart: that is half of the time it takes."""

    def __missing__(self, number: int) -> str:
        return str(number)


FIGURES = _Figures({number: str(number) for number in range(MOST_KNOWN + 1)})


_figure = FIGURES.__getitem__


def reaching(least: int, shown: Sequence[int]) -> int:
    """How many faces, none below 0 or past a byte, are `least` or more: half of the time that a loop takes."""
    return len(bytes(shown).translate(None, _BELOW[least]))


def faces(shown: Sequence[int], compact: bool) -> str:
    """`10 3 10`, or counted, `10x2 3x1`, highest first."""
    return counted(shown) if compact else listed(shown)


def figures(shown: Sequence[int]) -> list[str]:
    """Each face by itself."""
    return list(map(_figure, shown))


def listed(shown: Sequence[int]) -> str:
    """`10 3 10`."""
    return " ".join(map(_figure, shown))


def signed(margin: int) -> str:
    """`+3`, `-2`, `0`."""
    return f"{margin:+}" if margin else "0"


def counted(shown: Sequence[int]) -> str:
    """`10x2 3x1`, highest first."""
    return " ".join([f"{face}x{count}" for face, count in sorted(Counter(shown).items(), reverse=True)])
