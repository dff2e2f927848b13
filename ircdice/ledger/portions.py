"""Which of several processes looks at what of a ledger (LED-16), so that each has as much to do. Looks at nothing."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from operator import itemgetter
from zlib import crc32

from ircdice.ledger.entry import Entry
from ircdice.ledger.record import Draft

MOST_NAMED = 1_000  # channels
SLACK = 0.05  # s of the processor by which judges may differ


@dataclass(frozen=True, slots=True)
class Loan:
    """Of a stretch, the records of one judge that another looks at; their verdicts stay with the lender."""

    lender: int
    borrower: int


@dataclass(frozen=True, slots=True)
class Portion:
    """Those places whose verdicts are one of several judges' to look at, `number` from 0 `of` so many.

    What a record says of itself needs no other: in a stretch of which there is a loan, the borrower looks at that.
    """

    number: int = 0
    of: int = 1
    given: Mapping[str, int] = field(default_factory=dict)  # channels, whatever their network, to those judges

    def holds(self, network: str, channel: str) -> bool:
        """Whether a place falls to it; a record of which not even the place is known concerns every judge."""
        return self.of == 1 or not (channel or network) or self._holder(channel) == self.number

    def wanted(self, loan: Loan | None) -> Callable[[str, str], bool]:
        """Whether the records of a network and channel are to be read there."""
        if loan is None or loan.borrower != self.number:
            return self.holds
        lender = replace(self, number=loan.lender)
        return lambda network, channel: self.holds(network, channel) or lender.holds(network, channel)

    def others(self, loan: Loan | None) -> tuple[str, ...]:
        """Channels that surely fall to others there, as long as they are few enough to be named in one question."""
        mine = {self.number, loan.lender} if loan and loan.borrower == self.number else {self.number}
        named = [channel for channel, number in self.given.items() if channel and number not in mine]
        return tuple(named) if len(named) <= MOST_NAMED else ()

    def answers_for(self, said: Entry | Draft, loan: Loan | None) -> bool:
        """Whether what else is to be looked at in a record falls to it, and to no other."""
        if self.of == 1:
            return True
        holder = self._holder(said.channel) if said.channel or said.network else 0
        return self.number == (loan.borrower if loan and holder == loan.lender else holder)

    def _holder(self, channel: str) -> int:
        given = self.given.get(channel)
        return crc32(channel.encode()) % self.of if given is None else given


def portions(records: Mapping[str, int], of: int) -> list[Portion]:
    """As many as judges, each with about as many records, by how many each channel has."""
    loads, given = [0] * of, dict[str, int]()
    for channel, count in sorted(records.items(), key=itemgetter(1), reverse=True):
        given[channel] = number = loads.index(min(loads))
        loads[number] += count
    return [Portion(number, of, given) for number in range(of)]


def lent(worked: Sequence[float]) -> Loan | None:
    """Who is to lend of the next stretch, and to whom, by what each has worked so far, in seconds of the processor."""
    most, least = max(worked), min(worked)
    return Loan(worked.index(most), worked.index(least)) if most - least > SLACK else None
