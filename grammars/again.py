"""`again [CHANGES]`: the speaker's last roll once more, with other clauses (DSK-13)."""

from __future__ import annotations

from dataclasses import dataclass

import pyparsing as pp

from grammars.command import Command
from grammars.tokens import Token, builds, command_word

SYSTEM = False  # answered by the bot, not by the rules of a game
KEYWORDS = ("again",)
ONLY_CALLED = KEYWORDS
EXAMPLES = {
    "again": "your last roll here once more",
    "again h3": "the same with another clause: what is of its kind is replaced, and anything else added",
}


@dataclass(frozen=True, slots=True)
class Again(Command):
    """The speaker's last roll with `changes`, as typed."""

    changes: str = ""

    def __str__(self) -> str:
        return f"again {self.changes}".strip()


# Up to a comment, or `as NAME`.
CHANGES = Token(
    "what changes, as h3",
    r"(?!(?:for\s(?!help)|as\s))[^\s#].*?(?=\s+(?:for\s(?!help)|as\s)|\s*#(?:\s|$)|[.!?]*\s*$)",
    clause="changes",
    value=lambda match: match[0].strip(),
)

GRAMMAR = (command_word("again") + pp.Opt(CHANGES)).set_parse_action(builds(Again))
