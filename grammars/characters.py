"""Who plays whom: `play`, `characters`, `character`, `npc` (DSK-01)."""

from __future__ import annotations

from dataclasses import dataclass

import pyparsing as pp

from grammars.command import Command
from grammars.names import check_name, name
from grammars.tokens import builds, command_word, flag

SYSTEM = False  # answered by the bot, not by the rules of a game
KEYWORDS = ("play", "characters")
ONLY_CALLED = KEYWORDS  # GEN-13: `play dead` is talk
EXAMPLES = {
    "play Viktor": "you are Viktor in this channel from now on (say it to the bot: `!play Viktor`)",
    "play": "whom do you play here? (say it to the bot: `!play`)",
    "play off": "you play nobody any more (say it to the bot: `!play off`)",
    "characters": "who plays whom in this channel (say it to the bot: `!characters`)",
}


@dataclass(frozen=True, slots=True)
class Play(Command):
    """Play the character of that name here, or none any more (`off`); neither asks who it is."""

    name: str | None = None
    off: bool = False

    def __post_init__(self) -> None:
        """desk.md, "Names"."""
        check_name("name", self.name)

    @property
    def removes(self) -> bool:
        """Whether the channel forgets whom the speaker played."""
        return self.off

    def __str__(self) -> str:
        return " ".join(filter(None, ["play", self.name, "off" if self.off else ""]))


@dataclass(frozen=True, slots=True)
class Characters(Command):
    """The question who plays whom here."""

    def __str__(self) -> str:
        return "characters"


NAME = name()
OFF = flag("off")

play = (command_word("play") + pp.Opt(OFF | NAME)).set_parse_action(builds(Play))
characters = command_word("characters").add_parse_action(lambda: Characters())

GRAMMAR = play | characters
