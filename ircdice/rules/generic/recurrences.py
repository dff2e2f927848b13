"""Powers of a polynomial, or of a quotient of two: each weight comes of a few before it. Exact, and knows no dice."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from ircdice.rules.generic.refusing import too_much
from ircdice.rules.generic.work import A_VALUE, of_product, of_sum, spend

Poly = Mapping[int, int]  # by power, what stands before it
Recurrence = tuple[int, int, int]  # a slot so far before, its factor, and what is taken off that for each slot
RARE = 10**12  # one in so many: what is rarer altogether is not listed
A_SLOT = 1_500  # steps of finding a weight, but for what it is made of
MOST_PRODUCTS = 400_000  # of terms: about 0.1 s


def thinned(over: Poly, under: Poly) -> tuple[Poly, Poly]:
    """The same quotient with fewer terms, where rows of equal ones shrink to their ends."""
    row = {0: 1, 1: -1}
    thinner = product(over, row), product(under, row)
    return thinned(*thinner) if len(thinner[0]) * len(thinner[1]) < len(over) * len(under) else (over, under)


def steps(over: Poly, under: Poly, count: int) -> list[Recurrence]:
    """For P = (N / D)^n is N D x P' = n (N' D - N D') x P: by slot, how many times what stands so far before a slot is
    added to it, as a number and as what is taken off for each slot; the first is what it is divided by.
    """
    both = product(over, under)
    grown = product({v: v * each for v, each in over.items()}, under)
    fallen = product(over, {v: -v * each for v, each in under.items()})
    change = sum_of(grown, fallen)
    slots = sorted({0, *both, *change})
    return [(slot, count * change.get(slot, 0) + slot * both.get(slot, 0), both.get(slot, 0)) for slot in slots]


def weights(found_by: Sequence[Recurrence], first: int, last: int, total: int | None) -> list[int]:
    """As many as `last`, or until what is lacking of `total` is rare."""
    found, lacking, rare = [first], (total or 0) - first, (total or 0) // RARE
    (_, _, divisor), *before = found_by
    factor = max([each.bit_length() for step in found_by for each in step]) + last.bit_length()
    for slot in range(1, last + 1):
        if total and lacking <= rare:
            break
        bits = found[-1].bit_length()
        spend(A_SLOT + len(before) * (A_VALUE + of_product(factor, bits)) + 4 * of_sum(bits))
        weight = sum([(each - slot * taken) * found[slot - back] for back, each, taken in before if back <= slot])
        weight //= divisor * slot
        found.append(weight)
        lacking -= weight
    return found


def scaled(poly: Poly, factor: int) -> Poly:
    """`factor` times that."""
    return {value: each * factor for value, each in poly.items()} if factor else {}


def sum_of(one: Poly, other: Poly) -> Poly:
    """Both together."""
    found = defaultdict[int, int](int, one)
    for value, each in other.items():
        found[value] += each
    return {value: each for value, each in found.items() if each}


def product(one: Poly, other: Poly) -> Poly:
    """One times the other, term by term. RuleError where there are too many."""
    if len(one) * len(other) > MOST_PRODUCTS:
        raise too_much()
    any_of_each = [next(iter(poly.values()), 0).bit_length() for poly in (one, other)]
    spend(len(one) * len(other) * (A_VALUE * 2 / 3 + of_product(*any_of_each)))
    found: defaultdict[int, int] = defaultdict(int)
    for value, each in one.items():
        for their, their_each in other.items():
            found[value + their] += each * their_each
    return {value: each for value, each in found.items() if each}
