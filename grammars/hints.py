"""`hints on`, `hints off`: whether the speaker gets hints (GEN-11)."""

from __future__ import annotations

from dataclasses import dataclass

from grammars.command import Command
from grammars.tokens import builds, command_word, flag

SYSTEM = False  # answered by the bot, not by the rules of a game
KEYWORDS = ("hints",)
ONLY_CALLED = KEYWORDS  # GEN-13
EXAMPLES = {"hints off": "no more hints for you; `hints on` brings them back"}


@dataclass(frozen=True, slots=True)
class Hints(Command):
    """Whether hints are wanted."""

    wanted: bool

    def __str__(self) -> str:
        return f"hints {'on' if self.wanted else 'off'}"


on_or_off = (flag("wanted", "on") | flag("wanted", "off", value=False)).set_name("on or off")
GRAMMAR = (command_word("hints") - on_or_off).set_parse_action(builds(Hints))
