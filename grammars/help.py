"""`help [TOPIC]`: what the grammars say of themselves. A topic that no grammar knows is talk."""

from __future__ import annotations

import re
from dataclasses import dataclass

import pyparsing as pp

from grammars import catalogue
from grammars.tokens import command

SYSTEM = False  # answered by the bot, not by a rules file
KEYWORDS = ("help",)
EXAMPLES = {
    "help messy": "what it means; `help roll`, `help v5`, `help willpower` likewise",
    "help V5-07": "what that rule says, in a sentence",
}
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
    topic = tokens[0]["topic"]
    node = Help(topic and topic.lower())
    if node.topic is not None and node.topic not in catalogue.topics() and node.rule is None:
        raise pp.ParseException(text, loc, "no such topic")
    return node


GRAMMAR = command(r"help(?![a-z0-9])(?:\s+(?!for\s)(?P<topic>[a-z][a-z0-9_-]*))?").set_parse_action(_node)
