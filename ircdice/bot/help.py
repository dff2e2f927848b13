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
from grammars.tokens import Token, near
from ircdice import __version__, dispatcher
from ircdice.bot import rule_texts
from ircdice.bot.context import Answer, Context
from ircdice.bot.refusals import preferred
from ircdice.bot.rule_texts import terms
from ircdice.errors import RuleError
from ircdice.reply import fits

MOST_LINES = 4  # IRC-20
MOST_EXAMPLES = 3  # for a word that is not a command
SHORTEST_ASKED = 3  # shortest topic to guess, in letters
EVERYTHING = "docs/reference/commands.md"
ALL, STORYTELLER = "commands", "storyteller"  # topics about many commands
STORYTELLERS = (STORYTELLER, "storytellers", "gm", "dm")
CONTESTS = ("contest", "contests", "vs", "duel")


@dataclass(frozen=True, slots=True)
class Guide:
    """The facts about a channel that `help` needs: its game, the games answered there (empty means all), how to call
    the bot, and the address of the documentation."""

    system: str
    systems: tuple[str, ...] = ()
    prefix: str = "!"
    nick: str = "FUDice"
    link: str = ""

    @classmethod
    def of(cls, context: Context[Help]) -> Guide:
        """The guide for the channel of a command."""
        settings = context.settings
        page = settings.base_url and f"{settings.base_url}/help"
        called = preferred(settings.prefixes), context.message.me, settings.docs_url or page
        return cls(settings.system, settings.systems, *called)

    @property
    def grammars(self) -> list[Grammar]:
        """The channel's game, the commands of every channel, and the other games answered there."""
        found = filter(self.answers, catalogue.grammars_found())
        return sorted(found, key=lambda grammar: (grammar.name != self.system, grammar.is_system))

    @property
    def games(self) -> list[Grammar]:
        """The games that are answered, the channel's own first."""
        return [grammar for grammar in self.grammars if grammar.is_system]

    @property
    def own(self) -> Grammar | None:
        """The channel's game."""
        return next((game for game in self.games if game.name == self.system), None)

    def answers(self, grammar: Grammar) -> bool:
        """Whether a grammar is answered there; commands that are not games always are."""
        return not grammar.is_system or not self.systems or grammar.name in self.systems

    def typed(self, example: str, grammar: Grammar) -> str:
        """An example as typed there."""
        return grammars.as_typed(example, grammar.name if grammar.is_system else self.system, self.prefix, self.nick)

    def example(self, example: str, grammar: Grammar) -> str:
        """An example as typed there, with its meaning."""
        typed, sense = self.typed(example, grammar), grammar.examples[example]
        return f'"{typed}": {sense}' if sense else f'"{typed}"'

    @property
    def more(self) -> str:
        """`; ADDRESS`, if there is one."""
        return f"; {self.link}" if self.link else ""

    def asks(self, topic: str) -> str:
        """The command that asks about a topic."""
        return f"{self.prefix}help {topic}"


async def explain(context: Context[Help]) -> Answer:
    """`help [TOPIC]` (DSK-11): one line in place, the rest in private (IRC-24)."""
    node, guide = context.node, Guide.of(context)
    if node.topic is None:
        return context.answer(overview(guide), kind="note")  # IRC-24
    lines = _found(node.topic, node.rule, guide)
    if lines is None:
        raise RuleError(f'"{shown(node.topic)}" is not a topic I know.', hint=f"help {ALL}")
    first, *rest = lines
    return context.answer(first, *rest, kind="note")


def _found(topic: str, rule: str | None, guide: Guide) -> list[str] | None:
    """Help on a topic, which may have the form of the id `rule`; None if it is unknown. RuleError for a wrong id."""
    if rule and rule in rule_texts.every():
        return [f"{rule}: {rule_texts.every()[rule]}"]
    lines = topic_lines(topic.removesuffix(" name"), guide)  # `help as NAME`
    if lines is None and rule:  # `help wp 2`
        lines = topic_lines(topic.rpartition(" ")[0], guide)
    lines = lines or _mentioning(topic, guide)
    if lines is None and rule and (near_rule := rule_texts.nearest(rule)):
        raise RuleError(f"there is no rule {rule}.", hint=f"help {near_rule}")
    if lines is None and (near_topic := _nearest(topic)):
        lines = topic_lines(near_topic, guide)
    return lines


async def about(context: Context[About]) -> Answer:
    """`about`, `version` (DSK-12)."""
    return context.answer(f"ircdice {__version__}, a dice bot whose posted results can be verified.", kind="note")


# Answers.


def overview(guide: Guide) -> str:
    """The games in the channel, three examples of its own, and how to get more help."""
    titles, own = [game.title for game in guide.games], guide.own
    games = f"{'Games' if len(titles) > 1 else 'Game'} here: {', '.join(titles)}"
    examples = " | ".join([guide.typed(example, own) for example in _first(own)]) if own else ""
    topics = ", ".join(map(guide.asks, [guide.system, ALL, STORYTELLER, "WORD"]))
    return f"{games}. Type: {examples}; more: {topics}{guide.more}"


def _first(game: Grammar) -> list[str]:
    """Three examples to start with: a roll, a follow-up and a contest, if the game has them."""
    kinds = _by_kind(game)
    found = [kinds[kind][0] for kind in ("roll", "after", "contest") if kind in kinds]
    return [*found, *(example for example in game.examples if example not in found)][:3]


def topic_lines(topic: str, guide: Guide) -> list[str] | None:
    """The grammars' help on a topic, in at most four lines; None if it is unknown."""
    if topic == ALL:
        games = "; ".join(f"{game.title}: {' '.join(game.keywords)}" for game in guide.games)
        always = " ".join(word for grammar in guide.grammars if not grammar.is_system for word in grammar.keywords)
        return [f"{games}.", f"In every channel: {always}. {guide.asks('WORD')} explains each{guide.more}."]
    if topic in STORYTELLERS:
        return _for_storytellers(guide)
    game = catalogue.named(topic.replace(" ", "_"))
    if game is not None and game.is_system:
        return _of_game(game, guide) if guide.answers(game) else _elsewhere([game], guide)
    return _of_word(topic, guide)


def _for_storytellers(guide: Guide) -> list[str]:
    """Help for storytellers: their commands, with those of other games last."""
    first, *examples = [
        guide.typed(example, grammar)
        for grammar in guide.grammars
        for example, sense in grammar.examples.items()
        if sense.startswith(STORYTELLER)
    ]
    return _packed([*_terms(STORYTELLER, guide), f"Commands of storytellers: {first}", *examples], guide)


def _of_game(game: Grammar, guide: Guide) -> list[str]:
    """Help on a game: rolls, follow-ups, contests, and the rest."""
    heads = {"roll": f"{game.title}, to roll", "after": "After a roll", "contest": "Contests", "also": "Also"}
    more, kinds = f"more: {guide.asks(game.keywords[0])}", _by_kind(game)
    return [
        _line(f"{head}: ", [guide.example(each, game) for each in kinds[kind]], more)
        for kind, head in heads.items()
        if kind in kinds
    ]


def _by_kind(game: Grammar) -> dict[str, list[str]]:
    """The examples of a game: rolls, follow-ups (`after`), contests, and others (`also`)."""
    kinds: dict[str, list[str]] = {}
    for example in game.examples:
        node = grammars.read(example, game.name, True).node
        throws = "roll" if dispatcher.throws(node) else "also"
        kind = "contest" if node.answer else throws if dispatcher.rolls(node) else "after"
        kinds.setdefault(kind, []).append(example)
    return kinds


def _of_word(word: str, guide: Guide) -> list[str] | None:
    """Help on a command word, a term, or a word in commands, with the channel's own game first."""
    own, others = guide.own, [game for game in guide.games if game.name != guide.system]
    if own and word not in own.keywords and (explained := terms(own).get(word)):
        return _packed(list(explained), guide)  # V5-26: in two lines
    parts = []
    if word in CONTESTS:
        parts = _terms(word, guide)
        parts += [guide.example(each, own) for each in _by_kind(own).get("contest", ())] if own else []
    first = [grammar for grammar in guide.grammars if grammar not in others or word in grammar.keywords]
    first.sort(key=lambda each: (each != own, not (word in each.keywords or word in (each.name, *each.help))))
    parts += [part for grammar in first for part in _explained(word, grammar, guide)]
    if all(f'": {STORYTELLER}' in part for part in parts):  # nothing, or only settings, which do not explain it
        explains = [game for game in others if word in game.help or (not parts and any(_explained(word, game, guide)))]
        of_a_game = any(game.name != catalogue.DICE_NOTATION for game in explains)
        if own and of_a_game and (rules := _rules_with(word, own)):
            parts = [*rules, *parts]
        elif explains:
            more = [_explained(word, game, guide) for game in explains]
            said = [f"{game.title}: {next(rest)}" for game, rest in zip(explains, more, strict=True)]
            parts = [*said, *(more[0] if len(explains) == 1 else ()), *parts]
    found = (grammar for grammar in catalogue.grammars_found() if any(_explained(word, grammar, guide)))
    return _packed(list(dict.fromkeys(parts)), guide) if parts else _elsewhere(found, guide)


def _elsewhere(games: Iterable[Grammar], guide: Guide) -> list[str] | None:
    """A line on those of the games that are not played here; None if there are none."""
    titles = ", ".join(game.title.replace("The ", "the ", 1) for game in games if not guide.answers(game))
    said = f'that belongs to {titles}, which is not played here; "{guide.prefix}help" names what is.'
    return [said] if titles else None


def _terms(word: str, guide: Guide) -> list[str]:
    """The grammars' explanations of a word."""
    return [line for grammar in guide.grammars for line in terms(grammar).get(word, ())]


def _explained(word: str, grammar: Grammar, guide: Guide) -> Iterator[str]:
    """A grammar's explanation of a word, the commands that begin with it, and some that contain it."""
    meant = grammar.synonyms.get(word, word)
    explained = terms(grammar)
    yield from explained.get(word, explained.get(meant, ()))
    # `trackers` means the subject with all its commands, `channel` one of several commands.
    whole = meant == grammar.name and meant not in grammar.keywords[:1]
    begins = [each for each in grammar.examples if whole or meant == each.split()[0]]
    takes = [each for each in _examples_with(meant, grammar) if each not in begins][:MOST_EXAMPLES]
    yield from (guide.example(each, grammar) for each in (*begins, *takes))
    if meant in grammar.keywords and word not in grammar.help and not begins and not takes:
        yield f"{grammar.summary}."


def _examples_with(word: str, grammar: Grammar) -> list[str]:
    """The examples that contain a word, in any spelling: `h2` for `hunger`."""
    spelt = {each for token in _tokens(grammar) if word in token.words for each in token.words}
    taking = re.compile(rf"(?<![a-z])(?:{'|'.join(map(re.escape, spelt))})(?![a-z])")
    return [each for each in grammar.examples if spelt and taking.search(each)]


def _tokens(grammar: Grammar) -> Iterator[Token]:
    return (token for found in grammar.tokens.values() for token in found if not token.rejects)


def _mentioning(words: str, guide: Guide) -> list[str] | None:
    """The rules and examples that contain these words, which are not a topic, such as a verdict's; None without any.

    The rules are those of the channel's own game; of other games only if nothing else is found.
    """
    if len(words) < SHORTEST_ASKED:
        return None
    rules = {game: _rules_with(words, game) for game in catalogue.grammars_found() if game.is_system}
    said = _pattern(words)
    parts = list(rules[guide.own]) if guide.own else []
    parts += [
        guide.example(example, grammar)
        for grammar in guide.grammars
        for example, sense in grammar.examples.items()
        if said.search(example) or said.search(sense)
    ]
    parts = parts or [f"{game.title}: {text}" for game in guide.games for text in rules[game]]
    return _packed(parts, guide) if parts else _elsewhere((game for game in rules if rules[game]), guide)


def _rules_with(words: str, game: Grammar) -> list[str]:
    """A game's rules that contain all these words, first those that have them one after the other."""
    each, said = [_pattern(word) for word in words.split()], _pattern(words)
    found = [text for text in dispatcher.systems()[game.name].rules.values() if all(word.search(text) for word in each)]
    return sorted(found, key=lambda text: said.search(text) is None)


def _pattern(words: str) -> re.Pattern[str]:
    """A pattern for these words, the last in singular or plural."""
    singular = words if words.endswith("ss") else words.removesuffix("s")
    return re.compile(rf"\b{re.escape(singular)}(?:e?s)?\b", re.IGNORECASE)


def _nearest(asked: str) -> str | None:
    """The topic that was probably meant: one letter off, or with this beginning or heading."""
    if len(asked) < SHORTEST_ASKED:
        return None
    found = catalogue.grammars_found()
    words = (word for grammar in found for token in _tokens(grammar) for word in token.words)
    close = near(asked, [*catalogue.topics(), ALL, STORYTELLER, *words]) if len(asked) > SHORTEST_ASKED else ()
    begun = (topic for topic in sorted(catalogue.topics()) if topic.startswith(asked))
    headed = re.compile(rf"[^:.]*\b{re.escape(asked)}", re.IGNORECASE)
    explained = ((term, " ".join(lines)) for grammar in found for term, lines in terms(grammar).items())
    return next(chain(close, begun, (term for term, text in explained if headed.match(text))), None)


# Lines that fit in a reply.


def _line(head: str, parts: list[str], more: str) -> str:
    """As many parts as fit in one line, with a note if some are left out."""
    for count in range(len(parts), 0, -1):
        text = head + " | ".join(parts if count == len(parts) else [*parts[:count], more])
        if fits(text):
            break
    return text


def _packed(parts: list[str], guide: Guide) -> list[str]:
    """The parts in at most four lines (IRC-20). The first line, which is posted in place, has only the first part."""
    lines = [parts[0]]
    for part in parts[1:]:
        if fits(f"{lines[-1]} | {part}") and len(lines) > 1:
            lines[-1] = f"{lines[-1]} | {part}"
        else:
            lines.append(f"also {part}" if part.startswith("/") else part)  # IRC-21: not like a command
    rest = f"The rest is in {guide.link or f'''ircdice's {EVERYTHING}'''}."
    return lines if len(lines) <= MOST_LINES else [*lines[: MOST_LINES - 1], rest]
