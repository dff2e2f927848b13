"""Which of the grammars that claim a word reads the line behind it, and what is offered where none does (GEN-12).

Knows every grammar there is; not whether the bot was called.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache, partial

from grammars import catalogue, rewriting
from grammars.catalogue import Grammar
from grammars.reading import Reading, by
from grammars.repair import as_it_is, keeping_all
from grammars.unread import UnreadError
from grammars.wrapping import wrapped


@lru_cache(maxsize=1024)
def chosen(plain: str, start: int, word: str, system: str) -> Reading:
    """The reading of the first grammar that claims `word` and reads the whole line; else an UnreadError, of the one
    that came furthest.

    What one grammar objects to, or nearly knows, is no comment of the next one's. A line is asked about more than
    once, whether it is worth waiting for and what it says: readings are immutable, and kept; errors are made anew.
    """
    failures: list[UnreadError] = []
    for grammar in catalogue.candidates(word, system):
        try:
            reading = (
                _wrapped(grammar, plain, start, word, system) if grammar.wraps else by(grammar, plain, start, word)
            )
        except UnreadError as failure:
            failures.append(failure)
        else:
            if reading.words_at is None or all(failure.at < reading.words_at for failure in failures):
                return reading
    # Of two that came as far, an objection says more than that a word is unknown.
    furthest = max(failures, key=lambda failure: (failure.at, not failure.guess, failure.knows))
    if system == catalogue.LAST:
        furthest.nearer(partial(_by_its_own_word, plain, start, word, furthest.at))
    own = [f.grammar for f in failures if word in f.grammar.keywords and f.grammar.wraps is None]
    raise furthest.nearer(partial(_written_otherwise, own, plain, start, word))


def _wrapped(grammar: Grammar, plain: str, start: int, word: str, system: str) -> Reading:
    def read(inner: str, inner_word: str) -> Reading:
        return chosen(inner, 0, inner_word, system)

    return wrapped(grammar, plain, start, word, read)


def complete(plain: str, system: str, start: int = 0) -> Reading | None:
    """What a line is where `system` is played and the bot is called; None where it is no command from its first word
    to its last."""
    word = catalogue.command_word(plain, start)
    if word is None or len(plain) > catalogue.longest(word):
        return None
    try:
        return chosen(plain, start, word, system)
    except UnreadError:
        return None


def opposed(failure: UnreadError, plain: str, start: int, word: str, system: str) -> UnreadError:
    """The failure of a line in which `v`, `versus` or an @nick alone stands for `vs`, or `v bob` for `vs @bob`: with
    that it would be a command, so it is meant; or what is objected to then (GEN-05). Of any other line its own."""
    written = rewriting.opposed(plain)
    if written == plain or not any(map(str.isdigit, plain[start + len(word) :])):
        return failure
    try:
        chosen(written, start, word, system)
    except UnreadError as objection:
        if not objection.meant:
            named = rewriting.named(written, failure.grammar.words)  # `v bob`
            failure.meant = failure.meant or complete(named, system, start) is not None
            return failure
        same = next(at for at, (a, b) in enumerate(zip(plain, written, strict=False)) if a != b)
        objection.at = max(min(objection.at, same), objection.at - len(written) + len(plain))
        return objection
    failure.meant = True
    return failure


def working(grammar: Grammar, system: str, hint: str) -> str:
    """A hint as it works where `system` is played (GEN-11): by the word that is its game's alone, where the one that
    was written is another's, or another of the grammar's examples."""
    word = catalogue.command_word(hint)
    if word is None or _says_all(hint, system):
        return hint
    tried = (f"{grammar.name}{hint[len(word) :]}", *grammar.examples)
    return next((each for each in tried if _says_all(each, system)), hint)


def _says_all(plain: str, system: str) -> bool:
    """Whether a text is a command that says all that it holds."""
    reading = complete(plain, system)
    return reading is not None and reading.comment is None


def _written_otherwise(found: Sequence[Grammar], plain: str, start: int, word: str) -> str | None:
    """The command of any of the grammars that says all that was typed, by its own word where that takes dice too."""
    for grammar in found:
        own = grammar.name if {grammar.name, word} <= grammar.takes_dice and grammar.name != word else None
        renamed = as_it_is(grammar, f"{own}{plain[start + len(word) :]}", own) if own else None
        if command := keeping_all(grammar, plain, word) or renamed:
            return command
    return None


def _by_its_own_word(plain: str, start: int, word: str, at: int) -> str | None:
    """The command of a game that is played by a word of its own where `word` is not its: `v5 5d10 h2`; what it would
    offer, where it came further than to `at`."""
    for grammar in catalogue.claims()[word]:
        if grammar.name not in {word, catalogue.LAST} and grammar.name in grammar.keywords:
            try:
                command: str | None = by(grammar, plain, start, word).command
            except UnreadError as failure:
                command = failure.offer if failure.at > at else None
            if command:
                return f"{grammar.name}{command.removeprefix(word)}"
    return None
