"""The nodes of Strike & Cinder that roll: what can be asked. One that is not valid cannot be built."""

from __future__ import annotations

from dataclasses import dataclass, field

from grammars.strike_cinder.pools import ImpossibleError, Pool
from grammars.strike_cinder.tables import CINDER
from grammars.strike_cinder.targets import Target

Rolled = tuple[object, ...]
LARGEST_DC = 1000  # GEN-15: no throw has more dice than that


@dataclass(frozen=True, slots=True)
class Roll:
    """`sc strike` and `sc cinder`: on the Success Range, against a DC, or at a target.

    Made of the rest: `defense`, the DC that the target is hit at, None where it is bypassed or where there is no
    target; and `asked`, how the roll is posted: who spoke stands in front of the line.
    """

    pool: Pool
    target: Target | None = None
    dc: int | None = None
    fullmoon: bool = False
    tag: str | None = None
    speaker: str | None = None  # SC-27: `as NAME`
    helper: str | None = None  # who gave the assistance, as the table remembers it (SC-15)
    character: str | None = field(default=None, compare=False, repr=False)  # whose roll it is, likewise (SC-27)
    defense: int | None = field(init=False, compare=False, repr=False)
    asked: str = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        """Refuse a DC below 1 (SC-04), Iron Will (SC-17), and what means nothing of the target."""
        if self.dc is not None and not 1 <= self.dc <= LARGEST_DC:
            nearest = f"dc{min(max(self.dc, 1), LARGEST_DC)}"
            raise ImpossibleError(f"a DC is 1 to {LARGEST_DC}, you wrote dc{self.dc}.", "dc", nearest)
        _check_ironwill(self.pool)
        if self.target is not None and (self.target.name is None or self.target.standing is not None):
            self.target.check(self.pool.kind, self.dc)
        object.__setattr__(self, "defense", self.target.defense(self.pool.kind, self.dc) if self.target else None)
        object.__setattr__(self, "asked", self._written())

    @property
    def rolled(self) -> Rolled:
        """What is thrown, and at what, by whom of the encounter (LED-22)."""
        speaker = self.speaker and self.speaker.lower()
        return *_thrown(self), self.target and self.target.aimed, self.dc, speaker

    def _written(self) -> str:
        text = f"{self.pool} fullmoon" if self.fullmoon else str(self.pool)
        if self.tag:
            text += f" {self.tag}"
        if self.target is not None:
            text += f" {self.target}"
        return text if self.dc is None else f"{text} dc{self.dc}"

    def __str__(self) -> str:
        return f"sc {self.asked}{f' as {self.speaker}' if self.speaker else ''}"


@dataclass(frozen=True, slots=True)
class Assist:
    """`sc assist`: a helper's attempt (SC-15); `recipient` is whose next roll of that pool it is for."""

    pool: Pool
    recipient: str | None = None
    fullmoon: bool = False
    tag: str | None = None
    helper: str | None = None

    def __post_init__(self) -> None:
        """Refuse Iron Will (SC-17)."""
        _check_ironwill(self.pool)

    @property
    def rolled(self) -> Rolled:
        """What is thrown, and for whom (LED-22)."""
        return *_thrown(self), self.recipient and self.recipient.lower()

    def __str__(self) -> str:
        recipient = f" for {self.recipient}" if self.recipient else ""
        return " ".join([f"sc assist {self.pool}", *_moon_and_tag(self)]) + recipient


@dataclass(frozen=True, slots=True)
class Mind:
    """`sc mind`: magic on a mind (SC-16). `other` resists; `against` is who is asked; `human` has no resistance."""

    pool: Pool
    other: Pool | None = None
    against: str | None = None
    human: bool = False
    fullmoon: bool = False
    tag: str | None = None
    helper: str | None = None

    def __post_init__(self) -> None:
        """Refuse Iron Will of the one who attacks, a ritual of the one who resists, and two targets at once."""
        _check_ironwill(self.pool)
        if self.other is not None:
            check_resisting(self.other)
        if (self.other is not None) + (self.against is not None) + self.human > 1:
            raise ValueError("a contest has two sides.")

    @property
    def rolled(self) -> Rolled:
        """What is thrown on both sides (LED-22)."""
        other = self.other and self.other.thrown
        return *_thrown(self), other, self.human, self.against and self.against.lower()

    def __str__(self) -> str:
        other = self.other.asked if self.other else "human" if self.human else f"@{self.against}" * bool(self.against)
        return " ".join([f"sc mind {self.pool.asked}", *_moon_and_tag(self), *(["vs", other] if other else [])])


@dataclass(frozen=True, slots=True)
class Resist:
    """`sc resist`: the answer to magic on one's mind (SC-16, SC-17)."""

    pool: Pool
    fullmoon: bool = False
    tag: str | None = None
    helper: str | None = None

    def __post_init__(self) -> None:
        """Refuse a ritual: Humans resist with Iron Will alone."""
        check_resisting(self.pool)

    def __str__(self) -> str:
        return " ".join([f"sc resist {self.pool.asked}", *_moon_and_tag(self)])


def _thrown(node: Roll | Assist | Mind) -> Rolled:
    """The kind of roll and its dice; tags are wording, and a moon over Strike is idle (SC-03)."""
    return type(node), node.pool.thrown, node.fullmoon and node.pool.kind == CINDER


def _check_ironwill(pool: Pool) -> None:
    if pool.ironwill:
        raise ImpossibleError(
            "ironwill resists magic on the mind and does nothing else: sc resist ironwill.", "ironwill"
        )


def check_resisting(pool: Pool) -> None:
    """SC-17: without Cinder there is no resistance but Iron Will."""
    if pool.ritual:
        raise ImpossibleError("a ritual does not resist: a Human resists with ironwill alone.", "ritual")


def _moon_and_tag(node: Roll | Assist | Mind | Resist) -> list[str]:
    return (["fullmoon"] if node.fullmoon else []) + ([node.tag] if node.tag else [])
