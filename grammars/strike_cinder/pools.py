"""The pool of one side: what a number, a Path, weaknesses and helpers come to. An invalid one cannot be built."""

from __future__ import annotations

from dataclasses import dataclass, field

from grammars.strike_cinder import tables as t
from grammars.tokens import MOST_DICE


class ImpossibleError(ValueError):
    """What the rules rule out: `word` is the one to blame, `instead` what may stand in its place (None: unknown)."""

    def __init__(self, sentence: str, word: str, instead: str | None = "") -> None:
        super().__init__(sentence)
        self.word, self.instead = word, instead


@dataclass(frozen=True, slots=True)
class Pool:
    """The dice of one side: a number, a Path's own, or a number of dice of a Path (SC-06, SC-25).

    An `unstated` pool has neither: the encounter knows whose it is (SC-26), and the rest is checked once it has dice.
    `ironwill` and `ritual` are the dice of Humans (SC-07, SC-17); `changes` are `+N` and `-N` (SC-13), `assist` the
    dice of a helper (SC-14). `asked` is made of the rest: the pool without its name, as one side of a contest is
    written.
    """

    kind: str
    dice: int | None = None
    path: str | None = None
    weaknesses: tuple[str, ...] = ()
    manifested: bool = False
    ritual: bool = False
    ironwill: bool = False
    changes: tuple[int, ...] = ()
    assist: int = 0
    unstated: bool = False
    size: int = field(init=False, compare=False, repr=False, default=0)  # the dice that are thrown
    asked: str = field(init=False, compare=False, repr=False, default="")

    def __post_init__(self) -> None:
        """Refuse what SC-06, SC-07 and SC-12…SC-14 rule out: such a pool cannot be built."""
        if self.unstated:
            if self.dice is not None or self.path is not None:
                raise ValueError("an unstated pool has no dice yet")
            object.__setattr__(self, "asked", self._written())
            return
        if self.dice is not None and not 1 <= self.dice <= MOST_DICE:
            nearest = str(min(max(self.dice, 1), MOST_DICE))
            raise ImpossibleError(f"a pool has 1 to {MOST_DICE} dice, you wrote {self.dice}.", "count", nearest)
        if self.ironwill or self.ritual or self.path == t.HUMAN:
            self._check_human()
        if self.dice is None or self.manifested:
            self._check_path()
        for word in self.weaknesses:
            self._check_weakness(word)
        if self.assist not in (0, *t.ASSIST):
            raise ImpossibleError("assist is +1 die, assist2 is +2.", "assist", t.ASSIST[2])
        object.__setattr__(self, "size", self._summed())
        if not 1 <= self.size <= MOST_DICE:
            blame = "change" if self.changes else "assist" if self.assist else next(iter(self.weaknesses), "count")
            raise ImpossibleError(f"a pool has 1 to {MOST_DICE} dice, yours comes to {self.size}.", blame)
        object.__setattr__(self, "asked", self._written())

    def _check_human(self) -> None:
        """SC-07 and SC-17: what Humans have instead of Cinder."""
        if self.ironwill and (self.path is not None or self.dice is not None or self.ritual):
            raise ImpossibleError("ironwill is a Human's 5d6, in place of a number or another Path.", "ironwill")
        if self.ironwill and self.kind != t.CINDER:
            raise ImpossibleError("ironwill dice are Cinder dice.", "ironwill")
        if self.ritual and self.kind != t.CINDER:
            raise ImpossibleError("ritual gives Cinder dice, not Strike.", "ritual")
        if self.ritual and self.path is None:
            raise ImpossibleError(
                "ritual is for a Human, who then has 4d6 Cinder: say cinder human ritual.", "ritual", "human ritual"
            )
        if self.ritual and self.path != t.HUMAN:
            raise ImpossibleError(f"ritual is for a Human, not for {self._article}.", "ritual")
        if self.kind == t.CINDER and self.path == t.HUMAN:
            if self.dice is not None:
                raise ImpossibleError(
                    "a Human has no Cinder, and so no number of Cinder dice: for a ritual, cinder human ritual is 4d6.",
                    "count",
                )
            if not self.ritual:
                raise ImpossibleError(
                    "a Human has no Cinder; for a ritual, say ritual: 4d6.", "path", f"{t.HUMAN} ritual"
                )

    def _check_path(self) -> None:
        if self.path is None:
            if self.dice is None and not self.ironwill:
                raise ImpossibleError("how many dice? Say a number, or a Path such as arcanist.", "count", None)
        elif self.dice is None and not self.ironwill and not self.ritual and self._own is None:
            raise ImpossibleError(
                "which Shifter? A natural shifter has 6 Strike, an afflicted shifter 7.", "path", f"natural {self.path}"
            )
        if self.manifested and not (self.kind == t.STRIKE and self.path == t.SPIRIT and self.dice is None):
            raise ImpossibleError(
                "manifested says the Strike of a Spirit, strike spirit manifested, or stands behind vs spirit.",
                "manifested",
            )

    def _check_weakness(self, word: str) -> None:
        """SC-12: the word needs a Path that it weakens, in this pool."""
        if self.path is None:
            weak = t.whose(t.WEAKNESSES, word)
            raise ImpossibleError(f"{word} before vs weakens {weak}: say your own Path as well.", word)
        if t.weakness(word, self.path, self.kind) is None:
            known = any(w.word == word and self.path in w.paths for w in t.WEAKNESSES)
            what = f"its {self.kind.capitalize()}" if known else "it"
            raise ImpossibleError(f"{word} does not weaken {self._article}: {what} loses nothing by it.", word)

    @property
    def thrown(self) -> tuple[str, int]:
        """What it comes to, a Path's dice or a number's (LED-22)."""
        return self.kind, self.size

    @property
    def _article(self) -> str:
        return t.article(t.PATHS[self.path].name) if self.path else "nobody"

    @property
    def _own(self) -> int | None:
        """The Path's own dice."""
        return t.PATHS[self.path].dice(self.kind) if self.path else None

    def _summed(self) -> int:
        """Caps and weaknesses first, then `+N`, `-N` and assistance (SC-12)."""
        if self.ironwill or self.ritual:
            size = t.IRONWILL_DICE if self.ironwill else t.RITUAL_DICE
        elif self.manifested:
            size = t.MANIFESTED_STRIKE
        else:
            size = self.dice if self.dice is not None else self._own or 0
        for word in self.weaknesses:
            weak = t.weakness(word, self.path or "", self.kind)
            size = size if weak is None else min(size - weak.loss, weak.most or size)
        return size + sum(self.changes) + self.assist

    def _written(self) -> str:
        parts = [str(self.dice)] if self.dice is not None else ["ironwill"] if self.ironwill else []
        parts += [self.path] if self.path and not self.ironwill else []
        parts += ["manifested"] * self.manifested + ["ritual"] * self.ritual + [*self.weaknesses]
        parts += [f"{change:+}" for change in self.changes]
        return " ".join([*parts, t.ASSIST[self.assist]] if self.assist else parts)

    def __str__(self) -> str:
        return f"{self.kind} {self.asked}".rstrip()
