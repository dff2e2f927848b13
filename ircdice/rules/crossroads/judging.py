"""Judging one throw: which dice stay, what they come to, and who has the better of it. Pure: dice are passed in."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from grammars.crossroads import (
    Contest,
    Damage,
    EndTurn,
    FateEnd,
    FateList,
    GroupClose,
    GroupOpen,
    GroupRoll,
    GroupValues,
    Roll,
)
from ircdice.caching import cached
from ircdice.dice import DiceSource
from ircdice.errors import RuleError
from ircdice.outcome import Die, Outcome
from ircdice.rules.crossroads.ladder import ladder
from ircdice.rules.crossroads.laying import kept_faces, laid
from ircdice.settings import HouseRules

RESULTS = {-1: "failure", 0: "partial_success", 1: "success", 2: "great_success"}  # XR-24
LEAST_RESULT, GREATEST_RESULT = min(RESULTS), max(RESULTS)  # XR-09


class Multiple(NamedTuple):
    """Equal faces among the three dice kept: what it is called, and what it does to the Success Value."""

    label: str
    shift: int = 0
    fate_die: bool = False


_CHANGE, _CHANGE_OF_FATE = Multiple("change"), Multiple("change_of_fate")
DOUBLES = {  # XR-12…XR-14
    1: Multiple("misstep", -1),
    2: _CHANGE,
    3: _CHANGE,
    4: _CHANGE,
    5: _CHANGE,
    6: Multiple("fateful", +1),
}
DOUBLE_VALUES = (-1, 2)  # XR-12, XR-14: a double goes no further
TRIPLES = {  # XR-15…XR-19
    1: Multiple("doomed_portents", -1, fate_die=True),
    2: Multiple("balanced_portents"),
    3: _CHANGE_OF_FATE,
    4: _CHANGE_OF_FATE,
    5: Multiple("fates_blessing"),
    6: Multiple("fates_child", +1, fate_die=True),
}
TRIPLE_VALUES = (-2, 3)  # XR-15, XR-19: a triple may
BALANCED = 2  # XR-16: the one triple that touches the other side
SIMPLE = "simple"  # XR-21: what `triples` may say in the config


class Judged(NamedTuple):
    """One Skill Roll: `labels` of its multiples, and the face of its triple, 0 where it has none.

    `unopposed` are all of its labels where nobody opposes it.
    """

    total: int
    success_value: int
    labels: tuple[str, ...]
    triple: int
    unopposed: tuple[str, ...] = ()


@cached
def judge(kept: tuple[int, ...], bonus: int, simple: bool, rerolled: bool) -> Judged:
    """A Skill Roll by the three dice kept (XR-08, XR-11…XR-16, XR-21); after a Change no double counts (XR-13)."""
    total = max(sum(kept) + bonus, 0)  # XR-06
    value = ladder(total)
    first, second, third = kept
    if first == second == third and not simple:
        return _shifted(total, value, TRIPLES[first], TRIPLE_VALUES, first)
    if first == second == third:
        double = None if rerolled else DOUBLES[first]  # XR-21, and XR-13: a Change is had once
        return _shifted(total, value, double, DOUBLE_VALUES, 0, "fate_die")
    face = first if first in (second, third) else second if second == third else 0
    return _shifted(total, value, None if rerolled else DOUBLES.get(face), DOUBLE_VALUES, 0)


def _shifted(
    total: int, value: int, multiple: Multiple | None, limits: tuple[int, int], triple: int, *gained: str
) -> Judged:
    labels = gained
    if multiple is not None:
        least, greatest = limits
        labels = (multiple.label, "fate_die") if multiple.fate_die else (multiple.label, *gained)
        value = min(max(value + multiple.shift, least), greatest) if multiple.shift else value
    alone = 0 if triple == BALANCED else held(value)
    return Judged(total, value, labels, triple, (RESULTS[alone], *labels))


def balanced(own: Judged, other: Judged) -> bool:
    """Whether a triple 2 of either side stands and sets the Result (XR-16, XR-20, XR-27)."""
    return BALANCED in (own.triple, other.triple) and max(own.triple, other.triple) == BALANCED


def result(own: Judged, other: Judged | None) -> int:
    """The Result of a Skill Roll: unopposed its Success Value, else the difference, held to the table (XR-09)."""
    if other is None:
        return 0 if own.triple == BALANCED else own.success_value
    if balanced(own, other):
        return 0
    return held(own.success_value - other.success_value)


def held(value: int) -> int:
    """A value held between Failure and Great Success (XR-09)."""
    return min(max(value, LEAST_RESULT), GREATEST_RESULT)


def mean(total: int, count: int) -> int:
    """A group's Success Value: the mean, rounded to the nearest whole number, halves up (XR-10)."""
    return (2 * total + count) // (2 * count)


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
        return Outcome(dice, (), plain(roll, sum(kept_faces(dice)) + bonus))
    own = judged(roll, dice, house)
    values = {"total": own.total, "success_value": own.success_value}
    if own.triple == BALANCED:
        values["result"] = 0
    return Outcome(dice, own.unopposed, values, effects=effects)


def blessing_added(blessings: int) -> str:
    """XR-18: the effect of so many blessings, an Advantage each."""
    return f"blessing_added_{blessings}"


def blessings_of(roll: Roll, other: Roll | None = None) -> tuple[str, ...]:
    """What is to be said of the blessings of a roll, and of the other side's."""
    mine = (blessing_added(roll.blessings),) if roll.blessings else ()
    return (*mine, f"other_{blessing_added(other.blessings)}") if other and other.blessings else mine


def plain(roll: Roll, total: int) -> dict[str, int]:
    """The values of a plain roll: its total, never below 0, and the damage after armour (XR-06, XR-22)."""
    total = max(total, 0)
    if roll.armour is None:
        return {"total": total}
    return {"total": total, "damage": max(total - max(roll.armour - roll.piercing, 0), 0)}


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
    )
    return Outcome(acting, (RESULTS[values["result"]], *own.labels), values, "contest", second, effects=mine)


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


def evaluate(node: Any, dice: DiceSource, house: HouseRules) -> Outcome:
    """Throw and judge any Crossroads command that stands by itself."""
    if isinstance(node, Roll):
        return settled(node, throw(node, dice, house), house)
    if isinstance(node, Contest):
        acting = throw(node.acting, dice, house)
        if node.other is None:
            return Outcome(dice=acting, kind="waiting")
        return contest(node, acting, throw(node.other, dice, house), house)
    if isinstance(node, GroupRoll):
        return group(node, tuple([die for roll in node.rolls for die in throw(roll, dice, house)]), house)
    if isinstance(node, GroupValues):
        return of_group(node.values)
    if isinstance(node, Damage):
        return _points(node)
    return _noted(node)


def _points(node: Damage) -> Outcome:
    """XR-23: Advantage and Disadvantage move points between the kinds, then Bonus and Negative add or take."""
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


def _noted(node: EndTurn | GroupOpen | GroupClose | FateList | FateEnd) -> Outcome:
    """What only the table's memory changes by; RuleError where it cannot."""
    if isinstance(node, GroupOpen) and node.opener is not None:
        raise RuleError(f"a group is open already, {node.opener}'s: xr group close ends it.")
    if isinstance(node, GroupClose):
        if node.values is None:
            raise RuleError("no group is open here: xr group open begins one.")
        if not node.values:
            raise RuleError("nobody else has made a Skill Roll since the group was opened.")
        return of_group(node.values)
    return Outcome(kind="note")
