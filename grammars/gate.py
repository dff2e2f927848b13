"""Silence, hint or answer (GEN-03, GEN-04, GEN-10…GEN-15): one line of talk in, a node or an error out.

Knows what was said and whether the bot was called; not who spoke, nor where.
"""

from __future__ import annotations

import re
from functools import lru_cache, partial
from typing import Any

from grammars import catalogue
from grammars.choosing import chosen, complete, opposed, working
from grammars.errors import CommandSyntaxError, UnknownCommand
from grammars.line import Line, shown
from grammars.reading import Reading
from grammars.talk import dice_follow, worth_a_hint
from grammars.tokens import FLAGS, MOST_CHARACTERS, NDX, NICK
from grammars.unread import UnreadError
from grammars.wordless import misspelt, offered

_NOTHING_MORE = re.compile(rf"(?:\s+as\s+@?{NICK})?\s*[.!?]*\s*(?:\#.*|for\s.*)?", FLAGS | re.DOTALL)
_COUNTED = re.compile(r"\s*[a-z]+(?:[0-9]+(?=\s))?\s*(?P<number>[0-9]{1,3})\s*[.!]*\s*(?:\#.*)?", FLAGS | re.DOTALL)
_DIGIT = re.compile("[0-9]")
MOST_OF_A_FOLLOW_UP = 2  # digits of a number: `wp 100` is a score


def parse(text: str, system: str = "v5", called: bool = False) -> Any:
    """The node that `text` stands for.

    `system` is what `roll Nd10` means here; `called` is whether the bot was named, prefixed or spoken to alone
    (GEN-10…GEN-14). Raises UnknownCommand for talk and CommandSyntaxError for a command that cannot be read.
    """
    return read(text, system, called).node


@lru_cache(maxsize=2048)
def read(text: str, system: str = "v5", called: bool = False) -> Reading:
    """What `text` says. Raises UnknownCommand where it is met with silence, CommandSyntaxError where hinted at."""
    line = Line.of(text)
    plain = line.plain
    start = len(plain) - len(plain.lstrip())
    word = catalogue.command_word(plain, start)
    if word is None:
        return _without_a_word(line, text, start, system, called)
    if not called and word in catalogue.called_words():
        raise UnknownCommand(f'"{word}" is a command only when the bot is called')
    if len(plain) > MOST_CHARACTERS and len(plain) > catalogue.longest(word):
        return _too_long(line, text, word, start, called)
    try:
        reading = chosen(plain, start, word, system)
    except UnreadError as lost:
        failure = opposed(lost, plain, start, word, system)
        if not called and not failure.meant and not worth_a_hint(plain, start, word, failure):
            raise UnknownCommand(f'"{shown(text)}" is no command') from None
        raise failure.told().checked(partial(working, failure.grammar, system)).error(line, text) from None
    question = reading.alone and plain.rstrip().endswith("?")  # `rouse?` asks; only the meant word rolls (GEN-10)
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
    reading = complete(plain, system, start)
    return reading if reading and reading.alone and catalogue.named(reading.grammar).owns(reading.node) else None


@lru_cache(maxsize=1024)
def slip(text: str, system: str) -> tuple[Reading, CommandSyntaxError] | None:
    """What a line would be but for a number that cannot be, and what is wrong with it: `wp 4` (GEN-07, V5-14).

    Uncalled it is talk, unless the moment makes it certain that a command was meant.
    """
    counted = _COUNTED.fullmatch(Line.of(text).plain)
    if not counted:
        return None
    try:
        read(text, system, True)
    except CommandSyntaxError as error:
        meant = complete(error.hint, system) if error.hint and not error.guess else None
        if meant and (len(counted["number"]) <= MOST_OF_A_FOLLOW_UP or not hasattr(meant.node, "ref")):
            return (meant, error.but()) if catalogue.named(meant.grammar).owns(meant.node) else None
    return None


def is_counted(reading: Reading, system: str) -> bool:
    """Whether a command is a word of the game that is played and a number: `v5 100`, which is meant in any moment."""
    return reading.grammar == system and not reading.alone and _COUNTED.fullmatch(reading.typed) is not None


def begins_a_command(plain: str) -> bool:
    """Whether a line's first word is a command word (GEN-02: else what stands behind a prefix is another bot's)."""
    return catalogue.command_word(plain, 0) is not None


def may_be_a_command(text: str) -> bool:
    """Whether an uncalled line begins with a command word, or with any word before dice, as a misspelt one would be.

    Cheap, for whoever limits how often a line is read (GEN-16): nothing is parsed.
    """
    plain = Line.of(text).plain.lstrip()
    return begins_a_command(plain) or NDX.search(plain) is not None


def looks_like_a_command(text: str) -> bool:
    """Whether a line has a command word and a digit after it: how it is taken where reading it failed (GEN-19)."""
    plain = Line.of(text).plain.lstrip()
    word = catalogue.command_word(plain)
    return word is not None and _DIGIT.search(plain, len(word)) is not None


def _only_when_called(reading: Reading, system: str) -> bool:
    """GEN-10 for a word alone, GEN-13 and GEN-14 for what counts only when it is meant."""
    if getattr(reading.node, "only_called", False):
        return True
    return reading.alone and not stands_alone(reading, system)


def stands_alone(reading: Reading, system: str) -> bool:
    """Whether its word is a command by itself where `system` is played (GEN-10)."""
    return reading.grammar == system and reading.word in catalogue.named(reading.grammar).bare


def _without_a_word(line: Line, text: str, start: int, system: str, called: bool) -> Reading:
    """A line that begins with no command word: `NdX` where called (GEN-04), a misspelt word, or talk."""
    plain = line.plain
    if called and NDX.match(plain, start):
        return _rolled(line, text, start, system)
    if slipped := misspelt(plain, start, system, called=called):
        typed, hint = slipped
        sentence = f'"{shown(typed)}" is unknown.'
    elif not called:
        raise UnknownCommand(f'"{shown(plain)}" is no command')
    else:
        said, hint = shown(plain[start:]), offered(plain, start, system)
        sentence = f'"{said}" is no command of mine.' if said else "a command is wanted."
    raise CommandSyntaxError(sentence, text=text, column=line.column(start), hint=hint, guess=True)


def _rolled(line: Line, text: str, start: int, system: str) -> Reading:
    """GEN-04: called, `5d10 h2` is `roll 5d10 h2`; columns stay those of the line as typed."""
    added = "roll "
    try:
        return read(added + line.plain[start:], system, True)
    except CommandSyntaxError as error:
        column = line.column(start + max(error.column - 1 - len(added), 0))
        raise error.but(text=text, column=column) from None


def _too_long(line: Line, text: str, word: str, start: int, called: bool) -> Reading:
    """GEN-15: 400 characters; said only where it was surely meant as a command."""
    if not called and not dice_follow(word, line.plain[start + len(word) : start + 40].lstrip()):
        raise UnknownCommand("a long line of talk")
    most = catalogue.longest(word)
    sentence = f"a command has at most {most} characters, yours has {len(line.plain)}."
    raise CommandSyntaxError(sentence, text=text, column=line.column(most))
