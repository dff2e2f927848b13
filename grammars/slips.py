"""Words of which a letter slipped: `dv3` for `dc3`, `g2` for `h2`, `posessed`. Rewrites no line."""

from __future__ import annotations

import re
from typing import NamedTuple

import pyparsing as pp

from grammars import catalogue
from grammars.catalogue import Grammar
from grammars.line import shown
from grammars.spelling import neighbours, one_letter_off
from grammars.tokens import FLAGS

# Letters with a figure behind them; a letter alone with a blank there is a word of talk, `a 2`.
_FIGURED = re.compile(
    r"\s*(?P<letters>[a-z]{1,10})(?P<figure>(?:[:=]?[-+]?|(?<=[a-z]{2})\s)[0-9]+(?:d[0-9]+)?)(?P<more>[^\s.,;!?]*)",
    FLAGS,
)
VERSUS, DIE = "vs", "d"
_TWICE = re.compile(r"([a-z])\1")


class Meant(NamedTuple):
    """What a word with a figure may have been: the whole `text` with it, the word, and where its letters end."""

    text: str
    word: str
    end: int
    tight: bool  # no blank before its figure
    certain: bool  # and more than one letter
    likely: bool  # one letter is typed for one beside it, or else more than one


def _near(grammar: Grammar, plain: str, at: int, command_word: str) -> list[Meant]:
    """What the word at `at` may have been, with each mark of the grammar that its letters are within one of."""
    match = _FIGURED.match(plain, at)
    if match is None or (letters := match["letters"].lower()) in grammar.marks:
        return []
    figure, typed = match["figure"].lower(), match[0].strip().lower()
    found = _marks(grammar, letters, dice="d" in figure)
    if not found or grammar.nearly(typed) or (match["more"] and not grammar.knows(match["more"].lower())):
        return []  # a longer word, or nobody's
    if grammar.name == catalogue.LAST and _another_game_has(typed, letters, command_word):
        return []
    (start, end), tight = match.span("letters"), not figure[0].isspace()
    return [
        Meant(
            f"{plain[:start]}{mark}{plain[end:]}",
            f"{mark}{plain[end : match.end()]}",
            start + len(mark),
            tight,
            tight and min(len(letters), len(mark)) > 1,
            len(letters) != 1 or len(mark) > 1 or neighbours(letters, mark),
        )
        for mark in found
    ]


def _marks(grammar: Grammar, letters: str, *, dice: bool) -> list[str]:
    """The marks that letters are within one of; where there is none, two that stand tight, `vdt3` for `vst3`."""
    once = _TWICE.sub(r"\1", letters)  # `hh2` is no `h` and something else
    known = [mark for mark in grammar.marks if mark == VERSUS or not dice]
    if once in known:
        return [once]
    near = [mark for mark in known if one_letter_off(letters, mark) and not _far_from_a_die(letters, mark)]
    tight = one_letter_off(letters[: len(VERSUS)], VERSUS) and letters[len(VERSUS) :] in grammar.marks
    return near or [f"{VERSUS}{letters[len(VERSUS) :]}"] * (tight and VERSUS in known)


def _far_from_a_die(letters: str, mark: str) -> bool:
    """`m8` is no die."""
    return mark == DIE and len(letters) == 1 and not neighbours(letters, mark)


def _another_game_has(typed: str, letters: str, command_word: str) -> bool:
    """Whether a game with the same command word knows it, or nearly so: `roll d20 dv15` is no `d15`."""
    others = [other for other in catalogue.claims()[command_word] if other.name != catalogue.LAST]
    almost = (len(letters) > 1 and one_letter_off(letters, mark) for other in others for mark in other.marks)
    return any(other.knows(typed) for other in others) or any(almost)


def meant(grammar: Grammar, plain: str, at: int, command_word: str) -> list[Meant]:
    """Those of them that the grammar reads where they stand, else the likely ones, to which it has its own objection;
    with a blank, `by 2`, the only one that it reads."""
    near = _near(grammar, plain, at, command_word)
    read = [each for each in near if _read_to(grammar, each.text, command_word) > each.end]
    found = [each for each in read if each.likely] or read or [each for each in near if each.likely][:1]
    return found if all(each.tight for each in found) or len(read) == 1 else []


def question(grammar: Grammar, plain: str, at: int, command_word: str) -> str | None:
    """What is asked where there are several (GEN-12)."""
    found = meant(grammar, plain, at, command_word)
    if len(found) < 2:
        return None
    *others, last = (each.word for each in found)
    return f'"{shown(plain[at:].split()[0])}" could be {", ".join(others)} or {last}.'


def right(grammar: Grammar, plain: str, at: int, command_word: str) -> list[str]:
    """How the word at `at` may be spelt right; nothing where it is known, or far from all that is."""
    typed = plain[at:].split()[0].lower().strip(".,!?;:()")
    if grammar.knows(typed):
        return []
    if spelt := grammar.nearly(typed):
        return [spelt]
    return [each.word for each in _near(grammar, plain, at, command_word) if each.tight]


def _read_to(grammar: Grammar, plain: str, word: str) -> int:
    """How far `grammar` understands a text, or to what it objects."""
    try:
        found = grammar.parsers[word].parsed(plain)
    except pp.ParseBaseException as failure:
        return failure.loc
    return len(plain) - len(found[1]) if found else 0
