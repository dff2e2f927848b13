"""Keep and drop by counting (GD-02): the spread of what a stretch of the sorted dice is worth, never sorting any.

Values are gone through from one end; at each, so many dice may show it, in as many ways as there are to choose them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import comb, lcm

from ircdice.rules.generic.packing import pack, stride_of, too_much, unpack, width_for
from ircdice.rules.generic.spread import Spread

MOST_WORK = 4_000_000_000  # bits that are gone through
MOST_STEPS = 150_000


@dataclass(frozen=True, slots=True)
class Group:
    """`count` dice that are spread alike."""

    count: int
    weights: Mapping[int, int]


Worth = Callable[[int], Spread]


def window(groups: Sequence[Group], start: int, end: int, worth: Worth) -> Spread:
    """The spread of the dice `start` to `end` of all groups' dice in ascending order, each as `worth` has it."""
    groups = [group for group in groups if group.count]
    count = sum(group.count for group in groups)
    values = sorted({value for group in groups for value in group.weights})
    if count - start < end:  # the other end is nearer
        values.reverse()
        start, end = count - end, count - start
    total = 1
    for group in groups:
        total *= sum(group.weights.values()) ** group.count
    if start == end:
        return Spread({0: total}, total)
    gains = {value: worth(value) for value in values}
    return _counted(groups, values, (start, end), gains, total)


def _counted(
    groups: Sequence[Group], values: Sequence[int], ends: tuple[int, int], gains: Mapping[int, Spread], total: int
) -> Spread:
    start, end = ends
    common = lcm(*[gain.total for gain in gains.values()])
    total *= common ** (end - start)
    every: dict[int, int] = {value: 1 for gain in gains.values() for value in gain.weights}
    lowest, stride = min(every), stride_of(every)
    width = width_for(total)
    size = width * (max(every) - lowest) // stride * (end - start)
    if size * steps(len(values), ends, sum(group.count for group in groups)) > 2 * MOST_WORK:
        raise too_much()
    packed = {
        value: pack(_scaled(gain, common), lowest, stride, width)  # one kept die's worth, above the lowest
        for value, gain in gains.items()
    }
    return Spread(unpack(_placed(groups, values, ends, packed), lowest * (end - start), stride, width), total)


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
        for here in range(min(end - lain, free + 1)):
            if here and lain + here > start:
                gained, kept = gained * self.gain, kept + 1
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
