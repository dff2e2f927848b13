"""Terminals that the grammars share, and the one way for a grammar to object. Knows no game."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cached_property
from typing import Any

import pyparsing as pp

FLAGS = re.IGNORECASE | re.ASCII  # \d and \s of other alphabets are not ours (GEN-02)
# A die's letter F ends a word, or modifiers stand behind it: `4dF`, `4dFdh1`, `4dFkh`, and no `2 dfs`.
# `roll` may stand tight in front of it (GEN-04).
NDX = re.compile(
    r"(?:(?<![a-z0-9.])|(?<=roll))[0-9]*\s?d(?:[0-9]+|%|\{|f(?![a-z])|f(?=(?:k[hl]?|d[hl]?|ro?|e|m[ia])+(?![a-z])))",
    FLAGS,
)
REFERENCE = r"\#(?P<ref>last(?![0-9a-z])|[0-9a-z]+(?:-[0-9a-z]+)?)"  # an id: GEN-09, LED-10
REFERENCE_SHAPE = r"\#[0-9a-z-]*[0-9][0-9a-z-]*"  # what looks like an id to a reader of talk
# A nick on any network, or `user@relay` (IRC-13): nothing that could look like the bot's own punctuation; a full stop
# behind it ends the sentence. Both cases are listed, and of the letters beyond ASCII those that are none: a class of
# tens of thousands of signs takes long to compile.
_NICK = r"(?:[A-Za-z0-9_\[\]\\`^{}|@\-%s]|[^\x00-\xa0\ud800-\udfff\U00010000-\U0010ffff])"
NICK = rf"(?-i:{_NICK % '.'}{{0,49}}{_NICK % ''})"
MOST_CHARACTERS = 400  # GEN-15
MOST_DICE = 100  # GEN-15
MOST_DRAWN = 1000  # GEN-15, GD-14
LARGEST = 1_000_000


class Misread(pp.ParseFatalException):
    """A grammar's objection: `sentence` for a person, and `instead`, a mended whole line, where one is certain.

    `meant` says that the words show a command, though nobody called the bot: it is told if nothing is left behind
    them (`rest`), as what GEN-12 asks must be. `missing`: something is wanted at that place, and the word that stands
    there is not what is objected to.
    """

    def __init__(
        self,
        text: str,
        loc: int,
        sentence: str,
        *,
        instead: str | None = None,
        meant: bool = False,
        missing: bool = False,
        guess: bool = False,
    ) -> None:
        super().__init__(text, loc, sentence)
        self.sentence = sentence
        self.instead = instead
        self.meant = meant
        self.missing = missing
        self.guess = guess
        self.rest: str | None = None  # what stands behind the clauses, where the grammar has any


def misread(
    match: re.Match[str], group: str | int, sentence: str, instead: str | None = None, *, meant: bool = False
) -> Misread:
    """An objection to one group of a match; `instead` is what should stand there."""
    start, end = match.span(group)
    text = match.string
    blank = " " if instead and text[start : start + 1] in {" ", ","} else ""  # a clause's match begins with its blank
    mended = None if instead is None else text[:start] + blank + instead + text[end:]
    written = match.start() + len(match[0]) - len(match[0].lstrip(" ,"))
    word = text.rfind(" ", 0, start) + 1 if text[start : start + 1].strip() else start
    return Misread(text, max(written, word), sentence, instead=mended, meant=meant)


def command(pattern: str) -> pp.ParserElement:
    """A terminal for a whole stretch of a command: its token is the `re.Match`; far faster than many small ones."""
    return pp.Regex(_when_wanted(pattern), as_match=True)


def _when_wanted(pattern: str) -> Callable[[], re.Pattern[str]]:
    """The pattern, compiled when it is first matched: all games' together would take half a second at the start."""
    return lambda: re.compile(pattern, FLAGS | re.VERBOSE)


NOTHING = r"(?!)"  # where a command has no clauses
Piece = re.Match[str]


def written(piece: Piece) -> str:
    """A clause as it was written, without what parts it from the one before."""
    return piece[0].strip(" ,")


Parsed = tuple[Any, str]  # a node, and what is left behind it


class Clauses(pp.Token):
    """A head and any number of clauses, made into a node; whatever is left behind them is the last token.

    One Regex a clause: a grammar of small tokens takes several times as long, and this is what stands between a line
    and its roll.
    """

    def __init__(self, head: str, clause: str, build: Callable[[list[Piece]], Any], *, commas: bool = False) -> None:
        super().__init__()
        between = r"\s*(?:,\s*)?" if commas else r"\s*"  # where a comma can only mean one thing (GEN-04)
        self._head_pattern, self._clause_pattern = rf"\s*(?:{head})", rf"{between}(?:{clause})"
        self._build = build

    def _generateDefaultName(self) -> str:  # noqa: N802  # pyparsing's name for it
        return "command"

    @cached_property
    def _head(self) -> re.Pattern[str]:
        return _when_wanted(self._head_pattern)()

    @cached_property
    def _clause(self) -> re.Pattern[str]:
        return _when_wanted(self._clause_pattern)()

    def parseImpl(self, instring: str, loc: int, do_actions: bool = True) -> tuple[int, pp.ParseResults]:  # noqa: ARG002, N802  # pyparsing's
        """Parse the head at `loc` and all behind it."""
        found = self.parsed(instring, loc)
        if found is None:
            raise pp.ParseException(instring, loc, self.errmsg, self)
        return len(instring), pp.ParseResults([*found])

    def parsed(self, text: str, start: int = 0) -> Parsed | None:
        """As `parse_string`, without what that prepares for grammars of many parts: a third of a command's time.

        None where `text` begins with another command.
        """
        piece = self._head.match(text, start)
        if piece is None:
            return None
        pieces: list[Piece] = []
        end, further = start, self._clause.match
        whole = text.isascii()
        while piece is not None and (whole or not pieces or not _torn(text, piece.end())):
            pieces.append(piece)
            end = piece.end()
            piece = further(text, end)
        rest = text[end:].lstrip()
        try:
            return self._build(pieces), rest
        except Misread as objection:
            objection.rest = rest
            raise


def _torn(text: str, at: int) -> bool:
    """Whether a word goes on at `at` in signs that are not ours (GEN-02): `h２` is no `h`."""
    return text[at - 1].isalnum() and text[at : at + 1].isalnum() and not text[at].isascii()


class FirstOf(pp.MatchFirst):
    """The first of several commands of clauses that `text` begins with."""

    def parsed(self, text: str, start: int = 0) -> Parsed | None:
        """As `Clauses` has it."""
        for clauses in self.exprs:
            if isinstance(clauses, Clauses) and (found := clauses.parsed(text, start)) is not None:
                return found
        return None


class Leaving(pp.ParseElementEnhance):
    """`expr`, and then whatever is left behind it as a last token; cheaper than an And with a Regex for the rest."""

    def parseImpl(self, instring: str, loc: int, do_actions: bool = True) -> tuple[int, pp.ParseResults]:  # noqa: N802  # pyparsing's name for it
        """Parse `expr` at `loc`; take the rest as it is, leading blanks off."""
        end, tokens = self.expr._parse(instring, loc, do_actions)
        return len(instring), pp.ParseResults([*tokens, instring[end:].lstrip()])

    def parsed(self, text: str, start: int = 0) -> Parsed | None:
        """As `Clauses` has it, of what `expr` makes one node of; a ParseBaseException says where it does not."""
        if not self.streamlined:
            self.streamline()
        end, (node,) = self.expr._parse(text, start)
        return node, text[end:].lstrip()


def whole(parser: pp.ParserElement) -> Clauses | FirstOf | Leaving:
    """`parser` as one that takes a line to its end: a node, and what is left behind it."""
    if isinstance(parser, Clauses | Leaving):
        return parser
    choices = _choices(parser)
    return FirstOf(choices) if all(isinstance(choice, Clauses) for choice in choices) else Leaving(parser)


def _choices(parser: pp.ParserElement) -> list[pp.ParserElement]:
    if not isinstance(parser, pp.MatchFirst):
        return [parser]
    return [choice for each in parser.exprs for choice in _choices(each)]


def positive(name: str) -> pp.ParserElement:
    """A whole number from 1 under the results name `name`."""
    return pp.Regex(r"0*[1-9][0-9]{0,5}(?!\.?[0-9])").set_parse_action(lambda t: int(t[0]))(name)
