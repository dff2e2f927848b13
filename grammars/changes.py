"""A command with some of its clauses replaced or added: `again h3`, or a macro and `dc3` (DSK-05, DSK-13)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

import pyparsing as pp

from grammars import catalogue
from grammars.errors import ImpossibleError
from grammars.line import shown
from grammars.reading import Reading
from grammars.tokens import Clause, Token

_SPACES = re.compile(r"[\s,]*")
_WORD = re.compile(r"[^\s,]+")
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
    tokens = [token for token in grammar.tokens[reading.word] if not token.rejects] if grammar else []
    text, in_words = reading.typed, False
    for typed, kinds in _groups(changes, tokens):
        text = _with(text, len(reading.word), typed, kinds, tokens)
        in_words = _UNKNOWN in kinds
    name, comment = speaks_as or reading.speaks_as, comment or (None if in_words else reading.comment)
    return f"{text}{f' as {name}' if name else ''}{f' # {comment}' if comment else ''}"


def _groups(text: str, tokens: Sequence[Token]) -> Iterator[tuple[str, set[str]]]:
    """What is typed of each clause or sum, and its kinds; all from `vs` or an unknown word on is one."""
    parts = list(_parts(text, 0, tokens))
    last = next((part for part in parts if part.kind in (_UNKNOWN, _VERSUS)), None)
    ends = last.start if last else len(text)
    for _, run in groupby((p for p in parts if p.start < ends), lambda part: part.is_clause and part.kind):
        several = list(run)
        yield text[several[0].start : several[-1].end], {part.kind for part in several}
    if last:
        yield text[ends:], {last.kind}


def _with(text: str, start: int, typed: str, kinds: set[str], tokens: Sequence[Token]) -> str:
    """`text` with `typed` in the place of what has those kinds; at the end of its side where nothing has."""
    parts = list(_parts(text, start, tokens))
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


def _parts(text: str, at: int, tokens: Sequence[Token]) -> Iterator[_Part]:
    """The tokens from `at` on, the longest at each place; a word that is none is unknown."""
    while (at := _end_of(_SPACES, text, at)) < len(text):
        found = filter(None, (_part(token, text, at) for token in tokens))
        part = max(found, key=lambda part: part.end, default=None) or _Part(at, _end_of(_WORD, text, at), _UNKNOWN)
        yield part
        at = part.end


def _part(token: Token, text: str, at: int) -> _Part | None:
    """What a token is at that place; None where it is not there, and unknown where it objects."""
    match = token.re.match(text, at)
    if match is None or match.end() == at:
        return None
    try:
        made = token.value(match) if token.value else next(iter(token.parse_string(match[0])), [])
    except (ImpossibleError, pp.ParseBaseException):
        return _Part(at, match.end(), _UNKNOWN)
    if token.clause:
        return _Part(at, match.end(), IN_PLACE_OF.get(token.clause, token.clause), is_clause=True)
    if isinstance(made, Clause):
        return _Part(at, match.end(), made.name, is_clause=True)
    of_a_node = not isinstance(made, str | list)  # dice are the same, whether modifiers follow or not
    return _Part(at, match.end(), type(made).__name__.lower() if of_a_node else token.name)


def _end_of(pattern: re.Pattern[str], text: str, at: int) -> int:
    match = pattern.match(text, at)
    return match.end() if match else at
