"""The nodes of V5: what can be asked. One that is not valid cannot be built."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from grammars.tokens import MOST_DICE

MOST_HUNGER = 5
MOST_REROLLED = 3
SMALLEST_DIFFICULTY = 1


@dataclass(frozen=True, slots=True)
class Pool:
    """A pool of `dice` d10. `hunger` None is Hunger not said (V5-21); `terms` are the parts of the long form.

    `asked` is made of the rest: the pool without its command word, as one side of a contest is written.
    """

    dice: int
    hunger: int | None = None
    difficulty: int | None = None
    kind: str = "hunger"
    terms: tuple[int, ...] = ()
    asked: str = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        """Refuse what V5-01, V5-04, V5-05 and V5-12 rule out: such a pool cannot be built."""
        if not 1 <= self.dice <= MOST_DICE:
            raise ValueError(f"a pool has 1 to {MOST_DICE} dice, you wrote {self.dice}")
        if self.hunger is not None and not 0 <= self.hunger <= MOST_HUNGER:
            raise ValueError(f"hunger is 0 to {MOST_HUNGER}, you wrote h{self.hunger}")
        if self.difficulty is not None and self.difficulty < SMALLEST_DIFFICULTY:
            raise ValueError(f"a Difficulty is {SMALLEST_DIFFICULTY} or more, you wrote dc{self.difficulty}")
        if self.kind != "hunger" and self.hunger is not None:
            raise ValueError(f"{self.kind} pools never hold Hunger dice")
        object.__setattr__(self, "asked", self._written())

    @property
    def rolled(self) -> Pool:
        """The same pool, by whatever parts it was said (LED-22)."""
        return replace(self, terms=())

    def __str__(self) -> str:
        return f"{'v5' if self.terms else 'roll'} {self.asked}"

    def _written(self) -> str:
        text = _signed_sum(self.terms) if self.terms else f"{self.dice}d10"
        if self.hunger is not None:
            text += f" h{self.hunger}"
        if self.kind != "hunger":
            text += f" {self.kind}"
        return text if self.difficulty is None else f"{text} dc{self.difficulty}"


@dataclass(frozen=True, slots=True)
class Contest:
    """Two pools against each other (V5-19); `against` names who is asked, and then `other` is not known yet.

    `word` is the command word as typed: where other dice are played, `roll` is theirs, and the answer wants `v5` too.
    """

    acting: Pool
    other: Pool | None = None
    against: str | None = None
    word: str = field(default="roll", compare=False, repr=False)

    @property
    def rolled(self) -> Contest:
        """The same contest, by whatever parts its pools were said (LED-22)."""
        other, against = self.other and self.other.rolled, self.against and self.against.lower()
        return Contest(self.acting.rolled, other, against)

    def __str__(self) -> str:
        return f"{self.acting} vs {self.other.asked if self.other else f'@{self.against}'}"


@dataclass(frozen=True, slots=True)
class Rouse:
    """`count` rouse checks (V5-13)."""

    count: int = 1

    def __str__(self) -> str:
        return "rouse" if self.count == 1 else f"rouse {self.count}"


@dataclass(frozen=True, slots=True)
class Willpower:
    """A Willpower reroll (V5-14). `count` None is plain `wp`; `ref` names a roll, else the speaker's latest."""

    count: int | None = None
    tens: bool = False
    hunger: int | None = None
    ref: str | None = None

    def __str__(self) -> str:
        tens = " tens" if self.tens else ""
        return f"wp{_number(' ', self.count)}{tens}{_number(' h', self.hunger)}{_reference(self.ref)}"


@dataclass(frozen=True, slots=True)
class SayHunger:
    """Hunger said after the roll (V5-21)."""

    hunger: int
    ref: str | None = None

    def __str__(self) -> str:
        return f"hunger {self.hunger}{_reference(self.ref)}"


@dataclass(frozen=True, slots=True)
class AutomaticWin:
    """The question whether a pool wins without a roll (V5-18)."""

    terms: tuple[int, ...]
    difficulty: int
    hunger: int

    @property
    def pool(self) -> int:
        """Dice in the pool."""
        return sum(self.terms)

    def __str__(self) -> str:
        return f"autowin {_signed_sum(self.terms)} dc{self.difficulty} h{self.hunger}"


def _number(mark: str, value: int | None) -> str:
    return "" if value is None else f"{mark}{value}"


def _reference(ref: str | None) -> str:
    return "" if ref is None else f" #{ref}"


def _signed_sum(terms: tuple[int, ...]) -> str:
    return "+".join(map(str, terms)).replace("+-", "-")
