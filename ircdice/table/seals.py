"""What is sealed in a channel (LED-17): secret difficulties, secret rolls. Knows no game."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ircdice.errors import ReplayError
from ircdice.ledger.ids import from_base32, plain_tag
from ircdice.ledger.record import Record

if TYPE_CHECKING:
    from ircdice.table.chain import Chain

KEPT = 1_000  # seals of a channel that may be revealed; the ledger has older ones


@dataclass(slots=True)
class Seal:
    """One sealed value: a difficulty for the next roll of `nick`, or a roll, whose `nick` is None."""

    record: Record
    nick: str | None
    used: Chain | None = field(default=None, repr=False)  # the roll that was made under it
    # The rolls under it that were discarded.
    given_back: list[Chain] = field(default_factory=list, repr=False, compare=False)
    revealed: bool = False

    @property
    def text(self) -> str:
        """What is sealed, in words. ReplayError where the record has lost it."""
        if self.record.draft.sealed is None:
            raise ReplayError(self.record.seq, "what it sealed is not there")
        return self.record.draft.sealed.text

    @property
    def number(self) -> int:
        """The difficulty. ReplayError where it is none."""
        try:
            return int(self.text)
        except ValueError:
            raise ReplayError(self.record.seq, "what it sealed is no difficulty") from None


@dataclass(slots=True)
class Seals:
    """A channel's seals, oldest first."""

    _by_seq: dict[int, Seal] = field(default_factory=dict)
    _waiting: dict[int, Seal] = field(default_factory=dict)  # looked at with every roll

    def add(self, seal: Seal, same: Callable[[str, str], bool]) -> None:
        """One more; a difficulty takes the place of the one that waits for the same nick."""
        if seal.nick is not None:
            waiting = {seq: old for seq, old in self._waiting.items() if not same(old.nick or "", seal.nick)}
            self._waiting = {**waiting, seal.record.seq: seal}
        self._by_seq[seal.record.seq] = seal
        while len(self._by_seq) > KEPT:
            self._waiting.pop(next(iter(self._by_seq)), None)
            del self._by_seq[next(iter(self._by_seq))]

    def get(self, seq: int) -> Seal | None:
        """The seal of that record."""
        return self._by_seq.get(seq)

    @property
    def waiting(self) -> bool:
        """Whether a difficulty waits for somebody's next roll."""
        return bool(self._waiting)

    def use(self, seal: Seal, roll: Chain) -> None:
        """A roll was made under it: it waits no longer."""
        seal.used = roll
        self._waiting.pop(seal.record.seq, None)

    def waits_again(self, seal: Seal, roll: Chain, same: Callable[[str, str], bool]) -> bool:
        """Whether that roll, once discarded, leaves its difficulty to the nick's next one: no later one is set."""
        later = (old for old in self._by_seq.values() if old.record.seq > seal.record.seq)
        replaced = any(same(old.nick or "", seal.nick or "") for old in later)
        return not (seal.revealed or replaced) and seal.used is roll and seal.record.seq in self._by_seq

    def give_back(self, seal: Seal) -> None:
        """The roll under it is discarded: it waits for the next one."""
        if seal.used is not None:
            seal.given_back.append(seal.used)
        seal.used = None
        self._waiting[seal.record.seq] = seal

    def reveal(self, seal: Seal) -> None:
        """It is a secret no longer."""
        seal.revealed = True
        self._waiting.pop(seal.record.seq, None)

    def find(self, ref: str) -> Seal | None:
        """The seal that `ref` names: a number, or a whole id with the right tag."""
        number, _, tag = ref.partition("-")
        seal = self._by_seq.get(from_base32(number) or 0)
        return seal if seal and plain_tag(tag) in ("", seal.record.tag) else None

    def rolls(self) -> Iterator[Seal]:
        """The rolls that nobody saw, the last first; a difficulty that waits is none."""
        return (seal for seal in reversed(self._by_seq.values()) if seal.nick is None)

    def latest_roll(self) -> Seal | None:
        """The latest roll that nobody saw."""
        return next(self.rolls(), None)

    def unrevealed(self) -> Seal | None:
        """The latest that is a secret still."""
        return next((seal for seal in reversed(self._by_seq.values()) if not seal.revealed), None)

    def waiting_for(self, nick: str, same: Callable[[str, str], bool]) -> Seal | None:
        """The difficulty of a nick's next roll."""
        if not self._waiting:
            return None
        return next((seal for seal in self._waiting.values() if same(seal.nick or "", nick)), None)
