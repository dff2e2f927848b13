"""The errors that a person can cause, each with one sentence for them. Knows nothing of where it is said."""

from __future__ import annotations

from typing import Any


class Refused(Exception):  # noqa: N818  # a person reads it as what happened: refused
    """Root of the family: `str()` is a sentence for a person; anything outside the family is our own bug."""


class UnknownCommand(Refused):
    """The line is talk, or nobody's command: it is met with silence."""


class CommandSyntaxError(Refused):
    """A command that cannot be read. `text` as typed, `column` from 1, `hint` the nearest command that works."""

    def __init__(
        self, sentence: str, *, text: str = "", column: int = 1, hint: str | None = None, guess: bool = False
    ) -> None:
        super().__init__(sentence)
        self.text = text
        self.column = column
        self.hint = hint
        self.guess = guess  # `hint` is what was probably meant, and worth saying beside the sentence

    def but(self, **changed: Any) -> CommandSyntaxError:
        """A new error that says the same but for what is `changed`; it has no traceback of where this one was."""
        sentence = changed.pop("sentence", str(self))
        own: dict[str, Any] = {"text": self.text, "column": self.column, "hint": self.hint, "guess": self.guess}
        return CommandSyntaxError(sentence, **own | changed)
