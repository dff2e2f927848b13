"""`odds COMMAND` (GEN-08): the exact odds of another command, which is not carried out."""

from __future__ import annotations

import pyparsing as pp

from grammars.command import Holding
from grammars.tokens import Token, command_word, flag

UNCALLED = ("odds",)  # GEN-13
EXAMPLES = {
    "odds roll 10d10 h5 dc4": "the exact chances of a command; rolls nothing. `odds wp 2` asks about a reroll",
    "odds 4d6k3 full": "the same, and a chart of bars in private",
}


class OddsOf(Holding):
    """Ask for the odds of `command`, a roll or reroll; `full` asks for a chart too."""

    full: bool = False

    def __str__(self) -> str:
        return f"odds {self.command}{' full' if self.full else ''}"


COMMAND = Token("a command that rolls", r"\S(?:[^#]|#(?!\s))*?(?=\s+full[\s.!?]*(?:#.*)?$)|\S.*")
GRAMMAR = command_word("odds") + COMMAND + pp.Opt(flag("full"))
