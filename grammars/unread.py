"""How far one grammar came with a line that it could not read. Knows no words."""

from __future__ import annotations

from collections.abc import Callable

from grammars.catalogue import Grammar
from grammars.errors import CommandSyntaxError
from grammars.line import Line

Hint = Callable[[], str | None]
Sentence = str | Callable[[], str]


class UnreadError(Exception):
    """The place in the plain line, the sentence, and what finds the nearest command that works.

    That is looked for, and the sentence made, only when it is told: most failures are another grammar's success.
    """

    meant = False  # a command beyond doubt, which is told to whoever wrote it
    whole = False  # the grammar objects to what it knows, and nothing else was said
    knows = False  # the word at `at` means something to the grammar

    def __init__(
        self, grammar: Grammar, at: int, sentence: Sentence, hint: Hint, *, guess: bool = False, objected: str = ""
    ) -> None:
        super().__init__()
        self.grammar, self.at, self._sentence, self._hint = grammar, at, sentence, hint
        self.guess = guess  # the word at `at` is unknown, and `hint` what was meant
        self.objected = objected  # the word at `at` where it is known, and cannot stand there

    def __str__(self) -> str:
        return self._sentence if isinstance(self._sentence, str) else self._sentence()

    def error(self, line: Line, text: str) -> CommandSyntaxError:
        """The same for a person, its column in `text`, the line as typed."""
        column = line.column(self.at)
        return CommandSyntaxError(str(self), text=text, column=column, hint=self._hint(), guess=self.guess)

    def checked(self, check: Callable[[str], str]) -> UnreadError:
        """This one, with what `check` makes of the command that it would offer."""
        own = self._hint
        self._hint = lambda: check(found) if (found := own()) else None
        return self

    def nearer(self, hint: Hint) -> UnreadError:
        """This one, with what `hint` finds before what it would have offered itself."""
        own = self._hint
        self._hint = lambda: hint() or own()
        return self

    def within(self, word: str, offset: int) -> UnreadError:
        """The same in a command that begins with `word` and holds this one behind `offset` characters."""

        def hint() -> str | None:
            inner = self._hint()
            return inner and f"{word} {inner}"

        whole = UnreadError(self.grammar, self.at + offset, str(self), hint, guess=self.guess, objected=self.objected)
        whole.meant, whole.whole = self.meant, self.whole
        return whole
