"""`help` and `about` (DSK-11)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain

import grammars
from grammars import catalogue
from grammars.catalogue import Grammar
from grammars.help import About, Help
from grammars.line import shown
from grammars.tokens import near
from ircdice import __version__, dispatcher
from ircdice.bot import rule_texts
from ircdice.bot.context import Answer, Context
from ircdice.bot.reading import preferred
from ircdice.errors import RuleError
from ircdice.reply import fits

MOST_LINES = 4  # IRC-20
MOST_EXAMPLES = 3  # of a word that is no command
SHORTEST_ASKED = 3  # letters of a topic that is guessed
EVERYTHING = "docs/reference/commands.md"
ALL, STORYTELLER = "commands", "storyteller"  # topics about many commands
STORYTELLERS = (STORYTELLER, "storytellers", "gm", "dm")
CONTESTS = ("contest", "contests", "vs", "duel")


@dataclass(frozen=True, slots=True)
class Guide:
    """What `help` needs to know of a channel: its game, the games answered there (none named: all), how the bot is
    called, and where the documentation is."""

    system: str
    systems: tuple[str, ...] = ()
    prefix: str = "!"
    nick: str = "FUDice"
    link: str = ""

    @classmethod
    def of(cls, context: Context[Help]) -> Guide:
        """That of the channel where it is asked."""
        settings = context.settings
        page = settings.base_url and f"{settings.base_url}/help"
        called = preferred(settings.prefixes), context.message.me, settings.docs_url or page
        return cls(settings.system, settings.systems, *called)

    @property
    def own(self) -> Grammar | None:
        """The channel's game."""
        return next((game for game in self.games if game.name == self.system), None)

    @property
    def grammars(self) -> list[Grammar]:
        """The channel's game, the commands of every channel, and the other games answered there."""
        found = filter(self.answers, catalogue.grammars_found())
        return sorted(found, key=lambda grammar: (grammar.name != self.system, grammar.is_system))

    @property
    def games(self) -> list[Grammar]:
        """The games answered there, the channel's own first."""
        return [grammar for grammar in self.grammars if grammar.is_system]

    def answers(self, grammar: Grammar) -> bool:
        """Whether a game is answered there, as the commands of every channel are."""
        return not grammar.is_system or not self.systems or grammar.name in self.systems

    def example(self, example: str, grammar: Grammar, sense: str | None = None) -> str:
        """An example as it is typed there, with its sense."""
        system = grammar.name if grammar.is_system else self.system
        typed = grammars.as_typed(example, system, self.prefix, self.nick)
        sense = grammar.examples[example] if sense is None else sense
        return f'"{typed}": {sense}' if sense else f'"{typed}"'

    def asks(self, topic: str) -> str:
        """How one asks about a topic there."""
        return f"{self.prefix}help {topic}"


async def explain(context: Context[Help]) -> Answer:
    """`help [TOPIC]` (DSK-11): one line where it was asked, the rest in private (IRC-24)."""
    node, guide = context.node, Guide.of(context)
    if node.topic is None:
        return Answer((context.whisper(overview(guide)),), "note")  # GEN-10
    lines = topic_lines(node.topic, guide)
    if lines is None and node.rule is not None:
        lines = [rule_texts.about(node.rule)]
    lines = lines or _mentioning(node.topic, guide)
    if lines is None and (nearest := _nearest(node.topic)):
        lines = topic_lines(nearest, guide)
    if lines is None:
        raise RuleError(f'"{shown(node.topic)}" is not a topic I know.', hint=guide.asks(ALL))
    first, *rest = lines
    return Answer((context.say(first), *(context.whisper(line) for line in rest)), "note")


async def about(context: Context[About]) -> Answer:
    """`about`, `version` (DSK-12)."""
    return Answer((context.say(f"ircdice {__version__}, a dice bot whose posted results can be verified."),), "note")


# What is answered.


def overview(guide: Guide) -> str:
    """The games played in the channel, three examples of its own, and how to ask further."""
    names = [grammar.title for grammar in guide.games]
    to_type = [guide.example(each, guide.own, "").strip('"') for each in _first(guide.own)] if guide.own else []
    topics = ", ".join(map(guide.asks, [guide.system, ALL, STORYTELLER, "WORD"]))
    games = f"{'Games' if len(names) > 1 else 'Game'} here: {', '.join(names)}"
    link = f"; {guide.link}" if guide.link else ""
    return f"{games}. Type: {' | '.join(to_type)}; more: {topics}{link}"


def _first(game: Grammar) -> list[str]:
    """Three examples to begin with: a roll, what may follow it, and a contest, where the game has them."""
    examples = list(game.examples)
    kinds = {_kind(example, game): example for example in reversed(examples)}
    found = [kinds[kind] for kind in ("roll", "after", "contest") if kind in kinds]
    return [*found, *(example for example in examples if example not in found)][:3]


def topic_lines(topic: str, guide: Guide) -> list[str] | None:
    """What the grammars say of a topic, at most four lines; None if it is none."""
    game = catalogue.named(topic.replace(" ", "_"))
    if topic == ALL:
        return _all(guide)
    if topic in STORYTELLERS:
        return _for_storytellers(guide)
    if game is not None and game.is_system:
        return _of_game(game, guide) if guide.answers(game) else [_elsewhere([game], guide)]
    return _of_word(topic, guide)


def _all(guide: Guide) -> list[str]:
    """Every command word."""
    games = "; ".join(f"{grammar.title}: {' '.join(grammar.keywords)}" for grammar in guide.games)
    always = (word for grammar in guide.grammars if not grammar.is_system for word in grammar.keywords)
    link = f"; {guide.link}" if guide.link else ""
    return [f"{games}.", f"In every channel: {' '.join(always)}. {guide.asks('WORD')} explains each{link}."]


def _for_storytellers(guide: Guide) -> list[str]:
    """What a storyteller may do, and every command that only storytellers may type, those of other games last."""
    examples = [
        guide.example(example, grammar, "").strip('"')
        for grammar in guide.grammars
        for example, sense in grammar.examples.items()
        if sense.startswith(STORYTELLER)
    ]
    return _packed([*_terms(STORYTELLER, guide), f"Commands of storytellers: {examples[0]}", *examples[1:]], guide)


def _of_game(grammar: Grammar, guide: Guide) -> list[str]:
    """A game in lines: how to roll, what may follow a roll, and contests; then what else it has."""
    kinds: dict[str, list[str]] = {}
    for example in grammar.examples:
        kinds.setdefault(_kind(example, grammar), []).append(example)
    heads = {"roll": f"{grammar.title}, to roll", "after": "After a roll", "contest": "Contests", "also": "Also"}
    more = f"more: {guide.asks(grammar.keywords[0])}"
    return [
        _line(f"{head}: ", [guide.example(each, grammar) for each in kinds[kind]], more)
        for kind, head in heads.items()
        if kind in kinds
    ]


def _kind(example: str, grammar: Grammar) -> str:
    """What an example of a game is: a roll, what follows one, a contest, or something else."""
    node = grammars.read(example, grammar.name, True).node
    if node.opposed:
        return "contest"
    if not dispatcher.rolls(node):
        return "after"
    return "roll" if dispatcher.throws(node) else "also"


def _of_word(word: str, guide: Guide) -> list[str] | None:
    """A command word, a term, or a word that commands take: the channel's own game explains it first."""
    own, others = guide.own, [game for game in guide.games if game.name != guide.system]
    if own and word not in own.keywords and (explained := own.help.get(word)):
        return list(explained)  # V5-26: in two lines
    parts = _of_contests(word, guide) if word in CONTESTS else []
    first = [grammar for grammar in guide.grammars if grammar not in others or word in grammar.keywords]
    first.sort(key=lambda each: (each != own, not (word in each.keywords or word in (each.name, *each.help))))
    parts += [part for grammar in first for part in _explained(word, grammar, guide)]
    if all(f'": {STORYTELLER}' in part for part in parts):  # nothing, or settings, which do not say what it means
        explains = (game for game in others if word in game.help or (not parts and any(_explained(word, game, guide))))
        if game := next(explains, None):
            said, *more = _explained(word, game, guide)
            parts = [f"{game.title}: {said}", *more, *parts]
    if parts:
        return _packed(list(dict.fromkeys(parts)), guide)
    elsewhere = [g for g in catalogue.grammars_found() if not guide.answers(g) and any(_explained(word, g, guide))]
    return [_elsewhere(elsewhere, guide)] if elsewhere else None


def _of_contests(word: str, guide: Guide) -> list[str]:
    """What is said of contests, and how the channel's own game opens them."""
    said = list(_terms(word, guide))
    if game := guide.own:
        said += [guide.example(each, game) for each in game.examples if _kind(each, game) == "contest"]
    return said


def _elsewhere(games: Iterable[Grammar], guide: Guide) -> str:
    names = ", ".join(game.title for game in games)
    return f'that belongs to {names}, which is not played here; "{guide.prefix}help" names what is.'


def _terms(word: str, guide: Guide) -> Iterator[str]:
    """What the grammars explain under that word."""
    for grammar in guide.grammars:
        yield from grammar.help.get(word, ())


def _explained(word: str, grammar: Grammar, guide: Guide) -> Iterator[str]:
    """What a grammar explains under a word, the commands that begin with it, and some that take it."""
    meant = grammar.synonyms.get(word, word)
    yield from grammar.help.get(word, grammar.help.get(meant, ()))
    begins = [each for each in grammar.examples if meant in (each.split()[0], grammar.name)]
    takes = [each for each in _examples_with(meant, grammar) if each not in begins][:MOST_EXAMPLES]
    yield from (guide.example(each, grammar) for each in (*begins, *takes))
    if meant in grammar.keywords and word not in grammar.help and not begins and not takes:
        yield f"{grammar.summary}."


def _examples_with(word: str, grammar: Grammar) -> list[str]:
    """The examples that have a word, in any of its spellings: `h2` for `hunger`."""
    tokens = {token for found in grammar.tokens.values() for token in found if not token.rejects}
    spelt = {each for token in tokens if word in token.words for each in token.words}
    taking = re.compile(rf"(?<![a-z])(?:{'|'.join(map(re.escape, spelt))})(?![a-z])")
    return [each for each in grammar.examples if spelt and taking.search(each)]


def _mentioning(words: str, guide: Guide) -> list[str] | None:
    """The commands whose example or sense has these words, where they are no topic; None if no command has them."""
    if len(words) < SHORTEST_ASKED:
        return None
    said = re.compile(rf"\b{re.escape(words.rstrip('s'))}s?\b", re.IGNORECASE)
    parts = [
        guide.example(example, grammar)
        for grammar in guide.grammars
        for example, sense in grammar.examples.items()
        if said.search(example) or said.search(sense)
    ]
    return _packed(parts, guide) if parts else None


def _nearest(asked: str) -> str | None:
    """The topic that was meant: within a letter of it, begun by it, or one whose explanation is headed by it."""
    if len(asked) < SHORTEST_ASKED:
        return None
    found = catalogue.grammars_found()
    tokens = (token for grammar in found for each in grammar.tokens.values() for token in each if not token.rejects)
    words = [*catalogue.topics(), ALL, STORYTELLER, *(word for token in tokens for word in token.words)]
    close = near(asked, words) if len(asked) > SHORTEST_ASKED else ()
    begun = (topic for topic in sorted(catalogue.topics()) if topic.startswith(asked))
    headed = re.compile(rf"[^:.]*\b{re.escape(asked)}", re.IGNORECASE)
    explained = ((term, " ".join(lines)) for grammar in found for term, lines in grammar.help.items())
    return next(chain(close, begun, (term for term, text in explained if headed.match(text))), None)


# Lines as long as a reply may be.


def _line(head: str, parts: list[str], more: str) -> str:
    """As many parts as fit in one line; where any is left out, it says so."""
    text = f"{head}{parts[0]}"
    for number, part in enumerate(parts[1:], 2):
        longer = f"{text} | {part}"
        if not fits(longer if number == len(parts) else f"{longer} | {more}"):
            return f"{text} | {more}"
        text = longer
    return text


def _packed(parts: list[str], guide: Guide) -> list[str]:
    """The parts in at most four lines (IRC-20), the first of them alone: it is posted where it was asked."""
    lines = [parts[0]]
    for part in parts[1:]:
        if fits(f"{lines[-1]} | {part}") and len(lines) > 1:
            lines[-1] = f"{lines[-1]} | {part}"
        else:
            lines.append(f"also {part}" if part.startswith("/") else part)  # IRC-21: no line begins as a command
    rest = f"The rest is in {guide.link or f'''ircdice's {EVERYTHING}'''}."
    return lines if len(lines) <= MOST_LINES else [*lines[: MOST_LINES - 1], rest]
