"""Secrets at the table: `difficulty`, `secret`, `blind`, `reveal`, `secrets` (DSK-07, FW-10)."""

from __future__ import annotations

from dataclasses import field

import pyparsing as pp

from grammars.command import Node, builds, joined, limited, marked
from grammars.fayrewood import DIFFICULTIES
from grammars.line import CHANNEL_PATTERN, NICK_PATTERN
from grammars.tokens import IN, Token, choice, command_word, flag, number, reference, word

UNCALLED = ("reveal",)  # GEN-13: the others are commands only when the bot is called
EXAMPLES = {
    "difficulty 9 for bob in #FU_Dice": "storyteller, in private: bob's next roll there meets a difficulty that nobody"
    " reads before `reveal`; another one takes its place",
    "difficulty off for bob in #FU_Dice": "storyteller, in private: the difficulty that waits for bob is cancelled",
    "secret roll 5d10 h2 in #FU_Dice": "storyteller, in private: a roll that you alone see until `reveal`",
    "blind roll 5d10 h2": "a roll that only the storytellers see until `reveal`",
    "reveal #4d": "storyteller, or who drew that card: what was sealed is shown, with the salt that proves it; in"
    " private, `reveal #4d in #FU_Dice`",
    "secrets": "storyteller: what is not revealed yet, told to you alone; in private, `secrets in #FU_Dice`",
}
HELP = {
    "secret difficulty": "A storyteller sets a secret difficulty in private, as difficulty 9 for bob in #FU_Dice. bob's"
    " next roll there says whether it succeeds, and not by how much, until reveal tells the number."
}
MOST_DIFFICULTY = 1000


class Difficulty(Node):
    """A difficulty for a nick's next roll in a channel (FW-10); omitted parts are None."""

    number: int | None = limited(1, MOST_DIFFICULTY, "a difficulty", default=None, repr=False)
    nick: str | None = None
    channel: str | None = None
    off: bool = False
    word: str | None = field(default=None, repr=False)  # in place of the number, if the game has such words

    only_aside = True  # in the channel it would not be secret

    def __str__(self) -> str:
        number = "off" if self.off else self.word or self.number
        return joined("difficulty", number, marked("for ", self.nick), marked("in ", self.channel))


class Secret(Node):
    """A roll whose dice stay hidden; `command` as typed, which the channel's game reads."""

    command: str = field(default="", repr=False)
    channel: str | None = None

    draws = True
    only_aside = True  # in the channel it would not be secret


class Blind(Node):
    """A player's roll whose dice only storytellers see; `command` as in `Secret`."""

    command: str = field(repr=False)

    draws = True


class Secrets(Node):
    """List what is not yet revealed in a channel."""

    channel: str | None = None


class Reveal(Node):
    """Reveal a secret difficulty, a roll under one, or a secret roll."""

    ref: str = field()
    channel: str | None = None


FOR = Token("for NICK", rf"for\s+@?({NICK_PATTERN})(?=[\s.,!?]|$)", clause="nick")
WORD = choice("word", {word.lower(): word.lower() for word in DIFFICULTIES.values()})  # GEN-18
# The channel's own game reads it, so it ends before ` in #channel`, or with the line.
COMMAND = Token(
    "a command that rolls", rf".+?(?=\s+in\s+{CHANNEL_PATTERN}\s*(?:[.!?]*$|#\s|(?:for|as)\s)|$)", clause="command"
)
ALL = Token("a command that rolls", r"\S.*", clause="command")
AN_ID = reference().set_name("an id, as #4d")

part = pp.Opt(word("dc", tight=True)) + number("number") | WORD | flag("off", "off", "none", "cancel") | FOR | IN
difficulty = command_word("difficulty") + pp.Opt(pp.Suppress(":")) + part[...]
difficulty.set_parse_action(builds(Difficulty))
secret = (command_word("secret") + pp.Opt(IN | COMMAND + pp.Opt(IN))).set_parse_action(builds(Secret))
reveal = (command_word("reveal") - AN_ID + pp.Opt(IN)).set_parse_action(builds(Reveal))
blind = (command_word("blind") - ALL).set_parse_action(builds(Blind))
secrets = (command_word("secrets") + pp.Opt(IN)).set_parse_action(builds(Secrets))

GRAMMAR = difficulty | secret | blind | reveal | secrets
