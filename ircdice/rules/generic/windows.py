"""Keep and drop by counting (GD-02): the spread of what a stretch of the sorted dice is worth, never sorting any.

Values are gone through from one end; at each, so many dice may show it, in as many ways as there are to choose them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from math import comb, lcm, prod
from typing import NamedTuple

from ircdice.rules.generic import trimmed
from ircdice.rules.generic.ends import MOST_SECONDS, PRODUCT, one_end
from ircdice.rules.generic.packing import convolved, pack, stride_of, unpack, width_for
from ircdice.rules.generic.refusing import too_much
from ircdice.rules.generic.spread import FaceWorth, Spread
from ircdice.rules.generic.work import A_VALUE, of_product, spend

QUICK = 2e-3  # seconds: below that the other way is not worth looking at
A_FACE = 5_000  # steps of planning with it
A_COUNT = 7_500  # steps of one number of dice that show a value
A_STEP, A_BIT = 3e-6, 2.5e-10  # seconds of a step, and of each bit that it goes through


@dataclass(frozen=True, slots=True)
class Group:
    """`count` dice that are spread alike."""

    count: int
    weights: Mapping[int, int]


Known = dict[object, Mapping[int, int]]  # spreads of pieces that several windows share


class Plan(NamedTuple):
    """How a window is to be worked out: about how many seconds each of its pieces takes, and the doing of it."""

    prices: Mapping[object, float]
    spread: Callable[[Known], Spread]

    @property
    def price(self) -> float:
        """Of all pieces."""
        return sum(self.prices.values())


def window(groups: Sequence[Group], start: int, end: int, worth: FaceWorth) -> Spread:
    """The spread of the dice `start` to `end` of all groups' dice in ascending order, each as `worth` has it."""
    chosen = plan(groups, start, end, worth)
    if chosen.price > MOST_SECONDS:
        raise too_much()
    return chosen.spread({})


def plan(groups: Sequence[Group], start: int, end: int, worth: FaceWorth) -> Plan:
    """The quicker way to a window."""
    groups = [group for group in groups if group.count]
    total = prod([sum(group.weights.values()) ** group.count for group in groups])
    if start >= end:
        return Plan({}, lambda _: Spread({0: total}, total))
    spend((10 + sum([len(group.weights) for group in groups])) * A_FACE)
    gains = {value: worth(value) for group in groups for value in group.weights}
    apart = _apart(groups, start, end, gains, total)
    if apart is not None and apart.price < QUICK:
        return apart
    jointly = _jointly(groups, (start, end), gains, total)
    return jointly if apart is None or jointly.price < apart.price else apart


def _apart(groups: Sequence[Group], start: int, end: int, gains: Mapping[int, Spread], total: int) -> Plan | None:
    """Groups that lie one above the other, each by itself; None where they do not."""
    if any(gain.total != 1 for gain in gains.values()):
        return None
    certain = {value: next(iter(gain.weights)) for value, gain in gains.items()}
    if len(groups) == 1 and 0 < start < end < groups[0].count:
        return _trimmed(groups[0], (start, groups[0].count - end), certain, total)
    pieces = _pieces(groups, start, end)
    if pieces is None:
        return None
    keys: list[object] = [(tuple(weights.items()), *dice) for weights, *dice in pieces]
    ways = {key: one_end(*piece, certain) for key, piece in zip(keys, pieces, strict=True)}

    def spread(known: Known) -> Spread:
        for key, each in ways.items():
            if key not in known:
                known[key] = each.found()
        return Spread(reduce(convolved, [known[key] for key in keys]), total)

    return Plan({key: each.seconds for key, each in ways.items()}, spread)


def _trimmed(group: Group, drops: tuple[int, int], certain: Mapping[int, int], total: int) -> Plan:
    """Dice that are alike, some of them dropped at either end."""
    weights = {value: group.weights[value] for value in sorted(group.weights)}
    price = trimmed.seconds(weights, group.count, drops, certain)
    return Plan({drops: price}, lambda _: Spread(trimmed.trimmed(weights, group.count, drops, certain), total))


Piece = tuple[Mapping[int, int], int, int]  # weights in the order in which dice are kept, dice, dice that are kept


def _pieces(groups: Sequence[Group], start: int, end: int) -> list[Piece] | None:
    """The window as one end of each group; None where they lie among each other."""
    found: list[Piece] = []
    below, highest = 0, None
    for group in sorted(groups, key=lambda group: (min(group.weights), max(group.weights))):
        first, last = max(start - below, 0), min(end - below, group.count)
        if (highest is not None and min(group.weights) < highest) or 0 < first < last < group.count:
            return None
        order = sorted(group.weights, reverse=first > 0)
        found.append(({value: group.weights[value] for value in order}, group.count, max(last - first, 0)))
        below, highest = below + group.count, max(group.weights)
    return found


def _jointly(groups: Sequence[Group], ends: tuple[int, int], gains: Mapping[int, Spread], total: int) -> Plan:
    """The same by counting all dice together, from the nearer end."""
    values, count, (start, end) = sorted(gains), sum(group.count for group in groups), ends
    if count - start < end:
        values.reverse()
        start, end = count - end, count - start
    common = lcm(*[gain.total for gain in gains.values()])
    total *= common ** (end - start)
    every: dict[int, int] = {value: 1 for gain in gains.values() for value in gain.weights}
    lowest, stride = min(every), stride_of(every)
    width = width_for(total)
    size = width * (max(every) - lowest) // stride * (end - start)

    def spread(_: Known) -> Spread:
        packed = {
            value: pack(_scaled(gain, common), lowest, stride, width)  # one kept die's worth, above the lowest
            for value, gain in gains.items()
        }
        placed = _placed(groups, values, (start, end), packed)
        return Spread(unpack(placed, lowest * (end - start), stride, width), total)

    key = tuple(group.count for group in groups), start, end
    longest = max(max(gain.weights) - min(gain.weights) for gain in gains.values()) // stride * width
    a_product = size * max(A_BIT, longest**0.585 * PRODUCT)  # certain gains are shifts
    return Plan({key: steps(len(values), (start, end), count) * (A_STEP + a_product)}, spread)


def steps(values: int, ends: tuple[int, int], count: int) -> int:
    """About how many steps a window takes, from the nearer end."""
    start, end = ends
    return values * min(end, count - start) ** 2 if start < end else 0


def _scaled(gain: Spread, common: int) -> dict[int, int]:
    factor = common // gain.total
    return {value: weight * factor for value, weight in gain.weights.items()}


State = tuple[int, ...]  # how many dice of each group are placed


def _placed(groups: Sequence[Group], values: Sequence[int], ends: tuple[int, int], packed: Mapping[int, int]) -> int:
    """All ways to place the dice, value by value, as a packed spread.

    Once the window's end is reached the others may lie as they will, which is a power and needs no counting.
    """
    rest = [sum(group.weights.values()) for group in groups]
    states: dict[State, int] = {(0,) * len(groups): 1}
    done = 0
    for value in values:
        for place, group in enumerate(groups):
            weight = group.weights.get(value)
            if weight:
                rest[place] -= weight
                step = _Step(groups, rest, place, weight, packed[value], ends)
                states, finished = step.taken(states)
                done += finished
    return done


@dataclass(frozen=True, slots=True)
class _Step:
    """One value of one group: any number of the group's dice may show it."""

    groups: Sequence[Group]
    rest: Sequence[int]  # by group, the weight of what comes behind this step
    place: int
    weight: int
    gain: int
    ends: tuple[int, int]

    def taken(self, states: Mapping[State, int]) -> tuple[dict[State, int], int]:
        """The states behind this step, and the ways that are complete."""
        following: defaultdict[State, int] = defaultdict(int)
        done = 0
        for state, ways in states.items():
            done += self._from(state, ways, following)
        return following, done

    def _from(self, state: State, ways: int, following: dict[State, int]) -> int:
        (start, end), place, rest = self.ends, self.place, self.rest[self.place]
        lain, free = sum(state), self.groups[place].count - state[place]
        ending, gained, kept = (self.weight + rest) ** free, ways, 0
        spend(A_VALUE * 25)
        for here in range(min(end - lain, free + 1)):
            if here and lain + here > start:
                spend(of_product(gained.bit_length(), self.gain.bit_length()))
                gained, kept = gained * self.gain, kept + 1
            spend(A_COUNT + of_product(gained.bit_length(), ending.bit_length()))
            chosen = comb(free, here) * self.weight**here
            ending -= chosen * rest ** (free - here)
            following[(*state[:place], state[place] + here, *state[place + 1 :])] += gained * chosen
        if not ending:
            return 0
        complete: int = gained * self.gain ** (end - max(lain, start) - kept)
        found: int = complete * ending * self._elsewhere(state)
        return found

    def _elsewhere(self, state: State) -> int:
        """The ways for the dice of the other groups that are not placed yet."""
        ways = 1
        for place, group in enumerate(self.groups):
            if place != self.place:
                ways *= self.rest[place] ** (group.count - state[place])
        return ways
