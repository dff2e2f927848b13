"""Replay: the records of a ledger, played again by the rules of now, each line held against what was posted (LED-16).

It plays with the bot's own commands over the recorded faces, so that nothing can judge otherwise than play does.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Coroutine
from dataclasses import replace
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
from ircdice.ledger.ids import base32
from ircdice.settings import ChannelSettings
from ircdice.table import Table

_PLAYED = frozenset({"roll", "contest", "answer", "reroll", "hunger", "keep", "discard", "track", "lapse", "reveal"})
_ENDLESS = 10_080  # minutes: whatever was answered in its time was answered in time
_WAITS = re.compile("within [0-9]+ min")
_ME = "\N{ZERO WIDTH SPACE}"  # nobody's nick


class _DifferenceError(Exception):
    """The rules of now make of a command what its record does not hold."""


class Replay:
    """Takes every record of a ledger, in order."""

    def __init__(self, casemapping: str = DEFAULT) -> None:
        self._casemapping = casemapping
        self._tables: dict[tuple[str, str], Table] = {}
        self._nowhere = MemoryLedger(lambda: 0)  # nothing that was recorded asked for more than its table

    def fault(self, record: Record) -> str | None:
        """What the rules of now say otherwise than the record, if anything."""
        draft = record.draft
        settings = ChannelSettings(draft.official, draft.system, house=draft.house, contest_minutes=_ENDLESS)
        place = draft.network, draft.channel
        table = self._tables.setdefault(place, Table(settings, self._casemapping))
        table.settings = settings
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

    def _played(self, record: Record, table: Table) -> None:
        draft = record.draft
        if draft.kind == "lapse" and not draft.text:
            _same_line(draft, self._lapsed(draft, table))
            return
        reading = grammars.read(draft.text, draft.system, True)
        for storyteller in (False, True):
            said = _message(draft, storyteller=storyteller, casemapping=self._casemapping)
            said = replace(said, aside=getattr(reading.node, "channel", None) is not None)
            dice = RecordingDice(RecordedDice(draft.draws))
            kept = _Kept(record)
            turn = Turn(
                said, reading, draft.text, table.settings, table, kept.keep, dice, record.ts, _Nothing(), self._nowhere
            )
            try:
                _run(handler_of(turn.node)(turn))
            except Refused:
                if storyteller:
                    raise
                continue
            if kept.draft is None:
                raise _DifferenceError("nothing would be recorded of it")
            return

    def _lapsed(self, draft: Draft, table: Table) -> str:
        chain = table.find(base32(draft.ref))
        if chain is None:
            raise _DifferenceError("the contest that it ends is not there")
        return closing.lapse_line(table, chain, table.settings, "lapsed")


class _Kept:
    """Takes the place of the ledger for one command: what would be recorded must be what was."""

    def __init__(self, record: Record) -> None:
        self._record = record
        self.draft: Draft | None = None

    async def keep(self, draft: Draft) -> Record:
        """Compare."""
        self.draft, recorded = draft, self._record.draft
        _same_line(recorded, draft.line)
        if (draft.kind, draft.ref, draft.draws) != (recorded.kind, recorded.ref, recorded.draws):
            raise _DifferenceError(f"it would be a {draft.kind} of record {draft.ref} with other dice")
        return self._record


class _Nothing(OwnChance):
    """No chance: what is played again was drawn before."""

    def begin(self, _network: str, _place: str) -> DiceSource:
        """Nothing that could be drawn."""
        return RecordedDice(())


def _same_line(recorded: Draft, line: str) -> None:
    if recorded.kind == "contest" and (waits := _WAITS.search(recorded.line)):
        line = line.replace(f"within {_ENDLESS} min", waits[0])  # how long it waited is no rule of a game
    if line != recorded.line:
        raise _DifferenceError(f'the rules make of it "{line}"')


def _message(draft: Draft, *, storyteller: bool, casemapping: str) -> Message:
    account = None if draft.who.startswith("~") else draft.who
    channel = None if draft.private else draft.channel
    return Message(
        *(draft.network, channel, draft.nick, draft.text, _ME, account, storyteller),
        casemapping=casemapping,
        relayed="@" in draft.nick,
    )


def _run(command: Awaitable[Answer]) -> None:
    """A command that waits for nothing but its record, which is there at once."""
    coroutine = cast("Coroutine[Any, Any, Answer]", command)
    try:
        coroutine.send(None)
    except StopIteration:
        return
    coroutine.close()
    raise _DifferenceError("it waits for something that no record can give")
