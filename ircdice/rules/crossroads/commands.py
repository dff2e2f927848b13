"""Throw and judge every Crossroads command that is not a follow-up."""

from __future__ import annotations

from typing import Any

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
from ircdice.dice import DiceSource
from ircdice.errors import RuleError
from ircdice.outcome import Outcome
from ircdice.rules.crossroads.groups import group, of_group
from ircdice.rules.crossroads.settling import contest, settled, throw
from ircdice.settings import HouseRules


def evaluate(node: Any, dice: DiceSource, house: HouseRules) -> Outcome:
    """Throw and judge any Crossroads command that is not a follow-up."""
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
        return _narrative_health(node)
    return _noted(node)


def _noted(node: EndTurn | GroupOpen | GroupClose | FateList | FateEnd) -> Outcome:
    """What only the table's memory changes by; RuleError where it cannot."""
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
