"""Nodes of the dice notation: terms, expressions and rolls, each with its range of values."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from operator import eq, floordiv, ge, gt, le, lt, mul, ne
from typing import TypeVar

from grammars.command import Node, check
from grammars.errors import ImpossibleError
from grammars.line import LARGEST, MOST_DICE, MOST_DRAWN, shown

FUDGE = (-1, 0, 1)  # GD-01
FEWEST_LISTED = 2
FEWEST_TIMES, MOST_TIMES = 2, 20  # GD-11
LARGEST_VALUE = 10**15  # larger values do not fit in a reply
DIVIDING = ("/", "//", "%")
Exact = int | Fraction
Span = tuple[Exact, Exact]  # the lowest and the highest value
Faces = tuple[int, ...] | range  # the faces of one die

TESTS: Mapping[str, Callable[[Exact, Exact], bool]] = {"=": eq, "<": lt, ">": gt, "<=": le, ">=": ge, "<>": ne}  # GD-03
SELECTING = ("k", "kl", "dl", "dh")  # GD-02
EXPLODING = ("!", "!!", "!p")  # GD-05
CLAMPING = ("mi", "ma")  # GD-06
UNENDING = ("r", *EXPLODING)  # endless if every face matches
SPENT = ("!!", "!p")  # GD-05: after these, dice are no longer faces


# Terms and expressions.


@dataclass(frozen=True, slots=True)
class Compare:
    """GD-03: a comparison with a whole number."""

    sign: str
    number: int

    def matches(self, value: Exact) -> bool:
        """Whether `value` satisfies the comparison."""
        return TESTS[self.sign](value, self.number)

    def among(self, values: Sequence[int]) -> int:
        """How many of `values` match."""
        return sum(map(self.matches, values))

    def __str__(self) -> str:
        return f"{self.sign}{self.number}"

    @property
    def short(self) -> str:
        """As written after a modifier, where a number alone means "equal"."""
        return str(self.number) if self.sign == "=" and self.number >= 0 else str(self)


@dataclass(frozen=True, slots=True)
class Modifier:
    """One modifier, with a `number` to keep, drop or clamp, or a `compare` to draw."""

    name: str
    number: int = 0
    compare: Compare | None = None

    def __str__(self) -> str:
        after = self.compare.short if self.compare else str(self.number)
        return f"{'e' if self.name == '!' and after[0] == '=' else self.name}{after}"  # `!=` would be "not equal"

    def kept(self, dice: int) -> int:
        """The number of dice left of `dice` after keeping or dropping."""
        return min(dice, self.number) if self.name in ("k", "kl") else max(dice - self.number, 0)

    def clamped(self, value: int) -> int:
        """GD-06: the value after `mi` or `ma`."""
        return max(value, self.number) if self.name == "mi" else min(value, self.number)


@dataclass(frozen=True)
class Dice:
    """GD-01: `count` dice of `sides` sides, or of the faces `listed`; `counts` makes it a counting term (GD-07)."""

    count: int
    sides: int = 0
    listed: tuple[int, ...] = ()
    modifiers: tuple[Modifier, ...] = ()
    counts: Compare | None = None
    less: Compare | None = None
    label: str = ""

    def __post_init__(self) -> None:  # GD-01, GD-02, GD-05, GD-07, GD-14
        if not 1 <= self.count <= MOST_DICE:
            raise ImpossibleError(f"one term has 1 to {MOST_DICE} dice", 0, typed=True)
        if self.listed and len(self.listed) < FEWEST_LISTED:
            raise ImpossibleError(f"a die with listed faces has at least {FEWEST_LISTED} of them", 0, typed=True)
        if not self.listed and not 1 <= self.sides <= LARGEST:
            raise ImpossibleError(f"a die has 1 to {LARGEST:,} sides", 0, typed=True)
        _check_faces(0, *self.listed)
        spent = False
        for place, modifier in enumerate(self.modifiers, 1):
            self._check_modifier(place, modifier)
            if spent and modifier.name not in SELECTING:
                raise ImpossibleError("after !! and !p dice are only kept, dropped or counted", place, typed=True)
            spent = spent or modifier.name in SPENT
        if self.counts:
            _check_faces(len(self.modifiers) + 1, self.counts.number, self.less.number if self.less else 0)
        elif self.less:
            raise ImpossibleError("f takes away from a count, and there is none.")

    def _check_modifier(self, place: int, modifier: Modifier) -> None:
        compare = modifier.compare
        if modifier.name in SELECTING and modifier.number < 1:
            raise ImpossibleError("one die or more is kept or dropped", place, typed=True)
        _check_faces(place, compare.number if compare else modifier.number)
        if modifier.name in UNENDING and compare and all(map(compare.matches, _telling(self.faces, compare))):
            raise ImpossibleError(f"it would never end, as every face of a d{self._die} matches", place, typed=True)

    @property
    def faces(self) -> Faces:
        """The faces of one die."""
        return self.listed or range(1, self.sides + 1)

    def __str__(self) -> str:
        return f"{self.plain}[{self.label}]" if self.label else self.plain

    @property
    def _die(self) -> str:
        if not self.listed:
            return str(self.sides)
        return "F" if self.listed == FUDGE else f"{{{','.join(map(str, self.listed))}}}"

    @cached_property
    def plain(self) -> str:
        """The text without its label.

        A comparison after an explosion would belong to it, so the explosion's own is then written out.
        """
        text = f"{self.count}d{self._die}"
        highest = Compare("=", max(self.listed, default=self.sides)) if self.modifiers else None
        for modifier, then in zip(self.modifiers, (*self.modifiers[1:], self.counts), strict=False):
            apart = then is None or (isinstance(then, Modifier) and then.name not in EXPLODING)
            plain = modifier.name in EXPLODING and modifier.compare == highest
            text += modifier.name if plain and apart else str(modifier)
        return f"{text}{self.counts or ''}{f'f{self.less.short}' if self.less else ''}"


@dataclass(frozen=True, slots=True)
class Number:
    """A whole number, or a decimal kept exactly."""

    value: Exact
    label: str = ""

    def __post_init__(self) -> None:
        _check_size((self.value, self.value))

    def __str__(self) -> str:
        whole = isinstance(self.value, int)
        text = str(self.value) if whole else f"{Decimal(self.value.numerator) / self.value.denominator:f}"
        return f"{text}[{self.label}]" if self.label else text


@dataclass(frozen=True, slots=True)
class Negative:
    """Unary minus."""

    of: Expression

    def __str__(self) -> str:
        return f"-({self.of})" if isinstance(self.of, Chain | Negative) else f"-{self.of}"


@dataclass(frozen=True, slots=True)
class Labelled:
    """Parentheses with a label (GD-10)."""

    of: Expression
    label: str

    def __str__(self) -> str:
        return f"({self.of})[{self.label}]"


@dataclass(frozen=True, slots=True)
class Chain:
    """GD-09: operands of one precedence, from left to right."""

    first: Expression
    rest: tuple[tuple[str, Expression], ...]

    def __post_init__(self) -> None:  # GD-09
        for place, (operator, operand) in enumerate(self.rest):
            if operator in DIVIDING and _could_be_zero(operand):
                why = f"{shown(str(operand))} could be zero, and " if terms(operand) else ""
                raise ImpossibleError(f"{why}nothing is divided by zero.", place)
        _check_size(span_of(self))

    @property
    def adds(self) -> bool:
        """Whether its operators are `+` and `-`."""
        return self.rest[0][0] in ("+", "-")

    def __str__(self) -> str:
        rest = [f"{operator}{self._operand(operand)}" for operator, operand in self.rest]
        return "".join([self._operand(self.first, leading=True), *rest])

    def _operand(self, operand: Expression, *, leading: bool = False) -> str:
        """An operand, in parentheses if needed."""
        if isinstance(operand, Chain):
            return str(operand) if self.adds and not operand.adds else f"({operand})"
        return f"({operand})" if isinstance(operand, Negative) and not leading else str(operand)


Expression = Number | Dice | Negative | Labelled | Chain
T = TypeVar("T")


def folded(node: Expression, value: Callable[[Dice | Number], T], combine: Callable[[T, str, T], T]) -> T:
    """The `value` of each term and number, from left to right, combined by the operators between them."""
    if isinstance(node, Chain):
        result = folded(node.first, value, combine)
        for operator, operand in node.rest:
            result = combine(result, operator, folded(operand, value, combine))
        return result
    if isinstance(node, Negative):
        return combine(value(Number(0)), "-", folded(node.of, value, combine))
    return folded(node.of, value, combine) if isinstance(node, Labelled) else value(node)


def terms(expression: Expression) -> list[tuple[int, Dice]]:
    """The terms that roll dice, from left to right, each with its sign: -1 if subtracted, otherwise 1."""

    def listed(left: list[tuple[int, Dice]], operator: str, right: list[tuple[int, Dice]]) -> list[tuple[int, Dice]]:
        return left + ([(-sign, term) for sign, term in right] if operator == "-" else right)

    return folded(expression, lambda node: [(1, node)] if isinstance(node, Dice) else [], listed)


def with_term(expression: Expression, old: Dice, new: Dice) -> Expression:
    """`expression` with the term `old` replaced."""
    if isinstance(expression, Negative | Labelled):
        return replace(expression, of=with_term(expression.of, old, new))
    if isinstance(expression, Chain):
        rest = tuple([(operator, with_term(operand, old, new)) for operator, operand in expression.rest])
        return Chain(with_term(expression.first, old, new), rest)
    return new if expression is old else expression


# Limits, and the range of values (GD-09).


def _check_faces(part: int, *faces: int) -> None:
    if any(abs(face) > LARGEST for face in faces):
        raise ImpossibleError(f"faces are -{LARGEST:,} to {LARGEST:,}", part, typed=True)


def _check_size(span: Span) -> None:
    if span[0] < -LARGEST_VALUE or span[1] > LARGEST_VALUE:
        raise ImpossibleError(f"a result is at most {LARGEST_VALUE:,}, this could be more.")


def _could_be_zero(expression: Expression) -> bool:
    lowest, highest = span_of(expression)
    return lowest <= 0 <= highest


def span_of(expression: Expression) -> Span:
    """A range that contains every value."""
    return folded(expression, _span, combined)


def _span(node: Dice | Number) -> Span:
    """The range of a term, that of one die times the dice kept, or of a number."""
    if isinstance(node, Number):
        return node.value, node.value
    faces = node.faces
    one = fresh = (faces[0], faces[-1]) if isinstance(faces, range) else (min(faces), max(faces))
    fewest = most = node.count
    for modifier in node.modifiers:
        if modifier.name in SELECTING:
            fewest, most = modifier.kept(fewest), modifier.kept(most)
        elif modifier.name in CLAMPING:
            one = modifier.clamped(one[0]), modifier.clamped(one[1])
        elif most:
            one = _redrawn(modifier, (min(one[0], fresh[0]), max(one[1], fresh[1])))
            most = MOST_DRAWN if modifier.name in ("!", "!p") else most
    if counts := node.counts:
        values = _telling(range(one[0], one[1] + 1), counts, node.less)
        worth = [counts.matches(value) - (node.less is not None and node.less.matches(value)) for value in values]
        one = min(worth), max(worth)
    return min(fewest * one[0], most * one[0]), max(fewest * one[1], most * one[1])


def _redrawn(modifier: Modifier, one: tuple[int, int]) -> tuple[int, int]:
    """The range of one die after a modifier that draws."""
    if modifier.name == "r" and modifier.compare:
        values = _telling(range(one[0], one[1] + 1), modifier.compare)
        left = [value for value in values if not modifier.compare.matches(value)]
        return (min(left), max(left)) if left else one
    if modifier.name == "!!":
        return min(one[0], one[0] * MOST_DRAWN), max(one[1], one[1] * MOST_DRAWN)
    return one[0] - (modifier.name == "!p"), one[1]


def _telling(faces: Faces, *compares: Compare | None) -> Sequence[int]:
    """The faces where a comparison can change: in a range, its ends, and those next to a number."""
    if isinstance(faces, tuple):
        return faces
    near = (faces[0], faces[-1], *(compare.number + step for compare in compares if compare for step in (-1, 0, 1)))
    return [value for value in near if value in faces]


_ENDS: Mapping[str, Callable[[Exact, Exact], Exact]] = {"*": mul, "/": lambda a, b: Fraction(a) / b, "//": floordiv}


def combined(one: Span, operator: str, other: Span) -> Span:
    """The range of two expressions combined by an operator; a divisor's range excludes zero."""
    if operator == "+":
        return one[0] + other[0], one[1] + other[1]
    if operator == "-":
        return one[0] - other[1], one[1] - other[0]
    if operator == "%":  # it has the divisor's sign, and does not change smaller values
        if one[0] >= 0 and one[1] < other[0]:
            return one
        return (0, other[1]) if other[0] > 0 else (other[0], 0)
    ends = [_ENDS[operator](a, b) for a in one for b in other]
    return min(ends), max(ends)


# Commands.

# In parentheses, so as not to be read as a die (GD-15), a V5 pool or a question (GEN-12).
_GUARDED = re.compile(r"(?:1-)?[0-9]+|[0-9]+d10!*")


class Throws(Node):
    """A command made of expressions."""

    times = 1  # GD-11

    @property
    def expressions(self) -> tuple[Expression, ...]:
        """The expressions of the command."""
        raise NotImplementedError  # every command has them

    @property
    def as_posted(self) -> str:
        """The command without its first word."""
        raise NotImplementedError  # every command has its own form

    def __post_init__(self) -> None:  # GD-11, GD-14
        if self.times != 1:
            check("times", self.times, FEWEST_TIMES, MOST_TIMES, "the number of repeats")
        if self.drawn * self.times > MOST_DRAWN:
            limit = f"one command draws at most {MOST_DRAWN:,} dice"
            raise ImpossibleError(f"{limit}, this would draw {self.drawn * self.times:,}.")

    @cached_property
    def terms(self) -> list[Dice]:
        """All terms that roll dice, from left to right."""
        return [term for expression in self.expressions for _, term in terms(expression)]

    @cached_property
    def drawn(self) -> int:
        """The dice that one repetition always draws."""
        return sum([term.count for term in self.terms])

    @property
    def explodes(self) -> bool:
        """Whether it may draw more dice (GD-05)."""
        return any(modifier.name in EXPLODING for term in self.terms for modifier in term.modifiers)

    @property
    def only_called(self) -> bool:
        """GEN-14: true without dice."""
        return not self.drawn

    @property
    def rolled(self) -> object:
        """The expressions in a normal form (LED-22)."""
        return Throws, self.times, *map(_same, self.expressions)

    def __str__(self) -> str:
        posted = self.as_posted
        return f"roll ({posted})" if _GUARDED.fullmatch(posted) else f"roll {posted}"


class Roll(Throws):
    """An expression, rolled once or `times` times (GD-11). `lone`: it was typed as a number alone (GD-15)."""

    expression: Expression
    times: int = 1
    lone: bool = field(default=False, compare=False, repr=False)

    @property
    def expressions(self) -> tuple[Expression, ...]:
        """Its one expression."""
        return (self.expression,)

    @property
    def only_called(self) -> bool:
        """GEN-14: true for a number alone, and without dice."""
        return self.lone or super().only_called

    @cached_property
    def counting(self) -> Dice | None:
        """The counting term, if the expression is one (GD-07)."""
        term = self.expression
        while isinstance(term, Labelled):
            term = term.of
        return term if isinstance(term, Dice) and term.counts and self.times == 1 else None

    @cached_property
    def as_posted(self) -> str:
        """The expression, with its repetitions."""
        return str(self.expression) if self.times == 1 else f"{self.times}x {self.expression}"


class Question(Throws):
    """GD-13: is the comparison between two expressions true?"""

    left: Expression
    sign: str
    right: Expression

    @property
    def expressions(self) -> tuple[Expression, ...]:
        """Both sides."""
        return self.left, self.right

    @property
    def rolled(self) -> object:
        """Both sides and the comparison (LED-22)."""
        return self.sign, super().rolled

    @property
    def as_posted(self) -> str:
        """The question."""
        return f"{self.left} {self.sign} {self.right}"


class Between(Throws):
    """GD-15: a whole number from `lowest` to `highest`."""

    lowest: int
    highest: int
    only_called = True

    def __post_init__(self) -> None:  # GD-14
        _check_faces(0, self.lowest, self.highest)
        if self.lowest >= self.highest:
            raise ImpossibleError("the lower number comes first, as roll 1 100.")

    @property
    def expressions(self) -> tuple[Expression, ...]:
        """A die and a constant that come to the same."""
        return (Chain(Dice(1, self.highest - self.lowest + 1), (("+", Number(self.lowest - 1)),)),)

    @property
    def as_posted(self) -> str:
        """The two numbers."""
        return f"{self.lowest} {self.highest}"


Key = tuple[object, ...]


def _same(expression: Expression) -> Key:
    """LED-22: expressions with the same dice, in any order, and the same range are equivalent."""
    dice: Counter[Key] = Counter()
    for sign, term in terms(expression):
        faces, held = (sign, term.sides, *sorted(term.listed)), _held(term)
        alone = held or term.counts
        dice[(term.count, faces, held, term.counts, term.less) if alone else faces] += 1 if alone else term.count
    return frozenset(dice.items()), span_of(expression)


def _held(dice: Dice) -> Key:
    """Modifiers in a normal form: `4d6k3` is `4d6dl1`."""
    if len(dice.modifiers) != 1 or dice.modifiers[0].name not in SELECTING:
        return dice.modifiers
    kept = dice.modifiers[0].kept(dice.count)
    return () if kept == dice.count else (dice.modifiers[0].name in ("k", "dl"), kept)
