"""`help`, `about` and `hints` (DSK-11, GEN-11)."""

from __future__ import annotations

import re
from collections.abc import Collection

from grammars import catalogue
from grammars.help import About, Help
from grammars.hints import Hints
from grammars.line import shown
from grammars.suggest import near
from ircdice import __version__
from ircdice.bot import rule_texts
from ircdice.bot.context import Answer, Context
from ircdice.errors import RuleError
from ircdice.reply import fits

MOST_HELP_LINES = 4
SHORTEST_ASKED = 3  # letters of a topic that is guessed
MORE_HELP = "The rest is in ircdice's docs/reference/commands.md."


async def explain(context: Context[Help]) -> Answer:
    """`help [TOPIC]` (DSK-11): one line where it was asked, the rest in private (IRC-24)."""
    node = context.node
    topic = topic_of(node.topic) if node.topic else None
    if node.topic and topic is None:
        if node.rule is None:
            meant = nearest_topic(node.topic)
            raise RuleError(f'"{shown(node.topic)}" is not a topic I know.', hint=f"help {meant}" if meant else "help")
        return Answer((context.say(rule_texts.about(node.rule)),), "note")
    lines = help_lines(topic, context.settings.system, context.settings.systems)
    if topic is None:
        return Answer(tuple(context.whisper(line) for line in lines), "note")  # GEN-10
    first, *rest = lines
    return Answer((context.say(first), *(context.whisper(line) for line in rest)), "note")


async def about(context: Context[About]) -> Answer:
    """`about`, `version` (DSK-12)."""
    return Answer((context.say(f"ircdice {__version__}, a dice bot whose posted results can be verified."),), "note")


def topic_of(asked: str) -> str | None:
    """What `help` is asked about, as the grammars name it: `Strike & Cinder` is `strike_cinder`."""
    return next((t for t in (asked, asked.replace(" ", "_")) if t in catalogue.topics()), None)


def nearest_topic(asked: str) -> str | None:
    """The topic that was meant: within a letter of it, begun by it, or one whose explanation is headed by it."""
    if len(asked) < SHORTEST_ASKED:
        return None
    topics = catalogue.topics()
    begun = (topic for topic in sorted(topics) if topic.startswith(asked))
    told = [(term, " ".join(lines).lower()) for g in catalogue.grammars_found() for term, lines in g.help.items()]
    word = re.compile(rf"\b{re.escape(asked)}")
    named = (term for term, line in told if word.search(_first_words(line)))
    return next(iter(near(asked, topics)), None) or next(begun, None) or next(named, None)


def _first_words(line: str) -> str:
    """What a line of help explains: `messy critical`."""
    return re.split("[:.]", line, maxsplit=1)[0]


def _is_here(grammar: catalogue.Grammar, systems: Collection[str]) -> bool:
    return not grammar.is_system or not systems or grammar.name in systems


def help_lines(topic: str | None, system: str, systems: Collection[str] = ()) -> list[str]:
    """What the grammars of the games played say of a topic, or of themselves; at most four lines. No `systems` named
    are all there are."""
    if topic is None:
        grammars = [g for g in catalogue.grammars_found() if g.is_system and _is_here(g, systems)]
        examples = [e for g in grammars if g.name == system for e in g.examples][:3]
        names = ", ".join(f"{g.name}: {' '.join(g.keywords)}" for g in grammars)  # b8 in brackets smiles
        always = " ".join(word for g in catalogue.grammars_found() if not g.is_system for word in g.keywords)
        more = "help COMMAND, or a rule's id, tells more."
        return [
            f"ircdice {__version__} plays {names}; for example: {' | '.join(examples)}; {more}",
            f"In every channel: {always}.",
        ]
    claimed = catalogue.topics()[topic]
    found = [grammar for grammar in claimed if _is_here(grammar, systems)]
    if not found:
        games = ", ".join(grammar.name for grammar in claimed)
        return [f'that belongs to {games}, which is not played here; "help" names what is.']
    found.sort(key=lambda grammar: (grammar.name != system, grammar.is_system))  # the channel's own first
    commands = [grammar for grammar in found if topic in (*grammar.keywords, grammar.name)]
    told = list(found[0].help.get(topic, ()))
    if not commands:
        return told
    packed = _packed([part for grammar in commands for part in _of_grammar(grammar, topic)])
    return [*told, *packed][:MOST_HELP_LINES]


def _of_grammar(grammar: catalogue.Grammar, topic: str) -> list[str]:
    """Each example that begins with the topic, or all for the system itself, with its sense."""
    examples = {e: s for e, s in grammar.examples.items() if topic == grammar.name or e.split()[0] == topic}
    return [f'"{example}": {sense}' if sense else f'"{example}"' for example, sense in examples.items()] or [
        grammar.summary
    ]


def _packed(parts: list[str]) -> list[str]:
    """The parts in lines as long as a reply may be, at most four of them (IRC-20)."""
    lines = [parts[0]]
    for part in parts[1:]:
        if fits(f"{lines[-1]} | {part}") and len(lines) > 1:
            lines[-1] = f"{lines[-1]} | {part}"
        else:
            lines.append(part)
    return lines if len(lines) <= MOST_HELP_LINES else [*lines[: MOST_HELP_LINES - 1], MORE_HELP]


async def hints(context: Context[Hints]) -> Answer:
    """`hints on|off` (GEN-11)."""
    if context.hinting:
        context.hinting.wanted(f"{context.message.network} {context.message.who}", wanted=context.node.wanted)
    return Answer((context.whisper(f"hints are {'on' if context.node.wanted else 'off'} for you."),), "note")
