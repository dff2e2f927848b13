"""Errors that a person can cause, each with one sentence for them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pyparsing as pp

from grammars.line import shown

if TYPE_CHECKING:
    from grammars.reading import Reading


class Refused(Exception):  # noqa: N818  # named for what happened to the speaker
    """Root of the family: `str()` is a sentence for a person. Anything outside the family is our own bug."""


@dataclass(eq=False)
class CommandSyntaxError(Refused):
    """A command that cannot be read.

    `text` is the line as typed, `column` counts from 1, `hint` is the nearest command that works, `example` one that
    begins alike. `guess` says that a word was not understood, so that the line may be talk; `asked`, that it can only
    have been meant as a command.
    """

    sentence: str
    text: str = ""
    column: int = 1
    hint: str | None = None
    guess: bool = False
    asked: bool = False
    example: str | None = None

    def __post_init__(self) -> None:
        super().__init__(self.sentence)

    def __str__(self) -> str:
        return self.sentence


class UnknownCommand(Refused):
    """Talk: the line is met with silence.

    `reading` is the command that the line would be if the bot had been called, or if the moment had made it certain
    (GEN-10). `error` is what would be wrong with it, where it is only a command word and a `number`. `dice` says that
    the line begins with dice; `called`, that the bot was called: `error` is told unless something of that name is kept.
    """

    def __init__(
        self,
        sentence: str = "no command",
        *,
        reading: Reading | None = None,
        error: CommandSyntaxError | None = None,
        number: str = "",
        dice: bool = False,
        called: bool = False,
    ) -> None:
        super().__init__(sentence)
        self.reading = reading
        self.error = error
        self.number = number
        self.dice = dice
        self.called = called


class ImpossibleError(ValueError):
    """Why a command cannot be built, in a sentence. `part` is the clause to blame: its name, or its place from 0."""

    def __init__(self, sentence: str, part: str | int = "") -> None:
        super().__init__(sentence)
        self.part = part

    def is_about(self, name: str, _value: object) -> bool:
        """Whether a clause of that name and value is to blame."""
        return name == self.part

    def about(self, _typed: str) -> str:
        """The sentence about what was typed."""
        return str(self)


class LimitError(ImpossibleError):
    """A number outside its limits: "hunger is 0 to 5"."""

    def __init__(self, limits: str, part: str | int = "", number: int | None = None) -> None:
        super().__init__(f"{limits}.", part)
        self.limits = limits
        self.number = number

    def is_about(self, name: str, value: object) -> bool:
        """Of clauses that may be repeated, which are tuples of one, it is the one with this number."""
        repeated = isinstance(value, tuple) and len(value) == 1
        return name == self.part and (not repeated or value == (self.number,))

    def about(self, typed: str) -> str:
        """The limits, with what was typed instead."""
        return f"{self.limits}, you wrote {shown(typed)}."


class Objection(pp.ParseSyntaxException):
    """What a parse action says of a command that cannot be: a sentence, at the place it is about.

    `asked` marks a question that GEN-12 wants asked even if nobody called the bot; `hint` is a command to offer.
    """

    def __init__(self, text: str, at: int, sentence: str, *, asked: bool = False, hint: str | None = None) -> None:
        super().__init__(text, at, sentence)
        self.sentence = sentence
        self.asked = asked
        self.hint = hint
