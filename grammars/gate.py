"""Silence, hint or answer (GEN-03, GEN-04, GEN-10…GEN-15): one line of talk in, a node or an error out.

Knows what was said and whether the bot was called; not who spoke, nor where.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from functools import lru_cache, partial
from typing import Any

from grammars import catalogue
from grammars.catalogue import Grammar
from grammars.errors import CommandSyntaxError, UnknownCommand
from grammars.line import Line, shown
from grammars.reading import Reading, by
from grammars.repair import as_it_is, keeping_all
from grammars.spelling import SHORTEST, one_letter_off
from grammars.talk import dice_follow, worth_a_hint
from grammars.tokens import FLAGS, MOST_CHARACTERS, NDX, NICK
from grammars.unread import UnreadError
from grammars.verify import asked_about

_NOTHING_MORE = re.compile(rf"(?:\s+as\s+@?{NICK})?\s*[.!?]*\s*(?:\#.*|for\s.*)?", FLAGS | re.DOTALL)
_COUNTED = re.compile(r"\s*[a-z]+\s*[0-9]{1,2}\s*[.!]*\s*(?:\#.*)?", FLAGS | re.DOTALL)
_COMMENT = re.compile(r"\s#\s")  # and no #ID
_DICE_FIRST = re.compile(rf"(?:[0-9]{{1,2}}\s?x\s*)?[-+(\s]*{NDX.pattern}", FLAGS)  # `odds 6x 4d6k3`, `odds (2d6+3)*2`
_WORD = re.compile(r"[^\W\d_]\w*")  # of any alphabet


def parse(text: str, system: str = "v5", called: bool = False) -> Any:
    """The node that `text` stands for.

    `system` is what `roll Nd10` means here; `called` is whether the bot was named, prefixed or spoken to alone
    (GEN-10…GEN-14). Raises UnknownCommand for talk and CommandSyntaxError for a command that cannot be read.
    """
    return read(text, system, called).node


@lru_cache(maxsize=8192)
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
        reading = _read(plain, start, word, system)
    except UnreadError as failure:
        if not called and not failure.meant and not worth_a_hint(plain, start, word, failure):
            raise UnknownCommand(f'"{shown(text)}" is no command') from None
        raise failure.checked(partial(_working, failure.grammar, system)).error(line, text) from None
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
    reading = _complete(text, system)
    return reading if reading and reading.alone and _grammar(reading).owns(reading.node) else None


@lru_cache(maxsize=1024)
def slip(text: str, system: str) -> tuple[Reading, CommandSyntaxError] | None:
    """What a line would be but for a number that cannot be, and what is wrong with it: `wp 4` (GEN-07, V5-14).

    Uncalled it is talk, unless the moment makes it certain that a command was meant.
    """
    if not _COUNTED.fullmatch(Line.of(text).plain):
        return None
    try:
        read(text, system, True)
    except CommandSyntaxError as error:
        meant = _complete(error.hint, system) if error.hint and not error.guess else None
        return (meant, error.but()) if meant and _grammar(meant).owns(meant.node) else None
    return None


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
                _read_wrapped(grammar, plain, start, word, system) if grammar.wraps else by(grammar, plain, start, word)
            )
        except UnreadError as failure:
            failures.append(failure)
        else:
            if reading.words_at is None or all(failure.at < reading.words_at for failure in failures):
                return reading
    # Of two that came as far, an objection says more than that a word is unknown.
    furthest = max(failures, key=lambda failure: (failure.at, not failure.guess, failure.knows))
    if system == catalogue.LAST:
        furthest.nearer(partial(_by_its_own_word, plain, start, word))
    own = [f.grammar for f in failures if word in f.grammar.keywords and f.grammar.wraps is None]
    raise furthest.nearer(partial(_written_otherwise, own, plain, start, word))


def _written_otherwise(found: Sequence[Grammar], plain: str, start: int, word: str) -> str | None:
    """The command of any of the grammars that says all that was typed, by its own word where that takes dice too."""
    for grammar in found:
        own = grammar.name if {grammar.name, word} <= grammar.takes_dice and grammar.name != word else None
        renamed = as_it_is(grammar, f"{own}{plain[start + len(word) :]}", own) if own else None
        if command := keeping_all(grammar, plain, word) or renamed:
            return command
    return None


def _working(grammar: Grammar, system: str, hint: str) -> str:
    """A hint as it works where `system` is played (GEN-11): by the word that is its game's alone, where the one that
    was written is another's, or another of the grammar's examples."""
    word = catalogue.command_word(hint)
    if word is None or _reads(hint, system):
        return hint
    tried = (f"{grammar.name}{hint[len(word) :]}", *grammar.examples)
    return next((each for each in tried if _reads(each, system)), hint)


def _reads(plain: str, system: str) -> bool:
    """Whether a text is a command that says all that it holds."""
    word = catalogue.command_word(plain)
    try:
        return word is not None and _read(plain, 0, word, system).comment is None
    except UnreadError:
        return False


def _by_its_own_word(plain: str, start: int, word: str) -> str | None:
    """The command of a game that is played by a word of its own where `word` is not its: `v5 5d10 h2`."""
    for grammar in catalogue.claims()[word]:
        if grammar.name not in {word, catalogue.LAST} and grammar.name in grammar.keywords:
            with suppress(UnreadError):
                return f"{grammar.name}{by(grammar, plain, start, word).command.removeprefix(word)}"
    return None


def _read_wrapped(grammar: Grammar, plain: str, start: int, word: str, system: str) -> Reading:
    """A command that holds another (`odds …`): the other is read as if called, its place kept."""
    behind = plain[start + len(word) :]
    inner_start = start + len(word) + len(behind) - len(behind.lstrip())
    inner, offset = plain[inner_start:], inner_start
    more = re.search(rf"\s{grammar.more}(?=\s*[.!?]*\s*(?:\#|$))", inner, FLAGS) if grammar.more else None
    if more and _COMMENT.search(inner[: more.start()]):
        more = None  # a word of what is said beside it
    if more:  # blanks in its place, so that what an error points at stays where it is
        inner = f"{inner[: more.start()]}{' ' * len(more[0])}{inner[more.end() :]}"
    inner_word = catalogue.command_word(inner, 0)
    if inner_word is None and _DICE_FIRST.match(inner):
        inner, offset, inner_word = f"roll {inner}", inner_start - len("roll "), "roll"
    if inner_word is None or inner_word == word or grammar.wraps is None:
        sentence = f"{word} wants a command behind it."
        turned = _more_in_front(grammar, word, inner, system)
        failure = UnreadError(
            grammar, inner_start, sentence, lambda: turned or next(iter(grammar.examples)), guess=True
        )
        failure.meant = turned is not None
        raise failure
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
    if grammar.more and (said := _nearly_more(grammar, inner, reading)):
        known = said[0].lower() == grammar.more
        sentence = f'"{shown(said[0])}" {"stands last of all" if known else "is unknown"}.'
        raise UnreadError(grammar, offset + said.start(), sentence, lambda: f"{typed} {grammar.more}", guess=True)
    node = grammar.wraps(reading.node, full=True) if more else grammar.wraps(reading.node)
    return reading._replace(node=node, grammar=grammar.name, word=word, typed=typed, alone=False)


def _nearly_more(grammar: Grammar, inner: str, reading: Reading) -> re.Match[str] | None:
    """GEN-03: the word among plain ones behind a command that asks for more of it, `full please`, or nearly so."""
    words = () if reading.words_at is None else _WORD.finditer(inner, reading.words_at)
    asked = (said for said in words if said[0].lower() == grammar.more or one_letter_off(said[0].lower(), grammar.more))
    return next(asked, None)


def _more_in_front(grammar: Grammar, word: str, inner: str, system: str) -> str | None:
    """The command of a line in which that word stands in front: `odds full 5d10`."""
    first, *rest = inner.split() or [""]
    if not grammar.more or first.lower() != grammar.more or rest[:1] in ([], [first]):
        return None
    held = _complete(f"{word} {' '.join(rest)} {grammar.more}", system)
    return held and held.command


def _only_when_called(reading: Reading, system: str) -> bool:
    """GEN-10 for a word alone, GEN-13 and GEN-14 for what counts only when it is meant."""
    if getattr(reading.node, "only_called", False):
        return True
    return reading.alone and not stands_alone(reading, system)


def stands_alone(reading: Reading, system: str) -> bool:
    """Whether its word is a command by itself where `system` is played (GEN-10)."""
    return reading.grammar == system and reading.word in _grammar(reading).bare


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
    asked = asked_about(plain)
    verify = asked and f"verify {asked}"
    further = None if asked and "-" in asked else _further_on(plain, start, system)
    hint = further or verify or "help"
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
        raise error.but(text=text, column=column) from None


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
