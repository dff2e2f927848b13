"""The lowest and highest value that a term or an expression can have. Knows no chance."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction

from grammars.generic.modifiers import CLAMPING, Compare, Faces, Modifier
from grammars.tokens import MOST_DRAWN

Exact = int | Fraction
Span = tuple[Exact, Exact]
LARGEST_VALUE = 10**15  # beyond it no reply would hold the number


def dice_span(
    count: int, faces: Faces, modifiers: Sequence[Modifier], counts: Compare | None, less: Compare | None
) -> tuple[int, int]:
    """The span of a term of `count` dice with these faces: its dice one by one, then how many of them are kept."""
    lowest, highest = fresh = _ends(faces)
    fewest = most = count
    for place, modifier in enumerate(modifiers):
        if modifier.name in _KEPT:
            fewest, most = (_KEPT[modifier.name](dice, modifier.number) for dice in (fewest, most))
        elif modifier.name in CLAMPING:
            clamp = max if modifier.name == "mi" else min
            lowest, highest = clamp(lowest, modifier.number), clamp(highest, modifier.number)
        elif most:
            last = place == len(modifiers) - 1
            (lowest, highest), most = _redrawn(modifier, faces, (lowest, highest), fresh, most, last=last)
    if counts:
        lowest, highest = _counted(counts, less, lowest, highest)
    return min(fewest * lowest, most * lowest), max(fewest * highest, most * highest)


def _ends(faces: Faces) -> tuple[int, int]:
    return (faces[0], faces[-1]) if isinstance(faces, range) else (min(faces), max(faces))


_KEPT: Mapping[str, Callable[[int, int], int]] = {
    "k": min,
    "kl": min,
    "dl": lambda count, number: max(count - number, 0),
    "dh": lambda count, number: max(count - number, 0),
}


def _redrawn(
    modifier: Modifier, faces: Faces, one: tuple[int, int], fresh: tuple[int, int], most: int, *, last: bool
) -> tuple[tuple[int, int], int]:
    """The span of one die behind a modifier that draws, and how many dice there can be."""
    lowest, highest = min(one[0], fresh[0]), max(one[1], fresh[1])
    if modifier.name == "r" and modifier.compare and _rare(modifier.compare, faces):
        return _without(modifier.compare, lowest, highest), most
    if modifier.name in ("r", "ro"):
        return (lowest, highest), most
    if modifier.name == "!!":
        return (min(lowest, lowest * MOST_DRAWN), max(highest, highest * MOST_DRAWN)), most
    if modifier.name == "!p" and lowest >= 1 and last:  # the first die of each keeps its face, the others are 0 or more
        return (lowest, highest * MOST_DRAWN), most
    return (lowest - (modifier.name == "!p"), highest), MOST_DRAWN


def _rare(compare: Compare, faces: Faces) -> bool:
    """Whether rerolling surely ends before MOST_DRAWN dice are drawn: at most half of the faces match."""
    if isinstance(faces, tuple):
        return 2 * sum(map(compare.matches, faces)) <= len(faces)
    number, sides = min(max(compare.number, 0), len(faces) + 1), len(faces)
    below, here = min(max(number - 1, 0), sides), int(number in faces)
    matching = {
        "=": here,
        "<>": sides - here,
        "<": below,
        "<=": below + here,
        ">": sides - below - here,
        ">=": sides - below,
    }[compare.sign]
    return 2 * matching <= sides


def _counted(counts: Compare, less: Compare | None, lowest: int, highest: int) -> tuple[int, int]:
    """What one die between `lowest` and `highest` can add to a count (GD-07): `>=1` counts every die of a d6."""
    near = (lowest, highest, *(compare.number + step for compare in (counts, less) if compare for step in (-1, 0, 1)))
    values = [value for value in near if lowest <= value <= highest]
    worth = [counts.matches(value) - bool(less and less.matches(value)) for value in values]
    return min(worth), max(worth)


def _without(compare: Compare, lowest: int, highest: int) -> tuple[int, int]:
    """The ends of what does not match between `lowest` and `highest`."""
    near = (lowest, lowest + 1, highest - 1, highest, compare.number - 1, compare.number, compare.number + 1)
    left = [value for value in near if lowest <= value <= highest and not compare.matches(value)]
    return (min(left), max(left)) if left else (lowest, highest)


def combined(one: Span, operator: str, other: Span) -> Span:
    """The span of two expressions with an operator between them; the divisor's holds no zero."""
    if operator == "+":
        return one[0] + other[0], one[1] + other[1]
    if operator == "-":
        return one[0] - other[1], one[1] - other[0]
    if operator == "%":
        return _remainder(one, other)
    ends = [_END[operator](a, b) for a in one for b in other]
    return min(ends), max(ends)


_END: Mapping[str, Callable[[Exact, Exact], Exact]] = {
    "*": lambda a, b: a * b,
    "/": lambda a, b: Fraction(a) / b,
    "//": lambda a, b: a // b,
}


def _remainder(one: Span, other: Span) -> Span:
    """`%` has the divisor's sign; what is smaller than the divisor stays as it is."""
    if one[0] >= 0 and one[1] < other[0]:
        return one
    return (0, other[1]) if other[0] > 0 else (other[0], 0)


def holds_zero(span: Span) -> bool:
    """GD-09: whether a divisor with this span could be zero."""
    return span[0] <= 0 <= span[1]


def too_large(span: Span) -> bool:
    """Whether a value could be one that no reply holds."""
    return span[0] < -LARGEST_VALUE or span[1] > LARGEST_VALUE
