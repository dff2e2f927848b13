"""Silence, hint or answer: one line of talk in, a reading or an error out (GEN-03, GEN-04, GEN-10 to GEN-19)."""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from itertools import islice

import pyparsing as pp

from grammars import catalogue, odds, repeat
from grammars.catalogue import Grammar
from grammars.command import Command
from grammars.errors import CommandSyntaxError, ImpossibleError, Objection, UnknownCommand
from grammars.line import Line, shown
from grammars.reading import Doubtful, Reading, Tail
from grammars.suggest import FIGURES, keeps_numbers, knows, near, rearranged, suggestion
from grammars.tokens import FLAGS, MOST_CHARACTERS, NDX, WHOLE_ID

MOST_HINTED_WORDS = 10
MOST_FURTHER_ON = 3  # GEN-16: command words after other words that are tried
ROLL = "roll "
ODDS = "odds"
_DICE_NEXT = re.compile(rf"(?!\s*d[0-9]+s(?![a-z0-9]))\s*[-+]?{NDX.pattern}", FLAGS)  # `roll d20s` is talk
_TIMES_NEXT = re.compile(r"\s*([0-9]{1,2})\s?x\s*(?![0-9]+\s?x)(?=[0-9d])", FLAGS)
_DICE_FIRST = re.compile(rf"(?:[0-9]{{1,2}}\s?[x#]\s*)?[-+(\s]*{NDX.pattern}", FLAGS)
_LONE = re.compile(r"[-+]?[0-9]+(?:[-+/.][0-9]+)*")  # a number, a score
_NUMBER_ALONE = re.compile(r"\s?x?([0-9]{1,3})(?: (?:dice|die|times))?[.!]*(?:\s?#.*)?", FLAGS)  # of `wp 4`, `v5 200`
_MARKS = ".,!?;:()"
_COMMENT = re.compile(r"(?:^|\s)(?:#|for)(?:\s|$)")
_WORD = re.compile(r"[^\W\d_]+")
_STEM = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")


@dataclass(eq=False)
class Unread(Exception):  # noqa: N818  # not an error by itself: another grammar may read the line
    """A grammar could not read a line, and pyparsing's error about it."""

    grammar: Grammar
    error: pp.ParseBaseException

    @property
    def fatal(self) -> bool:
        """Whether it is an objection to what was understood."""
        return isinstance(self.error, Objection)

    @property
    def committed(self) -> bool:
        """Whether only this grammar can be meant."""
        return isinstance(self.error, pp.ParseFatalException)

    @property
    def asked(self) -> bool:
        """Whether it is asked about even if the bot was not called (GEN-12)."""
        return isinstance(self.error, Objection) and self.error.asked


def parse(text: str, system: str = "v5", called: bool = False) -> Command:
    """The command in `text`, as a node.

    `system` is what the channel plays; `called` says that the bot was named, prefixed or spoken to alone. Raises
    UnknownCommand for talk and CommandSyntaxError for a command that cannot be read.
    """
    return read(text, system, called).node


@lru_cache(maxsize=2048)
def read(text: str, system: str = "v5", called: bool = False) -> Reading:
    """What `text` says. Raises UnknownCommand for talk and CommandSyntaxError for a command that cannot be read."""
    line = Line.of(text)
    plain = line.plain
    word = catalogue.command_word(plain)
    if at := _repeated_at(plain):
        return _repeated(line, text, at, system, called)
    if word is None or not (called or catalogue.counts(word, plain, system)):
        return _without_a_word(line, text, system, called)
    try:
        _check_length(plain, word)
        reading = _odds(line, text, system, called) if word == ODDS else _chosen(plain, word, system)
    except Unread as lost:
        if called or _was_meant(lost, plain, word):
            raise _error(lost, line, text, word, system) from None
        sentence = f'"{shown(text)}" is no command'
        of_pools = all(
            g.name != catalogue.LAST for g in catalogue.claims()[word]
        )  # GEN-14: `roll 5` counts only when called
        if lost.fatal and of_pools and (number := _NUMBER_ALONE.fullmatch(plain, len(word))):
            error = _error(lost, line, text, word, system)
            raise UnknownCommand(sentence, error=error, number=number[1]) from None
        raise UnknownCommand(sentence) from None
    if not called and _counts_only_when_called(reading, plain, system):
        raise UnknownCommand(f'"{shown(text)}" is a command only when the bot is called', reading=reading)
    return reading


def as_typed(command: str, system: str, prefix: str = "!", nick: str = "FUDice") -> str:
    """How a command is typed in a channel that plays `system`: with a prefix if it needs a call, or in private."""
    try:
        if read(command, system, True).node.only_aside:
            return f"/msg {nick} {command}"
        read(command, system)
    except UnknownCommand as silence:
        return command if silence.reading and _awaits_its_moment(silence.reading) else f"{prefix}{command}"
    except CommandSyntaxError:
        return f"{prefix}{command}"
    return command


def _awaits_its_moment(reading: Reading) -> bool:
    """Whether a word alone is a command when it makes sense, as `wp` after a roll (GEN-10)."""
    grammar = catalogue.named(reading.grammar)
    needs_a_call = reading.node.only_called or reading.word in catalogue.called_words()
    return reading.alone and not needs_a_call and (grammar is None or reading.word not in grammar.works_alone)


def begins_a_command(plain: str) -> bool:
    """Whether a prefix before this is ours: a command word or dice follow (GEN-02, GEN-04)."""
    return bool(catalogue.command_word(plain) or _repeated_at(plain) or _DICE_FIRST.match(plain))


def may_be_a_command(plain: str) -> bool:
    """Whether an uncalled line has a command word or dice in front, or dice at all, as a misspelt one would (GEN-16).

    Cheap, for rate limits: nothing is parsed.
    """
    return begins_a_command(plain) or NDX.search(plain) is not None


def looks_like_a_command(plain: str) -> bool:
    """Whether a line has a command word and a digit after it: how it is taken where reading it failed (GEN-19)."""
    word = catalogue.command_word(plain)
    return word is not None and any(c in "0123456789" for c in plain[len(word) :])


def _counts_only_when_called(reading: Reading, plain: str, system: str) -> bool:
    """GEN-10 for a word alone, GEN-13 and GEN-14 for what counts only when it is meant."""
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
    most = max([grammar.max_length for grammar in claims])
    if len(plain) > most:
        sentence = f"a command has at most {most} characters, yours has {len(plain)}."
        asked = _dice_follow(plain, word)
        raise Unread(claims[0], Objection(plain, most, ImpossibleError(sentence, asked=asked)))


def _chosen(plain: str, word: str, system: str) -> Reading:
    """The reading of the first grammar that reads the whole line; else Unread, of the one that came furthest.

    What the channel's own game objects to, or takes for no comment, is not read by another (GEN-12).
    """
    failures: list[Unread] = []
    for grammar in catalogue.candidates(word, system):
        try:
            node, tail = grammar.lines[word].parse_string(plain)
        except pp.ParseBaseException as error:
            failure = Unread(grammar, error)
            if failure.asked or (failure.committed and grammar.name == system):
                raise failure from None
            failures.append(failure)
        else:
            reading = _reading(grammar, plain, word, node, tail)
            if reading.in_words and any(failure.error.loc > len(reading.typed) for failure in failures):
                break  # its comment holds words that another grammar understood
            return reading
    raise max(failures, key=lambda failure: (failure.fatal, failure.error.loc))


def _reading(grammar: Grammar, plain: str, word: str, node: Command, tail: Tail) -> Reading:
    typed = plain[: tail.at].rstrip()
    alone = typed.lower() == word and plain[tail.at : tail.at + 1] != "?"
    return Reading(node, grammar.name, word, typed, tail.comment, tail.speaks_as, tail.ref, tail.in_words, alone)


def _error(lost: Unread, line: Line, text: str, word: str, system: str) -> CommandSyntaxError:
    """The failure for a person: its column in the line as typed, and the nearest command that works."""
    plain, error, grammar = line.plain, lost.error, lost.grammar
    at = max(error.loc, len(word))
    if at == len(word) or not lost.fatal:
        at += plain[at : at + 1] == " "
    sentence, example = _sentence(error, plain, at, word), _example(grammar, plain, word)
    if own := _own_game(word, system):  # GEN-11: `roll 3d6 a1` where Crossroads is played
        hint = _in_own_game(own, plain, word, system)
        if hint or _knows(own, plain[at:]):
            example = _example(own, plain, own.keywords[0])
            return CommandSyntaxError(sentence, text, line.column(at), hint, not lost.fatal, lost.asked, example)
    if isinstance(error, Objection):
        hint = error.hint if error.hint and _keeps_all(error.hint, system) else None
    elif hint := _suggested(grammar, plain, word, system):
        sentence = _unknown(plain[at:]) if isinstance(error, Doubtful) else sentence
    else:
        hint = _rearranged(grammar, plain, word, system) or _one_by_one(plain, word, system)
    return CommandSyntaxError(sentence, text, line.column(at), hint, not lost.fatal, lost.asked, example)


def _sentence(error: pp.ParseBaseException, plain: str, at: int, word: str) -> str:
    """What is wrong where a grammar stopped: the whole word there, or what is missing at the end."""
    if isinstance(error, Objection):
        return error.sentence
    rest = plain[at:]
    if isinstance(error, Doubtful) and rest[:1].isalpha() and not rest.startswith(error.word):
        return f'is "{error.word}" part of the roll, or of a comment? Put # before a comment.'
    while 0 < at < len(plain) and plain[at - 1 : at + 1].isalnum():
        at -= 1
    if plain[at:].strip():
        return _unknown(plain[at:])
    if isinstance(error, pp.ParseFatalException):
        return f"{word} needs {error.msg.removeprefix('Expected ')}."
    return f"{word} is not complete."


def _unknown(rest: str) -> str:
    first = rest.split()[0]
    if any(c.isdigit() and not c.isascii() for c in first):
        return f'"{shown(first)}" has digits of another kind.'
    return f'"{shown(first)}" is unknown.'


def _keeps_all(hint: str, system: str) -> bool:
    """Whether a command that an objection offers works, and leaves no number in words to a comment (GEN-11)."""
    found = _works(hint, system)
    return found is not None and FIGURES.keys().isdisjoint(found.partition(" # ")[2].lower().split())


def _own_game(word: str, system: str) -> Grammar | None:
    """The channel's game, where a line is in the dice notation and the game has words of its own."""
    own = catalogue.named(system)
    notation = any(grammar.name == catalogue.LAST for grammar in catalogue.claims()[word])
    return own if own and notation and word not in own.keywords else None


def _in_own_game(own: Grammar, plain: str, word: str, system: str) -> str | None:
    """`roll 3d6 a1` as a command of that game: `xr 3d6 a1`."""
    typed = f"{own.keywords[0]}{plain[len(word) :]}"
    found = None if "!" in typed else _works(typed, system)
    return found if found and "#" not in found and keeps_numbers(typed, found) else None


def _knows(own: Grammar, rest: str) -> bool:
    """Whether the word that was not understood is one of that game: `t4` of `roll 2d6 t4`."""
    unknown = rest.partition(" ")[0].strip(_MARKS).lower()
    return bool(unknown) and any(knows(tokens, unknown) for tokens in own.tokens.values())


def _suggested(grammar: Grammar, plain: str, word: str, system: str) -> str | None:
    works = partial(_works, system=system)
    others = (g for g in catalogue.candidates(word, system) if g is not grammar)
    found = (suggestion(plain, word, g.tokens[word], g.synonyms, works) for g in (grammar, *others))
    return next(filter(None, found), None)


def _rearranged(grammar: Grammar, plain: str, word: str, system: str) -> str | None:
    return rearranged(plain, word, grammar.tokens[word], grammar.synonyms, partial(_works, system=system))


def _one_by_one(plain: str, word: str, system: str) -> str | None:
    """GEN-17: `roll 3x 5d10 h2`, which no game throws at once, as `3x roll 5d10 h2`."""
    times = _TIMES_NEXT.match(plain, len(word))
    if times is None:
        return None
    with suppress(CommandSyntaxError, UnknownCommand):
        return str(read(f"{times[1]}x {word} {plain[times.end() :]}", system, True).node)
    return None


def _works(text: str, system: str, *, called: bool = True) -> str | None:
    """`text` as a hint shows it, where it is a command that says all it holds."""
    plain = text.lstrip()
    word = catalogue.command_word(plain)
    if word is None:
        return None
    try:
        reading = read(plain, system, called) if word == ODDS else _chosen(plain, word, system)
    except (Unread, CommandSyntaxError, UnknownCommand):
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


def _was_meant(lost: Unread, plain: str, word: str) -> bool:
    """Whether an uncalled line that cannot be read was probably meant as a command."""
    if word in catalogue.called_words():
        return False
    doubtful = isinstance(lost.error, Doubtful)
    return lost.asked or doubtful or _dice_follow(plain, word) or _mostly_known(lost, plain, word)


def _mostly_known(lost: Unread, plain: str, word: str) -> bool:
    """Whether a line holds a digit, and more words that the grammar knows or nearly knows than others (language.md)."""
    said = [w.strip(_MARKS).lower() for w in _COMMENT.split(plain[len(word) :], maxsplit=1)[0].split()]
    most = MOST_CHARACTERS if lost.fatal else MOST_HINTED_WORDS  # what was understood is no guess
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
    """Whether `NdX` follows a word that takes it, as `roll 5d10 …`."""
    takes = any(word in grammar.takes_dice for grammar in catalogue.claims()[word])
    return takes and _DICE_NEXT.match(plain[len(word) : len(word) + 40]) is not None


def _without_a_word(line: Line, text: str, system: str, called: bool) -> Reading:
    """A line that begins with no command word: dice where the bot is called (GEN-04), a misspelt word, or talk."""
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
    raise CommandSyntaxError(sentence, text, line.column(0), _further_on(plain, system) or "help", guess=True)


def _further_on(plain: str, system: str) -> str | None:
    """The command that a line holds after other words: `please roll 5d10`; the question about a posted line's id."""
    plain = plain[:MOST_CHARACTERS]
    if ids := WHOLE_ID.findall(plain):
        return f"verify {ids[-1].lower()}"
    starts = (at.end() for at in re.finditer(" ", plain) if catalogue.command_word(plain, at.end()))
    lossless = (at for at in starts if not any(map(str.isdigit, plain[:at])))  # GEN-11: no number is dropped
    return next(filter(None, (_works(plain[at:], system) for at in islice(lossless, MOST_FURTHER_ON))), None)


def _held(line: Line, text: str, at: int, held: str, system: str, called: bool, before: str = "") -> Reading:
    """The command `held`, which is in the line from `at` on; what is offered in its place has `before` in front."""
    try:
        return read(held, system, called)
    except CommandSyntaxError as error:
        column = line.column(max(0, at + error.column - 1))
        hint, example = (offer and f"{before}{offer}" for offer in (error.hint, error.example))
        raise replace(error, text=text, column=column, hint=hint, example=example) from None


def _repeated_at(plain: str) -> int:
    """Where the command of `Nx COMMAND` begins (GEN-17); 0 where a line is none."""
    at = repeat.command_at(plain)
    return at if at and catalogue.command_word(plain, at) else 0


def _repeated(line: Line, text: str, at: int, system: str, called: bool) -> Reading:
    """GEN-17: the command after `Nx`; uncalled only where it holds dice."""
    plain = line.plain
    silence = UnknownCommand(f'"{shown(text)}" is no command')
    if not (called or NDX.search(plain, at)):
        raise silence
    try:
        reading = _held(line, text, at, plain[at:], system, called, before=plain[:at])
        node = repeat.Repeated(repeat.count_of(plain), reading.node)
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
    return replace(reading, node=node, typed=f"{plain[:at]}{reading.typed}", alone=False)


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
                read(held, system)  # raises UnknownCommand for what would be talk without `odds` too
        raise
    said = catalogue.command_word(str(reading.node))  # `roll` alone is help
    if said is None or not any(g.is_system for g in catalogue.claims()[said]):
        raise unsaid
    node = odds.OddsOf(reading.node, bool(full))
    return replace(reading, node=node, grammar=ODDS, word=ODDS, typed=str(node), alone=False)
