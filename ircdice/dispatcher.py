"""Find the game of a node, and call its rules."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from functools import cache

from grammars import Command, catalogue
from grammars.contests import Pass
from ircdice.dice import DiceSource
from ircdice.errors import RuleError
from ircdice.game import Game
from ircdice.odds import Odds
from ircdice.outcome import Earlier, Outcome
from ircdice.settings import HouseRules

HOUSE = HouseRules()


@cache
def systems() -> Mapping[str, Game]:
    """Every game by name. Errors of a module propagate: the bot must not start without its own games."""
    return {g.name: importlib.import_module(g.rules).GAME for g in catalogue.grammars_found() if g.rules}


@cache
def _games() -> Mapping[type[Command], str]:
    return {node: name for name, system in systems().items() for node in (*system.nodes, *system.amends)}


def game_name(node: Command) -> str | None:
    """The name of the game that `node` belongs to; None for other commands."""
    return _games().get(type(node))


def system_of(node: Command) -> Game:
    """The game that `node` belongs to. RuleError for other commands."""
    name = game_name(node)
    if name is None:
        raise RuleError(f'"{node}" is no roll.')
    return systems()[name]


def rolls(node: Command) -> bool:
    """Whether `node` is a roll, not a follow-up."""
    return game_name(node) is not None and type(node) in system_of(node).nodes


def throws(node: Command) -> bool:
    """Whether `node` throws dice: a roll or a reroll."""
    if game_name(node) is None:
        return False
    system = system_of(node)
    return type(node) not in system.diceless and system.amends.get(type(node), "reroll") == "reroll"


def throws_alone(node: Command) -> bool:
    """Whether `node` is a roll of its own that throws dice, as one that can be repeated (GEN-17)."""
    return rolls(node) and throws(node)


def evaluate(node: Command, dice: DiceSource, house: HouseRules = HOUSE) -> Outcome:
    """Throw and judge `node`. RuleError if it asks the impossible."""
    return system_of(node).evaluate(node, dice, house)


def amend(node: Command, earlier: Earlier, dice: DiceSource, house: HouseRules = HOUSE) -> Outcome:
    """The outcome of `earlier` after a reroll, a choice or an answer. RuleError if `node` cannot change it."""
    system = system_of(earlier.node)
    waits = earlier.outcome.kind == "waiting"
    passes = waits and isinstance(node, Pass)  # GEN-06
    answers = (waits or earlier.outcome.open) and system.answers(earlier.node, node)
    if not (type(node) in system.amends or passes or answers):
        raise RuleError(f"nothing can be changed about that roll by {node}.")
    return system.amend(node, earlier, dice, house)


def odds(node: Command, house: HouseRules = HOUSE) -> Odds:
    """The exact odds of `node` (GEN-08). RuleError if it throws nothing, or if the other side has not rolled."""
    system = system_of(node)
    if not throws(node):
        raise RuleError(f'"{node}" rolls nothing, and so has no odds.')
    if node.against:
        raise RuleError(f"the odds depend on what @{node.against} rolls: put a roll in its place.")
    return system.odds(node, house)


def amend_odds(node: Command, earlier: Earlier, house: HouseRules = HOUSE) -> Odds:
    """The exact odds of a follow-up to that roll (GEN-08)."""
    system = system_of(earlier.node)
    if type(node) not in system.amends:
        raise RuleError(f"there are no odds for {node}.")
    return system.amend_odds(node, earlier, house)
