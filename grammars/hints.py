"""`hints on|off` (GEN-11): whether the speaker wants to be told what the bot could not read."""

from __future__ import annotations

from dataclasses import dataclass

from grammars.tokens import command

SYSTEM = False  # answered by the bot, not by a rules file
KEYWORDS = ("hints",)
EXAMPLES = {"hints off": "no more hints for you (say it to the bot: `!hints off`); `hints on` brings them back"}


@dataclass(frozen=True, slots=True)
class Hints:
    """Hints wanted, or not."""

    wanted: bool
    only_called = True  # GEN-13

    def __str__(self) -> str:
        return f"hints {'on' if self.wanted else 'off'}"


GRAMMAR = command(r"hints\s+(?P<wanted>on|off)(?![a-z0-9])").set_parse_action(
    lambda t: Hints(t[0]["wanted"].lower() == "on")
)
