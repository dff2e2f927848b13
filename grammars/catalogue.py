"""Which grammars exist: their command words, parsers, examples and help."""

from __future__ import annotations

import importlib
import logging
import pkgutil
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache, cached_property
from importlib.metadata import entry_points
from types import ModuleType

import pyparsing as pp

import grammars
from grammars.reading import line_of
from grammars.tokens import END, FLAGS, MOST_CHARACTERS, Token

log = logging.getLogger(__name__)

LAST = "generic"  # takes `roll` after every other game (generic.md)
PLUGINS = "ircdice.games"  # the entry-point group of games outside the tree


@dataclass(frozen=True)
class Grammar:
    """One module of commands, and what it says of itself.

    A module has `KEYWORDS`, `GRAMMAR` and `EXAMPLES` (commands that work, or a mapping to their sense). It may have
    `HELP`      terms that it explains, two lines each,
    `BARE`      words that are a command alone where the channel plays this game (GEN-10),
    `CALLED`    words that are a command only when the bot is called (GEN-14),
    `HERE`      words that count uncalled only where the channel plays this game, and only with a number,
    `CERTAIN`   beginnings that no talk has once a number follows (GEN-03),
    `TAKES_DICE` words after which `NdX` shows that a command was meant,
    `TIGHT`     words that a number may follow without a space (GEN-04),
    `SYNONYMS`  words of other bots and books, each with ours, for suggestions,
    `MOST`      characters that a command may have,
    `SYSTEM`    False where it is no game.
    """

    name: str
    module: ModuleType
    rules: str | None = None  # the module of a game's rules

    @cached_property
    def keywords(self) -> tuple[str, ...]:
        """Its command words, in lower case."""
        return tuple(self.module.KEYWORDS)

    @property
    def is_system(self) -> bool:
        """Whether it is a game with rules of its own."""
        return bool(getattr(self.module, "SYSTEM", True))

    @cached_property
    def bare(self) -> frozenset[str]:
        """Words that are a command alone where this game is played (GEN-10)."""
        return frozenset(getattr(self.module, "BARE", ()))

    @cached_property
    def called(self) -> frozenset[str]:
        """Words that are a command only when the bot is called (GEN-14)."""
        return frozenset(getattr(self.module, "CALLED", ()))

    @cached_property
    def here(self) -> frozenset[str]:
        """Words that count uncalled only where this game is played, and only with a number."""
        return frozenset(getattr(self.module, "HERE", ()))

    @cached_property
    def takes_dice(self) -> frozenset[str]:
        """Command words after which `NdX` shows that a command was meant."""
        return frozenset(getattr(self.module, "TAKES_DICE", ()))

    @cached_property
    def tight(self) -> frozenset[str]:
        """Command words that dice or a number with its letter may follow without a space (GEN-04)."""
        return self.takes_dice | frozenset(getattr(self.module, "TIGHT", ()))

    @property
    def certain(self) -> tuple[str, ...]:
        """Beginnings that no talk has once a number follows (GEN-03)."""
        return tuple(getattr(self.module, "CERTAIN", ()))

    @cached_property
    def synonyms(self) -> Mapping[str, str]:
        """Words of other bots and books, with the word of this grammar."""
        found: Mapping[str, str] = getattr(self.module, "SYNONYMS", {})
        return found

    @property
    def most(self) -> int:
        """Characters that a command may have."""
        return int(getattr(self.module, "MOST", MOST_CHARACTERS))

    @cached_property
    def examples(self) -> Mapping[str, str]:
        """Commands that work, each with its sense, in the module's order."""
        examples = self.module.EXAMPLES
        return examples if isinstance(examples, Mapping) else dict.fromkeys(examples, "")

    @cached_property
    def help(self) -> Mapping[str, tuple[str, ...]]:
        """Terms that it explains."""
        found: Mapping[str, tuple[str, ...]] = getattr(self.module, "HELP", {})
        return found

    @cached_property
    def sense(self) -> str:
        """The first sentence of the module's docstring."""
        return (self.module.__doc__ or self.name).strip().splitlines()[0].rstrip(".")

    @cached_property
    def commands(self) -> tuple[pp.ParserElement, ...]:
        """The grammars of its commands."""
        return tuple(_alternatives(self.module.GRAMMAR))

    @cached_property
    def lines(self) -> Mapping[str, pp.ParserElement]:
        """For each command word, the grammar of a whole line that begins with it."""
        each = [(self._begins(c), line_of(c, self._vocabulary(c), self.certain)) for c in self.commands]
        return {word: pp.MatchFirst([line for words, line in each if word in words]) for word in self.keywords}

    @cached_property
    def tokens(self) -> Mapping[str, tuple[Token, ...]]:
        """For each command word, the tokens that may follow it."""
        each = [(self._begins(c), self._vocabulary(c)) for c in self.commands]
        return {
            word: tuple(dict.fromkeys(token for words, tokens in each if word in words for token in tokens))
            for word in self.keywords
        }

    def _begins(self, command: pp.ParserElement) -> frozenset[str]:
        return first_words(command) or frozenset(self.keywords)

    def _vocabulary(self, command: pp.ParserElement) -> tuple[Token, ...]:
        """The tokens that may follow its command word."""
        begins = self._begins(command)
        return tuple(token for token in tokens_of(command) if token.numbered or not begins & set(token.words))

    @cached_property
    def words(self) -> frozenset[str]:
        """Every word that may follow its command words."""
        return frozenset(word for tokens in self.tokens.values() for token in tokens for word in token.words)


def _alternatives(grammar: pp.ParserElement) -> Iterator[pp.ParserElement]:
    """The commands of a grammar `a | b | c`; one with an action of its own is a command as a whole."""
    if isinstance(grammar, pp.MatchFirst) and not grammar.parseAction:
        for each in grammar.exprs:
            yield from _alternatives(each)
    else:
        yield grammar


def tokens_of(element: pp.ParserElement) -> tuple[Token, ...]:
    """The terminals of a grammar, in order; plain keywords of pyparsing count too."""
    return tuple(dict.fromkeys(_tokens(element)))


def _tokens(element: pp.ParserElement) -> Iterator[Token]:
    seen: set[int] = set()
    waiting = [element]
    while waiting:
        each = waiting.pop()
        if id(each) in seen:
            continue
        seen.add(id(each))
        if isinstance(each, Token):
            yield each
        elif isinstance(each, pp.Keyword | pp.Literal) and each.match.isalpha():
            yield Token(each.match, re.escape(each.match) + END, (each.match.lower(),))
        waiting.extend(reversed(each.recurse()))


def first_words(element: pp.ParserElement) -> frozenset[str]:
    """The words that a command begins with; none where its first terminal is no Token."""
    while not isinstance(element, Token) and (inside := element.recurse()):
        if isinstance(element, pp.MatchFirst):
            return frozenset().union(*map(first_words, inside))
        element = inside[0]
    return frozenset(element.words) if isinstance(element, Token) else frozenset()


@cache
def grammars_found() -> tuple[Grammar, ...]:
    """Every grammar: the games, then the commands of every table; dice notation last.

    Our own must load. A plug-in that does not is named in the log and left out.
    """
    return tuple(sorted((*_own(), *_plugins()), key=lambda g: (g.name == LAST, not g.is_system, g.name)))


def _own() -> Iterator[Grammar]:
    """The modules of this package that have command words; a game has rules of the same name."""
    for found in pkgutil.iter_modules(grammars.__path__):
        module = importlib.import_module(f"grammars.{found.name}")
        if hasattr(module, "KEYWORDS"):
            grammar = Grammar(found.name, module, f"ircdice.rules.{found.name}")
            yield grammar if grammar.is_system else replace(grammar, rules=None)


def _plugins() -> Iterator[Grammar]:
    """Games outside the tree: an entry point names a package that has a `grammar` and a `rules` module."""
    for entry in entry_points(group=PLUGINS):
        try:
            grammar = Grammar(entry.name, importlib.import_module(f"{entry.value}.grammar"), f"{entry.value}.rules")
            _ = grammar.lines, grammar.examples
            importlib.import_module(f"{entry.value}.rules")
        except Exception:  # whatever a stranger's module raises
            log.exception("the game %s (%s) does not load and is left out", entry.name, entry.value)
        else:
            yield grammar


@cache
def system_names() -> tuple[str, ...]:
    """The names by which a channel's `system` is set."""
    return tuple(grammar.name for grammar in grammars_found() if grammar.is_system)


def named(name: str) -> Grammar:
    """The grammar of that name."""
    return next(grammar for grammar in grammars_found() if grammar.name == name)


@cache
def claims() -> Mapping[str, tuple[Grammar, ...]]:
    """Each command word with the grammars that claim it."""
    found: dict[str, tuple[Grammar, ...]] = {}
    for grammar in grammars_found():
        for word in grammar.keywords:
            found[word] = (*found.get(word, ()), grammar)
    return found


@cache
def candidates(word: str, system: str) -> tuple[Grammar, ...]:
    """The grammars that claim `word`: the channel's own game first, then dice notation, then the others.

    Where the channel plays dice notation, what that claims is no other game's (generic.md).
    """
    found = sorted(claims().get(word, ()), key=lambda g: (g.name != system, g.name != LAST))
    return tuple(found[:1] if system == LAST and found and found[0].name == LAST else found)


@cache
def called_words() -> frozenset[str]:
    """Words that are commands only when the bot is called, by every grammar that claims them (GEN-14)."""
    return frozenset(word for word, found in claims().items() if all(word in g.called for g in found))


def counts(word: str, plain: str, system: str) -> bool:
    """Whether a line that begins with `word` may be a command uncalled, where `system` is played."""
    return any(
        word not in g.here or (g.name == system and any(c in "0123456789" for c in plain)) for g in claims()[word]
    )


@cache
def topics() -> Mapping[str, tuple[Grammar, ...]]:
    """What `help` can be asked about: command words, games and terms, each with its grammars."""
    found: dict[str, tuple[Grammar, ...]] = {}
    for grammar in grammars_found():
        for topic in {*grammar.keywords, grammar.name, *grammar.help}:
            found[topic] = (*found.get(topic, ()), grammar)
    return found


@cache
def _command_words() -> re.Pattern[str]:
    """A command word at the beginning of a line: no letter after it, no digit after one that ends in a digit.

    Dice may stand right after a word that takes them: `roll5d10`, `b8t4` (GEN-04).
    """
    each = []
    for word in sorted(claims(), key=len, reverse=True):
        ends = r"(?![a-z0-9_])" if word[-1].isdigit() else r"(?![a-z_])"
        each.append(rf"{re.escape(word)}{ends}")
        if any(word in g.tight for g in claims()[word]):
            each.append(rf"{re.escape(word)}(?=d[0-9%{{]|[a-z][-+]?[0-9])")
    return re.compile(rf"(?:{'|'.join(each)})(?!d?[^\x00-\x7f])", FLAGS)


def command_word(plain: str, start: int = 0) -> str | None:
    """The command word that `plain` begins with at `start`, in lower case."""
    match = _command_words().match(plain, start)
    return match[0].lower() if match else None
