"""A roll and a contest: what is thrown, which modifiers count, and the outcome by the judge of Skill Rolls. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from grammars.crossroads import Contest, Roll
from ircdice.dice import DiceSource
from ircdice.errors import RuleError
from ircdice.outcome import Die, Outcome
from ircdice.rules.crossroads.advantage import kept_faces, laid
from ircdice.rules.crossroads.judging import BALANCED, RESULTS, SIMPLE, Judged, held, judge, result
from ircdice.settings import HouseRules


def effective(roll: Roll, house: HouseRules) -> tuple[int, int]:
    """Advantage and Bonus once Advantage was converted (XR-07). RuleError where more is asked than there is."""
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
    """A Skill Roll's dice as they lie, judged."""
    _, bonus = effective(roll, house)
    return judge(kept_faces(dice), bonus, roll.simple or house.triples == SIMPLE, roll.rerolled)


def settled(roll: Roll, dice: tuple[Die, ...], house: HouseRules) -> Outcome:
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
    """XR-09: the acting side's Success Value less the other's; the other side is named by its own."""
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
    """The net Bonus, or below 0 Negative, that the total has beside its dice (XR-06)."""
    _, bonus = effective(roll, house)
    return (("bonus", bonus),) if bonus else ()


def plain(roll: Roll, total: int) -> dict[str, int]:
    """The values of a plain roll: its total, never below 0, and the damage after armour (XR-06, XR-22)."""
    total = max(total, 0)
    if roll.armour is None:
        return {"total": total}
    return {"total": total, "damage": max(total - max(roll.armour - roll.piercing, 0), 0)}


def blessing_added(blessings: int) -> str:
    """XR-18: the effect of so many blessings, an Advantage each."""
    return f"blessing_added_{blessings}"


def blessings_of(roll: Roll, other: Roll | None = None) -> tuple[str, ...]:
    """What is to be said of the blessings of a roll, and of the other side's."""
    mine = (blessing_added(roll.blessings),) if roll.blessings else ()
    return (*mine, f"other_{blessing_added(other.blessings)}") if other and other.blessings else mine
