"""One command while it is answered: what was said, the table it was said at, and the way to the ledger."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, NamedTuple

from grammars import Command, Reading
from ircdice import reply
from ircdice.bot.allowance import Allowance
from ircdice.bot.chance import Chance
from ircdice.bot.message import Message, Reply
from ircdice.casemapping import known
from ircdice.dice import UNSTAMPED, Draws, RecordingDice, Stamp
from ircdice.errors import Refused
from ircdice.ledger import Draft, Ledger, Record, RecordKind, Sealed
from ircdice.outcome import Kind, Outcome, Side
from ircdice.settings import ChannelSettings
from ircdice.system import System
from ircdice.table import Table, Thrown


class Answer(NamedTuple):
    """What became of one line: what to say, and for other programs what it was. No replies is silence."""

    replies: tuple[Reply, ...] = ()
    kind: Kind | None = None
    system: str | None = None
    outcome: Outcome | None = None
    record: Record | None = None
    other: str | None = None
    replaces: str | None = None
    rerolled: Side | None = None  # whose dice were drawn anew just now
    error: Refused | None = None


class Turn(NamedTuple):
    """One command: `dice` keep what they show, `now` is in ms since 1970."""

    message: Message
    reading: Reading
    text: str  # as typed behind address, prefix and relay, for the record
    settings: ChannelSettings
    table: Table
    keep: Callable[[Draft, Thrown | None], Awaitable[Record]]
    dice: RecordingDice
    now: int
    chance: Chance
    ledger: Ledger
    allowance: Allowance | None = None  # LED-23; None: anybody may ask as often as they like
    called: bool = True

    @property
    def node(self) -> Any:
        """The command; each handler knows its class."""
        node = self.reading.node
        return node.said_by_storyteller if self.message.storyteller else node

    @property
    def official(self) -> bool:
        """V5-20: only in a channel that the config names so."""
        return self.settings.official and self.message.channel is not None

    def line(
        self,
        system: System,
        node: Command,
        outcome: Outcome,
        names: tuple[str, str | None],
        asked: str | None,
        answering: str | None = None,
    ) -> str:
        """The line to post, without its id; `answering` is a comment behind that of the command."""
        reading = self.reading
        said = {"comment": reading.comment, "answering": answering}
        return reply.line(system, node, outcome, names=names, asked=asked, official=self.official, **said)

    async def record(
        self, kind: RecordKind, line: str, *, ref: int = 0, stamp: Stamp | None = None, thrown: Thrown | None = None
    ) -> Record:
        """Take the command up in the ledger, durably; raises what the ledger raises, and then nothing is posted.

        `thrown` is what a roll came to that the table knows no more of than that.
        """
        self.dice.finish()
        line = reply.within(line, reply.MOST_BEFORE_ID)
        draft = self.draft(kind, self.text, line, self.dice.draws, ref, stamp or self.dice.stamp)
        return await self.keep(draft, thrown)

    def draft(
        self,
        kind: RecordKind,
        text: str,
        line: str,
        draws: Draws = (),
        ref: int = 0,
        stamp: Stamp = UNSTAMPED,
        sealed: Sealed | None = None,
    ) -> Draft:
        """A record in the name of whoever spoke, by the settings of the place."""
        m, settings = self.message, self.settings
        terms = settings.system, settings.house, self.official
        said = kind, m.network, m.place, m.nick, m.who, text, draws, line, ref
        return Draft(*said, *terms, stamp, sealed, known(m.casemapping))

    def absent(self, nick: str) -> str:
        """What is to be said of a nick that nobody in the channel bears (DSK-07, GEN-06); nothing where somebody does,
        or may: who is behind a relay is in no list."""
        m = self.message
        if m.channel is None or m.absent is None or "@" in nick or not m.absent(m.channel, nick):
            return ""
        return f"nobody called {nick} is in {m.channel} now"

    def post(self, record: Record) -> Reply:
        """A recorded line with its id, to where it was asked."""
        return posting(record, self.message.channel or self.message.nick)

    def say(self, text: str) -> Reply:
        """A line to the channel, or to the speaker where there is none."""
        m = self.message
        return Reply(m.network, m.channel or m.nick, reply.within(text), private=m.channel is None)

    def whisper(self, text: str, nick: str | None = None) -> Reply:
        """A line to one person, the speaker if nobody else is named; behind a relay it is said where they read."""
        if nick is None and self.message.relayed:
            return self.say(reply.within(text))
        return Reply(self.message.network, nick or self.message.nick, reply.within(text), private=True)


def posting(record: Record, target: str | None = None) -> Reply:
    """The line of a record with its id, to `target`: none is where it was said, as far as the record tells."""
    draft = record.draft
    where = target or (draft.nick if draft.private else draft.channel)
    text = reply.within(f"{draft.line}; id {record.id}")
    return Reply(draft.network, where, text, private=draft.private, seq=record.seq, place=draft.channel)
