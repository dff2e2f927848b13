"""What the ledger keeps of a roll, and the interface behind which any ledger stands (LED-02)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol

from ircdice.casemapping import DEFAULT
from ircdice.dice import UNSTAMPED, Draws, Stamp
from ircdice.ledger.ids import roll_id
from ircdice.settings import HouseRules

RecordKind = Literal[
    "roll",
    "contest",
    "answer",
    "lapse",
    "reroll",
    "hunger",
    "keep",
    "discard",
    "stir",
    "setting",
    "track",
    "macro",
    "seal",
    "reveal",
    "redact",
    "withheld",
]
ENDING_A_CONTEST: frozenset[RecordKind] = frozenset({"answer", "lapse"})
# Of a contest that one of these refers to the dice were shown: before its end no other record does, so what was
# redacted (LED-25) was that.
SHOWING_A_CONTEST = ENDING_A_CONTEST | {"withheld"}
Withheld = Literal["covered", "private", "redacted", "lost"]
USUAL = HouseRules()  # of a table that chose none; one for all, as each draft is compared with what is in force


@dataclass(frozen=True, slots=True)
class Sealed:
    """A value that is committed to now and shown later (LED-17): of it the leaf holds the hash alone."""

    text: str = field(repr=False)  # of both, nothing in a log
    salt: bytes = field(repr=False)  # 16


@dataclass(frozen=True, slots=True)
class Draft:
    """A record before the ledger has taken it up. Names folded as `Message` has them; `draws` (sides, face)."""

    kind: RecordKind
    network: str
    channel: str
    nick: str
    who: str
    text: str
    draws: Draws
    line: str
    ref: int = 0
    system: str = "v5"  # what `roll Nd10` meant there
    house: HouseRules = USUAL  # the rules by which it was judged, and is judged again
    official: bool = False
    stamp: Stamp = UNSTAMPED  # where in the ledger's own stream the draws come from (LED-14)
    sealed: Sealed | None = None
    casemapping: str = DEFAULT  # by which names were the same there: one of casemapping.MAPPINGS

    @property
    def private(self) -> bool:
        """Whether it was said to the bot alone: the channel is then `@who`."""
        return self.channel.startswith("@")


@dataclass(frozen=True, slots=True)
class Record:
    """One entry: `seq` runs 1, 2, 3, …; `ts` is ms since 1970 and never goes back; `tag` as LED-10 has it.

    `blind`, `rules` (the version of the package) and `leaf` are empty in a ledger that proves nothing.
    """

    seq: int
    ts: int
    draft: Draft
    tag: str
    blind: bytes = b""
    rules: str = ""
    leaf: bytes = b""

    @classmethod
    def withheld(cls, seq: int, ts: int, leaf: bytes, why: Withheld) -> Record:
        """One of which the leaf alone is here: redacted, lost, or not in the export that it came from."""
        return cls(seq, ts, Draft("withheld", "", "", "", "", why, (), ""), "", leaf=leaf)

    @property
    def id(self) -> str:
        """The id that is posted."""
        return roll_id(self.seq, self.tag)

    @property
    def redacted(self) -> bool:
        """Whether its content is not here (LED-25); the draft's `text` then says why, nothing else of it is true."""
        return self.draft.kind == "withheld"

    @property
    def lost(self) -> bool:
        """Whether it stands for one that was gone or altered when a loss was accepted (LED-12)."""
        return self.redacted and self.draft.text == "lost"


class LedgerReader(Protocol):
    """The part of a ledger that is asked about rolls and people, by whoever says whether a line is genuine too."""

    async def get(self, seq: int) -> Record | None:
        """The record with that number."""
        ...

    async def places(self, since: int) -> Sequence[tuple[str, str]]:
        """Each network and channel with a record of `since` (ms since 1970) or later."""
        ...

    async def latest(
        self, count: int, *, network: str | None = None, channel: str | None = None, who: str | None = None
    ) -> Sequence[Record]:
        """The newest `count` records of a place, a person or both, newest first."""
        ...

    async def of_who(self, who: str, since: int, until: int) -> Sequence[Record]:
        """What a person said between two times (ms since 1970, both included), on any network, in order."""
        ...

    async def about(self, *seqs: int) -> Sequence[Record]:
        """The records that refer to any of those, in order."""
        ...

    def tag_of(self, seq: int, network: str, channel: str, nick: str, line: str) -> str:
        """The tag that a record of these would bear (LED-10), whether or not there is one."""
        ...


class Ledger(LedgerReader, Protocol):
    """Append and read only; the bot keeps no other memory.

    Anything may raise LedgerUnavailable where the record is out of reach (LED-05).
    """

    @property
    def alone(self) -> bool:
        """Whether no other bot may be writing to it."""
        ...

    @property
    def out_of_reach(self) -> float | None:
        """While the record is out of reach: for how many seconds a command waits for it, all in all (LED-05)."""
        ...

    async def append(self, draft: Draft) -> Record:
        """Take `draft` up, durably; only then may its line be posted (LED-03)."""
        ...

    async def of_channel(self, network: str, channel: str) -> Sequence[Record]:
        """The records of one channel that may still matter there, in order."""
        ...

    async def undelivered(self, networks: Sequence[str]) -> Sequence[Record]:
        """The records of those networks whose lines are not known to have gone out, in order (LED-06)."""
        ...

    def mark_delivered(self, network: str, channel: str, seq: int) -> None:
        """That line went out, and all before it in its place."""
        ...

    def late(self) -> Sequence[Record]:
        """Once each: records that landed though their speakers were told that they had not; they are to be posted."""
        ...

    async def close(self) -> None:
        """Let go of whatever is held open; nothing is appended afterwards."""
        ...
