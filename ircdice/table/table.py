"""What a channel remembers: a fold over its records, rebuilt from them at any time. Knows no IRC and no clock."""

from __future__ import annotations

import logging
from collections import OrderedDict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from grammars.contests import Pass
from ircdice import dispatcher
from ircdice.casemapping import DEFAULT, fold, same
from ircdice.dice import DiceSource
from ircdice.errors import Refused, ReplayError
from ircdice.ledger.entry import Entry
from ircdice.ledger.ids import from_base32, plain_tag
from ircdice.ledger.record import Record
from ircdice.outcome import Earlier, Outcome
from ircdice.settings import ChannelSettings
from ircdice.system import Said, System
from ircdice.table import rejudging, sealing
from ircdice.table.chain import Chain, Laid, Thrown, reading_of
from ircdice.table.memories import Memories
from ircdice.table.seals import Seals
from ircdice.table.seats import Seats
from ircdice.table.sides import side_named, side_of

log = logging.getLogger(__name__)
MINUTE = 60_000  # ms
DAY = 24 * 60 * MINUTE  # for which a contest is to be ended
KEPT = 50  # rolls kept in any case; older ones only while something may still follow them
LAST = "last"
OPENING = frozenset({"roll", "contest", "track"})  # kinds of record that stand by themselves
ENDING = frozenset({"lapse", "discard"})  # kinds that add nothing to a roll, and let nothing follow it
WITHHELD = "withheld"  # a record whose content was taken away (LED-25)


@dataclass(slots=True)
class Table:
    """One channel's rolls and contests, oldest first. Names are compared by the network's `casemapping`."""

    settings: ChannelSettings
    casemapping: str = DEFAULT
    # By every record's seq. Ordered: a dict looks for its oldest behind all that went before.
    _chains: OrderedDict[int, Chain | Laid] = field(default_factory=OrderedDict)
    # What still waits, by its roll's seq: looked at with every command, where going through all rolls would take ms.
    _waiting: dict[int, Chain] = field(default_factory=dict)
    _unasked: dict[int, Chain] = field(default_factory=dict)
    _seats: Seats = field(default_factory=Seats)
    seals: Seals = field(default_factory=Seals)
    memories: Memories = field(default_factory=Memories)

    def apply(self, record: Record) -> None:
        """Take one more record into account, whoever wrote it; a damaged one is logged and left out: play goes on."""
        try:
            self._apply(record)
        except (Refused, ReplayError):  # a game refuses what it took when it was said, were it not altered since
            log.exception("a record is left out", extra={"network": record.draft.network})
        if chain := self._chain(record.seq) or self._chain(record.draft.ref):
            self._index(chain)

    def _chain(self, seq: int) -> Chain | None:
        """The roll that a record belongs to, if it is remembered."""
        found = self._chains.get(seq)
        if isinstance(found, Laid):
            found = self._chains[seq] = found.taken_up()
        return found

    def _index(self, chain: Chain) -> None:
        """Keep the two lists of what waits true to one roll."""
        seq = chain.root.seq
        self._seats.add(chain)
        self._waiting.pop(seq, None)
        self._unasked.pop(seq, None)
        if chain.waiting:
            self._waiting[seq] = chain
        elif not (chain.answered or chain.closed or chain.against) and self._is_unasked(chain):
            self._unasked[seq] = chain

    def _is_unasked(self, chain: Chain) -> bool:
        """Whether a roll that asks nobody by name may be answered, by the rules of its game."""
        unasked = dispatcher.system_of(chain.node).unasked
        if unasked is None:
            return False
        try:
            standing = self.standing(chain)
        except ReplayError:
            return False
        return unasked(standing.node, standing.outcome)

    def rebuild(self, records: Iterable[Record]) -> Iterator[None]:
        """Take a ledger's records into account, step by step, each roll judged again: a damaged one is left out."""
        for record in records:
            self.apply(record)
            yield
        for chain in list(self.chains()):
            try:
                self.standing(chain)
            except ReplayError:
                log.exception("a roll is left out", extra={"network": chain.root.draft.network})
                self._chains = OrderedDict((seq, kept) for seq, kept in self._chains.items() if kept is not chain)
                self._seats.remove(chain)
                self._waiting.pop(chain.root.seq, None)
                self._unasked.pop(chain.root.seq, None)
            yield

    def _apply(self, record: Record) -> None:
        if record.draft.kind in OPENING:
            self._open(record)
            return
        if record.draft.kind in sealing.KINDS:
            self._seal(record)
            return
        chain = self._chain(record.draft.ref)
        if chain is None:  # its roll is too long ago to matter
            return
        if record.draft.kind == WITHHELD:  # whatever it was, an answer perhaps: nothing follows what it followed
            chain.closed = True
            return
        if record.draft.kind in ENDING:
            chain.closed = True
            chain.endings.append(record)
            chain.discarded = chain.discarded or record.draft.kind == "discard"
        else:
            reading = reading_of(record)
            chain.later.append(self.prepared(reading.node, self._counts_for(record)))
            chain.records.append(record)
        if record.draft.kind == "answer":
            chain.answered, chain.passed = record, isinstance(chain.later[-1], Pass)
            chain.against = chain.against or self._counts_for(record)
        self._chains[record.seq] = chain
        self._remember(chain)

    def _open(self, record: Record) -> None:
        reading = reading_of(record)
        if not dispatcher.rolls(reading.node):
            raise ReplayError(record.seq, f'"{reading.node}" is no roll')
        seal = sealing.of_roll(self.seals, record)
        node = self.prepared(sealing.under(reading.node, seal), record.draft.nick)
        against = getattr(node, "against", None) if record.draft.kind == "contest" else None
        chain = self._chains[record.seq] = Chain([record], node, against, comment=reading.comment, seal=seal)
        if seal is not None:
            self.seals.use(seal, chain)
        self._remember(chain)
        self._forget(record.ts)

    def opened(self, record: Record, thrown: Thrown) -> None:
        """As `apply`, of a roll that was judged just now while all was `quiet`: nothing is read or thrown again."""
        chain = self._chains[record.seq] = Chain([record], thrown.node, comment=thrown.comment, thrown=thrown.outcome)
        self._remember(chain)
        self._forget(record.ts)
        self._seats.add(chain)
        if self._is_unasked(chain):
            self._unasked[record.seq] = chain

    def lay(self, entry: Entry, thrown: Thrown, system: System) -> None:
        """As `opened`, where most rolls are followed by nothing, and never more than what was judged is wanted."""
        seq, nick, (node, outcome, comment) = entry.seq, entry.nick, thrown
        self._chains[seq] = Laid(entry, thrown)
        if system.remember is not None:
            nick = fold(nick, self.casemapping)
            self.memories.remember(Said(nick, node, outcome, seq, None, nick, node, False, comment))
        self._forget(entry.ts)
        self._seats.sit(entry.who, seq)
        if system.unasked is not None and system.unasked(node, outcome) and (chain := self._chain(seq)):
            self._unasked[seq] = chain

    def _seal(self, record: Record) -> None:
        """Something is sealed, or a secret no longer; the game learns then what was covered (FW-10)."""
        if record.draft.kind == "seal":
            self.seals.add(sealing.sealed(record), self.same)
        elif seal := self.seals.get(record.draft.ref):
            self.seals.reveal(seal)
            if isinstance(chain := seal.used, Chain):
                chain.standing = None
                self._remember(chain, revealed=True)

    def prepared(self, node: Any, nick: str) -> Any:
        """`node` with what its game remembers for that nick in this channel, a blessing or a helper's dice."""
        return self.memories.prepared(node, fold(nick, self.casemapping))

    def told(self, node: Any, nick: str, *, storyteller: bool) -> tuple[str, ...] | None:
        """The lines that a node which only asks is told; None for any other. RuleError where it may not be said."""
        return self.memories.told(node, fold(nick, self.casemapping), storyteller=storyteller)

    def _counts_for(self, record: Record) -> str:
        """Whose command it is: the speaker's, or that of whoever a storyteller answered for."""
        if record.draft.kind != "answer":
            return record.draft.nick
        return reading_of(record).speaks_as or record.draft.nick

    def returned(self, chain: Chain) -> str:
        """What comes back when that roll is discarded, in its game's words; empty where nothing does."""
        return self.memories.returned(self._said(chain)) if dispatcher.system_of(chain.node).returns else ""

    def _remember(self, chain: Chain, *, revealed: bool = False) -> None:
        """Let the game of a roll learn what it came to, as far as anybody may."""
        if dispatcher.system_of(chain.node).remember is None or (chain.closed and not chain.discarded):
            return
        self.memories.remember(self._said(chain, revealed=revealed))

    def _said(self, chain: Chain, *, revealed: bool = False) -> Said:
        """A roll as it stands, as the memory of its game is told of it."""
        earlier = self.standing(chain)
        nick, by = (fold(n, self.casemapping) for n in (chain.root.draft.nick, self._counts_for(chain.latest)))
        other = fold(chain.against, self.casemapping) if chain.against and chain.answered else None
        latest = chain.later[-1] if chain.later else chain.node
        of_it = chain.discarded, chain.comment, revealed
        return Said(nick, earlier.node, earlier.outcome, chain.root.seq, other, by, latest, *of_it)

    def _forget(self, now: int) -> None:
        """Drop the oldest rolls once nothing can follow them any more, nor end them; the ledger still has them."""
        longest = max(self.settings.house.wp_minutes, self.settings.contest_minutes) * MINUTE
        while len(self._chains) > KEPT:
            seq, oldest = next(iter(self._chains.items()))
            if now - oldest.touched <= (max(longest, DAY) if seq in self._waiting else longest):
                return
            del self._chains[seq]
            self._waiting.pop(seq, None)
            if isinstance(oldest, Laid):
                self._seats.rise(oldest.entry.who, seq)
            else:
                self._unasked.pop(seq, None)
                self._seats.remove(oldest)

    def chains(self) -> Iterator[Chain]:
        """The rolls, newest first, each once."""
        return (chain for seq in reversed(self._chains) if (chain := self._chain(seq)) and seq == chain.root.seq)

    def own(self, nick: str, who: str) -> Iterator[Chain]:
        """The rolls in which a person has dice, those rolled last first (GEN-09)."""
        for seq in self._seats.of(who, f"~{fold(nick, self.casemapping)}"):
            if chain := self._chain(seq):
                side = side_of(chain, nick, who, self.casemapping)
                if side and chain.rolled(side).seq == seq:
                    yield chain

    def named(self, name: str) -> list[Chain]:
        """The rolls that have a side of that name, those rolled last first."""
        sides = [(chain, side) for chain in self.chains() if (side := side_named(chain, name, self.casemapping))]
        return [chain for chain, _ in sorted(sides, key=lambda each: each[0].rolled(each[1]).seq, reverse=True)]

    def find(self, ref: str) -> Chain | None:
        """The roll that `ref` names: `last`, a number, or a whole id, whose tag must then be right."""
        if ref == LAST:
            return max(self.chains(), key=lambda chain: chain.latest.seq, default=None)
        number, _, tag = ref.partition("-")
        seq = from_base32(number)
        chain = self._chain(seq) if seq is not None else None
        if chain is None or not tag:
            return chain
        known = (*chain.records, *chain.endings)
        return chain if any(r.seq == seq and r.tag == plain_tag(tag) for r in known) else None

    @property
    def quiet(self) -> bool:
        """Whether nothing here waits for anybody's roll: no contest, no secret difficulty."""
        return not (self._waiting or self._unasked or self.seals.waiting)

    def open_contests(self) -> list[Chain]:
        """The contests that want an answer, oldest first."""
        return list(self._waiting.values())

    def unasked(self) -> list[Chain]:
        """The rolls that ask nobody by name, of games where such a roll may be answered, oldest first."""
        return list(self._unasked.values())

    def waiting_for(self, nick: str, now: int) -> list[Chain]:
        """The contests that want an answer of `nick`, oldest first; not those whose time is over (GEN-06)."""
        waiting = [c for c in self.open_contests() if c.against and self.same(c.against, nick)]
        return [chain for chain in waiting if not self.overdue(chain, now)]

    def overdue(self, chain: Chain, now: int) -> bool:
        """Whether a contest's time to be answered is over, its lapse announced or not."""
        return now - chain.root.ts >= self.settings.contest_minutes * MINUTE

    def same(self, one: str, other: str) -> bool:
        """Whether two nicks are the same here (IRC-09)."""
        return same(one, other, self.casemapping)

    def standing(self, chain: Chain) -> Earlier:
        """The roll as it stands, every amendment applied: judged again from the faces that were recorded.

        Of one under a secret difficulty, what anybody may know.
        """
        known = chain.standing
        if known is None or known[0] != len(chain.records):
            known = chain.standing = len(chain.records), rejudging.told(chain, self.casemapping)
        return known[1] if known[1].closed == chain.closed else replace(known[1], closed=chain.closed)

    def truth(self, chain: Chain) -> Earlier:
        """As `standing`, with the difficulty that nobody may read: for whoever reveals it."""
        return rejudging.truth(chain, self.casemapping)

    def amended(self, chain: Chain, node: Any, earlier: Earlier, dice: DiceSource) -> Outcome:
        """What a follow-up makes of a roll that stands as `earlier`, as far as anybody may know."""
        return rejudging.amended(chain, self.casemapping, node, earlier, dice, self.settings.house)
