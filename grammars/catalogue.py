"""The grammars that are there, found by looking: one module each. Knows their form, none of their names."""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from types import ModuleType
from typing import Any, cast

import pyparsing as pp

import grammars
from grammars.spelling import SHORTEST
from grammars.spelling import nearest as nearest_word
from grammars.tokens import FLAGS, MOST_CHARACTERS, NDX, Clauses, FirstOf, Leaving, whole

LONGEST_WORD = 24  # characters of a word that may be known, or nearly so (GEN-16)
LAST = "generic"  # design.md: claims `roll` behind every other system


@dataclass(frozen=True)
class Grammar:
    """One module of this package: its command words, its parser, and what it says of itself."""

    name: str
    module: ModuleType

    @cached_property
    def keywords(self) -> tuple[str, ...]:
        """Its command words, in lower case."""
        return tuple(self.module.KEYWORDS)

    @cached_property
    def is_system(self) -> bool:
        """Whether it is a game's, with a rules file of the same name; `SYSTEM = False` says that it is not."""
        return bool(getattr(self.module, "SYSTEM", True))

    def owns(self, node: Any) -> bool:
        """Whether `node` is of its own kind, and not another module's that it gives way to (`roll` alone is help)."""
        return type(node).__module__.startswith(self.module.__name__)

    @cached_property
    def parsers(self) -> Mapping[str, Clauses | FirstOf | Leaving]:
        """A parser for each command word: the node, then whatever is left behind it."""
        grammar: pp.ParserElement | Mapping[str, pp.ParserElement] = self.module.GRAMMAR
        each = grammar if isinstance(grammar, Mapping) else dict.fromkeys(self.keywords, grammar)
        return {word: whole(parser) for word, parser in each.items()}

    @cached_property
    def wraps(self) -> Callable[..., Any] | None:
        """For a command that holds another one: what makes a node of the other's."""
        return cast("Callable[..., Any] | None", getattr(self.module, "WRAPS", None))

    @cached_property
    def more(self) -> str:
        """The word that may stand last behind what such a command holds, and makes its node `full`."""
        return str(getattr(self.module, "MORE", ""))

    @cached_property
    def bare(self) -> frozenset[str]:
        """Words that are a command alone where the channel plays this system (GEN-10)."""
        return frozenset(getattr(self.module, "BARE", ()))

    @cached_property
    def takes_dice(self) -> frozenset[str]:
        """Command words behind which `NdX` shows that a command was meant."""
        return frozenset(getattr(self.module, "TAKES_DICE", ()))

    @cached_property
    def longest(self) -> int:
        """How many characters its commands may have; GEN-15's limit where they hold nothing that somebody pasted."""
        return int(getattr(self.module, "LONGEST", MOST_CHARACTERS))

    @cached_property
    def examples(self) -> Mapping[str, str]:
        """Commands that work, each with its sense, in the module's order."""
        examples = self.module.EXAMPLES
        return examples if isinstance(examples, Mapping) else dict.fromkeys(examples, "")

    @cached_property
    def help(self) -> Mapping[str, tuple[str, ...]]:
        """Terms that the module explains."""
        return cast("Mapping[str, tuple[str, ...]]", getattr(self.module, "HELP", {}))

    @cached_property
    def sense(self) -> str:
        """The first sentence of the module's docstring."""
        return (self.module.__doc__ or self.name).strip().splitlines()[0].partition(" Knows ")[0]

    @cached_property
    def words(self) -> frozenset[str]:
        """Words that its commands use behind the command word: those it lists, and those its parser spells out."""
        parsers = self.parsers.values() if hasattr(self.module, "GRAMMAR") else ()
        spelt = {w.lower() for parser in parsers for w in _spelt(parser)}
        return frozenset((spelt - set(self.keywords)) | set(getattr(self.module, "WORDS", ())))

    @cached_property
    def marks(self) -> tuple[str, ...]:
        """Its letters that stand before a figure, `dc` of `dc3`, where they are too few to be a word nearly known."""
        return tuple(getattr(self.module, "MARKS", ()))

    @cached_property
    def rewrites(self) -> Sequence[Callable[[str], str]]:
        """Ways to write a line otherwise that its commands alone want, each told by what it makes of one (GEN-12)."""
        return tuple(getattr(self.module, "REWRITES", ()))

    @cached_property
    def _form(self) -> re.Pattern[str]:
        words = "|".join(sorted(map(re.escape, self.words), key=len, reverse=True)) or r"(?!)"
        shapes = getattr(self.module, "SHAPES", r"(?!)")
        return re.compile(rf"{NDX.pattern}|(?:{words})[:=]?(?:[-+]?[0-9]+)?|{shapes}", FLAGS)

    def knows(self, word: str) -> bool:
        """Whether `word` consists of forms that its commands use; of more than 24 characters it is unknown (GEN-16)."""
        if len(word) > LONGEST_WORD:
            return False
        reached = [0]  # the ends of forms, one after another: one expression for them all would try every division
        for end in range(1, len(word) + 1):
            if any(self._form.fullmatch(word, start, end) for start in reached):
                reached.append(end)
        return reached[-1] == len(word) > 0

    def nearly(self, word: str) -> str | None:
        """`word` with its letters put right, where they are within one letter of a word that the grammar uses."""
        for stem in (re.match(r"[a-z]+(?:-[a-z]+)+", word), re.match(r"[a-z]+", word)):
            if stem and SHORTEST <= len(stem[0]) <= LONGEST_WORD and (meant := nearest_word(stem[0], self.words)):
                return meant + word[stem.end() :]
        return None


def worded(node: Any, typed: str) -> str:
    """`node` in its own words; as it was `typed`, where it has none or holds a node that has none."""
    held = getattr(node, "command", node)
    return str(node) if has_words(held) else " ".join(typed.split())


def hinted(node: Any, typed: str) -> str:
    """The same as a hint has it (GEN-11): with all that it wants, where it is read with less."""
    return worded(getattr(node, "completed", node), typed)


def has_words(node: Any) -> bool:
    """Whether a node's class says how it is written."""
    plain: Any = object.__str__
    return type(node).__str__ is not plain


def _spelt(parser: pp.ParserElement) -> Iterator[str]:
    """Every keyword and literal that a parser spells out."""
    seen: set[int] = set()
    waiting = [parser]
    while waiting:
        element = waiting.pop()
        if id(element) in seen:
            continue
        seen.add(id(element))
        if isinstance(element, pp.Keyword | pp.Literal) and element.match.isalpha():
            yield element.match
        waiting.extend(element.recurse())


@cache
def grammars_found() -> tuple[Grammar, ...]:
    """Every grammar in this package, by name, the one for everything else last."""
    names = sorted(m.name for m in pkgutil.iter_modules(grammars.__path__))
    modules = {name: importlib.import_module(f"grammars.{name}") for name in names}
    found = [Grammar(name, module) for name, module in modules.items() if hasattr(module, "KEYWORDS")]
    return tuple(sorted(found, key=lambda g: (g.name == LAST, g.name)))


def named(name: str) -> Grammar:
    """The grammar of that name."""
    return next(grammar for grammar in grammars_found() if grammar.name == name)


@cache
def claims() -> Mapping[str, tuple[Grammar, ...]]:
    """Each command word with the grammars that claim it."""
    words = sorted({w for g in grammars_found() for w in g.keywords}, key=len, reverse=True)
    return {w: tuple(g for g in grammars_found() if w in g.keywords) for w in words}


@cache
def candidates(word: str, system: str) -> tuple[Grammar, ...]:
    """The grammars that claim `word`: the channel's own system, then the one for everything else, then the others.

    Where the channel plays the one for everything else, what it claims is no other system's (generic.md).
    """
    found = sorted(claims().get(word, ()), key=lambda g: (g.name != system, g.name != LAST))
    return tuple(found[:1] if system == LAST and found and found[0].name == LAST else found)


@cache
def longest(word: str) -> int:
    """How many characters a line may have that begins with `word`."""
    return max(grammar.longest for grammar in claims()[word])


@cache
def called_words() -> frozenset[str]:
    """Words that are commands only when the bot is called (GEN-14), by every grammar that claims them."""
    return frozenset(w for w, found in claims().items() if all(w in getattr(g.module, "CALLED", ()) for g in found))


@cache
def topics() -> Mapping[str, tuple[Grammar, ...]]:
    """What `help` can be asked about: command words, systems and terms, each with its grammars."""
    found: dict[str, tuple[Grammar, ...]] = {}
    for grammar in grammars_found():
        for topic in {*grammar.keywords, grammar.name, *grammar.help}:
            found[topic] = (*found.get(topic, ()), grammar)
    return found


@cache
def _command_words() -> re.Pattern[str]:
    """Any command word at the beginning; no letter behind it, and no digit behind one that ends in a digit."""
    words = (re.escape(w) + (r"(?![0-9])" if w[-1].isdigit() else "") for w in claims())
    return re.compile(rf"(?:{'|'.join(words)})(?![a-z_]|d?[^\x00-\x7f])|{'|'.join(_tight())}", FLAGS)


def _tight() -> Iterator[str]:
    """A word with what may stand tight behind it (GEN-04): `roll5d10`, `b8t4`."""
    for grammar in grammars_found():
        yield from (rf"{re.escape(w)}(?=d[0-9])" for w in sorted(grammar.takes_dice) if not w[-1].isdigit())
        if tight := getattr(grammar.module, "TIGHT", None):
            yield from (rf"{re.escape(w)}(?={tight})" for w in grammar.keywords)


def command_word(plain: str, start: int = 0) -> str | None:
    """The command word that `plain` begins with at `start`, in lower case."""
    first = plain[start:].partition(" ")[0]
    if first in claims():
        return first
    match = _command_words().match(plain, start)
    return match[0].lower() if match else None
