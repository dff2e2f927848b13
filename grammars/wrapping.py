"""A command that holds another, `odds …` (GEN-08): the other is read as if called, and keeps its place in the line.

Knows no grammar by name; who reads what is held is passed in.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from grammars import catalogue
from grammars.catalogue import Grammar
from grammars.line import shown
from grammars.reading import Reading
from grammars.spelling import one_letter_off
from grammars.tokens import FLAGS, NDX
from grammars.unread import UnreadError

Read = Callable[[str, str], Reading]  # a command and its word; raises UnreadError

_COMMENT = re.compile(r"\s#\s")  # and no #ID
_DICE_FIRST = re.compile(rf"(?:[0-9]{{1,2}}\s?x\s*)?[-+(\s]*{NDX.pattern}", FLAGS)  # `odds 6x 4d6k3`, `odds (2d6+3)*2`
_WORD = re.compile(r"[^\W\d_]\w*")  # of any alphabet


class _Held(NamedTuple):
    """The command that is held; its first character is number `at` of the line. `full` asks for more of it."""

    text: str
    at: int
    full: bool

    @classmethod
    def of(cls, grammar: Grammar, plain: str, start: int) -> _Held:
        """What `plain` holds from `start` on."""
        inner = plain[start:].lstrip()
        at = len(plain) - len(inner)
        more = re.search(rf"\s{grammar.more}(?=\s*[.!?]*\s*(?:\#|$))", inner, FLAGS) if grammar.more else None
        if more and _COMMENT.search(inner[: more.start()]):
            more = None  # a word of what is said beside it
        if more:  # blanks in its place, so that what an error points at stays where it is
            inner = f"{inner[: more.start()]}{' ' * len(more[0])}{inner[more.end() :]}"
        if catalogue.command_word(inner) is None and _DICE_FIRST.match(inner):
            return cls(f"roll {inner}", at - len("roll "), more is not None)
        return cls(inner, at, more is not None)


def wrapped(grammar: Grammar, plain: str, start: int, word: str, read: Read) -> Reading:
    """The reading of a command by `grammar`, one that wraps, of what stands behind `word`."""
    held = _Held.of(grammar, plain, start + len(word))
    reading = _held_by(grammar, held, word, read)
    if grammar.more and (said := _nearly_more(grammar, held.text, reading)):
        known = said[0].lower() == grammar.more
        sentence = f'"{shown(said[0])}" {"stands last of all" if known else "is unknown"}.'
        whole = f"{word} {reading.command} {grammar.more}"
        raise UnreadError(grammar, held.at + said.start(), sentence, lambda: whole, guess=True)
    return _around(grammar, word, reading, full=held.full)


def _around(grammar: Grammar, word: str, reading: Reading, *, full: bool) -> Reading:
    """The reading of the whole, by that of what it holds."""
    assert grammar.wraps is not None
    node = grammar.wraps(reading.node, full=True) if full else grammar.wraps(reading.node)
    typed = f"{word} {reading.command}"
    return reading._replace(node=node, grammar=grammar.name, word=word, typed=typed, alone=False)


def _held_by(grammar: Grammar, held: _Held, word: str, read: Read) -> Reading:
    """The command that is held; an UnreadError where it is none that rolls."""
    inner_word = catalogue.command_word(held.text)
    if inner_word is None or inner_word == word:
        raise _nothing_held(grammar, held, word, read)
    try:
        reading = read(held.text, inner_word)
    except UnreadError as failure:
        if failure.grammar.is_system:
            raise failure.within(word, held.at) from None
    else:
        own = catalogue.named(reading.grammar)
        if own.is_system and own.owns(reading.node):
            return reading
    sentence = f"{word} wants a command that rolls behind it."
    raise UnreadError(grammar, held.at, sentence, lambda: next(iter(grammar.examples)), guess=True)


def _nothing_held(grammar: Grammar, held: _Held, word: str, read: Read) -> UnreadError:
    turned = _more_in_front(grammar, word, held.text, read)
    failure = UnreadError(
        grammar,
        held.at,
        f"{word} wants a command behind it.",
        lambda: turned or next(iter(grammar.examples)),
        guess=True,
    )
    failure.meant = turned is not None
    return failure


def _more_in_front(grammar: Grammar, word: str, inner: str, read: Read) -> str | None:
    """The command of a line in which the word that asks for more stands in front: `odds full 5d10`."""
    first, *rest = inner.split() or [""]
    if not grammar.more or first.lower() != grammar.more or rest[:1] in ([], [first]):
        return None
    try:
        return wrapped(grammar, f"{word} {' '.join(rest)} {grammar.more}", 0, word, read).command
    except UnreadError:
        return None


def _nearly_more(grammar: Grammar, inner: str, reading: Reading) -> re.Match[str] | None:
    """GEN-03: the word among plain ones behind a command that asks for more of it, `full please`, or nearly so."""
    words = () if reading.words_at is None else _WORD.finditer(inner, reading.words_at)
    asked = (said for said in words if said[0].lower() == grammar.more or one_letter_off(said[0].lower(), grammar.more))
    return next(asked, None)
