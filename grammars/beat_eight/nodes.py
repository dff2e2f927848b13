"""The nodes of Beat Eight, and its ladder of difficulties. A node that is not valid cannot be built."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

DIFFICULTIES = {  # B8-03, the seed's ladder
    "laughable": 3,
    "advantage": 1,
    "edge": 1,
    "normal": 0,
    "disadvantage": -1,
    "awkward": -1,
    "severe": -3,
    "great-disadvantage": -3,
    "ridiculous": -5,
    "practically-impossible": -7,
}
IMPOSSIBLE = "impossible"
HARDEST = -7
Added = tuple[tuple[str, int], ...]
EACH_ACTION = -2  # B8-04: for each action after the first


@dataclass(frozen=True, slots=True)
class Side:
    """What one side adds to its dice: a trait, abilities, and less for each further action at once (B8-04).

    `added`, each part by its name, and `bonus`, all of it together, are made of the rest.
    """

    trait: int = 0
    abilities: tuple[int, ...] = ()
    actions: int = 1
    added: Added = field(init=False, compare=False, repr=False)
    bonus: int = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        """B8-04: one action at least."""
        if self.actions < 1:
            raise ValueError(f"x counts the actions at once, from 1, you wrote x{self.actions}")
        abilities, multitask = sum(self.abilities), EACH_ACTION * (self.actions - 1)
        object.__setattr__(self, "added", (("trait", self.trait), ("abilities", abilities), ("multitask", multitask)))
        object.__setattr__(self, "bonus", self.trait + abilities + multitask)

    @property
    def rolled(self) -> tuple[int, int]:
        """What is added, by whatever parts, and the actions at once (LED-22)."""
        return self.trait + sum(self.abilities), self.actions

    def __str__(self) -> str:
        parts = [f"t{self.trait}"] if self.trait else []
        parts += [f"a{ability}" for ability in self.abilities]
        return " ".join([*parts, f"x{self.actions}"] if self.actions > 1 else parts)


@dataclass(frozen=True, slots=True)
class Roll:
    """A roll to beat 8 (B8-02); `word` is the difficulty's, where it was said by word.

    `added`, `bonus` and `asked`, how it is posted, are made of the rest.
    """

    side: Side = field(default_factory=Side)
    difficulty: int = 0
    word: str | None = None
    added: Added = field(init=False, compare=False, repr=False)
    bonus: int = field(init=False, compare=False, repr=False)
    asked: str = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        """B8-03: nothing is harder than -7, and a word has one number."""
        if self.difficulty < HARDEST:
            raise ValueError("the hardest difficulty is -7: say -7 or impossible")
        if self.word is not None and DIFFICULTIES.get(self.word) != self.difficulty:
            raise ValueError(f"{self.word} is no word for {self.difficulty:+}")
        said = self.word or (f"{self.difficulty:+}" if self.difficulty else "")
        object.__setattr__(self, "added", (*self.side.added, (self.word or "difficulty", self.difficulty)))
        object.__setattr__(self, "bonus", self.side.bonus + self.difficulty)
        object.__setattr__(self, "asked", " ".join(filter(None, ("b8", str(self.side), said))))

    @property
    def rolled(self) -> tuple[object, ...]:
        """What is added, and the difficulty, by word or by number (LED-22)."""
        return Roll, self.side.rolled, self.difficulty

    def __str__(self) -> str:
        return self.asked


@dataclass(frozen=True, slots=True)
class Impossible:
    """B8-03: an attempt that no roll decides."""

    side: Side = field(default_factory=Side)

    def __str__(self) -> str:
        return " ".join(filter(None, ("b8", str(self.side), IMPOSSIBLE)))


@dataclass(frozen=True, slots=True)
class Opposed:
    """A roll against a target's (B8-06); `against` names who is asked, and then `target` is not known yet."""

    initiator: Side
    target: Side | None = None
    against: str | None = None

    def __post_init__(self) -> None:
        """There is one other side: known, or asked."""
        if (self.target is None) == (self.against is None):
            raise ValueError("an opposed roll has one target")

    @property
    def rolled(self) -> tuple[object, ...]:
        """What both sides add (LED-22)."""
        return Opposed, self.initiator.rolled, self.target and self.target.rolled, self.against and self.against.lower()

    def __str__(self) -> str:
        other = f"@{self.against}" if self.target is None else str(self.target) or "t0"  # B8-09
        return " ".join(filter(None, ("b8", str(self.initiator), "vs", other)))


def answered(opening: Opposed, answer: Side) -> Opposed:
    """The opposed roll once its target is known."""
    return replace(opening, target=answer, against=None)
