"""What the ledger keeps of a roll, and the interface behind which any ledger stands (LED-02)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol

from ircdice.ledger.ids import roll_id
from ircdice.settings import HouseRules

RecordKind = Literal["roll", "contest", "answer", "lapse", "reroll", "hunger", "keep", "track", "discard"]


@dataclass(frozen=True, slots=True)
class Draft:
    """A record before the ledger has taken it up. Names folded as `Message` has them; `draws` (sides, face)."""

    kind: RecordKind
    network: str
    channel: str
    nick: str
    who: str
    text: str
    draws: tuple[tuple[int, int], ...]
    line: str
    ref: int = 0
    system: str = "v5"  # what `roll Nd10` meant there
    house: HouseRules = field(default_factory=HouseRules)  # the rules by which it was judged, and is judged again


@dataclass(frozen=True, slots=True)
class Record:
    """One entry: `seq` runs 1, 2, 3, …; `ts` is ms since 1970 and never goes back; `tag` as LED-10 has it."""

    seq: int
    ts: int
    draft: Draft
    tag: str

    @property
    def id(self) -> str:
        """The id that is posted."""
        return roll_id(self.seq, self.tag)


class Ledger(Protocol):
    """Append and read only; the bot keeps no other memory. `waits` is whether an append may have to wait."""

    @property
    def waits(self) -> bool:
        """False where nothing can come between an append's beginning and its end, and nothing need be shielded."""
        ...

    async def append(self, draft: Draft) -> Record:
        """Take `draft` up, durably; only then may its line be posted (LED-03)."""
        ...

    async def get(self, seq: int) -> Record | None:
        """The record with that number."""
        ...

    async def places(self, since: int) -> Sequence[tuple[str, str]]:
        """Each network and channel with a record of `since` (ms since 1970) or later."""
        ...

    async def of_channel(self, network: str, channel: str) -> Sequence[Record]:
        """The records of one channel that may still matter there, in order."""
        ...
