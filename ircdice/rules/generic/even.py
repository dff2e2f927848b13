"""The highest of many plain dice, or the lowest: the sum of what lies beyond a value is (1 - x^n) / (1 - x) to a power,

so that the division waits until the end and each die more costs a shift and a subtraction.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate
from math import comb
from typing import NamedTuple

from ircdice.rules.generic.packing import width_for
from ircdice.rules.generic.work import A_COMB, of_product, of_sum, spend

BIT = 3e-11  # seconds of a bit shifted


class Step(NamedTuple):
    """A value: how many sides show it, and in which slot what it is worth stands."""

    weight: int
    slot: int


def shown(weight: int, behind: int, count: int, number: int) -> Iterator[int]:
    """In how many ways, when 1, 2, … of the `number` dice are still wanted, `count` dice can have all others beyond a
    value and at least as many as are wanted on it, it having so much `weight` and what lies `behind` it.
    """
    others = count - number + 1
    half = (weight + behind).bit_length() * count / 2
    spend(number * (2 * A_COMB + 3 * of_product(half, half)))
    enough = (weight + behind) ** others - behind**others
    for wanted in range(1, number + 1):
        yield comb(count, others) * enough
        exactly = comb(others, wanted) * weight**wanted * behind ** (others - wanted)
        enough = (weight + behind) * enough - behind * exactly
        others += 1


def first(steps: Sequence[Step], count: int, number: int, width: int) -> int:
    """By the value of the last die kept, the weights being alike and the slots one beside the other."""
    weight, wide = steps[0].weight, width_for(1 << width + number)
    row = [1]
    for _ in range(number):
        row.append(row[-1] - (row[-1] << wide))
    found = 0
    for beyond in range(len(steps)):
        here, run = 0, wide * beyond
        for wanted, ways in enumerate(shown(weight, weight * (len(steps) - beyond - 1), count, number), 1):
            spend(4 * of_sum(here.bit_length()) + of_product(row[wanted].bit_length(), width))
            here = (here - (here << run) << wide) * weight + ways * row[wanted]
        found += here << (len(steps) - beyond - 1) * number * wide
    return _packed(_divided(found, wide, number, (len(steps) - 1) * number + 1), width, steps[0].slot == 0)


def seconds(steps: Sequence[Step], count: int, number: int, width: int) -> float:
    """About how long `first` takes."""
    slots = len(steps) * number
    return slots * ((slots / 4 + number) * (width + number) * 3 * BIT + 1e-6 * (1 + count / 50)) + slots * number * 6e-8


def _divided(found: int, width: int, times: int, slots: int) -> list[int]:
    """The weights of a packed product with (1 - x)^times, each of which may be less than 0."""
    half, size = 1 << width - 1, width // 8
    lifted = found + half * ((1 << width * (slots + times)) - 1) // ((1 << width) - 1)
    raw = lifted.to_bytes(size * (slots + times) + 1, "little")
    weights = [int.from_bytes(raw[at : at + size], "little") - half for at in range(0, slots * size, size)]
    for _ in range(times):
        spend(len(weights) * of_sum(width))
        weights = list(accumulate(weights))
    return weights


def _packed(weights: Sequence[int], width: int, mirrored: bool) -> int:
    size = width // 8
    slots = [weight.to_bytes(size, "little") for weight in weights]
    return int.from_bytes(b"".join(reversed(slots) if mirrored else slots), "little")
