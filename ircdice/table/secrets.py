"""Secret difficulties and rolls (LED-17, FW-10): the seals, and their public parts."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
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
OFF = "off"  # the sealed text that cancels a difficulty
CARD = "card from "  # the text of a secret card, followed by the deck (DSK-15)
_FACES = re.compile(r"\bd([0-9]{1,10})((?: [0-9]{1,10}\b)+)")  # draws have at most this many digits (LED-11)
MOST_SEALS = 1_000  # seals of a channel that can be revealed; older ones are only in the ledger


@dataclass(slots=True)
class Seal:
    """One sealed value: a difficulty for the next roll of `nick`; `nick` is None for a roll or a card."""

    record: Record
    nick: str | None
    used: Chain | None = field(default=None, repr=False)  # the roll made under it
    revealed: bool = False
    replaced: bool = False  # replaced by another difficulty for the same name

    @property
    def posted(self) -> bool:
        """Whether the channel knows of it: a difficulty only after a roll under it."""
        return self.nick is None or self.used is not None

    @property
    def cancels(self) -> bool:
        """Whether it only cancels the previous difficulty."""
        return self.nick is not None and self.text == OFF

    @property
    def waits(self) -> bool:
        """Whether it is a waiting difficulty."""
        settled = self.used or self.revealed or self.replaced
        return self.nick is not None and not settled and not self.cancels

    @property
    def is_card(self) -> bool:
        """Whether it is a secret card."""
        return self.record.draft.text.startswith(CARD)

    @property
    def deck(self) -> str:
        """The deck of a card."""
        return self.record.draft.text.removeprefix(CARD)

    @property
    def text(self) -> str:
        """The sealed text. ReplayError if the record has lost it."""
        if self.record.draft.sealed is None:
            raise ReplayError(self.record.seq, "what it sealed is not there")
        return self.record.draft.sealed.text

    @property
    def number(self) -> int:
        """The difficulty. ReplayError if it is not one."""
        try:
            return int(self.text)
        except ValueError:
            raise ReplayError(self.record.seq, "what it sealed is no difficulty") from None


@dataclass(slots=True)
class Seals:
    """A channel's seals, oldest first."""

    _by_seq: dict[int, Seal] = field(default_factory=dict)

    def add(self, seal: Seal, same: Callable[[str, str], bool]) -> None:
        """Add a seal; a difficulty replaces a waiting one for the same name."""
        if seal.nick is not None:
            for old in self._by_seq.values():
                old.replaced = old.replaced or (old.waits and same(old.nick or "", seal.nick))
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
        """The secret rolls, latest first, without waiting difficulties and cards."""
        return (seal for seal in reversed(self._by_seq.values()) if seal.nick is None and not seal.is_card)

    def unrevealed(self) -> list[Seal]:
        """The unrevealed seals, oldest first, without replaced difficulties."""
        return [seal for seal in self._by_seq.values() if not seal.revealed and (seal.posted or seal.waits)]

    def waiting_for(self, meets: Callable[[str], bool]) -> Seal | None:
        """The first waiting difficulty whose name, a nick's or a character's, `meets` accepts (DSK-01)."""
        waiting = (seal for seal in self._by_seq.values() if seal.waits)
        return next((seal for seal in waiting if meets(seal.nick or "")), None)


def is_roll(record: Record) -> bool:
    """Whether a `seal` record contains a roll."""
    return record.draft.text == SECRET or record.draft.text.startswith(BLIND)


def sealed(record: Record) -> Seal:
    """The seal in a `seal` record. ReplayError if its text is lost."""
    if is_roll(record):
        seal = Seal(record, None)
        rolled(seal)
        return seal
    if (seal := Seal(record, None)).is_card:
        return seal
    node = reading_of(record).node
    seal = Seal(record, node.nick if isinstance(node, Difficulty) else None)
    if seal.nick is None or not (seal.cancels or seal.number >= 1):
        raise ReplayError(record.seq, "it seals nothing that is known")
    return seal


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
        if isinstance(node, AgainstDifficulty):
            return node.with_difficulty(seal.number)
    raise ReplayError(seal.record.seq, "a roll under it has no difficulty")


def opened(node: Command) -> Command:
    """`node` without its difficulty, as typed."""
    return node.with_difficulty(None) if isinstance(node, AgainstDifficulty) else node


def covered(node: Command, outcome: Outcome, first: Outcome) -> Outcome:
    """The public part of a roll under a secret difficulty; `first` is its first throw."""
    public = dispatcher.system_of(node).cover(outcome, first)
    return public._replace(becomes=public.becomes and opened(public.becomes))


def words_of(record: Record) -> str:
    """A revealed difficulty, for the log: its record has no line."""
    seal = sealed(record)
    return f"difficulty {seal.number} for {seal.nick}"


def faces_of(record: Record) -> Draws:
    """The draws of a revealed secret roll; empty for other seals."""
    return rolled(Seal(record, None))[1] if is_roll(record) else ()


def secret_text(command: str, draws: Draws) -> str:
    """The sealed text of a secret roll: the command as typed, and the faces by die, `roll 2d10; d10 7 3`."""
    return f"{command}; {faces(draws, ', ') or 'no dice'}"


def faces(draws: Draws, joint: str) -> str:
    """The faces by die, in draw order: `d10 7 3, d6 1`."""
    by_die = groupby(draws, lambda draw: draw[0])
    return joint.join([f"d{sides} {' '.join(str(face) for _, face in some)}" for sides, some in by_die])


def rolled(seal: Seal) -> tuple[grammars.Reading, Draws]:
    """The command and the faces of a secret roll. ReplayError if they cannot be read."""
    command, _, dice = seal.text.rpartition("; ")
    try:
        reading = grammars.read(command, seal.record.draft.terms.system, True)
    except Refused as why:
        raise ReplayError(seal.record.seq, why) from why
    return reading, tuple(_drawn(_FACES.findall(dice)))


def _drawn(matches: Iterable[tuple[str, str]]) -> Iterable[tuple[int, int]]:
    for sides, faces in matches:
        yield from ((int(sides), int(face)) for face in faces.split())
