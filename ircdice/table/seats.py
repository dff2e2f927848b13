"""Whose rolls they are, at hand: looking through all of a channel's takes longer than anything else. Judges nothing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from ircdice.table.chain import Chain, reading_of

_ANYBODY = ""  # whose side a storyteller answered for has its nick alone, which may be anybody's


@dataclass(slots=True)
class Seats:
    """Rolls by everyone who may have dice in them, as the record names them."""

    _by_who: dict[str, dict[int, Chain]] = field(default_factory=dict)

    def add(self, chain: Chain) -> None:
        """A roll, or one that has been answered."""
        for who in _sitting(chain):
            self._by_who.setdefault(who, {})[chain.root.seq] = chain

    def remove(self, chain: Chain) -> None:
        """A roll that is not remembered any more."""
        for who in _sitting(chain):
            rolls = self._by_who.get(who, {})
            rolls.pop(chain.root.seq, None)
            if not rolls:
                self._by_who.pop(who, None)

    def of(self, *names: str) -> list[Chain]:
        """The rolls in which one of these may have dice, oldest first."""
        found: dict[int, Chain] = {}
        for name in {*names, _ANYBODY}:
            found |= self._by_who.get(name, {})
        return [found[seq] for seq in sorted(found)]


def _sitting(chain: Chain) -> Iterator[str]:
    yield chain.root.draft.who
    if chain.answered is not None:
        yield _ANYBODY if reading_of(chain.answered).speaks_as else chain.answered.draft.who
