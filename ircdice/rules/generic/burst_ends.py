"""Dice that explode, of which so many at one end are kept or dropped then (GD-08): by the value where that ends.

Fewer than so many dice lie before a value, less those throws of which that can be said of the next one as well. With y
for each die before it, one die and all that it brings is a quotient P / Q, and the powers of y below that number are
wanted of so many of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import comb, lcm
from typing import NamedTuple

from ircdice.rules.generic.packing import pack, unpack, width_for
from ircdice.rules.generic.quotients import inverse
from ircdice.rules.generic.recurrences import Poly
from ircdice.rules.generic.spread import Spread
from ircdice.rules.generic.sums import MOST_BITS_OF_STEPS
from ircdice.rules.generic.work import A_VALUE, of_product, of_sum, spend

MOST_WORK = 4e10  # bits of all products, each a little dearer with its length: about half a second


@dataclass(frozen=True)
class Burst:
    """`count` dice of `total` weight each, those that end at once and those that explode, and what they bring, of as
    many sides: dice that end it and such as go on.
    """

    count: int
    total: int
    plain: Poly
    exploded: Poly
    ending: Poly
    again: Poly

    @property
    def kinds(self) -> tuple[Poly, Poly, Poly, Poly]:
        """The four of them."""
        return self.plain, self.exploded, self.ending, self.again

    @property
    def sides(self) -> int:
        """Of each further die."""
        return sum(self.ending.values()) + sum(self.again.values())


class Choice(NamedTuple):
    """So many dice, first in the `order` of values, are kept or dropped; what each value is worth; the last sum."""

    order: Sequence[int]
    number: int
    dropped: bool
    worth: Mapping[int, int]
    last: int


def one_end(burst: Burst, choice: Choice) -> Spread | None:
    """What is left is worth. None where that would take too long."""
    span = max(choice.worth.values())
    lifted = span * choice.number if choice.dropped else 0
    last = choice.last + lifted if choice.dropped else span * choice.number
    known = dict[Divisor, tuple[list[int], int]]()
    cuts = [_Cut(burst, choice, place, last, known) for place in range(len(choice.order) + 1)]
    if sum({cut.divisor: cut.bits_of_steps for cut in cuts}.values()) > MOST_BITS_OF_STEPS // 2:
        return None
    total = lcm(*[cut.out_of for cut in cuts])
    width = width_for(2 * total)
    size = min((2 * burst.count + choice.number) * span, last) * width
    if len(cuts) * choice.number**2 * burst.count.bit_length() * size * (span * width) ** 0.585 > MOST_WORK:
        return None
    packed = sum(cut.packed(width, lifted) * (total // cut.out_of) for cut in cuts)
    packed = (packed & (1 << width * (last + 1)) - 1) >> lifted * width
    return Spread(unpack(packed, 0, 1, width), total)


Divisor = tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class _Cut:
    """The values before a `place` in the order, and those from it on; `known` are the divisions of all cuts."""

    burst: Burst
    choice: Choice
    place: int
    last: int
    known: dict[Divisor, tuple[list[int], int]]

    @cached_property
    def under(self) -> Poly:
        """What all is divided by, to a power: what goes on of what is not before the place."""
        found = {0: self.burst.sides}
        spend(len(self.choice.order) * 3 * A_VALUE)
        rest = set(self.choice.order[self.place :])
        for value, weight in self.burst.again.items():
            if value in rest:
                slot = self.choice.worth[value] if self.choice.dropped else 0
                found[slot] = found.get(slot, 0) - weight
        return found

    @cached_property
    def divisor(self) -> Divisor:
        """The same, to be known by."""
        return tuple(self.under.items())

    @property
    def power(self) -> int:
        """How often it is divided by that."""
        return self.burst.count + self.choice.number - 1

    @property
    def bits_of_steps(self) -> float:
        """About how many bits that division goes through."""
        slots = sorted(self.under)
        if len(slots) == 1:
            return 0
        return self.last * len(slots) * (1_000 + (self.power + self.last // slots[1]) * self.under[0].bit_length())

    @property
    def divided(self) -> tuple[list[int], int]:
        """What stands for that division, and what it is out of."""
        if len(self.under) == 1:
            (alone,) = self.under.values()
            return [1], alone**self.power
        if self.divisor not in self.known:
            self.known[self.divisor] = inverse(self.under, self.power, self.last)
        return self.known[self.divisor]

    @property
    def out_of(self) -> int:
        """What the weights are out of."""
        found: int = self.burst.total**self.burst.count * self.divided[1]
        return found

    def packed(self, width: int, lifted: int) -> int:
        """The throws with fewer dice before the place than are chosen, less those told at the place before."""
        found: int = 0
        spend(self.choice.number * A_VALUE)
        ends = self._shift(self.place, lifted), self._shift(self.place - 1, lifted)
        for before, ways in enumerate(self._by_dice_before(width)):
            found += ways << ends[0][before] * width
            if self.place:
                found -= ways << ends[1][before] * width
        under = pack(dict(enumerate(self.divided[0])), 0, 1, width)
        spend(of_product(found.bit_length(), under.bit_length()))
        return found * under

    def _shift(self, place: int, lifted: int) -> list[int]:
        """For each number of dice before a place, what the others that are chosen are worth there."""
        number = self.choice.number
        worth = self.choice.worth[self.choice.order[place]] if place < len(self.choice.order) else 0
        if place == len(self.choice.order):  # fewer dice than are chosen: all are kept, or none is left
            return [lifted] * number
        sign = -1 if self.choice.dropped else 1
        return [lifted + sign * (number - before) * worth for before in range(number)]

    def _by_dice_before(self, width: int) -> list[int]:
        """By how many dice lie before the place, what there is over `under` to that power."""
        number, count = self.choice.number, self.burst.count
        plain, exploded, ending, again = (self._parted(poly, width) for poly in self.burst.kinds)
        going = self.burst.sides - again[0], -again[1]
        one = [sum(pair) for pair in zip(_times(plain, going, 3), _times(exploded, ending, 3), strict=True)]
        powers = _power(one, count, number)
        chains = [
            comb(count + more - 1, more) * again[1] ** more * going[0] ** (number - 1 - more) for more in range(number)
        ]
        return _times(powers, chains, number)

    def _parted(self, poly: Poly, width: int) -> tuple[int, int]:
        """What is not before the place, and what is; of those that are left each with its worth."""
        before = set(self.choice.order[: self.place])
        bits = max(map(self.choice.worth.__getitem__, poly), default=0) * width
        spend(len(self.choice.order) * A_VALUE + len(poly) * (2 * A_VALUE + of_sum(bits)))
        parts = [0, 0]
        for value, weight in poly.items():
            first = value in before
            slot = self.choice.worth[value] if first != self.choice.dropped else 0
            parts[first] += weight << slot * width
        return parts[0], parts[1]


def _times(one: Sequence[int], other: Sequence[int], most: int) -> list[int]:
    """The product of two polynomials in y, as far as `most` powers of it."""
    found = [0] * most
    for power, each in enumerate(one):
        for further, their in enumerate(other[: most - power]):
            spend(of_product(each.bit_length(), their.bit_length()))
            found[power + further] += each * their
    return found


def _power(one: Sequence[int], count: int, most: int) -> list[int]:
    found, square = [1, *[0] * (most - 1)], [*one, *[0] * most][:most]
    while count:
        if count % 2:
            found = _times(found, square, most)
        count //= 2
        square = _times(square, square, most) if count else square
    return found
