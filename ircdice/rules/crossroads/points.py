"""Narrative Health: heavy and light points of damage (XR-23). Pure, and no dice are rolled."""

from __future__ import annotations

from grammars.crossroads import Damage
from ircdice.outcome import Outcome


def narrative_health(node: Damage) -> Outcome:
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
