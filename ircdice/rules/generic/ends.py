"""The highest of many dice that are alike, or all but the lowest (GD-02), by the value at which the choice is made.

What lies beyond that value is kept, what lies behind it is not, and of the dice that show it as many as are wanted: a
term for each value and each number of dice on one side of it, and no die is sorted. Spreads are packed integers.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from operator import itemgetter
from typing import NamedTuple

from ircdice.rules.generic import even
from ircdice.rules.generic.even import shown
from ircdice.rules.generic.packing import pack, stride_of, unpack, width_for
from ircdice.rules.generic.sums import summed
from ircdice.rules.generic.work import A_VALUE, of_product, of_sum, spend

MOST_SECONDS = 0.5
PRODUCT, A_WAY, A_SUM = 1e-11, 1e-6, 1e-6  # seconds of a bit multiplied, of a way, of a sum
BIT = 3e-11  # of a bit shifted
FEW_SLOTS, A_WAY_STEPS = 6, 700


class Way(NamedTuple):
    """About how long something takes, and the doing of it."""

    seconds: float
    found: Callable[[], Mapping[int, int]]


def one_end(weights: Mapping[int, int], count: int, number: int, worth: Mapping[int, int]) -> Way:
    """What the `number` first of `count` dice are worth, `weights` being in the order in which they are kept."""
    if number == 0 or len(weights) == 1:
        alone = {number * worth[next(iter(weights))] if number else 0: sum(weights.values()) ** count}
        return Way(0, lambda: alone)
    if number == count:
        return Way(0, lambda: summed(_by_worth((weight, worth[value]) for value, weight in weights.items()), count))
    row = even.Row.of(weights, worth)
    if row is not None:
        seconds = even.of_lowest(row.sides, count, number) / 1e9
        return Way(seconds, lambda: row.by_value(even.lowest(row.sides, count, number), count, number))
    packing = Packing.of(weights, count, worth)
    seconds, way = _cheapest(packing, count, number)
    given = packing.lowest * number, packing.stride, packing.width
    return Way(seconds, lambda: unpack(way(packing.steps, count, number, packing.width), *given))


class Step(NamedTuple):
    """A value: how many sides show it, and in which slot what it is worth stands."""

    weight: int
    slot: int


class Packing(NamedTuple):
    """Where in a packed spread each value's worth stands."""

    steps: Sequence[Step]
    lowest: int
    stride: int
    width: int

    @classmethod
    def of(cls, weights: Mapping[int, int], count: int, worth: Mapping[int, int]) -> Packing:
        """`count` dice at most, each with the `worth` of the value that it shows."""
        spend(len(weights) * 10 * A_VALUE)
        worths = [worth[value] for value in weights]
        lowest, stride = min(worths), stride_of(dict.fromkeys(worths, 1))
        steps = [Step(weight, (worth[value] - lowest) // stride) for value, weight in weights.items()]
        return cls(steps, lowest, stride, width_for(2 * sum(weights.values()) ** count))


_Packed = Callable[[Sequence[Step], int, int, int], int]


def _cheapest(packing: Packing, count: int, number: int) -> tuple[float, _Packed]:
    ways = (_first, _seconds_by_kept), (_all_but_last, _seconds_by_dropped)
    prices = [(price(packing.steps, count, number, packing.width), way) for way, price in ways]
    return min(prices, key=itemgetter(0))


def _seconds_by_kept(steps: Sequence[Step], count: int, number: int, width: int) -> float:
    """About how long `_first` takes: products with a few faces, and the ways to each."""
    size = number * max(step.slot for step in steps) * width
    return len(steps) * number * (_product(steps, size / 2, width) + A_WAY * (1 + count / 50))


def _seconds_by_dropped(steps: Sequence[Step], count: int, number: int, width: int) -> float:
    """About how long `_all_but_last` takes: a power, a product of two long ones, and those that lead to it."""
    span = max(step.slot for step in steps)
    dropped, size = (count - number) * span * width, count * span * width
    product = size * dropped**0.585 * PRODUCT + (count - number) * _product(steps, dropped, width)
    seconds: float = len(steps) * (2 * product + count * span * A_SUM)
    return seconds


def _product(steps: Sequence[Step], size: float, width: int) -> float:
    """About how long a product of so many bits with a few faces takes."""
    span = max(step.slot for step in steps)
    if len({step.weight for step in steps}) == 1 and span == len(steps) - 1:
        return size * min(len(steps), 8) * BIT
    seconds: float = size * min(span * width, size) ** 0.585 * PRODUCT
    return seconds


def _first(steps: Sequence[Step], count: int, number: int, width: int) -> int:
    """By the value of the last die kept: j dice lie beyond it, and at least as many as are wanted show it."""
    found, behind, beyond = 0, sum(step.weight for step in steps), _Faces(width)
    size = number * max(step.slot for step in steps) * width / 2
    for weight, slot in steps:
        behind -= weight
        here = 0
        spend(number * (A_WAY_STEPS + beyond.steps(size) + 2 * of_sum(size)))
        for wanted, ways in enumerate(shown(weight, behind, count, number), 1):
            here = beyond.times(here) + (ways << wanted * slot * width)
        found += here
        beyond.add(weight, slot)
    return found


def _all_but_last(steps: Sequence[Step], count: int, number: int, width: int) -> int:
    """By the value of the last die dropped: those with fewer dice behind it than are to go, less those in which the
    dice that show it are too few as well.
    """
    found, behind, dropped, kept, power = 0, sum(step.weight for step in steps), count - number, _Faces(width), 0
    for weight, slot in steps:
        without = kept.times_few(count, behind, dropped, slot) * power
        kept.add(weight, slot)
        behind -= weight
        spend(2 * of_product(power.bit_length(), without.bit_length()))
        power = pack(summed(kept.weights, number + 1), 0, 1, width)
        with_it = kept.times_few(count, behind, dropped, slot) * power
        found += with_it - without >> dropped * slot * width
    return found


def _by_worth(steps: Iterable[tuple[int, int]]) -> dict[int, int]:
    found: defaultdict[int, int] = defaultdict(int)
    for weight, worth in steps:
        found[worth] += weight
    return found


class _Faces:
    """Some faces of a die, packed; where they are even a product with them is made of shifts and sums."""

    def __init__(self, width: int) -> None:
        self.weights: dict[int, int] = {}
        self._width, self._packed = width, 0
        self._slots: list[int] = []
        self._even, self._highest = True, 0

    def add(self, weight: int, slot: int) -> None:
        """One value more."""
        if self._slots and self._even:
            apart = slot - self._slots[-1]
            self._even = apart != 0 and weight == self.weights[self._slots[-1]]
            self._even = self._even and apart == (self._slots[1] - self._slots[0] if len(self._slots) > 1 else apart)
        self._slots.append(slot)
        self._highest = max(self._highest, slot)
        self.weights[slot] = self.weights.get(slot, 0) + weight
        self._packed += weight << slot * self._width

    def steps(self, size: float) -> float:
        """Those of `times` with so many bits."""
        bits = self._packed.bit_length()
        if not self._even or len(self._slots) < FEW_SLOTS:
            return of_product(size, bits) + A_VALUE
        return 3 * len(self._slots).bit_length() * of_sum(size + bits)

    def times(self, packed: int) -> int:
        """`packed` with one more die that shows any of these."""
        if not packed or not self._even or len(self._slots) < FEW_SLOTS:
            return packed * self._packed
        ends = sorted((self._slots[0], self._slots[-1]))
        run = _run(packed, len(self._slots), abs(self._slots[1] - self._slots[0]) * self._width)
        return run * self.weights[ends[0]] << ends[0] * self._width

    def times_few(self, count: int, behind: int, most: int, slot: int) -> int:
        """`most` - 1 dice of which any number, lying behind, is put into `slot` in place of these."""
        found = ways = 1
        bits, size = behind.bit_length() + count.bit_length(), most * max(slot, self._highest) * self._width
        a_way = A_WAY_STEPS + 3 * of_product(bits * most / 2, bits) + 2 * of_sum(size / 2)
        spend(most * (a_way + self.steps(size / 2)))
        for j in range(1, most):
            ways = ways * (count - j + 1) * behind // j
            found = self.times(found) + (ways << j * slot * self._width)
        return found


def _run(packed: int, length: int, shift: int) -> int:
    """`packed`, and itself shifted once, twice, … until there are `length` of it."""
    if length == 1:
        return packed
    half = _run(packed, length // 2, shift)
    whole = half + (half << length // 2 * shift)
    return whole if length % 2 == 0 else packed + (whole << shift)
