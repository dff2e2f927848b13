"""The memory of a channel: a projection of its records, rebuilt from them at any time."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

from grammars import Command, Reading
from grammars.contests import Pass
from grammars.trackers import Track
from ircdice import dispatcher
from ircdice.casemapping import DEFAULT, fold, same
from ircdice.clock import DAY, MINUTE
from ircdice.dice import DiceSource, RecordedDice
from ircdice.errors import Refused, ReplayError, UnknownSpeakerError
from ircdice.game import Event, Game, Memory
from ircdice.ledger.record import LASTING, Record, from_base32, plain_tag
from ircdice.outcome import Earlier, Outcome, Side
from ircdice.settings import ChannelSettings
from ircdice.table import secrets
from ircdice.table.rolls import Chain, Change, counts_for, reading_of, side_changed, side_named
from ircdice.table.secrets import Seal, Seals

log = logging.getLogger(__name__)
LAST = "last"
KEPT = 50  # records of rolls always kept; older ones only while something may still follow them
OPENING = frozenset({"roll", "contest", "track"})  # kinds of record that do not refer to a roll
ENDING = frozenset({"lapse", "discard"})  # kinds that end a roll: nothing follows it


@dataclass(slots=True)
class Table:
    """One channel's rolls and contests, oldest first. Names are compared by the network's `casemapping`."""

    settings: ChannelSettings
    casemapping: str = DEFAULT
    seals: Seals = field(default_factory=Seals)
    memories: dict[Game, Memory] = field(default_factory=lambda: {g: g.memory() for g in dispatcher.systems().values()})
    last: Record | None = None  # the latest line of the channel, of any kind: `#last`
    owners: dict[int, str] = field(default_factory=dict)  # owners of the nicks that contests wait for, by number
    forgotten: int = 0  # the last record that was dropped for its age
    _rolls: dict[int, Chain] = field(default_factory=dict)  # by the numbers of their records
    _opened: int = 0  # the first record of anything that was open earlier; 0 if nothing was
    _waiting: dict[int, Chain] = field(default_factory=dict)  # open contests, and rolls that anyone may answer

    def apply(self, record: Record, reading: Reading | None = None) -> None:
        """Add a record; damaged ones are logged and skipped.

        `reading` is its command, if already read.
        """
        if record.may_be_last:
            self.last = record
        if record.draft.kind not in LASTING and not record.draft.ref:  # lasting ones may be far older
            self._opened = self.needed_since
        if record.draft.key:  # it belongs to the desk
            self._note_moved(record)
            return
        try:
            self._apply(record, reading)
        except (Refused, ReplayError):  # an altered record
            log.exception("a record cannot be judged and is ignored", extra={"network": record.draft.network})
            if damaged := self._rolls.get(record.seq):
                self._waiting.pop(damaged.root.seq, None)
                self._rolls = {seq: chain for seq, chain in self._rolls.items() if chain is not damaged}
        if chain := self.roll_of(record.seq) or self.roll_of(record.draft.ref):
            if chain.waiting or self._is_for_anyone(chain):
                self._waiting[chain.root.seq] = chain
            else:
                self._waiting.pop(chain.root.seq, None)

    def _is_for_anyone(self, chain: Chain) -> bool:
        """Whether a roll named no opponent, so that anyone may answer it."""
        if chain.against or chain.answered or chain.closed:
            return False
        return self.standing(chain).outcome.open

    def own_by(self, contest: int, owner: str | None) -> None:
        """Set the owner of the nick that a contest challenges; forget those of ended contests (IRC-29)."""
        waiting = {chain.root.seq for chain in self.open_contests()}
        self.owners = {seq: one for seq, one in self.owners.items() if seq in waiting}
        if owner is not None:
            self.owners[contest] = owner

    def roll_of(self, seq: int) -> Chain | None:
        """The roll that a record belongs to, if remembered."""
        return self._rolls.get(seq)

    @property
    def needed_since(self) -> int:
        """The first record still needed because something, such as an encounter, was open; 0 if nothing was."""
        opened = (memory.open_since for memory in self.memories.values())
        return min(filter(None, (self._opened, *opened)), default=0)

    def _note_moved(self, record: Record) -> None:
        """Note a tracker that a roll changed, or that a storyteller reverted such a change (DSK-03)."""
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
        if chain is None:  # the roll is forgotten
            return
        chain.standing = None
        if record.redacted:
            chain.closed = True  # LED-25: it may have been an answer, so nothing else follows that roll
            return
        if record.draft.kind in ENDING:
            chain.discarded = chain.discarded or record.draft.kind == "discard"
            chain.closed = True
            chain.endings.append(record)
        else:
            node = self.prepared((reading or reading_of(record)).node, counts_for(record))
            chain.changes.append(Change(record, node))
            if record.draft.kind == "answer":
                chain.answered, chain.passed = record, isinstance(node, Pass)
                chain.against = chain.against or counts_for(record)
        self._rolls[record.seq] = chain
        self._remember(chain)

    def _open(self, record: Record, reading: Reading) -> None:
        if not dispatcher.rolls(reading.node):
            raise ReplayError(record.seq, f'"{reading.node}" is no roll')
        node, seal = reading.node, None
        if record.draft.ref:
            seal = self.seals.get(record.draft.ref)
            if seal is None:
                raise ReplayError(record.seq, f"the difficulty in record {record.draft.ref} is not there")
            node = secrets.under(node, seal)
        node = self.prepared(node, counts_for(record))
        against = node.against if record.draft.kind == "contest" else None
        chain = Chain(record, node, dispatcher.system_of(node), against, comment=reading.comment, seal=seal)
        self._rolls[record.seq] = chain
        if seal is not None:
            seal.used = chain
        self._remember(chain)
        self._forget(record.ts)

    def _seal(self, record: Record) -> None:
        """Add a seal, or a reveal: it passes the full roll to the game's memory (FW-10)."""
        if record.draft.kind == "seal":
            self.seals.add(Seal.of(record), self.same)
        elif seal := self.seals.get(record.draft.ref):
            seal.revealed = True
            if (chain := seal.used) is not None:
                chain.standing = None
                self._remember(chain, revealed=True)

    def prepared(self, node: Command, nick: str) -> Command:
        """`node` as completed from the game's memory of that nick, such as a blessing or a helper's dice."""
        if dispatcher.owner(node) is None:
            return node
        who, memory = fold(nick, self.casemapping), self.memories[dispatcher.system_of(node)]
        try:
            return memory.prepared(node, who)
        except UnknownSpeakerError:
            if node.speaker is None or fold(node.speaker) != who:
                raise
            return memory.prepared(replace(node, speaker=None), who)  # a character that is in no encounter

    def answer_to(self, node: Command, nick: str, *, storyteller: bool) -> tuple[str, ...] | None:
        """The lines that answer a question about the game's memory; None for other nodes. RuleError if not allowed."""
        return self.memories[dispatcher.system_of(node)].tells(node, fold(nick, self.casemapping), nick, storyteller)

    def tracked(self, change: Track, nick: str) -> Command | None:
        """A game's own command for a change of that nick's tracker, if its memory stores the number."""
        who = fold(nick, self.casemapping)
        return next(filter(None, (memory.tracked(who, change) for memory in self.memories.values())), None)

    def knows(self, node: Command, name: str) -> bool:
        """Whether `as NAME` after that command names someone in its game."""
        return any(memory.knows(node, fold(name, self.casemapping)) for memory in self.memories.values())

    def taking_back(self, record: Record) -> Command | None:
        """The command that reverts a record's change in the memory of its game, if that is still open."""
        if record.draft.kind != "track" or record.draft.key or record.redacted:
            return None
        node = reading_of(record).node
        return self.memories[dispatcher.system_of(node)].taking_back(node, record.seq)

    def _remember(self, chain: Chain, *, revealed: bool = False) -> None:
        """Pass the outcome of a roll, and the last command about it, to its game, without secrets."""
        memory = self.memories[chain.game]
        if chain.discarded:
            memory.forget(chain.root.seq)
        if chain.closed:
            return
        earlier, root = self.standing(chain), chain.root
        name, other = counts_for(root), counts_for(chain.answered) if chain.against and chain.answered else None
        event = Event(
            nick=fold(name, self.casemapping),
            node=earlier.node,
            outcome=earlier.outcome,
            roll=root.seq,
            other=other and fold(other, self.casemapping),
            by=fold(counts_for(chain.latest), self.casemapping),
            latest=chain.changes[-1].node if chain.changes else chain.node,
            comment=chain.comment,
            line=root.draft.line,
            revealed=revealed,
            name=name,
        )
        memory.remember(event)

    def _forget(self, now: int) -> None:
        """Drop the oldest rolls that nothing can follow or end any more; the ledger still has them."""
        while len(self._rolls) > KEPT:
            seq, oldest = next(iter(self._rolls.items()))
            if now - oldest.latest.ts <= self.kept_for(oldest):
                return
            del self._rolls[seq]
            self.forgotten = seq
            self._waiting.pop(oldest.root.seq, None)

    def kept_for(self, chain: Chain) -> int:
        """The time for which a roll is kept after its last record, in ms."""
        longest = max(self.settings.house.wp_minutes, self.settings.contest_minutes) * MINUTE
        return max(longest, DAY) if chain.waiting else longest

    def chains(self) -> Iterator[Chain]:
        """The rolls, newest first, each once."""
        return (chain for seq, chain in reversed(self._rolls.items()) if seq == chain.root.seq)

    def followed_since(self, ts: int) -> Iterator[tuple[Record, Chain]]:
        """The records after `ts` (ms) that changed, answered or ended a roll, newest first, with that roll."""
        for seq, chain in reversed(self._rolls.items()):
            record = chain.record(seq)
            if record.ts <= ts:
                return
            if record is not chain.root:
                yield record, chain

    def last_rolled_first(self, side: Callable[[Chain], Side | None]) -> list[Chain]:
        """The rolls that have the requested side, latest first by that side (GEN-09)."""
        rolled = [(chain, chain.rolled(seat).seq) for chain in self.chains() if (seat := side(chain))]
        return [chain for chain, _ in sorted(rolled, key=lambda each: each[1], reverse=True)]

    def named(self, name: str) -> list[Chain]:
        """The rolls that have a side with that name, latest first."""
        return self.last_rolled_first(lambda chain: side_named(chain, name, self.casemapping))

    def sides(self, chain: Chain, *names: str) -> set[Side]:
        """The sides of a roll that have one of those names."""
        return {side for name in names if (side := side_named(chain, name, self.casemapping))}

    def find(self, ref: str) -> Chain | None:
        """The roll named by `ref`: a number, a whole id with the right tag, or `last` if the channel's latest line is a
        roll's."""
        if ref == LAST:
            return self.roll_of(self.last.seq) if self.last else None
        number, _, tag = ref.partition("-")
        seq = from_base32(number) or 0
        chain = self.roll_of(seq)
        return chain if chain and (not tag or chain.record(seq).tag == plain_tag(tag)) else None

    def open_contests(self) -> list[Chain]:
        """The open contests, oldest first."""
        return [chain for chain in self._waiting.values() if chain.against]

    def answerable(self, now: int) -> list[Chain]:
        """The open contests and the rolls that anyone may answer, oldest first, within the time limit."""
        return [chain for chain in self._waiting.values() if not self.overdue(chain, now)]

    def overdue(self, chain: Chain, now: int) -> bool:
        """Whether a contest has timed out, even if its lapse is not announced yet."""
        return now - chain.root.ts >= self.settings.contest_minutes * MINUTE

    def same(self, one: str, other: str) -> bool:
        """Whether two nicks are the same here (IRC-09)."""
        return same(one, other, self.casemapping)

    def standing(self, chain: Chain) -> Earlier:
        """The roll with every change applied, judged again from the recorded dice.

        Under a secret difficulty, only the public part. ReplayError as below.
        """
        if chain.standing is None:
            now, first = self.judged(chain)
            if chain.covered:  # FW-10
                outcome = secrets.covered(now.node, now.outcome, first)
                now = replace(now, node=secrets.opened(now.node), outcome=outcome)
            chain.standing = now
        return chain.standing

    def amended(self, chain: Chain, node: Command, earlier: Earlier, dice: DiceSource) -> Outcome:
        """The outcome of a follow-up to `earlier`, without secrets."""
        house = self.settings.house
        if not chain.covered:
            return dispatcher.amend(node, earlier, dice, house)
        full, first = self.judged(chain)
        outcome = dispatcher.amend(node, replace(earlier, node=full.node, outcome=full.outcome), dice, house)
        return secrets.covered(full.node, outcome, first)

    def judged(self, chain: Chain) -> tuple[Earlier, Outcome]:
        """The roll with every change applied and with its secret difficulty, and its first throw.

        ReplayError if the rules refuse the records, because one was altered: it follows a roll that it cannot follow,
        or has other dice.
        """
        record, node = chain.root, chain.node
        try:
            dice = RecordedDice(record.draft.draws)
            first = outcome = dispatcher.evaluate(node, dice, record.draft.terms.house)
            dice.finish()
            for record, change in chain.changes:
                # No minutes: a follow-up that was allowed then is still valid, even if wp_minutes has changed.
                earlier = Earlier(node, outcome, side_changed(chain, record, self.casemapping))
                dice = RecordedDice(record.draft.draws)
                outcome = dispatcher.amend(change, earlier, dice, record.draft.terms.house)
                dice.finish()
                node = outcome.becomes or node
        except Refused as why:
            raise ReplayError(record.seq, why) from why
        return Earlier(node, outcome, closed=chain.closed), first
