"""`macro`, `macros`: a command under a name of one's own (DSK-05)."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

import pyparsing as pp

from grammars.command import Command
from grammars.errors import ImpossibleError
from grammars.line import shown
from grammars.names import check_name, name
from grammars.tokens import Token, builds, command_word, flag

SYSTEM = False  # answered by the bot, not by the rules of a game
KEYWORDS = ("macro", "macros")
ONLY_CALLED = KEYWORDS  # GEN-13
EXAMPLES = {
    "macro punch = roll 7d10 h2 dc2": "`punch` rolls that from now on; `punch dc3` with another clause",
    "macro shoot = v5 {dexterity}+{firearms} h2": "numbers that are tracked for your character are filled in",
    "macro channel punch = roll 5d10 h1": "storyteller: for everybody here who has no macro of that name",
    "macro punch": "what it is",
    "macro punch =": "it is no more",
    "macros": "yours, and those of the channel",
}
_BRACES = re.compile(r"(?<!d)\{([^{}]*)\}|\{(\s*[^\W\d_][^{}]*)\}", re.IGNORECASE)  # `d{1,3,5}` is a die
_NAME = re.compile(r"\s*([^\W\d_][\w' -]{0,29}?)\s*")


@dataclass(frozen=True, slots=True)
class Macro(Command):
    """What `name` stands for from now on; empty text: nothing any more; None asks. `shared`: the channel's own."""

    name: str
    text: str | None = None
    shared: bool = False

    def __post_init__(self) -> None:
        """desk.md, "Names", and braces that hold a name."""
        check_name("name", self.name)
        self.filled(lambda _: 1)

    @property
    def removes(self) -> bool:
        """Whether it is no macro any more."""
        return self.text == ""

    def filled(self, number: Callable[[str], int]) -> str:
        """The command with the numbers that its braces name. ImpossibleError for a brace without a name."""

        def value(match: re.Match[str]) -> str:
            named = _NAME.fullmatch(match[2] if match[1] is None else match[1])
            if named is None:
                raise ImpossibleError(f"in a macro {shown(match[0])} names no number, as {{strength}} does.", "text")
            return str(number(named[1]))

        return _BRACES.sub(value, self.text or "")

    def __str__(self) -> str:
        text = None if self.text is None else f"= {self.text}".rstrip()
        return " ".join(filter(None, ["macro", "channel" if self.shared else "", self.name, text]))


@dataclass(frozen=True, slots=True)
class Macros(Command):
    """The question which macros there are."""

    def __str__(self) -> str:
        return "macros"


NAME = name()
SHARED = flag("shared", "channel")
TEXT = Token("= a command that rolls", r"=\s*(?P<text>.*)", clause="text", value=lambda match: match["text"].strip())

macro = command_word("macro") + pp.Opt(SHARED) - NAME + pp.Opt(TEXT)
macro.set_parse_action(builds(Macro)).set_name("macro")
macros = command_word("macros").add_parse_action(lambda: Macros())

GRAMMAR = macro | macros
