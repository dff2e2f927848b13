"""Throw and judge the dice notation: terms from left to right, then arithmetic, then the answer to a question."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import chain
from operator import add, floordiv, mod, mul, sub

from grammars import Command
from grammars.generic import (
    SELECTING,
    TESTS,
    Between,
    Chain,
    Compare,
    Dice,
    Expression,
    Labelled,
    Modifier,
    Question,
    Roll,
)
from grammars.generic import Number as Constant
from grammars.line import MOST_DRAWN
from ircdice.dice import DiceSource, picked
from ircdice.errors import RuleError
from ircdice.game import expect
from ircdice.outcome import Die, Number, Outcome, Tossed, Value, pool
from ircdice.settings import HouseRules

STOPPED = ("stopped",)  # GD-14


def _divided(one: Number, other: Number) -> Number:
    """GD-09: `/` is exact."""
    return Fraction(one) / other


OPERATIONS: Mapping[str, Callable[[Number, Number], Number]] = {
    "+": add,
    "-": sub,
    "*": mul,
    "/": _divided,
    "//": floordiv,
    "%": mod,
}


def evaluate(node: Command, dice: DiceSource, _house: HouseRules) -> Outcome:
    """Throw and judge any command of the dice notation."""
    if isinstance(node, Between):
        return _between(node, dice)
    if isinstance(node, Question):
        return Throw(dice, node.drawn).answered(node)
    roll = expect(node, Roll)
    return Throw(dice, roll.drawn * roll.times).rolled(roll)


def judge(left: Number, sign: str, right: Number) -> tuple[str, ...]:
    """GD-13: the answer to a question."""
    return ("success",) if TESTS[sign](left, right) else ("failure",)


def operated(one: Number, operator: str, other: Number) -> Number:
    """GD-09. The divisor is never zero, unless the limit of GD-14 stopped the rerolls of a die."""
    try:
        value = OPERATIONS[operator](one, other)
    except ZeroDivisionError:
        raise RuleError("the divisor came to zero.") from None
    return value.numerator if value.denominator == 1 else value


def _between(node: Between, source: DiceSource) -> Outcome:
    """GD-15: a number from the first to the second, each as likely as the others."""
    if node.lowest == 1:
        face, sides = source.roll(1, node.highest)[0], node.highest
    else:
        face, sides = picked(source, 1, range(node.lowest, node.highest + 1))[0], 0
    return Outcome((Die(sides, face),), values={"total": face})


class Throw:
    """One command's dice: the terms thrown so far, and how many more dice may be drawn (GD-14).

    `known` is the number of dice that the command draws in any case.
    """

    def __init__(self, source: DiceSource, known: int) -> None:
        self.source = source
        self.left = MOST_DRAWN - known
        self.stopped = False
        self.terms: list[Tossed] = []

    def answered(self, node: Question) -> Outcome:
        """The answer to a question (GD-13)."""
        left, right = self.value(node.left), self.value(node.right)
        return self._outcome(judge(left, node.sign, right), {"left": left, "right": right})

    def rolled(self, node: Roll) -> Outcome:
        """The value of an expression, or its values (GD-11)."""
        if node.times > 1:  # GD-11
            return self._outcome((), {"totals": tuple([self.value(node.expression) for _ in range(node.times)])})
        return self._outcome((), {"successes" if node.counting else "total": self.value(node.expression)})

    def _outcome(self, labels: tuple[str, ...], values: dict[str, Value]) -> Outcome:
        if not self.terms:
            return Outcome(labels=labels, values=values, kind="check")
        dice = tuple(chain.from_iterable([tossed.dice for tossed in self.terms]))
        remarks = STOPPED if self.stopped else ()
        return Outcome(dice, labels, values, remarks=remarks, terms=tuple(self.terms))

    def value(self, node: Expression) -> Number:
        """The value of an expression; its terms are thrown from left to right."""
        if isinstance(node, Dice):
            self.terms.append(self._toss(node))
            return self.terms[-1].value
        if isinstance(node, Constant):
            return node.value
        if isinstance(node, Chain):
            value = self.value(node.first)
            for operator, operand in node.rest:
                value = operated(value, operator, self.value(operand))
            return value
        inner = self.value(node.of)
        return inner if isinstance(node, Labelled) else -inner

    def _toss(self, term: Dice) -> Tossed:
        faces = self._faces(term, term.count)
        if not term.modifiers:
            return Tossed(term, _counted(term, faces), _laid(term.sides, faces), faces)
        hand = Hand(term, faces, self)
        for modifier in term.modifiers:
            hand.apply(modifier)
        return hand.tossed()

    def draw(self, term: Dice, wanted: int) -> Sequence[int]:
        """New faces of a term's dice, fewer than `wanted` if the limit is reached."""
        granted = min(wanted, self.left)
        self.left -= granted
        self.stopped = self.stopped or granted < wanted
        return self._faces(term, granted) if granted else ()

    def _faces(self, term: Dice, count: int) -> Sequence[int]:
        return picked(self.source, count, term.listed) if term.listed else self.source.roll(count, term.sides)


def _laid(sides: int, faces: Sequence[int]) -> tuple[Die, ...]:
    """Dice that show `faces`; those with listed faces have no number of sides."""
    return pool(faces, sides) if sides else tuple([Die(0, face) for face in faces])


def _counted(term: Dice, values: Sequence[int]) -> int:
    """GD-07: the dice that match, minus those that `f` takes away."""
    if term.counts is None:
        return sum(values)
    return term.counts.among(values) - (term.less.among(values) if term.less else 0)


class Hand:
    """The dice of one term while its modifiers are applied, in the order written (GD-08).

    `values` and `draws` are by die: its value, and which of `faces` it is made of. `alive` are the dice that are kept.
    """

    def __init__(self, term: Dice, faces: Sequence[int], throw: Throw) -> None:
        self.term, self.throw = term, throw
        self.faces, self.values = list(faces), list(faces)
        self.alive = list(range(len(faces)))
        self.draws = [[place] for place in self.alive]
        self.rerolled: list[int] = []
        self.raised: list[int] = []
        self.lowered: list[int] = []

    def apply(self, modifier: Modifier) -> None:
        """Apply one modifier to the dice as they are."""
        compare = modifier.compare
        if modifier.name in SELECTING:
            self.alive = sorted(chosen(modifier, self.alive, self.values))
        elif compare is None:
            self._clamp(modifier)
        elif modifier.name in ("r", "ro"):
            self._reroll(compare, once=modifier.name == "ro")
        elif modifier.name == "!!":
            self._compound(compare)
        else:
            self._explode(compare, less=modifier.name == "!p")

    def _matching(self, compare: Compare) -> list[int]:
        """The kept dice whose value matches, left to right."""
        return [die for die in self.alive if compare.matches(self.values[die])]

    def _drawn(self, dice: Sequence[int]) -> list[tuple[int, int, int]]:
        """For each of `dice` a new face: the die, the face and its place; fewer if the limit is reached."""
        start = len(self.faces)
        faces = self.throw.draw(self.term, len(dice))
        self.faces += faces
        return [(die, face, start + nth) for nth, (die, face) in enumerate(zip(dice, faces, strict=False))]

    def _reroll(self, compare: Compare, *, once: bool) -> None:
        """GD-04: until no die matches, or once."""
        again = self._matching(compare)
        while again:
            drawn = self._drawn(again)
            for die, face, place in drawn:
                self.rerolled.append(self.values[die])
                self.values[die], self.draws[die] = face, [place]
            again = [die for die, face, _ in drawn if compare.matches(face) and not once]

    def _explode(self, compare: Compare, *, less: bool) -> None:
        """GD-05: each matching die draws one more, which explodes by its face; with `!p` it then counts one less."""
        again = self._matching(compare)
        while again:
            drawn = self._drawn(again)
            again = []
            for _, face, place in drawn:
                die = len(self.values)
                self.values.append(face - less)
                self.draws.append([place])
                self.alive.append(die)
                if compare.matches(face):
                    again.append(die)

    def _compound(self, compare: Compare) -> None:
        """GD-05: new faces are added to the die that exploded, which stays one die."""
        again = self._matching(compare)
        while again:
            drawn = self._drawn(again)
            for die, face, place in drawn:
                self.values[die] += face
                self.draws[die].append(place)
            again = [die for die, face, _ in drawn if compare.matches(face)]

    def _clamp(self, modifier: Modifier) -> None:
        """GD-06."""
        clamp, changed = (max, self.raised) if modifier.name == "mi" else (min, self.lowered)
        for die in self.alive:
            value = self.values[die]
            self.values[die] = clamp(value, modifier.number)
            if self.values[die] != value:
                changed.append(value)

    def tossed(self) -> Tossed:
        """The term with all modifiers applied."""
        values, alive = self.values, set(self.alive)
        kept = [values[die] for die in self.alive]
        dropped = [value for die, value in enumerate(values) if die not in alive]
        used = {place for die in self.alive for place in self.draws[die]}
        laid = _laid(self.term.sides, self.faces)
        dice = tuple([die if place in used else die._replace(kept=False) for place, die in enumerate(laid)])
        shown = self._shown() if any(modifier.name == "!!" for modifier in self.term.modifiers) else ()
        value = _counted(self.term, kept)
        return Tossed(self.term, value, dice, kept, shown, dropped, self.rerolled, self.raised, self.lowered)

    def _shown(self) -> list[str]:
        """Compounded dice as sums, `6+6+3`; the first face as it was raised or lowered."""
        shown = []
        for die in self.alive:
            further = [self.faces[place] for place in self.draws[die][1:]]
            shown.append("+".join(map(str, (self.values[die] - sum(further), *further))))
        return shown


def chosen(modifier: Modifier, dice: Sequence[int], values: Sequence[int]) -> list[int]:
    """GD-02: of equal faces the leftmost is kept, and the rightmost dropped."""
    # A stable sort leaves equal dice as they are, in reverse as well.
    order = sorted(dice, key=values.__getitem__, reverse=modifier.name in ("k", "dl"))
    return order[: modifier.kept(len(dice))]
