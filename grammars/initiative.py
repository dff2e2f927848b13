"""`init`: who acts when (DSK-09)."""

from __future__ import annotations

from dataclasses import dataclass

import pyparsing as pp

from grammars.command import Command
from grammars.names import check_name, name
from grammars.tokens import END, NICK_PATTERN, Token, builds, check, command_word, word

SYSTEM = False  # answered by the bot, not by the rules of a game
KEYWORDS = ("init",)
ONLY_CALLED = KEYWORDS  # GEN-13: `init 3 doesn't do anything.` is talk
EXAMPLES = {
    "init +3": "roll your initiative, with 3 added",
    "init": "the order of initiative",
    "init next": "who acts next",
    "init Ghoul +5": "storyteller: roll the initiative of another character",
    "init Ghoul 14": "storyteller: set it without a roll",
    "init drop Ghoul": "take a character out of the order; your own, or as storyteller any",
    "init end": "storyteller: the order is over",
}
LARGEST = 100


@dataclass(frozen=True, slots=True)
class Initiative(Command):
    """Enter `name`, by default who speaks: a roll with `bonus` added, or `fixed` without one."""

    name: str | None = None
    bonus: int = 0
    fixed: int | None = None

    def __post_init__(self) -> None:
        """desk.md, "Names"."""
        check_name("name", self.name)
        check("bonus", self.bonus, -LARGEST, LARGEST)
        check("fixed", self.fixed, 0, LARGEST, "an initiative")

    draws = True  # The die, if any, and one that breaks ties

    def __str__(self) -> str:
        number = f"{self.bonus:+}" if self.fixed is None else f"={self.fixed}"
        return " ".join(filter(None, ["init", self.name, number]))


@dataclass(frozen=True, slots=True)
class Order(Command):
    """The question for the order."""

    def __str__(self) -> str:
        return "init"


@dataclass(frozen=True, slots=True)
class Next(Command):
    """It is the turn of `name`, by default of the next in the order."""

    name: str | None = None

    def __post_init__(self) -> None:
        """desk.md, "Names"."""
        check_name("name", self.name)

    def __str__(self) -> str:
        return f"init next {self.name}" if self.name else "init next"


@dataclass(frozen=True, slots=True)
class Drop(Command):
    """Take `name` out of the order."""

    name: str

    removes = True  # It is in the order no longer

    def __post_init__(self) -> None:
        """desk.md, "Names"."""
        check_name("name", self.name)

    def __str__(self) -> str:
        return f"init drop {self.name}"


@dataclass(frozen=True, slots=True)
class End(Command):
    """The order is over."""

    def __str__(self) -> str:
        return "init end"


NICK = Token("NICK", rf"(?=[^\s]*[_\[\]\\`^{{}}|]){NICK_PATTERN}", clause="name", value=lambda match: match[0])
NAME = (NICK | name()).set_name("a name")
NAME_ALONE = name(numbers=False)  # `Ghoul 14`
BONUS = Token("+3", rf"[-+]\s?[0-9]{{1,30}}{END}", clause="bonus", value=lambda match: int(match[0].replace(" ", "")))
FIXED = Token("14", rf"=?\s?(?P<number>[0-9]{{1,30}}){END}", clause="fixed", value=lambda match: int(match["number"]))
EXACTLY = Token("=14", rf"=\s?(?P<number>[0-9]{{1,30}}){END}", clause="fixed", value=lambda match: int(match["number"]))

entry = NAME + (BONUS | EXACTLY) | NAME_ALONE + FIXED | NAME | BONUS | FIXED
enter = (command_word("init") + entry).set_parse_action(builds(Initiative)).set_name("init +3")
following = (command_word("init") + word("next") + pp.Opt(NAME)).set_parse_action(builds(Next)).set_name("init next")
drop = (command_word("init") + word("drop") - NAME).set_parse_action(builds(Drop)).set_name("init drop")
end = (command_word("init") + word("end")).add_parse_action(lambda: End()).set_name("init end")
order = command_word("init").add_parse_action(lambda: Order()).set_name("init")

GRAMMAR = following | drop | end | enter | order
