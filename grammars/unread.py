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
    asks: Callable[[], str | None] | None = None  # what is asked where a word may be several
    slip: Callable[[], UnreadError | None] | None = None  # what is told instead where a word was only misspelt

    def __init__(
        self, grammar: Grammar, at: int, sentence: Sentence, hint: Hint, *, guess: bool = False, objected: str = ""
    ) -> None:
        super().__init__()
        self.grammar, self.at, self._sentence, self._hint = grammar, at, sentence, hint
        self.guess = guess  # the word at `at` is unknown, and `hint` what was meant
        self.objected = objected  # the word at `at` where it is known, and cannot stand there

    def __str__(self) -> str:
        return self._sentence if isinstance(self._sentence, str) else self._sentence()

    @property
    def offer(self) -> str | None:
        """The nearest command that works."""
        return self._hint()

    def error(self, line: Line, text: str) -> CommandSyntaxError:
        """The same for a person, its column in `text`, the line as typed."""
        asked = self.asks and self.asks()
        guess = self.guess and not asked
        return CommandSyntaxError(
            asked or str(self), text=text, column=line.column(self.at), hint=self._hint(), guess=guess
        )

    def told(self) -> UnreadError:
        """This one, or that a word is misspelt, where that is all that is wrong."""
        return (self.slip and self.slip()) or self

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
        whole.meant, whole.whole, whole.asks = self.meant, self.whole, self.asks
        whole.slip = lambda: found.within(word, offset) if (found := self.slip and self.slip()) else None
        return whole
