"""`again [CHANGES]`: repeat the speaker's last roll, with changed clauses (DSK-13)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import groupby
from typing import NamedTuple

import pyparsing as pp

from grammars import catalogue
from grammars.command import Node, builds, quoted
from grammars.errors import ImpossibleError
from grammars.line import FLAGS, SPACE_OR_COMMA, shown
from grammars.reading import Reading
from grammars.tokens import Token, command_word, refused

EXAMPLES = {
    "again": "your last roll here once more",
    "again h3": "the same with another clause: what is of its kind is replaced, and anything else added",
}


class Again(Node):
    """The speaker's last roll with `changes`, as typed."""

    changes: str = ""

    draws = True


# The notation.

OLDER = refused(  # GEN-09: `again #4d`, `again h3 #last`; `#thugs` is a comment
    "#4d",
    r"(?!for\s)(?:(?!\sfor\s)[^#])*(?P<id>#(?:last|[a-z]{1,2}|(?=[a-z]*[0-9])[0-9a-z-]+))(?![0-9a-z-])",
    "again repeats only your latest roll: leave {id} out.",
)
# Ends at a comment or `as NAME`.
CHANGES = Token(
    "what changes, as h3",
    r"(?!(?:for\s(?!help)|as\s))[^\s#].*?(?=\s+(?:for\s(?!help)|as\s)|\s*#(?:\s|$)|[.!?]*\s*$)",
    clause="changes",
)

again = (command_word("again") + pp.Opt(OLDER | CHANGES)).set_parse_action(builds(Again))

GRAMMAR = again

# A command with some of its clauses replaced or added: `again h3`, or a macro and `dc3`.

MOST_PARTS = 100  # GEN-16: in the command, and in the changes
SIGNS = "+-"
_COMMAND, _UNKNOWN, _VERSUS = "command word", "unknown", "vs"


class _Part(NamedTuple):
    """A token of a command, with the space before it: a clause by name, or part of a sum."""

    space: str
    typed: str
    kind: str
    is_clause: bool = False


def changed(reading: Reading, changes: str, comment: str | None = None, speaks_as: str | None = None) -> str:
    """The text of a command with clauses of the same kind replaced by those of `changes`, and others added.
    A `comment`, or words in the changes, replace the earlier comment, and `speaks_as` replaces `as NAME`.

    The gate decides whether the result is a command. ImpossibleError if a change could mean several clauses.
    """
    parts, new = _parts(reading, changes) if changes else ([_Part("", reading.typed, _COMMAND)], [])
    in_words = False
    for group in _groups(new):
        parts = _with(parts, group)
        in_words = group[0].kind == _UNKNOWN
    text = _text(parts)
    if name := speaks_as or reading.speaks_as:
        text += f" as {quoted(name)}"
    if comment or not in_words:
        comment = comment or reading.comment
    return f"{text} # {comment}" if comment else text


def _parts(reading: Reading, changes: str) -> tuple[list[_Part], list[_Part]]:
    """The parts of a command, and of the changes. ImpossibleError if either has too many."""
    known = _known(reading)
    command = _part(re.escape(reading.word), _COMMAND) + (known | _part(r"[^\s,]+", _UNKNOWN))[0, MOST_PARTS]
    words = _part(r"[^\s,].*", _UNKNOWN, is_clause=True)  # everything from the first unknown word
    parts = list(command.parse_string(reading.typed))
    new = list((known[0, MOST_PARTS] + pp.Opt(words)).parse_string(changes))
    if max(len(parts), len(new)) > MOST_PARTS:
        raise ImpossibleError("a command with so many parts is not changed: type the whole command.")
    return parts, new


def _sides(parts: Sequence[_Part]) -> tuple[list[_Part], list[_Part]]:
    """The parts before `vs`, and those from `vs` on."""
    at = next((i for i, part in enumerate(parts) if part.kind == _VERSUS), len(parts))
    return list(parts[:at]), list(parts[at:])


def _groups(parts: Sequence[_Part]) -> list[list[_Part]]:
    """Group the parts by clause or sum; everything from `vs` is one group."""
    own, opposed = _sides(parts)
    groups = [list(group) for _, group in groupby(own, lambda part: part.is_clause and part.kind)]
    return [*groups, opposed] if opposed else groups


def _with(parts: Sequence[_Part], new: Sequence[_Part]) -> list[_Part]:
    """The parts of a command with `new` replacing parts of the same kind, or else added at the end of its side."""
    kinds = {part.kind for part in new}
    own, opposed = _sides(parts)
    if _VERSUS in kinds:
        return [*own, *_after(" ", new)]
    for side in (range(len(own)), range(len(own), len(parts))):
        if places := [i for i in side if parts[i].kind in kinds]:
            first, end = places[0], places[-1] + 1
            if {part.kind for part in parts[first:end]} != kinds or _may_be_for_one(new, parts[first:end]):
                several = f'"{shown(_text(_after("", new)))}" could change several parts of {_text(parts)}'
                raise ImpossibleError(f"{several}: type the whole command.")
            return [*parts[:first], *_after(parts[first].space, new), *parts[end:]]
    return [*own, *_after(" ", new), *_after(" ", opposed)]


def _may_be_for_one(new: Sequence[_Part], parts: Sequence[_Part]) -> bool:
    """Whether `new` could mean one part of a sum, or one of several clauses: `+1` for `3+4`, `4` for `3 2`
    (GEN-12)."""
    kinds = {part.kind for part in parts}
    adds = not new[0].is_clause and new[0].typed[0] in SIGNS and parts[0].typed[0] not in SIGNS
    return adds or (len(kinds) == 1 and _UNKNOWN not in kinds and len(new) < len(parts))


def _after(space: str, parts: Sequence[_Part]) -> list[_Part]:
    """The same parts after `space`."""
    return [parts[0]._replace(space=space), *parts[1:]] if parts else []


def _text(parts: Sequence[_Part]) -> str:
    return "".join(f"{part.space}{part.typed}" for part in parts)


def _known(reading: Reading) -> pp.ParserElement:
    """The first token of the grammar that matches."""
    grammar = catalogue.named(reading.grammar)
    tokens = [t for t in grammar.tokens[reading.word] if not (t.rejects or t.re.match(""))] if grammar else []
    found = dict.fromkeys((t.re.pattern, t.kind, t.clause is not None) for t in tokens)
    return pp.MatchFirst([_part(*each) for each in found])


def _part(pattern: str, kind: str, is_clause: bool = False) -> pp.ParserElement:
    """A match as a part of that kind."""
    space = rf"([{SPACE_OR_COMMA}]*)(?![{SPACE_OR_COMMA}])"
    part = pp.Regex(rf"{space}(?:{pattern})", FLAGS, as_match=True).leave_whitespace()

    def made(tokens: pp.ParseResults) -> _Part:
        match: re.Match[str] = tokens[0]
        space = match[1]
        return _Part(space, match[0].removeprefix(space), kind, is_clause)

    return part.set_parse_action(made)
