"""`help [TOPIC]`: what the grammars say of themselves. A topic that no grammar knows is talk."""

from __future__ import annotations

from dataclasses import dataclass

import pyparsing as pp

from grammars import catalogue
from grammars.tokens import command

SYSTEM = False  # answered by the bot, not by a rules file
KEYWORDS = ("help",)
EXAMPLES = {"help messy": "what it means; `help roll`, `help v5`, `help willpower` likewise"}


@dataclass(frozen=True, slots=True)
class Help:
    """A question about `topic`, a command word, a system or a term; None is help at large."""

    topic: str | None = None

    def __str__(self) -> str:
        return f"help {self.topic}" if self.topic else "help"


def _node(text: str, loc: int, tokens: pp.ParseResults) -> Help:
    topic = tokens[0]["topic"]
    if topic is not None and topic.lower() not in catalogue.topics():
        raise pp.ParseException(text, loc, "no such topic")
    return Help(topic and topic.lower())


GRAMMAR = command(r"help(?![a-z0-9])(?:\s+(?!for\s)(?P<topic>[a-z][a-z0-9_-]*))?").set_parse_action(_node)
