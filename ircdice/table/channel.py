"""The memory of a channel: a projection of its records, rebuilt from them at any time."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from grammars import Command, Reading
from grammars.contests import Pass
from grammars.trackers import Track
from ircdice import dispatcher
from ircdice.casemapping import DEFAULT, fold, same
from ircdice.clock import DAY, MINUTE
from ircdice.dice import DiceSource
from ircdice.errors import Refused, ReplayError
from ircdice.game import Said
from ircdice.ledger.ids import from_base32, plain_tag
from ircdice.ledger.record import LASTING, Record
from ircdice.outcome import Earlier, Outcome, Side
from ircdice.settings import ChannelSettings
from ircdice.table import games, judging, secrets
from ircdice.table.games import Memories
from ircdice.table.rolls import Chain, Rolls, reading_of, side_named, side_of
from ircdice.table.secrets import Seals

log = logging.getLogger(__name__)
LAST = "last"
OPENING = frozenset({"roll", "contest", "track"})  # kinds of record that refer to no roll
ENDING = frozenset({"lapse", "discard"})  # kinds that end a roll: nothing follows it


@dataclass(slots=True)
class Table:
    """One channel's rolls and contests, oldest first. Names are compared by the network's `casemapping`."""

    settings: ChannelSettings
    casemapping: str = DEFAULT
    _rolls: Rolls = field(default_factory=Rolls)
    seals: Seals = field(default_factory=Seals)
    memories: Memories = field(default_factory=Memories)
    incomplete_since: int = 0  # after `rebuild`
    owners: dict[int, str] = field(default_factory=dict)  # of the nicks that contests wait for, by their numbers

    def apply(self, record: Record, reading: Reading | None = None) -> None:
        """Add one more record; a damaged one is logged and left out, and play goes on.

        `reading` is its command, if it was read already.
        """
        if record.draft.key:  # it is the desk's
            self._note_moved(record)
            return
        try:
            self._apply(record, reading)
        except (Refused, ReplayError):  # the record was altered
            log.exception("a record is left out", extra={"network": record.draft.network})
        if chain := self.roll_of(record.seq) or self.roll_of(record.draft.ref):
            self._enter(chain)

    def own_by(self, contest: int, owner: str | None) -> None:
        """The nick that a contest was opened with belongs to `owner`; those of contests that are over go (IRC-29)."""
        waiting = {chain.root.seq for chain in self.open_contests()}
        self.owners = {seq: one for seq, one in self.owners.items() if seq in waiting}
        if owner is not None:
            self.owners[contest] = owner

    @property
    def forgotten(self) -> int:
        """The last record that was dropped for its age."""
        return self._rolls.forgotten

    def roll_of(self, seq: int) -> Chain | None:
        """The roll that a record belongs to, if it is remembered."""
        return self._rolls.get(seq)

    def _enter(self, chain: Chain) -> None:
        settled = chain.answered or chain.closed or chain.against
        self._rolls.enter(chain, unasked=not settled and self._is_unasked(chain))

    def _is_unasked(self, chain: Chain) -> bool:
        """Whether a roll that names no one may be answered, by the rules of its game."""
        try:
            standing = self.standing(chain)
        except ReplayError:
            return False
        return dispatcher.system_of(chain.node).is_open(standing.node, standing.outcome)

    def rebuild(self, records: Iterable[Record]) -> Iterator[None]:
        """Add a ledger's records, step by step, each roll judged again; a damaged one is left out.

        `incomplete_since` is then the first record of what was open meanwhile, as an encounter: all since that one are
        needed.
        """
        opened: set[int] = set()
        for record in records:
            if record.draft.kind not in LASTING and not record.draft.ref:  # those may be far older than the others
                opened.add(self.memories.open_since)
            self.apply(record)
            yield
        self.incomplete_since = min(opened.union({self.memories.open_since}) - {0}, default=0)
        for chain in list(self.chains()):
            try:
                self.standing(chain)
            except ReplayError:
                log.exception("a roll is left out", extra={"network": chain.root.draft.network})
                self._rolls.strike(chain)
            yield

    def _note_moved(self, record: Record) -> None:
        """DSK-03: a roll moved a tracker, or a storyteller took that back."""
        draft = record.draft
        if not draft.ref or draft.kind != "track":
            return
        if draft.line:
            for roll in self.chains():
                roll.moved = [each for each in roll.moved if each.seq != draft.ref]
        elif chain := self.roll_of(draft.ref):
            chain.moved.append(record)

    def _apply(self, record: Record, reading: Reading | None) -> None:
        if record.draft.kind in OPENING:
            self._open(record, reading or reading_of(record))
            return
        if record.draft.kind in secrets.KINDS:
            self._seal(record)
            return
        chain = self.roll_of(record.draft.ref)
        if chain is None:  # its roll is forgotten
            return
        if record.redacted:
            chain.closed = True  # LED-25: it may have been an answer, so nothing else follows that roll
            return
        if record.draft.kind in ENDING:
            self._end(chain, record)
        else:
            node = (reading or reading_of(record)).node
            chain.later.append(self.prepared(node, games.counts_for(record)))
            chain.records.append(record)
        if record.draft.kind == "answer":
            chain.answered, chain.passed = record, isinstance(chain.later[-1], Pass)
            chain.against = chain.against or games.counts_for(record)
        self._rolls.put(record.seq, chain)
        self._remember(chain)

    def _end(self, chain: Chain, record: Record) -> None:
        if record.draft.kind == "discard":
            chain.discarded = True
        chain.closed = True
        chain.endings.append(record)

    def _open(self, record: Record, reading: Reading) -> None:
        if not dispatcher.rolls(reading.node):
            raise ReplayError(record.seq, f'"{reading.node}" is no roll')
        seal = secrets.of_roll(self.seals, record)
        node = self.prepared(secrets.under(reading.node, seal), games.counts_for(record))
        against = node.against if record.draft.kind == "contest" else None
        chain = Chain([record], node, against, comment=reading.comment, seal=seal)
        self._rolls.put(record.seq, chain)
        if seal is not None:
            self.seals.use(seal, chain)
        self._remember(chain)
        self._forget(record.ts)

    def _seal(self, record: Record) -> None:
        """Something is sealed or revealed; the game learns then what was covered (FW-10)."""
        if record.draft.kind == "seal":
            self.seals.add(secrets.sealed(record), self.same)
        elif seal := self.seals.get(record.draft.ref):
            self.seals.reveal(seal)
            if (chain := seal.used) is not None:
                chain.standing = None
                self._remember(chain, revealed=True)

    def prepared(self, node: Command, nick: str) -> Command:
        """`node` with what its game remembers for that nick in this channel, a blessing or a helper's dice."""
        return self.memories.prepared(node, fold(nick, self.casemapping))

    def told(self, node: Command, nick: str, *, storyteller: bool) -> tuple[str, ...] | None:
        """The lines that answer a question about the memory; None for any other node. RuleError if not allowed."""
        return self.memories.told(node, fold(nick, self.casemapping), storyteller=storyteller)

    def tracked(self, said: Track, nick: str) -> Command | None:
        """A game's own command in place of a change of that nick's tracker."""
        return self.memories.tracked(said, fold(nick, self.casemapping))

    def returned(self, chain: Chain) -> str:
        """What comes back when that roll is discarded, in its game's words; empty if nothing does."""
        return self.memories.returned(self._said(chain))

    def _remember(self, chain: Chain, *, revealed: bool = False) -> None:
        """Pass the outcome of a roll to its game, without what is still secret."""
        if not chain.closed or chain.discarded:
            self.memories.remember(self._said(chain, revealed=revealed))

    def _said(self, chain: Chain, *, revealed: bool = False) -> Said:
        return games.said(chain, self.standing(chain), self.casemapping, revealed=revealed)

    def _forget(self, now: int) -> None:
        longest = max(self.settings.house.wp_minutes, self.settings.contest_minutes) * MINUTE
        self._rolls.forget(now, longest, max(longest, DAY))

    def chains(self) -> Iterator[Chain]:
        """The rolls, newest first, each once."""
        return self._rolls.newest_first()

    def followed_since(self, ts: int) -> Iterator[tuple[Record, Chain]]:
        """The records after `ts` (ms) that changed, answered or ended a roll, newest first, with that roll."""
        return self._rolls.followed_since(ts)

    def own(self, nick: str, who: str) -> list[Chain]:
        """The rolls in which a person has dice, those rolled last first (GEN-09)."""
        return _last_rolled_first((chain, side_of(chain, nick, who, self.casemapping)) for chain in self.chains())

    def named(self, name: str) -> list[Chain]:
        """The rolls that have a side of that name, those rolled last first."""
        return _last_rolled_first((chain, side_named(chain, name, self.casemapping)) for chain in self.chains())

    def find(self, ref: str) -> Chain | None:
        """The roll that `ref` names: `last`, a number, or a whole id, whose tag must then be right."""
        if ref == LAST:
            return self._rolls.latest()
        number, _, tag = ref.partition("-")
        seq = from_base32(number) or 0
        chain = self.roll_of(seq)
        return chain if chain and (not tag or chain.record(seq).tag == plain_tag(tag)) else None

    def open_contests(self) -> list[Chain]:
        """The contests that wait for an answer, oldest first."""
        return list(self._rolls.waiting.values())

    def unasked(self) -> list[Chain]:
        """The rolls that name no one, of games where such a roll may be answered, oldest first."""
        return list(self._rolls.unasked.values())

    def waiting_for(self, names: Iterable[str], now: int) -> list[Chain]:
        """The contests that wait for an answer by one of those names, oldest first, while there is time (GEN-06)."""
        asked = {fold(name, self.casemapping) for name in names}
        waiting = [c for c in self.open_contests() if c.against and fold(c.against, self.casemapping) in asked]
        return [chain for chain in waiting if not self.overdue(chain, now)]

    def overdue(self, chain: Chain, now: int) -> bool:
        """Whether a contest's time to be answered is over, its lapse announced or not."""
        return now - chain.root.ts >= self.settings.contest_minutes * MINUTE

    def same(self, one: str, other: str) -> bool:
        """Whether two nicks are the same here (IRC-09)."""
        return same(one, other, self.casemapping)

    def standing(self, chain: Chain) -> Earlier:
        """The roll with every change applied, judged again from the recorded faces.

        Of one under a secret difficulty, what anybody may know.
        """
        known = chain.standing
        if known is None or known[0] != len(chain.records):
            known = chain.standing = len(chain.records), judging.told(chain, self.casemapping)
        return known[1] if known[1].closed == chain.closed else replace(known[1], closed=chain.closed)

    def truth(self, chain: Chain) -> Earlier:
        """As `standing`, with the secret difficulty: for the storyteller who reveals it."""
        return judging.truth(chain, self.casemapping)

    def amended(self, chain: Chain, node: Command, earlier: Earlier, dice: DiceSource) -> Outcome:
        """The outcome of a follow-up to `earlier`, without what is still secret."""
        return judging.amended(chain, self.casemapping, node, earlier, dice, self.settings.house)


def _last_rolled_first(sides: Iterable[tuple[Chain, Side | None]]) -> list[Chain]:
    rolled = [(chain, chain.rolled(side).seq) for chain, side in sides if side]
    return [chain for chain, _ in sorted(rolled, key=lambda each: each[1], reverse=True)]
