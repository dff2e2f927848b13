"""The catalogue of grammars: command words, parsers, examples and help."""

from __future__ import annotations

import importlib
import logging
import pkgutil
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, reduce
from importlib.metadata import entry_points
from itertools import chain
from operator import or_
from types import ModuleType

import pyparsing as pp

import grammars
from grammars.line import END, FLAGS
from grammars.reading import line_of
from grammars.tokens import Token

log = logging.getLogger(__name__)

DICE_NOTATION = "generic"  # takes `roll` after every other game
PLUGINS = "ircdice.games"  # the entry-point group of games outside the tree
OPTIONAL = (  # the fields of a Grammar that its module may give, as constants in upper case
    "keywords",
    "works_alone",
    "only_called",
    "only_here",
    "takes_dice",
    "joinable",
    "certain",
    "synonyms",
    "max_length",
)


@dataclass(frozen=True, eq=False)
class Grammar:
    """The commands of one subject.

    Its module has the constants `GRAMMAR` and `EXAMPLES`, and may have `HELP` and those of OPTIONAL. That of a game has
    `KEYWORDS`. Other commands are those of every table: their words are those that they begin with, and need a call
    (GEN-13), except for those in `UNCALLED`.

    An uncalled line is a command only if nothing forbids it: `only_here`; `only_called`, if all grammars that claim the
    word agree; `Command.only_called`, by what follows the word; for a word alone, that it is not in `works_alone`.
    """

    name: str
    summary: str  # the first line of its docstring
    rules: str | None  # the module of a game's rules
    commands: tuple[pp.ParserElement, ...]  # the alternatives of its GRAMMAR
    lines: Mapping[str, pp.ParserElement]  # by command word, the grammar of a whole line
    tokens: Mapping[str, tuple[Token, ...]]  # by command word, the tokens that may follow it
    examples: Mapping[str, str]  # commands that work, with their meanings
    help: Mapping[str, tuple[str, ...]]  # explained terms: a few lines each, or ids of the rules that explain them
    keywords: tuple[str, ...]  # command words, in lower case
    works_alone: Collection[str] = ()  # words that are a command alone if the channel plays this game (GEN-10)
    only_called: Collection[str] = ()  # words that are a command only when the bot is called (GEN-13, GEN-14)
    only_here: Collection[str] = ()  # words that count uncalled only in channels with this game, and with a number
    takes_dice: Collection[str] = ()  # words that followed by `NdX` are meant as a command
    joinable: Collection[str] = ()  # words that may be followed by dice, or letter and number, without a space (GEN-04)
    certain: Collection[str] = ()  # beginnings that are never talk if a number follows (GEN-03)
    synonyms: Mapping[str, str] = field(default_factory=dict)  # words of other bots and books, each with ours
    max_length: Mapping[str, int] = field(default_factory=dict)  # unusual length limits, by command word

    @property
    def title(self) -> str:
        """The title of a game, `Strike & Cinder`, or the name of other commands, `contests`."""
        return self.summary.partition(":")[0] if self.is_system else self.name.replace("_", " ")

    @property
    def is_system(self) -> bool:
        """Whether it is a game, with rules."""
        return self.rules is not None


def _grammar(name: str, module: ModuleType, rules: str) -> Grammar:
    """The grammar of a module, from its constants."""
    constants = vars(module)
    given = {name: constants[name.upper()] for name in OPTIONAL if name.upper() in constants}
    is_game, examples = "KEYWORDS" in constants, constants["EXAMPLES"]
    commands = tuple(_alternatives(constants["GRAMMAR"]))
    begins = [first_words(command) or constants.get("KEYWORDS", ()) for command in commands]
    keywords = given.setdefault("keywords", tuple(dict.fromkeys(chain(*begins))))
    if not is_game:
        given["only_called"] = set(keywords).difference(constants.get("UNCALLED", ()))
    lines: dict[str, list[pp.ParserElement]] = {word: [] for word in keywords}
    tokens: dict[str, list[Token]] = {word: [] for word in keywords}
    for command, words in zip(commands, begins, strict=True):
        follow = [token for token in tokens_of(command) if token.numbered or set(token.words).isdisjoint(words)]
        line = line_of(command, follow, given.get("certain", ()))
        for word in words:
            lines[word].append(line)
            tokens[word] += follow
    return Grammar(
        name=name,
        summary=(module.__doc__ or name).strip().splitlines()[0].rstrip("."),
        rules=rules if is_game else None,
        commands=commands,
        lines={word: reduce(or_, lines[word]) for word in keywords},
        tokens={word: tuple(dict.fromkeys(tokens[word])) for word in keywords},
        examples=examples if isinstance(examples, Mapping) else dict.fromkeys(examples, ""),
        help=dict(_terms(constants.get("HELP", {}))),
        **given,
    )


def _terms(said: Mapping[str, str | tuple[str, ...]]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Each term of a module's HELP, which has terms with the same lines under one key, `hide, hidden`."""
    for terms, lines in said.items():
        for term in terms.split(", "):
            yield term, (lines,) if isinstance(lines, str) else lines


def _alternatives(grammar: pp.ParserElement) -> Iterator[pp.ParserElement]:
    """The commands of a grammar `a | b | c`; a grammar with a parse action is a single command."""
    if isinstance(grammar, pp.MatchFirst) and not grammar.parseAction:
        for each in grammar.exprs:
            yield from _alternatives(each)
    else:
        yield grammar


def tokens_of(element: pp.ParserElement) -> tuple[Token, ...]:
    """The terminals of a grammar, in order, including pyparsing's own keywords."""
    seen: dict[int, pp.ParserElement] = {}

    def visit(each: pp.ParserElement) -> None:
        if id(each) not in seen:
            seen[id(each)] = each
            for inside in each.recurse():
                visit(inside)

    visit(element)
    words = [e.match for e in seen.values() if isinstance(e, pp.Keyword | pp.Literal) and e.match.isalpha()]
    plain = [Token(word, re.escape(word) + END, (word.lower(),)) for word in words]
    return (*(each for each in seen.values() if isinstance(each, Token)), *plain)


def first_words(element: pp.ParserElement) -> tuple[str, ...]:
    """The words that a command begins with; none if its first terminal is not a Token."""
    if isinstance(element, Token):
        return element.words
    first = element.recurse() if isinstance(element, pp.MatchFirst) else element.recurse()[:1]
    return tuple(word for each in first for word in first_words(each))


@cache
def grammars_found() -> tuple[Grammar, ...]:
    """Every grammar: the games, then the commands of every table; dice notation last.

    Our own must load. A plug-in that fails to load is logged and left out.
    """
    own = tuple(_own())
    return tuple(sorted((*own, *_plugins(own)), key=lambda g: (g.name == DICE_NOTATION, not g.is_system, g.name)))


def _own() -> Iterator[Grammar]:
    """The modules of this package that have commands; a game has rules of the same name."""
    for found in pkgutil.iter_modules(grammars.__path__):
        module = importlib.import_module(f"grammars.{found.name}")
        if hasattr(module, "GRAMMAR"):
            yield _grammar(found.name, module, f"ircdice.rules.{found.name}")


def _plugins(own: Iterable[Grammar]) -> Iterator[Grammar]:
    """Games outside the tree: an entry point names a package that has a `grammar` and a `rules` module."""
    taken = {name for grammar in own for name in (grammar.name, *grammar.keywords)}
    for entry in entry_points(group=PLUGINS):
        try:
            module = importlib.import_module(f"{entry.value}.grammar")
            grammar = _grammar(entry.name, module, f"{entry.value}.rules")
            if clashes := [word for word in (grammar.name, *grammar.keywords) if word in taken]:
                raise ValueError(f"{', '.join(dict.fromkeys(clashes))}: taken by another game")
            if grammar.rules:
                importlib.import_module(grammar.rules).GAME  # noqa: B018  # fail early
            taken.update((grammar.name, *grammar.keywords))
            yield grammar
        except Exception:  # a plug-in can raise anything
            log.exception("the game %s (%s) does not load and is left out", entry.name, entry.value)


@cache
def system_names() -> tuple[str, ...]:
    """The values of a channel's `system`."""
    return tuple(grammar.name for grammar in grammars_found() if grammar.is_system)


def named(name: str) -> Grammar | None:
    """The grammar with that name; None if there is none, for example after a plug-in was removed."""
    return next((grammar for grammar in grammars_found() if grammar.name == name), None)


@cache
def claims() -> Mapping[str, tuple[Grammar, ...]]:
    """Each command word with the grammars that claim it."""
    words = [word for grammar in grammars_found() for word in grammar.keywords]
    return {word: tuple(g for g in grammars_found() if word in g.keywords) for word in words}


def is_of_a_game(word: str | None) -> bool:
    """Whether a game claims that command word, if it is one."""
    return any(grammar.is_system for grammar in claims().get(word or "", ()))


@cache
def candidates(word: str, system: str) -> tuple[Grammar, ...]:
    """The grammars that claim `word`: the channel's own game first, then dice notation, then the others.

    If the channel plays dice notation, its words belong to no other game.
    """
    found = sorted(claims().get(word, ()), key=lambda g: (g.name != system, g.name != DICE_NOTATION))
    return tuple(found[:1] if system == DICE_NOTATION and found and found[0].name == DICE_NOTATION else found)


@cache
def called_words() -> frozenset[str]:
    """Words that are commands only when the bot is called, by every grammar that claims them (GEN-14)."""
    return frozenset(word for word, found in claims().items() if all(word in g.only_called for g in found))


def counts(word: str, plain: str, system: str) -> bool:
    """Whether a line that begins with `word` may be an uncalled command in a channel with `system`."""
    return any(
        word not in g.only_here or (g.name == system and any(c in "0123456789" for c in plain)) for g in claims()[word]
    )


@cache
def topics() -> tuple[str, ...]:
    """The topics of `help`: command words, games and terms."""
    return tuple(sorted({topic for g in grammars_found() for topic in (*g.keywords, g.name, *g.help)}))


@cache
def _command_words() -> re.Pattern[str]:
    """A pattern for command words at the start of a line, not followed by a letter, nor by a digit after a digit.

    Some words may be followed directly by dice: `roll5d10`, `b8t4` (GEN-04).
    """
    each = []
    for word in sorted(claims(), key=len, reverse=True):
        ends = r"(?![a-z0-9_])" if word[-1].isdigit() else r"(?![a-z_])"
        each.append(rf"{re.escape(word)}{ends}")
        if any(word in (*g.takes_dice, *g.joinable) for g in claims()[word]):
            each.append(rf"{re.escape(word)}(?=d[0-9%{{]|[a-z][-+]?[0-9])")
    return re.compile(rf"(?:{'|'.join(each)})(?!d?[^\x00-\x7f])", FLAGS)


def command_word(plain: str, start: int = 0) -> str | None:
    """The command word that `plain` begins with at `start`, in lower case."""
    match = _command_words().match(plain, start)
    return match[0].lower() if match else None
