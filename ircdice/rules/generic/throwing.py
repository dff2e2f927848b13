"""Throw and judge the dice notation: terms from left to right, then arithmetic, then the answer to a question."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import chain
from operator import add, floordiv, mod, mul, sub

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
        faces = self._faces(term, term.count)
        if term.modifiers:
            hand = Hand(term, faces, self)
            for modifier in term.modifiers:
                hand.apply(modifier)
            self.terms.append(hand.tossed())
            faces = hand.kept
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


class Hand:
    """The dice of one term while its modifiers are applied, in the order written (GD-08).

    `values` and `draws` are by die: its value, and the indexes of its `faces`. `alive` are the dice kept.
    """

    def __init__(self, term: gd.Dice, faces: Sequence[int], throw: Throw) -> None:
        self.term, self.throw = term, throw
        self.faces, self.values = list(faces), list(faces)
        self.alive = list(range(len(faces)))
        self.draws = [[place] for place in self.alive]
        self.notes: dict[str, list[int]] = {"dropped": [], "rerolled": [], "raised": [], "lowered": []}

    @property
    def kept(self) -> list[int]:
        """The values of the dice that count."""
        return [self.values[die] for die in self.alive]

    def apply(self, modifier: gd.Modifier) -> None:
        """Apply one modifier to the dice as they are."""
        compare = modifier.compare
        if modifier.name in gd.SELECTING:
            # GD-02: of equal faces the leftmost is kept. A stable sort ensures that, in reverse as well.
            order = sorted(self.alive, key=self.values.__getitem__, reverse=modifier.name in ("k", "dl"))
            self.alive = sorted(order[: modifier.kept(len(order))])
        elif compare is None:
            self._clamp(modifier)
        else:
            self._draw(modifier.name, compare)

    def _draw(self, name: str, compare: gd.Compare) -> None:
        """Draw new faces for kept dice that match, left to right, then for new faces that match (GD-04, GD-05)."""
        again = [die for die in self.alive if compare.matches(self.values[die])]
        while again:
            drawn = self.throw.draw(self.term, len(again))
            following = []
            for die, face in zip(again, drawn, strict=False):
                place = len(self.faces)
                self.faces.append(face)
                if name in ("r", "ro"):
                    self.notes["rerolled"].append(self.values[die])
                    self.values[die], self.draws[die] = face, [place]
                elif name == "!!":
                    self.values[die] += face
                    self.draws[die].append(place)
                else:
                    die = len(self.values)
                    self.alive.append(die)
                    self.values.append(face - 1 if name == "!p" else face)  # the face itself may explode
                    self.draws.append([place])
                if name != "ro" and compare.matches(face):
                    following.append(die)
            again = following

    def _clamp(self, modifier: gd.Modifier) -> None:
        """GD-06."""
        clamp, note = (max, "raised") if modifier.name == "mi" else (min, "lowered")
        for die in self.alive:
            value = self.values[die]
            self.values[die] = clamp(value, modifier.number)
            if self.values[die] != value:
                self.notes[note].append(value)

    def tossed(self) -> Tossed:
        """The term with all modifiers applied."""
        alive = set(self.alive)
        self.notes["dropped"] = [value for die, value in enumerate(self.values) if die not in alive]
        used = {place for die in self.alive for place in self.draws[die]}
        laid = pool(self.faces, self.term.sides)
        dice = tuple([die if place in used else die._replace(kept=False) for place, die in enumerate(laid)])
        compounds = any(modifier.name == "!!" for modifier in self.term.modifiers)
        return Tossed(dice, self.term.plain, self.term.label, self._sums() if compounds else self.kept, self.notes)

    def _sums(self) -> list[str]:
        """Compounded dice as sums, `6+6+3`; the first face as it was raised or lowered."""
        shown = []
        for die in self.alive:
            further = [self.faces[place] for place in self.draws[die][1:]]
            shown.append("+".join(map(str, (self.values[die] - sum(further), *further))))
        return shown
