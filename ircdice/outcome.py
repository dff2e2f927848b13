"""What a roll came to, before anyone words it. Knows dice, labels and values; no game and no channel."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from operator import itemgetter
from types import MappingProxyType
from typing import Any, Literal, NamedTuple, Protocol

Kind = Literal["roll", "contest", "reroll", "check", "note", "waiting"]
Side = Literal["acting", "other"]


class Die(NamedTuple):
    """One die as it stands. `was` is the face that a reroll took away, None for a die left alone."""

    sides: int
    face: int
    role: str = "dice"
    kept: bool = True
    was: int | None = None


MOST_SHARED_SIDES = 100
_FACE, _WAS = itemgetter(1), itemgetter(4)


@cache
def _every_face(sides: int, role: str) -> tuple[Die, ...]:
    """The die showing each of its faces, by face: dice are immutable, so all throws may share them."""
    return tuple(Die(sides, face, role) for face in range(sides + 1))


def pool(faces: Sequence[int], sides: int, role: str = "dice") -> tuple[Die, ...]:
    """Dice of one kind showing `faces`, in that order."""
    if sides > MOST_SHARED_SIDES:
        return tuple([Die(sides, face, role) for face in faces])
    showing = _every_face(sides, role)
    if len(faces) < 2:
        return tuple([showing[face] for face in faces])
    lying: tuple[Die, ...] = itemgetter(*faces)(showing)  # half of the time that a loop takes
    return lying


def faces_of(dice: Iterable[Die]) -> list[int]:
    """What dice show, as they lie."""
    return list(map(_FACE, dice))


def lone(face: int, sides: int, role: str) -> Die:
    """One die of a kind."""
    return _every_face(sides, role)[face] if sides <= MOST_SHARED_SIDES else Die(sides, face, role)


class Written(Protocol):
    """A term of a sum as it is written: without its label, and that."""

    @property
    def plain(self) -> str:
        """`4d6k3`."""

    @property
    def label(self) -> str:
        """What its dice are for, in the roller's words; empty where nothing was said."""


class Tossed(NamedTuple):
    """One term as it lies on the table: every die drawn, in draw order, and what became of them.

    `kept` are the values of the dice that count, `shown` how they are written where that is not their value.
    """

    term: Written
    value: int
    dice: tuple[Die, ...]
    kept: Sequence[int]
    shown: Sequence[str] = ()
    dropped: Sequence[int] = ()
    rerolled: Sequence[int] = ()
    raised: Sequence[int] = ()
    lowered: Sequence[int] = ()


NO_VALUES: Mapping[str, Any] = MappingProxyType({})


class Outcome(NamedTuple):
    """A throw judged: its dice in draw order, its labels, its values; in a contest `opponent` is the other side.

    `effects` name what it costs or gains, `remarks` what is to be said of the dice (the system has words for both);
    `becomes` is the node that stands from now on where an amendment changed what was asked. What the system's own
    words show besides: `had`, the labels that were told before of dice which an amendment left as they lay; `added`,
    what was added to the dice, by its names; `terms`, the dice by the terms of a sum. A tuple, because one is made of
    every throw: a frozen dataclass of so many fields takes three times as long.
    """

    dice: tuple[Die, ...] = ()
    labels: tuple[str, ...] = ()
    values: Mapping[str, Any] = NO_VALUES
    kind: Kind = "roll"
    opponent: Outcome | None = None
    effects: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    becomes: Any = None
    had: tuple[str, ...] = ()
    added: tuple[tuple[str, int], ...] = ()
    terms: tuple[Tossed, ...] = ()

    @property
    def rerolled(self) -> bool:
        """Whether a reroll replaced any of the dice."""
        return list(map(_WAS, self.dice)).count(None) < len(self.dice)

    @property
    def drawn_anew(self) -> tuple[Die, ...]:
        """The dice that a reroll replaced, by position."""
        return tuple([die for die in self.dice if die.was is not None])


class Covered(Outcome):
    """An outcome under a difficulty that nobody may read yet: it holds nothing that tells it (FW-10)."""

    __slots__ = ()

    @classmethod
    def of(cls, outcome: Outcome, labels: tuple[str, ...], values: tuple[str, ...]) -> Covered:
        """`outcome` with these labels, and of its values those of these names; never a contest."""
        shown = {name: outcome.values[name] for name in values if name in outcome.values}
        beside = outcome.effects, outcome.remarks, outcome.becomes
        return cls(outcome.dice, labels, shown, outcome.kind, None, *beside)


@dataclass(frozen=True, slots=True)
class Earlier:
    """A roll that is to be amended: its node and outcome as they stand, amendments before already applied.

    `side` is whose dice are meant in a contest; `minutes` how long ago it was rolled; `closed` that no more may be
    changed; `own` that whoever changes it rolled those dice, and is not a storyteller or a bystander; `name` is what a
    refusal calls the roll.
    """

    node: Any
    outcome: Outcome
    side: Side = "acting"
    minutes: float = 0.0
    closed: bool = False
    own: bool = True
    name: str = "that roll"

    def come_to(self, outcome: Outcome) -> Earlier:
        """The same where something else came of it; to replace the field takes four times as long."""
        return Earlier(self.node, outcome, self.side, self.minutes, self.closed, self.own, self.name)

    @property
    def mine(self) -> Outcome:
        """The outcome of the side that is meant."""
        return self.outcome.opponent if self.side == "other" and self.outcome.opponent else self.outcome


def plain_number(value: int | Fraction) -> int | float:
    """A value as it is posted and given in JSON: whole where it is whole, else at most two decimals (GD-09)."""
    if isinstance(value, int):
        return value
    return value.numerator if value.denominator == 1 else round(float(value), 2) or 0
