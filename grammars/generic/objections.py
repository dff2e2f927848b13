"""What is said of lines that are nearly generic rolls, where one sentence can help. Reads, and builds nothing."""

from __future__ import annotations

import re
from typing import Any

import pyparsing as pp

from grammars.generic.expressions import meant_up_to
from grammars.generic.folding import OPERATOR
from grammars.generic.rewriting import MISLAID, before_labels
from grammars.spelt import Spelt, in_signs, spelt
from grammars.tokens import FLAGS, NDX, Misread

DEEPEST = 20  # GD-14
V5_SIDES = 10  # of a die that is a V5 pool unless parentheses stand around it
_SIGN = r"(?:<=|>=|<>|!=|==|=>|=<|[<>=≤≥≠])"
# GD-08, GD-13: blanks on both sides ask, none on either side count.
_DOUBTFUL = re.compile(rf"\s*(?P<sign>{_SIGN})\s*(?P<number>-?[0-9]+)", FLAGS)
_EXPLODING = re.compile(r"\s+(?P<what>![!p]?)\s*(?P<number>[0-9]+)", FLAGS)
_WANTING = re.compile(
    rf"\s*(?P<operator>{OPERATOR}|{_SIGN})\s*(?=$|[*/%)<>=]|\#|for\s|[a-z](?:[a-z]|(?![a-z0-9])))", FLAGS
)
_AGAINST = re.compile(r"\s*(?P<what>vs\.?\s*(?:(?:ac|dc)\s*)?(?P<number>[0-9]+))(?![0-9d])", FLAGS)
_TERM = re.compile(r"(?<![a-z0-9.])[0-9]*\s?d(?:[0-9]+|%|\{[^}]*\}|f)[a-z0-9!<>=]*", FLAGS)  # in what was read
_SIDELESS = re.compile(r"(?<![a-z0-9.])(?P<count>[0-9]{1,4})d(?![a-z0-9{%])", FLAGS)  # `3d6+2d`
# GEN-12: one roll more, or more dice of this one.
_ANOTHER = re.compile(
    rf"\s*(?P<what>[,;&]|(?:and|then)(?![a-z])|(?=\s[0-9]))\s*(?:and\s+|then\s+|roll\s+)*"
    rf"(?=(?P<dice>{NDX.pattern}))",
    FLAGS,
)
_LABEL = re.compile(r"\[[^\]]*\]")
_WORDS = re.compile(r"\s*,?\s*(?!for\s)[a-z]", FLAGS)
_MODIFIERS = r"(?:k[hl]?|d[hl]?|ro?|e|f|m[ia]|p)"  # tight behind their dice, or with a number (GD-08)
_NOTATION = re.compile(
    rf"\s*(?:roll|r)\s*(?P<dice>(?:{NDX.pattern}|\[[^\[\]]*\]|(?<=[0-9])\s?x(?![a-z])|(?<!\s){_MODIFIERS}"
    rf"|{_MODIFIERS}(?=[0-9<>=≤≥≠])|(?:adv(?:antage)?|dis(?:advantage)?)(?![a-z0-9])|[-+*/%().,<>=!≤≥≠{{}}0-9\s])+)",
    FLAGS,
)


def told(objection: Misread, text: str, start: int) -> Misread:
    """The same, meant beyond doubt where nothing but dice stands there: `roll 2+101d6` breaks a limit, and is no talk.

    GD-09 and GD-14 have their errors wherever in an expression they are met (GEN-07).
    """
    notation = _NOTATION.match(text, start)
    if notation and NDX.search(text, *notation.span("dice")):
        objection.meant, objection.rest = True, text[notation.end() :]
    return objection


def object_to_talk(text: str, at: int, end: int) -> None:
    """GEN-14: a number with words behind it is talk, or another grammar's (`roll 20 bucks`, `roll 3 h2`)."""
    if _WORDS.match(text, end):
        raise pp.ParseException(text, at, "no dice")


def object_to_range(text: str, at: int, end: int) -> None:
    """GEN-12: `1-100` is a difference (GD-09), and what people write for a number from 1 to 100 (GD-15)."""
    if highest := meant_up_to(text[at:end].rstrip()):
        sentence = f'"1-{highest}" could be a number from 1 to {highest}, or a difference, (1-{highest}).'
        die = "(1d10)" if highest == V5_SIDES else f"1d{highest}"
        # Nothing is wrong with the word itself: uncalled it is talk as before (GEN-14).
        raise Misread(text, at, sentence, instead=f"{text[:at]}{die}{text[end:]}", missing=True)


def object_behind(text: str, at: int, end: int, written: str) -> None:
    """Misread where what stands behind a complete expression, `text[at:end]`, was surely meant as a part of it."""
    if end >= len(text):
        return
    if (sideless := _SIDELESS.search(text, at)) and sideless.end("count") == end:
        sentence = f'"{sideless[0]}" wants its sides, as {sideless[0]}6.'
        raise Misread(text, sideless.start(), sentence, instead=f"{text[:end]}d6{text[end + 1 :]}")
    if mislaid := _behind_a_label(text, at, end):
        raise mislaid
    if words := spelt(text, end):
        raise _written_out(text, at, end, words, written)
    if doubtful := _DOUBTFUL.match(text, end):
        raise _compared(text, at, end, doubtful, written)
    if exploding := _EXPLODING.match(text, end):
        said = exploding["what"] + exploding["number"]
        sentence = f"{said} stands tight behind its dice, as {written}{said}."
        raise Misread(text, exploding.start("what"), sentence, instead=f"{text[:end]}{said}")
    if against := _AGAINST.match(text, end):  # GEN-05
        sentence = f'"{against["what"]}" could be a question, {written} >= {against["number"]}?'
        raise Misread(text, against.start("what"), sentence, instead=f"{text[:end]} >= {against['number']}")
    if another := _ANOTHER.match(text, end):
        said, dice = f"{another['what']} {another['dice']}".strip(), another["dice"]
        sentence = f'"{said}" could be added, {written} + {dice}, or be another roll, which has a line of its own.'
        mended = f"{text[:end]} + {text[another.end() :]}"
        at = another.start("what" if another["what"] else "dice")
        raise Misread(text, at, sentence, instead=mended, guess=True)
    wanting = _WANTING.match(text, end)
    if wanting and not (wanting["operator"] == "-" and text[end : end + 1].isspace() and text[wanting.end() :]):
        sentence = f"{wanting['operator']} wants a number or dice behind it."
        raise Misread(text, wanting.start("operator"), sentence, instead=text[:end])


def _behind_a_label(text: str, at: int, end: int) -> Misread | None:
    """GD-10: what changes dice stands behind their label, the last of all."""
    found = MISLAID.finditer(text, at) if text[end - 1] == "]" else ()
    said = next((each for each in found if each.end("label") == end), None)
    dice = said and next(
        (term[0] for term in _TERM.finditer(text, at, said.start()) if term.end() == said.start()), None
    )
    if not said or not dice:
        return None
    what = said["what"].replace(" ", "")
    sentence = f"{what} stands before the label of its dice: {dice.strip()}{what}{said['label']}."
    start = said.end() - len(said["what"].lstrip())
    return Misread(text, start, sentence, instead=before_labels(text), guess=True)


def _compared(text: str, at: int, end: int, doubtful: re.Match[str], written: str) -> Misread:
    """GEN-12: a comparison of which a blank decides what it compares: dice, where it stands behind some, or all."""
    said, sign, number = doubtful[0].strip(), in_signs(doubtful["sign"]), doubtful["number"]
    sentence = f'"{said}" asks about the whole, {written} {sign} {number}.'
    read = text[at:end].rstrip()
    label = written[written.rindex("[") :] if read.endswith("]") else ""
    before = len(read[: read.rindex("[")].rstrip()) if label else len(read)
    if any(term.end() == before for term in _TERM.finditer(read)):
        counted = f"{written.removesuffix(label)}{sign}{number}{label}"  # GD-10: a label is the last of all
        sentence = f'"{said}" could count dice, {counted}, or ask, {written} {sign} {number}.'
    return Misread(text, doubtful.start("sign"), sentence, instead=f"{text[:end]} {sign} {number}")


def _written_out(text: str, at: int, end: int, words: Spelt, written: str) -> Misread:
    """GEN-12: dice that are asked for in words are no comment; how they are written."""
    if words.times:
        sentence = f'"{words.said}" could repeat it, {words.times}x {written}, or multiply, {written} * {words.times}.'
        return Misread(text, words.at, sentence, instead=f"{text[:at]}{words.times}x {text[at:end]}", guess=True)
    # Of the expression alone: `roll4d6` has its word tight before it, and a label may speak of dice.
    dice = [*_TERM.finditer(_LABEL.sub(lambda label: " " * len(label[0]), text[at:end]))][-1]
    tight, behind = f"{dice[0].strip()}{words.modifier}", at + dice.end()
    sentence = f'"{words.said}" is written {words.modifier} tight behind its dice: {tight}.'
    return Misread(text, words.at, sentence, instead=f"{text[:behind]}{words.modifier}{text[behind:end]}")


def object_to_depth(text: str, loc: int, _tokens: Any) -> bool:
    """GD-14: Misread where parentheses are too deep, before any of them is read."""
    depth = 0
    for place, character in enumerate(text[loc:], loc):
        depth += (character == "(") - (character == ")")
        if depth > DEEPEST:
            flat = text.replace("(", "").replace(")", "")
            raise Misread(text, place, f"parentheses are at most {DEEPEST} deep.", instead=flat)
    return True
