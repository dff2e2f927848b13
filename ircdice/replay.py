"""Replay: the records of a ledger, played again by the rules of now, each line held against what was posted (LED-16).

It plays with the bot's own commands over the recorded faces, so that nothing can judge otherwise than play does.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Coroutine, Generator
from types import coroutine
from typing import Any, cast

import grammars
from ircdice.bot import closing
from ircdice.bot.bot import handler_of
from ircdice.bot.chance import OwnChance
from ircdice.bot.message import Message
from ircdice.bot.turn import Answer, Turn
from ircdice.casemapping import DEFAULT
from ircdice.dice import DiceSource, RecordedDice, RecordingDice
from ircdice.errors import Refused, ReplayError
from ircdice.ledger import Draft, MemoryLedger, Record
from ircdice.ledger.entry import Entry
from ircdice.ledger.ids import base32
from ircdice.ledger.terms import Terms
from ircdice.outcome import Earlier, Outcome
from ircdice.plain_rolls import PlainRolls
from ircdice.settings import ChannelSettings
from ircdice.table import MINUTE, Chain, Table, Thrown

_PLAYED = frozenset({"roll", "contest", "answer", "reroll", "hunger", "keep", "discard", "track", "lapse", "reveal"})
_ENDLESS = 10_080  # minutes for which a table remembers a roll in any case: the most that a contest may wait
_WAITS = re.compile("within ([0-9]+) min")
_ME = "\N{ZERO WIDTH SPACE}"  # nobody's nick


class _DifferenceError(Exception):
    """The rules of now make of a command what its record does not hold."""


class _Table(Table):
    """One that knows what the last follow-up came to: it stands so, and need not be judged once more."""

    held: Terms | None = None  # what its settings are made of
    answered: int = 0  # the roll that is answered by the record at hand
    last: tuple[Chain, Earlier, Outcome] | None = None

    def overdue(self, chain: Chain, now: int) -> bool:
        """By the minutes that its own line tells, those of then; what was answered was answered in time.

        A roll that asks nobody by name tells none: there it is the record's word whether it was answered.
        """
        if chain.root.seq == self.answered:
            return False
        told = _WAITS.search(chain.root.draft.line)
        return told is None or now - chain.root.ts >= int(told[1]) * MINUTE

    def amended(self, chain: Chain, node: Any, earlier: Earlier, dice: DiceSource) -> Outcome:
        """As any table's."""
        outcome = super().amended(chain, node, earlier, dice)
        self.last = chain, earlier, outcome
        return outcome

    def settle(self, record: Record) -> None:
        """Take in a record that was judged just now."""
        self.apply(record)
        if self.last is not None:
            (chain, earlier, outcome), self.last = self.last, None
            if chain.latest is record and not chain.covered:
                chain.standing = len(chain.records), Earlier(outcome.becomes or earlier.node, outcome)


class Replay:
    """Takes every record of a ledger, in order."""

    def __init__(self, casemapping: str = DEFAULT) -> None:
        self._casemapping = casemapping
        self._tables: dict[tuple[str, str], _Table] = {}
        self._plain = PlainRolls()
        self._nowhere = MemoryLedger(lambda: 0)  # nothing that was recorded asked for more than its table

    def fault(self, entry: Entry) -> str | None:
        """What the rules of now say otherwise than the record, if anything."""
        table = self._table(entry)
        if entry.kind == "roll" and not entry.ref and table.quiet and self._plain.confirm(entry, table):
            return None
        record = entry.record
        try:
            if entry.kind in _PLAYED:
                self._played(record, table)
        except _DifferenceError as difference:
            return str(difference)
        except (Refused, ReplayError) as refusal:
            return f"the rules refuse it: {refusal}"
        finally:
            table.settle(record)
        return None

    def _table(self, entry: Entry) -> _Table:
        """The table that it was said at, as that was set then."""
        place, held = (entry.network, entry.channel), entry.held
        table = self._tables.get(place)
        if table is None:
            table = self._tables[place] = _Table(ChannelSettings(), self._casemapping)
        if table.held is not held:
            terms = held.official, held.system  # whatever was said twice was meant
            table.settings = ChannelSettings(*terms, house=held.house, contest_minutes=_ENDLESS, twice_seconds=0)
            table.held = held
        table.answered = entry.ref if entry.kind == "answer" else 0
        return table

    def _played(self, record: Record, table: _Table) -> None:
        draft = record.draft
        if draft.kind == "lapse" and not draft.text:
            _same_line(draft, self._lapsed(draft, table))
            return
        try:
            reading = grammars.read(draft.text, draft.system, True)
        except Refused as unread:
            raise _DifferenceError(f"it cannot be judged by the grammar of now: {unread}") from unread
        try:
            self._said(record, reading, table, storyteller=False)
        except Refused:
            self._said(record, reading, table, storyteller=True)

    def _said(self, record: Record, reading: grammars.Reading, table: Table, *, storyteller: bool) -> None:
        """Let the bot's command do all that it does up to its record."""
        kept = _Kept(record)
        turn = Turn(
            message=self._message(record.draft, reading, storyteller=storyteller),
            reading=reading,
            text=record.draft.text,
            settings=table.settings,
            table=table,
            keep=kept.keep,
            dice=RecordingDice(RecordedDice(record.draft.draws)),
            now=record.ts,
            chance=_NOTHING,
            ledger=self._nowhere,
        )
        _run(handler_of(turn.node)(turn), kept)

    def _message(self, draft: Draft, reading: grammars.Reading, *, storyteller: bool) -> Message:
        return Message(
            draft.network,
            None if draft.private else draft.channel,
            draft.nick,
            draft.text,
            _ME,
            account=None if draft.who.startswith("~") else draft.who,
            storyteller=storyteller,
            casemapping=self._casemapping,
            relayed="@" in draft.nick,
            aside=getattr(reading.node, "channel", None) is not None,
        )

    def _lapsed(self, draft: Draft, table: Table) -> str:
        chain = table.find(base32(draft.ref))
        if chain is None:
            raise _DifferenceError("the contest that it ends is not there")
        return closing.lapse_line(table, chain, table.settings, "lapsed")


class _Kept:
    """Takes the place of the ledger for one command: what would be recorded must be what was."""

    def __init__(self, record: Record) -> None:
        self._record = record
        self.compared = False

    async def keep(self, draft: Draft, _thrown: Thrown | None = None) -> Record:
        """Compare, and never come back: what the bot says of a record is no verdict."""
        recorded = self._record.draft
        _same_line(recorded, draft.line)
        if (draft.kind, draft.ref, draft.draws) != (recorded.kind, recorded.ref, recorded.draws):
            raise _DifferenceError(f"it would be a {draft.kind} of record {draft.ref} with other dice")
        self.compared = True
        await _no_more()
        return self._record


@coroutine
def _no_more() -> Generator[None, None, None]:
    """What is awaited for ever."""
    yield


class _Nothing(OwnChance):
    """No chance: what is played again was drawn before."""

    def begin(self, _network: str, _place: str) -> DiceSource:
        """Nothing that could be drawn."""
        return RecordedDice(())


_NOTHING = _Nothing()


def _same_line(recorded: Draft, line: str) -> None:
    if recorded.kind == "contest" and (waits := _WAITS.search(recorded.line)):
        line = line.replace(f"within {_ENDLESS} min", waits[0])  # how long it waited is no rule of a game
    if line != recorded.line:
        raise _DifferenceError(f'the rules make of it "{line}"')


def _run(command: Awaitable[Answer], kept: _Kept) -> None:
    """A command up to its record, which is the only thing that it waits for."""
    running = cast("Coroutine[Any, Any, Answer]", command)
    try:
        running.send(None)
    except StopIteration:
        raise _DifferenceError("nothing would be recorded of it") from None
    running.close()
    if not kept.compared:
        raise _DifferenceError("it waits for something that no record can give")
