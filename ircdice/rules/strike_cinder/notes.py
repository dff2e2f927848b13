"""What is said of an encounter and rolls nothing: who comes and goes, and their Luck at the start (SC-18, SC-26)."""

from __future__ import annotations

from typing import Any

from grammars import strike_cinder_nodes as t
from grammars.strike_cinder_nodes import CloseEncounter, Join, Leave, Luck, OpenEncounter, Tracking
from ircdice.outcome import Outcome
from ircdice.settings import HouseRules

NOTES = (OpenEncounter, CloseEncounter, Join, Luck, Leave, Tracking)
RANK_FOR_ONE = 2  # SC-18


def starting_luck(node: Join, house: HouseRules) -> int:
    """SC-18: 4, the bonus of one skill, and Exchange Equipment."""
    skill = 2 if node.rank >= house.luck_rank_for_two else 1 if node.rank >= RANK_FOR_ONE else 0
    return t.LUCK + skill + node.exchange


def noted(node: Any, house: HouseRules) -> Outcome:
    """What a command about an encounter comes to: nothing is rolled."""
    if isinstance(node, Join):
        return Outcome(kind="note", values={"luck": starting_luck(node, house)})
    if isinstance(node, OpenEncounter):
        return Outcome(kind="note", values={"luck": node.luck})
    if isinstance(node, Luck) and node.before is not None:
        luck = max(0, min(node.before.luck + (node.change or 0), node.before.most))  # SC-19
        return Outcome(kind="note", values={"luck": luck})
    return Outcome(kind="note")


def luck_of(name: str, luck: int, most: int) -> str:
    """`Encounter Luck 4/6`, and what it means at 0 (SC-19)."""
    return f"{name} Luck {luck}/{most}{'' if luck else ', out of Luck'}"


def headline(node: Any, outcome: Outcome) -> str:
    """What a command about an encounter is answered with."""
    luck = outcome.values.get("luck", 0)
    if isinstance(node, OpenEncounter):
        given = {"DC": node.dc, "Strike": node.strike, "Cinder": node.cinder}
        own = [f"{word} {number}" for word, number in given.items() if number is not None]
        return ", ".join(["the encounter opens", luck_of(node.name, luck, luck), *own])
    if isinstance(node, Join):
        return f"{node.name} joins, {t.PATHS[node.path].name}, {luck_of('', luck, luck).lstrip()}"
    if isinstance(node, Luck) and node.before is not None:
        return f"{luck_of(node.name or '', luck, node.before.most)} (was {node.before.luck})"
    return f"{node.name} leaves the encounter" if isinstance(node, Leave) else "the encounter is over"
