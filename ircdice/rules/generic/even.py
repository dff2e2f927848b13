"""Keep and drop of many plain dice: a row of faces is (1 - x^n) / (1 - x), and a power of what stands above is short.

That is put together by the value or the two values where the choice is made, and the divisions are left for the end,
where each is a running sum. Slots count from the lowest face, or from the highest.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate, combinations_with_replacement, product
from math import comb
from typing import NamedTuple

from ircdice.rules.generic.work import A_COMB, A_VALUE, of_product, spend

A_TERM, A_RUN, A_SUM = 120, 1_000, 60  # steps, but for the length of what is added


class Row(NamedTuple):
    """A plain die: each of its `sides` values has the same `weight`, and what they are worth goes up or down by steps
    from the `first`.
    """

    sides: int
    weight: int
    first: int
    step: int

    @classmethod
    def of(cls, weights: Mapping[int, int], worth: Mapping[int, int]) -> Row | None:
        """These values, in that order, each with its `worth`; None where they are no such die."""
        spend(len(weights) * 4 * A_VALUE)
        worths = [worth[value] for value in weights]
        first, sides = worths[0], len(worths)
        step = worths[1] - first if sides > 1 else 1
        if not step or worths != [*range(first, first + step * sides, step)] or len({*weights.values()}) > 1:
            return None
        return cls(sides, next(iter(weights.values())), first, step)

    def by_value(self, found: Sequence[int], count: int, number: int) -> dict[int, int]:
        """What `number` of `count` such dice come to, `found` by how many steps there are from the first value."""
        throws, first, step = self.weight**count, self.first * number, self.step
        by_step = [(first + steps * step, ways * throws) for steps, ways in enumerate(found)]
        return dict(by_step if step > 0 else reversed(by_step))


def shown(weight: int, behind: int, count: int, number: int) -> Iterator[int]:
    """In how many ways, when 1, 2, … of the `number` dice are still wanted, `count` dice can have all others beyond a
    value and at least as many as are wanted on it, it having so much `weight` and what lies `behind` it.
    """
    others, whole = count - number + 1, weight + behind
    half = whole.bit_length() * count / 2
    spend(number * (2 * A_COMB + 3 * of_product(half, half)))
    beyond = behind ** (count - number)
    enough = whole**others - behind * beyond
    yield comb(count, others) * enough
    for wanted in range(1, number):
        exactly = comb(others, wanted) * weight**wanted * beyond
        enough = whole * enough - behind * exactly
        others += 1
        yield comb(count, others) * enough


def lowest(sides: int, count: int, number: int) -> list[int]:
    """The `number` lowest of `count` dice, by the value of the last that is kept, or of the first that is not."""
    spend(of_lowest(sides, count, number))
    ways = [list(shown(1, sides - beyond - 1, count, number)) for beyond in range(sides)]
    found = [0] * (number * (sides - 1) + 1)
    for others in range(number - 1, 0, -1):  # that lie beyond it
        signs, wanted = _signs(others), number - others
        for beyond in range(1, sides):
            _add(found, beyond * wanted, beyond, signs, ways[beyond][wanted - 1])
        found = list(accumulate(found))
    for beyond in range(sides):
        found[beyond * number] += ways[beyond][-1]
    return found


def of_lowest(sides: int, count: int, number: int) -> float:
    """The steps of that."""
    bits = sides.bit_length() * count
    return sides * number * (number * (A_TERM + A_SUM + bits / 8) + A_RUN)


def trimmed(sides: int, count: int, drops: tuple[int, int]) -> list[int]:
    """`count` dice less the `drops` lowest and highest, 1 at least: those with fewer dice below a value and fewer above
    another than are dropped, less those of which that can be said of the next ones as well.
    """
    spend(of_trimmed(sides, count, drops))
    kept, lift = count - sum(drops), drops[1] * sides
    found = [0] * (lift + kept * (sides - 1) + 1)
    for beside in range(count):
        signs = _signs(count - beside)
        for (at, apart), ways in _beside(sides, count, drops, beside).items():
            _add(found, lift + at, apart, signs, ways)
        found = list(accumulate(found))
    return found[lift:]


def of_trimmed(sides: int, count: int, drops: tuple[int, int]) -> float:
    """The steps of that."""
    bits = sides.bit_length() * count
    runs = 1.5 * sides**2 * drops[0] * drops[1]
    return runs * (A_RUN + count * (A_TERM + bits / 8)) + count**2 * sides * (A_SUM + bits / 40)


def _beside(sides: int, count: int, drops: tuple[int, int], beside: int) -> Mapping[tuple[int, int], int]:
    """By the first slot and how many values there are between the two, the ways for so many dice to lie beside them."""
    found: defaultdict[tuple[int, int], int] = defaultdict(int)
    for below in range(max(beside - drops[1] + 1, 0), min(beside, drops[0] - 1) + 1):
        above, low, high = beside - below, drops[0] - below, drops[1] - beside + below
        shared = comb(count, below) * comb(count - below, above)
        for first, last in combinations_with_replacement(range(sides), 2):
            ways = shared * first**below * (sides - last - 1) ** above
            for lower, higher in product((first, first - 1)[: first + 1], (last, last + 1)[: sides - last]):
                at = (count - beside) * first - low * lower - high * higher
                found[at, last - first + 1] += ways if lower - first == last - higher else -ways
    return found


def _signs(power: int) -> list[int]:
    """What stands in (1 - x)^power."""
    return [(-1) ** place * comb(power, place) for place in range(power + 1)]


def _add(found: list[int], at: int, apart: int, signs: Sequence[int], ways: int) -> None:
    """Put a row of terms where it belongs, as far as the slots go."""
    for place, sign in zip(range(at, len(found), apart), signs, strict=False):
        found[place] += ways * sign
