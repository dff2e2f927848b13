"""Secret difficulties, rolls and cards (LED-17, FW-10): a channel's seals, and the public parts of rolls under them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import groupby

import grammars
from grammars.command import AgainstDifficulty, Command
from grammars.secrets import Difficulty
from ircdice import dispatcher
from ircdice.dice import Draws
from ircdice.errors import Refused, ReplayError, RuleError
from ircdice.ledger.record import Record, from_base32, plain_tag
from ircdice.outcome import Outcome
from ircdice.table.rolls import Chain, reading_of

KINDS = frozenset({"seal", "reveal"})  # of record
SECRET = "secret"  # the text in the record of a secret roll, whose command is sealed
BLIND = "blind "  # the text of a blind roll, followed by the command
CARD = "card from "  # the text of a secret card, followed by the deck (DSK-15)
OFF = "off"  # the sealed text that cancels a difficulty
_FACES = re.compile(r"\bd([0-9]{1,10})((?: [0-9]{1,10}\b)+)")  # draws have at most this many digits (LED-11)
MOST_SEALS = 1_000  # seals of a channel that can be revealed; older ones are only in the ledger


@dataclass(slots=True)
class Seal:
    """One sealed text: a difficulty for the next roll of `nick`, a `roll` with its draws, or a card."""

    record: Record
    text: str = field(repr=False)
    nick: str | None = None  # of a difficulty alone
    number: int | None = field(default=None, repr=False)  # the difficulty; None only cancels the previous one
    roll: tuple[grammars.Reading, Draws] | None = field(default=None, repr=False)
    used: Chain | None = field(default=None, repr=False)  # the roll made under it
    revealed: bool = False
    replaced: bool = False  # replaced by another difficulty for the same name

    @classmethod
    def of(cls, record: Record) -> Seal:
        """The seal in a `seal` record. ReplayError if its text is lost, or seals nothing that is known."""
        public, sealed = record.draft.text, record.draft.sealed
        if sealed is None:
            raise ReplayError(record.seq, "what it sealed is not there")
        seal = cls(record, sealed.text)
        if public == SECRET or public.startswith(BLIND):
            command, _, dice = seal.text.rpartition("; ")
            try:
                seal.roll = grammars.read(command, record.draft.terms.system, True), _drawn(dice)
            except Refused as why:
                raise ReplayError(record.seq, why) from why
        elif not seal.is_card:
            node = reading_of(record).node
            seal.nick = node.nick if isinstance(node, Difficulty) else None
            seal.number = int(seal.text) if re.fullmatch("[0-9]{1,9}", seal.text) else None
            if seal.nick is None or not (seal.number or seal.text == OFF):
                raise ReplayError(record.seq, "it seals nothing that is known")
        return seal

    @property
    def posted(self) -> bool:
        """Whether the channel knows of it: a difficulty only after a roll under it."""
        return self.nick is None or self.used is not None

    @property
    def waits(self) -> bool:
        """Whether it is a waiting difficulty."""
        return self.number is not None and not (self.used or self.revealed or self.replaced)

    @property
    def cancels(self) -> bool:
        """Whether it only cancels the previous difficulty."""
        return self.nick is not None and self.number is None

    @property
    def is_card(self) -> bool:
        """Whether it is a secret card."""
        return self.record.draft.text.startswith(CARD)

    def __str__(self) -> str:
        """The difficulty or the card: `difficulty 9 for bob`, `tarot: The Moon`."""
        return self.text.rpartition("; ")[0] if self.nick is None else f"difficulty {self.text} for {self.nick}"


@dataclass(slots=True)
class Seals:
    """A channel's seals, oldest first."""

    _by_seq: dict[int, Seal] = field(default_factory=dict)

    def add(self, seal: Seal, same: Callable[[str, str], bool]) -> None:
        """Add a seal; a difficulty replaces a waiting one for the same name."""
        for old in self._by_seq.values():
            if old.waits and same(old.nick or "", seal.nick or ""):
                old.replaced = True
        self._by_seq[seal.record.seq] = seal
        while len(self._by_seq) > MOST_SEALS:
            del self._by_seq[next(iter(self._by_seq))]

    def get(self, seq: int) -> Seal | None:
        """The seal in that record."""
        return self._by_seq.get(seq)

    def find(self, ref: str) -> Seal | None:
        """The seal named by `ref`: a number, or a whole id with the right tag."""
        number, _, tag = ref.partition("-")
        seal = self._by_seq.get(from_base32(number) or 0)
        return seal if seal and plain_tag(tag) in ("", seal.record.tag) else None

    def rolls(self) -> Iterator[Seal]:
        """The secret rolls, latest first."""
        return (seal for seal in reversed(self._by_seq.values()) if seal.roll)

    def unrevealed(self) -> list[Seal]:
        """The unrevealed seals, oldest first, without replaced difficulties."""
        return [seal for seal in self._by_seq.values() if not seal.revealed and (seal.posted or seal.waits)]

    def waiting_for(self, meets: Callable[[str], bool]) -> Seal | None:
        """The first waiting difficulty whose name, a nick's or a character's, `meets` accepts (DSK-01)."""
        return next((seal for seal in self._by_seq.values() if seal.waits and meets(seal.nick or "")), None)


def over(seals: Seals, node: Command, meets: Callable[[str], bool]) -> Seal | None:
    """The secret difficulty for a roll by somebody with a name that `meets` accepts. RuleError if the roll has its own
    (FW-10)."""
    seal = seals.waiting_for(meets)
    if seal is None or not isinstance(node, AgainstDifficulty):
        return None
    if node.difficulty is not None:
        raise RuleError(f"a secret difficulty is set for your next roll here: leave dc{node.difficulty} out.")
    try:
        node.with_difficulty(seal.number)
    except ValueError:  # the roll has no difficulty
        return None
    return seal


def under(node: Command, seal: Seal) -> Command:
    """`node` with the sealed difficulty. ReplayError if it cannot have one."""
    with suppress(ValueError):
        if seal.number is not None and isinstance(node, AgainstDifficulty):
            return node.with_difficulty(seal.number)
    raise ReplayError(seal.record.seq, "a roll under it has no difficulty")


def opened(node: Command) -> Command:
    """`node` without its difficulty, as typed."""
    return node.with_difficulty(None) if isinstance(node, AgainstDifficulty) else node


def covered(node: Command, outcome: Outcome, first: Outcome) -> Outcome:
    """The public part of a roll under a secret difficulty; `first` is its first throw."""
    public = dispatcher.system_of(node).cover(outcome, first)
    return public._replace(becomes=public.becomes and opened(public.becomes))


def secret_text(command: str, draws: Draws) -> str:
    """The sealed text of a secret roll: the command as typed, and the faces by die, `roll 2d10; d10 7 3`."""
    return f"{command}; {faces(draws, ', ') or 'no dice'}"


def faces(draws: Draws, joint: str) -> str:
    """The faces by die, in draw order: `d10 7 3, d6 1`."""
    by_die = groupby(draws, lambda draw: draw[0])
    return joint.join([f"d{sides} {' '.join(str(face) for _, face in some)}" for sides, some in by_die])


def draws_of(record: Record) -> Draws:
    """The dice of a record; those of a revealed secret roll were sealed."""
    roll = Seal.of(record).roll if record.draft.kind == "seal" else None
    return roll[1] if roll else record.draft.draws


def _drawn(dice: str) -> Draws:
    """The draws that `faces` made that text of."""
    return tuple((int(sides), int(face)) for sides, faces in _FACES.findall(dice) for face in faces.split())
