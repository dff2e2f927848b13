"""`macro`, `macros`: commands under names of one's own (DSK-05)."""

from __future__ import annotations

import re
from collections.abc import Callable

import pyparsing as pp

from grammars.command import Node, builds, joined
from grammars.errors import ImpossibleError
from grammars.line import shown
from grammars.tokens import Token, command_word, flag, name

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


class Macro(Node):
    """Define the macro `name`; an empty text removes it, None asks for it. `shared`: it belongs to the channel."""

    name: str
    text: str | None = None
    shared: bool = False

    def __post_init__(self) -> None:
        self.filled(lambda _: 1)  # refuses braces without a name

    @property
    def removes(self) -> bool:
        """Whether it removes the macro."""
        return self.text == ""

    def filled(self, number: Callable[[str], int]) -> str:
        """The command with the numbers named in braces filled in. ImpossibleError for braces without a name."""

        def value(match: re.Match[str]) -> str:
            named = _NAME.fullmatch(match[2] if match[1] is None else match[1])
            if named is None:
                raise ImpossibleError(f"in a macro {shown(match[0])} names no number, as {{strength}} does.", "text")
            return str(number(named[1]))

        return _BRACES.sub(value, self.text or "")

    def __str__(self) -> str:
        text = None if self.text is None else f"= {self.text}".rstrip()
        return joined("macro", self.shared and "channel", self.name, text)


class Macros(Node):
    """List the macros."""


SHARED = flag("shared", "channel")
TEXT = Token("= a command that rolls", r"=\s*(.*?)\s*$", clause="text")

macro = command_word("macro") + pp.Opt(SHARED) - name() + pp.Opt(TEXT)
macro.set_parse_action(builds(Macro)).set_name("macro")
macros = command_word("macros").add_parse_action(builds(Macros))

GRAMMAR = macro | macros
