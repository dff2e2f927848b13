"""`help [TOPIC]`: help from the grammars and rules (DSK-11)."""

from __future__ import annotations

import re

import pyparsing as pp

from grammars.command import Node, builds
from grammars.line import FLAGS
from grammars.tokens import Token, command_word

EXAMPLES = {
    "help messy": "what it means; `help roll`, `help v5`, `help willpower` likewise",
    "help V5-07": "what that rule says, in a sentence",
}
HELP = {
    "about, version": "about and version tell which version of ircdice I am.",
    "commands": "help commands lists every command word that is answered here.",
}
_RULE = re.compile(r"(?P<family>[a-z][a-z0-9]{0,7})[- ](?P<number>[0-9]{1,2})", FLAGS)


class Help(Node):
    """Ask about `topic`: a command word, a game, a term or a rule's id; None is general help."""

    topic: str | None = None

    @property
    def rule(self) -> str | None:
        """The topic as a rule's id, in its usual spelling, if it has that form."""
        found = _RULE.fullmatch(self.topic or "")
        return f"{found['family'].upper()}-{found['number']:0>2}" if found else None


class About(Node):
    """Ask about the program and its version."""


def _topic(tokens: pp.ParseResults) -> Help:
    """`Strike & Cinder` and `strike and cinder` are `strike cinder`."""
    words = " ".join(tokens).lower().replace("&", " ").split()
    return Help(" ".join(words[:1] + [word for word in words[1:] if word != "and"]) or None)


RULE_ID = Token("V5-07", r"[a-z][a-z0-9]{0,7}-?\s?[0-9]{1,2}(?=\s*[.!?]*$)")
TOPIC = Token("a word, a game or a rule", r"(?!for\s)[a-z][a-z0-9_&' -]*")

helping = (command_word("help") + pp.Opt(RULE_ID | TOPIC)).set_parse_action(_topic)
commands = command_word("commands").add_parse_action(lambda: Help("commands"))
about = command_word("about", "version").add_parse_action(builds(About))

GRAMMAR = helping | commands | about
