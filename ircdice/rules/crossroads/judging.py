"""Judge every Crossroads command: rolls, contests, groups, and the follow-ups to them."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count
from typing import NamedTuple

from grammars import Command
from grammars import crossroads as xr
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
    """Equal faces among the three dice kept: the label, and the effect on the Success Value."""

    label: str
    shift: int = 0
    fate_die: bool = False


DOUBLES = {  # XR-12…XR-14
    1: Multiple("misstep", -1),
    **dict.fromkeys((2, 3, 4, 5), Multiple("change")),
    6: Multiple("fateful", +1),
}
DOUBLE_VALUES = (-1, 2)  # XR-12, XR-14: the limits for doubles
TRIPLES = {  # XR-15…XR-19
    1: Multiple("doomed_portents", -1, fate_die=True),
    2: Multiple("balanced_portents"),
    **dict.fromkeys((3, 4), Multiple("change_of_fate")),
    5: Multiple("fates_blessing"),
    6: Multiple("fates_child", +1, fate_die=True),
}
TRIPLE_VALUES = (-2, 3)  # XR-15, XR-19: the limits for triples
BALANCED = 2  # XR-16: the only triple that affects the other side
SIMPLE = "simple"  # XR-21: the value of `triples` in the config
LASTING = {"change_of_fate": True, "fates_blessing": True, "fate_die": False}  # gifts: whether turns end them
TIMED = frozenset(label for label, ends in LASTING.items() if ends)  # XR-17, XR-18


def ladder(total: int) -> int:
    """The Success Value of a total (XR-08)."""
    return (*LADDER.values(), TOP_VALUE)[bisect_left(tuple(LADDER), total)]


class Judged(NamedTuple):
    """One Skill Roll: `labels` of its multiples, and the face of its triple or 0."""

    total: int
    success_value: int
    labels: tuple[str, ...]
    triple: int


def judge(roll: xr.Roll, kept: tuple[int, ...], house: HouseRules) -> Judged:
    """Judge a Skill Roll's three dice (XR-08, XR-11…XR-16, XR-21); after a Change, doubles do not count (XR-13)."""
    total = max(sum(kept) + roll.net[1], 0)  # XR-06
    face = max(kept, key=kept.count)
    equal, simple = kept.count(face), roll.simple or house.triples == SIMPLE
    is_triple = equal == 3 and not simple
    multiple = TRIPLES[face] if is_triple else DOUBLES[face] if equal > 1 and not roll.rerolled else None
    value, labels = ladder(total), [multiple.label] if multiple else []
    if multiple:
        least, greatest = TRIPLE_VALUES if is_triple else DOUBLE_VALUES
        value = min(max(value + multiple.shift, least), greatest)
    if equal == 3 and (simple or TRIPLES[face].fate_die):
        labels.append("fate_die")
    return Judged(total, value, tuple(labels), face if is_triple else 0)


def result(own: Judged, other: Judged | None) -> int:
    """The Result of a Skill Roll: its Success Value or, opposed, the difference, limited to the table (XR-09).

    A triple 2 of either side makes it 0, unless the other has a higher triple (XR-16, XR-20, XR-27).
    """
    if max(own.triple, other.triple if other else 0) == BALANCED:
        return 0
    return limited(own.success_value - other.success_value) if other else own.success_value


def limited(value: int) -> int:
    """A value limited to Failure through Great Success (XR-09)."""
    return min(max(value, LEAST_RESULT), GREATEST_RESULT)


# Advantage, and the dice of one roll.


def with_dropped(faces: tuple[int, ...], roll: xr.Roll) -> tuple[Die, ...]:
    """A throw, with the dice that Advantage or Disadvantage removes marked as not kept (XR-04).

    The least favoured dice go, or the most favoured, and of equal faces the rightmost (XR-05).
    """
    sign = 1 if roll.keeps_highest else -1
    first_to_go = sorted(range(len(faces)), key=lambda place: (sign * faces[place], -place))
    gone = first_to_go[: len(faces) - roll.dice]
    return tuple([die._replace(kept=place not in gone) for place, die in enumerate(pool(faces, roll.sides))])


def kept_faces(dice: Sequence[Die]) -> tuple[int, ...]:
    """The faces of the dice kept, in draw order."""
    return tuple([die.face for die in dice if die.kept])


def enumerated(places: Sequence[int], conjunction: str) -> str:
    """`2`, `2 and 4`, `1, 2 and 4`."""
    *before, last = map(str, places)
    return f"{', '.join(before)} {conjunction} {last}" if before else last


def check_conversion(roll: xr.Roll, house: HouseRules) -> None:
    """XR-07: RuleError if there is too little Advantage to convert, or the Bonus would pass the limit."""
    if roll.convert > max(roll.advantage, 0):
        there = f"a{roll.advantage}" if roll.advantage > 0 else "none"
        raise RuleError(f"convert {roll.convert} needs that much Advantage, and the net is {there}.")
    (_, bonus), limit = roll.net, house.modifier_limit
    if roll.convert and limit is not None and bonus > limit:
        raise RuleError(f"convert {roll.convert} comes to b{bonus}, and the Modifier Limit here is {limit}.")


def throw(roll: xr.Roll, dice: DiceSource, house: HouseRules) -> tuple[Die, ...]:
    """Draw a roll's dice, and mark those that Advantage or Disadvantage removes (XR-04)."""
    check_conversion(roll, house)
    return with_dropped(dice.roll(roll.drawn, roll.sides), roll)


# Commands: each consists of rolls, in draw order.


def rolls_of(node: Command) -> tuple[xr.Roll, ...]:
    """The rolls of a command; empty if it has no dice."""
    if isinstance(node, xr.Contest):
        return (node.acting, node.other) if node.other else (node.acting,)
    return node.rolls if isinstance(node, xr.GroupRoll) else (node,) if isinstance(node, xr.Roll) else ()


def judge_command(node: Command, thrown: Sequence[tuple[Die, ...]], house: HouseRules) -> Outcome:
    """The outcome of a command, from the dice of each roll."""
    rolls = rolls_of(node)
    if isinstance(node, xr.Contest) and node.other is None:
        return Outcome(dice=thrown[0], kind="waiting")
    if not rolls[0].skill:
        return Outcome(thrown[0], (), plain(rolls[0], sum(kept_faces(thrown[0]))), added=_added(rolls[0]))
    each = [judge(roll, kept_faces(dice), house) for roll, dice in zip(rolls, thrown, strict=True)]
    if isinstance(node, xr.GroupRoll):
        return _group(each, thrown)
    own, other = each[0], each[1] if isinstance(node, xr.Contest) else None
    found = result(own, other)
    mine = _side(rolls[0], thrown[0], own, found)._replace(effects=blessings_of(*rolls))
    if other or own.triple == BALANCED:
        mine = mine._replace(values={**mine.values, "result": found})
    if other is None:
        return mine
    # XR-09: the other side is labelled by its own Success Value.
    theirs = _side(rolls[1], thrown[1], other, other.success_value)._replace(kind="contest")
    return mine._replace(kind="contest", opponent=theirs)


def _side(roll: xr.Roll, dice: tuple[Die, ...], own: Judged, value: int) -> Outcome:
    """One side's Skill Roll, with the label of `value`."""
    values = {"total": own.total, "success_value": own.success_value}
    return Outcome(dice, (RESULTS[limited(value)], *own.labels), values, added=_added(roll))


def _added(roll: xr.Roll) -> tuple[tuple[str, int], ...]:
    """The net Bonus, or below 0 Negative, in the total (XR-06)."""
    _, bonus = roll.net
    return (("bonus", bonus),) if bonus else ()


def plain(roll: xr.Roll, thrown: int) -> dict[str, int]:
    """The values of a plain roll: its total, never below 0, and the damage after armour (XR-06, XR-22)."""
    total = max(thrown + roll.net[1], 0)
    if roll.armour is None:
        return {"total": total}
    return {"total": total, "damage": max(total - max(roll.armour - roll.piercing, 0), 0)}


def blessings_of(*rolls: xr.Roll) -> tuple[str, ...]:
    """XR-18: the labels for the blessings of one side or both."""
    sides = zip(("", "other_"), rolls, strict=False)
    return tuple([f"{side}blessing_added_{roll.blessings}" for side, roll in sides if roll.blessings])


def _group(each: Sequence[Judged], thrown: Sequence[tuple[Die, ...]]) -> Outcome:
    """XR-10: the mean of the values; a triple 2 counts as 0 (XR-16)."""
    found = judge_values([result(one, None) for one in each])
    labels = dict.fromkeys([*found.labels, *[label for one in each for label in one.labels]])
    changes = ["change" if "change" in one.labels else "" for one in each]
    terms = tuple([Tossed(dice, label=change) for dice, change in zip(thrown, changes, strict=True)])
    drawn = tuple([die for dice in thrown for die in dice])
    return found._replace(dice=drawn, labels=tuple(labels), kind="roll", terms=terms)


def judge_values(values: Sequence[int]) -> Outcome:
    """The outcome of a group's Success Values."""
    found = judge_mean(sum(values), len(values))
    return found._replace(values={**found.values, "success_values": tuple(values)})


def judge_mean(total: int, count: int) -> Outcome:
    """The outcome of a group's mean, rounded to the nearest whole number, halves up (XR-10)."""
    mean = (2 * total + count) // (2 * count)
    return Outcome((), (RESULTS[limited(mean)],), {"result": mean}, "check")


def judge_note(node: Command) -> Outcome:
    """A command without dice."""
    if isinstance(node, xr.Damage):
        return _narrative_health(node)
    if isinstance(node, xr.GroupValues | xr.GroupClose) and node.values:
        return judge_values(node.values)
    return Outcome(kind="note")


def _narrative_health(node: xr.Damage) -> Outcome:
    """XR-23: Advantage and Disadvantage move points between heavy and light, then Bonus and Negative add or take."""
    worsened = min(max(node.advantage, 0), node.light)
    lessened = max(-node.advantage, 0)
    eased = min(lessened, node.heavy)
    heavy = node.heavy + worsened - eased
    light = max(node.light - worsened + eased - (lessened - eased), 0) + node.bonus
    return Outcome(kind="check", values={"heavy": max(heavy + min(light, 0), 0), "light": max(light, 0)})


# Follow-ups: keep other dice, reroll one die, or declare a reaction.


@dataclass(frozen=True, slots=True)
class Seat:
    """One roll of a command: its index, and its dice by position (XR-05).

    `change` means that it shows a Change that is not spent (XR-13).
    """

    index: int
    roll: xr.Roll
    dice: Mapping[int, Die]
    change: bool

    @property
    def kept(self) -> str:
        """The positions of the dice kept: `1, 2 or 4`."""
        return enumerated([place for place, die in self.dice.items() if die.kept], "or")


def _dice_of(outcome: Outcome) -> list[tuple[Die, ...]]:
    """The dice of each roll, without earlier rerolls."""
    sides = [outcome, outcome.opponent] if outcome.opponent else outcome.terms or [outcome]
    return [tuple([die._replace(was=None) for die in side.dice]) for side in sides]


def _seats(earlier: Earlier) -> list[Seat]:
    """The rolls whose dice a side may change: its own in a contest, all in a group. RuleError if there are none."""
    rolls, thrown = rolls_of(earlier.node), _dice_of(earlier.outcome)
    if earlier.outcome.kind == "waiting":
        raise RuleError(f"that roll is covered until @{earlier.node.against} has answered.")
    if not rolls:
        raise RuleError("no dice were rolled there.")
    if isinstance(earlier.node, xr.GroupRoll):
        place, terms = count(1), earlier.outcome.terms
        dice = [{next(place): die for die in each} for each in thrown]
        return [Seat(index, roll, dice[index], terms[index].label == "change") for index, roll in enumerate(rolls)]
    index = len(rolls) - 1 if earlier.side == "other" else 0
    return [Seat(index, rolls[index], dict(enumerate(thrown[index], 1)), "change" in earlier.mine.labels)]


def _seat(position: int, earlier: Earlier) -> Seat:
    """The roll with the die at `position`. RuleError if there is none."""
    for seat in _seats(earlier):
        if position in seat.dice:
            return seat
    raise RuleError(f"that roll has {len(earlier.mine.dice)} dice, and no die {position}.")


def amend(node: Command, earlier: Earlier, dice: DiceSource, house: HouseRules) -> Outcome:
    """A roll after dice are chosen, a die is rerolled, or a reaction is declared. RuleError if it is not allowed."""
    if earlier.closed:
        raise RuleError("that roll is closed: nothing more is changed about it.")
    effect = ""
    if isinstance(node, xr.Keep):
        seat = _keep(node, earlier)
    elif isinstance(node, xr.Reaction):
        seat, effect = _react(earlier), "sooner"
    else:
        node = expect(node, xr.Reroll)
        seat, effect = _reroll(node, earlier, dice), "fate_spent" if node.fate else ""
    return _judge_again(earlier, seat, effect, house)


def _react(earlier: Earlier) -> Seat:  # XR-18
    if not earlier.own:
        raise RuleError("only the roller says whose turn it was.")
    seat = _seat(1, earlier)
    if isinstance(earlier.node, xr.GroupRoll) or TIMED.isdisjoint(earlier.mine.labels):
        raise RuleError("that roll gave nothing that ends with a turn.")
    if seat.roll.reaction:
        raise RuleError("that roll is known to be a reaction already.")
    return replace(seat, roll=replace(seat.roll, reaction=True))


def _keep(node: xr.Keep, earlier: Earlier) -> Seat:  # XR-05
    if not earlier.own:
        raise RuleError("only the roller says which dice are the favoured ones.")
    seat = _seat(node.positions[0], earlier)
    if seat.roll.net[0] <= 0:
        raise RuleError("dice are chosen after an Advantage roll alone, and that roll has no Advantage.")
    if seat.roll.chosen:
        raise RuleError("other dice were kept of that roll already: once a roll.")
    if len(node.positions) != seat.roll.dice:
        raise RuleError(f"that roll keeps {seat.roll.dice} dice, you named {len(node.positions)}.")
    for position in node.positions:
        if _seat(position, earlier) != seat:
            raise RuleError(f"die {position} belongs to another roll of the group.")
    dice = {place: die._replace(kept=place in node.positions) for place, die in seat.dice.items()}
    return replace(seat, roll=replace(seat.roll, chosen=True), dice=dice)


def _reroll(node: xr.Reroll, earlier: Earlier, dice: DiceSource) -> Seat:  # XR-13, XR-17
    if node.fate and not node.granted:
        raise RuleError("you hold no Change of Fate: a triple 3 or 4 gives one, until the end of your next turn.")
    seat = _seat(node.position, earlier)
    if not node.fate and seat.roll.rerolled:
        raise RuleError("the Change of that roll is spent already: one die, once.")
    if not node.fate and not seat.change:
        for other in _seats(earlier):  # XR-10: other rolls of the group
            if other.change:
                raise RuleError(f"the Change there is for one die of another roll: {other.kept}.")
        raise RuleError("that roll shows no double 2 to 5: there is no Change to reroll by.")
    old = seat.dice[node.position]
    if not old.kept:
        raise RuleError(f"die {node.position} was dropped: reroll one of the dice kept, {seat.kept}.")
    new = old._replace(face=dice.roll(1, old.sides)[0], was=old.face)
    roll = seat.roll if node.fate else replace(seat.roll, rerolled=True)
    return replace(seat, roll=roll, dice={**seat.dice, node.position: new})


def _judge_again(earlier: Earlier, changed: Seat, effect: str, house: HouseRules) -> Outcome:
    """Judge the whole command again after a change in one roll."""
    before, node = earlier.outcome, earlier.node
    rolls, thrown = list(rolls_of(node)), _dice_of(before)
    rolls[changed.index], thrown[changed.index] = changed.roll, tuple(changed.dice.values())
    becomes: Command = changed.roll
    if isinstance(node, xr.Contest):
        becomes = replace(node, acting=rolls[0], other=rolls[1])
    elif isinstance(node, xr.GroupRoll):
        becomes = replace(node, rolls=tuple(rolls))
    found = judge_command(becomes, thrown, house)
    opponent = found.opponent and before.opponent and _as_before(found.opponent, before.opponent)
    effects = (*found.effects, effect) if effect else found.effects
    return _as_before(found, before)._replace(kind="reroll", becomes=becomes, opponent=opponent, effects=effects)


def _as_before(side: Outcome, before: Outcome) -> Outcome:
    """One side; without new dice it keeps its labels in `had`, so that they have no effect twice."""
    return side if side.rerolled else side._replace(had=before.labels)
