"""Characters: `play`, `characters`, `character`, `npc` (DSK-01)."""

from __future__ import annotations

import pyparsing as pp

from grammars.command import Node, builds, joined, marked
from grammars.tokens import command_word, flag, name, word

EXAMPLES = {
    "play Viktor": "you are Viktor in this channel from now on",
    "play": "whom do you play here?",
    "play off": "you no longer play a character",
    "characters": "who plays whom in this channel",
    "character Viktor rename Victor": "a character of yours has another name, and keeps everything else",
    "character Viktor retire": "a character of yours is no more, nor what was tracked of it",
    "npc Thug": "storyteller: a character of this channel; `roll 5d10 h2 as Thug` rolls for it",
}
HELP = {
    "enemy, enemies, monster, monsters": "A character that no player plays is the channel's, and a storyteller's to"
    " play: !npc Ghoul makes one, roll 5d10 h2 as Ghoul rolls for it, !init Ghoul +5 rolls its initiative.",
}


class Play(Node):
    """Play the character with that name here, or stop playing (`off`); without either, ask."""

    name: str | None = None
    off: bool = False

    @property
    def removes(self) -> bool:
        """Whether the speaker stops playing a character."""
        return self.off


class Characters(Node):
    """Ask who plays whom here."""


class Character(Node):
    """Rename a character to `new`, or retire it; without either, ask whose it is, and record the owner."""

    name: str
    new: str | None = None
    retire: bool = False

    @property
    def removes(self) -> bool:
        """Whether the name becomes free."""
        return self.retire or self.new is not None

    def __str__(self) -> str:
        return joined("character", self.name, "retire" if self.retire else marked("rename ", self.new))


class Npc(Node):
    """Create a character that belongs to the channel."""

    name: str


NAME = name()
RENAME_OR_RETIRE = flag("retire") | word("rename") - name("new")

play = (command_word("play") + pp.Opt(flag("off") | NAME)).set_parse_action(builds(Play))
characters = command_word("characters").add_parse_action(builds(Characters))
character = (command_word("character") - NAME + pp.Opt(RENAME_OR_RETIRE)).set_parse_action(builds(Character))
npc = (command_word("npc") - NAME).set_parse_action(builds(Npc))

GRAMMAR = play | characters | character | npc
