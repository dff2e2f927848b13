"""V5 follow-ups: Willpower, Hunger that is typed later, and the answer to a contest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from grammars import Command
from grammars.contests import Pass
from grammars.v5 import AutomaticWin, Contest, Pool, SayHunger, Willpower
from ircdice.dice import DiceSource
from ircdice.errors import RuleError
from ircdice.game import expect
from ircdice.outcome import Die, Earlier, Outcome
from ircdice.rules.v5.judging import SIDES, SUCCESS, TEN, contest, judged, pool_of, throw, with_hunger
from ircdice.settings import HouseRules

PASSED_DIFFICULTY = 1  # GEN-06: `pass` is no resistance
MOST_REROLLED = 3  # V5-14


def means(_node: Command, earlier: Earlier) -> bool:
    """GEN-09: the latest pool or contest; Willpower and Humanity pools, rouse checks and `autowin` do not hide it."""
    return isinstance(earlier.node, Pool | Contest) and pool_of(earlier.node, earlier.side).kind == "hunger"


def admits(node: Command, earlier: Earlier, house: HouseRules) -> None:
    """RuleError, with the reason, if `node` cannot follow that roll."""
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
    if earlier.mine.rerolled:
        raise RuleError(f"Willpower was spent on {earlier.name} already: once a roll.")  # V5-15
    if earlier.closed:
        raise RuleError(f"{earlier.name} is closed: no more Willpower on it.")  # V5-25
    if earlier.minutes > house.wp_minutes:
        old = "a minute" if house.wp_minutes == 1 else f"{house.wp_minutes} minutes"
        raise RuleError(f"{earlier.name} is more than {old} old: no more Willpower on it.")


def answers(opening: Command, node: Command) -> bool:
    """Whether `node` can be the other side of that contest: a pool without a Difficulty (V5-19)."""
    return isinstance(opening, Contest) and isinstance(node, Pool) and node.difficulty is None


def picked(node: Willpower, earlier: Earlier, house: HouseRules) -> list[int]:
    """Positions of the dice that `node` would reroll, left to right. RuleError as in play."""
    admits(node, earlier, house)
    return _picks(node, earlier if node.hunger is None else _with_hunger_said(node.hunger, earlier))


def amend(node: Command, earlier: Earlier, dice: DiceSource, house: HouseRules) -> Outcome:
    """A roll after Willpower, Hunger that is typed later, or the answer to a contest."""
    if isinstance(node, Pass):
        opened = replace(expect(earlier.node, Contest).acting, difficulty=PASSED_DIFFICULTY)
        return judged(opened, earlier.outcome.dice, PASSED_DIFFICULTY, house)._replace(kind="contest", becomes=opened)
    if isinstance(node, Pool):
        # A pool of one part is posted by its dice: a lone number after `vs` would be asked about (GEN-05).
        other = replace(node, terms=()) if len(node.terms) == 1 else node
        answered = replace(expect(earlier.node, Contest), other=other, against=None)
        return contest(answered, earlier.outcome.dice, throw(node, dice), house)._replace(becomes=answered)
    admits(node, earlier, house)
    if isinstance(node, SayHunger):
        earlier = _with_hunger_said(node.hunger, earlier)
        return _judged_again(earlier, house)._replace(kind="reroll", becomes=earlier.node)
    willpower = expect(node, Willpower)
    if willpower.hunger is not None:
        earlier = _with_hunger_said(willpower.hunger, earlier)
    picks = _picks(willpower, earlier)
    return _paid(_judged_again(_rerolled(earlier, picks, dice.roll(len(picks), SIDES)), house), earlier)


def _paid(outcome: Outcome, earlier: Earlier) -> Outcome:
    """V5-15: it costs the player of those dice one superficial Willpower."""
    cost, node = ("willpower_spent",), earlier.node
    if earlier.side == "other" and outcome.opponent:
        opponent = outcome.opponent._replace(effects=cost)
        return outcome._replace(opponent=opponent, kind="reroll", becomes=node)
    return outcome._replace(effects=cost, kind="reroll", becomes=node)


def _with_dice(earlier: Earlier, dice: tuple[Die, ...]) -> Earlier:
    mine = earlier.mine._replace(dice=dice)
    if earlier.side == "other" and earlier.outcome.opponent:
        return replace(earlier, outcome=earlier.outcome._replace(opponent=mine))
    return replace(earlier, outcome=mine)


def _with_hunger_said(hunger: int, earlier: Earlier) -> Earlier:
    """V5-21: the last dice become Hunger dice."""
    said = replace(pool_of(earlier.node, earlier.side), hunger=hunger)
    node: Command = said
    if isinstance(earlier.node, Contest):
        acting = earlier.side == "acting"
        node = replace(earlier.node, acting=said) if acting else replace(earlier.node, other=said)
    return replace(_with_dice(earlier, with_hunger(said, earlier.mine.dice)), node=node)


def _rerolled(earlier: Earlier, picks: Sequence[int], faces: Sequence[int]) -> Earlier:
    """V5-17: new faces take the places of the old ones."""
    dice = list(earlier.mine.dice)
    for position, face in zip(picks, faces, strict=True):
        old = dice[position]
        dice[position] = Die(old.sides, face, old.role, old.kept, old.face)
    return _with_dice(earlier, tuple(dice))


def _judged_again(earlier: Earlier, house: HouseRules) -> Outcome:
    """The roll judged with its dice as they are now."""
    node, outcome = earlier.node, earlier.outcome
    if isinstance(node, Contest) and outcome.opponent:
        return contest(node, outcome.dice, outcome.opponent.dice, house)
    pool = expect(node, Pool)
    return judged(pool, outcome.dice, pool.difficulty, house)


def _picks(node: Willpower, earlier: Earlier) -> list[int]:
    """Positions that Willpower rerolls, left to right (V5-14, V5-24). RuleError if there is nothing to reroll."""
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
