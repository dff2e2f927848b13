"""Judge every Crossroads command: rolls, contests, groups, and the follow-ups to them."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, replace
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
    if multiple and multiple.shift:
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


def with_dropped(faces: tuple[int, ...], sides: int, advantage: int, *, low: bool) -> tuple[Die, ...]:
    """A throw, with the dice removed by Advantage, or below 0 Disadvantage, marked as not kept (XR-04).

    The least favoured dice go, or the most favoured, and of equal faces the rightmost (XR-05).
    """
    sign = 1 if (advantage > 0) != low else -1
    first_to_go = sorted(range(len(faces)), key=lambda place: (sign * faces[place], -place))
    gone = set(first_to_go[: abs(advantage)])
    return tuple([die._replace(kept=place not in gone) for place, die in enumerate(pool(faces, sides))])


def positions(dice: Sequence[Die], start: int = 0, *, kept: bool) -> list[int]:
    """Positions of the dice kept, or dropped, in draw order; the first die is `start` + 1 (XR-05)."""
    return [place for place, die in enumerate(dice, start + 1) if die.kept is kept]


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
    advantage, _ = roll.net
    return with_dropped(dice.roll(roll.dice + abs(advantage), roll.sides), roll.sides, advantage, low=roll.low)


# Commands: each consists of rolls, in draw order.


def rolls_of(node: Command) -> tuple[xr.Roll, ...]:
    """The rolls of a command; empty if it has no dice."""
    if isinstance(node, xr.Contest):
        return (node.acting, node.other) if node.other else (node.acting,)
    return node.rolls if isinstance(node, xr.GroupRoll) else (node,) if isinstance(node, xr.Roll) else ()


def judge_command(node: Command, thrown: Sequence[tuple[Die, ...]], house: HouseRules) -> Outcome:
    """The outcome of a command, from the dice of each roll."""
    if isinstance(node, xr.GroupRoll):
        return _group(node, thrown, house)
    if isinstance(node, xr.Roll):
        return judge_alone(node, thrown[0], house)
    node = expect(node, xr.Contest)
    if node.other is None:
        return Outcome(dice=thrown[0], kind="waiting")
    own, theirs = judge(node.acting, kept_faces(thrown[0]), house), judge(node.other, kept_faces(thrown[1]), house)
    found = result(own, theirs)
    acting = _side(node.acting, thrown[0], own, found)
    # XR-09: the other side is labelled by its own Success Value.
    other = _side(node.other, thrown[1], theirs, theirs.success_value)._replace(kind="contest")
    values, effects = {**acting.values, "result": found}, blessings_of(node.acting, node.other)
    return acting._replace(values=values, kind="contest", opponent=other, effects=effects)


def _side(roll: xr.Roll, dice: tuple[Die, ...], own: Judged, value: int) -> Outcome:
    """One side's Skill Roll, with the label of `value`."""
    values = {"total": own.total, "success_value": own.success_value}
    return Outcome(dice, (RESULTS[limited(value)], *own.labels), values, added=_added(roll))


def judge_alone(roll: xr.Roll, dice: tuple[Die, ...], house: HouseRules) -> Outcome:
    """One side's roll, unopposed."""
    if not roll.skill:
        return Outcome(dice, (), plain(roll, sum(kept_faces(dice))), added=_added(roll))
    own = judge(roll, kept_faces(dice), house)
    found = _side(roll, dice, own, result(own, None))._replace(effects=blessings_of(roll))
    return found._replace(values={**found.values, "result": 0}) if own.triple == BALANCED else found


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


def blessing_added(blessings: int) -> str:
    """XR-18: the label for that number of blessings, each one Advantage."""
    return f"blessing_added_{blessings}"


def blessings_of(roll: xr.Roll, other: xr.Roll | None = None) -> tuple[str, ...]:
    """The labels for the blessings of both sides."""
    mine = (blessing_added(roll.blessings),) if roll.blessings else ()
    return (*mine, f"other_{blessing_added(other.blessings)}") if other and other.blessings else mine


def _group(node: xr.GroupRoll, thrown: Sequence[tuple[Die, ...]], house: HouseRules) -> Outcome:
    """XR-10: each roll is judged separately, then the values are averaged; a triple 2 counts as 0 (XR-16)."""
    each = [judge(roll, kept_faces(dice), house) for roll, dice in zip(node.rolls, thrown, strict=True)]
    found = judge_values([result(one, None) for one in each])
    labels = dict.fromkeys([*found.labels, *(label for one in each for label in one.labels)])
    terms = [
        Tossed(dice, label="change" if "change" in one.labels else "") for dice, one in zip(thrown, each, strict=True)
    ]
    drawn = tuple([die for dice in thrown for die in dice])
    return found._replace(dice=drawn, labels=tuple(labels), kind="roll", terms=tuple(terms))


def judge_values(values: Sequence[int]) -> Outcome:
    """The outcome of a group's Success Values."""
    found = judge_mean(sum(values), len(values))
    return found._replace(values={**found.values, "success_values": tuple(values)})


def judge_mean(total: int, count: int) -> Outcome:
    """The outcome of a group's mean, rounded to the nearest whole number, halves up (XR-10)."""
    mean = (2 * total + count) // (2 * count)
    return Outcome((), (RESULTS[limited(mean)],), {"result": mean}, "check")


def judge_note(node: Command) -> Outcome:
    """A command without dice. RuleError if there is nothing to close, or a group is already open."""
    if isinstance(node, xr.GroupValues):
        return judge_values(node.values)
    if isinstance(node, xr.Damage):
        return _narrative_health(node)
    if isinstance(node, xr.GroupOpen) and node.opener is not None:
        raise RuleError(f"a group is open already, {node.opener}'s: xr group close ends it.")
    if isinstance(node, xr.GroupClose) and node.values is None:
        raise RuleError("no group is open here: xr group open begins one.")
    return judge_values(node.values) if isinstance(node, xr.GroupClose) and node.values else Outcome(kind="note")


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
    """One roll of a command: its index, its dice, and the number of dice before them (XR-05)."""

    index: int
    roll: xr.Roll
    dice: tuple[Die, ...]
    start: int = 0

    def has_change(self, house: HouseRules) -> bool:
        """XR-13: whether it shows a Change that is not spent."""
        return self.roll.skill and "change" in judge(self.roll, kept_faces(self.dice), house).labels


def seats(earlier: Earlier) -> list[Seat]:
    """The rolls whose dice a side may change: its own in a contest, all in a group."""
    rolls = rolls_of(earlier.node)
    if not isinstance(earlier.node, xr.GroupRoll):
        index = len(rolls) - 1 if earlier.side == "other" else 0
        return [Seat(index, rolls[index], earlier.mine.dice)] if rolls else []
    found, start = [], 0
    for index, (roll, tossed) in enumerate(zip(rolls, earlier.outcome.terms, strict=True)):
        found.append(Seat(index, roll, tossed.dice, start))
        start += len(tossed.dice)
    return found


def _seat(position: int, earlier: Earlier) -> Seat:
    """The roll with the die at `position`. RuleError if there is none."""
    if earlier.outcome.kind == "waiting":
        raise RuleError(f"that roll is covered until @{earlier.node.against} has answered.")
    found = seats(earlier)
    if not found:
        raise RuleError("no dice were rolled there.")
    at = next((seat for seat in found if position <= seat.start + len(seat.dice)), None)
    if at is None:
        raise RuleError(f"that roll has {len(earlier.mine.dice)} dice, and no die {position}.")
    return at


def changed_seat(node: Command, earlier: Earlier, house: HouseRules) -> Seat:
    """A roll after its follow-up. RuleError with the reason if it is not allowed."""
    if earlier.closed:
        raise RuleError("that roll is closed: nothing more is changed about it.")
    if isinstance(node, xr.Reaction):
        return _react(earlier)
    return _keep(node, earlier) if isinstance(node, xr.Keep) else _reroll(node, earlier, house)


def _react(earlier: Earlier) -> Seat:
    """XR-18."""
    if not earlier.own:
        raise RuleError("only the roller says whose turn it was.")
    at = _seat(1, earlier)
    if isinstance(earlier.node, xr.GroupRoll) or TIMED.isdisjoint(earlier.mine.labels):
        raise RuleError("that roll gave nothing that ends with a turn.")
    if at.roll.reaction:
        raise RuleError("that roll is known to be a reaction already.")
    return replace(at, roll=replace(at.roll, reaction=True))


def _keep(node: xr.Keep, earlier: Earlier) -> Seat:
    """XR-05."""
    if not earlier.own:
        raise RuleError("only the roller says which dice are the favoured ones.")
    at = _seat(node.positions[0], earlier)
    if at.roll.net[0] <= 0:
        raise RuleError("dice are chosen after an Advantage roll alone, and that roll has no Advantage.")
    if at.roll.chosen:
        raise RuleError("other dice were kept of that roll already: once a roll.")
    if len(node.positions) != at.roll.dice:
        raise RuleError(f"that roll keeps {at.roll.dice} dice, you named {len(node.positions)}.")
    for position in node.positions:
        if _seat(position, earlier) != at:
            raise RuleError(f"die {position} belongs to another roll of the group.")
    dice = [die._replace(kept=place in node.positions) for place, die in enumerate(at.dice, at.start + 1)]
    return replace(at, roll=replace(at.roll, chosen=True), dice=tuple(dice))


def _reroll(node: Command, earlier: Earlier, house: HouseRules) -> Seat:
    """XR-13, XR-17."""
    node = expect(node, xr.Reroll)
    if node.fate and not node.granted:
        raise RuleError("you hold no Change of Fate: a triple 3 or 4 gives one, until the end of your next turn.")
    at = _seat(node.position, earlier)
    if not node.fate and at.roll.rerolled:
        raise RuleError("the Change of that roll is spent already: one die, once.")
    if not node.fate and not at.has_change(house):
        for other in seats(earlier):  # XR-10: other rolls of the group
            if other.has_change(house):
                theirs = enumerated(positions(other.dice, other.start, kept=True), "or")
                raise RuleError(f"the Change there is for one die of another roll: {theirs}.")
        raise RuleError("that roll shows no double 2 to 5: there is no Change to reroll by.")
    kept = positions(at.dice, at.start, kept=True)
    if node.position not in kept:
        raise RuleError(f"die {node.position} was dropped: reroll one of the dice kept, {enumerated(kept, 'or')}.")
    return at if node.fate else replace(at, roll=replace(at.roll, rerolled=True))


def amend(node: Command, earlier: Earlier, dice: DiceSource, house: HouseRules) -> Outcome:
    """A roll after dice are chosen, a die is rerolled, or a reaction is declared."""
    at = changed_seat(node, earlier, house)
    now = [die._replace(was=None) for die in at.dice]
    if isinstance(node, xr.Reroll):
        place, (face,) = node.position - 1 - at.start, dice.roll(1, at.roll.sides)
        now[place] = now[place]._replace(face=face, was=now[place].face)
    outcome = _judge_again(earlier, replace(at, dice=tuple(now)), house)
    spent = isinstance(node, xr.Reroll) and node.fate
    effect = "sooner" if isinstance(node, xr.Reaction) else "fate_spent" if spent else None
    return outcome._replace(effects=(*outcome.effects, effect)) if effect else outcome


def _judge_again(earlier: Earlier, at: Seat, house: HouseRules) -> Outcome:
    """Judge the whole command again after a change in one roll."""
    before, node = earlier.outcome, earlier.node
    sides = [before, before.opponent] if before.opponent else before.terms or [before]
    thrown = [tuple([die._replace(was=None) for die in side.dice]) for side in sides]
    thrown[at.index] = at.dice
    rolls = list(rolls_of(node))
    rolls[at.index] = at.roll
    if isinstance(node, xr.Contest):
        becomes: Command = replace(node, acting=rolls[0], other=rolls[1])
    else:
        becomes = replace(node, rolls=tuple(rolls)) if isinstance(node, xr.GroupRoll) else at.roll
    found = judge_command(becomes, thrown, house)
    opponent = found.opponent and before.opponent and _as_before(found.opponent, before.opponent)
    return _as_before(found, before)._replace(kind="reroll", becomes=becomes, opponent=opponent)


def _as_before(side: Outcome, before: Outcome) -> Outcome:
    """One side; without new dice it keeps its labels in `had`, so that they have no effect twice."""
    return side if side.rerolled else side._replace(had=before.labels)
