"""`help [TOPIC]`: what the grammars say of themselves. A topic that no grammar knows is talk."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import pyparsing as pp

from grammars import catalogue
from grammars.spelling import nearest
from grammars.tokens import Misread, command

SYSTEM = False  # answered by the bot, not by a rules file
KEYWORDS = ("help",)
EXAMPLES = {
    "help messy": "what it means; `help roll`, `help v5`, `help willpower` likewise",
    "help V5-07": "what that rule says, in a sentence",
}
SHORTEST = 4  # letters of a topic that is looked for
_RULE = re.compile(r"[a-z][a-z0-9]{0,7}-[0-9]{1,2}")  # the form of a rule's id; which there are, the rules know


@dataclass(frozen=True, slots=True)
class Help:
    """A question about `topic`, a command word, a system, a term or a rule's id; None is help at large."""

    topic: str | None = None

    @property
    def rule(self) -> str | None:
        """The id of the rule asked about, as the tables write it."""
        if self.topic is None or self.topic in catalogue.topics() or not _RULE.fullmatch(self.topic):
            return None
        family, _, number = self.topic.upper().partition("-")
        return f"{family}-{number:0>2}"

    def __str__(self) -> str:
        return f"help {self.topic}" if self.topic else "help"


def _node(text: str, loc: int, tokens: pp.ParseResults) -> Help:
    topic, number = tokens[0]["topic"], tokens[0]["number"]
    node = Help(topic and f"{topic.lower()}-{number}" if number else topic and topic.lower())
    if number and topic.lower() not in catalogue.topics():  # `help me 5`
        raise pp.ParseException(text, loc, "no such rule")
    if node.topic is not None and node.topic not in catalogue.topics() and node.rule is None:
        alone = not text[tokens[0].end() :].strip(" .!?")  # `help with 5d10` asks people
        if alone and (near := _near(node.topic)):
            sentence = f'"{node.topic}" is no topic of mine.'
            raise Misread(text, tokens[0].start("topic"), sentence, instead=f"help {near}", guess=True)
        raise pp.ParseException(text, loc, "no such topic")
    return node


def _near(asked: str) -> str | None:
    """The topic that was meant: within a letter of it, begun by it, or one that explains it."""
    if len(asked) < SHORTEST:
        return None
    topics = catalogue.topics()
    begun = (topic for topic in sorted(topics) if topic.startswith(asked))
    return nearest(asked, topics) or next(begun, None) or next(_explaining(asked), None)


def _explaining(asked: str) -> Iterator[str]:
    """The terms whose first words hold what is asked about, then those that a game's own word of it stands in."""
    told = [(g, term, lines[0].lower()) for g in catalogue.grammars_found() for term, lines in g.help.items()]
    word = re.compile(rf"\b{re.escape(asked)}")
    yield from (term for _, term, line in told if word.search(re.split("[:.]", line, maxsplit=1)[0]))
    found = [(at.start(), term) for g, term, line in told if asked in g.words and (at := word.search(line))]
    yield from (term for _, term in sorted(found))


def _game(text: str, loc: int, tokens: pp.ParseResults) -> Help:
    """A game by its name of two words: `help beat eight`, `help Strike & Cinder`."""
    topic = "_".join(tokens[0].group("first", "second")).lower()
    if topic not in catalogue.topics():
        raise pp.ParseException(text, loc, "no such game")
    return Help(topic)


_IN_TWO_WORDS = command(
    r"help\s+(?P<first>[a-z]+)(?:\s*&\s*|\s+and\s+|\s+)(?P<second>[a-z]+)(?![a-z0-9_-])"
).set_parse_action(_game)
GRAMMAR = _IN_TWO_WORDS | command(
    r"help(?![a-z0-9])(?:\s+(?!for\s)(?P<topic>[a-z][a-z0-9_-]*)(?:\s(?P<number>[0-9]{1,2})(?=\s*[.!?]*$))?)?"
).set_parse_action(_node)
