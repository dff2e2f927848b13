"""Crossroads follow-ups: other dice kept, one die rerolled, and the answer to a contest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from grammars import Command
from grammars.contests import Pass
from grammars.crossroads import Contest, GroupRoll, Keep, Reaction, Reroll, Roll
from ircdice.dice import DiceSource
from ircdice.errors import RuleError
from ircdice.game import expect
from ircdice.outcome import Die, Earlier, Outcome
from ircdice.rules.crossroads.throwing import alone, contest, effective, group, judged, parts, positions, throw
from ircdice.settings import HouseRules

TIMED = frozenset({"change_of_fate", "fates_blessing"})  # XR-17, XR-18: these end with a turn


class Seat(NamedTuple):
    """One roll of a command, its dice, and the number of dice before them (XR-05)."""

    roll: Roll
    dice: tuple[Die, ...]
    start: int = 0
    member: int = 0


def seat(position: int, earlier: Earlier, house: HouseRules) -> Seat:
    """The roll that has the die at `position`. RuleError if there is none."""
    if earlier.outcome.kind == "waiting":
        raise RuleError(f"that roll is covered until @{earlier.node.against} has answered.")
    seats = _seats(earlier, house)
    if not seats:
        raise RuleError("no dice were rolled there.")
    found = next((s for s in seats if position <= s.start + len(s.dice)), None)
    if found is None:
        raise RuleError(f"that roll has {len(earlier.mine.dice)} dice, and no die {position}.")
    return found


def _seats(earlier: Earlier, house: HouseRules) -> list[Seat]:
    """The rolls of a command in their order; none if it has no dice."""
    node, dice = earlier.node, earlier.mine.dice
    if isinstance(node, Roll):
        return [Seat(node, dice)]
    if isinstance(node, Contest):
        roll = node.other if earlier.side == "other" and node.other else node.acting
        return [Seat(roll, dice)]
    if not isinstance(node, GroupRoll):
        return []
    seats, start = [], 0
    for member, part in enumerate(parts(node, dice, house)):
        seats.append(Seat(node.rolls[member], part, start, member))
        start += len(part)
    return seats


def means(node: Command, earlier: Earlier) -> bool:
    """GEN-09: rolls with dice. The reroll of a Change means a Skill Roll, as no other roll has one (XR-13); a reaction
    means a roll that gave something which ends with a turn (XR-18)."""
    if not isinstance(earlier.node, Roll | Contest | GroupRoll):
        return False
    if isinstance(node, Reaction):
        return not TIMED.isdisjoint(earlier.mine.labels)
    if not isinstance(node, Reroll) or node.fate or isinstance(earlier.node, Contest):
        return True
    rolls = earlier.node.rolls if isinstance(earlier.node, GroupRoll) else (earlier.node,)
    return any(roll.skill for roll in rolls)


def admits(node: Command, earlier: Earlier, house: HouseRules) -> None:
    """RuleError, with the reason, if `node` cannot follow that roll."""
    if earlier.closed:
        raise RuleError("that roll is closed: nothing more is changed about it.")
    if isinstance(node, Reaction):
        _admits_reaction(earlier, house)
    elif isinstance(node, Keep):
        _admits_keep(node, earlier, house)
    elif isinstance(node, Reroll) and node.fate:
        _admits_fate(node, earlier, house)
    else:
        _admits_change(expect(node, Reroll), earlier, house)


def _chooses(at: Seat, house: HouseRules) -> bool:
    """XR-05: only after Advantage."""
    return effective(at.roll, house)[0] > 0


def _changes(at: Seat, house: HouseRules) -> bool:
    """XR-13: whether it still has a Change."""
    return at.roll.skill and "change" in judged(at.roll, at.dice, house).labels


def _admits_keep(node: Keep, earlier: Earlier, house: HouseRules) -> None:
    """XR-05."""
    if not earlier.own:
        raise RuleError("only the roller says which dice are the favoured ones.")
    at = seat(node.positions[0], earlier, house)
    if not _chooses(at, house):
        raise RuleError("dice are chosen after an Advantage roll alone, and that roll has no Advantage.")
    if at.roll.chosen:
        raise RuleError("other dice were kept of that roll already: once a roll.")
    if len(node.positions) != at.roll.dice:
        raise RuleError(f"that roll keeps {at.roll.dice} dice, you named {len(node.positions)}.")
    for position in node.positions:
        if seat(position, earlier, house).member != at.member:
            raise RuleError(f"die {position} belongs to another roll of the group.")


def _admits_reaction(earlier: Earlier, house: HouseRules) -> None:
    """XR-18."""
    if not earlier.own:
        raise RuleError("only the roller says whose turn it was.")
    at = seat(1, earlier, house)
    if isinstance(earlier.node, GroupRoll) or TIMED.isdisjoint(earlier.mine.labels):
        raise RuleError("that roll gave nothing that ends with a turn.")
    if at.roll.reaction:
        raise RuleError("that roll is known to be a reaction already.")


def _admits_change(node: Reroll, earlier: Earlier, house: HouseRules) -> None:
    """XR-13."""
    at = seat(node.position, earlier, house)
    if at.roll.rerolled:
        raise RuleError("the Change of that roll is spent already: one die, once.")
    if not _changes(at, house):
        changing = next((each for each in _seats(earlier, house) if _changes(each, house)), None)
        if changing is not None:  # XR-10: another roll of the group
            kept = positions(changing.dice, changing.start, kept=True)
            raise RuleError(f"the Change there is for one die of another roll: {enumerated(kept, 'or')}.")
        raise RuleError("that roll shows no double 2 to 5: there is no Change to reroll by.")
    _kept(node.position, at)


def _admits_fate(node: Reroll, earlier: Earlier, house: HouseRules) -> None:
    """XR-17."""
    if not node.granted:
        raise RuleError("you hold no Change of Fate: a triple 3 or 4 gives one, until the end of your next turn.")
    _kept(node.position, seat(node.position, earlier, house))


def _kept(position: int, at: Seat) -> None:
    kept = positions(at.dice, at.start, kept=True)
    if position not in kept:
        whose = "the one die kept" if len(kept) == 1 else "one of the dice kept"
        raise RuleError(f"die {position} was dropped: reroll {whose}, {enumerated(kept, 'or')}.")


def answers(opening: Command, node: Command) -> bool:
    """Whether `node` can be the other side of that contest: a Skill Roll (XR-09)."""
    return isinstance(opening, Contest) and isinstance(node, Roll) and node.skill


def amend(node: Command, earlier: Earlier, dice: DiceSource, house: HouseRules) -> Outcome:
    """A roll after other dice are kept, a die is rerolled, or a contest is answered."""
    if isinstance(node, Pass):  # GEN-06: unopposed
        acting = expect(earlier.node, Contest).acting
        return alone(acting, earlier.outcome.dice, house)._replace(kind="contest", becomes=acting)
    if isinstance(node, Roll):
        answered = replace(expect(earlier.node, Contest), other=node, against=None)
        return contest(answered, earlier.outcome.dice, throw(node, dice, house), house)._replace(becomes=answered)
    admits(node, earlier, house)
    if isinstance(node, Reaction):
        at = seat(1, earlier, house)
        again = _judged_again(earlier, at, replace(at.roll, reaction=True), _not_new(at.dice), house)
        return again._replace(effects=(*again.effects, "sooner"))
    if isinstance(node, Keep):
        at = seat(node.positions[0], earlier, house)
        kept = [at.start + i + 1 in node.positions for i in range(len(at.dice))]
        changed = tuple([die._replace(kept=stays, was=None) for die, stays in zip(at.dice, kept, strict=True)])
        return _judged_again(earlier, at, replace(at.roll, chosen=True), changed, house)
    return _rerolled(expect(node, Reroll), earlier, dice, house)


def _rerolled(node: Reroll, earlier: Earlier, dice: DiceSource, house: HouseRules) -> Outcome:
    """The new face takes the place of the old one. It spends the Change of the roll, or a Change of Fate."""
    at = seat(node.position, earlier, house)
    (face,) = dice.roll(1, at.roll.sides)
    changed = [die._replace(was=None) for die in at.dice]
    place = node.position - 1 - at.start
    changed[place] = changed[place]._replace(face=face, was=changed[place].face)
    roll = at.roll if node.fate else replace(at.roll, rerolled=True)
    outcome = _judged_again(earlier, at, roll, tuple(changed), house)
    return outcome._replace(effects=(*outcome.effects, "fate_spent")) if node.fate else outcome


def _judged_again(earlier: Earlier, at: Seat, roll: Roll, dice: tuple[Die, ...], house: HouseRules) -> Outcome:
    """The whole command judged again, with `roll` and `dice` in the place of one of its rolls."""
    node, outcome = earlier.node, earlier.outcome
    becomes: Command = roll
    if isinstance(node, Contest) and outcome.opponent:
        if earlier.side == "other":
            becomes = replace(node, other=roll)
            found = contest(becomes, _not_new(outcome.dice), dice, house)
        else:
            becomes = replace(node, acting=roll)
            found = contest(becomes, dice, _not_new(outcome.opponent.dice), house)
    elif isinstance(node, GroupRoll):
        becomes = replace(node, rolls=(*node.rolls[: at.member], roll, *node.rolls[at.member + 1 :]))
        all_dice = _not_new(outcome.dice)
        found = group(becomes, all_dice[: at.start] + dice + all_dice[at.start + len(dice) :], house)
    else:
        found = alone(roll, dice, house)
    opponent = found.opponent and outcome.opponent and _as_before(found.opponent, outcome.opponent)
    return _as_before(found, outcome)._replace(kind="reroll", becomes=becomes, opponent=opponent)


def _as_before(side: Outcome, before: Outcome) -> Outcome:
    """One side; if none of its dice is new, with its labels before, which give nothing more."""
    return side if side.rerolled else side._replace(had=before.labels)


def _not_new(dice: tuple[Die, ...]) -> tuple[Die, ...]:
    """The dice without the marks of an earlier reroll."""
    return tuple([die if die.was is None else die._replace(was=None) for die in dice])


def enumerated(places: Sequence[int], conjunction: str) -> str:
    """`2`, `2 and 4`, `1, 2 and 4`."""
    *before, last = map(str, places)
    return f"{', '.join(before)} {conjunction} {last}" if before else last
