"""Silence, hint or answer (GEN-03, GEN-04, GEN-10…GEN-15): one line of talk in, a node or an error out.

Knows what was said and whether the bot was called; not who spoke, nor where.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import Any

import pyparsing as pp

from grammars import catalogue
from grammars.catalogue import Grammar
from grammars.errors import CommandSyntaxError, UnknownCommand
from grammars.line import Line
from grammars.repair import mended, unknown_words
from grammars.spelling import SHORTEST, one_letter_off
from grammars.tokens import FLAGS, MOST_CHARACTERS, NDX, NICK, Misread

MOST_HINTED_WORDS = 10
_COMMENT = re.compile(r"\s*(?:\#(?P<hash>.*)|for\s+(?P<purpose>\S.*))", FLAGS | re.DOTALL)
_STOP = re.compile(r"\s*[.!?]+\s*")
_AS = re.compile(rf"(?<=\s)as\s+@?(?P<name>{NICK})(?=\s|$)", FLAGS)
_NOTHING_MORE = re.compile(rf"(?:\s+as\s+@?{NICK})?\s*[.!?]*\s*(?:\#.*|for\s.*)?", FLAGS)
_REF = re.compile(r"#(?P<ref>[0-9a-z]+(?:-[0-9a-z]{6})?)(?=\s|$)", FLAGS)
_WORD = re.compile(r"[a-z][a-z0-9]*", FLAGS)
_DIGIT = re.compile(r"[0-9]")


@dataclass(frozen=True, slots=True)
class Reading:
    """A line that is a command: its node, the grammar that read it, and what stood beside it."""

    node: Any
    grammar: str
    word: str
    comment: str | None = None
    speaks_as: str | None = None  # `as NAME` (GEN-06)
    alone: bool = False  # nothing of a command but its word (GEN-10)
    ref: str | None = None  # `#4d` where no grammar took it: an answer's contest, or the beginning of a comment


@lru_cache(maxsize=8192)
def read(text: str, system: str = "v5", called: bool = False) -> Reading:
    """What `text` says. Raises UnknownCommand where it is met with silence, CommandSyntaxError where hinted at."""
    line = Line.of(text)
    start = len(line.plain) - len(line.plain.lstrip())
    word = _command_word(line.plain, start)
    if word is None:
        return _without_a_word(line, start, system, called)
    if len(line.plain) > MOST_CHARACTERS:
        return _too_long(line, text, word, start, called)
    try:
        reading = _read(line.plain, start, word, system)
    except _UnreadError as failure:
        if not called and not _worth_a_hint(line.plain, start, word, failure.grammar):
            raise UnknownCommand(f'"{_shown(text)}" is no command') from None
        raise failure.error(line, text) from None
    if not called and _only_when_called(reading, system):
        raise UnknownCommand(f'"{_shown(text)}" is a command only when the bot is called')
    return reading


def alone(text: str, system: str) -> Reading | None:
    """What a word alone would be if the moment made it certain (GEN-10); None for any other line."""
    plain = Line.of(text).plain
    start = len(plain) - len(plain.lstrip())
    word = _command_word(plain, start)
    if word is None or not _NOTHING_MORE.fullmatch(plain, start + len(word)):
        return None
    reading = _complete(text, system)
    return reading if reading and reading.alone else None


def begins_a_command(plain: str) -> bool:
    """Whether a line's first word is a command word (GEN-02: else what stands behind a prefix is another bot's)."""
    return _command_word(plain, 0) is not None


class _UnreadError(Exception):
    """How far one grammar came: the place in the plain line, the sentence, and a mended line."""

    def __init__(self, grammar: Grammar, at: int, sentence: str, hint: str | None, guess: bool = False) -> None:
        super().__init__(sentence)
        self.grammar, self.at, self.hint, self.guess = grammar, at, hint, guess

    def error(self, line: Line, text: str) -> CommandSyntaxError:
        return CommandSyntaxError(str(self), text=text, column=line.column(self.at), hint=self.hint, guess=self.guess)


@cache
def _command_words() -> re.Pattern[str]:
    """Any command word at the beginning; no letter behind it, and no digit behind one that ends in a digit."""
    words = (re.escape(w) + (r"(?![0-9])" if w[-1].isdigit() else "") for w in catalogue.claims())
    return re.compile(rf"(?:{'|'.join(words)})(?![a-z_]|d?[^\x00-\x7f])|(?:{'|'.join(_tight())})(?=d[0-9])", FLAGS)


def _tight() -> list[str]:
    return [re.escape(w) for g in catalogue.grammars_found() for w in sorted(g.takes_dice) if not w[-1].isdigit()]


def _command_word(plain: str, start: int) -> str | None:
    match = _command_words().match(plain, start)
    return match[0].lower() if match else None


def _read(plain: str, start: int, word: str, system: str) -> Reading:
    """The first grammar that claims `word` and reads the whole line; else the failure that came furthest."""
    failures = []
    for grammar in catalogue.candidates(word, system):
        try:
            return _read_wrapped(grammar, plain, start, word, system) if grammar.wraps else _by(grammar, plain, word)
        except _UnreadError as failure:
            failures.append(failure)
    raise max(failures, key=lambda failure: failure.at)


def _read_wrapped(grammar: Grammar, plain: str, start: int, word: str, system: str) -> Reading:
    """A command that holds another (`odds …`): the other is read as if called, its place kept."""
    behind = plain[start + len(word) :]
    inner_start = start + len(word) + len(behind) - len(behind.lstrip())
    inner, offset = plain[inner_start:], inner_start
    inner_word = _command_word(inner, 0)
    if inner_word is None and NDX.match(inner):
        inner, offset, inner_word = f"roll {inner}", inner_start - len("roll "), "roll"
    if inner_word is None or inner_word == word or grammar.wraps is None:
        hint = next(iter(grammar.examples))
        raise _UnreadError(grammar, inner_start, f"{word} wants a command behind it.", hint)
    try:
        reading = _read(inner, 0, inner_word, system)
    except _UnreadError as failure:
        mended_whole = failure.hint and f"{word} {failure.hint}"
        raise _UnreadError(failure.grammar, failure.at + offset, str(failure), mended_whole, failure.guess) from None
    return replace(reading, node=grammar.wraps(reading.node), grammar=grammar.name, word=word)


def _by(grammar: Grammar, plain: str, word: str) -> Reading:
    """The reading of one grammar, comment and all."""
    try:
        node, rest = grammar.parsers[word].parse_string(plain)
    except Misread as objection:
        hint = mended(grammar, objection.instead or plain, word)
        raise _UnreadError(grammar, objection.loc, objection.sentence, hint) from None
    except pp.ParseBaseException as failure:
        raise _not_understood(grammar, plain, max(failure.loc, len(word)), word) from None
    end = len(plain) - len(rest)
    reading = Reading(node, grammar.name, word, alone=plain[:end].strip().lower() == word)
    if not rest or _STOP.fullmatch(rest):
        return reading
    return _with_rest(reading, grammar, plain, end)


def _with_rest(reading: Reading, grammar: Grammar, plain: str, end: int) -> Reading:
    """What may stand behind a complete command: `as NAME`, an id, a comment (GEN-03)."""
    if speaks_as := _AS.match(plain, end):
        without = plain[:end] + plain[speaks_as.end() :]
        return replace(_by(grammar, without, reading.word), speaks_as=speaks_as["name"])
    if comment := _COMMENT.match(plain, end):
        ref = _REF.match(plain, comment.start("hash") - 1) if comment["hash"] else None
        said = comment["hash"] or comment["purpose"] or ""
        return replace(reading, comment=said.strip() or None, ref=ref and ref["ref"].lower())
    rest = plain[end:]
    if NDX.search(plain, 0, end) and _is_a_comment(grammar, plain, end):
        return replace(reading, comment=rest.strip(" ,.;:-"))
    raise _not_understood(grammar, plain, end, reading.word)


def _is_a_comment(grammar: Grammar, plain: str, end: int) -> bool:
    """GEN-03: plain words, apart from the command, none of them a digit's or nearly a word of the grammar."""
    rest = plain[end:]
    apart = plain[end - 1].isspace() or rest[0] in " ,;:.!?-("
    words = [m[0].lower() for m in _WORD.finditer(rest)]
    near = any(grammar.knows(w) or grammar.nearly(w) for w in words)
    return apart and bool(rest.strip(" ,.;:-")) and not _DIGIT.search(rest) and not near


def _not_understood(grammar: Grammar, plain: str, at: int, word: str) -> _UnreadError:
    """The failure for a line that stops making sense at `at`: which word, and what was probably meant."""
    at += len(plain[at:]) - len(plain[at:].lstrip())
    hint = mended(grammar, plain, word)
    if at >= len(plain):
        return _UnreadError(grammar, len(plain), f"{word} is not complete.", hint, guess=True)
    unknown = plain[at:].split()[0]
    return _UnreadError(grammar, at, f'"{_shown(unknown)}" is unknown.', hint, guess=True)


def _only_when_called(reading: Reading, system: str) -> bool:
    """GEN-10 for a word alone, GEN-13 and GEN-14 for what counts only when it is meant."""
    if getattr(reading.node, "only_called", False):
        return True
    if not reading.alone:
        return False
    grammar = next(g for g in catalogue.candidates(reading.word, system) if g.name == reading.grammar)
    return not (grammar.name == system and reading.word in grammar.bare)


def _worth_a_hint(plain: str, start: int, word: str, grammar: Grammar) -> bool:
    """Whether a line that is no complete command was probably meant as one."""
    rest = plain[start + len(word) :].lstrip()
    if word in grammar.takes_dice and re.match(r"[-+]?[0-9]*\s?d[0-9]", rest, FLAGS):
        return True
    words = [w.strip(".,!?;:()").lower() for w in rest.split()]
    if len(words) + 1 > MOST_HINTED_WORDS or not _DIGIT.search(plain):
        return False
    return _mostly_known(grammar, words)


def _mostly_known(grammar: Grammar, words: list[str]) -> bool:
    """More words that the grammar uses, or nearly uses, than words it does not; lone numbers do not count."""
    counted = [w for w in words if w and not re.fullmatch(r"[-+]?[0-9]+", w)]
    unknown = unknown_words(grammar, counted)
    return len(unknown) < len(counted) - len(unknown)


def _without_a_word(line: Line, start: int, system: str, called: bool) -> Reading:
    """A line that begins with no command word: `NdX` where called (GEN-04), a misspelt word, or talk."""
    plain = line.plain
    if called and NDX.match(plain, start):
        return read(f"roll {plain[start:]}", system, True)
    typed = _WORD.match(plain, start)
    for word in catalogue.claims() if typed else ():
        if typed and len(word) >= SHORTEST and one_letter_off(typed[0].lower(), word):
            mended_line = plain[:start] + word + plain[typed.end() :]
            if NDX.search(mended_line) and (reading := _complete(mended_line, system)):
                sentence = f'"{typed[0]}" is unknown.'
                raise CommandSyntaxError(
                    sentence, text=plain, column=line.column(start), hint=str(reading.node), guess=True
                )
    if not called:
        raise UnknownCommand(f'"{_shown(plain)}" is no command')
    hint = next(iter(catalogue.candidates("roll", system)[0].examples))
    sentence = f'"{_shown(plain[start:])}" is no command of mine.' if plain.strip() else "a command is wanted."
    raise CommandSyntaxError(sentence, text=plain, column=line.column(start), hint=hint, guess=True)


def _complete(plain: str, system: str) -> Reading | None:
    try:
        return read(plain, system, True)
    except (CommandSyntaxError, UnknownCommand):
        return None


def _too_long(line: Line, text: str, word: str, start: int, called: bool) -> Reading:
    """GEN-15: 400 characters; said only where it was surely meant as a command."""
    rest = line.plain[start + len(word) :].lstrip()[:12]
    if not called and not re.match(r"[-+]?[0-9]*\s?d[0-9]", rest, FLAGS):
        raise UnknownCommand("a long line of talk")
    sentence = f"a command has at most {MOST_CHARACTERS} characters, yours has {len(line.plain)}."
    raise CommandSyntaxError(sentence, text=text, column=line.column(MOST_CHARACTERS))


def _shown(text: str, most: int = 40) -> str:
    return text if len(text) <= most else text[: most - 3] + "..."
