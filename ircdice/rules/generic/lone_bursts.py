"""Dice that are kept and explode then, where only the highest face explodes, or only the lowest: by how many show it.

The other dice are plain and kept as such, and what those that explode come to is a power of one quotient.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from math import comb

from grammars.generic import Dice, Modifier
from ircdice.rules.generic.ends import MOST_SECONDS, one_end
from ircdice.rules.generic.quotients import Quotient, last_listed, power, worth_behind
from ircdice.rules.generic.spread import Spread, mixed
from ircdice.rules.generic.work import of_product


def lone_bursts(dice: Dice, weights: Mapping[int, int], number: int, behind: Sequence[Modifier]) -> Spread | None:
    """The `number` first of a term's dice, `weights` being in the order in which they are kept, then `behind`.

    None where it is not the first or the last face alone that explodes, where no die goes on or with less than nothing,
    and where it takes too long.
    """
    chain = worth_behind(dice, behind)
    if min(chain.under) < 0 or len(chain.under) == 1:
        return None
    added = {face: chain.mean({face: 1}) for face in weights}
    worth = {face: min(poly) for face, poly in added.items()}
    bursts = [face for face in weights if added[face] != {worth[face] + each: n for each, n in chain.under.items()}]
    if len(bursts) != 1 or len(weights) == 1 or bursts[0] not in (next(iter(weights)), next(reversed(weights))):
        return None
    first, weight = bursts[0] == next(iter(weights)), weights[bursts[0]]
    plain = {face: weights[face] for face in weights if face not in bursts}
    cases = list(_cases(dice.count, number, first))
    ways = [one_end(plain, others, number - kept, worth) for others, kept in cases]
    if sum([each.seconds for each in ways]) > MOST_SECONDS:
        return None
    found: defaultdict[int, defaultdict[int, int]] = defaultdict(lambda: defaultdict(int))
    for (others, kept), plainly in zip(cases, ways, strict=True):
        shared = comb(dice.count, others) * weight ** (dice.count - others)
        for value, each in plainly.found().items():
            found[kept][value] += shared * each
    burst = Quotient(added[bursts[0]], chain.under, chain.links)
    return _burst(found, burst, sum(weights.values()) ** dice.count)


def _burst(found: Mapping[int, Mapping[int, int]], one: Quotient, throws: int) -> Spread | None:
    """By how many dice explode, what the others come to, made into what all come to: exactly, as far as it goes.

    None where it takes too long.
    """
    lowest, highest = min(map(min, found.values())), max(map(max, found.values()))
    last = max(last_listed([one.over], one, kept) for kept in found) + highest - lowest
    width = throws.bit_length() + one.under[0].bit_length() * max(found)
    if len(found) * of_product(width * last, width * (highest - lowest)) > MOST_SECONDS * 1e9:
        return None
    parts = []
    for kept, others in found.items():
        chains = power(one, kept, last)
        assert chains is not None
        parts.append((1, Spread(others, throws).combined("+", chains)))
    whole = mixed(parts, 1)
    return Spread({value: ways for value, ways in whole.weights.items() if value <= last + lowest}, whole.total)


def _cases(count: int, number: int, first: bool) -> Iterator[tuple[int, int]]:
    """How many dice do not explode, and how many of those that do are kept."""
    for others in range(count + 1):
        yield others, min(count - others, number) if first else max(number - others, 0)
