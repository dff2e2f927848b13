"""Whose rolls they are, at hand: looking through all of a channel's takes longer than anything else. Judges nothing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from heapq import merge
from operator import itemgetter

from ircdice.table.chain import Chain, reading_of

_ANYBODY = ""  # whose side a storyteller answered for has its nick alone, which may be anybody's
_SEQ = itemgetter(0)


@dataclass(slots=True)
class Seats:
    """Rolls by everyone who may have dice in them, as the record of these dice names them, in the order of records."""

    _by_who: dict[str, dict[int, Chain]] = field(default_factory=dict)  # by the number of that record

    def add(self, chain: Chain) -> None:
        """A roll, or one that has been answered."""
        for seq, who in _sitting(chain):
            if (rolls := self._by_who.get(who)) is None:
                rolls = self._by_who[who] = {}
            rolls[seq] = chain

    def remove(self, chain: Chain) -> None:
        """A roll that is not remembered any more."""
        for seq, who in _sitting(chain):
            rolls = self._by_who.get(who, {})
            rolls.pop(seq, None)
            if not rolls:
                self._by_who.pop(who, None)

    def of(self, *names: str) -> Iterator[tuple[int, Chain]]:
        """The rolls in which one of these may have thrown dice, with the record of these, the last first."""
        found = [reversed(rolls.items()) for name in {*names, _ANYBODY} if (rolls := self._by_who.get(name))]
        return merge(*found, key=_SEQ, reverse=True) if len(found) > 1 else iter(*found or ((),))


def _sitting(chain: Chain) -> list[tuple[int, str]]:
    root, answer = chain.root, chain.answered
    if answer is None:
        return [(root.seq, root.draft.who)]
    return [(root.seq, root.draft.who), (answer.seq, _ANYBODY if reading_of(answer).speaks_as else answer.draft.who)]
