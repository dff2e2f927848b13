"""Dice that are alike, of which the highest or the lowest are kept, and explode then (GD-08): exactly, without end.

What a kept die adds is a quotient, and all have one denominator: so the choice is counted as that of any dice, each
value's worth a polynomial, and divided at the end.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from grammars.generic import Dice, Modifier
from ircdice.rules.generic.even import shown
from ircdice.rules.generic.packing import pack, unpack, width_for
from ircdice.rules.generic.quotients import inverse, last_listed, worth_behind
from ircdice.rules.generic.recurrences import Poly
from ircdice.rules.generic.spread import Spread
from ircdice.rules.generic.work import of_product, of_sum, spend

MOST_TERMS = 20_000  # of all faces together: about 0.1 s
MOST_WORK = 3e10  # bits of all products, each a little dearer with its length: about a third of a second


def chosen_bursts(dice: Dice, weights: Mapping[int, int], number: int, behind: Sequence[Modifier]) -> Spread | None:
    """The `number` first of a term's dice, `weights` being in the order in which they are kept, then `behind`.

    None where a die may go on with less than nothing, and where another way may be shorter.
    """
    worth = worth_behind(dice, behind)
    if min(worth.under) < 0 or len(worth.under) == 1:
        return None
    faces, terms = {}, 0
    for face in weights:
        faces[face] = worth.mean({face: 1})
        terms += len(faces[face])
        if terms > MOST_TERMS:
            return None
    lowest = min(map(min, faces.values()))
    polys = {face: {value - lowest: each for value, each in poly.items()} for face, poly in faces.items()}
    last = last_listed(list(polys.values()), worth, number)
    ending, out_of = inverse(worth.under, number, last)
    throws = sum(weights.values()) ** dice.count
    width = width_for(2 * throws * out_of)
    if _work(polys, number, last, width) > MOST_WORK:
        return None
    packed = _chosen(polys, weights, (dice.count, number), width)
    spend(of_product(packed.bit_length(), width * last))
    product = packed * pack(dict(enumerate(ending)), 0, 1, width) & (1 << width * (last + 1)) - 1
    return Spread(unpack(product, lowest * number, 1, width), throws * out_of)


def _work(polys: Mapping[int, Poly], number: int, last: int, width: int) -> float:
    span = max(map(max, polys.values()))
    product = number * span * width * (span * width) ** 0.585 / 2
    found: float = len(polys) * number * product * 2 + last * width * (number * span * width) ** 0.585
    return found


def _chosen(polys: Mapping[int, Poly], weights: Mapping[int, int], dice: tuple[int, int], width: int) -> int:
    """By the value of the last die kept, as `ends` has it."""
    found, behind, beyond = 0, sum(weights.values()), 0
    for face, weight in weights.items():
        spend(len(polys[face]) * of_sum(max(polys[face], default=0) * width))
        worth = sum([each << value * width for value, each in polys[face].items()])
        behind -= weight
        here, shows = 0, 1
        for ways in shown(weight, behind, *dice):
            spend(
                of_product(shows.bit_length(), worth.bit_length()) + of_product(here.bit_length(), beyond.bit_length())
            )
            shows *= worth
            here = here * beyond + ways * shows
        found += here
        beyond += weight * worth
    return found
