"""Every hand of one term, the order of its dice forgotten: for what draws dice between two choices of them.

The slow way, for terms that no other way fits; it gives up where there are too many hands.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from math import lcm
from typing import NamedTuple

from grammars.generic import Dice, Modifier
from grammars.generic.values import SELECTING
from ircdice.rules.generic.gains import compare_of, fresh, longest_chain, parted
from ircdice.rules.generic.refusing import too_much
from ircdice.rules.generic.spread import Spread
from ircdice.rules.generic.throwing import counted
from ircdice.rules.generic.work import spend

MOST_STEPS = 150_000
MOST_CHAINS = 15_000
A_HAND = 3_000  # steps
Hand = tuple[int, ...]  # kept values, lowest first
Outcomes = list[tuple[Hand, Fraction]]  # what one die may become


class Hands(NamedTuple):
    """Hands with their weights, together `total`."""

    weights: Mapping[Hand, int]
    total: int


def enumerated(dice: Dice) -> Spread:
    """The spread of a term, hand by hand."""
    sides = sum(fresh(dice).values())
    any_face: Outcomes = [((face,), Fraction(weight, sides)) for face, weight in fresh(dice).items()]
    hands = _each(Hands({(0,) * dice.count: 1}, 1), lambda _: any_face)
    for modifier in dice.modifiers:
        if modifier.name in SELECTING:
            hands = _chosen(hands, modifier)
        else:
            becomes = _BECOMES[modifier.name](dice, modifier)
            hands = _each(hands, becomes)
    found: defaultdict[int, int] = defaultdict(int)
    for hand, weight in hands.weights.items():
        found[counted(dice, hand)] += weight
    return Spread(found, hands.total)


def _each(hands: Hands, becomes: Callable[[int], Outcomes]) -> Hands:
    """Every hand with each of its dice made into what it may become."""
    outcomes = {value: becomes(value) for value in {value for hand in hands.weights for value in hand}}
    common = lcm(*[chance.denominator for each in outcomes.values() for _, chance in each])
    shares = {value: _shares(each, common) for value, each in outcomes.items()}
    most, steps = max(map(len, hands.weights)), 0
    if sum([_fewest_steps(hand, shares) for hand in hands.weights]) > MOST_STEPS:
        raise too_much()
    found: defaultdict[Hand, int] = defaultdict(int)
    for hand, weight in hands.weights.items():
        partial: dict[Hand, int] = {(): weight * common ** (most - len(hand))}
        for value in hand:
            longer: defaultdict[Hand, int] = defaultdict(int)
            steps += len(partial) * len(shares[value])
            if steps > MOST_STEPS:
                raise too_much()
            spend(len(partial) * len(shares[value]) * (A_HAND + 60 * len(hand)))
            for start, ways in partial.items():
                for more, share in shares[value].items():
                    longer[tuple(sorted(start + more))] += ways * share
            partial = longer
        for whole, ways in partial.items():
            found[whole] += ways
    return Hands(found, hands.total * common**most)


def _shares(outcomes: Outcomes, common: int) -> Mapping[Hand, int]:
    """What one die may become, each once, by weights that are `common` together."""
    found: defaultdict[Hand, int] = defaultdict(int)
    for more, chance in outcomes:
        found[more] += chance.numerator * (common // chance.denominator)
    return found


def _fewest_steps(hand: Hand, shares: Mapping[int, Mapping[Hand, int]]) -> int:
    """So many at least: what dice become together is as much as each by itself, but for one, and mostly far more."""
    so_far, steps = 1, 0
    for value in hand:
        steps += so_far * len(shares[value])
        so_far += len(shares[value]) - 1
    return steps


def _chosen(hands: Hands, modifier: Modifier) -> Hands:
    """GD-02, of dice that are sorted already."""
    found: defaultdict[Hand, int] = defaultdict(int)
    for hand, weight in hands.weights.items():
        number = min(modifier.number, len(hand))
        dropped = len(hand) - number
        kept = {
            "k": hand[dropped:],
            "kl": hand[:number],
            "dl": hand[number:],
            "dh": hand[:dropped],
        }[modifier.name]
        found[kept] += weight
    return Hands(found, hands.total)


def _clamping(_dice: Dice, modifier: Modifier) -> Callable[[int], Outcomes]:
    clamp = max if modifier.name == "mi" else min
    return lambda value: [((clamp(value, modifier.number),), Fraction(1))]


def _rerolling(dice: Dice, modifier: Modifier) -> Callable[[int], Outcomes]:
    matches = compare_of(modifier).matches
    faces = fresh(dice) if modifier.name == "ro" else parted(fresh(dice), modifier)[1]
    total = sum(faces.values())
    anew: Outcomes = [((face,), Fraction(weight, total)) for face, weight in faces.items()]
    return lambda value: anew if matches(value) else [((value,), Fraction(1))]


def _exploding(dice: Dice, modifier: Modifier) -> Callable[[int], Outcomes]:
    matches = compare_of(modifier).matches
    chains = list(_chains(dice, modifier))

    def outcomes(value: int) -> Outcomes:
        if not matches(value):
            return [((value,), Fraction(1))]
        if modifier.name == "!!":
            return [((value + sum(chain),), chance) for chain, chance in chains]
        return [((value, *chain), chance) for chain, chance in chains]

    return outcomes


def _chains(dice: Dice, modifier: Modifier) -> Iterator[tuple[Hand, Fraction]]:
    """The further dice of one that exploded, until the rest does not matter."""
    sides, less = sum(fresh(dice).values()), modifier.name == "!p"
    matching, others = parted(fresh(dice), modifier)
    chains: dict[Hand, Fraction] = {(): Fraction(1)}
    steps = 0
    for _ in range(longest_chain(sum(matching.values()) / sides) + 1):
        longer: defaultdict[Hand, Fraction] = defaultdict(Fraction)
        steps += len(chains) * (len(matching) + len(others))
        if steps > MOST_CHAINS:
            raise too_much()
        spend(len(chains) * (len(matching) + len(others)) * 2 * A_HAND)
        for chain, chance in chains.items():
            for face, weight in others.items():
                yield (*chain, face - less), chance * Fraction(weight, sides)
            for face, weight in matching.items():
                longer[tuple(sorted((*chain, face - less)))] += chance * Fraction(weight, sides)
        chains = longer


_BECOMES: Mapping[str, Callable[[Dice, Modifier], Callable[[int], Outcomes]]] = {
    "mi": _clamping,
    "ma": _clamping,
    "r": _rerolling,
    "ro": _rerolling,
    "!": _exploding,
    "!p": _exploding,
    "!!": _exploding,
}
