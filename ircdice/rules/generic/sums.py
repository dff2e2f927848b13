"""The sum of many dice that are spread alike: of the ways to it, the one that suits them. Every weight is exact."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from math import comb

from ircdice.rules.generic import recurrences
from ircdice.rules.generic.packing import MOST_BITS, power, stride_of, width_for
from ircdice.rules.generic.recurrences import steps, thinned
from ircdice.rules.generic.refusing import too_many, too_much
from ircdice.rules.generic.spread import MOST_VALUES
from ircdice.rules.generic.work import A_COMB, A_VALUE, DIGIT, of_product, of_sum, spend

MOST_STEPS = 2_000_000  # about half a second, and so are those that count bits
MOST_BITS_OF_STEPS = 3_000_000_000
Weights = Mapping[int, int]


def summed(weights: Weights, count: int) -> Mapping[int, int]:
    """The sum of `count` dice, each spread as `weights`. RuleError where that would take too long."""
    if count < 2 or len(weights) == 1:
        return {next(iter(weights)) * count: next(iter(weights.values())) ** count} if count != 1 else weights
    if len(weights) == 2:
        return _either(weights, count)
    lowest, stride = min(weights), stride_of(weights)
    span = (max(weights) - lowest) // stride
    values = min(span * count + 1, comb(count + len(weights) - 1, count))
    if values > MOST_VALUES:
        raise too_many(values, MOST_VALUES)
    if values * 4 < span * count:
        return _few(weights, count)
    listed = [weights.get(lowest + slot * stride, 0) for slot in range(span + 1)]
    width = width_for(sum(listed) ** count)
    if len(set(listed)) == 1:
        spend(values * (2 * A_VALUE + 2 * of_product(width, DIGIT)))
        found = _even(span + 1, count, listed[0] ** count)
    elif width * span * count <= MOST_BITS:
        return power(weights, count)
    else:
        found = _uneven(listed, count, width)
    return {lowest * count + slot * stride: weight for slot, weight in enumerate(found) if weight}


def _either(weights: Weights, count: int) -> dict[int, int]:
    """One face or another: Bernoulli's formula."""
    (low, some), (high, others) = sorted(weights.items())
    half = (some + others).bit_length() * count / 2
    spend(count * (A_COMB + 3 * of_product(half, half)))
    ways, found = some**count, {}
    for k in range(count + 1):
        found[low * (count - k) + high * k] = ways
        ways = ways * (count - k) * others // ((k + 1) * some)
    return found


def _even(sides: int, count: int, first: int) -> list[int]:
    """All faces alike. ((1 - x^m) / (1 - x))^n is the solution of a differential equation, so each weight comes of
    three before it; the second half mirrors the first.
    """
    last = count * (sides - 1)
    found = [first]
    for k in range(last // 2):
        weight = (k + count) * found[k]
        if k + 1 >= sides:
            weight += (k + 1 - sides - count * sides) * found[k + 1 - sides]
        if k >= sides:
            weight += (count * (sides - 1) - k + sides) * found[k - sides]
        found.append(weight // (k + 1))
    return found + (found[::-1] if last % 2 else found[-2::-1])


def _uneven(listed: list[int], count: int, width: int) -> list[int]:
    """Any faces, each weight from as many before it as there are faces, or fewer where some in a row are alike."""
    last = (len(listed) - 1) * count
    found_by = steps(*thinned({slot: weight for slot, weight in enumerate(listed) if weight}, {0: 1}), count)
    if last * len(found_by) * (1_000 + width) > MOST_BITS_OF_STEPS:
        raise too_much()
    return recurrences.weights(found_by, listed[0] ** count, last, None)


def _few(weights: Weights, count: int) -> dict[int, int]:
    """Faces far apart: the few sums that they come to, one by one."""
    found: dict[int, int] = {0: 1}
    for _ in range(count):
        longer: defaultdict[int, int] = defaultdict(int)
        spend(len(found) * len(weights) * (A_VALUE + of_sum(sum(weights.values()).bit_length() * count)))
        for value, ways in found.items():
            for face, weight in weights.items():
                longer[value + face] += ways * weight
        found = longer
        if len(found) * len(weights) * count > MOST_STEPS:
            raise too_much()
    return found
