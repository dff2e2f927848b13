"""`Nx COMMAND`: one command for several characters, with separate rolls (GEN-17)."""

from __future__ import annotations

import re

from grammars.command import Holding, limited
from grammars.errors import ImpossibleError
from grammars.line import FLAGS, Line
from grammars.tokens import Token, integer

FEWEST, MOST = 2, 10
EXAMPLES = {
    "3x roll 5d10 h2": f"the same command {FEWEST} to {MOST} times, for a group: a roll and an id for each; not for"
    " contests. In the dice notation `roll 3x 4d6k3` is one roll with three totals"
}
_COUNT = re.compile(r"(?P<count>[0-9]{1,3})\s?[x\u00d7]\s+(?=[a-z])", FLAGS)


class Repeated(Holding):
    """`command`, carried out `count` times."""

    count: int = limited(FEWEST, MOST, "how often a command is repeated")

    def __post_init__(self) -> None:  # GEN-17
        super().__post_init__()
        if self.command.answer:
            raise ImpossibleError("a contest is not repeated: open each by itself.")

    def __str__(self) -> str:
        return f"{self.count}x {self.command}"


def count_of(plain: str) -> int:
    """The number in `Nx` at the start of a line; 1 without it."""
    found = _COUNT.match(plain)
    return int(found["count"]) if found else 1


def command_at(plain: str) -> int:
    """The start of the command after `Nx`; 0 without it."""
    found = _COUNT.match(plain)
    return found.end() if found else 0


def command_in(text: str) -> str:
    """The command of `Nx COMMAND`, as typed."""
    line = Line.of(text)
    return text[line.column(command_at(line.plain)) - 1 :]


TIMES = Token("Nx", _COUNT.pattern, clause="count", value=integer)
GRAMMAR = (TIMES + Token("a command that rolls", r"\S.*")).set_name("Nx COMMAND")
