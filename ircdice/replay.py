"""Replay: the records of a ledger, played again by the rules of now, each line held against what was posted (LED-16).

It plays with the bot's own commands over the recorded faces, so that nothing can judge otherwise than play does.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Coroutine, Generator
from types import coroutine
from typing import Any, TypeVar, cast

import grammars
from ircdice import dispatcher
from ircdice.bot import closing, following, rolling
from ircdice.bot.bot import handler_of
from ircdice.bot.chance import OwnChance
from ircdice.bot.message import Message
from ircdice.bot.rolling import Amended
from ircdice.bot.turn import Answer, Turn
from ircdice.dice import DiceSource, Draws, RecordedDice, RecordingDice
from ircdice.durations import MINUTE
from ircdice.errors import Refused, ReplayError
from ircdice.ledger import Draft, MemoryLedger, Record, RecordKind
from ircdice.ledger.entry import Entry
from ircdice.ledger.terms import Terms
from ircdice.ledger.verify import AMENDING
from ircdice.plain_rolls import PlainRolls
from ircdice.reply import MOST_BEFORE_ID, within
from ircdice.settings import ChannelSettings
from ircdice.table import Chain, Table, Thrown

_PLAYED = frozenset({"roll", "contest", "answer", "discard", "track", "lapse", "reveal"})
_ENDLESS = 10_080  # minutes for which a table remembers a roll in any case: the most that a contest may wait
_WAITS = re.compile("within ([0-9]{1,5}) min")
_WAITED = MINUTE  # that a record may be younger than what was said: the longest `ledger_wait` (LED-05)
T = TypeVar("T")
_ME = "\N{ZERO WIDTH SPACE}"  # nobody's nick


class _DifferenceError(Exception):
    """The rules of now make of a command what its record does not hold."""


class _Table(Table):
    """One to which every record comes with what was made of it just now."""

    held: Terms | None = None  # what its settings are made of
    answered: int = 0  # the roll that is answered by the record at hand

    def overdue(self, chain: Chain, now: int) -> bool:
        """By the minutes that its own line tells, those of then; what was answered was answered in time.

        A roll that asks nobody by name tells none, and its comment may say anything: there it is the record's word
        whether it was answered.
        """
        if chain.root.seq == self.answered:
            return False
        told = _WAITS.search(chain.root.draft.line) if chain.against else None
        return told is None or now - chain.root.ts >= int(told[1]) * MINUTE

    def rolled(self, seq: int) -> Chain:
        """The roll that a record changes."""
        if (chain := self.roll_of(seq)) is None:
            raise _DifferenceError("the roll that it changes is not there")
        return chain


class Replay:
    """Takes every record of a ledger, in order."""

    def __init__(self) -> None:
        self._tables: dict[tuple[str, str], _Table] = {}
        self._plain = PlainRolls()
        self._nowhere = MemoryLedger(lambda: 0)  # nothing that was recorded asked for more than its table

    def fault(self, entry: Entry) -> str | None:
        """What the rules of now say otherwise than the record, if anything."""
        table = self._table(entry)
        if entry.kind == "roll" and not entry.ref and table.quiet and self._plain.confirm(entry, table):
            return None
        record, made, thrown = entry.record, None, None
        try:
            if entry.kind in AMENDING:
                made = self._by_anybody(record, table, self._amended)
            elif entry.kind in _PLAYED:
                thrown = self._played(record, table)
        except _DifferenceError as difference:
            return str(difference)
        except (Refused, ReplayError) as refusal:
            return f"the rules refuse it: {refusal}"
        finally:
            if made is not None:
                table.followed(record, made.chain, made.said, made.stands)
            elif thrown is not None:
                table.lay(entry, thrown, dispatcher.system_of(thrown.node))
            else:
                table.apply(record)
        return None

    def _table(self, entry: Entry) -> _Table:
        """The table that it was said at, as that was set then."""
        place, held = (entry.network, entry.channel), entry.held
        table = self._tables.get(place)
        if table is None:
            table = self._tables[place] = _Table(ChannelSettings())
        if table.held is not held:
            terms = held.official, held.system  # whatever was said twice was meant
            table.settings = ChannelSettings(*terms, house=held.house, contest_minutes=_ENDLESS, twice_seconds=0)
            table.held, table.casemapping = held, held.casemapping
        table.answered = entry.ref if entry.kind == "answer" else 0
        return table

    def _played(self, record: Record, table: _Table) -> Thrown | None:
        draft = record.draft
        if draft.kind == "lapse" and not draft.text:
            _same_line(draft, self._lapsed(draft, table))
            return None
        return self._by_anybody(record, table, self._said)

    def _by_anybody(self, record: Record, table: _Table, judge: Callable[[_Kept, Turn], T]) -> T:
        """What a command comes to, said by a player or else by a storyteller: of whom it was no record tells."""
        draft = record.draft
        try:
            reading = grammars.read(draft.text, draft.system, True)
        except Refused as unread:
            raise _DifferenceError(f"it cannot be judged by the grammar of now: {unread}") from unread
        kept = _Kept(record)
        try:
            return judge(kept, self._turn(kept, reading, table, storyteller=False))
        except (Refused, _DifferenceError):
            return judge(kept, self._turn(kept, reading, table, storyteller=True))

    def _turn(self, kept: _Kept, reading: grammars.Reading, table: Table, *, storyteller: bool) -> Turn:
        record = kept.record
        return Turn(
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

    def _said(self, kept: _Kept, turn: Turn) -> Thrown | None:
        """Let the bot's command do all that it does up to its record; a roll of which the table need know no more."""
        _run(handler_of(turn.node)(turn), kept)
        return kept.thrown

    def _amended(self, kept: _Kept, turn: Turn) -> Amended:
        """As the bot makes it of the roll that the record names, and whether that is the record.

        Whether another roll was the nearer one is not asked: it takes longer than to judge the one that was changed.
        It was said before it was recorded, and perhaps in the last moment that there was for it.
        """
        turn = turn._replace(now=turn.now - _WAITED)
        draft, table = kept.record.draft, cast(_Table, turn.table)
        said, chain = table.prepared(turn.node, draft.nick), table.rolled(draft.ref)
        if turn.node.ref is None:
            earlier = following.admitted(turn, chain, said)
        else:
            chain, earlier = following.located(turn, said)
        made = rolling.amended(turn, said, chain, earlier)
        turn.dice.finish()
        _same_record(draft, made.kind, chain.root.seq, turn.dice.draws, within(made.line, MOST_BEFORE_ID))
        return made

    def _message(self, draft: Draft, reading: grammars.Reading, *, storyteller: bool) -> Message:
        return Message(
            draft.network,
            None if draft.private else draft.channel,
            draft.nick,
            draft.text,
            _ME,
            account=None if draft.who.startswith("~") else draft.who,
            storyteller=storyteller,
            casemapping=draft.casemapping,
            relayed="@" in draft.nick,
            aside=reading.node.channel is not None,
        )

    def _lapsed(self, draft: Draft, table: Table) -> str:
        chain = table.roll_of(draft.ref)
        if chain is None:
            raise _DifferenceError("the contest that it ends is not there")
        return closing.lapse_line(table, chain, table.settings, "lapsed")


class _Kept:
    """Takes the place of the ledger for one command: what would be recorded must be what was."""

    def __init__(self, record: Record) -> None:
        self.record, self.compared = record, False
        self.thrown: Thrown | None = None

    async def keep(self, draft: Draft, thrown: Thrown | None = None) -> Record:
        """Compare, and never come back: what the bot says of a record is no verdict."""
        _same_record(self.record.draft, draft.kind, draft.ref, draft.draws, draft.line)
        self.compared, self.thrown = True, thrown
        await _no_more()
        return self.record


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


def _same_record(recorded: Draft, kind: RecordKind, ref: int, draws: Draws, line: str) -> None:
    _same_line(recorded, line)
    if (kind, ref, draws) != (recorded.kind, recorded.ref, recorded.draws):
        raise _DifferenceError(f"it would be a {kind} of record {ref} with other dice")


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
