"""Sums of chances by whole numbers: a spread packed into one large integer, which multiplies as a polynomial does.

Every weight has a slot of its own, wide enough for the largest sum; CPython multiplies the whole at once.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import gcd

from ircdice.rules.generic.refusing import too_much
from ircdice.rules.generic.work import A_VALUE, of_product, of_sum, spend

MOST_BITS = 2_500_000  # of a packed product: about a fifth of a second, in which nothing else is done
FEW = 50  # weights that are shifted one by one
Weights = Mapping[int, int]  # by value, how many of the equally likely throws come to it


def pack(weights: Weights, lowest: int, stride: int, width: int) -> int:
    """Each weight shifted to its value's slot of `width` bits."""
    spend(of_packing(max(weights) - lowest, stride, width, len(weights)))
    if len(weights) < FEW:
        return sum([weight << (value - lowest) // stride * width for value, weight in weights.items()])
    size = width // 8
    slots = bytearray(((max(weights) - lowest) // stride + 1) * size)
    for value, weight in weights.items():
        start = (value - lowest) // stride * size
        slots[start : start + size] = weight.to_bytes(size, "little")
    return int.from_bytes(slots, "little")


def of_packing(span: int, stride: int, width: int, count: int) -> float:
    """The steps of putting so many weights into slots."""
    bits = span // stride * width
    return count * (of_sum(bits) if count < FEW else 2 * A_VALUE) + bits


def unpack(packed: int, lowest: int, stride: int, width: int) -> dict[int, int]:
    """The weights that are not zero, by value."""
    size = width // 8
    spend(packed.bit_length() // width * A_VALUE + packed.bit_length())
    raw = packed.to_bytes((packed.bit_length() + 7) // 8 + size, "little")
    found = {}
    for slot in range(len(raw) // size):
        weight = int.from_bytes(raw[slot * size : slot * size + size], "little")
        if weight:
            found[lowest + slot * stride] = weight
    return found


def width_for(total: int) -> int:
    """Bits of a slot that holds weights up to `total`, in whole bytes."""
    return (total.bit_length() + 8) // 8 * 8


def stride_of(*spreads: Weights) -> int:
    """The largest step that all values of each spread are apart."""
    apart = 0
    for weights in spreads:
        lowest = min(weights)
        apart = gcd(apart, *[value - lowest for value in weights])
    return apart or 1


def power(weights: Weights, count: int) -> dict[int, int]:
    """The sum of `count` dice, each spread as `weights`, a product of MOST_BITS at most."""
    lowest, stride = min(weights), stride_of(weights)
    width = width_for(sum(weights.values()) ** count)
    half = width * (max(weights) - lowest) // stride * count / 2
    spend(2 * of_product(half, half))
    return unpack(pack(weights, lowest, stride, width) ** count, lowest * count, stride, width)


def convolved(one: Weights, other: Weights) -> dict[int, int]:
    """The sum of two independent values."""
    stride = stride_of(one, other)
    width = width_for(sum(one.values()) * sum(other.values()))
    low, their_low = min(one), min(other)
    if width * (max(one) - low + max(other) - their_low) // stride > MOST_BITS:
        raise too_much()
    spend(of_product(*(width * (max(each) - min(each)) // stride for each in (one, other))))
    product = pack(one, low, stride, width) * pack(other, their_low, stride, width)
    return unpack(product, low + their_low, stride, width)
