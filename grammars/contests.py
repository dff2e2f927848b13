"""What is said about contests and rolls: `pass`, `withdraw`, `contests`, `close`, `discard` (GEN-06, V5-25, SC-21)."""

from __future__ import annotations

from dataclasses import dataclass

import pyparsing as pp

from grammars.tokens import REFERENCE, REFERENCE_SHAPE, command, misread

SYSTEM = False  # answered by the bot, not by a rules file
SHAPES = REFERENCE_SHAPE
KEYWORDS = ("pass", "withdraw", "contests", "close", "discard")
EXAMPLES = {
    "pass": "answer an open contest without resisting; `pass #4d` names one of several",
    "withdraw #4d": "the one who opened a contest takes it back, and its dice are shown",
    "contests": "the open contests of this channel (say it to the bot: `!contests`)",
    "close #4d": "storyteller: nothing more is rerolled of that roll, or that contest is over",
    "discard #4d": "disregard a roll of yours, in public: it never counts again",
}


@dataclass(frozen=True, slots=True)
class Pass:
    """No resistance, to the oldest contest that waits for the speaker or to the one named."""

    ref: str | None = None

    def __str__(self) -> str:
        return f"pass #{self.ref}" if self.ref else "pass"


@dataclass(frozen=True, slots=True)
class Withdraw:
    """Take back a contest that one opened."""

    ref: str | None = None

    def __str__(self) -> str:
        return f"withdraw #{self.ref}" if self.ref else "withdraw"

    @property
    def only_called(self) -> bool:
        """GEN-13: a word of everyday talk, unless an id stands behind it."""
        return self.ref is None


@dataclass(frozen=True, slots=True)
class Close:
    """A storyteller's word that a roll or contest is over (V5-25)."""

    ref: str

    def __str__(self) -> str:
        return f"close #{self.ref}"


@dataclass(frozen=True, slots=True)
class Discard:
    """A player's word that a roll of theirs is disregarded and not listed (SC-21)."""

    ref: str | None = None

    def __str__(self) -> str:
        return f"discard #{self.ref}" if self.ref else "discard"

    @property
    def only_called(self) -> bool:
        """GEN-13, as for `withdraw`."""
        return self.ref is None


@dataclass(frozen=True, slots=True)
class Contests:
    """The list of open contests."""

    only_called = True  # GEN-13

    def __str__(self) -> str:
        return "contests"


_NODES: dict[str, type[Pass] | type[Withdraw] | type[Close] | type[Discard]] = {
    "pass": Pass,
    "withdraw": Withdraw,
    "close": Close,
    "discard": Discard,
}


def _node(tokens: pp.ParseResults) -> Pass | Withdraw | Close | Discard:
    match = tokens[0]
    if number := match["number"]:
        raise misread(match, "number", f'"{number}" is no id: they begin with #, as #{number}.', f"#{number}")
    return _NODES[match["word"].lower()](match["ref"] and match["ref"].lower())


_ID = rf"(?:{REFERENCE}|(?P<number>[0-9]{{1,9}})(?=\s*[.!?]*\s*(?:$|\#)))"
GRAMMAR = {
    "pass": command(rf"(?P<word>pass)(?![a-z0-9])\s*{_ID}?").set_parse_action(_node),
    "withdraw": command(rf"(?P<word>withdraw)(?![a-z0-9])\s*{_ID}?").set_parse_action(_node),
    "close": command(rf"(?P<word>close)(?![a-z0-9])\s*{_ID}").set_parse_action(_node),
    "discard": command(rf"(?P<word>discard)(?![a-z0-9])\s*{_ID}?").set_parse_action(_node),
    "contests": command(r"contests(?![a-z0-9])").set_parse_action(lambda: Contests()),
}
