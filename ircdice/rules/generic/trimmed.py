"""Dice that are alike, some of the lowest and some of the highest dropped (GD-02): by the two values where that ends.

The n-th lowest is u, and the m-th highest v: with fewer than n dice below u and fewer than m above v, less those throws
of which that can be said of the values next to them as well. What lies between is a power of so many faces.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, product
from math import comb, inf

from ircdice.rules.generic import even
from ircdice.rules.generic.ends import BIT, PRODUCT, Packing, Step
from ircdice.rules.generic.packing import pack, unpack
from ircdice.rules.generic.sums import summed
from ircdice.rules.generic.work import A_COMB, A_VALUE, DIGIT, of_product, of_sum, spend

MOST_VALUES = 60  # there are as many pairs of them as their square
A_RANGE = 3e-6  # seconds of a pair of values, and of each way to share out what is dropped
Shape = tuple[tuple[int, int], ...]  # by slot, from 0, how many sides


def trimmed(weights: Mapping[int, int], count: int, drops: tuple[int, int], worth: Mapping[int, int]) -> dict[int, int]:
    """What `count` dice are worth, `weights` in ascending order, less the `drops` lowest and highest, 1 at least."""
    kept = count - sum(drops)
    row = even.Row.of(weights, worth)
    if row is not None:
        return row.by_value(even.trimmed(row.sides, count, drops), count, kept)
    packing = Packing.of(weights, count, worth)
    trim = _Trim.of(packing, count, drops)
    shared: defaultdict[Shape, int] = defaultdict(int)
    for first in range(len(weights)):
        for last in range(first, len(weights)):
            shape, base = _shape(packing.steps[first : last + 1])
            shared[shape] += trim.beside(first, last) << base * (kept + 2) * packing.width
    packed = sum(_placed(dict(shape), kept + 2, packing.width, ways) for shape, ways in shared.items())
    return unpack(packed >> trim.shifted, packing.lowest * kept, packing.stride, packing.width)


def _placed(shape: Mapping[int, int], dice: int, width: int, ways: int) -> int:
    """So many dice of those faces, and the ways to what lies beside them."""
    power = pack(summed(shape, dice), 0, 1, width)
    spend(of_product(power.bit_length(), ways.bit_length()))
    return power * ways


def seconds(weights: Mapping[int, int], count: int, drops: tuple[int, int], worth: Mapping[int, int]) -> float:
    """About how long `trimmed` takes."""
    if even.Row.of(weights, worth) is not None:
        return even.of_trimmed(len(weights), count, drops) / 1e9
    if len(weights) > MOST_VALUES:
        return inf
    packing = Packing.of(weights, count, worth)
    span, values = max(step.slot for step in packing.steps), len(weights)
    spend(values**3 * A_VALUE / 4)
    shapes = len({_shape(packing.steps[i:j])[0] for i in range(values) for j in range(i + 1, values + 1)})
    dropped, whole = sum(drops) * (span + 1) * packing.width, count * span * packing.width
    few = values**2 / 2 * 4 * sum(drops) * (A_RANGE * min(drops) + dropped * min(values, 8) * BIT * 2)
    powers: float = shapes * whole * (dropped**0.585 + 1e-3 * whole**0.585) * PRODUCT * 3
    return few + powers


def _shape(steps: Sequence[Step]) -> tuple[Shape, int]:
    """Some faces by their slots above the lowest of these, and that."""
    base = min(step.slot for step in steps)
    found: defaultdict[int, int] = defaultdict(int)
    for weight, slot in steps:
        found[slot - base] += weight
    return tuple(sorted(found.items())), base


@dataclass(frozen=True)
class _Trim:
    """Values by their `weights` and by the bits that what they are worth is shifted, and the weights below each."""

    count: int
    drops: tuple[int, int]
    weights: Sequence[int]
    shifts: Sequence[int]
    below: Sequence[int]

    @classmethod
    def of(cls, packing: Packing, count: int, drops: tuple[int, int]) -> _Trim:
        weights = [step.weight for step in packing.steps]
        shifts = [step.slot * packing.width for step in packing.steps]
        return cls(count, drops, weights, shifts, [*accumulate(weights, initial=0)])

    @property
    def shifted(self) -> int:
        """How many bits all is shifted, so that nothing is below 0 before the end."""
        return max(self.shifts) * sum(self.drops)

    def beside(self, first: int, last: int) -> int:
        """What goes with a power of the values `first` to `last`: those dice that lie beside it, less what the dice
        that are dropped would be worth at the values where that ends, which are these or the next ones.
        """
        (lowest, highest), found = self.drops, 0
        for lower, higher in product((first, first - 1), (last, last + 1)):
            if lower >= 0 and higher < len(self.weights):
                ends = self.shifts[lower], self.shifts[higher]
                ways = self._ways(first, last, ends) << self.shifted - lowest * ends[0] - highest * ends[1]
                found += ways if (lower == first) == (higher == last) else -ways
        return found

    def _ways(self, first: int, last: int, ends: tuple[int, int]) -> int:
        """At most `sum(drops)` - 2 dice, those beside put where the choice ends, the others any of the values."""
        faces = sum([self.weights[place] << self.shifts[place] for place in range(first, last + 1)])
        below, above, found = self.below[first], self.below[-1] - self.below[last + 1], 0
        for beside in range(sum(self.drops) - 1):
            spend(of_product(found.bit_length(), faces.bit_length()))
            found *= faces
            for low in range(max(beside - self.drops[1] + 1, 0), min(beside, self.drops[0] - 1) + 1):
                high = beside - low
                spend(2 * A_COMB + of_product(self.below[-1].bit_length() * beside, DIGIT) + of_sum(found.bit_length()))
                ways = comb(self.count, low) * comb(self.count - low, high) * below**low * above**high
                found += ways << low * ends[0] + high * ends[1]
        return found
