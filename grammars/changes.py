"""A command with some of its clauses replaced or added: `again h3`, or a macro and `dc3` (DSK-05, DSK-13)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

import pyparsing as pp

from grammars import catalogue
from grammars.errors import ImpossibleError
from grammars.line import shown
from grammars.reading import Reading
from grammars.tokens import FLAGS, SPACE_OR_COMMA, Token

IN_PLACE_OF = {"tracked": "hunger"}  # V5-22: `h` alone takes the place of `h2`, and the other way round
_UNKNOWN, _VERSUS = "unknown", "vs"


class _Part(NamedTuple):
    """A token of a command, and where it was typed: a clause by its name, or part of a sum."""

    start: int
    end: int
    kind: str
    is_clause: bool = False


def changed(reading: Reading, changes: str, comment: str | None = None, speaks_as: str | None = None) -> str:
    """The text of a command that was read, with clauses of the same kind replaced by those of `changes`, and others
    added. A `comment`, or words in the changes, take the place of the earlier comment, `speaks_as` that of `as NAME`.

    The gate says whether the result is a command. ImpossibleError where a change could mean more than one clause.
    """
    grammar = catalogue.named(reading.grammar)
    tokens = [t for t in grammar.tokens[reading.word] if not (t.rejects or t.re.match(""))] if grammar else []
    parts = _grammar(tokens)
    command = pp.CaselessLiteral(reading.word).suppress() + parts
    text, in_words = reading.typed, False
    for typed, kinds in _groups(changes, list(parts.parse_string(changes))):
        text = _with(text, list(command.parse_string(text)), typed, kinds)
        in_words = _UNKNOWN in kinds
    name, comment = speaks_as or reading.speaks_as, comment or (None if in_words else reading.comment)
    return f"{text}{f' as {name}' if name else ''}{f' # {comment}' if comment else ''}"


def _groups(text: str, parts: Sequence[_Part]) -> Iterator[tuple[str, set[str]]]:
    """What is typed of each clause or sum, and its kinds; all from `vs` or an unknown word on is one."""
    last = next((part for part in parts if part.kind in (_UNKNOWN, _VERSUS)), None)
    ends = last.start if last else len(text)
    for _, run in groupby((p for p in parts if p.start < ends), lambda part: part.is_clause and part.kind):
        several = list(run)
        yield text[several[0].start : several[-1].end], {part.kind for part in several}
    if last:
        yield text[ends:], {last.kind}


def _with(text: str, parts: Sequence[_Part], typed: str, kinds: set[str]) -> str:
    """`text` with `typed` in the place of what has those kinds; at the end of its side where nothing has."""
    versus = next((part.start for part in parts if part.kind == _VERSUS), len(text))
    if _VERSUS in kinds:
        return f"{text[:versus].rstrip()} {typed}"
    for side in ([p for p in parts if p.start < versus], [p for p in parts if p.start > versus]):
        runs = [list(run) for same, run in groupby(side, lambda part: part.kind in kinds) if same]
        if len(runs) > 1 or any({part.kind for part in run} != kinds for run in runs):
            raise ImpossibleError(f'"{shown(typed)}" could change several parts of {text}: type the whole command.')
        for run in runs:
            return f"{text[: run[0].start]}{typed}{text[run[-1].end :]}"
    return f"{text[:versus].rstrip()} {typed} {text[versus:]}".rstrip()


def _grammar(tokens: Iterable[Token]) -> pp.ParserElement:
    """The parts of a command in any order: at each place the first token that is there, or a word that is unknown."""
    known = [_part(token.re.pattern, token.kind, token.clause is not None) for token in tokens]
    return pp.ZeroOrMore(pp.MatchFirst([*known, _part(r"[^\s,]+", _UNKNOWN)]))


def _part(pattern: str, kind: str, is_clause: bool = False) -> pp.ParserElement:
    """What matches, as a part of that kind."""
    kind = IN_PLACE_OF.get(kind, kind)
    part = pp.Regex(pattern, FLAGS).set_whitespace_chars(SPACE_OR_COMMA)
    return part.set_parse_action(lambda _, at, typed: _Part(at, at + len(typed[0]), kind, is_clause))
