"""Exact odds of every Crossroads command, by the judge that play uses (GEN-08). The sums are over the dice kept."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import combinations_with_replacement
from math import comb, factorial, prod

from grammars import Command
from grammars.crossroads import Contest, Damage, GroupRoll, Keep, Reaction, Reroll, Roll
from ircdice.dice import ScriptedDice
from ircdice.distributions import Group, Steps, raised, window
from ircdice.errors import RuleError
from ircdice.game import expect
from ircdice.odds import Odds
from ircdice.outcome import Earlier, Outcome
from ircdice.rules.crossroads.judging import (
    RESULTS,
    SIMPLE,
    Judged,
    admits,
    amend,
    blessings_of,
    effective,
    evaluate,
    grouped,
    held,
    judge,
    mean,
    plain,
    result,
    seat,
)
from ircdice.settings import HouseRules

Weights = Mapping[tuple[int, ...], int]


def kept_highest(kept: int, dice: int, sides: int) -> Weights:
    """How many of the sides^dice throws leave each multiset, descending, as their `kept` highest dice."""
    ways = {}
    for faces in combinations_with_replacement(range(sides, 0, -1), kept):
        least = faces[-1]
        above = [count for face, count in Counter(faces).items() if face > least]
        rest = dice - sum(above)
        wanted = kept - sum(above)
        arranged = factorial(dice) // (factorial(rest) * prod(map(factorial, above)))
        ways[faces] = arranged * _at_least(wanted, rest, least)
    return ways


def _at_least(wanted: int, dice: int, face: int) -> int:
    """Throws of `dice` dice that show no more than `face`, and `face` itself `wanted` times or more."""
    return sum(comb(dice, n) * (face - 1) ** (dice - n) for n in range(wanted, dice + 1))


def _highest_stay(roll: Roll, advantage: int) -> bool:
    """XR-04: whether the dice kept are the highest ones; if all are kept, it does not matter."""
    return (advantage >= 0) != roll.low


def _judged(roll: Roll, house: HouseRules) -> Mapping[Judged, int]:
    """How many throws come to each verdict on a Skill Roll."""
    advantage, bonus = effective(roll, house)
    mirror = 0 if _highest_stay(roll, advantage) else roll.sides + 1  # lowest dice are the highest, seen from below
    ways: defaultdict[Judged, int] = defaultdict(int)
    for faces, weight in kept_highest(roll.dice, roll.dice + abs(advantage), roll.sides).items():
        shown = tuple([mirror - face for face in faces]) if mirror else faces
        ways[judge(shown, bonus, roll.simple or house.triples == SIMPLE, roll.rerolled)] += weight
    return ways


def odds(node: Command, house: HouseRules) -> Odds:
    """The odds of a command that rolls."""
    if isinstance(node, Roll):
        chances = _skill(node, house) if node.skill else _plain(node, house)
        return replace(chances, remarks=blessings_of(node))
    if isinstance(node, Contest):
        return replace(_contest(node, house), remarks=blessings_of(node.acting, node.other))
    if isinstance(node, GroupRoll):
        return _group(node, house)
    outcome = evaluate(node, ScriptedDice(()), house)
    if outcome.kind == "note":
        raise RuleError(f'"{node}" rolls nothing.')
    if isinstance(node, Damage):
        return Odds.weighted([(outcome, 1)], of="heavy", also=("light",))
    return Odds.over([outcome])


def _skill(roll: Roll, house: HouseRules) -> Odds:
    outcomes = ((_outcome(own, None), weight) for own, weight in _judged(roll, house).items())
    return Odds.weighted(outcomes, of="success_value", also=("total",))


def _outcome(own: Judged, other: Judged | None) -> Outcome:
    found = result(own, other)
    values = {"total": own.total, "success_value": own.success_value, "result": found}
    return Outcome(labels=(RESULTS[held(found)], *own.labels), values=values)


def _plain(roll: Roll, house: HouseRules) -> Odds:
    """XR-01: totals alone, and the damage after armour."""
    advantage, bonus = effective(roll, house)
    faces, steps = dict.fromkeys(range(1, roll.sides + 1), 1), Steps(str(roll))
    if advantage:
        start = abs(advantage) if _highest_stay(roll, advantage) else 0
        dice = Group(roll.dice + abs(advantage), faces)
        totals = window([dice], start, start + roll.dice, lambda face: {face: 1}, steps)
    else:
        totals = raised(faces, roll.dice, steps)
    outcomes = ((Outcome(values=plain(roll, total + bonus)), weight) for total, weight in totals.items())
    return Odds.weighted(outcomes, of="total", also=() if roll.armour is None else ("damage",))


def _contest(node: Contest, house: HouseRules) -> Odds:
    """Each verdict of the acting side against each of the other, reduced to what affects the acting side."""
    if node.other is None:
        raise RuleError(f"the odds depend on what @{node.against} rolls: say it, as {node.acting} vs 3d6.")
    theirs: defaultdict[Judged, int] = defaultdict(int)
    for other, weight in _judged(node.other, house).items():
        theirs[Judged(0, other.success_value, (), other.triple)] += weight
    mine: defaultdict[Judged, int] = defaultdict(int)
    for own, weight in _judged(node.acting, house).items():
        mine[own._replace(total=0)] += weight
    return Odds.weighted(_pairs(mine, theirs), of="result", also=("success_value",))


def _pairs(mine: Mapping[Judged, int], theirs: Mapping[Judged, int]) -> Iterator[tuple[Outcome, int]]:
    for own, weight in mine.items():
        for other, other_weight in theirs.items():
            yield _outcome(own, other), weight * other_weight


def _group(node: GroupRoll, house: HouseRules) -> Odds:
    """The mean of all Success Values by convolution.

    Doubles and triples would have hundreds of sets of labels, so `together` has each of their labels alone.
    """
    each = [_judged(roll, house) for roll in node.rolls]
    sums = {0: 1}
    for ways in each:
        sums = _added(sums, ways)
    outcomes = ((grouped(mean(total, len(each))), weight) for total, weight in sums.items())
    found, whole = Odds.weighted(outcomes, of="result"), sum(sums.values())
    labels = dict.fromkeys(label for ways in each for own in ways for label in own.labels)
    absent = {label: prod(_without(label, ways) for ways in each) for label in labels}
    shown: dict[tuple[str, ...], Fraction] = {
        (label,): Fraction(whole - throws, whole) for label, throws in absent.items()
    }
    return Odds({**found.together, **shown}, found.name, found.values)


def _added(sums: Mapping[int, int], ways: Mapping[Judged, int]) -> dict[int, int]:
    found: defaultdict[int, int] = defaultdict(int)
    for own, weight in ways.items():
        for total, other_weight in sums.items():
            found[total + result(own, None)] += weight * other_weight
    return found


def _without(label: str, ways: Mapping[Judged, int]) -> int:
    return sum(weight for own, weight in ways.items() if label not in own.labels)


def amend_odds(node: Command, earlier: Earlier, house: HouseRules) -> Odds:
    """The odds of a follow-up, over every face of the die that is rerolled (GEN-08)."""
    admits(node, earlier, house)
    if isinstance(node, Keep | Reaction):
        return _over([amend(node, earlier, ScriptedDice(()), house)], earlier)
    sides = seat(expect(node, Reroll).position, earlier, house).roll.sides
    thrown = [amend(node, earlier, ScriptedDice((face,)), house) for face in range(1, sides + 1)]
    return _over(thrown, earlier)


def _over(outcomes: list[Outcome], earlier: Earlier) -> Odds:
    """The result of a contest is the acting side's, even if the other side rerolls."""
    names = ["result"] if isinstance(earlier.node, Contest | GroupRoll) else ["success_value", "total"]
    return Odds.over(outcomes, of=next(name for name in names if name in outcomes[0].values))
