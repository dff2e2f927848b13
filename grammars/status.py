"""`status` and `reload`: the status of a channel or the bot, for storytellers and operators (DSK-12)."""

from __future__ import annotations

from dataclasses import dataclass

import pyparsing as pp

from grammars.command import Command
from grammars.secrets import IN
from grammars.tokens import builds, command_word

SYSTEM = False  # answered by the bot, not by the rules of a game
KEYWORDS = ("status", "reload")
ONLY_CALLED = KEYWORDS  # GEN-13
EXAMPLES = {
    "status in #FU_Dice": "storyteller, in private: what the channel plays, its open contests, secrets and trackers",
    "status": "operator of the bot, in private: its networks, its ledger, and what waits",
    "reload": "operator of the bot: read the config again",
}


@dataclass(frozen=True, slots=True)
class Status(Command):
    """The question for the status of a channel, or of the whole bot."""

    channel: str | None = None

    def __str__(self) -> str:
        return f"status in {self.channel}" if self.channel else "status"


@dataclass(frozen=True, slots=True)
class Reload(Command):
    """Read the config again."""

    def __str__(self) -> str:
        return "reload"


status = (command_word("status") + pp.Opt(IN)).set_parse_action(builds(Status))
reload = command_word("reload").add_parse_action(lambda: Reload())

GRAMMAR = status | reload
