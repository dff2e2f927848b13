"""The dice notation: `roll 4d6k3`, `roll 2d6[fire] + 1d8`, `roll 1d20+5 >= 15`.

Comparisons and modifiers come first, then the terms, expressions and commands that are made of them; the notation
itself is at the end. Ids such as GD-02 are rules of the specification; the bot explains one at `help GD-02`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from fractions import Fraction
from functools import cached_property, partial
from itertools import groupby, pairwise
from operator import eq, floordiv, ge, gt, le, lt, mul, ne
from typing import Any

import pyparsing as pp

from grammars import tokens
from grammars.command import Clause, Node, check, made_by, values_of
from grammars.errors import ImpossibleError
from grammars.help import Help
from grammars.line import END, FIGURES, LARGEST, LAST, MOST_DICE, MOST_DRAWN, shown
from grammars.tokens import command_word, refused

KEYWORDS = ("roll", "r")
ONLY_CALLED = ("r",)  # GEN-14
TAKES_DICE = ("roll",)
# Words that no command takes: "did you mean ..." and help look them up.
SYNONYMS = {
    "plus": "+", "add": "+", "minus": "-", "subtract": "-", "times": "*",
    "vs": ">=", "versus": ">=", "against": ">=", "dc": ">= ",
}  # fmt: skip
EXAMPLES = {
    "roll 4d6k3": "four dice, the three highest kept; `kl3` the lowest, `dl1` and `dh1` drop",
    "roll 1d20+5": "dice and numbers with + - * / // % and parentheses; `d%`, `4dF`, `d{1,3,5,5}` are dice too",
    "roll 8d6!": "sixes draw one more; `!>4`, `!!` adds it to the same die, `!p` counts each further one less",
    "roll 4d6r1": "ones are rerolled until none is left; `ro1` once; `mi2` and `ma5` raise and lower faces",
    "roll 6d6>=5": "counts the dice that show 5 or more; `>=5f1` takes one away for each 1",
    "roll 2d6[fire] + 1d8[cold]": "a label for each part; `# words` or `for words` at the end is a comment",
    "roll 6x 4d6k3": "the same six times, each with its total; `6#4d6k3` likewise",
    "roll 1d20+5 >= 15": "spaces around it: does the total reach 15?",
    "roll d20+5 adv": "two d20, the higher kept; `dis` the lower",
    "roll 1 100": "called, `!roll 1 100`: a whole number from the first to the second; `!roll 20` is 1d20",
}
HELP = {
    "dice": (
        "roll NdX: N dice of X sides, as 3d6; d20 is one, d% a d100, 4dF Fudge dice, d{1,3,5,5} one with these faces.",
        "With + - * / // % and parentheses between them, as roll 2d6+3. `help modifiers` has what may follow dice.",
    ),
    "modifiers": (
        "After NdX, in the order written: k3 kl3 dl1 dh1 keep or drop, r1 ro<3 reroll, ! !>4 !! !p explode, "
        "mi2 ma5 raise or lower.",
        "Then a count, as >=5 or >=5f1. Comparisons are 5 =5 <5 >5 <=5 >=5 <>5.",
    ),
    "keep": (
        "k3 keeps the three highest dice and kl1 the lowest; dl1 drops the lowest and dh1 the highest: roll 4d6k3.",
    ),
    "reroll": ("r1 rerolls each 1 until none is left, ro<3 each 1 and 2 once: roll 4d6ro<3.",),
    "explode": (
        "5d6! draws one more die for each 6, which may explode again; 5d6!>4 for each 5 or 6.",
        "!! adds the new faces to the die that exploded; !p counts each further die one less.",
    ),
    "adv": ("adv or dis after an expression with exactly one d20: it becomes 2d20k1 or 2d20kl1.", "roll d20+5 adv"),
}

DEEPEST = 20  # GD-14: parentheses in each other
MOST_DIGITS = 15  # of a number
D20 = 20  # GD-15
SECOND_SPELLINGS = {"kh": "k", "d": "dl", "e": "!", "≤": "<=", "≥": ">=", "≠": "<>", "!=": "<>"}  # GD-02, GD-03, GD-05
_FACE = re.compile(r"\s*[-+]?[0-9]+\s*")
FUDGE = (-1, 0, 1)  # GD-01
FEWEST_LISTED = 2
FEWEST_TIMES, MOST_TIMES = 2, 20  # GD-11
LARGEST_VALUE = 10**15  # no reply would hold more
DIVIDING = ("/", "//", "%")
_NO_SUM = re.compile(r"(?:1-)?[0-9]+")  # GD-15, GEN-12: a die, or a question
Exact = int | Fraction
Span = tuple[Exact, Exact]  # the lowest and the highest value
Faces = tuple[int, ...] | range  # what one die can show

TESTS: Mapping[str, Callable[[Exact, Exact], bool]] = {"=": eq, "<": lt, ">": gt, "<=": le, ">=": ge, "<>": ne}  # GD-03
SELECTING = ("k", "kl", "dl", "dh")  # GD-02
EXPLODING = ("!", "!!", "!p")  # GD-05
CLAMPING = ("mi", "ma")  # GD-06
UNENDING = ("r", *EXPLODING)  # as long as a new die matches, so does the next
SPENT = ("!!", "!p")  # GD-05: after these, dice are no longer faces


# Comparisons, modifiers, and the range of values that they leave.


@dataclass(frozen=True, slots=True)
class Compare:
    """GD-03: a comparison with a whole number."""

    sign: str
    number: int

    def matches(self, value: Exact) -> bool:
        """Whether `value` is what was asked for."""
        return TESTS[self.sign](value, self.number)

    def among(self, values: Sequence[int]) -> int:
        """How many of `values` match."""
        return sum(map(self.matches, values))

    def __str__(self) -> str:
        return f"{self.sign}{self.number}"

    @property
    def short(self) -> str:
        """As it is written after a modifier, where a number alone means "equal"."""
        return str(self.number) if self.sign == "=" and self.number >= 0 else str(self)


@dataclass(frozen=True, slots=True)
class Modifier:
    """One modifier: `number` for those that keep, drop or clamp, `compare` for those that draw."""

    name: str
    number: int = 0
    compare: Compare | None = None

    def __str__(self) -> str:
        after = self.compare.short if self.compare else str(self.number)
        return f"{'e' if self.name == '!' and after[0] == '=' else self.name}{after}"  # `!=` would be "not equal"

    def kept(self, dice: int) -> int:
        """How many of `dice` dice are left by one that keeps or drops."""
        return min(dice, self.number) if self.name in ("k", "kl") else max(dice - self.number, 0)


def always(compare: Compare, faces: Faces) -> bool:
    """Whether every one of `faces` matches."""
    return all(map(compare.matches, faces if isinstance(faces, tuple) else _telling((faces[0], faces[-1]), compare)))


def _telling(ends: tuple[int, int], *compares: Compare | None) -> list[int]:
    """Of the whole numbers from end to end those that tell what comparisons say: the ends and what is at a number."""
    near = (*ends, *(compare.number + step for compare in compares if compare for step in (-1, 0, 1)))
    return [value for value in near if ends[0] <= value <= ends[1]]


def dice_span(
    count: int, faces: Faces, modifiers: Sequence[Modifier], counts: Compare | None, less: Compare | None
) -> tuple[int, int]:
    """The range of a term of `count` dice with these faces: that of one die, times the dice that are kept."""
    one = fresh = (faces[0], faces[-1]) if isinstance(faces, range) else (min(faces), max(faces))
    fewest = most = count
    for modifier in modifiers:
        if modifier.name in SELECTING:
            fewest, most = modifier.kept(fewest), modifier.kept(most)
        elif modifier.name in CLAMPING:
            clamp = max if modifier.name == "mi" else min
            one = clamp(one[0], modifier.number), clamp(one[1], modifier.number)
        elif most:
            one = _redrawn(modifier, (min(one[0], fresh[0]), max(one[1], fresh[1])))
            most = MOST_DRAWN if modifier.name in ("!", "!p") else most
    if counts:
        values = _telling(one, counts, less)
        worth = [counts.matches(value) - (less is not None and less.matches(value)) for value in values]
        one = min(worth), max(worth)
    return min(fewest * one[0], most * one[0]), max(fewest * one[1], most * one[1])


def _redrawn(modifier: Modifier, one: tuple[int, int]) -> tuple[int, int]:
    """The range of one die after a modifier that draws."""
    if modifier.name == "r" and modifier.compare:
        left = [value for value in _telling(one, modifier.compare) if not modifier.compare.matches(value)]
        return (min(left), max(left)) if left else one
    if modifier.name == "!!":
        return min(one[0], one[0] * MOST_DRAWN), max(one[1], one[1] * MOST_DRAWN)
    return one[0] - (modifier.name == "!p"), one[1]


_ENDS: Mapping[str, Callable[[Exact, Exact], Exact]] = {"*": mul, "/": lambda a, b: Fraction(a) / b, "//": floordiv}


def combined(one: Span, operator: str, other: Span) -> Span:
    """The range of two expressions with an operator between them; a divisor's holds no zero."""
    if operator == "+":
        return one[0] + other[0], one[1] + other[1]
    if operator == "-":
        return one[0] - other[1], one[1] - other[0]
    if operator == "%":  # it has the divisor's sign, and leaves alone what is smaller
        if one[0] >= 0 and one[1] < other[0]:
            return one
        return (0, other[1]) if other[0] > 0 else (other[0], 0)
    ends = [_ENDS[operator](a, b) for a in one for b in other]
    return min(ends), max(ends)


# Terms, expressions and commands.


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
        if modifier.name in UNENDING and compare and always(compare, self.faces):
            raise ImpossibleError(f"it would never end, as every face of a d{self._die} matches", place, typed=True)

    @property
    def faces(self) -> Faces:
        """What one of the dice can show."""
        return self.listed or range(1, self.sides + 1)

    @property
    def span(self) -> Span:
        """A range that holds every value."""
        return dice_span(self.count, self.faces, self.modifiers, self.counts, self.less)

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

        A comparison after an explosion would be the explosion's own: then that one is written out.
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
        _check_size(self.span)

    @property
    def span(self) -> Span:
        """Its only value, twice."""
        return self.value, self.value

    def __str__(self) -> str:
        whole = isinstance(self.value, int)
        text = str(self.value) if whole else f"{Decimal(self.value.numerator) / self.value.denominator:f}"
        return f"{text}[{self.label}]" if self.label else text


@dataclass(frozen=True, slots=True)
class Negative:
    """Unary minus."""

    of: Expression

    @property
    def span(self) -> Span:
        """The range of its values."""
        return -self.of.span[1], -self.of.span[0]

    def __str__(self) -> str:
        return f"-({self.of})" if isinstance(self.of, Chain | Negative) else f"-{self.of}"


@dataclass(frozen=True, slots=True)
class Labelled:
    """Parentheses with a label (GD-10)."""

    of: Expression
    label: str

    @property
    def span(self) -> Span:
        """The range of its values."""
        return self.of.span

    def __str__(self) -> str:
        return f"({self.of})[{self.label}]"


@dataclass(frozen=True, slots=True)
class Chain:
    """GD-09: operands of one precedence, from left to right."""

    first: Expression
    rest: tuple[tuple[str, Expression], ...]

    def __post_init__(self) -> None:  # GD-09
        for place, (operator, operand) in enumerate(self.rest):
            if operator in DIVIDING and operand.span[0] <= 0 <= operand.span[1]:
                why = f"{shown(str(operand))} could be zero, and " if any(terms(operand)) else ""
                raise ImpossibleError(f"{why}nothing is divided by zero.", place)
        _check_size(self.span)

    @property
    def span(self) -> Span:
        """A range that holds every value."""
        span = self.first.span
        for operator, operand in self.rest:
            span = combined(span, operator, operand.span)
        return span

    @property
    def adds(self) -> bool:
        """Whether its operators are `+` and `-`."""
        return self.rest[0][0] in ("+", "-")

    def __str__(self) -> str:
        rest = [f"{operator}{self._operand(operand)}" for operator, operand in self.rest]
        return "".join([self._operand(self.first, leading=True), *rest])

    def _operand(self, operand: Expression, *, leading: bool = False) -> str:
        """An operand, in parentheses where it would be read otherwise without them."""
        if isinstance(operand, Chain):
            return str(operand) if self.adds and not operand.adds else f"({operand})"
        return f"({operand})" if isinstance(operand, Negative) and not leading else str(operand)


Expression = Number | Dice | Negative | Labelled | Chain


def terms(expression: Expression) -> list[Dice]:
    """The terms that roll dice, from left to right."""
    return [term for _, term in signed_terms(expression)]


def signed_terms(expression: Expression, sign: int = 1) -> list[tuple[int, Dice]]:
    """The terms that roll dice, each with -1 where it is subtracted, else 1."""
    if isinstance(expression, Dice):
        return [(sign, expression)]
    if isinstance(expression, Chain):
        signs = [(-sign if operator == "-" else sign, operand) for operator, operand in expression.rest]
        return [found for sign, operand in ((sign, expression.first), *signs) for found in signed_terms(operand, sign)]
    if isinstance(expression, Number):
        return []
    return signed_terms(expression.of, -sign if isinstance(expression, Negative) else sign)


def with_term(expression: Expression, old: Dice, new: Dice) -> Expression:
    """`expression` with another term in the place of `old`."""
    if isinstance(expression, Negative | Labelled):
        return replace(expression, of=with_term(expression.of, old, new))
    if isinstance(expression, Chain):
        rest = tuple([(operator, with_term(operand, old, new)) for operator, operand in expression.rest])
        return Chain(with_term(expression.first, old, new), rest)
    return new if expression is old else expression


def _check_faces(part: int, *faces: int) -> None:
    if any(abs(face) > LARGEST for face in faces):
        raise ImpossibleError(f"faces are -{LARGEST:,} to {LARGEST:,}", part, typed=True)


def _check_size(span: Span) -> None:
    if span[0] < -LARGEST_VALUE or span[1] > LARGEST_VALUE:
        raise ImpossibleError(f"a result is at most {LARGEST_VALUE:,}, this could be more.")


class Throws(Node):
    """A command made of expressions."""

    @property
    def times(self) -> int:
        """How often they are rolled (GD-11)."""
        return 1

    @property
    def expressions(self) -> tuple[Expression, ...]:
        """Those expressions."""
        raise NotImplementedError

    def __post_init__(self) -> None:  # GD-11, GD-14
        if self.times != 1:
            check("times", self.times, FEWEST_TIMES, MOST_TIMES, "the number of repeats")
        if self.drawn * self.times > MOST_DRAWN:
            limit = f"one command draws at most {MOST_DRAWN:,} dice"
            raise ImpossibleError(f"{limit}, this would draw {self.drawn * self.times:,}.")

    @cached_property
    def terms(self) -> list[Dice]:
        """All terms that roll dice, from left to right."""
        return [term for expression in self.expressions for term in terms(expression)]

    @cached_property
    def drawn(self) -> int:
        """The dice that one time draws for certain."""
        return sum([term.count for term in self.terms])

    @property
    def explodes(self) -> bool:
        """Whether more dice may be drawn (GD-05)."""
        return any(modifier.name in EXPLODING for term in self.terms for modifier in term.modifiers)

    @property
    def only_called(self) -> bool:
        """GEN-14: without dice."""
        return not self.drawn


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
        """GEN-14: a number alone, or without dice."""
        return self.lone or not self.drawn

    @cached_property
    def counting(self) -> Dice | None:
        """The term where the outermost thing is one that counts (GD-07)."""
        term = self.expression
        while isinstance(term, Labelled):
            term = term.of
        return term if isinstance(term, Dice) and term.counts and self.times == 1 else None

    @cached_property
    def as_posted(self) -> str:
        """The expression with its repeats, as it is posted."""
        return str(self.expression) if self.times == 1 else f"{self.times}x {self.expression}"

    @property
    def rolled(self) -> Key:
        """What is rolled, and how often (LED-22)."""
        return Roll, self.times, _same(self.expression)

    def __str__(self) -> str:
        return f"roll ({self.as_posted})" if self._guarded else f"roll {self.as_posted}"

    @property
    def _guarded(self) -> bool:
        """Whether it would be something else without parentheses: a die (GD-15), a V5 pool, a question (GEN-12)."""
        node = self.expression
        if self.times > 1:
            return False
        if isinstance(node, Dice):
            return node.plain.rstrip("!") == f"{node.count}d10" and not node.label
        return _NO_SUM.fullmatch(self.as_posted) is not None


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
    def rolled(self) -> Key:
        """Both sides of it (LED-22)."""
        return Question, _same(self.left), self.sign, _same(self.right)

    @property
    def as_posted(self) -> str:
        """The question, as it is posted."""
        return f"{self.left} {self.sign} {self.right}"

    def __str__(self) -> str:
        return f"roll {self.as_posted}"


class Between(Node):
    """GD-15: a whole number from `lowest` to `highest`."""

    lowest: int
    highest: int
    only_called = True
    explodes = False

    def __post_init__(self) -> None:  # GD-14
        _check_faces(0, self.lowest, self.highest)
        if self.lowest >= self.highest:
            raise ImpossibleError("the lower number comes first, as roll 1 100.")

    @property
    def rolled(self) -> Key:
        """The same as a die and a constant (LED-22)."""
        return Roll(Chain(Dice(1, self.highest - self.lowest + 1), (("+", Number(self.lowest - 1)),))).rolled

    @property
    def as_posted(self) -> str:
        """The two numbers, as they are posted."""
        return f"{self.lowest} {self.highest}"

    def __str__(self) -> str:
        return f"roll {self.as_posted}"


Key = tuple[object, ...]


def _same(expression: Expression) -> Key:
    """LED-22: two expressions with the same dice, in whatever order, and the same range roll the same thing."""
    dice: Counter[Key] = Counter()
    for sign, term in signed_terms(expression):
        faces, held = (sign, term.sides, *sorted(term.listed)), _held(term)
        alone = held or term.counts
        dice[(term.count, faces, held, term.counts, term.less) if alone else faces] += 1 if alone else term.count
    return frozenset(dice.items()), expression.span


def _held(dice: Dice) -> Key:
    """Modifiers; where dice are only kept or dropped, how many are kept: `4d6k3` is `4d6dl1`."""
    if len(dice.modifiers) != 1 or dice.modifiers[0].name not in SELECTING:
        return dice.modifiers
    kept = dice.modifiers[0].kept(dice.count)
    return () if kept == dice.count else (dice.modifiers[0].name in ("k", "dl"), kept)


# What is made of tokens.

ADVANTAGE = {"a": Modifier("k", 1), "d": Modifier("kl", 1)}


def _die(match: re.Match[str]) -> tuple[int, int, tuple[int, ...]]:
    """GD-01: the count and the die."""
    sides = int(match["sides"] or 0)
    listed: tuple[int, ...] = ()
    if match["percent"]:
        sides = 100
    elif match["faces"] is not None:
        faces = match["faces"].split(",")
        if not all(map(_FACE.fullmatch, faces)):
            raise ImpossibleError("listed faces are whole numbers with commas between them, as d{1,3,5,5}.")
        listed = tuple(map(int, faces))
    elif not match["sides"]:
        listed = FUDGE
    return int(match["count"] or 1), sides, listed


def _modifier(match: re.Match[str]) -> Modifier:
    """GD-02, GD-04 to GD-06: a modifier; an explosion without a number has no comparison yet."""
    name = (match["name"] or match["bare"]).strip().lower()
    name = SECOND_SPELLINGS.get(name, name)
    if name[0] not in "kdm":
        return Modifier(name, compare=_compare(match["sign"], match["number"]))
    if match["sign"]:
        raise ImpossibleError("keep, drop, mi and ma take a number alone", typed=True)
    return Modifier(name, int(match["number"] or 1))


def _in_words(match: re.Match[str]) -> None:
    """GD-02, GD-04, GD-05: `keep highest 3`, `drop two`, `explode on 6`."""
    words = match[0].lower().split()
    number = FIGURES.get(words[-1], words[-1])
    number = number if number.isdigit() else ""
    if words[0][0] == "r":
        raise ImpossibleError(f'"{match[0]}" needs a number, as 4d6{words[0]}1.')
    if words[0][0] == "e":
        letters = f"e{number}" if number else "!"
    else:
        verb = "d" if words[0][0] == "d" else "k"
        which = next((word[0] for word in words if word[0] in "hl"), "l" if verb == "d" else "h")
        letters = f"{verb}{which}{number or 1}"
    sentence = f'"{match[0]}" is written in letters after its dice, as 4d6{letters}.'
    hint = f"{match.string[: match.start()].strip()}{letters}{match.string[match.end() :]}"
    raise ImpossibleError(sentence, hint=hint)


def _count(match: re.Match[str]) -> tuple[Compare | None, Compare | None]:
    """GD-07: what is counted, and what is taken away."""
    return _compare(match["sign"], match["number"]), _compare(match["less_sign"], match["less"])


def _compare(sign: str | None, number: str | None) -> Compare | None:
    """GD-03: a comparison; a number alone is "equal"."""
    sign = (sign or "=").strip()
    return Compare(SECOND_SPELLINGS.get(sign, sign), int(number)) if number else None


def _term(clauses: Sequence[Clause]) -> Dice:
    """Dice with their modifiers in the order written (GD-08), their count and their label."""
    count, sides, listed = clauses[0].value
    said = {clause.name: clause.value for clause in clauses}
    modifiers = [clause.value for clause in clauses if clause.name == "modifier"]
    for before, clause in pairwise(clauses):
        apart = before.at + len(before.typed) < clause.at
        if apart and clause.typed[0] in "dD" and clause.value.number >= count:  # GEN-12
            sentence = f'"{clause.typed}" could be one more die, + {clause.typed}, or drop all dice that there are.'
            raise ImpossibleError(sentence, clause)
    highest = Compare("=", max(listed, default=sides))  # what explodes where no face is named
    each = [replace(m, compare=highest) if m.name[0] == "!" and not m.compare else m for m in modifiers]
    counts, less = said.get("count", (None, None))
    return Dice(count, sides, listed, tuple(each), counts, less, said.get("label", ""))


def _number(match: re.Match[str]) -> Number:
    digits, text, at = match["digits"], match.string, match.start()
    if LONE.re.match(text, at) and text[:at].strip().lower() in KEYWORDS:
        raise pp.ParseException(text, at, "a number alone is a die")  # GD-15
    if len(digits.replace(".", "")) > MOST_DIGITS:
        raise ImpossibleError(f"a number has at most {MOST_DIGITS} digits", typed=True)
    value = Fraction(digits) if "." in digits else int(digits)
    return Number(value.numerator if value.denominator == 1 else value, _label(match) if match["label"] else "")


def _label(match: re.Match[str]) -> str:
    """GD-10."""
    words = " ".join(match["label"].split())
    if not words:
        raise ImpossibleError("a label has words, as [fire].")
    return words


def _open(match: re.Match[str]) -> list[object]:
    """GD-14, before anything inside is read."""
    if match.string.count("(", 0, match.start()) - match.string.count(")", 0, match.start()) >= DEEPEST:
        raise ImpossibleError(f"parentheses are at most {DEEPEST} deep.")
    return []


def _in_parentheses(tokens: pp.ParseResults) -> Expression:
    node, *label = tokens
    return Labelled(node, label[0].value) if label else node


def _signed(tokens: pp.ParseResults) -> Expression:
    """Unary minus and plus, as often as they are typed."""
    signs, node = tokens
    return Negative(node) if signs.count("-") % 2 else node


def _precedence(tokens: Sequence[Any]) -> Expression:
    """GD-09: products first, each side of them from left to right."""
    signs: list[Clause] = []
    products: list[tuple[list[Clause], list[Expression]]] = [([], [tokens[0]])]
    for operator, operand in zip(tokens[1::2], tokens[2::2], strict=True):
        if operator.value in ("+", "-"):
            signs.append(operator)
            products.append(([], [operand]))
        else:
            products[-1][0].append(operator)
            products[-1][1].append(operand)
    return _chain(signs, [_chain(*product) for product in products])


def _chain(operators: Sequence[Clause], operands: Sequence[Expression]) -> Expression:
    """Operands of one precedence."""
    if not operators:
        return operands[0]
    rest = zip([operator.value for operator in operators], operands[1:], strict=True)
    try:
        return Chain(operands[0], tuple(rest))
    except ImpossibleError as error:
        error.part = operators[error.part] if isinstance(error.part, int) else error.part
        raise


def _asks(match: re.Match[str]) -> str:
    """GD-13, GEN-12: a comparison asks with a space on both sides."""
    sign, before, after = match[0], match.string[: match.start()], match.string[match.end() :]
    if before[-1].isspace() and after[:1].isspace():
        return SECOND_SPELLINGS.get(sign, sign)
    number, asks = shown((after.split() or [""])[0]), shown(before.split()[-1])
    sentence = f"does {sign}{number} count dice, tight after them, as 5d6>=5, or ask, as {asks} {sign} {number}?"
    raise ImpossibleError(sentence)


def _lone(match: re.Match[str]) -> Roll:
    """GD-15; GEN-12: `1-100` is a difference, and what people write for a number from 1 to 100."""
    number, _, highest = match[0].partition("-")
    if highest:
        raise ImpossibleError(f'"{match[0]}" could be a number, roll 1 {highest}, or a difference, roll ({match[0]}).')
    return Roll(Dice(1, int(number)), lone=True)


def _made(tokens: Sequence[Any]) -> Roll | Question:
    """A roll, repeated (GD-11) or not, or a question (GD-13), perhaps with advantage (GD-15)."""
    clauses = [token for token in tokens if isinstance(token, Clause) and token.name != "operator"]
    if not clauses:
        return Roll(_precedence(tokens))
    sums = [list(part) for is_clause, part in groupby(tokens, clauses.__contains__) if not is_clause]
    said, sides = values_of(clauses), [_precedence(each) for each in sums]
    if "adv" in said:
        sides = _advantaged(clauses[-1], sides)
    if "times" in said:
        check("times", said["times"], FEWEST_TIMES, MOST_TIMES, "the number of repeats")
        if "sign" in said:
            raise ImpossibleError("a question is asked once: leave the repeats or the comparison out.", "sign")
    return Question(sides[0], said["sign"], sides[1]) if "sign" in said else Roll(sides[0], said.get("times", 1))


def _advantaged(word: Clause, sides: Sequence[Expression]) -> list[Expression]:
    """GD-15: with `adv` or `dis` the one `d20` becomes `2d20k1` or `2d20kl1`; its other modifiers stay."""
    found = [term for side in sides for term in terms(side) if term.sides == D20]
    if len(found) != 1 or found[0].count != 1:
        raise ImpossibleError(f"{word.typed} needs exactly one d20 before it.", word)
    twice = replace(found[0], count=2, modifiers=(ADVANTAGE[word.value], *found[0].modifiers))
    return [with_term(side, found[0], twice) for side in sides]


# The notation; a token is named for what a player types.

Token = partial(tokens.Token, after_comma=False)

SIGN = r"(?:<=|>=|<>|[<>=≤≥≠])"  # GD-03
TIGHT = r"(?<=\S)"  # GD-08, GEN-02: no space before it
NDX = r"(?P<count>[0-9]*)\s?d(?:(?P<sides>[0-9]+)|(?P<percent>%)|f(?![a-z])|f(?=[kdrem])|\{(?P<faces>[^{}]*)\})"
CLASH = r"\.?[0-9a-z]"  # after a number: it was not read to its end

PLAIN = Token(  # as most dice are
    "4d6", rf"{NDX}(?=\s*(?:[-+*/%)]|$))", value=lambda match: Dice(*_die(match)), kind="dice"
)
DICE = Token("4d6, d20, d%, 4dF or d{1,3,5,5}", NDX, clause="dice", value=_die)  # GD-01
EXPLODED = Token(  # GD-05: straight after dice `!=6` explodes
    "!=6",
    rf"{TIGHT}!=(?P<on>-?[0-9]+)",
    clause="modifier",
    value=lambda match: Modifier("!", compare=Compare("=", int(match["on"]))),
)
MODIFIER = Token(
    "k3 kh3 kl3 d1 dl1 dh1, r1 ro<3, ! !>4 !! !p e6, mi2 ma5",
    # GD-02, GD-04 to GD-06: letters and a number, perhaps with a comparison
    rf"(?P<name>(?:k[hl]?|d[hl])\s?|d|m[ia]|ro?|e|!p|{TIGHT}(?:!!|!(?!=)))"
    rf"(?P<sign>(?:{SIGN}|(?<!!)!=)\s?)?(?P<number>(?:(?<![khld!pe\s])-)?[0-9]+)"
    # the number may be left out after `k`, `d` and `!`
    rf"|(?P<bare>[kd][hl](?![a-z])|{TIGHT}(?:k[hl]?|d[hl]?(?!i?s)|e(?![e!])|!p|!!(?!p)|!(?![!e=])))",
    clause="modifier",
    value=_modifier,
)
FIGURE = rf"(?:[0-9]+|{'|'.join(FIGURES)})"
IN_WORDS = Token(
    "keep highest 3",
    rf"(?:(?:keep|drop)\s)?(?:highest|lowest)(?:\s{FIGURE})?{END}"
    rf"|(?:keep|drop)(?:\s(?:high|low))?(?:\s{FIGURE}{END}|{LAST})|(?<=\s)(?:[kd]|ro?){LAST}"
    rf"|(?:explod(?:e[sd]?|ing)|(?<=\s)e)(?:\s(?:on\s)?[0-9]+)?{LAST}",
    value=_in_words,
    rejects=True,
)
COUNT = Token(  # GD-07
    ">=5 or >=5f1",
    rf"{TIGHT}(?P<sign>{SIGN}|!=)(?P<number>-?[0-9]+)(?:\s*f(?P<less_sign>{SIGN}|!=)?(?P<less>-?[0-9]+))?",
    clause="count",
    value=_count,
)
LATE = refused(  # GD-07
    "k3",
    rf"(?:[kd][hl]?|m[ia]|ro?|e|{TIGHT}!!?p?){SIGN}?-?[0-9]+",
    "{} is out of place: modifiers come right after dice, before a count.",
)
WORDS = r"\[(?P<label>[^\[\]]*)\]"
NUMBER = Token(
    "5, 0.5 or 5[fire]",
    rf"(?P<digits>(?:[0-9]*\.)?[0-9]+)(?!{CLASH}|\s?d[0-9%{{f]|#[-+(]*[0-9]*d)(?:\s*{WORDS})?",
    value=_number,
)
LABEL = Token("[fire]", WORDS, clause="label", value=_label)
OPEN = Token("(", r"\(", value=_open)
CLOSE = Token(")", r"\)", value=lambda _: [])
SIGNS = Token("-", r"[-+](?:\s*[-+])*")
OPERATOR = Token(  # `2d6 - fire` has a comment
    "+ - * / // %", r"//|[+*/%]|-(?!\s+(?!d[0-9%{f])[a-z])", clause="operator"
)
ASKS = Token(">=", rf"(?<=.)(?:{SIGN}|!=)", clause="sign", value=_asks)  # `Roll <3` is talk
ADV = Token(
    "adv",
    rf"(?:adv(?:antage)?|dis(?:advantage)?){END}",
    ("adv", "advantage", "dis", "disadvantage"),
    clause="adv",
    value=lambda match: match[0][0].lower(),
)
TIMES = Token(
    "6x or 6#", r"(?P<times>[0-9]+)(?:\s?x(?![a-z])|#(?=[-+(]*[0-9]*d))", clause="times", value=tokens.integer
)
WHOLE = Token("100", rf"(?<=\s)-?[0-9]+(?![{{%]|{CLASH})", value=tokens.integer)
LONE = Token("20", rf"(?:1-)?[0-9]+(?!\s?(?:[-+*/%d([x]|{SIGN}|!=)|{CLASH})", value=_lone)
NOTHING = Token("", r"(?=[.!?]*\s*(?:#|$))", value=lambda _: Help("roll"))

expression = pp.Forward()
# GD-08: in this order
dice = DICE + pp.Opt(EXPLODED) + MODIFIER[...] + pp.Opt(COUNT | IN_WORDS) + pp.Opt(LABEL)
dice.set_name("dice").set_parse_action(made_by(_term))
parentheses = (OPEN - expression - CLOSE + pp.Opt(LABEL)).set_name("parentheses").set_parse_action(_in_parentheses)
unsigned = PLAIN | NUMBER | dice | parentheses
signed = (SIGNS - unsigned).set_name("a sign").set_parse_action(_signed)
value = (unsigned | signed).set_name("dice, a number or (")
sums = (value + (OPERATOR - value)[...]).set_name("expression")
expression <<= sums.copy().set_parse_action(made_by(_precedence))  # GD-09

ROLL = command_word("roll", "r")
roll = (ROLL + sums + ADV[...]).set_parse_action(made_by(_made))
question = (ROLL + sums + (ASKS | LATE) - sums + ADV[...]).set_parse_action(made_by(_made))  # GD-13
repeated = (ROLL + TIMES - sums + pp.Opt(ASKS - sums) + ADV[...]).set_parse_action(made_by(_made))  # GD-11
between = (ROLL + WHOLE + WHOLE).set_parse_action(made_by(lambda numbers: Between(*numbers)))  # GD-15
lone = ROLL + LONE  # GD-15
alone = ROLL + NOTHING  # GD-15

GRAMMAR = (
    roll.set_name("roll 2d6+3")
    | question.set_name("roll 1d20+5 >= 15")
    | repeated.set_name("roll 6x 4d6k3")
    | between.set_name("roll 1 100")
    | lone.set_name("roll 20")
    | alone.set_name("roll")
)
