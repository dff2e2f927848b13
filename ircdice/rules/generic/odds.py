"""Exact odds of generic rolls (GEN-08): terms by counting, expressions by convolution, questions by the same judge."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from grammars.generic import Between, Chain, Dice, Expression, Labelled, Number, Question, Roll
from ircdice.odds import Even, Labels, Odds, Shares
from ircdice.rules.generic.judging import Exact, judge
from ircdice.rules.generic.limits import surely_ending
from ircdice.rules.generic.refusing import too_many
from ircdice.rules.generic.spread import MOST_VALUES, NOTHING, Spread
from ircdice.rules.generic.terms import term_spread
from ircdice.rules.generic.work import A_VALUE, bounded, spend

CERTAIN = Fraction(1)
A_FRACTION = 6  # times as many steps as a whole number takes until it is told
_MIRRORED = {"=": "=", "<>": "<>", "<": ">", ">": "<", "<=": ">=", ">=": "<="}


def odds(node: Any) -> Odds:
    """The odds of a command; of one that is repeated, those of each time."""
    with bounded():
        return _odds(node)


def _odds(node: Any) -> Odds:
    if isinstance(node, Question):
        return _answers(node)
    if isinstance(node, Between):
        return _spread_odds(Spread.even(range(node.lowest, node.highest + 1)), "total")
    roll: Roll = node
    surely_ending([roll.expression], roll.times)
    spread = spread_of(roll.expression)
    if roll.counting:  # what is not listed of a count is left out, not unknown: every chance is exact
        return _spread_odds(spread, "successes", exact=True)
    return _spread_odds(spread, "total")


def spread_of(node: Expression) -> Spread:
    """How the value of an expression is spread; its terms are independent of each other."""
    if isinstance(node, Dice):
        return term_spread(node)
    if isinstance(node, Number):
        return Spread.certain(node.value)
    if isinstance(node, Chain):
        spread = spread_of(node.first)
        for operator, operand in node.rest:
            spread = spread.combined(operator, spread_of(operand))
        return spread
    inner = spread_of(node.of)
    return inner if isinstance(node, Labelled) else Spread.certain(0).combined("-", inner)


def _spread_odds(spread: Spread, name: str, *, exact: bool = False) -> Odds:
    weights = spread.weights
    if not isinstance(weights, Even):
        if len(weights) > MOST_VALUES:
            raise too_many(len(weights), MOST_VALUES)
        weights = _in_order(spread)
    error = NOTHING if exact else spread.missing
    return Odds({(): CERTAIN}, name, Shares(weights, spread.total), error=error)


def _in_order(spread: Spread) -> Mapping[Any, int]:
    """Lowest value first; fractions are compared at length only where they are as good as equal."""
    weights = spread.weights
    if spread.whole:
        spend(len(weights) * 8 * A_VALUE)
        values = sorted(weights)
        in_order = type(weights) is dict and values == [*weights]  # another kind of dict might know any value
        return weights if in_order else {value: weights[value] for value in values}
    spend(sum([1 if isinstance(value, int) else A_FRACTION for value in weights]) * 8 * A_VALUE)
    return dict(sorted(weights.items(), key=lambda each: (float(each[0]), each[0])))


def _answers(node: Question) -> Odds:
    """GD-13: how often the comparison is true."""
    surely_ending([node.left, node.right], 1)
    left, right = spread_of(node.left), spread_of(node.right)
    total = left.total * right.total
    spend(sum([len(side.weights) for side in (left, right) if not isinstance(side.weights, Even)]) * 8 * A_VALUE)
    true = _true_pairs(left, node.sign, right)
    listed = left.mass * right.mass
    chances = {"success": true, "failure": listed - true}
    together: dict[Labels, Fraction] = {
        (label,): Fraction(chances[label], total) for label in chances if chances[label]
    }
    return Odds(together, None, {}, error=Fraction(total - listed, total))


def _true_pairs(left: Spread, sign: str, right: Spread) -> int:
    """The weight of all pairs of values of which the comparison holds, found by the judge that play uses."""
    if isinstance(left.weights, Even):
        left, sign, right = right, _MIRRORED[sign], left
    if sign in ("=", "<>"):
        equal = sum(weight * right.weights.get(value, 0) for value, weight in left.listed.items())
        return equal if sign == "=" else left.mass * right.mass - equal
    downward = sign in (">", ">=")  # from some place of `theirs` on, the comparison holds, and ever later
    if isinstance(right.weights, Even):
        ranged = right.weights.values_in_order[:: -1 if downward else 1]
        return sum(weight * _holding(value, sign, ranged) for value, weight in left.listed.items())
    theirs = sorted(right.weights, reverse=downward)
    true, holding, place = 0, right.mass, 0
    for value in sorted(left.weights, reverse=downward):
        while place < len(theirs) and judge(value, sign, theirs[place]) != ("success",):
            holding -= right.weights[theirs[place]]
            place += 1
        true += left.weights[value] * holding
    return true


def _holding(value: Exact, sign: str, theirs: range) -> int:
    """Of how many of `theirs` the comparison holds, the last ones."""
    return len(theirs) - bisect_left(theirs, True, key=lambda their: judge(value, sign, their) == ("success",))
