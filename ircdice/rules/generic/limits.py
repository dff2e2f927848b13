"""Whether all dice of a command, its terms and repeats together, stay within those that a roll may draw (GD-14)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import exp, inf, log

from grammars.generic import Chain, Dice, Expression, Number
from grammars.generic.dice import EXPLODING
from grammars.tokens import MOST_DRAWN
from ircdice.rules.generic.gains import fresh, parted, sides_of
from ircdice.rules.generic.refusing import never_ending

TAIL = 1e-12  # how likely it may be that a roll is stopped
FIRST, FINER, LAST = 0.001, 1.2, 20.0  # where the search for the best bound begins, its steps, and where it ends
Draw = tuple[str, float]  # a modifier that draws, and how likely a die matches


def surely_ending(expressions: Sequence[Expression], times: int) -> None:
    """RuleError where the terms together may go on past MOST_DRAWN dice; one alone has been looked at by itself."""
    terms = [dice for expression in expressions for dice in terms_of(expression)]
    draws = [(dice.count * times, _draws(dice)) for dice in terms]
    if len(terms) * times == 1 or not any(each for _, each in draws):
        return
    left = MOST_DRAWN - sum(count for count, _ in draws)
    step, best = FIRST, 0.0
    while step < LAST:
        best = min(best, sum([count * _log_of_more(each, exp(step)) for count, each in draws]) - step * (left + 1))
        step *= FINER
    if best > log(TAIL):
        raise never_ending()


def terms_of(node: Expression) -> Iterator[Dice]:
    """The dice of an expression, left to right."""
    if isinstance(node, Dice):
        yield node
    elif isinstance(node, Chain):
        for part in (node.first, *(operand for _, operand in node.rest)):
            yield from terms_of(part)
    elif not isinstance(node, Number):
        yield from terms_of(node.of)


def _draws(dice: Dice) -> list[Draw]:
    found = [modifier for modifier in dice.modifiers if modifier.compare is not None]
    return [(modifier.name, sum(parted(fresh(dice), modifier)[0].values()) / sides_of(dice)) for modifier in found]


def _log_of_more(draws: Sequence[Draw], z: float) -> float:
    """The logarithm of the mean of `z` to the number of dice that one die brings beside itself."""
    each = 1.0  # for what is behind a modifier
    for name, chance in reversed(draws):
        one = z * each if name in EXPLODING else z
        if name == "ro":
            brought = z
        elif chance * one < 1:
            brought = one * (1 - chance) / (1 - chance * one)
        else:
            return inf
        each *= 1 - chance + chance * brought
    return log(each)
