"""The nodes of Crossroads that follow a roll, or change what the table remembers."""

from __future__ import annotations

from dataclasses import dataclass, field

FATE_KINDS = {"die": "fate_die", "blessing": "fates_blessing", "change": "change_of_fate"}  # by word, the label


@dataclass(frozen=True, slots=True)
class Keep:
    """Other dice kept after an Advantage roll (XR-05); positions from 1 over all dice, in drawn order."""

    positions: tuple[int, ...]
    ref: str | None = None

    def __post_init__(self) -> None:
        """A die is kept once."""
        if not self.positions or min(self.positions) < 1 or len(set(self.positions)) < len(self.positions):
            raise ValueError("positions count from 1, each once")

    def __str__(self) -> str:
        return f"xr keep {' '.join(map(str, self.positions))}{_reference(self.ref)}"


@dataclass(frozen=True, slots=True)
class Reroll:
    """One die rolled again: by the roll's own Change (XR-13), or with `fate` by a Change of Fate (XR-17).

    `granted` is the table's word that the speaker holds a Change of Fate; no text has it.
    """

    position: int
    fate: bool = False
    ref: str | None = None
    granted: bool = False

    def __post_init__(self) -> None:
        """Positions count from 1."""
        if self.position < 1:
            raise ValueError("positions count from 1")

    @property
    def anyones(self) -> bool:
        """XR-17: in any roll that affects the player, also in somebody else's."""
        return self.fate

    def __str__(self) -> str:
        return f"xr reroll {self.position}{' fate' if self.fate else ''}{_reference(self.ref)}"


@dataclass(frozen=True, slots=True)
class Reaction:
    """The word, after a triple, that the roll was made outside one's own turn (XR-18)."""

    ref: str | None = None

    def __str__(self) -> str:
        return f"xr reaction{_reference(self.ref)}"


@dataclass(frozen=True, slots=True)
class EndTurn:
    """The speaker's present turn is over (XR-18); `ends` are the labels of what ends with it, of the table's memory."""

    ends: tuple[str, ...] = ()

    def __str__(self) -> str:
        return "xr endturn"


@dataclass(frozen=True, slots=True)
class GroupOpen:
    """From now on Skill Rolls count for a group (XR-10).

    `opener` has opened one already. `storyteller` is set by the bot where a storyteller opens it; no text has it.
    """

    opener: str | None = None
    storyteller: bool = field(default=False, compare=False)

    def __str__(self) -> str:
        return "xr group open"


@dataclass(frozen=True, slots=True)
class GroupClose:
    """The open group is complete; the table's memory adds its `values`, None where none is open."""

    values: tuple[int, ...] | None = None

    def __str__(self) -> str:
        return "xr group close"


@dataclass(frozen=True, slots=True)
class FateList:
    """The question what a player holds (XR-25), the speaker if nobody is named."""

    nick: str | None = None

    def __str__(self) -> str:
        return f"xr fate {self.nick}" if self.nick else "xr fate"


@dataclass(frozen=True, slots=True)
class FateEnd:
    """A storyteller's word that what a player holds is over (XR-25): one of a kind, or all of it."""

    nick: str
    kind: str | None = None

    def __post_init__(self) -> None:
        """Only what is held can end."""
        if self.kind is not None and self.kind not in FATE_KINDS:
            raise ValueError(f"what ends is {', '.join(FATE_KINDS)}")

    def __str__(self) -> str:
        return f"xr fate end {self.nick}{f' {self.kind}' if self.kind else ''}"


def _reference(ref: str | None) -> str:
    return "" if ref is None else f" #{ref}"
