"""The nodes of Fayrewood, its die ladder and its difficulties. A node that is not valid cannot be built."""

from __future__ import annotations

from dataclasses import dataclass, field

LADDER = (0, 4, 6, 8, 10, 12)  # FW-01: the sides of the die, by level
TOP = len(LADDER) - 1
MOST_MAINS = 2
MODIFIERS = {"boon": (4, 1), "bane": (4, -1), "frayed": (8, 1)}  # FW-03: sides, and added or subtracted
DIFFICULTIES = {  # FW-09, the seed's table
    3: "Routine",
    5: "Straightforward",
    7: "Moderate",
    9: "Challenging",
    11: "Hard",
    13: "Very Hard",
    15: "Near Impossible",
}


@dataclass(frozen=True, slots=True)
class Main:
    """A main die: a level of the ladder, and rungs to step up or down from it (FW-02).

    `rung` is the level after stepping, which stops at both ends; `stops` is 1 where it would go past d12, -1 below
    none, else 0.
    """

    level: int
    steps: int = 0
    rung: int = field(init=False, compare=False, repr=False)
    stops: int = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        """FW-01, and FW-02 worked out once: many a reply asks for it."""
        if not 0 <= self.level <= TOP:
            raise ValueError(f"a level is 0 to {TOP}, you wrote {self.level}")
        reached = self.level + self.steps
        stops = (reached > TOP) - (reached < 0)
        object.__setattr__(self, "stops", stops)
        object.__setattr__(self, "rung", reached if not stops else TOP if stops > 0 else 0)

    def __str__(self) -> str:
        die = f"d{LADDER[self.level]}" if self.level else "0"
        if not self.steps:
            return die
        far = abs(self.steps)
        return f"{die}{'up' if self.steps > 0 else 'down'}{far if far > 1 else ''}"


@dataclass(frozen=True, slots=True)
class Pool:
    """One or two main dice, at most one modifier die, and helpers who step up the second main die.

    `dice` are the sides of the main dice that there are to roll, in draw order; `stops` the ends of the ladder at
    which stepping stopped.
    """

    mains: tuple[Main, ...]
    modifier: str | None = None
    helpers: int = 0
    dice: tuple[int, ...] = field(init=False, compare=False, repr=False)
    stops: tuple[int, ...] = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        """Refuse what FW-01, FW-03 and FW-12 rule out."""
        if self.helpers < 0 or (self.helpers and (len(self.mains) < MOST_MAINS or self.modifier == "boon")):
            raise ValueError("helpers step up the second of two main dice, where there is no boon")
        standing = self.mains
        if self.helpers:  # FW-12: the skill, from the rung where it stands
            standing = (self.mains[0], Main(self.mains[1].rung, self.helpers))
        dice = tuple([LADDER[main.rung] for main in standing if main.rung])
        if not 1 <= len(self.mains) <= MOST_MAINS or not dice:
            raise ValueError("a pool has one or two main dice, and one of them at least has a die")
        if self.modifier is not None and self.modifier not in MODIFIERS:
            raise ValueError(f"a modifier die is one of {', '.join(MODIFIERS)}")
        stops = {main.stops for main in (*self.mains, *standing) if main.stops}
        object.__setattr__(self, "dice", dice)
        object.__setattr__(self, "stops", tuple(sorted(stops, reverse=True)))

    @property
    def thrown(self) -> tuple[object, ...]:
        """The dice, whatever stepped them and whichever stands first (LED-22)."""
        return tuple(sorted(self.dice)), self.modifier

    @property
    def highest(self) -> int:
        """The highest total that can be rolled (FW-11): a bane takes at least 1 away."""
        if self.modifier is None:
            return sum(self.dice)
        sides, sign = MODIFIERS[self.modifier]
        return sum(self.dice) + (sides if sign > 0 else -1)

    @property
    def shown(self) -> str:
        """The dice that are thrown, as a reply shows them: what stepped them is done already."""
        return " ".join([*(f"d{sides}" for sides in self.dice), *([self.modifier] if self.modifier else [])])

    def __str__(self) -> str:
        parts = [*map(str, self.mains), *([self.modifier] if self.modifier else [])]
        return " ".join([*parts, f"help {self.helpers}"] if self.helpers else parts)


@dataclass(frozen=True, slots=True)
class Toss:
    """A toss; without a difficulty its total alone is said (FW-15). `for_help`: its win grants a boon (FW-12).

    `asked`, how a reply shows it, is made of the rest: the dice that are thrown.
    """

    pool: Pool
    difficulty: int | None = None
    for_help: bool = False
    asked: str = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        """FW-04."""
        _check_difficulty(self.difficulty)
        object.__setattr__(self, "asked", self._behind(self.pool.shown))

    @property
    def rolled(self) -> tuple[object, ...]:
        """The dice that are thrown, and what for (LED-22)."""
        return Toss, self.pool.thrown, self.difficulty, self.for_help

    def __str__(self) -> str:
        return f"toss {self._behind(str(self.pool))}"

    def _behind(self, pool: str) -> str:
        text = pool if self.difficulty is None else f"{pool} dc{self.difficulty}"
        return f"{text} for help" if self.for_help else text


@dataclass(frozen=True, slots=True)
class Clash:
    """Two pools against each other (FW-13); `against` names who is asked, and then `other` is not known yet."""

    acting: Pool
    other: Pool | None = None
    against: str | None = None
    for_help: bool = False

    def __post_init__(self) -> None:
        """There is one other side: known, or asked."""
        if (self.other is None) == (self.against is None):
            raise ValueError("a clash has one other side")

    @property
    def rolled(self) -> tuple[object, ...]:
        """The dice of both sides (LED-22)."""
        other = self.other and self.other.thrown
        return Clash, self.acting.thrown, other, self.against and self.against.lower(), self.for_help

    @property
    def asked(self) -> str:
        """The clash as a reply shows it."""
        return self._behind(self.acting.shown, self.other.shown if self.other else "")

    def __str__(self) -> str:
        return f"toss {self._behind(str(self.acting), str(self.other))}"

    def _behind(self, acting: str, other: str) -> str:
        text = f"{acting} vs {other if self.against is None else f'@{self.against}'}"
        return f"{text} for help" if self.for_help else text


@dataclass(frozen=True, slots=True)
class Sweep:
    """The question whether a toss may be swept (FW-11)."""

    pool: Pool
    difficulty: int

    def __post_init__(self) -> None:
        """FW-11: no helpers are part of it."""
        _check_difficulty(self.difficulty)
        if self.pool.helpers:
            raise ValueError("a sweep takes main dice, a modifier die and a difficulty")

    @property
    def asked(self) -> str:
        """The sweep as a reply shows it."""
        return f"sweep {self.pool.shown} dc{self.difficulty}"

    def __str__(self) -> str:
        return f"sweep {self.pool} dc{self.difficulty}"


def _check_difficulty(difficulty: int | None) -> None:
    if difficulty is not None and difficulty < 1:
        raise ValueError(f"a difficulty is 1 or more, you wrote dc{difficulty}")
