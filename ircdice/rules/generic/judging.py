"""Judging a generic roll: terms from left to right, arithmetic, and the answer to a question. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from itertools import chain
from operator import add, mod, mul, sub
from typing import Any

from grammars.generic import Between, Chain, Dice, Expression, Number, Question, Roll
from grammars.generic.values import TESTS
from ircdice.dice import DiceSource, picked
from ircdice.errors import RuleError
from ircdice.outcome import Die, Outcome, Tossed
from ircdice.rules.generic.throwing import Budget, toss

Exact = int | Fraction
STOPPED = ("stopped",)  # GD-14


def _divided(one: Exact, other: Exact) -> Exact:
    """GD-09: `/` is exact."""
    exact = Fraction(one) / other
    return exact.numerator if exact.denominator == 1 else exact


def _floored(one: Exact, other: Exact) -> Exact:
    """GD-09: `//` rounds down."""
    return one // other


OPERATIONS: Mapping[str, Callable[[Any, Any], Exact]] = {
    "+": add,
    "-": sub,
    "*": mul,
    "/": _divided,
    "//": _floored,
    "%": mod,
}


def evaluate(node: Any, dice: DiceSource) -> Outcome:
    """Throw and judge any generic command."""
    if isinstance(node, Roll):
        return _rolled(node, dice)
    if isinstance(node, Question):
        return _answered(node, dice)
    return _between(node, dice)


def _rolled(node: Roll, source: DiceSource) -> Outcome:
    expression, times = node.expression, node.times
    budget = Budget(node.drawn * times)
    terms: list[Tossed] = []
    if times == 1:
        total = _worth(expression, source, budget, terms)
        values: dict[str, Any] = {"successes" if node.counting else "total": total}  # GD-07
    else:
        values = {"totals": tuple([_worth(expression, source, budget, terms) for _ in range(times)])}  # GD-11
    return _thrown((), values, terms, budget)


def _answered(node: Question, source: DiceSource) -> Outcome:
    budget = Budget(node.drawn)
    terms: list[Tossed] = []
    left = _worth(node.left, source, budget, terms)
    right = _worth(node.right, source, budget, terms)
    return _thrown(judge(left, node.sign, right), {"left": left, "right": right}, terms, budget)


def judge(left: Exact, sign: str, right: Exact) -> tuple[str, ...]:
    """GD-13: the answer to a question."""
    return ("success",) if TESTS[sign](left, right) else ("failure",)


def _thrown(labels: tuple[str, ...], values: dict[str, Any], terms: list[Tossed], budget: Budget) -> Outcome:
    if not terms:
        return Outcome(labels=labels, values=values, kind="check")
    dice = terms[0].dice if len(terms) == 1 else tuple(chain.from_iterable([tossed.dice for tossed in terms]))
    return Outcome(dice, labels, values, remarks=STOPPED if budget.stopped else (), terms=tuple(terms))


def _worth(node: Expression, source: DiceSource, budget: Budget, terms: list[Tossed]) -> Exact:
    """The value of an expression; its terms are thrown from left to right and put behind `terms`."""
    if isinstance(node, Dice):
        tossed = toss(node, source, budget)
        terms.append(tossed)
        return tossed.value
    if isinstance(node, Number):
        return node.value
    if isinstance(node, Chain):
        value = _worth(node.first, source, budget, terms)
        for operator, operand in node.rest:
            other = operand.value if isinstance(operand, Number) else _worth(operand, source, budget, terms)
            value = value + other if operator == "+" else operated(value, operator, other)
        return value
    inner = _worth(node.of, source, budget, terms)
    return inner if hasattr(node, "label") else -inner


def operated(one: Exact, operator: str, other: Exact) -> Exact:
    """GD-09. The divisor's span held no zero, unless GD-14's limit left a die as it should not be."""
    try:
        value = OPERATIONS[operator](one, other)
    except ZeroDivisionError:
        raise RuleError("the divisor came to zero.") from None
    return value if isinstance(value, int) or value.denominator != 1 else value.numerator


def _between(node: Between, source: DiceSource) -> Outcome:
    """GD-15: a number from the first to the second, each as likely as the others."""
    if node.lowest == 1:
        face, sides = source.roll(1, node.highest)[0], node.highest
    else:
        face, sides = picked(source, 1, range(node.lowest, node.highest + 1))[0], 0
    return Outcome((Die(sides, face),), values={"total": face})
