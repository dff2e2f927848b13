"""Whether all dice of a command, its terms and repeats together, stay within those that a roll may draw (GD-14)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import exp, inf, log
from typing import NamedTuple

from grammars.generic import Chain, Dice, Expression, Modifier, Number
from grammars.generic.values import EXPLODING
from grammars.tokens import MOST_DRAWN
from ircdice.rules.generic.gains import fresh, parted
from ircdice.rules.generic.refusing import never_ending

TAIL = 1e-12  # how likely it may be that a roll is stopped
FIRST, FINER, LAST = 0.001, 1.2, 40.0  # where the search for the best bound begins, its steps, and where it ends


class Draw(NamedTuple):
    """A modifier that draws: how likely a die that lies there matches, at most, and how likely one drawn for it."""

    name: str
    lying: float
    anew: float


Weights = Mapping[int, int]  # by face
Looked = tuple[int, list[Draw]]  # so many dice, and what looks at them


def surely_ending(expressions: Sequence[Expression], times: int) -> None:
    """RuleError where the terms together may go on past MOST_DRAWN dice; one alone has been looked at by itself."""
    terms = [dice for expression in expressions for dice in terms_of(expression)]
    if len(terms) * times == 1 or not any(modifier.compare for dice in terms for modifier in dice.modifiers):
        return
    draws = [_looked_at(dice) for dice in terms]
    left = MOST_DRAWN - sum(dice.count for dice in terms) * times
    step, best = FIRST, 0.0
    while step < LAST:
        best = min(best, times * sum([_log_of_all(each, exp(step)) for each in draws]) - step * (left + 1))
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


def _looked_at(dice: Dice) -> list[Looked]:
    """The dice of a term and what looks at them; where some are chosen and others fall, a stretch for those that stay.

    Those that stay may be just those that match: each is taken for one that does.
    """
    if not any(modifier.compare for modifier in dice.modifiers):
        return []
    faces = fresh(dice)
    lying, count, stretches = [faces], dice.count, [(dice.count, list[Draw]())]
    for modifier in dice.modifiers:
        if modifier.compare is not None:
            anew = _chance(faces, modifier)
            found = max(_chance(each, modifier) for each in lying)
            stretches[-1][1].append(Draw(modifier.name, float(anew > 0) if len(stretches) > 1 else found, anew))
            lying = _lying_then(lying, faces, modifier)
        elif modifier.name in _CLAMPS:
            lying = [_clamped(each, modifier) for each in lying]
        elif (stay := _staying(modifier, count, stretches)) is not None and stay < count:
            count = stay
            stretches.append((count, []))
    return stretches


def _lying_then(lying: Sequence[Weights], faces: Weights, modifier: Modifier) -> list[Weights]:
    """What a die may show behind a modifier that draws: what it was, or what was drawn for it."""
    then = [*lying, faces]
    if modifier.name in ("r", "ro"):
        then = [parted(each, modifier)[1] for each in then] + ([faces] if modifier.name == "ro" else [])
    return [each for place, each in enumerate(then) if each and each not in then[:place]]


_CLAMPS = {"mi": max, "ma": min}


def _clamped(values: Weights, modifier: Modifier) -> dict[int, int]:
    """GD-06: the faces as they then stand."""
    clamped: dict[int, int] = {}
    for face, weight in values.items():
        stands = _CLAMPS[modifier.name](face, modifier.number)
        clamped[stands] = clamped.get(stands, 0) + weight
    return clamped


def _staying(modifier: Modifier, count: int, stretches: Sequence[Looked]) -> int | None:
    """GD-02: how many dice are left at most; None where that many may have been drawn besides."""
    if modifier.name in ("k", "kl"):
        return min(count, modifier.number)
    grown = any(draw.name in ("!", "!p") for _, draws in stretches for draw in draws)
    return None if grown else max(count - modifier.number, 0)


def _chance(weights: Weights, modifier: Modifier) -> float:
    return sum(parted(weights, modifier)[0].values()) / sum(weights.values())


def _log_of_all(stretches: Sequence[Looked], z: float) -> float:
    """The logarithm of the mean of `z` to the number of dice that a term brings beside its own."""
    return sum([count * _log_of_more(draws, z) for count, draws in stretches if count])


def _log_of_more(draws: Sequence[Draw], z: float) -> float:
    """The same of one die that those look at."""
    each = 1.0  # for what is behind a modifier
    for name, lying, anew in reversed(draws):
        one = z * each if name in EXPLODING else z
        if name == "ro":
            brought = z
        elif anew * one < 1:
            brought = one * (1 - anew) / (1 - anew * one)
        else:
            return inf
        each *= 1 - lying + lying * brought
    return log(each)
