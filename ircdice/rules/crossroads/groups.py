"""Groups: the mean of what several Skill Rolls come to (XR-10). Pure: dice are passed in."""

from __future__ import annotations

from collections.abc import Sequence

from grammars.crossroads import GroupRoll
from ircdice.outcome import Die, Outcome
from ircdice.rules.crossroads.judging import RESULTS, held, result
from ircdice.rules.crossroads.settling import effective, judged
from ircdice.settings import HouseRules


def group(node: GroupRoll, dice: tuple[Die, ...], house: HouseRules) -> Outcome:
    """XR-10: every roll judged by itself, and the mean of what they come to."""
    each = [judged(roll, part, house) for roll, part in zip(node.rolls, parts(node, dice, house), strict=True)]
    found = of_group([result(one, None) for one in each])  # XR-16: a triple 2 counts as 0
    labels = dict.fromkeys([*found.labels, *(label for one in each for label in one.labels)])
    return found._replace(dice=dice, labels=tuple(labels), kind="roll")


def parts(node: GroupRoll, dice: Sequence[Die], house: HouseRules) -> list[tuple[Die, ...]]:
    """The dice of each roll of a group."""
    found, start = [], 0
    for roll in node.rolls:
        end = start + roll.dice + abs(effective(roll, house)[0])
        found.append(tuple(dice[start:end]))
        start = end
    return found


def of_group(values: Sequence[int]) -> Outcome:
    """A group's Success Values, settled."""
    found = grouped(mean(sum(values), len(values)))
    return found._replace(values={**found.values, "success_values": tuple(values)})


def grouped(value: int) -> Outcome:
    """What a group's mean comes to."""
    return Outcome((), (RESULTS[held(value)],), {"result": value}, "check")


def mean(total: int, count: int) -> int:
    """A group's Success Value: the mean, rounded to the nearest whole number, halves up (XR-10)."""
    return (2 * total + count) // (2 * count)
