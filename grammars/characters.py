"""Who plays whom: `play`, `characters`, `character`, `npc` (DSK-01)."""

from __future__ import annotations

from dataclasses import dataclass

import pyparsing as pp

from grammars.command import Command
from grammars.names import check_name, name
from grammars.tokens import builds, command_word, flag, word

SYSTEM = False  # answered by the bot, not by the rules of a game
KEYWORDS = ("play", "characters", "character", "npc")
ONLY_CALLED = KEYWORDS  # GEN-13: `play dead` is talk
EXAMPLES = {
    "play Viktor": "you are Viktor in this channel from now on",
    "play": "whom do you play here?",
    "play off": "you play nobody any more",
    "characters": "who plays whom in this channel",
    "character Viktor rename Victor": "a character of yours has another name, and keeps everything else",
    "character Viktor retire": "a character of yours is no more, nor what was tracked of it",
    "npc Thug": "storyteller: a character of this channel; `roll 5d10 h2 as Thug` rolls for it",
}
HELP = {
    "as": (
        "as NAME at the end says for whom: a character of yours, or as storyteller anybody, as roll 5d10 h2 as Thug, wp"
        " as bob, !hunger +1 as bob.",
    ),
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


@dataclass(frozen=True, slots=True)
class Character(Command):
    """A character has the name `new` from now on, or is retired; neither asks whose it is, and records that it is."""

    name: str
    new: str | None = None
    retire: bool = False

    def __post_init__(self) -> None:
        """desk.md, "Names"."""
        check_name("new", self.new)

    @property
    def removes(self) -> bool:
        """Whether no one is called that any more."""
        return self.retire or self.new is not None

    def __str__(self) -> str:
        changed = "retire" if self.retire else self.new and f"rename {self.new}"
        return " ".join(filter(None, ["character", self.name, changed]))


@dataclass(frozen=True, slots=True)
class Npc(Command):
    """A character of the channel's own."""

    name: str

    def __post_init__(self) -> None:
        """desk.md, "Names"."""
        check_name("name", self.name)

    def __str__(self) -> str:
        return f"npc {self.name}"


NAME = name()
OFF = flag("off")
NEW_NAME = name("new")
RETIRE = flag("retire")

play = (command_word("play") + pp.Opt(OFF | NAME)).set_parse_action(builds(Play))
characters = command_word("characters").add_parse_action(lambda: Characters())
changed = RETIRE | word("rename") - NEW_NAME
character = (command_word("character") - NAME + pp.Opt(changed)).set_parse_action(builds(Character))
npc = (command_word("npc") - NAME).set_parse_action(builds(Npc))

GRAMMAR = play | characters | character | npc
