"""Exact distributions for the odds of any game: sums of dice, endless series, and the highest or lowest dice."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb, floor, gcd, prod

from grammars.line import shown
from ircdice.errors import RuleError
from ircdice.odds import Shares

MOST_STEPS = 600_000  # about an eighth of a second; also in docs/reference/limits.md
MANY = 2_000  # products of terms; from here on, packed polynomials may be faster
MOST_NAMED = 60  # characters of an expression that an error quotes
TAIL = Fraction(1, 10**12)  # endless explosions are cut off at this probability

Poly = dict[int, int]  # coefficients by exponent: the number of ways to each sum
State = tuple[int, ...]  # the number of dice placed in each group


class Steps:
    """The steps left for one question (GD-14); a step takes about as long as adding one weight to a table.

    `of` is the part of the question being computed.
    """

    def __init__(self, of: str = "") -> None:
        self.left: float = MOST_STEPS
        self.of = of

    def take(self, steps: float) -> None:
        """Charge for work before doing it. RuleError if too few steps are left."""
        self.left -= steps
        if self.left < 0:
            of = shown(self.of, MOST_NAMED)
            raise RuleError(f"the exact odds of {of} would take too long: ask for fewer dice, or smaller ones.")


def multiplying(bits: int, others: int) -> float:
    """The steps for a product of integers of these lengths; Python multiplies long ones by Karatsuba's method."""
    short, long = sorted((bits / 30 + 1, others / 30 + 1))
    return 10 + long * (1 + min(short, 6 * float(short**0.585))) / 180


# Polynomials. The product of two is the distribution of a sum.


def added(polys: Iterable[Poly]) -> Poly:
    """The sum of polynomials."""
    total: Poly = defaultdict(int)
    for poly in polys:
        for exponent, coefficient in poly.items():
            total[exponent] += coefficient
    return {exponent: coefficient for exponent, coefficient in total.items() if coefficient}


def scaled(poly: Poly, factor: int) -> Poly:
    """A polynomial times a number."""
    return {exponent: coefficient * factor for exponent, coefficient in poly.items()}


def mean(weights: Mapping[int, int], gain: Callable[[int], Poly], steps: Steps) -> Poly:
    """The sum of the `gain` of each value, times its weight."""
    steps.take(4 * len(weights))
    return added(scaled(gain(value), weight) for value, weight in weights.items())


def times(first: Poly, second: Poly, steps: Steps) -> Poly:
    """The product of two polynomials: term by term, or packed if they are long and dense."""
    products = len(first) * len(second)
    if products > MANY:
        packing = Packing(sum(map(abs, first.values())) * sum(map(abs, second.values())), first, second)
        slots = [(max(poly) - min(poly)) // packing.stride + 1 for poly in (first, second)]
        packed = 4 * sum(slots) + multiplying(*[8 * packing.width * number for number in slots])
        if packed < products:
            steps.take(packed)
            together = packing.pack(first, min(first)) * packing.pack(second, min(second))
            return packing.unpack(together, min(first) + min(second))
    steps.take(products)
    product: Poly = defaultdict(int)
    for exponent, coefficient in first.items():
        for another, factor in second.items():
            product[exponent + another] += coefficient * factor
    return {exponent: coefficient for exponent, coefficient in product.items() if coefficient}


def raised(poly: Poly, count: int, steps: Steps) -> Poly:
    """`poly` to the power of `count`: the sum of that many dice."""
    power = poly if count else {0: 1}
    for bit in f"{count:b}"[1:]:
        power = times(power, power, steps)
        power = times(power, poly, steps) if bit == "1" else power
    return power


def series(over: Poly, unit: int, under: Poly, count: int, steps: Steps, least: int = 0) -> Shares:
    """The distribution over / (unit under^count). `under` has no negative exponents; a positive one makes it endless.

    Listed coefficients are exact; the list ends, past `least` values, when the rest is less likely than TAIL.
    """
    first, low = under[0], min(over)
    mass = Fraction(sum(over.values()), unit * sum(under.values()) ** count)
    again = [(exponent, -coefficient) for exponent, coefficient in under.items() if exponent]
    if not again or not count:
        return Shares(dict(over.items()), unit * first**count, 1 - mass)
    step = min(exponent for exponent, _ in again)  # an explosion adds at least this, and divides by `first`
    last = max(max(over) - low + step, least)
    while True:
        whole = first ** (count + last // step)
        steps.take(last * len(again) * (2 + whole.bit_length() / 1_000))
        inverse = [whole // first**count]  # whole / under^count, by Miller's recurrence
        for k in range(1, last):
            ways = sum([(count * at + k - at) * weight * inverse[k - at] for at, weight in again if at <= k])
            inverse.append(ways // (k * first))
        product = times(over, {k: ways for k, ways in enumerate(inverse) if ways}, steps)
        listed = {value: ways for value, ways in sorted(product.items()) if value < low + last}
        spare = floor((TAIL - mass) * unit * whole) + sum(listed.values())
        if spare >= 0:
            break
        last *= 2
    for value in sorted(listed, reverse=True):
        if listed[value] > spare or len(listed) <= least:
            break
        spare -= listed.pop(value)
    return Shares(dict(listed.items()), unit * whole, 1 - mass)


class Packing:
    """Packs polynomials as long integers, which multiply quickly: `width` bytes for each coefficient.

    `most` bounds the coefficients, which may be negative; the exponents of each poly differ by multiples of `stride`.
    """

    def __init__(self, most: int, *polys: Collection[int]) -> None:
        lows = [min(poly) for poly in polys]
        self.stride = gcd(*[exponent - low for poly, low in zip(polys, lows, strict=True) for exponent in poly]) or 1
        self.width = most.bit_length() // 8 + 1

    def pack(self, poly: Poly, low: int) -> int:
        """The value of the polynomial at 256^width, the lowest exponent being `low`."""
        size = ((max(poly) - low) // self.stride + 1) * self.width
        above, below = bytearray(size), bytearray(size)
        for exponent, coefficient in poly.items():
            at = (exponent - low) // self.stride * self.width
            slots = above if coefficient > 0 else below
            slots[at : at + self.width] = abs(coefficient).to_bytes(self.width, "little")
        return int.from_bytes(above, "little") - int.from_bytes(below, "little")

    def unpack(self, packed: int, low: int) -> Poly:
        """Unpack the polynomial, after adding half a slot to each coefficient to make them positive."""
        width, count = self.width, packed.bit_length() // (8 * self.width) + 2
        half = 1 << 8 * width - 1
        halves = int.from_bytes(half.to_bytes(width, "little") * count, "little")
        data = (packed + halves).to_bytes((count + 1) * width, "little")
        slots = [int.from_bytes(data[k * width : (k + 1) * width], "little") - half for k in range(count)]
        return {low + self.stride * k: coefficient for k, coefficient in enumerate(slots) if coefficient}


# Keep and drop.


@dataclass(frozen=True, slots=True)
class Group:
    """`count` dice with the same distribution."""

    count: int
    weights: Poly


def all_throws(groups: Iterable[Group]) -> int:
    """The weight of all throws."""
    return prod([sum(group.weights.values()) ** group.count for group in groups])


def window(groups: Sequence[Group], start: int, end: int, gain: Callable[[int], Poly], steps: Steps) -> Poly:
    """The sum of the dice from `start` to `end` in ascending order; a die with a value adds the `gain` of it."""
    if start >= end:
        return {0: all_throws(groups)}
    if end - start < sum(group.count for group in groups):
        return _some(groups, start, end, gain, steps)
    total = {0: 1}
    for group in groups:
        total = times(total, raised(mean(group.weights, gain, steps), group.count, steps), steps)
    return total


def _some(groups: Sequence[Group], start: int, end: int, gain: Callable[[int], Poly], steps: Steps) -> Poly:
    """Dynamic programming over the values in order: at each, any number of the unplaced dice show it.

    The number of dice placed says which of them count; after `end`, the others may show any later value.
    """
    count = sum(group.count for group in groups)
    values = sorted({value for group in groups for value in group.weights})
    if count - start < end:  # start from the end with fewer dice to place
        values, start, end = values[::-1], count - end, count - start
    steps.take(10 * len(values))
    gains = {value: gain(value) for value in values}
    exponents = {exponent for poly in gains.values() for exponent in poly}
    low, most = min(exponents), max(sum(map(abs, poly.values())) for poly in gains.values())
    packing = Packing(all_throws(groups) * most ** (end - start), exponents)
    span = (max(exponents) - low) // packing.stride + 1  # slots of one gain
    steps.take(span * (len(values) * packing.width / 80 + 2 * (end - start)))
    left = [sum(group.weights.values()) for group in groups]  # the weight of the values to come
    states, done = {(0,) * len(groups): 1}, 0  # by dice placed of each group, the ways as a packed polynomial
    for value in values:
        packed = packing.pack(gains[value], low)
        shift = (packed & -packed).bit_length() - 1  # a die that adds its value multiplies by a power of two
        powers = [((packed >> shift) ** n, shift * n) for n in range(end - start + 1)]
        for at, group in enumerate(groups):
            if value not in group.weights:
                continue
            weight, following = group.weights[value], defaultdict[State, int](int)
            left[at] -= weight
            for state, ways in states.items():
                placed, free = sum(state), group.count - state[at]
                for here in range(min(end - placed, free) + 1):
                    power, shift = powers[max(placed + here - max(placed, start), 0)]
                    if placed + here < end:
                        power *= comb(free, here) * weight**here
                        following[*state[:at], state[at] + here, *state[at + 1 :]] += ways * power << shift
                    else:
                        power *= sum(comb(free, n) * weight**n * left[at] ** (free - n) for n in range(here, free + 1))
                        power *= prod(left[i] ** (groups[i].count - state[i]) for i in range(len(groups)) if i != at)
                        done += ways * power << shift
                    steps.take(multiplying(ways.bit_length(), power.bit_length()) + shift / 2_000)
            states = following
    return packing.unpack(done, low * (end - start))
