"""From the text of one term to its node: one Regex for the whole, taken apart behind it. Knows no expression."""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from typing import NoReturn

from grammars.generic.dice import FUDGE, Dice, UnbuildableError
from grammars.generic.expressions import Number
from grammars.generic.modifiers import EXPLODING, SPENT, Compare, Modifier
from grammars.tokens import FLAGS, LARGEST, MOST_DICE

MOST_DIGITS = 15  # of a number
_SIGN = r"(?:<=|>=|<>|[<>=≤≥≠])"
_NOT_EQUAL = r"(?<!!)!="  # GD-03: straight behind dice or `!` the `!` explodes
_SPELT = {"≤": "<=", "≥": ">=", "≠": "<>", "!=": "<>"}
_WHOLE = rf"(?:{_SIGN}|{_NOT_EQUAL})\s?-?[0-9]+"
_BEHIND = rf"(?:{_WHOLE}|-?[0-9]+)"  # GD-04: a number alone is "equal"
_EXPLODED = rf"(?:{_WHOLE}|[0-9]+)"  # `!-1` takes one away
# GD-08: a blank may stand before a modifier that has letters and a number.
_NUMBERED = rf"\s*(?:(?:k[hl]?|d[hl]?)[0-9]+|m[ia]-?[0-9]+|ro?{_BEHIND}|(?:e|!p){_EXPLODED})"
_TIGHT = rf"(?:k[hl]?|d[hl]?(?!i?s)|e|(?:!!p?|!p|!(?!=)|(?<=!)!){_EXPLODED}?)"
_MODIFIER = rf"(?:{_NUMBERED}|{_TIGHT})"
_FIRST = rf"(?:!!?p?{_EXPLODED}?)?"
_COUNT = rf"(?:{_SIGN}|{_NOT_EQUAL})-?[0-9]+"
_LESS = rf"\s*f{_BEHIND}"
_LABEL = r"\s?\[[^\[\]]*\]"
_DIE = r"[0-9]*\s?d(?:[0-9]+|%|f|\{[^{}]*\})"
_DECIMAL = r"[0-9]*\.[0-9]+|[0-9]+"
# Behind a count nothing but `f` may stand, and `f` nowhere else: what does is taken to be refused.
TERM = (
    rf"(?:{_DIE}{_FIRST}(?:{_MODIFIER})*(?:{_COUNT})?(?:{_LESS})?(?:{_MODIFIER}|{_COUNT})?"
    rf"|(?:{_DECIMAL}))(?:{_LABEL})?"
)
_DICE = re.compile(
    rf"(?P<count>[0-9]*)\s?d(?:(?P<sides>[0-9]+)|(?P<hundred>%)|(?P<fudge>f)|\{{(?P<listed>[^{{}}]*)\}})"
    rf"(?P<first>{_FIRST})(?P<modifiers>(?:{_MODIFIER})*)(?P<counts>(?:{_COUNT})?)(?P<less>(?:{_LESS})?)"
    rf"(?P<late>(?:{_MODIFIER}|{_COUNT})?)(?:\s?\[(?P<label>[^\[\]]*)\])?",
    FLAGS,
)
_NUMBER = re.compile(rf"(?P<value>{_DECIMAL})(?:\s?\[(?P<label>[^\[\]]*)\])?", FLAGS)
_PIECE = re.compile(
    rf"\s*(?:(?P<clamp>m[ia])(?P<to>-?[0-9]+)|(?P<select>k[hl]?|d[hl]?)(?P<many>[0-9]*)"
    rf"|(?P<reroll>ro?)(?P<again>{_BEHIND})|(?P<explode>!!?p?|e)(?P<on>(?:{_EXPLODED})?))",
    FLAGS,
)
_PARTS = re.compile(r"(?P<sign>\D*?)\s?(?P<number>-?[0-9]+)", FLAGS)
_SOLD = frozenset({4, 6, 8, 10, 12, 20, 100})  # sides of dice that people have
_NAMES = {"kh": "k", "d": "dl", "e": "!"}


class TermError(Exception):
    """An objection to a term: the sentence, the place in the term, and what should stand from there to `end`."""

    def __init__(self, sentence: str, at: int, end: int = 0, instead: str | None = None) -> None:
        super().__init__(sentence)
        self.sentence, self.at, self.end, self.instead = sentence, at, max(end, at), instead


@lru_cache(maxsize=4096)
def term(text: str) -> Dice | Number:
    """The node of one term. TermError where it cannot be one."""
    match = _DICE.fullmatch(text)
    return _number(text) if match is None else _dice(match)


def _number(text: str) -> Number:
    match = _NUMBER.fullmatch(text)
    if match is None:  # pragma: no cover  # TERM and _NUMBER have the same alternatives
        raise TermError("a number is wanted.", 0)
    written = match["value"]
    digits = len(written.replace(".", ""))
    if digits > MOST_DIGITS:
        raise TermError(f"a number has at most {MOST_DIGITS} digits, yours has {digits}.", 0)
    value = Fraction(written) if "." in written else int(written)
    return Number(int(value) if value.denominator == 1 else value, _label(match, match["label"]))


def _label(match: re.Match[str], label: str | None) -> str:
    if label is None:
        return ""
    words = " ".join(label.split())
    if not words:
        raise TermError("a label holds words, as [fire].", match.start("label") - 1, match.end(), "")
    return words


def _dice(match: re.Match[str]) -> Dice:
    _refuse_disorder(match)
    sides, listed = _die(match)
    highest = max(listed, default=sides)
    modifiers, starts = [], []
    for piece in _PIECE.finditer(match.string, match.start("first"), match.end("modifiers")):
        _refuse_doubtful(piece, match.end("modifiers"))
        _refuse_another(piece, match)
        modifiers.append(_modifier(piece, highest))
        starts.append(piece.end() - len(piece[0].lstrip()))
    counts = compare(match["counts"]) if match["counts"] else None
    less = compare(match["less"].strip()[1:]) if match["less"] else None
    count = _int(match["count"]) if match["count"] else 1
    label = _label(match, match["label"])
    try:
        return Dice(count, sides, listed, tuple(modifiers), counts, less, label)
    except UnbuildableError as fault:
        _point(fault, match, modifiers, [*starts, match.start("counts"), match.end()])


def _point(fault: UnbuildableError, match: re.Match[str], modifiers: list[Modifier], starts: list[int]) -> NoReturn:
    """Say where in the term the fault lies, in the words that were typed, and what would stand there at best."""
    sentence, count = str(fault), _int(match["count"] or "1")
    if fault.modifier >= 0:
        at, end = starts[fault.modifier : fault.modifier + 2]
        if fault.modifier < len(modifiers):
            sentence = sentence.replace(str(modifiers[fault.modifier]), match.string[at:end].strip(), 1)
        raise TermError(f"{sentence}.", at, end, "")
    if not 1 <= count <= MOST_DICE:
        raise TermError(f"{sentence}.", 0, match.end("count"), str(MOST_DICE if count else 1))
    if match["sides"]:
        nearest = str(LARGEST if _int(match["sides"]) else 1)
        raise TermError(f"{sentence}.", 0, match.end(), f"{match['count']}d{nearest}")
    raise TermError(f"{sentence}.", match.start("listed"))


def _die(match: re.Match[str]) -> tuple[int, tuple[int, ...]]:
    """Sides, or listed faces (GD-01)."""
    if match["sides"]:
        return _int(match["sides"]), ()
    if match["hundred"]:
        return 100, ()
    if match["fudge"]:
        return 0, FUDGE
    faces = [face.strip() for face in match["listed"].split(",")]
    if not all(re.fullmatch(r"[-+]?[0-9]+", face) for face in faces):
        sentence = "listed faces are whole numbers with commas between them, as d{1,3,5,5}."
        raise TermError(sentence, match.start("listed"))
    return 0, tuple(map(_int, faces))


def _int(digits: str) -> int:
    """A whole number; what is far too large stays so, without the work."""
    return int(digits) if len(digits) <= MOST_DIGITS else 10**MOST_DIGITS


def compare(text: str) -> Compare:
    """GD-03: a comparison as it is written; a number alone is "equal"."""
    parts = _PARTS.fullmatch(text)
    sign = parts["sign"].strip() if parts else ""
    return Compare(_SPELT.get(sign, sign or "="), _int(parts["number"] if parts else text))


def _modifier(piece: re.Match[str], highest: int) -> Modifier:
    make = _MADE[piece.lastgroup or ""]
    return make(piece, highest)


def _selecting(piece: re.Match[str], _highest: int) -> Modifier:
    name = piece["select"].lower()
    return Modifier(_NAMES.get(name, name), _int(piece["many"] or "1"))


def _exploding(piece: re.Match[str], highest: int) -> Modifier:
    name = piece["explode"].lower()
    return Modifier(_NAMES.get(name, name), compare=compare(piece["on"]) if piece["on"] else Compare("=", highest))


_MADE: dict[str, Callable[[re.Match[str], int], Modifier]] = {
    "to": lambda piece, _: Modifier(piece["clamp"].lower(), _int(piece["to"])),
    "many": _selecting,
    "again": lambda piece, _: Modifier(piece["reroll"].lower(), compare=compare(piece["again"])),
    "on": _exploding,
}


def _refuse_doubtful(piece: re.Match[str], end: int) -> None:
    """GEN-12: explosions that read two ways."""
    name = (piece["explode"] or "").lower()
    if name == "!!p":
        at = piece.start("explode")
        raise TermError('"!!p" could be !! or !p, one of them.', at, at + len(name), "!!")
    follows = piece.string[piece.end() : piece.end() + 1].lower() if piece.end() < end else ""
    if name and not piece["on"] and name not in SPENT and follows in ("!", "e") and "e" in (name, follows):
        at = piece.start("explode")
        sentence = f'"{name}{follows}" could be two explosions or !!: write one of them, with its number.'
        raise TermError(sentence, at, at + 2, EXPLODING[1])


def _refuse_another(piece: re.Match[str], match: re.Match[str]) -> None:
    """GEN-12: `d6 d8` would drop all that there is, and is more likely one die more."""
    if (piece["select"] or "").lower() != "d" or not piece[0][0].isspace():
        return
    dropped, count = _int(piece["many"] or "1"), _int(match["count"] or "1")
    if dropped in _SOLD and dropped >= count:
        at, said = piece.start("select"), piece[0].strip()
        before = match.string[: piece.start()]
        sentence = f'"{said}" could be one more die, {before} + {said}, or drop {dropped}, {before}dl{dropped}.'
        raise TermError(sentence, at, piece.end(), f"+ {said}")


def _refuse_disorder(match: re.Match[str]) -> None:
    """GD-07: `f` stands behind a count and nowhere else, and nothing stands behind a count but `f`."""
    if match["less"] and not match["counts"]:
        at = match.end("less") - len(match["less"].lstrip())
        raise TermError("f takes away from a count: put one before it, as >=5f1.", at, match.end("less"), "")
    if match["late"]:
        late = match["late"].strip()
        start = match.start("counts") if match["counts"] else match.start("late")
        count = match.string[start : match.start("late")]
        sentence = f"{late} stands behind a count: modifiers come first, as {late}{count}."
        if compare_like(late):
            sentence = f"{late} stands behind a count already: one term counts once."
        raise TermError(sentence, match.end("late") - len(late), match.end("late"), "")


def compare_like(text: str) -> bool:
    """Whether a piece of a term is a comparison."""
    return re.fullmatch(_COUNT, text, FLAGS) is not None
