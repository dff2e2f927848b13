"""The nodes of Crossroads that roll: what can be asked. One that is not valid cannot be built."""

from __future__ import annotations

from dataclasses import dataclass, field

from grammars.tokens import LARGEST, MOST_DICE, MOST_DRAWN

DIE_SIDES = (6, 3)  # XR-01
SKILL_DICE, SKILL_SIDES = 3, 6  # XR-01
SUCCESS_VALUES = (-2, 3)  # XR-10: the least and the greatest


@dataclass(frozen=True, slots=True)
class Roll:
    """`xr NdX` with its modifiers, each pair netted (XR-03): below 0 is Disadvantage, or Negative.

    `blessings` is what of the Advantage the table's memory added (XR-18). `chosen` and `rerolled` say that `xr keep`
    and the roll's own Change are used up; no text has them. `skill`, whether it is a Skill Roll (XR-01), and `asked`,
    how it is posted, are made of the rest.
    """

    dice: int = SKILL_DICE
    sides: int = SKILL_SIDES
    advantage: int = 0
    bonus: int = 0
    convert: int = 0
    piercing: int = 0
    armour: int | None = None
    low: bool = False
    plain: bool = False
    simple: bool = False
    reaction: bool = False
    blessings: int = 0
    chosen: bool = False
    rerolled: bool = False
    skill: bool = field(init=False, compare=False, repr=False)
    asked: str = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        """Refuse what XR-01, XR-22 and GEN-15 rule out: such a roll cannot be built."""
        if self.sides not in DIE_SIDES or not 1 <= self.dice <= MOST_DICE:
            raise ValueError(f"Crossroads rolls 1 to {MOST_DICE} d6 or d3, you wrote {self.dice}d{self.sides}")
        if self.drawn > MOST_DICE:
            raise ValueError(f"a roll draws at most {MOST_DICE} dice, yours would draw {self.drawn}")
        usual = self.dice == SKILL_DICE and self.sides == SKILL_SIDES
        object.__setattr__(self, "skill", usual and not self.plain)
        if self.skill and (self.piercing or self.armour is not None):
            raise ValueError("p and av are for damage rolls")
        if not self.skill and (self.simple or self.reaction):
            raise ValueError("simple and reaction are for Skill Rolls")
        if self.convert < 0 or self.piercing < 0 or (self.armour or 0) < 0 or abs(self.bonus) > LARGEST:
            raise ValueError("a modifier's number is out of its range")
        if self.plain and not usual:
            object.__setattr__(self, "plain", False)  # such a roll is plain without the word
        object.__setattr__(self, "asked", self._posted())

    @property
    def drawn(self) -> int:
        """Dice that it draws at most: those that it keeps, and one for each Advantage or Disadvantage."""
        return self.dice + abs(self.advantage)

    @property
    def rolled(self) -> tuple[object, ...]:
        """The dice and what changes them, Advantage turned into bonus already (LED-22)."""
        netted = self.advantage - self.convert, self.bonus + self.convert
        more = self.piercing, self.armour, self.low, self.plain, self.simple, self.reaction
        return Roll, self.dice, self.sides, *netted, *more

    def __str__(self) -> str:
        return f"xr {self.typed}"

    @property
    def typed(self) -> str:
        """The roll without its command word, so that it reads as the same roll."""
        return self._with(self.advantage, self.bonus, "")

    def _posted(self) -> str:
        """Its modifiers netted, also behind `convert` (XR-03, XR-07)."""
        return self._with(self.advantage - self.convert, self.bonus + self.convert, " after")

    def _with(self, advantage: int, bonus: int, after: str) -> str:
        """The dice, these modifiers, and what stands behind them."""
        text = f"{self.dice}d{self.sides}{net(' a', ' d', advantage)}{net(' b', ' n', bonus)}"
        if self.convert:
            text += f"{after} convert {self.convert}"
        if self.piercing:
            text += f" p{self.piercing}"
        if self.armour is not None:
            text += f" av{self.armour}"
        if self.low:
            text += " low"
        if self.plain:
            text += " plain"
        if self.simple:
            text += " simple"
        return f"{text} reaction" if self.reaction else text


def net(above: str, below: str, amount: int) -> str:
    """A netted pair as it is written: `a1`, `d2`, nothing at 0."""
    return f"{above}{amount}" if amount > 0 else f"{below}{-amount}" if amount else ""


@dataclass(frozen=True, slots=True)
class Contest:
    """Two Skill Rolls against each other (XR-09); `against` names who is asked, and then `other` is not known yet."""

    acting: Roll
    other: Roll | None = None
    against: str | None = None

    def __post_init__(self) -> None:
        """Refuse what XR-09 rules out."""
        if not self.acting.skill or (self.other is not None and not self.other.skill):
            raise ValueError("only Skill Rolls oppose, and are opposed")

    @property
    def rolled(self) -> tuple[object, ...]:
        """Both sides' (LED-22)."""
        return Contest, self.acting.rolled, self.other and self.other.rolled, self.against and self.against.lower()

    def __str__(self) -> str:
        return f"xr {self.acting.typed} vs {self.other.typed if self.other else f'@{self.against}'}"

    @property
    def asked(self) -> str:
        """Both sides as they are posted."""
        return f"{self.acting.asked} vs {self.other.asked if self.other else f'@{self.against}'}"


@dataclass(frozen=True, slots=True)
class GroupRoll:
    """The Skill Rolls of a whole group, in one line (XR-10)."""

    rolls: tuple[Roll, ...]

    def __post_init__(self) -> None:
        """Refuse what XR-10 and GEN-15 rule out."""
        if not self.rolls or not all(roll.skill for roll in self.rolls):
            raise ValueError("a group is made of Skill Rolls")
        if sum(roll.drawn for roll in self.rolls) > MOST_DRAWN:
            raise ValueError(f"a command draws at most {MOST_DRAWN} dice")

    def __str__(self) -> str:
        return f"xr group {'; '.join(roll.typed for roll in self.rolls)}"

    @property
    def asked(self) -> str:
        """As it is posted: a `;` parts what the bot says."""
        return f"group {', '.join(roll.asked for roll in self.rolls)}"


@dataclass(frozen=True, slots=True)
class GroupValues:
    """Success Values of a group that are known already (XR-10)."""

    values: tuple[int, ...]

    def __post_init__(self) -> None:
        """Refuse what XR-10 rules out."""
        least, greatest = SUCCESS_VALUES
        if not self.values or not all(least <= value <= greatest for value in self.values):
            raise ValueError(f"a Success Value is {least} to {greatest}")

    def __str__(self) -> str:
        return f"xr group {' '.join(map(str, self.values))}"


@dataclass(frozen=True, slots=True)
class Damage:
    """Narrative Health damage: points and what changes them (XR-23)."""

    heavy: int
    light: int
    advantage: int = 0
    bonus: int = 0

    def __post_init__(self) -> None:
        """Points are counted from 0."""
        if (
            min(self.heavy, self.light) < 0
            or max(self.heavy, self.light, abs(self.advantage), abs(self.bonus)) > LARGEST
        ):
            raise ValueError(f"damage has 0 to {LARGEST} points of a kind")

    def __str__(self) -> str:
        text = f"{net(' a', ' d', self.advantage)}{net(' b', ' n', self.bonus)}"
        return f"xr damage {self.heavy}h{self.light}l{text}"
