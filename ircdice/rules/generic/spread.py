"""How a value is spread: whole weights, and the arithmetic of independent values (GD-09). Knows no dice."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Any

from ircdice.rules.generic.judging import Exact, operated
from ircdice.rules.generic.packing import convolved, too_much

MOST_PAIRS = 1_000_000
FEW_PAIRS = 400
MOST_VALUES = 100_000


@dataclass(frozen=True, slots=True)
class Spread:
    """`weights` by value; together they come to `total`, less what was cut off of an endless tail."""

    weights: Mapping[Any, int]  # whole numbers, or Fractions
    total: int

    @classmethod
    def certain(cls, value: Exact) -> Spread:
        """One value and no other."""
        return cls({value: 1}, 1)

    @property
    def missing(self) -> Fraction:
        """The chance that was cut off; 0 where the spread is exact."""
        listed = sum(self.weights.values())
        return Fraction(self.total - listed, self.total)

    def mapped(self, change: Callable[[Exact], Exact]) -> Spread:
        """Every value made into another."""
        found: defaultdict[Exact, int] = defaultdict(int)
        for value, weight in self.weights.items():
            found[change(value)] += weight
        return Spread(found, self.total)

    def combined(self, operator: str, other: Spread) -> Spread:
        """This value, the operator, an independent other one."""
        pairs = len(self.weights) * len(other.weights)
        if operator in ("+", "-") and pairs > FEW_PAIRS and self._whole and other._whole:
            theirs = other.mapped(lambda value: -value) if operator == "-" else other
            return Spread(convolved(self.weights, theirs.weights), self.total * other.total)
        if pairs > MOST_PAIRS:
            raise too_much()
        found: defaultdict[Exact, int] = defaultdict(int)
        for value, weight in self.weights.items():
            for another, other_weight in other.weights.items():
                found[operated(value, operator, another)] += weight * other_weight
        return Spread(found, self.total * other.total)

    @property
    def _whole(self) -> bool:
        return all(isinstance(value, int) for value in self.weights)


def mixed(parts: Iterable[tuple[int, Spread]], total: int) -> Spread:
    """One of several spreads, each with its weight out of `total`."""
    parts = list(parts)
    common = lcm(*[spread.total for _, spread in parts])
    found: defaultdict[Exact, int] = defaultdict(int)
    for weight, spread in parts:
        factor = weight * (common // spread.total)
        for value, inner in spread.weights.items():
            found[value] += factor * inner
    return Spread(found, total * common)
