"""Talk or command: whether words behind a command are a comment, and whether a line was meant as one."""

from __future__ import annotations

import re

from grammars import catalogue
from grammars.catalogue import Grammar
from grammars.repair import unknown_words
from grammars.spelt import asks_for_dice
from grammars.tokens import FLAGS, NDX
from grammars.unread import UnreadError

MOST_HINTED_WORDS = 10
_MARKS = ".,!?;:()"
_WORDS = re.compile(r"[^\W_]+")  # of a comment, in any alphabet
_NOT_PLAIN = re.compile(  # `+ 2`, `@bob`, `!p`, a parenthesis that was never written to its end: may have been meant
    r"(?u:\d)|(?:^|\s)(?:[+@]|!p\b)|(?<![:;=-])\(\s*$", FLAGS
)
_COMMENT = re.compile(r"(?:^|\s)#(?:\s|$)")
_SAID = re.compile(r"(?:^|\s)(?:#(?:\s|$)|for\s)", FLAGS)
_OPENED = re.compile(r"\s(?:\#|for\s).*", re.DOTALL | FLAGS)
_LONE = re.compile(r"[-+]?[0-9]+(?:/[0-9]+)?")  # or a score, `wp 8/8`
_SUM = re.compile(r"[-+]?[0-9]+(?:[-+][0-9]+)+")  # a score, an expression, or a pool: counts where a grammar objects
_DIGIT = re.compile(r"[0-9]")
_DICE_NEXT = re.compile(rf"(?!d[0-9]+s(?![a-z0-9]))[-+]?{NDX.pattern}", FLAGS)  # `roll d20s` is talk


def explodes(plain: str, end: int) -> bool:
    """GEN-02: a `!` tight against dice is no full stop (GD-05)."""
    return plain[end : end + 1] == "!" and any(m.end() == end for m in NDX.finditer(plain, 0, end))


def is_a_comment(grammar: Grammar, plain: str, end: int) -> bool:
    """GEN-03: plain words, apart from the command, none of them a digit's or nearly a word of the grammar.

    What stands behind a `#` or `for` among them is a comment anyway; words that ask for other dice are none (GEN-12).
    """
    if asks_for_dice(plain, end):
        return False
    rest = _OPENED.split(plain[end:], maxsplit=1)[0] or " "
    apart = plain[end - 1].isspace() or rest[0] in " ,;:.!?-("
    plainly = apart and bool(rest.strip(" ,.;:-")) and not _NOT_PLAIN.search(rest)
    return plainly and not any(grammar.nearly(word.lower()) for word in _WORDS.findall(rest))


def worth_a_hint(plain: str, start: int, word: str, failure: UnreadError) -> bool:
    """Whether a line that is no complete command was probably meant as one.

    However long it is where nothing of it is unknown: it was understood, and cannot be (GEN-07).
    """
    word, rest = _innermost(word, plain[start + len(word) :].lstrip())
    if dice_follow(word, rest):
        return True
    comment = _SAID if failure.whole else _COMMENT
    words = [w.strip(_MARKS).lower() for w in comment.split(rest, maxsplit=1)[0].split()]
    too_long = len(words) + 1 > MOST_HINTED_WORDS and not failure.whole
    if too_long or not any(map(_DIGIT.search, words)):
        return False
    known = failure.objected.strip(_MARKS).lower()
    counted = [w for w in words if w and not _LONE.fullmatch(w) and (w == known or not _SUM.fullmatch(w))]
    unknown = unknown_words(failure.grammar, (w for w in counted if w != known))
    return len(unknown) < len(counted) - len(unknown)


def dice_follow(word: str, rest: str) -> bool:
    """Whether `NdX` stands behind a word that takes it: `roll 5d10 …`, `odds 5d10 …`, `odds roll 5d10 …`."""
    word, rest = _innermost(word, rest)
    takes = any(word in g.takes_dice for g in catalogue.claims()[word])
    return takes and _DICE_NEXT.match(rest) is not None


def _innermost(word: str, rest: str) -> tuple[str, str]:
    """The command that another one holds (`odds roll …`), where there is one, and what stands behind its word."""
    wraps = any(g.wraps for g in catalogue.claims()[word])
    inner = catalogue.command_word(rest) if wraps else None
    return (inner, rest[len(inner) :].lstrip()) if inner else (word, rest)
