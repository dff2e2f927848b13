"""Whose rolls they are, at hand: looking through all of a channel's takes longer than anything else. Judges nothing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from heapq import merge

from ircdice.table.chain import Chain, reading_of

_ANYBODY = ""  # whose side a storyteller answered for has its nick alone, which may be anybody's


@dataclass(slots=True)
class Seats:
    """The records of dice by everyone who may have thrown them, as these records name them, in their order."""

    _by_who: dict[str, dict[int, None]] = field(default_factory=dict)  # by the number of that record

    def add(self, chain: Chain) -> None:
        """A roll, or one that has been answered."""
        for seq, who in _sitting(chain):
            self.sit(who, seq)

    def sit(self, who: str, seq: int) -> None:
        """The dice of that record are of `who`."""
        if (records := self._by_who.get(who)) is None:
            records = self._by_who[who] = {}
        records[seq] = None

    def remove(self, chain: Chain) -> None:
        """A roll that is not remembered any more."""
        for seq, who in _sitting(chain):
            self.rise(who, seq)

    def rise(self, who: str, seq: int) -> None:
        """That record is not remembered any more."""
        if records := self._by_who.get(who):
            records.pop(seq, None)
            if not records:
                del self._by_who[who]

    def of(self, *names: str) -> Iterator[int]:
        """The records of dice that one of these may have thrown, the last first."""
        found = [reversed(records) for name in {*names, _ANYBODY} if (records := self._by_who.get(name))]
        return merge(*found, reverse=True) if len(found) > 1 else iter(*found or ((),))


def _sitting(chain: Chain) -> list[tuple[int, str]]:
    root, answer = chain.root, chain.answered
    if answer is None:
        return [(root.seq, root.draft.who)]
    return [(root.seq, root.draft.who), (answer.seq, _ANYBODY if reading_of(answer).speaks_as else answer.draft.who)]
