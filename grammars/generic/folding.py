"""From the operands and operators of an expression to its node. Knows precedence and terms, no command."""

from __future__ import annotations

import re

from grammars.generic.dice import UnbuildableError
from grammars.generic.expressions import DIVIDING, Chain, Expression, Labelled, Negative
from grammars.generic.spans import holds_zero
from grammars.generic.terms import TERM, TermError, term
from grammars.tokens import FLAGS, Misread

SIGNS = r"(?:[-+]\s*)*"
OPERATOR = r"(?://|[-+*/%])"
FLAT = rf"{SIGNS}{TERM}(?:\s*{OPERATOR}\s*{SIGNS}{TERM})*"  # an expression without parentheses
_PIECE = re.compile(rf"\s*(?P<operator>{OPERATOR})\s*(?P<signs>{SIGNS})(?P<term>{TERM})", FLAGS)
_OPERAND = re.compile(rf"\s*(?P<signs>{SIGNS})\s*(?:(?P<term>{TERM})|\()", FLAGS)
_OPERATOR = re.compile(rf"\s*({OPERATOR})", FLAGS)
_CLOSED = re.compile(r"\s*\)(?:\s?\[(?P<label>[^\[\]]*)\])?", FLAGS)
_FIRST = re.compile(rf"(?P<operator>)(?P<signs>{SIGNS})(?P<term>{TERM})", FLAGS)

Operand = tuple[int, str, Expression]  # where it begins, the operator in front of it, its node


class UnclearError(Exception):
    """Not written to its end: the whole grammar is to say where it stops making sense."""


def flat(text: str, start: int, end: int) -> Expression:
    """The node of `text` from `start` to `end`, where a FLAT was found."""
    match = _FIRST.match(text, start, end)
    operands: list[Operand] = []
    while match is not None:
        at = match.start("term")
        operands.append((at, match["operator"], signed(match["signs"], read_term(text, at, match["term"]))))
        match = _PIECE.match(text, match.end(), end)
    return operands[0][2] if len(operands) == 1 else fold(text, operands)


def nested(text: str, start: int) -> tuple[Expression, int]:
    """The node of an expression with parentheses, and where it ends. UnclearError where it is not surely one."""
    operands: list[Operand] = []
    operator, end = "", start
    while piece := _OPERAND.match(text, end):
        if written := piece["term"]:
            node, end = read_term(text, piece.start("term"), written), piece.end()
        else:
            node, end = _group(text, piece.end())
        operands.append((piece.start(), operator, signed(piece["signs"], node)))
        further = _OPERATOR.match(text, end)
        if further is None:
            return (operands[0][2] if len(operands) == 1 else fold(text, operands)), end
        operator, end = further[1], further.end()
    raise UnclearError


def _group(text: str, start: int) -> tuple[Expression, int]:
    """What stands in parentheses, perhaps with words behind it (GD-10)."""
    node, end = nested(text, start)
    closed = _CLOSED.match(text, end)
    if closed is None:
        raise UnclearError
    return labelled(node, closed["label"]), closed.end()


def labelled(node: Expression, label: str | None) -> Expression:
    """`node` with words, where there are any."""
    words = " ".join(label.split()) if label else ""
    return Labelled(node, words) if words else node


def signed(signs: str, operand: Expression) -> Expression:
    """Unary minus, and plus, as often as they stand there."""
    return Negative(operand) if signs.count("-") % 2 else operand


def read_term(text: str, at: int, written: str) -> Expression:
    """The node of a term that stands at `at`; an objection to it has its place in the whole line."""
    try:
        return term(written)
    except TermError as fault:
        mended = None
        if fault.instead is not None:
            mended = text[: at + fault.at] + fault.instead + text[at + fault.end :]
        raise Misread(text, at + fault.at, fault.sentence, instead=mended) from None


def fold(text: str, operands: list[Operand]) -> Expression:
    """Operands by precedence as one expression (GD-09): products first, each side of them from left to right."""
    sums: list[Operand] = []
    product: list[Operand] = []
    for operand in operands:
        if operand[1] in ("+", "-"):
            sums.append(_chained(text, product))
            product = []
        product.append(operand)
    sums.append(_chained(text, product))
    return _chained(text, sums)[2]


def _chained(text: str, operands: list[Operand]) -> Operand:
    """Operands of one precedence as one operand, behind the operator of the first."""
    at, operator, first = operands[0]
    if len(operands) == 1:
        return operands[0]
    try:
        return at, operator, Chain(first, tuple([(sign, node) for _, sign, node in operands[1:]]))
    except UnbuildableError as fault:
        zero = (place for place, sign, node in operands[1:] if sign in DIVIDING and holds_zero(node.span))
        raise Misread(text, next(zero, at), f"{fault}.") from None
