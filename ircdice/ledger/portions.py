"""Which of several processes looks at what of a ledger (LED-16): shares of about as much work. Looks at nothing."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from operator import itemgetter
from zlib import crc32

from ircdice.ledger.entry import Entry
from ircdice.ledger.record import Draft

MOST_NAMED = 1_000  # channels
PARTS = 16  # in which the largest channel may be lent, stretch by stretch
# What a record takes to be read, and to be held against its leaf, tag and seed; its verdict takes the rest of 1.
_READ, _LOOKED = 0.18, 0.23


@dataclass(frozen=True, slots=True)
class Portion:
    """Those places whose verdicts are one of several judges' to look at, `number` from 0 `of` so many.

    What a record says of itself needs no other: of the channel that is `lent`, other judges may look at that, in each
    stretch whoever its number among PARTS is given to.
    """

    number: int = 0
    of: int = 1
    given: Mapping[str, int] = field(default_factory=dict)  # channels, whatever their network, to those judges
    lent: str = ""
    parts: tuple[int, ...] = ()

    def holds(self, network: str, channel: str) -> bool:
        """Whether a place falls to it; a record of which not even the place is known concerns every judge."""
        if self.of == 1 or not (channel or network):
            return True
        given = self.given.get(channel)
        return (crc32(channel.encode()) % self.of if given is None else given) == self.number

    def borrows(self, stretch: int) -> bool:
        """Whether it looks at the records of the channel that is lent, in that stretch."""
        return bool(self.lent) and self.parts[stretch % PARTS] == self.number

    def wanted(self, stretch: int) -> Callable[[str, str], bool]:
        """Whether the records of a network and channel are to be read there."""
        if not self.borrows(stretch):
            return self.holds
        return lambda network, channel: channel == self.lent or self.holds(network, channel)

    def others(self, stretch: int) -> tuple[str, ...]:
        """Channels that surely fall to others there, as long as they are few enough to be named in one question."""
        mine = self.lent if self.borrows(stretch) else None
        named = [
            channel for channel, number in self.given.items() if channel not in ("", mine) and number != self.number
        ]
        return tuple(named) if len(named) <= MOST_NAMED else ()

    def answers_for(self, said: Entry | Draft, stretch: int) -> bool:
        """Whether what else is to be looked at in a record falls to it, and to no other."""
        if self.of == 1:
            return True
        if self.lent and said.channel == self.lent:
            return self.borrows(stretch)
        return self.holds(said.network, said.channel) and (self.number == 0 or bool(said.channel or said.network))


def portions(records: Mapping[str, int], of: int) -> list[Portion]:
    """As many as judges, each with about as much to do, by how many records each channel has."""
    loads, given = [0.0] * of, dict[str, int]()
    for channel, count in sorted(records.items(), key=itemgetter(1), reverse=True):
        given[channel] = number = loads.index(min(loads))
        loads[number] += count
    even = Portion(0, of, given)
    busiest = loads.index(max(loads, default=0.0))
    mine = [channel for channel, number in given.items() if channel and number == busiest]
    lent = max(mine, key=records.__getitem__, default="")
    if lent and (parts := _lent(loads, busiest, records[lent] / PARTS)) != (busiest,) * PARTS:
        even = replace(even, lent=lent, parts=parts)
    return [replace(even, number=number) for number in range(of)]


def _lent(loads: list[float], owner: int, part: float) -> tuple[int, ...]:
    """To whom each part of so many records goes, as long as that leaves less to do for whoever has most."""
    parts: list[int] = []
    for _ in range(PARTS):
        idlest = loads.index(min(loads))
        taker = idlest if loads[idlest] + (_READ + _LOOKED) * part < loads[owner] else owner
        if taker != owner:
            loads[taker] += (_READ + _LOOKED) * part
            loads[owner] -= _LOOKED * part
        parts.append(taker)
    return tuple(parts)
