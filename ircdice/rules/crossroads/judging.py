"""Throw and judge every Crossroads command: rolls, contests, groups, and the follow-ups to them."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from grammars import Command
from grammars.contests import Pass
from grammars.crossroads import (
    Contest,
    Damage,
    GroupClose,
    GroupOpen,
    GroupRoll,
    GroupValues,
    Keep,
    Reaction,
    Reroll,
    Roll,
)
from ircdice.dice import DiceSource
from ircdice.errors import RuleError
from ircdice.game import expect
from ircdice.outcome import Die, Earlier, Outcome, Tossed, pool
from ircdice.settings import HouseRules

LADDER = {5: -1, 10: 0, 15: 1}  # XR-08: the highest total of each Success Value
TOP_VALUE = 2  # any total above those
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
TRIPLE_VALUES = (-2, 3)  # XR-15, XR-19: a triple goes further
BALANCED = 2  # XR-16: the only triple that affects the other side
SIMPLE = "simple"  # XR-21: the value of `triples` in the config


def ladder(total: int) -> int:
    """The Success Value of a total (XR-08)."""
    return (*LADDER.values(), TOP_VALUE)[bisect_left(tuple(LADDER), total)]


class Judged(NamedTuple):
    """One Skill Roll: `labels` of its multiples, and the face of its triple, 0 if it has none.

    `unopposed` are all of its labels if the roll is not opposed.
    """

    total: int
    success_value: int
    labels: tuple[str, ...]
    triple: int
    unopposed: tuple[str, ...] = ()


def judge(kept: tuple[int, ...], bonus: int, simple: bool, rerolled: bool) -> Judged:
    """Judge a Skill Roll by its three dice (XR-08, XR-11…XR-16, XR-21); after a Change no double counts (XR-13)."""
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
    """Whether a triple 2 of either side counts and sets the Result (XR-16, XR-20, XR-27)."""
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


# Every command that is not a follow-up.


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
        raise RuleError(f"convert {roll.convert} needs that much Advantage, and the net is {there}.")
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


def group(node: GroupRoll, dice: tuple[Die, ...], house: HouseRules) -> Outcome:
    """XR-10: every roll judged by itself, and the mean of their values."""
    thrown = list(zip(node.rolls, parts(node, dice, house), strict=True))
    each = [judged(roll, part, house) for roll, part in thrown]
    values = [result(one, None) for one in each]  # XR-16: a triple 2 counts as 0
    found = of_group(values)
    labels = dict.fromkeys([*found.labels, *(label for one in each for label in one.labels)])
    return found._replace(
        dice=dice, labels=tuple(labels), kind="roll", terms=tuple([Tossed(part) for _, part in thrown])
    )


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


# Follow-ups: other dice kept, one die rerolled, and the answer to a contest.

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
