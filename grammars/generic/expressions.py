"""Expressions of generic dice, and the commands made of them. One that is not valid cannot be built."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from grammars.generic.dice import Dice, UnbuildableError
from grammars.generic.sameness import CONSTANT, Key, Part, between, product, summed
from grammars.generic.spans import LARGEST_VALUE, Exact, Span, combined, holds_zero, too_large
from grammars.tokens import LARGEST, MOST_DRAWN

FEWEST_TIMES, MOST_TIMES = 2, 20  # GD-11
ADDING = ("+", "-")
DIVIDING = ("/", "//", "%")
_UP_TO = re.compile(r"1-(?P<highest>[0-9]{1,7})")


@dataclass(frozen=True, slots=True)
class Number:
    """A whole number, or a decimal kept exactly."""

    value: Exact
    label: str = ""

    def __str__(self) -> str:
        return decimal(self.value) + (f"[{self.label}]" if self.label else "")

    @property
    def span(self) -> Span:
        """Its only value, twice."""
        return self.value, self.value

    @property
    def drawn(self) -> int:
        """No dice."""
        return 0

    def parts(self, sign: int) -> Iterator[Part]:
        """Its value."""
        yield CONSTANT, sign, self.value


@dataclass(frozen=True, slots=True)
class Negative:
    """Unary minus."""

    of: Expression

    def __str__(self) -> str:
        return f"-({self.of})" if isinstance(self.of, Chain | Negative) else f"-{self.of}"

    @property
    def span(self) -> Span:
        """The other's, turned round."""
        return -self.of.span[1], -self.of.span[0]

    @property
    def drawn(self) -> int:
        """Dice that are drawn for certain."""
        return self.of.drawn

    def parts(self, sign: int) -> Iterator[Part]:
        """The other's, turned round."""
        return self.of.parts(-sign)


@dataclass(frozen=True, slots=True)
class Labelled:
    """Parentheses with words behind them (GD-10)."""

    of: Expression
    label: str

    def __str__(self) -> str:
        return f"({self.of})[{self.label}]"

    @property
    def span(self) -> Span:
        """The other's."""
        return self.of.span

    @property
    def drawn(self) -> int:
        """Dice that are drawn for certain."""
        return self.of.drawn

    def parts(self, sign: int) -> Iterator[Part]:
        """The other's: words roll nothing."""
        return self.of.parts(sign)


@dataclass(frozen=True, slots=True)
class Chain:
    """GD-09: operands of one precedence, from left to right."""

    first: Expression
    rest: tuple[tuple[str, Expression], ...]
    span: Span = field(init=False, compare=False, repr=False)
    drawn: int = field(init=False, compare=False, repr=False)
    text: str = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        """Refuse a divisor that could be zero (GD-09), and what is too large to be posted."""
        span, drawn = self.first.span, self.first.drawn
        for operator, operand in self.rest:
            drawn += operand.drawn
            if operator in DIVIDING and holds_zero(operand.span):
                why = "" if operand.span == (0, 0) and not operand.drawn else f"{_shown(operand)} could be zero, and "
                raise UnbuildableError(f"{why}nothing is divided by zero")
            span = combined(span, operator, operand.span)
            if too_large(span):
                raise UnbuildableError(f"a result is at most {LARGEST_VALUE:,}, this could be more")
        object.__setattr__(self, "span", span)
        object.__setattr__(self, "drawn", drawn)
        object.__setattr__(self, "text", self._written())

    @property
    def adds(self) -> bool:
        """Whether its operators are `+` and `-`."""
        return self.rest[0][0] in ADDING

    def parts(self, sign: int) -> Iterator[Part]:
        """Those of a sum; a product is one thing, and its value where no die is in it."""
        if not self.drawn:
            yield CONSTANT, sign, self.span[0]
        elif not self.adds:
            factors = [(operator, summed(operand.parts(1))) for operator, operand in (("*", self.first), *self.rest)]
            yield product(factors), sign, 1
        else:
            for operator, operand in (("+", self.first), *self.rest):
                yield from operand.parts(sign if operator == "+" else -sign)

    def __str__(self) -> str:
        return self.text

    def _written(self) -> str:
        further = [f"{operator}{self._operand(operand)}" for operator, operand in self.rest]
        return self._operand(self.first, leading=True) + "".join(further)

    def _operand(self, operand: Expression, *, leading: bool = False) -> str:
        """An operand, in parentheses where it would be read otherwise without them."""
        if isinstance(operand, Dice):
            return operand.text
        bound = not isinstance(operand, Chain) or (not operand.adds and self.adds)
        plain = bound and (leading or not isinstance(operand, Negative))
        return str(operand) if plain else f"({operand})"


Expression = Number | Dice | Negative | Labelled | Chain


@dataclass(frozen=True, slots=True)
class Roll:
    """An expression, rolled once or `times` times (GD-11).

    Made of the rest: `counting`, the term, where the outermost thing is one that counts (GD-07); and `asked`, the
    expression with its repeats, as it is posted.
    """

    expression: Expression
    times: int = 1
    only_called: bool = field(default=False, compare=False, repr=False)  # GEN-14
    counting: Dice | None = field(init=False, compare=False, repr=False)
    asked: str = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        """Refuse what GD-11 and GD-14 rule out."""
        if self.times != 1 and not FEWEST_TIMES <= self.times <= MOST_TIMES:
            raise UnbuildableError(f"an expression is repeated {FEWEST_TIMES} to {MOST_TIMES} times")
        _within_limits(self.expression.drawn * self.times)
        if too_large(self.expression.span):
            raise UnbuildableError(f"a result is at most {LARGEST_VALUE:,}, this could be more")
        object.__setattr__(self, "counting", self._counting())
        written = str(self.expression)
        object.__setattr__(self, "asked", written if self.times == 1 else f"{self.times}x {written}")

    @property
    def rolled(self) -> Key:
        """What is rolled, and how often (LED-22)."""
        return Roll, self.times, summed(self.expression.parts(1))

    def __str__(self) -> str:
        return f"roll {f'({self.asked})' if self._guarded else self.asked}"

    @property
    def _guarded(self) -> bool:
        """Whether it would be something else without parentheses.

        A number a die (GD-15), `Nd10` a V5 pool, `1-N` one number of many (GEN-12).
        """
        if self.times > 1:
            return False
        node = self.expression
        if isinstance(node, Chain):
            return meant_up_to(node.text) is not None
        return node == Dice(node.count, 10) if isinstance(node, Dice) else isinstance(node, Number) and not node.label

    def _counting(self) -> Dice | None:
        term = self.expression
        while isinstance(term, Labelled):
            term = term.of
        return term if isinstance(term, Dice) and term.counts and self.times == 1 else None


@dataclass(frozen=True, slots=True)
class Question:
    """GD-13: is the comparison between two expressions true?"""

    left: Expression
    sign: str
    right: Expression
    only_called: bool = field(default=False, compare=False, repr=False)  # GEN-14

    def __post_init__(self) -> None:
        """Refuse more dice than GD-14 lets one command draw."""
        _within_limits(self.left.drawn + self.right.drawn)

    @property
    def rolled(self) -> Key:
        """Both sides of it (LED-22)."""
        return Question, summed(self.left.parts(1)), self.sign, summed(self.right.parts(1))

    def __str__(self) -> str:
        return f"roll {self.asked}"

    @property
    def asked(self) -> str:
        """The question, as it is posted."""
        return f"{self.left} {self.sign} {self.right}"


@dataclass(frozen=True, slots=True)
class Between:
    """GD-15: a whole number from `lowest` to `highest`."""

    lowest: int
    highest: int
    only_called = True

    def __post_init__(self) -> None:
        """Refuse what GD-14 and common sense rule out."""
        if max(abs(self.lowest), abs(self.highest)) > LARGEST:
            raise UnbuildableError(f"faces are -{LARGEST:,} to {LARGEST:,}")
        if self.lowest >= self.highest:
            raise UnbuildableError("the first number is less than the second")

    @property
    def rolled(self) -> Key:
        """The same as a die (LED-22)."""
        return Roll, 1, between(self.lowest, self.highest)

    def __str__(self) -> str:
        return f"roll {self.asked}"

    @property
    def asked(self) -> str:
        """The two numbers, as they are posted."""
        return f"{self.lowest} {self.highest}"


def meant_up_to(text: str) -> int | None:
    """GEN-12: of a difference as `1-100`, by which people mean a die, the die's sides."""
    found = _UP_TO.fullmatch(text)
    highest = int(found["highest"]) if found else 0
    return highest if 1 < highest <= LARGEST else None


def _within_limits(drawn: int) -> None:
    if drawn > MOST_DRAWN:
        raise UnbuildableError(f"one command draws at most {MOST_DRAWN:,} dice, this would draw {drawn:,}")


def terms(expression: Expression) -> Iterator[Dice]:
    """The terms that roll dice, from left to right."""
    if isinstance(expression, Dice):
        yield expression
    elif isinstance(expression, Negative | Labelled):
        yield from terms(expression.of)
    elif isinstance(expression, Chain):
        for operand in (expression.first, *(operand for _, operand in expression.rest)):
            yield from terms(operand)


def decimal(value: Exact) -> str:
    """An exact decimal as it is written."""
    if isinstance(value, int) or value.denominator == 1:
        return str(int(value))
    places = 1
    while value * 10**places % 1:
        places += 1
    digits = f"{abs(int(value * 10**places)):0{places + 1}d}"
    return f"{'-' if value < 0 else ''}{digits[:-places]}.{digits[-places:]}"


def _shown(operand: Expression) -> str:
    text = str(operand)
    return text if len(text) <= 40 else f"{text[:37]}..."
