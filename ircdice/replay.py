"""Replay the records of a ledger through the bot's own commands, and compare the lines (LED-16)."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Awaitable, Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import cast

import grammars
from grammars import Command, Reading
from grammars.tables import Draw
from ircdice.bot import follow_ups, rolls
from ircdice.bot.commands import handler_of
from ircdice.bot.context import Answer, Context, Randomness, Services
from ircdice.bot.message import Message
from ircdice.bot.places import Place, lapse_line
from ircdice.bot.tables import left_key
from ircdice.clock import DAY, MINUTE
from ircdice.dice import DiceSource, RecordedDice, RecordingDice
from ircdice.errors import Refused, ReplayError
from ircdice.ledger import Draft, MemoryLedger, Record
from ircdice.ledger.record import AMENDING, LASTING, Terms
from ircdice.settings import ChannelSettings
from ircdice.table import Chain, Desk, Table, characters
from ircdice.table.rolls import Judged, counts_for, reading_of
from ircdice.table.secrets import CARD

_PLAYED = AMENDING | {"roll", "contest", "answer", "discard", "track", "lapse", "reveal", "draw"}
_KEEPING = LASTING - {"seal", "reveal", "page"} | {"draw"}  # kinds of record that have a key
_ENDLESS = 10_080  # minutes for which a table remembers a roll: the longest waiting time of a contest
_WAITS = re.compile("within ([0-9]{1,5}) min")
_WAITED = MINUTE  # the longest time from a command to its record: the largest `ledger_wait` (LED-05)
_ME = "\N{ZERO WIDTH SPACE}"  # not a valid nick


class _DifferenceError(Exception):
    """The current rules give a different result."""


class _Recorded(BaseException):
    """The record that a command makes, and those that follow from it; anything after recording is not judged."""

    def __init__(self, draft: Draft, following: Sequence[Draft], rolled: Judged | None) -> None:
        self.draft, self.following, self.rolled = draft, following, rolled


class _Place(Place):
    """The place of one command, which ends with what it would record."""

    async def append(
        self, draft: Draft, *following: Draft, seen: Iterable[str] = (), judged: Judged | None = None
    ) -> Record:
        del seen
        raise _Recorded(draft, following, judged)

    async def fetch(self, *_owners: str) -> None:
        """All stored values are already loaded."""


class _Table(Table):
    """A table that gets each record directly after it was judged."""

    terms: Terms | None = None  # the draft's, from which its settings are made
    answered: int = 0  # the roll that the current record answers
    ended: int = 0  # the contest that the current record ends

    def overdue(self, chain: Chain, now: int) -> bool:
        """Use the minutes in the contest's own line; a recorded answer came in time."""
        if chain.root.seq == self.answered:
            return False
        waits = _WAITS.search(chain.root.draft.line) if chain.against else None
        return waits is None or now - chain.root.ts >= int(waits[1]) * MINUTE

    def open_contests(self) -> list[Chain]:
        """Only the contest that the record ends: `withdraw` alone meant the oldest before it meant the latest."""
        return [chain for chain in super().open_contests() if self.ended in (0, chain.root.seq)]

    def kept_for(self, chain: Chain) -> int:
        """Keep contests open for longer than the current settings allow."""
        return _ENDLESS * MINUTE if chain.waiting else max(DAY, self.settings.house.wp_minutes * MINUTE)

    def rolled(self, seq: int) -> Chain:
        """The roll that a record changes or ends. _DifferenceError if there is none."""
        if (chain := self.roll_of(seq)) is None:
            raise _DifferenceError("the roll that it changes is not there")
        return chain


class Replay:
    """Judges every record of a ledger, in order."""

    def __init__(self, *, keyless: bool = False) -> None:
        self._keyless = keyless  # an imported ledger has no keys: judging finds them
        self._tables = defaultdict[tuple[str, str], _Table](partial(_Table, ChannelSettings()))  # by place
        self._desks = defaultdict[str, Desk](partial(Desk, whole=True))  # by network
        self._judged: Draft | None = None  # the record as it would be today
        self._rolled: Judged | None = None  # its result, if it is a roll
        self._following: dict[int, Draft] = {}  # records that must follow the last judged one, by number
        self._withheld = 0  # the last missing record
        self._nowhere = MemoryLedger(lambda: 0)  # replayed commands only read their table

    def fault(self, record: Record) -> str | None:
        """The difference between the current rules and the record, if any."""
        table, draft, kind = self._table(record), record.draft, record.draft.kind
        self._judged, self._rolled = None, None
        self._withheld = record.seq if record.redacted else self._withheld
        kept = draft.key or kind in _KEEPING or (kind == "setting" and draft.nick)  # without a nick it is the bot's own
        # DSK-03: taking back a hidden number has no line, and refers to the change
        hidden = kind == "track" and draft.sealed is not None and record.seq not in self._following
        try:
            if kept and not draft.line and draft.ref and not hidden:  # it was recorded together with its cause
                self._followed(record)
            elif 0 < draft.ref <= table.forgotten:  # the roll that it follows is too old to be judged again
                return None
            elif kind == "lapse" and not draft.text:
                _compare_line(draft, lapse_line(table, table.rolled(draft.ref), "lapsed"))
            elif kind in _PLAYED or kept:
                self._played(record, table)
        except (Refused, ReplayError, _DifferenceError) as fault:
            if self._drawn_unseen(record):
                return None
            return str(fault) if isinstance(fault, _DifferenceError) else f"the rules refuse it: {fault}"
        finally:
            if self._keyless and self._judged:
                draft = replace(draft, key=self._judged.key, character=self._judged.character)
                record = replace(record, draft=draft)
            table.apply(record, self._rolled)
            self._desks[draft.network].apply(record)
        return None

    def _followed(self, record: Record) -> None:
        """Compare the changes that follow the last judged record; _DifferenceError if the rules give others."""
        expected = self._following.pop(record.seq, None)
        if expected is not None:
            self._compare(record.draft, replace(expected, ref=record.draft.ref))
            self._judged = expected
        elif not self._follows_a_card(record):
            raise _DifferenceError("nothing that it refers to has changed it")

    def _follows_a_card(self, record: Record) -> bool:
        """Whether it has the cards left after a secret draw, which the rules do not determine (DSK-15)."""
        draft, seal = record.draft, self._table(record).seals.get(record.draft.ref)
        deck = seal.record.draft.text.removeprefix(CARD) if seal and seal.is_card else None
        return deck is not None and draft.key == left_key(draft.channel, deck)

    def _drawn_unseen(self, record: Record) -> bool:
        """Whether a card is drawn from a deck whose remaining cards are withheld in an import (DSK-15)."""
        draft = record.draft
        if not (self._keyless and draft.kind == "draw" and draft.draws):
            return False
        node = reading_of(record).node
        left = self._desks[draft.network].get(left_key(draft.channel, node.name)) if isinstance(node, Draw) else None
        return left is not None and left.record.seq < self._withheld

    def _table(self, record: Record) -> _Table:
        """The table of the record's channel, with the settings of that time."""
        draft, terms = record.draft, record.draft.terms
        table = self._tables[draft.place]
        if table.terms != terms:
            # A command recorded twice was meant twice.
            settings = ChannelSettings(terms.official, terms.system, contest_minutes=_ENDLESS, twice_seconds=0)
            table.settings, table.terms = replace(settings, house=terms.house), terms
        table.casemapping = terms.casemapping
        table.answered = draft.ref if draft.kind == "answer" else 0
        table.ended = draft.ref if draft.kind == "lapse" else 0
        return table

    def _played(self, record: Record, table: _Table) -> None:
        """Judge a command as a player's, or else as a storyteller's: records do not say which."""
        text, system = record.draft.words, record.draft.terms.system
        self._following = {}
        if (reading := _read_apart(text, system)) is not None:
            with suppress(Refused, _DifferenceError):
                self._judge(record, table, reading, storyteller=False)
                return
        try:
            reading = grammars.read(text, system, True)
        except Refused as unread:
            raise _DifferenceError(f"the current grammar does not read it: {unread}") from unread
        try:
            self._judge(record, table, reading, storyteller=False)
        except (Refused, _DifferenceError):
            self._judge(record, table, reading, storyteller=True)

    def _judge(self, record: Record, table: _Table, reading: Reading, *, storyteller: bool) -> None:
        """Run a command up to its record, the only thing that it awaits, and compare."""
        draft, reading = record.draft, table.speaking(reading)
        amends = draft.kind in AMENDING
        place = _Place(draft.network, draft.channel, draft.channel, table, self._desks[draft.network], self._nowhere)
        if draft.kind == "answer" and not draft.who.startswith("~"):
            place.owners = {draft.ref: draft.who}  # records do not say which account had the nick that was asked
        context = Context(
            self._message(draft, reading, storyteller=storyteller),
            table.settings,
            place,
            record.ts - (_WAITED if amends else 0),  # it may have been typed at the last moment
            _SERVICES,
            node=reading.node.said_by_storyteller if storyteller else reading.node,
            reading=reading,
            text=draft.words,
            dice=RecordingDice(RecordedDice(draft.draws)),
        )
        if amends:
            command = self._amended(record, context)
        elif draft.kind in ("roll", "contest"):  # `Nx` and `again` answer no contest
            command = rolls.throw(context)
        else:
            command = handler_of(context.node)(context)
        try:
            next(command.__await__())
        except _Recorded as made:
            self._compare(draft, made.draft)
            self._judged, self._rolled = made.draft, made.rolled
            self._following = dict(enumerate(made.following, start=record.seq + 1))
        except StopIteration:
            raise _DifferenceError("nothing would be recorded for it") from None
        else:
            raise _DifferenceError("it waits for something other than its record")

    def _compare(self, recorded: Draft, draft: Draft) -> None:
        """_DifferenceError if that record would be another one."""
        _compare_line(recorded, draft.line)
        if (draft.kind, draft.ref, draft.draws) != (recorded.kind, recorded.ref, recorded.draws):
            raise _DifferenceError(f"it would be a {draft.kind} of record {draft.ref} with other dice")
        same_key = self._keyless or (draft.key, draft.character) == (recorded.key, recorded.character)
        if not same_key or (draft.key and draft.words != recorded.words):
            raise _DifferenceError(f'it would be "{draft.words}"')
        if not self._keyless and (looked_up := _looked_up_by(draft)) != _looked_up_by(recorded):
            raise _DifferenceError("it would be listed under game {}, scene {}, official {}".format(*looked_up))

    def _amended(self, record: Record, context: Context[Command]) -> Awaitable[Answer]:
        """Amend the roll named in the record.

        Whether the command meant another roll is not checked: that takes longer than judging.
        """
        table = cast(_Table, context.table)
        said, chain = table.prepared(context.node, counts_for(record)), table.rolled(record.draft.ref)
        if context.node.ref is None:
            earlier = follow_ups.admitted(context, chain, said)
        else:
            chain, earlier = follow_ups.located(context, said)
        return rolls.amend(context, said, chain, earlier)

    def _message(self, draft: Draft, reading: Reading, *, storyteller: bool) -> Message:
        return Message(
            draft.network,
            None if draft.private else draft.channel,
            draft.nick,
            draft.text,
            _ME,
            account=None if draft.who.startswith("~") else draft.who,
            storyteller=storyteller,
            casemapping=draft.terms.casemapping,
            relayed="@" in draft.nick,
            aside=reading.node.channel is not None or (draft.sealed is not None and bool(draft.key)),
            owner=lambda _nick: self._account_of(draft),
        )

    def _account_of(self, draft: Draft) -> str | None:
        """The account of the nick after `as`: in the record's key, or else its character's player."""
        owner, _, rest = draft.key.partition(" ")
        if rest.startswith("play "):
            owner = rest.removeprefix("play ")
        elif not owner and draft.character:
            found = characters.find(self._desks[draft.network], draft.channel, draft.who, draft.character)
            owner = found.owner if found else ""
        return owner if owner and owner[0] not in "~#&+!@" else None


def _read_apart(text: str, system: str) -> Reading | None:
    """The command, read without its comment, because most commands recur with other comments.

    Reading every comment takes a quarter of a check's time (LED-16: 4,000 records a second).
    """
    command, mark, comment = text.partition(" # ")
    if not mark or not text.isascii():
        return None
    try:
        reading = grammars.read(command, system, True)
    except Refused:
        return None
    return reading._replace(comment=comment.strip()) if reading.comment is None else None


class _Nothing(Randomness):
    """Not random: all dice are recorded."""

    def begin(self, _network: str, _place: str) -> DiceSource:
        return RecordedDice(())


_SERVICES = Services(_Nothing())


def _looked_up_by(draft: Draft) -> tuple[str, str, str]:
    """Game, scene and whether it is official: records are found by them, and no leaf binds them."""
    official = draft.terms.official if draft.listed_official is None else draft.listed_official
    return draft.game or draft.terms.system, draft.scene or "none", "yes" if official else "no"


def _compare_line(recorded: Draft, line: str) -> None:
    if recorded.kind == "contest" and (waits := _WAITS.search(recorded.line)):
        line = line.replace(f"within {_ENDLESS} min", waits[0])  # the waiting time is not a rule of a game
    if recorded.line not in (line, line.replace("; !log scene gives", "; log scene gives")):  # an earlier wording
        raise _DifferenceError(f'the rules make of it "{line}"')
