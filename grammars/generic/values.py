"""Comparisons and modifiers of dice, and the range of values that they leave."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from operator import eq, floordiv, ge, gt, le, lt, mul, ne

from grammars.tokens import MOST_DRAWN

Exact = int | Fraction
Span = tuple[Exact, Exact]  # the lowest and the highest value
Faces = tuple[int, ...] | range  # what one die can show

TESTS: Mapping[str, Callable[[Exact, Exact], bool]] = {"=": eq, "<": lt, ">": gt, "<=": le, ">=": ge, "<>": ne}  # GD-03
SELECTING = ("k", "kl", "dl", "dh")  # GD-02
EXPLODING = ("!", "!!", "!p")  # GD-05
CLAMPING = ("mi", "ma")  # GD-06
UNENDING = ("r", *EXPLODING)  # as long as a new die matches, so does the next
SPENT = ("!!", "!p")  # GD-05: after these, dice are no longer faces


@dataclass(frozen=True, slots=True)
class Compare:
    """GD-03: a comparison with a whole number."""

    sign: str
    number: int

    def matches(self, value: Exact) -> bool:
        """Whether `value` is what was asked for."""
        return TESTS[self.sign](value, self.number)

    def among(self, values: Sequence[int]) -> int:
        """How many of `values` match."""
        return sum(map(self.matches, values))

    def __str__(self) -> str:
        return f"{self.sign}{self.number}"

    @property
    def short(self) -> str:
        """As it is written after a modifier, where a number alone means "equal"."""
        return str(self.number) if self.sign == "=" and self.number >= 0 else str(self)


@dataclass(frozen=True, slots=True)
class Modifier:
    """One modifier: `number` for those that keep, drop or clamp, `compare` for those that draw."""

    name: str
    number: int = 0
    compare: Compare | None = None

    def __str__(self) -> str:
        after = self.compare.short if self.compare else str(self.number)
        return f"{'e' if self.name == '!' and after[0] == '=' else self.name}{after}"  # `!=` would be "not equal"

    def kept(self, dice: int) -> int:
        """How many of `dice` dice are left by one that keeps or drops."""
        return min(dice, self.number) if self.name in ("k", "kl") else max(dice - self.number, 0)


def always(compare: Compare, faces: Faces) -> bool:
    """Whether every one of `faces` matches."""
    return all(map(compare.matches, faces if isinstance(faces, tuple) else _telling((faces[0], faces[-1]), compare)))


def _telling(ends: tuple[int, int], *compares: Compare | None) -> list[int]:
    """Of the whole numbers from end to end those that tell what comparisons say: the ends and what is at a number."""
    near = (*ends, *(compare.number + step for compare in compares if compare for step in (-1, 0, 1)))
    return [value for value in near if ends[0] <= value <= ends[1]]


def dice_span(
    count: int, faces: Faces, modifiers: Sequence[Modifier], counts: Compare | None, less: Compare | None
) -> tuple[int, int]:
    """The range of a term of `count` dice with these faces: that of one die, times the dice that are kept."""
    one = fresh = (faces[0], faces[-1]) if isinstance(faces, range) else (min(faces), max(faces))
    fewest = most = count
    for modifier in modifiers:
        if modifier.name in SELECTING:
            fewest, most = modifier.kept(fewest), modifier.kept(most)
        elif modifier.name in CLAMPING:
            clamp = max if modifier.name == "mi" else min
            one = clamp(one[0], modifier.number), clamp(one[1], modifier.number)
        elif most:
            one = _redrawn(modifier, (min(one[0], fresh[0]), max(one[1], fresh[1])))
            most = MOST_DRAWN if modifier.name in ("!", "!p") else most
    if counts:
        values = _telling(one, counts, less)
        worth = [counts.matches(value) - (less is not None and less.matches(value)) for value in values]
        one = min(worth), max(worth)
    return min(fewest * one[0], most * one[0]), max(fewest * one[1], most * one[1])


def _redrawn(modifier: Modifier, one: tuple[int, int]) -> tuple[int, int]:
    """The range of one die after a modifier that draws."""
    if modifier.name == "r" and modifier.compare:
        left = [value for value in _telling(one, modifier.compare) if not modifier.compare.matches(value)]
        return (min(left), max(left)) if left else one
    if modifier.name == "!!":
        return min(one[0], one[0] * MOST_DRAWN), max(one[1], one[1] * MOST_DRAWN)
    return one[0] - (modifier.name == "!p"), one[1]


_ENDS: Mapping[str, Callable[[Exact, Exact], Exact]] = {"*": mul, "/": lambda a, b: Fraction(a) / b, "//": floordiv}


def combined(one: Span, operator: str, other: Span) -> Span:
    """The range of two expressions with an operator between them; a divisor's holds no zero."""
    if operator == "+":
        return one[0] + other[0], one[1] + other[1]
    if operator == "-":
        return one[0] - other[1], one[1] - other[0]
    if operator == "%":  # it has the divisor's sign, and leaves alone what is smaller
        if one[0] >= 0 and one[1] < other[0]:
            return one
        return (0, other[1]) if other[0] > 0 else (other[0], 0)
    ends = [_ENDS[operator](a, b) for a in one for b in other]
    return min(ends), max(ends)
