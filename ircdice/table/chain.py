"""One roll at a table: its records, who sat on its sides, whether anything may still follow. Judges nothing."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

import grammars
from grammars.command import Command
from ircdice.errors import Refused, ReplayError
from ircdice.ledger.record import Record
from ircdice.outcome import Earlier, Outcome, Side
from ircdice.table.seals import Seal


class Thrown(NamedTuple):
    """A roll as it was judged when it was said: its node, prepared as `Chain.node` is, and its comment."""

    node: Command
    outcome: Outcome
    comment: str | None = None


OTHER = "other"  # GEN-06: the unnamed side of a contest in one line


@dataclass(slots=True)
class Chain:
    """One roll, the records that amended it, and who sat on its sides."""

    records: list[Record]
    node: Command  # what was asked, with what the table's memory added to it then
    against: str | None = None  # the nick that was asked, as written
    answered: Record | None = None
    later: list[Command] = field(default_factory=list)  # the nodes of later records, prepared as `node` is
    passed: bool = False  # the other side did not resist, and has no dice
    closed: bool = False
    discarded: bool = False  # SC-21: disregarded, and never counted again
    comment: str | None = None  # what was said behind it
    endings: list[Record] = field(default_factory=list)  # what closed it
    seal: Seal | None = field(default=None, repr=False)  # the difficulty that it was rolled under (FW-10)
    standing: tuple[int, Earlier] | None = field(default=None, repr=False)  # after how many records
    thrown: Outcome | None = field(default=None, repr=False)  # what the roll itself came to, where that was judged

    @property
    def root(self) -> Record:
        """The roll itself."""
        return self.records[0]

    @property
    def latest(self) -> Record:
        """The record that stands now."""
        return self.records[-1]

    @property
    def touched(self) -> int:
        """When the last of its records was made: ms since 1970."""
        return self.records[-1].ts

    @property
    def covered(self) -> bool:
        """Whether its difficulty is a secret still."""
        return self.seal is not None and not self.seal.revealed

    @property
    def waiting(self) -> bool:
        """Whether it is a contest that wants its answer."""
        return self.against is not None and self.answered is None and not self.closed

    @property
    def since(self) -> int:
        """When the dice that may be rerolled were seen: ms since 1970."""
        return (self.answered or self.root).ts

    def record(self, seq: int) -> Record:
        """That one of its records, which there must be."""
        return next(each for each in (*self.records, *self.endings) if each.seq == seq)

    def rolled(self, side: Side) -> Record:
        """The record of that side's own throw."""
        return self.answered if side == "other" and self.answered else self.root

    def names(self) -> tuple[str, str]:
        """The nicks of the acting and the other side."""
        return self.root.draft.nick, self.against or OTHER


class Laid(NamedTuple):
    """A roll that was judged as its record came, and that nothing has followed: most are never more than this."""

    record: Record
    thrown: Thrown

    def taken_up(self) -> Chain:
        """The roll, now that it is asked for."""
        node, outcome, comment = self.thrown
        return Chain([self.record], node, comment=comment, thrown=outcome)

    @property
    def touched(self) -> int:
        """As a chain's."""
        return self.record.ts


def reading_of(record: Record) -> grammars.Reading:
    """What a record says, by the system that was played when it was said."""
    try:
        return grammars.read(record.draft.text, record.draft.system, True)
    except Refused as why:
        raise ReplayError(record.seq, why) from why
