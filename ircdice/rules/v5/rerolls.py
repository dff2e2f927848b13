"""What may follow a roll: Willpower, Hunger said later, the answer to a contest. Pure, as judging is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from grammars import Command
from grammars.contests import Pass
from grammars.v5 import AutomaticWin, Contest, Pool, SayHunger, Willpower
from ircdice.dice import DiceSource
from ircdice.errors import RuleError
from ircdice.outcome import Die, Earlier, Outcome
from ircdice.rules.v5.judging import SIDES, SUCCESS, TEN, contest, judged, pool_of, throw, with_hunger
from ircdice.settings import HouseRules

PASSED_DIFFICULTY = 1  # GEN-06: `pass` is no resistance
MOST_REROLLED = 3  # V5-14


def means(_node: Command, earlier: Earlier) -> bool:
    """GEN-09: the latest pool or contest; Willpower and Humanity pools, rouse checks and `autowin` do not hide it."""
    return isinstance(earlier.node, Pool | Contest) and pool_of(earlier.node, earlier.side).kind == "hunger"


def admits(node: Command, earlier: Earlier, house: HouseRules) -> None:
    """RuleError, with the reason, where `node` cannot be said of that roll."""
    if earlier.outcome.kind == "waiting" and earlier.closed:
        raise RuleError("that contest ended without an answer: its dice count for nothing.")
    if earlier.outcome.kind == "waiting":
        raise RuleError(f"{earlier.name} is covered until @{earlier.node.against} has answered.")
    if isinstance(earlier.node, AutomaticWin):
        raise RuleError("autowin rolled nothing: Willpower rerolls the dice of a pool, as roll 5d10 h2.")
    kind = pool_of(earlier.node, earlier.side).kind if isinstance(earlier.node, Pool | Contest) else str(earlier.node)
    if kind != "hunger":  # V5-16
        raise RuleError(f"{kind.split()[0]} rolls hold no Hunger dice, and cannot be rerolled with Willpower.")
    names_hunger = isinstance(node, Willpower | SayHunger) and node.hunger is not None
    if names_hunger and (said := pool_of(earlier.node, earlier.side).hunger) is not None:
        raise RuleError(f"the Hunger of {earlier.name} is said already: h{said}.")  # V5-21: once
    if isinstance(node, Willpower):
        _admits_willpower(earlier, house)


def _admits_willpower(earlier: Earlier, house: HouseRules) -> None:
    if earlier.mine.drawn_anew:
        raise RuleError(f"Willpower was spent on {earlier.name} already: once a roll.")  # V5-15
    if earlier.closed:
        raise RuleError(f"{earlier.name} is closed: no more Willpower on it.")  # V5-25
    if earlier.minutes > house.wp_minutes:
        old = "a minute" if house.wp_minutes == 1 else f"{house.wp_minutes} minutes"
        raise RuleError(f"{earlier.name} is more than {old} old: no more Willpower on it.")


def answers(opening: Command, node: Command) -> bool:
    """Whether `node` is what the other side may say: a pool without a Difficulty (V5-19)."""
    return isinstance(opening, Contest) and isinstance(node, Pool) and node.difficulty is None


def picked(node: Willpower, earlier: Earlier, house: HouseRules) -> list[int]:
    """Positions of the dice that `node` would reroll, left to right. RuleError as in play."""
    admits(node, earlier, house)
    return _picks(node, earlier if node.hunger is None else _hunger_said(node.hunger, earlier))


def amend(node: Any, earlier: Earlier, dice: DiceSource, house: HouseRules) -> Outcome:
    """A roll as it stands after Willpower, Hunger said later, or the answer to a contest."""
    if isinstance(node, Pass):
        opened = replace(earlier.node.acting, difficulty=PASSED_DIFFICULTY)
        return judged(opened, earlier.outcome.dice, PASSED_DIFFICULTY, house)._replace(kind="contest", becomes=opened)
    if isinstance(node, Pool):
        # A pool of one part is posted by its dice: behind `vs` a lone number would be asked about (GEN-05).
        other = replace(node, terms=()) if len(node.terms) == 1 else node
        answered = replace(earlier.node, other=other, against=None)
        return contest(answered, earlier.outcome.dice, throw(node, dice), house)._replace(becomes=answered)
    admits(node, earlier, house)
    if node.hunger is not None:
        earlier = _hunger_said(node.hunger, earlier)
    if isinstance(node, SayHunger):
        return _stands(earlier, house)._replace(kind="reroll", becomes=earlier.node)
    picks = _picks(node, earlier)
    stands = _stands(_rerolled(earlier, picks, dice.roll(len(picks), SIDES)), house)
    return _paid(stands, earlier)


def _paid(outcome: Outcome, earlier: Earlier) -> Outcome:
    """V5-15: it costs whoever's dice they are one superficial Willpower."""
    cost, node = ("willpower_spent",), earlier.node
    if earlier.side == "other" and outcome.opponent:
        opponent = outcome.opponent._replace(effects=cost)
        return outcome._replace(opponent=opponent, kind="reroll", becomes=node)
    return outcome._replace(effects=cost, kind="reroll", becomes=node)


def _with_dice(earlier: Earlier, dice: tuple[Die, ...]) -> Earlier:
    mine = earlier.mine._replace(dice=dice)
    if earlier.side == "other" and earlier.outcome.opponent:
        return earlier.come_to(earlier.outcome._replace(opponent=mine))
    return earlier.come_to(mine)


def _hunger_said(hunger: int, earlier: Earlier) -> Earlier:
    """V5-21: the last dice become Hunger dice."""
    said = replace(pool_of(earlier.node, earlier.side), hunger=hunger)
    node = said if isinstance(earlier.node, Pool) else replace(earlier.node, **{earlier.side: said})
    return replace(_with_dice(earlier, with_hunger(said, earlier.mine.dice)), node=node)


def _rerolled(earlier: Earlier, picks: Sequence[int], faces: Sequence[int]) -> Earlier:
    """V5-17: new faces stand where the old ones stood."""
    dice = list(earlier.mine.dice)
    for position, face in zip(picks, faces, strict=True):
        old = dice[position]
        dice[position] = Die(old.sides, face, old.role, old.kept, old.face)
    return _with_dice(earlier, tuple(dice))


def _stands(earlier: Earlier, house: HouseRules) -> Outcome:
    """The roll judged as it now stands."""
    outcome = earlier.outcome
    if isinstance(earlier.node, Contest) and outcome.opponent:
        return contest(earlier.node, outcome.dice, outcome.opponent.dice, house)
    return judged(earlier.node, outcome.dice, earlier.node.difficulty, house)


def _picks(node: Willpower, earlier: Earlier) -> list[int]:
    """Positions that Willpower rerolls, left to right (V5-14, V5-24). RuleError where there is nothing to reroll."""
    if pool_of(earlier.node, earlier.side).hunger is None:
        raise RuleError(
            'say your Hunger, 0 to 5, in the same breath: "wp hN". Hunger dice cannot be rerolled.'
        )  # V5-21
    normal = [(die.face, i) for i, die in enumerate(earlier.mine.dice) if die.role == "normal"]
    if not normal:
        raise RuleError("every die of that roll is a Hunger die: none can be rerolled.")
    lowest = sorted((face, i) for face, i in normal if face != TEN)
    tens = [(face, i) for face, i in normal if face == TEN]
    tens_only = 'the normal dice show tens only: say "wp tens" to reroll those.'
    if node.tens:
        chosen = (tens + lowest)[: node.count] if node.count else tens[:MOST_REROLLED]
        nothing = "there is no ten on a normal die to reroll."
    elif node.count:
        chosen, nothing = lowest[: node.count], tens_only
    else:
        chosen = [(face, i) for face, i in lowest if face < SUCCESS][:MOST_REROLLED]
        nothing = 'no normal die has failed: "wp 1" to "wp 3" reroll successes too.' if lowest else tens_only
    if not chosen:
        raise RuleError(nothing)
    return sorted(i for _, i in chosen)
