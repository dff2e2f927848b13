"""The gate: one line in, a reading or an error out (GEN-03, GEN-04, GEN-10 to GEN-19)."""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache, partial

import pyparsing as pp

from grammars import catalogue, odds, repeat, suggest
from grammars.catalogue import Grammar
from grammars.command import Command
from grammars.errors import CommandSyntaxError, ImpossibleError, Objection, UnknownCommand
from grammars.line import FLAGS, MOST_CHARACTERS, NDX, Line, shown
from grammars.reading import Doubtful, Reading
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


@dataclass(eq=False)
class Unread(Exception):  # noqa: N818  # not an error yet: another grammar may read the line
    """A grammar could not read a line, and pyparsing's error about it."""

    grammar: Grammar
    error: pp.ParseBaseException

    @property
    def fatal(self) -> bool:
        """Whether it objects to something that was understood."""
        return isinstance(self.error, Objection)

    @property
    def asked(self) -> bool:
        """Whether it is reported even if the bot was not called (GEN-12)."""
        return isinstance(self.error, Objection) and self.error.asked


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
    plain = line.plain
    word = catalogue.command_word(plain)
    if at := _repeated_at(plain):
        return _repeated(line, text, at, system, called)
    if word is None or not (called or catalogue.counts(word, plain, system)):
        return _without_a_word(line, text, system, called)
    try:
        if len(plain) > MOST_CHARACTERS:
            _check_length(plain, word)
        reading = _odds(line, text, system, called) if word == ODDS else _chosen(plain, word, system)
    except Unread as lost:
        if called or _was_meant(lost, plain, word):
            raise _error(lost, line, text, word, system) from None
        sentence = f'"{shown(text)}" is no command'
        of_pools = all(g.name != catalogue.LAST for g in catalogue.claims()[word])  # GEN-14: `roll 5` needs a call
        if lost.fatal and of_pools and (number := _NUMBER_ALONE.fullmatch(plain, len(word))):
            error = _error(lost, line, text, word, system)
            raise UnknownCommand(sentence, error=error, number=number[1]) from None
        raise UnknownCommand(sentence) from None
    if not called and _counts_only_when_called(reading, plain, system):
        raise UnknownCommand(f'"{shown(text)}" is a command only when the bot is called', reading=reading)
    return reading


def as_typed(command: str, system: str, prefix: str = "!", nick: str = "FUDice") -> str:
    """A command as typed in a channel that plays `system`: with a prefix if needed, or as a private message."""
    try:
        node = read(command, system, True).node
        if node.only_aside or node.channel is not None:
            return f"/msg {nick} {command}"
        read(command, system)
    except UnknownCommand as silence:
        return command if silence.reading and _awaits_its_moment(silence.reading) else f"{prefix}{command}"
    except CommandSyntaxError:
        return f"{prefix}{command}"
    return command


def _awaits_its_moment(reading: Reading) -> bool:
    """Whether a word alone can be a command in the right situation, such as `wp` after a roll (GEN-10)."""
    grammar = catalogue.named(reading.grammar)
    needs_a_call = reading.node.only_called or reading.word in catalogue.called_words()
    return reading.alone and not needs_a_call and (grammar is None or reading.word not in grammar.works_alone)


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
    if reading.node.only_called or reading.word in catalogue.called_words():
        return True
    if plain.rstrip().endswith("?") and not any(map(str.isdigit, plain)):
        return True  # `rouse check?`
    if not reading.alone:
        return False
    own = catalogue.named(system)
    works = own is not None and reading.grammar == system and reading.word in own.works_alone
    return reading.in_words or not works


def _check_length(plain: str, word: str) -> None:
    """GEN-15."""
    claims = catalogue.claims()[word]
    most = max([grammar.max_length.get(word, MOST_CHARACTERS) for grammar in claims])
    if len(plain) > most:
        sentence = f"a command has at most {most} characters, yours has {len(plain)}."
        raise Unread(claims[0], Objection(plain, most, ImpossibleError(sentence)))


def _chosen(plain: str, word: str, system: str) -> Reading:
    """The reading of the first grammar that reads the whole line; otherwise Unread from the one that got furthest.

    If the channel's own game objects, no other game reads the line (GEN-12).
    """
    failures: list[Unread] = []
    for grammar in catalogue.candidates(word, system):
        try:
            node, tail = grammar.lines[word].parse_string(plain)
        except pp.ParseBaseException as error:
            failure = Unread(grammar, error)
            if failure.asked or (isinstance(error, pp.ParseFatalException) and grammar.name == system):
                raise failure from None  # no other grammar can be meant
            failures.append(failure)
        else:
            typed = plain[: tail.at].rstrip()
            if tail.in_words and any(failure.error.loc > len(typed) for failure in failures):
                break  # its comment contains words that another grammar understood
            alone = typed.lower() == word and plain[tail.at : tail.at + 1] != "?"
            said = tail.comment, tail.speaks_as, tail.ref, tail.in_words
            return Reading(node, grammar.name, word, typed, *said, alone)
    raise max(failures, key=lambda failure: (failure.fatal, failure.error.loc))


def _error(lost: Unread, line: Line, text: str, word: str, system: str) -> CommandSyntaxError:
    """The error for the user: its column in the line as typed, and the nearest command that works."""
    plain, error = line.plain, lost.error
    at = max(error.loc, len(word))
    if at == len(word) or not lost.fatal:
        at += plain[at : at + 1] == " "
    offer = suggest.offer(plain, word, system, lost.grammar, error, at, partial(_works, system=system))
    sentence = _unknown(plain[at:]) if offer.misspelt and isinstance(error, Doubtful) else _sentence(error, plain, at)
    return CommandSyntaxError(sentence, text, line.column(at), offer.hint, not lost.fatal, offer.example)


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


def _works(text: str, system: str, *, called: bool = True) -> str | None:
    """`text` as shown in a hint, if it is a command that loses nothing."""
    plain = text.lstrip()
    word = catalogue.command_word(plain)
    try:
        if word not in (None, ODDS):
            reading = _chosen(plain, word, system)
        elif word or _repeated_at(plain):
            reading = read(plain, system, called)
        else:
            return None
    except (Unread, CommandSyntaxError, UnknownCommand):
        return None
    if not called and _counts_only_when_called(reading, text, system):
        return None
    return str(reading)


def _was_meant(lost: Unread, plain: str, word: str) -> bool:
    """Whether an uncalled line that cannot be read was probably meant as a command."""
    if word in catalogue.called_words():
        return False
    doubtful = isinstance(lost.error, Doubtful)
    return lost.asked or doubtful or _dice_follow(plain, word) or _mostly_known(lost, plain, word)


def _mostly_known(lost: Unread, plain: str, word: str) -> bool:
    """Whether a line contains a digit, and mostly words that the grammar knows or nearly knows."""
    said = [w.strip(MARKS).lower() for w in _COMMENT.split(plain[len(word) :], maxsplit=1)[0].split()]
    most = MOST_CHARACTERS if lost.fatal else MOST_HINTED_WORDS  # an objection is not a guess
    if len(said) + 1 > most or not any(c.isdigit() for w in said for c in w):
        return False
    counted = [w for w in said if w and not _LONE.fullmatch(w)]
    tokens = lost.grammar.tokens[word]
    claims = catalogue.claims()[word]
    numbered = [token for g in claims for found in g.tokens.values() for token in found if token.numbered]
    words = [w for token in tokens for w in token.words]
    long = [w for w in words if len(w) > 3]

    def known(typed: str) -> bool:
        stem = _STEM.match(typed)
        return (
            knows(tokens, typed)
            or knows(numbered, typed)
            or lost.grammar.synonyms.get(typed) in words
            or bool(stem and len(stem[0]) > 2 and near(stem[0], long))
        )

    return len(counted) < 2 * sum(map(known, counted))


def _dice_follow(plain: str, word: str) -> bool:
    """Whether `NdX` follows a word that takes dice: `roll 5d10 …`."""
    takes = any(word in grammar.takes_dice for grammar in catalogue.claims()[word])
    return takes and _DICE_NEXT.match(plain[len(word) : len(word) + 40]) is not None


def _without_a_word(line: Line, text: str, system: str, called: bool) -> Reading:
    """A line without a command word: dice if the bot is called (GEN-04), a misspelt word, or talk."""
    plain = line.plain
    dice = _DICE_FIRST.match(plain) is not None
    if called and dice:
        return _held(line, text, -len(ROLL), ROLL + plain, system, called)
    first = _WORD.match(plain)
    if first and (called or NDX.search(plain, first.end())):
        words = (word for word in catalogue.claims() if catalogue.counts(word, plain, system))
        meant = (_works(word + plain[first.end() :], system, called=called) for word in near(first[0].lower(), words))
        if hint := next(filter(None, meant), None):
            raise CommandSyntaxError(f'"{shown(first[0])}" is unknown.', text, line.column(0), hint, guess=True)
    if not called:
        raise UnknownCommand(f'"{shown(plain)}" is no command', dice=dice)
    sentence = f'"{shown(plain)}" is not a command I know.' if plain else "a command is missing."
    further_on = suggest.further_on(plain, partial(_works, system=system))
    raise CommandSyntaxError(sentence, text, line.column(0), further_on or "help", guess=True)


def _held(line: Line, text: str, at: int, held: str, system: str, called: bool, before: str = "") -> Reading:
    """Read the command `held`, which starts at `at` in the line; hints are prefixed with `before`."""
    try:
        return read(held, system, called)
    except CommandSyntaxError as error:
        column = line.column(max(0, at + error.column - 1))
        hint, example = (offer and f"{before}{offer}" for offer in (error.hint, error.example))
        raise replace(error, text=text, column=column, hint=hint, example=example) from None


def _repeated_at(plain: str) -> int:
    """The start of the command in `Nx COMMAND` (GEN-17); 0 if the line has another form."""
    at = repeat.command_at(plain)
    return at if at and catalogue.command_word(plain, at) else 0


def _repeated(line: Line, text: str, at: int, system: str, called: bool) -> Reading:
    """GEN-17: the command after `Nx`; uncalled, it must contain dice."""
    plain = line.plain
    silence = UnknownCommand(f'"{shown(text)}" is no command')
    if not (called or NDX.search(plain, at)):
        raise silence
    try:
        reading = _held(line, text, at, plain[at:], system, called, before=plain[:at])
        node = repeat.Repeated(reading.node, repeat.count_of(plain))
    except UnknownCommand:
        raise silence from None
    except ImpossibleError as error:
        raise CommandSyntaxError(error.about(plain[:at].strip()), text, line.column(0)) from None
    if not (called or NDX.search(reading.typed)):
        raise silence
    if not any(g.is_system for g in catalogue.claims()[reading.word]):
        if not called:
            raise silence
        raise CommandSyntaxError("only a command that rolls is repeated, as 3x roll 5d10.", text, line.column(at))
    return reading._replace(node=node, typed=f"{plain[:at]}{reading.typed}", alone=False)


def _odds(line: Line, text: str, system: str, called: bool) -> Reading:
    """`odds COMMAND` (GEN-08), in the grammar of that command."""
    plain, grammar = line.plain, catalogue.claims()[ODDS][0]
    sentence = f"odds needs a command that rolls, as {next(iter(grammar.examples))}."
    unsaid = Unread(grammar, Objection(plain, len(ODDS), ImpossibleError(sentence)))
    try:
        held, *full = odds.GRAMMAR.parse_string(plain)
    except pp.ParseException:
        raise unsaid from None
    at = plain.index(held, len(ODDS))
    word = catalogue.command_word(held)
    if word is None and _DICE_FIRST.match(held):
        held, word, at = ROLL + held, ROLL.strip(), at - len(ROLL)
    if word in (None, ODDS):
        raise unsaid
    try:
        reading = _held(line, text, at, held, system, True, before=f"{ODDS} ")
    except CommandSyntaxError:
        if not called:
            with suppress(CommandSyntaxError):
                read(held, system)  # raises UnknownCommand for talk
        raise
    said = catalogue.command_word(str(reading.node))  # `roll` alone is help
    if said is None or not any(g.is_system for g in catalogue.claims()[said]):
        raise unsaid
    node = odds.OddsOf(reading.node, bool(full))
    return reading._replace(node=node, grammar=ODDS, word=ODDS, typed=str(node), alone=False)
