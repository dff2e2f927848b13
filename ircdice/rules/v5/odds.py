"""Exact odds of every V5 command, by the judge that play uses (GEN-08). The sums are over tallies, not over faces."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import cache
from itertools import accumulate, product
from math import comb
from typing import NamedTuple

from grammars import Command
from grammars.v5 import Contest, Pool, Rouse, SayHunger, Willpower
from ircdice.dice import ScriptedDice
from ircdice.errors import RuleError
from ircdice.odds import Odds
from ircdice.outcome import Earlier, Outcome
from ircdice.rules.v5.judging import PAIR_BONUS, ROUSED, SIDES, Tally, evaluate, expect_numbers, judge, unsaid
from ircdice.rules.v5.rerolls import amend, picked
from ircdice.settings import HouseRules

PLAIN_SUCCESSES = 4  # faces 6 to 9
FAILURES = 4  # faces 2 to 5
ENDS = 1  # the ten, and the one


class Part(NamedTuple):
    """What a tally needs of one kind of dice of a pool: tens by parity and by pairs, ones by their presence."""

    successes: int
    odd_ten: bool
    pair: bool
    ones: bool


@cache
def parts(count: int) -> Mapping[Part, int]:
    """How many of the 10^count throws of `count` dice come to each part."""
    ways: defaultdict[Part, int] = defaultdict(int)
    for tens in range(count + 1):
        for plain in range(count - tens + 1):
            rest = count - tens - plain
            chosen = comb(count, tens) * comb(count - tens, plain) * PLAIN_SUCCESSES**plain
            successes = plain + tens + tens // 2 * PAIR_BONUS
            without_ones = FAILURES**rest
            for ones, filled in ((False, without_ones), (True, (FAILURES + ENDS) ** rest - without_ones)):
                if filled:
                    ways[Part(successes, tens % 2 == 1, tens >= 2, ones)] += chosen * filled
    return ways


def _tallies(pool: Pool) -> Mapping[Tally, int]:
    """How many throws of the pool come to each tally; counts that the judge treats alike are one."""
    hunger = min(pool.hunger or 0, pool.dice)
    ways: defaultdict[Tally, int] = defaultdict(int)
    for (mine, odd, pair, ones), weight in parts(pool.dice - hunger).items():
        for (theirs, their_odd, their_pair, their_ones), other_weight in parts(hunger).items():
            both = odd and their_odd
            tens = 2 if pair or their_pair or both else odd + their_odd
            successes = mine + theirs + PAIR_BONUS * both
            both_sides = Tally(successes, tens, their_odd or their_pair, ones or their_ones, their_ones)
            ways[both_sides] += weight * other_weight
    return ways


def odds(node: Command, house: HouseRules) -> Odds:
    """The odds of a command that rolls."""
    expect_numbers(node)
    if isinstance(node, Pool):
        chances = Odds.weighted(_judged(_tallies(node), node.difficulty, house), of="successes")
        return replace(chances, remarks=unsaid(node))  # V5-21
    if isinstance(node, Contest):
        return _contest(node, house)
    if isinstance(node, Rouse):
        risen = {
            n: comb(node.count, n) * ROUSED**n * (SIDES - ROUSED) ** (node.count - n) for n in range(node.count + 1)
        }
        outcomes = ((_rouse(n), weight) for n, weight in risen.items())
        return Odds.weighted(outcomes, of="hunger_gained")
    return Odds.over([evaluate(node, ScriptedDice(()), house)])


def _rouse(risen: int) -> Outcome:
    return Outcome(labels=("hunger_rises",) if risen else (), values={"hunger_gained": risen})


def _judged(tallies: Mapping[Tally, int], difficulty: int | None, house: HouseRules) -> Iterator[tuple[Outcome, int]]:
    for throw, weight in tallies.items():
        labels, values = judge(throw, difficulty, house)
        yield Outcome(labels=labels, values=values), weight


def _successes(tallies: Mapping[Tally, int]) -> Mapping[int, int]:
    counts: defaultdict[int, int] = defaultdict(int)
    for throw, weight in tallies.items():
        counts[throw.successes] += weight
    return counts


def _contest(node: Contest, house: HouseRules) -> Odds:
    """Each side against every count that the other can reach (V5-19)."""
    if node.other is None:
        raise RuleError(f"the odds depend on what @{node.against} rolls: say it, as {node.acting} vs 5d10.")
    mine, theirs = _tallies(node.acting), _tallies(node.other)
    acting = _against(mine, _successes(theirs), lambda count: max(1, count), house)
    other = _against(theirs, _successes(mine), lambda count: count + 1, house)
    return Odds.weighted(acting, of="successes").versus(Odds.weighted(other, of="successes"))


def _against(
    tallies: Mapping[Tally, int], counts: Mapping[int, int], difficulty: Callable[[int], int], house: HouseRules
) -> Iterator[tuple[Outcome, int]]:
    """Each tally judged twice: against all counts that it beats, and against all that beat it."""
    total, ascending = sum(counts.values()), sorted(counts)
    ways_below = list(accumulate([counts[count] for count in ascending], initial=0))
    for throw, weight in tallies.items():
        beaten = ways_below[bisect_right(ascending, throw.successes, key=difficulty)]
        for passed, ways in ((throw.successes, beaten), (throw.successes + 1, total - beaten)):
            if ways:
                labels, _ = judge(throw, passed, house)
                yield Outcome(labels=labels, values={"successes": throw.successes}), weight * ways


def reroll_odds(node: Command, earlier: Earlier, house: HouseRules) -> Odds:
    """The odds of Willpower, over every face of the dice that it rerolls, at most three."""
    if isinstance(node, Willpower | SayHunger):
        count = len(picked(node, earlier, house)) if isinstance(node, Willpower) else 0
        faces = product(range(1, SIDES + 1), repeat=count)
        return Odds.over((_side(amend(node, earlier, ScriptedDice(f), house), earlier) for f in faces), of="successes")
    raise RuleError(f"there are no odds for {node}.")


def _side(outcome: Outcome, earlier: Earlier) -> Outcome:
    return outcome.opponent if earlier.side == "other" and outcome.opponent else outcome
