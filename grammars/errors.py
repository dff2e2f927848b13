"""Errors that a user can cause, each with one sentence. From the inside out:

| error | raised by | caught by |
|---|---|---|
| ImpossibleError | a node, or the value of a token | its terminal or parse action, which adds the place: Objection |
| Objection, and Doubtful in reading.py | the grammar of a line | the gate, which tries the other grammars: Unread |
| Unread in gate.py | the gate | `read`, which decides whether the line is talk |
| UnknownCommand in reading.py | `read`, for talk | the bot, which stays silent |
| CommandSyntaxError | `read`, for a faulty command | the bot, which replies |
"""

from __future__ import annotations

from dataclasses import dataclass

import pyparsing as pp

from grammars.line import shown


@dataclass(eq=False)
class Refused(Exception):  # noqa: N818  # named for what happened to the speaker
    """The base class: `str()` is a sentence for the user. Any other exception is a bug of ours."""

    sentence: str = "no command"

    def __str__(self) -> str:
        return self.sentence


@dataclass(eq=False)
class CommandSyntaxError(Refused):
    """A command that cannot be read.

    `text` is the line as typed, `column` counts from 1, `hint` is the nearest command that works, `example` one that
    begins like it. `guess` means that a word was not understood, so the line may be talk.
    """

    text: str = ""
    column: int = 1
    hint: str | None = None
    guess: bool = False
    example: str | None = None


@dataclass(eq=False)
class ImpossibleError(ValueError):
    """A command cannot be built; the reason in a sentence.

    `part` is the clause to blame: itself, its name, or its place from 0; `number` is its value where several have that
    name. `typed` says that the sentence ends with what was typed instead. `asked` marks a question that is asked even
    if the bot was not called (GEN-12); `hint` is a command to offer.
    """

    sentence: str
    part: object = ""
    number: int | None = None
    typed: bool = False
    asked: bool = False
    hint: str | None = None

    def __post_init__(self) -> None:
        super().__init__(f"{self.sentence}." if self.typed else self.sentence)

    def about(self, typed: str) -> str:
        """The sentence, with what was typed."""
        return f"{self.sentence}, you wrote {shown(typed)}." if self.typed and typed else str(self)


class UntrackedError(ImpossibleError):
    """A command needs a number that is not tracked; `instead` is an alternative (DSK-04)."""

    def __init__(self, name: str, example: int, instead: str) -> None:
        self._parts = name, example, instead
        super().__init__(self.sentence_for("you"))

    def sentence_for(self, whom: str) -> str:
        """The sentence, with the name of the character or user."""
        name, example, instead = self._parts
        return f"no {name} is tracked for {whom}: !track {name} {example} begins that, or {instead}."


class Objection(pp.ParseSyntaxException):
    """An error in a command, at the place of `typed` if known; `asked` as in ImpossibleError."""

    def __init__(self, text: str, at: int, error: ImpossibleError, typed: str = "", *, asked: bool = False) -> None:
        self.sentence = error.about(typed)
        self.asked = asked or error.asked
        self.hint = error.hint
        super().__init__(text, at, self.sentence)
