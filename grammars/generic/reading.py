"""From the text of a generic command to its node: flat expressions by one Regex, the others by a grammar."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any, NamedTuple

import pyparsing as pp

from grammars.generic.dice import Dice, UnbuildableError
from grammars.generic.expressions import (
    FEWEST_TIMES,
    MOST_TIMES,
    Between,
    Chain,
    Expression,
    Labelled,
    Negative,
    Number,
    Question,
    Roll,
    terms,
)
from grammars.generic.folding import (
    FLAT,
    OPERATOR,
    SIGNS,
    Operand,
    UnclearError,
    flat,
    fold,
    labelled,
    nested,
    read_term,
    signed,
)
from grammars.generic.modifiers import Modifier
from grammars.generic.objections import DEEPEST, object_behind, object_to_depth, object_to_range, object_to_talk, told
from grammars.generic.terms import TERM, compare
from grammars.help import Help
from grammars.tokens import FLAGS, Leaving, Misread, Parsed, command

D20 = 20  # GD-15
_ADVANTAGE = {"a": Modifier("k", 1), "d": Modifier("kl", 1)}
_ASKED = r"(?:<=|>=|<>|!=|[<>=≤≥≠])"
_HEAD = r"\s*(?:roll|r)\s*"
_TIMES = r"(?:(?P<times>[0-9]+)\s?x\s*|(?![0-9]+\s?x))"  # no number of times is taken for a term
_ENDING = r"(?P<adv>\s*(?:adv(?:antage)?|dis(?:advantage)?)(?![a-z0-9]))?"


class Parts(NamedTuple):
    """What stands around the expressions of a command, and where."""

    text: str
    at: int  # where the first expression begins
    end: int
    times: str | None = None
    times_at: int = -1
    sign: str | None = None
    advantage: str | None = None


def _fast(match: re.Match[str]) -> Roll | Question | Between:
    """The command of a line without parentheses."""
    text = match.string
    if match["lowest"]:
        return _between(match)
    parts = Parts(
        text, match.start("left"), match.end(), match["times"], match.start("times"), match["sign"], match["adv"]
    )
    left = flat(text, *match.span("left"))
    return _built(parts, left, flat(text, *match.span("right")) if parts.sign else None)


def _between(match: re.Match[str]) -> Between:
    """GD-15."""
    lowest, highest = int(match["lowest"][:9]), int(match["highest"][:9])
    try:
        return Between(lowest, highest)
    except UnbuildableError as fault:
        text, (start, end) = match.string, (match.start("lowest"), match.end())
        mended = f"{text[:start]}{highest} {lowest}{text[end:]}" if highest < lowest else None
        raise Misread(text, start, f"{fault}.", instead=mended) from None


def _built(parts: Parts, left: Expression, right: Expression | None) -> Roll | Question:
    """The command around one expression or two."""
    if not (left.drawn or (right and right.drawn)):
        object_to_talk(parts.text, parts.at, parts.end)
        if not (right or parts.times or parts.advantage):
            object_to_range(parts.text, parts.at, parts.end)
    if parts.end < len(parts.text):
        object_behind(parts.text, parts.at, parts.end, str(left))
    if parts.advantage:
        left, right = _advantaged(parts, left, right)
    if right is None:
        return _roll(parts, left)
    if parts.times:  # GD-13
        raise Misread(parts.text, parts.times_at, "a question is asked once: leave the repeats out.")
    try:
        return Question(left, compare(f"{parts.sign}1").sign, right, not (left.drawn or right.drawn))
    except UnbuildableError as fault:
        raise Misread(parts.text, parts.at, f"{fault}.") from None


def _roll(parts: Parts, expression: Expression) -> Roll:
    text, times = parts.text, 1 if parts.times is None else int(parts.times[:9])
    try:
        if times == 1 and isinstance(expression, Number) and _bare(parts, expression):
            return Roll(Dice(1, int(expression.value)), 1, True)  # GD-15
        if parts.times is not None and times < FEWEST_TIMES:
            raise UnbuildableError(f"an expression is repeated {FEWEST_TIMES} to {MOST_TIMES} times")
        return Roll(expression, times, not expression.drawn)
    except UnbuildableError as fault:
        if times in range(FEWEST_TIMES, MOST_TIMES + 1) or parts.times is None:
            raise Misread(text, parts.at, f"{fault}.") from None
        nearest = str(min(max(times, FEWEST_TIMES), MOST_TIMES))
        mended = text[: parts.times_at] + nearest + text[parts.times_at + len(parts.times) :]
        raise Misread(text, parts.times_at, f"{fault}, you wrote {parts.times[:9]}x.", instead=mended) from None


def _bare(parts: Parts, number: Number) -> bool:
    """Whether nothing but a whole number stands there."""
    whole = isinstance(number.value, int) and not number.label
    return whole and parts.times is None and parts.text[parts.at : parts.at + 1].isdigit()


def _advantaged(parts: Parts, left: Expression, right: Expression | None) -> tuple[Expression, Expression | None]:
    """GD-15: the one `d20` becomes `2d20kh1` or `2d20kl1`, what is written behind it stays there."""
    word = (parts.advantage or "").strip()
    found = [t for side in (left, right) if side is not None for t in terms(side) if t.sides == D20]
    if len(found) != 1 or found[0].count != 1:
        at = parts.end - len(word)
        raise Misread(parts.text, at, f"{word} wants exactly one d20 in front of it.", instead=parts.text[:at].rstrip())
    kept = _ADVANTAGE[word[0].lower()]
    anew = replace(found[0], count=2, modifiers=(kept, *found[0].modifiers))
    return _with(left, found[0], anew), right and _with(right, found[0], anew)


def _with(expression: Expression, old: Dice, new: Dice) -> Expression:
    """`expression` with another term in the place of `old`."""
    if isinstance(expression, Dice):
        return new if expression is old else expression
    if isinstance(expression, Negative | Labelled):
        return replace(expression, of=_with(expression.of, old, new))
    if isinstance(expression, Chain):
        rest = tuple([(operator, _with(operand, old, new)) for operator, operand in expression.rest])
        return Chain(_with(expression.first, old, new), rest)
    return expression


def _grouped(_text: str, _loc: int, tokens: pp.ParseResults) -> Operand:
    """An operand: its signs, then a term or an expression in parentheses, perhaps with words behind it."""
    at, signs, node, *label = tokens
    return at, "", signed(signs, labelled(node, label[0]["label"] if label else None))


def _folded(text: str, _loc: int, tokens: pp.ParseResults) -> Expression:
    operands = [tokens[0], *((at, sign, node) for sign, (at, _, node) in zip(tokens[1::2], tokens[2::2], strict=True))]
    return operands[0][2] if len(operands) == 1 else fold(text, operands)


def _expression() -> pp.ParserElement:
    """An expression with parentheses; an unclosed one is an error where the other should stand."""
    expression = pp.Forward()
    leaf = command(TERM)
    leaf.set_parse_action(lambda text, loc, tokens: read_term(text, loc, tokens[0][0]))
    closing = pp.Suppress(")") - pp.Opt(command(r"\s?\[(?P<label>[^\[\]]*)\]")).leave_whitespace()
    group = pp.Suppress("(") + expression + closing
    place = pp.Empty().set_parse_action(lambda _text, loc, _tokens: [loc])
    operand = place + command(SIGNS).add_parse_action(lambda tokens: [tokens[0][0]]) + (leaf | group)
    operand.set_parse_action(_grouped)
    operator = command(OPERATOR).add_parse_action(lambda tokens: [tokens[0][0]])
    # The blanks behind an expression are left where they are: a question wants them (GD-13).
    further = pp.ZeroOrMore(operator + operand).leave_whitespace(recursive=False)
    expression <<= (operand + further).set_parse_action(_folded)
    return expression


def _full(text: str, _loc: int, tokens: pp.ParseResults) -> Any:
    head, left, *question, ending = tokens
    match: re.Match[str] = head
    sign, right = question or (None, None)
    sign = sign and sign[1]
    parts = Parts(text, match.end(), ending.end(), match["times"], match.start("times"), sign, ending["adv"])
    return _built(parts, left, right)


_FAST = re.compile(
    rf"{_HEAD}(?:(?P<lowest>-?[0-9]+)\s+(?P<highest>-?[0-9]+)(?![{{%]|\.?[0-9a-z])"
    rf"|(?!.*\(){_TIMES}(?P<left>{FLAT})(?:\s+(?P<sign>{_ASKED})\s+(?P<right>{FLAT}))?{_ENDING})",
    FLAGS,
)
_OPENING = rf"{_HEAD}{_TIMES}(?=[-+\s(]*[0-9d(.])"
_QUESTION = rf"\s+({_ASKED})\s+"
_OPENED, _QUESTIONED, _ENDED = [re.compile(each, FLAGS) for each in (_OPENING, _QUESTION, rf"\s*{_ENDING}")]
_ALONE = command(rf"{_HEAD}(?=[.!?]*\s*(?:\#.*)?$)")
_EXPRESSION = _expression()
_FULL = (
    command(_OPENING).add_condition(object_to_depth)
    + _EXPRESSION
    + pp.Opt(command(_QUESTION).leave_whitespace() + _EXPRESSION).leave_whitespace(recursive=False)
    + command(_ENDING)
)


def _nested(text: str, start: int) -> Parsed | None:
    """The command of a line with parentheses that is beyond doubt; None for any other."""
    opening = _OPENED.match(text, start)
    if opening is None or text.count("(") > DEEPEST:
        return None
    try:
        left, end = nested(text, opening.end())
        question = _QUESTIONED.match(text, end)
        right, end = nested(text, question.end()) if question else (None, end)
        ending = _ENDED.match(text, end)
        end = ending.end() if ending else end
        sign, advantage = question and question[1], ending and ending["adv"]
        parts = Parts(text, opening.end(), end, opening["times"], opening.start("times"), sign, advantage)
        return _built(parts, left, right), text[end:].lstrip()
    except (Misread, UnclearError):
        return None


class _Quick(Leaving):
    """What is beyond doubt by one Regex or a few, any other line by `expr`, which takes many times as long."""

    def parsed(self, text: str, start: int = 0) -> Parsed | None:
        """Parse the line at `start`; what is left behind is its rest, leading blanks off."""
        try:
            match = _FAST.match(text, start)
            if match is not None:
                return _fast(match), text[match.end() :].lstrip()
            return _nested(text, start) or super().parsed(text, start)
        except Misread as objection:
            raise told(objection, text, start) from None


GRAMMAR = _Quick(_FULL.add_parse_action(_full) | _ALONE.add_parse_action(lambda: Help("roll")))  # GD-15
