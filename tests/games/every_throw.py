"""Compare the exact odds of a command with its throws, each judged as play judges it (GEN-08)."""

from collections import defaultdict
from fractions import Fraction
from heapq import heappop, heappush
from itertools import count, product

import grammars
from ircdice import dispatcher
from ircdice.dice import UNSTAMPED
from ircdice.settings import HouseRules

RARE = Fraction(1, 10**11)  # odds need not list what is less likely
AT_ONCE = 2_000  # throws of a pool that are tried together
LONGEST = 10**6  # throws less likely than one in a million are not tried


class MoreDiceError(Exception):
    """The throw needs that many more dice of that many sides."""


class Sides:
    """Dice that show the given sides, counted from 0; `one_in` is how unlikely they are."""

    stamp = UNSTAMPED

    def __init__(self, sides):
        self.sides, self.one_in = list(sides), 1

    def roll(self, count, sides):
        shown, self.sides = self.sides[:count], self.sides[count:]
        self.one_in *= sides ** len(shown)
        if len(shown) < count:
            raise MoreDiceError(count - len(shown), sides)
        return tuple(side + 1 for side in shown)

    def sides_of(self, count, listed):
        return self.roll(count, len(listed))

    def finish(self):
        assert not self.sides


def every_throw(node, most, house):
    """The outcomes of the likeliest throws, `most` of them at most, each with its chance."""
    order, waiting = count(), [(1, 0, ())]
    while waiting and most > 0:
        one_in, _, sides = heappop(waiting)
        if one_in > LONGEST:
            return
        dice, most = Sides(sides), most - 1
        try:
            outcome = dispatcher.evaluate(node, dice, house)
        except MoreDiceError as needed:
            dice_needed, of = needed.args
            together = next(n for n in range(dice_needed, 0, -1) if of**n <= AT_ONCE or n == 1)
            for more in product(range(of), repeat=together):
                heappush(waiting, (dice.one_in * of**together, next(order), (*sides, *more)))
        else:
            yield outcome, Fraction(1, dice.one_in)


def check_odds(text, system, most=60_000, house=None):
    """Compare odds with what was thrown; the throws that were not tried may add to any of it. Return their chance."""
    house, node = house or HouseRules(), grammars.parse(text, system, called=True)
    odds = dispatcher.odds(node, house)
    acting, other = defaultdict(Fraction), defaultdict(Fraction)
    for outcome, chance in every_throw(node, most, house):
        acting[_told(outcome, odds)] += chance
        if odds.opponent:
            other[_told(outcome.opponent, odds.opponent)] += chance
    _compare(odds, acting)
    if odds.opponent:
        _compare(odds.opponent, other)
    assert odds.error < Fraction(1, 10**9)
    return 1 - sum(acting.values())


def _told(outcome, odds):
    """The labels of an outcome, and its values of the names that the odds have."""
    values = {**outcome.values, "total": outcome.values.get("total", outcome.values.get("totals", (None,)))}
    values["total"] = values["total"][0] if isinstance(values["total"], tuple) else values["total"]
    return outcome.labels, values.get(odds.name), *(values[name] for name in odds.also)


def _compare(odds, found):
    missing = 1 - sum(found.values())
    spreads = [(odds.values, 1), *((spread, 2 + nth) for nth, spread in enumerate(odds.also.values()))]
    if sum(odds.together.values()) <= 1:  # else each label is counted by itself (XR-10)
        spreads.append((odds.together, 0))
    else:
        labels = {label for told in found for label in told[0]}
        each = {label: sum(chance for told, chance in found.items() if label in told[0]) for label in labels}
        _within(odds.outcomes, each, missing)
    for exact, column in spreads:
        thrown = defaultdict(Fraction)
        for told, chance in found.items():
            thrown[told[column]] += chance
        if exact or column != 1:
            _within(exact, thrown, missing)


def _within(exact, thrown, missing):
    for key in {*exact, *thrown}:
        least = thrown.get(key, 0)
        assert least - RARE <= exact.get(key, 0) <= least + missing + RARE, key
