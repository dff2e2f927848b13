"""Throw and judge the dice notation: terms from left to right, then arithmetic, then the answer to a question."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain
from operator import add, attrgetter, floordiv, mod, mul, sub

from grammars import Command
from grammars.generic import nodes as gd
from grammars.line import MOST_DRAWN
from ircdice.dice import DiceSource, picked
from ircdice.errors import RuleError
from ircdice.game import expect
from ircdice.outcome import Die, Number, Outcome, Tossed, Value, pool

STOPPED = ("stopped",)  # GD-14


OPERATIONS: Mapping[str, Callable[[Number, Number], Number]] = {
    "+": add,
    "-": sub,
    "*": mul,
    "/": lambda one, other: Fraction(one) / other,  # GD-09: exact
    "//": floordiv,
    "%": mod,
}


def evaluate(node: Command, dice: DiceSource) -> Outcome:
    """Throw and judge any command of the dice notation."""
    if isinstance(node, gd.Between):
        return _between(node, dice)
    if isinstance(node, gd.Question):
        throw = Throw(dice, node.drawn)
        left, right = throw.value(node.left), throw.value(node.right)
        return throw.outcome(judge(left, node.sign, right), {"left": left, "right": right})
    roll = expect(node, gd.Roll)
    throw = Throw(dice, roll.drawn * roll.times)
    if roll.times > 1:  # GD-11
        return throw.outcome((), {"totals": tuple([throw.value(roll.expression) for _ in range(roll.times)])})
    return throw.outcome((), {"successes" if roll.counting else "total": throw.value(roll.expression)})


def judge(left: Number, sign: str, right: Number) -> tuple[str, ...]:
    """GD-13: the answer to a question."""
    return ("success",) if gd.TESTS[sign](left, right) else ("failure",)


def operated(one: Number, operator: str, other: Number) -> Number:
    """GD-09. The divisor is never zero, unless the limit of GD-14 stopped the rerolls of a die."""
    try:
        value = OPERATIONS[operator](one, other)
    except ZeroDivisionError:
        raise RuleError("the divisor came to zero.") from None
    return value.numerator if value.denominator == 1 else value


def _between(node: gd.Between, source: DiceSource) -> Outcome:
    """GD-15: a number from the first to the second, all equally likely."""
    if node.lowest == 1:
        (face,), sides = source.roll(1, node.highest), node.highest
    else:
        (face,), sides = picked(source, 1, range(node.lowest, node.highest + 1)), 0
    return Outcome((Die(sides, face),), values={"total": face})


class Throw:
    """One command's dice: the terms thrown so far, and the number of dice left to draw (GD-14).

    `known` is the number of dice that the command always draws.
    """

    def __init__(self, source: DiceSource, known: int) -> None:
        self.source = source
        self.left = MOST_DRAWN - known
        self.stopped = False
        self.terms: list[Tossed] = []

    def outcome(self, labels: tuple[str, ...], values: dict[str, Value]) -> Outcome:
        """The results of the terms."""
        if not self.terms:
            return Outcome(labels=labels, values=values, kind="check")
        dice = tuple(chain.from_iterable([tossed.dice for tossed in self.terms]))
        return Outcome(dice, labels, values, remarks=STOPPED if self.stopped else (), terms=tuple(self.terms))

    def value(self, node: gd.Expression) -> Number:
        """The value of an expression; its terms are thrown from left to right."""
        return gd.folded(node, lambda part: part.value if isinstance(part, gd.Number) else self._toss(part), operated)

    def _toss(self, term: gd.Dice) -> int:
        faces: Sequence[int] = self._faces(term, term.count)
        if term.modifiers:
            hand = Hand(term, faces, self)
            for modifier in term.modifiers:
                hand.apply(modifier)
            self.terms.append(hand.tossed())
            faces = [die.value for die in hand.kept]
        else:
            self.terms.append(Tossed(pool(faces, term.sides), term.plain, term.label, faces))
        if term.counts is None:
            return sum(faces)
        return term.counts.among(faces) - (term.less.among(faces) if term.less else 0)  # GD-07

    def draw(self, term: gd.Dice, wanted: int) -> Sequence[int]:
        """New faces of a term's dice, fewer than `wanted` if the limit is reached."""
        granted = min(wanted, self.left)
        self.left -= granted
        self.stopped = self.stopped or granted < wanted
        return self._faces(term, granted) if granted else ()

    def _faces(self, term: gd.Dice, count: int) -> Sequence[int]:
        return picked(self.source, count, term.listed) if term.listed else self.source.roll(count, term.sides)


@dataclass(slots=True)
class Rolled:
    """A die of a hand; `draws` are the indexes of its faces."""

    value: int
    draws: list[int]
    kept: bool = True


class Hand:
    """The dice of one term while its modifiers are applied, in the order written (GD-08)."""

    def __init__(self, term: gd.Dice, faces: Sequence[int], throw: Throw) -> None:
        self.term, self.throw = term, throw
        self.faces = list(faces)
        self.dice = [Rolled(face, [place]) for place, face in enumerate(faces)]
        self.notes: dict[str, list[int]] = {"dropped": [], "rerolled": [], "raised": [], "lowered": []}

    @property
    def kept(self) -> list[Rolled]:
        """The dice that count."""
        return [die for die in self.dice if die.kept]

    def apply(self, modifier: gd.Modifier) -> None:
        """Apply one modifier to the dice as they are."""
        dice, compare = self.kept, modifier.compare
        if modifier.name in gd.SELECTING:
            # GD-02: of equal faces the leftmost is kept. A stable sort ensures that, in reverse as well.
            dice.sort(key=attrgetter("value"), reverse=modifier.name in ("k", "dl"))
            for die in dice[modifier.kept(len(dice)) :]:
                die.kept = False
        elif compare is None:  # GD-06
            note = "raised" if modifier.name == "mi" else "lowered"
            for die in dice:
                if (clamped := modifier.clamped(die.value)) != die.value:
                    self.notes[note].append(die.value)
                    die.value = clamped
        else:
            self._draw(modifier.name, compare, [die for die in dice if compare.matches(die.value)])

    def _draw(self, name: str, compare: gd.Compare, again: list[Rolled]) -> None:
        """Draw new faces for these dice, left to right, then for new faces that match (GD-04, GD-05)."""
        while again:
            following = []
            for die, face in zip(again, self.throw.draw(self.term, len(again)), strict=False):
                place = len(self.faces)
                self.faces.append(face)
                if name in ("r", "ro"):
                    self.notes["rerolled"].append(die.value)
                    die.value, die.draws = face, [place]
                elif name == "!!":
                    die.value += face
                    die.draws.append(place)
                else:
                    die = Rolled(face - 1 if name == "!p" else face, [place])  # the face itself may explode
                    self.dice.append(die)
                if name != "ro" and compare.matches(face):
                    following.append(die)
            again = following

    def tossed(self) -> Tossed:
        """The term with all modifiers applied."""
        kept = self.kept
        self.notes["dropped"] = [die.value for die in self.dice if not die.kept]
        used = {place for die in kept for place in die.draws}
        laid = pool(self.faces, self.term.sides)
        dice = tuple([die if place in used else die._replace(kept=False) for place, die in enumerate(laid)])
        compounds = any(modifier.name == "!!" for modifier in self.term.modifiers)
        shown = [self._sum(die) for die in kept] if compounds else [die.value for die in kept]
        return Tossed(dice, self.term.plain, self.term.label, shown, self.notes)

    def _sum(self, die: Rolled) -> str:
        """A compounded die, `6+6+3`; its first face as it was raised or lowered."""
        further = [self.faces[place] for place in die.draws[1:]]
        return "+".join(map(str, (die.value - sum(further), *further)))
