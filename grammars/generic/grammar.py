"""The grammar: tokens, nodes built from them, and their order."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import groupby, pairwise
from typing import Any

import pyparsing as pp

from grammars import tokens
from grammars.command import Clause, check, made_by, values_of
from grammars.errors import ImpossibleError
from grammars.generic import nodes as gd
from grammars.help import Help
from grammars.line import END, FIGURE, FIGURES, LAST, shown
from grammars.tokens import command_word, refused

KEYWORDS = ("roll", "r")
ONLY_CALLED = ("r",)  # GEN-14
TAKES_DICE = ("roll",)
# Words that are not in any command, for "did you mean ..." and help.
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
    "success, failure": "GD-13",
    "dice": (
        "GD-01",
        "With + - * / // % and parentheses between them, as roll 2d6+3. `help modifiers` has what may follow dice.",
    ),
    "modifiers": (
        "After NdX, in the order written: k3 kl3 dl1 dh1 keep or drop, r1 ro<3 reroll, ! !>4 !! !p explode, "
        "mi2 ma5 raise or lower.",
        "Then a count, as >=5 or >=5f1. Comparisons are 5 =5 <5 >5 <=5 >=5 <>5.",
    ),
    "keep": "GD-02",
    "reroll": "GD-04",
    "explode": "GD-05",
    "adv": "GD-15",
}

DEEPEST = 20  # GD-14: nested parentheses
MOST_DIGITS = 15  # of a number
D20 = 20  # GD-15
SECOND_SPELLINGS = {"kh": "k", "d": "dl", "e": "!", "≤": "<=", "≥": ">=", "≠": "<>", "!=": "<>"}  # GD-02, GD-03, GD-05
_FACE = re.compile(r"\s*[-+]?[0-9]+\s*")


# From tokens to nodes.

ADVANTAGE = {"a": gd.Modifier("k", 1), "d": gd.Modifier("kl", 1)}


def _die(match: re.Match[str]) -> tuple[int, int, tuple[int, ...]]:
    """GD-01: the count, the sides, and the faces if they are listed."""
    count = int(match["count"] or 1)
    if match["sides"] or match["percent"]:
        return count, int(match["sides"] or 100), ()
    if match["faces"] is None:
        return count, 0, gd.FUDGE
    faces = match["faces"].split(",")
    if not all(map(_FACE.fullmatch, faces)):
        raise ImpossibleError("listed faces are whole numbers with commas between them, as d{1,3,5,5}.")
    return count, 0, tuple(map(int, faces))


def _modifier(match: re.Match[str]) -> gd.Modifier:
    """GD-02, GD-04 to GD-06: a modifier; an explosion without a number has no comparison yet."""
    name = (match["name"] or match["bare"]).strip().lower()
    name = SECOND_SPELLINGS.get(name, name)
    if name[0] not in "kdm":
        return gd.Modifier(name, compare=_compare(match["sign"], match["number"]))
    if match["sign"]:
        raise ImpossibleError("keep, drop, mi and ma take a number alone", typed=True)
    return gd.Modifier(name, int(match["number"] or 1))


def _in_words(match: re.Match[str]) -> None:
    """GD-02, GD-04, GD-05: `keep highest 3`, `drop the two lowest`, `- lowest`, `reroll ones`, `explode on 6`."""
    typed, before = match[0].strip(",( )"), match.string[: match.start()].strip()
    words = typed.lower().removeprefix("and ").split()
    figures = [FIGURES.get(word, word) for word in words]
    number = match["face"] or next(filter(str.isdigit, figures), "")
    if words[0][0] == "r":
        if not number:
            raise ImpossibleError(f'"{typed}" needs a number, as 4d6{words[0]}1.')
        letters = f"r{FIGURES.get(number.lower(), number)}"
    elif words[0][0] == "e":
        letters = f"e{number}" if number else "!"
        before = before if number else before.removesuffix("!")
    else:
        verb = "d" if words[0][0] in "dm-" else "k"
        which = next((word[0] for word in words if word[0] in "hl"), "l" if verb == "d" else "h")
        letters = f"{verb}{which}{number or 1}"
    sentence = f'"{typed}" is written in letters after its dice, as 4d6{letters}.'
    raise ImpossibleError(sentence, hint=f"{before}{letters}{match.string[match.end() :]}")


def _count(match: re.Match[str]) -> tuple[gd.Compare | None, gd.Compare | None]:
    """GD-07: the faces counted, and those subtracted."""
    return _compare(match["sign"], match["number"]), _compare(match["less_sign"], match["less"])


def _compare(sign: str | None, number: str | None) -> gd.Compare | None:
    """GD-03: a comparison; a number alone is "equal"."""
    sign = (sign or "=").strip()
    return gd.Compare(SECOND_SPELLINGS.get(sign, sign), int(number)) if number else None


def _term(clauses: Sequence[Clause]) -> gd.Dice:
    """Dice with their modifiers in the order written (GD-08), their count and their label."""
    count, sides, listed = clauses[0].value
    highest = gd.Compare("=", max(listed, default=sides))  # the default for explosions
    said = {clause.name: clause.value for clause in clauses}
    modifiers = []
    for before, clause in pairwise(clauses):
        if clause.name != "modifier":
            continue
        modifier = clause.value
        apart = before.at + len(before.typed) < clause.at
        if apart and clause.typed[0] in "dD" and modifier.number >= count:  # GEN-12
            sentence = f'"{clause.typed}" could be one more die, + {clause.typed}, or drop all dice that there are.'
            raise ImpossibleError(sentence, clause)
        explodes = modifier.name in gd.EXPLODING and not modifier.compare
        modifiers.append(replace(modifier, compare=highest) if explodes else modifier)
    counts, less = said.get("count", (None, None))
    return gd.Dice(count, sides, listed, tuple(modifiers), counts, less, said.get("label", ""))


def _number(match: re.Match[str]) -> gd.Number:
    digits, text, at = match["digits"], match.string, match.start()
    if LONE.re.match(text, at) and text[:at].strip().lower() in KEYWORDS:
        raise pp.ParseException(text, at, "a number alone is a die")  # GD-15
    if len(digits.replace(".", "")) > MOST_DIGITS:
        raise ImpossibleError(f"a number has at most {MOST_DIGITS} digits", typed=True)
    value = Fraction(digits) if "." in digits else int(digits)
    return gd.Number(value.numerator if value.denominator == 1 else value, _label(match) if match["label"] else "")


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


def _in_parentheses(tokens: pp.ParseResults) -> gd.Expression:
    node, *label = tokens
    return gd.Labelled(node, label[0].value) if label else node


def _signed(tokens: pp.ParseResults) -> gd.Expression:
    """Unary minus and plus, any number of times."""
    signs, node = tokens
    return gd.Negative(node) if signs.count("-") % 2 else node


def _precedence(tokens: Sequence[Any]) -> gd.Expression:
    """GD-09: products first, then sums, from left to right."""
    first, *rest = tokens
    sums, product = [], [first]
    for operator, operand in zip(rest[::2], rest[1::2], strict=True):
        if operator.value in ("+", "-"):
            sums += [_chain(*product), operator]
            product = [operand]
        else:
            product += [operator, operand]
    return _chain(*sums, _chain(*product))


def _chain(first: gd.Expression, *rest: Any) -> gd.Expression:
    """Operands with operators of one precedence between them."""
    operators, operands = rest[::2], rest[1::2]
    if not operators:
        return first
    try:
        return gd.Chain(first, tuple(zip([operator.value for operator in operators], operands, strict=True)))
    except ImpossibleError as error:
        error.part = operators[error.part] if isinstance(error.part, int) else error.part
        raise


def _asks(match: re.Match[str]) -> str:
    """GD-13, GEN-12: a comparison with spaces on both sides asks a question."""
    sign, before, after = match[0], match.string[: match.start()], match.string[match.end() :]
    if before[-1].isspace() and after[:1].isspace():
        return SECOND_SPELLINGS.get(sign, sign)
    number, asks = shown((after.split() or [""])[0]), shown(before.split()[-1])
    sentence = f"does {sign}{number} count dice, tight after them, as 5d6>=5, or ask, as {asks} {sign} {number}?"
    raise ImpossibleError(sentence)


def _lone(match: re.Match[str]) -> gd.Roll:
    """GD-15; GEN-12: `1-100` is a difference, but users also write it for a number from 1 to 100."""
    number, _, highest = match[0].partition("-")
    if highest:
        raise ImpossibleError(f'"{match[0]}" could be a number, roll 1 {highest}, or a difference, roll ({match[0]}).')
    return gd.Roll(gd.Dice(1, int(number)), lone=True)


def _made(tokens: Sequence[Any]) -> gd.Roll | gd.Question:
    """A roll, repeated (GD-11) or not, or a question (GD-13), perhaps with advantage (GD-15)."""
    clauses = [token for token in tokens if isinstance(token, Clause) and token.name != "operator"]
    if not clauses:
        return gd.Roll(_precedence(tokens))
    said = values_of(clauses)
    sides = [_precedence(list(part)) for is_clause, part in groupby(tokens, clauses.__contains__) if not is_clause]
    if "adv" in said:
        sides = _advantaged(clauses[-1], sides)
    if "times" in said:
        check("times", said["times"], gd.FEWEST_TIMES, gd.MOST_TIMES, "the number of repeats")
        if "sign" in said:
            raise ImpossibleError("a question is asked once: leave the repeats or the comparison out.", "sign")
    return gd.Question(sides[0], said["sign"], sides[1]) if "sign" in said else gd.Roll(sides[0], said.get("times", 1))


def _advantaged(word: Clause, sides: Sequence[gd.Expression]) -> list[gd.Expression]:
    """GD-15: with `adv` or `dis` the one `d20` becomes `2d20k1` or `2d20kl1`; its other modifiers stay."""
    found = [term for side in sides for _, term in gd.terms(side) if term.sides == D20]
    if len(found) != 1 or found[0].count != 1:
        raise ImpossibleError(f"{word.typed} needs exactly one d20 before it.", word)
    twice = replace(found[0], count=2, modifiers=(ADVANTAGE[word.value], *found[0].modifiers))
    return [gd.with_term(side, found[0], twice) for side in sides]


# The notation; tokens are named after what a player types.

Token = partial(tokens.Token, after_comma=False)

SIGN = r"(?:<=|>=|<>|[<>=≤≥≠])"  # GD-03
TIGHT = r"(?<=\S)"  # GD-08, GEN-02: no space before it
NDX = r"(?P<count>[0-9]*)\s?d(?:(?P<sides>[0-9]+)|(?P<percent>%)|f(?![a-z])|f(?=[kdrem])|\{(?P<faces>[^{}]*)\})"
CLASH = r"\.?[0-9a-z]"  # after a number: it continues

MINUS = r"-(?!\s+(?!d[0-9%{f])[a-z])"  # `2d6 - fire` has a comment

PLAIN = Token(  # the usual form of dice
    "4d6", rf"{NDX}(?=\s*(?:[+*/%)]|{MINUS}|$))", value=lambda match: gd.Dice(*_die(match)), kind="dice"
)
DICE = Token("4d6, d20, d%, 4dF or d{1,3,5,5}", NDX, clause="dice", value=_die)  # GD-01
EXPLODED = Token(  # GD-05: straight after dice `!=6` explodes
    "!=6",
    rf"{TIGHT}!=(?P<on>-?[0-9]+)",
    clause="modifier",
    value=lambda match: gd.Modifier("!", compare=gd.Compare("=", int(match["on"]))),
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
NUMERAL = rf"(?:[0-9]+|{FIGURE})"
BETWEEN = r"(?:,\s?)?(?P<open>\(\s?)?(?:and\s)?"
IN_WORDS = Token(
    "keep highest 3",
    rf"{BETWEEN}(?:(?:keep|drop|minus|-)\s(?:the\s)?(?:{NUMERAL}\s)?(?:highest|lowest)(?:\s{NUMERAL})?{END}"
    rf"|(?:keep|drop)(?:\s(?:high|low))?(?:\s{NUMERAL}{END}|{LAST})"
    rf"|re-?roll(?:ing)?\s(?:all\s|the\s)?(?P<face>{NUMERAL})e?s{END})(?(open)\s?\))"
    rf"|(?:highest|lowest)(?:\s{NUMERAL})?{END}|(?<=\s)(?:[kd]|ro?){LAST}"
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
OPERATOR = Token("+ - * / // %", rf"//|[+*/%]|{MINUS}", clause="operator")
ASKS = Token(">=", rf"(?<=.)(?:{SIGN}|!=)", clause="sign", value=_asks)  # `Roll <3` is talk
ADVANTAGES = "(?:adv(?:antage)?|dis(?:adv(?:antage)?)?)"
ADV = Token(
    "adv",
    rf"{ADVANTAGES}{END}",
    ("adv", "advantage", "dis", "disadv", "disadvantage"),
    clause="adv",
    value=lambda match: match[0][0].lower(),
)
ADV_FIRST = refused(  # GD-13, GD-15: `d20 adv >= 15`
    "adv >= 15",
    rf"(?P<adv>{ADVANTAGES})\s*(?:(?P<sign>{SIGN})|vs\.?(?:\s?dc)?|dc)\s*(?P<number>[0-9]+){END}",
    "{adv} comes last.",
    instead=lambda match: f"{match['sign'] or '>='} {match['number']} {match['adv']}",
)
AGAINST = refused(
    "vs dc15", rf"(?:vs\.?|versus|against)\s*dc\s*(?P<number>[0-9]+){END}", '"{}" is unknown.', instead=">= {number}"
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
misplaced = LATE | ADV_FIRST | AGAINST
question = (ROLL + sums + (ASKS | misplaced) - sums + ADV[...]).set_parse_action(made_by(_made))  # GD-13
repeated = (ROLL + TIMES - sums + pp.Opt(ASKS - sums) + ADV[...]).set_parse_action(made_by(_made))  # GD-11
between = (ROLL + WHOLE + WHOLE).set_parse_action(made_by(lambda numbers: gd.Between(*numbers)))  # GD-15
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
