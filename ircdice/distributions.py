"""Exact distributions for the odds of any game: sums of dice, endless series, and the highest or lowest dice."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb, floor, gcd, prod

from grammars.line import shown
from ircdice.errors import RuleError
from ircdice.odds import Shares

MOST_STEPS = 600_000  # about an eighth of a second; also in docs/reference/limits.md
MANY = 10_000  # products of terms; from here on, packed polynomials may be faster
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

    def multiply(self, bits: int, others: int, *, often: int = 1) -> None:
        """Charge for products of integers of these lengths; Python multiplies long ones by Karatsuba's method."""
        short, long = sorted((bits / 30 + 1, others / 30 + 1))
        self.take(often * (10 + long * (1 + min(short, 6 * short**0.585)) / 180))


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


def times(first: Poly, second: Poly, steps: Steps) -> Poly:
    """The product of two polynomials: term by term, or packed if they are long."""
    products = len(first) * len(second)
    if products > MANY:
        stride, low, second_low = stride_of(first, second), min(first), min(second)
        if (max(first) - low + max(second) - second_low) // stride < products / 10:
            width = width_for(sum(map(abs, first.values())) * sum(map(abs, second.values())))
            packed = [pack(poly, min(poly), stride, width, steps) for poly in (first, second)]
            steps.multiply(*[number.bit_length() for number in packed])
            return unpack(packed[0] * packed[1], low + second_low, stride, width, steps)
    steps.take(products)
    product: Poly = defaultdict(int)
    for exponent, coefficient in first.items():
        for another, factor in second.items():
            product[exponent + another] += coefficient * factor
    return {exponent: coefficient for exponent, coefficient in product.items() if coefficient}


def raised(poly: Poly, count: int, steps: Steps) -> Poly:
    """`poly` to the power of `count`: the sum of that many dice."""
    if count < 2:
        return poly if count else {0: 1}
    low, stride = min(poly), stride_of(poly)
    width = width_for(sum(map(abs, poly.values())) ** count)
    packed = pack(poly, low, stride, width, steps)
    half = packed.bit_length() * count // 2
    steps.multiply(half, half, often=2)  # the last squaring takes half the time
    return unpack(packed**count, low * count, stride, width, steps)


def series(over: Poly, unit: int, under: Poly, count: int, steps: Steps, least: int = 0) -> Shares:
    """The distribution over / (unit under^count). `under` has no negative exponents; a positive one makes it endless.

    Listed coefficients are exact; the list ends, past `least` values, when the rest is less likely than TAIL.
    """
    first, low = under[0], min(over)
    mass = Fraction(sum(over.values()), unit * sum(under.values()) ** count)
    again = sorted([(exponent, -coefficient) for exponent, coefficient in under.items() if exponent])
    if not again or not count:
        return Shares(dict(over.items()), unit * first**count, 1 - mass)
    step = again[0][0]  # each explosion adds this, and divides by `first` again
    last = max(max(over) - low + step, least)
    while True:
        bits = last // step * first.bit_length()
        steps.take(count * last * len(again) * (1 + bits / 1000))
        steps.multiply(bits // 2, bits // 2, often=last)
        powers = [first**nth for nth in range(last // step + 2)]
        coefficients = [over.get(low + k, 0) * powers[k // step] for k in range(last)]
        for _ in range(count):
            for k in range(step, last):
                for at, coefficient in again:
                    if at > k:
                        break
                    coefficients[k] += coefficient * coefficients[k - at] * powers[k // step - (k - at) // step - 1]
        longest = (last - 1) // step
        coefficients = [ways * powers[longest - k // step] for k, ways in enumerate(coefficients)]
        total = unit * first ** (count + longest)
        spare = floor((TAIL - mass) * total) + sum(coefficients)
        if spare >= 0:
            break
        last *= 2
    while coefficients[-1] <= spare and len(coefficients) > least:
        spare -= coefficients.pop()
    return Shares({low + k: ways for k, ways in enumerate(coefficients) if ways}, total, 1 - mass)


# A polynomial as one long integer, with a fixed number of bytes for each coefficient, multiplies quickly.


def stride_of(*polys: Poly) -> int:
    """The greatest common divisor of the differences between exponents."""
    lows = [min(poly) for poly in polys]
    return gcd(*[exponent - low for poly, low in zip(polys, lows, strict=True) for exponent in poly]) or 1


def width_for(most: int) -> int:
    """The bytes for a signed coefficient of at most `most`."""
    return most.bit_length() // 8 + 1


def pack(poly: Poly, low: int, stride: int, width: int, steps: Steps) -> int:
    """The value of the polynomial at 256^width, the lowest exponent being `low`."""
    below = {exponent: -coefficient for exponent, coefficient in poly.items() if coefficient < 0}
    if below:
        poly = {exponent: coefficient for exponent, coefficient in poly.items() if coefficient > 0}
        return pack(poly, low, stride, width, steps) - pack(below, low, stride, width, steps)
    size = ((max(poly, default=low) - low) // stride + 1) * width
    steps.take(len(poly) + size / 80)
    slots = bytearray(size)
    for exponent, coefficient in poly.items():
        at = (exponent - low) // stride * width
        slots[at : at + width] = coefficient.to_bytes(width, "little")
    return int.from_bytes(slots, "little")


def unpack(packed: int, low: int, stride: int, width: int, steps: Steps) -> Poly:
    """Unpack the polynomial, after adding half a slot to each coefficient to make them positive."""
    slots = packed.bit_length() // (8 * width) + 2
    steps.take(2 * slots)
    half = 1 << 8 * width - 1
    raised_by = int.from_bytes(half.to_bytes(width, "little") * slots, "little")
    data = (packed + raised_by).to_bytes((slots + 1) * width, "little")
    poly = {}
    for k in range(slots):
        coefficient = int.from_bytes(data[k * width : (k + 1) * width], "little") - half
        if coefficient:
            poly[low + stride * k] = coefficient
    return poly


# Keep and drop.


@dataclass(frozen=True, slots=True)
class Group:
    """`count` dice with the same distribution."""

    count: int
    weights: Poly


def window(groups: Sequence[Group], start: int, end: int, gain: Callable[[int], Poly], steps: Steps) -> Poly:
    """The sum of the dice from `start` to `end` in ascending order; a die with a value adds the `gain` of it.

    Dynamic programming over the values in order: at each, any number of the unplaced dice show it. The
    number of dice placed says which of them count; after `end`, the others may show any later value.
    """
    count = sum(group.count for group in groups)
    everything: int = prod(sum(group.weights.values()) ** group.count for group in groups)  # the weight of all throws
    if start >= end:
        return {0: everything}
    values = sorted({value for group in groups for value in group.weights})
    if count - start < end:  # start from the end with fewer dice to place
        values, start, end = values[::-1], count - end, count - start
    steps.take(10 * len(values))
    gains = {value: gain(value) for value in values}
    low, stride = min(map(min, gains.values())), stride_of(added(dict.fromkeys(poly, 1) for poly in gains.values()))
    width = width_for(everything * max(sum(map(abs, poly.values())) for poly in gains.values()) ** (end - start))
    left = [sum(group.weights.values()) for group in groups]  # the weight of the values to come
    states, done = {(0,) * len(groups): 1}, 0  # by dice placed of each group, the ways as a packed polynomial
    for value in values:
        packed = pack(gains[value], low, stride, width, steps)
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
                    steps.multiply(ways.bit_length(), power.bit_length())
                    steps.take(shift / 2_000)
            states = following
    return unpack(done, low * (end - start), stride, width, steps)
