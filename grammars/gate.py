"""Silence, hint or answer (GEN-03, GEN-04, GEN-10…GEN-15): one line of talk in, a node or an error out.

Knows what was said and whether the bot was called; not who spoke, nor where.
"""

from __future__ import annotations

import re
from functools import lru_cache, partial
from typing import Any, NamedTuple
from unicodedata import digit

import pyparsing as pp

from grammars import catalogue
from grammars.catalogue import Grammar, worded
from grammars.errors import CommandSyntaxError, UnknownCommand
from grammars.line import Line, shown
from grammars.repair import mended
from grammars.spelling import SHORTEST, one_letter_off
from grammars.talk import dice_follow, explodes, is_a_comment, worth_a_hint
from grammars.tokens import FLAGS, MOST_CHARACTERS, NDX, NICK, Misread
from grammars.unread import UnreadError
from grammars.verify import posted_in

_COMMENT = re.compile(  # GEN-03, and a full stop in front of it
    r"\s*(?:[.!?]+\s+)?(?:\#(?P<hash>.*)|for\s+(?!help\s*$)(?P<purpose>\S.*))", FLAGS | re.DOTALL
)
_TIGHT = re.compile(r"\s*#\S")
_STOP = re.compile(r"\s*[.!?]+\s*")
_STOP_OR_COMMENT = re.compile(rf"(?:{_STOP.pattern})?(?:{_COMMENT.pattern})?", FLAGS | re.DOTALL)
_AS = re.compile(rf"(?<=\s)as\s+@?(?P<name>{NICK})(?=[\s.,!?]|$)", FLAGS)
_NOTHING_MORE = re.compile(rf"(?:\s+as\s+@?{NICK})?\s*[.!?]*\s*(?:\#.*|for\s.*)?", FLAGS | re.DOTALL)
_DASH = re.compile(r"^[-,.;:!?]+\s+")  # between a command and what is said of it
_REF = re.compile(r"#(?P<ref>[0-9a-z]+(?:-[0-9a-z]{6})?)(?=\s|$)", FLAGS)
_WORD = re.compile(r"[^\W\d_]\w*")  # of any alphabet


class Reading(NamedTuple):
    """A line that is a command: its node, the grammar that read it, and what stood beside it."""

    node: Any
    grammar: str
    word: str
    comment: str | None = None
    speaks_as: str | None = None  # `as NAME` (GEN-06)
    alone: bool = False  # nothing of a command but its word (GEN-10)
    typed: str = ""  # the command alone
    ref: str | None = None  # `#4d` where no grammar took it: an answer's contest, or the beginning of a comment
    words_at: int | None = None  # where plain words begin that were taken as a comment

    @property
    def command(self) -> str:
        """The command as it is posted."""
        return worded(self.node, self.typed)


@lru_cache(maxsize=8192)
def read(text: str, system: str = "v5", called: bool = False) -> Reading:
    """What `text` says. Raises UnknownCommand where it is met with silence, CommandSyntaxError where hinted at."""
    line = Line.of(text)
    start = len(line.plain) - len(line.plain.lstrip())
    word = catalogue.command_word(line.plain, start)
    if word is None:
        return _without_a_word(line, text, start, system, called)
    if not called and word in catalogue.called_words():
        raise UnknownCommand(f'"{word}" is a command only when the bot is called')
    if len(line.plain) > MOST_CHARACTERS and len(line.plain) > catalogue.longest(word):
        return _too_long(line, text, word, start, called)
    try:
        reading = _read(line.plain, start, word, system)
    except UnreadError as failure:
        if (
            not called
            and not failure.meant
            and not worth_a_hint(line.plain, start, word, failure.grammar, failure.objected)
        ):
            raise UnknownCommand(f'"{shown(text)}" is no command') from None
        raise failure.error(line, text) from None
    question = reading.alone and line.plain.rstrip().endswith("?")  # `rouse?` asks; only the meant word rolls (GEN-10)
    if not called and (question or _only_when_called(reading, system)):
        raise UnknownCommand(f'"{shown(text)}" is a command only when the bot is called')
    return reading


def alone(text: str, system: str) -> Reading | None:
    """What a word alone would be if the moment made it certain (GEN-10); None for any other line."""
    plain = Line.of(text).plain
    start = len(plain) - len(plain.lstrip())
    word = catalogue.command_word(plain, start)
    if word is None or plain.rstrip().endswith("?") or not _NOTHING_MORE.fullmatch(plain, start + len(word)):
        return None
    reading = _complete(text, system)
    return reading if reading and reading.alone and _grammar(reading).owns(reading.node) else None


def begins_a_command(plain: str) -> bool:
    """Whether a line's first word is a command word (GEN-02: else what stands behind a prefix is another bot's)."""
    return catalogue.command_word(plain, 0) is not None


def _grammar(reading: Reading) -> Grammar:
    return next(g for g in catalogue.grammars_found() if g.name == reading.grammar)


def _read(plain: str, start: int, word: str, system: str) -> Reading:
    """The first grammar that claims `word` and reads the whole line; else the failure that came furthest.

    What one grammar objects to, or nearly knows, is no comment of the next one's.
    """
    failures: list[UnreadError] = []
    for grammar in catalogue.candidates(word, system):
        try:
            reading = (
                _read_wrapped(grammar, plain, start, word, system)
                if grammar.wraps
                else _by(grammar, plain, start, word)
            )
        except UnreadError as failure:
            failures.append(failure)
        else:
            if reading.words_at is None or all(failure.at < reading.words_at for failure in failures):
                return reading
    # Of two that came as far, an objection says more than that a word is unknown.
    raise max(failures, key=lambda failure: (failure.at, not failure.guess))


def _read_wrapped(grammar: Grammar, plain: str, start: int, word: str, system: str) -> Reading:
    """A command that holds another (`odds …`): the other is read as if called, its place kept."""
    behind = plain[start + len(word) :]
    inner_start = start + len(word) + len(behind) - len(behind.lstrip())
    inner, offset = plain[inner_start:], inner_start
    inner_word = catalogue.command_word(inner, 0)
    if inner_word is None and NDX.match(inner):
        inner, offset, inner_word = f"roll {inner}", inner_start - len("roll "), "roll"
    if inner_word is None or inner_word == word or grammar.wraps is None:
        sentence = f"{word} wants a command behind it."
        raise UnreadError(grammar, inner_start, sentence, lambda: next(iter(grammar.examples)), guess=True)
    reading = None
    try:
        reading = _read(inner, 0, inner_word, system)
    except UnreadError as failure:
        if failure.grammar.is_system:
            raise failure.within(word, offset) from None
    if reading is None or not _grammar(reading).is_system or not _grammar(reading).owns(reading.node):
        sentence = f"{word} wants a command that rolls behind it."
        raise UnreadError(grammar, inner_start, sentence, lambda: next(iter(grammar.examples)), guess=True)
    typed = f"{word} {reading.command}"
    return reading._replace(node=grammar.wraps(reading.node), grammar=grammar.name, word=word, typed=typed, alone=False)


def _by(grammar: Grammar, plain: str, start: int, word: str) -> Reading:
    """The reading of one grammar, comment and all."""
    try:
        found = grammar.parsers[word].parsed(plain, start)
    except Misread as objection:
        hint = partial(mended, grammar, objection.instead or plain, word)
        objected = "" if objection.missing else next(iter(plain[objection.loc :].split()), "")
        failure = UnreadError(grammar, objection.loc, objection.sentence, hint, objected=objected)
        behind = objection.rest
        failure.meant = objection.meant and behind is not None and bool(_STOP_OR_COMMENT.fullmatch(behind))
        raise failure from None
    except pp.ParseBaseException as lost:
        raise _not_understood(grammar, plain, max(lost.loc, len(word)), word) from None
    if found is None:
        raise _not_understood(grammar, plain, max(start, len(word)), word)
    node, rest = found
    end = len(plain) - len(rest)
    reading = Reading(node, grammar.name, word, typed=plain[:end], alone=plain[:end].strip().lower() == word)
    if not rest or (_STOP.fullmatch(rest) and not explodes(plain, end)):
        return reading
    return _with_rest(reading, grammar, plain, start, end)


def _with_rest(reading: Reading, grammar: Grammar, plain: str, start: int, end: int) -> Reading:
    """What may stand behind a complete command: `as NAME`, an id, a comment (GEN-03)."""
    if speaks_as := _AS.match(plain, end):
        if _AS.match(plain, speaks_as.end() + 1):
            raise _not_understood(grammar, plain, speaks_as.end(), reading.word)
        without = plain[:end] + " " * (speaks_as.end() - end) + plain[speaks_as.end() :]  # the columns stay
        return _by(grammar, without, start, reading.word)._replace(speaks_as=speaks_as["name"])
    if getattr(reading.node, "ref", "") is None and _TIGHT.match(plain, end):  # `wp #!!`: no id, and no comment either
        raise _not_understood(grammar, plain, end, reading.word)
    comment = _COMMENT.match(plain, end)
    if comment and not explodes(plain, end):
        ref = _REF.match(plain, comment.start("hash") - 1) if comment["hash"] else None
        said = comment["hash"] or comment["purpose"] or ""
        return reading._replace(comment=said.strip() or None, ref=ref and ref["ref"].lower())
    rest = plain[end:]
    if NDX.search(plain, 0, end) and not explodes(plain, end) and is_a_comment(grammar, plain, end):
        return reading._replace(comment=_DASH.sub("", rest.rstrip(" ,.;"), count=1), words_at=end)
    raise _not_understood(grammar, plain, end, reading.word)


def _not_understood(grammar: Grammar, plain: str, at: int, word: str) -> UnreadError:
    """The failure for a line that stops making sense at `at`: which word, and what was probably meant."""
    at = len(plain) - len(plain[at:].lstrip())
    hint = partial(mended, grammar, _with_our_digits(plain), word)
    return UnreadError(grammar, at, partial(_unknown, plain, at, word), hint, guess=True)


def _unknown(plain: str, at: int, word: str) -> str:
    """The sentence for it."""
    behind = plain[at:].split()
    if behind and _with_our_digits(behind[0]) != behind[0]:
        return f'"{shown(behind[0])}" has digits of another kind.'
    return f'"{shown(behind[0])}" is unknown.' if behind else f"{word} is not complete."


def _with_our_digits(plain: str) -> str:
    """The same with ASCII's digits for those of other kinds, which are read as none (GEN-02)."""
    return plain if plain.isascii() else "".join(str(digit(c)) if c.isdecimal() else c for c in plain)


def _only_when_called(reading: Reading, system: str) -> bool:
    """GEN-10 for a word alone, GEN-13 and GEN-14 for what counts only when it is meant."""
    if getattr(reading.node, "only_called", False):
        return True
    if not reading.alone:
        return False
    grammar = next(g for g in catalogue.candidates(reading.word, system) if g.name == reading.grammar)
    return not (grammar.name == system and reading.word in grammar.bare)


def _without_a_word(line: Line, text: str, start: int, system: str, called: bool) -> Reading:
    """A line that begins with no command word: `NdX` where called (GEN-04), a misspelt word, or talk."""
    plain = line.plain
    if called and NDX.match(plain, start):
        return _rolled(line, text, start, system)
    typed = _WORD.match(plain, start)
    if typed and (meant := _meant(plain, start, typed.end(), system, called)):
        sentence = f'"{shown(typed[0])}" is unknown.'
        raise CommandSyntaxError(sentence, text=text, column=line.column(start), hint=meant, guess=True)
    if not called:
        raise UnknownCommand(f'"{shown(plain)}" is no command')
    posted = posted_in(plain)
    hint = (
        f"verify {posted}"
        if posted
        else _further_on(plain, start, system) or next(iter(catalogue.candidates("roll", system)[0].examples))
    )
    said = shown(plain[start:])
    sentence = f'"{said}" is no command of mine.' if said else "a command is wanted."
    raise CommandSyntaxError(sentence, text=text, column=line.column(start), hint=hint, guess=True)


def _further_on(plain: str, start: int, system: str) -> str | None:
    """The complete command that a line holds behind other words, `please roll 5d10`."""
    for blank in re.finditer(r"\s", plain[start:MOST_CHARACTERS]):
        at = start + blank.end()
        if catalogue.command_word(plain, at) and (reading := _complete(plain[at:], system)) and not reading.alone:
            return reading.command
    return None


def _rolled(line: Line, text: str, start: int, system: str) -> Reading:
    """GEN-04: called, `5d10 h2` is `roll 5d10 h2`; columns stay those of the line as typed."""
    added = "roll "
    try:
        return read(added + line.plain[start:], system, True)
    except CommandSyntaxError as error:
        column = line.column(start + max(error.column - 1 - len(added), 0))
        raise CommandSyntaxError(str(error), text=text, column=column, hint=error.hint, guess=error.guess) from None


def _meant(plain: str, start: int, end: int, system: str, called: bool) -> str | None:
    """The complete command that a line would be if its first word were spelt right; uncalled, with `NdX` only."""
    typed = plain[start:end].lower()
    if not called and not NDX.search(plain, end):
        return None
    for word in catalogue.claims():
        right = f"{word}{plain[end:]}"
        if len(word) < SHORTEST or not one_letter_off(typed, word) or catalogue.command_word(right) != word:
            continue
        reading = _complete(right, system)
        if reading is not None:
            return reading.command
    return None


def _complete(plain: str, system: str) -> Reading | None:
    try:
        return read(plain, system, True)
    except (CommandSyntaxError, UnknownCommand):
        return None


def _too_long(line: Line, text: str, word: str, start: int, called: bool) -> Reading:
    """GEN-15: 400 characters; said only where it was surely meant as a command."""
    if not called and not dice_follow(word, line.plain[start + len(word) : start + 40].lstrip()):
        raise UnknownCommand("a long line of talk")
    most = catalogue.longest(word)
    sentence = f"a command has at most {most} characters, yours has {len(line.plain)}."
    raise CommandSyntaxError(sentence, text=text, column=line.column(most))
