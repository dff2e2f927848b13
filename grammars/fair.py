"""`stir WORDS` and `fair`: a channel's own words in its dice, and how anybody may check them (LED-15)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from grammars.command import Command
from grammars.errors import ImpossibleError
from grammars.line import posted_comment
from grammars.tokens import Token, command_word, made_by

SYSTEM = False  # answered by the bot, not by the rules of a game
KEYWORDS = ("stir", "fair")
ONLY_CALLED = KEYWORDS  # GEN-13: people stir other things as well, and fair enough
EXAMPLES = {
    "stir our own words": "your words go into this channel's dice from now on, so that nobody can have known them"
    " beforehand; once an hour",
    "fair": "what the bot has committed to, and where to check it",
}


@dataclass(frozen=True, slots=True)
class Stir(Command):
    """Words for the next generation of a channel's dice, as they are posted."""

    words: str

    def __str__(self) -> str:
        return f"stir {self.words}"


@dataclass(frozen=True, slots=True)
class Fair(Command):
    """The question what the dice are bound to."""

    def __str__(self) -> str:
        return "fair"


def _stir(tokens: Sequence[str]) -> Stir:
    words = posted_comment(tokens[0])
    if not words:
        raise ImpossibleError("stir needs words of your own, as stir our own words.")
    return Stir(words)


WORDS = Token("words", r".*")

stir = (command_word("stir") + WORDS).set_parse_action(made_by(_stir))
fair = command_word("fair").add_parse_action(lambda: Fair())

GRAMMAR = stir | fair
