"""`stir WORDS` and `fair`: a channel's own words in its dice, and how anybody may check them (LED-15)."""

from __future__ import annotations

from dataclasses import dataclass

import pyparsing as pp

from grammars.line import posted_comment
from grammars.tokens import Misread, command

SYSTEM = False  # answered by the bot, not by a rules file
KEYWORDS = ("stir", "fair")
EXAMPLES = {
    "stir our own words": "your words go into this channel's dice from now on, so that nobody can have known them"
    " beforehand; once an hour (say it to the bot: `!stir our own words`)",
    "fair": "what the bot has committed to, and where to check it (say it to the bot: `!fair`)",
}


@dataclass(frozen=True, slots=True)
class Stir:
    """Words for the next generation of a channel's dice, as they are posted."""

    words: str
    only_called = True  # GEN-13: people stir other things as well

    def __str__(self) -> str:
        return f"stir {self.words}"


@dataclass(frozen=True, slots=True)
class Fair:
    """The question what the dice are bound to."""

    only_called = True  # GEN-13: fair enough

    def __str__(self) -> str:
        return "fair"


def _stir(text: str, _loc: int, tokens: pp.ParseResults) -> Stir:
    words = posted_comment(tokens[0]["words"])
    if not words:
        sentence = "stir wants words, whichever you like."
        raise Misread(text, tokens[0].end(), sentence, instead="stir our own words", missing=True)
    return Stir(words)


GRAMMAR = {
    "stir": command(r"stir(?![a-z0-9])(?P<words>.*)").set_parse_action(_stir),
    "fair": command(r"fair(?![a-z0-9])").set_parse_action(lambda: Fair()),
}
