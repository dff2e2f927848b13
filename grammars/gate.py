"""Silence, hint or answer: one line of talk in, a reading or an error out (GEN-03, GEN-04, GEN-10 to GEN-19)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from itertools import islice

import pyparsing as pp

from grammars import catalogue
from grammars.catalogue import Grammar
from grammars.command import Command
from grammars.errors import CommandSyntaxError, Objection, UnknownCommand
from grammars.line import Line, shown
from grammars.reading import Reading, Tail, could_be_talk, may_be_meant
from grammars.suggest import FIGURES, knows, near, plain_words, suggestion
from grammars.tokens import FLAGS, MOST_CHARACTERS, NDX, WHOLE_ID, Token

MOST_HINTED_WORDS = 10
MOST_FURTHER_ON = 3  # GEN-16: command words after other words that are tried
_DICE_NEXT = re.compile(rf"(?!\s*d[0-9]+s(?![a-z0-9]))\s*[-+]?{NDX.pattern}", FLAGS)  # `roll d20s` is talk
_DICE_FIRST = re.compile(rf"(?:[0-9]{{1,2}}\s?[x#]\s*)?[-+(\s]*{NDX.pattern}", FLAGS)
_LONE = re.compile(r"[-+]?[0-9]+(?:[-+/][0-9]+)*")  # a number, a score
_MARKS = ".,!?;:()"
_COMMENT = re.compile(r"(?:^|\s)(?:#|for)(?:\s|$)")
_WORD = re.compile(r"[^\W\d_]+")
_STEM = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_ANY_WORD = "anything"  # a token that matches it takes free words, and knows none
_SPACE = re.compile(r"\s+")


@dataclass(eq=False)
class Unread(Exception):  # noqa: N818  # not an error by itself: another grammar may read the line
    """Why one grammar could not read a line: the place in the plain line, and the sentence.

    `fatal` is an objection to what was understood; `committed`, that only this grammar can be meant.
    """

    grammar: Grammar
    at: int
    sentence: str
    asked: bool = False
    hint: str | None = None
    fatal: bool = False
    committed: bool = False


def parse(text: str, system: str = "v5", called: bool = False) -> Command:
    """The node that `text` stands for.

    `system` is what the channel plays; `called` says that the bot was named, prefixed or spoken to alone. Raises
    UnknownCommand for talk and CommandSyntaxError for a command that cannot be read.
    """
    return read(text, system, called).node


@lru_cache(maxsize=2048)
def read(text: str, system: str = "v5", called: bool = False) -> Reading:
    """What `text` says. Raises UnknownCommand where it is met with silence, CommandSyntaxError where hinted at."""
    line = Line.of(text)
    plain = line.plain
    start = len(plain) - len(plain.lstrip())
    word = catalogue.command_word(plain, start)
    if word is None or not (called or catalogue.counts(word, plain, system)):
        return _without_a_word(line, text, start, system, called)
    try:
        _check_length(plain, start, word)
        reading = _chosen(plain, start, word, system)
    except Unread as lost:
        if not (called or _was_meant(lost, plain, start, word)):
            error = CommandSyntaxError(lost.sentence, text, line.column(lost.at)) if lost.fatal else None
            raise UnknownCommand(f'"{shown(text)}" is no command', error=error) from None
        raise _error(lost, line, text, start, word, system) from None
    if not called and _counts_only_when_called(reading, plain, system):
        raise UnknownCommand(f'"{shown(text)}" is a command only when the bot is called', reading=reading)
    return reading


def begins_a_command(plain: str) -> bool:
    """Whether a prefix before this is ours: a command word or dice follow (GEN-02, GEN-04)."""
    return catalogue.command_word(plain) is not None or _DICE_FIRST.match(plain) is not None


def may_be_a_command(text: str) -> bool:
    """Whether an uncalled line has a command word or dice in front, or dice at all, as a misspelt one would (GEN-16).

    Cheap, for rate limits: nothing is parsed.
    """
    plain = Line.of(text).plain.lstrip()
    return begins_a_command(plain) or NDX.search(plain) is not None


def looks_like_a_command(text: str) -> bool:
    """Whether a line has a command word and a digit after it: how it is taken where reading it failed (GEN-19)."""
    plain = Line.of(text).plain.lstrip()
    word = catalogue.command_word(plain)
    return word is not None and any(c in "0123456789" for c in plain[len(word) :])


def stands_alone(reading: Reading, system: str) -> bool:
    """Whether its word is a command by itself where `system` is played (GEN-10)."""
    return reading.grammar == system and reading.word in catalogue.named(reading.grammar).bare


def _counts_only_when_called(reading: Reading, plain: str, system: str) -> bool:
    """GEN-10 for a word alone, GEN-13 and GEN-14 for what counts only when it is meant."""
    if reading.node.only_called or reading.word in catalogue.called_words():
        return True
    asked = plain.rstrip().endswith("?")
    if not reading.alone:
        return asked and not any(c.isdigit() for c in plain)  # `rouse check?`
    spoken = asked or (reading.comment is not None and "#" not in plain)
    return spoken or not stands_alone(reading, system)


def _check_length(plain: str, start: int, word: str) -> None:
    """GEN-15."""
    if len(plain) > MOST_CHARACTERS and len(plain) > (most := max(g.most for g in catalogue.claims()[word])):
        grammar = catalogue.claims()[word][0]
        asked = _dice_follow(word, plain[start + len(word) : start + 40])
        raise Unread(
            grammar, most, f"a command has at most {most} characters, yours has {len(plain)}.", asked=asked, fatal=True
        )


def _chosen(plain: str, start: int, word: str, system: str) -> Reading:
    """The reading of the first grammar that reads the whole line; else Unread, of the one that came furthest.

    What the channel's own game objects to, or takes for no comment, is not read by another (GEN-12).
    """
    failures: list[Unread] = []
    for grammar in catalogue.candidates(word, system):
        try:
            reading = _held(grammar, plain, start, word, system) if grammar.holds else _by(grammar, plain, start, word)
        except Unread as failure:
            if failure.asked or ((failure.fatal or failure.committed) and grammar.name == system):
                raise
            failures.append(failure)
        else:
            if not (reading.comment and any(_is_in_words(failure, plain, reading, start) for failure in failures)):
                return reading
            break
    raise max(failures, key=lambda failure: (failure.fatal, failure.at))


def _is_in_words(failure: Unread, plain: str, reading: Reading, start: int) -> bool:
    """Whether a grammar stopped in the words that another takes for a comment."""
    return failure.at > start + len(reading.typed) and plain[failure.at : failure.at + 1] != "#"


def _by(grammar: Grammar, plain: str, start: int, word: str) -> Reading:
    """The reading of one grammar."""
    try:
        found = grammar.lines[word].parse_string(plain)
    except Objection as objection:
        raise Unread(
            grammar, objection.loc, objection.sentence, asked=objection.asked, hint=objection.hint, fatal=True
        ) from None
    except pp.ParseBaseException as lost:
        at = max(lost.loc, start + len(word))
        at += len(plain[at:]) - len(plain[at:].lstrip())
        committed = isinstance(lost, pp.ParseFatalException)
        raise Unread(grammar, at, _sentence(lost, plain, at, word), committed=committed) from None
    node, tail = found
    assert isinstance(node, Command)
    assert isinstance(tail, Tail)
    typed = plain[start : tail.at].rstrip()
    alone = len(typed.rstrip(" .!?")) == len(word)  # `WP!` is one word too
    return Reading(node, grammar.name, word, typed, tail.comment, tail.name, tail.ref, alone)


def _sentence(lost: pp.ParseBaseException, plain: str, at: int, word: str) -> str:
    """What is wrong where a grammar stopped: the whole word there, or what is missing at the end."""
    while 0 < at < len(plain) and plain[at - 1 : at + 1].isalnum():
        at -= 1
    rest = plain[at:].split()
    if not rest:
        expected = lost.msg.removeprefix("Expected ")
        return (
            f"{word} needs more: {expected}."
            if isinstance(lost, pp.ParseFatalException)
            else f"{word} is not complete."
        )
    if any(c.isdigit() and not c.isascii() for c in rest[0]):
        return f'"{shown(rest[0])}" has digits of another kind.'
    return f'"{shown(rest[0])}" is unknown.'


def _error(failure: Unread, line: Line, text: str, start: int, word: str, system: str) -> CommandSyntaxError:
    """The failure for a person: its column in the line as typed, and the nearest command that works."""
    column = line.column(failure.at)
    example = _example(failure.grammar, line.plain[start:], word)
    if failure.fatal:
        hint = failure.hint if failure.hint and _keeps_all(failure.hint, system) else None
        return CommandSyntaxError(failure.sentence, text, column, hint, False, failure.asked, example)
    hint = _suggested(failure.grammar, line.plain, start, word, system)
    sentence = failure.sentence
    if (
        hint is None
        and _may_say_more(failure, line.plain, start, word)
        and (doubtful := _doubtful(failure, line.plain, word))
    ):
        sentence = f'is "{doubtful}" part of the roll, or of a comment? Put # before a comment.'
    return CommandSyntaxError(sentence, text, column, hint, True, False, example)


def _keeps_all(hint: str, system: str) -> bool:
    """Whether a command that an objection offers works, and leaves no number in words to a comment (GEN-11)."""
    found = _works(hint, system)
    return found is not None and FIGURES.keys().isdisjoint(found.partition(" # ")[2].lower().split())


def _doubtful(failure: Unread, plain: str, word: str) -> str | None:
    """GEN-03: the word, after others that are plain talk, for which they are not taken as a comment."""
    rest = plain[failure.at :]
    found = may_be_meant(rest, plain_words(failure.grammar.tokens.get(word, ())))
    return found if found and not rest.startswith(found) and rest[:1].isalpha() else None


def _suggested(grammar: Grammar, plain: str, start: int, word: str, system: str) -> str | None:
    works = partial(_works, system=system)
    grammars = [grammar, *(g for g in catalogue.candidates(word, system) if g is not grammar)]
    own = [(g, g.tokens[word]) for g in grammars if word in g.keywords]
    return next(
        (s for g, tokens in own if (s := suggestion(plain, start + len(word), tokens, g.synonyms, works))), None
    )


def _works(text: str, system: str, *, called: bool = True) -> str | None:
    """`text` as a hint shows it, where it is a command that says all it holds."""
    start = len(text) - len(text.lstrip())
    word = catalogue.command_word(text, start)
    if word is None:
        return None
    try:
        reading = _chosen(text, start, word, system)
    except Unread:
        return None
    if not called and _counts_only_when_called(reading, text, system):
        return None
    return str(reading.node) if reading.comment is None else f"{reading.node} # {reading.comment}"


def _example(grammar: Grammar, plain: str, word: str) -> str | None:
    """The example of the grammar that begins as the line does."""
    typed = plain[:MOST_CHARACTERS].lower().split()
    fitting = [e for e in grammar.examples if catalogue.command_word(e) == word]

    def alike(example: str) -> int:
        return sum(a == b for a, b in zip(example.lower().split(), typed, strict=False))

    return max(fitting, key=alike, default=None)


def _was_meant(lost: Unread, plain: str, start: int, word: str) -> bool:
    """Whether an uncalled line that cannot be read was probably meant as a command."""
    if word in catalogue.called_words():
        return False
    return lost.asked or _may_say_more(lost, plain, start, word) or _worth_a_hint(plain, start, word, lost)


def _may_say_more(failure: Unread, plain: str, start: int, word: str) -> bool:
    """GEN-03: whether the words after a complete command that could not be talk may have been meant as part of it."""
    command = plain[: failure.at].rstrip(" ,;:-")
    grammar = failure.grammar
    if failure.fatal or len(command) == failure.at or could_be_talk(command[start:], grammar.certain):
        return False
    if not may_be_meant(plain[failure.at :], plain_words(grammar.tokens.get(word, ()))):
        return False
    try:
        return _by(grammar, command, start, word).comment is None
    except Unread:
        return False


def _worth_a_hint(plain: str, start: int, word: str, failure: Unread) -> bool:
    """Whether a line that is no complete command was probably meant as one (language.md)."""
    after = plain[start + len(word) :]
    if _dice_follow(word, after):
        return True
    word, after = _inner(word, after)
    said = [w.strip(_MARKS).lower() for w in _COMMENT.split(after, maxsplit=1)[0].split()]
    most = MOST_CHARACTERS if failure.fatal else MOST_HINTED_WORDS  # what was understood is no guess
    if len(said) + 1 > most or not any(c.isdigit() for w in said for c in w):
        return False
    counted = [w for w in said if w and not _LONE.fullmatch(w)]
    grammar, claims = failure.grammar, catalogue.claims()[word]
    tokens = [token for token in grammar.tokens.get(word, ()) if not token.re.match(_ANY_WORD)]
    numbered = [token for g in claims for found in g.tokens.values() for token in found if token.numbered]
    known = [w for w in counted if knows(tokens, w) or knows(numbered, w) or _nearly(w, tokens, grammar.synonyms)]
    return len(counted) - len(known) < len(known)


def _nearly(typed: str, tokens: list[Token], synonyms: Mapping[str, str]) -> bool:
    """Whether a word is one letter off a word of the grammar, or stands for one there."""
    words = [w for token in tokens for w in token.words]
    stem = _STEM.match(typed)
    if stem is None or synonyms.get(typed) in words:
        return stem is not None
    return len(stem[0]) > 2 and bool(near(stem[0], words))


def _dice_follow(word: str, after: str) -> bool:
    """Whether `NdX` follows a word that takes it, as `roll 5d10 …` or `odds roll 5d10 …`."""
    word, after = _inner(word, after)
    return any(word in g.takes_dice for g in catalogue.claims()[word]) and _DICE_NEXT.match(after) is not None


def _inner(word: str, after: str) -> tuple[str, str]:
    """The word that says what a line is about, `v5` of `odds v5 8`, and what follows it."""
    if any(g.holds for g in catalogue.claims()[word]) and (inner := catalogue.command_word(after.lstrip())):
        return inner, after.lstrip()[len(inner) :]
    return word, after


def _without_a_word(line: Line, text: str, start: int, system: str, called: bool) -> Reading:
    """A line that begins with no command word: dice where the bot is called (GEN-04), a misspelt word, or talk."""
    plain = line.plain
    if called and _DICE_FIRST.match(plain, start):
        return _rolled(line, text, start, system)
    hint = None
    first = _WORD.match(plain, start)
    if first and (called or NDX.search(plain, first.end())):
        meant = _near_command(first[0], plain, system)
        hint = _works(f"{meant}{plain[first.end() :]}", system, called=called) if meant else None
    if hint and first:
        raise CommandSyntaxError(f'"{shown(first[0])}" is unknown.', text, line.column(start), hint, guess=True)
    if not called:
        raise UnknownCommand(f'"{shown(plain)}" is no command')
    said = shown(plain[start:])
    sentence = f'"{said}" is not a command I know.' if said else "a command is missing."
    raise CommandSyntaxError(
        sentence, text, line.column(start), _further_on(plain, start, system) or "help", guess=True
    )


def _rolled(line: Line, text: str, start: int, system: str) -> Reading:
    """GEN-04: called, `5d10 h2` is `roll 5d10 h2`; columns stay those of the line as typed."""
    added = "roll "
    try:
        return read(added + line.plain[start:], system, True)
    except CommandSyntaxError as error:
        column = line.column(start + max(error.column - 1 - len(added), 0))
        raise replace(error, text=text, column=column) from None


def _near_command(typed: str, plain: str, system: str) -> str | None:
    words = (word for word in catalogue.claims() if catalogue.counts(word, plain, system))
    return next(iter(near(typed.lower(), words)), None)


def _further_on(plain: str, start: int, system: str) -> str | None:
    """The command that a line holds after other words: `please roll 5d10`; the question about a posted line's id."""
    if ids := WHOLE_ID.findall(plain[:MOST_CHARACTERS]):
        return f"verify {ids[-1].lower()}"
    words = (m.end() for m in _SPACE.finditer(plain[:MOST_CHARACTERS], start) if _may_begin(plain, m.end()))
    return next((found for at in islice(words, MOST_FURTHER_ON) if (found := _works(plain[at:], system))), None)


def _may_begin(plain: str, at: int) -> bool:
    """Whether a command may begin there; what stands before it holds no number, which would be lost (GEN-11)."""
    return catalogue.command_word(plain, at) is not None and not any(map(str.isdigit, plain[:at]))


def _held(grammar: Grammar, plain: str, start: int, word: str, system: str) -> Reading:
    """A command that holds another, `odds COMMAND` (GEN-08): the other is read as if the bot were called."""
    assert grammar.holds is not None
    at = start + len(word)
    at += len(plain[at:]) - len(plain[at:].lstrip())
    inner, full = _more(grammar, plain[at:])
    inner_word = catalogue.command_word(inner)
    added = ""
    if inner_word is None and _DICE_FIRST.match(inner):
        added, inner_word = "roll ", "roll"
    example = next(iter(grammar.examples))
    if inner_word is None or any(g.holds for g in catalogue.claims()[inner_word]):
        raise Unread(grammar, at, f"{word} needs a command that rolls, as {example}.", fatal=True)
    try:
        reading = _chosen(added + inner, 0, inner_word, system)
    except Unread as lost:
        hint = lost.hint or (None if lost.fatal else _suggested(lost.grammar, added + inner, 0, inner_word, system))
        hint = f"{word} {hint}" if hint else None
        raise Unread(
            lost.grammar, at + max(lost.at - len(added), 0), lost.sentence, asked=lost.asked, hint=hint, fatal=True
        ) from None
    said = catalogue.command_word(str(reading.node))  # `roll` alone is help
    if not any(g.is_system for g in catalogue.claims()[said or inner_word]):
        raise Unread(grammar, at, f"{word} needs a command that rolls, as {example}.", fatal=True)
    node = grammar.holds(reading.node, full)
    return replace(reading, node=node, grammar=grammar.name, word=word, typed=f"{word} {reading.typed}", alone=False)


def _more(grammar: Grammar, inner: str) -> tuple[str, bool]:
    """The command that is held, and whether the word that asks for more stands last."""
    said, mark, comment = inner.partition(" # ")
    command, _, last = said.rstrip(" .!?").rpartition(" ")
    asked = bool(grammar.more) and last.lower() == grammar.more
    return (command + mark + comment, True) if asked else (inner, False)
