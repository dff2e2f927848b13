"""What one die comes to through modifiers that look at each die alone: reroll, explode, raise and lower.

They are taken from the last to the first, so that each is a change to the worth of a face.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from itertools import pairwise
from math import ceil, log

from grammars.generic import Compare, Dice, Modifier
from grammars.tokens import MOST_DRAWN
from ircdice.rules.generic.packing import MOST_BITS, convolved, stride_of
from ircdice.rules.generic.refusing import never_ending, too_many, too_much
from ircdice.rules.generic.spread import MOST_VALUES, FaceWorth, Spread, mixed
from ircdice.rules.generic.work import A_VALUE, spend

FEW_FACES = 100  # that are counted one by one
A_FACE = 2_500  # steps of looking up what one is worth
TAIL = 1e-13  # what may be cut off of one endless chain of explosions


def fresh(dice: Dice) -> Mapping[int, int]:
    """The faces of a die, and how many sides show each."""
    if dice.sides > MOST_VALUES:
        raise too_many(dice.sides, MOST_VALUES)
    spend(len(dice.faces) * A_VALUE / 3)
    return dict(Counter(dice.faces)) if dice.listed else dict.fromkeys(dice.faces, 1)


def sides_of(dice: Dice) -> int:
    """How many sides a die has, those that show the same among them."""
    return len(dice.listed) or dice.sides


def unchanged(dice: Dice) -> Spread:
    """How one die is spread that no modifier looks at."""
    faces = fresh(dice)
    return Spread(faces, sum(faces.values()))


def unmodified(dice: Dice) -> Spread:
    """What such a die adds: its value, or where the term counts, whether it matches."""
    counts, faces = dice.counts, dice.faces
    if counts is None:
        return unchanged(dice)
    if dice.less is None and len(faces) <= FEW_FACES:
        matching = counts.among(faces)
        hits = {0: len(faces) - matching, 1: matching}
        return Spread({value: weight for value, weight in hits.items() if weight}, len(faces))
    found: defaultdict[int, int] = defaultdict(int)
    adds = _added(dice)
    for face, weight in _alike(dice):
        found[adds(face)] += weight
    return Spread(found, sides_of(dice))


def _alike(dice: Dice) -> Iterable[tuple[int, int]]:
    """For a counting term, one face of each row of faces that it cannot tell from each other, and how many they are."""
    if dice.listed:
        return fresh(dice).items()
    starts = {1, dice.sides + 1}
    for compare in (dice.counts, dice.less):
        if compare:
            starts.update([number for number in (compare.number, compare.number + 1) if 1 <= number <= dice.sides])
    return [(start, following - start) for start, following in pairwise(sorted(starts))]


def _added(dice: Dice) -> Callable[[int], int]:
    """What a value adds: itself, or where the term counts (GD-07) whether it matches, less whether it is taken away."""
    counts, less = dice.counts, dice.less
    if counts is None:
        return int
    if less is None:
        return lambda value: int(counts.matches(value))
    return lambda value: counts.matches(value) - less.matches(value)


def final_worth(dice: Dice) -> FaceWorth:
    """What a kept die adds, for certain."""
    adds = _added(dice)
    return cache(lambda value: Spread.certain(adds(value)))


def worth_through(dice: Dice, modifiers: Sequence[Modifier], worth: FaceWorth) -> FaceWorth:
    """The worth of a face that still has `modifiers` before it, one die for itself."""
    for modifier in reversed(modifiers):
        worth = cache(_STEPS[modifier.name](dice, modifier, worth))
    return worth


def _clamped(_dice: Dice, modifier: Modifier, worth: FaceWorth) -> FaceWorth:
    clamp = max if modifier.name == "mi" else min
    return lambda value: worth(clamp(value, modifier.number))


def _once(dice: Dice, modifier: Modifier, worth: FaceWorth) -> FaceWorth:
    """`ro`: any face in the place of one that matches."""
    matches, anew = compare_of(modifier).matches, cache(lambda: mean_worth(fresh(dice), worth))
    return lambda value: anew() if matches(value) else worth(value)


def _until(dice: Dice, modifier: Modifier, worth: FaceWorth) -> FaceWorth:
    """`r`: a face that does not match, by its share among those."""
    matches = compare_of(modifier).matches
    anew = cache(lambda: mean_worth(parted(fresh(dice), modifier)[1], worth))
    return lambda value: anew() if matches(value) else worth(value)


def _exploding(dice: Dice, modifier: Modifier, worth: FaceWorth) -> FaceWorth:
    """`!` and `!p`, and `!!` where a die adds what its faces add: one die, and the dice that it brings."""
    matches, less = compare_of(modifier).matches, modifier.name == "!p"
    chain = cache(lambda: chained(dice, modifier, lambda face: worth(face - less)))
    return lambda value: worth(value).combined("+", chain()) if matches(value) else worth(value)


def _compounding(dice: Dice, modifier: Modifier, worth: FaceWorth) -> FaceWorth:
    """`!!`: the value of a die with all that was added to it, and then its worth."""
    matches = compare_of(modifier).matches
    chain = cache(lambda: chained(dice, modifier, Spread.certain))

    def compounded(value: int) -> Spread:
        if not matches(value):
            return worth(value)
        added = chain()
        spend(len(added.weights) * 6 * A_VALUE)
        return mixed([(weight, worth(value + int(more))) for more, weight in added.weights.items()], added.total)

    return compounded


_STEPS: Mapping[str, Callable[[Dice, Modifier, FaceWorth], FaceWorth]] = {
    "mi": _clamped,
    "ma": _clamped,
    "ro": _once,
    "r": _until,
    "!": _exploding,
    "!p": _exploding,
    "!!": _compounding,
}


def compare_of(modifier: Modifier) -> Compare:
    """The comparison of a modifier that draws."""
    assert modifier.compare is not None
    return modifier.compare


def parted(weights: Mapping[int, int], modifier: Modifier) -> tuple[dict[int, int], dict[int, int]]:
    """Those of the faces that match, and those that do not."""
    matches = compare_of(modifier).matches
    spend(len(weights) * 4 * A_VALUE)
    matching = {face: weight for face, weight in weights.items() if matches(face)}
    return matching, {face: weight for face, weight in weights.items() if face not in matching}


def mean_worth(weights: Mapping[int, int], worth: FaceWorth) -> Spread:
    """The worth of a die that shows faces by `weights`."""
    spend(len(weights) * A_FACE)
    return mixed([(weight, worth(face)) for face, weight in weights.items()], sum(weights.values()))


def partial_worth(weights: Mapping[int, int], worth: FaceWorth, total: int) -> Spread:
    """The same for some of the faces of a die: together they are less than `total`."""
    spend(len(weights) * A_FACE)
    return mixed([(weight, worth(face)) for face, weight in weights.items()], total)


def chained(dice: Dice, modifier: Modifier, worth: FaceWorth) -> Spread:
    """All that one exploding die brings: a chain of faces that match, and one that does not; cut off below TAIL."""
    sides = sides_of(dice)
    matching, others = parted(fresh(dice), modifier)
    ending = partial_worth(others, worth, sides)
    if not matching:
        return ending
    links, again = longest_chain(sum(matching.values()) / sides), partial_worth(matching, worth, sides)
    if _bits(ending, again, links) > MOST_BITS * 16:
        raise too_much()
    parts, link = [(1, ending)], ending
    for _ in range(links):
        weights = convolved(link.weights, again.weights)
        link = Spread(weights, link.total * again.total)
        parts.append((1, link))
    return mixed(parts, 1)


def _bits(ending: Spread, again: Spread, links: int) -> int:
    """About how many bits are gone through for a chain that grows link by link."""
    stride = stride_of(ending.weights, again.weights)
    span = (max(again.weights) - min(again.weights)) // stride + max(map(abs, again.weights)) // stride
    width = max(again.total.bit_length(), 8)
    found: int = width * (span + 1) * links**3 // 3
    return found


def longest_chain(chance: float) -> int:
    """How often in a row a die explodes before the rest is less likely than TAIL."""
    links = ceil(log(TAIL) / log(chance)) if chance > 0 else 0
    if links > MOST_DRAWN // 2:
        raise never_ending()
    return links
