"""How a value is spread: whole weights, and the arithmetic of independent values (GD-09). Knows no dice."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import repeat
from math import gcd, lcm
from typing import Any

from ircdice.odds import Even
from ircdice.rules.generic.judging import OPERATIONS, Exact, operated
from ircdice.rules.generic.packing import convolved
from ircdice.rules.generic.refusing import too_many, too_much
from ircdice.rules.generic.work import A_VALUE, DIGIT, of_product, spend

MOST_PAIRS = 1_500_000  # about a fifth of a second
MOST_QUOTIENTS = 190_000  # of fractions, most of which differ: about a second
MOST_BITS_OF_PAIRS = 1_700_000_000  # of all weights, each a thousand longer
FEW_PAIRS = 400
A_QUOTIENT, A_FRACTION = 800, 6_000  # steps
MOST_VALUES = 250_000  # that are gone through one by one
NOTHING = Fraction()


@dataclass(frozen=True, slots=True)
class Spread:
    """`weights` by value; together they come to `total`, less what was cut off of an endless tail."""

    weights: Mapping[Any, int]  # whole numbers, or Fractions
    total: int

    @classmethod
    def certain(cls, value: Exact) -> Spread:
        """One value and no other."""
        return cls({value: 1}, 1)

    @classmethod
    def even(cls, values: range) -> Spread:
        """Any of these values, each as likely as the others."""
        return cls(Even(values) if len(values) > MOST_VALUES else dict.fromkeys(values, 1), len(values))

    @property
    def missing(self) -> Fraction:
        """The chance that was cut off; 0 where the spread is exact."""
        lacking = self.total - self.mass
        return Fraction(lacking, self.total) if lacking else NOTHING

    @property
    def mass(self) -> int:
        """The weights together."""
        return self.total if isinstance(self.weights, Even) else sum(self.weights.values())

    def mapped(self, change: Callable[[Exact], Exact]) -> Spread:
        """Every value made into another."""
        found: defaultdict[Exact, int] = defaultdict(int)
        spend(len(self.weights) * 2 * A_VALUE)
        for value, weight in self.listed.items():
            found[change(value)] += weight
        return Spread(found, self.total)

    def combined(self, operator: str, other: Spread) -> Spread:
        """This value, the operator, an independent other one."""
        moved = _moved(self.weights, operator, other.weights)
        if moved is not None:
            return Spread(moved, self.total * other.total)
        pairs, few = len(self.listed) * len(other.listed), min(len(self.weights), len(other.weights))
        if operator in ("+", "-") and pairs > FEW_PAIRS and few > 1 and self.whole and other.whole:
            theirs = other.mapped(lambda value: -value) if operator == "-" else other
            return Spread(convolved(self.weights, theirs.weights), self.total * other.total)
        whole = operator != "/" and self.whole and other.whole
        bits = 1_000 + (self.total * other.total).bit_length()
        if pairs > (MOST_PAIRS if whole else MOST_QUOTIENTS) or pairs * bits > MOST_BITS_OF_PAIRS:
            raise too_much()
        paired = _whole_pairs if whole else _divided if operator == "/" and self.whole and other.whole else _pairs
        a_pair = A_VALUE + of_product(self.total.bit_length(), other.total.bit_length())
        spend(pairs * (a_pair + (0 if whole else A_QUOTIENT if paired is _divided else A_FRACTION)))
        return Spread(paired(self.weights, operator, other.weights), self.total * other.total)

    @property
    def whole(self) -> bool:
        """Whether every value is a whole number."""
        return {int}.issuperset(map(type, self.weights))

    @property
    def listed(self) -> Mapping[Any, int]:
        """The weights, if they may be gone through one by one."""
        if isinstance(self.weights, Even):
            raise too_many(len(self.weights), MOST_VALUES)
        return self.weights


FaceWorth = Callable[[int], Spread]  # what a die that shows a face may come to


def _whole_pairs(one: Mapping[int, int], operator: str, other: Mapping[int, int]) -> Mapping[int, int]:
    """The weight of what each two whole numbers come to, which are a whole number as well."""
    operate: Callable[[int, int], int] = OPERATIONS[operator]  # type: ignore[assignment]  # of whole numbers, but for `/`
    alike = {*one.values(), *other.values()} == {1}
    counted, found = Counter[int](), defaultdict[int, int](int)
    for value, weight in one.items():
        if alike:
            counted.update(map(operate, repeat(value), other))
        else:
            for another, other_weight in other.items():
                found[operate(value, another)] += weight * other_weight
        if max(len(counted), len(found)) > MOST_VALUES:
            raise too_many(f"more than {MOST_VALUES}", MOST_VALUES)
    return counted if alike else found


def _divided(one: Mapping[int, int], _operator: str, other: Mapping[int, int]) -> Mapping[Any, int]:
    """The same of quotients (GD-09), each a fraction only once, in the end."""
    found: defaultdict[tuple[int, int], int] = defaultdict(int)
    for value, weight in one.items():
        for another, other_weight in other.items():
            common = gcd(value, another) if another > 0 else -gcd(value, another)
            found[value // common, another // common] += weight * other_weight
    return {over if under == 1 else Fraction(over, under): weight for (over, under), weight in found.items()}


def _pairs(one: Mapping[Any, int], operator: str, other: Mapping[Any, int]) -> Mapping[Any, int]:
    found: defaultdict[Exact, int] = defaultdict(int)
    for value, weight in one.items():
        for another, other_weight in other.items():
            found[operated(value, operator, another)] += weight * other_weight
    return found


def _moved(one: Mapping[Any, int], operator: str, other: Mapping[Any, int]) -> Even | None:
    """A die of a great many faces and a number: another such die. None where it is something else."""
    if operator == "-" and isinstance(other, Even):
        return _moved(one, "+", other.moved(-1, 0))
    if operator in ("+", "*") and isinstance(other, Even):
        one, other = other, one
    if not isinstance(one, Even) or len(other) != 1:
        return None
    (number,) = other
    if not isinstance(number, int) or other[number] != 1:
        return None
    if operator in ("+", "-"):
        return one.moved(1, number if operator == "+" else -number)
    return one.moved(number, 0) if operator == "*" and number else None


def mixed(parts: Iterable[tuple[int, Spread]], total: int) -> Spread:
    """One of several spreads, each with its weight out of `total`."""
    parts = list(parts)
    spend(len(parts) * 2 * A_VALUE)
    common = lcm(*[spread.total for _, spread in parts])
    bits, longest = common.bit_length(), max([spread.total.bit_length() for _, spread in parts])
    spend(sum([len(spread.weights) for _, spread in parts]) * (A_VALUE + of_product(bits - longest + DIGIT, longest)))
    found: defaultdict[Exact, int] = defaultdict(int)
    for weight, spread in parts:
        factor = weight * (common // spread.total)
        for value, inner in spread.weights.items():
            found[value] += factor * inner
    return Spread(found, total * common)
