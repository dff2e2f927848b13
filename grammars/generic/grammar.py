"""The notation of dice: what each token is, and how terms, expressions and commands are made of them."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import TypeVar

import pyparsing as pp

from grammars import tokens
from grammars.errors import ImpossibleError, Objection
from grammars.generic.nodes import (
    FUDGE,
    Between,
    Chain,
    Dice,
    Expression,
    Labelled,
    Negative,
    Number,
    Question,
    Roll,
    check_times,
    terms,
    with_term,
)
from grammars.generic.values import Compare, Modifier
from grammars.help import Help
from grammars.line import shown
from grammars.suggest import FIGURES
from grammars.tokens import END, LAST, Clause, command_word, locates_errors, objection, refused, unique_values

KEYWORDS = ("roll", "r")
ONLY_CALLED = ("r",)  # GEN-14
TAKES_DICE = ("roll",)
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
    "adv": (
        "adv or dis after an expression with exactly one d20: it becomes 2d20k1 or 2d20kl1.",
        "roll d20+5 adv",
    ),
}

DEEPEST = 20  # GD-14: parentheses in each other
MOST_DIGITS = 15  # of a number
D20 = 20  # GD-15
ADVANTAGE = {"a": Modifier("k", 1), "d": Modifier("kl", 1)}
SECOND_SPELLINGS = {"kh": "k", "d": "dl", "e": "!", "≤": "<=", "≥": ">=", "≠": "<>", "!=": "<>"}  # GD-02, GD-03, GD-05
_FACE = re.compile(r"\s*[-+]?[0-9]+\s*")

Node = TypeVar("Node")
Action = Callable[[str, int, pp.ParseResults], Node]


# What parse actions make of tokens, and what they object to.


def _die(text: str, at: int, match: re.Match[str]) -> Clause:
    """GD-01: the count and the die."""
    sides = int(match["sides"] or 0)
    listed: tuple[int, ...] = ()
    if match["percent"]:
        sides = 100
    elif match["faces"] is not None:
        faces = match["faces"].split(",")
        if not all(map(_FACE.fullmatch, faces)):
            raise Objection(text, at, "listed faces are whole numbers with commas between them, as d{1,3,5,5}.")
        listed = tuple(map(int, faces))
    elif not match["sides"]:
        listed = FUDGE
    return Clause("dice", (int(match["count"] or 1), sides, listed), at, match[0])


def _explosion(_text: str, at: int, match: re.Match[str]) -> Clause:
    """GD-05: straight after dice `!=6` explodes."""
    return Clause("modifier", Modifier("!", compare=Compare("=", int(match["on"]))), at, match[0])


def _modifier(text: str, at: int, match: re.Match[str]) -> Clause:
    """GD-02, GD-04 to GD-06: a modifier; an explosion without a number has no comparison yet."""
    if words := match["words"] or match["explode"]:
        letters = _in_letters(words) if match["words"] else f"e{match['on']}" if match["on"] else "!"
        sentence = f'"{words}" is written in letters after its dice, as 4d6{letters}.'
        raise Objection(text, at, sentence, hint=f"{text[:at].strip()}{letters}{text[match.end() :]}")
    if match["reroll"]:
        raise Objection(text, at, f'"{match["reroll"]}" needs a number, as 4d6{match["reroll"].lower()}1.')
    name = (match["name"] or match["bare"]).strip().lower()
    name = SECOND_SPELLINGS.get(name, name)
    if name[0] not in "kdm":
        return Clause("modifier", Modifier(name, compare=_compare(match["sign"], match["number"])), at, match[0])
    if match["sign"]:
        raise Objection(text, at, f"keep, drop, mi and ma take a number alone, you wrote {shown(match[0])}.")
    return Clause("modifier", Modifier(name, int(match["number"] or 1)), at, match[0])


def _in_letters(words: str) -> str:
    """GD-02: `kh3` for `keep highest 3`, `dl2` for `drop two`."""
    each = words.lower().split()
    verb = "d" if each[0][0] == "d" else "k"
    which = next((word[0] for word in each if word[0] in "hl"), "l" if verb == "d" else "h")
    number = FIGURES.get(each[-1], each[-1])
    return f"{verb}{which}{number if number.isdigit() else 1}"


def _count(_text: str, at: int, match: re.Match[str]) -> Clause:
    """GD-07: what is counted, and what is taken away."""
    counts = _compare(match["sign"], match["number"]), _compare(match["less_sign"], match["less"])
    return Clause("count", counts, at, match[0])


def _compare(sign: str | None, number: str | None) -> Compare | None:
    """GD-03: a comparison; a number alone is "equal"."""
    sign = (sign or "=").strip()
    return Compare(SECOND_SPELLINGS.get(sign, sign), int(number)) if number else None


def _plain(text: str, at: int, match: re.Match[str]) -> Dice:
    return Dice(*_die(text, at, match).value)


@locates_errors
def _term(text: str, _at: int, clauses: pp.ParseResults) -> Dice:
    """Dice with their modifiers in the order written (GD-08), their count and their label."""
    die, *others = clauses
    count, sides, listed = die.value
    modifiers: list[Modifier] = []
    counts = less = None
    label = ""
    for clause in others:
        if clause.name == "count":
            counts, less = clause.value
        elif clause.name == "label":
            label = clause.value
        else:
            modifiers.append(clause.value)
            if modifiers[-1].number >= count and clause.typed[0] in "dD" and text[clause.at - 1].isspace():  # GEN-12
                sentence = f'"{clause.typed}" could be one more die, + {clause.typed}, or drop all dice that there are.'
                raise Objection(text, clause.at, sentence)
    highest = Compare("=", max(listed, default=sides))  # what explodes where no face is named
    each = [replace(m, compare=highest) if m.name[0] == "!" and not m.compare else m for m in modifiers]
    return Dice(count, sides, listed, tuple(each), counts, less, label)


def _number(text: str, at: int, match: re.Match[str]) -> Number:
    digits = match["digits"]
    if len(digits.replace(".", "")) > MOST_DIGITS:
        raise Objection(text, at, f"a number has at most {MOST_DIGITS} digits, you wrote {shown(digits)}.")
    value = Fraction(digits) if "." in digits else int(digits)
    return Number(value.numerator if value.denominator == 1 else value, _words(text, at, match["label"]))


def _open(text: str, at: int, _match: re.Match[str]) -> list[str]:
    """GD-14, before anything inside is read."""
    if text.count("(", 0, at) - text.count(")", 0, at) >= DEEPEST:
        raise Objection(text, at, f"parentheses are at most {DEEPEST} deep.")
    return []


def _label(text: str, at: int, match: re.Match[str]) -> Clause:
    """GD-10."""
    return Clause("label", _words(text, at, match["label"]), at, match[0])


def _words(text: str, at: int, label: str | None) -> str:
    words = " ".join((label or "").split())
    if label is not None and not words:
        raise Objection(text, at, "a label has words, as [fire].")
    return words


def _in_parentheses(_text: str, _at: int, tokens: pp.ParseResults) -> Expression:
    node: Expression = tokens[0]
    return Labelled(node, tokens[1].value) if len(tokens) > 1 else node


def _operator(_text: str, at: int, match: re.Match[str]) -> Clause:
    return Clause("operator", match[0], at, match[0])


def _signed(_text: str, _at: int, tokens: pp.ParseResults) -> Expression:
    """Unary minus and plus, as often as they are typed."""
    node: Expression = tokens[1]
    return Negative(node) if tokens[0].count("-") % 2 else node


def _precedence(text: str, at: int, tokens: pp.ParseResults) -> Expression:
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
    return _chain(text, at, signs, [_chain(text, at, *product) for product in products])


def _chain(text: str, at: int, operators: Sequence[Clause], operands: Sequence[Expression]) -> Expression:
    """Operands of one precedence."""
    if not operators:
        return operands[0]
    rest = zip([operator.value for operator in operators], operands[1:], strict=True)
    try:
        return Chain(operands[0], tuple(rest))
    except ImpossibleError as error:
        raise objection(text, at, operators, error) from None


def _asks(text: str, at: int, match: re.Match[str]) -> Clause:
    """GD-13, GEN-12: a comparison asks with a space on both sides."""
    sign, end = match[0], at + len(match[0])
    if text[at - 1].isspace() and text[end : end + 1].isspace():
        return Clause("sign", SECOND_SPELLINGS.get(sign, sign), at, sign)
    before, number = shown(text[:at].split()[-1]), shown((text[end:].split() or [""])[0])
    sentence = f"does {sign}{number} count dice, tight after them, as 5d6>=5, or ask, as {before} {sign} {number}?"
    raise Objection(text, at, sentence)


@locates_errors
def _roll(text: str, at: int, tokens: pp.ParseResults) -> Roll:
    """A roll, perhaps with advantage; a lone number is read below (GD-15)."""
    node, *words = tokens
    (node,) = _advantaged(text, words, node)
    if LONE.re.match(text, at):
        raise pp.ParseException(text, at, "a number alone")
    return Roll(node)


@locates_errors
def _lone(text: str, at: int, tokens: pp.ParseResults) -> Roll:
    """GD-15; GEN-12: `1-100` is a difference, and what people write for a number from 1 to 100."""
    number, _, highest = tokens[0].partition("-")
    if highest:
        sentence = f'"{tokens[0]}" could be a number, roll 1 {highest}, or a difference, roll ({tokens[0]}).'
        raise Objection(text, at, sentence)
    return Roll(Dice(1, int(number)), lone=True)


@locates_errors
def _question(text: str, _at: int, tokens: pp.ParseResults) -> Question:
    """GD-13, perhaps with advantage."""
    left, sign, right, *words = tokens
    left, right = _advantaged(text, words, left, right)
    return Question(left, sign.value, right)


def _advantaged(text: str, words: Sequence[Clause], *sides: Expression) -> tuple[Expression, ...]:
    """GD-15: with `adv` or `dis` the one `d20` becomes `2d20k1` or `2d20kl1`; its other modifiers stay."""
    if not words:
        return sides
    unique_values(text, words)
    found = [term for side in sides for term in terms(side) if term.sides == D20]
    if len(found) != 1 or found[0].count != 1:
        raise Objection(text, words[0].at, f"{words[0].typed} needs exactly one d20 before it.")
    twice = replace(found[0], count=2, modifiers=(ADVANTAGE[words[0].value], *found[0].modifiers))
    return tuple([with_term(side, found[0], twice) for side in sides])


def _adv(_text: str, at: int, match: re.Match[str]) -> Clause:
    return Clause("adv", match[0][0].lower(), at, match[0])


def _times(_text: str, at: int, match: re.Match[str]) -> Clause:
    """GD-11."""
    return Clause("times", int(match["times"]), at, match[0])


@locates_errors
def _repeated(text: str, _at: int, tokens: pp.ParseResults) -> Roll:
    """GD-11, perhaps with advantage."""
    times, node, *words = tokens
    check_times(times.value)
    (node,) = _advantaged(text, words, node)
    return Roll(node, times.value)


@locates_errors
def _between(_text: str, _at: int, tokens: pp.ParseResults) -> Between:
    """GD-15."""
    lowest, highest = tokens
    return Between(int(lowest), int(highest))


# The notation; a token is named for what a player types.

Token = partial(tokens.Token, after_comma=False)

SIGN = r"(?:<=|>=|<>|[<>=≤≥≠])"  # GD-03
TIGHT = r"(?<=\S)"  # GD-08, GEN-02: no space before it
NDX = r"(?P<count>[0-9]*)\s?d(?:(?P<sides>[0-9]+)|(?P<percent>%)|f(?![a-z])|f(?=[kdrem])|\{(?P<faces>[^{}]*)\})"
FIGURE = rf"(?:[0-9]+|{'|'.join(FIGURES)})"
CLASH = r"\.?[0-9a-z]"  # after a number: it was not read to its end

PLAIN = Token("4d6", rf"{NDX}(?=\s*(?:[-+*/%)]|$))", value=_plain)  # nothing changes them, as most dice
DICE = Token("4d6, d20, d%, 4dF or d{1,3,5,5}", NDX, value=_die)  # GD-01
EXPLODED = Token("!=6", rf"{TIGHT}!=(?P<on>-?[0-9]+)", value=_explosion)
MODIFIER = Token(
    "k3 kh3 kl3 d1 dl1 dh1, r1 ro<3, ! !>4 !! !p e6, mi2 ma5",
    # GD-02, GD-04 to GD-06: letters and a number, perhaps with a comparison
    rf"(?P<name>(?:k[hl]?|d[hl])\s?|d|m[ia]|ro?|e|!p|{TIGHT}(?:!!|!(?!=)))"
    rf"(?P<sign>(?:{SIGN}|(?<!!)!=)\s?)?(?P<number>(?:(?<![khld!pe\s])-)?[0-9]+)"
    # the number may be left out after `k`, `d` and `!`
    rf"|(?P<bare>[kd][hl](?![a-z])|{TIGHT}(?:k[hl]?|d[hl]?(?!i?s)|e(?![e!])|!p|!!(?!p)|!(?![!e=])))"
    # ... and in words
    rf"|(?P<words>(?:(?:keep|drop)\s)?(?:highest|lowest)(?:\s{FIGURE})?{END}"
    rf"|(?:keep|drop)(?:\s(?:high|low))?(?:\s{FIGURE}{END}|{LAST})|(?<=\s)[kd]{LAST})"
    rf"|(?P<explode>(?:explod(?:e[sd]?|ing)|(?<=\s)e)(?:\s(?:on\s)?(?P<on>[0-9]+))?{LAST})"
    rf"|(?P<reroll>(?<=\s)ro?){LAST}",
    value=_modifier,
)
COUNT = Token(  # GD-07
    ">=5 or >=5f1",
    rf"{TIGHT}(?P<sign>{SIGN}|!=)(?P<number>-?[0-9]+)(?:\s*f(?P<less_sign>{SIGN}|!=)?(?P<less>-?[0-9]+))?",
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
LABEL = Token("[fire]", WORDS, value=_label)
OPEN = Token("(", r"\(", value=_open)
CLOSE = Token(")", r"\)").suppress()
SIGNS = Token("-", r"[-+](?:\s*[-+])*")
OPERATOR = Token("+ - * / // %", r"//|[+*/%]|-(?!\s+(?!d[0-9%{f])[a-z])", value=_operator)  # `2d6 - fire` has a comment
ASKS = Token(">=", rf"(?<=.)(?:{SIGN}|!=)", value=_asks)  # `Roll <3` is talk
ASKED = refused(
    ">=", rf"(?<=.)(?:{SIGN}|!=)", "a question is asked once: leave the repeats or the comparison out."
)  # GD-13
ADV = Token(
    "adv", rf"(?:adv(?:antage)?|dis(?:advantage)?){END}", ("adv", "advantage", "dis", "disadvantage"), value=_adv
)
TIMES = Token("6x or 6#", r"(?P<times>[0-9]+)(?:\s?x(?![a-z])|#(?=[-+(]*[0-9]*d))", value=_times)
WHOLE = Token("100", rf"(?<=\s)-?[0-9]+(?![{{%]|{CLASH})")
LONE = Token("20", rf"(?:1-)?[0-9]+(?!\s?[-+*/%d([x]|{CLASH})")
NOTHING = Token("", r"(?=[.!?]*\s*(?:#|$))", value=lambda *_: Help("roll"))

expression = pp.Forward()
dice = (DICE + pp.Opt(EXPLODED) + MODIFIER[...] + pp.Opt(COUNT) + pp.Opt(LABEL)).set_name(
    "dice"
)  # GD-08: in this order
dice.set_parse_action(_term)
parentheses = (OPEN - expression - CLOSE + pp.Opt(LABEL)).set_name("parentheses").set_parse_action(_in_parentheses)
unsigned = PLAIN | NUMBER | dice | parentheses
signed = (SIGNS - unsigned).set_name("a sign").set_parse_action(_signed)
value = (unsigned | signed).set_name("dice, a number or (")
expression <<= (value + (OPERATOR - value)[...]).set_name("expression").set_parse_action(_precedence)  # GD-09
sums = expression.expr

advantage = pp.Opt(ADV + pp.Opt(ADV))
ROLL = command_word("roll", "r")
roll = ROLL + (sums + advantage).set_parse_action(_roll)
question = ROLL + (sums + (ASKS | LATE) - sums + advantage).set_parse_action(_question)  # GD-13
repeated = ROLL + (TIMES - sums + advantage + pp.Opt(ASKED)).set_parse_action(_repeated)  # GD-11
between = ROLL + (WHOLE + WHOLE).set_parse_action(_between)  # GD-15
lone = ROLL + LONE.set_parse_action(_lone)  # GD-15
alone = ROLL + NOTHING  # GD-15

GRAMMAR = (
    roll.set_name("roll 2d6+3")
    | question.set_name("roll 1d20+5 >= 15")
    | repeated.set_name("roll 6x 4d6k3")
    | between.set_name("roll 1 100")
    | lone.set_name("roll 20")
    | alone.set_name("roll")
)
