"""What a channel remembers: a fold over its records, rebuilt from them at any time. Knows no IRC and no clock."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import grammars
from ircdice import dispatcher
from ircdice.casemapping import fold
from ircdice.dice import RecordedDice
from ircdice.ledger.ids import from_base32
from ircdice.ledger.record import Record
from ircdice.outcome import Earlier, Outcome, Side
from ircdice.settings import ChannelSettings
from ircdice.system import Memory, Said

MINUTE = 60_000  # ms
KEPT = 50  # rolls kept in any case; older ones only while something may still follow them
OTHER = "other"  # GEN-06: the unnamed side of a contest in one line
LAST = "last"
OPENING = frozenset({"roll", "contest", "track"})  # kinds of record that stand by themselves


@dataclass(slots=True)
class Chain:
    """One roll, the records that amended it, and who sat on its sides."""

    records: list[Record]
    node: Any  # what was asked, with what the table's memory added to it then
    system: str  # what `roll Nd10` meant where it was said
    against: str | None = None  # the nick that was asked, as written
    answered: Record | None = None
    passed: bool = False  # the other side did not resist, and has no dice
    closed: bool = False
    _standing: tuple[int, Earlier] | None = field(default=None, repr=False)  # after how many records

    @property
    def root(self) -> Record:
        """The roll itself."""
        return self.records[0]

    @property
    def latest(self) -> Record:
        """The record that stands now."""
        return self.records[-1]

    @property
    def waiting(self) -> bool:
        """Whether it is a contest that wants its answer."""
        return self.against is not None and self.answered is None and not self.closed

    @property
    def since(self) -> int:
        """When the dice that may be rerolled were seen: ms since 1970."""
        return (self.answered or self.root).ts

    def rolled(self, side: Side) -> Record:
        """The record of that side's own throw."""
        return self.answered if side == "other" and self.answered else self.root

    @property
    def comment(self) -> str | None:
        """What was said beside the roll."""
        return grammars.read(self.root.draft.text, self.system, True).comment

    def names(self) -> tuple[str, str]:
        """The nicks of the acting and the other side."""
        return self.root.draft.nick, self.against or OTHER


@dataclass(slots=True)
class Table:
    """One channel's rolls and contests, oldest first. Names are compared by the network's `casemapping`."""

    settings: ChannelSettings
    casemapping: str
    _chains: dict[int, Chain] = field(default_factory=dict)  # by every record's seq
    _memories: dict[str, Memory] = field(default_factory=dict)  # by system

    def apply(self, record: Record) -> None:
        """Take one more record into account; the bot's own and another's after a restart alike."""
        if record.draft.kind in OPENING:
            self._open(record)
            return
        chain = self._chains.get(record.draft.ref)
        if chain is None:  # its roll is too long ago to matter
            return
        if record.draft.kind == "lapse":
            chain.closed = True
        else:
            chain.records.append(record)
        if record.draft.kind == "answer":
            chain.answered, chain.passed = record, not record.draft.draws
        self._chains[record.seq] = chain
        self._remember(chain)

    def _open(self, record: Record) -> None:
        node = self.prepared(grammars.read(record.draft.text, self.settings.system, True).node, record.draft.nick)
        against = getattr(node, "against", None) if record.draft.kind == "contest" else None
        chain = self._chains[record.seq] = Chain([record], node, self.settings.system, against)
        self._remember(chain)
        self._forget(record.ts)

    def prepared(self, node: Any, nick: str) -> Any:
        """`node` with what its system remembers for that nick in this channel, a blessing or a helper's dice."""
        system = dispatcher.system_of(node)
        if system.prepared is None:
            return node
        return system.prepared(node, self._memories.get(dispatcher.owner(node) or ""), fold(nick, self.casemapping))

    def _remember(self, chain: Chain) -> None:
        """Let the system of a roll learn what it came to."""
        system = dispatcher.system_of(chain.node)
        if system.remember is None or chain.closed:
            return
        name = dispatcher.owner(chain.node) or ""
        earlier = self.standing(chain)
        said = Said(fold(chain.root.draft.nick, self.casemapping), earlier.node, earlier.outcome)
        self._memories[name] = system.remember(self._memories.get(name), said)

    def _forget(self, now: int) -> None:
        """Drop the oldest rolls once nothing can follow them any more; the ledger still has them."""
        longest = max(self.settings.house.wp_minutes, self.settings.contest_minutes) * MINUTE
        while len(self._chains) > KEPT:
            seq, chain = next(iter(self._chains.items()))
            if now - chain.latest.ts <= longest:
                return
            del self._chains[seq]

    def chains(self) -> Iterator[Chain]:
        """The rolls, newest first, each once."""
        return (chain for seq, chain in reversed(self._chains.items()) if seq == chain.root.seq)

    def own(self, nick: str, who: str) -> list[Chain]:
        """The rolls in which a person has dice, those rolled last first (GEN-09)."""
        return self._by_side(lambda chain: self.side(chain, nick, who))

    def named(self, name: str) -> list[Chain]:
        """The rolls that have a side of that name, those rolled last first."""
        return self._by_side(lambda chain: self.named_side(chain, name))

    def _by_side(self, side_of: Callable[[Chain], Side | None]) -> list[Chain]:
        sides = [(chain, side) for chain in self.chains() if (side := side_of(chain))]
        return [chain for chain, _ in sorted(sides, key=lambda each: each[0].rolled(each[1]).seq, reverse=True)]

    def find(self, ref: str) -> Chain | None:
        """The roll that `ref` names: `last`, a number, or a whole id, whose tag must then be right."""
        if ref == LAST:
            return max(self.chains(), key=lambda chain: chain.latest.seq, default=None)
        number, _, tag = ref.partition("-")
        seq = from_base32(number)
        chain = self._chains.get(seq) if seq is not None else None
        if chain is None or not tag:
            return chain
        return chain if any(r.seq == seq and r.tag == tag.lower() for r in chain.records) else None

    def open_contests(self) -> list[Chain]:
        """The contests that want an answer, oldest first."""
        return [chain for chain in self.chains() if chain.waiting][::-1]

    def waiting_for(self, nick: str, now: int) -> list[Chain]:
        """The contests that want an answer of `nick`, oldest first; not those whose time is over (GEN-06)."""
        waiting = [c for c in self.open_contests() if c.against and self.same(c.against, nick)]
        return [chain for chain in waiting if not self.overdue(chain, now)]

    def overdue(self, chain: Chain, now: int) -> bool:
        """Whether a contest's time to be answered is over, its lapse announced or not."""
        return now - chain.root.ts >= self.settings.contest_minutes * MINUTE

    def same(self, one: str, other: str) -> bool:
        """Whether two nicks are the same here (IRC-09)."""
        return fold(one, self.casemapping) == fold(other, self.casemapping)

    def side(self, chain: Chain, nick: str, who: str) -> Side | None:
        """The side of a roll that a person sits on; None for a bystander."""
        draft = chain.root.draft
        # Somebody who has logged in since the roll is still the one who rolled.
        if who == draft.who or draft.who == f"~{fold(nick, self.casemapping)}":
            return "acting"
        if chain.passed:
            return None
        if chain.answered and chain.against and (who == chain.answered.draft.who or self.same(nick, chain.against)):
            return "other"
        return None

    def named_side(self, chain: Chain, name: str) -> Side | None:
        """The side that `as NAME` means; None where no side has that name."""
        acting, other = chain.names()
        if self.same(name, acting):
            return "acting"
        return "other" if self.same(name, other) and not chain.passed else None

    def standing(self, chain: Chain) -> Earlier:
        """The roll as it stands, every amendment applied: judged again from the faces that were recorded."""
        known = chain._standing
        if known is None or known[0] != len(chain.records):
            known = chain._standing = len(chain.records), self._replayed(chain)
        return replace(known[1], closed=chain.closed)

    def _replayed(self, chain: Chain) -> Earlier:
        dice = RecordedDice(chain.root.draft.draws)
        node, outcome = chain.node, dispatcher.evaluate(chain.node, dice, self.settings.house)
        for record in chain.records[1:]:
            # No minutes: what was admitted in its time stands, however wp_minutes is set since.
            outcome = self._amended(record, Earlier(node, outcome, self._side_of_record(chain, record)))
            node = outcome.becomes or node
        return Earlier(node, outcome)

    def _amended(self, record: Record, earlier: Earlier) -> Outcome:
        node = grammars.read(record.draft.text, self.settings.system, True).node
        return dispatcher.amend(node, earlier, RecordedDice(record.draft.draws), self.settings.house)

    def _side_of_record(self, chain: Chain, record: Record) -> Side:
        speaks_as = grammars.read(record.draft.text, self.settings.system, True).speaks_as
        if speaks_as:
            return self.named_side(chain, speaks_as) or "acting"
        return self.side(chain, record.draft.nick, record.draft.who) or "acting"
