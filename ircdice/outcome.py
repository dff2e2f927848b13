"""The outcome of a roll, before it is put into words: dice, labels and values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType
from typing import Literal, NamedTuple, TypeAlias

from grammars import Command

Kind = Literal["roll", "contest", "reroll", "check", "note", "waiting"]
Side = Literal["acting", "other"]
Number: TypeAlias = int | Fraction
Value: TypeAlias = Number | tuple[Number, ...]


class Die(NamedTuple):
    """One die. `was` is the face that a reroll replaced."""

    sides: int
    face: int
    role: str = "dice"
    kept: bool = True
    was: int | None = None


def pool(faces: Iterable[int], sides: int, role: str = "dice") -> tuple[Die, ...]:
    """Dice of one kind that show `faces`."""
    faces = tuple(faces)
    dice = {face: Die(sides, face, role) for face in set(faces)}  # shared, or the notation is slower than d20's
    return tuple([dice[face] for face in faces])


def faces_of(dice: Iterable[Die]) -> list[int]:
    """The faces of dice, in their order."""
    return [die.face for die in dice]


class Tossed(NamedTuple):
    """The dice of one term of a sum, in draw order, and how they are shown.

    `shown` has the values of the dice that count; `notes` has those dropped, rerolled and so on.
    """

    dice: tuple[Die, ...]
    name: str = ""
    label: str = ""
    shown: Sequence[int | str] = ()
    notes: Mapping[str, Sequence[int]] = MappingProxyType({})


NO_VALUES: Mapping[str, Value] = MappingProxyType({})


class Outcome(NamedTuple):
    """A judged throw: its dice in draw order, labels and values; in a contest `opponent` is the other side.

    `effects` are labels for costs and gains, `remarks` labels for notes on the dice. `becomes` is the command
    that replaces the earlier one after a follow-up. `had` are the labels before a follow-up that drew no die; `added`
    has the modifiers, by name; `terms` has the dice by the terms of a sum. `covered` means that the difficulty is
    secret, and nothing in it reveals that (FW-10). `open` means that anyone may answer the roll, although it named no
    opponent.
    """

    dice: tuple[Die, ...] = ()
    labels: tuple[str, ...] = ()
    values: Mapping[str, Value] = NO_VALUES
    kind: Kind = "roll"
    opponent: Outcome | None = None
    effects: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    becomes: Command | None = None
    had: tuple[str, ...] = ()
    added: tuple[tuple[str, int], ...] = ()
    terms: tuple[Tossed, ...] = ()
    covered: bool = False
    open: bool = False

    def under_cover(self, labels: tuple[str, ...], *values: str) -> Outcome:
        """A copy under a secret difficulty, with only these labels and values; never a contest."""
        shown = {name: self.values[name] for name in values if name in self.values}
        return self._replace(labels=labels, values=shown, opponent=None, had=(), added=(), terms=(), covered=True)

    def whole(self, name: str) -> int:
        """The integer value with that name. KeyError if there is none."""
        value = self.values[name]
        if not isinstance(value, int):
            raise TypeError(f"{name} is {value}, not a whole number")
        return value

    @property
    def rerolled(self) -> tuple[Die, ...]:
        """The dice with a face that a reroll replaced."""
        return tuple([die for die in self.dice if die.was is not None])


@dataclass(frozen=True, slots=True)
class Earlier:
    """A roll that a follow-up changes: its command and outcome, with earlier follow-ups applied.

    `side` is the side of a contest that is meant; `minutes` is the age of the roll; `closed` means that a storyteller
    closed it; `own` means that its roller is the one changing it; `name` is for errors.
    """

    node: Command
    outcome: Outcome
    side: Side = "acting"
    minutes: float = 0.0
    closed: bool = False
    own: bool = True
    name: str = "that roll"

    def after(self, outcome: Outcome) -> Earlier:
        """The roll after a follow-up that came to `outcome`."""
        return Earlier(outcome.becomes or self.node, outcome, closed=self.closed)

    @property
    def mine(self) -> Outcome:
        """The outcome of the side meant."""
        return self.outcome.opponent if self.side == "other" and self.outcome.opponent else self.outcome


def plain_number(value: Number) -> int | float:
    """A value for replies and JSON: an integer if possible, otherwise at most two decimals (GD-09)."""
    if value.denominator == 1:
        return value.numerator
    rounded = round(float(value), 2)
    return int(rounded) if rounded.is_integer() else rounded
