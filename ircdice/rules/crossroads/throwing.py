"""Throw and judge every Crossroads command that is not a follow-up."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from grammars import Command
from grammars.crossroads import Contest, Damage, GroupClose, GroupOpen, GroupRoll, GroupValues, Roll
from ircdice.dice import DiceSource
from ircdice.errors import RuleError
from ircdice.outcome import Die, Outcome, Tossed, pool
from ircdice.rules.crossroads.judging import BALANCED, RESULTS, SIMPLE, Judged, held, judge, result
from ircdice.settings import HouseRules


def evaluate(node: Command, dice: DiceSource, house: HouseRules) -> Outcome:
    """Throw and judge any Crossroads command that is not a follow-up."""
    if isinstance(node, Roll):
        return alone(node, throw(node, dice, house), house)
    if isinstance(node, Contest):
        acting = throw(node.acting, dice, house)
        if node.other is None:
            return Outcome(dice=acting, kind="waiting")
        return contest(node, acting, throw(node.other, dice, house), house)
    if isinstance(node, GroupRoll):
        return group(node, tuple([die for roll in node.rolls for die in throw(roll, dice, house)]), house)
    if isinstance(node, GroupValues):
        return of_group(node.values)
    return _narrative_health(node) if isinstance(node, Damage) else _noted(node)


def _noted(node: Command) -> Outcome:
    """A command that only changes the table's memory. RuleError if it cannot."""
    if isinstance(node, GroupOpen) and node.opener is not None:
        raise RuleError(f"a group is open already, {node.opener}'s: xr group close ends it.")
    if isinstance(node, GroupClose):
        if node.values is None:
            raise RuleError("no group is open here: xr group open begins one.")
        if node.values:
            return of_group(node.values)
    return Outcome(kind="note")


def _narrative_health(node: Damage) -> Outcome:
    """XR-23: Advantage and Disadvantage move points between heavy and light, then Bonus and Negative add or take."""
    heavy, light = node.heavy, node.light
    turned = min(max(node.advantage, 0), light)
    heavy, light = heavy + turned, light - turned
    lessened = max(-node.advantage, 0)
    eased = min(lessened, heavy)
    heavy, light = heavy - eased, light + eased
    light -= min(lessened - eased, light)
    light += max(node.bonus, 0)
    taken = max(-node.bonus, 0)
    from_light = min(taken, light)
    return Outcome(kind="check", values={"heavy": max(heavy - (taken - from_light), 0), "light": light - from_light})


# Advantage, and rolls of one side and two.


def laid(faces: tuple[int, ...], sides: int, advantage: int, *, low: bool) -> tuple[Die, ...]:
    """A throw; the dice that Advantage, or below 0 Disadvantage, removes are marked as not kept (XR-04).

    The least favoured dice go, or the most favoured, and of equal faces the rightmost (XR-05).
    """
    sign = 1 if (advantage > 0) != low else -1
    first_to_go = sorted(range(len(faces)), key=lambda place: (sign * faces[place], -place))
    gone = set(first_to_go[: abs(advantage)])
    return tuple([die._replace(kept=place not in gone) for place, die in enumerate(pool(faces, sides))])


def positions(dice: Sequence[Die], start: int = 0, *, kept: bool) -> list[int]:
    """Positions of the dice that were kept, or dropped, in drawn order; the first die is `start` + 1 (XR-05)."""
    return [place for place, die in enumerate(dice, start + 1) if die.kept is kept]


def kept_faces(dice: Sequence[Die]) -> tuple[int, ...]:
    """The faces of the dice that stay, in drawn order."""
    return tuple([die.face for die in dice if die.kept])


def effective(roll: Roll, house: HouseRules) -> tuple[int, int]:
    """Advantage and Bonus once Advantage was converted (XR-07). RuleError if there is less to convert."""
    if not roll.convert:
        return roll.advantage, roll.bonus
    if roll.convert > roll.advantage:
        there = f"a{roll.advantage}" if roll.advantage > 0 else "none"
        raise RuleError(f"convert {roll.convert} wants that much Advantage, and the net is {there}.")
    bonus, limit = roll.bonus + roll.convert, house.modifier_limit
    if limit is not None and bonus > limit:
        raise RuleError(f"convert {roll.convert} comes to b{bonus}, and the Modifier Limit here is {limit}.")
    return roll.advantage - roll.convert, bonus


def throw(roll: Roll, dice: DiceSource, house: HouseRules) -> tuple[Die, ...]:
    """Draw a roll's dice, and mark those that Advantage or Disadvantage removes (XR-04)."""
    advantage, _ = effective(roll, house)
    return laid(dice.roll(roll.dice + abs(advantage), roll.sides), roll.sides, advantage, low=roll.low)


def judged(roll: Roll, dice: Sequence[Die], house: HouseRules) -> Judged:
    """The dice of a Skill Roll, judged."""
    _, bonus = effective(roll, house)
    return judge(kept_faces(dice), bonus, roll.simple or house.triples == SIMPLE, roll.rerolled)


def alone(roll: Roll, dice: tuple[Die, ...], house: HouseRules) -> Outcome:
    """One side's roll, unopposed."""
    effects = blessings_of(roll)
    if not roll.skill:
        _, bonus = effective(roll, house)
        return Outcome(dice, (), plain(roll, sum(kept_faces(dice)) + bonus), added=added(roll, house))
    own = judged(roll, dice, house)
    values = {"total": own.total, "success_value": own.success_value}
    if own.triple == BALANCED:
        values["result"] = 0
    return Outcome(dice, own.unopposed, values, effects=effects, added=added(roll, house))


def contest(node: Contest, acting: tuple[Die, ...], others: tuple[Die, ...], house: HouseRules) -> Outcome:
    """XR-09: the acting side's Success Value less the other's; the other side's label is that of its own value."""
    other = node.other
    if other is None:
        raise RuleError(f"@{node.against} has not answered yet.")
    own, theirs = judged(node.acting, acting, house), judged(other, others, house)
    values = {"total": own.total, "success_value": own.success_value, "result": result(own, theirs)}
    mine = blessings_of(node.acting, other)
    second = Outcome(
        others,
        (RESULTS[held(theirs.success_value)], *theirs.labels),
        {"total": theirs.total, "success_value": theirs.success_value},
        kind="contest",
        added=added(other, house),
    )
    labels = (RESULTS[values["result"]], *own.labels)
    return Outcome(acting, labels, values, "contest", second, effects=mine, added=added(node.acting, house))


def added(roll: Roll, house: HouseRules) -> tuple[tuple[str, int], ...]:
    """The net Bonus, or below 0 Negative, in the total (XR-06)."""
    _, bonus = effective(roll, house)
    return (("bonus", bonus),) if bonus else ()


def plain(roll: Roll, total: int) -> dict[str, int]:
    """The values of a plain roll: its total, never below 0, and the damage after armour (XR-06, XR-22)."""
    total = max(total, 0)
    if roll.armour is None:
        return {"total": total}
    return {"total": total, "damage": max(total - max(roll.armour - roll.piercing, 0), 0)}


def blessing_added(blessings: int) -> str:
    """XR-18: the effect of that number of blessings, an Advantage each."""
    return f"blessing_added_{blessings}"


def blessings_of(roll: Roll, other: Roll | None = None) -> tuple[str, ...]:
    """The effects of the blessings of a roll, and of the other side's."""
    mine = (blessing_added(roll.blessings),) if roll.blessings else ()
    return (*mine, f"other_{blessing_added(other.blessings)}") if other and other.blessings else mine


# Groups.


class Member(NamedTuple):
    """One roll of a group, as it is written."""

    plain: str
    label: str = ""


def group(node: GroupRoll, dice: tuple[Die, ...], house: HouseRules) -> Outcome:
    """XR-10: every roll judged by itself, and the mean of their values."""
    thrown = list(zip(node.rolls, parts(node, dice, house), strict=True))
    each = [judged(roll, part, house) for roll, part in thrown]
    values = [result(one, None) for one in each]  # XR-16: a triple 2 counts as 0
    found = of_group(values)
    labels = dict.fromkeys([*found.labels, *(label for one in each for label in one.labels)])
    terms = [_tossed(*both, value) for both, value in zip(thrown, values, strict=True)]
    return found._replace(dice=dice, labels=tuple(labels), kind="roll", terms=tuple(terms))


def _tossed(roll: Roll, dice: tuple[Die, ...], value: int) -> Tossed:
    dropped = [die.face for die in dice if not die.kept]
    return Tossed(Member(roll.as_posted), value, dice, kept_faces(dice), dropped=dropped)


def parts(node: GroupRoll, dice: Sequence[Die], house: HouseRules) -> list[tuple[Die, ...]]:
    """The dice of each roll of a group."""
    found, start = [], 0
    for roll in node.rolls:
        end = start + roll.dice + abs(effective(roll, house)[0])
        found.append(tuple(dice[start:end]))
        start = end
    return found


def of_group(values: Sequence[int]) -> Outcome:
    """The outcome of a group's Success Values."""
    found = grouped(mean(sum(values), len(values)))
    return found._replace(values={**found.values, "success_values": tuple(values)})


def grouped(value: int) -> Outcome:
    """The outcome of a group's mean."""
    return Outcome((), (RESULTS[held(value)],), {"result": value}, "check")


def mean(total: int, count: int) -> int:
    """A group's Success Value: the mean, rounded to the nearest whole number, halves up (XR-10)."""
    return (2 * total + count) // (2 * count)
