"""The gate: one line in, a reading or an error out (GEN-03, GEN-04, GEN-10 to GEN-19)."""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from typing import NoReturn

import pyparsing as pp

from grammars import catalogue, odds, repeat, suggest
from grammars.catalogue import Grammar
from grammars.command import Command
from grammars.errors import CommandSyntaxError, ImpossibleError, Objection, Refused
from grammars.line import FLAGS, MOST_CHARACTERS, NDX, SPACE_OR_COMMA, Line, shown
from grammars.reading import INSIDE, Doubtful, Reading, UnknownCommand, could_be_talk, name_in
from grammars.suggest import MARKS, knows
from grammars.tokens import near

MOST_HINTED_WORDS = 10
ROLL = "roll "
ODDS = "odds"
_DICE_NEXT = re.compile(rf"(?!\s*d[0-9]+s(?![a-z0-9]))\s*[-+]?{NDX.pattern}", FLAGS)  # `roll d20s` is talk
_DICE_FIRST = re.compile(rf"(?:[0-9]{{1,2}}\s?[x#]\s*)?[-+(\s]*{NDX.pattern}", FLAGS)
_LONE = re.compile(r"[-+]?[0-9]+(?:[-+/.][0-9]+)*")  # a number, a score
_NUMBER_ALONE = re.compile(r"\s?x?([0-9]{1,3})(?: (?:dice|die|times))?[.!]*(?:\s?#.*)?", FLAGS)  # of `wp 4`, `v5 200`
_AFTER_COMMA = re.compile(r",\s*$")
_COMMENT = re.compile(r"(?:^|\s)(?:#|for)(?:\s|$)")
_WORD = re.compile(r"[^\W\d_]+")
_STEM = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")


def parse(text: str, system: str = "v5", called: bool = False) -> Command:
    """The command in `text`, as a node.

    `system` is the channel's game; `called` means that the bot was addressed by name, prefix or in private. Raises
    UnknownCommand for talk and CommandSyntaxError for a command that cannot be read.
    """
    return read(text, system, called).node


@lru_cache(maxsize=2048)
def read(text: str, system: str = "v5", called: bool = False) -> Reading:
    """Read `text`. Raises UnknownCommand for talk and CommandSyntaxError for a faulty command."""
    line = Line.of(text)
    try:
        reading = _understood(line.plain, system, called)
    except Unread as unread:
        refused = _refusal(unread, system, called)
    except CommandSyntaxError as error:
        refused = error
    else:
        if called or not _counts_only_when_called(reading, line.plain, system):
            return reading
        refused = UnknownCommand(f'"{shown(text)}" is a command only when the bot is called', reading)
    if isinstance(refused, CommandSyntaxError):
        refused = replace(refused, text=text, column=line.column(max(0, refused.column - 1)))
    raise refused from None


def as_typed(command: str, system: str, prefix: str = "!", nick: str = "FUDice") -> str:
    """A command as typed in a channel that plays `system`: with a prefix if needed, or as a private message."""
    try:
        node = read(command, system, True).node
        if node.only_aside or node.channel is not None:
            return f"/msg {nick} {command}"
        read(command, system)
    except (UnknownCommand, CommandSyntaxError) as refused:
        reading = refused.reading if isinstance(refused, UnknownCommand) else None
        # A word alone may be a command at the right moment, such as `wp` after a roll (GEN-10).
        has_its_moment = reading and reading.alone and not (_needs_a_call(reading) or _works_alone(reading))
        return command if has_its_moment else f"{prefix}{command}"
    return command


def begins_a_command(plain: str) -> bool:
    """Whether a prefix before this text is for us: a command word or dice follow (GEN-02, GEN-04)."""
    return bool(catalogue.command_word(plain) or _repeated_at(plain) or _DICE_FIRST.match(plain))


def may_be_a_command(plain: str) -> bool:
    """Whether an uncalled line begins with a command word or dice, or contains dice, as a misspelt one may (GEN-16).

    Cheap, for rate limits: nothing is parsed.
    """
    return begins_a_command(plain) or NDX.search(plain) is not None


def looks_like_a_command(plain: str) -> bool:
    """Whether a line has a command word followed by a digit: the fallback if reading it fails (GEN-19)."""
    word = catalogue.command_word(plain)
    return word is not None and any(c in "0123456789" for c in plain[len(word) :])


def _counts_only_when_called(reading: Reading, plain: str, system: str) -> bool:
    """GEN-10 for a word alone, GEN-13 and GEN-14 for commands that must be called."""
    if _needs_a_call(reading) or (plain.rstrip().endswith("?") and not any(map(str.isdigit, plain))):  # `rouse check?`
        return True
    return reading.alone and (reading.in_words or reading.grammar != system or not _works_alone(reading))


def _needs_a_call(reading: Reading) -> bool:
    node = reading.node
    only_called = node.only_called and not (reading.speaks_as and node.inner.by_members)
    return only_called or reading.word in catalogue.called_words()


def _works_alone(reading: Reading) -> bool:
    grammar = catalogue.named(reading.grammar)
    return grammar is not None and reading.word in grammar.works_alone


# Reading, by the first grammar that takes the whole line.


@dataclass(eq=False)
class Unread(Exception):  # noqa: N818  # not an error yet: it may be talk
    """A command that cannot be read: the grammar that got furthest, and pyparsing's error.

    As the inner command of another, it starts at `at`, and `before` precedes it in hints.
    """

    plain: str
    word: str
    grammar: Grammar
    error: pp.ParseBaseException
    at: int = 0
    before: str = ""

    @property
    def fatal(self) -> bool:
        """Whether it objects to something that was understood."""
        return isinstance(self.error, Objection)

    @property
    def asked(self) -> bool:
        """Whether it is reported even if the bot was not called (GEN-12)."""
        return isinstance(self.error, Objection) and self.error.asked


def _understood(plain: str, system: str, called: bool) -> Reading:
    """The reading of a line, if it is a command. Otherwise Unread, or the errors of `read`, in columns of `plain`."""
    if at := _repeated_at(plain):
        return _repeated(plain, at, system, called)
    word = catalogue.command_word(plain)
    if word is None or not (called or catalogue.counts(word, plain, system)):
        if called and _DICE_FIRST.match(plain):  # GEN-04
            return _inner(ROLL + plain, -len(ROLL), system, called)
        _refuse_without_a_word(plain, system, called)
    claims = catalogue.claims()[word]
    most = max(grammar.max_length.get(word, MOST_CHARACTERS) for grammar in claims)
    if len(plain) > most:  # GEN-15
        sentence = f"a command has at most {most} characters, yours has {len(plain)}."
        raise Unread(plain, word, claims[0], Objection(plain, most, ImpossibleError(sentence)))
    if word == ODDS:
        return _odds(plain, system)
    return _named_inside(plain, word, system) or _chosen(plain, word, system)


def _named_inside(plain: str, word: str, system: str) -> Reading | None:
    """The reading of a game's command with `as NAME` inside, as in `sc strike 6 as Ghoul vs Viktor`; else None."""
    found = INSIDE.search(plain)
    if found and catalogue.is_of_a_game(word):
        with suppress(Unread):
            reading = _chosen(plain[: found.start()] + plain[found.end() :], word, system)
            if reading.typed[found.start() :].strip(SPACE_OR_COMMA) and reading.speaks_as is None:
                return reading._replace(speaks_as=name_in(found["name"]), inside=True)
    return None


def _chosen(plain: str, word: str, system: str) -> Reading:
    """The reading of the first grammar that reads the whole line; otherwise Unread from the one that got furthest.

    If the channel's own game objects, no other game reads the line (GEN-12).
    """
    failures: list[Unread] = []
    for grammar in catalogue.candidates(word, system):
        try:
            node, tail = grammar.lines[word].parse_string(plain)
        except pp.ParseBaseException as error:
            failures.append(Unread(plain, word, grammar, error))
            if failures[-1].asked or (isinstance(error, pp.ParseFatalException) and grammar.name == system):
                raise failures[-1] from None  # no other grammar can be meant
        else:
            typed = plain[: tail.at].rstrip()
            if tail.in_words and any(failure.error.loc > len(typed) for failure in failures):
                break  # its comment contains words that another grammar understood
            alone = typed.lower() == word and plain[tail.at : tail.at + 1] != "?"
            said = tail.comment, tail.speaks_as, tail.ref, tail.in_words
            return Reading(node, grammar.name, word, typed, *said, alone)
    raise max(failures, key=lambda failure: (failure.fatal, failure.error.loc))


def _inner(plain: str, at: int, system: str, called: bool, before: str = "") -> Reading:
    """Read the inner command of a line, which starts there."""
    try:
        return _understood(plain, system, called)
    except Unread as unread:
        raise replace(unread, at=at + unread.at, before=before + unread.before) from None


def _repeated_at(plain: str) -> int:
    """The start of the command in `Nx COMMAND` (GEN-17); 0 if the line has another form."""
    at = repeat.command_at(plain)
    return at if at and catalogue.command_word(plain, at) else 0


def _repeated(plain: str, at: int, system: str, called: bool) -> Reading:
    """GEN-17: the command after `Nx`; uncalled, it must contain dice."""
    silence = UnknownCommand(f'"{shown(plain)}" is no command')
    if not (called or NDX.search(plain, at)):
        raise silence
    reading = _inner(plain[at:], at, system, called, before=plain[:at])
    try:
        node = repeat.Repeated(reading.node, repeat.count_of(plain))
    except ImpossibleError as error:
        raise CommandSyntaxError(error.about(plain[:at].strip())) from None
    rolls = catalogue.is_of_a_game(catalogue.command_word(str(reading.node)))  # `roll` alone is help
    if not called and not (NDX.search(reading.typed) and rolls):
        raise silence
    if not rolls:
        raise CommandSyntaxError("only a command that rolls is repeated, as 3x roll 5d10.", column=at + 1)
    return reading._replace(node=node, typed=f"{plain[:at]}{reading.typed}", alone=False)


def _odds(plain: str, system: str) -> Reading:
    """`odds COMMAND` (GEN-08), in the grammar of that command."""
    (grammar,) = catalogue.claims()[ODDS]
    sentence = f"odds needs a command that rolls, as {next(iter(grammar.examples))}."
    unread = Unread(plain, ODDS, grammar, Objection(plain, len(ODDS), ImpossibleError(sentence)))
    try:
        inner, *full = odds.GRAMMAR.parse_string(plain)
    except pp.ParseException:
        raise unread from None
    word = catalogue.command_word(inner)
    if word == ODDS or not (word or _DICE_FIRST.match(inner)):
        raise unread
    reading = _inner(inner, plain.index(inner, len(ODDS)), system, True, before=f"{ODDS} ")
    if not catalogue.is_of_a_game(catalogue.command_word(str(reading.node))):  # `roll` alone is help
        raise unread
    node = odds.OddsOf(reading.node, bool(full))
    return reading._replace(node=node, grammar=ODDS, word=ODDS, typed=str(node), alone=False)


# What could not be read: talk, or an error with the nearest command that works.


def _refusal(unread: Unread, system: str, called: bool) -> Refused:
    """Silence, or an error if the bot was called, or if the line was probably meant as a command."""
    plain, word = unread.plain, unread.word
    if called or _was_meant(unread, system):
        return _error(unread, system)
    sentence = f'"{shown(plain)}" is no command'
    of_pools = all(g.name != catalogue.DICE_NOTATION for g in catalogue.claims()[word])  # GEN-14: `roll 5` needs a call
    if unread.fatal and of_pools and (number := _NUMBER_ALONE.fullmatch(plain, len(word))):
        return UnknownCommand(sentence, error=_error(unread, system), number=number[1])
    return UnknownCommand(sentence)


def _was_meant(unread: Unread, system: str) -> bool:
    """Whether an uncalled line that cannot be read was probably meant as a command."""
    plain, word = unread.plain, unread.word
    if word in catalogue.called_words() or not catalogue.counts(word, plain, system):
        return False
    takes_dice = any(word in grammar.takes_dice for grammar in catalogue.claims()[word])
    dice_follow = takes_dice and _DICE_NEXT.match(plain[len(word) : len(word) + 40]) is not None  # `roll 5d10 …`
    certain = unread.fatal and not could_be_talk(plain[: unread.error.loc], unread.grammar.certain)
    return unread.asked or certain or isinstance(unread.error, Doubtful) or dice_follow or _mostly_known(unread)


def _mostly_known(unread: Unread) -> bool:
    """Whether a line contains a digit, and mostly words that the grammar knows or nearly knows."""
    grammar, word = unread.grammar, unread.word
    said = [w.strip(MARKS).lower() for w in _COMMENT.split(unread.plain[len(word) :], maxsplit=1)[0].split()]
    most = MOST_CHARACTERS if unread.fatal else MOST_HINTED_WORDS  # an objection is not a guess
    if len(said) + 1 > most or not any(c.isdigit() for w in said for c in w):
        return False
    tokens, claims = grammar.tokens[word], catalogue.claims()[word]
    numbered = [token for g in claims for found in g.tokens.values() for token in found if token.numbered]
    words = [w for token in tokens for w in token.words]
    long = [w for w in words if len(w) > 3]

    def known(typed: str) -> bool:
        stem = _STEM.match(typed)
        alike = stem is not None and len(stem[0]) > 2 and near(stem[0], long)
        return bool(knows(tokens, typed) or knows(numbered, typed) or grammar.synonyms.get(typed) in words or alike)

    counted = [w for w in said if w and not _LONE.fullmatch(w)]
    return len(counted) < 2 * sum(map(known, counted))


def _refuse_without_a_word(plain: str, system: str, called: bool) -> NoReturn:
    """Refuse a line without a command word: it has a misspelt one, or is talk."""
    works = partial(_works, system=system, called=called)
    first = _WORD.match(plain)
    if first and (called or NDX.search(plain, first.end())):
        words = [word for word in catalogue.claims() if catalogue.counts(word, plain, system)]
        meant = (works(word + plain[first.end() :]) for word in near(first[0].lower(), words))
        if hint := next(filter(None, meant), None):
            raise CommandSyntaxError(f'"{shown(first[0])}" is unknown.', hint=hint, guess=True)
    if not called:
        raise UnknownCommand(f'"{shown(plain)}" is no command', dice=_DICE_FIRST.match(plain) is not None)
    sentence = f'"{shown(plain)}" is not a command I know.' if plain else "a command is missing."
    raise CommandSyntaxError(sentence, hint=suggest.further_on(plain, works) or "help", guess=True)


def _works(text: str, *, system: str, called: bool = True) -> str | None:
    """`text` as shown in a hint, if it is a command that loses nothing."""
    plain = text.lstrip()
    if not (catalogue.command_word(plain) or _repeated_at(plain)):
        return None
    with suppress(Unread, CommandSyntaxError, UnknownCommand):
        reading = _understood(plain, system, called)
        if called or not _counts_only_when_called(reading, plain, system):
            return str(reading)
    return None


def _error(unread: Unread, system: str) -> CommandSyntaxError:
    """The error for the user: its column, and the nearest command that works, or an example."""
    plain, word, error = unread.plain, unread.word, unread.error
    at = max(error.loc, len(word))
    if at == len(word) or not unread.fatal:
        at += plain[at : at + 1] == " "
    offer = suggest.offer(plain, word, system, unread.grammar, error, at, partial(_works, system=system))
    sentence = _unknown(plain[at:]) if offer.misspelt and isinstance(error, Doubtful) else _sentence(error, plain, at)
    hint, example = (offered and f"{unread.before}{offered}" for offered in (offer.hint, offer.example))
    if unread.before:  # what works alone may not work in another command: `odds 3x ...`, a contest in `3x ...`
        hint, example = (text if text and _works(text, system=system) else None for text in (hint, example))
    return CommandSyntaxError(sentence, column=unread.at + at + 1, hint=hint, guess=not unread.fatal, example=example)


def _sentence(error: pp.ParseBaseException, plain: str, at: int) -> str:
    """The error where a grammar stopped: an unknown word, or something missing at the end."""
    if isinstance(error, Objection):
        return error.sentence
    rest = plain[at:]
    if isinstance(error, Doubtful) and rest[:1].isalpha() and not rest.startswith(error.word):
        return f'is "{error.word}" part of the roll, or of a comment? Put # before a comment.'
    while 0 < at < len(plain) and plain[at - 1 : at + 1].isalnum():
        at -= 1
    if _AFTER_COMMA.search(plain[:at]) and NDX.match(plain, at):  # GEN-12
        again = shown(plain[at:].split()[0].rstrip(","))
        return f'is "{again}" part of one sum, or another roll? Write + before it, or roll it in a line of its own.'
    if plain[at:].strip():
        return _unknown(plain[at:])
    missing = f"needs {error.msg.removeprefix('Expected ')}" if isinstance(error, pp.ParseFatalException) else ""
    return f'"{shown(plain.rstrip())}" {missing or "is not complete"}.'


def _unknown(rest: str) -> str:
    first = rest.split()[0]
    if any(c.isdigit() and not c.isascii() for c in first):
        return f'"{shown(first)}" has digits of another kind.'
    return f'"{shown(first)}" is unknown.'
