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
from ircdice.dice import DiceSource, RecordedDice
from ircdice.errors import Refused, ReplayError
from ircdice.game import Event, Game, Memory
from ircdice.ledger.record import Record, from_base32, plain_tag
from ircdice.outcome import Earlier, Outcome, Side
from ircdice.settings import ChannelSettings
from ircdice.table import secrets
from ircdice.table.rolls import Chain, Change, Judged, Person, counts_for, reading_of, side_changed, side_named, side_of
from ircdice.table.secrets import Seal, Seals

log = logging.getLogger(__name__)
LAST_REF = "last"
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
    forgotten: int = 0  # the last record that was dropped for its age
    waiting: dict[int, Chain] = field(default_factory=dict)  # open contests, and rolls that anyone may answer
    _records: dict[int, tuple[Record, Chain]] = field(default_factory=dict)  # of rolls, by number

    def apply(self, record: Record, judged: Judged | None = None) -> None:
        """Add a record; damaged ones are logged and skipped.

        `judged` is the result of its command, if it was just carried out; otherwise the record is judged again.
        """
        draft = record.draft
        if record.may_be_last:
            self.last = record
        if draft.key:  # it belongs to the desk
            self._note_moved(record)
            return
        chain = self.roll_of(draft.ref)
        try:
            if draft.kind in OPENING:
                chain = self._open(record, judged)
            elif draft.kind in secrets.KINDS:
                self._seal(record)
            elif chain is not None:
                self._follow(chain, record, judged)
        except (Refused, ReplayError):  # an altered record
            log.exception("a record cannot be judged and is ignored", extra={"network": draft.network})
            if damaged := self.roll_of(record.seq):
                self.waiting.pop(damaged.root.seq, None)
                self._records = {seq: each for seq, each in self._records.items() if each[1] is not damaged}
            return
        if chain is not None:
            self._note_waiting(chain)

    def _note_waiting(self, chain: Chain) -> None:
        """Note whether a roll waits for an answer: as a contest, or because anyone may answer it."""
        alone = not (chain.against or chain.answered or chain.closed)
        if chain.waiting or (alone and self.standing(chain).outcome.open):
            self.waiting[chain.root.seq] = chain
        else:
            self.waiting.pop(chain.root.seq, None)

    def roll_of(self, seq: int) -> Chain | None:
        """The roll that a record belongs to, if remembered."""
        found = self._records.get(seq)
        return found and found[1]

    @property
    def open_since(self) -> set[int]:
        """The records that opened what is open now, such as an encounter."""
        return {memory.open_since for memory in self.memories.values() if memory.open_since}

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

    def _open(self, record: Record, judged: Judged | None) -> Chain:
        seal = self.seals.get(record.draft.ref)
        if judged:
            node, comment = judged.command, judged.comment
        else:
            node, comment = self._typed(record, seal)
        against = node.against if record.draft.kind == "contest" else None
        standing = judged and judged.standing
        chain = Chain(record, node, dispatcher.system_of(node), against, comment, seal is not None, standing)
        self._records[record.seq] = record, chain
        if seal is not None:
            seal.used = chain
        self._remember(chain)
        self._forget(record.ts)
        return chain

    def _typed(self, record: Record, seal: Seal | None) -> tuple[Command, str | None]:
        """The command of a roll, as completed by the table, and its comment. ReplayError for other records."""
        reading = self.speaking(reading_of(record))
        if not dispatcher.rolls(reading.node):
            raise ReplayError(record.seq, f'"{reading.node}" is no roll')
        if record.draft.ref and seal is None:
            raise ReplayError(record.seq, f"the difficulty in record {record.draft.ref} is not there")
        node = secrets.under(reading.node, seal) if seal else reading.node
        return self.prepared(node, counts_for(record)), reading.comment

    def _follow(self, chain: Chain, record: Record, judged: Judged | None) -> None:
        """Add a record that changes, answers or ends a roll."""
        kind, chain.standing = record.draft.kind, judged and judged.standing
        if record.redacted:
            chain.closed = True  # LED-25: it may have been an answer, so nothing else follows that roll
            return
        if kind in ENDING:
            chain.closed, chain.discarded = True, chain.discarded or kind == "discard"
        else:
            node = judged.command if judged else self.prepared(reading_of(record).node, counts_for(record))
            chain.changes.append(Change(record, node))
            if kind == "answer":
                chain.answered, chain.passed = record, isinstance(node, Pass)
                chain.against = chain.against or counts_for(record)
        self._records[record.seq] = record, chain
        self._remember(chain)

    def _seal(self, record: Record) -> None:
        """Add a seal, or a reveal: it passes the full roll to the game's memory (FW-10)."""
        if record.draft.kind == "seal":
            self.seals.add(Seal.of(record), self.same)
        elif seal := self.seals.get(record.draft.ref):
            seal.revealed = True
            if (chain := seal.used) is not None:
                chain.covered, chain.standing = False, None
                self._remember(chain, revealed=True)

    def prepared(self, node: Command, nick: str) -> Command:
        """`node` as completed from the game's memory of that nick, such as a blessing or a helper's dice."""
        if dispatcher.game_name(node) is None:
            return node
        return self.memories[dispatcher.system_of(node)].prepared(node, fold(nick, self.casemapping))

    def answer_to(self, node: Command, nick: str, *, storyteller: bool) -> tuple[str, ...] | None:
        """The lines that answer a question about the game's memory; None for other nodes. RuleError if not allowed."""
        return self.memories[dispatcher.system_of(node)].tells(node, fold(nick, self.casemapping), nick, storyteller)

    def tracked(self, change: Track, nick: str) -> Command | None:
        """A game's own command for a change of that nick's tracker, if its memory stores the number."""
        who = fold(nick, self.casemapping)
        return next(filter(None, (memory.tracked(who, change) for memory in self.memories.values())), None)

    def speakers(self, node: Command) -> list[str]:
        """The names in its game that `as NAME` may have after that command."""
        return [name for memory in self.memories.values() for name in memory.speakers(node.inner)]

    def speaking(self, reading: Reading) -> Reading:
        """A roll `as` a member of its game: the speaker's own roll, with that member as the character (SC-27)."""
        name, roll = reading.speaks_as or "", reading.node.inner
        member = next((each for each in self.speakers(roll) if self.same(each, name)), None)
        if member is None or not roll.by_members:
            return reading
        roll = replace(roll, character=member)
        node = roll if reading.node.inner is reading.node else replace(reading.node, command=roll)
        return reading._replace(node=node, speaks_as=None)

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
        while len(self._records) > KEPT:
            seq, (_, oldest) = next(iter(self._records.items()))
            if now - oldest.latest.ts <= self.kept_for(oldest):
                return
            del self._records[seq]
            self.forgotten = seq
            self.waiting.pop(oldest.root.seq, None)

    def kept_for(self, chain: Chain) -> int:
        """The time for which a roll is kept after its last record, in ms."""
        longest = max(self.settings.house.wp_minutes, self.settings.contest_minutes) * MINUTE
        return max(longest, DAY) if chain.waiting else longest

    def chains(self) -> Iterator[Chain]:
        """The rolls, newest first, each once."""
        return (chain for record, chain in reversed(self._records.values()) if record is chain.root)

    def followed_since(self, ts: int) -> Iterator[tuple[Record, Chain]]:
        """The records after `ts` (ms) that changed, answered or ended a roll, newest first, with that roll."""
        for record, chain in reversed(self._records.values()):
            if record.ts <= ts:
                return
            if record is not chain.root:
                yield record, chain

    def rolled_by(self, person: Person) -> list[Chain]:
        """The rolls in which a user has dice, latest first (GEN-09)."""
        return _latest_first((chain, side_of(chain, person)) for chain in self.chains())

    def named(self, name: str) -> list[Chain]:
        """The rolls that have a side with that name, latest first."""
        return _latest_first((chain, side_named(chain, name, self.casemapping)) for chain in self.chains())

    def sides(self, chain: Chain, *names: str) -> set[Side]:
        """The sides of a roll that have one of those names."""
        return {side for name in names if (side := side_named(chain, name, self.casemapping))}

    def find(self, ref: str) -> Chain | None:
        """The roll named by `ref`: a number, a whole id with the right tag, or `last` if the channel's latest line is a
        roll's."""
        if ref == LAST_REF:
            return self.roll_of(self.last.seq) if self.last else None
        number, _, tag = ref.partition("-")
        record, chain = self._records.get(from_base32(number) or 0, (None, None))
        return chain if record and plain_tag(tag) in ("", record.tag) else None

    def open_contests(self) -> list[Chain]:
        """The open contests, oldest first."""
        return [chain for chain in self.waiting.values() if chain.against]

    def answerable(self, now: int) -> list[Chain]:
        """The open contests and the rolls that anyone may answer, oldest first, within the time limit."""
        return [chain for chain in self.waiting.values() if not self.overdue(chain, now)]

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


def _latest_first(sides: Iterable[tuple[Chain, Side | None]]) -> list[Chain]:
    """The rolls that have a side, latest first by its throw."""
    rolled = [(chain, chain.rolled(side).seq) for chain, side in sides if side]
    return [chain for chain, _ in sorted(rolled, key=lambda each: each[1], reverse=True)]
