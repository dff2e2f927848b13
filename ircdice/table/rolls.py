"""One roll of a channel: its records, its sides and the owners of its dice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import grammars
from grammars import Command
from ircdice.casemapping import DEFAULT, fold, same
from ircdice.errors import Refused, ReplayError
from ircdice.game import Game
from ircdice.ledger.record import Draft, Record
from ircdice.outcome import Earlier, Side

OTHER = "other"  # GEN-06: the unnamed side of a contest in one line


class Person(NamedTuple):
    """A user who may have thrown a side of a roll; `who` as in a record, and the names that they have here."""

    nick: str
    who: str
    casemapping: str
    names: Sequence[str] = ()

    def made(self, record: Record) -> bool:
        """Whether a record is theirs, even if they logged in since (V5-15)."""
        return record.draft.who in (self.who, f"~{fold(self.nick, self.casemapping)}")

    def is_actor(self, record: Record) -> bool:
        """Whether a storyteller rolled it `as` one of their names."""
        character = record.draft.character
        if not character or reading_of(record).speaks_as is None:
            return False
        return any(same(character, name, self.casemapping) for name in self.names)


class Change(NamedTuple):
    """A record that changed or answered a roll, and its command as completed by the table."""

    record: Record
    node: Command


class Judged(NamedTuple):
    """A command that was just carried out, as completed by the table, its comment, and the roll as it stands now,
    without secrets."""

    command: Command
    comment: str | None
    standing: Earlier


@dataclass(slots=True, eq=False)
class Chain:
    """One roll, the records that changed it, and its two sides."""

    root: Record  # the roll itself
    node: Command  # its command, as completed by the table
    game: Game
    against: str | None = None  # the challenged nick, as written
    comment: str | None = None  # the comment in the command
    covered: bool = False  # its difficulty is still secret (FW-10)
    standing: Earlier | None = field(default=None, repr=False)  # the judged roll, until another record follows
    answered: Record | None = None
    changes: list[Change] = field(default_factory=list)  # changes and the answer, in order
    passed: bool = False  # the other side did not resist, and has no dice
    closed: bool = False
    discarded: bool = False  # SC-21: it never counts again
    moved: list[Record] = field(default_factory=list, repr=False)  # the trackers that it changed (DSK-03)

    @property
    def id(self) -> str:
        """`#4d`, the short id of the roll."""
        return self.root.short_id

    @property
    def latest(self) -> Record:
        """The record that counts now."""
        return self.changes[-1].record if self.changes else self.root

    @property
    def records(self) -> list[Record]:
        """The roll, with the records that changed or answered it."""
        return [self.root, *(change.record for change in self.changes)]

    @property
    def waiting(self) -> bool:
        """Whether it is an open contest."""
        return self.against is not None and self.answered is None and not self.closed

    @property
    def since(self) -> int:
        """The time when the rerollable dice were shown, in ms since 1970."""
        return (self.answered or self.root).ts

    @property
    def resisted(self) -> Record | None:
        """The record of the other side's own throw, if any."""
        return None if self.passed else self.answered

    def rolled(self, side: Side) -> Record:
        """The record of that side's own throw."""
        return self.answered if side == "other" and self.answered else self.root

    @property
    def played(self) -> Draft | None:
        """The answer, if a character gave it."""
        return self.answered.draft if self.answered and self.answered.draft.character else None

    def names(self) -> tuple[str, str]:
        """The acting and the other side as posted: `Viktor (alice)` and `bob`."""
        acting = posted_as(self.node.character or self.root.draft.character, self.root.draft.nick)
        other = posted_as(self.played.character, self.played.nick) if self.played else self.against or OTHER
        return acting, other


def posted_as(character: str | None, nick: str) -> str:
    """`Viktor (alice)`, or the nick if both are the same."""
    return f"{character} ({nick})" if character and not same(character, nick, DEFAULT) else nick


def reading_of(record: Record) -> grammars.Reading:
    """The command of a record, by the game that the channel played then."""
    try:
        return grammars.read(record.draft.words, record.draft.terms.system, True)
    except Refused as why:
        raise ReplayError(record.seq, why) from why


def counts_for(record: Record) -> str:
    """The name credited with a command: a character's, the speaker's, or that of the player answered for."""
    if record.draft.character:
        return record.draft.character
    if record.draft.kind != "answer":
        return record.draft.nick
    return reading_of(record).speaks_as or record.draft.nick


def side_of(chain: Chain, person: Person) -> Side | None:
    """The side of a roll that a user threw, or a storyteller threw for them; None if neither. If both are theirs, the
    nick decides."""
    other = chain.resisted
    sides: list[Side] = ["acting"] if person.made(chain.root) else []
    if other and _answered_by(chain, other, person):
        sides.append("other")
    if len(sides) > 1:
        return side_named(chain, person.nick, person.casemapping) or "acting"
    if not sides and person.is_actor(chain.root):
        return "acting"
    return "other" if not sides and other and person.is_actor(other) else next(iter(sides), None)


def side_named(chain: Chain, name: str, casemapping: str) -> Side | None:
    """The side that `as NAME` means; None if no side has that name."""
    if any(same(name, each, casemapping) for each in (chain.root.draft.nick, chain.root.draft.character)):
        return "acting"
    others = [chain.against or OTHER, *((chain.played.nick, chain.played.character) if chain.played else ())]
    return "other" if any(same(name, each, casemapping) for each in others) and not chain.passed else None


def side_changed(chain: Chain, record: Record, casemapping: str) -> Side:
    """The side whose dice a record of that roll is about."""
    if speaks_as := reading_of(record).speaks_as:
        return side_named(chain, speaks_as, casemapping) or "acting"
    own = side_of(chain, Person(record.draft.nick, record.draft.who, casemapping))
    return own or side_named(chain, record.draft.character or record.draft.nick, casemapping) or "acting"


def _answered_by(chain: Chain, answer: Record, person: Person) -> bool:
    """Whether a user is the other side: they answered, or a storyteller answered for them."""
    if reading_of(answer).speaks_as:
        return chain.against is not None and same(person.nick, chain.against, person.casemapping)
    return person.made(answer)
