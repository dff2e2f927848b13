"""Groups: the mean of what several Skill Rolls come to (XR-10). Pure: dice are passed in."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from grammars.crossroads import GroupRoll, Roll
from ircdice.outcome import Die, Outcome, Tossed
from ircdice.rules.crossroads.advantage import kept_faces
from ircdice.rules.crossroads.judging import RESULTS, held, result
from ircdice.rules.crossroads.settling import effective, judged
from ircdice.settings import HouseRules

# What an open group is told with. Whether a storyteller opened it is in no other field of its record.
COUNTS_ALL = "group open: Skill Rolls count from now on"
COUNTS_OTHERS = "group open: the Skill Rolls of others count from now on"


class Member(NamedTuple):
    """One roll of a group, as it is written; nobody said a word beside it."""

    plain: str
    label: str = ""


def group(node: GroupRoll, dice: tuple[Die, ...], house: HouseRules) -> Outcome:
    """XR-10: every roll judged by itself, and the mean of what they come to."""
    thrown = list(zip(node.rolls, parts(node, dice, house), strict=True))
    each = [judged(roll, part, house) for roll, part in thrown]
    values = [result(one, None) for one in each]  # XR-16: a triple 2 counts as 0
    found = of_group(values)
    labels = dict.fromkeys([*found.labels, *(label for one in each for label in one.labels)])
    terms = [_tossed(*both, value) for both, value in zip(thrown, values, strict=True)]
    return found._replace(dice=dice, labels=tuple(labels), kind="roll", terms=tuple(terms))


def _tossed(roll: Roll, dice: tuple[Die, ...], value: int) -> Tossed:
    dropped = [die.face for die in dice if not die.kept]
    return Tossed(Member(roll.asked), value, dice, kept_faces(dice), dropped=dropped)


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
