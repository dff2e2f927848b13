"""Every hand of one term, the order of its dice forgotten: for what draws dice between two choices of them.

The slow way, for terms that no other way fits; it gives up where there are too many hands.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from math import lcm

from grammars.generic import Dice, Modifier
from grammars.generic.dice import SELECTING
from ircdice.rules.generic.gains import compare_of, fresh, longest_chain, parted
from ircdice.rules.generic.packing import too_much
from ircdice.rules.generic.spread import Spread
from ircdice.rules.generic.throwing import counted

MOST_STEPS = 300_000
Hand = tuple[int, ...]  # kept values, lowest first
Hands = Mapping[Hand, Fraction]
Outcomes = list[tuple[Hand, Fraction]]  # what one die may become


def enumerated(dice: Dice) -> Spread:
    """The spread of a term, hand by hand."""
    sides = sum(fresh(dice).values())
    any_face: Outcomes = [((face,), Fraction(weight, sides)) for face, weight in fresh(dice).items()]
    hands = _each({(0,) * dice.count: Fraction(1)}, lambda _: any_face)
    for modifier in dice.modifiers:
        if modifier.name in SELECTING:
            hands = _chosen(hands, modifier)
        else:
            becomes = _BECOMES[modifier.name](dice, modifier)
            hands = _each(hands, becomes)
    return _spread(dice, hands)


def _spread(dice: Dice, hands: Hands) -> Spread:
    total = lcm(*[chance.denominator for chance in hands.values()])
    found: defaultdict[int, int] = defaultdict(int)
    for hand, chance in hands.items():
        found[counted(dice, hand)] += chance.numerator * (total // chance.denominator)
    return Spread(found, total)


def _each(hands: Hands, becomes: Callable[[int], Outcomes]) -> Hands:
    """Every hand with each of its dice made into what it may become."""
    steps = 0
    found: defaultdict[Hand, Fraction] = defaultdict(Fraction)
    for hand, chance in hands.items():
        partial: dict[Hand, Fraction] = {(): chance}
        for value in hand:
            longer: defaultdict[Hand, Fraction] = defaultdict(Fraction)
            outcomes = becomes(value)
            steps += len(partial) * len(outcomes)
            if steps > MOST_STEPS:
                raise too_much()
            for start, weight in partial.items():
                for more, share in outcomes:
                    longer[tuple(sorted(start + more))] += weight * share
            partial = longer
        for whole, weight in partial.items():
            found[whole] += weight
    return found


def _chosen(hands: Hands, modifier: Modifier) -> Hands:
    """GD-02, of dice that are sorted already."""
    found: defaultdict[Hand, Fraction] = defaultdict(Fraction)
    for hand, chance in hands.items():
        number = min(modifier.number, len(hand))
        dropped = len(hand) - number
        kept = {
            "k": hand[dropped:],
            "kl": hand[:number],
            "dl": hand[number:],
            "dh": hand[:dropped],
        }[modifier.name]
        found[kept] += chance
    return found


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
    for _ in range(longest_chain(sum(matching.values()) / sides) + 1):
        longer: defaultdict[Hand, Fraction] = defaultdict(Fraction)
        if len(chains) * sides > MOST_STEPS:
            raise too_much()
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
