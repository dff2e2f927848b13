"""Exact odds of every Fayrewood command, by the judge that play uses (GEN-08). The sums are over tallies."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from itertools import product

from grammars import Command
from grammars.fayrewood import MODIFIERS, Clash, Main, Pool, Sweep, Toss
from ircdice.errors import RuleError
from ircdice.game import expect
from ircdice.odds import Odds
from ircdice.outcome import Outcome
from ircdice.rules.fayrewood.judging import CATASTROPHE, ONE, Labels, Tally, Values, judge, judge_acting, judge_other
from ircdice.settings import HouseRules

Ways = Mapping[Tally, int]


def ways_of(pool: Pool) -> Ways:
    """How many throws of the pool come to each tally."""
    mains: defaultdict[Tally, int] = defaultdict(int)
    for faces in product(*(range(1, sides + 1) for sides in pool.dice)):
        mains[Tally(sum(faces), faces.count(ONE))] += 1
    if pool.modifier is None:
        return mains
    sides, sign = MODIFIERS[pool.modifier]
    ways: defaultdict[Tally, int] = defaultdict(int)
    for (total, ones), weight in mains.items():
        for face in range(1, sides + 1):
            ways[Tally(total + sign * face, ones)] += weight
    return ways


def odds(node: Command, _house: HouseRules) -> Odds:
    """The odds of a command that rolls: every label, the total, the margin."""
    if isinstance(node, Toss):
        judged = ((judge(throw, node.difficulty), weight) for throw, weight in ways_of(node.pool).items())
        outcomes = ((Outcome(labels=labels, values=values), weight) for (labels, values), weight in judged)
        return Odds.weighted(outcomes, "total", ("margin",) if node.difficulty is not None else ())
    if isinstance(node, Sweep):
        raise RuleError("a sweep rolls nothing, and so has no odds: say odds toss.")
    clash = expect(node, Clash)
    if clash.other is None:
        example = replace(clash, other=Pool((Main(4), Main(1))), against=None)
        raise RuleError(f"the odds depend on what @{node.against} rolls: say it, as {example}.")
    return _clash(ways_of(clash.acting), ways_of(clash.other))


def _clash(mine: Ways, theirs: Ways) -> Odds:
    """Each tally of one side against each of the other (FW-13)."""
    acting = Odds.weighted(_against(mine, _seen(theirs), judge_acting), "total", ("margin",))
    return acting.versus(Odds.weighted(_against(theirs, _seen(mine), judge_other), "total", ("margin",)))


def _seen(ways: Ways) -> Ways:
    """A side as the other sees it: its total, and whether two 1s have failed it."""
    seen: defaultdict[Tally, int] = defaultdict(int)
    for (total, ones), weight in ways.items():
        seen[Tally(total, CATASTROPHE if ones == CATASTROPHE else 0)] += weight
    return seen


def _against(
    mine: Ways, theirs: Ways, judge: Callable[[Tally, Tally], tuple[Labels, Values]]
) -> Iterator[tuple[Outcome, int]]:
    for throw, weight in mine.items():
        for other, other_weight in theirs.items():
            labels, values = judge(throw, other)
            yield Outcome(labels=labels, values=values), weight * other_weight
