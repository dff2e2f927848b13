"""Replay: the records of a ledger, played again by the rules of now, each line held against what was posted (LED-16).

It plays with the bot's own commands over the recorded faces, so that nothing can judge otherwise than play does.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Coroutine, Generator
from types import coroutine
from typing import Any, NamedTuple, cast

import grammars
from grammars.tokens import MOST_CHARACTERS
from ircdice import dispatcher
from ircdice.bot import closing, rolling
from ircdice.bot.bot import handler_of
from ircdice.bot.chance import OwnChance
from ircdice.bot.message import Message
from ircdice.bot.turn import Answer, Turn, line_of
from ircdice.casemapping import DEFAULT
from ircdice.dice import DiceSource, Draws, RecordedDice, RecordingDice
from ircdice.errors import Refused, ReplayError, RuleError
from ircdice.ledger import Draft, MemoryLedger, Record
from ircdice.ledger.ids import base32
from ircdice.ledger.record import USUAL
from ircdice.outcome import Outcome
from ircdice.reply import ID_BYTES, MOST_BYTES, within
from ircdice.settings import ChannelSettings
from ircdice.system import System
from ircdice.table import MINUTE, Table

_PLAYED = frozenset({"roll", "contest", "answer", "reroll", "hunger", "keep", "discard", "track", "lapse", "reveal"})
_ENDLESS = 10_080  # minutes: whatever was answered in its time was answered in time
_WAITS = re.compile("within [0-9]+ min")
_ME = "\N{ZERO WIDTH SPACE}"  # nobody's nick


class _DifferenceError(Exception):
    """The rules of now make of a command what its record does not hold."""


_Said = tuple[str, str, Draws, bool]  # text, game, dice, whether its line says that it was official
_MOST = 20_000  # rolls of few dice that are known by heart
_FEW = 2
_SHORT = 200  # characters of a line


class _Judged(NamedTuple):
    """A roll by the rules of now; where it may come `again` from anybody, `rest` is its line without the nick."""

    reading: grammars.Reading
    node: Any
    outcome: Outcome
    rest: str
    again: bool

    def line(self, nick: str) -> str:
        """Its line, as that nick's."""
        return f"{nick}{self.rest}" if self.again else self.rest


class Replay:
    """Takes every record of a ledger, in order."""

    def __init__(self, casemapping: str = DEFAULT) -> None:
        self._casemapping = casemapping
        self._tables: dict[tuple[str, str], Table] = {}
        self._games: dict[type, System | None] = {}
        self._again: dict[_Said, _Judged] = {}
        self._nowhere = MemoryLedger(lambda: 0)  # nothing that was recorded asked for more than its table

    def fault(self, record: Record) -> str | None:
        """What the rules of now say otherwise than the record, if anything."""
        table, draft = self._table(record), record.draft
        if draft.kind == "roll" and not draft.ref and table.quiet and self._is_confirmed(record, table):
            return None
        try:
            if draft.kind in _PLAYED:
                self._played(record, table)
        except _DifferenceError as difference:
            return str(difference)
        except (Refused, ReplayError) as refusal:
            return f"the rules refuse it: {refusal}"
        finally:
            table.apply(record)
        return None

    def _table(self, record: Record) -> Table:
        """The table that it was said at, as that was set then."""
        draft = record.draft
        place, minutes = (draft.network, draft.channel), _ENDLESS
        table = self._tables.get(place)
        if table is None:
            table = self._tables[place] = Table(ChannelSettings(), self._casemapping)
        elif draft.kind == "answer":
            minutes = _until_answered(table, record)
        now = draft.official, draft.system, draft.house, minutes
        before = table.settings
        if now != (before.official, before.system, before.house, before.contest_minutes):
            terms = draft.official, draft.system  # whatever was said twice was meant
            table.settings = ChannelSettings(*terms, house=draft.house, contest_minutes=minutes, twice_seconds=0)
        return table

    def _played(self, record: Record, table: Table) -> None:
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

    def _is_confirmed(self, record: Record, table: Table) -> bool:
        """Whether a roll that nothing at the table touches comes to its very line, by the shortest way; most do.

        The table has taken it in then. False says no more than that it has to go the whole way.
        """
        draft = record.draft
        said = draft.text, draft.system, draft.draws, draft.official and not draft.private
        judged = self._again.get(said) if draft.house is USUAL and _is_short(draft.line) else None
        if judged is None:
            try:
                judged = self._judged(draft, table)
            except Refused:
                return False
            if judged.again and draft.house is USUAL:
                self._keep(said, judged)
        if judged.line(draft.nick) != draft.line:
            return False
        table.opened(record, judged.reading, judged.node, judged.outcome)
        return True

    def _judged(self, draft: Draft, table: Table) -> _Judged:
        """A roll as the rules of now judge it and word it. Refused where it is more than a roll, or none."""
        reading = _reading(draft.text, draft.system)
        system = self._plain(reading.node)
        if system is None or reading.speaks_as or reading.ref:
            raise RuleError("it is more than a roll.")
        node, outcome = _thrown(system, reading.node, draft, table)
        if outcome.kind in ("waiting", "note"):
            raise RuleError("it is no roll.")
        names = rolling.acting(reading.node, draft.nick), "other" if outcome.opponent else None
        line = line_of(reading, system, node, outcome, names, None, draft.official and not draft.private)
        line = within(line, MOST_BYTES - ID_BYTES)
        apart = system.prepared or system.permits or system.tells or outcome.opponent or reading.comment
        again = not apart and names[0] == draft.nick and len(draft.draws) <= _FEW and _is_short(line)
        return _Judged(reading, node, outcome, line[len(draft.nick) :] if again else line, again)

    def _keep(self, said: _Said, judged: _Judged) -> None:
        if len(self._again) >= _MOST:
            self._again.clear()
        self._again[said] = judged

    def _plain(self, node: Any) -> System | None:
        """The game of a node that is a roll and no more; a function of its kind."""
        kind = type(node)
        if kind not in self._games:
            self._games[kind] = dispatcher.system_of(node) if handler_of(node) is rolling.roll else None
        return self._games[kind]

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

    async def keep(self, draft: Draft) -> Record:
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


def _is_short(line: str) -> bool:
    """Whether nothing of it was left out for want of room."""
    return len(line) <= _SHORT and line.isascii()


def _reading(text: str, system: str) -> grammars.Reading:
    """As `grammars.read`; a command is not read again because something else is said beside it. Refused as there."""
    command, mark, comment = text.partition(" # ")
    if mark and comment and len(text) <= MOST_CHARACTERS and text.isascii() and text.isprintable():
        try:
            reading = grammars.read(command, system, True)
        except Refused:
            return grammars.read(text, system, True)
        if reading.comment is reading.ref is reading.speaks_as is None:
            return reading._replace(comment=comment.strip() or None)
    return grammars.read(text, system, True)


def _thrown(system: System, said: Any, draft: Draft, table: Table) -> tuple[Any, Outcome]:
    """A roll as the table's memory has it, and what it came to. Refused where it is no roll, or was not allowed."""
    asks = system.permits or system.tells
    if getattr(said, "against", None) or (asks and table.told(said, draft.nick, storyteller=False) is not None):
        raise RuleError("it is a contest, or a question.")
    node = said if system.prepared is None else table.prepared(said, draft.nick)
    dice = RecordedDice(draft.draws)
    outcome: Outcome = system.evaluate(node, dice, house=draft.house)
    dice.finish()
    return node, outcome


def _until_answered(table: Table, record: Record) -> int:
    """Minutes in which an open roll may be answered: of those that ask nobody by name, none older than this one's.

    The older ones were over when it was answered, though nothing was recorded of that.
    """
    chain = table.find(base32(record.draft.ref))
    if chain is None or chain.against is not None:
        return _ENDLESS
    return (record.ts - chain.root.ts) // MINUTE + 1


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
