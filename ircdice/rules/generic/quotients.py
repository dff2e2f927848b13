"""Dice that may explode, without end and exactly: what one of them adds is the quotient of two polynomials.

With E what ends a chain of explosions, and A what goes on with it, a chain is E / (1 - A). So many dice are a power of
their quotient, each of whose weights comes of a few before it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import exp, gcd, inf, log
from typing import NamedTuple

from grammars.generic import Dice, Modifier
from grammars.generic.values import CLAMPING, EXPLODING
from ircdice.rules.generic.gains import fresh, parted, sides_of
from ircdice.rules.generic.recurrences import RARE, Poly, product, scaled, steps, sum_of, thinned, weights
from ircdice.rules.generic.refusing import too_much
from ircdice.rules.generic.spread import MOST_VALUES, Spread
from ircdice.rules.generic.sums import MOST_BITS_OF_STEPS, summed
from ircdice.rules.generic.throwing import counted
from ircdice.rules.generic.work import A_VALUE, spend

FIRST, MOST_EXPONENT = 0.01, 700  # where the search for the end of the list begins and ends
A_CHAIN = 8_000  # steps of asking what a face adds, beside the products
FINER, COARSE, LONG = 1.2, 2, 5_000  # its steps, where there are few terms and where there are many


class Quotient(NamedTuple):
    """What one die adds: `over` / `under`, which is 1 where the power counts nothing; `links` as of a `Worth`."""

    over: Poly
    under: Poly
    links: Sequence[Poly] = ()


class Worth(ABC):
    """What faces add through the modifiers that are still before them, over a denominator that all faces share.

    `links` are what it was divided by, one chain after the other: it has a sum as far as each of them is above 0.
    """

    under: Poly
    links: tuple[Poly, ...] = ()

    @abstractmethod
    def mean(self, faces: Mapping[int, int]) -> Poly:
        """What a die adds that shows `faces` by their weights, over `under`."""


@dataclass(frozen=True)
class _Final(Worth):
    """Nothing is before them: the value, or where the term counts, whether it matches."""

    dice: Dice
    under: Poly

    def mean(self, faces: Mapping[int, int]) -> Poly:
        found: defaultdict[int, int] = defaultdict(int)
        spend(len(faces) * 4 * A_VALUE)
        for face, weight in faces.items():
            found[counted(self.dice, (face,))] += weight
        return found


class _Clamped(Worth):
    """GD-06."""

    def __init__(self, modifier: Modifier, behind: Worth) -> None:
        self.modifier, self.behind, self.under, self.links = modifier, behind, behind.under, behind.links

    def mean(self, faces: Mapping[int, int]) -> Poly:
        clamp, found = max if self.modifier.name == "mi" else min, defaultdict[int, int](int)
        for face, weight in faces.items():
            found[clamp(face, self.modifier.number)] += weight
        return self.behind.mean(found)


class _Rerolled(Worth):
    """GD-04: any face in the place of one that matches, or with `r` any of those that do not."""

    def __init__(self, dice: Dice, modifier: Modifier, behind: Worth) -> None:
        anew = fresh(dice) if modifier.name == "ro" else parted(fresh(dice), modifier)[1]
        self.modifier, self.behind, self.total = modifier, behind, sum(anew.values())
        self.links = behind.links
        self.anew, self.under = behind.mean(anew), scaled(behind.under, self.total)

    def mean(self, faces: Mapping[int, int]) -> Poly:
        matching, others = parted(faces, self.modifier)
        return sum_of(scaled(self.anew, sum(matching.values())), scaled(self.behind.mean(others), self.total))


class _Exploding(Worth):
    """GD-05: a face that matches, and the chain that it brings."""

    def __init__(self, dice: Dice, modifier: Modifier, behind: Worth) -> None:
        less = modifier.name == "!p"
        matching, others = parted(fresh(dice), modifier)
        self.modifier, self.behind = modifier, behind
        self.ending = behind.mean({face - less: weight for face, weight in others.items()})
        again = behind.mean({face - less: weight for face, weight in matching.items()})
        self.link = sum_of(scaled(behind.under, sides_of(dice)), scaled(again, -1))
        self.under, self.links = product(behind.under, self.link), (*behind.links, self.link)

    def mean(self, faces: Mapping[int, int]) -> Poly:
        spend(A_CHAIN)
        matching, others = parted(faces, self.modifier)
        ended, going = self.behind.mean(others), self.behind.mean(matching)
        return sum_of(product(ended, self.link), product(going, self.ending))


def worth_behind(dice: Dice, modifiers: Sequence[Modifier]) -> Worth:
    """What faces add that have `modifiers` before them; `!!` only where the term adds and counts not."""
    worth: Worth = _Final(dice, {0: 1})
    for modifier in reversed(modifiers):
        if modifier.name in CLAMPING:
            worth = _Clamped(modifier, worth)
        elif modifier.name in EXPLODING:
            worth = _Exploding(dice, modifier, worth)
        else:
            worth = _Rerolled(dice, modifier, worth)
    return worth


def quotient(dice: Dice) -> Quotient:
    """One die of a term in which each is for itself, in lowest terms."""
    worth = worth_behind(dice, dice.modifiers)
    over, under = worth.mean(fresh(dice)), scaled(worth.under, sides_of(dice))
    common = gcd(*over.values(), *under.values())
    over, under = ({value: each // common for value, each in poly.items()} for poly in (over, under))
    return Quotient(over, under, worth.links or (under,))


def power(one: Quotient, count: int, last: int | None = None) -> Spread | None:
    """`count` such dice. Each weight is exact; those of values beyond `last` are not listed, or if none is said, of
    values that together are less likely than 1 / RARE.

    None where a die may go on with less than nothing: such sums have no beginning.
    """
    if len(one.under) == 1:
        (total,) = one.under.values()
        return Spread(summed(one.over, count), total**count)
    if min(one.under) < 0:
        return None
    return _Powers(one, count).spread(last)


@dataclass(frozen=True)
class _Powers:
    """The weights of `count` dice by value, `lowest` first and `stride` apart."""

    one: Quotient
    count: int

    @cached_property
    def stride(self) -> int:
        return gcd(*[value - self.lowest for value in self.one.over], *self.one.under)

    @cached_property
    def lowest(self) -> int:
        return min(self.one.over)

    def spread(self, last: int | None) -> Spread:
        over = {(value - self.lowest) // self.stride: each for value, each in self.one.over.items()}
        under = {value // self.stride: each for value, each in self.one.under.items()}
        end = last_listed([self.one.over], self.one, self.count) if last is None else last
        slots = (end - self.lowest * self.count) // self.stride
        first = under[0]
        longest = self.count + slots // sorted(under)[1]  # dice that such a sum can be made of
        found = steps(*thinned(over, under), self.count)
        if slots > MOST_VALUES or slots * len(found) * (1_000 + longest * first.bit_length()) > MOST_BITS_OF_STEPS:
            raise too_much()
        total = first**longest
        known = over[0] ** self.count * first ** (longest - self.count)
        listed = weights(found, known, slots, total if last is None else None)
        low = self.lowest * self.count
        return Spread({low + slot * self.stride: each for slot, each in enumerate(listed) if each}, total)


def last_listed(overs: Sequence[Poly], one: Quotient | Worth, count: int) -> int:
    """A value beyond which all others are less likely than 1 / RARE, by Chernoff's bound.

    Each die is any of `overs` over what `one` is divided by.
    """
    found, longest, whole = inf, max(*one.under, *(max(over) for over in overs)), sum(one.under.values())
    step = FIRST / longest
    while step * longest < MOST_EXPONENT and all(_at(link, step, whole) > 0 for link in one.links):
        highest = max([_at(over, step, whole) for over in overs]) / _at(one.under, step, whole)
        found = min(found, (count * log(highest) + log(RARE)) / step)
        step *= FINER if longest < LONG else COARSE
    return int(found) + 1


def _at(poly: Poly, step: float, whole: int) -> float:
    spend(len(poly) * 2 * A_VALUE)
    return sum([each / whole * exp(step * value) for value, each in poly.items()])


def inverse(under: Poly, count: int, last: int) -> tuple[list[int], int]:
    """The weights of 1 / `under` to a power up to `last`, and what they are out of."""
    first = under[0]
    longest = count + last // sorted(under)[1]
    if last * len(under) * (1_000 + longest * first.bit_length()) > MOST_BITS_OF_STEPS:
        raise too_much()
    return weights(steps({0: 1}, under, count), first ** (longest - count), last, None), first**longest
