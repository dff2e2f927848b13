"""Exact odds of every Crossroads command, by the judge that play uses (GEN-08). The sums are over the dice kept."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import product
from math import prod

from grammars import Command
from grammars import crossroads as xr
from ircdice.dice import ScriptedDice
from ircdice.distributions import Group, Steps, added, raised, times, window
from ircdice.errors import RuleError
from ircdice.odds import Odds
from ircdice.outcome import Earlier, Outcome
from ircdice.rules.crossroads import judging
from ircdice.rules.crossroads.judging import Judged
from ircdice.settings import HouseRules


def _judged(roll: xr.Roll, house: HouseRules) -> Mapping[Judged, int]:
    """How many throws come to each verdict on a Skill Roll; die by die, the three that are kept so far."""
    advantage, bonus = judging.effective(roll, house)
    throws: Mapping[tuple[int, ...], int] = {(): 1}
    for _ in range(roll.dice + abs(advantage)):
        following: Counter[tuple[int, ...]] = Counter()
        for faces, weight in throws.items():
            for face in range(1, roll.sides + 1):
                best = sorted((*faces, face), reverse=_highest_stay(roll, advantage))
                following[tuple(best[: roll.dice])] += weight
        throws = following
    ways: Counter[Judged] = Counter()
    for faces, weight in throws.items():
        ways[judging.judge(faces, bonus, roll.simple or house.triples == judging.SIMPLE, roll.rerolled)] += weight
    return ways


def _highest_stay(roll: xr.Roll, advantage: int) -> bool:
    """XR-04: whether the dice kept are the highest ones; if all are kept, it does not matter."""
    return (advantage >= 0) != roll.low


def odds(node: Command, house: HouseRules) -> Odds:
    """The odds of a command that rolls."""
    if isinstance(node, xr.Roll):
        chances = _skill(node, house) if node.skill else _plain(node, house)
        return replace(chances, remarks=judging.blessings_of(node))
    if isinstance(node, xr.Contest):
        return replace(_contest(node, house), remarks=judging.blessings_of(node.acting, node.other))
    if isinstance(node, xr.GroupRoll):
        return _group(node, house)
    outcome = judging.noted(node)
    if outcome.kind == "note":
        raise RuleError(f'"{node}" rolls nothing.')
    if isinstance(node, xr.Damage):
        return Odds.weighted([(outcome, 1)], of="heavy", also=("light",))
    return Odds.over([outcome])


def _skill(roll: xr.Roll, house: HouseRules) -> Odds:
    outcomes = ((_outcome(own, None), weight) for own, weight in _judged(roll, house).items())
    return Odds.weighted(outcomes, of="success_value", also=("total",))


def _outcome(own: Judged, other: Judged | None) -> Outcome:
    found = judging.result(own, other)
    values = {"total": own.total, "success_value": own.success_value, "result": found}
    return Outcome(labels=(judging.RESULTS[judging.held(found)], *own.labels), values=values)


def _plain(roll: xr.Roll, house: HouseRules) -> Odds:
    """XR-01: totals alone, and the damage after armour."""
    advantage, bonus = judging.effective(roll, house)
    faces, steps = dict.fromkeys(range(1, roll.sides + 1), 1), Steps(str(roll))
    if advantage:
        start = abs(advantage) if _highest_stay(roll, advantage) else 0
        dice = Group(roll.dice + abs(advantage), faces)
        totals = window([dice], start, start + roll.dice, lambda face: {face: 1}, steps)
    else:
        totals = raised(faces, roll.dice, steps)
    outcomes = ((Outcome(values=judging.plain(roll, total + bonus)), weight) for total, weight in totals.items())
    return Odds.weighted(outcomes, of="total", also=() if roll.armour is None else ("damage",))


def _contest(node: xr.Contest, house: HouseRules) -> Odds:
    """Each verdict of the acting side against each of the other, which is reduced to what affects the acting side."""
    if node.other is None:
        raise RuleError(f"the odds depend on what @{node.against} rolls: say it, as {node.acting} vs 3d6.")
    theirs: Counter[Judged] = Counter()
    for other, weight in _judged(node.other, house).items():
        theirs[Judged(0, other.success_value, (), other.triple)] += weight
    pairs = product(_judged(node.acting, house).items(), theirs.items())
    outcomes = ((_outcome(own, other), weight * others) for (own, weight), (other, others) in pairs)
    return Odds.weighted(outcomes, of="result", also=("success_value",))


def _group(node: xr.GroupRoll, house: HouseRules) -> Odds:
    """The mean of all Success Values by convolution.

    Doubles and triples would have hundreds of sets of labels, so `together` has each of their labels alone.
    """
    each = [_judged(roll, house) for roll in node.rolls]
    sums, steps = {0: 1}, Steps(str(node))
    for ways in each:
        sums = times(sums, added({judging.result(own, None): weight} for own, weight in ways.items()), steps)
    outcomes = ((judging.grouped(total, len(each)), weight) for total, weight in sums.items())
    found, whole = Odds.weighted(outcomes, of="result"), sum(sums.values())
    together = dict(found.together)
    for label in dict.fromkeys(label for ways in each for own in ways for label in own.labels):
        without = prod(sum(weight for own, weight in ways.items() if label not in own.labels) for ways in each)
        together[label,] = Fraction(whole - without, whole)
    return replace(found, together=together)


def amend_odds(node: Command, earlier: Earlier, house: HouseRules) -> Odds:
    """The odds of a follow-up, over every face of the die that is rerolled (GEN-08).

    The result of a contest is the acting side's, even if the other side rerolls.
    """
    _, roll = judging.changed(node, earlier, house)
    drawn: list[tuple[int, ...]] = [(face,) for face in range(1, roll.sides + 1)]
    each = drawn if isinstance(node, xr.Reroll) else [()]
    outcomes = [judging.amend(node, earlier, ScriptedDice(faces), house) for faces in each]
    names = ["result"] if isinstance(earlier.node, xr.Contest | xr.GroupRoll) else ["success_value", "total"]
    return Odds.over(outcomes, of=next(name for name in names if name in outcomes[0].values))
